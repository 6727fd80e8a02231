//! The search of the preset `strong`: branches bred with a rest.
//!
//! ```text
//!              root                     A node has few moves as children, its *contenders*. All other
//!            /   |   \                  moves together are the *rest* (r): one search says that none of
//!          Bf4  Be3   r                 them is better than the best child. The move that proves it
//!         /  \    :                     wrong is born as a branch: a mutation. The best branch (K = 0)
//!      dxc4   r                         is exact, the others are shown to be no better, and the longer
//!      /  \                             the search the more of them there are.
//!    Bxc4  r
//! ```
//!
//! One generation (`Bred::generation`):
//!
//! 1. *Select*: the best branch must be exact to the depth that is being reached, every other one shown to be
//!    no better. Its value is first looked for near that of the depth before (an aspiration window). Of the
//!    branches of which that is not known yet those are taken that are least contested: little is missing to
//!    make them the best. See `select`.
//! 2. *Breed*: a branch that is too large to be valued by a small search, or will be by what its last search
//!    cost, *grows* by the next gene of its tail; so does one whose value has to be exact to more half-moves
//!    than `LeafDepth`. Where enough is known of all contenders of a place (or beside the last of which it is
//!    not, as the second parent of a generation) the tail of another branch is put behind its stem,
//!    *crossover*: its first gene becomes a node, the others follow as the branch grows. If that is no
//!    better, all other moves are asked together, *mutation*: the one that is better is born, or, where that
//!    cannot be said within `LeafNodes` positions, the one at which they were spent. A branch that no other
//!    move comes near is looked at deeper (a singular extension). See `operators` and `crossover`.
//! 3. *Validate* by making the moves, and *value* the end by a local search of at most `LeafNodes` positions
//!    (Dehghani and Babamir append a quiescence branch: here its place is taken by a small alpha-beta
//!    search).
//! 4. *Climb*: values rise in the reservation tree as far as Min-Max lets them. See `climb`.
//! 5. *Survive*: the least fit of the refuted children of a node die and leave the tree, and their moves
//!    belong to the rest. The more half-moves are still to be searched there, the fewer live.
//!
//! What is the paper's: branches of moves as chromosomes in a reservation tree, an initial population of
//! all moves of the root, crossover and mutation that are validated by making the moves, Min-Max of the
//! tree and H - K + 1, which orders what is equally contested; at the deadline the first move of the best
//! branch is played. What is not: the paper's parents are the fittest and its points are drawn; here what
//! would have to be known next is computed, because values of different depths do not compare, and a branch
//! that was looked at less deep looks better than it is. Chance draws the tail that crossover tries. Most
//! generations have one parent, because the second is only worth its positions where the first is
//! contested, and in many nothing is born: an end is valued, or no other move is better. Crossover and
//! mutation can be switched off, growth cannot: without it nothing that is too large could be valued. One
//! mutation is left: where all contenders are mated, what saves the side to move is looked for.
//!
//! An evolutionary algorithm whose individuals are improved by a local search is called *memetic*. The local
//! search is bounded, whatever it is asked: what is larger becomes branches.

mod climb;
mod crossover;
mod operators;
mod select;
mod verdict;

use super::history::History;
use super::report::{News, Watch};
use super::search::Search;
use super::tree::{NodeId, Origin};
use crate::eval::Evaluator;
use crate::rules::position::MoveList;
use crate::rules::score::{Bound, Score};
use crate::search::alphabeta::leaf::LeafSearch;
use crate::search::alphabeta::window::Aspiration;
use crate::search::time_control::percent_of_soft;
use crate::search::{MAX_PLY, Observer, SearchReport, Thought};

use self::crossover::Replies;
use self::verdict::{Record, Verdict};

/// Nodes that are free in the tree when a generation begins; with half of them left it ends early.
const LEAST_ROOM: usize = 2 * MAX_PLY;

