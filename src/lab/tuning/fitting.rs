//! Weights of an evaluation from positions with results: from boards to rows of numbers and back.
//! Files of positions are EPD and PGN, plain or compressed.
//!
//! A line of EPD has its result from White's point of view in `c9` (`1-0`, `0-1`, `1/2-1/2`), in
//! any other operation with a result, or as a number from 0 to 1 in brackets (`[0.5]`). Its `id`
//! names the game in its file, with lines in any order; lines without an `id` are games of their
//! own. The value of a search, in centipawns for the side to move, is read from `ce`. A PGN's games
//! give the positions without check and without a capture next.

use std::collections::HashMap;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use chess::{Board, Color, EMPTY};
use rayon::prelude::*;

use super::logistic::{self, Epoch, Fitted, Options, Rows, SparseRow};
use super::{mixed, nth_seed};
use crate::eval::{Evaluator, WeightSet};
use crate::rules::pgn::epd::{EpdLine, Lines};
use crate::rules::pgn::{Fault, PgnGame, Reader, Rules};
use crate::rules::position::Position;
use crate::rules::position::notation::excerpt;
use crate::rules::score::Score;
use crate::search::{Clock, Limits, NodeCounter, Variation, quiescence};
use crate::util::input;
use crate::util::jobs::fnv;

/// The data and settings of a fit.
#[derive(Clone, Debug)]
pub struct FittingTask {
    pub files: Vec<PathBuf>,
    /// The first weights of the search, and the target of the pull.
    pub first: WeightSet,
    /// The held-out part of all games.
    pub held_out: f64,
    /// Chooses the held-out games.
    pub seed: u64,
    pub options: Options,
}

/// The positions as rows.
#[derive(Debug, Default)]
pub struct Data {
    pub rows: Rows,
    pub held_out: Rows,
    pub games: u64,
    /// Positions with a value that is no sum of weights: mates, known endgames.
    pub left_out: u64,
}

/// The result of a fit.
#[derive(Debug)]
pub struct Outcome {
    pub weights: WeightSet,
    pub fitted: Fitted,
    /// The held-out loss with the weights as whole numbers.
    pub held_out_loss: f64,
}

/// The number of positions turned into rows at the same time.
const BATCH: usize = 1 << 14;

impl FittingTask {
    /// Reads the files. `warn` gets a message for all omissions.
    pub fn read(&self, warn: &mut dyn FnMut(String)) -> anyhow::Result<Data> {
        let mut data = Data::default();
        let mut batch = Vec::with_capacity(BATCH);
        let mut collector = Collector::default();
        let mut last_game = 0;
        for path in &self.files {
            let mut take = |sample: Sample| {
                // New games have greater numbers.
                data.games += u64::from(sample.game > last_game);
                last_game = last_game.max(sample.game);
                batch.push(sample);
                if batch.len() == BATCH {
                    self.add(&mut data, &batch);
                    batch.clear();
                }
            };
            collector.read(path, &mut take, warn)?;
        }
        self.add(&mut data, &batch);
        Ok(data)
    }

    fn add(&self, data: &mut Data, batch: &[Sample]) {
        let rows: Vec<Option<SparseRow>> = batch
            .par_iter()
            .map_init(
                || self.first.evaluator(),
                |evaluator, sample| {
                    let quiet = quiet_end(evaluator, &sample.board)?;
                    let coefficients = evaluator.as_tunable().coefficients(&quiet);
                    let is_known = coefficients.iter().all(|&coefficient| coefficient == 0.0);
                    (!is_known).then(|| SparseRow::new(&coefficients))
                },
            )
            .collect();
        for (row, sample) in rows.into_iter().zip(batch) {
            match row {
                None => data.left_out += 1,
                Some(row) => {
                    let held_out = self.is_held_out(sample.game);
                    let rows = if held_out {
                        &mut data.held_out
                    } else {
                        &mut data.rows
                    };
                    rows.push(&row, sample.result, sample.value.map(|value| value as f32));
                }
            }
        }
    }

    /// Returns true if a game is held out.
    fn is_held_out(&self, game: u64) -> bool {
        // Neighbours are drawn apart from each other.
        (mixed(nth_seed(self.seed, game)) >> 11) as f64 / (1_u64 << 53) as f64 <= self.held_out
    }

    /// Fits the weights, in centipawns. `tell` gets every epoch.
    pub fn fit(&self, data: &Data, tell: &mut dyn FnMut(Epoch)) -> Outcome {
        let evaluation = self.first.evaluation();
        let units = f64::from(evaluation.per_centipawn());
        let centipawns = |weight: i32| f64::from(weight) / units;
        let all_in_centipawns = |set: &WeightSet| -> Vec<f64> {
            set.row().iter().map(|&weight| centipawns(weight)).collect()
        };
        let table = evaluation.table();
        let ranges: Vec<[f64; 2]> = table
            .iter()
            .map(|spec| [spec.min, spec.max].map(centipawns))
            .collect();
        let first = all_in_centipawns(&self.first);
        let fitted = logistic::fit(
            &data.rows,
            &data.held_out,
            &first,
            &ranges,
            self.options,
            tell,
        );
        let row: Vec<i32> = fitted
            .weights
            .iter()
            .map(|weight| (weight * units).round() as i32)
            .collect();
        let weights = WeightSet::with_row(evaluation, &row);
        let held_out_loss = data.held_out.loss(&all_in_centipawns(&weights), fitted.k);
        Outcome {
            held_out_loss,
            weights,
            fitted,
        }
    }
}

