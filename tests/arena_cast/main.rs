//! The arena against engines that misbehave in every way: each failure has its result and its reason, and the match goes on.
//!
//! This test has no harness of the usual kind, because it is its own cast: started with `cast ROLE PROTOCOL FOLDER` it is the engine that plays
//! the role. Otherwise it plays the scenarios whose name contains one of its arguments, or all.

mod analyst;
mod engine;
mod scenarios;

use std::env;
use std::panic::catch_unwind;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if let [cast, role, protocol, folder] = arguments.as_slice()
        && cast == "cast"
    {
        engine::run(role, protocol, folder);
    }
    // Flags are for harnesses that have them.
    let wanted: Vec<&String> = arguments
        .iter()
        .filter(|argument| !argument.starts_with('-'))
        .collect();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|part| name.contains(*part));
    let mut failed = Vec::new();
    for (name, scenario) in scenarios::all()
        .into_iter()
        .chain(analyst::all())
        .filter(|(name, _)| is_wanted(name))
    {
        match catch_unwind(scenario) {
            Ok(()) => println!("scenario {name} ... ok"),
            Err(_) => {
                println!("scenario {name} ... FAILED");
                failed.push(name);
            }
        }
    }
    if failed.is_empty() {
        ExitCode::SUCCESS
    } else {
        eprintln!("failed: {}", failed.join(", "));
        ExitCode::FAILURE
    }
}
