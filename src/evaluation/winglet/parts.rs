//! Winglet's value taken apart.
//!
//! The value is linear in the weights: each part is what the very same evaluation says if all other weights
//! are 0. So there is no second evaluation that could say something else, and none in the hot path.

use std::ops::Range;

use chess::Board;

use super::{Weights, Winglet};
use crate::evaluation::{Evaluator as _, Explanation, Genome as _, Term, Tunable as _};
use crate::position::insufficient::is_insufficient_material;

/// Decides which weights count and is no value itself.
const SWITCH: &str = "endgame_below";

impl Winglet {
    pub(super) fn parts(&self, board: &Board) -> Explanation {
        let all = self.weights.to_row();
        let terms = fields().into_iter().filter(|field| field.name != SWITCH).map(|field| {
            let mut row = self.only_the_switch();
            row[field.range.clone()].copy_from_slice(&all[field.range]);
            let value = f64::from(Winglet::with_weights(Weights::from_row(&row)).evaluate(board).0);
            Term { name: field.name, about: field.about, value }
        });
        let phase = if self.is_endgame(board) { "endgame" } else { "before the endgame" };
        Explanation {
            terms: terms.collect(),
            phase: Some(phase.to_owned()),
            is_dead: is_insufficient_material(board),
            total: self.evaluate(board),
        }
    }

    /// What each weight is multiplied with: the value if it is 1 and all others are 0. Slow, and surely
    /// right: the test of what is fast.
    #[cfg(test)]
    pub(super) fn units(&self, board: &Board) -> Vec<f64> {
        let unit = |(index, name): (usize, &str)| {
            let mut row = self.only_the_switch();
            if name == SWITCH {
                return 0.0;
            }
            row[index] = 1;
            f64::from(Winglet::with_weights(Weights::from_row(&row)).evaluate(board).0)
        };
        Weights::table().iter().map(|spec| spec.name.as_str()).enumerate().map(unit).collect()
    }

    fn only_the_switch(&self) -> Vec<i32> {
        let table = Weights::table();
        let weights = table.iter().zip(self.weights.to_row());
        weights.map(|(spec, weight)| if spec.name == SWITCH { weight } else { 0 }).collect()
    }
}

/// A weight as it was declared: one number, or a row.
struct Field {
    name: String,
    about: &'static str,
    range: Range<usize>,
}

/// The declared weights, found in the table of all numbers.
fn fields() -> Vec<Field> {
    let mut fields: Vec<Field> = Vec::new();
    for (index, spec) in Weights::table().iter().enumerate() {
        match fields.last_mut() {
            Some(field) if field.name == spec.field() => field.range.end = index + 1,
            _ => fields.push(Field {
                name: spec.field().to_owned(),
                about: spec.about,
                range: index..index + 1,
            }),
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::Profile;
    use crate::evaluation::testing::random_positions;
    use crate::position::Position;
    use crate::score::Score;

    fn explain(fen: &str) -> Explanation {
        let position = Position::from_fen(fen).expect(fen);
        Winglet::new(Profile::Paper).explain(position.board())
    }

    #[test]
    fn the_parts_are_the_whole() {
        let evaluation = Winglet::new(Profile::Paper);
        for position in random_positions(2, 40) {
            let parts = evaluation.explain(position.board());
            let sum: f64 = parts.terms.iter().map(|term| term.value).sum();
            assert_eq!(sum, f64::from(parts.total.0), "{}", position.to_fen());
            assert_eq!(parts.total, evaluation.evaluate(position.board()));
        }
    }

    #[test]
    fn each_part_has_its_name() {
        // White is a rook and a passed pawn ahead, on their own squares.
        let parts = explain("4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1");
        let value = |name: &str| {
            let term = parts.terms.iter().find(|term| term.name == name);
            term.unwrap_or_else(|| panic!("no {name}")).value as i32
        };
        assert_eq!((value("rook"), value("pawn"), value("knight")), (500, 100, 0));
        assert_eq!((value("passed_pawn"), value("isolated_pawn")), (20, -20));
        assert_eq!((value("pawn_squares"), value("rook_squares")), (-40, -10));
        // Two men, against none.
        assert_eq!((value("exchange_ahead"), value("exchange_own_man")), (45, 6));
        assert_eq!((value("king_squares"), value("king_endgame_squares")), (0, 0));
        assert!(parts.phase.as_deref() == Some("endgame") && !parts.is_dead);
    }

    #[test]
    fn the_phase_and_dead_positions_are_said() {
        assert!(
            explain("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").phase.as_deref()
                == Some("before the endgame")
        );
        let dead = explain("4k3/8/8/8/8/8/8/4KN2 w - - 0 1");
        assert!(dead.is_dead && dead.total == Score::DRAW);
        assert!(dead.terms.iter().all(|term| term.value == 0.0));
    }

    #[test]
    fn the_value_is_the_sum_of_the_products() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        ] {
            let (evaluation, position) = (Winglet::default(), Position::from_fen(fen).expect(fen));
            let coefficients = evaluation.coefficients(position.board());
            let products = evaluation.weights().to_row().into_iter().zip(coefficients);
            let sum: f64 = products.map(|(weight, coefficient)| f64::from(weight) * coefficient).sum();
            assert_eq!(sum, f64::from(evaluation.evaluate(position.board()).0), "{fen}");
        }
    }
}