/// See the [module](self).
pub struct Bred<'a, E> {
    search: Search<'a, E>,
    local: LeafSearch<'a, E>,
    /// What was found out about each node, by its place in the slab.
    records: Vec<Record>,
    /// The nodes from the root to where the search stands.
    path: Vec<NodeId>,
    /// The best branch is to be exact to so many half-moves.
    depth: i32,
    /// Where the value of the best branch is looked for.
    window: Aspiration,
    /// Moves of the root that lead lines already found, if several are wanted.
    taken: MoveList,
    /// The lines found at this depth, the best first, and those of the depth before.
    lines: Vec<Thought>,
    lines_before: Vec<Thought>,
    /// The line that is being looked for: what would be played now.
    choice: Option<Thought>,
    /// For how many depths in a row the move to play has been the same.
    unchanged: u32,
    /// Positions visited for each move of the root when the depth before was reached.
    root_nodes_before: Vec<u64>,
    replies: Replies,
    /// Knows when it is enough. Other workers go on until it ends.
    leads: bool,
}

impl<'a, E: Evaluator> Bred<'a, E> {
    /// The search of one of the workers. The first leads, and every other one begins a half-move deeper than
    /// it must.
    pub fn new(search: Search<'a, E>, local: LeafSearch<'a, E>, number: usize) -> Self {
        let path = vec![search.tree.root()];
        Bred {
            search,
            local,
            records: vec![Record::default()],
            path,
            depth: 1 + number as i32 % 2,
            window: Aspiration::FULL,
            taken: MoveList::new(),
            lines: Vec::new(),
            lines_before: Vec::new(),
            choice: None,
            unchanged: 0,
            root_nodes_before: Vec::new(),
            replies: Replies::default(),
            leads: number == 0,
        }
    }

    /// Searches until a limit or the clock ends it, or nothing is left to decide.
    pub fn search(mut self, observer: &mut dyn Observer) -> (SearchReport, History) {
        let (mut history, mut news) = (History::default(), News::default());
        if !self.search.root_moves.is_empty() {
            self.run(&mut history, &mut news, observer);
        }
        let lines = self.lines_at_the_end();
        self.withdraw(&lines);
        history.end(self.search.snapshot(), self.search.effort());
        // The other workers hear of the last positions, too.
        let _ = self.search.counter.check_clock();
        let report = self.report(lines.first());
        if report.depth > 0 {
            news.conclude(&self.search, &lines, observer);
        }
        (report, history)
    }

    /// The initial population, then generation after generation. Always ends with `None`.
    fn run(&mut self, history: &mut History, news: &mut News, observer: &mut dyn Observer) -> Option<()> {
        let mut watch = Watch::default();
        self.initial_population()?;
        loop {
            let depth = self.depth;
            self.generation()?;
            watch.look(&self.search, observer);
            if history.is_due(self.search.statistics.generations) {
                history.add(self.search.snapshot());
            }
            if self.depth > depth {
                self.search.depth = Some(depth as usize);
                news.announce(&self.search, &self.lines_before, observer);
                self.check_time(depth)?;
            }
        }
    }

    /// One generation: the least contested branches breed. `None` if the search has to end.
    fn generation(&mut self) -> Option<()> {
        self.search.counter.check_clock()?;
        self.make_room();
        let (depth, lines) = (self.depth, self.lines.len());
        for (number, parent) in self.select().into_iter().enumerate() {
            let is_answered =
                || parent.path.iter().zip(&parent.needs).any(|(&node, &need)| self.whole(node).answers(need));
            if number > 0 && is_answered() {
                continue;
            }
            let nodes_before = self.search.counter.nodes();
            let best_before = self.search.best_gene();
            let goes_on = self.breed(&parent);
            self.count_nodes(nodes_before);
            goes_on?;
            self.climb(&parent.needs);
            let deaths = self.survive(&parent.needs);
            let is_reached = (self.depth, self.lines.len()) != (depth, lines);
            let is_full = !self.search.tree.has_room_for(LEAST_ROOM / 2);
            if deaths || is_reached || is_full || self.search.best_gene() != best_before {
                // The other parents were chosen for a tree that is no more.
                break;
            }
        }
        self.search.statistics.generations += 1;
        Some(())
    }

