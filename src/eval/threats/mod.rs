//! The rating of Marcarelli, "Chess AI Project", 2010: a piece is worth its base value, less if
//! threatened, more if defended or in the centre, and a pawn more for each advanced row.
//!
//! ```text
//! worth = base x status x centre, and for a pawn + 50 for each row
//! ```
//!
//! Points left open by the text are options, see [`interpretations`](super::interpretations).

use chess::{ALL_PIECES, Board, Color, Piece, Square};

use super::attacks::{self, Squares, for_each_piece};
use super::genome::weights;
use super::interpretations::{ThreatCentre, ThreatRows, ThreatStatus};
use super::{Evaluation, Evaluator, Interpretations, PieceTable, Tunable, written_piece};
use crate::rules::score::Score;

/// The evaluation with given weights.
#[derive(Clone, Debug)]
pub struct Threats {
    weights: [i32; COUNT],
    interpretations: Interpretations,
}

/// The standing of a piece among its neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    Threatened,
    Defended,
    Neutral,
}

/// A piece with everything needed for its rating.
struct RatedPiece {
    color: Color,
    piece: Piece,
    square: usize,
    status: Status,
    in_centre: bool,
}

/// The pieces of both sides by status.
#[derive(Clone, Copy, Debug)]
struct Statuses {
    threatened: u64,
    defended: u64,
}

/// A piece with its attackers and defenders. Pinned pieces and kings attack and defend as all
/// others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contact {
    pub color: Color,
    pub piece: Piece,
    pub square: Square,
    /// Enemy attackers, pawn to king.
    pub attackers: Vec<(Piece, Square)>,
    /// Own defenders, pawn to king.
    pub defenders: Vec<(Piece, Square)>,
}

/// Every piece of a board with its attackers and defenders.
pub fn contacts(board: &Board) -> Vec<Contact> {
    let mut pieces = Vec::new();
    for_each_piece(board, |color, piece, square, touches| {
        pieces.push((color, piece, square, touches))
    });
    let touching = |square: usize, color: Color| -> Vec<(Piece, Square)> {
        let touching = pieces
            .iter()
            .filter(|(other, _, _, touches)| *other == color && touches >> square & 1 != 0);
        touching
            .map(|&(_, piece, from, _)| (piece, attacks::square(from)))
            .collect()
    };
    let contact = |&(color, piece, square, _): &(Color, Piece, usize, u64)| Contact {
        color,
        piece,
        square: attacks::square(square),
        attackers: touching(square, !color),
        defenders: touching(square, color),
    };
    pieces.iter().map(contact).collect()
}

const C3_TO_F6: u64 = 0x0000_3C3C_3C3C_0000;
const D4_TO_E5: u64 = 0x0000_0018_1800_0000;

impl Evaluator for Threats {
    #[inline]
    fn evaluate(&self, board: &Board) -> Score {
        let mut sum = 0;
        self.for_each(board, |rated| sum += self.worth(rated));
        Score(sum.clamp(-Score::MAX_EVALUATION, Score::MAX_EVALUATION))
    }
}

impl Threats {
    /// The evaluation with these weights, in the order of [`FIELDS`].
    pub fn new(row: &[i32], interpretations: Interpretations) -> Self {
        Threats {
            weights: row.try_into().expect("a number for each weight"),
            interpretations,
        }
    }

    /// The worth of a piece, from White's point of view.
    fn worth(&self, rated: &RatedPiece) -> i32 {
        let (base, rows, factor) = self.product(rated);
        let rows = rows * self.weights[ROW];
        let worth = match self.interpretations.threat_rows {
            ThreatRows::After => base * factor / 10_000 + rows,
            ThreatRows::Inside => (base + rows) * factor / 10_000,
        };
        if rated.color == Color::White {
            worth
        } else {
            -worth
        }
    }

