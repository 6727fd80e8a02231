//! The network during training: its weights as floating-point numbers, and their changes.

use serde_json::Value;

use super::data::Sample;
use crate::eval::Network;
use crate::eval::network::{HIDDEN, INPUTS, ONE, OUTPUT_ONE, OUTPUTS, Output, Row, output};

/// The beginnings of the parts of the weights: a row for each input, then these.
const BIAS: usize = INPUTS * HIDDEN;
/// Two rows for each output...
const OUTPUT: usize = BIAS + HIDDEN;
/// ... and a bias for each.
const OUTPUT_BIAS: usize = OUTPUT + OUTPUTS * 2 * HIDDEN;
pub const WEIGHTS: usize = OUTPUT_BIAS + OUTPUTS;

/// The largest weight, small enough for quantisation.
const LARGEST: f32 = 1.98;
/// The largest bias of the output.
const LARGEST_BIAS: f32 = 8.0;
/// Adam's, as its authors recommend (Kingma & Ba 2015).
const DECAYS: [f32; 2] = [0.9, 0.999];
const EPSILON: f32 = 1e-8;

/// The beginning of an output's weights for a view.
#[inline]
fn output_row(output: usize, view: usize) -> usize {
    OUTPUT + (2 * output + view) * HIDDEN
}

/// The weights, all in one list.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    pub weights: Vec<f32>,
}

/// The target of the network's output: the expected points, and their scale.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Centipawns of a logit of one.
    pub scale: f32,
    /// The share of the game's result; the rest is the search's score.
    pub result_share: f32,
}

impl Target {
    pub fn of(self, sample: &Sample) -> f32 {
        let by_score = sigmoid(f32::from(sample.score) / self.scale);
        let Some(points) = sample.points else {
            return by_score;
        };
        self.result_share * f32::from(points) / 2.0 + (1.0 - self.result_share) * by_score
    }
}

/// Returns the logistic function, the same on every machine, unlike the system's exponential.
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-x))
}

/// The hidden layer, from both views.
type Hidden = [[f32; HIDDEN]; 2];

/// A layer of floats for one view in a list of weights.
#[inline]
fn row(weights: &[f32], at: usize) -> &[f32; HIDDEN] {
    weights[at..at + HIDDEN]
        .try_into()
        .expect("as long as that")
}

#[inline]
fn row_mut(weights: &mut [f32], at: usize) -> &mut [f32; HIDDEN] {
    (&mut weights[at..at + HIDDEN])
        .try_into()
        .expect("as long as that")
}

#[inline]
fn add(sum: &mut [f32; HIDDEN], row: &[f32; HIDDEN]) {
    for (sum, number) in sum.iter_mut().zip(row) {
        *sum += number;
    }
}

/// The output of one neuron.
#[inline]
fn squared(neuron: f32) -> f32 {
    let cut = neuron.clamp(0.0, 1.0);
    cut * cut
}

impl Model {
    /// Small weights by chance: `chance` gives numbers from -1 to 1.
    pub fn new(mut chance: impl FnMut() -> f32) -> Model {
        let mut weights = vec![0.0; WEIGHTS];
        // Some thirty inputs are on, and 128 neurons feed the output.
        for (part, size) in [(0..BIAS, 0.1), (OUTPUT..OUTPUT_BIAS, 0.1)] {
            for weight in &mut weights[part] {
                *weight = size * chance();
            }
        }
        // Neurons that are off learn nothing.
        weights[BIAS..OUTPUT].fill(0.3);
        Model { weights }
    }

    fn hidden(&self, sample: &Sample) -> Hidden {
        let mut hidden = [*row(&self.weights, BIAS); 2];
        for inputs in sample.inputs() {
            for (sum, input) in hidden.iter_mut().zip(inputs) {
                add(sum, row(&self.weights, input * HIDDEN));
            }
        }
        hidden
    }

