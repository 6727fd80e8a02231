//! Messages from an engine to a front end, above all its features.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use super::{ThinkingLine, behind_word, harmless};
use crate::util::options::{OptionKind, OptionSpec};

/// The answer to `.` in analysis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// Centiseconds.
    pub time: u64,
    pub nodes: u64,
    pub depth: u32,
    /// Root moves still to be searched at this depth.
    pub moves_left: usize,
    /// Root moves in all.
    pub moves: usize,
    /// The root move being searched.
    pub current: Option<String>,
}

/// A message from an engine, if it has a meaning here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    Features(Vec<Feature>),
    Move(String),
    IllegalMove {
        /// May be empty.
        reason: String,
        text: String,
    },
    Error {
        kind: String,
        command: String,
    },
    /// The game is over by rule: `1-0`, `0-1` or `1/2-1/2`, and why.
    Result {
        result: String,
        comment: String,
    },
    Resign,
    OfferDraw,
    Hint(String),
    Thinking(ThinkingLine),
    Status(Status),
    Pong(i64),
    TellUser(String),
    TellUserError(String),
    /// `# ...`
    Debug(String),
    /// Text of a book display, from a blank on to [`Reply::Other`] of an empty line.
    Indented(String),
    /// Any other line, unchanged.
    Other(String),
}

impl FromStr for Reply {
    type Err = Infallible;

    /// Reads one line; an unknown one becomes [`Reply::Other`].
    fn from_str(line: &str) -> Result<Reply, Infallible> {
        let line = line.trim_end();
        Ok(known(line).unwrap_or_else(|| Reply::Other(line.to_owned())))
    }
}

fn known(line: &str) -> Option<Reply> {
    if let Some(thinking) = ThinkingLine::parse(line) {
        return Some(Reply::Thinking(thinking));
    }
    if line.starts_with([' ', '\t']) {
        return Some(Reply::Indented(line.trim().to_owned()));
    }
    if let Some(objection) = objection(line) {
        return Some(objection);
    }
    let words: Vec<&str> = line.split_whitespace().collect();
    let rest = behind_word(line).to_owned();
    Some(match words.as_slice() {
        ["feature", ..] => Reply::Features(Feature::parse_all(&rest)),
        ["move", mv, ..] => Reply::Move((*mv).to_owned()),
        [number, "...", mv] if number.trim_end_matches('.').parse::<u32>().is_ok() => {
            Reply::Move((*mv).to_owned())
        }
        ["1-0" | "0-1" | "1/2-1/2", ..] => Reply::Result {
            result: words[0].to_owned(),
            comment: rest
                .trim_start_matches('{')
                .trim_end_matches('}')
                .to_owned(),
        },
        ["resign"] => Reply::Resign,
        ["Hint:", mv] => Reply::Hint((*mv).to_owned()),
        ["stat01:", numbers @ ..] => Reply::Status(status(numbers)?),
        ["pong", token] => Reply::Pong(token.parse().ok()?),
        ["telluser", ..] => Reply::TellUser(rest),
        ["tellusererror", ..] => Reply::TellUserError(rest),
        // Whatever they say, it is not said to us.
        ["tellopponent" | "tellothers" | "tellall", ..] => return None,
        [word, ..] if word.starts_with('#') => Reply::Debug(line[1..].trim().to_owned()),
        // "Any line that contains the words offer and draw is recognized as offer draw."
        _ if words.contains(&"offer") && words.contains(&"draw") => Reply::OfferDraw,
        _ => return None,
    })
}

/// `Illegal move: TEXT` and `Error (REASON): TEXT`, with or without reason, text and blanks, in
/// large or small letters.
fn objection(line: &str) -> Option<Reply> {
    let rest = after_word(line, "illegal").or_else(|| after_word(line, "invalid"));
    if let Some(rest) = rest.and_then(|rest| after_word(rest.trim_start(), "move")) {
        let (reason, text) = reason_and_text(rest);
        return Some(Reply::IllegalMove { reason, text });
    }
    let rest = after_word(line, "error")?;
    let is_objection = rest.trim_start().starts_with(['(', ':']);
    let (kind, command) = reason_and_text(rest);
    is_objection.then_some(Reply::Error { kind, command })
}

/// The text behind its first word, if that is `word` in letters of any size.
fn after_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let (first, rest) = text.split_at_checked(word.len())?;
    let ends = !rest.starts_with(|letter: char| letter.is_alphanumeric());
    (first.eq_ignore_ascii_case(word) && ends).then_some(rest)
}

/// `(REASON): TEXT`, or without a reason `: TEXT`.
fn reason_and_text(text: &str) -> (String, String) {
    let text = text.trim();
    let parts = text.strip_prefix('(').and_then(|text| text.split_once(')'));
    let (reason, text) = parts.unwrap_or(("", text));
    (
        reason.to_owned(),
        text.trim_start().trim_start_matches(':').trim().to_owned(),
    )
}

