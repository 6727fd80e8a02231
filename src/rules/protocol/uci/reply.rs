//! Messages from an engine to a GUI, with the engine's options.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use super::{Info, Words, one_line, or_empty, put, unless_empty};
use crate::util::display::is_one_of;

/// A message from an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// `id name`
    Name(String),
    /// `id author`
    Author(String),
    /// `uciok`
    UciOk,
    /// `readyok`
    ReadyOk,
    BestMove {
        /// The move in coordinates; not checked. `None` if the engine found no move to play:
        /// `(none)`, `0000`, or nothing.
        best: Option<String>,
        /// The reply to think about on the opponent's time.
        ponder: Option<String>,
    },
    Info(Info),
    Option(OptionOffer),
    /// Any other line, unchanged.
    Other(String),
}

impl FromStr for Reply {
    type Err = Infallible;

    /// Reads one line; an unknown one becomes [`Reply::Other`]. Unknown words before a message are
    /// not skipped, unlike in [`Command`](super::Command)s: banners of engines are full of
    /// meaningful words.
    fn from_str(line: &str) -> Result<Reply, Infallible> {
        Ok(known(Words::new(line)).unwrap_or_else(|| Reply::Other(line.trim().to_owned())))
    }
}

fn known(mut words: Words<'_>) -> Option<Reply> {
    Some(match words.next()? {
        "id" => match words.next()? {
            "name" => Reply::Name(words.rest.to_owned()),
            "author" => Reply::Author(words.rest.to_owned()),
            _ => return None,
        },
        "uciok" => Reply::UciOk,
        "readyok" => Reply::ReadyOk,
        "bestmove" => Reply::BestMove {
            best: words.next().and_then(some_move),
            ponder: words
                .find(|&word| word == "ponder")
                .and_then(|_| some_move(words.next()?)),
        },
        "info" => Reply::Info(Info::parse(words)),
        "option" => Reply::Option(OptionOffer::parse(words)?),
        _ => return None,
    })
}

/// Engines have several words for no move.
fn some_move(word: &str) -> Option<String> {
    let is_none = is_one_of("(none) 0000 none null", &word.to_ascii_lowercase());
    (!is_none).then(|| word.to_owned())
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Name(name) => write!(f, "id name {}", one_line(name)),
            Reply::Author(author) => write!(f, "id author {}", one_line(author)),
            Reply::UciOk => write!(f, "uciok"),
            Reply::ReadyOk => write!(f, "readyok"),
            Reply::BestMove { best, ponder } => {
                write!(f, "bestmove {}", best.as_deref().unwrap_or("(none)"))?;
                put(f, "ponder", ponder.as_ref())
            }
            Reply::Info(info) => write!(f, "{info}"),
            Reply::Option(option) => write!(f, "{option}"),
            Reply::Other(text) => write!(f, "{}", one_line(text)),
        }
    }
}

/// The five types of options, with default and range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionType {
    Check {
        default: bool,
    },
    /// A whole number. Engines do not always give the bounds.
    Spin {
        default: i64,
        min: Option<i64>,
        max: Option<i64>,
    },
    Combo {
        default: String,
        choices: Vec<String>,
    },
    Button,
    /// `string`
    Text {
        default: String,
    },
}

/// An option of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionOffer {
    /// May hold blanks; case does not matter.
    pub name: String,
    pub kind: OptionType,
}

/// The words that end a default or a choice.
const KEYWORDS: &str = "default min max var";

impl OptionOffer {
    /// Reads the words after `option`; `None` without a name or a type. Other missing parts are
    /// made up: `false`, the least value, the first choice, an empty text.
    fn parse(mut words: Words<'_>) -> Option<OptionOffer> {
        words.find(|&word| word == "name")?;
        let name = words.until("type").join(" ");
        words.next()?;
        let kind = match words.next()? {
            "button" => OptionType::Button,
            "check" => OptionType::Check {
                default: words.any(|word| word == "default")
                    && words
                        .next()
                        .is_some_and(|word| word.eq_ignore_ascii_case("true")),
            },
            // A text is all that follows.
            "string" => OptionType::Text {
                default: match words.next() {
                    Some("default") => unless_empty(words.rest),
                    _ => String::new(),
                },
            },
            "spin" => {
                let [mut default, mut min, mut max] = [None; 3];
                while let Some(word) = words.next() {
                    let place = match word {
                        "default" => &mut default,
                        "min" => &mut min,
                        "max" => &mut max,
                        _ => continue,
                    };
                    *place = words.peek().and_then(|number| number.parse().ok());
                }
                let default = default.or(min).unwrap_or(0);
                OptionType::Spin { default, min, max }
            }
            "combo" => {
                let mut default = None;
                let mut choices = Vec::new();
                while let Some(word) = words.next() {
                    let text = unless_empty(&words.until(KEYWORDS).join(" "));
                    match word {
                        "default" => default = Some(text),
                        "var" => choices.push(text),
                        _ => {}
                    }
                }
                OptionType::Combo {
                    default: default.or(choices.first().cloned()).unwrap_or_default(),
                    choices,
                }
            }
            _ => return None,
        };
        (!name.is_empty()).then_some(OptionOffer { name, kind })
    }
}

