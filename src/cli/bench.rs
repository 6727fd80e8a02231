//! Commands for testing engines: `kashan bench`, and `kashan perft` (the check of move generation).

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use clap::Args;

use super::{position, print};
use crate::engine::bench::{self, BenchRow};
use crate::rules::position::moves::coordinate;
use crate::util::display::{Format, Table, cells};

/// Prints a row for each search, and last the line `Bench: N nodes M nps`.
///
/// # Errors
/// They cannot be written, as on a full disk.
pub fn run() -> anyhow::Result<()> {
    let mut table = Table::headed("search | nodes: | time: | nodes/s: | branches: | branches/s:");
    let rows = bench::run();
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

/// Count the leaves of the full tree of a position, the standard check of move generation.
#[derive(Debug, Args)]
pub struct Perft {
    /// The position as FEN in quotation marks, or startpos.
    #[arg(value_name = "FEN")]
    fen: String,
    /// Half-moves.
    #[arg(value_parser = clap::value_parser!(u32).range(0..=20))]
    depth: u32,
    /// Count behind each move by itself, too.
    #[arg(long)]
    divide: bool,
}

/// Prints the count, and the speed of counting.
pub fn perft(arguments: &Perft) -> anyhow::Result<()> {
    let position = position(&arguments.fen)?;
    let started = Instant::now();
    let mut text = String::new();
    let leaves = if arguments.divide && arguments.depth > 0 {
        let mut leaves = 0;
        let mut moves: Vec<_> = position.legal_moves().into_iter().collect();
        moves.sort_by_key(|&mv| coordinate(mv));
        for mv in moves {
            let mut after = position.clone();
            after.play(mv).context("a move of the position itself")?;
            let behind = after.perft(arguments.depth - 1);
            leaves += behind;
            let _ = writeln!(text, "{}: {behind}", coordinate(mv));
        }
        text.push('\n');
        leaves
    } else {
        position.perft(arguments.depth)
    };
    let seconds = started.elapsed().as_secs_f64();
    let _ = writeln!(
        text,
        "{} at depth {} in {seconds:.3} s ({:.1} million a second)",
        if leaves == 1 {
            "1 leaf".to_owned()
        } else {
            format!("{leaves} leaves")
        },
        arguments.depth,
        leaves as f64 / seconds.max(1e-9) / 1e6
    );
    print(&text)
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
