//! Weights of an evaluation from positions with results: from boards to rows of numbers and back.

use std::path::PathBuf;

use chess::Board;
use rayon::prelude::*;

use super::logistic::{self, Epoch, Fitted, Options, Row, Rows};
use super::nth_seed;
use super::results::{Collector, Sample};
use crate::evaluation::{Tunable, WeightSet, for_evaluation};
use crate::score::Score;
use crate::search::{Clock, Gate, Limits, Variation, quiescence};

/// What weights are fitted to.
#[derive(Clone, Debug)]
pub struct Task {
    pub files: Vec<PathBuf>,
    /// Where the search begins, and what it is pulled to.
    pub first: WeightSet,
    /// The part of all games that is held out.
    pub held_out: f64,
    /// Chooses the games that are held out.
    pub seed: u64,
    pub options: Options,
}

/// The positions as rows.
#[derive(Debug, Default)]
pub struct Data {
    pub rows: Rows,
    pub held_out: Rows,
    pub games: u64,
    /// Positions whose value is no sum of weights: mates, known endgames.
    pub left_out: u64,
}

/// What came of it.
#[derive(Debug)]
pub struct Outcome {
    pub weights: WeightSet,
    pub fitted: Fitted,
    /// With the weights as whole numbers.
    pub held_out_loss: f64,
}

/// Positions that are turned into rows at the same time.
const BATCH: usize = 1 << 14;

impl Task {
    /// Reads the files. `warn` hears of all that is left out.
    pub fn read(&self, warn: &mut dyn FnMut(String)) -> anyhow::Result<Data> {
        for_evaluation!(self.first.evaluation(), E => self.read_for::<E>(warn))
    }

    fn read_for<E: Tunable>(&self, warn: &mut dyn FnMut(String)) -> anyhow::Result<Data> {
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
                    self.add::<E>(&mut data, &batch);
                    batch.clear();
                }
            };
            collector.read(path, &mut take, warn)?;
        }
        self.add::<E>(&mut data, &batch);
        Ok(data)
    }

    fn add<E: Tunable>(&self, data: &mut Data, batch: &[Sample]) {
        let rows: Vec<Option<Row>> = batch
            .par_iter()
            .map_init(
                || self.first.evaluator::<E>(),
                |evaluator, sample| {
                    let quiet = quiet_end(evaluator, &sample.board)?;
                    let coefficients = evaluator.coefficients(&quiet);
                    let is_known = coefficients.iter().all(|&coefficient| coefficient == 0.0);
                    (!is_known).then(|| Row::new(&coefficients))
                },
            )
            .collect();
        for (row, sample) in rows.into_iter().zip(batch) {
            match row {
                None => data.left_out += 1,
                Some(row) => {
                    let held_out = self.is_held_out(sample.game);
                    let rows = if held_out { &mut data.held_out } else { &mut data.rows };
                    rows.push(&row, sample.result, sample.value.map(|value| value as f32));
                }
            }
        }
    }

    /// Whether a game is one of those that are held out.
    fn is_held_out(&self, game: u64) -> bool {
        // A good mixer (SplitMix64's), so that neighbours are drawn apart from each other.
        let mut mixed = nth_seed(self.seed, game);
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) >> 11) as f64 / (1_u64 << 53) as f64 <= self.held_out
    }

    /// Fits the weights, in centipawns. `tell` hears of every epoch and may end the search by `false`.
    pub fn fit(&self, data: &Data, tell: &mut dyn FnMut(Epoch) -> bool) -> Outcome {
        let evaluation = self.first.evaluation();
        let units = f64::from(evaluation.per_centipawn());
        let centipawns = |weight: i32| f64::from(weight) / units;
        let all_in_centipawns =
            |set: &WeightSet| -> Vec<f64> { set.row().iter().map(|&weight| centipawns(weight)).collect() };
        let table = evaluation.table();
        let ranges: Vec<[f64; 2]> = table.iter().map(|spec| [spec.min, spec.max].map(centipawns)).collect();
        let first = all_in_centipawns(&self.first);
        let fitted = logistic::fit(&data.rows, &data.held_out, &first, &ranges, self.options, tell);
        let row: Vec<i32> = fitted.weights.iter().map(|weight| (weight * units).round() as i32).collect();
        let weights = WeightSet::with_row(evaluation, &row);
        let held_out_loss = data.held_out.loss(&all_in_centipawns(&weights), fitted.k);
        Outcome { held_out_loss, weights, fitted }
    }
}

/// The board at the end of the quiescence line; `None` if that ends the game.
fn quiet_end<E: Tunable>(evaluator: &E, board: &Board) -> Option<Board> {
    let (limits, clock) = (Limits::default(), Clock::unlimited());
    let mut gate = Gate::new(&limits, &clock);
    let mut line = Variation::new();
    let score = quiescence(evaluator, &mut gate, board, 0, -Score::INFINITE, Score::INFINITE, &mut line)?;
    let end = line.iter().fold(*board, |board, &mv| board.make_move_new(mv));
    (!score.is_mate()).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::Evaluation;

    /// Positions in which White is a knight ahead are won, with a bishop more they are lost.
    fn odd_results() -> tempfile::NamedTempFile {
        let mut text = String::new();
        for number in 0..400 {
            let squares = ["1", "2"][number % 2];
            let (men, result) = [("N", "1-0"), ("B", "0-1"), ("n", "0-1"), ("b", "1-0")][number / 2 % 4];
            let rank = if squares == "1" { format!("{men}7") } else { format!("1{men}6") };
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
            let (files, first) = (vec![file.path().to_path_buf()], WeightSet::of(evaluation));
            let options = Options { pull: 0.0, epochs: 60, patience: 60, search_share: 0.0 };
            let task = Task { files, first, held_out: 0.2, seed: 1, options };
            let data = task.read(&mut |error| panic!("{error}")).expect("read");
            assert_eq!((data.games, data.left_out), (400, 0));
            assert_eq!(data.rows.len() + data.held_out.len(), 400);
            assert!((40..=120).contains(&data.held_out.len()), "{}", data.held_out.len());
            let outcome = task.fit(&data, &mut |_| true);
            let moved = names.map(|name| {
                let index = evaluation.table().iter().position(|spec| spec.name == name).expect(name);
                (outcome.weights.row()[index] - task.first.row()[index]) / evaluation.per_centipawn()
            });
            // The bishop's weight has to fall, by far more than the knight's.
            assert!(moved[1] < moved[0] - 20, "{evaluation:?} {moved:?}");
            assert!(outcome.held_out_loss < outcome.fitted.held_out_losses[0]);
            // What is written is what was fitted: nothing was brought back into its range afterwards.
            let best = outcome.fitted.held_out_losses[outcome.fitted.best_epoch];
            assert!((outcome.held_out_loss - best).abs() < 1e-3, "{} {best}", outcome.held_out_loss);
        }
    }
}
