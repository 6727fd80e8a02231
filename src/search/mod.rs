//! Searching: the common parts of all backends, and the seam to the rest of the program.
//!
//! A [`Searcher`] gets a [`Position`], [`Limits`], a [`Clock`] to stop it, and an [`Observer`] of
//! every improvement. It returns a [`SearchReport`]. Nothing in here prints, reads standard input,
//! or knows a protocol.
//!
//! The searchers are [`genetic`], the default, [`alphabeta`], also used at the ends of its
//! branches, [`minimax`] and [`action`], those of two other papers, and [`strength`], for limited
//! strength.

pub mod action;
pub mod alphabeta;
pub mod clock;
pub mod exchange;
pub mod genetic;
pub mod limits;
pub mod memory;
pub mod minimax;
pub mod quiescence;
pub mod strength;
pub mod tables;
pub mod team;
pub mod time_control;

pub use crate::rules::score::{Bound, Score};
pub use action::{Action, Advice};
pub use alphabeta::{AlphaBeta, AlphaBetaOptions};
pub use clock::Clock;
pub use genetic::Remains;
pub use genetic::tree::Origin;
pub use limits::{Limits, NodeCounter, Stop};
pub use minimax::{MinMaxOptions, MiniMax};
pub use quiescence::{Quiescence, quiescence};
pub use strength::Strength;

use std::time::Duration;

use arrayvec::ArrayVec;
use chess::ChessMove;

use crate::rules::position::{Outcome, Position};

/// The longest branch any search makes, in half-moves from the root.
pub const MAX_PLY: usize = 128;

/// A line of moves from the root; the first move is the one to play.
pub type Variation = ArrayVec<ChessMove, MAX_PLY>;

/// The collector of a search's line of best play while it unwinds. [`Variation`] keeps the line;
/// `()` forgets it, and costs nothing. The default is a line without moves.
pub trait LineKeeper: Default {
    /// Back to a line without moves.
    fn clear(&mut self);

    /// Sets the line to `mv`, followed by `rest`, cut off at the capacity.
    fn lead_with(&mut self, mv: ChessMove, rest: &Self);
}

impl LineKeeper for () {
    #[inline]
    fn clear(&mut self) {}

    #[inline]
    fn lead_with(&mut self, _: ChessMove, (): &Self) {}
}

impl LineKeeper for Variation {
    #[inline]
    fn clear(&mut self) {
        Variation::clear(self);
    }

    #[inline]
    fn lead_with(&mut self, mv: ChessMove, rest: &Self) {
        Variation::clear(self);
        self.push(mv);
        self.extend(rest.iter().copied().take(self.remaining_capacity()));
    }
}

/// A message of a search: a thinking line, or in the end the result.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Thought {
    /// 1 for the best line, 2 for the best with another first move, and so on. See
    /// [`Limits::lines`].
    pub rank: usize,
    /// Nominal depth in half-moves. For the genetic search: the length of the best branch, or with
    /// the default search the depth reached by the search, or by all lines if several are
    /// wanted.
    pub depth: u32,
    /// The deepest half-move looked at. For the genetic search: H, the height of the reservation
    /// tree; in the default search as for alpha-beta.
    pub selective_depth: u32,
    /// The score from the side to move at the root.
    pub score: Score,
    /// The bound of the score: the clock may come before a value is made exact.
    pub bound: Bound,
    /// Time thought so far by the clock.
    pub time: Duration,
    /// Nodes visited so far.
    pub nodes: u64,
    /// The number of them with a value from an endgame table.
    pub table_hits: u64,
    /// The best line so far; the last one of a search is empty only if the root has no legal move
    /// (or all were excluded).
    pub variation: Variation,
}

/// The result of a search. The depth is that of the last finished iteration; line and score may be
/// newer. The time is left to the owner of the clock.
pub type SearchReport = Thought;

impl Thought {
    /// The report before the first position: some move to play, or the score of a finished game.
    pub fn without_search(root: &Position, root_moves: &[ChessMove]) -> Self {
        let score = match root.outcome() {
            Some(Outcome::Checkmate { .. }) => Score::mated_in(0),
            _ => Score::DRAW,
        };
        Thought {
            variation: root_moves.iter().copied().take(1).collect(),
            score,
            ..Thought::default()
        }
    }

    /// The move to play.
    pub fn best_move(&self) -> Option<ChessMove> {
        self.variation.first().copied()
    }

    /// Returns true if this line needs no correction by the report at the end of its search. The
    /// line may be of an unfinished iteration, and so be deeper.
    pub fn says(&self, report: &SearchReport) -> bool {
        let is_same = self.score == report.score && self.depth == report.depth;
        self.is_of(report) && (is_same || self.depth > report.depth)
    }

    /// Returns true if the last line of a search has the move of its report. A report with a bound
    /// came later than a line with another bound.
    pub fn is_of(&self, report: &SearchReport) -> bool {
        let is_no_later_bound = report.bound == Bound::Exact || report.bound == self.bound;
        is_no_later_bound && self.variation.first() == report.variation.first()
    }

    /// Nodes a second, for a search of length `time`.
    pub fn speed(&self, time: Duration) -> u64 {
        (self.nodes as f64 / time.as_secs_f64().max(0.001)) as u64
    }
}

