//! `kashan solve`: engines that solve suites of positions, and the results as tables and JSON.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{anyhow, bail, ensure};
use clap::Args;
use serde_json::{Value, json};

use super::common::{self, ForEngine};
use super::print;
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
    options: Vec<ForEngine<(String, String)>>,
    /// Whatever else a tournament file can say of an engine, for all or for one ("startup=book
    /// close"); can be repeated.
    #[arg(long = "each", value_name = "[N:]KEY=VALUE", value_parser = common::option_for_engine)]
    settings: Vec<ForEngine<(String, String)>>,
    /// Seconds for each position [default: 1]
    #[arg(long, value_name = "SECONDS", value_parser = common::seconds)]
    st: Option<Duration>,
    /// Limits for each position instead: nodes=20000, depth=5, 0.3/move, 10+0.1 (the engine's own
    /// share of such a clock), or several with commas.
    #[arg(long, alias = "tc", value_name = "LIMITS", conflicts_with = "st")]
    limits: Option<EngineLimits>,
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
    /// Write tables as Markdown.
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
}

/// The default time of an engine for a position.
const USUAL_TIME: Duration = Duration::from_secs(1);

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
    let limits = arguments
        .limits
        .unwrap_or_else(|| EngineLimits::per_move(arguments.st.unwrap_or(USUAL_TIME)));
    let bar = common::progress_bar(problems.len() * engines.len(), "positions");
    // Positions are short, so one signal is enough to stop everything. What was solved is shown,
    // and is in the journal.
    let stop = common::stopped_at_once(&bar);
    // A mistake in a path or an option shows now.
    let mut checked = check_engines(&engines, &stop)?;
    // Ours are driven by what the analyst likes best.
    let ours = checked
        .iter_mut()
        .filter(|engine| engine.backend().is_some());
    ours.for_each(|engine| engine.protocol = None);
    let concurrency = arguments.concurrency;
    let engines = &checked[..];
    let suite_run = SuiteRun {
        problems: &problems,
        engines,
        limits,
        concurrency,
    };
    let mut solved = 0;
    let mut count = |attempted: &Attempted| {
        let is_solved = |attempt: &Attempt| attempt.judgement.solved.is_some();
        solved += usize::from(attempted.as_ref().is_ok_and(is_solved));
        solved
    };
    let all = suite_run.run(
        arguments.journal.as_deref(),
        &stop,
        &mut |event| match event {
            SolveEvent::Note(text) => common::warn(&bar, text),
            SolveEvent::Known(attempted) => {
                count(attempted);
            }
            SolveEvent::Begins { done } => common::begin_at(&bar, done),
            SolveEvent::Attempted {
                engine,
                problem,
                attempted,
            } => {
                if let Err(error) = attempted {
                    common::warn(&bar, &format!("{}: {error}", problem.position.name()));
                }
                bar.set_message(format!("{} solved, {}", count(attempted), engine.name));
                bar.inc(1);
            }
        },
    );
    bar.finish_and_clear();
    let all = all?;
    let answer = Answer {
        problems: &problems,
        engines: &all,
        limits: &limits,
        left_out: &left_out,
        mates: arguments.mates,
    };
    let text = if arguments.json {
        answer.json()
    } else {
        answer.text(Format::markdown_if(arguments.markdown))
    };
    print(&text)?;
    complete(&all)?;
    let wrong: usize = all
        .iter()
        .map(|engine| Mates::of(&problems, engine).wrong.len())
        .sum();
    ensure!(
        wrong == 0 || !arguments.mates,
        "{} announced",
        counted(wrong, "wrong mate")
    );
    Ok(())
}

fn engines(arguments: &Arguments) -> anyhow::Result<Vec<EngineSpec>> {
    let ours = ["kashan:genetic", "kashan:alphabeta"].map(str::to_owned);
    let lines = if arguments.engines.is_empty() {
        &ours[..]
    } else {
        &arguments.engines
    };
    let entries = common::engines(lines, &arguments.settings)?;
    let mut engines = specs(&entries).map_err(|error| anyhow!(error))?;
    common::check_numbers(&arguments.options, "engine", engines.len())?;
    for (engine, number) in engines.iter_mut().zip(1..) {
        if engine.backend().is_some() {
            engine
                .options
                .push(("OwnBook".to_owned(), "false".to_owned()));
        }
        engine
            .options
            .extend(common::for_number(&arguments.options, number));
        common::check_own(engine)?;
    }
    Ok(engines)
}

/// Checks the attempts: all engines answered at all problems.
fn complete(all: &[Attempts]) -> anyhow::Result<()> {
    let attempts = || all.iter().flat_map(|engine| &engine.attempts);
    let failed = attempts()
        .flatten()
        .filter(|attempt| attempt.is_err())
        .count();
    match attempts().filter(|attempt| attempt.is_none()).count() {
        0 if failed == 0 => Ok(()),
        0 => bail!("no answer {}", counted(failed, "time")),
        missing => bail!(
            "stopped: {missing} of {} answers are missing",
            attempts().count()
        ),
    }
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
    fn text(&self, format: Format) -> String {
        let mut text = String::new();
        let mut add = |title: &str, table: Table| {
            let title = match format {
                Format::Terminal => title.to_owned(),
                Format::Markdown => format!("### {title}"),
            };
            let _ = write!(text, "{title}\n\n{}\n", table.render(format));
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
    fn json(&self) -> String {
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