    /// A piece's base value, its advanced rows, and the factor of status and centre, in
    /// ten-thousandths.
    fn product(&self, rated: &RatedPiece) -> (i32, i32, i32) {
        let rank = match rated.color {
            Color::White => attacks::rank::<true>(rated.square),
            Color::Black => attacks::rank::<false>(rated.square),
        };
        // No pawn stands on the first or last rank.
        let rows = if rated.piece == Piece::Pawn {
            (rank as i32 - 1).clamp(0, 5)
        } else {
            0
        };
        let centre = if rated.in_centre {
            self.weights[CENTRE]
        } else {
            100
        };
        (
            self.weights[PAWN + rated.piece.to_index()],
            rows,
            self.percent(rated) * centre,
        )
    }

    fn percent(&self, rated: &RatedPiece) -> i32 {
        match rated.status {
            Status::Threatened if rated.piece == Piece::Pawn => self.weights[THREATENED_PAWN],
            Status::Threatened => self.weights[THREATENED],
            Status::Defended => self.weights[DEFENDED],
            Status::Neutral => self.weights[NEUTRAL],
        }
    }

    /// Each piece of the board, White's first.
    fn for_each(&self, board: &Board, mut visit: impl FnMut(&RatedPiece)) {
        let statuses = Statuses::of(board, self.interpretations.threat_status);
        let centre = match self.interpretations.threat_centre {
            ThreatCentre::Sixteen => C3_TO_F6,
            ThreatCentre::Four => D4_TO_E5,
        };
        for (color, piece) in chess::ALL_COLORS
            .into_iter()
            .flat_map(|color| ALL_PIECES.map(|piece| (color, piece)))
        {
            for square in Squares(attacks::pieces(board, color, piece)) {
                let in_centre = centre >> square & 1 != 0;
                visit(&RatedPiece {
                    color,
                    piece,
                    square,
                    status: statuses.at(square),
                    in_centre,
                });
            }
        }
    }
}

impl Statuses {
    #[inline]
    fn of(board: &Board, reading: ThreatStatus) -> Statuses {
        if reading == ThreatStatus::Net {
            return Statuses::by_numbers(board);
        }
        let by_white = attacks::attacked::<true>(board);
        let by_black = attacks::attacked::<false>(board);
        let [white, black] =
            [Color::White, Color::Black].map(|color| board.color_combined(color).0);
        let attacked = white & by_black | black & by_white;
        let defended = white & by_white | black & by_black;
        let threatened = match reading {
            ThreatStatus::Undefended => attacked & !defended,
            _ => attacked,
        };
        Statuses {
            threatened,
            defended: defended & !attacked,
        }
    }

    fn by_numbers(board: &Board) -> Statuses {
        let mut surplus = [0; 64];
        for_each_piece(board, |color, _, _, touches| {
            let own = board.color_combined(color).0;
            Squares(touches & own).for_each(|square| surplus[square] += 1);
            Squares(touches & !own).for_each(|square| surplus[square] -= 1);
        });
        let mut statuses = Statuses {
            threatened: 0,
            defended: 0,
        };
        for square in Squares(board.combined().0) {
            statuses.threatened |= u64::from(surplus[square] < 0) << square;
            statuses.defended |= u64::from(surplus[square] > 0) << square;
        }
        statuses
    }

    fn at(self, square: usize) -> Status {
        match (self.threatened >> square & 1, self.defended >> square & 1) {
            (1, _) => Status::Threatened,
            (_, 1) => Status::Defended,
            _ => Status::Neutral,
        }
    }
}

impl Default for Threats {
    fn default() -> Self {
        Threats::new(&Evaluation::Threats.defaults(), Interpretations::default())
    }
}

impl Tunable for Threats {
    /// The base values and the rows hold the percentages as they are now: in these the value is not
    /// linear.
    fn coefficients(&self, board: &Board) -> Vec<f64> {
        let mut row = vec![0.0; COUNT];
        self.for_each(board, |rated| {
            let sign = if rated.color == Color::White {
                1.0
            } else {
                -1.0
            };
            let (_, rows, factor) = self.product(rated);
            let factor = f64::from(factor) / 10_000.0;
            let of_rows = if self.interpretations.threat_rows == ThreatRows::Inside {
                factor
            } else {
                1.0
            };
            row[PAWN + rated.piece.to_index()] += sign * factor;
            row[ROW] += sign * of_rows * f64::from(rows);
        });
        row
    }