    fn logit(&self, hidden: &Hidden, output: usize) -> f32 {
        let mut sums = [0.0; 2];
        for (view, sum) in sums.iter_mut().enumerate() {
            let weights = row(&self.weights, output_row(output, view));
            // In eight sums, which can be added up at once.
            let mut parts = [0.0; 8];
            for (neurons, weights) in hidden[view].chunks_exact(8).zip(weights.chunks_exact(8)) {
                for lane in 0..8 {
                    parts[lane] += squared(neurons[lane]) * weights[lane];
                }
            }
            *sum = parts.iter().sum();
        }
        self.weights[OUTPUT_BIAS + output] + sums[0] + sums[1]
    }

    /// Returns the expected points, from 0 to 1.
    pub fn expectation(&self, sample: &Sample) -> f32 {
        sigmoid(self.logit(&self.hidden(sample), output(sample.pieces())))
    }

    /// Adds the gradient of the squared error of one position to `gradient`, and returns the error.
    pub fn learn(&self, sample: &Sample, target: f32, gradient: &mut [f32]) -> f32 {
        let hidden = self.hidden(sample);
        let output = output(sample.pieces());
        let expected = sigmoid(self.logit(&hidden, output));
        let error = expected - target;
        let by_logit = 2.0 * error * expected * (1.0 - expected);
        let mut by_hidden: Hidden = [[0.0; HIDDEN]; 2];
        for view in 0..2 {
            let weights = row(&self.weights, output_row(output, view));
            let by_weight = row_mut(gradient, output_row(output, view));
            for neuron in 0..HIDDEN {
                let value = hidden[view][neuron];
                let slope = if value > 0.0 && value < 1.0 {
                    2.0 * value
                } else {
                    0.0
                };
                by_weight[neuron] += by_logit * squared(value);
                by_hidden[view][neuron] = by_logit * weights[neuron] * slope;
            }
            add(row_mut(gradient, BIAS), &by_hidden[view]);
        }
        gradient[OUTPUT_BIAS + output] += by_logit;
        for inputs in sample.inputs() {
            for (by_view, input) in by_hidden.iter().zip(inputs) {
                add(row_mut(gradient, input * HIDDEN), by_view);
            }
        }
        error * error
    }

    /// The network in whole numbers.
    pub fn quantised(&self, scale: i32, made: Value) -> Network {
        let quantised = |at: usize, one: i16| {
            Row(row(&self.weights, at).map(|weight| (weight * f32::from(one)).round() as i16))
        };
        let output = |output: usize| {
            let bias = self.weights[OUTPUT_BIAS + output] * f32::from(ONE) * f32::from(OUTPUT_ONE);
            Output {
                weights: [0, 1].map(|view| quantised(output_row(output, view), OUTPUT_ONE)),
                bias: bias.round() as i32,
            }
        };
        Network {
            inputs: (0..INPUTS)
                .map(|input| quantised(input * HIDDEN, ONE))
                .collect(),
            bias: quantised(BIAS, ONE),
            outputs: std::array::from_fn(output),
            scale,
            made,
        }
    }
}

/// Adam's memory of earlier gradients.
#[derive(Clone, Debug, PartialEq)]
pub struct Adam {
    pub means: Vec<f32>,
    pub squares: Vec<f32>,
    pub steps: u32,
}

impl Default for Adam {
    fn default() -> Self {
        Adam {
            means: vec![0.0; WEIGHTS],
            squares: vec![0.0; WEIGHTS],
            steps: 0,
        }
    }
}

