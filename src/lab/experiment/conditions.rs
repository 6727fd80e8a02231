//! The conditions of a run of an experiment.

use std::path::PathBuf;
use std::str::FromStr;

use serde::Serialize;

use crate::arena::{EngineLimits, EngineSpec};
use crate::search::genetic::params::Preset;

/// The amount of work of an experiment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// A run of all experiments takes less than ten minutes on two cores: to see that they work,
    /// and to learn their questions.
    Quick,
    /// Enough games and positions for the verdicts.
    #[default]
    Full,
}

/// The size of an evolution of weights, in the tuning paper's letters: `22,50,96`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct EvolutionSize {
    /// N, an even number.
    pub players: usize,
    /// Gmax: generations for a problem at most.
    pub generations: u32,
    /// numP, an even number.
    pub problems: usize,
}

impl EvolutionSize {
    /// The tuning paper's own size.
    pub const FULL: EvolutionSize = EvolutionSize {
        players: 22,
        generations: 50,
        problems: 96,
    };

    /// Returns true if one of the numbers is less than the paper's.
    pub fn is_small(self) -> bool {
        self.players < Self::FULL.players
            || self.generations < Self::FULL.generations
            || self.problems < Self::FULL.problems
    }
}

impl FromStr for EvolutionSize {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers: Option<Vec<usize>> = text
            .split(',')
            .map(|word| word.trim().parse().ok())
            .collect();
        match numbers.as_deref() {
            Some(&[players @ 2..=1_000, generations @ 1..=1_000, problems @ 2..=160])
                if players % 2 == 0 && problems % 2 == 0 =>
            {
                Ok(EvolutionSize { players, generations: generations as u32, problems })
            }
            _ => Err("three numbers are meant: players (2 to 1000, even), generations (1 to 1000), problems (2 to 160, even)"
                .to_owned()),
        }
    }
}

/// The user's choices for a run.
#[derive(Clone, Debug, Serialize)]
pub struct Conditions {
    pub scale: Scale,
    /// The seed of all random choices.
    pub seed: u64,
    /// The genetic search of experiments with a single one; by default the paper's.
    #[serde(skip_serializing_if = "is_papers")]
    pub preset: Preset,
    /// Instead of time, wherever an engine has a choice: so many nodes a move. Makes experiments
    /// the same on every machine.
    pub nodes: Option<u64>,
    /// Limits in place of the experiments' own time controls; ignored where time itself is varied.
    pub limits: Option<EngineLimits>,
    /// Instead of the experiments' own numbers of games of each match; even.
    pub games: Option<u32>,
    /// Instead of the experiments' own number of evolutions of each kind.
    pub seeds: Option<usize>,
    /// Instead of the experiments' own size of evolutions.
    pub evolution: Option<EvolutionSize>,
    /// The number of games, or positions, at the same time. Without clocks the number changes only
    /// the duration.
    #[serde(skip)]
    pub concurrency: usize,
    /// The opponents of C11 and T3; if there are none, stand-ins play.
    pub opponents: Vec<EngineSpec>,
    /// The judge of moves, in place of `stockfish` from the PATH or, failing that, our own
    /// alpha-beta search.
    pub reference: Option<EngineSpec>,
    /// Libraries of actions for the experiments with a library.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub libraries: Vec<PathBuf>,
}

fn is_papers(preset: &Preset) -> bool {
    *preset == Preset::Paper
}

impl Default for Conditions {
    fn default() -> Self {
        Conditions {
            scale: Scale::default(),
            seed: 1,
            preset: Preset::Paper,
            nodes: None,
            limits: None,
            games: None,
            seeds: None,
            evolution: None,
            concurrency: 1,
            opponents: Vec::new(),
            reference: None,
            libraries: Vec::new(),
        }
    }
}

impl Conditions {
    /// `quick` or `full`, by the scale of the run.
    pub fn pick<T>(&self, quick: T, full: T) -> T {
        match self.scale {
            Scale::Quick => quick,
            Scale::Full => full,
        }
    }

    /// Returns the number of games of a match.
    pub fn games(&self, quick: u32, full: u32) -> u32 {
        self.games.unwrap_or(self.pick(quick, full))
    }

    /// Returns the number of nodes of a search, for experiments that count nodes anyway.
    pub fn nodes(&self, quick: u64, full: u64) -> u64 {
        self.nodes.unwrap_or(self.pick(quick, full))
    }

    /// Returns the limits of a side that thinks as long as it may.
    ///
    /// # Panics
    /// A default cannot be read; the defaults are constants.
    pub fn limits(&self, quick: &str, full: &str) -> EngineLimits {
        match self.nodes {
            Some(nodes) => EngineLimits::of_nodes(nodes),
            None => self.limits.unwrap_or_else(|| {
                let own = self.pick(quick, full).parse();
                own.expect("the experiments' own limits are limits")
            }),
        }
    }

    /// Describes the differences between runs, in words: `full run, seed 1, 400 games a match`.
    pub fn in_words(&self) -> String {
        let preset = self.preset.into_str();
        let mut text = format!("{}, seed {}", self.pick("quick run", "full run"), self.seed);
        if !is_papers(&self.preset) {
            text += &format!(", preset `{preset}` instead of `paper`");
        }
        if let Some(nodes) = self.nodes {
            text += &format!(", {nodes} nodes a search instead of time");
        }
        if let Some(limits) = self.limits {
            text += &format!(", time control {limits}");
        }
        if let Some(seeds) = self.seeds {
            text += &format!(", {seeds} seeds");
        }
        if let Some(size) = self.evolution {
            text += &format!(
                ", evolutions of {} players, {} generations and {} problems",
                size.players, size.generations, size.problems
            );
        }
        if let Some(games) = self.games {
            text += &format!(", {games} games a match");
        }
        text
    }

    /// Returns true if the same conditions give the same findings, byte for byte.
    pub fn are_reproducible(&self) -> bool {
        self.nodes.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_of_evolutions_are_read_and_bad_ones_refused() {
        let size = EvolutionSize {
            players: 10,
            generations: 6,
            problems: 32,
        };
        assert_eq!("10,6, 32".parse(), Ok(size));
        for bad in [
            "",
            "10,6",
            "10,6,32,1",
            "9,6,32",
            "10,0,32",
            "10,6,31",
            "10,6,200",
            "0,6,32",
            "a,6,32",
        ] {
            let error = bad.parse::<EvolutionSize>().expect_err(bad);
            assert!(error.contains("players (2 to 1000, even)"), "{error}");
        }
    }
}
