//! The xboard protocol from the front end's side.
//!
//! The order of commands follows xboard itself, every engine's test partner: a game is set up in
//! force mode, the first move of the engine needs `go`, all others need nothing but the opponent's
//! move.

mod reach;
pub mod setup;

use std::time::Duration;

use shakmaty::Chess;

use setup::{AGES, OldWay, session, time_commands};

use super::driver::{Beginning, Driver, DriverEvent, Outbox, SearchLine, Turn};
use super::offer::{self, Features, unknown_option};
use crate::arena::clock::SideClock;
use crate::arena::referee::{Played, Referee};
use crate::arena::{EngineLimits, GameResult, Verdict};
use crate::rules::protocol::uci::OptionType;
use crate::rules::protocol::xboard::thinking::score_from_wire;
use crate::rules::protocol::xboard::{Command, Reply, ThinkingLine};

/// An engine with the xboard protocol; by default a process just started.
#[derive(Debug, Default)]
pub struct Xboard {
    features: Features,
    /// The engine has a side and answers moves by itself; otherwise, it only watches.
    plays: bool,
    /// The engine was told to move, and has not yet.
    thinking: bool,
    /// The last since its last move.
    thought: Option<SearchLine>,
    /// The token of the last ping, and true while its answer is missing.
    ping: i64,
    is_pinged: bool,
    /// The opponent's move that the engine was told last.
    told: Option<Played>,
    /// True if a game ended during the engine's search, and the engine cannot say when it has
    /// stopped.
    adrift: bool,
    /// The command refused since the game was set up.
    refused: Option<String>,
    /// The time last told to the engine, if the opponent decides the time.
    matched: Option<String>,
}

impl Xboard {
    /// The position in which the game begins.
    fn tell_position(
        &mut self,
        fen: &str,
        game: &Beginning<'_>,
        out: &mut Outbox,
    ) -> Result<(), String> {
        let start = game.referee.start();
        if self.features.has("setboard") {
            out.say(Command::SetBoard(fen.to_owned()));
            return Ok(());
        }
        match OldWay::to(start, game.limits)? {
            OldWay::Edit => setup::edit(start, self.features.has("usermove"), out),
            OldWay::Moves(moves) => {
                let mut before = Referee::default();
                for mv in moves {
                    self.tell_move(&before.written(mv), out);
                    before.play(mv);
                }
            }
        }
        Ok(())
    }

    /// A move, in the notation that this engine reads.
    fn tell_move(&mut self, mv: &Played, out: &mut Outbox) {
        let has_san = self.features.has("san");
        let text = if has_san { &mv.san } else { &mv.uci };
        if self.features.has("usermove") {
            out.say(Command::Move(text.clone()));
        } else {
            out.say(text);
        }
        self.told = Some(mv.clone());
    }

    /// Returns true if a text is the move that the engine was told last, in either notation.
    fn is_told_move(&self, text: &str) -> bool {
        let text = text.trim();
        let about = bare(text.strip_prefix("usermove").unwrap_or(text));
        match &self.told {
            Some(Played { uci, san }) => about == bare(uci) || about == bare(san),
            None => false,
        }
    }

    /// Tells a time decided by the opponent, in whole seconds, when changed.
    fn tell_matched(&mut self, turn: &Turn<'_>, out: &mut Outbox) {
        let clock = turn.clocks.get(turn.referee.turn());
        if let Some(left) = clock.left().filter(|_| clock.limits.are_matched()) {
            let command = session(left).to_string();
            if self.matched.as_ref() != Some(&command) {
                out.say(&command);
                self.matched = Some(command);
            }
        }
    }

    /// Tells the time left on both clocks, in centiseconds. Never zero, a mistake to some engines.
    fn tell_clocks(&self, turn: &Turn<'_>, out: &mut Outbox) {
        if self.features.has("time") {
            let centiseconds = |clock: &SideClock| {
                let left = clock.left().unwrap_or(AGES).as_millis() / 10;
                i64::try_from(left.max(1)).unwrap_or(i64::MAX)
            };
            let own = turn.referee.turn();
            out.say(Command::Time(centiseconds(turn.clocks.get(own))));
            out.say(Command::OpponentTime(centiseconds(turn.clocks.get(!own))));
        }
    }

