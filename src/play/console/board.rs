//! A chess board for a terminal, its look, and the texts beside the board: clocks, captured pieces,
//! the last move.

use std::cmp::Reverse;
use std::fmt::Write as _;
use std::time::Duration;

use chess::{ChessMove, Color, File, Piece, Rank, Square};

use super::face::{Face, cut};
use super::{Console, name, notation};
use crate::choice;
use crate::engine::Game;
use crate::rules::position::moves::victim;
use crate::rules::position::{Position, material_of, piece_at};
use crate::search::time_control::TimeControl;

choice! {
    /// The sign for a piece.
    Pieces {
        Letters = "letters",
        Unicode = "unicode",
    }
}

/// The terminal's abilities, and the user's wishes.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    pub colors: bool,
    pub pieces: Pieces,
}

impl Look {
    /// Plain text for every terminal and every program.
    pub const PLAIN: Look = Look {
        colors: false,
        pieces: Pieces::Letters,
    };
}

/// White's pieces are capital letters, Black's small ones; in Unicode they are outlines and filled.
pub fn piece_sign(piece: Piece, color: Color, pieces: Pieces) -> char {
    let signs = match (pieces, color) {
        (Pieces::Letters, Color::White) => "PNBRQK",
        (Pieces::Letters, Color::Black) => "pnbrqk",
        (Pieces::Unicode, Color::White) => "♙♘♗♖♕♔",
        (Pieces::Unicode, Color::Black) => "♟♞♝♜♛♚",
    };
    signs.chars().nth(piece.to_index()).unwrap_or('?')
}

// From the palette of 256 colours, which every terminal of today has; letters of both sides stand
// out on all of them.
const LIGHT: u8 = 108;
const DARK: u8 = 65;
const LAST_MOVE: u8 = 136;
const WHITE_PIECE: u8 = 231;
const BLACK_PIECE: u8 = 16;

/// Draws the board with coordinates, seen from `from`'s side, with a line of text beside each rank.
/// The squares of the `last` move are marked.
pub fn draw(
    position: &Position,
    from: Color,
    look: Look,
    beside: &[String; 8],
    last: Option<ChessMove>,
) -> String {
    let mut text = String::from("\n");
    let order = order(from);
    for (&rank, beside) in order.iter().rev().zip(beside) {
        let _ = write!(text, "  {} ", rank + 1);
        for &file in &order {
            let square = Square::make_square(Rank::from_index(rank), File::from_index(file));
            let piece = piece_at(position.board(), square);
            let is_marked =
                last.is_some_and(|mv| mv.get_source() == square || mv.get_dest() == square);
            if look.colors {
                let ground = if is_marked { LAST_MOVE } else { ground(square) };
                paint(&mut text, ground, piece, look.pieces);
            } else {
                let sign =
                    piece.map_or('.', |(piece, color)| piece_sign(piece, color, look.pieces));
                let mark = if is_marked { '>' } else { ' ' };
                let _ = write!(text, "{mark}{sign}");
            }
        }
        if !beside.is_empty() {
            let _ = write!(text, "   {beside}");
        }
        text.push('\n');
    }
    text.push_str("    ");
    for &file in &order {
        let letter = char::from(b'a' + file as u8);
        let _ = if look.colors {
            write!(text, " {letter} ")
        } else {
            write!(text, " {letter}")
        };
    }
    text.push_str("\n\n");
    text
}

/// Returns the width of the board in columns.
pub fn width(look: Look) -> usize {
    if look.colors { 28 } else { 20 }
}

/// The files from the left, and the ranks from below, of a board seen from a side.
pub fn order(from: Color) -> [usize; 8] {
    match from {
        Color::White => [0, 1, 2, 3, 4, 5, 6, 7],
        Color::Black => [7, 6, 5, 4, 3, 2, 1, 0],
    }
}

/// The colour of an empty square.
fn ground(square: Square) -> u8 {
    let is_dark = (square.get_rank().to_index() + square.get_file().to_index()).is_multiple_of(2);
    if is_dark { DARK } else { LIGHT }
}

fn paint(text: &mut String, ground: u8, piece: Option<(Piece, Color)>, pieces: Pieces) {
    let ink = match piece {
        Some((_, Color::White)) => WHITE_PIECE,
        _ => BLACK_PIECE,
    };
    let sign = match (piece, pieces) {
        (None, _) => ' ',
        // The filled sign: its colour tells the side.
        (Some((piece, _)), Pieces::Unicode) => piece_sign(piece, Color::Black, pieces),
        (Some((piece, color)), Pieces::Letters) => piece_sign(piece, color, pieces),
    };
    let _ = write!(text, "\x1b[48;5;{ground}m\x1b[1;38;5;{ink}m {sign} \x1b[0m");
}

impl Console {
    /// Returns the user's side, the lower one on the board.
    pub(super) fn seat(&self) -> Color {
        let seat = self.kashan.map_or(Color::White, |side| !side);
        if self.flipped { !seat } else { seat }
    }

    pub(super) fn show_board(&mut self) {
        let beside = match &self.face {
            Face::Plain => Default::default(),
            Face::Terminal(terminal) => {
                let room = terminal.columns().saturating_sub(width(self.look) + 3);
                self.beside_the_board(room)
            }
            // It has a board of its own.
            Face::Page { .. } => return,
        };
        let last = self.engine.game.moves().last().copied();
        let last = last.filter(|_| self.look.colors || !matches!(self.face, Face::Plain));
        let board = draw(
            self.engine.position(),
            self.seat(),
            self.look,
            &beside,
            last,
        );
        self.print(&board);
    }

