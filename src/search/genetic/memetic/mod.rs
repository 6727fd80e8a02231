//! The search of the preset `strong`: a best-first tree of branches whose ends small alpha-beta searches
//! value. (An evolutionary algorithm whose individuals are improved by a local search is called *memetic*.)
//!
//! ```text
//!              root                     The best branch, the one with K = 0, carries its end deeper and
//!         / 0   | 20  \ 50              deeper; its positions have all their moves in the tree. The
//!       Bf4    Be3     h3               other branches leave it somewhere. An end knows its value, the
//!      / 0 \ 35  (8)    (7)             depth that it was searched to (8, 7), and whether the value is
//!   Bd7   dxc4                          exact or a bound. Numbers at the moves are contests: what is
//!    :     (8)                          missing to the best branch, and a price for leaving it.
//! ```
//!
//! One generation:
//!
//! 1. *Selection*: of all ends, the one whose contest plus its depth (with its level, a half-move at
//!    `DepthPrice` centipawns) is least. The contest is what is missing to the best branch, but `GreatestGap`
//!    at most, and `LeavingPrice` for each best branch that it leaves. So the least contested branches lead,
//!    and every move of the root keeps a minimum of attention: none is ever more than a few half-moves
//!    behind.
//! 2. *Growth*: the end is searched a half-move deeper. That of the best branch gets an exact value, and
//!    beyond `LeafDepth` half-moves all its moves as new branches. Every other is only asked whether it is
//!    better than the best one: a null window.
//! 3. A branch that got better than the best is asked again, to the depth that the best one has reached. So
//!    is one that is the best because another got worse, but first to its own depth: most are no better than
//!    the new value either, and the table knows that. When a branch stands, its value is made exact: the best
//!    branch is never one that was examined less than others.
//!
//! A branch that is proved to be lost for the side that left the best one with it takes no more positions,
//! nor does one at whose end the game is over. The tree is not kept from move to move, but what it has found
//! out is: in the transposition table and the histories. (Six searches of 20,000 positions, two half-moves
//! after one of 60,000: the best branches came to 66 half-moves together, without the first search to 63.)
//! Several threads have a tree each, and the table in common. Several lines (`MultiPV`) share one tree, and
//! each has an exact value: all of this is done for each of them in turn.
//!
//! What crossover and mutation do for `paper` is done here by what the leaf searches share: a transposition
//! table, killers and histories carry good genes from branch to branch, and growth tries all moves of a place
//! in the order that they suggest.
//!
//! # The rules that make it a genetic search
//!
//! * The population is the branches of the reservation tree. The move played is the first of the branch with
//!   K = 0. At the end claims are withdrawn that were neither settled nor at least asked to the full depth.
//! * Leaf searches are bounded. One that makes a value exact goes to at most `LeafDepth` half-moves; one that
//!   asks may visit `LeafShare` percent of all positions visited so far (1,000 in any case). A question that
//!   is too large for that is asked of the moves one level further down, which become branches.
//! * All positions but those of the initial population, which is every move of the root to one half-move, are
//!   visited for branches that selection chose: [`Statistics::first_nodes`] counts those of the first worker,
//!   and `kashan explain` tells them.
//!
//! # What was tried
//!
//! Games against our alpha-beta, one thread and evaluation `kashan` on both sides, random openings with both
//! colours. A position costs both as much processor time (0.52 s against 0.48 s for some 620,000, the start
//! included), so that these are games at equal time. Intervals are 95 %. `DepthPrice` is 50 and `LeafDepth` 5
//! unless others are named. Rows with the same letter played the same openings.
//!
//! First with 10,000 positions a move and before alpha-beta, here the opponent and the leaf searches, had
//! singular extensions:
//!
//! | LeavingPrice | GreatestGap | besides | games | + = - | Elo |
//! |--:|--:|---|--:|---|---|
//! | 80 | none | a | 30 | 10 9 11 | -12 (-126, +95) |
//! | 80 | none | `LeafDepth=3`, a | 30 | 7 10 13 | -70 (-170, +26) |
//! | 250 | none | `DepthPrice=100`, a | 40 | 8 11 21 | -117 (-205, -26) |
//! | 80 | none | `DepthPrice=30`, a | 40 | 2 15 23 | -203 (-300, -96) |
//! | 120 | none | `DepthPrice=100`, c | 40 | 10 16 14 | -35 (-104, +40) |
//! | 60 | none | `DepthPrice=80`, c | 40 | 4 11 25 | -203 (-307, -94) |
//! | 100 | 150 | `LeafShare=12`, d | 40 | 8 14 18 | -89 (-172, -6) |
//! | 100 | none | `LeafShare=100`, d | 40 | 14 12 14 | 0 (-104, +107) |
//! | 100 | 150 | `LeafShare=100`, d | 40 | 15 11 14 | +9 (-91, +107) |
//!
//! Twenty more rows were as near to each other. What they say: a difference in value should count little (and
//! without `GreatestGap` a mate in two that gives a rook first was not found in 60,000 positions), and leaf
//! searches should not be too small: what they pass on to the moves below does without null moves.
//!
//! Then:
//!
//! | LeavingPrice | GreatestGap | besides | positions | games | + = - | score | Elo |
//! |--:|--:|---|--:|--:|---|--:|---|
//! | 100 | 150 | before singular extensions | 20,000 | 24 | 5 4 15 | 29 % | -154 (-284, -6) |
//! | 100 | 150 | with them | 20,000 | 40 | 11 9 20 | 39 % | -80 (-188, +31) |
//! | 100 | 150 | to its own depth first (step 3) | 20,000 | 15 | 2 9 4 | 43 % | -47 (-167, +63) |
//! | 50 | 50 | the same | 20,000 | 12 | 3 3 6 | 38 % | -89 (-315, +77) |
//! | 0 | 50 | the same, e | 20,000 | 48 | 12 16 20 | 42 % | -58 (-144, +21) |
//! | 0 | 50 | late moves lag behind as in alpha-beta, e | 20,000 | 24 | 4 11 9 | 40 % | -73 (-187, +26) |
//! | 0 | 50 | the same, f | 100,000 | 12 | 2 4 6 | 33 % | -120 (-342, +31) |
//! | 0 | 50 | `LeafDepth=8`, e | 20,000 | 48 | 10 19 19 | 41 % | -66 (-148, +9) |
//! | 0 | 50 | `LeafDepth=8`, f | 100,000 | 12 | 2 9 1 | 54 % | +29 (-69, +132) |
//! | 0 | 50 | the same, f and 12 games more | 100,000 | 24 | 4 14 6 | 46 % | -29 (-123, +61) |
//!
//! Before the third row each branch that the best one had sunk below was searched to the full depth at once.
//! So whenever the best branch lost a few centipawns nearly all others were, and that they should lag behind,
//! as late-move reductions have it in alpha-beta, was in vain: with `LeafDepth=100`, where the leaf searches
//! do nearly all, 11 games brought 3 points. Now they really lag behind, and prices that were chosen before
//! need not be the best: with 100,000 positions the best branches of six positions come to 73 half-moves
//! together with `LeavingPrice=100`, `GreatestGap=150`, to 64 with 0 and 50, where no branch is more than one
//! half-move behind, and alpha-beta's iterations to 64, too. Larger leaf searches leave more of the best
//! branch's other moves to alpha-beta's reductions; with 20,000 positions there is little more in the tree
//! than the moves of the root then. No two of these rows are certainly different.
//!
//! Then the preset, with `LeafDepth=8` and the prices of the last rows, against itself with a change. (The
//! first two rows are of claims as they stood first: some of them rested on what was not shown.)
//!
//! | change | positions | games | + = - | Elo |
//! |---|--:|--:|---|---|
//! | at the end a claim stands that was asked to the full depth | 20,000 | 200 | 83 65 52 | +54 (+19, +89) |
//! | the same | 100,000 | 100 | 35 27 38 | -10 (-62, +41) |
//! | `LeavingPrice=100`, `GreatestGap=150` | 100,000 | 50 | 9 23 18 | -63 (-128, +8) |
//! | `LeafDepth=11` | 100,000 | 81 | 26 35 20 | +26 (-32, +81) |
//! | `LeafDepth=14` | 100,000 | 20 | 6 7 7 | -17 (-142, +113) |
//! | `LeafDepth=14`: **the default** | 400,000 | 54 | 19 27 8 | +72 (+6, +136) |
//! | late moves lag behind as in alpha-beta | 400,000 | 29 | 6 19 4 | +24 (-41, +97) |
//!
//! Where time is over the best branch has just got worse in a quarter of all searches of up to 6,000
//! positions, and another one is about to take its place: in six of seven such cases it has been asked to the
//! full depth. The more positions, the more the tree costs: with 200,000 the best branch comes to 12.0
//! half-moves (40 quiet positions) and alpha-beta to 11.6, with 1.6 million (14 positions) to 14.6 with
//! `LeafDepth=8`, 15.4 with 11, 15.9 with 14, and alpha-beta to 16.5. What is in the tree is asked without
//! reductions, and what a leaf search looks at is reduced.
//!
//! Two threads with 20,000 positions together against one with 10,000: 14 wins, 6 draws, 4 losses, +154 Elo
//! (+39, +316); with `LeafDepth=5` 11 wins, 12 draws, 1 loss. The machine was busy, so that threads often
//! took turns.
//!
//! By the clock against alpha-beta: 5 s + 0.05 s, 60 games, 14 wins, 31 draws, 15 losses, -6 (-71, +62);
//! 20 s + 0.2 s, 24 games, 2 wins, 19 draws, 3 losses, -14 (-91, +65). Before, with `LeafDepth=8` and all
//! claims withdrawn: 40 games, -80 (-167, +11), and 12 games, -154 (-235, +13).
//!
//! Against the preset `paper`: with as many positions 18 wins, 2 draws and no loss in 20 games, +512 Elo
//! (+182, +730); with as much processor time (17,000 positions against 10,000) 20 wins in 20 games, above
//! +223.
//!
//! [`Statistics::first_nodes`]: super::Statistics::first_nodes

