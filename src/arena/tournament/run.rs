//! Playing a tournament: several games at a time, each in a thread of its own.
//!
//! One thread, the caller's, hands out games and writes down what comes back, so that journal, PGN and observer see one thing after
//! the other.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::thread;

use anyhow::{Context as _, anyhow};
use crossbeam_channel::{Receiver, Sender, unbounded};

use super::{Course, StopRequest, Tournament};
use crate::arena::journal::{Entry, Journal};
use crate::arena::pgn_file::{self, PgnFile};
use crate::arena::statistics::Decision;
use crate::arena::{GamePlan, GamePlayer, GameRecord, Reason};

/// Watches a tournament. Everything is told in the thread that runs it.
pub trait Observer {
    /// Something that a person should know.
    fn note(&mut self, _text: &str) {}

    /// The tournament begins, or goes on after the games of `course`.
    fn begins(&mut self, _course: &Course<'_>) {}

    /// A game begins.
    fn game_begins(&mut self, _plan: &GamePlan) {}

    /// A game ended and is on the disk; `course` has it too.
    fn game_ended(&mut self, _record: &GameRecord, _course: &Course<'_>) {}
}

/// Nobody watches.
#[derive(Debug)]
pub struct Quiet;

impl Observer for Quiet {}

/// Makes the player for one of the games that run at the same time, numbered from 0.
pub type Players<'p> = dyn Fn(usize) -> anyhow::Result<Box<dyn GamePlayer>> + Sync + 'p;

/// Where a tournament is recorded.
pub struct Files<'f> {
    /// Without one the tournament cannot be continued.
    pub journal: Option<PathBuf>,
    pub pgn: Option<PathBuf>,
    /// Games come behind what is in the PGN file, whoever wrote it. Otherwise, it may have games of this tournament only.
    pub append: bool,
    /// How a game is written as PGN.
    pub format: &'f pgn_file::Format<'f>,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Every game was played.
    Complete,
    /// The sequential test came to its decision.
    Decided(Decision),
    /// It was stopped before.
    Stopped,
}

/// Plays what is left of a tournament, `concurrency` games at a time, and returns all its games and how it ended.
///
/// # Errors
/// A journal or PGN file that cannot be written or belongs to something else; an engine that never started. The running games are broken
/// off then. What was played before stays in the journal.
pub fn run<'t>(
    tournament: &'t Tournament,
    files: &Files<'_>,
    concurrency: usize,
    players: &Players<'_>,
    stop: &StopRequest,
    observer: &mut dyn Observer,
) -> anyhow::Result<(Course<'t>, Ending)> {
    let mut recorder = Recorder::open(tournament, files, observer)?;
    observer.begins(&recorder.course);
    let (jobs, for_workers) = unbounded::<GamePlan>();
    let (for_us, results) = unbounded();
    let played = thread::scope(|scope| {
        for worker in 0..concurrency {
            let (jobs, results) = (for_workers.clone(), for_us.clone());
            scope.spawn(move || work(worker, players, &jobs, &results));
        }
        let played = hand_out(&mut recorder, concurrency, &jobs, &results, stop, observer);
        if played.is_err() {
            stop.now();
        }
        // The workers end when there are no more jobs.
        drop(jobs);
        played
    });
    // What was played is in the PGN whatever went wrong.
    let finished = recorder.finish();
    played?;
    let course = finished?;
    let ending = match course.decision() {
        Some(decision) => Ending::Decided(decision),
        None if course.is_complete() => Ending::Complete,
        None => Ending::Stopped,
    };
    Ok((course, ending))
}

