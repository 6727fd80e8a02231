//! The blunder check of the paper: its Table 4, and the positions for repeating the check here.

use super::super::{Bands, Loss, PositionList, Sample};
use crate::rules::score::Score;

/// 29 quiet middlegame positions of our own, as EPD; the head of the file says how they were made.
/// Those of the paper are from a book.
const QUIET_29: &str = include_str!("../../../../tests/suites/quiet29.epd");

/// Our 29 positions.
pub fn our_positions() -> PositionList {
    PositionList::of("quiet29.epd", QUIET_29.as_bytes())
}

/// The number of positions tried by the paper.
pub const POSITIONS: usize = 29;
/// The positions marked as blunders by the paper.
pub const BLUNDERS: [u32; 4] = [137, 267, 287, 307];

/// The rows of the paper's Table 4: each position's number in the book, and its move in terms of
/// the blunder check.
pub fn table_4() -> Vec<(u32, Sample)> {
    let mut rows = Vec::new();
    for line in include_str!("table_4.txt").lines() {
        if !line.starts_with('#') {
            rows.push(row(line).expect(line));
        }
    }
    rows
}

fn row(line: &str) -> Option<(u32, Sample)> {
    let words: Vec<&str> = line.split(' ').collect();
    let [position, side, played, value, best, best_value] = words.try_into().ok()?;
    let sign = if side == "W" { 1 } else { -1 };
    let value: i32 = value.parse().ok()?;
    let best_value: i32 = best_value.parse().ok()?;
    let loss = Loss::new(Score(sign * best_value), Score(sign * value));
    let sample = Sample {
        loss,
        grade: Bands::default().grade(loss),
        agrees: played == best,
    };
    Some((position.parse().ok()?, sample))
}
