//! Which search plays, and the options that do not belong to one search.

use crate::choice;
use crate::eval::Evaluation;
use crate::options;
use crate::search::action::Preset as ActionPreset;
use crate::search::alphabeta::Preset as AlphaBetaPreset;
use crate::search::genetic::params::Preset;
use crate::search::minimax::Preset as MinMaxPreset;
use crate::util::system;

/// The most threads that can be asked for.
pub const MOST_THREADS: i64 = 256;

choice! {
    /// Which search plays.
    Backend {
        /// The genetic search of Dehghani & Babamir 2017.
        Genetic = "genetic",
        /// Principal variation search with everything modern, for comparison.
        AlphaBeta = "alphabeta",
        /// Plain Min-Max, the paper's first opponent.
        MiniMax = "minimax",
        /// Alpha-beta over what others answered, of Hesham, Abu-Elnasr & Elmougy 2021.
        Action = "action",
    }
}

options! {
    /// Options that do not belong to one search.
    pub struct EngineOptions {
        /// Which search plays: genetic, alphabeta, minimax, or action, which chooses among what
        /// others answered to the opponent's move (LibraryFile).
        backend: combo(Backend::Genetic) = "Backend",
        /// Sets all options of the genetic search at once: strong plays best, with branches that
        /// are bred by crossover, mutation and growth, and valued by small alpha-beta searches;
        /// paper is the search as published but for Selection, Mutants, MutationMove, OwnValue,
        /// QuiescenceWindow, Population and PopulationGrows, where other values than the text's
        /// play better; letter is the paper to the letter, so it also sets Evaluation to paper.
        preset: combo(Preset::Strong) = "Preset",
        /// Sets all options of the Min-Max search at once: plain has their defaults; threats is the
        /// program of Marcarelli 2010, so it also sets Backend to minimax and Evaluation to
        /// threats, with its options as they usually are.
        minmax_preset: combo(MinMaxPreset::Plain) = "MinMaxPreset",
        /// Sets all options of the backend action and of its library's filters at once: plain has
        /// their defaults; paper is the player of Hesham and others 2021, so it also sets Backend
        /// to action, Evaluation to power and PowerChain to direct, and it keeps its moves as cases
        /// (Retain) where LibraryFile names a file.
        action_preset: combo(ActionPreset::Plain) = "ActionPreset",
        /// Sets all options of the alpha-beta search at once: full has their defaults; factors is
        /// the player of Vazquez-Fernandez and Coello 2013, so it also sets Backend to alphabeta
        /// and Evaluation to factors, with the weights that they print.
        alphabeta_preset: combo(AlphaBetaPreset::Full) = "AlphaBetaPreset",
        /// What values positions: Winglet's evaluation with the paper's material (paper), Winglet's
        /// own (winglet), Kashan's own, which knows much more (kashan), that of Vazquez-Fernandez
        /// and Coello with 23 weights (factors), that of Hesham and others, by the defenders and
        /// attackers of each piece (power), or that of Marcarelli, by whether each piece is
        /// threatened or defended (threats).
        evaluation: combo(Evaluation::Kashan) = "Evaluation",
        /// A file of weights, as kashan tune writes it, in place of those that the evaluation has;
        /// it also sets Evaluation to what it was made for. Empty for the weights that are built
        /// in.
        weights_file: file("") = "WeightsFile",
        /// A file of a network, as kashan tune network writes it, which values positions in place
        /// of Evaluation and WeightsFile. Empty for none.
        network_file: file("") = "NetworkFile",
        /// Whether moves are taken from the opening book while it lasts.
        own_book: check(true) = "OwnBook",
        /// A Polyglot book to use in place of the built-in one; empty for the built-in one.
        book_file: file("") = "BookFile",
        /// The folder of Syzygy endgame tables, or several with a colon (Windows: semicolon)
        /// between them; empty for none. Where the tables know the position on the board, only
        /// moves that keep its result are played.
        syzygy_path: path("") = "SyzygyPath",
        /// Memory for trees and tables, in megabytes; of a table no more than seven eighths of what
        /// the machine has free. The xboard command memory sets the same.
        hash: spin(64, 1, 65536) = "Hash",
        /// Threads that search, for alpha-beta and the genetic search. Together they have the
        /// memory of Hash. The xboard command cores sets the same.
        threads: spin(1, 1, MOST_THREADS) = "Threads",
        /// How many best lines are shown, each with another first move. More than one costs
        /// strength, because all of them are searched; not with the presets paper and letter, which
        /// have them anyway. In xboard and in the console analysis alone shows them.
        lines: spin(1, 1, 218) = "MultiPV",
        /// Milliseconds that a move may lose between the engine and the referee's clock. Once the
        /// front end's clock has shown that moves usually lose less, later ones are planned to.
        /// What is kept on the clock besides is at least five times as much (an eighth of a full
        /// clock at most), and up to two seconds when it shows that a move lost more.
        move_overhead: spin(20, 0, 5000) = "MoveOverhead",
        /// The seed of all randomness; 0 for a different one each time.
        seed: spin(1, 0, 4294967295) = "Seed",
        /// Whether Kashan plays its games no better than UCI_Elo says, whatever search and
        /// evaluation the other options choose. Analysis and hints are as good as ever.
        limit_strength: check(false) = "UCI_LimitStrength",
        /// The strength of UCI_LimitStrength, in Elo of the CCRL Blitz list, as Stockfish's option
        /// of this name since version 16.
        elo: spin(1500, 800, 2800) = "UCI_Elo",
        /// Whether lost games are resigned.
        resign: check(false) = "Resign",
        /// Centipawns: a game is lost when the own score is this far below zero...
        resign_threshold: spin(900, 100, 30000) = "ResignThreshold",
        /// ... on this many own moves in a row.
        resign_moves: spin(4, 1, 100) = "ResignMoves",
        /// Whether draws are offered in even games. Offers of the opponent are always considered.
        offer_draw: check(false) = "OfferDraws",
        /// Centipawns: a game is even when the own score is this near to zero. An opponent's offer
        /// is also accepted at once when the own score is further below zero.
        draw_threshold: spin(10, 0, 1000) = "DrawThreshold",
        /// On so many own moves in a row the game must have been even before a draw is offered or
        /// accepted.
        draw_moves: spin(8, 1, 100) = "DrawMoves",
    }
}

/// The options that a strength in a person's words stands for, a rating or `max`, with their
/// values. A rating that is none is refused when they are set.
pub fn strength_options(text: &str) -> Vec<(String, String)> {
    let limited = |on: &str| ("UCI_LimitStrength".to_owned(), on.to_owned());
    match text.trim() {
        text if text.eq_ignore_ascii_case("max") => vec![limited("0")],
        elo => vec![("UCI_Elo".to_owned(), elo.to_owned()), limited("1")],
    }
}

/// 0 asks for a different seed each time.
pub(super) fn seed(option: i64) -> u64 {
    match u64::try_from(option) {
        Ok(seed) if seed != 0 => seed,
        _ => system::random(),
    }
}
