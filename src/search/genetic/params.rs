//! Every point that the paper leaves open, as an option, declared once. The defaults are the preset
//! `paper`.
//!
//! Seven of them are not what the paper's text says, because other values were measured to play
//! better. The preset `letter` takes these seven from the text.
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
//! Where `letter` is not the text either, or the text is silent, is in `kashan help papers`, by
//! section.
//!
//! What was tried, and measured, is in `benches/search.md`.

use crate::choice;
use crate::options;

choice! {
    /// A set of values for all options of the genetic search.
    Preset {
        /// As published, the open points settled as close to the text as possible, but for the
        /// seven defaults that play better otherwise: Selection, Mutants, MutationMove, OwnValue,
        /// QuiescenceWindow, Population and PopulationGrows.
        Paper = "paper",
        /// The paper to the letter: these seven too as the text has them.
        Letter = "letter",
        /// The strongest: branches bred by crossover and mutation with few moves a node, whose ends
        /// are valued by small alpha-beta searches (see [`bred`](super::bred)).
        Strong = "strong",
    }
}

impl Preset {
    /// The values that it stands for.
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
    /// How the ends of branches are valued.
    Leaves {
        /// By quiescence, as the paper does.
        Quiescence = "quiescence",
        /// By small alpha-beta searches: the bred search, preset `strong`. Of the other options
        /// CrossoverRate, MutationRate, LeafNodes, LeafGrowth, LeafDepth and Contenders matter
        /// then.
        AlphaBeta = "alphabeta",
    }
}

choice! {
    /// Which branches breed the next generation.
    Selection {
        /// Those whose values would have to change least to make them the best one; ties to the
        /// fitter, then to the newer.
        Contested = "contested",
        /// The fittest, ties to the newer; while nothing new is born of them, in proportion to
        /// fitness.
        Fittest = "fittest",
        /// At random, with chances in proportion to fitness H - K + 1.
        Proportionate = "proportionate",
        /// At random, all with the same chance, whatever their fitness.
        Random = "random",
    }
}

choice! {
    /// Which move takes the place of the one that mutates.
    MutationMove {
        /// Any other legal move, each with the same chance; most of them are in the tree before
        /// long.
        Uniform = "uniform",
        /// Any that is not yet in the tree, each with the same chance; any other once all are. The
        /// place of the branch that mutates is one where moves are missing, if there is any.
        Untried = "untried",
        /// As untried, but the more often a move became the best of its place, in all places of
        /// this search, the greater its chance.
        Successful = "successful",
        /// As untried, but where a piece hangs half of the draws are among the moves that take it,
        /// move it, defend it, or take what attacks it.
        Threats = "threats",
    }
}

choice! {
    /// From where quiescence search appends its lines.
    QuiescenceFrom {
        /// From the end of a new branch and from each new node where the side to move can capture
        /// or promote.
        Captures = "captures",
        /// From the end of a new branch only.
        End = "end",
        /// From nowhere: a branch ends where its moves end, quiet or not.
        Never = "never",
    }
}

choice! {
    /// What becomes of the own value of a node that gets children.
    OwnValue {
        /// It is kept: the changed Min-Max of section 4.2 to the letter. The side to move may then
        /// always do nothing, so that no quiet threat is ever seen.
        Kept = "kept",
        /// It stands for the moves that are not in the tree, and is dropped once all are: from then
        /// on changed and regular Min-Max agree.
        Dropped = "dropped",
    }
}

choice! {
    /// How the value of an inner node is made.
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
        /// P, how many branches breed in a generation; in the bred search it is one.
        population: spin(2, 1, 4096) = "Population",
        /// Whether P grows with the search: it is at least one for every thousand births, doubles
        /// when hardly any child is new, and halves again when many are, but never below its
        /// setting; and a generation ends when another branch becomes the best. The paper's P is
        /// fixed.
        population_grows: check(true) = "PopulationGrows",
        /// Crossover pairs a generation, in percent of P; in the bred search, in how many of a
        /// hundred nodes crossover is tried (from 100 on in all).
        crossover_rate: spin(50, 0, 1000) = "CrossoverRate",
        /// Mutations a generation, in percent of P; in the bred search, 0 switches mutation off
        /// (where all children are mated, what saves the side to move is looked for even so).
        mutation_rate: spin(50, 0, 1000) = "MutationRate",
        /// How the ends of branches are valued: by quiescence, or by small alpha-beta searches.
        leaves: combo(Leaves::Quiescence) = "Leaves",
        /// Bred search: the most positions of a local search, of which each mutant has one, as long
        /// as LeafGrowth does not say more.
        leaf_nodes: spin(1000, 10, 100000) = "LeafNodes",
        /// Bred search: the most positions of a local search are at least all positions so far to
        /// this power, in hundredths.
        leaf_growth: spin(60, 0, 65) = "LeafGrowth",
        /// Bred search: ends of the best branch with more half-moves to go grow.
        leaf_depth: spin(2, 1, 100) = "LeafDepth",
        /// Bred search: divided by the half-moves still to be searched, and one more, how many
        /// children of a node live on, those of the root that may be played besides; the less fit
        /// of the refuted die.
        contenders: spin(0, 0, 250) = "Contenders",
        /// Who breeds: the least contested, the fittest (ties to the newer), or drawn at random by
        /// fitness.
        selection: combo(Selection::Contested) = "Selection",
        /// Contested selection: what leaving a best branch costs, in centipawns, besides the
        /// difference in value.
        step_price: spin(10, 0, 1000) = "StepPrice",
        /// Contested selection: how many centipawns are taken off the contest of a root move for
        /// each halving of its effort (positions visited for its branches) against the best move's,
        /// down to 0.
        effort_discount: spin(5, 0, 1000) = "EffortDiscount",
        /// Which move takes the place of the one that mutates: one not yet in the tree if there is
        /// any, drawn by what was the best of other places (successful), alike (untried), or where
        /// a piece hangs rather a move that answers that (threats); or any other legal one
        /// (uniform, the paper's text).
        mutation_move: combo(MutationMove::Successful) = "MutationMove",
        /// How many moves a mutation tries at its place, one after the other, until one of them is
        /// better.
        mutants: spin(250, 1, 250) = "Mutants",
        /// Where quiescence lines are appended: ends and new nodes with captures, ends only, or
        /// nowhere.
        quiescence_from: combo(QuiescenceFrom::Captures) = "QuiescenceFrom",
        /// Half width, in centipawns, of the quiescence window round the root's value; 0 for no
        /// window.
        quiescence_window: spin(100, 0, 10000) = "QuiescenceWindow",
        /// Quiescence lines evade every check; by the text, captures alone follow their first move.
        line_evasions: check(false) = "LineEvasions",
        /// What becomes of a node's own value when its moves enter the tree: kept is the paper's
        /// text.
        own_value: combo(OwnValue::Dropped) = "OwnValue",
        /// How an inner node's value is made: changed Min-Max with own values, or regular Min-Max.
        inner_value: combo(InnerValue::Changed) = "InnerValue",
    }
}
