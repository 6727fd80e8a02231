//! The table at which games are played: it has the engines' processes and keeps them from one game to the next.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, anyhow};
use shakmaty::{ByColor, Color};

use super::client::driver::Beginning;
use super::client::{Client, ClientError, Patience};
use super::game::{Course, Game, interrupted, lost};
use super::referee::Referee;
use super::{EngineSpec, GamePlan, GamePlayer, GameRecord, GameResult, Protocol, Reason, StopSignal};

/// Plays games between the engines of a tournament, one after the other.
///
/// Only the two engines of the last game have a process: a tournament of many engines, played at several tables, would otherwise fill the
/// memory with hash tables of engines that wait.
pub struct EngineTable {
    specs: Arc<[EngineSpec]>,
    /// Which engines were ready for a game before: their failures are theirs, not the user's. Shared by all tables.
    proven: Arc<[AtomicBool]>,
    stop: StopSignal,
    patience: Patience,
    seats: ByColor<Option<Seat>>,
}

/// A process, and whose it is.
struct Seat {
    engine: usize,
    client: Client,
}

/// Why there is no game.
enum Failure {
    /// It ends before it began.
    Ended(GameResult),
    /// There is no point in going on at all.
    Fatal(anyhow::Error),
}

impl EngineTable {
    /// A table for these engines; no process starts before its first game.
    pub fn new(specs: Arc<[EngineSpec]>, stop: StopSignal) -> Self {
        EngineTable {
            proven: specs.iter().map(|_| AtomicBool::new(false)).collect(),
            specs,
            stop,
            patience: Patience::default(),
            seats: ByColor::default(),
        }
    }

    /// How long to wait for engines, if not as long as usual.
    pub fn with_patience(mut self, patience: Patience) -> Self {
        self.patience = patience;
        self
    }

    /// One more table in the same tournament: an engine that was ready at one is known to be one at all.
    pub fn another(&self) -> Self {
        EngineTable {
            specs: self.specs.clone(),
            proven: self.proven.clone(),
            stop: self.stop.clone(),
            patience: self.patience,
            seats: ByColor::default(),
        }
    }

    /// Brings both engines to the table and sets up the game.
    fn prepare(&mut self, plan: &GamePlan, referee: &Referee) -> Result<ByColor<Client>, Failure> {
        let engines = ByColor {
            white: plan.white,
            black: plan.black,
        };
        let mut kept = self.keep(engines);
        let white = self.seat(plan, referee, Color::White, kept.white.take())?;
        let black = self.seat(plan, referee, Color::Black, kept.black.take())?;
        Ok(ByColor { white, black })
    }

    /// The processes of the last game that are of use in this one; the others end.
    fn keep(&mut self, engines: ByColor<usize>) -> ByColor<Option<Client>> {
        let mut seats: Vec<Seat> = [self.seats.white.take(), self.seats.black.take()]
            .into_iter()
            .flatten()
            .collect();
        engines.map(|engine| {
            let found = seats.iter().position(|seat| seat.engine == engine)?;
            Some(seats.swap_remove(found).client)
        })
    }

    /// One engine, ready for the game. A process that does not get ready for a second game is replaced once by a new one.
    fn seat(
        &self,
        plan: &GamePlan,
        referee: &Referee,
        color: Color,
        kept: Option<Client>,
    ) -> Result<Client, Failure> {
        let [own, other] = color.fold_wb([plan.white, plan.black], [plan.black, plan.white]);
        let spec = self.spec(own)?;
        let beginning = Beginning {
            referee,
            limits: color.fold_wb(&plan.limits[0], &plan.limits[1]),
            ponder: spec.ponder,
            opponent: &self.spec(other)?.name,
        };
        if let Some(mut client) = kept {
            match client.prepare(&beginning, &self.stop) {
                Ok(()) => return Ok(client),
                Err(ClientError::Stopped) => return Err(Failure::Ended(interrupted())),
                Err(error) => {
                    log::warn!("{error}; it is started again");
                    client.give_up();
                }
            }
        }
        let ready = Client::start(spec, self.patience, &self.stop).and_then(|mut client| {
            client.prepare(&beginning, &self.stop)?;
            Ok(client)
        });
        match ready {
            Ok(client) => {
                self.proven[own].store(true, Ordering::Relaxed);
                Ok(client)
            }
            Err(ClientError::Stopped) => Err(Failure::Ended(interrupted())),
            Err(error) if self.proven[own].load(Ordering::Relaxed) => {
                Err(Failure::Ended(lost(color, Reason::NoStart, error.to_string())))
            }
            Err(error) => Err(Failure::Fatal(error.into())),
        }
    }

