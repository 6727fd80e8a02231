//! CMA-ES (Hansen & Ostermeier 2001): an evolution strategy that learns which weights have to change
//! together, on the same problems.

use cmaes::{CMAESOptions, DVector, Mode, TerminationReason};
use rayon::prelude::*;

use super::{Ledger, Quiz};
use crate::choice;
use crate::eval::WeightSpec;

choice! {
    /// What is made as large as possible.
    Fitness {
        /// How many problems are solved.
        Solved = "solved",
        /// How clearly the solution is better than the best other move, problem by problem: the comparison
        /// training of Tesauro and of Hoki & Kaneko. Each problem takes two searches.
        Margin = "margin",
    }
}

/// More weights than this make the method slow to learn.
pub const MOST_WEIGHTS: usize = 60;

/// Everything that decides a run, but for its problems.
#[derive(Clone, Debug, PartialEq)]
pub struct Cma {
    pub fitness: Fitness,
    /// Searches in all: a run ends with the generation in which they are spent.
    pub searches: u64,
    /// Where it starts from: the weights and how far around them it looks at first, as a share of each range.
    pub start: Vec<i32>,
    pub step: f64,
    pub seed: u64,
    /// The weights that may change.
    pub free: Vec<usize>,
}

/// A set of weights was judged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trial {
    /// From 1.
    pub number: u64,
    /// How many there will be, if it does not end before.
    pub of: u64,
    /// The best so far: problems solved, or their margins added up.
    pub best: f64,
}

/// What came out.
#[derive(Clone, Debug, PartialEq)]
pub struct CmaResult {
    pub weights: Vec<i32>,
    pub fitness: f64,
    /// The fitness of what it started from.
    pub first: f64,
    /// The best fitness after each trial.
    pub curve: Vec<f64>,
    /// Each set of weights that was better than all before, and after how many trials.
    pub steps: Vec<(usize, Vec<i32>)>,
    /// Why it ended, in the words of the library, if not because the searches were spent.
    pub reason: Option<String>,
}

impl Cma {
    /// Looks for weights.
    ///
    /// # Errors
    /// [`Stopped`](super::Stopped), or what the ledger says; nothing may change; steps that are none.
    pub fn run(
        &self,
        table: &[WeightSpec],
        problems: &[usize],
        quiz: &dyn Quiz,
        ledger: &mut Ledger,
        observe: &mut dyn FnMut(Trial),
    ) -> anyhow::Result<CmaResult> {
        let each = if self.fitness == Fitness::Margin { 2 } else { 1 };
        let trials = (self.searches / (each * problems.len() as u64).max(1)).max(2);
        let mut curve: Vec<f64> = Vec::new();
        let mut judge = |row: &[i32], curve: &mut Vec<f64>| -> anyhow::Result<f64> {
            let answer = |&problem: &usize| match self.fitness {
                Fitness::Solved => 1_000_000 * i64::from(quiz.solves(row, problem)),
                Fitness::Margin => quiz.margin(row, problem),
            };
            // Whole numbers, so that neither the order of the sum nor the journal's text matters.
            let millionths: i64 = ledger.recall(|| problems.par_iter().map(answer).sum())?;
            let fitness = millionths as f64 / 1e6;
            let best = curve.last().map_or(fitness, |best| best.max(fitness));
            curve.push(best);
            observe(Trial { number: curve.len() as u64, of: trials, best });
            Ok(fitness)
        };
        let first = judge(&self.start, &mut curve)?;
        let (mut best, mut failed) = (first, None);
        let mut steps = vec![(1, self.start.clone())];
        let objective = |point: &DVector<f64>| {
            let row = self.row(table, point);
            match judge(&row, &mut curve) {
                Ok(fitness) => {
                    if fitness > best {
                        best = fitness;
                        steps.push((curve.len(), row));
                    }
                    fitness - self.outside(point) * problems.len() as f64
                }
                Err(error) => {
                    failed.get_or_insert(error);
                    f64::NAN
                }
            }
        };
        let start: Vec<f64> =
            self.free.iter().map(|&weight| share(self.start[weight], &table[weight])).collect();
        let mut search = CMAESOptions::new(start, self.step)
            .mode(Mode::Maximize)
            .seed(self.seed)
            .max_function_evals(usize::try_from(trials - 1).unwrap_or(usize::MAX))
            .build(objective)
            .map_err(|error| anyhow::anyhow!("CMA-ES: {error:?}"))?;
        let ended = search.run();
        drop(search);
        if let Some(error) = failed {
            return Err(error);
        }
        let early = |reason: &&TerminationReason| !matches!(reason, TerminationReason::MaxFunctionEvals);
        let reasons: Vec<String> = ended.reasons.iter().filter(early).map(ToString::to_string).collect();
        Ok(CmaResult {
            weights: steps.last().map(|(_, row)| row.clone()).unwrap_or_default(),
            fitness: best,
            first,
            curve,
            steps,
            reason: (!reasons.is_empty()).then(|| reasons.join(", ")),
        })
    }

