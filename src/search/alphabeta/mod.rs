//! Alpha-beta with iterative deepening: the backend that the genetic search is compared with.
//!
//! Every technique beyond plain alpha-beta is an option, so that the paper's opponents can be rebuilt.
//!
//! What was tried, and measured, is in `benches/search.md`.

mod history;
pub mod leaf;
mod node;
mod ordering;
mod pruning;
mod root;
mod table;
pub(super) mod window;
mod worker;

use std::sync::Arc;

use self::history::History;
use self::root::Deepening;
use self::table::{Table, TableMemory};
use self::worker::Worker;
use super::prior::Prior;
use super::team::{MADE_AT_ONCE, Team};
use super::{Clock, Gate, Limits, Observer, Remark, SearchReport, Searcher};
use crate::evaluation::Evaluator;
use crate::position::{MoveList, Position};
use crate::{choice, options};

/// Megabytes of the transposition table until somebody says otherwise.
const DEFAULT_MEMORY: usize = 16;

/// The alpha-beta backend.
///
/// With several threads it is *Lazy SMP*: every worker deepens by itself, with its own histories, and the
/// workers meet in the transposition table only. What one has searched the others find there, and because
/// every other one is an iteration ahead they do not all search the same. The first worker watches the clock
/// and decides.
pub struct AlphaBeta<E> {
    /// May be changed between searches.
    pub options: AlphaBetaOptions,
    table: TableMemory,
    /// At least one.
    desks: Vec<Desk<E>>,
    /// What moves are tried first by before there is experience.
    prior: Option<Arc<Prior>>,
}

/// What a worker has for itself, from search to search.
struct Desk<E> {
    evaluator: E,
    history: History,
}

/// A search that all workers have a part in.
#[derive(Clone, Copy)]
struct Task<'a> {
    root: &'a Position,
    moves: &'a MoveList,
    limits: &'a Limits,
    clock: &'a Clock,
    options: &'a AlphaBetaOptions,
    table: Table<'a>,
    team: &'a Team,
}

impl<'a> Task<'a> {
    /// The part of one worker.
    fn begin<E: Evaluator>(self, desk: &'a mut Desk<E>, number: usize) -> Deepening<'a, E> {
        desk.history.next_search();
        let gate = Gate::of_worker(self.limits, self.clock, self.team, number);
        let Desk { evaluator, history } = desk;
        let last_depth = self.limits.depth_or(self.options.depth);
        let worker = Worker::new(evaluator, self.options, self.table, history, gate, self.root);
        let is_forced = self.moves.len() == 1 && self.limits.ask_for_a_choice(self.root);
        Deepening::new(worker, self.limits, last_depth, self.moves, is_forced)
    }
}

impl<E: Evaluator + Clone> AlphaBeta<E> {
    pub fn new(evaluator: E, options: AlphaBetaOptions) -> Self {
        AlphaBeta::with_memory(evaluator, options, DEFAULT_MEMORY)
    }

    /// A backend with a table of so many megabytes of 2^20 bytes.
    pub fn with_memory(evaluator: E, options: AlphaBetaOptions, megabytes: usize) -> Self {
        let desks = vec![Desk { evaluator, history: History::new() }];
        AlphaBeta { options, table: TableMemory::new(megabytes), desks, prior: None }
    }

    /// Orders quiet moves by what others played, as long as nothing better is known.
    pub fn with_prior(mut self, prior: Arc<Prior>) -> Self {
        self.prior = Some(prior);
        self.desks[0].history = self.new_history();
        self
    }

    /// Of a worker that knows nothing but what others played.
    fn new_history(&self) -> History {
        let mut history = History::new();
        if let Some(prior) = &self.prior {
            history.begin_with(prior);
        }
        history
    }

