//! Numbers tuned by games, by simultaneous perturbation (SPSA: Spall 1992; in chess as in
//! Stockfish's fishtest and OpenBench).
//!
//! [`Spsa`] knows numbers with ranges and nothing of chess. Its question is the result of games
//! between two sides with different numbers; [`Duels`] plays them, between two sides of one search
//! with different options.

use std::fmt;
use std::str::FromStr;

use anyhow::{bail, ensure};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt as _, SeedableRng as _};
use rayon::prelude::*;
use serde::Serialize;

use super::{games, nth_seed, opening};
use crate::engine::backend;
use crate::engine::settings::Settings;
use crate::rules::position::Position;
use crate::search::SearchReport;
use crate::util::jobs::{self, StopSignal};
use crate::util::options::OptionKind;

/// A number that is tuned, as a line of OpenBench's input for SPSA: name, type, value, least,
/// greatest, c_end and r_end, as in `LeafNodes, int, 1000, 100, 5000, 400, 0.01`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Parameter {
    pub name: String,
    pub value: f64,
    pub least: f64,
    pub greatest: f64,
    /// The change on each side in the last step; the change is larger in earlier steps.
    pub reach: f64,
    /// The part of `reach` by which the value moves for each game won in the last step; in earlier
    /// steps the move is larger.
    pub rate: f64,
}

impl Parameter {
    fn within(&self, value: f64) -> f64 {
        value.clamp(self.least, self.greatest)
    }
}

impl FromStr for Parameter {
    type Err = anyhow::Error;

    fn from_str(line: &str) -> anyhow::Result<Parameter> {
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        let &[name, kind, ref numbers @ ..] = fields.as_slice() else {
            bail!("it is no NAME, int, ...")
        };
        ensure!(
            name.bytes().all(|byte| byte.is_ascii_alphanumeric()),
            "the name is no option's"
        );
        ensure!(
            kind == "int",
            "the type of {name} is \"{kind}\", and only int can be tuned"
        );
        let numbers: Result<Vec<f64>, _> = numbers.iter().map(|text| text.parse()).collect();
        let Ok(&[value, least, greatest, reach, rate]) = numbers.as_deref() else {
            bail!("behind int there are five numbers: value, least, greatest, c_end and r_end")
        };
        let all = [value, least, greatest, reach, rate];
        ensure!(
            all.iter().all(|number| number.is_finite()),
            "the numbers have to be finite"
        );
        ensure!(
            least.fract() == 0.0 && greatest.fract() == 0.0,
            "the ends of the range are whole numbers"
        );
        ensure!(
            least <= value && value <= greatest,
            "{value} is not from {least} to {greatest}"
        );
        let most = (greatest - least) / 2.0;
        ensure!(
            0.5 <= reach && reach <= most,
            "c_end is at least 0.5 and at most half of the range, {most}"
        );
        ensure!(0.0 < rate && rate <= 1.0, "r_end is above 0 and at most 1");
        Ok(Parameter {
            name: name.to_owned(),
            value,
            least,
            greatest,
            reach,
            rate,
        })
    }
}

/// Formats the parameter as its line.
impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Parameter {
            name,
            value,
            least,
            greatest,
            reach,
            rate,
        } = self;
        write!(
            f,
            "{name}, int, {value:.2}, {least}, {greatest}, {reach}, {rate}"
        )
    }
}

/// The settings of a run besides its parameters and its players.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spsa {
    /// The number of games in all. Games after the last whole step are not played.
    pub games: u64,
    /// Pairs of games of a step.
    pub pairs: u64,
    pub seed: u64,
}

/// Values of all parameters, in their order.
pub type Values = Vec<i64>;

/// Plays the pairs of a step, counted from 0, between two sides: returns the surplus of games won
/// by the first.
pub type Play<'p> = dyn FnMut(u64, [Values; 2]) -> anyhow::Result<i64> + 'p;

