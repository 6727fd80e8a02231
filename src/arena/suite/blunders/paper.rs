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
    let row = |line: &str| -> Option<(u32, Sample)> {
        let words: Vec<&str> = line.split(' ').collect();
        let [position, side, played, value, best, best_value] = words.try_into().ok()?;
        let mover = |white: &str| {
            let white: i32 = white.parse().ok()?;
            Some(Score(if side == "W" { white } else { -white }))
        };
        let loss = Loss::new(mover(best_value)?, mover(value)?);
        let sample = Sample {
            loss,
            grade: Bands::default().grade(loss),
            agrees: played == best,
        };
        Some((position.parse().ok()?, sample))
    };
    let rows = include_str!("table_4.txt")
        .lines()
        .filter(|line| !line.starts_with('#'));
    rows.map(|line| row(line).expect(line)).collect()
}
