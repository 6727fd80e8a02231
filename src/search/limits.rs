//! The limits of a search besides time, and its counter: every search enters each position through
//! the counter, which counts nodes and notices the end.

use std::sync::Arc;

use chess::{Board, ChessMove};

use super::clock::Pace;
use super::team::Team;
use super::{Clock, Score, Strength, Thought, tables};
use crate::rules::position::{MoveList, Position};
use crate::rules::tablebase::Tablebase;

/// Limits of one search besides time. Time is the [`Clock`]'s business.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Greatest depth in half-moves (`sd`).
    ///
    /// For the genetic search this is the greatest length of a bred branch, quiescence line left
    /// out. The search ends when all moves of all positions above this depth are in the reservation
    /// tree: once hardly any child is new, it breeds the missing ones from the root down. If
    /// neither time nor nodes nor a `stop` is going to end the search, a full tree does. With
    /// the default search this is the greatest depth of a branch with its leaf search, and
    /// the search ends when no branch is left to be searched deeper.
    pub depth: Option<u32>,
    /// Greatest number of nodes visited. Exact for one thread: the same limit gives the same
    /// search. Of several threads each gets its share, and the search may end with less when one is
    /// slower.
    pub nodes: Option<u64>,
    /// The number of nodes after which no new iteration begins. Only alpha-beta obeys.
    pub soft_nodes: Option<u64>,
    /// Root moves not to be considered (`exclude`).
    pub excluded: Vec<ChessMove>,
    /// True if they were excluded for the choice of a move, as by endgame tables. Otherwise the
    /// user excluded moves to ask about the rest, and even a single remaining move must be scored.
    pub excludes_to_choose: bool,
    /// Analysis: go on although the move to play is settled, as long as there is something to find.
    /// When nothing is left the search is over all the same (alpha-beta: a mate without
    /// improvement, or the last depth; the genetic search: no new branch for long, or with
    /// the default search none to search deeper), and the caller keeps the result until the
    /// front end has seen enough.
    pub infinite: bool,
    /// The number of best lines wanted, each with another first move; at least 1. There are fewer
    /// if fewer moves are allowed. The report is about the first of them.
    pub lines: usize,
    /// The number of threads; at least 1.
    pub threads: usize,
    /// The strength to play with, if limited. Only the searcher between the engine and the others
    /// uses it: the rest search as always.
    pub strength: Option<Strength>,
    /// Endgame tables; a branch ends at each position with a known value.
    pub tables: Option<Arc<Tablebase>>,
}

impl Default for Limits {
    /// None at all, for one line and one thread.
    fn default() -> Self {
        Limits {
            depth: None,
            nodes: None,
            soft_nodes: None,
            excluded: Vec::new(),
            excludes_to_choose: false,
            infinite: false,
            lines: 1,
            threads: 1,
            strength: None,
            tables: None,
        }
    }
}

impl Limits {
    /// The limit of a number of positions, and no other.
    pub fn of_nodes(nodes: u64) -> Limits {
        Limits {
            nodes: Some(nodes),
            ..Limits::default()
        }
    }

    /// The legal root moves within the limits.
    pub fn root_moves(&self, root: &Position) -> MoveList {
        root.legal_moves()
            .into_iter()
            .filter(|mv| !self.excluded.contains(mv))
            .collect()
    }

    /// Returns true if the search is to choose a move: every legal one is allowed, or every
    /// candidate.
    pub fn ask_for_a_choice(&self, root: &Position) -> bool {
        self.excludes_to_choose
            || root
                .legal_moves()
                .iter()
                .all(|mv| !self.excluded.contains(mv))
    }

    /// The limits of a search of nothing but these allowed moves.
    pub fn only(&self, root: &Position, moves: &[ChessMove]) -> Limits {
        let others = root
            .legal_moves()
            .into_iter()
            .filter(|mv| !moves.contains(mv));
        let excludes_to_choose = self.ask_for_a_choice(root);
        Limits {
            excluded: others.collect(),
            excludes_to_choose,
            ..self.clone()
        }
    }

    /// The depth asked for, or else the one of an option, where 0 is none. Analysis goes deeper
    /// than an option.
    pub fn depth_or(&self, option: i64) -> Option<u32> {
        self.depth
            .or((option > 0 && !self.infinite).then_some(option as u32))
    }
}

/// The end of the search: a limit is reached, or the clock or the user ends it. Every caller
/// unwinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop;

/// The limits of a [`NodeCounter`] before a budget began.
#[derive(Clone, Copy, Debug)]
pub struct Budgeted {
    limit: u64,
    next_check: u64,
}

/// Counts nodes and says when the search must unwind.
pub struct NodeCounter<'a> {
    clock: &'a Clock,
    nodes: u64,
    next_check: u64,
    pace: Pace,
    limit: u64,
    /// Deepest ply entered.
    pub selective_depth: usize,
    tables: Option<Arc<Tablebase>>,
    /// Positions with a value from an endgame table.
    table_hits: u64,
    /// The workers of the search, if there are several, and the number of this one.
    team: Option<(&'a Team, usize)>,
}

