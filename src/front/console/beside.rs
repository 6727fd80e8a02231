//! What stands beside the board: clocks, captured men, the last move.

use std::time::Duration;

use chess::{ChessMove, Color, Piece};

use super::live::cut;
use super::look::man;
use super::{Console, level, name};
use crate::engine::Game;
use crate::position::{Position, piece_at};
use crate::search::time_control::TimeControl;

/// The most valuable first.
const ORDER: [Piece; 5] = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight, Piece::Pawn];

impl Console {
    /// Eight lines of so many columns, one for each rank, the upper player's first.
    pub(super) fn beside_the_board(&self, columns: usize) -> [String; 8] {
        let lower = self.seat();
        let mut lines: [String; 8] = Default::default();
        lines[0] = self.player(!lower);
        lines[1] = self.captured(!lower);
        lines[3] = self.last_move().unwrap_or_default();
        let level = level::describe(self.clocks.control());
        lines[4] = if level.len() <= columns { level } else { String::new() };
        lines[6] = self.captured(lower);
        lines[7] = self.player(lower);
        lines.map(|line| cut(&line, columns).to_owned())
    }

    /// Who plays a colour, with the clock where there is one.
    pub(super) fn player(&self, side: Color) -> String {
        let who = if self.kashan == Some(side) { " (Kashan)" } else { "" };
        let clock = self.clock(side).map_or(String::new(), |clock| format!("{clock}  "));
        format!("{clock}{}{who}", name(side))
    }

    /// What is left of a side's time, unless every move has its own.
    fn clock(&self, side: Color) -> Option<String> {
        let fixed = matches!(self.clocks.control(), TimeControl::Fixed { .. });
        (!fixed).then(|| hours_minutes_seconds(self.clocks.left(side)))
    }

    /// The men that a side took, and by how much it is ahead.
    pub(super) fn captured(&self, side: Color) -> String {
        let men: String = captured_by(&self.engine.game, side)
            .into_iter()
            .map(|piece| man(piece, !side, self.look.pieces))
            .collect();
        let ahead = material(self.engine.position(), side) - material(self.engine.position(), !side);
        match ahead {
            1.. => format!("{men} +{ahead}").trim_start().to_owned(),
            _ => men,
        }
    }

    /// The last move with its number.
    pub(super) fn last_move(&self) -> Option<String> {
        let moves = self.engine.game.moves();
        let before = self.engine.game.position_before(moves.len().checked_sub(1)?)?;
        moves.last().map(|&mv| numbered(before, mv))
    }
}

/// `12. Nf3`, `12... Nf6`
pub(super) fn numbered(position: &Position, mv: ChessMove) -> String {
    let dots = if position.side_to_move() == Color::White { "." } else { "..." };
    format!("{}{dots} {}", position.fullmove_number(), position.san(mv))
}

/// What `side` took in the game, the most valuable first.
fn captured_by(game: &Game, side: Color) -> Vec<Piece> {
    let taken = |(index, mv): (usize, &ChessMove)| {
        let before = game.position_before(index)?;
        let board = before.board();
        let (moved, mover) = piece_at(board, mv.get_source())?;
        let on_target = piece_at(board, mv.get_dest()).filter(|&(_, color)| color != mover);
        let passing = moved == Piece::Pawn && mv.get_source().get_file() != mv.get_dest().get_file();
        let taken = on_target.map(|(piece, _)| piece).or(passing.then_some(Piece::Pawn));
        taken.filter(|_| mover == side)
    };
    let mut men: Vec<Piece> = game.moves().iter().enumerate().filter_map(taken).collect();
    men.sort_by_key(|&piece| ORDER.iter().position(|&known| known == piece));
    men
}

/// Pawns' worth of a side's men, as beginners learn them.
fn material(position: &Position, side: Color) -> i32 {
    let board = position.board();
    let count = |piece| (board.pieces(piece) & board.color_combined(side)).popcnt() as i32;
    ORDER.iter().zip([9, 5, 3, 3, 1]).map(|(&piece, value)| count(piece) * value).sum()
}

/// `1:02:03`, `4:05`, and tenths in the last ten seconds. A second that has begun is shown.
fn hours_minutes_seconds(time: Duration) -> String {
    let tenth = time.subsec_millis() / 100;
    if time.as_secs() < 10 {
        return format!("0:0{}.{tenth}", time.as_secs());
    }
    let seconds = time.as_millis().div_ceil(1000);
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, minutes, seconds) => format!("{minutes}:{seconds:02}"),
        (hours, minutes, seconds) => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front::console::look::Pieces;

    fn played(moves: &[&str]) -> Game {
        let mut game = Game::default();
        for text in moves {
            let mv = game.position().parse_move(text).unwrap();
            game.play(mv).unwrap();
        }
        game
    }

    #[test]
    fn captured_men_are_those_of_the_moves_en_passant_too() {
        let game = played(&["e4", "d5", "exd5", "Qxd5", "Nc3", "Qe5", "Be2", "c5", "Nf3", "Qd6", "d4", "c4"]);
        assert_eq!(captured_by(&game, Color::White), [Piece::Pawn]);
        let game = played(&["e4", "Nf6", "e5", "d5", "exd6", "Ne4", "dxc7", "Nc3", "cxd8=Q"]);
        assert_eq!(captured_by(&game, Color::White), [Piece::Queen, Piece::Pawn, Piece::Pawn]);
        assert_eq!(captured_by(&game, Color::Black), []);
        // A queen for a pawn more, and Black has lost a queen and two pawns.
        assert_eq!(material(game.position(), Color::White), 39 + 8);
        assert_eq!(material(game.position(), Color::Black), 39 - 11);
        let men = [Piece::Queen, Piece::Pawn].map(|piece| man(piece, Color::Black, Pieces::Unicode));
        assert_eq!(men, ['♛', '♟']);
    }

    #[test]
    fn clocks_read_like_clocks() {
        for (milliseconds, text) in
            [(0, "0:00.0"), (9_940, "0:09.9"), (61_000, "1:01"), (599_010, "10:00"), (3_723_000, "1:02:03")]
        {
            assert_eq!(hours_minutes_seconds(Duration::from_millis(milliseconds)), text);
        }
    }
}
