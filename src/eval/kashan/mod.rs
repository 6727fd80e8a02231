//! Kashan's own evaluation: Winglet's ideas and later ones. Every term has a weight for the game
//! with all pieces on the board and one for the endgame; positions between are between in value.
//!
//! A new term is declared in [`terms`], counted by `tally.add` in `pieces`, `pawns` (whose counts
//! are remembered by pawns and kings: nothing else may matter there) or `pressure`, and has two
//! weights in `weights.toml`. Play, `kashan eval`, weights files and tuning then include the term.
//! Afterwards the checksum of `values_are_as_they_were` changes, and so does the node count of
//! `kashan bench`, the last line of the commit's message (`Bench: N`). A strength limited by
//! `UCI_Elo` shifts, too.

mod endgames;
mod pawns;
mod pieces;
mod pressure;
mod sides;
pub mod terms;
mod weights;

pub use weights::FIELDS;

use chess::{Board, Color};

use self::pawns::{PawnTable, Pawns};
use self::sides::{BISHOP, KNIGHT, Mirror, QUEEN, ROOK, Sides};
use self::terms::{COUNT as TERM_COUNT, TEMPO};
use self::weights::{Packed, Phases, Tables, Tally};
use super::{Evaluation, Evaluator, Explanation, Term, Tunable};
use crate::rules::position::is_insufficient_material;
use crate::rules::score::Score;

/// Kashan's evaluation with given weights.
#[derive(Clone, Debug)]
pub struct Kashan {
    weights: Phases<i32>,
    tables: Box<Tables>,
    pawns: PawnTable,
}

/// The linear part of a position's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linear {
    /// The count of each term, White's less Black's.
    pub times: [i32; TERM_COUNT],
    pub mixture: Mixture,
}

/// The mixture of the weights of both phases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mixture {
    /// The phase from 0, the endgame, to [`Mixture::ALL_PIECES`].
    pub phase: i32,
    /// The part of an advantage in the endgame to be counted, in 64ths.
    pub scale: i32,
}

impl Mixture {
    /// Phase points of all pieces: knight and bishop 1, rook 2, queen 4.
    pub const ALL_PIECES: i32 = 24;
    /// The divisor of the mixture.
    pub const WHOLE: i32 = Self::ALL_PIECES * endgames::FULL;

    /// The parts of both phases' weights.
    pub fn parts(self) -> [i32; 2] {
        [
            self.phase * endgames::FULL,
            (Self::ALL_PIECES - self.phase) * self.scale,
        ]
    }

    /// With weights at the ends of their ranges the products are beyond 32 bits.
    fn value(self, total: Packed) -> i32 {
        let [middle, end] = self.parts().map(i64::from);
        let sum = i64::from(total.middle()) * middle + i64::from(total.end()) * end;
        (sum / i64::from(Self::WHOLE)) as i32
    }
}

impl Kashan {
    /// The evaluation with these weights, in the order of [`FIELDS`].
    pub(super) fn new(row: &[i32]) -> Self {
        endgames::prepare();
        let weights = weights::by_phase(row);
        Kashan {
            tables: Tables::new(&weights),
            weights,
            pawns: PawnTable::new(),
        }
    }

    /// The terms of a position; `None` for an endgame of known value.
    pub fn trace(&self, board: &Board) -> Option<Linear> {
        let mut sides = Sides::new(board);
        if endgames::known(&sides).is_some() {
            return None;
        }
        let mut times = [0; TERM_COUNT];
        let pawns = terms(board, &mut sides, &mut times, Pawns::new);
        let end: i32 = times
            .iter()
            .zip(&self.weights[1])
            .map(|(times, weight)| times * weight)
            .sum();
        Some(Linear {
            times,
            mixture: mixture(&sides, &pawns, end),
        })
    }

    /// The terms of pawns and kings, added up before if the table has them.
    #[inline]
    fn known_pawns(&self, sides: &Sides, sum: &mut Sum<'_>) -> Pawns {
        let (pawns, value) = self.pawns.value(sides, || {
            let mut sum = Sum {
                tables: &self.tables,
                total: 0,
            };
            let pawns = Pawns::new(sides, &mut sum);
            (pawns, Packed(sum.total))
        });
        sum.total += value.0;
        pawns
    }
}

impl Default for Kashan {
    /// The evaluation with its default weights.
    fn default() -> Self {
        Kashan::new(&Evaluation::Kashan.defaults())
    }
}

impl Evaluator for Kashan {
    #[inline]
    fn evaluate(&self, board: &Board) -> Score {
        let mut sides = Sides::new(board);
        let value = endgames::known(&sides).unwrap_or_else(|| {
            let mut sum = Sum {
                tables: &self.tables,
                total: 0,
            };
            let pawns = terms(board, &mut sides, &mut sum, |sides, sum| {
                self.known_pawns(sides, sum)
            });
            let total = Packed(sum.total);
            mixture(&sides, &pawns, total.end()).value(total)
        });
        Score(value.clamp(-Score::MAX_EVALUATION, Score::MAX_EVALUATION))
    }
}