mod claims;
mod leaves;
mod lines;
mod selection;
#[cfg(test)]
mod tests;
pub(super) mod workers;

use std::collections::HashMap;

use chess::ChessMove;

use super::history::History;
use super::report::{News, Watch};
use super::search::Search;
use super::tree::NodeId;
use crate::evaluation::Evaluator;
use crate::score::{Bound, Score};
use crate::search::alphabeta::leaf::LeafSearch;
use crate::search::time_control::percent_of_soft;
use crate::search::{Observer, SearchReport, Variation};

use self::lines::{Settled, WantedLine};
use self::selection::Selected;

/// Nodes that are kept free in the tree for the children of one node.
const LEAST_ROOM: usize = 256;

/// What is known of the end of a branch.
#[derive(Clone, Copy, Default)]
struct End {
    /// Half-moves of the alpha-beta search that valued it.
    depth: i32,
    /// What the value is, from White's point of view.
    bound: Bound,
}

/// Whether higher is better for somebody: for White.
type Higher = bool;

/// See the [module](self).
pub struct Memetic<'a, E> {
    search: Search<'a, E>,
    leaf: LeafSearch<'a, E>,
    /// By the node's place in the slab.
    ends: Vec<End>,
    /// What follows ends with an exact value.
    tails: HashMap<NodeId, Box<[ChessMove]>>,
    /// Where the search stands; the root is the first.
    path: Vec<NodeId>,
    /// No end is searched deeper than that, its level included.
    limit: i32,
    /// What is wanted; of several lines the one that is in hand.
    line: WantedLine,
    /// The other lines that are wanted.
    others: Vec<WantedLine>,
    /// At the end: how the other lines were settled last.
    known: Vec<Settled>,
    /// The move of the root that leads the best line.
    head: Option<NodeId>,
    /// How often that line was carried deeper since another one led it.
    unchanged: u32,
    /// Knows when it is enough. Other workers go on until it ends.
    leads: bool,
}

