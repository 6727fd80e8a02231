//! Winglet's evaluation (Stef Luijten, "Writing a chess program in 99 steps"), which the paper uses: material,
//! squares, king tropism, pawn structure and king shield, with one switch between middlegame and endgame.

use chess::{ALL_SQUARES, Board, Color, Piece, Square};

use super::weights::{Profile, Weights};
use super::{Evaluator, pawns};
use crate::position::insufficient::is_insufficient_material;
use crate::score::Score;

/// Winglet's evaluation with a given set of [`Weights`].
#[derive(Clone, Debug)]
pub struct Winglet {
    weights: Weights,
    tables: Box<Tables>,
}

/// A value for each square, from White's point of view (black men count negative).
type Squares = [i16; 64];

/// A man on each square, [`Packed`].
type Men = [Packed; 64];

/// What depends only on a man's square and the kings', computed once. Index by `Color as usize` and so on.
#[derive(Clone, Debug)]
struct Tables {
    /// By colour and *enemy* king: each man but the king on each square, material, squares and tropism together.
    men: [[[Men; 5]; 64]; 2],
    /// By colour and *own* king: each pawn in the endgame.
    pawn_own_king: [[Squares; 64]; 2],
    /// By colour: the king before and in the endgame.
    king: [[Squares; 2]; 2],
    /// By colour and king square: the squares where a pawn shields it, near and far. Empty if the king left its ranks.
    shield: [[[u64; 2]; 64]; 2],
}

/// Points for the game phase, pawn to queen. Fixed, since `endgame_below` and the exchange terms count in them.
const POINTS: [i32; 5] = [1, 3, 3, 5, 10];

const DARK_SQUARES: u64 = 0xAA55_AA55_AA55_AA55;

impl Winglet {
    /// The evaluation with a published set of weights.
    pub fn new(profile: Profile) -> Self {
        Winglet::with_weights(Weights::profile(profile))
    }

    /// The evaluation with any weights. Builds its tables, so it costs some hundred microseconds.
    pub fn with_weights(weights: Weights) -> Self {
        let tables = Tables::new(&weights);
        Winglet { weights, tables }
    }

    /// The weights in use.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }
}

impl Default for Winglet {
    /// Profile `paper`.
    fn default() -> Self {
        Winglet::new(Profile::Paper)
    }
}

impl Evaluator for Winglet {
    #[inline]
    fn evaluate(&self, board: &Board) -> Score {
        let sides = self.sides(board);
        if sides[0].men[0] | sides[1].men[0] == 0 && is_insufficient_material(board) {
            return Score::DRAW;
        }
        let endgame = sides.iter().any(|side| side.points < self.weights.endgame_below);
        let value = men_on_squares(&sides)
            + self.kings(&sides, endgame)
            + self.exchanges(&sides)
            + self.pawn_structure(&sides)
            + self.bishop_pairs(&sides)
            + if endgame {
                self.pawns_near_own_king(&sides)
            } else {
                self.king_shields(&sides)
            };
        Score(value.clamp(-Score::MAX_EVALUATION, Score::MAX_EVALUATION))
    }
}

/// What a man, or all men of a side, add up to, in one number so that one loop sums everything (without a population count,
/// which a portable build does in a dozen instructions): from the low end 18 bits of value, 8 of points, the rest a count.
#[derive(Clone, Copy, Debug)]
struct Packed(i32);

impl Packed {
    const POINTS: u32 = 18;
    const COUNT: u32 = 26;

    /// Fifteen men of at most 2300 centipawns and 10 points stay within their bits.
    fn man(value: i32, points: i32) -> Self {
        Packed(value + (points << Self::POINTS) + (1 << Self::COUNT))
    }

    fn value(self) -> i32 {
        self.0 << (32 - Self::POINTS) >> (32 - Self::POINTS)
    }

    /// Points and count; a negative value has borrowed from them.
    fn rest(self) -> i32 {
        (self.0 - self.value()) >> Self::POINTS
    }

    fn points(self) -> i32 {
        self.rest() & 0xFF
    }

    fn count(self) -> i32 {
        self.rest() >> (Self::COUNT - Self::POINTS)
    }
}

