//! Scores: centipawns, with mates at the far ends.

use std::fmt;
use std::ops::{Add, Neg, Sub};

use serde::{Deserialize, Serialize};

/// A value in centipawns, from the point of view of the context: the side to move in a search,
/// White in the evaluation and in the reservation tree.
///
/// Mates lie beyond every evaluation: `Score::mate_in(n)` for a mate delivered at half-move `n`
/// from the root.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Score(pub i32);

/// The score with which half of the games are won, and how slowly that share grows with the score,
/// both in centipawns, by the material on the board.
///
/// Fitted by maximum likelihood to 49,700 scores of 378 different games of the genetic search with
/// itself (3,000 nodes a move, mates left out): a win has the chance
/// `1 / (1 + exp((even - score) / spread))`, a loss that of a win with the score's sign changed,
/// and a draw has the rest. With `m = material / 40 - 1`, `even` is a polynomial of degree 2 in `m`
/// and `spread` one of degree 1, constants first. Standard errors, from 30 samples of whole games:
/// 6, 14 and 14; 6 and 9.
///
/// The mean of `-ln(chance of what happened)` is 0.579, and 0.675 without the material. Fitted to
/// one half of the games it is 0.006 more in the other half than if fitted there. Groups by score
/// and material are wrong by up to 0.15, most with few pieces, where 0.96 of the games are drawn
/// near 0.
const EVEN_CHANCE: [f64; 3] = [80.3, -102.5, 99.8];
const SPREAD: [f64; 2] = [85.6, 40.0];

/// The same for the grades of moves, without the material, as people of moderate strength win:
/// fitted in the same way to 42,295 scores of 400 games of the genetic search with itself at
/// 1,621 nodes a move, some 1250 Elo. Standard errors 15 and 10. Between equal sides 39, 79 and
/// 120 centipawns lost are 5, 10 and 15 percentage points; on lichess 55, 111 and 169 are, and at
/// 5,118 nodes a move, some 1660 Elo, 33, 65 and 99.
const EVEN_CHANCE_OF_GRADES: f64 = 47.2;
const SPREAD_OF_GRADES: f64 = 189.9;

/// Material of the positions that the chances were fitted to; less and more counts as this.
const LEAST_MATERIAL: u32 = 10;
const MOST_MATERIAL: u32 = 78;

/// The share of games that are won with a score. From libm, which computes the same on every
/// machine.
fn share(score: f64, even_chance: f64, spread: f64) -> f64 {
    1.0 / (1.0 + libm::exp((even_chance - score) / spread))
}

impl Score {
    pub const DRAW: Score = Score(0);
    /// Beyond every possible score.
    pub const INFINITE: Score = Score(32_001);
    const MATE: i32 = 32_000;
    /// A win by an endgame table: above all evaluations in practice, and far from every mate.
    const TABLE_WIN: i32 = 20_000;
    /// The greatest distance of an endgame table's score from the root, in half-moves.
    const TABLE_REACH: i32 = 1_000;
    /// The largest absolute value of an evaluation.
    pub const MAX_EVALUATION: i32 = 30_000;

    /// The score's side mates at half-move `ply`.
    pub const fn mate_in(ply: usize) -> Score {
        Score(Self::MATE - ply as i32)
    }

    /// The score's side is mated at half-move `ply`.
    pub const fn mated_in(ply: usize) -> Score {
        Score(ply as i32 - Self::MATE)
    }

    /// The score's side has won by an endgame table at half-move `ply`.
    pub const fn table_win_in(ply: usize) -> Score {
        Score(Self::TABLE_WIN - ply as i32)
    }

    /// Returns true if the score counts half-moves from the root: to a mate, or to a position
    /// decided by an endgame table.
    pub fn counts_plies(self) -> bool {
        let size = self.0.abs();
        self.is_mate() || (Self::TABLE_WIN - Self::TABLE_REACH < size && size <= Self::TABLE_WIN)
    }

    /// The same mate counted from a position so many half-moves further on, or back if below 0:
    /// positions are found at other distances from the root, too. Scores of endgame tables are
    /// counted like mates.
    pub fn counted_from(self, plies: i32) -> Score {
        if !self.counts_plies() {
            self
        } else if self > Score::DRAW {
            self + plies
        } else {
            self - plies
        }
    }

    /// Chances to win, draw and lose of the side that the score belongs to, in thousandths: 1000 in
    /// all. Those of a mate, or of a win by an endgame table, are certain. `material` is that of
    /// both sides at the root, see [`material`](super::position::material): the more there is, the
    /// less a score decides.
    pub fn chances(self, material: u32) -> [u32; 3] {
        if self.counts_plies() {
            return if self.0 > 0 {
                [1000, 0, 0]
            } else {
                [0, 0, 1000]
            };
        }
        let material = material.clamp(LEAST_MATERIAL, MOST_MATERIAL);
        // From -0.75 to 0.95.
        let material = f64::from(material) / 40.0 - 1.0;
        let [constant, linear, square] = EVEN_CHANCE;
        let even_chance = constant + material * (linear + material * square);
        let spread = SPREAD[0] + material * SPREAD[1];
        let win = (1000.0 * share(f64::from(self.0), even_chance, spread)).round() as u32;
        let loss = (1000.0 * share(f64::from(-self.0), even_chance, spread)).round() as u32;
        [win, 1000 - (win + loss).min(1000), loss]
    }

