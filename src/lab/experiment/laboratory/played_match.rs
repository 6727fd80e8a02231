//! Matches between two engines, as experiments need them.

use std::collections::BTreeMap;

use anyhow::{Context as _, ensure};
use serde::{Serialize, Serializer};
use serde_json::json;

use super::Laboratory;
use crate::arena::config::{Config, OutputFiles};
use crate::arena::referee::Referee;
use crate::arena::schedule::Kind;
use crate::arena::statistics::{Encounter, Estimate, MatchScore};
use crate::arena::tournament::{self, Ending, Observer, Player, TournamentState};
use crate::arena::types::{Adjudication, DrawRule, WinRule};
use crate::arena::{
    EngineLimits, EngineSpec, EngineTable, GameRecord, MoveRecord, Protocol, check_engines, game,
};
use crate::eval::Evaluation;
use crate::lab::experiment::Conditions;
use crate::lab::experiment::verdict::{ClaimVerdict, Part, above};
use crate::lab::experiment::words::{listed, signed};
use crate::lab::tuning::Stopped;
use crate::rules::score::Score;
use crate::search::AlphaBetaOptions;
use crate::search::genetic::params::Preset;
use crate::util::display::counted;
use crate::util::options::{OptionGroup as _, OptionKind};

/// The rules by which the arena ends games of experiments: both sides agree on ten pawns or more,
/// or on nothing at all late in the game. [`PlayedMatch::endings_in_words`] tells readers.
const ADJUDICATION: Adjudication = Adjudication {
    draw: Some(DrawRule {
        from_move: 60,
        moves: 8,
        score: 10,
    }),
    win: Some(WinRule {
        moves: 4,
        score: 1000,
    }),
    max_moves: Some(150),
    tablebases: None,
};

/// Milliseconds that a clock may be below zero: for a machine with other work to do.
const MARGIN: u64 = 100;

/// The paper's evaluation, independent of the default.
pub const PAPERS_EVALUATION: (&str, &str) = ("Evaluation", Evaluation::Paper.into_str());

/// Makes an engine with some options that speaks UCI, a protocol with fractions of a second.
pub(super) fn uci(name: &str, command: &str, options: &[(&str, &str)]) -> EngineSpec {
    let mut spec = EngineSpec::new(name, command);
    spec.protocol = Some(Protocol::Uci);
    for &(name, value) in options {
        spec.options.push((name.to_owned(), value.to_owned()));
    }
    spec
}

/// Makes one of our own engines with some options, without its book. The genetic search has the
/// user's preset: by default the paper's.
pub fn ours(
    conditions: &Conditions,
    name: &str,
    backend: &str,
    options: &[(&str, &str)],
) -> EngineSpec {
    let preset = if backend == "genetic" {
        conditions.preset
    } else {
        Preset::Paper
    };
    let always = [
        ("OwnBook", "false"),
        ("Preset", preset.into_str()),
        PAPERS_EVALUATION,
    ];
    let command = format!("kashan:{backend}");
    uci(name, &command, &[&always, options].concat())
}

/// Returns the options that switch off all parts of our alpha-beta search, except `parts`.
pub fn alphabeta_with(parts: &[&str]) -> Vec<(&'static str, &'static str)> {
    let mut options = Vec::new();
    for spec in AlphaBetaOptions::default().specs() {
        if matches!(spec.kind, OptionKind::Check { .. }) {
            let is_on = parts.contains(&spec.name);
            options.push((spec.name, if is_on { "true" } else { "false" }));
        }
    }
    options
}

/// Stockfish with some options, on one thread: with more the same search is not the same twice.
pub fn stockfish(name: &str, options: &[(&str, &str)], limits: EngineLimits) -> EngineSpec {
    let always = [("Threads", "1"), ("Hash", "16")];
    EngineSpec {
        limits: Some(limits),
        ..uci(name, "stockfish", &[&always, options].concat())
    }
}

/// A match for an experiment.
#[derive(Clone, Debug)]
pub struct Match {
    /// The name in journals and progress: letters, digits and hyphens.
    pub work: String,
    /// The difference to the other matches of the experiment.
    pub what: String,
    /// Their names differ; each has limits of its own, or those of the match.
    pub engines: [EngineSpec; 2],
    pub limits: EngineLimits,
    /// An even number: every opening is played with both colours.
    pub games: u32,
    /// The claim, or the measured quantity.
    pub statement: String,
    /// True if the statement means that the first engine is the stronger one.
    pub is_claim: bool,
}