/// What the terms need to know about one side.
struct Side {
    /// Bitboards of the men, pawn to queen.
    men: [u64; 5],
    king: usize,
    /// Material, squares and tropism of all men but the king, from White's point of view.
    value: i32,
    /// The phase points of all men but pawns.
    points: i32,
    pawns: i32,
    /// All men but the king.
    count: i32,
}

impl Winglet {
    #[inline]
    fn sides(&self, board: &Board) -> [Side; 2] {
        let kings = [Color::White, Color::Black].map(|color| board.king_square(color).to_index() & 63);
        [
            Side::new(board, Color::White, kings[0], &self.tables.men[0][kings[1]]),
            Side::new(board, Color::Black, kings[1], &self.tables.men[1][kings[0]]),
        ]
    }
}

impl Side {
    #[inline]
    fn new(board: &Board, color: Color, king: usize, tables: &[Men; 5]) -> Self {
        let own = board.color_combined(color);
        let men = [
            Piece::Pawn,
            Piece::Knight,
            Piece::Bishop,
            Piece::Rook,
            Piece::Queen,
        ]
        .map(|piece| (board.pieces(piece) & own).0);
        let mut all = 0;
        let mut pawns = 0;
        for (piece, (&set, squares)) in men.iter().zip(tables).enumerate() {
            let mut set = set;
            while set != 0 {
                all += squares[set.trailing_zeros() as usize & 63].0;
                set &= set - 1;
            }
            if piece == 0 {
                pawns = Packed(all).count();
            }
        }
        let all = Packed(all);
        Side {
            men,
            king,
            value: all.value(),
            points: all.points(),
            pawns,
            count: all.count(),
        }
    }
}

/// Material, piece-square values and tropism of all men but the kings.
#[inline]
fn men_on_squares([white, black]: &[Side; 2]) -> i32 {
    white.value + black.value
}

impl Winglet {
    #[inline]
    fn kings(&self, [white, black]: &[Side; 2], endgame: bool) -> i32 {
        let phase = usize::from(endgame);
        i32::from(self.tables.king[0][phase][white.king]) + i32::from(self.tables.king[1][phase][black.king])
    }

    /// Who is ahead should exchange pieces.
    #[inline]
    fn exchanges(&self, [white, black]: &[Side; 2]) -> i32 {
        let weights = &self.weights;
        let for_ahead = |own: &Side, enemy: &Side| {
            weights.exchange_ahead + weights.exchange_own_man * own.count
                - weights.exchange_enemy_man * enemy.count
        };
        let lead = white.points + POINTS[0] * white.pawns - black.points - POINTS[0] * black.pawns;
        match lead {
            1.. => for_ahead(white, black),
            0 => 0,
            _ => -for_ahead(black, white),
        }
    }

    #[inline]
    fn pawn_structure(&self, [white, black]: &[Side; 2]) -> i32 {
        let weights = &self.weights;
        let [of_white, of_black] = pawns::structures(white.men[0], black.men[0]);
        let count = |set: u64| set.count_ones() as i32;
        let difference = |white: u64, black: u64| count(white) - count(black);
        weights.passed_pawn * difference(of_white.passed, of_black.passed)
            + weights.doubled_pawn * difference(of_white.doubled, of_black.doubled)
            + weights.isolated_pawn * difference(of_white.isolated, of_black.isolated)
            + weights.backward_pawn * difference(of_white.backward, of_black.backward)
            + weights.rook_behind_passed_pawn
                * difference(
                    white.men[3] & of_white.behind_passed,
                    black.men[3] & of_black.behind_passed,
                )
    }

    #[inline]
    fn bishop_pairs(&self, [white, black]: &[Side; 2]) -> i32 {
        let has_pair =
            |side: &Side| i32::from(side.men[2] & DARK_SQUARES != 0 && side.men[2] & !DARK_SQUARES != 0);
        self.weights.bishop_pair * (has_pair(white) - has_pair(black))
    }

    #[inline]
    fn king_shields(&self, [white, black]: &[Side; 2]) -> i32 {
        let shield = |side: &Side, [near, far]: [u64; 2]| {
            self.weights.shield_near * (side.men[0] & near).count_ones() as i32
                + self.weights.shield_far * (side.men[0] & far).count_ones() as i32
        };
        shield(white, self.tables.shield[0][white.king]) - shield(black, self.tables.shield[1][black.king])
    }

