//! Several workers on one position, in the default search.
//!
//! Each grows a tree of its own from all moves of the root, with its own histories. They meet in
//! the transposition table of their local searches, and each finds there the work of the others.
//! Every other one is a half-move ahead, so they do not all search the same. The first worker
//! watches the clock and gives the move. (Alpha-beta does the same: *Lazy SMP*.)

use super::search::Search;
use super::strong::{Kept, StrongSearch};
use super::{SharedSearch, WorkerState};
use crate::eval::Evaluator;
use crate::search::alphabeta::local::LocalSearch;
use crate::search::alphabeta::{Memory, WorkerMemory};
use crate::search::team::Team;
use crate::search::{NodeCounter, Observer, SearchReport};

/// Less memory than this, in megabytes, is not worth a worker.
const LEAST_MEGABYTES: usize = 4;

/// The number of workers that share the memory: the allowed threads, as long as each has some.
pub fn most(threads: usize, megabytes: usize) -> usize {
    threads.min(megabytes / LEAST_MEGABYTES).max(1)
}

/// The preset `strong`, with one worker for each state, or with fewer if the machine gives fewer
/// threads. Trees were made before.
pub fn search_strong<E: Evaluator>(
    states: &mut [WorkerState<E>],
    memory: &mut Memory,
    shared: &SharedSearch<'_>,
    observer: &mut dyn Observer,
) -> SearchReport {
    let team = &Team::new(states.len());
    let memories = memory.open(team.size(), shared.clock.is_limited());
    let mut pairs = states.iter_mut().zip(memories);
    let (first, own) = pairs.next().expect("there is a first worker");
    let helpers = pairs.zip(1..).map(|((state, own), number)| {
        move || state.search_strong(own, shared, (team, number), &mut ())
    });
    team.search(
        observer,
        |observer| first.search_strong(own, shared, (team, 0), observer),
        helpers,
    )
}

impl<E: Evaluator> WorkerState<E> {
    /// Searches as one of the workers of [`search_strong`].
    fn search_strong(
        &mut self,
        own: WorkerMemory<'_>,
        shared: &SharedSearch<'_>,
        (team, number): (&Team, usize),
        observer: &mut dyn Observer,
    ) -> SearchReport {
        let &SharedSearch {
            root,
            limits,
            clock,
            options,
            local_options,
            ..
        } = shared;
        let WorkerState {
            evaluator,
            random,
            tree,
            history,
            kept,
        } = self;
        let tree = tree.as_mut().expect("it was made before");
        let mut search = Search::new(evaluator, options, tree, random, root, limits, clock);
        search.counter = NodeCounter::of_worker(limits, clock, team, number);
        let local = LocalSearch::new(evaluator, local_options, own, root, clock);
        let mut strong = StrongSearch::new(search, local, number);
        if let Some(kept) = kept.take() {
            strong.adopt(kept, root);
        }
        let (report, past, population) = strong.search(observer);
        *history = past;
        *kept = Some(Kept::new(root, population));
        report
    }
}
