//! Messages from a front end to an engine.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use shakmaty::san::San;
use shakmaty::uci::UciMove;
use strum::AsRefStr;

use super::duration::{format_minutes, format_seconds, parse_minutes, parse_seconds};
use super::{behind_word, harmless};
use crate::util::display::is_one_of;

/// A message from the front end. Section 8 of the protocol's document gives the meaning of each;
/// moves and FENs are read in the position of their arrival.
#[derive(Clone, Debug, PartialEq, Eq, AsRefStr)]
#[strum(serialize_all = "lowercase")]
pub enum Command {
    Xboard,
    Protover(u32),
    Accepted(String),
    Rejected(String),
    New,
    Variant(String),
    Quit,
    Random,
    Force,
    Go,
    PlayOther,
    /// White is on move, the engine plays Black.
    White,
    /// Black is on move, the engine plays White.
    Black,
    /// `moves` is 0 for the whole game.
    Level {
        moves: u32,
        base: Duration,
        increment: Duration,
    },
    /// `st`
    #[strum(serialize = "st")]
    TimePerMove(Duration),
    /// `sd`
    #[strum(serialize = "sd")]
    Depth(u32),
    /// `nps`; 0 means processor time.
    #[strum(serialize = "nps")]
    NodesPerSecond(u64),
    /// `time`, in centiseconds; a fallen flag may be negative.
    Time(i64),
    /// `otim`, in centiseconds.
    #[strum(serialize = "otim")]
    OpponentTime(i64),
    /// A move in any notation, with or without the word `usermove`.
    #[strum(serialize = "usermove")]
    Move(String),
    /// `?`
    #[strum(serialize = "?")]
    MoveNow,
    Ping(i64),
    Draw,
    Result {
        result: String,
        comment: String,
    },
    SetBoard(String),
    Edit,
    Hint,
    #[strum(serialize = "bk")]
    Book,
    Undo,
    Remove,
    Hard,
    Easy,
    Post,
    NoPost,
    Analyze,
    Exit,
    /// `.`
    #[strum(serialize = ".")]
    Status,
    Name(String),
    Rating(String),
    Ics(String),
    Computer,
    Pause,
    Resume,
    Memory(u32),
    Cores(u32),
    EgtPath {
        kind: String,
        path: String,
    },
    /// `option NAME` or `option NAME=VALUE`
    Option {
        name: String,
        value: Option<String>,
    },
    /// A move at the root, or `all`.
    Exclude(String),
    Include(String),
}

impl FromStr for Command {
    /// The error for a line without a command: the protocol's answer.
    type Err = String;

    /// Reads one line. Blanks and line ends around do not matter.
    fn from_str(line: &str) -> Result<Command, String> {
        let line = line.trim();
        let command = match Command::of_one_word(line) {
            Some(command) => Ok(command),
            None => Command::of_words(line),
        };
        command.map_err(|reason| format!("Error ({reason}): {}", harmless(line)))
    }
}

fn number<T: FromStr>(text: &str) -> Result<T, &'static str> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    match text.parse() {
        Ok(number) => Ok(number),
        Err(_) if digits.is_empty() || digits.contains(|c: char| !c.is_ascii_digit()) => {
            Err("not a number")
        }
        Err(_) => Err("number out of range"),
    }
}

fn time(read: Option<Duration>) -> Result<Duration, &'static str> {
    read.ok_or("not a time")
}

/// Commands with a certain number of parameters.
const WITH_PARAMETERS: &str = "protover variant level st sd nps time otim usermove ping result ics \
    memory cores egtpath option exclude include";

/// Returns true if `text` can be meant as a move, in coordinates, in standard algebraic notation,
/// or a null move.
fn looks_like_a_move(text: &str) -> bool {
    let san = text.trim_end_matches(['+', '#', '!', '?']);
    text == "@@@@"
        || UciMove::from_ascii(text.as_bytes()).is_ok()
        || San::from_ascii(san.as_bytes()).is_ok()
}

impl Command {
    fn of_one_word(word: &str) -> Option<Command> {
        use Command::*;
        let known = [
            Analyze, Black, Book, Computer, Draw, Easy, Edit, Exit, Force, Go, Hard, Hint, MoveNow,
            New, NoPost, Pause, PlayOther, Post, Quit, Random, Remove, Resume, Status, Undo, White,
            Xboard,
        ];
        known.into_iter().find(|command| command.as_ref() == word)
    }

