//! A cache of the answers to "which child does this move lead to?".
//!
//! Siblings are a list through memory that no processor cache holds in a large tree. Crossover asks for the
//! same few nodes again and again, because the fittest branches stay the fittest for many generations.

use chess::ChessMove;

use super::{Gene, NodeId};

/// A table with one entry for each of many questions; a newer answer takes the place of an older one.
#[derive(Clone, Debug)]
pub(super) struct ChildCache {
    entries: Box<[Entry]>,
}

/// What the cache says of a move at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cached {
    Child(NodeId),
    NoChild,
    /// Nobody asked before, or the answer had to make room for another.
    Unknown,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    parent: NodeId,
    gene: Gene,
    /// `NodeId::NONE`: there is no such child.
    child: NodeId,
}

impl Default for Entry {
    /// Answers a question that nobody asks.
    fn default() -> Self {
        Entry { parent: NodeId::NONE, gene: Gene::pack(ChessMove::default()), child: NodeId::NONE }
    }
}

/// 0.8 MB, which the second-level caches of today's processors hold.
const ENTRIES_LOG2: u32 = 16;

impl ChildCache {
    pub fn new() -> Self {
        ChildCache { entries: vec![Entry::default(); 1 << ENTRIES_LOG2].into() }
    }

    pub fn clear(&mut self) {
        self.entries.fill(Entry::default());
    }

    pub fn get(&self, parent: NodeId, gene: Gene) -> Cached {
        let entry = &self.entries[index(parent, gene)];
        if entry.parent != parent || entry.gene != gene {
            return Cached::Unknown;
        }
        entry.child.some().map_or(Cached::NoChild, Cached::Child)
    }

    pub fn put(&mut self, parent: NodeId, gene: Gene, child: Option<NodeId>) {
        let child = child.unwrap_or(NodeId::NONE);
        self.entries[index(parent, gene)] = Entry { parent, gene, child };
    }
}

/// Fibonacci hashing of the node, with the move added in.
fn index(parent: NodeId, gene: Gene) -> usize {
    let squares = gene.squares();
    let mixed = (parent.0 ^ squares << 20).wrapping_mul(0x9e37_79b9) ^ squares.wrapping_mul(0x85eb_ca6b);
    (mixed >> (u32::BITS - ENTRIES_LOG2)) as usize
}