impl<'a, E: Evaluator> Memetic<'a, E> {
    /// The search of one of the workers. The first leads, and every other one begins a half-move deeper than
    /// it must.
    pub fn new(search: Search<'a, E>, leaf: LeafSearch<'a, E>, number: usize) -> Self {
        let limit = search.longest as i32;
        let path = vec![search.tree.root()];
        Memetic {
            search,
            leaf,
            ends: Vec::new(),
            tails: HashMap::new(),
            path,
            limit,
            line: WantedLine::open(1 + number as i32 % 2),
            others: Vec::new(),
            known: Vec::new(),
            head: None,
            unchanged: 0,
            leads: number == 0,
        }
    }

    /// Searches until a limit or the clock ends it, or nothing is left to decide.
    pub fn search(mut self, observer: &mut dyn Observer) -> (SearchReport, History) {
        let (mut history, mut news) = (History::default(), News::default());
        self.run(&mut history, &mut news, observer);
        self.remove_unborn();
        let lines = self.lines();
        self.withdraw_claims();
        history.end(self.search.snapshot(), self.search.effort());
        // The other workers hear of the last positions, too.
        let _ = self.search.gate.check_clock();
        let report = self.report();
        if report.depth > 0 {
            news.conclude(&self.search, &self.last_lines(lines, &report), observer);
        }
        (report, history)
    }

