//! The change of a weight from parent to child: equations (10) to (12), and other readings of them.

use std::f64::consts::PI;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt as _, SeedableRng as _};

use super::{mixed, nth_seed};
use crate::choice;
use crate::eval::WeightSpec;

choice! {
    /// The distribution of a mutation. A weight beyond its range is set to the end of the range.
    Mutation {
        /// Gaussian around the parent; sigma is a sixth of the range for a player with nothing
        /// solved, and 0 for one with everything solved.
        Adaptive = "adaptive",
        /// The printed formula: the middle of the range is added, with a sigma of three times the
        /// middle for a player with nothing solved. Weights with a range around 0 do not change.
        Letter = "letter",
        /// Gaussian around the parent; sigma is always a twelfth of the range.
        Constant = "constant",
        /// Michalewicz's non-uniform mutation: up or down, the less the later.
        Michalewicz = "michalewicz",
    }
}

/// The progress at the birth of a child.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// The share of all problems that the parent has solved: more than 1 if counted to the letter.
    pub solved: f64,
    /// The share of finished generations, from 0 to 1.
    pub done: f64,
}

impl Mutation {
    /// The child's weight.
    pub fn mutate(
        self,
        weight: i32,
        spec: &WeightSpec,
        moment: Moment,
        chance: &mut Xoshiro256PlusPlus,
    ) -> i32 {
        let low = f64::from(spec.min);
        let high = f64::from(spec.max);
        let unsolved = 1.0 - moment.solved;
        let mut gaussian = |mean: f64, sigma: f64| mean + sigma * normal(chance);
        let step = match self {
            Mutation::Adaptive => gaussian(0.0, (high - low) / 6.0 * unsolved),
            Mutation::Constant => gaussian(0.0, (high - low) / 12.0),
            Mutation::Letter => {
                let middle = f64::midpoint(low, high);
                gaussian(middle, 3.0 * unsolved * middle)
            }
            Mutation::Michalewicz => {
                let up = chance.random_bool(0.5);
                let share = chance.random::<f64>();
                let shrinking = 1.0 - libm::pow(share, libm::pow(1.0 - moment.done, MICHALEWICZ_B));
                let weight = f64::from(weight);
                if up {
                    (high - weight) * shrinking
                } else {
                    (low - weight) * shrinking
                }
            }
        };
        (f64::from(weight) + step).round().clamp(low, high) as i32
    }
}

/// Draws a normal number, by the method of Box and Muller (1958).
fn normal(chance: &mut Xoshiro256PlusPlus) -> f64 {
    let distance = libm::sqrt(-2.0 * libm::log(1.0 - chance.random::<f64>()));
    let angle = 2.0 * PI * chance.random::<f64>();
    distance * libm::cos(angle)
}

/// The speed of shrinking of Michalewicz's mutation.
const MICHALEWICZ_B: f64 = 5.0;

/// Chance by its place, never by a running generator: threads, a kill and a resume change nothing.
pub fn chance(seed: u64, place: [u64; 3]) -> Xoshiro256PlusPlus {
    let mix = |state: u64, number: u64| mixed(nth_seed(state ^ number, 1));
    Xoshiro256PlusPlus::seed_from_u64(place.into_iter().fold(mix(0, seed), mix))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(min: i32, max: i32) -> WeightSpec {
        WeightSpec {
            name: "weight".to_owned(),
            default: min,
            min,
            max,
            about: "",
        }
    }

    /// Children of one parent at one moment.
    fn children(mutation: Mutation, weight: i32, range: [i32; 2], moment: Moment) -> Vec<i32> {
        let spec = spec(range[0], range[1]);
        let child = |n| mutation.mutate(weight, &spec, moment, &mut chance(1, [0, 0, n]));
        (0..20_000).map(child).collect()
    }

    fn sigma(children: &[i32]) -> f64 {
        let n = children.len() as f64;
        let mean = children.iter().map(|&child| f64::from(child)).sum::<f64>() / n;
        libm::sqrt(
            children
                .iter()
                .map(|&child| (f64::from(child) - mean).powi(2))
                .sum::<f64>()
                / n,
        )
    }

    /// The design's figures for a knight of 300: 33.3, 16.7 and 0 with 0, 48 and 96 of 96 solved.
    #[test]
    fn adaptive_shrinks_with_what_is_solved() {
        for (solved, expected) in [(0.0, 33.3), (0.5, 16.7), (1.0, 0.0)] {
            let moment = Moment { solved, done: 0.0 };
            let found = sigma(&children(
                Mutation::Adaptive,
                30_000,
                [20_000, 40_000],
                moment,
            )) / 100.0;
            assert!((found - expected).abs() < 0.5, "{solved}: {found}");
        }
    }

    /// Printed equations: a knight at 300 goes to 400 in 59 %, to 200 in 33 %, stays between in 8
    /// %; weights around 0 stay as they are.
    #[test]
    fn the_letter_throws_weights_to_the_ends_and_leaves_others_alone() {
        let moment = Moment {
            solved: 0.0,
            done: 0.0,
        };
        let knights = children(Mutation::Letter, 30_000, [20_000, 40_000], moment);
        let share = |is: &dyn Fn(&i32) -> bool| {
            100.0 * knights.iter().filter(|knight| is(knight)).count() as f64 / knights.len() as f64
        };
        for (found, expected) in [
            (share(&|&knight| knight == 40_000), 59.0),
            (share(&|&knight| knight == 20_000), 33.0),
            (share(&|&knight| (20_001..40_000).contains(&knight)), 8.0),
        ] {
            assert!((found - expected).abs() < 1.5, "{found} is not {expected}");
        }
        assert!(
            children(Mutation::Letter, -700, [-10_000, 10_000], moment)
                .iter()
                .all(|&w| w == -700)
        );
    }

    #[test]
    fn constant_has_its_sigma() {
        let moment = Moment {
            solved: 0.9,
            done: 0.0,
        };
        let constant = sigma(&children(Mutation::Constant, 0, [-6_000, 6_000], moment));
        assert!((constant - 1_000.0).abs() < 20.0, "{constant}");
    }

    #[test]
    fn michalewicz_shrinks_with_time_and_stays_inside() {
        let spread = |done| {
            let children = children(
                Mutation::Michalewicz,
                500,
                [0, 1_000],
                Moment { solved: 0.0, done },
            );
            assert!(children.iter().all(|child| (0..=1_000).contains(child)));
            sigma(&children)
        };
        // At first the step is uniform up to the end on either side: 500 / sqrt(3).
        assert!((spread(0.0) - 288.7).abs() < 5.0);
        assert!(spread(0.5) < 60.0 && spread(1.0) == 0.0);
    }

    #[test]
    fn chance_depends_on_every_number_of_its_place() {
        let first = |seed, place| chance(seed, place).random::<u64>();
        let places = [
            (1, [0, 0, 0]),
            (2, [0, 0, 0]),
            (1, [1, 0, 0]),
            (1, [0, 1, 0]),
            (1, [0, 0, 1]),
        ];
        let all = places.map(|(seed, place)| first(seed, place));
        assert!(
            all.iter()
                .enumerate()
                .all(|(n, one)| !all[..n].contains(one))
        );
        assert_eq!(first(1, [3, 4, 5]), first(1, [3, 4, 5]));
    }
}