fn status(words: &[&str]) -> Option<Status> {
    let [time, nodes, depth, left, total, current @ ..] = words else {
        return None;
    };
    Some(Status {
        time: time.parse().ok()?,
        nodes: nodes.parse().ok()?,
        depth: depth.parse().ok()?,
        moves_left: left.parse().ok()?,
        moves: total.parse().ok()?,
        current: current.first().map(|mv| (*mv).to_owned()),
    })
}

/// `(REASON): TEXT`. A reason in parentheses cannot hold parentheses.
fn objected(reason: &str, text: &str) -> String {
    let reason = harmless(reason).replace('(', "[").replace(')', "]");
    format!("({reason}): {}", harmless(text))
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Features(features) => {
                write!(f, "feature")?;
                for feature in features {
                    write!(f, " {feature}")?;
                }
                Ok(())
            }
            Reply::Move(mv) => write!(f, "move {mv}"),
            Reply::IllegalMove { reason, text } if reason.is_empty() => {
                write!(f, "Illegal move: {}", harmless(text))
            }
            Reply::IllegalMove { reason, text } => {
                write!(f, "Illegal move {}", objected(reason, text))
            }
            Reply::Error { kind, command } => write!(f, "Error {}", objected(kind, command)),
            Reply::Result { result, comment } => write!(f, "{result} {{{comment}}}"),
            Reply::Resign => write!(f, "resign"),
            Reply::OfferDraw => write!(f, "offer draw"),
            Reply::Hint(mv) => write!(f, "Hint: {mv}"),
            Reply::Thinking(line) => write!(f, "{line}"),
            Reply::Status(status) => {
                let Status {
                    time,
                    nodes,
                    depth,
                    moves_left,
                    moves,
                    current,
                } = status;
                write!(f, "stat01: {time} {nodes} {depth} {moves_left} {moves}")?;
                match current {
                    Some(mv) => write!(f, " {mv}"),
                    None => Ok(()),
                }
            }
            Reply::Pong(token) => write!(f, "pong {token}"),
            Reply::TellUser(text) => write!(f, "telluser {}", harmless(text)),
            Reply::TellUserError(text) => write!(f, "tellusererror {}", harmless(text)),
            Reply::Debug(text) => write!(f, "# {}", harmless(text)),
            Reply::Indented(text) => write!(f, " {}", harmless(text)),
            Reply::Other(text) => write!(f, "{text}"),
        }
    }
}

/// The value of a feature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FeatureValue {
    Number(i64),
    Text(String),
}

/// One `NAME=VALUE` of a feature command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feature {
    pub name: String,
    pub value: FeatureValue,
}

impl Feature {
    fn text(name: &str, value: impl Into<String>) -> Feature {
        Feature {
            name: name.to_owned(),
            value: FeatureValue::Text(value.into()),
        }
    }

    /// `option="NAME -spin 3 1 9"` and its siblings, with the option's current value.
    pub fn option(spec: &OptionSpec, value: &str) -> Feature {
        let name = spec.name;
        let declaration = match &spec.kind {
            OptionKind::Check { .. } => format!("{name} -check {value}"),
            OptionKind::Spin { min, max, .. } => format!("{name} -spin {value} {min} {max}"),
            OptionKind::Combo { choices, .. } => {
                let mut marked = Vec::new();
                for choice in *choices {
                    let is_chosen = choice.eq_ignore_ascii_case(value);
                    marked.push(if is_chosen { "*" } else { "" }.to_owned() + choice);
                }
                format!("{name} -combo {}", marked.join(" /// "))
            }
            OptionKind::File { .. } => format!("{name} -file {value}"),
            OptionKind::Path { .. } => format!("{name} -path {value}"),
        };
        Feature::text("option", declaration)
    }