    #[inline]
    fn pawns_near_own_king(&self, [white, black]: &[Side; 2]) -> i32 {
        sum(white.men[0], &self.tables.pawn_own_king[0][white.king])
            + sum(black.men[0], &self.tables.pawn_own_king[1][black.king])
    }
}

/// The sum of `squares` over a set.
#[inline]
fn sum(mut set: u64, squares: &Squares) -> i32 {
    let mut value = 0;
    while set != 0 {
        value += i32::from(squares[set.trailing_zeros() as usize & 63]);
        set &= set - 1;
    }
    value
}

impl Tables {
    fn new(weights: &Weights) -> Box<Self> {
        let mut tables = Box::new(Tables {
            men: [[[[Packed(0); 64]; 5]; 64]; 2],
            pawn_own_king: [[[0; 64]; 64]; 2],
            king: [[[0; 64]; 2]; 2],
            shield: [[[0; 2]; 64]; 2],
        });
        let men = [
            (weights.pawn, &weights.pawn_squares, &weights.pawn_tropism),
            (weights.knight, &weights.knight_squares, &weights.knight_tropism),
            (weights.bishop, &weights.bishop_squares, &weights.bishop_tropism),
            (weights.rook, &weights.rook_squares, &weights.rook_tropism),
            (weights.queen, &weights.queen_squares, &weights.queen_tropism),
        ];
        for color in [Color::White, Color::Black] {
            let c = color.to_index();
            let sign = if color == Color::White { 1 } else { -1 };
            let signed = |value: i32| (sign * value) as i16;
            for square in ALL_SQUARES {
                let s = square.to_index();
                let shown = as_printed(square, color);
                tables.king[c][0][s] = signed(weights.king_squares[shown]);
                tables.king[c][1][s] = signed(weights.king_endgame_squares[shown]);
                tables.shield[c][s] = shield_squares(square, color);
                for king in ALL_SQUARES {
                    let (k, distance) = (king.to_index(), king_distance(square, king));
                    tables.pawn_own_king[c][k][s] = signed(weights.pawn_own_king[distance]);
                    for (piece, (material, squares, tropism)) in men.into_iter().enumerate() {
                        let value = sign * (material + squares[shown] + tropism[distance]);
                        // Pawns give no points for the phase.
                        let points = if piece == 0 { 0 } else { POINTS[piece] };
                        tables.men[c][k][piece][s] = Packed::man(value, points);
                    }
                }
            }
        }
        tables
    }
}

/// The index of a square in a table printed rank 8 first, as `color` sees the board.
fn as_printed(square: Square, color: Color) -> usize {
    match color {
        Color::White => square.to_index() ^ 56,
        Color::Black => square.to_index(),
    }
}

/// Moves a king needs on an empty board.
fn king_distance(a: Square, b: Square) -> usize {
    let files = a.get_file().to_index().abs_diff(b.get_file().to_index());
    let ranks = a.get_rank().to_index().abs_diff(b.get_rank().to_index());
    files.max(ranks)
}

