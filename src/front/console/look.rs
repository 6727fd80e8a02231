//! How the console looks.

use chess::{Color, Piece};

use crate::choice;

choice! {
    /// What stands for a piece.
    Pieces {
        Letters = "letters",
        Unicode = "unicode",
    }
}

/// What the terminal can show, and how the user wants it.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    pub colors: bool,
    pub pieces: Pieces,
}

impl Look {
    /// Text that every terminal shows, and no program stumbles over.
    pub const PLAIN: Look = Look { colors: false, pieces: Pieces::Letters };
}

/// White's men are capital letters, Black's small ones; in Unicode they are outlines and filled.
pub fn man(piece: Piece, color: Color, pieces: Pieces) -> char {
    let index = piece.to_index();
    match (pieces, color) {
        (Pieces::Letters, Color::White) => ['P', 'N', 'B', 'R', 'Q', 'K'][index],
        (Pieces::Letters, Color::Black) => ['p', 'n', 'b', 'r', 'q', 'k'][index],
        (Pieces::Unicode, Color::White) => ['♙', '♘', '♗', '♖', '♕', '♔'][index],
        (Pieces::Unicode, Color::Black) => filled(piece),
    }
}

/// The filled sign, which colours make White's or Black's.
pub fn filled(piece: Piece) -> char {
    ['♟', '♞', '♝', '♜', '♛', '♚'][piece.to_index()]
}