    /// As many desks as workers; those that are new know nothing.
    fn furnish(&mut self, workers: usize) {
        let workers = workers.max(1);
        self.desks.truncate(workers);
        while self.desks.len() < workers {
            let evaluator = self.desks[0].evaluator.clone();
            self.desks.push(Desk { evaluator, history: self.new_history() });
        }
    }
}

impl<E: Evaluator + Clone> Searcher for AlphaBeta<E> {
    fn search(
        &mut self,
        root: &Position,
        limits: &Limits,
        clock: &Clock,
        observer: &mut dyn Observer,
    ) -> SearchReport {
        let moves = ordering::in_order(root.board(), &limits.root_moves(root), &self.desks[0].history);
        if moves.is_empty() {
            return SearchReport::without_search(root, &moves);
        }
        if let Some(megabytes) = self.table.take_shortage() {
            observer.remark(Remark::ShortOfMemory(megabytes));
        }
        self.table.next_search(clock.is_limited());
        self.furnish(limits.threads);
        let team = Team::new(self.desks.len());
        let (options, table) = (&self.options, self.table.open());
        let task = Task { root, moves: &moves, limits, clock, options, table, team: &team };
        let (first, others) = self.desks.split_first_mut().expect("there is a first desk");
        let helpers = others.iter_mut().zip(1..);
        team.search(
            observer,
            |observer| task.begin(first, 0).lead(clock, observer),
            helpers.map(|(desk, number)| move || task.begin(desk, number).follow(number)),
        )
    }

    fn new_game(&mut self) {
        self.table.clear();
        for Desk { history, .. } in &mut self.desks {
            history.clear();
            if let Some(prior) = &self.prior {
                history.begin_with(prior);
            }
        }
    }

    fn set_memory(&mut self, megabytes: usize) {
        self.table.resize(megabytes);
    }

    fn prepare(&mut self, threads: usize) -> bool {
        let known = self.desks.len();
        self.furnish(threads.min(known + MADE_AT_ONCE).max(known));
        self.desks.len() < threads || self.table.prepare()
    }
}

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
    /// Options of the alpha-beta backend, each switchable, so that the paper's opponents can be had exactly.
    /// With every one off it is plain alpha-beta and finds Min-Max's score.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::{Kashan, Winglet};
    use crate::search::{Bound, Score, Thought};

    #[test]
    fn what_workers_need_is_made_before_the_search_and_kept_for_the_next_game() {
        let mut search = AlphaBeta::with_memory(Winglet::default(), AlphaBetaOptions::default(), 1);
        let steps = (1..).find(|_| !search.prepare(20));
        // Of the nineteen others eight are made at once.
        assert_eq!((steps, search.desks.len()), (Some(3), 20));
        search.new_game();
        assert_eq!(search.desks.len(), 20);
    }

    /// Listens whether an announced mate is taken back, or becomes a longer one.
    #[derive(Default)]
    struct Announced {
        fastest: Option<Score>,
        count: usize,
    }

    impl Observer for Announced {
        fn progress(&mut self, thought: &Thought) {
            if thought.rank > 1 || thought.bound != Bound::Exact {
                return;
            }
            if let Some(fastest) = self.fastest {
                let is_kept =
                    if fastest.is_lost() { thought.score <= fastest } else { thought.score >= fastest };
                assert!(is_kept, "{fastest} and then {}", thought.score);
            }
            if thought.score.is_mate() {
                self.fastest = Some(thought.score);
                self.count += 1;
            }
        }
    }

    /// In these the mate was found by one iteration, and the next one no longer had it.
    #[test]
    fn an_announced_mate_is_kept() {
        for fen in ["4K3/k7/8/8/7R/8/8/8 b - - 0 1", "8/8/7K/8/8/3R4/8/7k b - - 0 1"] {
            for (megabytes, lines, threads) in [(1, 1, 1), (16, 1, 1), (1, 3, 1), (1, 1, 2)] {
                let evaluator = Kashan::default();
                let mut search = AlphaBeta::with_memory(evaluator, AlphaBetaOptions::default(), megabytes);
                let limits = Limits { lines, threads, ..Limits::of_nodes(100_000 * threads as u64) };
                let mut heard = Announced::default();
                let root = Position::from_fen(fen).unwrap();
                let report = search.search(&root, &limits, &Clock::unlimited(), &mut heard);
                assert_eq!(heard.fastest, heard.fastest.map(|_| report.score), "{fen}");
                assert!(heard.count > 0 || threads > 1 || lines > 1, "{fen}: no mate was announced");
            }
        }
    }
}
