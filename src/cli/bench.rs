//! What testers of engines ask for: `kashan bench`, `kashan perft` (the check of move generation), and
//! `genfens` (positions for games).

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use clap::Args;

use super::{position, print};
use crate::arena::openings::OpeningSource;
use crate::arena::referee::Referee;
use crate::engine::bench::{self, BenchRow};
use crate::lab::tuning::samples;
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
        table.row(cells![row.name, row.nodes, time, nodes, row.branches, branches]);
    }
    print(&format!("{}{}\n", table.render(Format::Terminal), last_line(&rows)))
}

/// What all searches did together, in the form that people and OpenBench read: its client looks for `N nodes`
/// and `M nps`, from the last line of the output on, wants whole numbers without separators, and ASCII.
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

/// Prints the count, and how fast it was counted.
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
        if leaves == 1 { "1 leaf".to_owned() } else { format!("{leaves} leaves") },
        arguments.depth,
        leaves as f64 / seconds.max(1e-9) / 1e6
    );
    print(&text)
}

/// The one of the program's arguments that asks for positions, `genfens N seed S book B`: OpenBench's workers
/// start an engine as `./engine "genfens 64 seed 7 book Books/x.epd" "quit"`, read the lines `info string
/// genfens FEN`, and let games begin there, for data generation.
pub fn genfens_asked(arguments: impl Iterator<Item = OsString>) -> Option<String> {
    let mut arguments = arguments.skip(1).filter_map(|argument| argument.into_string().ok());
    arguments.find(|argument| argument.split_whitespace().next() == Some("genfens") && argument.contains(' '))
}

/// Prints as many positions as the line asks for. The same line prints the same ones.
///
/// # Errors
/// A line that is none of OpenBench's, a book that cannot be read or has no even positions.
pub fn genfens(line: &str) -> anyhow::Result<()> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let (count, seed, book) = match words.as_slice() {
        // More may follow, as the test's author wants it; nothing is known yet.
        ["genfens", count, "seed", seed, "book", book, ..] => {
            let number = |what: &str, text: &str| {
                text.parse::<u64>().with_context(|| format!("genfens: {what} {text} is no number"))
            };
            (number("the count", count)? as usize, number("the seed", seed)?, *book)
        }
        _ => bail!("{line}: it is genfens N seed S book NONE or a file"),
    };
    let starts = match book.eq_ignore_ascii_case("none") {
        true => Vec::new(),
        false => {
            let source = OpeningSource { file: Some(PathBuf::from(book)), ..OpeningSource::default() };
            let openings = source.choose(seed, count.min(MOST_STARTS))?;
            let starts = openings.iter().map(|opening| position(&Referee::new(opening)?.fen()));
            starts.collect::<anyhow::Result<_>>()?
        }
    };
    for position in samples::openings(seed, starts).take(count) {
        print(&format!("info string genfens {}\n", position?.to_fen()))?;
    }
    Ok(())
}

/// More positions of a book are not needed for any number of openings.
const MOST_STARTS: usize = 100_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_is_what_openbench_reads() {
        let row = |name, nodes, ms| BenchRow { name, nodes, branches: 0, time: Duration::from_millis(ms) };
        let rows = [row("paper", 2_000_000, 700), row("alphabeta", 1_000_000, 300)];
        assert_eq!(last_line(&rows), "Bench: 3000000 nodes 3000000 nps");
        assert!(last_line(&[]).ends_with("0 nodes 0 nps"), "nothing is divided by nothing");
    }
}
