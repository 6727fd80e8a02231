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
}

const KEYWORDS: [&str; 12] = [
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
];

impl Go {
    /// Reads what stands after the word `go`. Unknown words are skipped.
    ///
    /// # Errors
    /// The keyword whose value is missing or no number.
    pub(super) fn parse(mut words: Words<'_>) -> Result<Go, &'static str> {
        let mut go = Go::default();
        while let Some(word) = words.next() {
            match word {
                "searchmoves" => go.search_moves.extend(
                    words
                        .until(|word| KEYWORDS.contains(&word))
                        .into_iter()
                        .map(str::to_owned),
                ),
                "ponder" => go.ponder = true,
                "infinite" => go.infinite = true,
                "wtime" => go.white_time = Some(time(&mut words).ok_or("wtime")?),
                "btime" => go.black_time = Some(time(&mut words).ok_or("btime")?),
                "winc" => go.white_increment = Some(time(&mut words).ok_or("winc")?),
                "binc" => go.black_increment = Some(time(&mut words).ok_or("binc")?),
                "movetime" => go.move_time = Some(time(&mut words).ok_or("movetime")?),
                "movestogo" => go.moves_to_go = Some(count(&mut words).ok_or("movestogo")?),
                "depth" => go.depth = Some(count(&mut words).ok_or("depth")?),
                "mate" => go.mate = Some(count(&mut words).ok_or("mate")?),
                "nodes" => go.nodes = Some(whole(&mut words).ok_or("nodes")?),
                _ => {}
            }
        }
        Ok(go)
    }
}

/// A whole number that is not negative.
fn whole(words: &mut Words<'_>) -> Option<u64> {
    words.next()?.parse().ok()
}

/// The same, cut to what can be counted.
fn count(words: &mut Words<'_>) -> Option<u32> {
    whole(words).map(|number| u32::try_from(number).unwrap_or(u32::MAX))
}

/// Milliseconds; there are programs that send fractions.
fn time(words: &mut Words<'_>) -> Option<i64> {
    let word = words.next()?;
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
        for (keyword, milliseconds) in [
            ("wtime", self.white_time),
            ("btime", self.black_time),
            ("winc", self.white_increment),
            ("binc", self.black_increment),
            ("movetime", self.move_time),
        ] {
            if let Some(milliseconds) = milliseconds {
                write!(f, " {keyword} {milliseconds}")?;
            }
        }
        for (keyword, number) in [
            ("movestogo", self.moves_to_go.map(u64::from)),
            ("depth", self.depth.map(u64::from)),
            ("nodes", self.nodes),
            ("mate", self.mate.map(u64::from)),
        ] {
            if let Some(number) = number {
                write!(f, " {keyword} {number}")?;
            }
        }
        if self.infinite {
            write!(f, " infinite")?;
        }
        // Last: engines there are that take everything after it for moves.
        if !self.search_moves.is_empty() {
            write!(f, " searchmoves")?;
            self.search_moves.iter().try_for_each(|mv| write!(f, " {mv}"))?;
        }
        Ok(())
    }
}
