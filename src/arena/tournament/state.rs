//! The played games of a tournament, and the next ones.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use shakmaty::Color;

use super::Tournament;
use crate::arena::schedule::Pairing;
use crate::arena::statistics::{Decision, Pentanomial, Results, Sprt, SprtStatus};
use crate::arena::{GamePlan, GameRecord, Opening};

/// A line of a tournament's journal, but the first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum JournalEntry {
    /// A finished game.
    Game(Box<GameRecord>),
    /// The sequential test decided the match: no further game is to be played.
    Decided(Decision),
}

/// The state of a tournament: the games played and the next one. Games may end in any order.
#[derive(Debug)]
pub struct TournamentState<'t> {
    pub tournament: &'t Tournament,
    pairings: Vec<Pairing>,
    records: BTreeMap<u32, GameRecord>,
    /// The first game neither played before nor handed out.
    next: u32,
    /// Complete pairs of a match, seen by its first engine.
    pairs: Pentanomial,
    /// The decision of the sequential test; later games do not change it.
    pub decision: Option<Decision>,
    keeps_moves: bool,
}

impl<'t> TournamentState<'t> {
    /// The state before the first game. Without their moves games take little memory, however many
    /// there are.
    pub fn new(tournament: &'t Tournament, keeps_moves: bool) -> TournamentState<'t> {
        TournamentState {
            tournament,
            pairings: tournament.schedule.pairings(),
            records: BTreeMap::new(),
            next: 1,
            pairs: Pentanomial::default(),
            decision: None,
            keeps_moves,
        }
    }

    /// Takes an entry of the journal.
    ///
    /// # Errors
    /// Fails on a game foreign to this tournament, or there twice.
    pub fn learn(&mut self, entry: JournalEntry) -> Result<(), String> {
        let record = match entry {
            JournalEntry::Game(record) => *record,
            JournalEntry::Decided(decision) => {
                self.decision = Some(decision);
                return Ok(());
            }
        };
        let number = record.number;
        let Some(plan) = self.plan(number) else {
            let games = self.tournament.games();
            return Err(format!(
                "the journal has a game {number}, and this tournament has {games} games"
            ));
        };
        if self.records.contains_key(&number) {
            return Err(format!("game {number} is in the journal twice"));
        }
        let engines = &self.tournament.config.engines;
        let what = if record.white != engines[plan.engines.white].name {
            "player of White"
        } else if record.black != engines[plan.engines.black].name {
            "player of Black"
        } else if record.opening != plan.opening {
            "opening"
        } else if record.pair != plan.pair {
            "pair"
        } else {
            self.add(record);
            return Ok(());
        };
        Err(format!(
            "game {number} of the journal has another {what} than planned"
        ))
    }

    fn plan(&self, number: u32) -> Option<GamePlan> {
        let pairing = self.pairings.get((number.checked_sub(1)? / 2) as usize)?;
        let is_played = self.tournament.plays(number);
        is_played.then(|| self.tournament.plan(number, pairing))
    }

    /// The worth of a game for a side; `None` if not played, or not decided.
    fn worth(&self, number: u32, color: Color) -> Option<f64> {
        self.records.get(&number)?.result.verdict.points(color)
    }

    /// The next game, handed out only once; `None` if there is none.
    pub fn next_game(&mut self) -> Option<GamePlan> {
        if self.decision.is_some() {
            return None;
        }
        while self.records.contains_key(&self.next) || !self.tournament.plays(self.next) {
            self.next += 1;
        }
        let plan = self.plan(self.next)?;
        self.next += 1;
        Some(plan)
    }

    /// Adds a played game. Returns the decision if the game decided the match: then nothing more is
    /// handed out.
    pub fn add(&mut self, mut record: GameRecord) -> Option<Decision> {
        let number = record.number;
        if !self.keeps_moves {
            record.moves = Vec::new();
            record.opening = Opening::default();
        }
        self.records.insert(number, record);
        let first = number - (number + 1) % 2;
        if let Some(white) = self.worth(first, Color::White)
            && let Some(black) = self.worth(first + 1, Color::Black)
        {
            self.pairs.add_pair(white, black);
        }
        if self.decision.is_some() {
            return None;
        }
        let decision = self.sprt().map(|(_, status)| status.decision);
        self.decision = decision.filter(|&decision| decision != Decision::Continue);
        self.decision
    }

    /// The games played so far, in the order of their numbers.
    pub fn records(&self) -> impl ExactSizeIterator<Item = &GameRecord> + Clone {
        self.records.values()
    }

    /// The results so far; the players are in the order of the engines.
    pub fn results(&self) -> Results {
        let engines = &self.tournament.config.engines;
        let mut results = Results::new(engines.iter().map(|engine| &engine.name));
        for record in self.records() {
            results.add_record(record);
        }
        results
    }

    /// The sequential test, if there is one, and its standing.
    pub fn sprt(&self) -> Option<(Sprt, SprtStatus)> {
        let sprt = self.tournament.config.sprt?;
        Some((sprt, sprt.status(self.pairs.into())))
    }

    /// Returns true if everything asked for was played: all games, or enough to decide the match.
    pub fn is_complete(&self) -> bool {
        self.decision.is_some() || self.records.len() == self.tournament.games() as usize
    }
}