impl Match {
    /// Makes a match for a measurement.
    pub fn new(
        work: impl Into<String>,
        what: impl Into<String>,
        engines: [EngineSpec; 2],
        limits: EngineLimits,
        games: u32,
    ) -> Match {
        let what = what.into();
        Match {
            work: work.into(),
            statement: what.clone(),
            what,
            engines,
            limits,
            games,
            is_claim: false,
        }
    }

    /// Adds a claim to the match.
    pub fn claiming(self, claim: impl Into<String>) -> Match {
        Match {
            is_claim: true,
            ..self.stating(claim)
        }
    }

    /// Adds words for the measured quantity.
    pub fn stating(self, statement: impl Into<String>) -> Match {
        Match {
            statement: statement.into(),
            ..self
        }
    }
}

/// A match with its games.
#[derive(Clone, Debug)]
pub struct PlayedMatch {
    pub wanted: Match,
    /// The games in the order of the schedule.
    pub records: Vec<GameRecord>,
    /// The results, seen by the first engine.
    pub encounter: Encounter,
}

impl Laboratory {
    /// Plays matches, one after the other, or the rest of them.
    pub fn play_all(&self, matches: Vec<Match>) -> anyhow::Result<Vec<PlayedMatch>> {
        matches.into_iter().map(|one| self.play(one)).collect()
    }

    /// Plays a match, or its rest. Openings are Kashan's own lines, eight half-moves of each, drawn
    /// by the seed.
    ///
    /// # Errors
    /// [`Stopped`]; engines that do not start; unreadable or unwritable journals.
    pub fn play(&self, wanted: Match) -> anyhow::Result<PlayedMatch> {
        let work = wanted.work.as_str();
        let config = Config {
            name: work.to_owned(),
            schedule: Some(Kind::Match),
            rounds: Some(wanted.games.div_ceil(2)),
            limits: wanted.limits,
            margin: MARGIN,
            adjudication: ADJUDICATION,
            seed: self.conditions.seed,
            engines: wanted.engines.to_vec(),
            ..Config::default()
        };
        let tournament = config.tournament()?;
        let journal = self.journal(work, &tournament.settings())?;
        let engines_there = check_engines(&tournament.config.engines, self.stop.signal())?;
        let conditions = game::Conditions::new(engines_there.into(), self.stop.signal().clone());
        let players = |_| -> anyhow::Result<Player> {
            let mut table = EngineTable::new(conditions.clone());
            Ok(Box::new(move |plan| table.play(plan)))
        };
        let output = OutputFiles {
            pgn: Some(journal.with_extension("pgn")),
            journal: Some(journal),
            keep_moves: true,
        };
        let (state, ending) = tournament::run(
            &tournament,
            &output,
            self.conditions.concurrency.max(1),
            &players,
            &self.stop,
            &mut Progress {
                laboratory: self,
                work,
            },
        )
        .with_context(|| format!("match {work}"))?;
        ensure!(ending != Ending::Stopped, Stopped);
        let records: Vec<GameRecord> = state.records().cloned().collect();
        let is_broken = |record: &&GameRecord| record.result.reason.is_breakdown();
        let broken = records.iter().filter(is_broken).count();
        ensure!(
            2 * broken <= records.len(),
            "match {work}: in {broken} of {} an engine broke down, which measures nothing",
            counted(records.len(), "game")
        );
        let encounter = state.results().encounter(0, 1);
        Ok(PlayedMatch {
            wanted,
            records,
            encounter,
        })
    }
}

impl PlayedMatch {
    /// Returns the names of its engines.
    pub fn names(&self) -> [&str; 2] {
        self.wanted
            .engines
            .each_ref()
            .map(|engine| engine.name.as_str())
    }

    /// Returns the verdict on its claim, or its measurement.
    pub fn part(&self) -> Part {
        let verdict = if self.wanted.is_claim {
            ClaimVerdict::of_elo(above(0.0), &self.encounter)
        } else {
            ClaimVerdict::Measured
        };
        Part::new(&self.wanted.statement, verdict, self.in_words())
    }

    /// Returns the number of games that each engine lost for another reason than chess: by its
    /// clock, a crash, an illegal move.
    pub fn faults(&self) -> [u32; 2] {
        let mut faults = [0; 2];
        for record in &self.records {
            if record.result.reason.is_forfeit()
                && let Some(loser) = record.loser()
            {
                faults[usize::from(loser != self.names()[0])] += 1;
            }
        }
        faults
    }