/// Where own pawns shield a king, one and two ranks ahead of it on its file and its neighbours; at the edge of
/// the board on the three outer files.
fn shield_squares(king: Square, color: Color) -> [u64; 2] {
    let rank = match color {
        Color::White => king.get_rank().to_index(),
        Color::Black => 7 - king.get_rank().to_index(),
    };
    if rank > 2 {
        return [0; 2];
    }
    let middle = king.get_file().to_index().clamp(1, 6);
    [1, 2].map(|ahead| {
        let white = 0b111 << (middle - 1) << (8 * (rank + ahead));
        match color {
            Color::White => white,
            Color::Black => u64::swap_bytes(white),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    fn evaluate(profile: Profile, fen: &str) -> i32 {
        Winglet::new(profile)
            .evaluate(Position::from_fen(fen).unwrap().board())
            .0
    }

    /// Computed independently from the published terms, with knight and bishop worth 300.
    const GOLDEN: [(&str, i32); 12] = [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0),
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", 39),
        ("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", 0),
        ("6k1/2b2p1p/ppP3p1/4p3/PP1B4/5PP1/7P/7K w - - 0 1", 26),
        ("2Q5/b4pkp/6p1/1p2p3/8/5PP1/7P/7K b - - 0 7", 384),
        (
            "r1bq1rk1/pp2ppbp/2n2np1/2ppN3/5P2/1P2P3/PBPPB1PP/RN1Q1RK1 b - - 3 8",
            -32,
        ),
        ("2rqr1k1/p6p/1p2pbp1/5n2/3PRB1N/P1PQ4/5PP1/2R3K1 b - - 1 22", 17),
        ("8/p5pp/3k1p2/3p4/1P3P2/P1K5/5P1P/8 b - - 0 1", -69),
        ("8/8/4k3/8/8/3BK3/8/8 w - - 0 1", 0),
        (
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            69,
        ),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", -61),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 116),
    ];

    #[test]
    fn equals_the_golden_values() {
        for (fen, expected) in GOLDEN {
            assert_eq!(evaluate(Profile::Winglet, fen), expected, "{fen}");
        }
    }

    #[test]
    fn the_profiles_differ_in_the_bishop() {
        let fen = "4k3/8/8/8/8/8/4P3/2B1K3 w - - 0 1";
        assert_eq!(
            evaluate(Profile::Paper, fen),
            evaluate(Profile::Winglet, fen) + 25
        );
    }

    #[test]
    fn dead_positions_are_draws_and_pawns_keep_them_alive() {
        for fen in [
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            "4k3/8/8/8/8/8/8/4KN2 w - - 0 1",
            "4kb2/8/8/8/8/8/8/B1B1K3 w - - 0 1",
        ] {
            assert_eq!(evaluate(Profile::Paper, fen), 0, "{fen}");
        }
        assert_ne!(evaluate(Profile::Paper, "4k3/8/8/8/8/8/8/3NKN2 w - - 0 1"), 0);
        assert_ne!(evaluate(Profile::Paper, "2b1k3/8/8/8/8/8/8/B1B1K3 w - - 0 1"), 0);
    }

    #[test]
    fn never_as_large_as_a_mate() {
        let extreme = Winglet::with_weights(Weights::from_array(&[i32::MAX; Weights::COUNT]));
        let board: Board = "QQQQQQQQ/QRRBBNN1/8/8/8/8/8/k1K5 b - - 0 1".parse().unwrap();
        let value = extreme.evaluate(&board);
        assert_eq!(value, Score(Score::MAX_EVALUATION));
        assert!(!value.is_mate());
    }

    #[test]
    fn black_and_white_are_treated_alike() {
        let evaluation = Winglet::new(Profile::Paper);
        let mut seed: u64 = 0x9E37_79B9_7F4A_7C15;
        for _ in 0..40 {
            let mut position = Position::default();
            while position.outcome().is_none() && position.fullmove_number() < 90 {
                let mirrored = Position::from_fen(&mirror(&position.to_fen())).unwrap();
                let value = evaluation.evaluate(position.board());
                assert_eq!(
                    evaluation.evaluate(mirrored.board()),
                    -value,
                    "{}",
                    position.to_fen()
                );
                let moves = position.legal_moves();
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                position.play(moves[(seed >> 33) as usize % moves.len()]).unwrap();
            }
        }
    }

    /// The same position with colours exchanged and the board turned upside down, as FEN.
    fn mirror(fen: &str) -> String {
        let swap = |c: char| {
            if c.is_ascii_uppercase() {
                c.to_ascii_lowercase()
            } else {
                c.to_ascii_uppercase()
            }
        };
        let fields: Vec<&str> = fen.split(' ').collect();
        let ranks: Vec<&str> = fields[0].rsplit('/').collect();
        let placement: String = ranks.join("/").chars().map(swap).collect();
        let side = if fields[1] == "w" { "b" } else { "w" };
        let castling: String = fields[2].chars().map(swap).collect();
        let en_passant = fields[3].replace('3', "?").replace('6', "3").replace('?', "6");
        format!(
            "{placement} {side} {castling} {en_passant} {} {}",
            fields[4], fields[5]
        )
    }
}
