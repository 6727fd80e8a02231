//! A whole tournament: every game of the schedule, several at a time, recorded for continuation
//! after any end.

mod run;
mod state;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use anyhow::ensure;
use serde_json::{Value, json};
use shakmaty::ByColor;

pub use run::{Ending, Observer, Player, run};
pub use state::{JournalEntry, TournamentState};

use super::client::xboard::setup::OldWay;
use super::config::Config;
use super::schedule::{Pairing, Schedule};
use super::{EngineSpec, GamePlan, Opening, files_of};
use crate::rules::position::notation::read_fen;
use crate::rules::tablebase::Tablebase;
use crate::util::jobs::{Part, fingerprint};

/// The most openings tried, to find playable ones.
const MOST_CHOSEN: usize = 1 << 20;

/// The settings of the games and their order.
#[derive(Clone, Debug)]
pub struct Tournament {
    /// The settings, with names for all engines.
    pub config: Config,
    pub schedule: Schedule,
    /// The endgame tables of the adjudication.
    pub tables: Option<Arc<Tablebase>>,
    openings: Vec<Opening>,
    /// The faults of openings of the source that are left out.
    pub faults: Vec<String>,
}

impl Config {
    /// The tournament with its openings.
    ///
    /// # Errors
    /// Fails on senseless settings, explained in words, and on openings and endgame tables that
    /// cannot be read.
    pub fn tournament(&self) -> anyhow::Result<Tournament> {
        let schedule = self.checked_schedule()?;
        let mut faults = Vec::new();
        let count = schedule.pairs();
        Ok(Tournament {
            tables: self.tables()?.map(Arc::new),
            openings: self.openings.choose(self.seed, count, &mut faults)?,
            faults,
            config: Config {
                engines: self.specs()?,
                ..self.clone()
            },
            schedule,
        })
    }
}

impl Tournament {
    /// Leaves out openings that one of the engines cannot set up, and takes the next ones of the
    /// same source instead. Returns a sentence for each opening left out.
    ///
    /// # Errors
    /// None is left; openings that cannot be read.
    pub fn leave_out_openings(&mut self, engines: &[EngineSpec]) -> anyhow::Result<Vec<String>> {
        if !engines.iter().any(|engine| engine.lacks_setboard) {
            return Ok(Vec::new());
        }
        let wanted = self.openings.len();
        let mut known = BTreeMap::new();
        let mut count = wanted;
        loop {
            let mut left_out = BTreeSet::new();
            let mut playable = Vec::new();
            // Their faults were told when the tournament was made.
            let mut faults = Vec::new();
            let Config { openings, seed, .. } = &self.config;
            for opening in openings.choose(*seed, count, &mut faults)? {
                let fen = opening.fen.clone().unwrap_or_default();
                let refusal = known
                    .entry(fen)
                    .or_insert_with_key(|fen| self.refusal(fen, engines));
                match refusal {
                    Some(refusal) => _ = left_out.insert(refusal.clone()),
                    None => playable.push(opening),
                }
                if playable.len() == wanted {
                    self.openings = playable;
                    return Ok(left_out.into_iter().collect());
                }
            }
            let example = left_out.first().map_or("", String::as_str);
            ensure!(
                count < MOST_CHOSEN,
                "too few openings can be played: {example}"
            );
            count *= 2;
        }
    }

    /// The reason why an engine cannot be given a position; `None` if all engines can.
    fn refusal(&self, fen: &str, engines: &[EngineSpec]) -> Option<String> {
        let start = read_fen(fen).ok()?;
        for engine in engines {
            let limits = engine.limits.unwrap_or(self.config.limits);
            if engine.lacks_setboard
                && let Err(reason) = OldWay::to(&start, &limits)
            {
                let name = &engine.name;
                return Some(format!("engine {name} cannot be given {fen}: {reason}"));
            }
        }
        None
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
        let config = &self.config;
        let second = number.is_multiple_of(2);
        let pair = number.div_ceil(2);
        let [white, black] = pairing.engines;
        let mut engines = ByColor { white, black };
        if second {
            engines.swap();
        }
        GamePlan {
            number,
            round: format!("{}.{}", pairing.round, 1 + u32::from(second)),
            pair,
            engines,
            opening: self.openings[pair as usize - 1].clone(),
            limits: engines.map(|engine| config.engines[engine].limits.unwrap_or(config.limits)),
            margin: Duration::from_millis(config.margin),
            adjudication: config.adjudication.clone(),
        }
    }

    /// The settings in the journal: two tournaments with the same settings play the same games from
    /// the same openings. The names of files do not matter, but their content does.
    pub fn settings(&self) -> Value {
        let config = &self.config;
        let mut settings = json!({
            "schedule": self.schedule.kind,
            "rounds": self.schedule.rounds,
            "challengers": self.schedule.challengers,
            "engines": config.engines,
            "limits": config.limits,
            "margin": config.margin,
            "adjudication": config.adjudication,
            "sprt": config.sprt,
            "seed": config.seed,
            "openings": {
                "order": config.openings.order,
                "plies": config.openings.plies,
                "start": config.openings.start,
                // In the journals of all versions.
                "change": "pair",
                "content": format!("{:016x}", fingerprint(&self.openings)),
            },
        });
        // Journals that are older than this know nothing of it.
        if let Some(tables) = &self.tables {
            settings["tablebases"] = tables.to_string().into();
        }
        if let Some(files) = files_of(&config.engines) {
            settings["files"] = files;
        }
        if let Some(part) = config.part {
            settings[Part::KEY] = part.to_string().into();
        }
        settings
    }
}

#[cfg(test)]
mod tests;
