//! Alpha-beta with iterative deepening: the genetic search is compared with this backend.
//!
//! Every technique beyond plain alpha-beta is an option, to rebuild the paper's opponents.
//!
//! `benches/search-log.md` has the experiments and their results.

mod history;
pub mod local;
mod node;
mod ordering;
mod pruning;
mod root;
mod table;
pub(super) mod window;
mod worker;

use self::history::History;
use self::root::Deepening;
use self::table::{Table, TableMemory};
use self::worker::Worker;
use super::team::{MADE_AT_ONCE, Team};
use super::{Clock, Limits, NodeCounter, Observer, Remark, SearchReport, Searcher};
use crate::choice;
use crate::eval::Evaluator;
use crate::options;
use crate::rules::position::Position;
use crate::util::options::OptionGroup as _;

/// The default size of the transposition table, in megabytes.
const DEFAULT_MEMORY: usize = 16;

/// The alpha-beta backend.
///
/// With several threads it is *Lazy SMP*: every worker deepens by itself, with its own histories,
/// and the workers meet in the transposition table only. Each finds there the work of the others,
/// and every other one is an iteration ahead, so they do not all search the same. The first worker
/// watches the clock and decides.
pub struct AlphaBeta<E> {
    /// May be changed between searches.
    pub options: AlphaBetaOptions,
    memory: Memory,
    /// One for each worker; at least one.
    evaluators: Vec<E>,
}

/// The experience of searches, kept from move to move: a table for all workers, and histories for
/// each.
pub struct Memory {
    table: TableMemory,
    histories: Vec<History>,
}

/// The part of a [`Memory`] for one worker of a search.
pub struct WorkerMemory<'a> {
    table: Table<'a>,
    history: &'a mut History,
}

impl<E: Evaluator + Clone> AlphaBeta<E> {
    pub fn new(evaluator: E, options: AlphaBetaOptions) -> Self {
        AlphaBeta::with_memory(evaluator, options, DEFAULT_MEMORY)
    }

    /// A backend with a table of so many megabytes of 2^20 bytes.
    pub fn with_memory(evaluator: E, options: AlphaBetaOptions, megabytes: usize) -> Self {
        AlphaBeta {
            options,
            memory: Memory::new(megabytes),
            evaluators: vec![evaluator],
        }
    }

    /// Makes as many evaluators as workers.
    fn furnish(&mut self, workers: usize) {
        self.evaluators.truncate(workers);
        while self.evaluators.len() < workers {
            self.evaluators.push(self.evaluators[0].clone());
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
        let moves = limits.root_moves(root);
        if moves.is_empty() {
            return SearchReport::without_search(root, &moves);
        }
        if let Some(megabytes) = self.memory.take_shortage() {
            observer.remark(Remark::ShortOfMemory(megabytes));
        }
        let workers = limits.threads.max(1);
        self.furnish(workers);
        let memories = self.memory.open(workers, clock.is_limited());
        let moves = ordering::in_order(root.board(), &moves, memories[0].history);
        let team = Team::new(workers);
        let options = &self.options;
        let begin = |evaluator, own, number| {
            let counter = NodeCounter::of_worker(limits, clock, &team, number);
            Deepening::new(
                Worker::new(evaluator, options, own, counter, root),
                limits,
                root,
                &moves,
            )
        };
        let begin = &begin;
        let mut pairs = self.evaluators.iter_mut().zip(memories);
        let (evaluator, own) = pairs.next().expect("there is a first worker");
        let helpers = pairs
            .zip(1..)
            .map(|((evaluator, own), number)| move || begin(evaluator, own, number).follow(number));
        team.search(
            observer,
            |observer| begin(evaluator, own, 0).lead(clock, observer),
            helpers,
        )
    }

    fn new_game(&mut self) {
        self.memory.clear();
    }

    fn set_memory(&mut self, megabytes: usize) {
        self.memory.table.resize(megabytes);
    }

    fn prepare(&mut self, threads: usize) -> bool {
        let is_more_to_do = self.memory.prepare(threads);
        self.furnish(self.memory.histories.len().max(1));
        is_more_to_do
    }
}

impl Memory {
    /// A table of so many megabytes of 2^20 bytes.
    pub fn new(megabytes: usize) -> Self {
        Memory {
            table: TableMemory::new(megabytes),
            histories: Vec::new(),
        }
    }

