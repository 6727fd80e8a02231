//! Messages to the observer: thinking lines, and reports on generations.

use chess::ChessMove;

use super::search::Search;
use super::selection::{contested, fitness, k_of};
use super::statistics::Statistics;
use super::tree::{NodeId, ReservationTree};
use crate::search::{
    Births, Generation, LiveBranch, LiveNode, Observer, Remark, RootMove, Thought,
};

/// Positions from one report on a generation to the next: dozens of reports a second.
const NODES_BETWEEN_REPORTS: u64 = 30_000;
/// Branches in a report.
const BRANCHES: usize = 12;
/// Nodes of the tree in a report, and in the drawing of a finished search.
pub const OUTLINE_NODES: usize = 40;
/// The levels of the best branch that are always among them.
pub const OUTLINE_LEVELS: usize = 12;

/// Reports on generations as the search goes on.
pub struct Watch {
    /// The number of positions at which a report is due.
    next: u64,
    /// At the last generation, for the log.
    logged: Statistics,
}

impl Watch {
    /// The first report is due at once, if the observer wants any.
    pub fn new(observer: &dyn Observer) -> Self {
        let next = if observer.follows_generations() {
            0
        } else {
            NODES_BETWEEN_REPORTS
        };
        Watch {
            next,
            logged: Statistics::default(),
        }
    }

    /// Returns true if a report is due, to the observer or the log.
    pub fn is_due<E>(&self, search: &Search<'_, E>) -> bool {
        search.counter.all_nodes() >= self.next || log::log_enabled!(log::Level::Debug)
    }

    /// Reports the search's progress to the observer, if enough positions passed since the last
    /// report.
    pub fn sample<E>(&mut self, search: &Search<'_, E>, observer: &mut dyn Observer) {
        if log::log_enabled!(log::Level::Debug) {
            self.log_generation(search);
        }
        let nodes = search.counter.all_nodes();
        if nodes < self.next {
            return;
        }
        self.next = nodes + NODES_BETWEEN_REPORTS;
        report_generation(search, observer);
    }

    /// A line of the log for each generation: births since the last one, and the best branch.
    fn log_generation<E>(&mut self, search: &Search<'_, E>) {
        let now = search.statistics;
        let before = std::mem::replace(&mut self.logged, now);
        let best: Vec<NodeId> = search.tree.best_branch(search.tree.root()).collect();
        log::debug!(
            "generation {}: {} by crossover, {} by mutation, {} by growth, {} stillborn, {} died; H = {}, P = {}; {} positions; best {} ({}), {}",
            now.generations,
            now.crossovers - before.crossovers,
            now.mutations - before.mutations,
            now.growths - before.growths,
            now.stillborn() - before.stillborn(),
            now.deaths - before.deaths,
            search.tree.height(),
            search.parents,
            search.counter.nodes(),
            genes_in_words(search.best_line().into_iter()),
            search.root_value(),
            k_in_words(search.tree, &best),
        );
    }
}

/// Reports the search's progress to the observer, if the observer wants that.
pub fn report_generation<E>(search: &Search<'_, E>, observer: &mut dyn Observer) {
    if !observer.follows_generations() {
        return;
    }
    let now = search.statistics;
    let tree = &search.tree;
    let value_of = |mv| {
        tree.child(tree.root(), mv)
            .and_then(|node| tree.value(node))
    };
    let root_moves = search
        .root_moves
        .iter()
        .zip(&search.root_nodes)
        .map(|(&mv, &nodes)| RootMove {
            mv,
            nodes,
            value: value_of(mv).map(|value| search.for_mover(value)),
        });
    let generation = Generation {
        number: now.generations,
        height: tree.height() as u32,
        population: search.parents,
        score: search.for_mover(search.root_value()),
        time: search.counter.clock().elapsed(search.counter.all_nodes()),
        nodes: search.counter.all_nodes(),
        root_moves: root_moves.collect(),
        births: Births {
            crossovers: now.crossovers,
            mutations: now.mutations,
            growths: now.growths,
        },
        branches: branches(search),
        nodes_shown: nodes_shown(search),
    };
    observer.remark(Remark::Generation(Box::new(generation)));
}