    /// The initial population, then generation after generation. Always ends with `None`.
    fn run(&mut self, history: &mut History, news: &mut News, observer: &mut dyn Observer) -> Option<()> {
        let mut watch = Watch::default();
        if self.search.root_moves.is_empty() {
            return None;
        }
        self.search.root_moves = self.moves_here();
        self.expand(self.line.depth)?;
        self.search.complete_root_moves = self.search.root_moves.len();
        self.search.statistics.first_nodes = self.search.gate.nodes();
        loop {
            if !self.settle_best()? {
                // It may have visited no position, and then nobody else looks at the clock.
                self.search.gate.check_clock()?;
                continue;
            }
            self.make_room();
            if self.take_turns() {
                continue;
            }
            news.announce(&self.search, self.lines(), observer);
            watch.look(&self.search, observer);
            if history.is_due(self.search.statistics.generations) {
                history.add(self.search.snapshot());
            }
            self.check_time()?;
            match self.select() {
                Some(selected) => {
                    self.keep_pace(selected.depth);
                    self.grow(selected)?;
                }
                None => self.put_aside()?,
            }
            self.search.statistics.generations += 1;
        }
    }

    /// When the tree is nearly full the least fit branches die. The best one never does.
    fn make_room(&mut self) {
        if !self.search.tree.has_room_for(2 * LEAST_ROOM) {
            self.search.statistics.culls += 1;
            let gate = &mut self.search.gate;
            self.search.tree.cull(|| gate.check_clock().is_some());
        }
    }

    /// `None` if the search has to end: by a limit, or because nothing is left to decide, or because more
    /// time is hardly worth it. The longer the first move has stayed the best and the more of the effort it
    /// has had, the sooner.
    fn check_time(&mut self) -> Option<()> {
        self.search.gate.check_clock()?;
        if !self.leads {
            return Some(());
        }
        let waits = self.search.gate.clock().is_limited();
        let is_forced = || waits && self.search.chooses && self.is_forced();
        // Who is not waited for wants to know all lines, whatever the best is worth.
        let is_found = || self.search.is_decided() || self.best_line().is_final();
        let is_decided = (waits || self.others.is_empty()) && is_found();
        if is_decided || is_forced() {
            return None;
        }
        let percent = percent_of_soft(self.unchanged, self.effort_on_best());
        (!self.search.gate.clock().should_stop_early(self.search.gate.all_nodes(), percent)).then_some(())
    }

    /// Percent of all positions that were visited below the first move of the best branch.
    fn effort_on_best(&self) -> u32 {
        let all: u64 = self.search.root_nodes.iter().sum();
        let first = self.head.map(|head| self.search.tree.gene(head));
        let index = self.search.root_moves.iter().position(|&mv| Some(mv) == first);
        index.map_or(0, |index| (self.search.root_nodes[index] * 100 / all.max(1)) as u32)
    }

