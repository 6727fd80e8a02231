//! What each of Winglet's weights is multiplied with, in one pass over the board: for tuning, which asks of
//! millions of positions. A test compares it with the evaluation itself.

use std::sync::LazyLock;

use chess::{Board, Square};

use super::tables::{POINTS, as_printed, king_distance};
use super::{DARK_SQUARES, Side, Weights, Winglet, pawns};
use crate::evaluation::Genome as _;
use crate::position::insufficient::is_insufficient_material;

/// The numbers of the fields.
struct Fields {
    material: [usize; 5],
    squares: [usize; 5],
    tropism: [usize; 5],
    king: [usize; 2],
    exchange: [usize; 3],
    structure: [usize; 5],
    bishop_pair: usize,
    shield: [usize; 2],
    pawn_own_king: usize,
}

static FIELDS: LazyLock<Fields> = LazyLock::new(|| {
    let table = Weights::table();
    let first = |name: &str| table.iter().position(|spec| spec.field() == name).expect("a declared weight");
    Fields {
        material: ["pawn", "knight", "bishop", "rook", "queen"].map(first),
        squares: ["pawn_squares", "knight_squares", "bishop_squares", "rook_squares", "queen_squares"]
            .map(first),
        tropism: ["pawn_tropism", "knight_tropism", "bishop_tropism", "rook_tropism", "queen_tropism"]
            .map(first),
        king: ["king_squares", "king_endgame_squares"].map(first),
        exchange: ["exchange_ahead", "exchange_own_man", "exchange_enemy_man"].map(first),
        structure: [
            "passed_pawn",
            "doubled_pawn",
            "isolated_pawn",
            "backward_pawn",
            "rook_behind_passed_pawn",
        ]
        .map(first),
        bishop_pair: first("bishop_pair"),
        shield: ["shield_near", "shield_far"].map(first),
        pawn_own_king: first("pawn_own_king"),
    }
});

impl Winglet {
    pub(super) fn trace(&self, board: &Board) -> Vec<f64> {
        let mut row = vec![0.0; Weights::COUNT];
        if is_insufficient_material(board) {
            return row;
        }
        let fields = &*FIELDS;
        let sides = self.sides(board);
        let endgame = self.is_endgame_of(&sides);
        let structures = pawns::structures(sides[0].men[0], sides[1].men[0]);
        for (us, color) in [chess::Color::White, chess::Color::Black].into_iter().enumerate() {
            let sign = if us == 0 { 1.0 } else { -1.0 };
            let (own, enemy) = (&sides[us], &sides[1 - us]);
            let [king, enemy_king] = [own.king, enemy.king].map(square);
            for (piece, &men) in own.men.iter().enumerate() {
                for at in squares(men) {
                    row[fields.material[piece]] += sign;
                    row[fields.squares[piece] + as_printed(at, color)] += sign;
                    row[fields.tropism[piece] + king_distance(at, enemy_king)] += sign;
                }
            }
            row[fields.king[usize::from(endgame)] + as_printed(king, color)] += sign;
            let count = |set: u64| f64::from(set.count_ones());
            let structure = &structures[us];
            let sets = [
                structure.passed,
                structure.doubled,
                structure.isolated,
                structure.backward,
                own.men[3] & structure.behind_passed,
            ];
            for (field, set) in fields.structure.into_iter().zip(sets) {
                row[field] += sign * count(set);
            }
            if own.men[2] & DARK_SQUARES != 0 && own.men[2] & !DARK_SQUARES != 0 {
                row[fields.bishop_pair] += sign;
            }
            if endgame {
                squares(own.men[0])
                    .for_each(|at| row[fields.pawn_own_king + king_distance(at, king)] += sign);
            } else {
                for (field, set) in fields.shield.into_iter().zip(self.tables.shield[us][own.king]) {
                    row[field] += sign * count(own.men[0] & set);
                }
            }
            let points = |side: &Side| side.points + POINTS[0] * side.pawns;
            if points(own) > points(enemy) {
                row[fields.exchange[0]] += sign;
                row[fields.exchange[1]] += sign * f64::from(own.count);
                row[fields.exchange[2]] -= sign * f64::from(enemy.count);
            }
        }
        row
    }
}

fn square(index: usize) -> Square {
    chess::ALL_SQUARES[index & 63]
}

fn squares(set: u64) -> impl Iterator<Item = Square> {
    (0..64).filter(move |index| set >> index & 1 == 1).map(square)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

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
            let expected = evaluation.units(position.board());
            assert_eq!(evaluation.trace(position.board()), expected, "{fen}");
        }
    }
}