    /// Every move of the root is a branch (section 4.1 of the paper, one level), and valued by quiescence:
    /// exactly if it is better than those before it, else by a bound. One whose quiescence would be too large
    /// has no value yet.
    fn initial_population(&mut self) -> Option<()> {
        self.search.root_moves = self.moves_here();
        let is_extended = self.local.is_extended();
        let root = self.search.tree.root();
        self.record(root).is_extended = is_extended;
        for mv in self.search.root_moves.clone() {
            let before = self.search.counter.nodes();
            let child = self.add_child(mv, Origin::Initial)?;
            self.log_birth("initial population");
            let need = self.need_of_root();
            let alpha = self.reference(self.contenders(root, 0), 0, need.alpha);
            let goes_on = match self.search.tree.is_terminal(child) {
                true => Some(()),
                false => self.value(&[need, need.of_best(0, alpha)]),
            };
            self.count_nodes(before);
            goes_on?;
            self.path.truncate(1);
            self.choose();
        }
        self.search.complete_root_moves = self.search.root_moves.len();
        Some(())
    }

    /// When the tree is nearly full the dead leave it, and branches off the best one lose what they have
    /// grown.
    fn make_room(&mut self) {
        if self.search.tree.has_room_for(LEAST_ROOM) {
            return;
        }
        self.search.statistics.culls += 1;
        let tree = &self.search.tree;
        let best: Vec<NodeId> = tree.best_branch(tree.root()).collect();
        for (level, &node) in best.iter().enumerate() {
            let children: Vec<NodeId> = self.search.tree.children(node).collect();
            for child in children.into_iter().filter(|child| best.get(level + 1) != Some(child)) {
                self.path.truncate(1);
                self.path.extend(&best[1..=level]);
                self.path.push(child);
                self.fold();
            }
        }
    }

    /// `None` if the search has to end after a depth was reached: because nothing is left to decide, or
    /// because more time is hardly worth it. The longer the first move has stayed the best and the more of
    /// the effort since the depth before it has had, the sooner.
    fn check_time(&mut self, depth: i32) -> Option<()> {
        let search = &mut self.search;
        search.counter.check_clock()?;
        if depth >= search.longest as i32 {
            return None;
        }
        if !self.leads {
            return Some(());
        }
        let is_final = |choice: &Thought| {
            choice.score.mate_distance().is_some_and(|mate| mate.unsigned_abs() as i32 <= depth)
        };
        let is_limited = search.counter.clock().is_limited();
        let is_forced = search.root_moves.len() == 1 && search.chooses && is_limited;
        let waits = is_limited || self.lines_before.len() <= 1;
        let is_found = match waits {
            true => self.lines_before.first().is_some_and(is_final),
            false => self.lines_before.iter().all(is_final),
        };
        if (is_found || is_forced) && !search.limits.infinite {
            return None;
        }
        let best = self.lines_before.first().and_then(Thought::best_move);
        let before = std::mem::replace(&mut self.root_nodes_before, search.root_nodes.clone());
        let before = before.into_iter().chain(std::iter::repeat(0));
        let effort: Vec<u64> =
            search.root_nodes.iter().zip(before).map(|(now, before)| now - before).collect();
        let all: u64 = effort.iter().sum();
        let index = search.root_moves.iter().position(|&mv| Some(mv) == best);
        let on_best = index.map_or(0, |index| effort[index]);
        // Where the table answers everything no other move needs time.
        let share = (on_best * 100).checked_div(all).unwrap_or(100);
        let percent = percent_of_soft(self.unchanged, share as u32);
        (!search.counter.clock().should_stop_early(search.counter.all_nodes(), percent)).then_some(())
    }

    /// The lines when the search has to end, the best first. One line: what would be played now. Several:
    /// those of the depth that was reached last, or the best of the next depth before them, if it is known
    /// and is not worse than they were.
    fn lines_at_the_end(&self) -> Vec<Thought> {
        if self.search.limits.lines <= 1 || self.lines_before.is_empty() {
            let before = self.lines_before.first();
            let found = self.lines.first().or(self.choice.as_ref()).or(before).cloned();
            let mut found = found.or_else(|| self.mate_at_hand());
            if let (Some(now), Some(before)) = (&mut found, before)
                && self.lines.is_empty()
                && now.score < before.score
            {
                // The other moves, one of which may be better, were not looked at so deep yet.
                now.bound = Bound::Lower;
            }
            return found.into_iter().collect();
        }
        let Some(best) = self.lines.first() else { return self.lines_before.clone() };
        let others = self.lines_before.iter().filter(|before| before.best_move() != best.best_move());
        let lines: Vec<Thought> =
            std::iter::once(best).chain(others).take(self.search.limits.lines).cloned().collect();
        if lines.is_sorted_by(|a, b| a.score >= b.score) { lines } else { self.lines_before.clone() }
    }

