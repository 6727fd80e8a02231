//! `info`: an engine's report on its search, and its scores, in the program's terms.

use std::fmt;
use std::str::FromStr;

use super::{Words, one_line, put, put_moves};
use crate::rules::score::{Bound, Score};

/// One `info` line, as far as it is used here; missing parts are `None` or empty. Moves are in
/// coordinates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Half-moves.
    pub depth: Option<u32>,
    /// `seldepth`, half-moves.
    pub selective_depth: Option<u32>,
    /// `multipv`: the number of the line, from 1.
    pub line: Option<u32>,
    pub score: Option<InfoScore>,
    /// `wdl`: chances to win, draw and lose, in thousandths, from the engine's point of view.
    pub chances: Option<[u32; 3]>,
    pub nodes: Option<u64>,
    /// `nps`: nodes a second.
    pub speed: Option<u64>,
    /// `tbhits`: positions with a value from an endgame table.
    pub table_hits: Option<u64>,
    /// Milliseconds.
    pub time: Option<u64>,
    /// `pv`: the best line.
    pub variation: Vec<String>,
    /// `string`: text to show, to the end of the line.
    pub text: Option<String>,
}

/// The ends of a line of moves.
const KEYWORDS: &str = "depth seldepth multipv score wdl nodes nps hashfull tbhits sbhits cpuload time currmove \
                        currmovenumber refutation currline pv string lowerbound upperbound";

impl Info {
    /// An `info string`.
    pub fn text(text: impl Into<String>) -> Info {
        Info {
            text: Some(text.into()),
            ..Info::default()
        }
    }

    /// Reads the words after `info`. Unknown or malformed ones are skipped.
    pub(super) fn parse(mut words: Words<'_>) -> Info {
        let mut info = Info::default();
        while let Some(word) = words.next() {
            match word {
                "depth" => info.depth = number(&mut words),
                "seldepth" => info.selective_depth = number(&mut words),
                "multipv" => info.line = number(&mut words),
                "nodes" => info.nodes = number(&mut words),
                "nps" => info.speed = number(&mut words),
                "tbhits" => info.table_hits = number(&mut words),
                "time" => info.time = number(&mut words),
                "pv" => info.variation = words.owned_until(KEYWORDS),
                "score" => info.score = score(&mut words).or(info.score),
                "wdl" => {
                    info.chances = match [(); 3].map(|()| number(&mut words)) {
                        [Some(win), Some(draw), Some(loss)] => Some([win, draw, loss]),
                        _ => None,
                    };
                }
                "string" => {
                    info.text = Some(words.rest.to_owned());
                    break;
                }
                // A bound may stand behind the value, or anywhere.
                word => {
                    if let (Some(score), Some(bound)) = (&mut info.score, bound(word)) {
                        score.bound = bound;
                    }
                }
            }
        }
        info
    }
}

/// A number; another word is left unread.
fn number<T: FromStr>(words: &mut Words<'_>) -> Option<T> {
    let number = words.peek()?.parse().ok()?;
    words.next();
    Some(number)
}

fn bound(word: &str) -> Option<Bound> {
    match word {
        "lowerbound" => Some(Bound::Lower),
        "upperbound" => Some(Bound::Upper),
        _ => None,
    }
}

fn score(words: &mut Words<'_>) -> Option<InfoScore> {
    // Some engines put the bound before the value.
    let bound = bound(words.peek()?);
    if bound.is_some() {
        words.next();
    }
    let kind = words.peek().filter(|kind| matches!(*kind, "cp" | "mate"))?;
    words.next();
    let number = number(words)?;
    const MOST: i64 = Score::MAX_EVALUATION as i64;
    let value = match kind {
        "cp" => Score(i64::clamp(number, -MOST, MOST) as i32),
        // In moves, not half-moves: the engine mates, or below zero is mated. 0 is mated already.
        _ => Score::of_mate(number),
    };
    let bound = bound.unwrap_or(Bound::Exact);
    Some(InfoScore { value, bound })
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "info")?;
        put(f, "depth", self.depth)?;
        put(f, "seldepth", self.selective_depth)?;
        put(f, "multipv", self.line)?;
        put(f, "score", self.score)?;
        if let Some([win, draw, loss]) = self.chances {
            write!(f, " wdl {win} {draw} {loss}")?;
        }
        put(f, "nodes", self.nodes)?;
        put(f, "nps", self.speed)?;
        put(f, "tbhits", self.table_hits)?;
        put(f, "time", self.time)?;
        put_moves(f, "pv", &self.variation)?;
        put(f, "string", self.text.as_deref().map(one_line))
    }
}

/// `score cp 35 lowerbound`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InfoScore {
    /// The score from the engine's point of view (that of the side to move), limited to the range
    /// of one.
    pub value: Score,
    pub bound: Bound,
}

impl fmt::Display for InfoScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value.mate_moves() {
            Some(moves) => write!(f, "mate {moves}")?,
            None => write!(f, "cp {}", self.value.0)?,
        }
        f.write_str(match self.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves_and_what_is_beyond_every_score_is_cut() {
        let written = |value| {
            InfoScore {
                value,
                bound: Bound::Exact,
            }
            .to_string()
        };
        let read = |text: &str| score(&mut Words::new(text)).expect("it is a score").value;
        let mates = [1, 3]
            .map(Score::mate_in)
            .into_iter()
            .chain([0, 2, 4].map(Score::mated_in));
        let texts = [
            "mate 1",
            "mate 2",
            "mate 0",
            "mate -1",
            "mate -2",
            "cp 156",
            "cp -30000",
        ];
        for (score, text) in mates.chain([Score(156), Score(-30_000)]).zip(texts) {
            assert_eq!((written(score).as_str(), read(text)), (text, score));
        }
        // A mate seen from the other side of a half-move is in the same move.
        assert_eq!(
            [Score::mate_in(2), Score::mated_in(1)].map(written),
            ["mate 1", "mate -1"]
        );
        let beyond =
            |kind: &str| [i64::MIN, i64::MAX].map(|number| read(&format!("{kind} {number}")));
        assert_eq!(beyond("cp"), [Score(-30_000), Score(30_000)]);
        assert!(beyond("mate")[0].is_mated() && beyond("mate")[1] > Score(30_000));
    }
}