impl Tunable for Kashan {
    /// Returns only 0 for an endgame of known value.
    fn coefficients(&self, board: &Board) -> Vec<f64> {
        let phases =
            self.trace(board)
                .map_or([[0.0; TERM_COUNT]; 2], |Linear { times, mixture }| {
                    mixture.parts().map(|part| {
                        times.map(|times| {
                            f64::from(times) * f64::from(part) / f64::from(Mixture::WHOLE)
                        })
                    })
                });
        weights::in_order(&phases)
    }

    fn explain(&self, board: &Board, mut terms: Vec<Term>) -> Explanation {
        let known = endgames::known(&Sides::new(board));
        terms.push(Term {
            name: "known_endgame".to_owned(),
            about: "The value of an endgame that is known, where no other term counts.",
            value: f64::from(known.unwrap_or(0)),
        });
        let phase = self.trace(board).map(
            |Linear {
                 mixture: Mixture { phase, scale },
                 ..
             }| {
                format!(
                    "phase {phase} of {}, endgame scale {scale} of {}",
                    Mixture::ALL_PIECES,
                    endgames::FULL
                )
            },
        );
        Explanation {
            terms,
            phase: Some(phase.unwrap_or_else(|| "a known endgame".to_owned())),
            is_dead: is_insufficient_material(board),
            total: self.evaluate(board),
        }
    }
}

/// The value of an endgame that is known by rule, from White's point of view.
#[inline]
pub(super) fn known_endgame(board: &Board) -> Option<i32> {
    let has_lone_king = |color| board.color_combined(color).popcnt() == 1;
    let may_be_known = has_lone_king(Color::White) || has_lone_king(Color::Black);
    may_be_known
        .then(|| endgames::known(&Sides::new(board)))
        .flatten()
}

/// Computes the tables of [`known_endgame`].
pub(super) fn prepare_endgames() {
    endgames::prepare();
}

/// Tells all terms of a position; `of_pawns` those of pawns and kings.
#[inline]
fn terms<T: Tally>(
    board: &Board,
    sides: &mut Sides,
    tally: &mut T,
    of_pawns: impl FnOnce(&Sides, &mut T) -> Pawns,
) -> Pawns {
    sides.prepare();
    let pawns = of_pawns(sides, tally);
    pieces::pieces::<true>(sides, &pawns, tally);
    pieces::pieces::<false>(sides, &pawns, tally);
    pieces::together(sides, &pawns, 0, 1, tally);
    pieces::together(sides, &pawns, 1, -1, tally);
    pressure::pressure::<true>(sides, &pawns, tally);
    pressure::pressure::<false>(sides, &pawns, tally);
    castling(board, tally);
    tally.add(TEMPO, if sides.white_moves { 1 } else { -1 });
    pawns
}

/// Tells the rights to castle, worth something until used.
#[inline]
fn castling(board: &Board, tally: &mut impl Tally) {
    for (color, sign) in [(Color::White, 1), (Color::Black, -1)] {
        let rights = board.castle_rights(color);
        tally.add_if(rights.has_kingside(), terms::MAY_CASTLE_SHORT, sign);
        tally.add_if(rights.has_queenside(), terms::MAY_CASTLE_LONG, sign);
    }
}

/// The phase of the game, and the part of an advantage of `end` in the endgame to be won.
#[inline]
fn mixture(sides: &Sides, pawns: &Pawns, end: i32) -> Mixture {
    let both = |piece: usize| sides.counts[0][piece] + sides.counts[1][piece];
    let phase = both(KNIGHT) + both(BISHOP) + 2 * both(ROOK) + 4 * both(QUEEN);
    let ahead = usize::from(end < 0);
    let scale = endgames::scale(sides, pawns.count(ahead), ahead);
    Mixture {
        phase: phase.min(Mixture::ALL_PIECES),
        scale,
    }
}

/// Adds weights up.
struct Sum<'t> {
    tables: &'t Tables,
    total: i64,
}

