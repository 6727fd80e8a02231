//! The table for playing games: its engines' processes stay from one game to the next.

use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::Context;
use shakmaty::{ByColor, Color};

use super::client::driver::Beginning;
use super::client::{Client, ClientError, Timeouts};
use super::game::{Conditions, RunningGame, interrupted};
use super::referee::Referee;
use super::{EngineSpec, GamePlan, GameRecord, GameResult, Reason};
use crate::util::display;
use crate::util::jobs::StopSignal;

/// The longest own name of an engine, in letters.
const LONGEST_NAME: usize = 60;

/// Plays games between the engines of a tournament, one after the other.
///
/// Only the two engines of the last game have a process: a tournament of many engines, played at
/// several tables, would otherwise fill the memory with hash tables of waiting engines.
pub struct EngineTable {
    pub conditions: Conditions,
    /// The reusable processes of the last game, each with the number of its engine.
    kept: ByColor<Option<(usize, Client)>>,
}

/// The reason for a missing game.
enum Failure {
    /// The game ends before its beginning.
    Ended(GameResult),
    /// There is no point in going on at all.
    Fatal(anyhow::Error),
}

impl EngineTable {
    /// A table without processes before its first game. An engine once ready at one table counts as
    /// proven at all with the same conditions.
    pub fn new(conditions: Conditions) -> Self {
        EngineTable {
            conditions,
            kept: ByColor::default(),
        }
    }

    /// Plays the game to its end whatever the engines do, or to [`Reason::Interrupted`] if told to
    /// stop.
    ///
    /// # Errors
    /// Fails only if going on is pointless: an engine never started since the tournament began.
    pub fn play(&mut self, plan: &GamePlan) -> anyhow::Result<GameRecord> {
        let started = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |since| since.as_secs());
        let referee =
            Referee::new(&plan.opening).with_context(|| format!("game {}", plan.number))?;
        let played = match self.prepare(plan, &referee) {
            Ok(clients) => self.play_prepared(plan, referee, clients),
            Err(Failure::Ended(result)) => GameRecord {
                result,
                ..GameRecord::default()
            },
            Err(Failure::Fatal(error)) => return Err(error),
        };
        let name = |engine: usize| self.conditions.specs[engine].name.clone();
        Ok(GameRecord {
            number: plan.number,
            round: plan.round.clone(),
            pair: plan.pair,
            white: name(plan.engines.white),
            black: name(plan.engines.black),
            opening: plan.opening.clone(),
            limits: [plan.limits.white, plan.limits.black].map(|limits| limits.to_string()),
            started,
            ..played
        })
    }

    /// Gets both engines ready and sets up the game.
    fn prepare(&mut self, plan: &GamePlan, referee: &Referee) -> Result<ByColor<Client>, Failure> {
        let mut kept = self.take_kept(plan.engines);
        let white = self.ready_client(plan, referee, Color::White, kept.white.take())?;
        let black = self.ready_client(plan, referee, Color::Black, kept.black.take())?;
        Ok(ByColor { white, black })
    }

    /// The processes of the last game useful in this one; the others end.
    fn take_kept(&mut self, engines: ByColor<usize>) -> ByColor<Option<Client>> {
        let kept = std::mem::take(&mut self.kept);
        let mut clients = HashMap::<usize, Client>::from_iter(kept.into_iter().flatten());
        engines.map(|engine| clients.remove(&engine))
    }

    /// One engine, ready for the game. A process not ready for a second game is replaced once by a
    /// new one.
    fn ready_client(
        &self,
        plan: &GamePlan,
        referee: &Referee,
        color: Color,
        kept: Option<Client>,
    ) -> Result<Client, Failure> {
        let Conditions {
            proven,
            stop,
            timeouts,
            ..
        } = &self.conditions;
        let [own, other] = [color, !color].map(|side| *plan.engines.get(side));
        let spec = &self.conditions.specs[own];
        let beginning = Beginning {
            referee,
            limits: plan.limits.get(color),
            search_moves: &[],
            opponent: &self.conditions.specs[other].name,
        };
        if let Some(mut client) = kept {
            match client.prepare(&beginning, stop) {
                Ok(()) => return Ok(client),
                Err(ClientError::Stopped) => return Err(Failure::Ended(interrupted())),
                Err(error) => {
                    log::warn!("{error}; it is started again");
                    client.give_up();
                }
            }
        }
        let ready = Client::start(spec, *timeouts, stop).and_then(|mut client| {
            client.prepare(&beginning, stop)?;
            Ok(client)
        });
        match ready {
            Ok(client) => {
                proven[own].store(true, Ordering::Relaxed);
                Ok(client)
            }
            Err(ClientError::Stopped) => Err(Failure::Ended(interrupted())),
            Err(error) if proven[own].load(Ordering::Relaxed) => Err(Failure::Ended(
                GameResult::win_of(!color, Reason::NoStart, error.to_string()),
            )),
            Err(error) => Err(Failure::Fatal(error.into())),
        }
    }

    fn play_prepared(
        &mut self,
        plan: &GamePlan,
        referee: Referee,
        mut clients: ByColor<Client>,
    ) -> GameRecord {
        let first = referee.turn();
        let before = clients.as_ref().map(|client| client.process.usage());
        let own_names = [&clients.white, &clients.black]
            .map(|client| client.driver.own_name().and_then(own_name));
        let played = RunningGame::new(&self.conditions, plan, referee, clients.as_mut()).play();
        for (color, client) in Color::ALL.into_iter().zip(clients) {
            // Where no clock counts, waiting distorts nothing.
            if plan.limits.get(color).time.is_some() {
                let own = played.moves.iter().skip(usize::from(color != first));
                let times = own.step_by(2).map(|mv| Duration::from_millis(mv.time));
                let usage = client.process.usage().since(*before.get(color));
                let load = &self.conditions.load;
                load.add(usage, times.len() as u32, times.sum());
            }
            let engine = *plan.engines.get(color);
            if client.is_reusable() && !self.conditions.specs[engine].restart {
                *self.kept.get_mut(color) = Some((engine, client));
            }
        }
        GameRecord {
            own_names,
            ..played
        }
    }
}

