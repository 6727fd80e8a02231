//! What a `go` asked for: its limits, its clock, and when its answer is due.

use std::time::{Duration, Instant};

use chess::{ChessMove, Color};

use crate::engine::{Backend, Settings};
use crate::front::clocks::milliseconds;
use crate::front::reserve::Reserve;
use crate::position::{MoveList, Position};
use crate::protocol::uci::{Go, Info};
use crate::score::Score;
use crate::search::Limits;
use crate::search::genetic::params::Leaves;
use crate::search::time_control::{Budget, GameClock, Losses, TimeControl};

/// What the answer has to wait for, even if there is nothing left to think about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hold {
    Nothing,
    /// `go infinite`
    Stop,
    /// `go ponder`
    PonderHit,
}

/// A `bestmove`, ready to be said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Answer {
    /// What the search cost in all, and what the move is worth: the last `info` before it.
    pub info: Option<Info>,
    pub best: Option<ChessMove>,
    pub ponder: Option<ChessMove>,
}

/// A `go` that has not been answered yet.
#[derive(Debug)]
pub(super) struct Task {
    pub hold: Hold,
    /// Time, depth or nodes end the search, or `stop` has.
    pub is_bounded: bool,
    /// What the move may cost, from the time on that it is the engine's turn.
    pub budget: Option<Budget>,
    /// What the GUI's clock showed for the engine, and the increment.
    pub shown: Option<(Duration, Duration)>,
    /// When the engine's time began to run.
    pub turn: Option<Instant>,
    /// `mate`
    pub mate: Option<u32>,
    /// The answer is a move of a game, not of an analysis.
    pub is_for_game: bool,
    /// Root moves that may be played.
    pub allowed: MoveList,
    /// `MultiPV` when it began.
    pub lines: usize,
    /// The search is over.
    pub answer: Option<Answer>,
}

impl Task {
    pub(super) fn new(
        go: &Go,
        side: Color,
        reserve: &mut Reserve,
        overhead: Duration,
        allowed: MoveList,
        lines: usize,
    ) -> Task {
        let shown = shown(go, side);
        let increment = shown.map_or(Duration::ZERO, |(_, increment)| increment);
        if let Some((left, _)) = shown {
            reserve.learn(side, left, overhead, increment);
        }
        reserve.forget_count();
        let hold = match (go.infinite, go.ponder) {
            (true, _) => Hold::Stop,
            (false, true) => Hold::PonderHit,
            (false, false) => Hold::Nothing,
        };
        Task {
            hold,
            is_bounded: false,
            budget: budget(go, side, reserve.losses(overhead, increment)),
            shown,
            turn: (hold != Hold::PonderHit).then(Instant::now),
            mate: go.mate,
            is_for_game: !go.infinite && go.mate.is_none() && go.search_moves.is_empty(),
            allowed,
            lines,
            answer: None,
        }
    }

    /// What should be left on the engine's clock once its move is out. Time beyond the hard deadline is not
    /// counted: the machine lost it.
    pub(super) fn left(&self) -> Option<Duration> {
        let ((shown, increment), turn) = (self.shown?, self.turn?);
        let most = self.budget.map_or(Duration::MAX, |budget| budget.hard);
        Some(shown.saturating_sub(turn.elapsed().min(most)) + increment)
    }

    /// Whether the answer will come although nobody asks for it any more.
    pub(super) fn will_be_answered(&self) -> bool {
        self.hold == Hold::Nothing && self.is_bounded
    }

    /// Whether `score` is the mate that was looked for.
    pub(super) fn is_mate_found(&self, score: Score) -> bool {
        let found = score.mate_moves().filter(|&moves| moves > 0);
        self.mate.zip(found).is_some_and(|(wanted, found)| found.unsigned_abs() <= wanted)
    }
}