/// Returns the board at the end of the quiescence line; `None` if the line ends the game.
fn quiet_end(evaluator: &impl Evaluator, board: &Board) -> Option<Board> {
    let limits = Limits::default();
    let clock = Clock::unlimited();
    let mut counter = NodeCounter::new(&limits, &clock);
    let mut line = Variation::new();
    let score = quiescence(
        evaluator,
        &mut counter,
        board,
        0,
        -Score::INFINITE,
        Score::INFINITE,
        &mut line,
    )
    .ok()?;
    let end = line
        .iter()
        .fold(*board, |board, &mv| board.make_move_new(mv));
    (!score.is_mate()).then_some(end)
}

/// A position and how its game ended.
#[derive(Clone, Debug)]
pub struct Sample {
    pub board: Board,
    /// The result from White's point of view: 1, 0.5 or 0.
    pub result: f32,
    /// A search's value of the position, in centipawns from White's point of view, if written down.
    pub value: Option<i32>,
    /// The number of the game, equal for its positions.
    pub game: u64,
}

/// Half-moves of a PGN's game to skip as theory.
const OPENING: usize = 12;

/// Reads files one after the other. `take` gets every sample, `warn` every omission.
#[derive(Debug, Default)]
pub struct Collector {
    games: u64,
}

impl Collector {
    /// Reads a file: games if its name ends in `.pgn`, else lines.
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
                    sample.game = name.map_or(next, |name| {
                        *numbers.entry(fnv(name.bytes())).or_insert(next)
                    });
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
            match of_game(&PgnGame::read(&text, &Rules::default())) {
                Ok((boards, result)) => {
                    let sample = |board| Sample {
                        board,
                        result,
                        value: None,
                        game: self.games,
                    };
                    boards.into_iter().for_each(|board| take(sample(board)));
                }
                Err(reason) => warn(text.line, reason),
            }
        }
        Ok(())
    }
}

/// The sample of a line, of game 0, and the name of its game.
fn of_line(text: &str) -> Result<(Sample, Option<String>), String> {
    // A result in brackets is no operation.
    let (text, bracket) = match text
        .strip_suffix(']')
        .and_then(|text| text.rsplit_once('['))
    {
        Some((text, number)) => (text, Some(number)),
        None => (text, None),
    };
    let line = EpdLine::read(text)?;
    let in_bracket = bracket
        .and_then(|number| number.trim().parse().ok())
        .filter(|number| (0.0..=1.0).contains(number));
    let others = line
        .operations
        .iter()
        .flat_map(|operation| [&operation.operands, &operation.opcode]);
    let result = in_bracket
        .or_else(|| line.operands("c9").and_then(result))
        .or_else(|| others.map(String::as_str).find_map(result))
        .ok_or_else(|| {
            format!(
                "no result (c9 \"1-0\", \"0-1\" or \"1/2-1/2\"): \"{}\"",
                excerpt(text)
            )
        })?;
    let position = Position::from_fen(&line.fen).map_err(|error| error.to_string())?;
    let name = line.operands("id").map(str::to_owned);
    let of_white = |value: i32| {
        if position.side_to_move() == Color::White {
            value
        } else {
            -value
        }
    };
    // A value beyond that of any mate is no value.
    let value = line.operands("ce").and_then(|number| number.parse().ok());
    let value =
        value.filter(|value: &i32| value.unsigned_abs() <= Score::INFINITE.0.unsigned_abs());
    Ok((
        Sample {
            board: *position.board(),
            result,
            value: value.map(of_white),
            game: 0,
        },
        name,
    ))
}