impl fmt::Display for OptionOffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", one_line(&self.name))?;
        match &self.kind {
            OptionType::Check { default } => write!(f, "check default {default}"),
            OptionType::Spin { default, min, max } => {
                write!(f, "spin default {default}")?;
                put(f, "min", *min)?;
                put(f, "max", *max)
            }
            OptionType::Combo { default, choices } => {
                write!(f, "combo default {}", or_empty(default))?;
                for choice in choices {
                    write!(f, " var {}", or_empty(choice))?;
                }
                Ok(())
            }
            OptionType::Button => write!(f, "button"),
            OptionType::Text { default } => write!(f, "string default {}", or_empty(default)),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rules::protocol::uci::tests::lines;

    /// Each form of a reply, as it is written; the last one is empty.
    const LINES: &str = "id name Shredder X.Y | id author Stefan MK | uciok | readyok | bestmove g1f3 | \
        bestmove g1f3 ponder d8f6 | bestmove (none) | info | \
        info depth 12 seldepth 20 multipv 1 score cp 214 nodes 2123456 nps 1000000 time 1242 pv e2e4 e7e5 | \
        info depth 3 score mate -2 upperbound | info depth 3 score cp -12 lowerbound | \
        info string  any text, score cp 3 pv | option name Nullmove type check default true | \
        option name Selectivity type spin default 2 min 0 max 4 | option name Offset type spin default -3 | \
        option name Style of Play type combo default Very Solid var Very Solid var Normal var Risky | \
        option name NalimovPath type string default c:\\my tables | option name BookFile type string default <empty> | \
        option name Clear Hash type button | Stockfish 15.1 by the Stockfish developers | ";

    #[test]
    fn every_reply_is_read_and_written() {
        for line in LINES.split(" | ") {
            let reply: Reply = line.parse().unwrap();
            assert_eq!(reply.to_string(), line.replace("string  any", "string any"));
            assert_eq!(format!("{line} \r").parse(), Ok(reply.clone()));
            let other = line.is_empty() || line.starts_with("Stockfish");
            assert_eq!(matches!(reply, Reply::Other(_)), other, "{line}");
        }
    }

    #[test]
    fn what_engines_write_otherwise_is_read_too() {
        let read = |line: &str| line.parse::<Reply>().unwrap();
        for none in [
            "bestmove",
            "bestmove 0000",
            "bestmove NULL",
            "bestmove (none) ponder (none)",
        ] {
            assert_eq!(read(none).to_string(), "bestmove (none)");
        }
        for text in [
            "info score lowerbound cp 12 depth x nodes -1 newword 3 time 5 -> info score cp 12 lowerbound time 5",
            // The bound may come later, and a word that belongs to nothing ends nothing.
            "info score cp 5 depth 2 upperbound pv e2e4 e7e5 nps 7 -> info depth 2 score cp 5 upperbound nps 7 pv e2e4 e7e5",
            "info score unknown depth 4 -> info depth 4",
            // What nobody here asks for is skipped, and a line of moves ends where it begins.
            "info depth 4 wdl 30 950 20 hashfull 7 pv e2e4 currmove d2d4 currmovenumber 2 refutation d1h5 time 9 \
             -> info depth 4 wdl 30 950 20 time 9 pv e2e4",
            "option name X type spin min 3 default x max 9 -> option name X type spin default 3 min 3 max 9",
            "option name Book type string -> option name Book type string default <empty>",
        ] {
            let (line, written) = text.split_once(" -> ").expect(text);
            assert_eq!(read(line).to_string(), written);
        }
        let others = "option name X | option name X type slider | option name type check | id | registration error | \
                      copyprotection ok";
        for other in others.split(" | ") {
            assert_eq!(read(other), Reply::Other(other.to_owned()));
        }
    }

    proptest! {
        #[test]
        fn any_line_is_read_and_written_as_one_line_that_is_read_back(
            line in lines(LINES, "(depth|seldepth|multipv|nodes|nps|tbhits|time|score|cp|mate|pv|min|max|default|var|ponder)"),
        ) {
            let read = |line: &str| line.parse::<Reply>().expect("every line is read").to_string();
            let written = read(&line);
            prop_assert!(!written.contains(['\n', '\r']));
            // What is written in place of control characters may stand at an end, where blanks do
            // not count.
            if !line.contains(char::is_control) {
                prop_assert_eq!(read(&written), written);
            }
        }
    }
}
