//! `go`: what to search, and how long.

use std::fmt;

use super::text::Words;

/// What `go` asks for. Whatever is not said is not limited; nothing at all means the engine's own choice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Root moves to look at, in coordinates; empty for all.
    pub search_moves: Vec<String>,
    /// Think about the last move of the position, which has not been played yet, until `ponderhit` or `stop`.
    pub ponder: bool,
    /// `wtime`: what White has left, in milliseconds; can be below zero.
    pub white_time: Option<i64>,
    /// `btime`, in milliseconds.
    pub black_time: Option<i64>,
    /// `winc`: what White gets for each move, in milliseconds.
    pub white_increment: Option<i64>,
    /// `binc`, in milliseconds.
    pub black_increment: Option<i64>,
    /// `movestogo`: moves until time is added.
    pub moves_to_go: Option<u32>,
    /// In half-moves.
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    /// Look for a mate in so many moves.
    pub mate: Option<u32>,
    /// `movetime`: think for exactly so long, in milliseconds.
    pub move_time: Option<i64>,
    /// Think until `stop`.
    pub infinite: bool,
    /// Keywords whose value was missing or no number, each with what stood there instead; they limit nothing.
    /// Never written.
    pub unreadable: Vec<String>,
}

const KEYWORDS: &str =
    "searchmoves ponder wtime btime winc binc movestogo depth nodes mate movetime infinite";

fn is_keyword(word: &str) -> bool {
    KEYWORDS.split(' ').any(|keyword| keyword == word)
}

impl Go {
    /// Reads what stands after the word `go`. Unknown words are skipped, and so is what should be a number
    /// and is none: every `go` has to be answered.
    pub(super) fn parse(mut words: Words<'_>) -> Go {
        let mut go = Go::default();
        while let Some(word) = words.next() {
            match word {
                "searchmoves" => {
                    go.search_moves.extend(words.until(is_keyword).into_iter().map(str::to_owned));
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

    /// The value of `keyword`. What cannot be read is kept in [`Go::unreadable`]; a keyword in its place is
    /// left to be read as one.
    fn value<T>(&mut self, keyword: &str, words: &mut Words<'_>, read: fn(&str) -> Option<T>) -> Option<T> {
        let word = words.peek().filter(|word| !is_keyword(word));
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

/// A whole number that is not negative.
fn whole(word: &str) -> Option<u64> {
    word.parse().ok()
}

/// The same, cut to what can be counted.
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
        for (keyword, number) in [
            ("wtime", self.white_time.map(i128::from)),
            ("btime", self.black_time.map(i128::from)),
            ("winc", self.white_increment.map(i128::from)),
            ("binc", self.black_increment.map(i128::from)),
            ("movetime", self.move_time.map(i128::from)),
            ("movestogo", self.moves_to_go.map(i128::from)),
            ("depth", self.depth.map(i128::from)),
            ("nodes", self.nodes.map(i128::from)),
            ("mate", self.mate.map(i128::from)),
        ] {
            if let Some(number) = number {
                write!(f, " {keyword} {number}")?;
            }
        }
        if self.infinite {
            write!(f, " infinite")?;
        }
        // This comes last, because some engines take everything after it for moves.
        if !self.search_moves.is_empty() {
            write!(f, " searchmoves")?;
            self.search_moves.iter().try_for_each(|mv| write!(f, " {mv}"))?;
        }
        Ok(())
    }
}
