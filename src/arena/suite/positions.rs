//! Positions to think about, from lists: EPD with its operations, or plain FEN, one a line.
//!
//! EPD is described in the PGN standard, section 16.2. Operations read are `bm` (best moves), `am`
//! (moves to avoid), `dm` (mate in so many moves), `id`, and the points for several moves in the
//! comments of the Strategic Test Suite: moves in `c9` (coordinates) or `c7` (SAN) with their
//! points in `c8`, or both in `c0` (`"f5=10, Be5+=2"`). `hmvc` and `fmvn` are the clocks.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use anyhow::anyhow;

use crate::arena::referee::{Played, Referee};
use crate::rules::pgn::epd::{EpdLine, Lines, Operation};
use crate::util::display::counted;
use crate::util::input;

/// A position of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuitePosition {
    /// The file with the position.
    pub file: PathBuf,
    /// The line, from 1.
    pub line: u64,
    /// The position in all six fields; at least one move is legal.
    pub fen: String,
    pub operations: Operations,
}

impl SuitePosition {
    /// The position's name: its `id`, or the file's name and the line.
    pub fn name(&self) -> String {
        if let Some(id) = &self.operations.id {
            return id.clone();
        }
        let file = self.file.file_name().unwrap_or(self.file.as_os_str());
        format!("{}:{}", file.display(), self.line)
    }
}

/// The content of lists: every line left out is named. Exception: empty lines and lines beginning
/// with `#` are passed over.
#[derive(Debug, Default)]
pub struct PositionList {
    /// The positions in the order of the files and lines.
    pub positions: Vec<SuitePosition>,
    /// The fault of every malformed line, with file and line, in the same order.
    pub malformed: Vec<String>,
}

impl PositionList {
    /// Reads files.
    ///
    /// # Errors
    /// Fails on the first unreadable file. Unreadable lines are in [`PositionList::malformed`].
    pub fn read(files: &[PathBuf]) -> anyhow::Result<PositionList> {
        let mut list = PositionList::default();
        for path in files {
            let unreadable = |cause| anyhow!("cannot read positions {}: {cause}", path.display());
            list.add(path, &input::read(path).map_err(unreadable)?);
        }
        Ok(list)
    }

    /// The positions of a file's bytes; `path` is the file's name.
    pub fn of(path: impl AsRef<Path>, bytes: &[u8]) -> PositionList {
        let mut list = PositionList::default();
        list.add(path.as_ref(), bytes);
        list
    }

    /// Adds the positions of a file's bytes; `path` is the file's name.
    pub fn add(&mut self, path: &Path, bytes: &[u8]) {
        let mut lines = Lines::new(bytes);
        // A source in memory can always be read.
        while let Ok(Some((line, text))) = lines.next_line() {
            match read_line(&input::decoded(text.to_vec())) {
                Ok((fen, operations)) => self.positions.push(SuitePosition {
                    file: path.to_path_buf(),
                    line,
                    fen,
                    operations,
                }),
                Err(reason) => self
                    .malformed
                    .push(format!("{}, line {line}: {reason}", path.display())),
            }
        }
    }
}

fn read_line(line: &str) -> Result<(String, Operations), String> {
    let line = EpdLine::read(line)?;
    let referee = Referee::at(&line.fen).map_err(|error| error.to_string())?;
    if shakmaty::Position::legal_moves(referee.position()).is_empty() {
        return Err("the game is over there: no move is legal".to_owned());
    }
    Ok((referee.fen(), Operations::read(&line, &referee)?))
}

/// A line's operations on its position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Operations {
    /// `id`
    pub id: Option<String>,
    /// `bm`: any of them is right.
    pub best: Vec<Played>,
    /// `am`: every other move is right.
    pub avoid: Vec<Played>,
    /// `dm`: the side to move can mate in so many own moves.
    pub mate_in: Option<u32>,
    /// Points for moves; the others have none.
    pub points: Vec<(Played, u32)>,
}