    /// The weights of a point, whose coordinates are shares of the ranges.
    fn row(&self, table: &[WeightSpec], point: &DVector<f64>) -> Vec<i32> {
        let mut row = self.start.clone();
        for (&weight, coordinate) in self.free.iter().zip(point.iter()) {
            let spec = &table[weight];
            let (low, high) = (f64::from(spec.min), f64::from(spec.max));
            row[weight] = (low + coordinate * (high - low)).round().clamp(low, high) as i32;
        }
        row
    }

    /// How far a point is outside the ranges, squared: it pays for that, so that it comes back.
    fn outside(&self, point: &DVector<f64>) -> f64 {
        point.iter().map(|&x| (x - x.clamp(0.0, 1.0)).powi(2)).sum()
    }
}

fn share(weight: i32, spec: &WeightSpec) -> f64 {
    f64::from(weight - spec.min) / f64::from((spec.max - spec.min).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::tuning::{Stopped, testing::Synthetic};
    use crate::util::jobs::StopRequest;

    fn cma(quiz: &Synthetic, fitness: Fitness) -> Cma {
        let start = quiz.table.iter().map(|spec| i32::midpoint(spec.min, spec.max)).collect();
        Cma { fitness, searches: 60_000, start, step: 0.2, seed: 1, free: (0..8).collect() }
    }

    fn run(cma: &Cma, quiz: &Synthetic, ledger: &mut Ledger) -> anyhow::Result<CmaResult> {
        cma.run(&quiz.table, &quiz.all(), quiz, ledger, &mut |_| {})
    }

    #[test]
    fn known_weights_are_recovered() {
        let quiz = Synthetic::new(8, 60);
        let margin = cma(&quiz, Fitness::Margin);
        let found = run(&margin, &quiz, &mut Ledger::default()).expect("nothing stops it");
        let (before, after) = (quiz.distance(&margin.start), quiz.distance(&found.weights));
        assert!(after < 0.02 && after < before / 5.0, "{before} {after}");
        assert!(found.fitness > found.first && found.curve.is_sorted());
        let by_count = run(&cma(&quiz, Fitness::Solved), &quiz, &mut Ledger::default()).expect("a result");
        assert!(by_count.fitness > by_count.first, "{} {}", by_count.first, by_count.fitness);
    }

    #[test]
    fn only_weights_that_are_free_change_and_the_searches_are_kept_to() {
        let quiz = Synthetic::new(8, 60);
        let some = Cma { free: vec![1, 4], searches: 6_000, ..cma(&quiz, Fitness::Margin) };
        let found = run(&some, &quiz, &mut Ledger::default()).expect("a result");
        let changed = (0..8).filter(|&weight| found.weights[weight] != some.start[weight]);
        assert_eq!(changed.collect::<Vec<usize>>(), [1, 4]);
        // 120 searches each; the last generation is finished.
        assert!((50..=60).contains(&found.curve.len()), "{}", found.curve.len());
    }

    #[test]
    fn a_run_goes_on_where_it_was_stopped() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("journal");
        let settings = serde_json::json!({ "seed": 1 });
        let short = Cma { searches: 24_000, ..cma(&Synthetic::new(8, 60), Fitness::Solved) };
        let mut stops = 0;
        let found = loop {
            let stop = StopRequest::default();
            let mut quiz = Synthetic::new(8, 60);
            quiz.stop_after = Some((5_000, stop.clone()));
            let (mut ledger, _) = Ledger::open(Some(&path), &settings, &stop).expect("a journal");
            match run(&short, &quiz, &mut ledger) {
                Ok(found) => break found,
                Err(error) => assert!(error.is::<Stopped>(), "{error}"),
            }
            stops += 1;
        };
        let whole = run(&short, &Synthetic::new(8, 60), &mut Ledger::default());
        assert_eq!(found, whole.expect("nothing stops it"));
        assert!(stops > 2, "{stops}");
    }
}