/// The genetic search at work: its state after a generation.
#[derive(Clone, Debug)]
pub struct Generation {
    /// 0 after the initial population.
    pub number: u64,
    /// H, the height of the reservation tree.
    pub height: u32,
    /// P, how many branches breed next.
    pub population: usize,
    /// The score from the side to move at the root.
    pub score: Score,
    /// Time thought so far by the clock.
    pub time: Duration,
    /// Nodes visited so far.
    pub nodes: u64,
    /// The most promising at the search's beginning come first.
    pub root_moves: Vec<RootMove>,
    pub births: Births,
    /// The least contested, the least K first. While the paper's search verifies a new best branch
    /// no branch has K = 0. Values of branches that are only shown to be no better are bounds.
    pub branches: Vec<LiveBranch>,
    /// The part of the reservation tree nearest to the best branch; parents come before their
    /// children. The best branch comes first.
    pub nodes_shown: Vec<LiveNode>,
}

/// A node of the reservation tree of a running search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LiveNode {
    /// The index of the parent; `None` for the children of the root.
    pub parent: Option<usize>,
    pub mv: ChessMove,
    /// The operator behind the first branch through this node.
    pub origin: Origin,
    /// The value from the side to move at the root.
    pub value: Option<Score>,
    /// The node is on the best branch.
    pub is_best: bool,
}

/// Branches born in a search so far, by operator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Births {
    pub crossovers: u64,
    pub mutations: u64,
    /// Branches with one gene more.
    pub growths: u64,
}

/// A branch of a running search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveBranch {
    /// The moves from the root on; not empty.
    pub line: Vec<ChessMove>,
    /// The level nearest to the root with its value from this branch.
    pub k: usize,
    /// H - K + 1.
    pub fitness: usize,
    /// The value from the side to move at the root.
    pub value: Score,
}

/// The genetic search's effort on a root move, and its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootMove {
    pub mv: ChessMove,
    /// Nodes visited for branches with this first move.
    pub nodes: u64,
    /// The value from the side to move at the root.
    pub value: Option<Score>,
}

/// A message of a search besides its lines.
#[derive(Clone, Debug)]
pub enum Remark {
    /// The genetic search, every 30,000 positions: a sign of life without a better line.
    Generation(Box<Generation>),
    /// The advice of a library for the root; `None` if the search is made for a library and there
    /// is none.
    Advice(Option<Box<Advice>>),
    /// The machine gave only so many megabytes for trees and tables, fewer than were asked for.
    /// Said once, with the first search.
    ShortOfMemory(usize),
    /// The machine gave only so many threads, fewer than were asked for.
    ShortOfThreads(usize),
    /// The moves from which a player of limited strength has drawn, the best first.
    Draw(Vec<Chance>),
}

/// A candidate of the draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chance {
    pub mv: ChessMove,
    /// The score of its branch.
    pub score: Score,
    /// The probability, from 0 to 1; the candidates' add up to 1.
    pub chance: f64,
}

/// Told of every improvement while a search runs. `()` ignores them.
pub trait Observer {
    /// A new best line, a new depth, or a fail high or low at the root.
    fn progress(&mut self, thought: &Thought);

    fn remark(&mut self, _: Remark) {}

    /// Returns true if the observer wants [`Remark::Generation`], which takes the search time.
    fn follows_generations(&self) -> bool {
        false
    }
}

impl Observer for () {
    fn progress(&mut self, _: &Thought) {}
}

/// A backend: genetic search, alpha-beta or Min-Max.
pub trait Searcher: Send {
    /// Searches `root` until a limit or the clock ends the search, or nothing is left to find.
    ///
    /// If the root has a legal move (allowed by `limits`), the report's variation is legal and not
    /// empty, however early the clock ran out.
    fn search(
        &mut self,
        root: &Position,
        limits: &Limits,
        clock: &Clock,
        observer: &mut dyn Observer,
    ) -> SearchReport;

    /// Searches so many positions, without a clock.
    fn search_nodes(&mut self, root: &Position, nodes: u64) -> SearchReport {
        self.search(root, &Limits::of_nodes(nodes), &Clock::unlimited(), &mut ())
    }

    /// Forgets everything learned in earlier searches, and seeds all randomness anew.
    fn new_game(&mut self);

    /// Sets the memory budget of trees and tables, in megabytes of 2^20 bytes.
    fn set_memory(&mut self, megabytes: usize);

    /// Prepares the next search, with so many threads, while no clock runs, for some ten
    /// milliseconds. Returns true if more is left to do.
    fn prepare(&mut self, _threads: usize) -> bool {
        false
    }

    /// The remains of the last search, if it was a genetic one: of several workers, the first's.
    fn remains(&self) -> Option<Remains<'_>> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_a_report_does_if_nothing_came_after_it() {
        let [first, second] = [0, 1].map(|index| Position::default().legal_moves()[index]);
        let of = |mv| -> Variation { [mv].into_iter().collect() };
        let report = SearchReport {
            variation: of(first),
            score: Score(30),
            depth: 5,
            ..Default::default()
        };
        let line = |score: i32, depth: u32| Thought {
            score: Score(score),
            depth,
            ..report.clone()
        };
        assert!(line(30, 5).says(&report));
        assert!(
            line(20, 6).says(&report),
            "an iteration that was not complete"
        );
        let mut earlier = [line(30, 4), line(20, 4), line(20, 5)].into_iter();
        assert!(earlier.all(|line| !line.says(&report) && line.is_of(&report)));
        let bound = SearchReport {
            bound: Bound::Lower,
            ..report.clone()
        };
        assert!(!line(30, 5).says(&bound) && !line(30, 5).is_of(&bound));
        assert!(
            Thought {
                bound: Bound::Lower,
                ..line(30, 5)
            }
            .says(&bound)
        );
        let of_another = Thought {
            variation: of(second),
            ..line(30, 5)
        };
        assert!(!of_another.says(&report) && !of_another.is_of(&report));
    }
}
