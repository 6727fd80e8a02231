//! Moves of both sides, and the engine's searches: the one at work, and the last one, for as long
//! as nothing else is searched.

use std::cmp::Reverse;
use std::time::{Duration, Instant};

use chess::{ChessMove, Color};

use super::board::numbered;
use super::{Activity, Console, Ending, Face, name, notation};
use crate::engine::{Running, Thought};
use crate::rules::position::MoveError;
use crate::rules::score::Score;
use crate::search::{Bound, Clock, Limits, RootMove, SearchReport};

/// Thinking lines come no faster than people read.
const BETWEEN_LINES: Duration = Duration::from_millis(100);

impl Console {
    /// Plays a move of the user, or says what is wrong with the typed text.
    pub(super) fn user_move(&mut self, reading: Result<ChessMove, MoveError>, typed: &str) {
        if self.says_that_it_is_over() {
            return;
        }
        match reading {
            Ok(mv) => {
                self.clocks
                    .moved(self.engine.game.side_to_move(), Duration::ZERO);
                self.put(mv);
                self.answer();
            }
            Err(error) => {
                let side = name(self.engine.game.side_to_move());
                let text = format!("{error} ({side} is to move).");
                match self.similar(typed) {
                    Some(help) => self.say(format!("{text} {help}")),
                    None => self.advise(text, "\"moves\" lists what is legal."),
                }
            }
        }
    }

    /// Says so if the game is over.
    pub(super) fn says_that_it_is_over(&mut self) -> bool {
        if let Some(ending) = &self.ending {
            let text = format!("The game is over ({}).", ending.reason);
            self.advise(text, "Type new, or undo.");
        }
        self.ending.is_some()
    }

    /// Returns a question with the playable moves that begin like the typed text, if there are any.
    pub(super) fn similar(&self, typed: &str) -> Option<String> {
        let position = self.engine.position();
        let moves = notation::similar(position, typed);
        let sans: Vec<String> = moves.into_iter().map(|mv| position.san(mv)).collect();
        let one_of = if sans.len() > 1 { "one of " } else { "" };
        (!sans.is_empty()).then(|| format!("Did you mean {one_of}{}?", sans.join(", ")))
    }

    /// Plays a legal move, and notices the end of the game.
    fn put(&mut self, mv: ChessMove) {
        if let Err(error) = self.engine.game.play(mv) {
            return self.say(error.to_string());
        }
        self.changes_the_game();
        self.notice_end();
        self.keep();
    }

    /// Notes the end of the game by rule, if the game is over.
    pub(super) fn notice_end(&mut self) {
        self.ending = None;
        if let Some(outcome) = self.engine.position().outcome() {
            self.set_ending(outcome.result(), outcome.reason().to_owned());
        }
    }

    fn set_ending(&mut self, result: &'static str, reason: String) {
        self.ending = Some(Ending { result, reason });
        self.written = Some(self.pgn());
        self.engine.game_over(Some(result));
    }

    /// Ends the game without a rule: by resignation or agreement.
    pub(super) fn end(&mut self, result: &'static str, reason: String) {
        self.clocks.end();
        self.changes_the_game();
        self.set_ending(result, reason);
        self.keep();
        self.announce_end();
    }

    pub(super) fn resigns(&mut self, side: Color) {
        let result = if side == Color::White { "0-1" } else { "1-0" };
        self.end(result, format!("{} resigns", name(side)));
    }

    pub(super) fn announce_end(&mut self) {
        if let Some(ending) = &self.ending {
            let text = format!("{}.", ending.in_words());
            self.advise(text, "Type new for another game.");
        }
    }

    /// Continues after a change on the board: Kashan thinks if Kashan is to move, otherwise the
    /// board is shown.
    pub(super) fn answer(&mut self) {
        if self.ending.is_some() {
            self.show_board();
            return self.announce_end();
        }
        let side = self.engine.game.side_to_move();
        self.clocks.start(side);
        if self.kashan != Some(side) {
            return self.show_board();
        }
        if let Some(mv) = self.engine.book_move() {
            return self.kashan_moves(mv, "from the book");
        }
        let limits = Limits {
            depth: self.depth_limit,
            ..Limits::default()
        };
        let budget = self.clocks.budget(side, self.engine.move_overhead());
        let clock = Clock::start(self.clocks.source(), Some(budget));
        self.search(limits, clock, Activity::Move);
    }

