//! What a search did, in numbers.

/// Counts of one search, for reports and experiments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    pub generations: u64,
    /// Branches that ended where none had ended before, quiescence branches included; with alpha-beta at the
    /// leaves, branches that were born.
    pub branches: u64,
    /// Ends of branches that were valued by a small alpha-beta search, each as often as it was.
    pub leaves: u64,
    /// How often such a search was too large, so that the branch grew instead.
    pub passed_on: u64,
    /// Mutants that are not known to be better: the search of the moves that are not in the tree became too
    /// large, so that the one it was at was born.
    pub undecided: u64,
    /// The most positions that one search below the tree visited.
    pub largest_leaf: u64,
    /// How often the best move of a place was compared with its rivals: whether it is worth looking deeper.
    pub comparisons: u64,
    /// How often it was, so that the branch was looked at deeper than others.
    pub extensions: u64,
    /// Positions visited for the initial population, of several workers by the first.
    pub first_nodes: u64,
    /// Children of crossover that entered the tree.
    pub crossovers: u64,
    /// Children of mutation that entered the tree.
    pub mutations: u64,
    /// Branches that got one gene more because they were too large to be valued.
    pub growths: u64,
    /// Branches that died: refuted ones beyond the contenders of a node, and children of crossover that
    /// were no better.
    pub deaths: u64,
    /// Positions visited by mutation: by searches of the moves that are not in the tree.
    pub mutation_nodes: u64,
    /// Positions visited to value children of crossover.
    pub crossover_nodes: u64,
    /// Children with a move that cannot be made.
    pub illegal: u64,
    /// Children that were in the tree before.
    pub duplicates: u64,
    /// Children that would begin where branches may not get any longer.
    pub too_long: u64,
    /// How often the least fit branches had to make room.
    pub culls: u64,
    /// Positions visited for branches that begin with the move to play.
    pub best_nodes: u64,
    /// Nodes in the tree at the end.
    pub tree_nodes: u64,
    /// H at the end.
    pub height: u64,
}

impl Statistics {
    /// Children that entered the tree.
    pub fn births(&self) -> u64 {
        self.crossovers + self.mutations
    }

    /// Children that did not enter the tree.
    pub fn stillborn(&self) -> u64 {
        self.illegal + self.duplicates + self.too_long
    }
}
