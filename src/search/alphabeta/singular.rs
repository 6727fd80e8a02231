//! Singular extensions: a move without an alternative is searched deeper.

use super::margins;
use super::table::Entry;
use super::window::Window;
use super::worker::{Node, Worker};
use crate::evaluation::Evaluator;
use crate::search::{Bound, Score};

/// What a search without the table's move found out.
pub(super) enum Singularity {
    /// How many half-moves deeper to search the table's move; below 0, less deep.
    Extension(i32),
    /// The others hold beta as well: the node's value, a lower bound.
    Settled(Score),
}

impl<E: Evaluator> Worker<'_, E> {
    /// Whether the table's move is singular (Anantharaman, Campbell and Hsu 1988): whether a search of half
    /// the depth, with that move left out, stays well below what the table says of it. `None` if the search
    /// has to end.
    pub(super) fn singularity(&mut self, node: &Node, window: Window, known: &Entry) -> Option<Singularity> {
        let is_asked = node.depth >= margins::SINGULAR_DEPTH
            && known.mv.is_some()
            && known.bound != Bound::Upper
            && known.depth >= node.depth - margins::SINGULAR_TABLE_DEPTH
            && self.path[node.ply].extensions < margins::MOST_EXTENSIONS
            && !known.score.counts_plies();
        if !is_asked {
            return Some(Singularity::Extension(0));
        }
        let beta = known.score - margins::singular_margin(node.depth);
        let others = Window { alpha: beta - 1, beta, principal: false };
        let others_only = Node { depth: (node.depth - 1) / 2, excluded: known.mv, ..*node };
        let (score, ..) = self.best_move(&others_only, others, &mut ())?;
        Some(if others.fails_low(score) {
            let doubly = !window.principal
                && score < beta - margins::DOUBLE_MARGIN
                && self.path[node.ply].extensions < margins::LONG_EXTENSIONS;
            Singularity::Extension(1 + i32::from(doubly))
        } else if window.fails_high(beta) && !window.principal {
            Singularity::Settled(beta)
        } else if window.fails_high(known.score) {
            // Other moves may refute the position as well: this one alone need not prove it.
            Singularity::Extension(if window.principal { -1 } else { -2 })
        } else {
            Singularity::Extension(0)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::with_worker;
    use super::*;
    use chess::EMPTY;

    /// How much deeper the table's move is searched from `depth` on, after a search to one half-move less.
    fn extension(fen: &str, depth: i32) -> i32 {
        with_worker(fen, |worker| {
            worker.node(Window::FULL, depth - 1, &mut ()).unwrap();
            let known = worker.probe(0).unwrap();
            let node = Node {
                ply: 0,
                depth,
                in_check: *worker.line.board().checkers() != EMPTY,
                evaluation: worker.evaluate(false, None),
                improving: true,
                table_move: known.mv,
                excluded: None,
                extension: 0,
            };
            match worker.singularity(&node, Window::FULL, &known).unwrap() {
                Singularity::Extension(extension) => extension,
                Singularity::Settled(score) => panic!("settled by {}", score.0),
            }
        })
    }

    #[test]
    fn only_a_move_without_an_alternative_is_singular() {
        const TAKES_THE_QUEEN: &str = "4k3/8/8/3q4/4P3/8/3P1P2/4K3 w - - 0 1";
        const MANY_MOVES: &str = "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1";
        assert_eq!(extension(TAKES_THE_QUEEN, 8), 1);
        assert_eq!(extension(MANY_MOVES, 8), 0);
        assert_eq!(extension(TAKES_THE_QUEEN, margins::SINGULAR_DEPTH - 1), 0, "too shallow to ask");
    }
}
