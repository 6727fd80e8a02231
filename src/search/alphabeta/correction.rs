//! How wrong the static evaluation was in positions that have something in common.

use chess::{BitBoard, Board, Color, Piece};

/// Entries of a table that positions share by a key.
const SIZE: usize = 1 << 13;

/// The largest absolute value of an entry.
const LIMIT: i32 = 1_024;

/// What one search teaches is at most this.
const MOST_AT_ONCE: i32 = LIMIT / 4;

/// So much of an entry counts one centipawn.
const PER_CENTIPAWN: i32 = 16;

/// By what positions have in common, for each side to move.
type Table = [[i16; SIZE]; 2];

/// What searches found more than the static evaluation said, on average, in positions with the same pawns or
/// with the same men of one colour: the correction history of Stockfish (2024).
///
/// Each table corrects by at most 64 centipawns. The newest searches count most.
pub(super) struct Corrections(Vec<Table>);

/// Where the tables keep what is about one position.
#[derive(Clone, Copy)]
pub(super) struct Place {
    side: usize,
    entries: [usize; 3],
}

impl Place {
    pub fn of(board: &Board) -> Self {
        let [white, black] = [Color::White, Color::Black].map(|color| *board.color_combined(color));
        let pawns = *board.pieces(Piece::Pawn);
        let men = |own: BitBoard| {
            let pieces = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen, Piece::King];
            entry(pieces.map(|piece| *board.pieces(piece) & own))
        };
        Place {
            side: board.side_to_move().to_index(),
            entries: [entry([pawns & white, pawns & black]), men(white), men(black)],
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
        .fold(0u64, |key, (set, factor)| key.wrapping_add((set.0 ^ (set.0 >> 32)).wrapping_mul(factor)));
    ((key ^ (key >> 29)).wrapping_mul(FACTORS[0]) >> (u64::BITS - SIZE.trailing_zeros())) as usize
}

impl Corrections {
    pub fn new() -> Self {
        Corrections(vec![[[0; SIZE]; 2]; 3])
    }

    /// Centipawns to add to the static evaluation from the side to move.
    pub fn centipawns(&self, place: Place) -> i32 {
        let entries = self.0.iter().zip(place.entries);
        entries.map(|(table, entry)| i32::from(table[place.side][entry])).sum::<i32>() / PER_CENTIPAWN
    }

    /// Learns that a search to `depth` found so many centipawns more than the evaluation, corrected as it
    /// was.
    pub fn learn(&mut self, place: Place, centipawns: i32, depth: i32) {
        let bonus = (centipawns * depth / 8).clamp(-MOST_AT_ONCE, MOST_AT_ONCE);
        for (table, entry) in self.0.iter_mut().zip(place.entries) {
            let value = &mut table[place.side][entry];
            let old = i32::from(*value);
            *value = (old + bonus - old * bonus.abs() / LIMIT) as i16;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    fn place(fen: &str) -> Place {
        Place::of(Position::from_fen(fen).unwrap().board())
    }

    #[test]
    fn experience_counts_for_positions_that_share_something() {
        let known = place("4k3/5p2/8/8/8/8/4PP2/R3K3 w Q - 0 1");
        let same_pawns = place("3k4/5p2/8/8/8/8/4PP2/1R2K3 w - - 0 1");
        let nothing_shared = place("3k4/6p1/8/8/8/8/4P1P1/1R2K3 w - - 0 1");
        let other_side = place("4k3/5p2/8/8/8/8/4PP2/R3K3 b Q - 0 1");
        let mut corrections = Corrections::new();
        corrections.learn(known, 40, 8);
        let [learned, shared] = [known, same_pawns].map(|place| corrections.centipawns(place));
        assert!(0 < shared && shared < learned && learned < 40, "{shared} {learned}");
        for place in [nothing_shared, other_side] {
            assert_eq!(corrections.centipawns(place), 0);
        }
    }

    #[test]
    fn corrections_are_bounded_on_both_sides() {
        let place = place("4k3/5p2/8/8/8/8/4PP2/R3K3 w Q - 0 1");
        let mut corrections = Corrections::new();
        for sign in [1, -1] {
            for _ in 0..100 {
                corrections.learn(place, sign * 3_000, 20);
            }
            let most = 3 * LIMIT / PER_CENTIPAWN;
            let learned = sign * corrections.centipawns(place);
            assert!((most / 2..=most).contains(&learned), "{learned}");
        }
    }
}
