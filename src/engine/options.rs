//! The choice of the search, and the options beyond a single search.

use crate::choice;
use crate::eval::Evaluation;
use crate::options;
use crate::search::action::Preset as ActionPreset;
use crate::search::alphabeta::Preset as AlphaBetaPreset;
use crate::search::genetic::params::Preset;
use crate::search::minimax::Preset as MinMaxPreset;
use crate::util::system;

/// The largest number of threads.
pub const MOST_THREADS: i64 = 256;

choice! {
    /// The search for moves.
    Backend {
        /// The genetic search of Dehghani & Babamir 2017.
        Genetic = "genetic",
        /// Principal variation search with everything modern, for comparison.
        AlphaBeta = "alphabeta",
        /// Plain Min-Max, the paper's first opponent.
        MiniMax = "minimax",
        /// Alpha-beta over the answers of players, of Hesham, Abu-Elnasr & Elmougy 2021.
        Action = "action",
    }
}

options! {
    /// Options beyond a single search.
    pub struct EngineOptions {
        /// The search: genetic, alphabeta, minimax, or action, a choice among the answers of
        /// players to the opponent's move (LibraryFile).
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
        /// the player of Vazquez-Fernandez and Coello 2013, so this also sets Backend to alphabeta
        /// and Evaluation to factors, with the printed weights.
        alphabeta_preset: combo(AlphaBetaPreset::Full) = "AlphaBetaPreset",
        /// The evaluation of positions: Winglet's with the paper's material (paper), Winglet's own
        /// (winglet), Kashan's own, a network (network), Vazquez-Fernandez and Coello's with 23
        /// weights (factors), Hesham and others' by the defenders and attackers of each piece
        /// (power), or Marcarelli's by the threats and defences of each piece (threats).
        evaluation: combo(Evaluation::Network) = "Evaluation",
        /// A file of weights, as written by kashan tune evolve, in place of the evaluation's own
        /// weights; also sets Evaluation to the file's evaluation. Empty for the built-in weights.
        weights_file: file("") = "WeightsFile",
        /// A file of a network, as written by kashan tune network, in place of the built-in one;
        /// also sets Evaluation to network. Empty for the built-in network.
        network_file: file("") = "NetworkFile",
        /// Plays moves from the opening book while the book lasts.
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
        /// Threads for alpha-beta and the genetic search with the preset strong. Together they have
        /// the memory of Hash. The xboard command cores sets the same.
        threads: spin(1, 1, MOST_THREADS) = "Threads",
        /// The number of best lines on show, each with another first move. More than one costs
        /// strength, because all of them are searched; not with the presets paper and letter, which
        /// have them anyway. In xboard and in the console only analysis shows them.
        lines: spin(1, 1, 218) = "MultiPV",
        /// Milliseconds that a move may lose between the engine and the referee's clock. Later
        /// moves are planned with less once the front end's clock shows smaller losses. The
        /// reserve on the clock is at least five times as much (an eighth of a full clock at
        /// most), and up to two seconds after a larger loss.
        move_overhead: spin(20, 0, 5000) = "MoveOverhead",
        /// The seed of all randomness; 0 for a different one each time.
        seed: spin(1, 0, 4294967295) = "Seed",
        /// Limits Kashan's strength in games to UCI_Elo, with any search and evaluation. Analysis
        /// and hints stay at full strength.
        limit_strength: check(false) = "UCI_LimitStrength",
        /// The strength of UCI_LimitStrength, in Elo of the CCRL Blitz list, as Stockfish's option
        /// of this name since version 16.
        elo: spin(1500, 800, 2800) = "UCI_Elo",
        /// Resigns lost games.
        resign: check(false) = "Resign",
        /// Centipawns: a game is lost when the own score is this far below zero...
        resign_threshold: spin(900, 100, 30000) = "ResignThreshold",
        /// ... on this many own moves in a row.
        resign_moves: spin(4, 1, 100) = "ResignMoves",
        /// Offers draws in even games. Offers of the opponent are always considered.
        offer_draw: check(false) = "OfferDraws",
        /// Centipawns: a game is even when the own score is this near to zero. An opponent's offer
        /// is also accepted at once when the own score is further below zero.
        draw_threshold: spin(10, 0, 1000) = "DrawThreshold",
        /// Own moves in a row with an even game before a draw is offered or accepted.
        draw_moves: spin(8, 1, 100) = "DrawMoves",
    }
}

/// Returns the options and their values for a strength in a person's words, a rating or `max`. An
/// invalid rating is refused when the options are set.
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
