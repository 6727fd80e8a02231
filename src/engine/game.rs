//! The game on the board: its start, its moves, and every position on the way for taking back.

use chess::{ChessMove, Color};

use crate::rules::position::{MoveError, Position};

/// A game with moves to play and to take back.
#[derive(Clone, Debug)]
pub struct Game {
    /// The start, then the position after each move. Never empty.
    positions: Vec<Position>,
    moves: Vec<ChessMove>,
}

impl Default for Game {
    fn default() -> Self {
        Game::new(Position::default())
    }
}

impl Game {
    /// A game without moves.
    pub fn new(start: Position) -> Self {
        Game {
            positions: vec![start],
            moves: Vec::new(),
        }
    }

    /// Returns the position at the start of the game.
    pub fn start(&self) -> &Position {
        &self.positions[0]
    }

    /// The position on the board now, with its clocks and its repetition history.
    pub fn position(&self) -> &Position {
        self.positions
            .last()
            .expect("the start is never taken away")
    }

    /// Returns the position before a move; the first move has the index 0.
    pub fn position_before(&self, index: usize) -> Option<&Position> {
        self.positions.get(index)
    }

    /// Returns the side to move.
    pub fn side_to_move(&self) -> Color {
        self.position().side_to_move()
    }

    /// The moves since the start.
    pub fn moves(&self) -> &[ChessMove] {
        &self.moves
    }

    /// Plays a move.
    ///
    /// # Errors
    /// An illegal move is refused and nothing changes.
    pub fn play(&mut self, mv: ChessMove) -> Result<(), MoveError> {
        let mut next = self.position().clone();
        next.play(mv)?;
        self.positions.push(next);
        self.moves.push(mv);
        Ok(())
    }

    /// Takes the last move back, with castling rights, en passant, both clocks and repetition
    /// history as they were. `None` at the start.
    pub fn undo(&mut self) -> Option<ChessMove> {
        let mv = self.moves.pop()?;
        self.positions.pop();
        Some(mv)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(game: &mut Game, moves: &[&str]) {
        for text in moves {
            let mv = game.position().parse_move(text).unwrap();
            game.play(mv).unwrap();
        }
    }

    #[test]
    fn taking_back_restores_rights_clocks_and_history() {
        let mut game = Game::default();
        play(
            &mut game,
            &["e4", "e5", "Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6"],
        );
        let state = |position: &Position| {
            (
                position.to_fen(),
                position.keys().to_vec(),
                position.repetitions(),
            )
        };
        let before = state(game.position());
        assert_eq!(before.2, 2);
        play(&mut game, &["Bc4", "Bc5", "O-O", "O-O", "d4", "exd4"]);
        assert!((0..6).all(|_| game.undo().is_some()));
        assert_eq!(state(game.position()), before);
        assert_eq!(
            std::iter::from_fn(|| game.undo()).count(),
            8,
            "then there is nothing to take back"
        );
        assert_eq!((game.undo(), game.moves()), (None, &[][..]));
    }

    #[test]
    fn the_positions_of_a_long_game_take_no_more_than_those_of_a_short_one() {
        let mut game = Game::default();
        (0..60).for_each(|_| play(&mut game, &["Nf3", "Nf6", "Ng1", "Ng8"]));
        let most = (0..=240)
            .filter_map(|index| game.position_before(index))
            .map(|it| it.keys().len())
            .max();
        assert_eq!(
            most,
            Some(101),
            "a hundred half-moves back, and the position itself"
        );
        assert_eq!(game.position().repetitions(), 26, "every fourth of them");
        assert_eq!(
            game.position().outcome(),
            Some(crate::rules::position::Outcome::Repetition)
        );
    }
}
