//! What a value is made of, for people.

use std::ops::Range;

use chess::Board;

use super::{Evaluator as _, Weights, Winglet};
use crate::position::insufficient::is_insufficient_material;
use crate::score::Score;

/// What one weight (or one row of them) adds to a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The weight's name, as it is declared.
    pub name: String,
    pub about: &'static str,
    /// From White's point of view.
    pub value: Score,
}

/// A value and all its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// Every weight, in the order of declaration, those that add nothing included. Their sum is the total,
    /// unless that was cut to [`Score::MAX_EVALUATION`].
    pub terms: Vec<Term>,
    /// Whether the endgame's weights count, not those of the game before.
    pub is_endgame: bool,
    /// Whether nobody can mate with what is left: then nothing counts.
    pub is_dead: bool,
    /// What [`Evaluator::evaluate`](super::Evaluator::evaluate) says: from White's point of view.
    pub total: Score,
}

/// Decides which weights count and is no value itself.
const SWITCH: &str = "endgame_below";

impl Winglet {
    /// Takes the value of a board apart.
    ///
    /// The value is linear in the weights: each part is what the very same evaluation says if all other
    /// weights are 0. So there is no second evaluation that could say something else, and none in the hot
    /// path.
    pub fn explain(&self, board: &Board) -> Explanation {
        let all = self.weights().to_array();
        let fields = fields();
        let switch = fields.iter().find(|field| field.name == SWITCH);
        let part = |range: &Range<usize>| {
            let mut weights = [0; Weights::COUNT];
            for range in switch.map(|field| &field.range).into_iter().chain([range]) {
                weights[range.clone()].copy_from_slice(&all[range.clone()]);
            }
            Winglet::with_weights(Weights::from_array(&weights)).evaluate(board)
        };
        let terms = fields.iter().filter(|field| field.name != SWITCH);
        Explanation {
            terms: terms
                .map(|field| Term { name: field.name.clone(), about: field.about, value: part(&field.range) })
                .collect(),
            is_endgame: self.is_endgame(board),
            is_dead: is_insufficient_material(board),
            total: self.evaluate(board),
        }
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
    for (index, spec) in Weights::table().into_iter().enumerate() {
        let name = spec.name.split('[').next().unwrap_or(&spec.name);
        match fields.last_mut() {
            Some(field) if field.name == name => field.range.end = index + 1,
            _ => fields.push(Field { name: name.to_owned(), about: spec.about, range: index..index + 1 }),
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::Profile;
    use crate::position::Position;

    fn explain(fen: &str) -> Explanation {
        let position = Position::from_fen(fen).expect(fen);
        Winglet::new(Profile::Paper).explain(position.board())
    }

    #[test]
    fn the_parts_are_the_whole() {
        let evaluation = Winglet::new(Profile::Paper);
        let mut seed: u64 = 7;
        let mut position = Position::default();
        for _ in 0..120 {
            let parts = evaluation.explain(position.board());
            let sum: i32 = parts.terms.iter().map(|term| term.value.0).sum();
            assert_eq!(sum, parts.total.0, "{}", position.to_fen());
            assert_eq!(parts.total, evaluation.evaluate(position.board()));
            let moves = position.legal_moves();
            if position.outcome().is_some() || moves.is_empty() {
                position = Position::default();
                continue;
            }
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            position.play(moves[(seed >> 33) as usize % moves.len()]).expect("a legal move");
        }
    }

    #[test]
    fn each_part_has_its_name() {
        // White is a rook and a passed pawn ahead, on their own squares.
        let parts = explain("4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1");
        let value = |name: &str| {
            let term = parts.terms.iter().find(|term| term.name == name);
            term.unwrap_or_else(|| panic!("no {name}")).value.0
        };
        assert_eq!((value("rook"), value("pawn"), value("knight")), (500, 100, 0));
        assert_eq!((value("passed_pawn"), value("isolated_pawn")), (20, -20));
        assert_eq!((value("pawn_squares"), value("rook_squares")), (-40, -10));
        // Two men, against none.
        assert_eq!((value("exchange_ahead"), value("exchange_own_man")), (45, 6));
        assert_eq!((value("king_squares"), value("king_endgame_squares")), (0, 0));
        assert!(parts.is_endgame && !parts.is_dead);
    }

    #[test]
    fn the_phase_and_dead_positions_are_said() {
        assert!(!explain("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").is_endgame);
        let dead = explain("4k3/8/8/8/8/8/8/4KN2 w - - 0 1");
        assert!(dead.is_dead && dead.total == Score::DRAW);
        assert!(dead.terms.iter().all(|term| term.value == Score::DRAW));
    }
}
