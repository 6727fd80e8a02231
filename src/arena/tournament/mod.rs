//! A whole tournament: every game of the schedule, several at a time, recorded for continuation
//! after any end.

mod run;
mod state;

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use shakmaty::ByColor;

pub use run::{Ending, Observer, Player, run};
pub use state::{Entry, TournamentState};

use super::config::{Config, Variant};
use super::openings::{Change, OpeningSource};
use super::schedule::{Pairing, Schedule};
use super::{GamePlan, Opening, files_of};
use crate::rules::tablebase::Tablebase;
use crate::util::jobs::{Part, fingerprint};

/// A tournament ready to play, with every setting of its games.
#[derive(Clone, Debug)]
pub struct Tournament {
    /// The settings, with names for all engines.
    pub config: Config,
    pub schedule: Schedule,
    /// The endgame tables of the adjudication.
    pub tables: Option<Arc<Tablebase>>,
    openings: Vec<Opening>,
}

impl Config {
    /// The tournament with its openings.
    ///
    /// # Errors
    /// Fails on senseless settings, explained in words, and on openings and endgame tables that
    /// cannot be read.
    pub fn tournament(&self) -> anyhow::Result<Tournament> {
        let schedule = self.checked_schedule()?;
        let source = OpeningSource {
            chess960: self.variant == Variant::Chess960,
            ..self.openings.clone()
        };
        Ok(Tournament {
            tables: self.tables()?.map(Arc::new),
            openings: source.choose(self.seed, self.openings_of(&schedule))?,
            config: Config {
                engines: self.specs()?,
                ..self.clone()
            },
            schedule,
        })
    }

    /// The number of openings played.
    fn openings_of(&self, schedule: &Schedule) -> usize {
        match self.openings.change {
            _ if !self.swap => 2 * schedule.pairs(),
            Change::Pair => schedule.pairs(),
            Change::Round => schedule.rounds as usize,
        }
    }
}

impl Tournament {
    /// The same tournament with fewer rounds. Its games are the first ones of this one.
    fn cut(&self, rounds: u32) -> Tournament {
        let mut cut = self.clone();
        cut.schedule.rounds = rounds.min(self.schedule.rounds);
        cut.openings
            .truncate(self.config.openings_of(&cut.schedule));
        cut
    }

    /// The number of games to play, of the whole tournament or of its part, if nothing ends it
    /// early.
    pub fn games(&self) -> u32 {
        let pairs = self.schedule.pairs();
        2 * self.config.part.map_or(pairs, |part| part.count(pairs)) as u32
    }

    /// Returns true if a game, by its number, is in the played part.
    fn plays(&self, number: u32) -> bool {
        self.config.part.is_none_or(|part| part.has_game(number))
    }

    /// A game of a pairing. `number` counts from 1 through the whole tournament; odd ones are the
    /// first of their pair.
    fn plan(&self, number: u32, pairing: &Pairing) -> GamePlan {
        let second = number.is_multiple_of(2);
        let pair = number.div_ceil(2);
        let [white, black] = pairing.engines;
        let mut engines = ByColor { white, black };
        if second && self.config.swap {
            engines.swap();
        }
        let opening = match self.config.openings.change {
            _ if !self.config.swap => number,
            Change::Pair => pair,
            Change::Round => pairing.round,
        };
        GamePlan {
            number,
            round: format!("{}.{}", pairing.round, 1 + u32::from(second)),
            pair,
            engines,
            opening: self.openings[opening as usize - 1].clone(),
            limits: engines.map(|engine| {
                self.config.engines[engine]
                    .limits
                    .unwrap_or(self.config.limits)
            }),
            margin: Duration::from_millis(self.config.margin),
            adjudication: self.config.adjudication.clone(),
        }
    }

    /// The settings in the journal: two tournaments with the same settings play the same games from
    /// the same openings. The names of files do not matter, but their content does.
    pub fn settings(&self) -> Value {
        let mut settings = json!({
            "schedule": self.schedule.kind,
            "rounds": self.schedule.rounds,
            "challengers": self.schedule.challengers,
            "engines": self.config.engines,
            "limits": self.config.limits,
            "margin": self.config.margin,
            "adjudication": self.config.adjudication,
            "sprt": self.config.sprt,
            "seed": self.config.seed,
            "openings": {
                "order": self.config.openings.order,
                "plies": self.config.openings.plies,
                "start": self.config.openings.start,
                "change": self.config.openings.change,
                "content": format!("{:016x}", fingerprint(&self.openings)),
            },
        });
        // Journals that are older than this know nothing of it.
        if let Some(tables) = &self.tables {
            settings["tablebases"] = tables.to_string().into();
        }
        if !self.config.swap {
            settings["swap"] = false.into();
        }
        if let Some(files) = files_of(&self.config.engines) {
            settings["files"] = files;
        }
        if let Some(part) = self.config.part {
            settings[Part::KEY] = part.to_string().into();
        }
        settings
    }
}

#[cfg(test)]
mod tests;
