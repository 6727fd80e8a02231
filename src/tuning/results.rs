//! Positions with results, from files: EPD and PGN, plain or compressed.
//!
//! A line of EPD has its result from White's point of view in `c9` (`1-0`, `0-1`, `1/2-1/2`), in any other
//! operation that is a result, or as a number from 0 to 1 in brackets (`[0.5]`). Its `id` names the game in
//! its file, in whatever order its lines are; lines without one are games of their own. What a search said of
//! the position, in centipawns for the side to move, is read from `ce`. Of a PGN's games the
//! positions are taken in which nobody is in check and nothing was taken next.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{self, BufRead};
use std::path::Path;

use anyhow::anyhow;
use chess::{Board, Color, EMPTY};

use crate::input;
use crate::pgn::epd::{Line, Lines};
use crate::pgn::{Game, Reader, Rules};
use crate::position::Position;
use crate::position::notation::excerpt;
use crate::score::Score;

/// A position and how its game ended.
#[derive(Clone, Debug)]
pub struct Sample {
    pub board: Board,
    /// From White's point of view: 1, 0.5 or 0.
    pub result: f32,
    /// What a search said of it, in centipawns from White's point of view, if anybody wrote that down.
    pub value: Option<i32>,
    /// The same number for positions of the same game.
    pub game: u64,
}

/// Half-moves of a PGN's game that are theory and not taken.
const OPENING: usize = 12;

/// Reads files one after the other. `take` gets every sample, `warn` what is left out.
#[derive(Debug, Default)]
pub struct Collector {
    games: u64,
}

impl Collector {
    /// Reads a file: games if it is called `.pgn`, else lines.
    pub fn read(
        &mut self,
        path: &Path,
        take: &mut dyn FnMut(Sample),
        warn: &mut dyn FnMut(String),
    ) -> anyhow::Result<()> {
        let mut warn_of = |line, reason| warn(format!("{}, line {line}: {reason}", path.display()));
        let read = input::open(path).and_then(|source| match input::ending(path).as_deref() {
            Some("pgn") => self.games(source, take, &mut warn_of),
            _ => self.lines(source, take, &mut warn_of),
        });
        read.map_err(|cause| anyhow!("cannot read {}: {cause}", path.display()))
    }

    fn lines(
        &mut self,
        source: impl BufRead,
        take: &mut dyn FnMut(Sample),
        warn: &mut dyn FnMut(u64, String),
    ) -> io::Result<()> {
        let mut lines = Lines::new(source);
        // By hash: two names that share one would only be held out together.
        let mut numbers: HashMap<u64, u64> = HashMap::new();
        while let Some((number, text)) = lines.next_line()? {
            match of_line(&input::decoded(text.to_vec())) {
                Ok((mut sample, name)) => {
                    let next = self.games + 1;
                    sample.game = name.map_or(next, |name| *numbers.entry(hash(&name)).or_insert(next));
                    self.games = self.games.max(sample.game);
                    take(sample);
                }
                Err(reason) => warn(number, reason),
            }
        }
        Ok(())
    }

    fn games(
        &mut self,
        source: impl BufRead,
        take: &mut dyn FnMut(Sample),
        warn: &mut dyn FnMut(u64, String),
    ) -> io::Result<()> {
        let mut reader = Reader::new(source);
        while let Some(text) = reader.next_game()? {
            self.games += 1;
            match of_game(&Game::read(&text, &Rules::default())) {
                Ok((boards, result)) => {
                    let sample = |board| Sample { board, result, value: None, game: self.games };
                    boards.into_iter().for_each(|board| take(sample(board)));
                }
                Err(reason) => warn(text.line, reason),
            }
        }
        Ok(())
    }
}

fn hash(name: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    hasher.finish()
}

/// The sample of a line, of game 0, and the name of its game.
fn of_line(text: &str) -> Result<(Sample, Option<String>), String> {
    // A result in brackets is no operation.
    let (text, bracket) = match text.strip_suffix(']').and_then(|text| text.rsplit_once('[')) {
        Some((text, number)) => (text, Some(number)),
        None => (text, None),
    };
    let line = Line::read(text)?;
    let in_bracket =
        bracket.and_then(|number| number.trim().parse().ok()).filter(|number| (0.0..=1.0).contains(number));
    let others = line.operations.iter().flat_map(|operation| [&operation.operands, &operation.opcode]);
    let result = in_bracket
        .or_else(|| line.operands("c9").and_then(result))
        .or_else(|| others.map(String::as_str).find_map(result))
        .ok_or_else(|| format!("no result (c9 \"1-0\", \"0-1\" or \"1/2-1/2\"): \"{}\"", excerpt(text)))?;
    let position = Position::from_fen(&line.fen).map_err(|error| error.to_string())?;
    let name = line.operands("id").map(str::to_owned);
    let of_white = |value: i32| if position.side_to_move() == Color::White { value } else { -value };
    // A value beyond that of any mate is no value.
    let value = line.operands("ce").and_then(|number| number.parse().ok());
    let value = value.filter(|value: &i32| value.unsigned_abs() <= Score::INFINITE.0.unsigned_abs());
    Ok((Sample { board: *position.board(), result, value: value.map(of_white), game: 0 }, name))
}

