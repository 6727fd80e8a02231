//! What comes on the board: moves, moves taken back, positions set up.

use chess::Color;

use super::editor::{Edited, Editor};
use super::{Activity, Board, Judge, Mode, XboardFront};
use crate::engine::Game;
use crate::position::{MoveError, Position};
use crate::protocol::xboard::{Command, Reply};

const NOT_NOW: &str = "command not legal now";

impl XboardFront {
    /// A move of the opponent, or in force mode and analysis of anybody.
    pub(super) fn opponent_move(&mut self, text: &str, line: &str) {
        if matches!(self.board, Board::Illegal) {
            return self.illegal(Some("illegal position"), text);
        }
        self.settle_turn();
        let mv = match self.engine.position().parse_move(text) {
            Ok(mv) => mv,
            Err(MoveError::Ambiguous(_)) => return self.illegal(Some("ambiguous move"), text),
            Err(_) => return self.illegal(None, text),
        };
        let mover = self.engine.game.side_to_move();
        if matches!(self.activity, Activity::Due { .. } | Activity::Move { .. }) {
            // It is legal, but for the colour that the engine is thinking for.
            return self.error(NOT_NOW, line);
        }
        self.overrule_draw(false);
        match self.mode {
            Mode::Play(side) if side != mover => {
                self.clocks.moved(mover, std::time::Duration::ZERO);
                self.clocks.settle(side, self.engine.move_overhead());
                self.reply_to(mv);
            }
            _ => {
                self.cancel();
                self.clocks.moved(mover, std::time::Duration::ZERO);
                self.put_move(mv);
                self.start_background();
            }
        }
    }

    /// Plays a move on the board. It has been checked.
    pub(super) fn put_move(&mut self, mv: chess::ChessMove) {
        // An offer comes before or after the move that it belongs to, and stands until the answer.
        let (draw_offered, draws) = (self.draw_offered, self.draws);
        if let Err(error) = self.engine.game.play(mv) {
            log::error!("{error}");
        }
        self.new_position();
        (self.draw_offered, self.draws) = (draw_offered, draws);
        self.allow_new_claims();
    }

    fn illegal(&mut self, reason: Option<&str>, text: &str) {
        self.say(Reply::IllegalMove { reason: reason.map(str::to_owned), text: text.to_owned() });
    }

    /// `undo` and `remove`. All or nothing.
    pub(super) fn take_back(&mut self, half_moves: usize, line: &str) {
        if matches!(self.board, Board::Illegal) || self.engine.game.moves().len() < half_moves {
            return self.error(NOT_NOW, line);
        }
        self.cancel();
        for _ in 0..half_moves {
            self.engine.game.undo();
            let mover = self.engine.game.side_to_move();
            self.clocks.taken_back(mover);
        }
        self.judge = Judge::default();
        self.new_position();
        if let Mode::Play(side) = self.mode
            && side != self.engine.game.side_to_move()
        {
            self.clocks.start(!side);
        }
        self.start_background();
    }

    /// `white` and `black` (obsolete): that colour is on move, the engine plays the *other* one, clocks stop.
    pub(super) fn give_turn(&mut self, to: Color, line: &str) {
        if to != self.engine.game.side_to_move() && with_turn(self.engine.position(), to).is_none() {
            return self.error(NOT_NOW, line);
        }
        self.cancel();
        self.clocks.stop();
        self.mode = Mode::Play(!to);
        self.engine_side = !to;
        // Idioms of old front ends go there and back again; only the last word counts, or history would be
        // lost.
        self.turn = (to != self.engine.game.side_to_move()).then_some(to);
    }

    /// Does what `white` or `black` asked for, now that it matters.
    pub(super) fn settle_turn(&mut self) {
        if let Some(to) = self.turn.take()
            && let Some(position) = with_turn(self.engine.position(), to)
        {
            self.engine.game = Game::new(position);
            self.new_position();
        }
    }

    /// `setboard`
    pub(super) fn set_board(&mut self, fen: &str) {
        match Position::from_fen(fen) {
            Ok(position) => self.put_position(position),
            Err(error) => self.refuse_position(&error.to_string()),
        }
    }

    fn put_position(&mut self, position: Position) {
        self.cancel();
        self.engine.game = Game::new(position);
        // What was thought of the old position says nothing about this one.
        self.judge = Judge::default();
        self.new_position();
        self.restart_analysis();
    }

    /// "I suggest that you send the response tellusererror Illegal position, and then respond to any
    /// attempted move with Illegal move."
    fn refuse_position(&mut self, why: &str) {
        self.cancel();
        self.new_position();
        self.board = Board::Illegal;
        self.say(Reply::TellUserError("Illegal position".to_owned()));
        self.comment(why.to_owned());
    }

    /// `edit`
    pub(super) fn begin_edit(&mut self) {
        self.settle_turn();
        self.cancel();
        self.board = Board::Editing(Editor::new(self.engine.position()));
    }

    /// A line in edit mode; `false` if it is an ordinary one.
    pub(super) fn edit_line(&mut self, line: &str) -> bool {
        let Board::Editing(editor) = &mut self.board else {
            return false;
        };
        match editor.line(line) {
            Edited::Changed => true,
            Edited::Left => {
                match editor.position() {
                    Ok(position) => self.put_position(position),
                    Err(error) => self.refuse_position(&error.to_string()),
                }
                true
            }
            // What ends edit mode or does not concern it is obeyed, so that no front end is stuck here.
            Edited::Unknown => match line.parse() {
                Ok(Command::Ping(_) | Command::Quit | Command::Accepted(_) | Command::Rejected(_)) => false,
                Ok(
                    Command::New
                    | Command::SetBoard(_)
                    | Command::Force
                    | Command::Result { .. }
                    | Command::Exit,
                ) => {
                    self.board = Board::Playable;
                    false
                }
                _ => {
                    self.error("unknown command in edit mode", line);
                    true
                }
            },
        }
    }
}

/// The same position with the other side to move; `None` if that could not be played from.
fn with_turn(position: &Position, to: Color) -> Option<Position> {
    let fen = position.to_fen();
    let mut fields: Vec<&str> = fen.split(' ').collect();
    fields[1] = if to == Color::White { "w" } else { "b" };
    fields[3] = "-";
    Position::from_fen(&fields.join(" ")).ok()
}
