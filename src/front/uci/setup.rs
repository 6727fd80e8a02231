//! `position`

use std::io::Write;

use super::UciFront;
use crate::engine::Game;
use crate::position::Position;
use crate::protocol::uci::Start;

impl<W: Write> UciFront<W> {
    /// Sets up a position with its history, or tells the GUI why it cannot.
    pub(super) fn set_position(&mut self, start: &Start, moves: &[String]) {
        match game(start, moves) {
            Ok(game) => {
                self.engine.game = game;
                self.illegal_position = false;
            }
            Err(why) => {
                self.illegal_position = true;
                self.inform(format!("illegal position: {why}"));
            }
        }
    }
}

fn game(start: &Start, moves: &[String]) -> Result<Game, String> {
    let start = match start {
        Start::Initial => Position::default(),
        Start::Fen(fen) => Position::from_fen(fen).map_err(|error| error.to_string())?,
    };
    let mut game = Game::new(start);
    for (index, text) in moves.iter().enumerate() {
        let played = game.position().parse_move(text).and_then(|mv| game.play(mv));
        played.map_err(|error| format!("move {} of {}: {error}", index + 1, moves.len()))?;
    }
    Ok(game)
}
