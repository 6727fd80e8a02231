//! The display of the search and of the book on the front end.

use std::time::Duration;

use super::{Activity, Board, XboardFront};
use crate::engine::{Running, Thought};
use crate::rules::protocol::xboard::thinking::score_to_wire;
use crate::rules::protocol::xboard::{Reply, Status, ThinkingLine};
use crate::search::clock::TimeSource;
use crate::search::{Bound, SearchReport};

impl XboardFront {
    /// `bk`: each line begins with a blank, an empty line ends them.
    pub(super) fn show_book(&mut self) {
        let moves = self.book_text();
        if moves.is_empty() || matches!(self.board, Board::Illegal) {
            self.say(Reply::Indented("The book has no move here.".to_owned()));
        } else {
            for mv in moves {
                self.say(Reply::Indented(mv));
            }
        }
        self.say(Reply::Other(String::new()));
    }

    /// The book's moves with their shares: `e4 64%`.
    pub(super) fn book_text(&self) -> Vec<String> {
        let moves = self.engine.book_moves();
        let total: u64 = moves.iter().map(|entry| u64::from(entry.weight)).sum();
        let mut text = Vec::new();
        for entry in moves {
            let san = self.engine.position().san(entry.mv);
            text.push(format!(
                "{san} {}%",
                u64::from(entry.weight) * 100 / total.max(1)
            ));
        }
        text
    }

    /// Prints a thinking line of the running search.
    pub(super) fn show(&mut self, thought: &Thought) {
        if let Some(running) = self.engine.running()
            && let Some(line) = self.line_of(running, thought, None)
        {
            self.say(Reply::Thinking(line));
        }
    }

    /// Prints the final result of a search for a move, if its `last` line differs: front ends take
    /// the score of the last line as the score of the move. The library's reason for the move
    /// stands on the same line: a separate line would have no score.
    pub(super) fn show_last(&mut self, search: &Running, report: &SearchReport) {
        let reason = report.best_move().and_then(|mv| self.engine.reason_for(mv));
        let is_due = match (&self.activity, &search.thought) {
            (Activity::Move { .. } | Activity::Ponder { .. }, _) if reason.is_some() => true,
            (Activity::Move { .. }, Some(last)) => !last.says(report),
            (Activity::Move { .. }, None) => true,
            _ => false,
        };
        if is_due && report.depth > 0 {
            let found = Thought {
                rank: 1,
                time: search.clock.reported_time(),
                ..report.clone()
            };
            if let Some(line) = self.line_of(search, &found, reason) {
                self.say(Reply::Thinking(line));
            }
        }
    }

    /// Returns a thinking line, if the front end wants one, with the library's reason for the move
    /// behind its moves.
    fn line_of(
        &self,
        search: &Running,
        thought: &Thought,
        reason: Option<String>,
    ) -> Option<ThinkingLine> {
        let mut moves = search.root.san_line(&thought.variation);
        match self.activity {
            _ if !self.post => return None,
            // The front end asked for none of these searches to be shown.
            Activity::Guess | Activity::Hint | Activity::Idle | Activity::Due { .. } => {
                return None;
            }
            Activity::Ponder { expected, .. } => {
                moves.insert(0, self.engine.position().san(expected))
            }
            Activity::Move { .. } | Activity::Analysis { .. } => {}
        }
        if let Some(reason) = reason {
            moves.push(format!("({reason})"));
        }
        match thought.bound {
            Bound::Exact => {}
            Bound::Lower => moves.push("!".to_owned()),
            Bound::Upper => moves.push("?".to_owned()),
        }
        let time = match self.clocks.source() {
            TimeSource::Wall => thought.time,
            _ => search.clock.reported_time(),
        };
        Some(ThinkingLine {
            depth: thought.depth,
            score: score_to_wire(thought.score),
            time: centiseconds(time),
            nodes: thought.nodes,
            selective_depth: Some(thought.selective_depth),
            speed: Some(thought.speed(time)),
            table_hits: Some(thought.table_hits),
            variation: moves.join(" "),
        })
    }

    /// Prints the library's advice.
    pub(super) fn show_advice(&mut self, text: &str) {
        if matches!(
            self.activity,
            Activity::Move { .. } | Activity::Analysis { .. }
        ) {
            self.remark(text);
        }
    }

    /// Prints a text in place of a variation. Its parentheses also end periodic requests for a
    /// status.
    pub(super) fn remark(&mut self, text: &str) {
        if self.post {
            let variation = format!("({text})");
            self.say(Reply::Thinking(ThinkingLine {
                variation,
                ..ThinkingLine::default()
            }));
        }
    }

    /// Answers `.`: the progress of the analysis, or its last state if nothing was left to find.
    pub(super) fn show_status(&mut self) {
        let status = match (&self.activity, self.engine.running()) {
            (Activity::Analysis { end: Some(end) }, _) => end.as_ref().clone(),
            (_, Some(running)) => {
                let thought = running.thought.clone().unwrap_or_default();
                let nodes = running.clock.nodes().max(thought.nodes);
                self.status(running, &Thought { nodes, ..thought })
            }
            (_, None) => return,
        };
        self.say(Reply::Status(status));
    }

    /// Returns the status of a search. Searches do not report their current root move, so the best
    /// move is named.
    pub(super) fn status(&self, search: &Running, thought: &Thought) -> Status {
        Status {
            time: centiseconds(search.clock.reported_time()),
            nodes: thought.nodes,
            depth: thought.depth,
            moves_left: 0,
            moves: search
                .root
                .legal_moves()
                .len()
                .saturating_sub(self.excluded.len()),
            current: thought.best_move().map(|mv| search.root.san(mv)),
        }
    }
}

fn centiseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis() / 10).unwrap_or(u64::MAX)
}