    fn piece_table(&self, board: &Board) -> Option<PieceTable> {
        let mut rows = Vec::new();
        self.for_each(board, |rated| {
            let (base, advanced, _) = self.product(rated);
            let status = match rated.status {
                Status::Threatened => "threatened",
                Status::Defended => "defended",
                Status::Neutral => "",
            };
            rows.push(vec![
                written_piece(rated.color, rated.piece, rated.square),
                base.to_string(),
                status.to_owned(),
                format!("{} %", self.percent(rated)),
                if rated.in_centre {
                    format!("{} %", self.weights[CENTRE])
                } else {
                    String::new()
                },
                if advanced == 0 {
                    String::new()
                } else {
                    format!("{:+}", advanced * self.weights[ROW])
                },
                format!("{:+}", self.worth(rated)),
            ]);
        });
        Some(PieceTable {
            head: "Piece | Base: | Status | : | Centre: | Rows: | Worth:",
            rows,
        })
    }
}

// Marcarelli 2010; the numbers without a name there (neutral 100 %) are what the others are
// compared with. What pieces are worth, in centipawns, and in percent what becomes of it.
weights! {
    /// A pawn.
    PAWN: [100], 0..=2000;
    /// A knight.
    KNIGHT: [300], 0..=2000;
    /// A bishop.
    BISHOP: [300], 0..=2000;
    /// A rook.
    ROOK: [500], 0..=2000;
    /// A queen.
    QUEEN: [900], 0..=2000;
    /// A king, for attacking and defending.
    KING: [400], 0..=2000;
    /// Each row of a pawn's advance from its home rank.
    ROW: [50], -200..=200;
    /// Percent of its worth kept by a threatened piece, but for pawns.
    THREATENED: [20], 0..=300;
    /// Percent kept by a threatened pawn.
    THREATENED_PAWN: [40], 0..=300;
    /// Percent for a defended piece.
    DEFENDED: [130], 0..=300;
    /// Percent for a piece neither threatened nor defended.
    NEUTRAL: [100], 0..=300;
    /// Percent, besides, for a piece in the centre.
    CENTRE: [120], 0..=300;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::WeightSet;
    use crate::eval::tests::{GOLDEN, board, mirrored, random_positions};

    use ThreatCentre::{Four, Sixteen};
    use ThreatRows::{After, Inside};
    use ThreatStatus::{Attacked, Net, Undefended};

    fn read(
        threat_status: ThreatStatus,
        threat_centre: ThreatCentre,
        threat_rows: ThreatRows,
    ) -> WeightSet {
        let reading = Interpretations {
            threat_status,
            threat_centre,
            threat_rows,
            ..Default::default()
        };
        WeightSet::of(Evaluation::Threats).interpreted(reading)
    }

    const READINGS: [(ThreatStatus, ThreatCentre, ThreatRows, [i32; 12]); 5] = [
        (
            Attacked,
            Sixteen,
            After,
            [0, 90, 0, 144, 220, 148, 86, 38, 468, -48, -234, 130],
        ),
        (
            Attacked,
            Four,
            After,
            [0, 90, 0, 104, 200, 206, -82, 44, 390, -274, -200, 130],
        ),
        (
            Undefended,
            Sixteen,
            After,
            [0, 90, -72, 12, 220, 28, -190, 38, 468, 84, -174, 130],
        ),
        (
            Net,
            Sixteen,
            After,
            [0, 90, -72, 12, 220, 76, -262, 38, 468, 102, -144, 130],
        ),
        (
            Attacked,
            Sixteen,
            Inside,
            [0, 110, 0, 276, 210, 201, 49, 4, 468, -47, -274, 130],
        ),
    ];

    #[test]
    fn every_reading_equals_its_golden_values() {
        for (status, centre, rows, expected) in READINGS {
            let evaluation = read(status, centre, rows);
            let values = GOLDEN.map(|(fen, _)| evaluation.evaluate(&board(fen)).0);
            assert_eq!(values, expected, "{status:?} {centre:?} {rows:?}");
        }
    }

    #[test]
    fn by_hand() {
        let settled = WeightSet::of(Evaluation::Threats);
        let value = |evaluation: &WeightSet, fen: &str| evaluation.evaluate(&board(fen)).0;
        assert_eq!(value(&settled, "4k3/8/8/3p4/8/8/8/4K3 w - - 0 1"), -220);
        let fork = "r3k3/2N5/8/8/8/8/8/4K3 b - - 0 1";
        assert_eq!(value(&settled, fork), 520);
        // The knight in the centre attacks nobody; the king is defended by its rook.
        assert_eq!(
            value(&settled, "r3k3/8/2N5/8/8/8/8/4K3 b - - 0 1"),
            360 + 400 - 500 - 520
        );
        let both = "4k3/8/2p5/3n4/8/8/8/3RK3 w - - 0 1";
        assert_eq!(value(&settled, both), 650 + 520 - 72 - 170 - 400);
        assert_eq!(value(&read(Net, Sixteen, After), both), 240);
    }

    #[test]
    fn each_piece_is_shown_with_its_status_and_worth() {
        let rows = |fen: &str| -> Vec<String> {
            let pieces = Threats::default()
                .piece_table(&board(fen))
                .expect("a table");
            pieces.rows.iter().map(|row| row.join("|")).collect()
        };
        let expected = [
            "Pe2|100|defended|130 %|||+130",
            "Nc7|300||100 %|||+300",
            "Ke1|400||100 %|||+400",
            "ra8|500|threatened|20 %|||-100",
            "ke8|400|threatened|20 %|||-80",
        ];
        assert_eq!(rows("r3k3/2N5/8/8/8/8/4P3/4K3 b - - 0 1"), expected);
        let expected = [
            "Pd3|100||100 %|120 %|+50|+170",
            "Pe4|100|defended|130 %|120 %|+100|+256",
        ];
        assert_eq!(rows("4k3/8/8/8/4P3/3P4/8/4K3 w - - 0 1")[..2], expected);
    }

    #[test]
    fn pieces_and_weights_sum_to_the_value_and_mirrors_change_the_sign() {
        for position in random_positions(2, 60) {
            let fen = position.to_fen();
            for (status, centre, rows, _) in READINGS {
                let evaluation = read(status, centre, rows);
                let board = position.board();
                let value = evaluation.evaluate(board).0;
                assert_eq!(
                    evaluation.evaluate(mirrored(&position).board()).0,
                    -value,
                    "{fen}"
                );
                let pieces = evaluation.piece_table(board).expect("a table").rows;
                let worths = pieces
                    .iter()
                    .filter_map(|row| row.last()?.parse::<i32>().ok());
                assert_eq!(worths.sum::<i32>(), value, "{fen}");
                let terms: f64 = evaluation
                    .explain(board)
                    .terms
                    .iter()
                    .map(|term| term.value)
                    .sum();
                assert!(
                    (terms - f64::from(value)).abs() < 1e-6,
                    "{terms} {value} {fen}"
                );
            }
        }
    }

    #[test]
    fn worths_that_are_no_whole_numbers_are_cut_toward_zero() {
        let mut weights = Evaluation::Threats.defaults();
        (weights[PAWN], weights[DEFENDED]) = (99, 113);
        let fen = "4k3/8/8/3p4/8/4P3/3P4/4K3 w - - 0 1";
        // d2: 99 x 1.13 = 111.87; e3: 99 x 1.13 x 1.2 = 134.244, + 50; d5: 99 x 1.2 = 118.8, + 100.
        let value = |weights: &[i32]| {
            Threats::new(weights, Interpretations::default())
                .evaluate(&board(fen))
                .0
        };
        assert_eq!(value(&weights), 111 + 134 + 50 - 118 - 100);
        weights[ROW] = -60;
        assert_eq!(value(&weights), 111 + 134 - 60 - 118 + 120);
    }
}
