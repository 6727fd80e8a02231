//! What is asked of every line of the engine, whatever is checked.

use std::time::{Duration, Instant};

use shakmaty::Position as _;

use super::{Done, Session, Thought, failed, faultless};
use crate::arena::referee::MoveFault;
use crate::arena::{Protocol, Verdict};
use crate::display::is_one_of;
use crate::protocol::uci;
use crate::protocol::xboard::Reply;

impl Session {
    /// Whether a line is of a pattern.
    pub fn fits(&self, line: &str, pattern: &str) -> bool {
        let xboard = self.protocol == Protocol::Xboard;
        let reply = || {
            let Ok(reply) = line.parse::<Reply>();
            reply
        };
        pattern.split('|').any(|pattern| match pattern {
            "" => false,
            "anything" => !line.trim().is_empty(),
            "move" if xboard => matches!(reply(), Reply::Move(_)),
            "move" => line.trim_start().starts_with("bestmove"),
            "thinking" if xboard => matches!(reply(), Reply::Thinking(line) if line.depth > 0),
            "thinking" => line.starts_with("info") && !line.starts_with("info string"),
            "status" => matches!(reply(), Reply::Status(_)),
            "claim" => ["1-0", "0-1", "1/2-1/2"].iter().any(|result| line.starts_with(result)),
            prefix => line.trim_start().starts_with(prefix),
        })
    }

    /// What is asked of every line, whatever is checked.
    pub(super) fn heed(&mut self, line: &str, at: Instant) -> Done {
        let took = at.saturating_duration_since(self.said);
        if self.fits(line, "thinking") && self.moved.is_none() {
            let at = at.saturating_duration_since(self.started);
            self.thoughts.push(Thought { at, line: line.to_owned(), place: self.referee.clone() });
        }
        match self.protocol {
            Protocol::Xboard => self.heed_xboard(line, took),
            Protocol::Uci => self.heed_uci(line, took),
        }
    }

    fn heed_xboard(&mut self, line: &str, took: Duration) -> Done {
        let Ok(reply) = line.parse::<Reply>();
        match reply {
            Reply::Features(features) => {
                self.greeting.push(line.to_owned());
                features.iter().for_each(|feature| _ = self.known.take(feature));
                self.features.extend(features);
            }
            Reply::Move(_) | Reply::Result { .. } | Reply::IllegalMove { .. } if self.settles => {}
            Reply::Move(text) => self.heed_move(&text, took, true)?,
            Reply::IllegalMove { text, .. } if self.told.iter().any(|told| told == text.trim()) => {
                return failed(format!("it refuses {text}, which is legal in {}", self.referee.fen()));
            }
            // Long notation (Qe7-d8) is not for us to judge.
            Reply::Hint(text) if self.referee.read_move(&text) == Err(MoveFault::Illegal) => {
                return failed(format!("its hint {text} is not legal in {}", self.referee.fen()));
            }
            Reply::Result { result, comment } if !comment.contains("resign") => {
                return self.heed_claim(line, &result);
            }
            Reply::Other(text) if !text.is_empty() && !is_known(&text) => self.stray.push(text),
            _ => {}
        }
        Ok(())
    }

    fn heed_uci(&mut self, line: &str, took: Duration) -> Done {
        let Ok(reply) = line.parse::<uci::Reply>();
        match reply {
            uci::Reply::BestMove { .. } if self.settles => {}
            // Whatever stands for no move.
            uci::Reply::BestMove { .. } if self.referee.position().legal_moves().is_empty() => {}
            uci::Reply::Name(_) | uci::Reply::Author(_) | uci::Reply::UciOk => {
                self.greeting.push(line.to_owned());
            }
            uci::Reply::Option(option) => {
                self.greeting.push(line.to_owned());
                self.known.options.push(option);
            }
            uci::Reply::BestMove { best: None, .. } => {
                return failed(format!("it has no move in {}", self.referee.fen()));
            }
            uci::Reply::BestMove { best: Some(text), ponder } => {
                self.heed_move(&text, took, false)?;
                let mut after = self.referee.clone();
                let mut read = |text: &str| after.read_move(text).map(|mv| after.play(mv));
                let illegal = ponder.filter(|ponder| read(&text).and_then(|()| read(ponder)).is_err());
                let fault = |ponder| format!("it would ponder {ponder}, which is not legal after {text}");
                return faultless(illegal.map(fault));
            }
            // An option that cannot be read.
            uci::Reply::Other(text) if text.starts_with("option ") => self.greeting.push(text),
            // Before it has introduced itself it may say what it likes.
            uci::Reply::Other(text) if !self.greeting.is_empty() && !text.is_empty() => {
                let known = ["copyprotection", "registration"];
                self.stray.extend(Some(text).filter(|text| !known.iter().any(|word| text.starts_with(word))));
            }
            _ => {}
        }
        Ok(())
    }

    fn heed_move(&mut self, text: &str, took: Duration, play: bool) -> Done {
        let mv = self.referee.read_move(text);
        let fen = || self.referee.fen();
        let Ok(mv) = mv else { return failed(format!("its move {text} is not legal in {}", fen())) };
        let coordinates = self.referee.written(mv).uci;
        if self.protocol == Protocol::Uci && coordinates != text {
            return failed(format!("it writes {text} for {coordinates} in {}", fen()));
        }
        self.moved = Some((coordinates, took));
        if play {
            self.referee.play(mv);
        }
        Ok(())
    }

    fn heed_claim(&self, line: &str, result: &str) -> Done {
        let verdict = result.parse().unwrap_or(Verdict::Draw);
        let is_so = self.referee.outcome().is_some_and(|(known, _)| known == verdict);
        let fault = || format!("it claims \"{line}\", which is not so in {}", self.referee.fen());
        faultless((!is_so).then(fault))
    }
}

/// Whether the xboard protocol knows such a line, of those that mean nothing to an arena.
fn is_known(line: &str) -> bool {
    const WORDS: &str = "tellics tellicsnoalias tellopponent tellothers tellall askuser setup piece highlight \
         choice click kibitz whisper tell draw White Black Draw computer opponent game checkmate # Hint: stat01:";
    let word = line.split_whitespace().next().unwrap_or_default();
    // GNU Chess 4 marks its plies: "9." and "9&".
    let marked = word.trim_end_matches(['.', '&', '+', '-', '?', '!']);
    is_one_of(WORDS, word)
        || ["++", "--"].contains(&line.trim())
        || word.starts_with('#')
        || (!marked.is_empty() && marked.bytes().all(|b| b.is_ascii_digit()))
}