    /// Whether every move of the root but one is proved to be lost.
    fn is_forced(&self) -> bool {
        let tree = &self.search.tree;
        let high = tree.is_max(0);
        tree.children(tree.root()).filter(|&node| !self.is_proved_lost(node, 1, high)).count() == 1
    }

    /// Whether the game is proved to be lost from a node on for White (`high`) or Black. A value that is only
    /// at least so good for that side proves nothing, even if it is a mate: asked whether an end is better
    /// than a quick mate, a search looks no further than to a slower one.
    fn is_proved_lost(&self, node: NodeId, level: usize, high: Higher) -> bool {
        let tree = &self.search.tree;
        let is_lost = |value: Score| if high { value.is_lost() } else { (-value).is_lost() };
        if !tree.value(node).is_some_and(is_lost) {
            return false;
        }
        if !tree.has_children(node) {
            return self.end(node).bound != if high { Bound::Lower } else { Bound::Upper };
        }
        let is_proved = |child| self.is_proved_lost(child, level + 1, high);
        if tree.is_max(level) == high {
            tree.is_complete(node) && tree.children(node).all(is_proved)
        } else {
            tree.children(node).any(is_proved)
        }
    }

    /// The level of the end of the path.
    fn level(&self) -> usize {
        self.path.len() - 1
    }

    /// The end of the path.
    fn node(&self) -> NodeId {
        *self.path.last().expect("the path begins with the root")
    }

    fn end(&self, node: NodeId) -> End {
        self.ends.get(node.index()).copied().unwrap_or_default()
    }

    fn know_end(&mut self, node: NodeId, end: End) {
        if self.ends.len() <= node.index() {
            self.ends.resize(node.index() + 1, End::default());
        }
        self.ends[node.index()] = end;
        self.tails.remove(&node);
    }

    /// Turns a value from White's point of view into that of the side to move on a level, or back.
    fn for_side_on(&self, level: usize, value: Score) -> Score {
        if self.search.tree.is_max(level) { value } else { -value }
    }

