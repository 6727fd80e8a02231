//! `kashan bench`: searches of fixed positions.

use std::time::Duration;

use super::{common, print};
use crate::engine::bench::{self, BenchRow};
use crate::util::display::{Format, Table, cells};

/// Prints a row for each search, and last the line `Bench: N nodes M nps`.
///
/// # Errors
/// They cannot be written, as on a full disk.
pub fn run() -> anyhow::Result<()> {
    let mut table = Table::headed("search | nodes: | time: | nodes/s: | branches: | branches/s:");
    let bar = common::progress_bar(bench::COUNT, "searches");
    common::begin_at(&bar, 0);
    let rows = bench::run(|| bar.inc(1));
    bar.finish_and_clear();
    for row in &rows {
        let [nodes, branches] =
            [row.nodes, row.branches].map(|count| format!("{:.0}", row.per_second(count)));
        let time = format!("{:.2}s", row.time.as_secs_f64());
        table.row(cells![
            row.name,
            row.nodes,
            time,
            nodes,
            row.branches,
            branches
        ]);
    }
    print(&format!(
        "{}{}\n",
        table.render(Format::Terminal),
        last_line(&rows)
    ))
}

/// Returns the totals of all searches, in a form for people and OpenBench: its client looks for `N
/// nodes` and `M nps`, from the last line of the output on, wants whole numbers without separators,
/// and ASCII.
fn last_line(rows: &[BenchRow]) -> String {
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
        let row = |name, nodes, ms| BenchRow {
            name,
            nodes,
            branches: 0,
            time: Duration::from_millis(ms),
        };
        let rows = [
            row("paper", 2_000_000, 700),
            row("alphabeta", 1_000_000, 300),
        ];
        assert_eq!(last_line(&rows), "Bench: 3000000 nodes 3000000 nps");
        assert!(
            last_line(&[]).ends_with("0 nodes 0 nps"),
            "nothing is divided by nothing"
        );
    }
}