    fn spec(&self, engine: usize) -> Result<&EngineSpec, Failure> {
        self.specs
            .get(engine)
            .ok_or_else(|| Failure::Fatal(anyhow!("there is no engine {engine}, only {}", self.specs.len())))
    }

    /// How long an engine may think about a move where no clock decides.
    fn stall(&self, engine: usize) -> Duration {
        let own = self.specs[engine].stall;
        own.map_or(self.patience.stall, |seconds| Duration::from_secs(seconds.into()))
    }

    fn play_prepared(&mut self, plan: &GamePlan, referee: Referee, mut clients: ByColor<Client>) -> Course {
        let engines = [plan.white, plan.black];
        let name = |engine: usize| self.specs[engine].name.as_str();
        let names = ByColor {
            white: name(plan.white),
            black: name(plan.black),
        };
        let course = Game::new(
            plan,
            referee,
            names,
            clients.as_mut(),
            &self.stop,
            ByColor {
                white: self.stall(plan.white),
                black: self.stall(plan.black),
            },
        )
        .play();
        for (color, client) in Color::ALL.into_iter().zip(clients) {
            let engine = engines[color.fold_wb(0, 1)];
            if client.is_reusable() && !self.specs[engine].restart {
                *self.seats.get_mut(color) = Some(Seat { engine, client });
            }
        }
        course
    }
}

impl GamePlayer for EngineTable {
    fn play(&mut self, plan: &GamePlan) -> anyhow::Result<GameRecord> {
        let started = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |since| since.as_secs());
        let referee = Referee::new(&plan.opening).with_context(|| format!("game {}", plan.number))?;
        let course = match self.prepare(plan, &referee) {
            Ok(clients) => self.play_prepared(plan, referee, clients),
            Err(Failure::Ended(result)) => Course {
                moves: Vec::new(),
                result,
            },
            Err(Failure::Fatal(error)) => return Err(error),
        };
        let name = |engine: usize| self.specs[engine].name.clone();
        Ok(GameRecord {
            number: plan.number,
            round: plan.round.clone(),
            pair: plan.pair,
            white: name(plan.white),
            black: name(plan.black),
            opening: plan.opening.clone(),
            moves: course.moves,
            result: course.result,
            limits: plan.limits.map(|limits| limits.to_string()),
            started,
        })
    }
}

/// The engines with the protocols that they turned out to speak, so that nobody has to find them out again.
///
/// # Errors
/// As [`check_engines`].
pub fn with_protocols(specs: &[EngineSpec], stop: &StopSignal) -> anyhow::Result<Arc<[EngineSpec]>> {
    let reports = check_engines(specs, stop)?;
    let specs = specs.iter().zip(reports).map(|(spec, report)| EngineSpec {
        protocol: Some(report.protocol),
        ..spec.clone()
    });
    Ok(specs.collect())
}

/// What an engine says when it is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineReport {
    /// What it calls itself; some do not say.
    pub own_name: Option<String>,
    /// What it speaks, found out or as the spec says. Put into the spec, it saves finding it out again.
    pub protocol: Protocol,
}

/// Starts every engine once, sets its options, and ends it again: mistakes show before the first game.
///
/// # Errors
/// The first engine that cannot be started, does not answer, or does not have an option; the text names it. Also if `stop` is given.
pub fn check_engines(specs: &[EngineSpec], stop: &StopSignal) -> anyhow::Result<Vec<EngineReport>> {
    specs
        .iter()
        .map(|spec| {
            let client = Client::start(spec, Patience::default(), stop)?;
            Ok(EngineReport {
                own_name: client.own_name().map(str::to_owned),
                protocol: client.protocol(),
            })
        })
        .collect()
}