    /// What follows an end.
    fn tail_of(&self, node: NodeId) -> impl Iterator<Item = ChessMove> + '_ {
        self.tails.get(&node).into_iter().flatten().copied()
    }

    /// What follows the end of the branch with K = 0.
    fn tail(&self) -> Variation {
        let tree = &self.search.tree;
        tree.best_branch(tree.root()).last().into_iter().flat_map(|node| self.tail_of(node)).collect()
    }

    /// Takes the leaf search to the end of the path.
    fn go(&mut self) {
        let tree = &self.search.tree;
        self.leaf.go_to(self.path[1..].iter().map(|&node| tree.gene(node)));
    }

    /// Goes to the end of the best branch in view.
    fn walk_best(&mut self) {
        let tree = &self.search.tree;
        let best = self.best_in_view();
        self.path.clear();
        self.path.push(tree.root());
        self.path.extend(best.into_iter().flat_map(|head| tree.best_branch(head)));
    }

    /// The first node on a path that has some of its moves in the tree, but not all: those that refuted
    /// another branch.
    fn incomplete(&self, path: &[NodeId]) -> Option<usize> {
        let tree = &self.search.tree;
        path.iter().position(|&node| tree.has_children(node) && !tree.is_complete(node))
    }

    /// Whether a path, a best branch, is exact to the depth that has been reached.
    fn is_settled(&self, path: &[NodeId]) -> bool {
        let (node, level) = (path[path.len() - 1], path.len() - 1);
        let is_exact = self.end(node).bound == Bound::Exact && self.is_asked(node, level);
        self.incomplete(path).is_none() && (is_exact || self.search.tree.is_terminal(node))
    }

    /// At the end: whether a path is settled, or the branch of a line and worth what it was when that was
    /// settled. If it has nodes that are not complete any more, room was made since.
    fn is_known(&self, path: &[NodeId]) -> bool {
        let mut settled = self.known.iter().chain(&self.line.settled);
        let value = self.search.tree.value(path[path.len() - 1]);
        self.is_settled(path) || settled.any(|settled| settled.path == path && value == Some(settled.value))
    }

    /// Whether a node on a level was searched to the depth that has been reached.
    fn is_asked(&self, node: NodeId, level: usize) -> bool {
        level as i32 + self.end(node).depth >= self.line.depth
    }

    /// If the best branch in view is settled, remembers it and returns `true`. Else searches it again, after
    /// which another branch may be the best.
    fn settle_best(&mut self) -> Option<bool> {
        self.walk_best();
        if !self.is_settled(&self.path) {
            let before = self.search.gate.nodes();
            let goes_on = self.challenge();
            self.count(before);
            return goes_on.map(|()| false);
        }
        self.search.depth = Some(self.depth_of_all() as usize);
        self.search.tail = self.tail();
        self.line.settle(Settled { path: self.path.clone(), value: self.value_in_view() });
        let best = self.best_line().head();
        if best != self.head {
            (self.head, self.unchanged) = (best, 0);
        }
        Some(true)
    }

    /// Searches the best branch, which is not settled, again.
    fn challenge(&mut self) -> Option<()> {
        if let Some(level) = self.incomplete(&self.path) {
            let reference = self.value_in_view();
            self.path.truncate(level + 1);
            self.try_moves((self.line.depth - level as i32).max(1), reference)?;
            return Some(());
        }
        let end = self.end(self.node());
        let depth = (self.line.depth - self.level() as i32).max(end.depth);
        if let Some((rival, at)) = self.rival() {
            let high = self.search.tree.is_max(at - 1);
            let reference = self.search.tree.value(rival).unwrap_or_default();
            let claimed = if high { Bound::Lower } else { Bound::Upper };
            // What was no better than another reference may well be no better than this one, and that is
            // cheap to ask: the table knows most of it.
            if end.bound != claimed && end.depth < depth {
                let still_beats = self.ask(end.depth, reference, high)?;
                if !still_beats || self.search.tree.has_children(self.node()) {
                    return Some(());
                }
            }
            let is_proved = end.depth >= depth && end.bound == claimed;
            if !is_proved && !self.ask(depth, reference, high)? {
                return Some(());
            }
        }
        self.settle_unless_grown(depth)
    }

    /// The node of the settled branch where the path has left it, and its level.
    fn rival(&self) -> Option<(NodeId, usize)> {
        let settled = self.line.settled.as_ref()?;
        let at = settled.shared_with(&self.path);
        let rival = settled.path.get(at)?;
        (at < self.path.len()).then_some((*rival, at))
    }

    /// Counts the positions visited since there were `before` for the first move of the path.
    fn count(&mut self, before: u64) {
        if let Some(&first) = self.path.get(1) {
            self.search.count_nodes(self.search.tree.gene(first), self.search.gate.nodes() - before);
        }
    }

    /// Searches a selected end deeper.
    fn grow(&mut self, selected: Selected) -> Option<()> {
        let before = self.search.gate.nodes();
        self.path = selected.path;
        let depth = self.end(self.node()).depth + 1;
        let goes_on = match selected.gains {
            None => {
                self.deepen_line(self.level() as i32 + depth);
                self.settle(depth)
            }
            Some(high) => self.ask(depth, self.value_in_view(), high).map(drop),
        };
        self.count(before);
        goes_on
    }

    fn report(&self) -> SearchReport {
        let search = &self.search;
        let mut variation = search.best_line();
        if variation.is_empty() {
            variation.extend(search.root_moves.first().copied());
        }
        let above_end = &self.path[..self.level()];
        let bound = match (self.end(self.node()).bound, self.incomplete(above_end)) {
            (Bound::Exact, Some(_)) if self.is_known(&self.path) => Bound::Exact,
            // Whoever is to move there may have something better.
            (Bound::Exact, Some(level)) if search.tree.is_max(level) => Bound::Lower,
            (Bound::Exact, Some(_)) => Bound::Upper,
            (bound, _) => bound,
        };
        SearchReport {
            depth: search.depth.unwrap_or(0) as u32,
            variation,
            score: search.for_mover(search.root_value()),
            bound: if search.tree.is_max(0) { bound } else { bound.for_opponent() },
            selective_depth: search.gate.selective_depth as u32,
            nodes: search.gate.nodes(),
            table_hits: search.gate.table_hits(),
            branches: search.statistics.branches,
        }
    }
}