    /// Eight lines of so many columns, one for each rank, the upper player's first.
    fn beside_the_board(&self, columns: usize) -> [String; 8] {
        let lower = self.seat();
        let mut lines: [String; 8] = Default::default();
        lines[0] = self.player(!lower);
        lines[1] = self.captured(!lower);
        lines[3] = self.last_move().unwrap_or_default();
        let level = notation::describe_level(self.clocks.control());
        if level.len() <= columns {
            lines[4] = level;
        }
        lines[6] = self.captured(lower);
        lines[7] = self.player(lower);
        lines.map(|line| cut(&line, columns).to_owned())
    }

    /// Returns the player of a colour, with a clock if there is one.
    pub(super) fn player(&self, side: Color) -> String {
        let is_kashan = self.kashan == Some(side);
        let who = if is_kashan { " (Kashan)" } else { "" };
        let clock = match self.clocks.control() {
            TimeControl::Fixed { .. } => String::new(),
            _ => hours_minutes_seconds(self.clocks.left(side)) + "  ",
        };
        format!("{clock}{}{who}", name(side))
    }

    /// Returns the captures of a side, and its lead in material.
    pub(super) fn captured(&self, side: Color) -> String {
        let mut text = String::new();
        for piece in captured_by(&self.engine.game, side) {
            text.push(piece_sign(piece, !side, self.look.pieces));
        }
        let board = self.engine.position().board();
        if let ahead @ 1.. = material_of(board, side).saturating_sub(material_of(board, !side)) {
            text += &format!(" +{ahead}");
        }
        text.trim_start().to_owned()
    }

    /// The last move with its number.
    fn last_move(&self) -> Option<String> {
        let game = &self.engine.game;
        let (&last, before) = game.moves().split_last()?;
        Some(numbered(game.position_before(before.len())?, last))
    }
}

/// `12. Nf3`, `12... Nf6`
pub(super) fn numbered(position: &Position, mv: ChessMove) -> String {
    let dots = [".", "..."][position.side_to_move().to_index()];
    format!("{}{dots} {}", position.fullmove_number(), position.san(mv))
}

/// Returns the captures of `side` in the game, the most valuable first.
fn captured_by(game: &Game, side: Color) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (index, &mv) in game.moves().iter().enumerate() {
        if let Some(before) = game.position_before(index)
            && let Some((moved, mover)) = piece_at(before.board(), mv.get_source())
            && mover == side
        {
            pieces.extend(victim(before.board(), moved, mv));
        }
    }
    pieces.sort_by_key(|piece: &Piece| Reverse(piece.to_index()));
    pieces
}

/// Formats `1:02:03`, `4:05`, and tenths in the last ten seconds. A started second counts in full.
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

    fn drawn(side: Color, look: Look) -> String {
        draw(&Position::default(), side, look, &Default::default(), None)
    }

    #[test]
    fn both_sides_can_sit_at_the_board() {
        assert_eq!(
            drawn(Color::White, Look::PLAIN),
            "\n  8  r n b q k b n r\n  7  p p p p p p p p\n  6  . . . . . . . .\n  5  . . . . . . . .\n  4  . . . . . . . .\n  \
             3  . . . . . . . .\n  2  P P P P P P P P\n  1  R N B Q K B N R\n     a b c d e f g h\n\n"
        );
        let black = drawn(Color::Black, Look::PLAIN);
        assert!(
            black.starts_with("\n  1  R N B K Q B N R\n")
                && black.ends_with("     h g f e d c b a\n\n")
        );
    }

    #[test]
    fn colours_only_where_they_are_wanted() {
        assert!(!drawn(Color::White, Look::PLAIN).contains('\x1b'));
        assert!(
            drawn(
                Color::White,
                Look {
                    colors: true,
                    ..Look::PLAIN
                }
            )
            .contains('\x1b')
        );
    }

    fn played(moves: &[&str]) -> Game {
        let mut game = Game::default();
        for text in moves {
            let mv = game.position().parse_move(text).unwrap();
            game.play(mv).unwrap();
        }
        game
    }

    #[test]
    fn captured_pieces_are_those_of_the_moves_en_passant_too() {
        let game = played(&[
            "e4", "d5", "exd5", "Qxd5", "Nc3", "Qe5", "Be2", "c5", "Nf3", "Qd6", "d4", "c4",
        ]);
        assert_eq!(captured_by(&game, Color::White), [Piece::Pawn]);
        let game = played(&[
            "e4", "Nf6", "e5", "d5", "exd6", "Ne4", "dxc7", "Nc3", "cxd8=Q",
        ]);
        assert_eq!(
            captured_by(&game, Color::White),
            [Piece::Queen, Piece::Pawn, Piece::Pawn]
        );
        assert_eq!(captured_by(&game, Color::Black), []);
        // A queen for a pawn more, and Black has lost a queen and two pawns.
        assert_eq!(material_of(game.position().board(), Color::White), 39 + 8);
        assert_eq!(material_of(game.position().board(), Color::Black), 39 - 11);
        let signs = [Piece::Queen, Piece::Pawn]
            .map(|piece| piece_sign(piece, Color::Black, Pieces::Unicode));
        assert_eq!(signs, ['♛', '♟']);
    }

    #[test]
    fn clocks_read_like_clocks() {
        let times = [0, 9_940, 61_000, 599_010, 3_723_000].map(Duration::from_millis);
        assert_eq!(
            times.map(hours_minutes_seconds),
            ["0:00.0", "0:09.9", "1:01", "10:00", "1:02:03"]
        );
    }
}