    /// The winning chances of the side that the score belongs to, in percent, a draw counted as
    /// half a win, by which moves are graded: the same for all materials, for a capture changes
    /// those.
    pub fn winning_chances(self) -> f64 {
        if self.counts_plies() {
            return if self.0 > 0 { 100.0 } else { 0.0 };
        }
        let score = f64::from(self.0);
        let win = share(score, EVEN_CHANCE_OF_GRADES, SPREAD_OF_GRADES);
        let loss = share(-score, EVEN_CHANCE_OF_GRADES, SPREAD_OF_GRADES);
        50.0 * (1.0 + win - loss)
    }

    /// Half-moves from the root to the mate, positive if the score's side mates, negative if it is
    /// mated; `None` for an ordinary score.
    pub fn mate_distance(self) -> Option<i32> {
        self.is_mate()
            .then(|| self.0.signum() * Self::MATE - self.0)
    }

    /// Moves to the mate, as people and protocols count: positive if the score's side mates,
    /// negative if mated, 0 if mated already; `None` for an ordinary score.
    pub fn mate_moves(self) -> Option<i32> {
        let moves = |plies: i32| {
            if plies > 0 {
                (plies + 1) / 2
            } else {
                -((1 - plies) / 2)
            }
        };
        self.mate_distance().map(moves)
    }

    /// A mate in so many moves, counted as in [`Score::mate_moves`]; its half-move is the last one
    /// of its move. Mates beyond 500 moves are never meant.
    pub fn of_mate(moves: i64) -> Score {
        let plies = 2 * moves.unsigned_abs().min(500) as usize;
        if moves > 0 {
            Score::mate_in(plies - 1)
        } else {
            Score::mated_in(plies)
        }
    }

    /// A static evaluation with some centipawns more, limited to evaluations.
    pub fn corrected(self, centipawns: i32) -> Score {
        Score((self.0 + centipawns).clamp(-Self::MAX_EVALUATION, Self::MAX_EVALUATION))
    }

    /// Returns true if the score is a mate for either side.
    pub fn is_mate(self) -> bool {
        self.0.abs() > Self::MAX_EVALUATION
    }

    /// Returns true if the score's side is mated, now or by force.
    pub fn is_mated(self) -> bool {
        self.0 < -Self::MAX_EVALUATION
    }
}

impl Neg for Score {
    type Output = Score;
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Score;
    fn add(self, centipawns: i32) -> Score {
        Score(self.0 + centipawns)
    }
}

impl Sub<i32> for Score {
    type Output = Score;
    fn sub(self, centipawns: i32) -> Score {
        Score(self.0 - centipawns)
    }
}

/// Pawns with two digits (`+0.35`), or `#3` and `#-3` for mates in full moves: `#0` is mated
/// already.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate_moves() {
            None => write!(f, "{:+.2}", f64::from(self.0) / 100.0),
            Some(_) if self.0.abs() > Self::MATE => {
                f.write_str(if self.0 > 0 { "+inf" } else { "-inf" })
            }
            Some(moves) => write!(f, "#{moves}"),
        }
    }
}

/// The kind of a reported score: exact, or only a bound because the search window was left. The
/// numbers begin with 1; tables use 0 for no score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, strum::FromRepr)]
#[repr(u8)]
pub enum Bound {
    #[default]
    Exact = 1,
    /// The true score is at least this (fail high).
    Lower,
    /// The true score is at most this (fail low).
    Upper,
}

