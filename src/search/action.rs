//! Playing from a library of actions: Hesham, Abu-Elnasr & Elmougy, "A new action-based reasoning approach for
//! playing chess", Computers, Materials & Continua 69(1), 2021.
//!
//! An [`Adviser`] says what others answered to the opponent's last move; everything else is put into
//! [`Limits::excluded`] of another search (section 3.4.1), which chooses. [`Revise`] adds the phase of
//! case-based reasoning that the paper leaves out: a search of all moves may overrule the library.

use chess::ChessMove;

use super::{Bound, Clock, Limits, Observer, Progress, SearchReport, Searcher, Variation};
use crate::options;
use crate::position::{MoveList, Position};

/// Knows what was answered to the last move.
pub trait Adviser: Send {
    /// What is known of `root`, whose last move is the action.
    fn advise(&mut self, root: &Position) -> Advice;

    /// How games went on from the position at hand that are most like it, at most so many; the first moves
    /// are legal, the others need not be.
    fn continuations(&mut self, position: &Position, most: usize) -> Vec<Variation>;
}

/// What an [`Adviser`] said of a position.
#[derive(Clone, Debug, Default)]
pub struct Advice {
    /// The action in words, `hxg6`; `None` if no move led to the position, so that nothing can be known.
    pub action: Option<String>,
    /// How many cases answer the same action, wherever that was.
    pub known: usize,
    /// How many of them are similar enough, and answer with a move that is legal here.
    pub similar: usize,
    /// The reactions of the similar cases, the most frequent first. All are legal.
    pub reactions: Vec<Reaction>,
    /// Those of all cases that answer the action, similar or not. All are legal.
    pub unfiltered: MoveList,
}

/// A move that was answered before.
#[derive(Clone, Debug)]
pub struct Reaction {
    pub mv: ChessMove,
    /// In how many of the similar cases.
    pub cases: usize,
    /// Of the most similar case, in percent.
    pub similarity: u32,
    /// Whose game that case is from, in words; empty if the library does not know.
    pub game: String,
}

impl Advice {
    /// What is known of a move.
    pub fn of(&self, mv: ChessMove) -> Option<&Reaction> {
        self.reactions.iter().find(|reaction| reaction.mv == mv)
    }
}

/// What is searched where no case is similar enough.
pub use words::EmptyList;

mod words {
    crate::choice! {
        /// What is searched when no similar case has a legal answer. The paper does not say.
        EmptyList {
            /// All legal moves.
            All = "all",
            /// What all cases of the same action answered, similar or not; all legal moves if that is nothing.
            Action = "action",
            /// Nothing: the first legal move is played.
            First = "first",
        }
    }
}

options! {
    /// Options of the backend that plays from a library.
    pub struct ActionOptions {
        /// Backend action: the depth of its search in half-moves, quiescence not counted, if no other depth is
        /// asked for; 0 for as deep as the clock lets it.
        depth: spin(4, 0, 100) = "ActionDepth",
        /// Backend action: what is searched when no similar case has a legal answer: all moves, those that
        /// answered the same action anywhere, or nothing (the first legal move is played).
        empty_list: combo(EmptyList::All) = "EmptyList",
        /// Backend action: whether all moves are searched as well, and the library's is played only if no
        /// other is better by more than ReviseMargin.
        revise: check(true) = "Revise",
        /// Backend action: centipawns that another move has to be better by to be played in place of the
        /// library's.
        revise_margin: spin(50, 0, 10000) = "ReviseMargin",
    }
}

/// How much of time and nodes the search of all moves gets before the rest is decided on, in percent.
const FIRST_SHARE: u32 = 75;

/// A search of the moves that a library knows. See the [module](self).
pub struct Action<S> {
    inner: S,
    adviser: Option<Box<dyn Adviser>>,
    options: ActionOptions,
}

impl<S: Searcher> Action<S> {
    /// Without an adviser it searches all moves.
    pub fn new(inner: S, adviser: Option<Box<dyn Adviser>>, options: ActionOptions) -> Self {
        Action { inner, adviser, options }
    }

