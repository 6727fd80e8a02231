//! Searching: what every backend shares, and the seam to the rest of the program.
//!
//! A [`Searcher`] is given a [`Position`], [`Limits`], a [`Clock`] that says when to stop, and an
//! [`Observer`] that is told of every improvement. It returns a [`SearchReport`]. Nothing in here
//! prints, reads standard input, or knows a protocol.
//!
//! The searchers are [`genetic`], which plays by default, [`alphabeta`], which also values the ends
//! of its branches, [`minimax`] and [`action`], those of two other papers, and [`strength`], which
//! plays as well as is asked for.

pub mod action;
pub mod alphabeta;
pub mod clock;
pub mod exchange;
pub mod genetic;
pub mod limits;
pub mod memory;
pub mod minimax;
pub mod prior;
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

/// Where a search collects its line of best play while it unwinds. [`Variation`] keeps it; `()`
/// forgets it, and costs nothing. The default is a line without moves.
pub trait LineKeeper: Default {
    /// Back to a line without moves.
    fn clear(&mut self);

    /// The line becomes `mv`, followed by `rest`. What does not fit is cut off.
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

/// What a search says: a thinking line while it goes on, and in the end what it found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Thought {
    /// 1 for the best line, 2 for the best of those that begin with another move, and so on. See
    /// [`Limits::lines`].
    pub rank: usize,
    /// Nominal depth in half-moves. For the genetic search: the length of the best branch, or with
    /// alpha-beta at the leaves the depth that it has reached, or all lines if several are wanted.
    pub depth: u32,
    /// The deepest half-move looked at. For the genetic search: H, the height of the reservation
    /// tree; with alpha-beta at the leaves as for alpha-beta.
    pub selective_depth: u32,
    /// From the side to move at the root.
    pub score: Score,
    /// What the score is: the clock may come before a value is made exact.
    pub bound: Bound,
    /// Time thought so far, as the clock counts it.
    pub time: Duration,
    /// Positions visited so far.
    pub nodes: u64,
    /// How many of them an endgame table knew the value of.
    pub table_hits: u64,
    /// The best line so far; the last one of a search is empty only if the root has no legal move
    /// (or all were excluded).
    pub variation: Variation,
}

/// The last word of a search: of the last iteration that was finished. It is of the best line, and
/// whoever has the clock knows the time.
pub type SearchReport = Thought;

impl Thought {
    /// What is known before the first position was searched: some move to play, or the score of a
    /// game that is over.
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

    /// Whether the last line of a search says what its report does. It may be of an iteration that
    /// was not complete, and say more; else a report with another value or depth came later.
    pub fn says(&self, report: &SearchReport) -> bool {
        let is_same = self.score == report.score && self.depth == report.depth;
        self.is_of(report) && (is_same || self.depth > report.depth)
    }

    /// Whether the last line of a search is of the same move as its report. A report that is a
    /// bound came later than a line that is not the same bound.
    pub fn is_of(&self, report: &SearchReport) -> bool {
        let is_no_later_bound = report.bound == Bound::Exact || report.bound == self.bound;
        is_no_later_bound && self.variation.first() == report.variation.first()
    }

    /// Nodes a second, for a search that took `time`.
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
    /// From the side to move at the root.
    pub score: Score,
    /// Time thought so far, as the clock counts it.
    pub time: Duration,
    /// Positions visited so far.
    pub nodes: u64,
    /// The most promising at the search's beginning come first.
    pub root_moves: Vec<RootMove>,
    pub births: Births,
    /// The least contested. None of them has K = 0 for a moment while another branch is made sure
    /// of; the values of those that were only shown to be no better are bounds.
    pub branches: Vec<LiveBranch>,
}

/// Branches that were born in a search so far, by what made them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Births {
    pub crossovers: u64,
    pub mutations: u64,
    /// Branches that got one gene more.
    pub growths: u64,
}

/// A branch of a search that goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveBranch {
    /// The moves from the root on; not empty.
    pub line: Vec<ChessMove>,
    /// The level nearest to the root that has its value from this branch.
    pub k: usize,
    /// H - K + 1.
    pub fitness: usize,
    /// From the side to move at the root.
    pub value: Score,
}

/// What the genetic search spent on a move at the root, and what it thinks of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootMove {
    pub mv: ChessMove,
    /// Positions visited to make branches that begin with this move.
    pub nodes: u64,
    /// From the side to move at the root.
    pub value: Option<Score>,
}

/// What a search says besides its lines.
#[derive(Clone, Debug)]
pub enum Remark {
    /// The genetic search, every 30,000 positions: it goes on without anything better to tell.
    Generation(Box<Generation>),
    /// What a library says of the root; `None` if there is no library although the search is made
    /// for one.
    Advice(Option<Box<Advice>>),
    /// The machine gave only so many megabytes for trees and tables, fewer than were asked for.
    /// Said once, with the first search.
    ShortOfMemory(usize),
    /// The machine gave only so many threads, fewer than were asked for.
    ShortOfThreads(usize),
    /// Among what a player of limited strength has drawn its move, the best first.
    Draw(Vec<Chance>),
}

/// A move that may be drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chance {
    pub mv: ChessMove,
    /// Of its branch.
    pub score: Score,
    /// From 0 to 1; those of all moves that may be drawn add up to 1.
    pub chance: f64,
}

/// Told of every improvement while a search runs. `()` ignores them.
pub trait Observer {
    /// A new best line, a new depth, or a fail high or low at the root.
    fn progress(&mut self, thought: &Thought);

    fn remark(&mut self, _: Remark) {}
}

impl Observer for () {
    fn progress(&mut self, _: &Thought) {}
}

/// A backend: genetic search, alpha-beta or Min-Max.
pub trait Searcher: Send {
    /// Searches `root` until a limit or the clock ends it, or until there is nothing more to find.
    ///
    /// If the root has a legal move (that `limits` allows), the report's variation is legal and not
    /// empty, however early the clock ran out.
    fn search(
        &mut self,
        root: &Position,
        limits: &Limits,
        clock: &Clock,
        observer: &mut dyn Observer,
    ) -> SearchReport;

    /// Searches so many positions, however long it takes.
    fn search_nodes(&mut self, root: &Position, nodes: u64) -> SearchReport {
        self.search(root, &Limits::of_nodes(nodes), &Clock::unlimited(), &mut ())
    }

    /// Forgets everything learned in earlier searches, and seeds all randomness anew.
    fn new_game(&mut self);

    /// Sets the memory budget of trees and tables, in megabytes of 2^20 bytes.
    fn set_memory(&mut self, megabytes: usize);

    /// Does a part of what the next search, with so many threads, would else have to do while its
    /// clock runs, some ten milliseconds' worth. `true` if more is left to do.
    fn prepare(&mut self, _threads: usize) -> bool {
        false
    }

    /// What the last search leaves behind, if it was a genetic one: of several workers, that of the
    /// first.
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
