//! Several workers on one position.
//!
//! Each grows a tree of its own from all moves of the root, with histories of its own, and they meet in the
//! transposition table of their local searches: what one has searched the others find there. Every other one
//! is a half-move ahead, so that they do not all search the same. The move played is that of the first, which
//! watches the clock. (So alpha-beta does it, too: *Lazy SMP*.)

use super::Bred;
use crate::evaluation::Evaluator;
use crate::search::alphabeta::leaf::{LeafDesk, LeafMemory, LeafSearch};
use crate::search::genetic::search::Search;
use crate::search::genetic::{Colony, Task};
use crate::search::team::Team;
use crate::search::{Gate, Observer, SearchReport};

/// Searches with one worker for each colony, or with fewer if the machine gives fewer threads. Trees were
/// made before.
pub fn search<E: Evaluator>(
    colonies: &mut [Colony<E>],
    memory: &mut LeafMemory,
    task: &Task<'_>,
    observer: &mut dyn Observer,
) -> SearchReport {
    let team = &Team::new(colonies.len());
    let mut workers = colonies
        .iter_mut()
        .zip(memory.open(team.size(), task.clock.is_limited()))
        .zip(0..)
        .map(|((colony, desk), number)| Worker { colony, desk, task, team, number });
    let first = workers.next().expect("there is a first colony");
    let helpers = workers.map(|worker| move || worker.search(&mut ()));
    team.search(observer, |observer| first.search(observer), helpers)
}

struct Worker<'a, E> {
    colony: &'a mut Colony<E>,
    desk: LeafDesk<'a>,
    task: &'a Task<'a>,
    team: &'a Team,
    number: usize,
}

impl<E: Evaluator> Worker<'_, E> {
    fn search(self, observer: &mut dyn Observer) -> SearchReport {
        let Worker { colony, desk, task, team, number } = self;
        let &Task { root, limits, clock, options, local_options, .. } = task;
        let Colony { evaluator, random, tree, history } = colony;
        let tree = tree.as_mut().expect("it was made before");
        let mut search = Search::new(evaluator, options, tree, random, root, limits, clock);
        search.gate = Gate::of_worker(limits, clock, team, number);
        let local = LeafSearch::new(evaluator, local_options, desk, root, clock);
        let (report, past) = Bred::new(search, local, number).search(observer);
        *history = past;
        report
    }
}
