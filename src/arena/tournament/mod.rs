//! A whole tournament: every game of the schedule, several at a time, recorded so that it can be continued
//! after any end.

mod course;
mod run;

use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize as _;
use serde_json::{Value, json};

pub use course::{Course, Entry};
pub use run::{Ending, Files, Observer, Players, run};

use super::openings::{Change, OpeningSource};
use super::schedule::{Kind, Pairing, Schedule};
use super::statistics::Sprt;
use super::types::Adjudication;
use super::{EngineSpec, GamePlan, Limits, Opening, files_of};
use crate::jobs::{Part, fingerprint};
use crate::tablebase::Tablebase;

/// What is agreed before a tournament.
#[derive(Clone, Debug)]
pub struct Terms {
    pub engines: Vec<EngineSpec>,
    pub schedule: Schedule,
    /// The second game of a pair has colours reversed, and the same opening. Otherwise, in a match, it has
    /// the same colours and an opening of its own.
    pub swap: bool,
    /// What an engine without limits of its own plays by.
    pub limits: Limits,
    pub margin: Duration,
    pub adjudication: Adjudication,
    /// The tables that [`Adjudication::tablebases`] names.
    pub tables: Option<Arc<Tablebase>>,
    /// A test that ends a match between two engines early.
    pub sprt: Option<Sprt>,
    /// Of everything that is left to chance.
    pub seed: u64,
    /// Which game pairs are played, if not all: other machines play the others. Not in Swiss tournaments.
    pub part: Option<Part>,
}

/// Everything that decides which games are played, and how.
#[derive(Clone, Debug)]
pub struct Tournament {
    terms: Terms,
    source: OpeningSource,
    openings: Vec<Opening>,
}

impl Tournament {
    /// Chooses the openings of the whole tournament.
    pub fn new(terms: Terms, source: OpeningSource) -> anyhow::Result<Tournament> {
        let count = openings_of(&terms, source.change);
        Ok(Tournament { openings: source.choose(terms.seed, count)?, terms, source })
    }

    /// The same tournament with fewer rounds. Its games are the first ones of this one.
    fn cut(&self, rounds: u32) -> Tournament {
        let mut cut = self.clone();
        cut.terms.schedule.rounds = rounds.min(self.terms.schedule.rounds);
        cut.openings.truncate(openings_of(&cut.terms, self.source.change));
        cut
    }

    /// The same tournament with engines that are called otherwise, or of which more is known.
    pub fn with_engines(self, engines: Vec<EngineSpec>) -> Tournament {
        Tournament { terms: Terms { engines, ..self.terms }, ..self }
    }

    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// Games that are played, of the whole tournament or of its part, if nothing ends it early.
    pub fn games(&self) -> u32 {
        let pairs = self.terms.schedule.pairs();
        2 * self.terms.part.map_or(pairs, |part| part.count(pairs)) as u32
    }

    /// Whether a game, by its number, is of the part that is played.
    fn plays(&self, number: u32) -> bool {
        self.terms.part.is_none_or(|part| part.has_game(number))
    }

    /// The limits of an engine: its own or the tournament's.
    pub fn limits_of(&self, engine: usize) -> Limits {
        self.terms.engines[engine].limits.unwrap_or(self.terms.limits)
    }

    /// A game of a pairing. `number` counts from 1 through the whole tournament; odd ones are the first of
    /// their pair.
    fn plan(&self, number: u32, pairing: &Pairing) -> GamePlan {
        let second = number.is_multiple_of(2);
        let pair = number.div_ceil(2);
        let [white, black] = match (second && self.terms.swap, pairing.engines) {
            (false, engines) => engines,
            (true, [first, second]) => [second, first],
        };
        let opening = match self.source.change {
            _ if !self.terms.swap => number,
            Change::Pair => pair,
            Change::Round => pairing.round,
        };
        GamePlan {
            number,
            round: format!("{}.{}", pairing.round, 1 + u32::from(second)),
            pair,
            white,
            black,
            opening: self.openings[opening as usize - 1].clone(),
            limits: [self.limits_of(white), self.limits_of(black)],
            margin: self.terms.margin,
            adjudication: self.terms.adjudication.clone(),
        }
    }

    /// All of the above as the journal keeps it: two tournaments with the same settings play the same games
    /// from the same openings. The names of files do not matter, what is in them does.
    pub fn settings(&self) -> Value {
        let mut settings = json!({
            "schedule": self.terms.schedule.kind,
            "rounds": self.terms.schedule.rounds,
            "challengers": self.terms.schedule.challengers,
            "engines": self.terms.engines,
            "limits": self.terms.limits,
            "margin": self.terms.margin.as_millis() as u64,
            "adjudication": self.terms.adjudication,
            "sprt": self.terms.sprt,
            "seed": self.terms.seed,
            "openings": {
                "order": self.source.order,
                "plies": self.source.plies,
                "start": self.source.start,
                "change": self.source.change,
                "content": format!("{:016x}", fingerprint(&self.openings)),
            },
        });
        // Journals that are older than this know nothing of it.
        if let Some(tables) = &self.terms.tables {
            settings["tablebases"] = tables.to_string().into();
        }
        if !self.terms.swap {
            settings["swap"] = false.into();
        }
        if let Some(files) = files_of(&self.terms.engines) {
            settings["files"] = files;
        }
        if let Some(part) = self.terms.part {
            settings[Part::KEY] = part.to_string().into();
        }
        settings
    }
}

/// How many games the whole tournament with these [settings](Tournament::settings) has; `None` if they are of
/// other work.
pub fn games_of(settings: &Value) -> Option<u32> {
    let schedule = Schedule {
        kind: Kind::deserialize(&settings["schedule"]).ok()?,
        engines: settings["engines"].as_array()?.len(),
        rounds: settings["rounds"].as_u64()?.try_into().ok()?,
        challengers: settings["challengers"].as_u64()?.try_into().ok()?,
    };
    u32::try_from(schedule.pairs()).ok()?.checked_mul(2)
}

/// How many openings are played.
fn openings_of(terms: &Terms, change: Change) -> usize {
    let schedule = &terms.schedule;
    match change {
        _ if !terms.swap => 2 * schedule.pairs(),
        Change::Pair => schedule.pairs(),
        Change::Round => schedule.rounds as usize,
    }
}

#[cfg(test)]
mod tests;
