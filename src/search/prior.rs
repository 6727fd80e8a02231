//! The usual answers in the games of others: a table for searches without experience.

use chess::{Board, ChessMove, Color, Piece};

use crate::rules::position::moves::is_capture;

/// The counts of answers to moves, by the moved pieces, their target squares, and captures. Both
/// sides are alike: Black's moves count as White's on the mirrored board.
pub struct Prior {
    /// A row of answers for each move.
    counts: Vec<u16>,
}

/// A move in a [`Prior`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot(u16);

/// The number of slots: six kinds of pieces, 64 squares, taking or not.
pub const SLOTS: usize = 6 * 64 * 2;

impl Slot {
    /// The slot of a piece (a pawn is 0, the king 5) and a target square (a1 is 0), both as
    /// White's.
    pub fn new(piece: usize, target: usize, captures: bool) -> Slot {
        Slot((usize::from(captures) * 384 + piece.min(5) * 64 + (target & 63)) as u16)
    }

    /// The slot of a legal move.
    pub fn of(board: &Board, mv: ChessMove) -> Slot {
        let piece = board.piece_on(mv.get_source()).unwrap_or(Piece::Pawn);
        let mirror = if board.side_to_move() == Color::White {
            0
        } else {
            56
        };
        Slot::new(
            piece.to_index(),
            mv.get_dest().to_index() ^ mirror,
            is_capture(board, mv),
        )
    }

    /// Its number, below [`SLOTS`].
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The piece, the square as White's, and whether something is taken.
    pub fn parts(self) -> (usize, usize, bool) {
        let number = usize::from(self.0);
        (number / 64 % 6, number % 64, number >= 384)
    }
}

impl Prior {
    /// A table of action, reaction and count; repeated pairs add up.
    pub fn new(counts: impl IntoIterator<Item = (Slot, Slot, u32)>) -> Prior {
        let mut prior = Prior {
            counts: vec![0; SLOTS * SLOTS],
        };
        for (Slot(action), Slot(reaction), count) in counts {
            let known = &mut prior.counts[usize::from(action) * SLOTS + usize::from(reaction)];
            *known = known.saturating_add(u16::try_from(count).unwrap_or(u16::MAX));
        }
        prior
    }

    /// The counts of the answers to `action`, each up to 65,535.
    pub fn after(&self, Slot(action): Slot) -> Answers<'_> {
        Answers {
            row: &self.counts[usize::from(action) * SLOTS..][..SLOTS],
        }
    }

    /// The counts above 0: action, reaction, count.
    pub fn iter(&self) -> impl Iterator<Item = (Slot, Slot, u32)> {
        let slot = |number: usize| Slot(number as u16);
        let counted = self
            .counts
            .iter()
            .enumerate()
            .filter(|&(_, &count)| count > 0);
        counted.map(move |(at, &count)| (slot(at / SLOTS), slot(at % SLOTS), u32::from(count)))
    }
}

/// The answers to one move.
#[derive(Clone, Copy)]
pub struct Answers<'a> {
    row: &'a [u16],
}

impl Answers<'_> {
    /// The count of this answer.
    pub fn count(self, Slot(reaction): Slot) -> u32 {
        u32::from(self.row[usize::from(reaction)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::position::Position;

    fn slot(fen: &str, mv: &str) -> Slot {
        let position = Position::from_fen(fen).unwrap();
        Slot::of(position.board(), position.parse_move(mv).unwrap())
    }

    #[test]
    fn both_sides_moves_are_alike_and_captures_are_not_quiet_moves() {
        const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        let (white, black) = (
            slot(&format!("{START} w KQkq - 0 1"), "Nf3"),
            slot(&format!("{START} b KQkq - 0 1"), "Nf6"),
        );
        let capture = slot("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "exd5");
        assert_eq!(
            (white, white.parts(), capture.parts()),
            (black, (1, 21, false), (0, 35, true))
        );
        let prior = Prior::new([
            (white, capture, 3),
            (white, capture, 70_000),
            (capture, white, 2),
        ]);
        assert_eq!(
            [capture, white].map(|slot| prior.after(white).count(slot)),
            [65_535, 0]
        );
        assert_eq!(
            prior.iter().collect::<Vec<_>>(),
            [(white, capture, 65_535), (capture, white, 2)]
        );
    }
}
