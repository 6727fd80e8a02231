//! Problems whose solution is known: weights have to be near their targets.

use std::sync::atomic::{AtomicUsize, Ordering};

use rand::RngExt as _;

use super::mutation::chance;
use super::{Involved, Quiz};
use crate::evaluation::WeightSpec;
use crate::jobs::StopRequest;

/// Each problem is about some weights, all of which have to be within its tolerance of their targets.
pub(super) struct Synthetic {
    pub table: Vec<WeightSpec>,
    pub targets: Vec<i32>,
    pub problems: Vec<(Vec<usize>, i32)>,
    pub asked: AtomicUsize,
    /// Says stop after so many questions.
    pub stop_after: Option<(usize, StopRequest)>,
}

impl Synthetic {
    /// Weights with ranges around 0, and one from 200 to 400.
    pub fn new(weights: usize, problems: usize) -> Self {
        let spec = |number: usize| {
            let (min, max) = if number == 0 { (200, 400) } else { (-1_000, 1_000) };
            WeightSpec { name: format!("weight_{number}"), default: min, min, max, about: "" }
        };
        let table: Vec<WeightSpec> = (0..weights).map(spec).collect();
        let mut chance = chance(99, [0, 0, 0]);
        let targets = table.iter().map(|spec| chance.random_range(spec.min..=spec.max)).collect();
        let problem = |_| {
            let first = chance.random_range(0..weights);
            let other = (first + chance.random_range(1..weights)) % weights;
            (vec![first, other], chance.random_range(50..600))
        };
        let problems = (0..problems).map(problem).collect();
        Synthetic { table, targets, problems, asked: AtomicUsize::new(0), stop_after: None }
    }

    pub fn all(&self) -> Vec<usize> {
        (0..self.problems.len()).collect()
    }

    /// How far weights are from their targets, on average, as a share of their ranges.
    pub fn distance(&self, weights: &[i32]) -> f64 {
        let far = weights.iter().zip(&self.targets).zip(&self.table).map(|((weight, target), spec)| {
            f64::from((weight - target).abs()) / f64::from(spec.max - spec.min)
        });
        far.sum::<f64>() / weights.len() as f64
    }
}

impl Quiz for Synthetic {
    fn solves(&self, player: &[i32], problem: usize) -> bool {
        let asked = self.asked.fetch_add(1, Ordering::Relaxed) + 1;
        if let Some((after, stop)) = &self.stop_after
            && asked == *after
        {
            stop.say();
        }
        let (weights, tolerance) = &self.problems[problem];
        weights.iter().all(|&weight| (player[weight] - self.targets[weight]).abs() <= *tolerance)
    }

    fn margin(&self, player: &[i32], problem: usize) -> i64 {
        let (weights, tolerance) = &self.problems[problem];
        let far = weights.iter().map(|&weight| f64::from((player[weight] - self.targets[weight]).abs()));
        (1e6 / (1.0 + far.sum::<f64>() / f64::from(*tolerance))) as i64
    }

    fn involved(&self, _: &[i32], problem: usize, which: Involved) -> Vec<usize> {
        match which {
            Involved::All => (0..self.table.len()).collect(),
            Involved::Deciding | Involved::Present => self.problems[problem].0.clone(),
        }
    }
}