    /// The megabytes of the table, if they are fewer than wanted; `None` once reported.
    pub fn take_shortage(&mut self) -> Option<usize> {
        self.table.shortage.take()
    }

    /// See [`Searcher::prepare`].
    pub fn prepare(&mut self, workers: usize) -> bool {
        let known = self.histories.len();
        self.furnish(workers.min(known + MADE_AT_ONCE).max(known));
        self.histories.len() < workers || self.table.prepare()
    }

    /// Makes as many histories as workers.
    fn furnish(&mut self, workers: usize) {
        self.histories.resize_with(workers, History::new);
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.table.clear();
        self.histories.iter_mut().for_each(History::clear);
    }

    /// Begins a search of so many workers, perhaps against the clock. Returns the memory of each.
    pub fn open(&mut self, workers: usize, is_timed: bool) -> Vec<WorkerMemory<'_>> {
        self.table.next_search(is_timed);
        self.furnish(workers);
        self.histories.iter_mut().for_each(History::next_search);
        let table = self.table.open();
        self.histories
            .iter_mut()
            .map(|history| WorkerMemory { table, history })
            .collect()
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
    /// The values of the preset.
    pub fn options(self) -> AlphaBetaOptions {
        match self {
            Preset::Full => AlphaBetaOptions::default(),
            // Section V: four plies, with quiescence and a hash table.
            Preset::Factors => AlphaBetaOptions {
                transposition_table: true,
                depth: 4,
                ..AlphaBetaOptions::plain()
            },
        }
    }
}

options! {
    /// Options of the alpha-beta backend. With every one off the search is plain alpha-beta and
    /// finds Min-Max's score.
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
        /// Tries captures that lose material last, and prunes by exchange value near the leaves
        /// (with ShallowPruning).
        exchange_evaluation: check(true) = "ExchangeEvaluation",
        /// Begins an iteration with a narrow window around the last score.
        aspiration_windows: check(true) = "AspirationWindows",
        /// Searches late moves less deep at first.
        late_move_reductions: check(true) = "LateMoveReductions",
        /// Near the leaves: reverse futility, razoring, futility and late-move pruning.
        shallow_pruning: check(true) = "ShallowPruning",
        /// Searches positions that the table does not know one half-move less deep (with
        /// TranspositionTable).
        iterative_reduction: check(true) = "IterativeReduction",
        /// Searches the table's move deeper where every other move is much worse, and settles a
        /// position that a second move would refute as well (with TranspositionTable).
        singular_extensions: check(true) = "SingularExtensions",
        /// Corrects the static evaluation by how wrong it was in positions with the same pawns or
        /// the same pieces of one colour.
        correction_history: check(true) = "CorrectionHistory",
        /// Searches positions in check one half-move deeper.
        check_extension: check(true) = "CheckExtension",
        /// Does not look for a mate longer than one already found.
        mate_distance: check(true) = "MateDistance",
        /// Quiescence evades checks in all of its positions, not only in the first.
        quiescence_evasions: check(true) = "QuiescenceEvasions",
        /// Depth of alpha-beta in half-moves, quiescence not counted, if no other depth is asked
        /// for; 0 for as deep as the clock lets it. The clock may end it earlier, and analysis goes
        /// deeper.
        depth: spin(0, 0, 100) = "AlphaBetaDepth",
    }
}

