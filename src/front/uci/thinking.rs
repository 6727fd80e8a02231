//! `go`, and how it comes to its `bestmove`.

use std::time::Instant;

use super::UciFront;
use super::task::{Answer, Hold, Task, limits};
use crate::engine::{Running, Thought};
use crate::position::{MoveList, Position, moves::coordinate};
use crate::protocol::uci::{Go, Info, InfoScore, Reply};
use crate::search::clock::TimeSource;
use crate::search::{Bound, Clock, SearchReport};

impl UciFront {
    /// `go`. No search runs.
    pub(super) fn go(&mut self, go: Go) {
        for text in &go.unreadable {
            self.inform(format!("go: \"{text}\" has no number and is ignored"));
        }
        let position = self.engine.position().clone();
        let allowed = if self.illegal_position {
            self.inform("no move without a legal position");
            MoveList::new()
        } else {
            self.allowed(&go.search_moves)
        };
        let (side, overhead) = (position.side_to_move(), self.engine.move_overhead());
        let lines = self.engine.lines();
        let mut task = Task::new(&go, side, &mut self.reserve, overhead, allowed, lines);
        let is_for_game = task.is_for_game && !self.options.analyse;
        if task.allowed.is_empty() {
            if !self.illegal_position {
                self.game_is_over(&position);
            }
            task.answer = Some(Answer::default());
        } else if is_for_game && let Some(mv) = self.engine.book_move() {
            self.inform(format!("{} is a book move", coordinate(mv)));
            task.answer = Some(Answer { best: Some(mv), ..Answer::default() });
        } else {
            let limits = limits(&go, self.engine.settings(), &position, &task);
            let clock = match task.budget {
                Some(budget) if task.hold == Hold::Nothing => Clock::start(TimeSource::Wall, Some(budget)),
                _ => Clock::unlimited(),
            };
            task.is_bounded = task.budget.is_some() || limits.depth.is_some() || limits.nodes.is_some();
            match is_for_game {
                true => self.engine.play(position, limits, clock),
                false => self.engine.search(position, limits, clock),
            }
        }
        self.task = Some(task);
        self.answer_if_due();
    }

    /// The legal moves that `searchmoves` names; all if it names none.
    fn allowed(&mut self, search_moves: &[String]) -> MoveList {
        let position = self.engine.position();
        let read: Vec<_> = search_moves.iter().map(|text| position.parse_move(text)).collect();
        let legal = position.legal_moves();
        let mut allowed = MoveList::new();
        for result in read {
            match result {
                Ok(mv) if !allowed.contains(&mv) => allowed.push(mv),
                Ok(_) => {}
                Err(error) => self.inform(format!("searchmoves: {error}")),
            }
        }
        if allowed.is_empty() { legal } else { allowed }
    }

    /// There is no move: what it is instead.
    fn game_is_over(&mut self, position: &Position) {
        let score = SearchReport::without_search(position, &[]).score;
        self.say(&Reply::Info(Info {
            depth: Some(0),
            score: Some(InfoScore::new(score, Bound::Exact)),
            ..Info::default()
        }));
    }

    /// `stop`, or something that ends the search as well. Without a search it is nothing.
    pub(super) fn stop(&mut self) {
        if let Some(task) = &mut self.task {
            task.hold = Hold::Nothing;
            task.is_bounded = true;
            self.engine.stop();
            self.answer_if_due();
        }
    }

    /// `ponderhit`: what was thought so far is kept, and from now on there is a clock.
    pub(super) fn ponder_hit(&mut self) {
        let Some(task) = self.task.as_mut().filter(|task| task.hold == Hold::PonderHit) else {
            return;
        };
        task.hold = Hold::Nothing;
        task.turn = Some(Instant::now());
        if let (Some(running), Some(budget)) = (self.engine.running(), task.budget) {
            running.clock.ponder_hit(budget);
        }
        self.answer_if_due();
    }

