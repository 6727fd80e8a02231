//! The thinking line: `ply score time nodes seldepth nps tbhits<tab>pv`.

use std::borrow::Cow;
use std::fmt;

use crate::rules::score::Score;

/// The base of a mate score in a thinking line, the number of moves added.
const MATE: i64 = 100_000;

/// One line of thinking output.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThinkingLine {
    pub depth: u32,
    /// Centipawns from the engine's point of view; `100000 + N` for a mate in N moves, `-100000 -
    /// N` when mated in N.
    pub score: i64,
    /// Centiseconds.
    pub time: u64,
    pub nodes: u64,
    pub selective_depth: Option<u32>,
    /// Nodes a second.
    pub speed: Option<u64>,
    pub table_hits: Option<u64>,
    /// Moves; ends with `!` for a lower bound and `?` for an upper one.
    pub variation: String,
}

/// The protocol's form of a score: mates in moves, not half-moves.
pub fn score_to_wire(score: Score) -> i64 {
    match score.mate_moves() {
        Some(moves) if moves > 0 => MATE + i64::from(moves),
        Some(moves) => i64::from(moves) - MATE,
        None => i64::from(score.0),
    }
}

/// The score of the protocol's form.
pub fn score_from_wire(wire: i64) -> Score {
    if wire >= MATE {
        Score::of_mate((wire - MATE).max(1))
    } else if wire <= -MATE {
        Score::of_mate(wire + MATE)
    } else {
        Score(wire.clamp(-30_000, 30_000) as i32)
    }
}

impl ThinkingLine {
    /// Reads a thinking line; `None` if `line` is something else.
    pub fn parse(line: &str) -> Option<ThinkingLine> {
        let (line, is_in_seconds) = without_mark(line.trim_start());
        let mut rest = &*line;
        let mut numbers = Vec::new();
        // Optional numbers are there only if a tab stands before the moves: else a number is part
        // of those.
        let most = if line.trim().contains('\t') {
            usize::MAX
        } else {
            4
        };
        while numbers.len() < most {
            let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
            let Ok(number) = rest[..end].parse::<i64>() else {
                break;
            };
            numbers.push(number);
            let tab = rest[end..].starts_with('\t');
            rest = rest[end..].trim_start();
            if tab && numbers.len() >= 4 {
                break;
            }
        }
        let [depth, score, time, nodes, ref extra @ ..] = *numbers.as_slice() else {
            return None;
        };
        // "Of all integers between nodes and pv the last one is interpreted as tbhits. Of any
        // remaining ones the first is interpreted as selective depth, and a second as speed."
        let (table_hits, others) = match extra.split_last() {
            Some((&hits, others)) => (u64::try_from(hits).ok(), others),
            None => (None, extra),
        };
        Some(ThinkingLine {
            depth: u32::try_from(depth).ok()?,
            score,
            time: u64::try_from(time)
                .unwrap_or(0)
                .saturating_mul(if is_in_seconds { 100 } else { 1 }),
            nodes: u64::try_from(nodes).unwrap_or(0),
            selective_depth: others.first().and_then(|&depth| u32::try_from(depth).ok()),
            speed: others.get(1).and_then(|&speed| u64::try_from(speed).ok()),
            table_hits,
            variation: rest.trim_end().to_owned(),
        })
    }
}

/// A line without the mark that some engines write at the depth, and whether its time is in
/// seconds: in the form of GNU Chess (`9.`, `9&`) it is.
fn without_mark(line: &str) -> (Cow<'_, str>, bool) {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let mark = line[digits..]
        .chars()
        .next()
        .filter(|mark| ".&*+-?!".contains(*mark));
    let ends = |mark: char| line[digits + mark.len_utf8()..].starts_with(char::is_whitespace);
    match mark.filter(|&mark| digits > 0 && ends(mark)) {
        Some(mark) => (
            Cow::Owned(line[..digits].to_owned() + &line[digits + 1..]),
            ['.', '&'].contains(&mark),
        ),
        None => (Cow::Borrowed(line), false),
    }
}

impl fmt::Display for ThinkingLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} {} {} {}",
            self.depth, self.score, self.time, self.nodes
        )?;
        if self.selective_depth.is_some() || self.speed.is_some() || self.table_hits.is_some() {
            write!(
                f,
                " {} {} {}\t{}",
                self.selective_depth.unwrap_or(0),
                self.speed.unwrap_or(0),
                self.table_hits.unwrap_or(0),
                self.variation
            )
        } else {
            write!(f, " {}", self.variation)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves() {
        let mates = [1, 3]
            .map(Score::mate_in)
            .into_iter()
            .chain([0, 2, 4].map(Score::mated_in));
        let wires = [100_001, 100_002, -100_000, -100_001, -100_002, 156, -30];
        for (score, wire) in mates.chain([Score(156), Score(-30)]).zip(wires) {
            assert_eq!((score_to_wire(score), score_from_wire(wire)), (wire, score));
        }
    }

    #[test]
    fn lines_are_read_with_and_without_their_optional_numbers() {
        let line = ThinkingLine::parse("9 156 1084 48000 17 4428 0\tNf3 Nc6").unwrap();
        assert_eq!(
            (line.depth, line.selective_depth, line.variation.as_str()),
            (9, Some(17), "Nf3 Nc6")
        );
        assert_eq!((line.speed, line.table_hits), (Some(4428), Some(0)));
        let line = ThinkingLine::parse("  9 156 1084 48000 Nf3 Nc6 Nc3 Nf6").unwrap();
        assert_eq!(
            (line.depth, line.score, line.time, line.nodes),
            (9, 156, 1084, 48_000)
        );
        assert_eq!(line.variation, "Nf3 Nc6 Nc3 Nf6");
        assert_eq!((line.selective_depth, line.table_hits), (None, None));
        assert_eq!(ThinkingLine::parse(&line.to_string()), Some(line));
        assert_eq!(
            ["1 ... e7e5", "1. ... e7e5", "move e2e4"].map(ThinkingLine::parse),
            [None, None, None]
        );
        for (marked, time) in [
            ("5.", 1700),
            ("5&", 1700),
            ("5*", 17),
            ("5+", 17),
            ("5", 17),
        ] {
            let line = ThinkingLine::parse(&format!("{marked} 42 17 9000 Nf3 Nc6")).expect(marked);
            assert_eq!(
                (line.depth, line.score, line.time, line.nodes),
                (5, 42, time, 9000),
                "{marked}"
            );
            assert_eq!(line.variation, "Nf3 Nc6");
        }
    }
}