    /// Reads everything after the word `feature`. Unreadable parts are left out.
    pub fn parse_all(mut text: &str) -> Vec<Feature> {
        let mut features = Vec::new();
        while let Some((name, rest)) = text.trim_start().split_once('=') {
            // Stray words before a feature are skipped with it.
            let name = name.split_whitespace().last().unwrap_or("");
            let value = if let Some(rest) = rest.strip_prefix('"') {
                let (value, rest) = rest.split_once('"').unwrap_or((rest, ""));
                text = rest;
                FeatureValue::Text(value.to_owned())
            } else {
                let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
                text = &rest[end..];
                match rest[..end].parse() {
                    Ok(number) => FeatureValue::Number(number),
                    Err(_) => FeatureValue::Text(rest[..end].to_owned()),
                }
            };
            if !name.is_empty() {
                features.push(Feature {
                    name: name.to_owned(),
                    value,
                });
            }
        }
        features
    }
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            FeatureValue::Number(number) => write!(f, "{}={number}", self.name),
            // There is no way to write a quotation mark inside the value.
            FeatureValue::Text(text) => write!(f, "{}=\"{}\"", self.name, text.replace('"', "'")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reply_is_read_and_written() {
        let lines = "feature ping=1 variants=\"normal\" option=\"Levels -spin 2 1 2\" | move e7e8q | Illegal move: e2e5 | \
            Illegal move (illegal position): e2e4 | Error (unknown command): foo bar | 1-0 {White mates} | \
            1/2-1/2 {Draw by repetition} | resign | offer draw | Hint: g1f3 | 9 156 1084 48000 17 4428 0\tNf3 Nc6 | \
            stat01: 1234 30000 7 5 30 Nf3 | stat01: 1234 30000 7 5 30 | pong 12 | telluser hello there | \
            tellusererror Illegal position | # a comment | anything at all";
        for line in lines.split(" | ").chain([" e2e4 64%", ""]) {
            let reply: Reply = line.parse().unwrap();
            assert_eq!(reply.to_string(), line);
            let other = line.is_empty() || line.starts_with("anything");
            assert_eq!(matches!(reply, Reply::Other(_)), other, "{line}");
        }
    }

    #[test]
    fn old_forms_are_read() {
        assert_eq!("1. ... d7d5".parse(), Ok(Reply::Move("d7d5".to_owned())));
        let illegal = Reply::IllegalMove {
            reason: "no matching move".to_owned(),
            text: "e2e4".to_owned(),
        };
        for blanks in [" ", "  ", "\u{3000}\u{3000}"] {
            assert_eq!(
                format!("Illegal{blanks}move (no matching move)e2e4")
                    .parse()
                    .as_ref(),
                Ok(&illegal)
            );
        }
        for (line, written) in [
            ("Illegal move:e7e5", "Illegal move: e7e5"),
            ("Illegal Move", "Illegal move: "),
            ("ILLEGAL MOVE e7e5", "Illegal move: e7e5"),
            (
                "invalid move (no king): e7e5",
                "Illegal move (no king): e7e5",
            ),
            ("Illegal move(no king):e7e5", "Illegal move (no king): e7e5"),
            ("Error:e7e5", "Error (): e7e5"),
            ("error (not legal):e7e5", "Error (not legal): e7e5"),
        ] {
            let Ok(reply) = line.parse::<Reply>();
            assert_eq!(reply.to_string(), written, "{line}");
        }
        for line in [
            "illegal moves are for others",
            "Errors: none",
            "error reading book",
            "illegal",
        ] {
            assert!(matches!(line.parse(), Ok(Reply::Other(_))), "{line}");
        }
        assert_eq!("I offer you a draw".parse(), Ok(Reply::OfferDraw));
        assert!(matches!(
            "tellall I offer a draw".parse(),
            Ok(Reply::Other(_))
        ));
    }

    #[test]
    fn echoed_text_offers_nothing() {
        let (kind, command) = (
            "with (parentheses)".to_owned(),
            "offer me a draw\nmove e2e4".to_owned(),
        );
        let error = Reply::Error { kind, command };
        assert_eq!(
            error.to_string(),
            "Error (with [parentheses]): o_ffer me a draw move e2e4"
        );
    }

    #[test]
    fn features_are_read_and_written() {
        let text = "ping=1 myname=\"A name with blanks\" option=\"Levels -spin 2 1 2\" done=0";
        let features = Feature::parse_all(text);
        assert_eq!(features.len(), 4);
        assert_eq!(features[1], Feature::text("myname", "A name with blanks"));
        let written: Vec<String> = features.iter().map(Feature::to_string).collect();
        assert_eq!(written.join(" "), text);
        let done = Feature {
            name: "done".to_owned(),
            value: FeatureValue::Number(1),
        };
        assert_eq!(Feature::parse_all("stray done=1"), [done]);
        assert_eq!(
            Feature::parse_all("open=\"no end"),
            [Feature::text("open", "no end")]
        );
    }

    #[test]
    fn option_declarations_carry_the_current_value() {
        let spec = |kind| OptionSpec {
            name: "Name",
            kind,
            about: "",
        };
        let shown = |kind, value: &str| Feature::option(&spec(kind), value).to_string();
        let spin = OptionKind::Spin {
            default: 1,
            min: 0,
            max: 9,
        };
        assert_eq!(shown(spin, "7"), "option=\"Name -spin 7 0 9\"");
        assert_eq!(
            shown(OptionKind::Check { default: true }, "0"),
            "option=\"Name -check 0\""
        );
        let combo = OptionKind::Combo {
            default: "a",
            choices: &["a", "b", "c"],
        };
        assert_eq!(shown(combo, "b"), "option=\"Name -combo a /// *b /// c\"");
        assert_eq!(
            shown(OptionKind::File { default: "" }, ""),
            "option=\"Name -file \""
        );
        assert_eq!(
            shown(OptionKind::Path { default: "" }, "/a"),
            "option=\"Name -path /a\""
        );
    }
}