    /// An objection is about the move that we told, or about something else that we said, or about
    /// nothing. `Illegal move` alone is about the move.
    fn objection(&mut self, kind: &str, text: &str, line: &str) -> Option<DriverEvent> {
        let is_about_a_move = kind.to_ascii_lowercase().contains("illegal");
        if self.is_told_move(text) || (text.is_empty() && is_about_a_move && self.told.is_some()) {
            return Some(DriverEvent::Dispute(line.trim().to_owned()));
        }
        let limits = ["st ", "sd ", "level ", "nps ", "setboard ", "edit"];
        if limits.iter().any(|command| text.starts_with(command)) {
            self.refused = Some(line.trim().to_owned());
        }
        None
    }
}

/// A move of an engine's notation, reduced to its necessary letters.
fn bare(text: &str) -> String {
    text.to_ascii_lowercase()
        .replace(|letter: char| !letter.is_alphanumeric(), "")
}

impl Driver for Xboard {
    fn own_name(&self) -> Option<&str> {
        self.features.text("myname")
    }

    fn greet(&mut self, out: &mut Outbox) {
        out.say(Command::Xboard);
        out.say(Command::Protover(2));
    }

    fn is_greeted(&self) -> bool {
        self.features.has("done")
    }

    fn may_be_silent(&self) -> bool {
        !self.features.wants_time()
    }

    fn end_greeting(&mut self) -> Result<(), String> {
        match self.features.text("variants") {
            Some(variants) if !self.features.plays("normal") => {
                Err(format!("it plays only {variants}, not normal chess"))
            }
            _ => Ok(()),
        }
    }

    fn takes_positions(&self) -> bool {
        self.features.has("setboard")
    }

    fn takes_start(&self, start: &Chess, limits: &EngineLimits) -> Result<(), String> {
        if self.takes_positions() || *start == Chess::default() {
            return Ok(());
        }
        OldWay::to(start, limits).map(drop)
    }

    fn set_option(&mut self, name: &str, value: &str, out: &mut Outbox) -> Result<(), String> {
        if let Some(known) = offer::named(&self.features.options, name) {
            let is_check = matches!(known.kind, OptionType::Check { .. });
            let value = match offer::fit(known, value)?.as_deref() {
                Some("true") if is_check => Some("1".to_owned()),
                Some("false") if is_check => Some("0".to_owned()),
                fitting => fitting.map(str::to_owned),
            };
            out.say(Command::Option {
                name: known.name.clone(),
                value,
            });
            return Ok(());
        }
        // What UCI has as options is said with commands of its own here.
        let has_memory = self.features.has("memory");
        let has_cores = self.features.has("smp");
        let command: fn(u32) -> Command;
        let things;
        match name.to_ascii_lowercase().as_str() {
            "memory" | "hash" if has_memory => {
                command = Command::Memory;
                things = "megabytes";
            }
            "cores" | "threads" if has_cores => {
                command = Command::Cores;
                things = "threads";
            }
            _ => {
                let more: &[&str] = match (has_memory, has_cores) {
                    (true, true) => &["memory", "cores"],
                    (true, false) => &["memory"],
                    (false, true) => &["cores"],
                    (false, false) => &[],
                };
                let options = &self.features.options;
                return Err(unknown_option(name, options, more, self.own_name()));
            }
        }
        match value.trim().parse() {
            Ok(number @ 1..) => out.say(command(number)),
            _ => return Err(format!("{name} \"{value}\" is no number of {things}")),
        }
        Ok(())
    }

    fn ask_ready(&mut self, out: &mut Outbox) {
        if self.features.has("ping") {
            self.ping += 1;
            self.is_pinged = true;
            out.say(Command::Ping(self.ping));
        }
    }

    fn is_ready(&self) -> bool {
        !self.is_pinged
    }

    fn can_be_asked(&self) -> bool {
        self.features.has("ping")
    }

    fn begin(&mut self, game: &Beginning<'_>, out: &mut Outbox) -> Result<(), String> {
        if !game.search_moves.is_empty() {
            return Err(
                "the xboard protocol has no means to restrict a search to some moves".to_owned(),
            );
        }
        self.told = None;
        self.refused = None;
        self.matched = None;
        out.say(Command::New);
        out.say(Command::Force);
        if let Some(fen) = game.referee.start_fen() {
            self.tell_position(&fen, game, out)?;
        }
        for command in time_commands(game.limits, self.features.has("nps"))? {
            out.say(command);
        }
        out.say(Command::Easy);
        out.say(Command::Post);
        if self.features.has("name") {
            out.say(Command::Name(game.opponent.to_owned()));
        }
        for mv in game.referee.moves() {
            self.tell_move(mv, out);
        }
        self.plays = false;
        self.thinking = false;
        Ok(())
    }

