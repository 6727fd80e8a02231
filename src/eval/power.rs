//! The evaluation of Hesham, Abu-Elnasr & Elmougy, "A new action-based reasoning approach for
//! playing chess", Computers, Materials & Continua 69(1), 2021: a piece's power is its own value,
//! plus those of its defenders, less those of its attackers (equation 2), or of all pieces of its
//! chain (algorithms 2 and 3).
//!
//! White's power less Black's is a sum over contacts, of pieces with those they attack or defend: a
//! defender adds its value to its own side, and an attacker takes its value from the other. So
//!
//! ```text
//! value = sum of v(X) (1 + sum of w(Q) over all pieces Q that X touches), White's minus Black's
//! ```
//!
//! with w = 1 for direct contacts. The chain of a piece P holds all pieces with contacts leading to
//! P, so a contact with Q counts for every P with contacts from Q. With `chain`, w(Q) is the number
//! of these of Q's colour less the number of others; with `signed` the number of all.

use chess::{Board, Color, Piece};

use super::attacks::{Squares, count, for_each_piece};
use super::genome::weights;
use super::interpretations::PowerChain;
use super::winglet::weights as winglet;
use super::{Evaluator, PieceTable, Tunable, written_piece};
use crate::rules::score::Score;

/// The evaluation with given weights.
#[derive(Clone, Debug)]
pub struct Power {
    weights: [i32; COUNT],
    chain: PowerChain,
}

/// A piece with its attacked or defended pieces of either side.
#[derive(Clone, Copy, Debug)]
struct PlacedPiece {
    color: Color,
    piece: Piece,
    square: usize,
    touches: u64,
}

impl PlacedPiece {
    /// The weights in its value: its material, and its square.
    fn places(&self) -> [usize; 2] {
        let kind = self.piece.to_index();
        let square = if self.color == Color::White {
            self.square ^ 56
        } else {
            self.square
        };
        [PAWN + kind, PAWN_SQUARES + 64 * kind + square]
    }
}

/// The pieces of a board with their contacts and chains.
struct Contacts {
    pieces: arrayvec::ArrayVec<PlacedPiece, 64>,
    /// The squares reached from a square by chains of contacts, with the square itself; index by
    /// square.
    reach: [u64; 64],
    white: u64,
}

impl Evaluator for Power {
    #[inline]
    fn evaluate(&self, board: &Board) -> Score {
        let mut sum = 0;
        self.for_each_factor(board, |placed, factor| sum += self.value(placed) * factor);
        Score((sum / self.scale()).clamp(-Score::MAX_EVALUATION, Score::MAX_EVALUATION))
    }
}

impl Power {
    /// The evaluation with these weights, in the order of [`FIELDS`].
    pub fn new(row: &[i32], chain: PowerChain) -> Self {
        Power {
            weights: row.try_into().expect("a number for each weight"),
            chain,
        }
    }

    /// Visits each piece with the factor of its value.
    #[inline]
    fn for_each_factor(&self, board: &Board, mut visit: impl FnMut(&PlacedPiece, i32)) {
        if self.chain == PowerChain::Direct {
            return for_each_piece(board, |color, piece, square, touches| {
                visit(
                    &PlacedPiece {
                        color,
                        piece,
                        square,
                        touches,
                    },
                    1 + count(touches),
                );
            });
        }
        let contacts = Contacts::of(board);
        for placed in &contacts.pieces {
            let weights =
                Squares(placed.touches).map(|touched| contacts.weight(self.chain, touched));
            visit(placed, 1 + weights.sum::<i32>());
        }
    }

    /// The divisor of a value: chains of whole boards add up to 116,000 and more, beyond the range
    /// of a score.
    fn scale(&self) -> i32 {
        if self.chain == PowerChain::Direct {
            1
        } else {
            16
        }
    }

    /// The worth of a piece; Black's are negative.
    #[inline]
    fn value(&self, placed: &PlacedPiece) -> i32 {
        let [material, by_square] = placed.places().map(|place| self.weights[place]);
        if placed.color == Color::White {
            material + by_square
        } else {
            -(material + by_square)
        }
    }

