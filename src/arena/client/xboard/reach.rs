//! Moves from the start of the game to a position. An engine without `setboard` is told these where
//! `edit` cannot say all of the position.

use std::collections::HashSet;

use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, Color, EnPassantMode, Move, Position as _, Role};

/// Half-moves of the longest line that is looked for.
const LONGEST: u32 = 24;

/// Positions that are looked at for one line.
const MOST_POSITIONS: u32 = 100_000;

/// A line to `target`, the shortest but for a few half-moves; `None` if none was found.
pub fn line_to(target: &Chess) -> Option<Vec<Move>> {
    let mut search = Search {
        target,
        line: Vec::new(),
        failed: HashSet::new(),
        left: MOST_POSITIONS,
    };
    let parity = u32::from(target.turn() == Color::Black);
    // A move counter that was set says how many moves were made.
    let said = 2 * (target.fullmoves().get() - 1) + parity;
    let lengths = [said].into_iter().chain((parity..=LONGEST).step_by(2));
    for length in lengths.filter(|&length| length <= LONGEST) {
        if search.reaches(&Chess::default(), length) {
            return Some(search.line);
        }
    }
    None
}

struct Search<'t> {
    target: &'t Chess,
    line: Vec<Move>,
    /// Positions from which so many half-moves do not lead to the target.
    failed: HashSet<(u64, u32)>,
    left: u32,
}

impl Search<'_> {
    /// Returns true if so many half-moves lead to the target; they are in the line then.
    fn reaches(&mut self, position: &Chess, length: u32) -> bool {
        if length == 0 {
            return self.is_target(position);
        }
        if self.left == 0 || self.is_too_far(position, length) {
            return false;
        }
        self.left -= 1;
        let Zobrist64(key) = position.zobrist_hash(EnPassantMode::Legal);
        if self.failed.contains(&(key, length)) {
            return false;
        }
        for mv in position.legal_moves() {
            let mut next = position.clone();
            next.play_unchecked(mv);
            self.line.push(mv);
            if self.reaches(&next, length - 1) {
                return true;
            }
            self.line.pop();
        }
        self.failed.insert((key, length));
        false
    }

    /// The move counter is the one thing that may differ.
    fn is_target(&self, position: &Chess) -> bool {
        position.board() == self.target.board()
            && position.turn() == self.target.turn()
            && position.castles().castling_rights() == self.target.castles().castling_rights()
            && position.legal_ep_square() == self.target.legal_ep_square()
            && position.halfmoves() == self.target.halfmoves()
    }

    /// Returns true if a piece is gone that the target has, or if a side has fewer moves than
    /// pieces that stand elsewhere or than pieces to take.
    fn is_too_far(&self, position: &Chess, length: u32) -> bool {
        let now = position.board();
        let then = self.target.board();
        Color::ALL.into_iter().any(|color| {
            let is_mover = color == position.turn();
            let moves = if is_mover {
                length.div_ceil(2)
            } else {
                length / 2
            };
            let missing: usize = Role::ALL
                .into_iter()
                .map(|role| {
                    let piece = role.of(color);
                    (then.by_piece(piece) & !now.by_piece(piece)).count()
                })
                .sum();
            // One move moves king and rook.
            let castled = usize::from(
                position.castles().castling_rights() != self.target.castles().castling_rights(),
            );
            let own = now.by_color(color).count();
            let left = then.by_color(color).count();
            let captures = length as usize - moves as usize;
            own < left || own > left + captures || missing.saturating_sub(castled) > moves as usize
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::position::notation::{read_fen, write_fen};

    fn reached(fen: &str) -> Option<String> {
        let line = line_to(&read_fen(fen).expect(fen))?;
        let mut position = Chess::default();
        for &mv in &line {
            assert!(position.is_legal(mv));
            position.play_unchecked(mv);
        }
        Some(write_fen(&position))
    }

    #[test]
    fn lines_lead_to_positions_of_openings() {
        for fen in [
            // A capture in passing, with a move counter and without one.
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6",
            // Castling, and rights that are lost.
            "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4",
            "rnbq1bnr/ppppkppp/8/4p3/4P3/8/PPPPKPPP/RNBQ1BNR w - - 2 3",
        ] {
            let end = reached(fen).expect(fen);
            let fields = |fen: &str| {
                fen.split(' ')
                    .take(5)
                    .map(str::to_owned)
                    .collect::<Vec<_>>()
            };
            assert_eq!(fields(&end), fields(&write_fen(&read_fen(fen).expect(fen))));
        }
    }

    #[test]
    fn endgames_are_given_up_soon() {
        let begun = std::time::Instant::now();
        for fen in [
            "3rk3/8/8/8/8/8/5PPP/4K2R w - - 0 1",
            "4k3/8/8/8/3pP3/8/5P2/4K3 b - e3 0 1",
        ] {
            assert_eq!(reached(fen), None, "{fen}");
        }
        assert!(begun.elapsed() < std::time::Duration::from_secs(60));
    }
}