    /// A move of the root that mates.
    fn mate_at_hand(&self) -> Option<Thought> {
        let (tree, mate) = (&self.search.tree, Score::mate_in(1));
        let mut children = tree.children(tree.root());
        let mating = children.find(|&child| -self.whole(child).value == mate)?;
        let variation = std::iter::once(tree.gene(mating)).collect();
        Some(Thought { variation, score: mate, ..Thought::default() })
    }

    /// The branch with K = 0 is the one that is played. What looks no worse was not looked at to the end: it
    /// has no value. Nor has a move of which it was only shown that it does not mate sooner.
    fn withdraw(&mut self, lines: &[Thought]) {
        let root = self.search.tree.root();
        let chosen = lines.first().and_then(Thought::best_move);
        let Some(chosen) = chosen.and_then(|mv| self.search.tree.child(root, mv)) else { return };
        // The search may have ended while a branch was bred.
        while self.path.len() > 1 {
            self.set_rest_below_children();
            self.path.pop();
        }
        for child in self.search.tree.children(root).collect::<Vec<_>>() {
            let tree = &self.search.tree;
            let (Some(value), Some(best)) = (tree.value(child), tree.value(chosen)) else { continue };
            let (value, best) = (self.search.for_mover(value), self.search.for_mover(best));
            let is_no_mate =
                value.is_mate() && value > Score::DRAW && self.whole(child).bound == Bound::Lower;
            if child != chosen && (value >= best || is_no_mate) {
                self.search.tree.withdraw(root, 0, child);
            }
        }
        self.set_rest_below_children();
    }

    fn report(&self, best: Option<&Thought>) -> SearchReport {
        let search = &self.search;
        let first = || search.root_moves.first().copied().into_iter().collect();
        let any = || Thought { variation: first(), ..Thought::default() };
        let Thought { variation, score, bound, .. } = best.cloned().unwrap_or_else(any);
        let depth = search.depth.map_or(0, |depth| depth as u32);
        SearchReport { depth, variation, score, bound, ..search.counter.done() }
    }

    /// The level of the end of the path.
    fn level(&self) -> usize {
        self.path.len() - 1
    }

    /// The end of the path.
    fn node(&self) -> NodeId {
        *self.path.last().expect("the path begins with the root")
    }

    fn record(&mut self, node: NodeId) -> &mut Record {
        &mut self.records[node.index()]
    }

    /// What was found out about a node, from its side to move.
    fn whole(&self, node: NodeId) -> Verdict {
        self.records[node.index()].whole
    }

    /// Turns a value from White's point of view into that of the side to move on a level, or back.
    fn for_side_on(&self, level: usize, value: Score) -> Score {
        if self.search.tree.is_max(level) { value } else { -value }
    }

    /// The end of the path is worth `value` by itself, from its side to move, and all above it what follows
    /// from that.
    fn set_own(&mut self, value: Score) {
        let (node, level) = (self.node(), self.level());
        let white = self.for_side_on(level, value);
        self.search.tree.set_own(node, level, white, false);
        self.search.tree.back_up(&self.path);
    }

    /// Takes the local search to the end of the path.
    fn go(&mut self) {
        self.go_to_level(self.level());
    }

    /// Takes the local search to the node of the path on a level.
    fn go_to_level(&mut self, level: usize) {
        let tree = &self.search.tree;
        self.local.go_to(self.path[1..=level].iter().map(|&node| tree.gene(node)));
    }

    /// The legal moves at the end of the path, the most promising first.
    fn moves_here(&mut self) -> MoveList {
        self.go();
        let mut moves = self.local.moves();
        if self.level() == 0 {
            moves.retain(|mv| self.search.root_moves.contains(mv));
        }
        self.search.tree.count_moves(self.node(), moves.len());
        moves
    }

    /// Counts positions for the move of the root that the path begins with.
    fn count_nodes(&mut self, before: u64) {
        let used = self.search.counter.nodes() - before;
        if let Some(&child) = self.path.get(1) {
            let gene = self.search.tree.gene(child);
            self.search.count_nodes(gene, used);
        }
    }
}

#[cfg(test)]
mod tests;
