//! What came out: tables for people, JSON for programs.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::arena::Limits;
use crate::display::{Format, Table, counted};
use crate::score::Score;
use crate::suite::report;
use crate::suite::{Attempt, Attempted, Attempts, Mates, Problem};

/// Everything there is to say.
#[derive(Debug)]
pub struct Answer<'a> {
    pub problems: &'a [Problem],
    pub engines: &'a [Attempts],
    pub limits: &'a Limits,
    /// Lines that could not be used, and why.
    pub left_out: &'a [String],
    /// Whether announced mates are to be counted.
    pub mates: bool,
}

impl Answer<'_> {
    /// A table for each engine, all side by side, and the sums.
    pub fn text(&self, format: Format) -> String {
        let mut text = String::new();
        let mut add = |title: &str, table: Table| {
            let title = match format {
                Format::Terminal => title.to_owned(),
                Format::Markdown => format!("### {title}"),
            };
            let _ = write!(text, "{title}\n\n{}\n", table.render(format));
        };
        for engine in self.engines {
            add(&engine.engine, report::attempts_table(self.problems, engine));
        }
        if self.engines.len() > 1 {
            add(
                "Seconds to the solution, or the wrong move",
                report::comparison(self.problems, self.engines),
            );
        }
        add("Summary", report::summary_table(self.problems, self.engines));
        if self.mates {
            add("Announced mates", report::mates_table(self.problems, self.engines));
            for engine in self.engines {
                for wrong in Mates::of(self.problems, engine).wrong {
                    let _ = writeln!(text, "{}, wrong mate, {wrong}", engine.engine);
                }
            }
        }
        let left_out = match self.left_out.len() {
            0 => String::new(),
            count => format!("; {} left out", counted(count, "line")),
        };
        let (count, limits) = (counted(self.problems.len(), "position"), self.limits);
        let _ = writeln!(text, "{count}, {limits} each{left_out}");
        text
    }

    /// One object. Times are in seconds, scores in centipawns or moves to the mate from the engine's point of
    /// view.
    pub fn json(&self) -> String {
        let positions = self.problems.iter().map(|problem| {
            json!({
                "name": problem.position.name(),
                "file": problem.position.file.display().to_string(),
                "line": problem.position.line,
                "fen": problem.position.fen,
                "to_find": problem.goal.to_string(),
            })
        });
        let engines = self.engines.iter().map(|engine| self.engine(engine));
        let report = json!({
            "limits": self.limits.to_string(),
            "left_out": self.left_out,
            "positions": positions.collect::<Vec<Value>>(),
            "engines": engines.collect::<Vec<Value>>(),
        });
        format!("{report:#}\n")
    }

    fn engine(&self, engine: &Attempts) -> Value {
        let summary = engine.summary(self.problems);
        let attempts = engine.attempts.iter().map(attempt);
        json!({
            "name": engine.engine,
            "solved": summary.solved,
            "answered": summary.answered,
            "failed": summary.failed,
            "points": summary.points.map(|[own, _]| own),
            "most_points": summary.points.map(|[_, most]| most),
            "seconds": summary.seconds,
            "mean_seconds_to_solution": summary.seconds_to_solution,
            "mean_nodes_to_solution": summary.nodes_to_solution,
            "mates": self.mates.then(|| Mates::of(self.problems, engine)),
            "attempts": attempts.collect::<Vec<Value>>(),
        })
    }
}

/// In the order of the positions; `null` where there was none.
fn attempt(attempt: &Option<Attempted>) -> Value {
    let (thinking, judgement) = match attempt {
        None => return Value::Null,
        Some(Err(error)) => return json!({ "error": error.to_string() }),
        Some(Ok(Attempt { thinking, judgement })) => (thinking, judgement),
    };
    let score = thinking.score();
    let found = judgement.solved;
    json!({
        "move": thinking.best,
        "san": thinking.san,
        "solved": found.is_some(),
        "seconds_to_solution": found.map(|found| found.at.as_secs_f64()),
        "nodes_to_solution": found.and_then(|found| found.nodes),
        "depth_of_solution": found.and_then(|found| found.depth),
        "points": judgement.points.map(|[own, _]| own),
        "most_points": judgement.points.map(|[_, most]| most),
        "centipawns": score.filter(|score| !score.is_mate()).map(|score| score.0),
        "mate_in": score.and_then(Score::mate_moves),
        "seconds": thinking.time.as_secs_f64(),
        "nodes": thinking.nodes(),
        "depth": thinking.depth(),
    })
}
