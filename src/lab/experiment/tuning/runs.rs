//! Evolutions for the claims: equal except for the question, over several seeds.

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::arena::suite::{PositionList, Problem, ProblemList};
use crate::eval::{Evaluation, WeightSpec};
use crate::lab::experiment::{ClaimVerdict, EvolutionSize, Laboratory};
use crate::lab::tuning::evolution::{self, Evolved, solved};
use crate::lab::tuning::problems::{Choice, Sets};
use crate::lab::tuning::{Evolution, Ledger, Problems, mean_with_interval};

/// Our own problems: the paper's 400 of each kind are not published as a list.
const TACTICAL: &str = include_str!("../../../../tests/suites/tactical100.epd");
const POSITIONAL: &str = include_str!("../../../../tests/suites/quiet100.epd");

/// The depth of the paper's search.
pub const PLIES: u32 = 4;

/// Fewer decide nothing.
const FEWEST_SEEDS: usize = 5;

/// An evolution without its seed, and its problems.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    pub evolution: Evolution,
    /// The paper's numP, and the kinds of the problems.
    pub problems: usize,
    pub(super) tactical: bool,
    pub(super) positional: bool,
    /// True if knight, bishop, rook and queen may have any worth up to [`WIDE`], beyond Table I's
    /// bounds.
    pub(super) wide_material: bool,
}

/// The upper bound of wide material, in centipawns; the lower is 0.
pub const WIDE: i32 = 2_000;

impl Setup {
    /// Preset `paper`; in a quick run with a twelfth of the problems and of the generations.
    pub fn paper(laboratory: &Laboratory) -> Setup {
        let conditions = &laboratory.conditions;
        let quick = EvolutionSize {
            players: 6,
            generations: 4,
            problems: 8,
        };
        let usual = conditions.pick(quick, EvolutionSize::FULL);
        let EvolutionSize {
            players,
            generations,
            problems,
        } = conditions.evolution.unwrap_or(usual);
        Setup {
            evolution: Evolution {
                players,
                generations,
                ..Evolution::paper()
            },
            problems,
            tactical: true,
            positional: true,
            wide_material: false,
        }
    }

    /// Searches for a problem at most.
    pub(super) fn most_searches(&self) -> usize {
        let Evolution {
            players,
            generations,
            ..
        } = self.evolution;
        players + (generations as usize - 1) * players / 2
    }

    /// The players of the first generation.
    pub fn first_weights(&self, seed: u64) -> Vec<Vec<i32>> {
        self.evolution(seed).first_weights(&self.table())
    }

    /// The weights with their bounds.
    pub fn table(&self) -> Vec<WeightSpec> {
        let mut table = Evaluation::Factors.table();
        let pieces = ["knight", "bishop", "rook", "queen"];
        for spec in table
            .iter_mut()
            .filter(|spec| self.wide_material && pieces.contains(&spec.name.as_str()))
        {
            spec.min = 0;
            spec.max = WIDE * Evaluation::Factors.per_centipawn();
        }
        table
    }

    fn evolution(&self, seed: u64) -> Evolution {
        Evolution {
            seed,
            free: evolution::free(&self.table()),
            ..self.evolution.clone()
        }
    }
}

/// The result of an evolution.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    pub seed: u64,
    pub weights: Vec<i32>,
    pub not_evolved: Vec<i32>,
    pub population: Vec<Vec<i32>>,
    /// The percentage of held-out problems solved by the result and by the best of the first
    /// generation.
    pub held_out: f64,
    pub held_out_before: f64,
    /// Searches of the evolution, those at its end included.
    pub searches: u64,
}

/// Seeds of a comparison.
pub fn seeds(laboratory: &Laboratory) -> usize {
    let conditions = &laboratory.conditions;
    conditions.seeds.unwrap_or(conditions.pick(2, 20))
}

/// Runs evolutions over so many seeds; finished work of any experiment is not done again.
///
/// # Errors
/// A stop by the user; unreadable or unwritable journals.
pub fn evolve(laboratory: &Laboratory, setup: &Setup, seeds: usize) -> anyhow::Result<Vec<Run>> {
    let seed = laboratory.conditions.seed;
    // A commit may search otherwise, and then it is other work.
    let settings = json!({ "setup": format!("{setup:?}"), "seed": seed, "seeds": seeds, "commit": env!("KASHAN_COMMIT") });
    laboratory.each("evolution", &settings, seeds, |index| {
        once(laboratory, setup, seed, seed + index as u64)
    })
}

