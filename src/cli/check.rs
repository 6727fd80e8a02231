//! `kashan check`: whether an engine keeps its protocol.

use std::time::{Duration, Instant};

use anyhow::ensure;
use clap::Args;
use serde::Serialize;
use serde_json::json;

use super::{common, print, print_json};
use crate::arena::client;
use crate::arena::suite::check::{self, Check, Outcome};
use crate::arena::{EngineSpec, Protocol};
use crate::util::display::{columns, counted, fill, one_line};
use crate::util::jobs::{StopRequest, StopSignal, queue};

/// Check an engine's protocol, xboard's or UCI.
///
/// Each check starts the engine anew, plays the front end, and examines the answers. A failed check
/// shows the conversation and names the section of the protocol's text.
#[derive(Debug, Args)]
pub struct Arguments {
    /// An engine: a command with its arguments in one string ("hoichess --xboard"), or one of ours:
    /// kashan:genetic, kashan:alphabeta, kashan:minimax, kashan:action.
    #[arg(value_name = "CMD", required_unless_present = "list")]
    engine: Option<String>,
    /// The protocol to check [default: all protocols of the engine]
    #[arg(long, value_name = "PROTOCOL", value_parser = common::one_of::<Protocol>())]
    protocol: Option<Protocol>,
    /// Only checks with this text in their names; can be repeated.
    #[arg(long, value_name = "PATTERN")]
    only: Vec<String>,
    /// List the checks, and check nothing.
    #[arg(long)]
    list: bool,
    /// Seconds to add to every time limit.
    #[arg(long, value_name = "SECONDS", default_value = "0.3", value_parser = common::seconds)]
    slack: Duration,
    /// The number of checks at the same time. Most of them only wait, but some measure time: take
    /// more slack.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = common::at_least_one())]
    concurrency: usize,
    /// Write one JSON object instead of lines.
    #[arg(long, conflicts_with = "list")]
    json: bool,
}

/// Checks and prints.
///
/// # Errors
/// The engine cannot be started or speaks neither protocol; there is no such check; a check failed.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let stop = StopSignal::default();
    let stopper = stop.clone();
    common::on_signal(move || stopper.stop());
    let engine = match &arguments.engine {
        Some(line) if !arguments.list => Some(common::engine_spec(line, &[], None)?),
        _ => None,
    };
    let wanted = match (arguments.protocol, &engine) {
        (Some(protocol), engine) => {
            if let (Protocol::Uci, Some(engine)) = (protocol, engine) {
                client::require_uci(engine, &stop)?;
            }
            vec![protocol]
        }
        (None, Some(engine)) => spoken(engine, &stop)?,
        (None, None) => vec![Protocol::Xboard, Protocol::Uci],
    };
    let mut checks = Vec::new();
    for protocol in wanted {
        let mut of_protocol = check::checks(protocol);
        if !arguments.only.is_empty() {
            of_protocol.retain(|check| arguments.only.iter().any(|part| check.id.contains(part)));
        }
        checks.push((protocol, of_protocol));
    }
    let are_some = checks.iter().any(|(_, checks)| !checks.is_empty());
    ensure!(are_some, "there is no check of that name: --list shows all");
    let Some(engine) = engine else {
        for (protocol, checks) in &checks {
            print(&format!("{}\n", name(*protocol)))?;
            for check in checks {
                print(&row("", check, None))?;
            }
        }
        return Ok(());
    };
    client::find(&engine)?;
    let mut failed = 0;
    let mut reports = Vec::new();
    for (protocol, checks) in &checks {
        let report = examine(&engine, *protocol, checks, arguments, &stop)?;
        failed += report.failed;
        reports.push(report);
    }
    if arguments.json {
        print_json(&json!({ "engine": engine.name, "protocols": reports }))?;
    }
    ensure!(failed == 0, "{} failed", counted(failed, "check"));
    Ok(())
}

