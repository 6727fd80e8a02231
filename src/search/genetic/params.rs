//! The points left open by the paper, as options, declared once. The defaults are the preset
//! `paper`.
//!
//! Seven of them differ from the paper's text, because other values were measured to play better.
//! The preset `letter` takes these seven from the text.
//!
//! | option | text (`letter`) | default (`paper`) |
//! |---|---|---|
//! | Selection | fittest: the greatest H - K + 1 (4.2) | contested: the least value or effort is missing |
//! | Mutants | 1 (4.6) | all moves of the place, until one of them is better |
//! | MutationMove | uniform: any other move (4.7) | successful: one not in the tree, by success elsewhere |
//! | OwnValue | kept (4.2) | dropped once all moves are in the tree |
//! | QuiescenceWindow | none (4.9) | 100 centipawns round the root's value |
//! | Population | 64 (the text names no number) | 2 |
//! | PopulationGrows | no | yes: with the births, and while hardly any child is new |
//!
//! The deviations of `letter` from the text, and the points without text, are in `kashan help
//! papers`, by section.
//!
//! `benches/search-log.md` has the experiments and their results.

use crate::choice;
use crate::options;

choice! {
    /// A set of values for all options of the genetic search.
    Preset {
        /// The paper as published, the open points settled as close to the text as possible, but
        /// for the seven defaults that play better otherwise: Selection, Mutants, MutationMove,
        /// OwnValue, QuiescenceWindow, Population and PopulationGrows.
        Paper = "paper",
        /// The paper to the letter: these seven too as the text has them.
        Letter = "letter",
        /// The strongest: branches bred by crossover and mutation, their ends valued by small
        /// alpha-beta searches (see [`strong`](super::strong)).
        Strong = "strong",
    }
}

impl Preset {
    /// The values of the preset.
    pub fn options(self) -> GeneticOptions {
        let paper = GeneticOptions::default();
        match self {
            Preset::Paper => paper,
            Preset::Strong => GeneticOptions {
                leaves: Leaves::AlphaBeta,
                crossover_rate: 100,
                contenders: 50,
                ..paper
            },
            Preset::Letter => GeneticOptions {
                population: 64,
                population_grows: false,
                mutation_move: MutationMove::Uniform,
                own_value: OwnValue::Kept,
                selection: Selection::Fittest,
                mutants: 1,
                quiescence_window: 0,
                ..paper
            },
        }
    }
}

choice! {
    /// The valuation of the ends of branches.
    Leaves {
        /// Quiescence, as in the paper.
        Quiescence = "quiescence",
        /// Small alpha-beta searches, as in preset `strong`. Of the other options only
        /// CrossoverRate, MutationRate, LeafNodes, LeafGrowth, LeafDepth and Contenders matter
        /// then.
        AlphaBeta = "alphabeta",
    }
}

choice! {
    /// The choice of the branches that breed the next generation.
    Selection {
        /// Those with the least change of values to become the best one; ties to the fitter, then
        /// to the newer.
        Contested = "contested",
        /// The fittest, ties to the newer; while nothing new is born of them, in proportion to
        /// fitness.
        Fittest = "fittest",
        /// At random, with chances in proportion to fitness H - K + 1.
        Proportionate = "proportionate",
    }
}

choice! {
    /// The choice of the move that replaces the mutated one.
    MutationMove {
        /// Any other legal move, each with the same chance; most of them are in the tree before
        /// long.
        Uniform = "uniform",
        /// Any move without a node, each with the same chance; any other once all have one. The
        /// branch mutates at a node with missing moves, if there is any.
        Untried = "untried",
        /// Like untried, but the more often a move became the best of its node, anywhere in this
        /// search, the greater its chance.
        Successful = "successful",
    }
}

choice! {
    /// The starting points of quiescence lines.
    QuiescenceFrom {
        /// The end of a new branch and each new node where the side to move can capture or promote.
        Captures = "captures",
        /// No node: a branch ends with its moves, quiet or not.
        Never = "never",
    }
}

choice! {
    /// The own value of a node once it gets children.
    OwnValue {
        /// Kept: the changed Min-Max of section 4.2 to the letter. The side to move may then always
        /// do nothing, so no quiet threat is ever seen.
        Kept = "kept",
        /// Stands for the moves without a node, and is dropped once all have one: from then on
        /// changed and regular Min-Max agree.
        Dropped = "dropped",
    }
}

