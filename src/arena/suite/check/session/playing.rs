//! Words to the engine: games and positions, and its own declared options.

use std::time::Duration;

use shakmaty::Position as _;

use super::{Done, Halt, Session, failed};
use crate::arena::client::driver::Outbox;
use crate::arena::client::uci::position;
use crate::arena::client::xboard::setup;
use crate::arena::referee::{Played, Referee};
use crate::arena::{Opening, Protocol};
use crate::rules::protocol::uci::{self, OptionType};
use crate::rules::protocol::xboard::Command;

impl Session {
    /// Sets each option to its default, but for buttons and texts.
    pub fn set_options(&mut self) -> Done {
        let is_uci = self.protocol == Protocol::Uci;
        for option in self.known.options.clone() {
            let default = match option.kind {
                OptionType::Check { default } if is_uci => default.to_string(),
                OptionType::Check { default } => u8::from(default).to_string(),
                OptionType::Spin { default, .. } => default.to_string(),
                OptionType::Combo { default, .. } if !default.is_empty() => default,
                _ => continue,
            };
            let name = option.name;
            let value = Some(default);
            let line = if is_uci {
                uci::Command::SetOption { name, value }.to_string()
            } else {
                Command::Option { name, value }.to_string()
            };
            self.say(&line);
        }
        self.sync()?;
        self.no_errors()
    }

    /// Takes back so many half-moves in the session's game.
    pub fn unplay(&mut self, count: usize) -> Done {
        let mut moves = self.referee.coordinates(0);
        moves.truncate(moves.len().saturating_sub(count));
        self.set_up(self.referee.start_fen(), moves)?;
        self.told.clear();
        Ok(())
    }

    fn set_up(&mut self, fen: Option<String>, moves: Vec<String>) -> Done {
        let name = None;
        self.referee = Referee::new(&Opening { fen, moves, name })
            .map_err(|error| Halt::Failed(error.to_string()))?;
        Ok(())
    }

    /// Begins a new game. Lines before the engine is ready belong to the game before.
    pub fn new_game(&mut self) -> Done {
        self.begins_game = true;
        self.told.clear();
        self.referee = Referee::default();
        match self.protocol {
            Protocol::Xboard => {
                self.forced = false;
                for line in ["new", "easy", "st 1"] {
                    self.say(line);
                }
            }
            Protocol::Uci => self.say("ucinewgame"),
        }
        self.sync()?;
        self.begins_game = false;
        self.forget_search();
        Ok(())
    }

    /// A position, or the `start` of the game, after a new game.
    pub fn board(&mut self, fen: &str, moves: &[String]) -> Done {
        self.new_game()?;
        if self.protocol == Protocol::Xboard {
            self.say("force");
        }
        if fen != "start" {
            self.set_up(Some(fen.to_owned()), Vec::new())?;
            if self.protocol == Protocol::Xboard {
                self.say_position(fen)?;
            }
        }
        self.tell(moves)?;
        self.sync()
    }

    fn say_position(&mut self, fen: &str) -> Done {
        if self.has("setboard") {
            self.say(&format!("setboard {fen}"));
            return Ok(());
        }
        if let Some(unsaid) = setup::unsaid_by_edit(self.referee.start()) {
            return Err(Halt::Skipped(format!(
                "it has no setboard, and edit cannot say {unsaid}"
            )));
        }
        let mut out = Outbox::default();
        setup::edit(self.referee.start(), self.has("usermove"), &mut out);
        for line in out.take().lines() {
            self.say(line);
        }
        Ok(())
    }

    /// Legal moves: to xboard engines one at a time, to those of UCI all with the position.
    pub fn tell(&mut self, moves: &[String]) -> Done {
        for text in moves {
            self.played(std::slice::from_ref(text))?;
            if self.protocol == Protocol::Xboard {
                let Some(Played { uci, san }) = self.referee.moves().last().cloned() else {
                    continue;
                };
                self.tell_text(if self.has("san") { &san } else { &uci });
            }
        }
        if self.protocol == Protocol::Uci {
            self.say(&position(&self.referee).to_string());
        }
        Ok(())
    }

