//! A game, and the line of the journal for it.

use anyhow::{Context as _, ensure};
use chess::{ChessMove, Color};
use serde::{Deserialize, Serialize};

use super::winner;
use crate::rules::position::Position;
use crate::rules::score::Score;

/// A game from the usual start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// Random moves, without a search.
    pub opening: Vec<ChessMove>,
    /// The moves behind the opening, each with the score of its search, for the side to move.
    pub moves: Vec<(ChessMove, Score)>,
    /// The winner; `None` for a draw.
    pub winner: Option<Color>,
}

/// A game as a line of the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameLine {
    /// The moves of the whole game, as `e2e4`, with blanks between.
    moves: String,
    /// The scores of the moves behind the opening, in centipawns for the side to move.
    pub scores: Vec<i32>,
    /// The result, in PGN notation.
    result: String,
}

impl GameRecord {
    /// The position behind the opening.
    pub fn start(&self) -> Position {
        behind(&self.opening)
    }
}

impl From<&GameRecord> for GameLine {
    fn from(game: &GameRecord) -> GameLine {
        let (moves, scores): (Vec<ChessMove>, Vec<Score>) = game.moves.iter().copied().unzip();
        let moves = [&*game.opening, &*moves].concat();
        let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
        let result = match game.winner {
            None => "1/2-1/2",
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
        };
        GameLine {
            moves: moves.join(" "),
            scores: scores.into_iter().map(|score| score.0).collect(),
            result: result.to_owned(),
        }
    }
}

impl TryFrom<&GameLine> for GameRecord {
    type Error = anyhow::Error;

    fn try_from(line: &GameLine) -> anyhow::Result<GameRecord> {
        let mut position = Position::default();
        let mut opening = Vec::new();
        for text in line.moves.split(' ') {
            let mv = position.parse_move(text)?;
            position.play(mv)?;
            opening.push(mv);
        }
        ensure!(
            matches!(&*line.result, "1-0" | "0-1" | "1/2-1/2"),
            "\"{}\" is no result",
            line.result
        );
        for &score in &line.scores {
            ensure!(i16::try_from(score).is_ok(), "{score} is no score");
        }
        let scores = line.scores.iter().copied().map(Score);
        let scored = opening.len().checked_sub(scores.len());
        let moves = opening.split_off(scored.context("a game has more scores than moves")?);
        Ok(GameRecord {
            opening,
            moves: moves.into_iter().zip(scores).collect(),
            winner: winner(&line.result),
        })
    }
}

/// The position behind some moves of a game.
pub fn behind(moves: &[ChessMove]) -> Position {
    let mut position = Position::default();
    for &mv in moves {
        position.play(mv).expect("moves of a game are legal");
    }
    position
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_come_back_and_what_is_no_game_is_refused() {
        let line = |moves: &str, scores: &[i32]| GameLine {
            moves: moves.to_owned(),
            scores: scores.to_vec(),
            result: "1-0".to_owned(),
        };
        let whole = line("e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7", &[30, -30, 9, 8, 7]);
        let game = GameRecord::try_from(&whole).expect("a game");
        assert_eq!((game.opening.len(), game.moves.len()), (2, 5));
        assert_eq!(game.moves[1].1, Score(-30));
        assert_eq!(game.winner, Some(Color::White));
        assert_eq!(GameLine::from(&game), whole);
        for bad in [
            line("e2e4 e7e4", &[1]),
            line("e2e4", &[1, 2]),
            line("", &[]),
            line("f2f3 e7e5 g2g4 d8h4 e1e2", &[1]),
        ] {
            assert!(GameRecord::try_from(&bad).is_err(), "{bad:?}");
        }
    }
}