/// The branches shown during the search, the least contested by value, regardless of effort; the
/// least K first. They are few and near the best one, so they cost next to nothing.
fn branches<E>(search: &Search<'_, E>) -> Vec<LiveBranch> {
    let tree = &search.tree;
    let mut chromosomes = Vec::new();
    contested(
        tree,
        BRANCHES,
        search.options.step_price as i32,
        &[],
        &mut chromosomes,
    );
    let shown = chromosomes.iter().filter_map(|chromosome| {
        let path: Vec<NodeId> = std::iter::once(tree.root())
            .chain(chromosome.nodes.iter().copied())
            .collect();
        let k = k_of(tree, &path).filter(|_| !chromosome.genes.is_empty())?;
        let value = search.for_mover(tree.value(*path.last()?)?);
        Some(LiveBranch {
            line: chromosome.genes.to_vec(),
            k,
            fitness: fitness(tree.height(), k),
            value,
        })
    });
    let mut shown: Vec<LiveBranch> = shown.collect();
    shown.sort_by_key(|branch| branch.k);
    shown
}

/// The nodes shown during the search.
fn nodes_shown<E>(search: &Search<'_, E>) -> Vec<LiveNode> {
    let tree = &search.tree;
    let outline = tree.outline(OUTLINE_LEVELS, OUTLINE_NODES);
    let shown = outline.into_iter().map(|outlined| LiveNode {
        parent: outlined.parent,
        mv: tree.gene(outlined.node),
        origin: tree.origin(outlined.node),
        value: tree
            .value(outlined.node)
            .map(|value| search.for_mover(value)),
        is_best: outlined.is_best,
    });
    shown.collect()
}

/// Genes as the log has them.
pub fn genes_in_words(genes: impl Iterator<Item = ChessMove>) -> String {
    genes
        .map(|gene| gene.to_string())
        .collect::<Vec<_>>()
        .join(" ")
}

/// K of the branch along `path`, as the log has it.
pub fn k_in_words(tree: &ReservationTree, path: &[NodeId]) -> String {
    k_of(tree, path).map_or_else(|| "no K".to_owned(), |k| format!("K = {k}"))
}

/// Decides on thinking lines by the changes, without looking at the clock.
#[derive(Default)]
pub struct News {
    /// The lines told last, the best first.
    reported: Vec<Thought>,
    depth: u32,
    generation: u64,
}

impl News {
    /// Tells the observer if the move to play or a value changed enough to be worth a line. With
    /// several lines, the best first, all are told at once, and all with one depth: front ends take
    /// lines of one depth together.
    pub fn announce<E>(
        &mut self,
        search: &Search<'_, E>,
        lines: &[Thought],
        observer: &mut dyn Observer,
    ) {
        let generation = search.statistics.generations;
        if self.is_due(lines, generation) {
            Self::tell(search, lines, observer);
            *self = News {
                depth: depth_of(search, lines),
                reported: lines.to_vec(),
                generation,
            };
        }
    }

    /// Tells the line to play now, if it differs from the last one told. Several lines are told
    /// together, at the end of an iteration.
    pub fn follow<E>(
        &mut self,
        search: &Search<'_, E>,
        line: Option<Thought>,
        observer: &mut dyn Observer,
    ) {
        let Some(line) = line.filter(|_| search.limits.lines <= 1 && search.depth.is_some()) else {
            return;
        };
        if self.reported.first() != Some(&line) {
            let lines = [line];
            Self::tell(search, &lines, observer);
            let generation = search.statistics.generations;
            *self = News {
                depth: depth_of(search, &lines),
                reported: lines.to_vec(),
                generation,
            };
        }
    }

    /// Tells the untold lines at the end.
    pub fn finish<E>(
        &self,
        search: &Search<'_, E>,
        lines: &[Thought],
        observer: &mut dyn Observer,
    ) {
        if lines != self.reported || depth_of(search, lines) != self.depth {
            Self::tell(search, lines, observer);
        }
    }

