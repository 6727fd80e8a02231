//! `go`: its limits, its clock, the time of its answer, and the way to its `bestmove`.

use std::time::{Duration, Instant};

use chess::{ChessMove, Color};

use super::UciFront;
use crate::engine::front::clocks::milliseconds;
use crate::engine::{Backend, Running, Settings, Thought};
use crate::rules::position::{MoveList, Position, material, moves::coordinate};
use crate::rules::protocol::uci::{Go, Info, InfoScore, Reply};
use crate::rules::score::Score;
use crate::search::clock::TimeSource;
use crate::search::genetic::params::Leaves;
use crate::search::time_control::{Budget, GameClock, Losses, TimeControl};
use crate::search::{Bound, Clock, Limits, SearchReport};

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
        let mut pending = self.pending(&go, allowed);
        let is_for_game = pending.is_for_game && !self.options.analyse;
        if pending.allowed.is_empty() {
            if !self.illegal_position {
                self.game_is_over(&position);
            }
            pending.answer = Some(Answer::default());
        } else if is_for_game && let Some(mv) = self.engine.book_move() {
            self.inform(format!("{} is a book move", coordinate(mv)));
            pending.answer = Some(Answer {
                best: Some(mv),
                ..Answer::default()
            });
        } else {
            let limits = limits(&go, self.engine.settings(), &position, &pending);
            let clock = match pending.budget {
                Some(budget) if pending.hold == Hold::Nothing => {
                    Clock::start(TimeSource::Wall, Some(budget))
                }
                _ => Clock::unlimited(),
            };
            pending.is_limited =
                go.move_time.is_some() || limits.depth.is_some() || limits.nodes.is_some();
            if is_for_game {
                self.engine.play(position, limits, clock)
            } else {
                self.engine.search(position, limits, clock)
            }
        }
        self.pending = Some(pending);
        self.answer_if_due();
    }

    /// Begins an answer, and learns from the clock on show.
    fn pending(&mut self, go: &Go, allowed: MoveList) -> PendingGo {
        let side = self.engine.game.side_to_move();
        let overhead = self.engine.move_overhead();
        let shown = shown(go, side);
        let increment = shown.map_or(Duration::ZERO, |(_, increment)| increment);
        if let Some((left, _)) = shown {
            self.reserve.learn(side, left, overhead, increment);
        }
        self.reserve.forget_count();
        let hold = match (go.infinite, go.ponder) {
            (true, _) => Hold::Stop,
            (false, true) => Hold::PonderHit,
            (false, false) => Hold::Nothing,
        };
        PendingGo {
            hold,
            is_limited: false,
            budget: budget(go, side, self.reserve.losses(overhead, increment)),
            shown,
            turn: (hold != Hold::PonderHit).then(Instant::now),
            mate: go.mate,
            mate_line: None,
            is_for_game: !go.infinite && go.mate.is_none() && go.search_moves.is_empty(),
            allowed,
            lines: self.engine.lines(),
            material: material(self.engine.position().board()),
            answer: None,
        }
    }

    /// Returns the legal moves named by `searchmoves`; all if there are none.
    fn allowed(&mut self, search_moves: &[String]) -> MoveList {
        let mut allowed = MoveList::new();
        for text in search_moves {
            match self.engine.position().parse_move(text) {
                Ok(mv) if !allowed.contains(&mv) => allowed.push(mv),
                Ok(_) => {}
                Err(error) => self.inform(format!("searchmoves: {error}")),
            }
        }
        if allowed.is_empty() {
            allowed = self.engine.position().legal_moves();
        }
        allowed
    }

    /// Answers for a position without a legal move: reports its score.
    fn game_is_over(&mut self, position: &Position) {
        let value = SearchReport::without_search(position, &[]).score;
        let bound = Bound::Exact;
        self.say(&Reply::Info(Info {
            depth: Some(0),
            score: Some(InfoScore { value, bound }),
            ..Info::default()
        }));
    }

    /// Handles `stop`, or another end of the search. Does nothing without a search.
    pub(super) fn stop(&mut self) {
        if let Some(pending) = &mut self.pending {
            pending.hold = Hold::Nothing;
            self.engine.stop();
            self.answer_if_due();
        }
    }

    /// Handles `ponderhit`: the thoughts so far are kept, and the clock starts now.
    pub(super) fn ponder_hit(&mut self) {
        let Some(pending) = &mut self.pending else {
            return;
        };
        if pending.hold != Hold::PonderHit {
            return;
        }
        pending.hold = Hold::Nothing;
        pending.turn = Some(Instant::now());
        if let (Some(running), Some(budget)) = (self.engine.running(), pending.budget) {
            running.clock.ponder_hit(budget);
        }
        self.answer_if_due();
    }

    /// Reports a thinking line of the search.
    pub(super) fn thought(&mut self, thought: Thought) {
        let Some(pending) = &mut self.pending else {
            return;
        };
        // A search that is stopped may go on for a moment, and lose the mate again.
        if let Some(mate) = &pending.mate_line
            && (thought.rank == 1 || thought.depth != mate.depth)
        {
            return;
        }
        let material = self.options.show_wdl.then_some(pending.material);
        self.output
            .send(&Reply::Info(info(&thought, pending.lines, material)));
        // The others are not what will be played.
        if thought.rank == 1
            && thought.bound != Bound::Upper
            && pending.is_mate_found(thought.score)
        {
            pending.mate_line = Some(thought);
            self.engine.stop();
        }
    }

    /// Ends the search: keeps its answer.
    pub(super) fn finished(&mut self, search: &Running, report: &SearchReport) {
        if self.pending.is_some()
            && let Some(best) = report.best_move()
            && let Some(reason) = self.engine.reason_for(best)
        {
            self.inform(format!("{}: {reason}", search.root.san(best)));
        }
        let Some(pending) = &mut self.pending else {
            return;
        };
        let material = self.options.show_wdl.then_some(pending.material);
        let mate = pending.mate_line.take();
        let best = mate.as_ref().unwrap_or(report).best_move();
        let found = best.filter(|mv| pending.allowed.contains(mv));
        pending.answer = Some(match found {
            Some(best) => {
                let lines = pending.lines.min(pending.allowed.len());
                let mut word = last_word(search, report, lines);
                if let Some(mate) = mate {
                    word = with_costs_of(&word, mate);
                }
                Answer {
                    info: Some(info(&word, pending.lines, material)),
                    best: Some(best),
                    ponder: word.variation.get(1).copied().filter(|&reply| {
                        let mut after = search.root.clone();
                        after.play(best).is_ok() && after.is_legal(reply)
                    }),
                }
            }
            None => {
                log::error!("the search gave no legal move in {}", search.root.to_fen());
                Answer {
                    best: pending.allowed.first().copied(),
                    ..Answer::default()
                }
            }
        });
        self.answer_if_due();
    }

    /// Says `bestmove` if the search is over and nothing delays the answer.
    fn answer_if_due(&mut self) {
        let Some(pending) = self.pending.take_if(|pending| pending.is_due()) else {
            return;
        };
        let Some(answer) = &pending.answer else {
            return;
        };
        if let (Some(left), Some(_)) = (pending.left(), pending.budget) {
            self.reserve.count(self.engine.game.side_to_move(), left);
        }
        if let Some(info) = &answer.info {
            self.say(&Reply::Info(info.clone()));
        }
        // What was only pondered on was never on the board.
        let is_played = pending.is_for_game && pending.turn.is_some() && !self.options.analyse;
        if is_played
            && let Some(best) = answer.best
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

/// The event that the answer has to wait for, even with nothing left to think about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hold {
    Nothing,
    /// `go infinite`
    Stop,
    /// `go ponder`
    PonderHit,
}

