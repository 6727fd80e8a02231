//! The success of moves at their nodes: the weights of mutation's draws.

use chess::{Board, ChessMove, Color, Piece};

use crate::rules::position::moves::is_capture;

/// A gene by its piece, its target square and whether it takes something. Both sides are alike:
/// Black's moves count as White's on the mirrored board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot(u16);

/// The number of slots: six kinds of pieces, 64 squares, taking or not.
const SLOTS: usize = 6 * 64 * 2;

impl Slot {
    /// The slot of a piece (a pawn is 0, the king 5) and a target square (a1 is 0), both as
    /// White's.
    fn new(piece: usize, target: usize, captures: bool) -> Slot {
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
    fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Counts of tried and of best mutants at their nodes: by the new gene, and by the new gene with
/// the gene before. They take 2.4 MB, besides the tree.
pub struct Success {
    genes: Vec<Counts>,
    /// A row for each gene before.
    replies: Vec<Counts>,
}

/// The number of mutants that became the best, and of those tried.
type Counts = (u16, u16);

/// The limit of tries; both numbers are halved then, so old results count less.
const MOST: u16 = 100;

impl Success {
    /// Nothing is known.
    pub fn new() -> Success {
        Success {
            genes: vec![(0, 0); SLOTS],
            replies: vec![(0, 0); SLOTS * SLOTS],
        }
    }

    /// Takes down whether a mutant became the best of its node.
    pub fn update(&mut self, before: Option<Slot>, gene: Slot, is_better: bool) {
        let of_answer = before.map(|before| &mut self.replies[row(before) + gene.index()]);
        for (better, tried) in of_answer.into_iter().chain([&mut self.genes[gene.index()]]) {
            if *tried == MOST {
                (*better, *tried) = (*better / 2, *tried / 2);
            }
            (*better, *tried) = (*better + u16::from(is_better), *tried + 1);
        }
    }

    /// The weight of a gene in the draw: the square of its expected share of better mutants, in
    /// millionths. At least 1.
    pub fn weight(&self, before: Option<Slot>, gene: Slot) -> u32 {
        // As if a gene had been tried four times before, with success in one of ten, and an answer
        // twice, with that of its gene.
        let share = |(better, tried): Counts, guess: f32, times: f32| {
            (f32::from(better) + guess * times) / (f32::from(tried) + times)
        };
        let of_gene = share(self.genes[gene.index()], 0.1, 4.0);
        let expected = before.map_or(of_gene, |before| {
            share(self.replies[row(before) + gene.index()], of_gene, 2.0)
        });
        ((expected * expected * 1e6) as u32).max(1)
    }
}

/// The row of replies to a gene.
fn row(before: Slot) -> usize {
    before.index() * SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_follow_what_was_better_as_an_answer_first_and_lately() {
        let mut success = Success::new();
        let slot = |square| Slot::new(1, square, false);
        let weight = |success: &Success, before: usize| success.weight(Some(slot(before)), slot(0));
        (0..1000).for_each(|number| {
            success.update(Some(slot(1 + number % 2)), slot(0), number % 2 == 0)
        });
        assert!(weight(&success, 1) > 900_000 && weight(&success, 2) < 1000);
        assert!(
            (220_000..260_000).contains(&weight(&success, 3)),
            "half of all were better"
        );
        (0..100).for_each(|_| success.update(Some(slot(1)), slot(0), false));
        assert!(
            weight(&success, 1) < 100_000,
            "what was long ago counts less"
        );
    }
}
