//! The blunder check of the paper: its Table 4, and the positions with which it is repeated here.

use super::super::{Bands, Loss, PositionList, Sample};
use crate::score::Score;

/// 29 quiet middlegame positions of our own, as EPD; the head of the file says how they were made. Those of
/// the paper are from a book.
const QUIET_29: &str = include_str!("../../../tests/suites/quiet29.epd");

/// Our 29 positions.
pub fn our_positions() -> PositionList {
    let mut list = PositionList::default();
    list.add(std::path::Path::new("quiet29.epd"), QUIET_29.as_bytes());
    list
}

/// A row of Table 4. Values are Stockfish's, in centipawns from White's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaperRow {
    /// The position's number in the book.
    pub position: u32,
    /// `W` or `B`.
    pub side: char,
    /// The genetic search's move.
    pub played: &'static str,
    pub played_value: i32,
    /// Stockfish's.
    pub best: &'static str,
    pub best_value: i32,
}

impl PaperRow {
    /// The move as the blunder check sees it.
    pub fn sample(&self) -> Sample {
        let mover = |white: i32| Score(if self.side == 'W' { white } else { -white });
        let loss = Loss::new(mover(self.best_value), mover(self.played_value));
        Sample { loss, grade: Bands::default().grade(loss), agrees: self.played == self.best }
    }
}

/// How many positions the paper tried, and in how many it saw a blunder.
pub const POSITIONS: usize = 29;
/// The positions that the paper marks as blunders.
pub const BLUNDERS: [u32; 4] = [137, 267, 287, 307];

/// Table 4 of Dehghani & Babamir 2017 where it has both values. (Rows 1 and 20 have no value for the engine's
/// move, which is Stockfish's.)
pub const TABLE_4: [PaperRow; 27] = [
    row(21, 'W', "Qd3", 63, "Rdh1", 102),
    row(41, 'W', "Qd3", 67, "a4", 73),
    row(61, 'B', "Bc5", 13, "Rc7", -93),
    row(70, 'B', "O-O-O", 84, "Qa6", 70),
    row(82, 'B', "b4", -60, "e5", -104),
    row(91, 'B', "Qa6", -54, "Qd4", -138),
    row(97, 'W', "Qg3", 97, "f3", 98),
    row(105, 'B', "Rd8", 84, "Nc7", 8),
    row(115, 'W', "Rad1", 76, "Qf4", 222),
    row(127, 'B', "Rac8", 8, "Qc7", -9),
    row(137, 'W', "Be7", -123, "Bf2", 74),
    row(149, 'B', "Kh8", -10, "Bxf4", -73),
    row(155, 'W', "Kg1", 0, "Bxc6", 77),
    row(163, 'W', "Qb5", 30, "f4", 98),
    row(175, 'B', "Rae8", 20, "b5", -7),
    row(193, 'W', "Kg1", -15, "Ra1", -12),
    row(209, 'W', "Rfe1", 25, "f3", 56),
    row(219, 'B', "Qf6", 32, "f5", 10),
    row(247, 'W', "Qe4", 91, "Qf4", 99),
    row(267, 'W', "Rc1", -1051, "Kh1", 329),
    row(287, 'W', "Bxb7", -297, "Bg4", 295),
    row(307, 'B', "Bf5", 201, "Qd8", 0),
    row(315, 'W', "Qd3", 77, "Qb3", 93),
    row(325, 'B', "Bf5", 29, "Nd7", -9),
    row(335, 'W', "Bg2", 68, "Bg2", 68),
    row(351, 'W', "Rhe1", 23, "e5", 158),
    row(367, 'B', "Rd8", 73, "Bc6", 34),
];

const fn row(
    position: u32,
    side: char,
    played: &'static str,
    played_value: i32,
    best: &'static str,
    best_value: i32,
) -> PaperRow {
    PaperRow { position, side, played, played_value, best, best_value }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::summary::Summary;
    use crate::suite::{Grade, Rate};

    #[test]
    fn the_papers_table_4_comes_out() {
        let blunders = TABLE_4.iter().filter(|row| row.sample().grade == Grade::Blunder);
        assert_eq!(blunders.map(|row| row.position).collect::<Vec<_>>(), BLUNDERS);
        let summary = Summary::new(TABLE_4.iter().map(PaperRow::sample));
        let rounded = |value: Option<f64>| (value.expect("27 moves") * 100.0).round() / 100.0;
        assert_eq!(rounded(summary.mean), 1.27);
        assert_eq!(rounded(summary.median), 0.39);
        assert_eq!(summary.blunders.map(|rate| (rate.count, rate.of)), Some((4, 27)));
        assert_eq!(summary.agreement.map(|rate| rate.count), Some(1));
        // The paper's own rate: 4 of 29, which may be anything from 5 to 31 %.
        let rate = Rate::new(BLUNDERS.len(), POSITIONS).expect("29 positions");
        assert!((rate.lower - 0.055).abs() < 0.001 && (rate.upper - 0.306).abs() < 0.001, "{rate:?}");
    }
}
