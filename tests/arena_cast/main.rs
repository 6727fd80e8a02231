//! The arena against engines that misbehave in every way: each failure has its result and its
//! reason, and the match goes on.
//!
//! This test has no harness of the usual kind, because it is its own cast: started with `cast ROLE
//! PROTOCOL` it is the engine that plays the role. Otherwise it plays the scenarios whose name
//! contains one of its arguments, or all, in several processes: most of them wait for an engine
//! that does not move, and some count the threads and children of their process.

#[path = "../common/mod.rs"]
mod common;

mod analyst;
mod engine;
mod kills;
mod scenarios;

use std::env;
use std::panic::catch_unwind;
use std::process::{Command, ExitCode};

/// Processes among which all scenarios are divided.
const SHARES: usize = 4;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments
        .iter()
        .map(String::as_str)
        .collect::<Vec<_>>()
        .as_slice()
    {
        ["cast", role, protocol, mark @ ..] => engine::run(role, protocol, mark.first().copied()),
        ["share", share] => {
            let share: usize = share.parse().expect("a number");
            play(|number, _| number % SHARES == share)
        }
        arguments => {
            // Flags are for harnesses that have them.
            let wanted: Vec<&str> = arguments
                .iter()
                .filter(|word| !word.starts_with('-'))
                .copied()
                .collect();
            let is_wanted = |_: usize, name: &str| wanted.iter().any(|part| name.contains(part));
            if wanted.is_empty() {
                share()
            } else {
                play(is_wanted)
            }
        }
    }
}

/// Plays all scenarios.
fn share() -> ExitCode {
    let program = env::current_exe().expect("a test knows itself");
    let start = |share: usize| {
        let mut command = Command::new(&program);
        command
            .args(["share", &share.to_string()])
            .spawn()
            .expect("it starts")
    };
    let shares: Vec<_> = (0..SHARES).map(start).collect();
    let ends = shares
        .into_iter()
        .map(|mut share| share.wait().expect("it ends").success());
    let failed = ends.filter(|&success| !success).count();
    if failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn play(is_wanted: impl Fn(usize, &str) -> bool) -> ExitCode {
    let all = scenarios::all()
        .into_iter()
        .chain(analyst::all())
        .chain(kills::all())
        .enumerate();
    let all = all
        .filter(|(number, (name, _))| is_wanted(*number, name))
        .map(|(_, scenario)| scenario);
    let mut failed = Vec::new();
    for (name, scenario) in all {
        let is_fine = catch_unwind(scenario).is_ok();
        println!(
            "scenario {name} ... {}",
            if is_fine { "ok" } else { "FAILED" }
        );
        failed.extend((!is_fine).then_some(name));
    }
    if failed.is_empty() {
        return ExitCode::SUCCESS;
    }
    eprintln!("failed: {}", failed.join(", "));
    ExitCode::FAILURE
}