impl Operations {
    fn read(line: &EpdLine, referee: &Referee) -> Result<Operations, String> {
        line.check_operations()?;
        let mut opcodes = HashSet::new();
        for Operation { opcode, .. } in &line.operations {
            if !opcodes.insert(opcode) {
                return Err(format!("{opcode} twice"));
            }
        }
        let moves = |opcode| match line.operands(opcode) {
            None => Ok(Vec::new()),
            Some("") => Err(format!("{opcode} has no moves")),
            Some(text) => read_moves(text, opcode, referee),
        };
        let mate_in = line.number("dm")?;
        if mate_in == Some(0) {
            return Err("dm 0: the mate would be there already".to_owned());
        }
        let best = moves("bm")?;
        let avoid = moves("am")?;
        if let Some(both) = best.iter().find(|mv| avoid.contains(mv)) {
            return Err(format!(
                "{} is the best move (bm), and is to be avoided (am)",
                both.san
            ));
        }
        Ok(Operations {
            id: line
                .operands("id")
                .filter(|id| !id.is_empty())
                .map(str::to_owned),
            best,
            avoid,
            mate_in,
            points: points(line, referee)?,
        })
    }
}

fn read_moves(text: &str, opcode: &str, referee: &Referee) -> Result<Vec<Played>, String> {
    let mut moves = Vec::new();
    for word in text.replace(',', " ").split_whitespace() {
        moves.push(read_move(word, opcode, referee)?);
    }
    Ok(moves)
}

fn read_move(text: &str, opcode: &str, referee: &Referee) -> Result<Played, String> {
    match referee.read_move(text) {
        Ok(mv) => Ok(referee.written(mv)),
        Err(fault) => Err(format!("{opcode}: \"{text}\" {fault}")),
    }
}

/// The points of the Strategic Test Suite. The same operations are mere comments in other lists,
/// and are taken for points only if they look so.
fn points(line: &EpdLine, referee: &Referee) -> Result<Vec<(Played, u32)>, String> {
    let read = |opcode| Some(read_moves(line.operands(opcode)?, opcode, referee));
    let words = line.operands("c8").unwrap_or_default().split_whitespace();
    let listed: Result<Vec<u32>, _> = words.map(str::parse).collect();
    let is_coordinates = line.operands("c9").is_some();
    let opcode = if is_coordinates { "c9" } else { "c7" };
    if let Ok(points) = listed
        && !points.is_empty()
        && let Some(moves) = read(opcode)
    {
        let moves = match (moves, read("c7")) {
            // Where the two disagree, one that can be read is enough.
            (Err(_), Some(Ok(moves))) => moves,
            (moves, _) => moves?,
        };
        if moves.len() != points.len() {
            return Err(format!(
                "{opcode} and c8 have {} and {}",
                counted(moves.len(), "move"),
                counted(points.len(), "number")
            ));
        }
        return Ok(moves.into_iter().zip(points).collect());
    }
    let mut pairs = Vec::new();
    for text in line.operands("c0").unwrap_or_default().split(',') {
        match pair(text) {
            Some(pair) => pairs.push(pair),
            None => return Ok(Vec::new()),
        }
    }
    let read = |(mv, points)| Ok((read_move(mv, "c0", referee)?, points));
    pairs.into_iter().map(read).collect()
}

