//! Builds a searcher from the options.

use std::sync::Arc;

use super::advice::LibraryCases;
use super::options::{Backend, seed};
use super::settings::Settings;
use super::worker::BuildSearcher;
use crate::eval::{Evaluator, ForSearch};
use crate::rules::position::Position;
use crate::search::action::{Action, CaseBase};
use crate::search::alphabeta::AlphaBeta;
use crate::search::genetic::Genetic;
use crate::search::minimax::MiniMax;
use crate::search::{Clock, Limits, Observer, Remains, SearchReport, Searcher};

/// Makes a recipe for the search thread from the settings.
pub type BuildFor = Box<dyn Fn(&Settings) -> BuildSearcher + Send>;

/// The searches of this crate.
pub fn standard() -> BuildFor {
    Box::new(|settings| {
        let settings = settings.clone();
        Box::new(move || {
            Box::new(Handicap {
                full: build(&settings),
                limited: None,
                was_limited: false,
            })
        })
    })
}

/// The searcher of the settings, and a second one, independent of the settings, for games at a
/// limited strength.
struct Handicap {
    full: Box<dyn Searcher>,
    /// The limited searcher; made at its first use.
    limited: Option<Box<dyn Searcher>>,
    /// The last search was for such a game.
    was_limited: bool,
}

impl Handicap {
    /// Memory enough for all nodes of even the strongest limited search.
    const MEGABYTES: i64 = 8;

    fn limited() -> Box<dyn Searcher> {
        let mut settings = Settings::default();
        settings.engine.hash = Handicap::MEGABYTES;
        build(&settings)
    }
}

impl Searcher for Handicap {
    fn search(
        &mut self,
        root: &Position,
        limits: &Limits,
        clock: &Clock,
        observer: &mut dyn Observer,
    ) -> SearchReport {
        self.was_limited = limits.strength.is_some();
        let Some(strength) = limits.strength else {
            return self.full.search(root, limits, clock, observer);
        };
        let limited = self.limited.get_or_insert_with(Handicap::limited);
        strength.play(limited.as_mut(), root, limits, clock, observer)
    }

    fn new_game(&mut self) {
        self.full.new_game();
    }

    fn set_memory(&mut self, megabytes: usize) {
        self.full.set_memory(megabytes);
    }

    fn prepare(&mut self, threads: usize) -> bool {
        self.full.prepare(threads)
    }

    fn remains(&self) -> Option<Remains<'_>> {
        let limited = self.limited.as_ref().filter(|_| self.was_limited);
        limited.unwrap_or(&self.full).remains()
    }
}

/// Builds the searcher of the settings, in its state at the start of a game.
pub fn build(settings: &Settings) -> Box<dyn Searcher> {
    match settings.evaluator() {
        ForSearch::Network(evaluator) => build_with(*evaluator, settings),
        ForSearch::Other(evaluator) => build_with(evaluator, settings),
    }
}

fn build_with<E: Evaluator + Clone + 'static>(
    evaluator: E,
    settings: &Settings,
) -> Box<dyn Searcher> {
    match settings.engine.backend {
        Backend::Genetic => Box::new(genetic(evaluator, settings)),
        Backend::AlphaBeta => Box::new(alphabeta(evaluator, settings)),
        Backend::MiniMax => Box::new(MiniMax::new(evaluator, settings.minimax.clone())),
        Backend::Action => Box::new(Action::new(
            alphabeta(evaluator, settings),
            case_base(settings),
            settings.action.clone(),
        )),
    }
}

fn alphabeta<E: Evaluator + Clone>(evaluator: E, settings: &Settings) -> AlphaBeta<E> {
    AlphaBeta::with_memory(evaluator, settings.alphabeta.clone(), megabytes(settings))
}

/// Returns the source of the cases.
fn case_base(settings: &Settings) -> Option<Box<dyn CaseBase>> {
    let library = Arc::clone(settings.library()?);
    Some(Box::new(LibraryCases::new(
        library,
        settings.library.filter(),
    )))
}

/// Builds the genetic search under these settings, for any backend, in its state at the start of a
/// game.
pub fn genetic<E: Evaluator + Clone>(evaluator: E, settings: &Settings) -> Genetic<E> {
    let mut genetic = Genetic::new(evaluator, settings.genetic.clone());
    genetic.local_options = settings.alphabeta.clone();
    genetic.set_memory(megabytes(settings));
    genetic.seed = seed(settings.engine.seed);
    // The seed counts from a new game on.
    genetic.new_game();
    genetic
}