/// Returns our problems, and the division into problems for a run to learn from and held-out ones.
pub fn draw(setup: &Setup, split: u64, seed: u64) -> anyhow::Result<(Problems, Sets)> {
    let [tactical, positional] = [TACTICAL, POSITIONAL].map(problems);
    let kinds = [
        ("tactical", tactical.len()),
        ("positional", positional.len()),
    ];
    let quiz = Problems::new(&[tactical, positional].concat(), Evaluation::Factors, PLIES)?;
    let choice = Choice {
        count: setup.problems,
        held_out: 0.2,
        split,
        seed,
    };
    let held_out = Choice { count: 2, ..choice }.draw(&kinds)?.held_out;
    // Of one kind alone: the same are held out.
    let wanted = [setup.tactical, setup.positional];
    let counted = |at: usize| (kinds[at].0, if wanted[at] { kinds[at].1 } else { 0 });
    let first = if setup.tactical { 0 } else { kinds[0].1 };
    let drawn = choice.draw(&[0, 1].map(counted))?.training;
    let training = drawn.into_iter().map(|problem| first + problem).collect();
    Ok((quiz, Sets { training, held_out }))
}

/// Runs an evolution; `split` decides the choice of the held-out problems.
pub fn once(laboratory: &Laboratory, setup: &Setup, split: u64, seed: u64) -> anyhow::Result<Run> {
    let (quiz, Sets { training, held_out }) = draw(setup, split, seed)?;
    let (mut ledger, _) = Ledger::open(None, &json!({}), &laboratory.stop)?;
    let Evolved {
        weights,
        not_evolved,
        population,
        ..
    } = setup
        .evolution(seed)
        .run(&setup.table(), &training, &quiz, &mut ledger, &mut |_| {})?;
    let searches = quiz.searches();
    let [held_out, held_out_before] =
        [&weights, &not_evolved].map(|weights| share_solved(weights, &held_out, &quiz));
    Ok(Run {
        seed,
        weights,
        not_evolved,
        population,
        held_out,
        held_out_before,
        searches,
    })
}

/// Returns the percentage of some problems that a player solves.
pub fn share_solved(weights: &[i32], problems: &[usize], quiz: &Problems) -> f64 {
    100.0 * solved(weights, problems, quiz) as f64 / problems.len() as f64
}

fn problems(text: &str) -> Vec<Problem> {
    ProblemList::of(PositionList::of("our own", text.as_bytes())).problems
}

/// Returns the verdict on the claim that the mean of one value a seed is between two bounds. A few
/// seeds decide nothing, even with nearly equal values.
pub fn verdict_within(claimed: [f64; 2], values: &[f64]) -> ClaimVerdict {
    let tried = format!("{} seeds", values.len());
    let [_, low, high] = mean_and_ends(values);
    ClaimVerdict::of_enough(values.len() >= FEWEST_SEEDS, claimed, low, high, tried)
}

/// The mean of some values with the ends of its interval.
pub fn mean_and_ends(values: &[f64]) -> [f64; 3] {
    let [mean, half] = mean_with_interval(values);
    [mean, mean - half, mean + half]
}

/// `12.3 % ± 1.2`
pub fn mean_in_words(values: &[f64]) -> String {
    let [mean, half] = mean_with_interval(values);
    format!("{mean:.1} % ± {half:.1}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::experiment::{Conditions, verdict::above};
    use crate::util::jobs::StopRequest;

    #[test]
    fn a_few_seeds_decide_nothing() {
        let within = |bounds| verdict_within(bounds, &[7.5, 7.0, 8.0, 7.5, 7.0]);
        let few = [
            verdict_within(above(0.0), &[7.5, 7.5]),
            verdict_within([0.0, 9.0], &[7.0; 4]),
        ];
        for open in few.into_iter().chain([within([7.5, 9.0])]) {
            assert!(matches!(open, ClaimVerdict::NotDecided(_)), "{open}");
        }
        let verdicts = [above(0.0), [6.0, 9.0], above(9.0), [8.5, 9.0], [5.0, 6.0]].map(within);
        let said = verdicts.map(|verdict| verdict.to_string());
        assert_eq!(
            said,
            ["confirmed", "confirmed", "refuted", "refuted", "refuted"]
        );
    }

    #[test]
    fn there_are_problems_even_in_the_smallest_evolution() {
        let folder = tempfile::tempdir().expect("a folder");
        let conditions = Conditions::default();
        let stop = StopRequest::default();
        let paper = Setup::paper(&Laboratory::new(
            conditions,
            folder.path(),
            stop,
            Box::new(()),
        ));
        let around = |number| {
            let setup = Setup {
                problems: number,
                ..paper.clone()
            };
            [
                setup.with_most_problems().problems,
                setup.with_fewest_problems().problems,
            ]
        };
        assert_eq!(
            [96, 8, 160, 2].map(around),
            [[160, 32], [14, 2], [160, 54], [4, 2]]
        );
        let equal = paper.with_players(50).searching_as(&paper);
        assert_eq!([paper.most_searches(), equal.most_searches()], [561, 550]);
        let equal = paper.with_fewest_problems().searching_as(&paper);
        assert_eq!(equal.most_searches(), 1683);
    }
}