choice! {
    /// The rule for the value of an inner node.
    InnerValue {
        /// The paper's changed Min-Max: the best of its own value and its children's (section 4.2).
        Changed = "changed",
        /// Regular Min-Max: the best of its children's values only; the own value counts only
        /// without children.
        Regular = "regular",
    }
}

options! {
    /// Options of the genetic search. The defaults are the preset `paper`.
    pub struct GeneticOptions {
        /// Levels of the initial population: 1 for every legal move, 2 for every pair of moves
        /// (section 6.5).
        levels: spin(2, 1, 2) = "Levels",
        /// P, the number of branches that breed in a generation; the default search has one.
        population: spin(2, 1, 4096) = "Population",
        /// Lets P grow with the search: at least one for every thousand births, doubled when hardly
        /// any child is new, halved again when many are, but never below its setting; and a
        /// generation ends when another branch becomes the best. The paper's P is fixed.
        population_grows: check(true) = "PopulationGrows",
        /// Crossover pairs a generation, in percent of P. Preset strong: the number of nodes, of a
        /// hundred, in which crossover is tried; from 100 on all.
        crossover_rate: spin(50, 0, 1000) = "CrossoverRate",
        /// Mutations a generation, in percent of P. Preset strong: 0 switches mutation off, other
        /// numbers are alike. (Where every child loses to a mate, mutation looks for a saving move
        /// even so.)
        mutation_rate: spin(50, 0, 1000) = "MutationRate",
        /// Valuation of the ends of branches: by quiescence, or by small alpha-beta searches.
        leaves: combo(Leaves::Quiescence) = "Leaves",
        /// Preset strong: a local search of a mutant or a leaf ends after so many positions, unless
        /// LeafGrowth allows more.
        leaf_nodes: spin(1000, 10, 100000) = "LeafNodes",
        /// Preset strong: a local search may visit N^(LeafGrowth / 100) positions, N being those
        /// that this thread has visited so far, if that is more than LeafNodes.
        leaf_growth: spin(75, 0, 100) = "LeafGrowth",
        /// Preset strong: a leaf of the best branch grows if the search wants more than so many
        /// half-moves behind it.
        leaf_depth: spin(2, 1, 100) = "LeafDepth",
        /// Preset strong: a node keeps one child more than Contenders / D, at most five, D being
        /// the half-moves to be searched from the node; the worst of the refuted others die. The
        /// root's children that may be played are kept besides.
        contenders: spin(0, 0, 250) = "Contenders",
        /// The parents: the least contested, the fittest (ties to the newer), or drawn at random by
        /// fitness.
        selection: combo(Selection::Contested) = "Selection",
        /// Contested selection: the price of leaving a best branch, in centipawns, besides the
        /// difference in value.
        step_price: spin(10, 0, 1000) = "StepPrice",
        /// Contested selection: how many centipawns are taken off the contest of a root move for
        /// each halving of its effort (nodes visited for its branches) against the best move's,
        /// down to 0.
        effort_discount: spin(5, 0, 1000) = "EffortDiscount",
        /// The move that replaces the mutated one: one not yet in the tree if there is any, drawn
        /// by success at other nodes (successful) or alike (untried); or any other legal one
        /// (uniform, the paper's text).
        mutation_move: combo(MutationMove::Successful) = "MutationMove",
        /// The number of moves that a mutation tries at its node, one after the other, until one is
        /// better.
        mutants: spin(250, 1, 250) = "Mutants",
        /// The starting points of quiescence lines: ends and new nodes with captures, or nowhere.
        quiescence_from: combo(QuiescenceFrom::Captures) = "QuiescenceFrom",
        /// Half width, in centipawns, of the quiescence window round the root's value; 0 for no
        /// window.
        quiescence_window: spin(100, 0, 10000) = "QuiescenceWindow",
        /// Quiescence lines evade every check; by the text, captures alone follow their first move.
        line_evasions: check(false) = "LineEvasions",
        /// The own value of a node whose moves enter the tree: kept is the paper's text.
        own_value: combo(OwnValue::Dropped) = "OwnValue",
        /// The value of an inner node: changed Min-Max with own values, or regular Min-Max.
        inner_value: combo(InnerValue::Changed) = "InnerValue",
    }
}
