//! `kashan solve`: engines that solve suites of positions, and the results as tables and JSON.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Error, ensure};
use clap::Args;
use serde_json::{Value, json};

use super::common::{self, ForEngine};
use super::{print, print_json};
use crate::arena::spec::specs;
use crate::arena::suite::report;
use crate::arena::suite::solve::SolveEvent;
use crate::arena::suite::{Attempt, Attempted, Attempts, Mates, Problem, ProblemList, SuiteRun};
use crate::arena::{EngineLimits, EngineSpec, check_engines};
use crate::rules::score::Score;
use crate::util::display::{Format, Table, counted};
use crate::util::files::{self, OutputFile};

/// Let engines solve suites of positions: best move (bm), move to avoid (am), mates (dm), points
/// for moves (STS).
///
/// A position is solved if its move is right; the time to the solution is the first time the move
/// was found and kept to the end. An engine is a command with its arguments in one string
/// ("hoichess --xboard"), or one of ours: kashan:genetic, kashan:alphabeta, kashan:minimax,
/// kashan:action. Ours think without their opening book unless told otherwise.
#[derive(Debug, Args)]
pub struct Arguments {
    /// EPD files.
    #[arg(required = true, value_name = "EPD")]
    files: Vec<PathBuf>,
    /// An engine; can be repeated [default: kashan:genetic and kashan:alphabeta]
    #[arg(long = "engine", value_name = "CMD")]
    engines: Vec<String>,
    /// An option of all engines, or of the N-th; can be repeated.
    #[arg(long = "option", value_name = "[N:]NAME=VALUE", value_parser = common::option_for_engine)]
    options: Vec<ForEngine>,
    /// Whatever else a tournament file can say of an engine, for all or for one ("startup=book
    /// close"); can be repeated.
    #[arg(long = "each", value_name = "[N:]KEY=VALUE", value_parser = common::option_for_engine)]
    settings: Vec<ForEngine>,
    /// Limits for each position: 0.3/move (seconds), nodes=20000, depth=5, 10+0.1 (the engine's own
    /// share of such a clock), or several with commas.
    #[arg(long, alias = "tc", value_name = "LIMITS", value_parser = common::lone_limits, default_value = "1/move")]
    limits: EngineLimits,
    /// The number of engines at work at the same time.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = common::at_least_one())]
    concurrency: usize,
    /// Keep a journal here: the same command continues from the journal.
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Count announced mates, and play out every one of them: how many are the shortest, how many
    /// are wrong. A wrong one is a failure.
    #[arg(long)]
    mates: bool,
    /// Stop with an error if a line cannot be read, or asks for nothing.
    #[arg(long)]
    strict: bool,
    /// Write one JSON object instead of tables.
    #[arg(long)]
    json: bool,
}

/// Solves and prints.
///
/// # Errors
/// Unreadable or unwritable files, nothing to solve, engines that do not start or cannot think
/// under the limits; positions without an answer; with `--strict` any unusable line.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let journal = arguments.journal.as_deref().map(OutputFile::with_own_rules);
    files::check(&arguments.files, journal)?;
    let ProblemList { problems, left_out } = ProblemList::read(&arguments.files)?;
    common::tell_left_out(&left_out, "line", arguments.strict)?;
    ensure!(!problems.is_empty(), "there is nothing to solve");
    let engines = engines(arguments)?;
    let bar = common::progress_bar(problems.len() * engines.len(), "positions");
    // Positions are short, so one signal is enough to stop everything. What was solved is shown,
    // and is in the journal.
    let stop = common::stopped_at_once(&bar);
    // A mistake in a path or an option shows now.
    let mut checked = check_engines(&engines, &stop)?;
    // Ours are driven by what the analyst likes best.
    for engine in &mut checked {
        if engine.backend().is_some() {
            engine.protocol = None;
        }
    }
    let suite_run = SuiteRun {
        problems: &problems,
        engines: &checked,
        limits: arguments.limits,
        concurrency: arguments.concurrency,
    };
    let mut solved = 0;
    let all = suite_run.run(
        arguments.journal.as_deref(),
        &stop,
        &mut |event| match event {
            SolveEvent::Note(text) => common::warn(&bar, text),
            SolveEvent::Known(attempted) => solved += usize::from(is_solved(attempted)),
            SolveEvent::Begins { done } => common::begin_at(&bar, done),
            SolveEvent::Attempted {
                engine,
                problem,
                attempted,
            } => {
                if let Err(error) = attempted {
                    common::warn(&bar, &format!("{}: {error}", problem.position.name()));
                }
                solved += usize::from(is_solved(attempted));
                bar.set_message(format!("{solved} solved, {}", engine.name));
                bar.inc(1);
            }
        },
    );
    bar.finish_and_clear();
    let all = all?;
    let answer = Answer {
        problems: &problems,
        engines: &all,
        limits: &arguments.limits,
        left_out: &left_out,
        mates: arguments.mates,
    };
    if arguments.json {
        print_json(&answer.json())?;
    } else {
        print(&answer.text())?;
    }
    complete(&all)?;
    let mut wrong = 0;
    if arguments.mates {
        for engine in &all {
            wrong += Mates::of(&problems, engine).wrong.len();
        }
    }
    ensure!(wrong == 0, "{} announced", counted(wrong, "wrong mate"));
    Ok(())
}

