//! The old way to set up a position in the xboard protocol, for engines without `setboard`.

use shakmaty::{Chess, Color, Position, Square};

use crate::arena::client::driver::Outbox;
use crate::protocol::xboard::Command;

/// Sets up a position in edit mode, on a board that has just had `new` and `force`.
///
/// The protocol has no word for castling rights, the en-passant square and the clocks: an engine assumes the
/// right to castle wherever king and rook are at home. Who is on move it knows from the moves made before, so
/// Black is put on move by a move of White's, as xboard does it.
pub fn set_up(position: &Chess, usermove: bool, out: &mut Outbox) {
    if position.turn() == Color::Black {
        out.say(if usermove { "usermove a2a3" } else { "a2a3" });
    }
    out.say(Command::Edit);
    out.say("#");
    for color in [Color::White, Color::Black] {
        if color == Color::Black {
            out.say("c");
        }
        for square in Square::ALL {
            if let Some(piece) = position.board().piece_at(square)
                && piece.color == color
            {
                out.say(format_args!("{}{square}", piece.role.upper_char()));
            }
        }
    }
    out.say(".");
}