impl Tally for Sum<'_> {
    #[inline]
    fn add(&mut self, term: usize, times: i32) {
        self.total += self.tables.terms[term].0 * i64::from(times);
    }

    #[inline]
    fn piece(&mut self, piece: usize, square: usize, mirror: Mirror, sign: i32) {
        self.total += self.tables.pieces[mirror.index()][piece][square & 63].0 * i64::from(sign);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::tests::{board, random_positions};

    fn value(fen: &str) -> i32 {
        Kashan::default().evaluate(&board(fen)).0
    }

    #[test]
    fn a_value_is_the_sum_of_its_terms_and_remembered_pawns_change_nothing() {
        let evaluation = Kashan::default();
        let mut linear = 0;
        for position in random_positions(12, 150) {
            let value = evaluation.evaluate(position.board()).0;
            assert!(
                evaluation
                    .explain(position.board(), Vec::new())
                    .phase
                    .is_some()
            );
            assert_eq!(
                value,
                Kashan::default().evaluate(position.board()).0,
                "{}",
                position.to_fen()
            );
            let Some(Linear { times, mixture }) = evaluation.trace(position.board()) else {
                continue;
            };
            let sum = |phase: usize| -> i32 {
                times
                    .iter()
                    .zip(&evaluation.weights[phase])
                    .map(|(times, weight)| times * weight)
                    .sum()
            };
            let [middle, end] = mixture.parts();
            assert_eq!(
                value,
                (sum(0) * middle + sum(1) * end) / Mixture::WHOLE,
                "{}",
                position.to_fen()
            );
            linear += 1;
        }
        assert!(linear > 1_000);
    }

    #[test]
    fn known_endgames_have_known_values() {
        for (fen, expected) in [
            ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", 0),
            ("4k3/8/8/8/8/8/8/3NKN2 w - - 0 1", 0),
            ("4k3/8/8/8/8/8/8/B1B1K3 w - - 0 1", 0),
            // King and pawn: in front of the pawn, with and without the opposition, and a rook's
            // pawn.
            ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", 660),
            ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", 660),
            ("8/8/4k3/8/4K3/4P3/8/8 w - - 0 1", 0),
            ("8/8/4k3/8/4K3/4P3/8/8 b - - 0 1", 580),
            ("k7/8/1K6/P7/8/8/8/8 w - - 0 1", 0),
            ("8/4p3/4k3/8/4K3/8/8/8 w - - 0 1", -540),
        ] {
            assert_eq!(value(fen), expected, "{fen}");
        }
        // A lone king is driven to the edge, and by bishop and knight to a corner of the bishop's
        // colour.
        assert!(value("4k3/8/8/8/8/8/8/KR6 w - - 0 1") > value("8/8/8/4k3/8/8/8/KR6 w - - 0 1"));
        let [right, wrong] = [
            "7k/8/8/8/8/8/8/3KBN2 w - - 0 1",
            "k7/8/8/8/8/8/8/3KBN2 w - - 0 1",
        ]
        .map(value);
        assert!(right > wrong && wrong > 1_000, "{right} {wrong}");
    }

    #[test]
    fn what_cannot_be_won_counts_little() {
        let scale = |fen: &str| {
            Kashan::default()
                .trace(&board(fen))
                .expect("not a known value")
                .mixture
                .scale
        };
        // A knight or a bishop more and no pawn; the wrong bishop; bishops on both colours.
        assert_eq!(scale("4k3/5p2/8/8/8/8/8/4KB2 w - - 0 1"), 0);
        assert!(scale("4k3/8/8/8/8/8/r7/R3KB2 w - - 0 1") < 20);
        assert_eq!(scale("k7/8/8/8/8/P7/8/K1B5 w - - 0 1"), 0);
        assert!(scale("k7/8/8/8/8/P7/8/KB6 w - - 0 1") > 0);
        let [other, same] = [
            "4kb2/5p2/8/8/8/5PP1/8/4KB2 w - - 0 1",
            "4k1b1/5p2/8/8/8/5PP1/8/4KB2 w - - 0 1",
        ];
        assert!(scale(other) < scale(same));
    }

    #[test]
    fn the_weights_that_ship_are_a_file_of_ours_with_all_of_them() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/eval/kashan/weights.toml");
        let file = crate::eval::WeightsFile::load(path.as_ref()).expect("a file of weights");
        assert_eq!(file.weights.row(), Evaluation::Kashan.defaults());
        assert!(file.made.contains_key("positions") && file.made.contains_key("samples"));
        // None is missing.
        let text = std::fs::read_to_string(path).expect("there");
        for spec in Evaluation::Kashan.table() {
            assert!(
                text.contains(&format!("\n{} = ", spec.field())),
                "{}",
                spec.name
            );
        }
    }

    /// A guard for speed-ups: a checksum over values with weights untouched by tuning.
    #[test]
    fn values_are_as_they_were() {
        let row: Vec<i32> = (0..2 * TERM_COUNT as i32)
            .map(|index| index * 37 % 100 - 40)
            .collect();
        assert_eq!(weights::in_order(&weights::by_phase(&row)), row);
        let evaluation = Kashan::new(&row);
        let values = random_positions(12, 150)
            .into_iter()
            .map(|position| evaluation.evaluate(position.board()).0);
        let checksum = values.fold(0_u32, |sum, value| {
            sum.wrapping_mul(31).wrapping_add(value as u32)
        });
        assert_eq!(checksum, 1_689_490_261);
    }
}
