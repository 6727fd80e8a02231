//! What is remembered of the answers to "which child does this move lead to?": a cache of them, and a filter
//! that knows most of those that are "none".
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

fn index(parent: NodeId, gene: Gene) -> usize {
    (hash(parent, gene) >> (u32::BITS - ENTRIES_LOG2)) as usize
}

/// Fibonacci hashing of the node, with the move added in. The upper bits are the better ones.
fn hash(parent: NodeId, gene: Gene) -> u32 {
    let squares = gene.squares();
    (parent.0 ^ squares << 20).wrapping_mul(0x9e37_79b9) ^ squares.wrapping_mul(0x85eb_ca6b)
}

/// Which questions certainly have the answer "none": a Bloom filter with one bit for each of many questions.
///
/// Most genes that crossover asks for are no children, and without it a list of siblings is walked to see
/// that.
#[derive(Clone, Debug)]
pub(super) struct Filter {
    words: Box<[u64]>,
}

/// 0.5 MB.
const BITS_LOG2: u32 = 22;

impl Filter {
    /// No node has a child.
    pub fn new() -> Self {
        Filter { words: vec![0; 1 << (BITS_LOG2 - 6)].into() }
    }

    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// The node has this child from now on.
    pub fn add(&mut self, parent: NodeId, gene: Gene) {
        let (word, bit) = Self::place(parent, gene);
        self.words[word] |= bit;
    }

    /// `false` is certain.
    pub fn may_have(&self, parent: NodeId, gene: Gene) -> bool {
        let (word, bit) = Self::place(parent, gene);
        self.words[word] & bit != 0
    }

    fn place(parent: NodeId, gene: Gene) -> (usize, u64) {
        let place = hash(parent, gene) >> (u32::BITS - BITS_LOG2);
        ((place >> 6) as usize, 1 << (place & 63))
    }
}
