//! A case: an action, the board after it, and the answer. The definition of equal actions.

use std::fmt;

use anyhow::anyhow;
use chess::{Board, ChessMove, Color, Piece};
use shakmaty::san::San;
use shakmaty::{CastlingSide, Role};

use crate::rules::position::moves::{is_capture, pack, unpack};
use crate::rules::position::notation::excerpt;

/// The origin of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GameId {
    /// A game of the library.
    Library(u32),
    /// A game of our own, from the file beside the library.
    Own(u32),
}

/// An answer to an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// The board after the action.
    pub planes: Planes,
    /// The answer as Black's move on the board of `planes`.
    pub reaction: SmallMove,
    /// The number of the reaction in its game, from 0 for the first move.
    pub ply: u16,
    /// The side of the action; the other side reacted.
    pub actor: Color,
    pub game: GameId,
}

impl Case {
    /// Returns the reaction as an action: the parts in common with moves on other boards.
    #[inline]
    pub fn reaction_action(&self) -> Action {
        let source = self.reaction.source();
        let target = self.reaction.target();
        let piece = self
            .planes
            .piece_on(source)
            .map_or(0, |(piece, _)| piece.to_index() as u16);
        let takes_en_passant = piece == 0 && (source ^ target) & 7 != 0;
        let captures = self.planes.occupied() >> target & 1 == 1 || takes_en_passant;
        Action::from_parts(
            &Parts {
                piece,
                source,
                target,
                captures,
                promotion: self.reaction.promotion(),
            },
            Color::Black,
        )
    }
}

/// A move as a key into the library: its notation without check marks and disambiguation, as "hxg6"
/// in the paper. That is the piece, the target, the mark of a capture, the promotion, the file of a
/// capturing pawn, the side of castling. Black's moves are White's on the mirrored board, so that
/// 1... e5 is the same action as 1. e4.
///
/// From bit 0: target (6 bits), piece (3: pawn 0 to king 5, castling 6), capture (1), promotion (3:
/// none, N, B, R, Q), file of a capturing pawn (3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Action(u16);

const CASTLING: u16 = 6;

/// Returns the number that mirrors the squares of one side, and back.
fn mirror(side: Color) -> u8 {
    if side == Color::White { 0 } else { 56 }
}

/// A move's parts.
struct Parts {
    /// 0 for a pawn to 5 for the king.
    piece: u16,
    source: u8,
    /// The target square; of the king with castling.
    target: u8,
    captures: bool,
    /// 0 for none, 1 for a knight to 4 for a queen.
    promotion: u16,
}

impl Action {
    /// Returns the action of a legal move.
    pub fn of(board: &Board, mv: ChessMove) -> Action {
        let piece = board.piece_on(mv.get_source()).unwrap_or(Piece::Pawn);
        let parts = Parts {
            piece: piece.to_index() as u16,
            source: mv.get_source().to_int(),
            target: mv.get_dest().to_int(),
            captures: is_capture(board, mv),
            promotion: mv
                .get_promotion()
                .map_or(0, |piece| piece.to_index() as u16),
        };
        Action::from_parts(&parts, board.side_to_move())
    }

    fn from_parts(parts: &Parts, side: Color) -> Action {
        let is_castling = parts.piece == 5 && parts.source.abs_diff(parts.target) == 2;
        let file = if parts.piece == 0 && parts.captures {
            parts.source & 7
        } else {
            0
        };
        Action(
            u16::from(parts.target ^ mirror(side))
                | if is_castling { CASTLING } else { parts.piece } << 6
                | u16::from(parts.captures) << 9
                | parts.promotion << 10
                | u16::from(file) << 13,
        )
    }

    /// The action as a number.
    pub fn bits(self) -> u16 {
        self.0
    }

    /// Returns the target square of the move as White's: a1 is 0.
    pub(crate) fn target(self) -> u8 {
        self.bits() as u8 & 63
    }

    /// Reads the move of a side, `hxg6` or `O-O`; check marks and disambiguation do not matter.
    ///
    /// # Errors
    /// The text is no action; the message names the text.
    pub fn parse(text: &str, side: Color) -> anyhow::Result<Action> {
        Action::read(text, side).ok_or_else(|| {
            let text = excerpt(text);
            anyhow!("\"{text}\" is no move in algebraic notation, like Nf3, hxg6, e8=Q or O-O")
        })
    }

    fn read(text: &str, side: Color) -> Option<Action> {
        let text = text.trim().trim_end_matches(['+', '#', '!', '?']);
        let parts = match San::from_ascii(text.as_bytes()).ok()? {
            San::Castle(castling) => {
                let file = if castling == CastlingSide::KingSide {
                    6
                } else {
                    2
                };
                Parts {
                    piece: 5,
                    source: 4 ^ mirror(side),
                    target: file ^ mirror(side),
                    captures: false,
                    promotion: 0,
                }
            }
            San::Normal {
                role,
                file,
                capture,
                to,
                promotion,
                ..
            } => {
                let target = u32::from(to) as u8;
                let source = match role {
                    Role::Pawn if capture => u32::from(file?) as u8,
                    // A king that goes two squares would be castling.
                    _ => target ^ 1,
                };
                Parts {
                    piece: role as u16 - 1,
                    source,
                    target,
                    captures: capture,
                    promotion: promotion.map_or(0, |role| role as u16 - 1),
                }
            }
            _ => return None,
        };
        Some(Action::from_parts(&parts, side))
    }

