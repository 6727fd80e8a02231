//! Openings from Polyglot books: random lines.

use std::collections::BTreeSet;
use std::path::Path;

use chess::ChessMove;
use rand::RngExt as _;
use rand::rngs::Xoshiro256PlusPlus;

use super::OpeningError;
use crate::arena::Opening;
use crate::position::polyglot::Entry;
use crate::position::{Position, moves};

/// How often a line is drawn again that was drawn before, until it is taken a second time.
const TRIES: usize = 50;

/// `count` lines of up to `plies` half-moves, different from each other as far as the book allows.
///
/// # Errors
/// A file that is no Polyglot book, or one that knows nothing of the start position.
pub fn lines(
    path: &Path,
    bytes: &[u8],
    plies: usize,
    count: usize,
    random: &mut Xoshiro256PlusPlus,
) -> Result<Vec<Opening>, OpeningError> {
    let useless = |reason: String| OpeningError::Useless {
        path: path.to_path_buf(),
        reason,
    };
    let (entries, rest) = bytes.as_chunks();
    if !rest.is_empty() || entries.is_empty() {
        let reason = format!(
            "not a Polyglot book: {} bytes are not a multiple of {}",
            bytes.len(),
            Entry::SIZE
        );
        return Err(useless(reason));
    }
    let mut entries: Vec<Entry> = entries.iter().map(Entry::from_bytes).collect();
    entries.sort_by_key(|entry| entry.key);
    if known(&entries, &Position::default()).is_empty() {
        return Err(useless(
            "the book knows no move from the start position".to_owned(),
        ));
    }
    let mut seen = BTreeSet::new();
    let mut lines = Vec::with_capacity(count);
    // Once the book has nothing new, looking for it again and again is of no use.
    let mut tries = TRIES;
    while lines.len() < count {
        let mut line = draw(&entries, plies, random);
        for _ in 0..tries {
            if !seen.contains(&line) {
                break;
            }
            line = draw(&entries, plies, random);
        }
        if !seen.insert(line.clone()) {
            tries = 1;
        }
        lines.push(Opening {
            fen: None,
            moves: line,
            name: None,
        });
    }
    Ok(lines)
}

/// One line, shorter than `plies` where the book ends before, or the game.
fn draw(entries: &[Entry], plies: usize, random: &mut Xoshiro256PlusPlus) -> Vec<String> {
    let mut position = Position::default();
    let mut line = Vec::with_capacity(plies);
    while line.len() < plies {
        let known = known(entries, &position);
        let total: u64 = known.iter().map(|&(_, weight)| weight).sum();
        if total == 0 {
            break;
        }
        let mut left = random.random_range(0..total);
        let chosen = known.into_iter().find(|&(_, weight)| {
            let chosen = left < weight;
            left = left.saturating_sub(weight);
            chosen
        });
        let mut next = position.clone();
        let Some((mv, _)) = chosen.filter(|&(mv, _)| next.play(mv).is_ok() && next.outcome().is_none())
        else {
            break;
        };
        position = next;
        line.push(moves::coordinate(mv));
    }
    line
}

/// The legal moves with a weight, in the order of the file.
fn known(entries: &[Entry], position: &Position) -> Vec<(ChessMove, u64)> {
    let key = position.polyglot_key();
    let from = entries.partition_point(|entry| entry.key < key);
    entries[from..]
        .iter()
        .take_while(|entry| entry.key == key)
        .filter(|entry| entry.weight > 0)
        .filter_map(|entry| Some((entry.chess_move(position.board())?, u64::from(entry.weight))))
        .filter(|&(mv, _)| position.is_legal(mv))
        .collect()
}
