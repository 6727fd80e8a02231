//! The edit mode of old front ends: pieces are put on a board one by one.

use chess::{Color, Piece, Square};

use crate::position::{FenError, Position, piece_at};

/// A board that is being set up.
#[derive(Clone, Debug)]
pub struct Editor {
    squares: [Option<(Piece, Color)>; 64],
    color: Color,
    /// Edit mode does not change whose turn it is.
    side_to_move: Color,
}

/// What a line in edit mode did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edited {
    /// The board or the colour changed.
    Changed,
    /// `.`: edit mode is over.
    Left,
    /// No line of edit mode.
    Unknown,
}

impl Editor {
    /// Edit mode begins with the position that is on the board, and with White.
    pub fn new(position: &Position) -> Editor {
        Editor {
            squares: std::array::from_fn(|index| piece_at(position.board(), chess::ALL_SQUARES[index])),
            color: Color::White,
            side_to_move: position.side_to_move(),
        }
    }

    /// Does one line.
    pub fn line(&mut self, line: &str) -> Edited {
        match line.as_bytes() {
            b"c" => self.color = !self.color,
            b"#" => self.squares = [None; 64],
            b"." => return Edited::Left,
            &[letter, file, rank] => {
                let text = [file.to_ascii_lowercase(), rank];
                let Some(square) =
                    std::str::from_utf8(&text).ok().and_then(|text| text.parse::<Square>().ok())
                else {
                    return Edited::Unknown;
                };
                let piece = match letter.to_ascii_uppercase() {
                    b'P' => Piece::Pawn,
                    b'N' => Piece::Knight,
                    b'B' => Piece::Bishop,
                    b'R' => Piece::Rook,
                    b'Q' => Piece::Queen,
                    b'K' => Piece::King,
                    b'X' => {
                        self.squares[square.to_index()] = None;
                        return Edited::Changed;
                    }
                    _ => return Edited::Unknown,
                };
                self.squares[square.to_index()] = Some((piece, self.color));
            }
            _ => return Edited::Unknown,
        }
        Edited::Changed
    }

    /// The position: castling is possible where king and rook stand at home, en passant is not, nothing was
    /// ever repeated.
    ///
    /// # Errors
    /// If the position cannot be played from.
    pub fn position(&self) -> Result<Position, FenError> {
        let ranks: Vec<String> = (0..8).rev().map(|rank| self.rank(rank)).collect();
        let side = if self.side_to_move == Color::White { 'w' } else { 'b' };
        Position::from_fen(&format!("{} {side} {} - 0 1", ranks.join("/"), self.castling()))
    }

    fn rank(&self, rank: usize) -> String {
        let mut text = String::new();
        let mut empty = 0;
        for file in 0..8 {
            match self.squares[rank * 8 + file] {
                None => empty += 1,
                Some((piece, color)) => {
                    if empty > 0 {
                        text.push_str(&empty.to_string());
                        empty = 0;
                    }
                    text.push_str(&piece.to_string(color));
                }
            }
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
        }
        text
    }

    fn castling(&self) -> String {
        let mut rights = String::new();
        for (color, home, letters) in [(Color::White, 0, ['K', 'Q']), (Color::Black, 56, ['k', 'q'])] {
            let at = |file: usize, piece| self.squares[home + file] == Some((piece, color));
            if at(4, Piece::King) {
                rights.extend(at(7, Piece::Rook).then_some(letters[0]));
                rights.extend(at(0, Piece::Rook).then_some(letters[1]));
            }
        }
        if rights.is_empty() { "-".to_owned() } else { rights }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(editor: &mut Editor, lines: &str) {
        for line in lines.split_whitespace() {
            assert_eq!(editor.line(line), Edited::Changed, "{line}");
        }
    }

    #[test]
    fn pieces_of_both_colours_and_castling_from_home() {
        let mut editor = Editor::new(&Position::default());
        edit(&mut editor, "# Ke1 Rh1 Pa2 c ke8 ra8 Pa7");
        assert_eq!(editor.line("."), Edited::Left);
        assert_eq!(editor.position().unwrap().to_fen(), "r3k3/p7/8/8/8/8/P7/4K2R w Kq - 0 1");
    }

    #[test]
    fn squares_can_be_emptied_and_nonsense_is_noticed() {
        let mut editor = Editor::new(&Position::default());
        edit(&mut editor, "xd1 xd8");
        assert_eq!(
            editor.position().unwrap().to_fen(),
            "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1"
        );
        for line in ["", "Zz9", "Pa9", "Za1", "hello", "Pé"] {
            assert_eq!(editor.line(line), Edited::Unknown, "{line}");
        }
        edit(&mut editor, "#");
        assert!(editor.position().is_err());
    }
}
