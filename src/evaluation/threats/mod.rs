//! The rating of Marcarelli, "Chess AI Project", 2010: a man is worth its base value, less when it is
//! threatened, more when it is defended or in the centre, and a pawn more for each row that it has advanced.
//!
//! ```text
//! worth = base x status x centre, and for a pawn + 50 for each row
//! ```
//!
//! What the text leaves open is an option, see [`readings`](super::readings).

mod loose;
mod weights;

pub use loose::Loose;
pub use weights::ThreatWeights;

use chess::{ALL_PIECES, Board, Color, Piece, Square};

use super::attacks::{self, Squares, for_each_man};
use super::readings::{ThreatCentre, ThreatRows, ThreatStatus};
use super::{Evaluator, Genome as _, Men, Readings, Tunable, explain};
use crate::score::Score;

/// The evaluation with a given set of weights.
#[derive(Clone, Debug)]
pub struct Threats {
    weights: ThreatWeights,
    readings: Readings,
}

/// What a man is to its neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Threatened,
    Defended,
    Neutral,
}

/// What the rating asks of a man besides its kind and rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Situation {
    status: Status,
    in_centre: bool,
}

/// The men of both sides by status.
#[derive(Clone, Copy, Debug)]
struct Statuses {
    threatened: u64,
    defended: u64,
}

/// A man with the men that touch it. Pinned men and kings attack and defend as all others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contact {
    pub color: Color,
    pub piece: Piece,
    pub square: Square,
    /// Enemy men that attack it, pawn to king.
    pub attackers: Vec<(Piece, Square)>,
    /// Own men that defend it, pawn to king.
    pub defenders: Vec<(Piece, Square)>,
}

/// All men of a board with those that attack and defend them.
pub fn contacts(board: &Board) -> Vec<Contact> {
    let mut men = Vec::new();
    for_each_man(board, |color, piece, square, touches| men.push((color, piece, square, touches)));
    let touching = |square: usize, color: Color| -> Vec<(Piece, Square)> {
        let touching =
            men.iter().filter(|(other, _, _, touches)| *other == color && touches >> square & 1 != 0);
        touching.map(|&(_, piece, from, _)| (piece, attacks::square(from))).collect()
    };
    let contact = |&(color, piece, square, _): &(Color, Piece, usize, u64)| Contact {
        color,
        piece,
        square: attacks::square(square),
        attackers: touching(square, !color),
        defenders: touching(square, color),
    };
    men.iter().map(contact).collect()
}

const C3_TO_F6: u64 = 0x0000_3C3C_3C3C_0000;
const D4_TO_E5: u64 = 0x0000_0018_1800_0000;

impl Evaluator for Threats {
    #[inline]
    fn evaluate(&self, board: &Board) -> Score {
        let mut sum = 0;
        self.for_each(board, |color, piece, square, situation| {
            let worth = self.worth(piece, seen_rank(color, square), situation);
            sum += if color == Color::White { worth } else { -worth };
        });
        Score(sum.clamp(-Score::MAX_EVALUATION, Score::MAX_EVALUATION))
    }
}

impl Threats {
    fn centre(&self) -> u64 {
        match self.readings.threat_centre {
            ThreatCentre::Sixteen => C3_TO_F6,
            ThreatCentre::Four => D4_TO_E5,
        }
    }

    /// What a man is worth to its side.
    fn worth(&self, piece: Piece, rank: usize, situation: Situation) -> i32 {
        let (base, rows, factor) = self.product(piece, rank, situation);
        let rows = rows * self.weights.row;
        match self.readings.threat_rows {
            ThreatRows::After => base * factor / 10_000 + rows,
            ThreatRows::Inside => (base + rows) * factor / 10_000,
        }
    }

    /// A man's base value, the rows that it has advanced, and what status and centre make of it, in
    /// ten-thousandths.
    fn product(&self, piece: Piece, rank: usize, situation: Situation) -> (i32, i32, i32) {
        let weights = &self.weights;
        let bases = [weights.pawn, weights.knight, weights.bishop, weights.rook, weights.queen, weights.king];
        // No pawn stands on the first or last rank.
        let rows = if piece == Piece::Pawn { (rank as i32 - 1).clamp(0, 5) } else { 0 };
        let centre = if situation.in_centre { weights.centre } else { 100 };
        (bases[piece.to_index()], rows, self.percent(piece, situation.status) * centre)
    }