    pub(super) fn search(&mut self, limits: Limits, clock: Clock, activity: Activity) {
        let position = self.engine.position().clone();
        match activity {
            Activity::Move => self.engine.play(position, limits, clock),
            _ => self.engine.search(position, limits, clock),
        }
        self.activity = activity;
        self.shown = None;
    }

    /// Ends the running search.
    pub(super) fn cancel(&mut self) {
        self.engine.cancel();
        self.activity = Activity::Idle;
    }

    pub(super) fn finished(&mut self, search: &Running, report: &SearchReport) {
        let activity = std::mem::replace(&mut self.activity, Activity::Idle);
        let found = report.best_move().filter(|&mv| search.root.is_legal(mv));
        match (activity, found) {
            (Activity::Move, Some(mv)) => {
                let side = self.engine.game.side_to_move();
                let options = &self.engine.settings().engine;
                if report.depth > 0 {
                    self.own_scores
                        .record(side, report.score, report.bound, options);
                }
                if self.own_scores.resigns(side, options) {
                    return self.resigns(side);
                }
                let (score, bound) = of_white(side, report.score, report.bound);
                if report.depth > 0 {
                    self.scores
                        .insert(self.engine.game.moves().len() + 1, score);
                }
                let value = match (&self.face, bound) {
                    // The value stands in the list of moves.
                    (Face::Page { .. }, _) => String::new(),
                    (_, Bound::Exact) => format!("{score}, "),
                    (_, Bound::Lower) => format!("at least {score}, "),
                    (_, Bound::Upper) => format!("at most {score}, "),
                };
                let time = self.time_in_words(search, report);
                let mut how = match report.depth {
                    0 => "there was no time to think".to_owned(),
                    depth => format!("{value}depth {depth}, {time}"),
                };
                if let Some(reason) = self.engine.reason_for(mv) {
                    how = format!("{reason}; {how}");
                }
                self.kashan_moves(mv, &how);
            }
            (Activity::Hint, Some(mv)) => {
                self.hinted = Some(mv);
                self.say(format!("Perhaps {}.", search.root.san(mv)));
            }
            (Activity::Analysis, _) => self.say("There is nothing more to find."),
            _ => {}
        }
    }

    /// Describes the time for a move. At a limited strength Kashan also waits, like a person.
    fn time_in_words(&self, search: &Running, report: &SearchReport) -> String {
        let all = search.clock.elapsed(report.nodes);
        let is_limited = self.engine.settings().limited_to().is_some();
        match all.saturating_sub(report.time) {
            waited if is_limited && waited >= WAITED => {
                let thought = report.time.as_secs_f64();
                let waited = waited.as_secs_f64();
                format!("{thought:.1} s and {waited:.1} s of waiting")
            }
            _ => format!("{:.1} s", all.as_secs_f64()),
        }
    }

    fn kashan_moves(&mut self, mv: ChessMove, how: &str) {
        let position = self.engine.position();
        let text = format!("Kashan plays {} ({how})", numbered(position, mv));
        self.clocks.moved(position.side_to_move(), Duration::ZERO);
        let notice = self.engine.retain(mv);
        self.put(mv);
        self.say(text);
        if let Some(notice) = notice {
            self.say(format!("{notice}."));
        }
        self.show_board();
        if self.ending.is_some() {
            self.announce_end();
        } else {
            self.clocks.start(self.engine.game.side_to_move());
        }
    }

