//! What makes two moves the same action.

use std::fmt;

use chess::{Board, ChessMove, Color, File, Piece, Square};
use shakmaty::san::San;
use shakmaty::{CastlingSide, Role};
use strum::{EnumString, IntoStaticStr, VariantNames};
use thiserror::Error;

use crate::position::moves::is_capture;

/// What two moves have in common that are the same action. The words of the option `ActionKey`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumString, IntoStaticStr, VariantNames)]
#[strum(serialize_all = "kebab-case", ascii_case_insensitive, const_into_str)]
pub enum Keying {
    /// Their notation without check marks and disambiguation, as "hxg6" in the paper: the same [`ActionKey`].
    #[default]
    San,
    /// The same, and the square from which the man came.
    Squares,
}

/// A move as its notation says it, without check marks and disambiguation: the man, the target, whether it
/// takes, what a pawn becomes, the file from which a pawn takes, the side of castling. Black's moves are
/// those that White would make on the mirrored board, so that 1... e5 has the key of 1. e4.
///
/// From bit 0: target (6 bits), man (3: pawn 0 to king 5, castling 6), capture (1), promotion (3: none, N, B,
/// R, Q), file of a pawn that takes (3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ActionKey(pub u16);

const CASTLING: u16 = 6;

/// A move, as the library looks for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Action {
    pub key: ActionKey,
    /// From where the man came, 0 for a1; mirrored for Black.
    pub source: u8,
}

/// Why a text is no action. The text says it.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("\"{0}\" is no move in algebraic notation, like Nf3, hxg6, e8=Q or O-O")]
pub struct ActionError(String);

/// The number that turns the squares of one side into those of the other, and back.
pub(super) fn mirror(side: Color) -> u8 {
    if side == Color::White { 0 } else { 56 }
}

/// A move's parts, whoever reads or plays it.
pub(crate) struct Parts {
    /// 0 for a pawn to 5 for the king.
    pub man: u16,
    pub source: u8,
    /// With castling, where the king lands.
    pub target: u8,
    pub captures: bool,
    /// 0 for none, 1 for a knight to 4 for a queen.
    pub promotion: u16,
}

impl Action {
    /// The action that a legal move is.
    pub fn of(board: &Board, mv: ChessMove) -> Action {
        Action::from_parts(&Parts::of(board, mv), board.side_to_move() == Color::White)
    }

    pub(crate) fn from_parts(parts: &Parts, is_white: bool) -> Action {
        let mirror = if is_white { 0 } else { 56 };
        let is_castling = parts.man == 5 && parts.source.abs_diff(parts.target) == 2;
        let file = if parts.man == 0 && parts.captures { parts.source & 7 } else { 0 };
        let key = u16::from(parts.target ^ mirror)
            | if is_castling { CASTLING } else { parts.man } << 6
            | u16::from(parts.captures) << 9
            | parts.promotion << 10
            | u16::from(file) << 13;
        Action { key: ActionKey(key), source: parts.source ^ mirror }
    }
}

impl Parts {
    fn of(board: &Board, mv: ChessMove) -> Parts {
        let man = board.piece_on(mv.get_source()).unwrap_or(Piece::Pawn);
        Parts {
            man: man.to_index() as u16,
            source: mv.get_source().to_int(),
            target: mv.get_dest().to_int(),
            captures: is_capture(board, mv),
            promotion: mv.get_promotion().map_or(0, |piece| piece.to_index() as u16),
        }
    }
}

impl ActionKey {
    pub(super) fn to_le_bytes(self) -> [u8; 2] {
        self.0.to_le_bytes()
    }

    pub(super) fn from_le_bytes(bytes: [u8; 2]) -> ActionKey {
        ActionKey(u16::from_le_bytes(bytes))
    }

    /// The square that the move goes to, as White's: a1 is 0.
    pub(crate) fn target(self) -> u8 {
        self.0 as u8 & 63
    }

    /// Reads the move of a side, `hxg6` or `O-O`; check marks and disambiguation do not matter.
    pub fn parse(text: &str, side: Color) -> Result<ActionKey, ActionError> {
        let error = || ActionError(crate::position::notation::excerpt(text));
        let san = San::from_ascii(text.trim().trim_end_matches(['+', '#', '!', '?']).as_bytes());
        let (man, source, target, captures, promotion) = match san.map_err(|_| error())? {
            San::Castle(castling) => {
                let file = if castling == CastlingSide::KingSide { 6 } else { 2 };
                (5, 4 ^ mirror(side), file ^ mirror(side), false, 0)
            }
            San::Normal { role, file, capture, to, promotion, .. } => {
                let needs_file = role == Role::Pawn && capture;
                let file = if needs_file { u32::from(file.ok_or_else(error)?) as u8 } else { 0 };
                // A king that goes two squares would be castling.
                let source = if role == Role::King { u32::from(to) as u8 ^ 1 } else { file };
                let promotion = promotion.map_or(0, |role| role as u16 - 1);
                (role as u16 - 1, source, u32::from(to) as u8, capture, promotion)
            }
            _ => return Err(error()),
        };
        let parts = Parts { man, source, target, captures, promotion };
        Ok(Action::from_parts(&parts, side == Color::White).key)
    }

    /// The action as a side's notation says it.
    pub fn san(self, side: Color) -> impl fmt::Display {
        let ActionKey(key) = self;
        let square = Square::make_square(
            chess::Rank::from_index(usize::from((key as u8 & 63 ^ mirror(side)) >> 3)),
            File::from_index(usize::from(key & 7)),
        );
        let captures = if key >> 9 & 1 == 1 { "x" } else { "" };
        let promotion = ["", "=N", "=B", "=R", "=Q"].get(usize::from(key >> 10 & 7)).unwrap_or(&"");
        match key >> 6 & 7 {
            CASTLING if key & 7 == 6 => "O-O".to_owned(),
            CASTLING => "O-O-O".to_owned(),
            0 if captures.is_empty() => format!("{square}{promotion}"),
            0 => format!("{}x{square}{promotion}", char::from(b'a' + (key >> 13) as u8)),
            man => {
                let man = ["P", "N", "B", "R", "Q", "K"].get(usize::from(man)).unwrap_or(&"?");
                format!("{man}{captures}{square}")
            }
        }
    }
}