    fn percent(&self, piece: Piece, status: Status) -> i32 {
        match status {
            Status::Threatened if piece == Piece::Pawn => self.weights.threatened_pawn,
            Status::Threatened => self.weights.threatened,
            Status::Defended => self.weights.defended,
            Status::Neutral => self.weights.neutral,
        }
    }

    /// Each man of the board, White's first: colour, kind, square, situation.
    fn for_each(&self, board: &Board, mut visit: impl FnMut(Color, Piece, usize, Situation)) {
        let (statuses, centre) = (Statuses::of(board, self.readings.threat_status), self.centre());
        for (color, piece) in
            chess::ALL_COLORS.into_iter().flat_map(|color| ALL_PIECES.map(|piece| (color, piece)))
        {
            for square in Squares(attacks::men(board, color, piece)) {
                let in_centre = centre >> square & 1 != 0;
                visit(color, piece, square, Situation { status: statuses.at(square), in_centre });
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
        let [white, black] = [Color::White, Color::Black].map(|color| board.color_combined(color).0);
        let attacked = white & by_black | black & by_white;
        let defended = white & by_white | black & by_black;
        let threatened = match reading {
            ThreatStatus::Undefended => attacked & !defended,
            _ => attacked,
        };
        Statuses { threatened, defended: defended & !attacked }
    }

    fn by_numbers(board: &Board) -> Statuses {
        let mut surplus = [0; 64];
        for_each_man(board, |color, _, _, touches| {
            let own = board.color_combined(color).0;
            Squares(touches & own).for_each(|square| surplus[square] += 1);
            Squares(touches & !own).for_each(|square| surplus[square] -= 1);
        });
        let mut statuses = Statuses { threatened: 0, defended: 0 };
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
        Threats::with_weights(ThreatWeights::DEFAULT)
    }
}

impl Tunable for Threats {
    type Weights = ThreatWeights;

    fn with_weights(weights: ThreatWeights) -> Self {
        Threats { weights, readings: Readings::default() }
    }

    fn weights(&self) -> &ThreatWeights {
        &self.weights
    }

    fn read_as(self, readings: &Readings) -> Self {
        Threats { readings: readings.clone(), ..self }
    }

    /// The base values and the rows hold the percentages as they are now: in these the value is not linear.
    fn coefficients(&self, board: &Board) -> Vec<f64> {
        let mut row = vec![0.0; ThreatWeights::COUNT];
        self.for_each(board, |color, piece, square, situation| {
            let sign = if color == Color::White { 1.0 } else { -1.0 };
            let (_, rows, factor) = self.product(piece, seen_rank(color, square), situation);
            let factor = f64::from(factor) / 10_000.0;
            let of_rows = if self.readings.threat_rows == ThreatRows::Inside { factor } else { 1.0 };
            row[piece.to_index()] += sign * factor;
            row[ROW] += sign * of_rows * f64::from(rows);
        });
        row
    }

    fn men(&self, board: &Board) -> Option<Men> {
        let mut rows = Vec::new();
        self.for_each(board, |color, piece, square, situation| {
            let rank = seen_rank(color, square);
            let (base, advanced, _) = self.product(piece, rank, situation);
            let worth = self.worth(piece, rank, situation);
            let signed = if color == Color::White { worth } else { -worth };
            let status = match situation.status {
                Status::Threatened => "threatened",
                Status::Defended => "defended",
                Status::Neutral => "",
            };
            rows.push(vec![
                explain::man(color, piece, square),
                base.to_string(),
                status.to_owned(),
                format!("{} %", self.percent(piece, situation.status)),
                if situation.in_centre { format!("{} %", self.weights.centre) } else { String::new() },
                if advanced == 0 { String::new() } else { format!("{:+}", advanced * self.weights.row) },
                format!("{signed:+}"),
            ]);
        });
        Some(Men { head: "Man | Base: | Status | : | Centre: | Rows: | Worth:", rows })
    }
}

/// Where the weight of a row is among the numbers of the weights.
const ROW: usize = 6;

/// The rank of a square, 0 to 7, as a side sees it.
fn seen_rank(color: Color, square: usize) -> usize {
    match color {
        Color::White => attacks::rank::<true>(square),
        Color::Black => attacks::rank::<false>(square),
    }
}

#[cfg(test)]
mod tests;