    /// Equation 2, or algorithm 3, for one piece, from White's point of view.
    fn power(&self, contacts: &Contacts, placed: &PlacedPiece) -> i32 {
        let chain = match self.chain {
            PowerChain::Direct => 1 << placed.square,
            _ => contacts.chain(placed),
        };
        let touching = contacts.pieces.iter().flat_map(|other| {
            let value = self.value(other);
            Squares(other.touches & chain).map(move |touched| (touched, value))
        });
        // Values have signs: from White's point of view, what an enemy's piece takes from Black is
        // White's.
        let terms = touching.map(|(touched, value)| match self.chain {
            PowerChain::Signed => value,
            _ if contacts.color(touched) == placed.color => value,
            _ => -value,
        });
        self.value(placed) + terms.sum::<i32>()
    }
}

impl Contacts {
    #[inline]
    fn of(board: &Board) -> Contacts {
        let white = board.color_combined(Color::White).0;
        let mut contacts = Contacts {
            pieces: arrayvec::ArrayVec::new(),
            reach: [0; 64],
            white,
        };
        for_each_piece(board, |color, piece, square, touches| {
            contacts.reach[square] = touches | 1 << square;
            contacts.pieces.push(PlacedPiece {
                color,
                piece,
                square,
                touches,
            });
        });
        // Warshall's algorithm: whatever leads to a piece leads to what that piece leads to.
        let occupied = board.combined().0;
        for through in Squares(occupied) {
            let beyond = contacts.reach[through];
            for from in Squares(occupied) {
                if contacts.reach[from] & 1 << through != 0 {
                    contacts.reach[from] |= beyond;
                }
            }
        }
        contacts
    }

    /// The weight of a contact with a piece, for the side making the contact.
    #[inline]
    fn weight(&self, chain: PowerChain, touched: usize) -> i32 {
        let reach = self.reach[touched];
        let white = count(reach & self.white);
        let black = count(reach & !self.white);
        match chain {
            PowerChain::Direct => 1,
            PowerChain::Signed => white + black,
            PowerChain::Chain if self.color(touched) == Color::White => white - black,
            PowerChain::Chain => black - white,
        }
    }

    #[inline]
    fn color(&self, square: usize) -> Color {
        if self.white & 1 << square != 0 {
            Color::White
        } else {
            Color::Black
        }
    }

    /// The pieces with contacts leading to a piece, and the piece itself.
    fn chain(&self, placed: &PlacedPiece) -> u64 {
        let leads_there = self
            .pieces
            .iter()
            .filter(|one| self.reach[one.square] & 1 << placed.square != 0);
        leads_there.fold(0, |chain, one| chain | 1 << one.square)
    }

    /// The pieces touching a piece, of its own colour or of the other.
    fn touching(&self, placed: &PlacedPiece, is_own: bool) -> String {
        let touching = |one: &&PlacedPiece| {
            one.touches & 1 << placed.square != 0 && (one.color == placed.color) == is_own
        };
        let names = self.pieces.iter().filter(touching);
        names
            .map(|other| written_piece(other.color, other.piece, other.square))
            .collect::<Vec<_>>()
            .join(" ")
    }
}

impl Tunable for Power {
    fn coefficients(&self, board: &Board) -> Vec<f64> {
        let mut row = vec![0.0; COUNT];
        self.for_each_factor(board, |placed, factor| {
            let signed = if placed.color == Color::White {
                factor
            } else {
                -factor
            };
            for place in placed.places() {
                row[place] += f64::from(signed) / f64::from(self.scale());
            }
        });
        row
    }

    fn piece_table(&self, board: &Board) -> Option<PieceTable> {
        let contacts = Contacts::of(board);
        let is_direct = self.chain == PowerChain::Direct;
        let row = |placed: &PlacedPiece| {
            let mut row = vec![
                written_piece(placed.color, placed.piece, placed.square),
                format!("{:+}", self.value(placed)),
                contacts.touching(placed, true),
                contacts.touching(placed, false),
            ];
            if !is_direct {
                row.push(count(contacts.chain(placed)).to_string());
            }
            row.push(format!("{:+}", self.power(&contacts, placed)));
            row
        };
        let head = match is_direct {
            true => "Piece | Value: | Defenders | Attackers | Power:",
            false => "Piece | Value: | Defenders | Attackers | Chain: | Power:",
        };
        Some(PieceTable {
            head,
            rows: contacts.pieces.iter().map(row).collect(),
        })
    }
}

