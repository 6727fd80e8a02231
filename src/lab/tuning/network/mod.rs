//! Training of a network on games of [`self_play`](super::self_play), to predict the score of the
//! search and the result of the game for quiet positions (squared error, Adam).
//!
//! All chance comes from a seed, and sums are made in the same order with any number of threads:
//! the same games make the same network. The state after each epoch is kept in a file, so that a
//! stopped training can go on.

pub mod data;
pub mod model;
mod state;

use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::SliceRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use rayon::prelude::*;

use self::model::Adam;
use super::nth_seed;
use crate::eval::Network;
use crate::util::jobs::StopRequest;

pub use data::{Data, Reading, Sample};
pub use model::{Model, Target};
pub use state::{State, StateFile};

/// The settings of a training, complete except for the games.
#[derive(Clone, Copy, Debug)]
pub struct Training {
    pub target: Target,
    /// Passes over all positions.
    pub epochs: u32,
    /// Positions of a step.
    pub batch: usize,
    /// Adam's rate at the beginning; the rate at the end is the part `LAST_RATE` of this one.
    pub rate: f32,
    pub seed: u64,
}

/// The share of the rate left at the end.
const LAST_RATE: f64 = 0.01;
/// The number of parts of a batch, for any number of threads.
const PARTS: usize = 4;

/// A finished epoch.
#[derive(Clone, Copy, Debug)]
pub struct Epoch {
    /// The number, from 1.
    pub number: u32,
    /// The mean squared error during the epoch.
    pub training_loss: f64,
    pub held_out_loss: f64,
}

impl Training {
    /// Returns the state with the first weights.
    pub fn begin(&self) -> State {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        let model = Model::new(|| random.random_range(-1.0..1.0));
        State {
            best: model.clone(),
            model,
            adam: Adam::default(),
            epochs: 0,
            best_loss: f64::INFINITY,
            best_epoch: 0,
        }
    }

    /// Trains until all epochs are done or the user wishes to stop. Calls `observe` with the state
    /// after each epoch.
    ///
    /// # Errors
    /// The errors of `observe`.
    pub fn run(
        &self,
        data: &Data,
        state: &mut State,
        stop: &StopRequest,
        mut observe: impl FnMut(&State, Epoch) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        while state.epochs < self.epochs && !stop.is_said() {
            let training_loss = self.epoch(data, state);
            let held_out_loss = self.loss(&data.held_out, |sample| state.model.expectation(sample));
            state.epochs += 1;
            if held_out_loss < state.best_loss {
                state.best_loss = held_out_loss;
                state.best = state.model.clone();
                state.best_epoch = state.epochs;
            }
            observe(
                state,
                Epoch {
                    number: state.epochs,
                    training_loss,
                    held_out_loss,
                },
            )?;
        }
        Ok(())
    }

    /// Makes one pass over all positions, in a random order. Returns the mean loss.
    fn epoch(&self, data: &Data, state: &mut State) -> f64 {
        let mut order: Vec<u32> = (0..data.training.len() as u32).collect();
        let seed = nth_seed(self.seed, u64::from(state.epochs) + 1);
        order.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
        let mut gradients = vec![vec![0.0; model::WEIGHTS]; PARTS];
        let batches = order.len().div_ceil(self.batch);
        let mut loss = 0.0;
        for (index, batch) in order.chunks(self.batch).enumerate() {
            let model = &state.model;
            let parts = batch
                .par_chunks(batch.len().div_ceil(PARTS))
                .zip(&mut gradients);
            let losses: Vec<f64> = parts
                .map(|(part, gradient)| {
                    gradient.fill(0.0);
                    self.learn(model, &data.training, part, gradient)
                })
                .collect();
            loss += losses.iter().sum::<f64>();
            // A short batch has fewer parts.
            let used = &gradients[..losses.len()];
            let progress = f64::from(state.epochs) + index as f64 / batches as f64;
            state
                .adam
                .step(&mut state.model, used, batch.len(), self.rate_at(progress));
        }
        loss / order.len() as f64
    }

    /// Learns from the samples with these places.
    fn learn(
        &self,
        model: &Model,
        samples: &[Sample],
        places: &[u32],
        gradient: &mut [f32],
    ) -> f64 {
        let mut loss = 0.0;
        for &place in places {
            let sample = &samples[place as usize];
            loss += f64::from(model.learn(sample, self.target.of(sample), gradient));
        }
        loss
    }

    /// Adam's rate after so many epochs: half of a cosine.
    fn rate_at(&self, epochs: f64) -> f32 {
        let share = 0.5 + 0.5 * libm::cos(epochs / f64::from(self.epochs) * std::f64::consts::PI);
        self.rate * (LAST_RATE + (1.0 - LAST_RATE) * share) as f32
    }

    /// Returns the mean squared error of `expect` on the positions.
    pub fn loss(&self, samples: &[Sample], expect: impl Fn(&Sample) -> f32 + Sync) -> f64 {
        let error = |sample: &Sample| expect(sample) - self.target.of(sample);
        let parts: Vec<f64> = samples
            .par_chunks(1 << 14)
            .map(|part| {
                part.iter()
                    .map(|sample| f64::from(error(sample)).powi(2))
                    .sum::<f64>()
            })
            .collect();
        parts.iter().sum::<f64>() / samples.len().max(1) as f64
    }

    /// Returns the mean squared errors on held-out positions: of the network in whole numbers, and
    /// of the built-in network.
    pub fn comparison(&self, data: &Data, network: &Network) -> [Losses; 2] {
        let scale = self.target.scale;
        let by_network =
            |sample: &Sample| model::sigmoid(network.value_of(sample.inputs()) as f32 / scale);
        let network: Vec<f32> = data.held_out.par_iter().map(by_network).collect();
        let hand_written: Vec<f32> = data
            .statics
            .par_iter()
            .map(|&value| model::sigmoid(f32::from(value) / scale))
            .collect();
        [network, hand_written].map(|expected| self.losses(&data.held_out, &expected))
    }

    fn losses(&self, samples: &[Sample], expected: &[f32]) -> Losses {
        let mean = |result_share: f32| {
            let target = Target {
                result_share,
                ..self.target
            };
            let errors = samples
                .iter()
                .zip(expected)
                .map(|(sample, expected)| expected - target.of(sample));
            errors.map(|error| f64::from(error).powi(2)).sum::<f64>() / samples.len().max(1) as f64
        };
        Losses {
            target: mean(self.target.result_share),
            scores: mean(0.0),
            results: mean(1.0),
        }
    }
}

/// Mean squared errors: against the training's target, against the scores of the search alone, and
/// against the results alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Losses {
    pub target: f64,
    pub scores: f64,
    pub results: f64,
}