    /// Shows a thinking line, with its alternatives.
    pub(super) fn think_aloud(&mut self, thought: &Thought) {
        let Some(running) = self.engine.running().filter(|_| self.is_thinking_due()) else {
            return;
        };
        let is_last = self.activity != Activity::Analysis
            || thought.rank >= self.engine.lines_of(&running.root);
        let mut lines = Vec::new();
        for thought in running.thought.iter().chain(running.alternatives.values()) {
            lines.push(thinking_line(running, thought));
        }
        match &mut self.face {
            // It looks for itself.
            Face::Page { .. } => {}
            Face::Terminal(terminal) if self.activity == Activity::Move => {
                let text = terminal.replace(&lines[0]);
                self.output.print(&text);
            }
            // All lines together, once they have been searched as deep as the first.
            Face::Terminal(_) | Face::Plain if is_last => {
                for line in lines {
                    self.say(line);
                }
            }
            Face::Terminal(_) | Face::Plain => return,
        }
        self.shown = Some(Instant::now());
    }

    /// Says the library's advice, before the first thinking line.
    pub(super) fn think_of_others(&mut self, text: &str) {
        if self.is_thinking_due() && !matches!(self.face, Face::Page { .. }) {
            self.say(format!("  {text}"));
        }
    }

    /// Updates the time on an unchanged thinking line. Only a terminal with a replaceable line
    /// shows this.
    pub(super) fn think_further(&mut self) {
        if self.activity == Activity::Move
            && let Face::Terminal(_) = self.face
            && let Some(running) = self.engine.running()
            && let Some(thought) = running.thought.clone()
        {
            self.think_aloud(&thought);
        }
    }

    fn is_thinking_due(&self) -> bool {
        let is_wanted = match self.activity {
            Activity::Move => self.show_thinking,
            Activity::Analysis => true,
            Activity::Idle | Activity::Hint | Activity::Review | Activity::Explanation => false,
        };
        match self.shown {
            Some(shown) => is_wanted && shown.elapsed() >= BETWEEN_LINES,
            None => is_wanted,
        }
    }
}

/// The shortest wait worth a word.
const WAITED: Duration = Duration::from_millis(100);

/// Returns a side's score and bound from White's point of view: a lower bound for Black is an upper
/// bound for White.
fn of_white(side: Color, score: Score, bound: Bound) -> (Score, Bound) {
    if side == Color::White {
        return (score, bound);
    }
    let bound = match bound {
        Bound::Exact => Bound::Exact,
        Bound::Lower => Bound::Upper,
        Bound::Upper => Bound::Lower,
    };
    (-score, bound)
}

/// Returns a thinking line, its value from White's point of view; with the genetic search's later
/// time and nodes while there is no newer line.
fn thinking_line(running: &Running, thought: &Thought) -> String {
    let (time, nodes) = running.spent(Some(thought));
    let (score, bound) = of_white(running.root.side_to_move(), thought.score, thought.bound);
    let mark = match bound {
        Bound::Exact => " ",
        Bound::Lower => "!",
        Bound::Upper => "?",
    };
    format!(
        "  {:>3} {:>7}{mark} {:>6.1} s {:>8} kN  {}",
        thought.depth,
        score.to_string(),
        time.as_secs_f64(),
        nodes / 1000,
        running.root.san_line(&thought.variation).join(" "),
    )
}

/// The figures of a search for the page in the browser.
impl Running {
    /// Returns time and nodes of the last news: a thinking line, or a generation.
    pub(super) fn spent(&self, thought: Option<&Thought>) -> (Duration, u64) {
        let (time, nodes) = match thought {
            Some(thought) => (thought.time, thought.nodes),
            None => Default::default(),
        };
        match &self.generation {
            Some(later) if later.nodes > nodes => (later.time, later.nodes),
            _ => (time, nodes),
        }
    }

    /// The root moves of the genetic search: the one to play, then those with the most nodes; each
    /// with its percentage of all nodes.
    pub(super) fn efforts(&self) -> Vec<(RootMove, f64)> {
        let best = self.best();
        let Some(generation) = &self.generation else {
            return Vec::new();
        };
        let all: u64 = generation
            .root_moves
            .iter()
            .map(|root_move| root_move.nodes)
            .sum();
        let mut moves = Vec::new();
        for root_move in &generation.root_moves {
            let percent = 100.0 * root_move.nodes as f64 / all.max(1) as f64;
            moves.push((*root_move, percent));
        }
        // The sort keeps the order of equals.
        moves.sort_by_key(|(root_move, _)| (best != Some(root_move.mv), Reverse(root_move.nodes)));
        moves
    }
}
