//! Messages from a GUI to an engine. `go` has the most content: the limits of the search.

use std::fmt;
use std::str::FromStr;

use super::{Words, one_line, or_empty, put, put_moves, unless_empty};
use crate::util::display::{excerpt, is_one_of};

/// A message from the GUI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    Uci,
    Debug(bool),
    IsReady,
    /// The name of an option may hold blanks; a button has no value.
    SetOption {
        name: String,
        value: Option<String>,
    },
    /// `ucinewgame`
    NewGame,
    /// `fen`, or without one `startpos`. Moves are in coordinates (`e2e4`, `e7e8q`, castling
    /// `e1g1`), from there on. Neither is checked.
    Position {
        fen: Option<String>,
        moves: Vec<String>,
    },
    Go(Go),
    Stop,
    PonderHit,
    /// The owner of the engine, for engines on sale. The rest of the line is no command.
    Register,
    Quit,
}

impl FromStr for Command {
    /// The error for a line without a command: it names the line, and is fit for an `info string`.
    type Err = String;

    /// Reads one line. Blanks and line ends around do not matter, nor do unknown words before the
    /// command: "joho debug on" is `debug on`.
    fn from_str(line: &str) -> Result<Command, String> {
        let refused = |reason: &str| format!("{reason}: {}", excerpt(&one_line(line)));
        let mut words = Words::new(line);
        while let Some(word) = words.next() {
            return Ok(match word {
                "uci" => Command::Uci,
                "isready" => Command::IsReady,
                "ucinewgame" => Command::NewGame,
                "stop" => Command::Stop,
                "ponderhit" => Command::PonderHit,
                "quit" => Command::Quit,
                "register" => Command::Register,
                "debug" => debug(words).ok_or_else(|| refused("debug is either on or off"))?,
                "setoption" => set_option(words).map_err(refused)?,
                "position" => position(words).map_err(refused)?,
                "go" if words.peek() == Some("perft") => return Err(refused("perft is no search")),
                "go" => Command::Go(Go::parse(words)),
                _ => continue,
            });
        }
        Err(refused("unknown command"))
    }
}

fn debug(mut words: Words<'_>) -> Option<Command> {
    words.find_map(|word| match word {
        "on" => Some(Command::Debug(true)),
        "off" => Some(Command::Debug(false)),
        _ => None,
    })
}

fn set_option(mut words: Words<'_>) -> Result<Command, &'static str> {
    if !words.any(|word| word == "name") {
        return Err("setoption without the word name");
    }
    let name = words.until("value").join(" ");
    if name.is_empty() {
        return Err("setoption without the name of an option");
    }
    let value = words.next().map(|_| unless_empty(words.rest));
    Ok(Command::SetOption { name, value })
}

fn position(mut words: Words<'_>) -> Result<Command, &'static str> {
    let fen = loop {
        match words.next() {
            Some("startpos") => break None,
            Some("fen") => break Some(words.until("moves").join(" ")),
            Some("moves") | None => return Err("position without startpos or fen"),
            Some(_) => {}
        }
    };
    if fen.as_deref() == Some("") {
        return Err("position fen without a FEN");
    }
    words.until("moves");
    let moves = words.skip(1).map(str::to_owned).collect();
    Ok(Command::Position { fen, moves })
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Uci => write!(f, "uci"),
            Command::Debug(on) => write!(f, "debug {}", if *on { "on" } else { "off" }),
            Command::IsReady => write!(f, "isready"),
            Command::SetOption { name, value } => {
                write!(f, "setoption name {}", one_line(name))?;
                put(f, "value", value.as_deref().map(or_empty))
            }
            Command::NewGame => write!(f, "ucinewgame"),
            Command::Position { fen, moves } => {
                match fen {
                    None => write!(f, "position startpos")?,
                    Some(fen) => write!(f, "position fen {}", one_line(fen))?,
                }
                put_moves(f, "moves", moves)
            }
            Command::Go(go) => write!(f, "{go}"),
            Command::Stop => write!(f, "stop"),
            Command::PonderHit => write!(f, "ponderhit"),
            Command::Register => write!(f, "register later"),
            Command::Quit => write!(f, "quit"),
        }
    }
}

