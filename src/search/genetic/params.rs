//! Every point that the paper leaves open, as an option, declared once. The defaults are the preset `paper`.
//!
//! Five of them are not what the paper's text says, because other values were measured to play better. The
//! preset `letter` takes these five from the text.
//!
//! | option | text (`letter`) | default (`paper`) |
//! |---|---|---|
//! | Selection | fittest: the greatest H - K + 1 | contested: the least is missing to the best branch |
//! | Mutants | 1 | all moves of the place, until one of them is better |
//! | MutationMove | uniform: any other move | untried: one that is not in the tree |
//! | OwnValue | kept | dropped once all moves are in the tree |
//! | PopulationGrows | no | yes, while hardly any child is new |
//!
//! # Where the nodes go
//!
//! H - K + 1 gives every root move but the best the same fitness, and their replies the next one: effort is
//! even over all moves, and the move that will be played gets no more than the worst. Contested selection
//! asks how little is missing to the best branch; H - K + 1 breaks ties. After 40,000 nodes the move to play
//! has 45 % of the tree instead of 5 %.
//!
//! What was tried for it, each idea alone. A loss is the mean of 200 middlegames at 40,000 nodes, in
//! centipawns, by the judgement of alpha-beta with 200,000 nodes; its 95 % interval is 5 to 8 either way, so
//! that no difference between two losses is certain. Games are from random openings with both colours, each
//! side with as much processor time a move; where they are few the machine had no time for more. Intervals
//! are Wilson's.
//!
//! | what | against | games | + = - | Elo (95 %) | loss |
//! |---|---|--:|---|---|---|
//! | contested | fittest | 0 | | | 27.2, 25.3 |
//! | the same, *open* and *pressed* | fittest | 18 at 0.05 s | 14 2 2 | +280 (+76, +483) | 21.6, 25.3 |
//! | up to 10 mutants in a place | 1 | 40 at 0.015 s | 28 1 11 | +158 (+41, +274) | 23.5, 21.6 |
//! | all mutants in a place | 10 | 40 at 0.015 s | 21 7 12 | +80 (-29, +188) | |
//! | parents drawn alike | pressed | 30 at 0.015 s | 14 6 10 | +47 (-76, +169) | |
//! | mutation anywhere | open | 20 at 0.015 s | 11 2 7 | +70 (-80, +221) | 20.3, 18.7 |
//! | mutants drawn by success elsewhere | alike | 20 at 0.015 s | 9 5 6 | +53 (-97, +202) | 22.8, 21.6 |
//! | the same, one mutant in a place | alike | 40 at 0.015 s | 19 6 15 | +35 (-72, +141) | |
//! | every fifth mutant below any root move | none | 10 at 0.015 s | 5 2 3 | +70 (-137, +278) | |
//! | `CrossoverRate=10` | 50 | 20 at 0.015 s | 13 0 7 | +108 (-47, +262) | |
//! | crossover behind where parents part | anywhere | 0 | | | 24.6, 21.6 |
//! | no tail behind a mutant | kept | 0 | | | 23.9, 21.6 |
//! | `StepPrice=25` | 10 | 0 | | | 23.8, 21.6 |
//! | the default | the default before | 22 at 0.05 s | 20 0 2 | +400 (+166, +634) | 20.3, 25.3 |
//! | the same | the same | 12 at 0.1 s | 12 0 0 | above +198 | |
//!
//! Open: a move mutates only from level K on, and only where moves are missing. Pressed: each parent is the
//! less contested of two that were drawn. Games from the third row on are with open, pressed (the sixth: not)
//! and, from the fifth on, all mutants in a place; losses beside 21.6 with open, pressed and one mutant.
//!
//! A capture of a quiescence line may turn out to be bad. Its node has no own value, so that nothing stands
//! for the moves beside it, and a far worse value, even a mate that is none, keeps selection away from there:
//! in `2kr4/ppp5/8/8/8/8/5PPP/q3Q1K1 w - -` the tree has Qxa1 b5 Qxa7 Rd1 mate, and the queen is not taken.
//! Tried with 20,000 positions a move against the default, intervals from pairs of games:
//!
//! | what | games | + = - | Elo (95 %) |
//! |---|--:|---|---|
//! | own value of such nodes: what doing nothing is worth | 105 | 46 15 44 | +7 (-58, +70) |
//! | differences in value count up to 300 centipawns | 122 | 45 13 64 | -55 (-103, -6) |
//! | both | 121 | 50 16 55 | -14 (-69, +40) |
//!
//! Each of them finds Qxa1, and none is shown to gain.
//!
//! Contested selection and all mutants in a place are the default. Of the rest nothing was shown to gain, so
//! the simpler way and the paper's text stayed.

