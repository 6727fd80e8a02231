//! What was found out about a node, and what has to be: verdicts and needs, from the node's side to move.

use chess::ChessMove;

use crate::rules::score::{Bound, Score};

/// What was shown of a node, or of its rest, by looking so many half-moves ahead.
#[derive(Clone, Copy, Debug)]
pub struct Verdict {
    pub depth: i32,
    pub bound: Bound,
    pub value: Score,
}

/// What has to be known of a node: its value to `depth` half-moves, exactly between `alpha` and `beta`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Need {
    pub depth: i32,
    pub alpha: Score,
    pub beta: Score,
}

/// Everything that is remembered of a node besides its value in the tree.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// Of the whole node.
    pub whole: Verdict,
    /// Of the moves that are not in the tree: none is better than that.
    pub rest: Verdict,
    /// The side to move is in check, and alpha-beta looks deeper there.
    pub is_extended: bool,
    /// Half-moves that the branch is looked at less deep than others because it came late.
    pub lag: i32,
    /// Half-moves that the branch is looked at deeper than others because it has no rival, or less deep
    /// because it has: see [`Operation::Compare`](super::select::Operation::Compare).
    pub extension: i32,
    /// The greatest depth at which the move that the table thinks best here was compared with its rivals.
    pub compared: i32,
    /// What a local search from here is expected to visit: as many positions as the last one, its share of
    /// those that were spent when it was born, or behind growth half of what its parent's costs.
    pub cost: u64,
    /// The greatest depth at which crossover was tried here.
    pub crossed: i32,
    /// What follows the node, if it is exact; behind an end, the genes by which the branch grows: those of
    /// crossover, or what followed when its value was last looked for.
    pub tail: Vec<ChessMove>,
    /// The tail of an end is from crossover.
    pub is_transplanted: bool,
}

impl Default for Verdict {
    /// Nothing is known.
    fn default() -> Self {
        Verdict { depth: -1, bound: Bound::Exact, value: Score::DRAW }
    }
}

impl Verdict {
    /// What a value says that was found in the window of a need.
    pub fn found(need: Need, value: Score) -> Self {
        let bound = match value {
            _ if value >= need.beta => Bound::Lower,
            _ if value <= need.alpha => Bound::Upper,
            _ => Bound::Exact,
        };
        Verdict { depth: need.depth, bound, value }
    }

    /// The same from the other side's point of view.
    pub fn for_opponent(self) -> Self {
        Verdict { bound: self.bound.for_opponent(), value: -self.value, ..self }
    }

    /// Whether the value is shown to be at most `alpha`, by looking at least so deep.
    pub fn is_at_most(self, alpha: Score, depth: i32) -> bool {
        self.depth >= depth && self.bound != Bound::Lower && self.value <= alpha
    }

    /// Whether the value is shown to be at least `beta`, by looking at least so deep.
    pub fn is_at_least(self, beta: Score, depth: i32) -> bool {
        self.depth >= depth && self.bound != Bound::Upper && self.value >= beta
    }

    /// Whether the value is known, by looking at least so deep.
    pub fn is_exact(self, depth: i32) -> bool {
        self.depth >= depth && self.bound == Bound::Exact
    }

    pub fn answers(self, need: Need) -> bool {
        self.is_exact(need.depth)
            || self.is_at_most(need.alpha, need.depth)
            || self.is_at_least(need.beta, need.depth)
    }
}

impl Need {
    /// Whether more is asked than on which side of a bound the value lies: on the best branch.
    pub fn is_wide(self) -> bool {
        self.beta.0 - self.alpha.0 > 1
    }

    /// For a child that may be the best: its value to `depth`, between `alpha` and this need's beta.
    pub fn of_best(self, depth: i32, alpha: Score) -> Self {
        Need { depth, alpha: -self.beta, beta: -alpha }
    }

    /// For a child: whether it is better than `alpha`, from the side to move above it.
    pub fn of_rival(depth: i32, alpha: Score) -> Self {
        Need { depth, alpha: -alpha - 1, beta: -alpha }
    }
}