    /// The moves that the library leaves; `None` if it leaves all of them.
    fn listed(&self, advice: &Advice, allowed: &MoveList) -> Option<MoveList> {
        let keep = |moves: &mut dyn Iterator<Item = ChessMove>| -> MoveList {
            moves.filter(|mv| allowed.contains(mv)).collect()
        };
        let similar = keep(&mut advice.reactions.iter().map(|reaction| reaction.mv));
        let listed = match self.options.empty_list {
            _ if !similar.is_empty() => similar,
            EmptyList::All => return None,
            EmptyList::Action => keep(&mut advice.unfiltered.iter().copied()),
            EmptyList::First => allowed.iter().copied().take(1).collect(),
        };
        (!listed.is_empty() && listed.len() < allowed.len()).then_some(listed)
    }

    /// The limits of a search to the option's depth, if nobody asked for another.
    fn limits(&self, limits: &Limits) -> Limits {
        let by_option = (self.options.depth > 0 && !limits.infinite).then_some(self.options.depth as u32);
        Limits { depth: limits.depth.or(by_option), ..limits.clone() }
    }
}

impl<S: Searcher> Searcher for Action<S> {
    fn search(
        &mut self,
        root: &Position,
        limits: &Limits,
        clock: &Clock,
        observer: &mut dyn Observer,
    ) -> SearchReport {
        let limits = self.limits(limits);
        let advice = self.adviser.as_mut().map(|adviser| adviser.advise(root));
        observer.advice(advice.as_ref());
        let allowed = limits.root_moves(root);
        let listed = advice.and_then(|advice| self.listed(&advice, &allowed));
        match listed {
            None => self.inner.search(root, &limits, clock, observer),
            Some(listed) if self.options.revise => {
                let revision = Revision { root, limits: &limits, clock, listed: &listed };
                revision.search(&mut self.inner, self.options.revise_margin as i32, observer)
            }
            Some(listed) => self.inner.search(root, &only(&listed, root, &limits), clock, observer),
        }
    }

    fn new_game(&mut self) {
        self.inner.new_game();
    }

    fn set_memory(&mut self, megabytes: usize) {
        self.inner.set_memory(megabytes);
    }
}

/// The limits of a search that considers nothing but `listed`.
fn only(listed: &MoveList, root: &Position, limits: &Limits) -> Limits {
    let others = root.legal_moves().into_iter().filter(|mv| !listed.contains(mv));
    Limits { excluded: others.collect(), ..limits.clone() }
}

/// The library's moves against all moves.
struct Revision<'a> {
    root: &'a Position,
    limits: &'a Limits,
    clock: &'a Clock,
    listed: &'a MoveList,
}

impl Revision<'_> {
    /// Searches all moves. If the best one is the library's, the rest of time and nodes goes the same way;
    /// else the library's moves are searched as deep, and the best of them is played unless it is worse by
    /// more than `margin`.
    ///
    /// Where the library's moves cannot be searched as deep, nothing is known in their favour.
    fn search(&self, inner: &mut dyn Searcher, margin: i32, observer: &mut dyn Observer) -> SearchReport {
        let first_nodes = self.limits.nodes.map(|nodes| (nodes * u64::from(FIRST_SHARE) / 100).max(1));
        self.clock.begin_part(FIRST_SHARE, 0);
        let first =
            inner.search(self.root, &Limits { nodes: first_nodes, ..self.limits.clone() }, self.clock, observer);
        self.clock.begin_part(100, first.nodes);
        let is_listed = first.best_move().is_some_and(|mv| self.listed.contains(&mv));
        let is_deep_enough = self.limits.depth.is_some_and(|depth| first.depth >= depth);
        if is_listed && is_deep_enough || self.limits.infinite {
            return first;
        }
        let nodes = self.limits.nodes.map(|nodes| nodes.saturating_sub(first.nodes));
        if nodes == Some(0) || self.clock.must_stop(0) {
            return first;
        }
        let mut later = Later { observer, first: &first };
        if is_listed {
            let limits = Limits { nodes, ..self.limits.clone() };
            let second = inner.search(self.root, &limits, self.clock, &mut later);
            return later.report(if second.depth > first.depth { second } else { first.clone() }, second.nodes);
        }
        let limits = Limits { nodes, depth: Some(first.depth.max(1)), ..only(self.listed, self.root, self.limits) };
        let second = inner.search(self.root, &limits, self.clock, &mut later);
        todo!()
    }
}
