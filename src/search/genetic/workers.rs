//! Several workers on one position.
//!
//! In the paper's search each has a reservation tree, a population and randomness of its own, and a
//! part of the root moves: they are dealt out like cards. So no two workers do the same, and
//! together their trees are one tree: its root is worth the best of theirs, and its K = 0 branch is
//! the best of their K = 0 branches. The best move gets all the effort of one worker, and the best
//! move of each other worker as much; a single tree spends it on less contested branches. Workers
//! exchange nothing but the end of the search, so a search under a node limit is the same each time
//! with several threads, too.
//!
//! In the default search each grows a tree of its own from all moves of the root, with its own
//! histories. They meet in the transposition table of their local searches, and each finds there
//! the work of the others. Every other one is a half-move ahead, so they do not all search the
//! same. The first worker watches the clock and gives the move. (Alpha-beta does the same: *Lazy
//! SMP*.)

use std::cmp::Reverse;
use std::sync::OnceLock;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use chess::ChessMove;

use super::search::Search;
use super::strong::{Kept, StrongSearch};
use super::{SharedSearch, WorkerState};
use crate::eval::Evaluator;
use crate::rules::position::MoveList;
use crate::rules::score::Score;
use crate::search::alphabeta::local::LocalSearch;
use crate::search::alphabeta::{Memory, WorkerMemory};
use crate::search::team::{self, Team};
use crate::search::{
    Births, Generation, Limits, NodeCounter, Observer, Remark, SearchReport, Thought,
};

/// Fewer positions than this are not worth a worker.
const LEAST_NODES: u64 = 2_000;

/// Less memory than this, in megabytes, is not worth a worker either.
const LEAST_MEGABYTES: usize = 4;

/// The number of workers that share the memory: the allowed threads, as long as each has some.
pub fn most(threads: usize, megabytes: usize) -> usize {
    threads.min(megabytes / LEAST_MEGABYTES).max(1)
}

/// The presets `paper` and `letter`, with one worker for each state, or with fewer if the root has
/// fewer moves, the search is short, or the machine gives fewer threads.
pub fn search<E: Evaluator>(
    states: &mut [WorkerState<E>],
    shared: &SharedSearch<'_>,
    observer: &mut dyn Observer,
) -> SearchReport {
    let moves = shared.limits.root_moves(shared.root);
    let worth = shared
        .limits
        .nodes
        .map_or(u64::MAX, |nodes| nodes / LEAST_NODES);
    let worth = usize::try_from(worth).unwrap_or(usize::MAX);
    let wanted = states.len().min(moves.len()).min(worth);
    if wanted > 1
        && let Some(report) = search_in_parts(&mut states[..wanted], shared, &moves, observer)
    {
        return report;
    }
    states[0].search(shared, None, observer)
}

/// `None` if the machine gave no thread at all. There are as many moves as states, or more.
fn search_in_parts<E: Evaluator>(
    states: &mut [WorkerState<E>],
    shared: &SharedSearch<'_>,
    moves: &MoveList,
    observer: &mut dyn Observer,
) -> Option<SearchReport> {
    let wanted = states.len();
    // Workers wait for it: before a part is dealt all are there, and there may be fewer than are
    // wanted.
    let team = OnceLock::new();
    thread::scope(|scope| {
        let (sender, messages) = channel();
        let mut workers = Vec::new();
        for (number, state) in states.iter_mut().enumerate() {
            let mut messenger = Messenger {
                number,
                sender: sender.clone(),
            };
            let team = &team;
            let work = move || {
                let team: &Team = team.wait();
                let limits = deal(number, team, moves, shared.limits);
                let shared = SharedSearch {
                    limits: &limits,
                    ..*shared
                };
                let report = state.search(&shared, Some((team, number)), &mut messenger);
                if report.score >= Score::mate_in(1) && !limits.infinite {
                    // Nobody has to look any further.
                    team.end();
                }
                report
            };
            let Ok(worker) = team::start(scope, work) else {
                break;
            };
            workers.push(worker);
        }
        drop(sender);
        let _ending = team.get_or_init(|| Team::new(workers.len())).ending();
        if workers.len() < wanted {
            observer.remark(Remark::ShortOfThreads(workers.len().max(1)));
        }
        let lines = vec![Vec::new(); workers.len()];
        let generations = vec![None; workers.len()];
        let mut collector = Collector {
            wanted: shared.limits.lines,
            lines,
            generations,
            reported: Vec::new(),
        };
        for (number, message) in messages {
            collector.hear(number, message, observer);
        }
        let reports: Vec<_> = workers.into_iter().filter_map(team::join).collect();
        sum_up(&reports)
    })
}

/// The limits of a worker: every so-manieth of the moves is its own.
fn deal(number: usize, team: &Team, moves: &MoveList, limits: &Limits) -> Limits {
    let of_others = moves
        .iter()
        .enumerate()
        .filter(|(index, _)| index % team.size() != number);
    let excluded = limits
        .excluded
        .iter()
        .chain(of_others.map(|(_, mv)| mv))
        .copied()
        .collect();
    Limits {
        excluded,
        ..limits.clone()
    }
}

