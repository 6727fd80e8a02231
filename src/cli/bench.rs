//! `kashan bench`.

use std::time::Duration;

use super::print;
use crate::bench::{self, Row};

/// Search fixed positions with every backend and with Preset=paper, and print nodes and speed. The node count
/// is the same on every run and machine.
#[derive(Debug, clap::Args)]
pub struct Arguments {}

/// Prints a row for each search, and last the line `Bench: N nodes M nps`.
///
/// # Errors
/// They cannot be written, as on a full disk.
pub fn run(_: &Arguments) -> anyhow::Result<()> {
    let mut text = format!(
        "{:<10} {:>10} {:>9} {:>12} {:>12} {:>12}\n",
        "search", "nodes", "time", "nodes/s", "branches", "branches/s"
    );
    let rows = bench::run();
    for row in &rows {
        text += &format!(
            "{:<10} {:>10} {:>8.2}s {:>12.0} {:>12} {:>12.0}\n",
            row.name,
            row.nodes,
            row.time.as_secs_f64(),
            row.per_second(row.nodes),
            row.branches,
            row.per_second(row.branches),
        );
    }
    print(&format!("{text}{}\n", last_line(&rows)))
}

/// What all searches did together, in the form that people and OpenBench read: its client looks for `N nodes`
/// and `M nps`, from the last line of the output on, wants whole numbers without separators, and ASCII.
fn last_line(rows: &[Row]) -> String {
    let nodes: u64 = rows.iter().map(|row| row.nodes).sum();
    let time: Duration = rows.iter().map(|row| row.time).sum();
    let per_second = nodes as f64 / time.as_secs_f64().max(1e-9);
    format!("Bench: {nodes} nodes {per_second:.0} nps")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_is_what_openbench_reads() {
        let row = |name, nodes, time| Row { name, nodes, branches: 0, time: Duration::from_millis(time) };
        let rows = [row("paper", 2_000_000, 700), row("alphabeta", 1_000_000, 300)];
        assert_eq!(last_line(&rows), "Bench: 3000000 nodes 3000000 nps");
        assert!(last_line(&[]).ends_with("0 nodes 0 nps"), "nothing is divided by nothing");
    }
}