    /// The search found something.
    pub(super) fn thought(&mut self, thought: Thought) {
        let Some(task) = &mut self.task else {
            return;
        };
        self.output.send(&Reply::Info(info(&thought, task.lines)));
        // The others are not what will be played.
        if thought.rank == 1 && thought.bound != Bound::Upper && task.is_mate_found(thought.score) {
            self.engine.stop();
        }
    }

    /// The search is over.
    pub(super) fn finished(&mut self, search: &Running, report: &SearchReport) {
        let best = report.best_move().filter(|_| self.task.is_some());
        if let Some((best, reason)) = best.and_then(|best| Some((best, self.engine.reason_for(best)?))) {
            self.inform(format!("{}: {reason}", search.root.san(best)));
        }
        let Some(task) = &mut self.task else {
            return;
        };
        let found = report.best_move().filter(|mv| task.allowed.contains(mv));
        task.answer = Some(match found {
            Some(best) => {
                let word = last_word(search, report, task.lines.min(task.allowed.len()));
                Answer {
                    info: Some(info(&word, task.lines)),
                    best: Some(best),
                    ponder: word.variation.get(1).copied().filter(|&reply| {
                        let mut after = search.root.clone();
                        after.play(best).is_ok() && after.is_legal(reply)
                    }),
                }
            }
            None => {
                log::error!("the search gave no legal move in {}", search.root.to_fen());
                Answer { best: task.allowed.first().copied(), ..Answer::default() }
            }
        });
        self.answer_if_due();
    }

    /// Says `bestmove` if the search is over and nothing holds it back.
    fn answer_if_due(&mut self) {
        let due = |task: &mut Task| task.hold == Hold::Nothing && task.answer.is_some();
        let Some(task) = self.task.take_if(due) else {
            return;
        };
        if let (Some(left), Some(_)) = (task.left(), task.budget) {
            self.reserve.count(self.engine.game.side_to_move(), left);
        }
        if let Some(answer) = task.answer {
            if let Some(info) = answer.info {
                self.say(&Reply::Info(info));
            }
            // What was only pondered on was never on the board.
            let is_played = task.is_for_game && task.turn.is_some() && !self.options.analyse;
            if let Some(best) = answer.best.filter(|_| is_played)
                && let Some(notice) = self.engine.retain(best)
            {
                self.inform(notice);
            }
            self.say(&Reply::BestMove {
                best: answer.best.map(coordinate),
                ponder: answer.ponder.map(coordinate),
            });
        }
    }
}

/// What the search found, with what it cost in all. Of several lines none is told anew alone: they would be
/// out of order.
fn last_word(search: &Running, report: &SearchReport, lines: usize) -> Thought {
    let found = Thought { rank: 1, time: search.clock.reported_time(), ..report.clone() };
    let is_said = |thought: &&Thought| match lines {
        ..=1 => thought.says(report),
        _ => thought.is_of(report),
    };
    match search.thought.as_ref().filter(is_said) {
        Some(thought) => {
            Thought { nodes: found.nodes, time: found.time, table_hits: found.table_hits, ..thought.clone() }
        }
        None => found,
    }
}

/// A thinking line; its rank is said where several `lines` are wanted. Where there was no time to search
/// there is no score.
fn info(thought: &Thought, lines: usize) -> Info {
    Info {
        depth: Some(thought.depth),
        line: (lines > 1).then(|| u32::try_from(thought.rank).unwrap_or(u32::MAX)),
        selective_depth: Some(thought.selective_depth),
        score: (thought.depth > 0).then(|| InfoScore::new(thought.score, thought.bound)),
        nodes: Some(thought.nodes),
        speed: Some(thought.speed(thought.time)),
        table_hits: Some(thought.table_hits),
        time: Some(u64::try_from(thought.time.as_millis()).unwrap_or(u64::MAX)),
        variation: thought.variation.iter().copied().map(coordinate).collect(),
        ..Info::default()
    }
}