/// Returns the protocols of the engine, by its answers.
fn spoken(engine: &EngineSpec, stop: &StopSignal) -> anyhow::Result<Vec<Protocol>> {
    let spoken = client::spoken(engine, stop)?;
    ensure!(
        !spoken.is_empty(),
        "engine {}: it answers neither \"protover 2\" nor \"uci\"; --protocol says what to check it in",
        engine.name
    );
    Ok(spoken)
}

fn name(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::Xboard => "xboard",
        Protocol::Uci => "UCI",
    }
}

/// The result of all checks of a protocol.
#[derive(Serialize)]
struct Report<'c> {
    protocol: Protocol,
    passed: u32,
    failed: u32,
    skipped: u32,
    seconds: f64,
    /// The checks in the order of the protocol's text, however long each took.
    checks: Vec<Done<'c>>,
}

/// The outcome of a check.
#[derive(Serialize)]
struct Done<'c> {
    #[serde(skip)]
    number: usize,
    #[serde(flatten)]
    check: &'c Check,
    seconds: f64,
    outcome: Outcome,
}

/// Does all checks of a protocol; each is printed when done.
fn examine<'c>(
    engine: &EngineSpec,
    protocol: Protocol,
    checks: &'c [Check],
    arguments: &Arguments,
    stop: &StopSignal,
) -> anyhow::Result<Report<'c>> {
    let show = |text: &str| if arguments.json { Ok(()) } else { print(text) };
    show(&format!("{}, {}\n", one_line(&engine.name), name(protocol)))?;
    let mut report = Report {
        protocol,
        passed: 0,
        failed: 0,
        skipped: 0,
        seconds: 0.0,
        checks: Vec::new(),
    };
    let started = Instant::now();
    let check_one = |number: usize| {
        let check = &checks[number];
        let outcome = check::run(check, engine, protocol, arguments.slack, stop);
        Ok(outcome.map(|(outcome, time)| Done {
            number,
            check,
            seconds: time.as_secs_f64(),
            outcome,
        }))
    };
    let take = |done: Done<'c>| {
        let (word, count) = match &done.outcome {
            Outcome::Passed => ("passed", &mut report.passed),
            Outcome::Failed { .. } => ("FAILED", &mut report.failed),
            Outcome::Skipped { .. } => ("skipped", &mut report.skipped),
        };
        *count += 1;
        show(&row(word, done.check, Some(&done.outcome)))?;
        report.checks.push(done);
        Ok(())
    };
    queue::each(
        0..checks.len(),
        arguments.concurrency,
        |_| Ok(check_one),
        &StopRequest::from(stop),
        take,
    )?;
    ensure!(!stop.is_stopped(), "stopped");
    report.checks.sort_by_key(|done| done.number);
    report.seconds = started.elapsed().as_secs_f64();
    show(&format!(
        "{} passed, {} failed, {} skipped in {:.0} s\n",
        report.passed, report.failed, report.skipped, report.seconds
    ))?;
    Ok(report)
}

/// Formats a check as lines of the terminal's width: its outcome, its question, its section; and
/// the fault.
fn row(word: &str, check: &Check, outcome: Option<&Outcome>) -> String {
    let width = columns().unwrap_or(80).max(40);
    let fill = |text: &str, first: &str, rest: &str| fill(text, Some(width), first, rest) + "\n";
    let word = if outcome.is_some() {
        format!("{word:<8}")
    } else {
        "  ".to_owned()
    };
    let first = format!("{word}{:<18} ", check.id);
    let rest = " ".repeat(first.len());
    let text = match outcome {
        Some(Outcome::Skipped { reason }) => format!("{}.", one_line(reason)),
        _ => format!("{} ({})", check.asks, check.section),
    };
    let mut lines = fill(&text, &first, &rest);
    if let Some(Outcome::Failed { fault, transcript }) = outcome {
        lines += &fill(&one_line(fault), "        ", "        ");
        for line in transcript {
            let line: String = one_line(line).chars().take(width - 10).collect();
            lines += &format!("          {line}\n");
        }
    }
    lines
}