/// The quiet positions of a game.
fn of_game(game: &Result<Game, crate::pgn::Fault>) -> Result<(Vec<Board>, f32), String> {
    let game = game.as_ref().map_err(ToString::to_string)?;
    let of_moves = game.result.map(|outcome| outcome.to_string());
    let text = of_moves.as_deref().or_else(|| game.tags.get("Result")).unwrap_or("*");
    let result = result(text).ok_or_else(|| format!("the game has no result: {}", excerpt(text)))?;
    let mut boards = Vec::new();
    for (before, mv) in game.positions().skip(OPENING) {
        let position = Position::from_shakmaty(&before)?;
        let is_quiet = !mv.mv.is_capture() && !mv.mv.is_promotion();
        if is_quiet && *position.board().checkers() == EMPTY {
            boards.push(*position.board());
        }
    }
    Ok((boards, result))
}

fn result(text: &str) -> Option<f32> {
    match text.trim().trim_matches('"') {
        "1-0" => Some(1.0),
        "0-1" => Some(0.0),
        "1/2-1/2" | "1/2" => Some(0.5),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is read from a file of this name, and what is said of it.
    fn read(name: &str, text: &str) -> (Vec<(f32, u64)>, Vec<String>) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        let (mut samples, mut warnings) = (Vec::new(), Vec::new());
        let mut take = |sample: Sample| samples.push((sample.result, sample.game));
        let mut warn = |warning| warnings.push(warning);
        Collector::default().read(&path, &mut take, &mut warn).expect("read");
        (samples, warnings)
    }

    #[test]
    fn results_are_read_as_people_write_them_and_games_are_kept_together() {
        let fen = "4k3/8/8/8/8/8/4P3/4K3 w - -";
        let text = format!(
            "# a comment\n{fen} c9 \"1-0\"; id \"a\";\n{fen} c9 \"1/2-1/2\"; id \"a\";\n{fen} 0 1 [0.0]\n\
             {fen} c0 \"0-1\";\n{fen} 3 40 [0.5]\n{fen} c9 \"1-0\"; id \"b\";\n{fen} c9 \"1-0\"; id \"a\";\n"
        );
        let (samples, warnings) = read("own.epd", &text);
        // Whole games are held out, so no position of a game may be taken for one of another.
        assert_eq!(samples, [(1.0, 1), (0.5, 1), (0.0, 2), (0.0, 3), (0.5, 4), (1.0, 5), (1.0, 1)]);
        assert!(warnings.is_empty(), "{warnings:?}");
    }

    #[test]
    fn a_searchs_value_is_for_the_side_to_move() {
        let value = |rest: &str| {
            let line = format!("4k3/8/8/8/8/8/4P3/4K3 {rest} c9 \"1-0\"");
            of_line(&line).expect("a sample").0.value
        };
        assert_eq!(value("w - - ce 35;"), Some(35));
        assert_eq!(value("b - - ce 35;"), Some(-35));
        for none in ["b - -", "b - - ce much;", "b - - ce -2147483648;", "b - - ce 99999999999;"] {
            assert_eq!(value(none), None, "{none}");
        }
    }

    #[test]
    fn bad_lines_are_named_and_the_others_read() {
        let text = "4k3/8/8/8/8/8/4P3/4K3 w - - c9 \"1-0\";\nnonsense\n4k3/8/8/8/8/8/8/8 w - - c9 \"1-0\";\n\
                    4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\n";
        let (samples, warnings) = read("own.epd", text);
        assert_eq!(samples.len(), 1);
        for (warning, part) in warnings.iter().zip(["own.epd, line 2", "line 3", "line 4: no result"]) {
            assert!(warning.contains(part), "{warning}");
        }
        assert_eq!(warnings.len(), 3);
    }

    #[test]
    fn games_give_their_quiet_positions() {
        let moves =
            "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 O-O 8. c3 d5 9. exd5 Nxd5";
        let text = format!(
            "[Result \"1-0\"]\n\n{moves} 1-0\n\n[Event \"x\"]\n\n1. e4 *\n\n[Event \"y\"]\n\n1. e5 1-0\n"
        );
        let (samples, warnings) = read("games.pgn", &text);
        // From move 7 on, without the two captures.
        assert_eq!(samples, [(1.0, 1); 4]);
        assert_eq!(warnings.len(), 2, "{warnings:?}");
        assert!(warnings[0].contains("no result") && warnings[1].contains("not legal"), "{warnings:?}");
    }
}
