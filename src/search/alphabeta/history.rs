//! Experience of searches: killers of one search and histories for quiet moves, and the errors of
//! the static evaluation in positions with common features.

use chess::{BitBoard, Board, ChessMove, Color, Piece};

use crate::search::MAX_PLY;

/// The largest absolute value of one history entry.
const MOST_EXPERIENCE: i32 = 16_384;

/// A piece and its square of arrival: a move as seen by the replies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Arrival {
    color: Color,
    piece: Piece,
    square: usize,
}

impl Arrival {
    pub fn new(color: Color, piece: Piece, mv: ChessMove) -> Self {
        Arrival {
            color,
            piece,
            square: mv.get_dest().to_index(),
        }
    }

    fn index(self) -> usize {
        (self.color.to_index() * 6 + self.piece.to_index()) * 64 + self.square
    }
}

/// One table of [`Arrival`]s.
type ByArrival = [i16; 2 * 6 * 64];

/// The success of quiet moves, and the errors of the evaluation.
///
/// Every value moves towards its limit by a part of the remaining way ("gravity"), so old
/// experience fades.
pub(super) struct History {
    /// Indexed by side, source and target.
    plain: Box<[[[i16; 64]; 64]; 2]>,
    /// Indexed by the move one or two half-moves before, then by the move itself.
    continuation: Vec<ByArrival>,
    killers: [[Option<ChessMove>; 2]; MAX_PLY],
    pub corrections: Corrections,
}

impl History {
    /// An empty history.
    pub fn new() -> Self {
        History {
            plain: Box::new([[[0; 64]; 64]; 2]),
            continuation: vec![[0; 2 * 6 * 64]; 2 * 6 * 64],
            killers: [[None; 2]; MAX_PLY],
            corrections: Corrections::new(),
        }
    }

    /// Resets the history to a new one. The memory is kept: new memory costs more than overwriting.
    pub fn clear(&mut self) {
        let History {
            plain,
            continuation,
            killers,
            corrections,
        } = self;
        **plain = [[[0; 64]; 64]; 2];
        continuation.fill([0; 2 * 6 * 64]);
        *killers = [[None; 2]; MAX_PLY];
        *corrections = Corrections::new();
    }

    /// A new search begins: killers belong to the old root.
    pub fn next_search(&mut self) {
        self.killers = [[None; 2]; MAX_PLY];
    }

    /// The killers: refutations of siblings of the position at half-move `ply`, latest first.
    #[inline]
    pub fn killers(&self, ply: usize) -> [Option<ChessMove>; 2] {
        self.killers[ply]
    }

    /// A quiet move refuted the position at half-move `ply`.
    pub fn add_killer(&mut self, ply: usize, mv: ChessMove) {
        let [first, second] = &mut self.killers[ply];
        if *first != Some(mv) {
            *second = first.replace(mv);
        }
    }

    /// Experience with a quiet move, within three times the limit. `before` are the moves one and
    /// two half-moves earlier.
    #[inline]
    pub fn quiet(&self, arrival: Arrival, mv: ChessMove, before: [Option<Arrival>; 2]) -> i32 {
        let plain = i32::from(
            self.plain[arrival.color.to_index()][mv.get_source().to_index()]
                [mv.get_dest().to_index()],
        );
        before.into_iter().flatten().fold(plain, |sum, earlier| {
            sum + i32::from(self.continuation[earlier.index()][arrival.index()])
        })
    }

    /// Learns from a good (`bonus` above 0) or bad quiet move.
    pub fn update(
        &mut self,
        arrival: Arrival,
        mv: ChessMove,
        before: [Option<Arrival>; 2],
        bonus: i32,
    ) {
        self.update_plain(arrival.color, mv, bonus);
        for earlier in before.into_iter().flatten() {
            approach(
                &mut self.continuation[earlier.index()][arrival.index()],
                bonus,
                MOST_EXPERIENCE,
            );
        }
    }

    /// Learns from a quiet move, regardless of the moves before.
    pub fn update_plain(&mut self, side: Color, mv: ChessMove, bonus: i32) {
        let known =
            &mut self.plain[side.to_index()][mv.get_source().to_index()][mv.get_dest().to_index()];
        approach(known, bonus, MOST_EXPERIENCE);
    }
}

/// The bonus of a quiet move that changed the evaluation by `gain` centipawns for its mover. Most
/// cost a little, for the other side has the move then.
pub(super) fn bonus_of_gain(gain: i32) -> i32 {
    10 * (gain + 10).clamp(-80, 80)
}

/// Moves a value by a bonus, the less the nearer the value is to the limit.
fn approach(value: &mut i16, bonus: i32, limit: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / limit) as i16;
}

/// The bonus of a cutoff at this depth.
pub(super) fn bonus(depth: i32) -> i32 {
    (160 * depth - 80).min(1_600)
}