    /// Returns the moves of each engine, in the order of play.
    pub fn moves(&self) -> [Vec<&MoveRecord>; 2] {
        let mut moves = [Vec::new(), Vec::new()];
        for record in &self.records {
            // A record that can be journalled has an opening that can be played.
            let first = Referee::new(&record.opening)
                .map_or(shakmaty::Color::White, |referee| referee.turn());
            let white = usize::from(record.white != self.names()[0]);
            let first = first.fold_wb(white, 1 - white);
            for (ply, played) in record.moves.iter().enumerate() {
                moves[(first + ply) % 2].push(played);
            }
        }
        moves
    }

    /// Describes how games ended: the reasons with their numbers, and the rules of the arena.
    pub fn endings_in_words(played_matches: &[PlayedMatch]) -> String {
        let mut endings: BTreeMap<String, u32> = BTreeMap::new();
        for record in played_matches.iter().flat_map(|one| &one.records) {
            let reason = record.result.reason;
            let ending = match record.loser() {
                Some(loser) if reason.is_forfeit() => format!("{reason} of {loser}"),
                _ => reason.to_string(),
            };
            *endings.entry(ending).or_default() += 1;
        }
        let endings = listed(endings, ", ", |(ending, games)| format!("{ending} {games}"));
        format!(
            "How the games ended: {endings}. A game is won when both sides agree on ten pawns or more for four moves, and drawn when both see \
             0.1 pawns or less for eight moves from move 60 on, or after 150 moves. A clock may be {MARGIN} ms below zero before the game is lost."
        )
    }

    /// Returns the share of the second engine's moves from a search finished to a depth, or with a
    /// mate found before; `None` without moves.
    pub fn share_finished(&self, depth: u32) -> Option<f64> {
        let [_, moves] = self.moves();
        let is_finished = |played: &&&MoveRecord| {
            let is_mate = played.score.is_some_and(|score| Score(score).is_mate());
            is_mate || played.depth.is_some_and(|reached| reached >= depth)
        };
        let finished = moves.iter().filter(is_finished).count();
        (!moves.is_empty()).then(|| finished as f64 / moves.len() as f64)
    }

    /// `13 wins, 4 draws, 3 losses: 75 %, +191 Elo (95 % from +40 to +420)`
    pub fn in_words(&self) -> String {
        let MatchScore {
            wins,
            draws,
            losses,
        } = self.encounter.score;
        let rate = 100.0 * self.encounter.score.rate().unwrap_or_default();
        let mut text = format!("{wins} wins, {draws} draws, {losses} losses: {rate:.1} %");
        if let Some(elo) = self.encounter.outcomes.elo() {
            text += &format!(", {}", elo_in_words(elo));
        }
        text
    }
}

/// `+191 Elo (95 % from +40 to +420)`
pub fn elo_in_words(elo: Estimate) -> String {
    let [value, low, high] = elo.interval().map(signed);
    format!("{value} Elo (95 % from {low} to {high})")
}

/// The numbers, for programs.
impl Serialize for PlayedMatch {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let numbers = json!({
            "what": self.wanted.what,
            "limits": self.wanted.limits,
            "engines": self.names(),
            "score": self.encounter.score,
            "pairs": self.encounter.outcomes.pairs,
            "rate": self.encounter.score.rate(),
            "elo": self.encounter.outcomes.elo(),
            "superiority": self.encounter.outcomes.superiority(),
            "faults": self.faults(),
        });
        numbers.serialize(serializer)
    }
}

struct Progress<'p> {
    laboratory: &'p Laboratory,
    work: &'p str,
}

impl Progress<'_> {
    fn tell(&self, state: &TournamentState<'_>) {
        let done = state.records().len();
        let total = state.tournament.games() as usize;
        self.laboratory.watcher.progress(self.work, done, total);
    }
}

impl Observer for Progress<'_> {
    fn note(&mut self, text: &str) {
        self.laboratory.watcher.note(text);
    }

    fn begins(&mut self, state: &TournamentState<'_>) {
        self.tell(state);
    }

    fn game_ended(&mut self, record: &GameRecord, state: &TournamentState<'_>) {
        if record.result.reason.is_forfeit() {
            self.laboratory.watcher.note(&format!(
                "{}, game {}: {}",
                self.work, record.number, record.result.detail
            ));
        }
        self.tell(state);
    }
}
