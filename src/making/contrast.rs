//! How much better the best move is than all the others, by the judgement of a reference.

use anyhow::Context as _;
use chess::ChessMove;

use crate::position::Position;
use crate::position::moves::coordinate;
use crate::score::Score;
use crate::suite::blunders::Thinker;
use crate::suite::{Loss, Task};

/// How many times as many nodes the second, thorough judgement has.
pub const THOROUGH: u64 = 4;

/// Who judges. Each position is a new game to it, so that nothing helps that was seen before.
pub struct Reference<'a> {
    /// What it calls itself.
    pub name: String,
    /// What `quick` spends on each search.
    pub nodes: u64,
    pub quick: Box<dyn Thinker + 'a>,
    /// The same engine with [`THOROUGH`] times the nodes.
    pub thorough: Box<dyn Thinker + 'a>,
}

/// The best move, and what there is besides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contrast {
    pub best: ChessMove,
    /// In standard algebraic notation.
    pub san: String,
    /// Of the best move, from the side to move.
    pub score: Score,
    /// The best of all other moves, in standard algebraic notation.
    pub second: String,
    /// Of that one, from the side to move.
    pub second_score: Score,
}

impl Contrast {
    /// How much better the best move is, in centipawns; mates count as in [`Loss`].
    pub fn margin(&self) -> i32 {
        Loss::new(self.score, self.second_score).centipawns
    }
}

/// A move with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    pub mv: ChessMove,
    /// In standard algebraic notation.
    pub san: String,
    /// From the side to move.
    pub score: Score,
}

/// The reference's choice among all moves.
///
/// # Errors
/// It has no answer, or none with a value.
pub fn best(reference: &mut dyn Thinker, position: &Position) -> anyhow::Result<Choice> {
    choice(reference, position, Vec::new())
}

/// Adds the best of all other moves, by one search of them (`searchmoves`) under the same limits. There has to be another move.
///
/// # Errors
/// As [`best`].
pub fn with_second(
    reference: &mut dyn Thinker,
    position: &Position,
    best: Choice,
) -> anyhow::Result<Contrast> {
    let others = position.legal_moves().into_iter().filter(|&mv| mv != best.mv);
    let second = choice(reference, position, others.map(coordinate).collect())?;
    Ok(Contrast {
        best: best.mv,
        san: best.san,
        score: best.score,
        second: second.san,
        second_score: second.score,
    })
}

fn choice(
    reference: &mut dyn Thinker,
    position: &Position,
    search_moves: Vec<String>,
) -> anyhow::Result<Choice> {
    let fen = position.to_fen();
    let task = Task {
        search_moves,
        ..Task::new(fen.clone())
    };
    let thinking = reference.think(&task)?;
    let score = thinking.score().with_context(|| {
        format!(
            "the reference gave no value to {} (position \"{fen}\")",
            thinking.san
        )
    })?;
    Ok(Choice {
        mv: position.parse_move(&thinking.best)?,
        san: thinking.san,
        score,
    })
}
