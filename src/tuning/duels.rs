//! Games between two sides of one search that differ in some options: what [`spsa`](super::spsa) asks.

use anyhow::{Context as _, bail, ensure};
use rayon::prelude::*;

use super::spsa::{Parameter, Values};
use super::{games, nth_seed, samples};
use crate::engine::backend;
use crate::engine::settings::Settings;
use crate::jobs::{self, StopSignal};
use crate::options::OptionKind;
use crate::position::Position;
use crate::score::Score;

/// The memory of a search in megabytes, if nothing else is said. There are two searches for each thread.
const MEMORY: &str = "4";

/// Who plays, and how.
pub struct Duels {
    /// What both sides have in common.
    settings: Settings,
    /// The options in which they differ.
    names: Vec<String>,
    /// Searched for each move.
    nodes: u64,
    seed: u64,
}

impl Duels {
    /// Games of searches with these options and others that differ.
    ///
    /// # Errors
    /// Options that there are not, that are no numbers, that the games do not depend on, or whose range does
    /// not contain the parameter's.
    pub fn new(
        options: &[(String, String)],
        parameters: &[Parameter],
        nodes: u64,
        seed: u64,
    ) -> anyhow::Result<Duels> {
        let said = options.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let settings = Settings::with([("Hash", MEMORY)].into_iter().chain(said))?;
        ensure!(settings.engine.seed != 0, "with Seed=0 no search is the same twice");
        let names = parameters.iter().map(|parameter| parameter.name.clone()).collect();
        let duels = Duels { settings, names, nodes, seed };
        let table = Settings::table();
        for Parameter { name, least, greatest, .. } in parameters {
            let is_fixed = options.iter().any(|(other, _)| other.eq_ignore_ascii_case(name));
            ensure!(!is_fixed, "option {name} is to be tuned, and --option sets it");
            let spec = table.iter().find(|spec| spec.name.eq_ignore_ascii_case(name));
            let spec = spec.with_context(|| format!("no option is called \"{name}\""))?;
            let OptionKind::Spin { min, max, .. } = spec.kind else { bail!("option {name} is no number") };
            let fits = min as f64 <= *least && *greatest <= max as f64;
            ensure!(fits, "option {name} is from {min} to {max}, not from {least} to {greatest}");
            let with = |value: f64| {
                let mut settings = duels.settings.clone();
                settings.set(name, &value.to_string()).map(|()| settings)
            };
            let backend = duels.settings.engine.backend.into_str();
            let differs = !with(*least)?.same_search(&with(*greatest)?);
            ensure!(
                differs,
                "games of the search {backend} with so many nodes a move do not depend on {name}"
            );
        }
        Ok(duels)
    }

    /// What tells whether the weights of the evaluation are still the same.
    pub fn weights(&self) -> u64 {
        jobs::fingerprint(&self.settings.weights().row())
    }

    /// How many games more the first side won of so many pairs of games, each with an opening of its own that
    /// both sides play with both colours. The same step and values have the same games, in any number of
    /// threads. After a stop it is no matter what comes out.
    pub fn play(&self, step: u64, pairs: u64, sides: &[Values; 2], stop: &StopSignal) -> i64 {
        let sides = sides.each_ref().map(|values| self.settings_with(values));
        let games = 2 * step * pairs..2 * (step + 1) * pairs;
        let result = |game: u64| {
            let first_is_white = game.is_multiple_of(2);
            let colors = if first_is_white { [&sides[0], &sides[1]] } else { [&sides[1], &sides[0]] };
            let won = self.game(&self.opening(game / 2), colors, stop);
            if first_is_white { won } else { -won }
        };
        games.into_par_iter().map(result).sum()
    }

    fn opening(&self, number: u64) -> Position {
        let mut openings = samples::openings(nth_seed(self.seed, number), Vec::new());
        openings.next().and_then(Result::ok).expect("some random lines are even")
    }

    fn settings_with(&self, values: &Values) -> Settings {
        let mut settings = self.settings.clone();
        for (name, value) in self.names.iter().zip(values) {
            settings.set(name, &value.to_string()).expect("values are within the ranges");
        }
        settings
    }

    /// 1 if White wins, -1 if Black does, else 0.
    fn game(&self, opening: &Position, sides: [&Settings; 2], stop: &StopSignal) -> i64 {
        let mut searchers = sides.map(backend::build);
        let choose = |position: &Position| {
            if stop.is_stopped() {
                return (None, Score::DRAW);
            }
            let searcher = &mut searchers[position.side_to_move().to_index()];
            games::search(searcher.as_mut(), position, self.nodes)
        };
        match games::play_out(opening.clone(), choose, |_, _, _| ()) {
            Some("1-0") => 1,
            Some("0-1") => -1,
            _ => 0,
        }
    }
}
