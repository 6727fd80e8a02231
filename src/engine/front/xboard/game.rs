//! The game on the board: moves, moves taken back, positions set up, also piece by piece in the
//! edit mode of old front ends; and its end: claims, which must be true, and draw offers.

use std::time::Duration;

use chess::{ALL_PIECES, BoardBuilder, CastleRights, ChessMove, Color, File, Piece, Rank, Square};

use super::{Activity, Board, ClaimState, Mode, OwnScores, XboardFront};
use crate::engine::Game;
use crate::rules::position::{FenError, MoveError, Outcome, Position};
use crate::rules::protocol::xboard::{Command, Reply};

const NOT_NOW: &str = "command not legal now";

impl XboardFront {
    /// Plays a move of the opponent, or in force mode and analysis a move of either side.
    pub(super) fn opponent_move(&mut self, text: &str, line: &str) {
        if matches!(self.board, Board::Illegal) {
            return self.illegal("illegal position", text);
        }
        self.apply_turn();
        let mv = match self.engine.position().parse_move(text) {
            Ok(mv) => mv,
            Err(MoveError::Ambiguous(_)) => return self.illegal("ambiguous move", text),
            Err(_) => return self.illegal("", text),
        };
        let mover = self.engine.game.side_to_move();
        if matches!(self.activity, Activity::Due { .. } | Activity::Move { .. }) {
            // It is legal, but for the colour that the engine is thinking for.
            return self.error(NOT_NOW, line);
        }
        self.overrule_draw(false);
        match self.mode {
            Mode::Play(side) if side != mover => {
                self.clocks.moved(mover, Duration::ZERO);
                self.clocks.apply_told(side, self.engine.move_overhead());
                self.reply_to(mv);
            }
            _ => {
                self.cancel();
                self.clocks.moved(mover, Duration::ZERO);
                self.put_move(mv);
                self.start_background();
            }
        }
    }

    /// Plays a move on the board. The caller has checked its legality.
    pub(super) fn put_move(&mut self, mv: ChessMove) {
        // An offer comes before or after the move that it belongs to, and stands until the answer.
        let draw_offered = self.draw_offered;
        let draws = self.draws;
        if let Err(error) = self.engine.game.play(mv) {
            log::error!("{error}");
        }
        self.new_position();
        self.draw_offered = draw_offered;
        self.draws = draws;
        self.allow_new_claims();
    }

    fn illegal(&mut self, reason: &str, text: &str) {
        self.say(Reply::IllegalMove {
            reason: reason.to_owned(),
            text: text.to_owned(),
        });
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
        self.own_scores = OwnScores::default();
        self.new_position();
        if self.waits_for_the_opponent() {
            self.clocks.start(self.engine.game.side_to_move());
        }
        self.start_background();
    }

    /// Handles `white` and `black` (obsolete): that colour is on move, the engine plays the *other*
    /// one, clocks stop.
    pub(super) fn give_turn(&mut self, to: Color, line: &str) {
        if to != self.engine.game.side_to_move() && with_turn(self.engine.position(), to).is_none()
        {
            return self.error(NOT_NOW, line);
        }
        self.cancel();
        self.clocks.stop();
        self.mode = Mode::Play(!to);
        self.engine_side = !to;
        // Idioms of old front ends go there and back again; only the last word counts, or history
        // would be lost.
        self.turn = (to != self.engine.game.side_to_move()).then_some(to);
    }

    /// Carries out the last `white` or `black`, now that the turn matters.
    pub(super) fn apply_turn(&mut self) {
        if let Some(to) = self.turn.take()
            && let Some(position) = with_turn(self.engine.position(), to)
        {
            self.engine.game = Game::new(position);
            self.new_position();
        }
    }

    /// Puts a playable position on the board. "I suggest that you send the response tellusererror
    /// Illegal position, and then respond to any attempted move with Illegal move."
    pub(super) fn put_position(&mut self, position: Result<Position, FenError>) {
        self.cancel();
        match position {
            Ok(position) => {
                self.engine.game = Game::new(position);
                // What was thought of the old position says nothing about this one.
                self.own_scores = OwnScores::default();
                self.new_position();
                self.restart_analysis();
            }
            Err(why) => {
                self.new_position();
                self.board = Board::Illegal;
                self.say(Reply::TellUserError("Illegal position".to_owned()));
                self.comment(why.to_string());
            }
        }
    }

    /// `edit`
    pub(super) fn begin_edit(&mut self) {
        self.apply_turn();
        self.cancel();
        self.board = Board::Editing(Editor::new(self.engine.position()));
    }

    /// Handles a line in edit mode; returns `false` for an ordinary line.
    pub(super) fn edit_line(&mut self, line: &str) -> bool {
        let Board::Editing(editor) = &mut self.board else {
            return false;
        };
        if line == "." {
            let position = editor.position();
            self.put_position(position);
            return true;
        }
        if editor.line(line) {
            return true;
        }
        // What ends edit mode or does not concern it is obeyed, so that no front end is stuck here.
        match line.parse() {
            Ok(Command::Ping(_) | Command::Quit | Command::Accepted(_) | Command::Rejected(_)) => {
                false
            }
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
        }
    }

    /// Claims the outcome of the position on the board. `true` if there is one and it may be
    /// claimed: then the result stands, and no move follows.
    pub(super) fn game_is_over(&mut self) -> bool {
        let position = self.engine.position();
        let outcome = position.outcome().filter(|_| self.may_claim(position));
        if let Some(outcome) = outcome {
            self.claim(outcome);
        }
        outcome.is_some()
    }