/// The exponents of the shrinking steps, and the share of all steps by which the first ones are
/// held back: Spall's, as usual.
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
const HELD_BACK: f64 = 0.1;

impl Spsa {
    /// Returns the number of steps.
    pub fn steps(&self) -> u64 {
        self.games / (2 * self.pairs).max(1)
    }

    /// Looks for better values; `watch` gets the values after each step.
    ///
    /// The result is the mean of the second half of all steps: the values themselves follow the
    /// last games, which are mostly chance (Polyak & Juditsky 1992).
    ///
    /// # Errors
    /// The errors of `play`.
    pub fn run(
        &self,
        parameters: &[Parameter],
        play: &mut Play<'_>,
        watch: &mut dyn FnMut(&[f64]),
    ) -> anyhow::Result<Vec<f64>> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        let mut values: Vec<f64> = parameters.iter().map(|parameter| parameter.value).collect();
        let mut mean = values.clone();
        let steps = self.steps() as f64;
        for step in 1..=self.steps() {
            let number = step as f64;
            // Of c_end and of r_end: how much more they are in this step.
            let wider = libm::pow(steps / number, GAMMA);
            let faster = libm::pow(
                (1.0 + HELD_BACK) * steps / (HELD_BACK * steps + number),
                ALPHA,
            );
            let faster = faster / (wider * wider);
            let mut moves = Vec::new();
            let mut sides = [Values::new(), Values::new()];
            for (parameter, value) in parameters.iter().zip(&values) {
                let sign = if random.random_bool(0.5) { 1.0 } else { -1.0 };
                let by = parameter.reach * wider * sign;
                // Engines are told whole numbers within the ranges.
                sides[0].push(parameter.within(value + by).round() as i64);
                sides[1].push(parameter.within(value - by).round() as i64);
                moves.push(by);
            }
            let won = play(step - 1, sides)? as f64;
            let counted = (number - (steps / 2.0).floor()).max(1.0);
            for (index, parameter) in parameters.iter().enumerate() {
                let by = parameter.rate * faster * moves[index] * won;
                values[index] = parameter.within(values[index] + by);
                mean[index] += (values[index] - mean[index]) / counted;
            }
            watch(&values);
        }
        Ok(mean)
    }
}

/// The memory of a search in megabytes, if nothing else is said. There are two searches for each
/// thread.
const MEMORY: &str = "4";

/// The players of the games.
pub struct Duels {
    /// The settings in common to both sides.
    settings: Settings,
    /// The options with different values for the two sides.
    names: Vec<String>,
    /// Searched for each move.
    nodes: u64,
    seed: u64,
}

impl Duels {
    /// Prepares games of searches with these options, and with the parameters as further options.
    ///
    /// # Errors
    /// Unknown options, options that are no numbers or without effect on the games, or a range that
    /// does not contain the parameter's.
    pub fn new(
        options: &[(String, String)],
        parameters: &[Parameter],
        nodes: u64,
        seed: u64,
    ) -> anyhow::Result<Duels> {
        let mut settings = Settings::with([("Hash", MEMORY)])?;
        for (name, value) in options {
            settings.set(name, value)?;
        }
        ensure!(
            settings.engine.seed != 0,
            "with Seed=0 no search is the same twice"
        );
        let mut names = Vec::new();
        let table = Settings::table();
        for Parameter {
            name,
            least,
            greatest,
            ..
        } in parameters
        {
            let is_it = |other: &str| other.eq_ignore_ascii_case(name);
            ensure!(
                !options.iter().any(|(other, _)| is_it(other)),
                "option {name} is to be tuned, and --option sets it"
            );
            let spec = table.iter().find(|spec| is_it(spec.name));
            let spec = spec.ok_or_else(|| Settings::unknown(name))?;
            let OptionKind::Spin { min, max, .. } = spec.kind else {
                bail!("option {name} is no number")
            };
            ensure!(
                min as f64 <= *least && *greatest <= max as f64,
                "option {name} is from {min} to {max}, not from {least} to {greatest}"
            );
            let mut ends = [settings.clone(), settings.clone()];
            ends[0].set(name, &least.to_string())?;
            ends[1].set(name, &greatest.to_string())?;
            ensure!(
                !ends[0].same_search(&ends[1]),
                "games of the search {} with so many nodes a move do not depend on {name}",
                settings.engine.backend.into_str()
            );
            names.push(name.clone());
        }
        Ok(Duels {
            settings,
            names,
            nodes,
            seed,
        })
    }

