//! Playing a tournament: several games at a time, each in a thread of its own.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde::Serialize;

use super::{JournalEntry, Tournament, TournamentState};
use crate::arena::config::{Config, OutputFiles};
use crate::arena::pgn::Writer;
use crate::arena::pgn_file::PgnFile;
use crate::arena::{GamePlan, GameRecord, Reason};
use crate::util::jobs::StopRequest;
use crate::util::jobs::journal::{self, Journal};
use crate::util::jobs::queue::{self, Queue};

/// An observer of a tournament. Every call comes in the thread of the run.
pub trait Observer {
    /// Passes on a note for people.
    fn note(&mut self, _text: &str) {}

    /// The tournament begins, or goes on after the games of `state`.
    fn begins(&mut self, _state: &TournamentState<'_>) {}

    /// A game ended and is on the disk; `state` has the game too.
    fn game_ended(&mut self, _record: &GameRecord, _state: &TournamentState<'_>) {}
}

/// Plays planned games, one after the other, as
/// [`EngineTable::play`](crate::arena::EngineTable::play) does.
pub type Player = Box<dyn FnMut(&GamePlan) -> anyhow::Result<GameRecord>>;

/// Makes the player for one of the games running at the same time, numbered from 0.
pub type Players<'p> = dyn Fn(usize) -> anyhow::Result<Player> + Sync + 'p;

/// The end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Ending {
    /// Every game was played.
    Complete,
    /// The sequential test came to its decision.
    Decided,
    /// The run was stopped before.
    Stopped,
}

/// Plays the rest of a tournament, `concurrency` games at a time, records the games in the files of
/// `output`, and returns all its games and the ending.
///
/// # Errors
/// Fails on a journal or PGN file that cannot be written or belongs to something else, and on an
/// engine never started. The running games are broken off then. Earlier games stay in the journal.
pub fn run<'t>(
    tournament: &'t Tournament,
    output: &OutputFiles,
    concurrency: usize,
    players: &Players<'_>,
    stop: &StopRequest,
    observer: &mut dyn Observer,
) -> anyhow::Result<(TournamentState<'t>, Ending)> {
    let mut recorder = Recorder::open(tournament, output, observer)?;
    recorder.observer.begins(&recorder.state);
    let make_worker = |number| {
        let mut player = players(number)?;
        Ok(move |plan: GamePlan| {
            let record = player(&plan)?;
            // An interrupted game was not played: it is missing from the journal, so it is played
            // when the tournament goes on.
            Ok((record.result.reason != Reason::Interrupted).then_some(record))
        })
    };
    let played = queue::run(&mut recorder, concurrency, make_worker, stop);
    // What was played is in the PGN whatever went wrong.
    let finished = recorder.finish();
    played?;
    let state = finished?;
    let ending = match state.decision {
        Some(_) => Ending::Decided,
        None if state.is_complete() => Ending::Complete,
        None => Ending::Stopped,
    };
    Ok((state, ending))
}

/// Opens the journal of a tournament, and hands out its entries with their places. Also returns the
/// [torn](journal::Contents::torn) text.
fn open_journal(
    path: &Path,
    tournament: &Tournament,
    learn: &mut dyn FnMut(JournalEntry, u64) -> Result<(), String>,
) -> anyhow::Result<(Journal, Option<String>)> {
    let mut settings = tournament.settings();
    // There may be more rounds by now, and with them openings. Each game that was played is
    // compared with the plan.
    if let Some(before) = journal::settings(path)? {
        settings["rounds"] = before["rounds"].clone();
        settings["openings"]["content"] = before["openings"]["content"].clone();
    }
    Journal::open_each(path, &settings, learn)
}

fn of_pgn(path: &Path) -> String {
    format!("PGN file {}", path.display())
}

/// TournamentState, journal, PGN and observer; they learn of every game in this order.
struct Recorder<'t, 'o> {
    state: TournamentState<'t>,
    journal: Option<Journal>,
    pgn: Option<(PathBuf, PgnFile)>,
    observer: &'o mut dyn Observer,
}

impl Queue<GamePlan, GameRecord> for Recorder<'_, '_> {
    fn next(&mut self) -> Option<GamePlan> {
        self.state.next_game()
    }

    fn take(&mut self, record: GameRecord) -> anyhow::Result<()> {
        self.add(&record)?;
        self.observer.game_ended(&record, &self.state);
        Ok(())
    }
}

impl<'t, 'o> Recorder<'t, 'o> {
    fn open(
        tournament: &'t Tournament,
        output: &OutputFiles,
        observer: &'o mut dyn Observer,
    ) -> anyhow::Result<Recorder<'t, 'o>> {
        let mut state = TournamentState::new(tournament, output.keep_moves);
        let mut places = BTreeMap::new();
        let mut journal = None;
        if let Some(path) = &output.journal {
            let mut learn = |entry: JournalEntry, place| {
                if let JournalEntry::Game(record) = &entry {
                    places.insert(record.number, place);
                }
                state.learn(entry)
            };
            let (opened, torn) = open_journal(path, tournament, &mut learn)?;
            journal = Some(opened);
            if let Some(torn) = torn {
                observer.note(&torn);
            }
        }
        let mut pgn = None;
        if let Some(path) = &output.pgn {
            // The moves of all games may not fit into memory: each is read when it is needed.
            let mut game = |number: u32| {
                if let (Some(journal), Some(&place)) = (&mut journal, places.get(&number))
                    && let JournalEntry::Game(record) = journal.entry_at(place)?
                {
                    return Ok(*record);
                }
                Err(io::Error::from(io::ErrorKind::NotFound))
            };
            let played: Vec<u32> = state.records().map(|record| record.number).collect();
            let Config {
                name, site, part, ..
            } = &tournament.config;
            let writer = Writer {
                event: name.clone(),
                site: site.clone(),
            };
            let file = PgnFile::create(path, &played, &mut game, &writer, *part);
            pgn = Some((path.clone(), file.with_context(|| of_pgn(path))?));
        }
        Ok(Recorder {
            state,
            journal,
            pgn,
            observer,
        })
    }

    /// Adds a game, to the journal first: the journal counts.
    fn add(&mut self, record: &GameRecord) -> anyhow::Result<()> {
        if let Some(journal) = &mut self.journal {
            journal.add(&JournalEntry::Game(Box::new(record.clone())))?;
        }
        if let Some((path, pgn)) = &mut self.pgn {
            pgn.add(record).with_context(|| of_pgn(path))?;
        }
        if let Some(decision) = self.state.add(record.clone())
            && let Some(journal) = &mut self.journal
        {
            journal.add(&JournalEntry::Decided(decision))?;
        }
        Ok(())
    }

    fn finish(self) -> anyhow::Result<TournamentState<'t>> {
        if let Some((path, mut pgn)) = self.pgn {
            // A journal brings the games between when the tournament goes on.
            if self.journal.is_none() {
                pgn.write_waiting().with_context(|| of_pgn(&path))?;
            }
            pgn.finish().with_context(|| of_pgn(&path))?;
        }
        Ok(self.state)
    }
}
