//! One move, and what the reference says about it.

use serde::{Deserialize, Serialize};
use shakmaty::Position as _;

use super::case::Case;
use crate::arena::referee::{Played, Referee};
use crate::arena::thinking;
use crate::score::Score;
use crate::suite::{Analyst, Bands, Fault, Loss, Sample, Task, ThinkError, Thinking};

/// Somebody who thinks about a position: an engine, or in tests whoever does as if.
pub trait Thinker {
    /// The move for a position, and what it is worth.
    fn think(&mut self, task: &Task) -> Result<Thinking, ThinkError>;
}

impl Thinker for Analyst {
    fn think(&mut self, task: &Task) -> Result<Thinking, ThinkError> {
        Analyst::think(self, task)
    }
}

/// A move with the reference's value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Valued {
    /// Coordinates.
    pub uci: String,
    /// With check marks.
    pub san: String,
    /// From the mover's point of view, as in [`Score`].
    pub score: i32,
    /// What the reference expects, this move first, in standard algebraic notation.
    pub line: Vec<String>,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
}

impl Valued {
    /// From the mover's point of view.
    pub fn score(&self) -> Score {
        Score(self.score)
    }
}

/// What came of a case. This is what a journal keeps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Finding {
    /// Both moves have a value; they may be the same.
    Judged { played: Valued, best: Valued },
    /// There was no choice.
    Forced { uci: String, san: String },
    /// The engine under test made no legal move; why.
    NoMove { reason: String },
}

impl Finding {
    /// The numbers, if there are any.
    pub fn sample(&self, bands: &Bands) -> Option<Sample> {
        let Finding::Judged { played, best } = self else {
            return None;
        };
        let agrees = played.uci == best.uci;
        let loss = Loss::new(best.score(), played.score());
        Some(Sample { loss, grade: bands.grade(loss), agrees })
    }
}

/// Judges a case. Without a move of its own it is `player` who moves.
///
/// The reference first says which move is best. If that is another one than was played, each of the two gets
/// its value from a search of its own that is restricted to it (`searchmoves`), with the same limits: both
/// are seen equally deep, and the value of the first search, which went to all moves, is compared with
/// nothing.
///
/// # Errors
/// The reference failed twice, has no value for a move, or everything is to stop; a player that fails is a
/// finding.
pub fn judge(
    case: &Case,
    player: Option<&mut (dyn Thinker + '_)>,
    reference: &mut dyn Thinker,
) -> Result<Finding, ThinkError> {
    if case.forced {
        return only_move(case);
    }
    let played = match (&case.played, player) {
        (Some(played), _) => played.clone(),
        (None, Some(player)) => match player.think(&case.task) {
            Ok(thinking) => thinking.best,
            Err(error) if error.fault == Fault::Stopped => return Err(error),
            Err(error) => {
                let reason = error.fault.to_string();
                return Ok(Finding::NoMove { reason });
            }
        },
        (None, None) => {
            let reason = "nobody is there to move".to_owned();
            return Ok(Finding::NoMove { reason });
        }
    };
    let free = ask(reference, &case.task)?;
    if free.best == played {
        let best = valued(case, free)?;
        return Ok(Finding::Judged { played: best.clone(), best });
    }
    let best = value(case, &free.best, reference)?;
    let played = value(case, &played, reference)?;
    Ok(Finding::Judged { played, best })
}

/// The value of one move, from a search of nothing else.
fn value(case: &Case, mv: &str, reference: &mut dyn Thinker) -> Result<Valued, ThinkError> {
    let task = Task { search_moves: vec![mv.to_owned()], ..case.task.clone() };
    valued(case, ask(reference, &task)?)
}

/// A reference that failed is asked once more, with a new process: a long check should not end with one
/// crash.
fn ask(reference: &mut dyn Thinker, task: &Task) -> Result<Thinking, ThinkError> {
    match reference.think(task) {
        Err(error) if error.fault != Fault::Stopped => {
            log::warn!("{error}; asked once more");
            reference.think(task)
        }
        answer => answer,
    }
}

fn valued(case: &Case, thinking: Thinking) -> Result<Valued, ThinkError> {
    let score = thinking.score().ok_or_else(|| ThinkError {
        engine: "reference".to_owned(),
        position: case.fen.clone(),
        fault: Fault::NoValue,
    })?;
    let lines = thinking.lines.iter().rev();
    let mut line = lines
        .filter(|line| line.exact && line.pv.first() == Some(&thinking.best))
        .map(|line| line.pv.clone());
    let line = line.next().unwrap_or_else(|| vec![thinking.best.clone()]);
    Ok(Valued {
        score: score.0,
        depth: thinking.depth(),
        nodes: thinking.nodes(),
        line: in_san(&case.fen, &line),
        uci: thinking.best,
        san: thinking.san,
    })
}

/// Moves from a position in standard algebraic notation, cut before the first that cannot be played.
fn in_san(fen: &str, moves: &[String]) -> Vec<String> {
    let Ok(referee) = Referee::at(fen) else {
        return Vec::new();
    };
    let (game, _) = thinking::follow(&moves.join(" "), &referee);
    game.moves().iter().map(|played| played.san.clone()).collect()
}

fn only_move(case: &Case) -> Result<Finding, ThinkError> {
    let error = |fault: String| ThinkError {
        engine: "referee".to_owned(),
        position: case.fen.clone(),
        fault: Fault::Task(fault),
    };
    let referee = Referee::at(&case.fen).map_err(|reason| error(reason.to_string()))?;
    let moves = referee.position().legal_moves();
    let mv = moves.first().ok_or_else(|| error("there is no legal move".to_owned()))?;
    let Played { uci, san } = referee.written(*mv);
    Ok(Finding::Forced { uci, san })
}

#[cfg(test)]
pub(super) mod tests;
