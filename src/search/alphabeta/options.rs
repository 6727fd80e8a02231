//! What the alpha-beta backend uses, each switchable, so that the paper's opponents can be had exactly.

use crate::{choice, options};

choice! {
    /// A set of values for all options of the alpha-beta backend.
    Preset {
        /// Their defaults.
        Full = "full",
        /// The player of Vazquez-Fernandez & Coello 2013, together with the evaluation `factors`.
        Factors = "factors",
    }
}

impl Preset {
    /// The values that it stands for.
    pub fn options(self) -> AlphaBetaOptions {
        match self {
            Preset::Full => AlphaBetaOptions::default(),
            // Section V: four plies, with quiescence and a hash table.
            Preset::Factors => {
                AlphaBetaOptions { transposition_table: true, depth: 4, ..AlphaBetaOptions::plain() }
            }
        }
    }
}

options! {
    /// Options of the alpha-beta backend. With every one off it is plain alpha-beta and finds Min-Max's
    /// score.
    pub struct AlphaBetaOptions {
        /// Principal variation search: later moves are first asked only whether they are better.
        principal_variation: check(true) = "PVS",
        /// A position so good that passing would do needs no deeper look.
        null_move: check(true) = "NullMove",
        /// Remembers positions across moves and searches.
        transposition_table: check(true) = "TranspositionTable",
        /// Tries quiet moves early that refuted a sibling.
        killers: check(true) = "Killers",
        /// Orders quiet moves by how often they were good elsewhere, alone and as answers.
        history: check(true) = "History",
        /// Tries captures that lose material last, and prunes by exchange value near the leaves (with
        /// ShallowPruning).
        exchange_evaluation: check(true) = "ExchangeEvaluation",
        /// Begins an iteration with a narrow window around the last score.
        aspiration_windows: check(true) = "AspirationWindows",
        /// Searches late moves less deep at first.
        late_move_reductions: check(true) = "LateMoveReductions",
        /// Near the leaves: reverse futility, razoring, futility and late-move pruning.
        shallow_pruning: check(true) = "ShallowPruning",
        /// Searches positions that the table does not know one half-move less deep (with TranspositionTable).
        iterative_reduction: check(true) = "IterativeReduction",
        /// Searches the table's move deeper where every other move is much worse, and settles a position that
        /// a second move would refute as well (with TranspositionTable).
        singular_extensions: check(true) = "SingularExtensions",
        /// Corrects the static evaluation by how wrong it was in positions with the same pawns or the same
        /// men of one colour.
        correction_history: check(true) = "CorrectionHistory",
        /// Searches positions in check one half-move deeper.
        check_extension: check(true) = "CheckExtension",
        /// Does not look for a mate longer than one already found.
        mate_distance: check(true) = "MateDistance",
        /// Quiescence evades checks in all of its positions, not only in the first.
        quiescence_evasions: check(true) = "QuiescenceEvasions",
        /// Depth of alpha-beta in half-moves, quiescence not counted, if no other depth is asked for; 0 for
        /// as deep as the clock lets it. The clock may end it earlier, and analysis goes deeper.
        depth: spin(0, 0, 100) = "AlphaBetaDepth",
    }
}

impl AlphaBetaOptions {
    /// Everything off: plain alpha-beta, as deep as it is asked to.
    pub fn plain() -> Self {
        AlphaBetaOptions {
            principal_variation: false,
            null_move: false,
            transposition_table: false,
            killers: false,
            history: false,
            exchange_evaluation: false,
            aspiration_windows: false,
            late_move_reductions: false,
            shallow_pruning: false,
            iterative_reduction: false,
            singular_extensions: false,
            correction_history: false,
            check_extension: false,
            mate_distance: false,
            quiescence_evasions: false,
            depth: 0,
        }
    }
}
