//! A chess board for a terminal.

use std::fmt::Write as _;

use anstyle::{Ansi256Color, Style};
use chess::{ChessMove, Color, File, Piece, Rank, Square};

use super::look::{Look, Pieces, filled, man};
use crate::position::{Position, piece_at};

// From the palette of 256 colours, which every terminal of today has; letters of both sides stand out on all
// of them.
pub const LIGHT: Ansi256Color = Ansi256Color(108);
pub const DARK: Ansi256Color = Ansi256Color(65);
pub const LAST_MOVE: Ansi256Color = Ansi256Color(136);
pub const WHITE_PIECE: Ansi256Color = Ansi256Color(231);
pub const BLACK_PIECE: Ansi256Color = Ansi256Color(16);

/// How a square is pointed out: by a sign before its man, or by a colour where there are colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    pub sign: char,
    pub ground: Ansi256Color,
}

/// How the squares of the last move are pointed out.
pub fn of_last_move(last: Option<ChessMove>) -> impl Fn(Square) -> Option<Mark> {
    move |square| is_marked(square, last).then_some(Mark { sign: '>', ground: LAST_MOVE })
}

/// The board with coordinates, seen from `from`'s side, with a line of text beside each rank.
pub fn draw(
    position: &Position,
    from: Color,
    look: Look,
    beside: &[String; 8],
    mark: impl Fn(Square) -> Option<Mark>,
) -> String {
    let mut text = String::from("\n");
    let order = order(from);
    for (&rank, beside) in order.iter().rev().zip(beside) {
        let _ = write!(text, "  {} ", rank + 1);
        for &file in &order {
            let square = Square::make_square(Rank::from_index(rank), File::from_index(file));
            let piece = piece_at(position.board(), square);
            if look.colors {
                let ground = mark(square).map_or_else(|| ground(square), |mark| mark.ground);
                paint(&mut text, ground, piece, look.pieces);
            } else {
                let sign = piece.map_or('.', |(piece, color)| man(piece, color, look.pieces));
                let mark = mark(square).map_or(' ', |mark| mark.sign);
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
        let _ = if look.colors { write!(text, " {letter} ") } else { write!(text, " {letter}") };
    }
    text.push_str("\n\n");
    text
}

/// How many columns the board takes.
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

/// Whether the last move began or ended on a square.
pub fn is_marked(square: Square, last: Option<ChessMove>) -> bool {
    last.is_some_and(|mv| mv.get_source() == square || mv.get_dest() == square)
}

/// The colour of an empty square.
pub fn ground(square: Square) -> Ansi256Color {
    let is_dark = (square.get_rank().to_index() + square.get_file().to_index()).is_multiple_of(2);
    if is_dark { DARK } else { LIGHT }
}

fn paint(text: &mut String, ground: Ansi256Color, piece: Option<(Piece, Color)>, pieces: Pieces) {
    let ink = match piece {
        Some((_, Color::White)) => WHITE_PIECE,
        _ => BLACK_PIECE,
    };
    let sign = match (piece, pieces) {
        (None, _) => ' ',
        (Some((piece, _)), Pieces::Unicode) => filled(piece),
        (Some((piece, color)), Pieces::Letters) => man(piece, color, pieces),
    };
    let style = Style::new().bg_color(Some(ground.into())).fg_color(Some(ink.into())).bold();
    let _ = write!(text, "{style} {sign} {style:#}");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(side: Color, look: Look) -> String {
        draw(&Position::default(), side, look, &Default::default(), |_| None)
    }

    #[test]
    fn both_sides_can_sit_at_the_board() {
        assert_eq!(
            drawn(Color::White, Look::PLAIN),
            "\n  8  r n b q k b n r\n  7  p p p p p p p p\n  6  . . . . . . . .\n  5  . . . . . . . .\n  4  . . . . . . . .\n  \
             3  . . . . . . . .\n  2  P P P P P P P P\n  1  R N B Q K B N R\n     a b c d e f g h\n\n"
        );
        let black = drawn(Color::Black, Look::PLAIN);
        assert!(black.starts_with("\n  1  R N B K Q B N R\n") && black.ends_with("     h g f e d c b a\n\n"));
    }

    #[test]
    fn colours_only_where_they_are_wanted() {
        assert!(!drawn(Color::White, Look::PLAIN).contains('\x1b'));
        assert!(drawn(Color::White, Look { colors: true, ..Look::PLAIN }).contains('\x1b'));
    }
}