    fn tell<E>(search: &Search<'_, E>, lines: &[Thought], observer: &mut dyn Observer) {
        let depth = depth_of(search, lines);
        // Searches at the leaves look further than the tree.
        let selective_depth = match search.depth {
            Some(_) => search.counter.selective_depth,
            None => search.tree.height(),
        };
        let selective_depth = selective_depth as u32;
        for (line, rank) in lines.iter().zip(1..) {
            let Thought {
                variation,
                score,
                bound,
                ..
            } = line.clone();
            let done = search.counter.done_by_all();
            observer.progress(&Thought {
                rank,
                depth,
                selective_depth,
                score,
                bound,
                variation,
                ..done
            });
        }
    }

    fn is_due(&self, lines: &[Thought], generation: u64) -> bool {
        // A new move is due at once; a new value when an eighth of the search has gone by since the
        // last line; the same line again each time the search has doubled.
        let age = generation - self.generation.min(generation);
        let move_and_value = |line: &Thought| (line.best_move(), line.score);
        let best = |lines: &[Thought]| lines.first().and_then(Thought::best_move);
        best(lines) != best(&self.reported)
            || (age * 8 >= generation
                && !lines
                    .iter()
                    .map(move_and_value)
                    .eq(self.reported.iter().map(move_and_value)))
            || (age > 0 && age * 2 >= generation)
    }
}

/// The depth for lines, the best first.
fn depth_of<E>(search: &Search<'_, E>, lines: &[Thought]) -> u32 {
    lines.first().map_or(0, |best| {
        search.depth.unwrap_or(best.variation.len()) as u32
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::winglet::Winglet;
    use crate::rules::position::Position;
    use crate::search::genetic::{Genetic, params::GeneticOptions};
    use crate::search::{Clock, Limits, Searcher as _};

    #[derive(Default)]
    struct Watcher {
        follows: bool,
        seen: Vec<Generation>,
    }

    impl Observer for Watcher {
        fn progress(&mut self, _: &Thought) {}

        fn remark(&mut self, remark: Remark) {
            if let Remark::Generation(generation) = remark {
                self.seen.push(*generation);
            }
        }

        fn follows_generations(&self) -> bool {
            self.follows
        }
    }

    #[test]
    fn generations_are_reported_with_what_each_root_move_has_had() {
        let mut genetic = Genetic::new(Winglet::default(), GeneticOptions::default());
        let limits = Limits::of_nodes(4 * NODES_BETWEEN_REPORTS);
        let mut watcher = Watcher::default();
        let root = Position::default();
        genetic.search(&root, &limits, &Clock::unlimited(), &mut watcher);
        assert!(watcher.seen.is_empty(), "nobody asked for them");
        genetic.new_game();
        watcher.follows = true;
        let report = genetic.search(&root, &limits, &Clock::unlimited(), &mut watcher);
        let generations = watcher.seen;
        assert!(
            (3..=5).contains(&generations.len()),
            "{}",
            generations.len()
        );
        assert_eq!(generations[0].number, 0);
        assert_eq!(generations[0].births, Births::default(), "none was bred");
        for generation in &generations {
            let shares: u64 = generation
                .root_moves
                .iter()
                .map(|root_move| root_move.nodes)
                .sum();
            let all = generation.nodes;
            assert!((all * 8 / 10..=all).contains(&shares), "{shares} of {all}");
            assert_eq!(generation.root_moves.len(), 20);
            assert!(
                generation
                    .root_moves
                    .iter()
                    .all(|root_move| root_move.value.is_some())
            );
            let best = &generation.branches[0];
            assert_eq!((best.k, best.value), (0, generation.score));
            let nodes = &generation.nodes_shown;
            assert_eq!(nodes.len(), OUTLINE_NODES);
            assert!(nodes[0].is_best && nodes[0].parent.is_none());
            assert_eq!(nodes[0].mv, best.line[0]);
            for (place, node) in nodes.iter().enumerate() {
                assert!(node.parent.is_none_or(|parent| parent < place), "{place}");
            }
            for branch in &generation.branches {
                assert_eq!(branch.fitness, generation.height as usize + 1 - branch.k);
                assert!(branch.value <= best.value || branch.k > 1, "{branch:?}");
            }
        }
        let last = generations.last().expect("there are some");
        assert!(
            last.births.crossovers > 0 && last.births.mutations > 0,
            "{last:?}"
        );
        assert!(last.nodes <= report.nodes && last.height <= report.selective_depth);
    }
}