/// The limits of `go`. Whatever is missing is not limited; nothing at all means the engine's own
/// choice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Root moves to look at, in coordinates; empty for all.
    pub search_moves: Vec<String>,
    /// Think about the last move of the position, not yet played, until `ponderhit` or `stop`.
    pub ponder: bool,
    /// `wtime`: White's time left, in milliseconds; can be below zero.
    pub white_time: Option<i64>,
    /// `btime`, in milliseconds.
    pub black_time: Option<i64>,
    /// `winc`: White's increment for each move, in milliseconds.
    pub white_increment: Option<i64>,
    /// `binc`, in milliseconds.
    pub black_increment: Option<i64>,
    /// `movestogo`: moves until time is added.
    pub moves_to_go: Option<u32>,
    /// The depth in half-moves.
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    /// Look for a mate in so many moves.
    pub mate: Option<u32>,
    /// `movetime`: think for exactly so long, in milliseconds.
    pub move_time: Option<i64>,
    /// Think until `stop`.
    pub infinite: bool,
    /// Keywords with a missing or unreadable value, each with the word in its place; they limit
    /// nothing. Never written.
    pub unreadable: Vec<String>,
}

const KEYWORDS: &str =
    "searchmoves ponder wtime btime winc binc movestogo depth nodes mate movetime infinite";

impl Go {
    /// Reads the words after `go`. Unknown words are skipped, and so are malformed numbers: every
    /// `go` has to be answered.
    fn parse(mut words: Words<'_>) -> Go {
        let mut go = Go::default();
        while let Some(word) = words.next() {
            match word {
                "searchmoves" => {
                    go.search_moves.extend(words.owned_until(KEYWORDS));
                }
                "ponder" => go.ponder = true,
                "infinite" => go.infinite = true,
                "wtime" => go.white_time = go.value(word, &mut words, time),
                "btime" => go.black_time = go.value(word, &mut words, time),
                "winc" => go.white_increment = go.value(word, &mut words, time),
                "binc" => go.black_increment = go.value(word, &mut words, time),
                "movetime" => go.move_time = go.value(word, &mut words, time),
                "movestogo" => go.moves_to_go = go.value(word, &mut words, count),
                "depth" => go.depth = go.value(word, &mut words, count),
                "mate" => go.mate = go.value(word, &mut words, count),
                "nodes" => go.nodes = go.value(word, &mut words, whole),
                _ => {}
            }
        }
        go
    }

    /// The value of `keyword`. An unreadable one is kept in [`Go::unreadable`]; a keyword in its
    /// place is left to be read as one.
    fn value<T>(
        &mut self,
        keyword: &str,
        words: &mut Words<'_>,
        read: fn(&str) -> Option<T>,
    ) -> Option<T> {
        let word = words.peek().filter(|word| !is_one_of(KEYWORDS, word));
        if word.is_some() {
            words.next();
        }
        let value = word.and_then(read);
        if value.is_none() {
            let text = [keyword, word.unwrap_or_default()].join(" ");
            self.unreadable.push(text.trim_end().to_owned());
        }
        value
    }
}

/// A number of 0 or more.
fn whole(word: &str) -> Option<u64> {
    word.parse().ok()
}

/// The same, limited to the type.
fn count(word: &str) -> Option<u32> {
    whole(word).map(|number| u32::try_from(number).unwrap_or(u32::MAX))
}

/// Milliseconds. Some programs send fractions of them.
fn time(word: &str) -> Option<i64> {
    let (number, fraction) = word.split_once('.').unwrap_or((word, ""));
    let is_number = fraction.bytes().all(|byte| byte.is_ascii_digit());
    number.parse().ok().filter(|_| is_number)
}

impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "go")?;
        if self.ponder {
            write!(f, " ponder")?;
        }
        put(f, "wtime", self.white_time)?;
        put(f, "btime", self.black_time)?;
        put(f, "winc", self.white_increment)?;
        put(f, "binc", self.black_increment)?;
        put(f, "movetime", self.move_time)?;
        put(f, "movestogo", self.moves_to_go)?;
        put(f, "depth", self.depth)?;
        put(f, "nodes", self.nodes)?;
        put(f, "mate", self.mate)?;
        if self.infinite {
            write!(f, " infinite")?;
        }
        // This comes last, because some engines take everything after it for moves.
        put_moves(f, "searchmoves", &self.search_moves)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rules::protocol::uci::tests::lines;

    /// Each command in the form that is written.
    const LINES: &str = "uci | debug on | debug off | isready | setoption name Hash value 64 | setoption name Clear Hash | \
        setoption name NalimovPath value C:\\my  tables;d:\\egt | setoption name BookFile value <empty> | ucinewgame | \
        position startpos | position startpos moves e2e4 e7e5 g1f3 | position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 | \
        position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1 | go | go infinite | \
        go ponder wtime 60000 btime 59000 winc 1000 binc 1000 | go wtime -7 btime 1 movestogo 40 | go movetime 500 | \
        go depth 9 nodes 100000 mate 3 | go infinite searchmoves e2e4 d2d4 | stop | ponderhit | quit";

    #[test]
    fn every_command_is_read_and_written() {
        for line in LINES.split(" | ") {
            let command: Command = line.parse().unwrap();
            assert_eq!(command.to_string(), line);
            // Only inside of a value blanks matter.
            if !line.contains("value") {
                assert_eq!(
                    format!(" {}\r", line.replace(' ', "  ")).parse(),
                    Ok(command)
                );
            }
        }
    }

    #[test]
    fn unknown_words_are_skipped() {
        let read = |line: &str| line.parse::<Command>().unwrap();
        assert_eq!(read("joho debug on"), Command::Debug(true));
        assert_eq!(
            read("joho position fast startpos here moves e2e4"),
            read("position startpos moves e2e4")
        );
        for (line, written) in [
            (
                "go quickly searchmoves e2e4 d2d4 depth 3 please",
                "go depth 3 searchmoves e2e4 d2d4",
            ),
            ("go wtime 1000.75 btime 99.0", "go wtime 1000 btime 99"),
            ("go depth 99999999999", "go depth 4294967295"),
        ] {
            assert_eq!(read(line).to_string(), written);
        }
    }

    #[test]
    fn what_is_no_number_in_a_go_is_named_and_limits_nothing() {
        for (line, unreadable, rest) in [
            ("go wtime soon", "wtime soon", "go"),
            ("go wtime 1.x btime 5", "wtime 1.x", "go btime 5"),
            ("go depth", "depth", "go"),
            ("go depth nodes 5", "depth", "go nodes 5"),
            ("go nodes -5 infinite", "nodes -5", "go infinite"),
            ("go movetime 1e2", "movetime 1e2", "go"),
            (
                "go mate x movestogo 99999999999999999999",
                "mate x, movestogo 99999999999999999999",
                "go",
            ),
        ] {
            let Ok(Command::Go(go)) = line.parse() else {
                panic!("{line} is a go")
            };
            assert_eq!(go.unreadable.join(", "), unreadable);
            assert_eq!(go.to_string(), rest);
        }
    }

    #[test]
    fn anything_else_is_refused_with_the_line_in_the_answer() {
        let answer = |line: &str| line.parse::<Command>().unwrap_err();
        for (why, lines) in [
            ("unknown command", ["", "xyzzy e2e4"]),
            ("debug is either on or off", ["debug", "debug maybe"]),
            (
                "setoption without the word name",
                ["setoption", "setoption Hash value 3"],
            ),
            (
                "setoption without the name of an option",
                ["setoption name", "setoption name value 3"],
            ),
            (
                "position without startpos or fen",
                ["position", "position moves e2e4"],
            ),
        ] {
            assert_eq!(
                lines.map(answer),
                lines.map(|line| format!("{why}: {line}"))
            );
        }
        assert_eq!(
            answer("position fen moves e2e4"),
            "position fen without a FEN: position fen moves e2e4"
        );
        assert_eq!(answer("go perft 3"), "perft is no search: go perft 3");
        assert_eq!(answer("xyzzy\te2e4\r"), "unknown command: xyzzy e2e4");
        let error = answer(&"x".repeat(2_000_000));
        assert!(
            error.starts_with("unknown command: xxx") && error.len() < 120,
            "{} bytes",
            error.len()
        );
    }

    #[test]
    fn no_text_breaks_out_of_its_line() {
        let command = Command::SetOption {
            name: "Hash".to_owned(),
            value: Some("1\nquit".to_owned()),
        };
        assert_eq!(command.to_string(), "setoption name Hash value 1 quit");
    }

    proptest! {
        #[test]
        fn any_line_is_read_or_refused_and_what_is_read_is_written_so_that_it_is_read_again(
            line in lines(LINES, "(wtime|binc|movetime|movestogo|depth|nodes|mate|searchmoves|moves|name|value)"),
        ) {
            match line.parse::<Command>() {
                Ok(command) => {
                    let written = command.to_string();
                    prop_assert!(!written.contains(['\n', '\r']));
                    let again = written.parse::<Command>().expect("what is written can be read");
                    prop_assert_eq!(again.to_string(), written);
                }
                Err(error) => prop_assert!(!error.contains(['\n', '\r'])),
            }
        }
    }
}