/// A `bestmove`, ready to be said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Answer {
    /// The search's total cost and the move's value: the last `info` before the move.
    info: Option<Info>,
    best: Option<ChessMove>,
    ponder: Option<ChessMove>,
}

/// A `go` without an answer yet.
#[derive(Debug)]
pub(super) struct PendingGo {
    hold: Hold,
    /// True if a fixed time, depth or nodes end the search.
    is_limited: bool,
    /// The budget of the move, from the engine's turn on.
    pub(super) budget: Option<Budget>,
    /// The engine's time on the GUI's clock, and the increment.
    shown: Option<(Duration, Duration)>,
    /// The time of the start of the engine's turn.
    turn: Option<Instant>,
    /// `mate`
    mate: Option<u32>,
    /// The line with the wanted mate: the search is stopped.
    mate_line: Option<Thought>,
    /// The answer is a move of a game, not of an analysis.
    is_for_game: bool,
    /// The legal root moves for this search.
    allowed: MoveList,
    /// `MultiPV` at the start of the search.
    lines: usize,
    /// The material on the board.
    material: u32,
    /// The search is over.
    answer: Option<Answer>,
}

impl PendingGo {
    /// Returns true if the search is over and nothing delays the answer.
    fn is_due(&self) -> bool {
        self.hold == Hold::Nothing && self.answer.is_some()
    }
    /// Returns the expected time on the engine's clock after its move. Time beyond the hard
    /// deadline is not counted: the machine lost this time.
    fn left(&self) -> Option<Duration> {
        let ((shown, increment), turn) = (self.shown?, self.turn?);
        let most = self.budget.map_or(Duration::MAX, |budget| budget.hard);
        Some(shown.saturating_sub(turn.elapsed().min(most)) + increment)
    }