/// The quiet positions of a game.
fn of_game(game: &Result<PgnGame, Fault>) -> Result<(Vec<Board>, f32), String> {
    let game = game.as_ref().map_err(ToString::to_string)?;
    let of_moves = game.result.map(|outcome| outcome.to_string());
    let text = of_moves
        .as_deref()
        .or_else(|| game.tags.get("Result"))
        .unwrap_or("*");
    let result =
        result(text).ok_or_else(|| format!("the game has no result: {}", excerpt(text)))?;
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
    use crate::eval::Evaluation;

    /// Reads a file of this name and text; returns its samples and the warnings.
    fn read(name: &str, text: &str) -> (Vec<(f32, u64)>, Vec<String>) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        let mut samples = Vec::new();
        let mut warnings = Vec::new();
        let mut take = |sample: Sample| samples.push((sample.result, sample.game));
        let mut warn = |warning| warnings.push(warning);
        Collector::default()
            .read(&path, &mut take, &mut warn)
            .expect("read");
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
        assert_eq!(
            samples,
            [
                (1.0, 1),
                (0.5, 1),
                (0.0, 2),
                (0.0, 3),
                (0.5, 4),
                (1.0, 5),
                (1.0, 1)
            ]
        );
        assert!(warnings.is_empty(), "{warnings:?}");
    }

    #[test]
    fn a_searchs_value_is_for_the_side_to_move() {
        let value = |rest: &str| {
            let line = format!("4k3/8/8/8/8/8/4P3/4K3 {rest} c9 \"1-0\"");
            of_line(&line).expect("a sample").0.value
        };
        assert_eq!(
            ["w - - ce 35;", "b - - ce 35;"].map(value),
            [Some(35), Some(-35)]
        );
        let none = [
            "b - -",
            "b - - ce much;",
            "b - - ce -2147483648;",
            "b - - ce 99999999999;",
        ];
        assert_eq!(none.map(value), [None; 4]);
    }

    #[test]
    fn bad_lines_are_named_and_the_others_read() {
        let text = "4k3/8/8/8/8/8/4P3/4K3 w - - c9 \"1-0\";\nnonsense\n4k3/8/8/8/8/8/8/8 w - - c9 \"1-0\";\n\
                    4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\n";
        let (samples, warnings) = read("own.epd", text);
        assert_eq!(samples.len(), 1);
        for (warning, part) in
            warnings
                .iter()
                .zip(["own.epd, line 2", "line 3", "line 4: no result"])
        {
            assert!(warning.contains(part), "{warning}");
        }
        assert_eq!(warnings.len(), 3);
    }

    #[test]
    fn games_give_their_quiet_positions() {
        let moves = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 O-O 8. c3 d5 9. exd5 Nxd5";
        let text = format!(
            "[Result \"1-0\"]\n\n{moves} 1-0\n\n[Event \"x\"]\n\n1. e4 *\n\n[Event \"y\"]\n\n1. e5 1-0\n"
        );
        let (samples, warnings) = read("games.pgn", &text);
        // From move 7 on, without the two captures.
        assert_eq!(samples, [(1.0, 1); 4]);
        assert_eq!(warnings.len(), 2, "{warnings:?}");
        assert!(
            warnings[0].contains("no result") && warnings[1].contains("not legal"),
            "{warnings:?}"
        );
    }

    /// Positions in which White is a knight ahead are won, with a bishop more they are lost.
    fn odd_results() -> tempfile::NamedTempFile {
        let mut text = String::new();
        for number in 0..400 {
            let squares = ["1", "2"][number % 2];
            let (piece, result) =
                [("N", "1-0"), ("B", "0-1"), ("n", "0-1"), ("b", "1-0")][number / 2 % 4];
            let rank = if squares == "1" {
                format!("{piece}7")
            } else {
                format!("1{piece}6")
            };
            text += &format!("6k1/5ppp/8/{rank}/8/8/5PPP/6K1 w - - c9 \"{result}\";\n");
        }
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), text).expect("written");
        file
    }

    #[test]
    fn weights_follow_results_for_every_evaluation() {
        let file = odd_results();
        for (evaluation, names) in [
            (Evaluation::Paper, ["knight", "bishop"]),
            (Evaluation::Kashan, ["knight_endgame", "bishop_endgame"]),
            (Evaluation::Factors, ["knight", "bishop"]),
        ] {
            let files = vec![file.path().to_path_buf()];
            let first = WeightSet::of(evaluation);
            let options = Options {
                pull: 0.0,
                epochs: 60,
                patience: 60,
                search_share: 0.0,
            };
            let task = FittingTask {
                files,
                first,
                held_out: 0.2,
                seed: 1,
                options,
            };
            let data = task.read(&mut |error| panic!("{error}")).expect("read");
            assert_eq!(
                (
                    data.games,
                    data.left_out,
                    data.rows.len() + data.held_out.len()
                ),
                (400, 0, 400)
            );
            assert!(
                (40..=120).contains(&data.held_out.len()),
                "{}",
                data.held_out.len()
            );
            let outcome = task.fit(&data, &mut |_| ());
            let moved = names.map(|name| {
                let index = evaluation
                    .table()
                    .iter()
                    .position(|spec| spec.name == name)
                    .expect(name);
                (outcome.weights.row()[index] - task.first.row()[index])
                    / evaluation.per_centipawn()
            });
            // The bishop's weight has to fall, by far more than the knight's.
            assert!(moved[1] < moved[0] - 20, "{evaluation:?} {moved:?}");
            assert!(outcome.held_out_loss < outcome.fitted.held_out_losses[0]);
            // What is written is what was fitted: nothing was brought back into its range
            // afterwards.
            let best = outcome.fitted.held_out_losses[outcome.fitted.best_epoch];
            assert!(
                (outcome.held_out_loss - best).abs() < 1e-3,
                "{} {best}",
                outcome.held_out_loss
            );
        }
    }
}
