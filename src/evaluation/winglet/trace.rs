//! What each of Winglet's weights is multiplied with, in one pass over the board: for tuning, which asks of
//! millions of positions. A test compares it with the evaluation itself.

use chess::{Board, Color};

use super::tables::{POINTS, as_printed};
use super::{Side, Weights, Winglet, pawns};
use crate::evaluation::Genome as _;
use crate::evaluation::attacks::{self, DARK, Squares, distance};
use crate::position::is_insufficient_material;

impl Winglet {
    pub(super) fn trace(&self, board: &Board) -> Vec<f64> {
        self.counts(board).to_row().into_iter().map(f64::from).collect()
    }

    /// How often each weight counts, White's less Black's.
    fn counts(&self, board: &Board) -> Weights {
        let mut counts = Weights::from_any_row(&[0; Weights::COUNT]);
        if is_insufficient_material(board) {
            return counts;
        }
        let sides = self.sides(board);
        let endgame = self.is_endgame_of(&sides);
        let structures = pawns::structures(sides[0].men[0], sides[1].men[0]);
        for (us, (color, sign)) in [(Color::White, 1), (Color::Black, -1)].into_iter().enumerate() {
            let count = |set: u64| sign * attacks::count(set);
            let (own, enemy) = (&sides[us], &sides[1 - us]);
            let king = own.king;
            let kinds = [
                (&mut counts.pawn, &mut counts.pawn_squares, &mut counts.pawn_tropism),
                (&mut counts.knight, &mut counts.knight_squares, &mut counts.knight_tropism),
                (&mut counts.bishop, &mut counts.bishop_squares, &mut counts.bishop_tropism),
                (&mut counts.rook, &mut counts.rook_squares, &mut counts.rook_tropism),
                (&mut counts.queen, &mut counts.queen_squares, &mut counts.queen_tropism),
            ];
            for ((material, by_square, tropism), &men) in kinds.into_iter().zip(&own.men) {
                *material += count(men);
                for at in Squares(men) {
                    by_square[as_printed(at, color)] += sign;
                    tropism[distance(at, enemy.king)] += sign;
                }
            }
            let structure = &structures[us];
            counts.passed_pawn += count(structure.passed);
            counts.doubled_pawn += count(structure.doubled);
            counts.isolated_pawn += count(structure.isolated);
            counts.backward_pawn += count(structure.backward);
            counts.rook_behind_passed_pawn += count(own.men[3] & structure.behind_passed);
            if own.men[2] & DARK != 0 && own.men[2] & !DARK != 0 {
                counts.bishop_pair += sign;
            }
            if endgame {
                counts.king_endgame_squares[as_printed(king, color)] += sign;
                Squares(own.men[0]).for_each(|at| counts.pawn_own_king[distance(at, king)] += sign);
            } else {
                counts.king_squares[as_printed(king, color)] += sign;
                let [near, far] =
                    if us == 0 { attacks::shield::<true>(king) } else { attacks::shield::<false>(king) };
                counts.shield_near += count(own.men[0] & near);
                counts.shield_far += count(own.men[0] & far);
            }
            let points = |side: &Side| side.points + POINTS[0] * side.pawns;
            if points(own) > points(enemy) {
                counts.exchange_ahead += sign;
                counts.exchange_own_man += sign * own.count;
                counts.exchange_enemy_man -= sign * enemy.count;
            }
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::{Evaluator as _, Explanation, Profile, Tunable as _};
    use crate::position::Position;
    use crate::score::Score;

    /// What each weight is multiplied with: the value if it is 1 and all others are 0. Slow, and surely
    /// right.
    fn units(evaluation: &Winglet, board: &Board) -> Vec<f64> {
        let count = Weights::COUNT;
        let switch = Weights::table().iter().position(|spec| spec.name == "endgame_below").expect("there");
        let mut only_the_switch = vec![0; count];
        only_the_switch[switch] = evaluation.weights.to_row()[switch];
        let unit = |index: usize| {
            let mut row = only_the_switch.clone();
            row[index] = 1;
            f64::from(Winglet::with_weights(Weights::from_row(&row)).evaluate(board).0)
        };
        (0..count).map(|index| if index == switch { 0.0 } else { unit(index) }).collect()
    }

    #[test]
    fn it_is_what_the_evaluation_says_of_each_weight_alone() {
        let evaluation = Winglet::default();
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r1bq1rk1/pp2ppbp/2n2np1/2ppN3/5P2/1P2P3/PBPPB1PP/RN1Q1RK1 b - - 3 8",
            "2Q5/b4pkp/6p1/1p2p3/8/5PP1/7P/7K b - - 0 7",
            "8/5k2/8/R7/3P4/2P5/6r1/3K4 b - - 0 1",
            "8/8/4k3/8/8/3BK3/8/8 w - - 0 1",
        ] {
            let position = Position::from_fen(fen).expect(fen);
            let expected = units(&evaluation, position.board());
            assert_eq!(evaluation.trace(position.board()), expected, "{fen}");
        }
    }

    fn explain(fen: &str) -> Explanation {
        let position = Position::from_fen(fen).expect(fen);
        Winglet::new(Profile::Paper).explain(position.board())
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
        let start = explain("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        assert_eq!(start.phase.as_deref(), Some("before the endgame"));
        let dead = explain("4k3/8/8/8/8/8/8/4KN2 w - - 0 1");
        assert!(dead.is_dead && dead.total == Score::DRAW);
        assert!(dead.terms.iter().all(|term| term.value == 0.0));
    }
}