    /// Returns the action in a side's notation.
    pub fn san(self, side: Color) -> impl fmt::Display {
        let key = self.bits();
        let square = chess::ALL_SQUARES[usize::from(self.target() ^ mirror(side))];
        let captures = if key >> 9 & 1 == 1 { "x" } else { "" };
        let promotion = ["", "=N", "=B", "=R", "=Q", "", "", ""][usize::from(key >> 10 & 7)];
        match key >> 6 & 7 {
            CASTLING if key & 7 == 6 => "O-O".to_owned(),
            CASTLING => "O-O-O".to_owned(),
            0 if captures.is_empty() => format!("{square}{promotion}"),
            0 => format!(
                "{}x{square}{promotion}",
                char::from(b'a' + (key >> 13) as u8)
            ),
            piece => {
                let piece = ["P", "N", "B", "R", "Q", "K", "?", "?"][usize::from(piece)];
                format!("{piece}{captures}{square}")
            }
        }
    }
}

/// The piece on each square, in four bit planes, a1 in bit 0. The first three are the piece (pawn 1
/// to king 6, empty 0), the last one is its colour, set for Black.
///
/// Pieces with a right are 7: a rook on its first rank with the right to castle, a pawn on its
/// fourth open to capture en passant. White acted and Black is to move; boards of Black's actions
/// are mirrored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Planes(pub [u64; 4]);

/// The ranks of rooks with rights; pawns have theirs elsewhere.
pub(super) const FIRST_AND_LAST_RANK: u64 = 0xff00_0000_0000_00ff;

impl Planes {
    /// Returns the planes of a board before the answer of its side to move.
    pub fn of(board: &Board) -> Planes {
        let roles = chess::ALL_PIECES.map(|piece| board.pieces(piece).0);
        let rooks = chess::ALL_COLORS.map(|side| board.castle_rights(side).unmoved_rooks(side).0);
        let rights =
            rooks[0] | rooks[1] | board.en_passant().map_or(0, |pawn| 1 << pawn.to_index());
        let black = board.color_combined(Color::Black).0;
        let [pawns, knights, bishops, rooks, queens, kings] = roles;
        let p0 = pawns | bishops | queens | rights;
        let p1 = knights | bishops | kings | rights;
        let p2 = rooks | queens | kings | rights;
        if board.side_to_move() == Color::Black {
            Planes([p0, p1, p2, black])
        } else {
            Planes([p0, p1, p2, (p0 | p1 | p2) & !black].map(u64::swap_bytes))
        }
    }

    /// Returns the planes without rights: rooks and pawns like all others.
    #[inline]
    pub fn without_rights(self) -> Planes {
        let Planes([p0, p1, p2, black]) = self;
        let rights = p0 & p1 & p2;
        let rooks = rights & FIRST_AND_LAST_RANK;
        Planes([p0 & !rooks, p1 & !rights, p2 & !(rights & !rooks), black])
    }

    /// Returns all squares with a piece.
    #[inline]
    pub fn occupied(self) -> u64 {
        self.0[0] | self.0[1] | self.0[2]
    }

    /// Returns the piece on a square, and its colour.
    pub fn piece_on(self, square: u8) -> Option<(Piece, Color)> {
        let Planes([p0, p1, p2, black]) = self.without_rights();
        let [p0, p1, p2, black] = [p0, p1, p2, black].map(|plane| (plane >> square & 1) as usize);
        let index = (p0 | p1 << 1 | p2 << 2).checked_sub(1)?;
        Some((*chess::ALL_PIECES.get(index)?, chess::ALL_COLORS[black]))
    }

    /// The board as a FEN, mirrored back if `actor` was Black.
    pub fn fen(self, actor: Color) -> String {
        let Planes([p0, p1, p2, _]) = self;
        let rights = p0 & p1 & p2;
        let mut setup = shakmaty::Setup::empty();
        for square in shakmaty::Square::ALL {
            let index = u32::from(square) as u8;
            let Some((piece, color)) = self.piece_on(index) else {
                continue;
            };
            let is_black = (color == Color::Black) != (actor == Color::Black);
            let color = shakmaty::Color::from_white(!is_black);
            let role = shakmaty::Role::ALL[piece.to_index()];
            let place = shakmaty::Square::new(u32::from(index ^ mirror(actor)));
            setup
                .board
                .set_piece_at(place, shakmaty::Piece { color, role });
            if rights >> index & 1 == 1 {
                match FIRST_AND_LAST_RANK >> index & 1 {
                    1 => setup.castling_rights.add(place),
                    _ => setup.ep_square = Some(shakmaty::Square::new(u32::from(place) ^ 8)),
                }
            }
        }
        setup.turn = shakmaty::Color::from_white(actor == Color::Black);
        shakmaty::fen::Epd::try_from_setup(setup)
            .map_or_else(|_| String::new(), |epd| epd.to_string())
    }
}

/// A move in two bytes: from bit 0 target, source (6 bits each), promotion (3: none, N, B, R, Q).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SmallMove(u16);

impl SmallMove {
    /// The move as a number.
    pub fn bits(self) -> u16 {
        self.0
    }

    /// Packs the move of a side; its squares are mirrored for `Color::Black`.
    pub fn of(mv: ChessMove, side: Color) -> SmallMove {
        SmallMove(pack(mv)).mirrored(side)
    }

    fn mirrored(self, side: Color) -> SmallMove {
        let mirror = u16::from(mirror(side));
        SmallMove(self.0 ^ (mirror | mirror << 6))
    }

    pub fn source(self) -> u8 {
        (self.0 >> 6 & 63) as u8
    }

    pub fn target(self) -> u8 {
        (self.0 & 63) as u8
    }

    /// 0 for none, 1 for a knight to 4 for a queen.
    pub fn promotion(self) -> u16 {
        self.0 >> 12 & 7
    }

    /// Unpacks the move for a board, mirrored back if `side` is Black. The move need not be legal.
    pub fn chess_move(self, side: Color) -> ChessMove {
        unpack(self.mirrored(side).0)
    }
}