// The paper gives no values. These are Winglet's, and a king counts for its square only.
// In centipawns; the squares rank 8 first, file a first.
weights! {
    /// Material: a pawn.
    PAWN: [100], 0..=2000;
    /// Material: a knight.
    KNIGHT: [300], 0..=2000;
    /// Material: a bishop.
    BISHOP: [300], 0..=2000;
    /// Material: a rook.
    ROOK: [500], 0..=2000;
    /// Material: a queen.
    QUEEN: [900], 0..=2000;
    /// Material: a king, counted for attacks and defence.
    KING: [0], 0..=2000;
    /// Pawn by square.
    PAWN_SQUARES: winglet::PAWN_BY_SQUARE, -200..=200;
    /// Knight by square.
    KNIGHT_SQUARES: winglet::KNIGHT_BY_SQUARE, -200..=200;
    /// Bishop by square.
    BISHOP_SQUARES: winglet::BISHOP_BY_SQUARE, -200..=200;
    /// Rook by square.
    ROOK_SQUARES: winglet::ROOK_BY_SQUARE, -200..=200;
    /// Queen by square.
    QUEEN_SQUARES: winglet::BISHOP_BY_SQUARE, -200..=200;
    /// King by square.
    KING_SQUARES: winglet::KING_BY_SQUARE, -200..=200;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::tests::{GOLDEN, board, random_positions};
    use crate::eval::{Evaluation, Interpretations, WeightSet, attacks};
    use crate::rules::position::Position;

    /// The game Pasman - Adams, London 1984, after 21.hxg6 and four answers, in the paper's figures
    /// 2 to 6.
    const FIGURES: [&str; 5] = [
        "2rqr1k1/p4p1p/1p2pbP1/5n2/3PRB2/P1PQ1N2/5PP1/2R3K1 b - - 0 21",
        "2rqr1k1/p4p2/1p2pbp1/5n2/3PRB2/P1PQ1N2/5PP1/2R3K1 w - - 0 22",
        "2rqr1k1/p6p/1p2pbp1/5n2/3PRB2/P1PQ1N2/5PP1/2R3K1 w - - 0 22",
        "2r1r1k1/p2q1p1p/1p2pbP1/5n2/3PRB2/P1PQ1N2/5PP1/2R3K1 w - - 1 22",
        "2rqr1k1/p6p/1p2pbp1/5n2/3PRB1N/P1PQ4/5PP1/2R3K1 b - - 1 22",
    ];

    /// Material without squares, as in the golden values.
    fn material_only(chain: PowerChain) -> Power {
        let mut row = Evaluation::Power.defaults();
        row[PAWN_SQUARES..].fill(0);
        Power::new(&row, chain)
    }

    fn with(chain: PowerChain) -> Power {
        Power::new(&Evaluation::Power.defaults(), chain)
    }

    fn values(evaluation: &Power) -> [i32; 12] {
        GOLDEN.map(|(fen, _)| evaluation.evaluate(&board(fen)).0)
    }

    #[test]
    fn equals_the_golden_values() {
        let material = material_only(PowerChain::Direct);
        assert_eq!(
            values(&material),
            [
                0, -1500, -900, -200, 300, 400, -2400, 0, 300, 1200, -100, 100
            ]
        );
        let squares = [
            0, -1392, -890, -248, 411, 303, -2356, 1, 265, 1428, -173, 60,
        ];
        assert_eq!(values(&with(PowerChain::Direct)), squares);
        assert_eq!(
            FIGURES.map(|fen| material.evaluate(&board(fen)).0),
            [-900, -1200, -1100, -1500, -2400]
        );
    }

    /// The power of a piece from its own side's view.
    fn power_of(evaluation: &Power, contacts: &Contacts, name: &str) -> i32 {
        let is_it = |one: &&PlacedPiece| written_piece(one.color, one.piece, one.square) == name;
        let placed = contacts.pieces.iter().find(is_it).expect(name);
        let white = evaluation.power(contacts, placed);
        if placed.color == Color::White {
            white
        } else {
            -white
        }
    }

    #[test]
    fn figure_6_by_hand() {
        let board = board(FIGURES[4]);
        let contacts = Contacts::of(&board);
        let direct = material_only(PowerChain::Direct);
        for (name, power) in [
            ("pg6", -100),
            ("ph7", 100),
            ("Nh4", -300),
            ("nf5", 200),
            ("bf6", 1200),
            ("qd8", 2200),
        ] {
            assert_eq!(power_of(&direct, &contacts, name), power, "{name}");
        }
        let side = |color| {
            let pieces = contacts
                .pieces
                .iter()
                .filter(|placed| placed.color == color);
            pieces
                .map(|placed| direct.power(&contacts, placed))
                .sum::<i32>()
        };
        assert_eq!((side(Color::White), side(Color::Black)), (5800, -8200));
    }

    /// Table 1, with its two errors of print set right: the bishop on f6 defends the queen, and f5
    /// and f6 attack the knight on h4.
    #[test]
    fn table_1_follows_the_chain_of_a_pawn() {
        let board = board(FIGURES[4]);
        let contacts = Contacts::of(&board);
        let pawn = contacts
            .pieces
            .iter()
            .find(|placed| placed.square == 46)
            .expect("the pawn on g6");
        let chain = contacts.chain(pawn);
        assert_eq!(count(chain), 12);
        let frequency = |placed: &PlacedPiece, defends: bool| {
            let touched = Squares(placed.touches & chain);
            touched
                .filter(|&square| (contacts.color(square) == placed.color) == defends)
                .count()
        };
        let frequencies = |defends| {
            let all = contacts
                .pieces
                .iter()
                .map(|one| (attacks::square(one.square), frequency(one, defends)));
            let mut all: Vec<_> = all
                .filter(|one| one.1 > 0)
                .map(|(at, count)| format!("{at} {count}"))
                .collect();
            all.sort();
            all.join(", ")
        };
        assert_eq!(
            frequencies(true),
            "c8 1, d3 1, d8 3, e6 1, e8 3, f6 1, g6 1, g8 1, h7 1"
        );
        assert_eq!(frequencies(false), "e4 1, f5 1, f6 1, h4 2");
        assert_eq!(
            power_of(&material_only(PowerChain::Chain), &contacts, "pg6"),
            4600
        );
        assert_eq!(
            power_of(&material_only(PowerChain::Signed), &contacts, "pg6"),
            4000
        );
    }

    #[test]
    fn contacts_are_the_sum_of_all_pieces_and_of_all_weights() {
        for &chain in <PowerChain as strum::VariantArray>::VARIANTS {
            let evaluation = with(chain);
            let interpretations = Interpretations {
                power_chain: chain,
                ..Interpretations::default()
            };
            let set = WeightSet::of(Evaluation::Power).interpreted(interpretations);
            for board in random_positions(2, 60).iter().map(Position::board) {
                let contacts = Contacts::of(board);
                let pieces: i32 = contacts
                    .pieces
                    .iter()
                    .map(|one| evaluation.power(&contacts, one))
                    .sum();
                let value = evaluation.evaluate(board).0;
                assert_eq!(pieces / evaluation.scale(), value, "{chain:?} {board}");
                let terms: f64 = set.explain(board).terms.iter().map(|term| term.value).sum();
                assert!(
                    (terms - f64::from(value)).abs() < 1.0,
                    "{chain:?} {board}: {terms}, {value}"
                );
                let table = evaluation.piece_table(board).expect("a table").rows;
                let shown = table
                    .iter()
                    .filter_map(|row| row.last()?.parse::<i32>().ok());
                assert_eq!(
                    (table.len(), shown.sum::<i32>()),
                    (contacts.pieces.len(), pieces)
                );
            }
        }
    }

    #[test]
    fn chains_are_settled_by_following_contacts_until_nothing_is_new() {
        for board in random_positions(2, 60).iter().map(Position::board) {
            let contacts = Contacts::of(board);
            for placed in &contacts.pieces {
                let (mut chain, mut more) = (0, 1 << placed.square);
                while more != chain {
                    chain = more;
                    let leads = contacts
                        .pieces
                        .iter()
                        .filter(|other| other.touches & chain != 0);
                    more = leads.fold(chain, |chain, other| chain | 1 << other.square);
                }
                assert_eq!(contacts.chain(placed), chain, "{board}");
            }
        }
    }
}