/// Entries of a correction table; positions share an entry by their key.
const CORRECTIONS: usize = 1 << 13;

/// The largest absolute value of an entry.
const MOST_CORRECTED: i32 = 1_024;

/// The largest change by one search.
const MOST_AT_ONCE: i32 = MOST_CORRECTED / 4;

/// The size of one centipawn in an entry.
const PER_CENTIPAWN: i32 = 16;

/// Entries by a common feature of positions, for each side to move.
type CorrectionTable = [[i16; CORRECTIONS]; 2];

/// The average difference between searches and the static evaluation, in positions with the same
/// pawns or the same pieces of one colour: the correction history of Stockfish (2024).
///
/// Each table corrects by at most 64 centipawns. The newest searches count most.
pub(super) struct Corrections(Vec<CorrectionTable>);

/// The entries of one position in the tables.
#[derive(Clone, Copy)]
pub(super) struct CorrectionEntries {
    side: usize,
    entries: [usize; 3],
}

impl CorrectionEntries {
    pub fn of(board: &Board) -> Self {
        let [white, black] = [Color::White, Color::Black].map(|color| *board.color_combined(color));
        let pawns = *board.pieces(Piece::Pawn);
        let pieces = |own: BitBoard| {
            let kinds = [
                Piece::Knight,
                Piece::Bishop,
                Piece::Rook,
                Piece::Queen,
                Piece::King,
            ];
            entry(kinds.map(|piece| *board.pieces(piece) & own))
        };
        CorrectionEntries {
            side: board.side_to_move().to_index(),
            entries: [
                entry([pawns & white, pawns & black]),
                pieces(white),
                pieces(black),
            ],
        }
    }
}

/// Spreads sets of squares over a table. (The products do not wait for each other.)
fn entry<const N: usize>(sets: [BitBoard; N]) -> usize {
    const FACTORS: [u64; 5] = [
        0x9E37_79B9_7F4A_7C15,
        0xC2B2_AE3D_27D4_EB4F,
        0x1656_67B1_9E37_79F9,
        0xD6E8_FEB8_6659_FD93,
        0xA076_1D64_78BD_642F,
    ];
    let key = sets
        .into_iter()
        .zip(FACTORS)
        .fold(0u64, |key, (set, factor)| {
            key.wrapping_add((set.0 ^ (set.0 >> 32)).wrapping_mul(factor))
        });
    ((key ^ (key >> 29)).wrapping_mul(FACTORS[0]) >> (u64::BITS - CORRECTIONS.trailing_zeros()))
        as usize
}

impl Corrections {
    pub fn new() -> Self {
        Corrections(vec![[[0; CORRECTIONS]; 2]; 3])
    }

    /// Centipawns to add to the static evaluation from the side to move.
    pub fn centipawns(&self, position: CorrectionEntries) -> i32 {
        let entries = self.0.iter().zip(position.entries);
        entries
            .map(|(table, entry)| i32::from(table[position.side][entry]))
            .sum::<i32>()
            / PER_CENTIPAWN
    }

    /// Learns from a search to `depth` with a score so many centipawns above the corrected
    /// evaluation.
    pub fn update(&mut self, position: CorrectionEntries, centipawns: i32, depth: i32) {
        let bonus = (centipawns * depth / 8).clamp(-MOST_AT_ONCE, MOST_AT_ONCE);
        for (table, entry) in self.0.iter_mut().zip(position.entries) {
            approach(&mut table[position.side][entry], bonus, MOST_CORRECTED);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Square;

    fn knight() -> (ChessMove, Arrival) {
        let mv = ChessMove::new(Square::G1, Square::F3, None);
        (mv, Arrival::new(Color::White, Piece::Knight, mv))
    }

    #[test]
    fn experience_stays_within_its_limit_and_fades() {
        let (mv, arrival) = knight();
        let mut history = History::new();
        let before = [Some(arrival), None];
        (0..1000).for_each(|_| history.update(arrival, mv, before, 1_600));
        let high = history.quiet(arrival, mv, before);
        assert!(high > MOST_EXPERIENCE && high <= 2 * MOST_EXPERIENCE);
        history.update(arrival, mv, [None, None], -1_600);
        assert!(history.quiet(arrival, mv, before) < high);
    }

    #[test]
    fn a_move_that_improves_the_evaluation_is_thought_good() {
        let (mv, arrival) = knight();
        let experience = |gain: i32| {
            let mut history = History::new();
            history.update_plain(Color::White, mv, bonus_of_gain(gain));
            history.quiet(arrival, mv, [None, None])
        };
        assert!(experience(-50) < 0 && 0 < experience(20) && experience(20) < experience(50));
        assert_eq!(experience(3_000), experience(30_000));
    }
}