    fn turn(&mut self, turn: &Turn<'_>, out: &mut Outbox) {
        self.thought = None;
        self.tell_matched(turn, out);
        self.tell_clocks(turn, out);
        let opening = turn.referee.opening_length();
        match turn.referee.moves() {
            [.., last] if turn.referee.moves().len() > opening => self.tell_move(last, out),
            _ => {}
        }
        if !self.plays {
            if self.features.has("colors") {
                out.say(turn.referee.turn().fold_wb(Command::White, Command::Black));
            }
            out.say(Command::Go);
            self.plays = true;
        }
        self.thinking = true;
    }

    fn draw_offered(&mut self, out: &mut Outbox) {
        if self.features.has("draw") {
            out.say(Command::Draw);
        }
    }

    fn end(&mut self, result: &GameResult, out: &mut Outbox) {
        self.adrift |= self.thinking && !self.features.has("ping");
        out.say(Command::Result {
            result: result.verdict.to_string(),
            // xboard's comments are one line, and a brace would end them.
            comment: result.detail.replace(['{', '}', '\n', '\r'], " "),
        });
        out.say(Command::Force);
        if self.thinking {
            // It may take a while to notice that the game is over.
            self.ask_ready(out);
        }
        self.thinking = false;
        self.plays = false;
        self.told = None;
    }

    fn hear(&mut self, line: &str, out: &mut Outbox) -> Option<DriverEvent> {
        let Ok(reply) = line.parse::<Reply>();
        match reply {
            Reply::Features(features) => {
                for feature in &features {
                    let name = feature.name.clone();
                    out.say(if self.features.take(feature) {
                        Command::Accepted(name)
                    } else {
                        Command::Rejected(name)
                    });
                }
                None
            }
            Reply::Pong(token) => {
                self.is_pinged &= token != self.ping;
                None
            }
            Reply::IllegalMove { text, .. } => self.objection("illegal", &text, line),
            Reply::Error { kind, command } => self.objection(&kind, &command, line),
            // Some engines object in comments. There, it has to be said that it is about this move.
            Reply::Debug(comment) => match comment.parse() {
                Ok(Reply::IllegalMove { text, .. } | Reply::Error { command: text, .. })
                    if self.is_told_move(&text) =>
                {
                    Some(DriverEvent::Dispute(line.trim().to_owned()))
                }
                _ => None,
            },
            Reply::TellUserError(text) => {
                log::info!("{text}");
                // The protocol's answer to a position that an engine cannot play from.
                if text.to_ascii_lowercase().contains("position") {
                    self.refused = Some(line.trim().to_owned());
                }
                None
            }
            // What belongs to the game before comes ahead of the pong.
            _ if self.is_pinged => None,
            Reply::Move(text) => {
                self.thinking = false;
                let thought = self.thought.take();
                Some(DriverEvent::Move { text, thought })
            }
            Reply::Thinking(line) => {
                let line = search_line(line)?;
                self.thought = Some(line.clone());
                Some(DriverEvent::Thinking(line))
            }
            Reply::OfferDraw => Some(DriverEvent::OfferDraw),
            Reply::Resign => Some(DriverEvent::Resign),
            Reply::Result { result, comment } => Some(DriverEvent::Claim {
                verdict: result.parse().unwrap_or(Verdict::Draw),
                comment,
            }),
            _ => None,
        }
    }

    fn refused(&self) -> Option<&str> {
        self.refused.as_deref()
    }

    fn is_reusable(&self) -> bool {
        self.features.has("reuse") && !self.adrift
    }
}

/// The line of play in a thinking line. `None` at depth 0: a book move, or a mere message.
pub fn search_line(line: ThinkingLine) -> Option<SearchLine> {
    if line.depth == 0 {
        return None;
    }
    // The protocol marks bounds with ! and ? at the end, engines of old with ++ and --, HoiChess
    // with (+) and (-) in front.
    let is_bound = ["!", "?", "++", "--"]
        .iter()
        .any(|mark| line.variation.ends_with(mark))
        || ["(+)", "(-)"]
            .iter()
            .any(|mark| line.variation.starts_with(mark));
    let nodes = Some(line.nodes).filter(|&nodes| nodes > 0);
    Some(SearchLine {
        score: score_from_wire(line.score),
        exact: !is_bound,
        depth: Some(line.depth),
        nodes,
        time: Some(Duration::from_millis(line.time.saturating_mul(10))),
        variation: line.variation,
    })
}

#[cfg(test)]
mod tests;