    /// Returns true if a limit other than a game clock ends the search without a `stop`.
    pub(super) fn ends_by_its_limit(&self) -> bool {
        self.hold == Hold::Nothing && self.is_limited
    }

    /// Returns true if `score` is the wanted mate.
    fn is_mate_found(&self, score: Score) -> bool {
        match (self.mate, score.mate_moves()) {
            (Some(wanted), Some(moves @ 1..)) => moves.unsigned_abs() <= wanted,
            _ => false,
        }
    }
}

/// Returns the limits of the search besides time.
///
/// A mate in N is no deeper than 2 N - 1 half-moves, so a search of all moves to a depth limit
/// finds the mate there. The genetic search of the paper needs this limit: it seldom goes on with a
/// move that gives a queen. Alpha-beta does not search all moves to its depth, and may find the
/// mate later; so do the searches on top of alpha-beta.
fn limits(go: &Go, settings: &Settings, position: &Position, pending: &PendingGo) -> Limits {
    let is_selective = match settings.engine.backend {
        Backend::AlphaBeta | Backend::Action => true,
        Backend::Genetic => settings.genetic.leaves == Leaves::AlphaBeta,
        Backend::MiniMax => false,
    };
    let depth = match (go.depth, go.mate) {
        (None, Some(moves)) if !is_selective => Some(moves.saturating_mul(2).saturating_sub(1)),
        (depth, _) => depth,
    };
    let mut excluded = position.legal_moves().to_vec();
    excluded.retain(|mv| !pending.allowed.contains(mv));
    Limits {
        depth: depth.map(|depth| depth.max(1)),
        nodes: go.nodes.map(|nodes| nodes.max(1)),
        excluded,
        // A search for a mate goes on when another one is found, as long as that one may still get
        // shorter.
        infinite: go.infinite || go.mate.is_some(),
        lines: pending.lines,
        ..Limits::default()
    }
}

/// Returns the budget of the move; `None` if `go` names no time.
fn budget(go: &Go, side: Color, losses: Losses) -> Option<Budget> {
    if go.infinite {
        return None;
    }
    if let Some(per_move) = go.move_time {
        let per_move = milliseconds(per_move);
        return Some(GameClock::new(TimeControl::Fixed { per_move }).budget(losses));
    }
    let Some((left, increment)) = shown(go, side) else {
        // Where only the opponent's clock is given and nothing else ends the search, our clock is
        // taken for an empty one, as Stockfish does: in a game with clocks nobody says `stop`.
        let is_endless = go.depth.is_none() && go.nodes.is_none() && go.mate.is_none();
        return (is_endless && shown(go, !side).is_some()).then_some(Budget {
            soft: Duration::ZERO,
            hard: Duration::ZERO,
        });
    };
    // Some GUIs send 0 where the others send nothing.
    let moves = go.moves_to_go.unwrap_or(0);
    let mut clock = GameClock::new(TimeControl::new(moves, left, increment));
    // A new clock is never empty, but this one may be.
    clock.set_remaining(left);
    if go.moves_to_go == Some(1) {
        // A session of one move is taken for a fixed time by another name, and nothing is kept back
        // from that. Here it is the last move of a longer session: a flag that falls now loses the
        // game.
        clock.set_remaining(left - losses.reserve.min(left / 8 * 7));
    }
    Some(clock.budget(losses))
}

/// Returns the time on the clock of `side`, and its increment; `None` if `go` names no time.
fn shown(go: &Go, side: Color) -> Option<(Duration, Duration)> {
    let (left, increment) = match side {
        Color::White => (go.white_time, go.white_increment),
        Color::Black => (go.black_time, go.black_increment),
    };
    Some((milliseconds(left?), milliseconds(increment.unwrap_or(0))))
}

