//! `info`: what an engine says about its search.

use std::fmt;
use std::str::FromStr;

use super::score::{Bound, InfoScore, ScoreValue};
use super::text::{OneLine, Words};

/// `currline`: what one processor looks at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CurrentLine {
    /// From 1; not said if there is only one.
    pub processor: Option<u32>,
    pub moves: Vec<String>,
}

/// What one `info` line says; what it does not say is `None` or empty. Moves are in coordinates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Half-moves.
    pub depth: Option<u32>,
    /// `seldepth`, half-moves.
    pub selective_depth: Option<u32>,
    /// `multipv`: which of several lines, from 1.
    pub line: Option<u32>,
    pub score: Option<InfoScore>,
    /// `wdl`: expected wins, draws and losses in thousandths; not in the specification, but common.
    pub win_draw_loss: Option<[u32; 3]>,
    pub nodes: Option<u64>,
    /// `nps`: nodes a second.
    pub speed: Option<u64>,
    /// `hashfull`, in thousandths.
    pub hash_full: Option<u32>,
    /// `tbhits`
    pub table_hits: Option<u64>,
    /// `sbhits`: hits in Shredder's endgame tables.
    pub shredder_hits: Option<u64>,
    /// `cpuload`, in thousandths.
    pub cpu_load: Option<u32>,
    /// Milliseconds.
    pub time: Option<u64>,
    /// `currmove`
    pub current_move: Option<String>,
    /// `currmovenumber`, from 1.
    pub current_move_number: Option<u32>,
    /// `refutation`: a move, and the line that refutes it.
    pub refutation: Vec<String>,
    pub current_line: Option<CurrentLine>,
    /// `pv`: the best line.
    pub variation: Vec<String>,
    /// `string`: text to show, to the end of the line.
    pub text: Option<String>,
}

const KEYWORDS: [&str; 20] = [
    "depth",
    "seldepth",
    "multipv",
    "score",
    "wdl",
    "nodes",
    "nps",
    "hashfull",
    "tbhits",
    "sbhits",
    "cpuload",
    "time",
    "currmove",
    "currmovenumber",
    "refutation",
    "currline",
    "pv",
    "string",
    "lowerbound",
    "upperbound",
];

impl Info {
    /// An `info string`.
    pub fn text(text: impl Into<String>) -> Info {
        Info {
            text: Some(text.into()),
            ..Info::default()
        }
    }

    /// Reads what stands after the word `info`. Whatever is not known, or not as it should be, is skipped.
    pub(super) fn parse(mut words: Words<'_>) -> Info {
        let mut info = Info::default();
        while let Some(word) = words.next() {
            match word {
                "depth" => info.depth = number(&mut words),
                "seldepth" => info.selective_depth = number(&mut words),
                "multipv" => info.line = number(&mut words),
                "nodes" => info.nodes = number(&mut words),
                "nps" => info.speed = number(&mut words),
                "hashfull" => info.hash_full = number(&mut words),
                "tbhits" => info.table_hits = number(&mut words),
                "sbhits" => info.shredder_hits = number(&mut words),
                "cpuload" => info.cpu_load = number(&mut words),
                "time" => info.time = number(&mut words),
                "currmovenumber" => info.current_move_number = number(&mut words),
                "currmove" => info.current_move = moves(&mut words).into_iter().next(),
                "refutation" => info.refutation = moves(&mut words),
                "pv" => info.variation = moves(&mut words),
                "currline" => {
                    let processor = number(&mut words);
                    let moves = moves(&mut words);
                    info.current_line = Some(CurrentLine { processor, moves });
                }
                "score" => info.score = score(&mut words).or(info.score),
                // They may stand behind the value, or anywhere.
                "lowerbound" | "upperbound" => {
                    if let Some(score) = &mut info.score {
                        score.bound = if word == "lowerbound" {
                            Bound::Lower
                        } else {
                            Bound::Upper
                        };
                    }
                }
                "wdl" => info.win_draw_loss = thousandths(&mut words),
                "string" => {
                    info.text = Some(words.rest().to_owned());
                    break;
                }
                _ => {}
            }
        }
        info
    }
}

/// A number; a word that is none is left to be read as something else.
fn number<T: FromStr>(words: &mut Words<'_>) -> Option<T> {
    let number = words.peek()?.parse().ok()?;
    words.next();
    Some(number)
}

fn moves(words: &mut Words<'_>) -> Vec<String> {
    let moves = words.until(|word| KEYWORDS.contains(&word));
    moves.into_iter().map(str::to_owned).collect()
}

fn score(words: &mut Words<'_>) -> Option<InfoScore> {
    let mut kind = words.peek()?;
    let mut bound = Bound::Exact;
    // Some engines put the bound before the value.
    if let "lowerbound" | "upperbound" = kind {
        bound = if kind == "lowerbound" {
            Bound::Lower
        } else {
            Bound::Upper
        };
        words.next();
        kind = words.peek()?;
    }
    let value: fn(i64) -> ScoreValue = match kind {
        "cp" => ScoreValue::Centipawns,
        "mate" => ScoreValue::Mate,
        _ => return None,
    };
    words.next();
    number(words).map(value).map(|value| InfoScore { value, bound })
}

fn thousandths(words: &mut Words<'_>) -> Option<[u32; 3]> {
    Some([number(words)?, number(words)?, number(words)?])
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "info")?;
        let mut write = |keyword: &str, number: Option<u64>| match number {
            Some(number) => write!(f, " {keyword} {number}"),
            None => Ok(()),
        };
        write("depth", self.depth.map(u64::from))?;
        write("seldepth", self.selective_depth.map(u64::from))?;
        write("multipv", self.line.map(u64::from))?;
        if let Some(score) = self.score {
            write!(f, " score {score}")?;
        }
        if let Some([wins, draws, losses]) = self.win_draw_loss {
            write!(f, " wdl {wins} {draws} {losses}")?;
        }
        let mut write = |keyword: &str, number: Option<u64>| match number {
            Some(number) => write!(f, " {keyword} {number}"),
            None => Ok(()),
        };
        write("nodes", self.nodes)?;
        write("nps", self.speed)?;
        write("hashfull", self.hash_full.map(u64::from))?;
        write("tbhits", self.table_hits)?;
        write("sbhits", self.shredder_hits)?;
        write("cpuload", self.cpu_load.map(u64::from))?;
        write("time", self.time)?;
        if let Some(mv) = &self.current_move {
            write!(f, " currmove {mv}")?;
        }
        if let Some(number) = self.current_move_number {
            write!(f, " currmovenumber {number}")?;
        }
        write_moves(f, "refutation", &self.refutation)?;
        if let Some(line) = &self.current_line {
            write!(f, " currline")?;
            line.processor
                .map_or(Ok(()), |processor| write!(f, " {processor}"))?;
            line.moves.iter().try_for_each(|mv| write!(f, " {mv}"))?;
        }
        write_moves(f, "pv", &self.variation)?;
        match &self.text {
            Some(text) => write!(f, " string {}", OneLine(text)),
            None => Ok(()),
        }
    }
}

fn write_moves(f: &mut fmt::Formatter<'_>, keyword: &str, moves: &[String]) -> fmt::Result {
    if moves.is_empty() {
        return Ok(());
    }
    write!(f, " {keyword}")?;
    moves.iter().try_for_each(|mv| write!(f, " {}", OneLine(mv)))
}
