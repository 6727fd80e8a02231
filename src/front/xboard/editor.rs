//! The edit mode of old front ends: pieces are put on a board one by one.

use chess::{ALL_PIECES, BoardBuilder, CastleRights, Color, File, Piece, Rank, Square};

use crate::position::{FenError, Position};

/// A board that is being set up.
pub struct Editor {
    /// Edit mode does not change whose turn it is.
    board: BoardBuilder,
    color: Color,
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
        Editor { board: BoardBuilder::from(position.board()), color: Color::White }
    }

    /// Does one line.
    pub fn line(&mut self, line: &str) -> Edited {
        match line.as_bytes() {
            b"c" => self.color = !self.color,
            b"#" => {
                let side = self.board.get_side_to_move();
                self.board = *BoardBuilder::new().side_to_move(side);
            }
            b"." => return Edited::Left,
            &[letter, file, rank] => {
                let name = [file.to_ascii_lowercase(), rank];
                let square = std::str::from_utf8(&name).ok().and_then(|name| name.parse::<Square>().ok());
                let piece = "PNBRQKX".find(char::from(letter.to_ascii_uppercase()));
                let (Some(square), Some(piece)) = (square, piece) else {
                    return Edited::Unknown;
                };
                // X is no piece: the square is emptied.
                self.board[square] = ALL_PIECES.get(piece).map(|&piece| (piece, self.color));
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
        let mut board = self.board;
        for (color, rank) in [(Color::White, Rank::First), (Color::Black, Rank::Eighth)] {
            let is_home = |file, piece| board[Square::make_square(rank, file)] == Some((piece, color));
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
        edit(&mut editor, "# c Kg1 Rf1 Ra1 Pa2 c Ke8 Rd8 Pa7");
        assert_eq!(editor.position().unwrap().to_fen(), "3rk3/p7/8/8/8/8/P7/R4RK1 w - - 0 1");
    }

    #[test]
    fn nonsense_is_noticed() {
        let mut editor = Editor::new(&Position::default());
        for line in ["", "Zz9", "Pa9", "Za1", "hello", "Pé"] {
            assert_eq!(editor.line(line), Edited::Unknown, "{line}");
        }
    }
}