impl Bound {
    /// The same bound from the other side's point of view.
    pub fn for_opponent(self) -> Self {
        match self {
            Bound::Exact => Bound::Exact,
            Bound::Lower => Bound::Upper,
            Bound::Upper => Bound::Lower,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_count_half_moves_from_the_root() {
        for ply in 0..2_000 {
            let mate = Score::mate_in(ply);
            let mated = Score::mated_in(ply);
            let plies = ply as i32;
            assert_eq!(
                [mate.mate_distance(), mated.mate_distance()],
                [Some(plies), Some(-plies)]
            );
            assert_eq!((mated, mated.mate_moves()), (-mate, Some(-(plies + 1) / 2)));
            assert!(ply == 0 || mate.mate_moves() == Some(ply.div_ceil(2) as i32));
            assert!(
                [mate, mated]
                    .iter()
                    .all(|score| score.is_mate() && score.counts_plies())
            );
        }
        for ordinary in [0, 1, -1, 35, -Score::MAX_EVALUATION, Score::MAX_EVALUATION] {
            assert_eq!(Score(ordinary).mate_distance(), None);
            assert!(!Score(ordinary).is_mate() && !Score(ordinary).counts_plies());
        }
    }

    #[test]
    fn a_win_by_a_table_is_less_than_any_mate() {
        for ply in 0..128 {
            let win = Score::table_win_in(ply);
            assert!(
                win.counts_plies() && (-win).counts_plies() && !win.is_mate() && !(-win).is_mated()
            );
            assert!(win < Score::mate_in(1_999) && win > Score(15_000));
        }
        assert!(Score::table_win_in(3) > Score::table_win_in(4));
    }

    #[test]
    fn sooner_mates_are_better_and_later_ones_less_bad() {
        assert!(Score::INFINITE > Score::mate_in(0) && -Score::INFINITE < Score::mated_in(0));
        assert!(Score::mate_in(1_999) > Score(Score::MAX_EVALUATION));
        assert!(Score::mate_in(1) > Score::mate_in(3) && Score::mated_in(4) > Score::mated_in(2));
        assert!(Score::mated_in(1_999) < Score(-Score::MAX_EVALUATION));
        assert!(
            Score::mated_in(0).is_mated()
                && !Score::mate_in(0).is_mated()
                && !Score(-30_000).is_mated()
        );
    }

    #[test]
    fn chances_are_those_of_games() {
        // How the games ended that the chances were fitted to: groups of scores (-20 to 20, 20 to
        // 50, 50 to 100, 100 to 200, 200 to 400) and of material (60, 40 and 20 pawns and more, and
        // less).
        let groups = [
            (0, 70, [360, 278, 362]),
            (35, 70, [410, 242, 348]),
            (75, 70, [545, 221, 234]),
            (150, 70, [709, 173, 118]),
            (0, 50, [292, 410, 298]),
            (35, 50, [428, 319, 253]),
            (75, 50, [497, 313, 190]),
            (150, 50, [663, 259, 78]),
            (300, 50, [920, 54, 26]),
            (0, 30, [167, 666, 167]),
            (35, 30, [278, 565, 157]),
            (75, 30, [399, 464, 137]),
            (150, 30, [678, 253, 69]),
            (300, 30, [902, 91, 7]),
            (0, 14, [19, 961, 20]),
            (35, 14, [134, 838, 28]),
            (75, 14, [190, 801, 9]),
            (150, 14, [191, 807, 2]),
            (300, 14, [796, 204, 0]),
        ];
        let mut sum = 0;
        for (score, material, real) in groups {
            let chances = Score(score).chances(material);
            let errors = chances
                .into_iter()
                .zip(real)
                .map(|(chance, real): (u32, u32)| chance.abs_diff(real));
            let group: u32 = errors.sum();
            assert!(group <= 310, "{score}, {material}: {chances:?} {real:?}");
            sum += group;
        }
        let mean = f64::from(sum) / (3 * groups.len()) as f64;
        assert!(mean < 40.0, "{mean}");
    }

    #[test]
    fn chances_are_a_thousand_and_the_same_for_both_sides() {
        for material in 0..140 {
            let mut last = 0;
            for score in (-32_000..=32_000).step_by(50) {
                let [win, draw, loss] = Score(score).chances(material);
                assert_eq!(win + draw + loss, 1000, "{score} {material}");
                let theirs = Score(-score).chances(material);
                assert_eq!(theirs, [loss, draw, win], "{score} {material}");
                assert!(win >= last, "{score} {material}");
                last = win;
            }
        }
        assert_eq!(Score::mate_in(3).chances(78), [1000, 0, 0]);
        assert_eq!(Score::mated_in(2).chances(0), [0, 0, 1000]);
        assert_eq!(Score::table_win_in(9).chances(10), [1000, 0, 0]);
        // The same score says more with fewer pieces.
        assert!(Score(300).chances(20)[2] < Score(300).chances(70)[2]);
    }

    #[test]
    fn text_is_pawns_or_moves_to_the_mate() {
        let texts = |scores: &[Score]| scores.iter().map(Score::to_string).collect::<Vec<_>>();
        let pawns = [0, 35, -5, -123, 30_000].map(Score);
        assert_eq!(
            texts(&pawns),
            ["+0.00", "+0.35", "-0.05", "-1.23", "+300.00"]
        );
        // The side to move mates with its first, second and third move ...
        assert_eq!(texts(&[1, 3, 5].map(Score::mate_in)), ["#1", "#2", "#3"]);
        // ... is mated now, or after its first and second.
        assert_eq!(texts(&[0, 2, 4].map(Score::mated_in)), ["#0", "#-1", "#-2"]);
        assert_eq!(
            texts(&[Score::INFINITE, -Score::INFINITE]),
            ["+inf", "-inf"]
        );
    }
}
