//! A chess board for a terminal.

use std::fmt::Write as _;

use anstyle::{Ansi256Color, Color as Paint, Style};
use chess::{ChessMove, Color, File, Rank, Square};

use crate::position::{Position, piece_at};

// From the palette of 256 colours, which every terminal of today has; letters of both sides stand out on all
// of them.
const LIGHT: Paint = Paint::Ansi256(Ansi256Color(108));
const DARK: Paint = Paint::Ansi256(Ansi256Color(65));
const LAST_MOVE: Paint = Paint::Ansi256(Ansi256Color(136));
const WHITE_PIECE: Paint = Paint::Ansi256(Ansi256Color(231));
const BLACK_PIECE: Paint = Paint::Ansi256(Ansi256Color(16));

/// The board with coordinates, seen from `from`'s side. White's pieces are capital letters, Black's small
/// ones.
pub fn draw(position: &Position, from: Color, last: Option<ChessMove>, colors: bool) -> String {
    let mut text = String::from("\n");
    let order: Vec<usize> = match from {
        Color::White => (0..8).collect(),
        Color::Black => (0..8).rev().collect(),
    };
    for &rank in order.iter().rev() {
        let _ = write!(text, "  {} ", rank + 1);
        for &file in &order {
            let square = Square::make_square(Rank::from_index(rank), File::from_index(file));
            let piece = piece_at(position.board(), square);
            let is_dark = (rank + file) % 2 == 0;
            if colors {
                paint(&mut text, square, piece, is_dark, last);
            } else {
                let letter = piece.map_or(".".to_owned(), |(piece, color)| piece.to_string(color));
                let _ = write!(text, " {letter}");
            }
        }
        text.push('\n');
    }
    text.push_str("    ");
    for &file in &order {
        let letter = char::from(b'a' + file as u8);
        let _ = if colors { write!(text, " {letter} ") } else { write!(text, " {letter}") };
    }
    text.push_str("\n\n");
    text
}

fn paint(
    text: &mut String,
    square: Square,
    piece: Option<(chess::Piece, Color)>,
    is_dark: bool,
    last: Option<ChessMove>,
) {
    let moved = last.is_some_and(|mv| mv.get_source() == square || mv.get_dest() == square);
    let ground = if moved {
        LAST_MOVE
    } else if is_dark {
        DARK
    } else {
        LIGHT
    };
    let ink = match piece {
        Some((_, Color::White)) => WHITE_PIECE,
        _ => BLACK_PIECE,
    };
    let letter = piece.map_or(" ".to_owned(), |(piece, color)| piece.to_string(color));
    let style = Style::new().bg_color(Some(ground)).fg_color(Some(ink)).bold();
    let _ = write!(text, "{style} {letter} {style:#}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_can_sit_at_the_board() {
        let position = Position::default();
        let white = draw(&position, Color::White, None, false);
        assert_eq!(
            white,
            "\n  8  r n b q k b n r\n  7  p p p p p p p p\n  6  . . . . . . . .\n  5  . . . . . . . .\n  4  . . . . . . . .\n  \
             3  . . . . . . . .\n  2  P P P P P P P P\n  1  R N B Q K B N R\n     a b c d e f g h\n\n"
        );
        let black = draw(&position, Color::Black, None, false);
        assert!(black.starts_with("\n  1  R N B K Q B N R\n"));
        assert!(black.ends_with("\n     h g f e d c b a\n\n"));
    }

    #[test]
    fn colours_only_where_they_are_wanted() {
        let position = Position::default();
        assert!(!draw(&position, Color::White, None, false).contains('\x1b'));
        assert!(draw(&position, Color::White, None, true).contains('\x1b'));
    }
}