    /// Returns true if the engine may claim the outcome of `position`: the end of the game always,
    /// a draw with moves to play unless the front end went on after such a draw.
    pub(super) fn may_claim(&self, position: &Position) -> bool {
        self.draws != ClaimState::Overruled || position.legal_moves().is_empty()
    }

    /// Notes that the front end goes on with the game despite a claim: the opponent moves, or the
    /// engine `is_told_to_move`. Moves that are only played over do not limit later claims.
    pub(super) fn overrule_draw(&mut self, is_told_to_move: bool) {
        if self.draws == ClaimState::Claimed
            || is_told_to_move && self.engine.position().outcome().is_some()
        {
            self.draws = ClaimState::Overruled;
        }
    }

    /// Allows new claims after a capture or a pawn move: no earlier draw can come back.
    fn allow_new_claims(&mut self) {
        let position = self.engine.position();
        if position.halfmove_clock() == 0 && position.outcome().is_none() {
            self.draws = ClaimState::ToClaim;
        }
    }

    /// Reports the end of the game by rule to the front end.
    pub(super) fn claim(&mut self, outcome: Outcome) {
        self.draws = ClaimState::Claimed;
        self.say(Reply::Result {
            result: outcome.result().to_owned(),
            comment: outcome.reason().to_owned(),
        });
    }

    /// `draw`: the opponent offers a draw. While the engine thinks the answer comes with its move;
    /// declining is silence.
    pub(super) fn consider_draw(&mut self) {
        self.draw_offered = true;
        if self.waits_for_the_opponent() && !matches!(self.activity, Activity::Move { .. }) {
            self.accept_draw_if_good();
        }
    }

    /// Accepts a standing offer. "Do not use the 1/2-1/2 command for that", and do not assume that
    /// the game is over.
    pub(super) fn accept_draw_if_good(&mut self) -> bool {
        let options = &self.engine.settings().engine;
        let accepted = self.draw_offered && self.own_scores.accepts_draw(self.engine_side, options);
        if accepted {
            self.draw_offered = false;
            self.say(Reply::OfferDraw);
        }
        accepted
    }
}

/// Returns the same position with the other side to move; `None` if the result is unplayable.
fn with_turn(position: &Position, to: Color) -> Option<Position> {
    let fen = position.to_fen();
    let mut fields: Vec<&str> = fen.split(' ').collect();
    fields[1] = if to == Color::White { "w" } else { "b" };
    fields[3] = "-";
    Position::from_fen(&fields.join(" ")).ok()
}

/// A board during setup in the edit mode of old front ends, piece by piece.
pub(super) struct Editor {
    /// The board; edit mode does not change its side to move.
    board: BoardBuilder,
    color: Color,
}

impl Editor {
    /// Begins edit mode with the position on the board, and with White.
    fn new(position: &Position) -> Editor {
        Editor {
            board: BoardBuilder::from(position.board()),
            color: Color::White,
        }
    }

    /// Handles one line; returns `false` if the line is not of edit mode.
    fn line(&mut self, line: &str) -> bool {
        match line.as_bytes() {
            b"c" => self.color = !self.color,
            b"#" => {
                let side = self.board.get_side_to_move();
                self.board = *BoardBuilder::new().side_to_move(side);
            }
            &[letter, file, rank] => {
                let square = [file.to_ascii_lowercase(), rank].map(char::from);
                let square = String::from_iter(square).parse::<Square>();
                let piece = "PNBRQKX".find(char::from(letter.to_ascii_uppercase()));
                let (Ok(square), Some(piece)) = (square, piece) else {
                    return false;
                };
                // X is no piece: the square is emptied.
                self.board[square] = ALL_PIECES.get(piece).map(|&piece| (piece, self.color));
            }
            _ => return false,
        }
        true
    }

    /// The position: castling is possible where king and rook stand at home, en passant is not,
    /// nothing was ever repeated.
    ///
    /// # Errors
    /// If the position cannot be played from.
    fn position(&self) -> Result<Position, FenError> {
        let mut board = self.board;
        for (color, rank) in [(Color::White, Rank::First), (Color::Black, Rank::Eighth)] {
            let is_home =
                |file, piece| board[Square::make_square(rank, file)] == Some((piece, color));
            let has_right = |file| is_home(File::E, Piece::King) && is_home(file, Piece::Rook);
            let rights = match (has_right(File::H), has_right(File::A)) {
                (true, true) => CastleRights::Both,
                (true, false) => CastleRights::KingSide,
                (false, true) => CastleRights::QueenSide,
                (false, false) => CastleRights::NoRights,
            };
            board.castle_rights(color, rights);
        }
        Position::from_fen(&board.en_passant(None).to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(editor: &mut Editor, lines: &str) {
        lines
            .split_whitespace()
            .for_each(|line| assert!(editor.line(line), "{line}"));
    }

    #[test]
    fn pieces_of_both_colours_and_castling_from_home() {
        let mut editor = Editor::new(&Position::default());
        edit(&mut editor, "# Ke1 Rh1 Pa2 c ke8 ra8 Pa7");
        assert_eq!(
            editor.position().unwrap().to_fen(),
            "r3k3/p7/8/8/8/8/P7/4K2R w Kq - 0 1"
        );
        edit(&mut editor, "# c Kg1 Rf1 Ra1 Pa2 c Ke8 Rd8 Pa7");
        assert_eq!(
            editor.position().unwrap().to_fen(),
            "3rk3/p7/8/8/8/8/P7/R4RK1 w - - 0 1"
        );
    }

    #[test]
    fn nonsense_is_noticed() {
        let mut editor = Editor::new(&Position::default());
        for line in ["", "Zz9", "Pa9", "Za1", "hello", "Pé"] {
            assert!(!editor.line(line), "{line}");
        }
    }
}