/// The memory for trees and tables.
pub(super) fn megabytes(settings: &Settings) -> usize {
    usize::try_from(settings.engine.hash).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use chess::Piece;

    use super::*;
    use crate::search::{Score, Strength, exchange};

    const POSITIONS: [&str; 8] = [
        // The queen is attacked by a knight, by a pawn.
        "r1bqkbnr/pppp1ppp/2n5/8/3Q4/8/PPP2PPP/RNB1KBNR w KQkq - 1 5",
        "rnb1kbnr/ppp1pppp/8/3q4/8/2N5/PPPP1PPP/R1BQKBNR b KQkq - 1 3",
        "rnbqkbnr/ppp1pppp/8/3p4/4Q3/8/PPPP1PPP/RNB1KBNR w KQkq - 0 4",
        // The knight before it is pinned.
        "r2qkb1r/ppp2ppp/2np1n2/4p3/2B1P1b1/3P1N2/PPP2PPP/RNBQK2R w KQkq - 2 6",
        "rnbqk2r/ppp2ppp/3p1n2/2b1p1B1/4P3/3P1N2/PPP2PPP/RN1QKB1R b KQkq - 2 5",
        // The other queen can be taken.
        "rnb1kbnr/pppp1ppp/8/4p3/4P1q1/5N1P/PPPP1PP1/RNBQKB1R w KQkq - 0 4",
        "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4",
        "8/5pk1/6p1/3q4/4P3/6PP/5PK1/R7 w - - 0 40",
    ];

    fn searcher(options: &[(&str, &str)]) -> Box<dyn Searcher> {
        let settings = Settings::with(options.iter().copied()).expect("values that fit");
        standard()(&settings)()
    }

    fn choice(searcher: &mut dyn Searcher, fen: &str, elo: i64, seed: u64) -> SearchReport {
        let root = Position::from_fen(fen).expect(fen);
        let limits = Limits {
            strength: Some(Strength { elo, seed }),
            ..Limits::default()
        };
        searcher.search(&root, &limits, &Clock::unlimited(), &mut ())
    }

    #[test]
    fn nobody_gives_the_queen_away_or_leaves_one_that_can_be_taken() {
        let mut searcher = searcher(&[]);
        for fen in POSITIONS {
            let root = Position::from_fen(fen).expect(fen);
            for (elo, seed) in [800, 1200, 1600]
                .into_iter()
                .flat_map(|elo| (1..=6).map(move |seed| (elo, seed)))
            {
                let report = choice(searcher.as_mut(), fen, elo, seed);
                let mv = report.best_move().expect("there are moves");
                let takes = |board: &chess::Board, mv: chess::ChessMove| {
                    board.piece_on(mv.get_dest()) == Some(Piece::Queen)
                        && exchange::at_least(board, mv, 300)
                };
                if root
                    .legal_moves()
                    .into_iter()
                    .any(|mv| takes(root.board(), mv))
                {
                    assert!(takes(root.board(), mv), "{fen}: {mv} at {elo}, seed {seed}");
                }
                let mut after = root.clone();
                after.play(mv).expect("legal");
                let lost = after
                    .legal_moves()
                    .into_iter()
                    .find(|&reply| takes(after.board(), reply));
                assert_eq!(lost, None, "{fen}: {mv} at {elo}, seed {seed}");
            }
        }
    }

    #[test]
    fn seed_and_position_decide_and_nothing_else_does() {
        let others = [
            ("Preset", "paper"),
            ("Evaluation", "paper"),
            ("Hash", "1"),
            ("Seed", "77"),
        ];
        let mut ours = searcher(&[]);
        let mut other = searcher(&others);
        let mut minimax = searcher(&[("Backend", "minimax")]);
        let mut different = 0;
        for fen in POSITIONS {
            let [first, again] = [0, 1].map(|_| choice(ours.as_mut(), fen, 900, 5));
            let elsewhere = choice(other.as_mut(), fen, 900, 5);
            let known =
                |report: &SearchReport| (report.variation.clone(), report.score, report.nodes);
            assert_eq!(known(&first), known(&again), "{fen}");
            assert_eq!(known(&first), known(&elsewhere), "{fen}");
            assert_eq!(
                known(&first),
                known(&choice(minimax.as_mut(), fen, 900, 5)),
                "{fen}"
            );
            different += u32::from(choice(ours.as_mut(), fen, 900, 6).variation != first.variation);
        }
        assert!(different > 0, "another seed is another player");
    }

    #[test]
    fn analysis_is_what_it_was_without() {
        let root = Position::from_fen(POSITIONS[3]).expect("a position");
        let analyse = |searcher: &mut dyn Searcher| {
            let report = searcher.search_nodes(&root, 5_000);
            (report.variation.clone(), report.score, report.nodes)
        };
        let mut used = searcher(&[]);
        let mut fresh = searcher(&[]);
        choice(used.as_mut(), POSITIONS[3], 1200, 1);
        assert_eq!(analyse(used.as_mut()), analyse(fresh.as_mut()));
    }

    #[test]
    fn even_a_single_position_a_move_gives_a_move_and_a_mate_is_seen() {
        let mut searcher = searcher(&[]);
        let root = Position::from_fen("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1").expect("a position");
        let limits = Limits {
            strength: Some(Strength { elo: 800, seed: 3 }),
            ..Limits::of_nodes(1)
        };
        let report = searcher.search(&root, &limits, &Clock::unlimited(), &mut ());
        assert_eq!(
            (report.best_move(), report.score),
            (root.parse_move("Rd8#").ok(), Score::mate_in(1))
        );
    }
}
