//! Positions to think about, from lists: EPD with its operations, or plain FEN, one a line.
//!
//! EPD is described in the PGN standard, section 16.2. Read are `bm` (best moves), `am` (moves to avoid),
//! `dm` (mate in so many moves), `id`, and the points for several moves that the Strategic Test Suite has in
//! its comments: moves in `c9` (coordinates) or `c7` (SAN) with their points in `c8`, or both in `c0`
//! (`"f5=10, Be5+=2"`). `hmvc` and `fmvn` are the clocks.

mod operations;

use std::path::{Path, PathBuf};

use anyhow::anyhow;

use crate::arena::referee::Referee;
use crate::input;
use crate::pgn::epd::{Line, Lines};

pub use operations::{Operations, Points};

/// A position of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuitePosition {
    /// Where it stands.
    pub file: PathBuf,
    /// From 1.
    pub line: u64,
    /// All six fields; at least one move is legal.
    pub fen: String,
    pub operations: Operations,
}

impl SuitePosition {
    /// What to call it: its `id`, or the file's name and the line.
    pub fn name(&self) -> String {
        self.operations.id.clone().unwrap_or_else(|| {
            let file = self.file.file_name().unwrap_or(self.file.as_os_str());
            format!("{}:{}", file.display(), self.line)
        })
    }
}

/// What lists have in them: nothing is left out without being named. Empty lines and lines that begin with
/// `#` are passed over.
#[derive(Debug, Default)]
pub struct PositionList {
    /// In the order of the files and lines.
    pub positions: Vec<SuitePosition>,
    /// What is wrong with every line that is not as it should be, with file and line, in the same order.
    pub malformed: Vec<String>,
}

impl PositionList {
    /// Reads files.
    ///
    /// # Errors
    /// The first file that cannot be read. Lines that cannot be are in [`PositionList::malformed`].
    pub fn read(files: &[PathBuf]) -> anyhow::Result<PositionList> {
        let mut list = PositionList::default();
        for path in files {
            let unreadable = |cause| anyhow!("cannot read positions {}: {cause}", path.display());
            let bytes = input::read(path).map_err(unreadable)?;
            list.add(path, &bytes);
        }
        Ok(list)
    }

    /// Adds the positions of a file's bytes; `path` is what it is called.
    pub fn add(&mut self, path: &Path, bytes: &[u8]) {
        let mut lines = Lines::new(bytes);
        // A source in memory can always be read.
        while let Ok(Some((line, text))) = lines.next_line() {
            match read_line(&input::decoded(text.to_vec())) {
                Ok((fen, operations)) => {
                    self.positions.push(SuitePosition { file: path.to_path_buf(), line, fen, operations })
                }
                Err(reason) => self.malformed.push(format!("{}, line {line}: {reason}", path.display())),
            }
        }
    }
}

fn read_line(line: &str) -> Result<(String, Operations), String> {
    let line = Line::read(line)?;
    let referee = Referee::at(&line.fen).map_err(|error| error.to_string())?;
    if shakmaty::Position::legal_moves(referee.position()).is_empty() {
        return Err("the game is over there: no move is legal".to_owned());
    }
    Ok((referee.fen(), Operations::read(&line, &referee)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::tests::{START, list};

    #[test]
    fn fen_and_epd_are_told_apart() {
        let text = format!(
            "\u{feff}# a comment\n\n{START}\n{START} 3 7\r\n{START} 3 7 id \"both\";\n{START} bm e4; hmvc 5; fmvn 9;\n"
        );
        let list = list(&text);
        assert!(list.malformed.is_empty(), "{:?}", list.malformed);
        let fens: Vec<&str> =
            list.positions.iter().map(|position| position.fen.rsplit_once("- ").expect("a FEN").1).collect();
        assert_eq!(fens, ["0 1", "3 7", "3 7", "5 9"]);
        let names: Vec<String> = list.positions.iter().map(SuitePosition::name).collect();
        assert_eq!(names, ["my.epd:3", "my.epd:4", "both", "my.epd:6"]);
    }

    #[test]
    fn malformed_lines_are_named_and_nothing_is_lost() {
        let bad = [
            ("8/8/8/8/8/8/8/8 w - -", "cannot start"),
            (&format!("{START} 3"), "one number"),
            (&format!("{START} bm e5;"), "\"e5\" is not legal"),
            (&format!("{START} am Nd2 Nf3;"), "\"Nd2\" is not legal"),
            (&format!("{START} bm;"), "bm has no moves"),
            (&format!("{START} dm x;"), "dm"),
            (&format!("{START} dm 0;"), "dm"),
            (&format!("{START} bm e4; bm d4;"), "bm twice"),
            (&format!("{START} bm d4 e4; am e4;"), "e4 is the best move (bm), and is to be avoided (am)"),
            (&format!("{START} id \"open;"), "quotation mark"),
            (&format!("{START} 7bm e4;"), "7bm"),
            (&format!("{START} c7 \"e4 d4\"; c8 \"10\";"), "2 moves and 1 number"),
            ("7k/8/5KQ1/8/8/8/8/8 b - -", "the game is over"),
        ];
        let good = format!("{START} bm e4; id \"good\";\n");
        let text: String = bad.iter().map(|(line, _)| format!("{good}{line}\n")).collect();
        let list = list(&text);
        assert_eq!((list.positions.len(), list.malformed.len()), (bad.len(), bad.len()));
        for (index, (error, (line, why))) in list.malformed.iter().zip(&bad).enumerate() {
            let place = format!("folder/my.epd, line {}: ", 2 * index + 2);
            assert!(error.starts_with(&place) && error.contains(why), "{line}: {error}");
        }
    }

    #[test]
    fn bad_lines_are_quoted_as_they_are_written() {
        let text = "no position at all here\nnrqkrbbn/pppppppp/8/8/8/8/PPPPPPPP/NRQKRBBN w EBeb -".to_owned();
        let errors = list(&text).malformed;
        assert!(errors[0].contains("\"no position at all\""), "{}", errors[0]);
        assert!(errors[1].contains("EBeb -\"") && errors[1].contains("Chess960"), "{}", errors[1]);
    }
}
