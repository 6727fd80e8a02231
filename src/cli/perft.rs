//! `kashan perft`: the check of move generation.

use std::fmt::Write as _;
use std::time::Instant;

use anyhow::Context as _;
use clap::Args;

use super::{position, print};
use crate::position::moves::coordinate;

/// Count the leaves of the full tree of a position, the standard check of move generation.
#[derive(Debug, Args)]
pub struct Arguments {
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
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
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
        "{leaves} leaves at depth {} in {seconds:.3} s ({:.1} million a second)",
        arguments.depth,
        leaves as f64 / seconds.max(1e-9) / 1e6
    );
    print(&text)
}