/// What ends the search besides time.
///
/// A mate in N is no deeper than 2 N - 1 half-moves. A search that looks at all moves to a limit of depth
/// finds it there. The genetic search of the paper hardly does without: it seldom goes on with a move that
/// gives a queen. Alpha-beta does not look at all moves to its depth, and may find the mate later; so do the
/// searches that use it.
pub(super) fn limits(go: &Go, settings: &Settings, position: &Position, task: &Task) -> Limits {
    let is_selective = match settings.engine.backend {
        Backend::AlphaBeta | Backend::Action => true,
        Backend::Genetic => settings.genetic.leaves == Leaves::AlphaBeta,
        Backend::MiniMax => false,
    };
    let mate_depth = go.mate.filter(|_| !is_selective);
    let mate_depth = mate_depth.map(|moves| moves.saturating_mul(2).saturating_sub(1));
    Limits {
        depth: go.depth.or(mate_depth).map(|depth| depth.max(1)),
        nodes: go.nodes.map(|nodes| nodes.max(1)),
        excluded: position.legal_moves().into_iter().filter(|mv| !task.allowed.contains(mv)).collect(),
        // A search for a mate goes on when another one is found, as long as that one may still get shorter.
        infinite: go.infinite || go.mate.is_some(),
        lines: task.lines,
        ..Limits::default()
    }
}

/// What the move may cost; `None` if `go` says nothing of time.
fn budget(go: &Go, side: Color, losses: Losses) -> Option<Budget> {
    if go.infinite {
        return None;
    }
    if let Some(per_move) = go.move_time {
        let per_move = milliseconds(per_move);
        return Some(GameClock::new(TimeControl::Fixed { per_move }).budget(losses));
    }
    let Some((left, increment)) = shown(go, side) else {
        // Where only the opponent's clock is given and nothing else ends the search, our clock is taken for
        // an empty one, as Stockfish does: in a game with clocks nobody says `stop`.
        let is_endless = go.depth.is_none() && go.nodes.is_none() && go.mate.is_none();
        let at_once = Budget { soft: Duration::ZERO, hard: Duration::ZERO };
        return shown(go, !side).filter(|_| is_endless).map(|_| at_once);
    };
    // Some GUIs send 0 where the others send nothing.
    let mut clock = GameClock::new(TimeControl::new(go.moves_to_go.unwrap_or(0), left, increment));
    // A new clock is never empty, but this one may be.
    clock.set_remaining(left);
    if go.moves_to_go == Some(1) {
        // A session of one move is taken for a fixed time by another name, and nothing is kept back from
        // that. Here it is the last move of a longer session: a flag that falls now loses the game.
        clock.set_remaining(left - losses.reserve.min(left / 8 * 7));
    }
    Some(clock.budget(losses))
}

/// What the clock of `side` shows, and what each move adds; `None` if `go` does not say.
fn shown(go: &Go, side: Color) -> Option<(Duration, Duration)> {
    let (left, increment) = match side {
        Color::White => (go.white_time, go.white_increment),
        Color::Black => (go.black_time, go.black_increment),
    };
    Some((milliseconds(left?), milliseconds(increment.unwrap_or(0))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::uci::Command;

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
        assert_eq!([fixed.soft, fixed.hard], [Duration::from_millis(480); 2], "all but the overhead");
        for line in ["go winc 1000", "go btime 1000 depth 3", "go infinite wtime 5 btime 5", "go depth 3"] {
            assert_eq!(budget_of(line, Color::White), None, "{line}");
        }
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
        for line in ["wtime 0", "wtime -500 winc 100", "movetime 0", "wtime 0 movestogo 5", "btime 1000"] {
            let budget = budget_of(&format!("go {line}"), Color::White).unwrap();
            assert_eq!(budget.hard, Duration::ZERO, "{line}");
        }
        // And the largest numbers are no reason to panic.
        let line = format!("go wtime {0} winc {0} movestogo 4294967295", i64::MAX);
        assert!(budget_of(&line, Color::White).unwrap().soft > Duration::from_secs(1));
    }
}
