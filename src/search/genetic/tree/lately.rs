//! Which child a move leads to, remembered for the nodes that were asked for lately.
//!
//! Siblings are a list through memory that no cache holds in a large tree. Crossover asks for the same few nodes again and again, because the
//! fittest branches stay the fittest for many generations.

use chess::ChessMove;

use super::NodeId;

/// A table with one place for each of many questions; a newer question takes the place of an older one.
#[derive(Clone, Debug)]
pub(super) struct Lately {
    answers: Box<[Answer]>,
}

#[derive(Clone, Copy, Debug)]
struct Answer {
    parent: NodeId,
    gene: ChessMove,
    /// `NodeId::NONE`: there is no such child.
    child: NodeId,
}

impl Default for Answer {
    /// To a question that nobody asks.
    fn default() -> Self {
        Answer {
            parent: NodeId::NONE,
            gene: ChessMove::default(),
            child: NodeId::NONE,
        }
    }
}

/// 0.8 MB, which the second-level caches of today's processors hold.
const PLACES_LOG2: u32 = 16;

impl Lately {
    pub fn new() -> Self {
        Lately {
            answers: vec![Answer::default(); 1 << PLACES_LOG2].into(),
        }
    }

    pub fn clear(&mut self) {
        self.answers.fill(Answer::default());
    }

    /// `None` if the question is new or was forgotten; otherwise what was said, the child or that there is none.
    pub fn answer(&self, parent: NodeId, gene: ChessMove) -> Option<Option<NodeId>> {
        let answer = &self.answers[place(parent, gene)];
        (answer.parent == parent && answer.gene == gene).then(|| answer.child.some())
    }

    pub fn learn(&mut self, parent: NodeId, gene: ChessMove, child: Option<NodeId>) {
        let child = child.unwrap_or(NodeId::NONE);
        self.answers[place(parent, gene)] = Answer { parent, gene, child };
    }
}

/// Fibonacci hashing of the node, with the move added in.
fn place(parent: NodeId, gene: ChessMove) -> usize {
    let squares = (gene.get_source().to_index() << 6 | gene.get_dest().to_index()) as u32;
    let mixed = (parent.0 ^ squares << 20).wrapping_mul(0x9e37_79b9) ^ squares.wrapping_mul(0x85eb_ca6b);
    (mixed >> (u32::BITS - PLACES_LOG2)) as usize
}