    /// Plays moves already known to the engine.
    pub fn played(&mut self, moves: &[String]) -> Done {
        for text in moves {
            match self.referee.read_move(text) {
                Ok(mv) => self.referee.play(mv),
                Err(fault) => return failed(format!("the check is wrong: {text} {fault}")),
            }
        }
        Ok(())
    }

    /// Tells a move as written, legal or not.
    fn tell_text(&mut self, text: &str) {
        let line = if self.has("usermove") {
            format!("usermove {text}")
        } else {
            text.to_owned()
        };
        self.say(&line);
        self.told.push(text.to_owned());
        if !self.forced {
            self.begins();
        }
    }

    /// Tells a move for the engine to refuse.
    pub fn bad_move(&mut self, text: &str) -> Done {
        self.tell_text(text);
        self.told.pop();
        // An engine may also call it an unknown command.
        match self.hear(
            Duration::from_secs(1) + self.slack,
            "Illegal move|illegal move|move",
            "",
        )? {
            Some(line) if self.fits(&line, "move") => failed(format!(
                "it answers {text}, which is not legal, with \"{line}\""
            )),
            Some(_) => Ok(()),
            None => failed(format!(
                "it does not refuse {text}, which is not legal, as an illegal move"
            )),
        }
    }

    /// Lets the engine play so many moves by a clock, against random-looking moves. Times are
    /// milliseconds; after the moves of a session `base` is added again, with 0 never.
    pub fn play(&mut self, [moves, base, increment, session]: [u32; 4]) -> Done {
        if self.protocol == Protocol::Xboard {
            let minutes = base / 60_000;
            let seconds = base / 1000 % 60;
            self.say(&format!(
                "level {session} {minutes}:{seconds:02} {}",
                increment / 1000
            ));
        }
        let milliseconds = |number: u32| Duration::from_millis(number.into());
        let mut left = milliseconds(base);
        for number in 0..moves {
            let shown = left.as_millis();
            match self.protocol {
                Protocol::Xboard => {
                    if self.has("time") {
                        let centiseconds = (shown / 10).max(1);
                        self.say(&format!("time {centiseconds}"));
                        self.say(&format!("otim {centiseconds}"));
                    }
                    match number {
                        0 => self.say("go"),
                        _ => self.answer()?,
                    }
                }
                Protocol::Uci => {
                    let mut go =
                        format!("go wtime {shown} btime {shown} winc {increment} binc {increment}");
                    if session > 0 {
                        go += &format!(" movestogo {}", session - number % session);
                    }
                    self.say(&go);
                }
            }
            let text = match self.hear(left + self.slack, "move|claim|resign", "")? {
                Some(line) if !self.fits(&line, "move") => return Ok(()),
                Some(_) => self.moved.take(),
                None => {
                    let left = left.as_secs_f64();
                    return failed(format!(
                        "its flag falls at move {}: it had {left:.2} s",
                        number + 1
                    ));
                }
            };
            let Some((text, took)) = text else {
                return Ok(());
            };
            left = left.saturating_sub(took) + milliseconds(increment);
            if session > 0 && (number + 1) % session == 0 {
                left += milliseconds(base);
            }
            if self.protocol == Protocol::Uci {
                self.tell(&[text])?;
                self.answer()?;
            }
            if self.referee.outcome().is_some() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Makes a move for the other side, the same for the same number of moves.
    pub fn answer(&mut self) -> Done {
        let moves = self.referee.position().legal_moves();
        let number = self.referee.moves().len() * 7919;
        match moves.get(number % moves.len().max(1)) {
            Some(&mv) => self.tell(&[self.referee.written(mv).uci]),
            None => Ok(()),
        }
    }
}