/// An engine's own name, without characters that break lines and tables.
fn own_name(said: &str) -> Option<String> {
    let said = display::one_line(said);
    let name = said.split_whitespace().collect::<Vec<_>>().join(" ");
    let name = format!("{name:.LONGEST_NAME$}").trim_end().to_owned();
    (!name.is_empty()).then_some(name)
}

/// Starts every engine once, sets its options, and ends it again: mistakes show before the first
/// game. Returns the engines with what they call themselves, the protocols that they turned out to
/// speak, and whether they take any position.
///
/// # Errors
/// Fails on the first engine not to be started, without an answer, or without a wanted option; the
/// text names the engine. Also fails after `stop`.
pub fn check_engines(specs: &[EngineSpec], stop: &StopSignal) -> anyhow::Result<Vec<EngineSpec>> {
    let mut checked = specs.to_vec();
    for spec in &mut checked {
        let client = Client::start(spec, Timeouts::default(), stop)?;
        spec.own_name = client.driver.own_name().and_then(own_name);
        spec.protocol = Some(client.protocol);
        spec.lacks_setboard = !client.driver.takes_positions();
    }
    Ok(checked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_engines_are_fit_to_be_repeated() {
        let said = [
            "Fruit  2.1\tby Fabien",
            "\u{202e}tiurF\u{1b}[2J",
            "\u{200f} \u{7}",
        ];
        let expected = [Some("Fruit 2.1 by Fabien"), Some("tiurF [2J"), None];
        assert_eq!(
            said.map(own_name),
            expected.map(|name| name.map(str::to_owned))
        );
        assert_eq!(
            own_name(&"x".repeat(99)).map(|name| name.len()),
            Some(LONGEST_NAME)
        );
    }
}