/// `f5=10`
fn pair(text: &str) -> Option<(&str, u32)> {
    let (mv, points) = text.rsplit_once('=')?;
    Some((mv.trim(), points.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::suite::tests::{START, list};

    #[test]
    fn fen_and_epd_are_told_apart() {
        let operations = format!("{START} 3 7 id \"both\";\n{START} bm e4; hmvc 5; fmvn 9;\n");
        let list = list(&format!(
            "\u{feff}# a comment\n\n{START}\n{START} 3 7\r\n{operations}"
        ));
        assert!(list.malformed.is_empty(), "{:?}", list.malformed);
        let fens = list
            .positions
            .iter()
            .map(|position| position.fen.rsplit_once("- ").expect("a FEN").1);
        assert_eq!(fens.collect::<Vec<_>>(), ["0 1", "3 7", "3 7", "5 9"]);
        let names: Vec<String> = list.positions.iter().map(SuitePosition::name).collect();
        assert_eq!(names, ["my.epd:3", "my.epd:4", "both", "my.epd:6"]);
    }

    #[test]
    fn malformed_lines_are_named_and_nothing_is_lost() {
        let bad = [
            ("8/8/8/8/8/8/8/8 w - -", "cannot start"),
            (
                "4k3/8/8/8/8/8/4P3/4K3 w",
                "2 fields, where a position has three at least",
            ),
            (
                &format!("{START} 0 1 {START} 0 1"),
                "a second position on the line",
            ),
            (&format!("{START} bm e5;"), "\"e5\" is not legal"),
            (&format!("{START} am Nd2 Nf3;"), "\"Nd2\" is not legal"),
            (&format!("{START} bm;"), "bm has no moves"),
            (&format!("{START} dm x;"), "dm"),
            (&format!("{START} dm 0;"), "dm"),
            (&format!("{START} bm e4; bm d4;"), "bm twice"),
            (
                &format!("{START} bm d4 e4; am e4;"),
                "e4 is the best move (bm), and is to be avoided (am)",
            ),
            (&format!("{START} id \"open;"), "quotation mark"),
            (&format!("{START} 7bm e4;"), "7bm"),
            (
                &format!("{START} c7 \"e4 d4\"; c8 \"10\";"),
                "2 moves and 1 number",
            ),
            ("7k/8/5KQ1/8/8/8/8/8 b - -", "the game is over"),
        ];
        let good = format!("{START} bm e4; id \"good\";\n");
        let text: String = bad
            .iter()
            .map(|(line, _)| format!("{good}{line}\n"))
            .collect();
        let list = list(&text);
        assert_eq!(
            (list.positions.len(), list.malformed.len()),
            (bad.len(), bad.len())
        );
        for (index, (error, (line, why))) in list.malformed.iter().zip(&bad).enumerate() {
            let place = format!("folder/my.epd, line {}: ", 2 * index + 2);
            assert!(
                error.starts_with(&place) && error.contains(why),
                "{line}: {error}"
            );
        }
    }

    #[test]
    fn bad_lines_are_quoted_as_they_are_written() {
        let text = "no position at all here\nnrqkrbbn/pppppppp/8/8/8/8/PPPPPPPP/NRQKRBBN w EBeb -"
            .to_owned();
        let errors = list(&text).malformed;
        assert!(
            errors[0].contains("\"no position at all\""),
            "{}",
            errors[0]
        );
        assert!(
            errors[1].contains("EBeb -\"") && errors[1].contains("Chess960"),
            "{}",
            errors[1]
        );
    }

    fn operations(fen: &str, text: &str) -> Operations {
        let line = EpdLine::read(&format!("{fen} {text}")).expect("operations");
        Operations::read(&line, &Referee::at(fen).expect("a position")).expect("legal moves")
    }

    const FEN: &str = "r3k2r/P6P/8/8/8/8/8/R3K2R w KQkq - 0 1";

    fn uci<'m>(moves: impl IntoIterator<Item = &'m Played>) -> String {
        let moves: Vec<&str> = moves.into_iter().map(|mv| mv.uci.as_str()).collect();
        moves.join(" ")
    }

    #[test]
    fn moves_are_read_in_every_notation_and_texts_may_have_semicolons() {
        let texts = "id \"a; b\"; c0 \"what it is about\"; c8 \"no numbers\"; pv Kf1 Ke7";
        let all = operations(
            FEN,
            &format!("bm O-O 0-0-0, a1a2; am Kf1!; dm 4; acd 7;; {texts}"),
        );
        assert_eq!(uci(&all.best), "e1g1 e1c1 a1a2");
        assert_eq!(all.best[0].san, "O-O");
        assert_eq!((uci(&all.avoid).as_str(), all.mate_in), ("e1f1", Some(4)));
        assert_eq!(all.id.as_deref(), Some("a; b"));
        assert!(all.points.is_empty());
    }

    #[test]
    fn points_are_read_in_every_form() {
        let expect = [("e1f1", 10), ("a1b1", 3)];
        for text in [
            r#"c0 "Kf1=10, Rb1=3";"#,
            r#"c7 "Kf1 Rb1"; c8 "10 3";"#,
            r#"c8 "10 3"; c9 "e1f1 a1b1";"#,
            r#"c0 "nothing"; c7 "Kf1 Rb1"; c8 "10 3"; c9 "e1f1 a1b8";"#,
        ] {
            let points = operations(FEN, text).points;
            let read = points.iter().map(|(mv, points)| (mv.uci.as_str(), *points));
            assert_eq!(read.collect::<Vec<_>>(), expect, "{text}");
        }
        // A promotion has an equals sign of its own.
        let promotion = operations("8/P6k/8/8/8/8/8/K7 w - - 0 1", r#"c0 "a8=Q=7";"#);
        assert_eq!(
            (promotion.points[0].0.uci.as_str(), promotion.points[0].1),
            ("a7a8q", 7)
        );
    }
}
