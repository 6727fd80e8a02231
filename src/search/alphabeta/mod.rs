//! Alpha-beta with iterative deepening: the backend that the genetic search is compared with.
//!
//! Every technique beyond plain alpha-beta is an option, so that the paper's opponents can be rebuilt.
//!
//! What was tried, and measured, is in `benches/search.md`.

mod correction;
mod deepening;
mod history;
pub mod leaf;
mod margins;
mod node;
mod options;
mod ordering;
mod pruning;
mod root;
mod singular;
mod table;
#[cfg(test)]
mod tests;
mod window;
mod worker;

pub use options::{AlphaBetaOptions, Preset};

use std::sync::Arc;

use self::deepening::Deepening;
use self::history::History;
use self::table::{Table, TableMemory};
use self::worker::Worker;
use super::prior::Prior;
use super::team::{MADE_AT_ONCE, Team};
use super::{Clock, Gate, Limits, Observer, Remark, SearchReport, Searcher};
use crate::evaluation::Evaluator;
use crate::position::{MoveList, Position};

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
        let by_option =
            (self.options.depth > 0 && !self.limits.infinite).then_some(self.options.depth as u32);
        let last_depth = self.limits.depth.or(by_option);
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