    /// Returns a number that identifies the weights of the evaluation, or its network.
    pub fn weights(&self) -> u64 {
        match self.settings.network() {
            Some(network) => jobs::fingerprint(&network.checksum()),
            None => jobs::fingerprint(&self.settings.weights().row()),
        }
    }

    /// Returns the surplus of games won by the first side over so many pairs of games, each with an
    /// opening of its own that both sides play with both colours. The same step and values have the
    /// same games, with any number of threads. After a stop the number means nothing.
    pub fn play(&self, step: u64, pairs: u64, sides: &[Values; 2], stop: &StopSignal) -> i64 {
        let sides = sides.each_ref().map(|values| self.settings_with(values));
        let games = 2 * step * pairs..2 * (step + 1) * pairs;
        let result = |game: u64| {
            let opening = self.opening(game / 2);
            if game.is_multiple_of(2) {
                self.game(&opening, [&sides[0], &sides[1]], stop)
            } else {
                -self.game(&opening, [&sides[1], &sides[0]], stop)
            }
        };
        games.into_par_iter().map(result).sum()
    }

    fn opening(&self, number: u64) -> Position {
        opening::opening(nth_seed(self.seed, number)).expect("some random lines are even")
    }

    fn settings_with(&self, values: &Values) -> Settings {
        let mut settings = self.settings.clone();
        for (name, value) in self.names.iter().zip(values) {
            settings
                .set(name, &value.to_string())
                .expect("values are within the ranges");
        }
        settings
    }