/// The best report of the workers, with the counts of all. A searched result is better than any
/// guess, which has depth 0, unless it is mated; without any, the first worker's guess is as good
/// as any.
fn sum_up(reports: &[SearchReport]) -> Option<SearchReport> {
    let worth = |report: &&SearchReport| match (report.depth, report.score) {
        (0, _) => (1, Score::DRAW),
        (_, score) => (if score.is_mated() { 0 } else { 2 }, score),
    };
    let best = reports.iter().rev().max_by_key(worth)?;
    Some(SearchReport {
        selective_depth: reports
            .iter()
            .map(|report| report.selective_depth)
            .max()
            .unwrap_or(0),
        nodes: reports.iter().map(|report| report.nodes).sum(),
        table_hits: reports.iter().map(|report| report.table_hits).sum(),
        ..best.clone()
    })
}

/// A message of a worker during its search.
enum Message {
    Line(Box<Thought>),
    Generation(Box<Generation>),
}

/// The way from a worker to the collector.
struct Messenger {
    number: usize,
    sender: Sender<(usize, Message)>,
}

impl Observer for Messenger {
    fn progress(&mut self, thought: &Thought) {
        // Whoever started the search listens as long as it lasts.
        let _ = self
            .sender
            .send((self.number, Message::Line(Box::new(thought.clone()))));
    }

    fn remark(&mut self, remark: Remark) {
        if let Remark::Generation(generation) = remark {
            let _ = self
                .sender
                .send((self.number, Message::Generation(generation)));
        }
    }
}

/// Makes one report of the workers' messages.
struct Collector {
    /// The number of lines wanted.
    wanted: usize,
    /// The last lines of each worker.
    lines: Vec<Vec<Thought>>,
    generations: Vec<Option<Generation>>,
    /// The first moves and scores told last.
    reported: Vec<(Option<ChessMove>, Score)>,
}

impl Collector {
    fn hear(&mut self, number: usize, message: Message, observer: &mut dyn Observer) {
        match message {
            Message::Line(line) => {
                let lines = &mut self.lines[number];
                // A worker tells all its lines together, the best first.
                lines.truncate(line.rank - 1);
                lines.push(*line);
                self.tell(number, observer);
            }
            Message::Generation(generation) => {
                self.generations[number] = Some(*generation);
                self.tell_generation(observer);
            }
        }
    }

    /// Tells the best lines of all workers, if they are new or the speaker has the best. A loss of
    /// all moves is told only after all workers have spoken.
    fn tell(&mut self, speaker: usize, observer: &mut dyn Observer) {
        let mut lines: Vec<(usize, &Thought)> = (0..)
            .zip(&self.lines)
            .flat_map(|(n, lines)| lines.iter().map(move |line| (n, line)))
            .collect();
        lines.sort_by_key(|(_, line)| Reverse(line.score));
        lines.truncate(self.wanted);
        let now: Vec<_> = lines
            .iter()
            .map(|(_, line)| (line.variation.first().copied(), line.score))
            .collect();
        let Some(&(first, best)) = lines.first() else {
            return;
        };
        if best.score.is_mated() && self.lines.iter().any(Vec::is_empty) {
            return;
        }
        let spoken = self.lines[speaker].last().unwrap_or(best);
        if now == self.reported && first != speaker {
            return;
        }
        for (rank, (_, line)) in (1..).zip(&lines) {
            observer.progress(&Thought {
                rank,
                depth: best.depth,
                time: spoken.time,
                nodes: spoken.nodes,
                table_hits: spoken.table_hits,
                ..(*line).clone()
            });
        }
        self.reported = now;
    }

    /// The workers together, as if they were one.
    fn tell_generation(&self, observer: &mut dyn Observer) {
        let heard = || self.generations.iter().flatten();
        let Some(best) = heard().max_by_key(|generation| generation.score) else {
            return;
        };
        let generation = Generation {
            number: heard().map(|generation| generation.number).sum(),
            height: heard()
                .map(|generation| generation.height)
                .max()
                .unwrap_or(0),
            population: heard().map(|generation| generation.population).sum(),
            score: best.score,
            time: heard()
                .map(|generation| generation.time)
                .max()
                .unwrap_or_default(),
            nodes: heard().map(|generation| generation.nodes).sum(),
            root_moves: heard()
                .flat_map(|generation| generation.root_moves.iter().copied())
                .collect(),
            births: Births {
                crossovers: heard().map(|generation| generation.births.crossovers).sum(),
                mutations: heard().map(|generation| generation.births.mutations).sum(),
                growths: heard().map(|generation| generation.births.growths).sum(),
            },
            branches: best.branches.clone(),
            nodes_shown: best.nodes_shown.clone(),
        };
        observer.remark(Remark::Generation(Box::new(generation)));
    }
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