/// A worker's life: play what comes.
fn work(
    worker: usize,
    players: &Players<'_>,
    jobs: &Receiver<GamePlan>,
    results: &Sender<anyhow::Result<GameRecord>>,
) {
    let mut player = None;
    for plan in jobs {
        // A panic is a mistake of ours; it must not leave the others waiting for this game.
        let result = catch_unwind(AssertUnwindSafe(|| -> anyhow::Result<GameRecord> {
            let player = match &mut player {
                Some(player) => player,
                none => none.insert(players(worker)?),
            };
            player.play(&plan)
        }));
        let result = result.unwrap_or_else(|_| Err(anyhow!("game {}: the player panicked", plan.number)));
        if results.send(result).is_err() {
            return;
        }
    }
}

/// Keeps the workers busy until nothing is left or nothing more is wanted, and all running games have ended.
fn hand_out(
    recorder: &mut Recorder<'_, '_>,
    concurrency: usize,
    jobs: &Sender<GamePlan>,
    results: &Receiver<anyhow::Result<GameRecord>>,
    stop: &StopRequest,
    observer: &mut dyn Observer,
) -> anyhow::Result<()> {
    let mut running = 0;
    let mut failed = Ok(());
    loop {
        while running < concurrency && !stop.is_said() {
            let Some(plan) = recorder.course.next_game() else {
                break;
            };
            observer.game_begins(&plan);
            jobs.send(plan).expect("workers live as long as their jobs");
            running += 1;
        }
        if running == 0 {
            return failed;
        }
        let result = results.recv().expect("we have a sender ourselves");
        running -= 1;
        let record = match result {
            Ok(record) => record,
            Err(error) => {
                // The first to fail says why; the others may still have something to write down.
                failed = failed.and(Err(error));
                stop.now();
                continue;
            }
        };
        if record.result.reason == Reason::Interrupted {
            // Not played: it is missing from the journal, so it is played when the tournament goes on.
            continue;
        }
        recorder.add(&record)?;
        observer.game_ended(&record, &recorder.course);
    }
}

/// Course, journal and PGN, which belong together.
struct Recorder<'t, 'f> {
    course: Course<'t>,
    journal: Option<Journal>,
    pgn: Option<(PathBuf, PgnFile<'f>)>,
}

impl<'t, 'f> Recorder<'t, 'f> {
    fn open(
        tournament: &'t Tournament,
        files: &Files<'f>,
        observer: &mut dyn Observer,
    ) -> anyhow::Result<Recorder<'t, 'f>> {
        let (journal, history) = match &files.journal {
            None => (None, Default::default()),
            Some(path) => {
                let (journal, history) = Journal::open(path, &tournament.settings())?;
                (Some(journal), history)
            }
        };
        if let Some(torn) = &history.torn {
            observer.note(torn);
        }
        let journal_name = files
            .journal
            .as_ref()
            .map_or(String::new(), |path| path.display().to_string());
        let course =
            Course::resume(tournament, history.entries).with_context(|| format!("journal {journal_name}"))?;
        let pgn = match &files.pgn {
            None => None,
            Some(path) => {
                let pgn = PgnFile::create(path, course.records(), files.format, files.append)
                    .with_context(|| format!("PGN file {}", path.display()))?;
                Some((path.clone(), pgn))
            }
        };
        Ok(Recorder { course, journal, pgn })
    }

    /// The journal first: what is in it counts.
    fn add(&mut self, record: &GameRecord) -> anyhow::Result<()> {
        if let Some(journal) = &mut self.journal {
            journal.add(&Entry::Game(Box::new(record.clone())))?;
        }
        if let Some((path, pgn)) = &mut self.pgn {
            pgn.add(record)
                .with_context(|| format!("PGN file {}", path.display()))?;
        }
        if let Some(decision) = self.course.add(record.clone())
            && let Some(journal) = &mut self.journal
        {
            journal.add(&Entry::Decided(decision))?;
        }
        Ok(())
    }

    fn finish(self) -> anyhow::Result<Course<'t>> {
        if let Some((path, pgn)) = self.pgn {
            pgn.finish()
                .with_context(|| format!("PGN file {}", path.display()))?;
        }
        Ok(self.course)
    }
}