impl AlphaBetaOptions {
    /// Plain alpha-beta: every option off, no fixed depth.
    pub fn plain() -> Self {
        let mut plain = AlphaBetaOptions::default();
        for spec in plain.specs() {
            plain.set(spec.name, "0").expect("every one can be 0");
        }
        plain
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{NetworkEvaluator, Winglet};
    use crate::search::{Bound, Score, Thought};

    #[test]
    fn what_workers_need_is_made_before_the_search_and_kept_for_the_next_game() {
        let mut search = AlphaBeta::with_memory(Winglet::default(), AlphaBetaOptions::default(), 1);
        let steps = (1..).find(|_| !search.prepare(20));
        // Eight are made at once.
        assert_eq!(
            (
                steps,
                search.memory.histories.len(),
                search.evaluators.len()
            ),
            (Some(3), 20, 20)
        );
        search.new_game();
        assert_eq!(
            (search.memory.histories.len(), search.evaluators.len()),
            (20, 20)
        );
    }

    /// Listens whether an announced mate is taken back, becomes a longer one, or, if it is the
    /// mover's own, is told without its whole line.
    #[derive(Default)]
    struct Announced {
        fastest: Option<Score>,
        count: usize,
        complete: usize,
        incomplete: usize,
    }

    impl Announced {
        /// Returns true if a score takes back no mate that was announced.
        fn is_kept_by(&self, score: Score) -> bool {
            self.fastest.is_none_or(|mate| {
                if mate.is_mated() {
                    score <= mate
                } else {
                    score >= mate
                }
            })
        }
    }

    impl Observer for Announced {
        fn progress(&mut self, thought: &Thought) {
            if thought.rank > 1 || thought.bound != Bound::Exact {
                return;
            }
            assert!(
                self.is_kept_by(thought.score),
                "{:?} and then {}",
                self.fastest,
                thought.score
            );
            if let Some(distance) = thought.score.mate_distance() {
                self.fastest = Some(thought.score);
                self.count += 1;
                let is_whole = thought.variation.len() == distance.unsigned_abs() as usize;
                self.complete += usize::from(is_whole && !thought.score.is_mated());
                self.incomplete += usize::from(!is_whole && !thought.score.is_mated());
            }
        }
    }

    /// Positions with a mate found by one iteration and lost by the next; in the last one by a
    /// scout, which has no line.
    #[test]
    fn an_announced_mate_is_kept_and_most_often_has_its_line() {
        let mut complete = 0;
        let mut incomplete = 0;
        for fen in [
            "4K3/k7/8/8/7R/8/8/8 b - - 0 1",
            "8/8/7K/8/8/3R4/8/7k b - - 0 1",
            "8/7K/8/8/8/8/6R1/1k6 w - - 0 90",
        ] {
            for (megabytes, lines, threads) in [(1, 1, 1), (16, 1, 1), (1, 3, 1), (1, 1, 2)] {
                let evaluator = NetworkEvaluator::default();
                let mut search =
                    AlphaBeta::with_memory(evaluator, AlphaBetaOptions::default(), megabytes);
                let limits = Limits {
                    lines,
                    threads,
                    ..Limits::of_nodes(100_000 * threads as u64)
                };
                let mut heard = Announced::default();
                let root = Position::from_fen(fen).unwrap();
                let report = search.search(&root, &limits, &Clock::unlimited(), &mut heard);
                assert!(
                    heard.is_kept_by(report.score),
                    "{fen}: {:?}, {}",
                    heard.fastest,
                    report.score
                );
                // Another thread may have found a faster one, which only the report has.
                let is_told = heard.fastest.is_none_or(|fastest| fastest == report.score);
                assert!(
                    is_told || threads > 1,
                    "{fen}: {:?}, {}",
                    heard.fastest,
                    report.score
                );
                assert!(
                    heard.count > 0 || threads > 1 || lines > 1,
                    "{fen}: no mate was announced"
                );
                if threads == 1 {
                    complete += heard.complete;
                    incomplete += heard.incomplete;
                }
            }
        }
        assert!(
            3 * incomplete <= complete,
            "{incomplete} mates without their lines, {complete} with them"
        );
    }
}
