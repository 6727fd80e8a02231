//! `kashan bench`.

use std::time::Duration;

use crate::bench::{self, Row};
use crate::options::Choice;

/// Search fixed positions with every backend, and print nodes and speed. The node count is the same on every run and machine.
#[derive(Debug, clap::Args)]
pub struct Arguments {}

/// Prints a row for each backend, and last the line `Bench: N nodes M nps`.
///
/// # Errors
/// None; the signature is that of all subcommands.
pub fn run(_: &Arguments) -> anyhow::Result<()> {
    println!(
        "{:<10} {:>10} {:>9} {:>12} {:>12} {:>12}",
        "backend", "nodes", "time", "nodes/s", "branches", "branches/s"
    );
    let rows = bench::run();
    for row in &rows {
        println!(
            "{:<10} {:>10} {:>8.2}s {:>12.0} {:>12} {:>12.0}",
            row.backend.name(),
            row.nodes,
            row.time.as_secs_f64(),
            row.per_second(row.nodes),
            row.branches,
            row.per_second(row.branches),
        );
    }
    let nodes: u64 = rows.iter().map(|row| row.nodes).sum();
    let time: Duration = rows.iter().map(|row| row.time).sum();
    let all = Row {
        nodes,
        time,
        ..rows[0]
    };
    println!("Bench: {nodes} nodes {:.0} nps", all.per_second(nodes));
    Ok(())
}
