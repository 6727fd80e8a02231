//! What may differ from one run of an experiment to the next.

use std::path::PathBuf;

use serde::Serialize;

use crate::arena::{EngineSpec, Limits};

/// How much work an experiment does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// All experiments together take less than ten minutes on two cores: to see that they work, and what they
    /// ask.
    Quick,
    /// As many games and positions as the verdicts need.
    #[default]
    Full,
}

/// What the user chose for a run.
#[derive(Clone, Debug, Serialize)]
pub struct Conditions {
    pub scale: Scale,
    /// The seed of everything that is left to chance.
    pub seed: u64,
    /// Instead of time, wherever an engine has a choice: so many nodes a move. Makes experiments the same on
    /// every machine.
    pub nodes: Option<u64>,
    /// Instead of the experiments' own time controls; not where time itself is what is varied.
    pub limits: Option<Limits>,
    /// Instead of the experiments' own numbers of games of each match; even.
    pub games: Option<u32>,
    /// How many games, or positions, are worked on at the same time. Without clocks it changes nothing but
    /// the duration.
    #[serde(skip)]
    pub concurrency: usize,
    /// The opponents of C11; if there are none, stand-ins play.
    pub opponents: Vec<EngineSpec>,
    /// Who judges moves, if not `stockfish` from the PATH or, failing that, our own alpha-beta search.
    pub reference: Option<EngineSpec>,
    /// Libraries of actions, which experiments with one play from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub libraries: Vec<PathBuf>,
}

impl Default for Conditions {
    fn default() -> Self {
        Conditions {
            scale: Scale::default(),
            seed: 1,
            nodes: None,
            limits: None,
            games: None,
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

    /// How many games a match has.
    pub fn games(&self, quick: u32, full: u32) -> u32 {
        self.games.unwrap_or(self.pick(quick, full))
    }

    /// How many nodes a search has where nodes are what is asked for anyway.
    pub fn nodes(&self, quick: u64, full: u64) -> u64 {
        self.nodes.unwrap_or(self.pick(quick, full))
    }

    /// The limits of a side that thinks as long as it may.
    ///
    /// # Panics
    /// If a default cannot be read; they are constants.
    pub fn limits(&self, quick: &str, full: &str) -> Limits {
        match self.nodes {
            Some(nodes) => Limits::of_nodes(nodes),
            None => self.limits.unwrap_or_else(|| {
                self.pick(quick, full).parse().expect("the experiments' own limits are limits")
            }),
        }
    }

    /// What differs from one run to the next, in words: `full run, seed 1`.
    pub fn in_words(&self) -> String {
        let mut words = vec![
            match self.scale {
                Scale::Quick => {
                    "quick run, which shows what is asked rather than what the answer is".to_owned()
                }
                Scale::Full => "full run".to_owned(),
            },
            format!("seed {}", self.seed),
        ];
        words.extend(self.nodes.map(|nodes| format!("{nodes} nodes a search instead of time")));
        words.extend(self.limits.map(|limits| format!("{limits} instead of the usual time controls")));
        words.extend(self.games.map(|games| format!("{games} games a match instead of the usual numbers")));
        words.join(", ")
    }

    /// Whether the same conditions give the same findings, byte for byte.
    pub fn are_reproducible(&self) -> bool {
        self.nodes.is_some()
    }
}