impl<'a> NodeCounter<'a> {
    pub fn new(limits: &Limits, clock: &'a Clock) -> Self {
        NodeCounter {
            clock,
            nodes: 0,
            next_check: 0,
            pace: Pace::start(),
            limit: limits.nodes.unwrap_or(u64::MAX),
            selective_depth: 0,
            tables: limits.tables.clone(),
            table_hits: 0,
            team: None,
        }
    }

    /// The counter of one of the workers of a search, with its share of the nodes. It ends with the
    /// others.
    pub fn of_worker(limits: &Limits, clock: &'a Clock, team: &'a Team, worker: usize) -> Self {
        let mut counter = NodeCounter::new(limits, clock);
        if team.size() > 1 {
            let size = team.size() as u64;
            counter.limit =
                counter.limit / size + u64::from((worker as u64) < counter.limit % size);
            counter.team = Some((team, worker));
        }
        counter
    }

    /// The tablebase value of a position from its side to move, if there is one and the last move
    /// was a capture or a pawn's move. `ply` is its distance from the root.
    #[inline]
    pub fn table_value(&mut self, board: &Board, halfmove_clock: u32, ply: usize) -> Option<Score> {
        let tables = self.tables.as_deref().filter(|_| halfmove_clock == 0)?;
        let value = tables::value(tables, board, ply);
        self.table_hits += u64::from(value.is_some());
        value
    }

    /// Returns true if quiescence ended at `line`, played from `board`, by an endgame table.
    #[inline]
    pub fn ends_in_table(&self, board: &Board, line: &[ChessMove]) -> bool {
        self.tables
            .as_deref()
            .is_some_and(|tables| tables::decides(tables, board, line))
    }

    /// Counts one position. `Stop` when the search must end: the node limit is reached, or the hard
    /// deadline passed, or the search was told to stop. Meant for `?`.
    #[inline]
    pub fn enter(&mut self, ply: usize) -> Result<(), Stop> {
        if self.nodes >= self.next_check {
            self.check_clock()?;
        }
        self.nodes += 1;
        self.selective_depth = self.selective_depth.max(ply);
        Ok(())
    }

    /// Checks the clock and the node limit without counting a position: for work without positions.
    /// Tells the other workers the progress of this one.
    #[cold]
    #[inline(never)]
    pub fn check_clock(&mut self) -> Result<(), Stop> {
        let is_over = self.team.is_some_and(|(team, worker)| {
            team.note(worker, self.nodes, self.table_hits, self.selective_depth);
            team.is_over()
        });
        if is_over || self.nodes >= self.limit || self.clock.must_stop(self.all_nodes()) {
            self.next_check = 0;
            return Err(Stop);
        }
        self.next_check = (self.nodes + self.clock.nodes_to_next_check(&mut self.pace, self.nodes))
            .min(self.limit);
        Ok(())
    }

    /// Limits the search to so many more positions, until [`NodeCounter::end_budget`] gets the
    /// returned state back.
    pub fn begin_budget(&mut self, nodes: u64) -> Budgeted {
        let before = Budgeted {
            limit: self.limit,
            next_check: self.next_check,
        };
        self.limit = self.limit.min(self.nodes.saturating_add(nodes));
        self.next_check = self.next_check.min(self.limit);
        before
    }

    /// Ends a budget. The clock may have been checked meanwhile.
    pub fn end_budget(&mut self, before: Budgeted) {
        self.limit = before.limit;
        self.next_check = before.next_check.max(self.next_check).min(self.limit);
    }

    /// Nodes visited so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Nodes visited so far by all workers of the search.
    pub fn all_nodes(&self) -> u64 {
        self.nodes
            + self
                .team
                .map_or(0, |(team, worker)| team.nodes_of_others(worker))
    }

    /// The counts of this worker, for a report.
    pub fn done(&self) -> Thought {
        Thought {
            selective_depth: self.selective_depth as u32,
            nodes: self.nodes,
            table_hits: self.table_hits,
            ..Thought::default()
        }
    }

    /// The counts of all workers so far, for a thinking line.
    pub fn done_by_all(&self) -> Thought {
        let nodes = self.all_nodes();
        let mut done = Thought {
            nodes,
            time: self.clock.elapsed(nodes),
            ..self.done()
        };
        if let Some((team, worker)) = self.team {
            done.table_hits += team.table_hits_of_others(worker);
            done.selective_depth = done
                .selective_depth
                .max(team.selective_depth_of_others(worker) as u32);
        }
        done
    }

    pub fn clock(&self) -> &'a Clock {
        self.clock
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::search::{clock::TimeSource, time_control::Budget};

    #[test]
    fn where_nodes_are_the_time_not_one_is_too_many() {
        let budget = Budget {
            soft: Duration::from_secs(2),
            hard: Duration::from_secs(2),
        };
        let clock = Clock::start(TimeSource::Nodes { per_second: 1000 }, Some(budget));
        let mut counter = NodeCounter::new(&Limits::default(), &clock);
        while counter.enter(0).is_ok() {}
        assert_eq!(counter.nodes(), 2000);
    }
}