fn is_solved(attempted: &Attempted) -> bool {
    attempted
        .as_ref()
        .is_ok_and(|attempt| attempt.judgement.solved.is_some())
}

fn engines(arguments: &Arguments) -> anyhow::Result<Vec<EngineSpec>> {
    let ours = ["kashan:genetic", "kashan:alphabeta"].map(str::to_owned);
    let lines = if arguments.engines.is_empty() {
        &ours[..]
    } else {
        &arguments.engines
    };
    let entries = common::engines(lines, &arguments.settings)?;
    let mut engines = specs(&entries).map_err(Error::msg)?;
    common::check_numbers(&arguments.options, "engine", engines.len())?;
    for (engine, number) in engines.iter_mut().zip(1..) {
        common::turn_book_off(engine);
        engine
            .options
            .extend(common::for_number(&arguments.options, number));
        common::check_own(engine)?;
    }
    Ok(engines)
}

/// Checks the attempts: all engines answered at all problems.
fn complete(all: &[Attempts]) -> anyhow::Result<()> {
    let attempts: Vec<_> = all.iter().flat_map(|engine| &engine.attempts).collect();
    let count = |wanted: fn(&Option<Attempted>) -> bool| {
        attempts.iter().filter(|attempt| wanted(attempt)).count()
    };
    let missing = count(Option::is_none);
    ensure!(
        missing == 0,
        "stopped: {missing} of {} answers are missing",
        attempts.len()
    );
    let failed = count(|attempt| matches!(attempt, Some(Err(_))));
    ensure!(failed == 0, "no answer {}", counted(failed, "time"));
    Ok(())
}

/// The complete results.
#[derive(Debug)]
struct Answer<'a> {
    problems: &'a [Problem],
    engines: &'a [Attempts],
    limits: &'a EngineLimits,
    /// Unusable lines, and the reasons.
    left_out: &'a [String],
    /// True if announced mates are to be counted.
    mates: bool,
}

impl Answer<'_> {
    /// A table for each engine, and the sums.
    fn text(&self) -> String {
        let mut text = String::new();
        let mut add = |title: &str, table: Table| {
            let _ = write!(text, "{title}\n\n{}\n", table.render(Format::Terminal));
        };
        for engine in self.engines {
            add(
                &engine.engine,
                report::attempts_table(self.problems, engine),
            );
        }
        add(
            "Summary",
            report::summary_table(self.problems, self.engines),
        );
        if self.mates {
            add(
                "Announced mates",
                report::mates_table(self.problems, self.engines),
            );
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
        let count = counted(self.problems.len(), "position");
        let limits = self.limits;
        let _ = writeln!(text, "{count}, {limits} each{left_out}");
        text
    }

    /// Returns the results as one JSON object. Times are in seconds, scores in centipawns or moves
    /// to the mate from the engine's point of view.
    fn json(&self) -> Value {
        let mut positions = Vec::new();
        for Problem { position, goal, .. } in self.problems {
            positions.push(json!({
                "name": position.name(),
                "file": position.file.display().to_string(),
                "line": position.line,
                "fen": position.fen,
                "to_find": goal.to_string(),
            }));
        }
        let engines: Vec<Value> = self.engines.iter().map(|one| self.engine(one)).collect();
        json!({
            "limits": self.limits.to_string(),
            "left_out": self.left_out,
            "positions": positions,
            "engines": engines,
        })
    }

    fn engine(&self, engine: &Attempts) -> Value {
        let summary = engine.summary(self.problems);
        let attempts: Vec<Value> = engine.attempts.iter().map(attempt).collect();
        let [points, most_points] = summary.points.map_or([None; 2], |points| points.map(Some));
        json!({
            "name": engine.engine,
            "solved": summary.solved,
            "answered": summary.answered,
            "failed": summary.failed,
            "points": points,
            "most_points": most_points,
            "seconds": summary.seconds,
            "mean_seconds_to_solution": summary.seconds_to_solution,
            "mean_nodes_to_solution": summary.nodes_to_solution,
            "mates": self.mates.then(|| Mates::of(self.problems, engine)),
            "attempts": attempts,
        })
    }
}

/// Returns an attempt as JSON, in the order of the positions; `null` for none.
fn attempt(attempt: &Option<Attempted>) -> Value {
    let (thinking, judgement) = match attempt {
        None => return Value::Null,
        Some(Err(error)) => return json!({ "error": error.to_string() }),
        Some(Ok(Attempt {
            thinking,
            judgement,
        })) => (thinking, judgement),
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