/// Returns the result of the search, with its total cost. With several lines, none is repeated
/// alone: it would be out of order.
fn last_word(search: &Running, report: &SearchReport, lines: usize) -> Thought {
    let found = Thought {
        rank: 1,
        time: search.clock.reported_time(),
        ..report.clone()
    };
    let is_said = |thought: &&Thought| match lines {
        ..=1 => thought.says(report),
        _ => thought.is_of(report),
    };
    match search.thought.as_ref().filter(is_said) {
        Some(thought) => with_costs_of(&found, thought.clone()),
        None => found,
    }
}

/// Returns a line with the total cost of another one.
fn with_costs_of(all: &Thought, line: Thought) -> Thought {
    Thought {
        nodes: all.nodes,
        time: all.time,
        table_hits: all.table_hits,
        ..line
    }
}

/// A thinking line; its rank is said where several `lines` are wanted. Where there was no time to
/// search there is no score. Chances are shown if the root's `material` is given.
fn info(thought: &Thought, lines: usize, material: Option<u32>) -> Info {
    Info {
        depth: Some(thought.depth),
        line: (lines > 1).then(|| u32::try_from(thought.rank).unwrap_or(u32::MAX)),
        selective_depth: Some(thought.selective_depth),
        score: (thought.depth > 0).then_some(InfoScore {
            value: thought.score,
            bound: thought.bound,
        }),
        chances: match material {
            Some(material) if thought.depth > 0 => Some(thought.score.chances(material)),
            _ => None,
        },
        nodes: Some(thought.nodes),
        speed: Some(thought.speed(thought.time)),
        table_hits: Some(thought.table_hits),
        time: Some(u64::try_from(thought.time.as_millis()).unwrap_or(u64::MAX)),
        variation: thought.variation.iter().copied().map(coordinate).collect(),
        ..Info::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::protocol::uci::Command;

    const OVERHEAD: Duration = Duration::from_millis(20);

    fn budget_of(line: &str, side: Color) -> Option<Budget> {
        match line.parse() {
            Ok(Command::Go(go)) => budget(&go, side, Losses::of_each_move(OVERHEAD)),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn clocks_are_those_of_the_side_and_times_per_move_are_fixed() {
        let line = "go wtime 60000 btime 1000 winc 0 binc 0";
        let white = budget_of(line, Color::White).unwrap();
        let black = budget_of(line, Color::Black).unwrap();
        assert!(white.soft > Duration::from_secs(1) && white.hard < Duration::from_secs(60));
        assert!(black.hard < Duration::from_secs(1));
        let fixed = budget_of("go movetime 500", Color::Black).unwrap();
        assert_eq!(
            [fixed.soft, fixed.hard],
            [Duration::from_millis(480); 2],
            "all but the overhead"
        );
        let lines = [
            "go winc 1000",
            "go btime 1000 depth 3",
            "go infinite wtime 5 btime 5",
            "go depth 3",
        ];
        assert_eq!(lines.map(|line| budget_of(line, Color::White)), [None; 4]);
    }

    #[test]
    fn the_last_move_of_a_session_may_use_most_of_it() {
        let last = budget_of("go wtime 10000 movestogo 1", Color::White).unwrap();
        let second_last = budget_of("go wtime 10000 movestogo 2", Color::White).unwrap();
        assert!(last.hard > Duration::from_secs(9) && second_last.hard < Duration::from_secs(7));
        let none = budget_of("go wtime 10000 movestogo 0", Color::White).unwrap();
        assert_eq!(Some(none), budget_of("go wtime 10000", Color::White));
    }

    #[test]
    fn an_empty_clock_gives_nothing_to_think_with() {
        for line in [
            "wtime 0",
            "wtime -500 winc 100",
            "movetime 0",
            "wtime 0 movestogo 5",
            "btime 1000",
        ] {
            let budget = budget_of(&format!("go {line}"), Color::White).unwrap();
            assert_eq!(budget.hard, Duration::ZERO, "{line}");
        }
        // And the largest numbers are no reason to panic.
        let line = format!("go wtime {0} winc {0} movestogo 4294967295", i64::MAX);
        assert!(budget_of(&line, Color::White).unwrap().soft > Duration::from_secs(1));
    }
}