impl Adam {
    /// Makes a step against the gradient: the sum of some parts, divided by `count`.
    pub fn step(&mut self, model: &mut Model, parts: &[Vec<f32>], count: usize, rate: f32) {
        self.steps += 1;
        let steps = f64::from(self.steps);
        let [means_left, squares_left] =
            DECAYS.map(|decay| (1.0 - libm::pow(f64::from(decay), steps)) as f32);
        let share = 1.0 / count as f32;
        let memory = self.means.iter_mut().zip(&mut self.squares);
        for (index, (weight, (mean, square))) in model.weights.iter_mut().zip(memory).enumerate() {
            let gradient = parts.iter().map(|part| part[index]).sum::<f32>() * share;
            *mean = DECAYS[0] * *mean + (1.0 - DECAYS[0]) * gradient;
            *square = DECAYS[1] * *square + (1.0 - DECAYS[1]) * gradient * gradient;
            let step = rate * (*mean / means_left) / ((*square / squares_left).sqrt() + EPSILON);
            let most = if index >= OUTPUT_BIAS {
                LARGEST_BIAS
            } else {
                LARGEST
            };
            *weight = (*weight - step).clamp(-most, most);
        }
    }
}

#[cfg(test)]
mod tests {
    use chess::Color;

    use super::*;
    use crate::eval::tests::random_positions;
    use crate::rules::score::Score;

    fn model() -> Model {
        let mut seed: u64 = 7;
        Model::new(|| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as f32 / (1_u64 << 30) as f32 - 1.0
        })
    }

    fn samples() -> Vec<Sample> {
        let positions = random_positions(2, 60);
        positions
            .iter()
            .map(|position| Sample::new(position, Score(80), Some(Color::White)))
            .collect()
    }

    /// Compares a sample of all weights, as far as differences stand out from rounding.
    #[test]
    fn gradients_are_what_differences_say() {
        let model = model();
        let sample = samples()[37];
        let loss = |model: &Model| f64::from((model.expectation(&sample) - 0.9).powi(2));
        let mut gradient = vec![0.0; WEIGHTS];
        let error = model.learn(&sample, 0.9, &mut gradient);
        assert!((f64::from(error) - loss(&model)).abs() < 1e-6);
        let mut seen = [0; 4];
        for (index, &by_gradient) in gradient.iter().enumerate() {
            let part = [BIAS, OUTPUT, OUTPUT_BIAS]
                .iter()
                .filter(|&&begin| index >= begin)
                .count();
            if part == 0 && index % 7 > 0 {
                continue;
            }
            let moved = |by: f32| {
                let mut moved = model.clone();
                moved.weights[index] += by;
                loss(&moved)
            };
            let by_difference = (moved(2e-3) - moved(-2e-3)) / 4e-3;
            let difference = (by_difference - f64::from(by_gradient)).abs();
            assert!(
                difference < 3e-4 + 0.02 * by_difference.abs(),
                "{index}: {by_gradient} {by_difference}"
            );
            seen[part] += usize::from(by_gradient.abs() > 1e-3);
        }
        assert!(seen.iter().all(|&count| count > 0), "{seen:?}");
    }

    #[test]
    fn steps_lead_to_the_targets_and_whole_numbers_say_nearly_the_same() {
        let samples = samples();
        let mut model = model();
        let mut adam = Adam::default();
        let targets: Vec<f32> = (0..samples.len())
            .map(|index| if index % 3 == 0 { 0.8 } else { 0.3 })
            .collect();
        let epoch = |model: &Model| {
            let mut gradient = vec![0.0; WEIGHTS];
            let pairs = samples.iter().zip(&targets);
            let loss: f32 = pairs
                .map(|(sample, &target)| model.learn(sample, target, &mut gradient))
                .sum();
            (loss / samples.len() as f32, gradient)
        };
        let first = epoch(&model).0;
        for _ in 0..100 {
            let gradient = epoch(&model).1;
            adam.step(&mut model, &[gradient], samples.len(), 0.003);
        }
        assert!(epoch(&model).0 < first / 4.0, "{first} {}", epoch(&model).0);
        let network = model.quantised(200, Value::Null);
        assert_eq!(
            Network::from_bytes(&network.to_bytes()).expect("it may be played with"),
            network
        );
        for sample in &samples {
            let by_network = sigmoid(network.value_of(sample.inputs()) as f32 / 200.0);
            assert!((by_network - model.expectation(sample)).abs() < 0.03);
        }
    }
}