use crate::{choice, options};

choice! {
    /// A set of values for all options of the genetic search.
    Preset {
        /// As published, the open points settled as close to the text as possible, but for the five defaults
        /// that play better otherwise: Selection, Mutants, MutationMove, OwnValue and
        /// PopulationGrows.
        Paper = "paper",
        /// The paper to the letter: these five too as the text has them.
        Letter = "letter",
        /// The strongest: a best-first tree of branches whose ends are valued by small alpha-beta searches
        /// (see [`memetic`](super::memetic)).
        Strong = "strong",
    }
}

impl Preset {
    /// The values that it stands for.
    pub fn options(self) -> GeneticOptions {
        let paper = GeneticOptions::default();
        match self {
            Preset::Paper => paper,
            Preset::Strong => GeneticOptions { leaves: Leaves::AlphaBeta, ..paper },
            Preset::Letter => GeneticOptions {
                population_grows: false,
                mutation_move: MutationMove::Uniform,
                own_value: OwnValue::Kept,
                selection: Selection::Fittest,
                mutants: 1,
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
        /// By small alpha-beta searches: the search of the preset `strong`. Of the other options
        /// those for leaves matter then: LeafDepth, LeafShare, DepthPrice, GreatestGap and LeavingPrice.
        AlphaBeta = "alphabeta",
    }
}

choice! {
    /// Which branches breed the next generation.
    Selection {
        /// Those whose values would have to change least to make them the best one; ties to the fitter, then
        /// to the newer.
        Contested = "contested",
        /// The fittest, ties to the newer.
        Fittest = "fittest",
        /// At random, with chances in proportion to fitness H - K + 1.
        Proportionate = "proportionate",
        /// The fittest of a few drawn at random.
        Tournament = "tournament",
        /// At random; one more of fitness doubles the chance.
        Softmax = "softmax",
        /// At random, all with the same chance, whatever their fitness.
        Random = "random",
    }
}

choice! {
    /// Where crossover may cut its two parents.
    CrossoverPoint {
        /// After the same level in both.
        SameLevel = "samelevel",
        /// After different levels with the same side to move.
        SameSide = "sameside",
    }
}

choice! {
    /// What happens to a child of crossover that contains an illegal move.
    IllegalChild {
        /// It is discarded (section 4.5).
        Discard = "discard",
        /// It is cut before its first illegal move.
        Cut = "cut",
    }
}

choice! {
    /// Which move of a branch mutates.
    MutationPoint {
        /// Each with the same chance, and one past the end.
        Uniform = "uniform",
        /// The opponent's moves with three times the chance of the own ones.
        Opponent = "opponent",
    }
}

choice! {
    /// Which move takes its place.
    MutationMove {
        /// Any other legal move, each with the same chance; most of them are in the tree before long.
        Uniform = "uniform",
        /// Drawn by move ordering: captures by what they win before quiet moves.
        Ordered = "ordered",
        /// Any that is not yet in the tree, each with the same chance; any other once all are.
        Untried = "untried",
        /// The same, but where a man hangs half of the draws are among the moves that take it, move it,
        /// defend it, or take what attacks it.
        Threats = "threats",
    }
}

choice! {
    /// From where quiescence search appends its lines.
    QuiescenceFrom {
        /// From the end of a new branch and from each new node where the side to move can capture or promote.
        Captures = "captures",
        /// From the end of a new branch only.
        End = "end",
        /// From every new node.
        Every = "every",
        /// From nowhere: a branch ends where its moves end, quiet or not.
        Never = "never",
    }
}

choice! {
    /// What becomes of the own value of a node that gets children.
    OwnValue {
        /// It is kept: the changed Min-Max of section 4.2 to the letter. The side to move may then always do
        /// nothing, so that no quiet threat is ever seen.
        Kept = "kept",
        /// It stands for the moves that are not in the tree, and is dropped once all are: from then on
        /// changed and regular Min-Max agree.
        Dropped = "dropped",
        /// It becomes the best value, by quiescence, of the moves not yet in the tree.
        Untried = "untried",
    }
}

choice! {
    /// How the value of an inner node is made.
    InnerValue {
        /// The paper's changed Min-Max: the best of its own value and its children's (section 4.2).
        Changed = "changed",
        /// Regular Min-Max: the best of its children's values only; the own value counts only without
        /// children.
        Regular = "regular",
    }
}

options! {
    /// Options of the genetic search. The defaults are the preset `paper`.
    pub struct GeneticOptions {
        /// Levels of the initial population: 1 for every legal move, 2 for every pair of moves (section 6.5).
        levels: spin(2, 1, 2) = "Levels",
        /// P, the number of branches that breed a generation.
        population: spin(64, 2, 4096) = "Population",
        /// Whether P doubles when hardly any child is new, and halves again when many are, but never below
        /// its setting. The paper's P is fixed.
        population_grows: check(true) = "PopulationGrows",
        /// Crossover pairs a generation, in percent of P.
        crossover_rate: spin(50, 0, 1000) = "CrossoverRate",
        /// Mutations a generation, in percent of P.
        mutation_rate: spin(50, 0, 1000) = "MutationRate",
        /// How the ends of branches are valued: by quiescence, or by small alpha-beta searches.
        leaves: combo(Leaves::Quiescence) = "Leaves",
        /// With alpha-beta leaves: an end of the best branch that is deeper than so many half-moves gets all
        /// its moves as branches.
        leaf_depth: spin(14, 1, 100) = "LeafDepth",
        /// With alpha-beta leaves: the percentage of all positions visited so far that a leaf search may
        /// visit which asks whether a branch is better than the best.
        leaf_share: spin(33, 1, 100) = "LeafShare",
        /// With alpha-beta leaves: what a half-move of depth weighs in centipawns of contest.
        depth_price: spin(50, 1, 10000) = "DepthPrice",
        /// With alpha-beta leaves: differences in value count up to so many centipawns, so that a sacrifice
        /// is looked at as well.
        greatest_gap: spin(50, 0, 100000) = "GreatestGap",
        /// With alpha-beta leaves: what leaving a best branch costs, in centipawns, besides the difference in
        /// value.
        leaving_price: spin(0, 0, 10000) = "LeavingPrice",
        /// Who breeds: the least contested, the fittest (ties to the newer), or drawn at random by fitness.
        selection: combo(Selection::Contested) = "Selection",
        /// Contested selection: what leaving a best branch costs, in centipawns, besides the difference in
        /// value.
        step_price: spin(10, 0, 1000) = "StepPrice",
        /// Branches drawn for each choice of tournament selection.
        tournament_size: spin(4, 1, 64) = "TournamentSize",
        /// Where crossover cuts: after the same level in both parents, or wherever the same side is to move.
        crossover_point: combo(CrossoverPoint::SameLevel) = "CrossoverPoint",
        /// What happens to children of crossover with an illegal move: discarded, or cut before it.
        illegal_child: combo(IllegalChild::Discard) = "IllegalChild",
        /// Which move of a branch mutates: any with the same chance, or rather the opponent's.
        mutation_point: combo(MutationPoint::Uniform) = "MutationPoint",
        /// Which move takes its place: one not yet in the tree if there is any, the same but where a man
        /// hangs rather a move that answers that (threats), any other legal one (the paper's text), or drawn
        /// by move ordering.
        mutation_move: combo(MutationMove::Untried) = "MutationMove",
        /// How many moves a mutation tries in its place, one after the other, until one of them is better.
        mutants: spin(250, 1, 250) = "Mutants",
        /// Where quiescence lines are appended: ends and new nodes with captures, ends only, every new node,
        /// or nowhere.
        quiescence_from: combo(QuiescenceFrom::Captures) = "QuiescenceFrom",
        /// Half width, in centipawns, of the quiescence window round the root's value; 0 for no window.
        quiescence_window: spin(100, 0, 10000) = "QuiescenceWindow",
        /// What becomes of a node's own value when its moves enter the tree: kept is the paper's text.
        own_value: combo(OwnValue::Dropped) = "OwnValue",
        /// How an inner node's value is made: changed Min-Max with own values, or regular Min-Max.
        inner_value: combo(InnerValue::Changed) = "InnerValue",
    }
}