    /// A command with something behind its name.
    ///
    /// # Errors
    /// The fault in words.
    fn of_words(line: &str) -> Result<Command, &'static str> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let text = |word: &str| word.to_owned();
        // Everything after the first word (after the second), blanks inside kept.
        let after_one = behind_word(line);
        let after_two = behind_word(after_one);
        Ok(match words[..] {
            ["protover", version] => Command::Protover(number(version)?),
            ["accepted", ..] => Command::Accepted(text(after_one)),
            ["rejected", ..] => Command::Rejected(text(after_one)),
            ["variant", name] => Command::Variant(text(name)),
            ["level", moves, base, increment] => Command::Level {
                moves: number(moves)?,
                base: time(parse_minutes(base))?,
                increment: time(parse_seconds(increment))?,
            },
            ["st", seconds] => Command::TimePerMove(time(parse_seconds(seconds))?),
            ["sd", depth] => Command::Depth(number(depth)?),
            ["nps", rate] => Command::NodesPerSecond(number(rate)?),
            ["time", centiseconds] => Command::Time(number(centiseconds)?),
            ["otim", centiseconds] => Command::OpponentTime(number(centiseconds)?),
            ["usermove", mv] => Command::Move(text(mv)),
            ["ping", token] => Command::Ping(number(token)?),
            ["result", result, ..] => {
                let in_braces = after_two.strip_prefix('{').unwrap_or_default();
                Command::Result {
                    result: text(result),
                    comment: text(in_braces.strip_suffix('}').unwrap_or(after_two)),
                }
            }
            ["setboard", ..] => Command::SetBoard(words[1..].join(" ")),
            ["analyse"] => Command::Analyze,
            ["name", ..] => Command::Name(text(after_one)),
            ["rating", ..] => Command::Rating(text(after_one)),
            ["ics", host] => Command::Ics(text(host)),
            ["memory", megabytes] => Command::Memory(number(megabytes)?),
            ["cores", cores] => Command::Cores(number(cores)?),
            ["egtpath", kind, ..] => Command::EgtPath {
                kind: text(kind),
                path: text(after_two),
            },
            ["option", _, ..] => {
                let (name, value) = match after_one.split_once('=') {
                    Some((name, value)) => (name, Some(text(value.trim()))),
                    None => (after_one, None),
                };
                let name = text(name.trim());
                Command::Option { name, value }
            }
            ["exclude", mv] => Command::Exclude(text(mv)),
            ["include", mv] => Command::Include(text(mv)),
            [word, ..] if is_one_of(WITH_PARAMETERS, word) => return Err("bad parameters"),
            [mv] if looks_like_a_move(mv) => Command::Move(text(mv)),
            _ => return Err("unknown command"),
        })
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_ref())?;
        match self {
            Command::Protover(number)
            | Command::Depth(number)
            | Command::Memory(number)
            | Command::Cores(number) => write!(f, " {number}"),
            Command::Time(number) | Command::OpponentTime(number) | Command::Ping(number) => {
                write!(f, " {number}")
            }
            Command::NodesPerSecond(rate) => write!(f, " {rate}"),
            Command::TimePerMove(time) => write!(f, " {}", format_seconds(*time)),
            &Command::Level {
                moves,
                base,
                increment,
            } => {
                let [base, increment] = [format_minutes(base), format_seconds(increment)];
                write!(f, " {moves} {base} {increment}")
            }
            Command::Accepted(text)
            | Command::Rejected(text)
            | Command::Variant(text)
            | Command::Move(text)
            | Command::SetBoard(text)
            | Command::Name(text)
            | Command::Rating(text)
            | Command::Ics(text)
            | Command::Exclude(text)
            | Command::Include(text) => write!(f, " {text}"),
            Command::Result { result, comment } if comment.is_empty() => write!(f, " {result}"),
            Command::Result { result, comment } => write!(f, " {result} {{{comment}}}"),
            Command::EgtPath { kind, path } => write!(f, " {kind} {path}"),
            Command::Option { name, value } => {
                write!(f, " {name}")?;
                match value {
                    Some(value) => write!(f, "={value}"),
                    None => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each command in the form that is written.
    const LINES: &str = "xboard | protover 2 | accepted ping | rejected option Bad -foo 1 | new | variant normal | quit | \
        random | force | go | playother | white | black | level 40 5 0 | level 0 0:05 0.1 | level 0 2 12 | st 30 | st 0.2 | \
        sd 7 | nps 10000 | time 12345 | time -7 | otim 1 | usermove e2e4 | ? | ping 4711 | draw | result 1-0 {White mates} | \
        result * | setboard 4k3/8/8/8/8/8/8/4K2R w K - 0 1 | edit | hint | bk | undo | remove | hard | easy | post | nopost | \
        analyze | exit | . | name Deep Thought | rating 2600 0 | ics freechess.org | ics - | computer | pause | resume | \
        memory 68 | cores 2 | egtpath nalimov C:\\my tables\\egt | option Backend=alphabeta | \
        option Some Name=with = and blanks | option Button | option BookFile= | exclude e2e4 | exclude all | \
        include g1f3 | include all";

    #[test]
    fn every_command_is_read_and_written() {
        for line in LINES.split(" | ") {
            let command: Command = line.parse().unwrap();
            assert_eq!(command.to_string(), line);
            assert_eq!(format!(" {line} \r").parse(), Ok(command));
        }
    }

    #[test]
    fn moves_need_no_word_before_them() {
        for mv in [
            "e2e4", "e7e8q", "e7e8Q", "Nf3", "exd8=Q+", "O-O", "O-O-O#", "e4", "@@@@",
        ] {
            assert_eq!(mv.parse(), Ok(Command::Move(mv.to_owned())));
        }
        assert_eq!(
            "usermove nonsense".parse(),
            Ok(Command::Move("nonsense".to_owned()))
        );
    }

    #[test]
    fn anything_else_is_refused_with_the_line_in_the_answer() {
        let answer = |line: &str| line.parse::<Command>().unwrap_err();
        assert_eq!(
            answer("nosuchthing 1 2"),
            "Error (unknown command): nosuchthing 1 2"
        );
        assert_eq!(
            answer("level 40 soon 0"),
            "Error (not a time): level 40 soon 0"
        );
        assert_eq!(
            answer("level 1 2 3 4"),
            "Error (bad parameters): level 1 2 3 4"
        );
        assert_eq!(answer("level foo"), "Error (bad parameters): level foo");
        assert_eq!(answer("sd deep"), "Error (not a number): sd deep");
        assert_eq!(answer("ping"), "Error (bad parameters): ping");
    }
}