    /// 1 if White wins, -1 if Black does, else 0.
    fn game(&self, opening: &Position, sides: [&Settings; 2], stop: &StopSignal) -> i64 {
        let mut searchers = sides.map(backend::build);
        let choose = |position: &Position| {
            if stop.is_stopped() {
                return SearchReport::default();
            }
            searchers[position.side_to_move().to_index()].search_nodes(position, self.nodes)
        };
        match games::play_out(opening.clone(), choose) {
            Some("1-0") => 1,
            Some("0-1") => -1,
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The distance of the values from the best ones after so many games, in parts of the first
    /// distance.
    ///
    /// At first they cost 400 Elo, later less by the square of the distance. Of ten games between
    /// equals four are drawn.
    fn left_of_the_way(games: u64, seed: u64) -> f64 {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let best: Vec<f64> = (0..10).map(|_| random.random_range(300.0..700.0)).collect();
        let parameter = |(number, best): (usize, &f64)| {
            let value = (best
                + if random.random_bool(0.5) {
                    250.0
                } else {
                    -250.0
                })
            .round();
            let line = format!("p{number}, int, {value}, 0, 1000, 120, 0.01");
            line.parse().expect("a parameter")
        };
        let parameters: Vec<Parameter> = best.iter().enumerate().map(parameter).collect();
        let squares = |values: &[f64]| {
            values
                .iter()
                .zip(&best)
                .map(|(one, other)| (one - other).powi(2))
                .sum::<f64>()
        };
        let first = squares(
            &parameters
                .iter()
                .map(|parameter| parameter.value)
                .collect::<Vec<_>>(),
        );
        let elo = |values: &Values| {
            -400.0 * squares(&values.iter().map(|&value| value as f64).collect::<Vec<_>>()) / first
        };
        let tuning = Spsa {
            games,
            pairs: 2,
            seed,
        };
        let mut play = |_, [one, other]: [Values; 2]| {
            let score = 1.0 / (1.0 + 10_f64.powf((elo(&other) - elo(&one)) / 400.0));
            let drawn = 0.4_f64.min(2.0 * score.min(1.0 - score));
            let wins = score - drawn / 2.0;
            let game = |chance: f64| i64::from(chance < wins) - i64::from(chance > wins + drawn);
            Ok((0..4).map(|_| game(random.random())).sum())
        };
        let found = tuning
            .run(&parameters, &mut play, &mut |_| ())
            .expect("values");
        (squares(&found) / first).sqrt()
    }

    #[test]
    fn five_thousand_games_leave_a_tenth_of_the_way() {
        let left = (1..=8).map(|seed| left_of_the_way(5_000, seed));
        let mean = left.sum::<f64>() / 8.0;
        assert!(mean < 0.1, "{mean:.3}");
        assert!(left_of_the_way(100, 1) > 0.3, "no wonder");
    }

    #[test]
    fn steps_are_as_large_as_openbench_has_them() {
        let parameters = ["p, int, 500, 0, 1000, 10, 0.5"
            .parse()
            .expect("a parameter")];
        let mut sides = Vec::new();
        let mut values = vec![500.0];
        let mut play = |_, [one, other]: [Values; 2]| {
            sides.push((one[0] - other[0]).abs());
            Ok(1)
        };
        let tuning = Spsa {
            games: 200,
            pairs: 1,
            seed: 1,
        };
        tuning
            .run(&parameters, &mut play, &mut |now| values.push(now[0]))
            .expect("values");
        // c is 10 * 100^0.101 = 15.92 in the first of 100 steps, and 10 in the last.
        assert_eq!((sides[0], sides[99]), (32, 20));
        let moved = |step: usize| (values[step] - values[step - 1]).abs();
        assert!((moved(100) - 5.0).abs() < 1e-9, "{}", moved(100));
        // R is 0.5 * (110 / 11)^0.602 / 1.592^2 in the first.
        let first =
            0.5 * 10_f64.powf(0.602) / 100_f64.powf(2.0 * 0.101) * 10.0 * 100_f64.powf(0.101);
        assert!((moved(1) - first).abs() < 1e-9, "{} {first}", moved(1));
    }

    #[test]
    fn a_line_is_read_as_it_is_written_and_mistakes_are_named() {
        let line = "LeafNodes, int, 1000.00, 100, 5000, 400, 0.01";
        assert_eq!(
            line.parse::<Parameter>().expect("a parameter").to_string(),
            line
        );
        for (line, word) in [
            ("LeafNodes", "no NAME, int"),
            ("Leaf\u{202e}Nodes, int, 1, 0, 9, 1, 0.1", "no option's"),
            ("LeafNodes, float, 1, 0, 9, 1, 0.1", "only int"),
            ("LeafNodes, int, 1, 0, 9, 1", "five numbers"),
            ("LeafNodes, int, 1, 0, 9, x, 0.1", "five numbers"),
            ("LeafNodes, int, 1, 0, 9, 1, 0.1, x", "five numbers"),
            ("LeafNodes, int, 1, 0, inf, 1, 0.1", "finite"),
            ("LeafNodes, int, 1, 0, 9.5, 1, 0.1", "whole numbers"),
            ("LeafNodes, int, 10, 0, 9, 1, 0.1", "not from 0 to 9"),
            ("LeafNodes, int, 1, 0, 9, 0.4, 0.1", "c_end"),
            ("LeafNodes, int, 1, 0, 9, 5, 0.1", "c_end"),
            ("LeafNodes, int, 1, 0, 9, 1, 0", "r_end"),
        ] {
            let error = line.parse::<Parameter>().expect_err(line).to_string();
            assert!(error.contains(word), "{line}: {error}");
        }
    }
}
