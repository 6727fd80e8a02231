//! FEN, SAN and Polyglot keys, through shakmaty: its readers explain bad input, and it is a second
//! opinion on every position from outside.

use std::fmt::Display;
use std::num::NonZeroU32;

use chess::{ALL_COLORS, ALL_PIECES, Board, ChessMove, Color, Square};
use shakmaty::{
    Bitboard, ByColor, ByRole, CastlingMode, Chess, EnPassantMode, FromSetup, Position as _,
    PositionError, Role, Setup,
    fen::Fen,
    san::{San, SanError, SanPlus},
    uci::UciMove,
    zobrist::Zobrist64,
};
use thiserror::Error;

use super::{Position, moves::coordinate};

pub use crate::util::display::excerpt;

/// The reason for refusing a FEN, in words. The text names the FEN.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{0}")]
pub struct FenError(String);

impl FenError {
    /// The FEN can be read, but is no chess position: two kings, the side not to move in check,
    /// pawns on the last rank ...
    fn illegal(fen: &str, reason: impl Display) -> FenError {
        let reason = reason.to_string();
        let reason = reason.trim_start_matches("illegal position: ");
        FenError(format!("illegal position \"{fen}\": {reason}"))
    }
}

/// Moves in standard notation with their numbers, from `number` on: `21... hxg6 22. Nh4`
pub fn numbered(moves: &[String], number: usize, blacks_first: bool) -> String {
    let first = usize::from(blacks_first);
    let mut words = Vec::new();
    for (san, half) in moves.iter().zip(first..) {
        words.push(match half {
            _ if half % 2 == 0 => format!("{}. {san}", number + half / 2),
            1 if blacks_first => format!("{number}... {san}"),
            _ => san.clone(),
        });
    }
    words.join(" ")
}

/// Reads a FEN: for [`Position`], for the arena's referee, and for the games of others.
///
/// The clocks may be missing; castling rights `KQkq` without any rook and en-passant squares that
/// mean nothing are dropped, as the protocols need; blanks may be doubled.
///
/// # Errors
/// See [`FenError`].
pub fn read_fen(fen: &str) -> Result<Chess, FenError> {
    let fen = fen.split_whitespace().collect::<Vec<_>>().join(" ");
    let setup = match Fen::from_ascii(fen.as_bytes()) {
        Ok(fen) => fen.into_setup(),
        Err(error) => {
            let fen = excerpt(&fen);
            return Err(FenError(format!("cannot read FEN \"{fen}\": {error}")));
        }
    };
    // Without the castling rights of a king or rook away from home it would be another position.
    if CastlingMode::detect(&setup).is_chess960() {
        return Err(FenError(format!(
            "position \"{fen}\" is of Chess960: a king or rook that is not at home may castle, which is not played here"
        )));
    }
    if let Some(reason) = too_large_number(&setup) {
        return Err(FenError::illegal(&fen, reason));
    }
    let game = Chess::from_setup(setup, CastlingMode::Standard)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .map_err(|error| FenError::illegal(&fen, error))?;
    let rights = game.castles().castling_rights();
    // The same goes for a right by the file of a rook (Shredder-FEN) without the rook.
    for right in fen.split(' ').nth(2).unwrap_or_default().chars() {
        if let Some(rook) = rook_square(right)
            && !rights.contains(rook)
        {
            return Err(FenError(format!(
                "position \"{fen}\": the castling right '{right}' needs a rook on that file and its king on the same rank"
            )));
        }
    }
    Ok(game)
}

/// The largest numbers of a FEN: half-moves since the last pawn move or capture, and the move.
const MOST_HALF_MOVES: u32 = 10_000;
const MOST_MOVES: u32 = 1_000_000;

/// Returns the reason why no position with such large numbers is read.
fn too_large_number(setup: &Setup) -> Option<String> {
    let half_moves = setup.halfmoves;
    let moves = setup.fullmoves.get();
    if half_moves > MOST_HALF_MOVES {
        return Some(format!(
            "{half_moves} half-moves without a pawn move or capture are more than {MOST_HALF_MOVES}"
        ));
    }
    (moves > MOST_MOVES).then(|| format!("move {moves} is beyond move {MOST_MOVES}"))
}

/// The square of the rook named by a castling right (its file); `None` if the right names none.
fn rook_square(right: char) -> Option<shakmaty::Square> {
    let file = shakmaty::File::from_char(right.to_ascii_lowercase())?;
    let rank = if right.is_ascii_uppercase() {
        shakmaty::Rank::First
    } else {
        shakmaty::Rank::Eighth
    };
    Some(shakmaty::Square::from_coords(file, rank))
}

/// The position as FEN, with an en-passant square only where the capture is legal.
pub fn write_fen(game: &Chess) -> String {
    Fen::from_position(game, EnPassantMode::Legal).to_string()
}

/// The reason for refusing a move. The text names the move.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum MoveError {
    /// Neither coordinate text nor SAN.
    #[error("\"{0}\" is not a move")]
    Unreadable(String),
    /// A move, but illegal here.
    #[error("\"{0}\" is not legal here")]
    Illegal(String),
    /// SAN of more than one legal move.
    #[error("\"{0}\" fits more than one move")]
    Ambiguous(String),
}

impl Position {
    /// Reads a FEN of standard chess; see [`read_fen`].
    ///
    /// # Errors
    /// See [`FenError`].
    pub fn from_fen(fen: &str) -> Result<Position, FenError> {
        let game = read_fen(fen)?;
        Position::from_shakmaty(&game).map_err(|reason| FenError::illegal(fen, reason))
    }

    /// The same position for our search. The board's own reader has to accept the position as well.
    ///
    /// # Errors
    /// The reader's reason for refusing.
    pub fn from_shakmaty(game: &Chess) -> Result<Position, String> {
        // The board keeps an en-passant square that is only pseudo-legal, as it does after a move;
        // see `polyglot_key`.
        let canonical = Fen::from_position(game, EnPassantMode::PseudoLegal).to_string();
        match canonical.parse() {
            Ok(board) => Ok(Position::new(
                board,
                game.halfmoves(),
                game.fullmoves().get(),
            )),
            Err(error) => Err(chess::Error::to_string(&error)),
        }
    }

    /// The position as FEN, with an en-passant square only where the capture is legal.
    pub fn to_fen(&self) -> String {
        write_fen(&self.to_shakmaty())
    }

    /// Reads a move in coordinate (`e2e4`, `e7e8q`) or standard algebraic notation (`Nf3`,
    /// `exd8=Q+`, `O-O`).
    ///
    /// # Errors
    /// See [`MoveError`]; nothing is played in any case.
    pub fn parse_move(&self, text: &str) -> Result<ChessMove, MoveError> {
        let fault = if let Some(mv) = parse_coordinate(text) {
            if self.is_legal(mv) {
                return Ok(mv);
            }
            MoveError::Illegal
        } else if let Ok(san) =
            San::from_ascii(text.trim_end_matches(['+', '#', '!', '?']).as_bytes())
        {
            match san.to_move(&self.to_shakmaty()) {
                Ok(mv) => return Ok(from_shakmaty_move(mv)),
                Err(SanError::AmbiguousSan) => MoveError::Ambiguous,
                Err(SanError::IllegalSan) => MoveError::Illegal,
            }
        } else {
            MoveError::Unreadable
        };
        Err(fault(text.to_owned()))
    }

    /// A legal move in standard algebraic notation with `+` or `#`; an illegal one as coordinates.
    pub fn san(&self, mv: ChessMove) -> String {
        let game = self.to_shakmaty();
        match to_shakmaty_move(mv).to_move(&game) {
            Ok(mv) => SanPlus::from_move(game, mv).to_string(),
            Err(_) => coordinate(mv),
        }
    }

    /// A line of moves from here in standard algebraic notation, cut before the first illegal one.
    pub fn san_line(&self, line: &[ChessMove]) -> Vec<String> {
        let mut game = self.to_shakmaty();
        line.iter()
            .map_while(|&mv| {
                let mv = to_shakmaty_move(mv).to_move(&game).ok()?;
                Some(SanPlus::from_move_and_play_unchecked(&mut game, mv).to_string())
            })
            .collect()
    }

    /// The position's key in Polyglot books. No key for repetitions: see [`polyglot_key`].
    pub fn polyglot_key(&self) -> u64 {
        polyglot_key(&self.to_shakmaty())
    }

    /// The same position for shakmaty.
    pub fn to_shakmaty(&self) -> Chess {
        board_to_shakmaty(self.board(), self.halfmove_clock(), self.fullmove_number())
    }
}

/// The shakmaty position of a [`Position`]'s board, or of one reached from there by legal moves.
pub fn board_to_shakmaty(board: &Board, halfmove_clock: u32, fullmove_number: u32) -> Chess {
    let mut setup = Setup::empty();
    let pieces = ByRole::new_with(|role| Bitboard(board.pieces(ALL_PIECES[role as usize - 1]).0));
    let [white, black] = ALL_COLORS.map(|color| Bitboard(board.color_combined(color).0));
    setup.board = shakmaty::Board::try_from_bitboards(pieces, ByColor { black, white })
        .expect("a piece has one kind and one colour");
    setup.turn = shakmaty::Color::from_white(board.side_to_move() == Color::White);
    setup.ep_square = super::key::en_passant_target(board).map(to_shakmaty_square);
    setup.halfmoves = halfmove_clock;
    setup.fullmoves = NonZeroU32::new(fullmove_number).unwrap_or(NonZeroU32::MIN);
    let [white, black] = ALL_COLORS.map(|color| board.castle_rights(color).unmoved_rooks(color).0);
    setup.castling_rights = Bitboard(white | black);
    Chess::from_setup(setup, CastlingMode::Standard)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_impossible_check)
        .expect("every Position was read by shakmaty or reached by legal moves from one that was")
}

/// The key of Polyglot books. It has the en-passant file if a pawn stands beside the one after a
/// double step, even if the capture would expose its king ("Polyglot book format", section on en
/// passant).
pub fn polyglot_key(game: &Chess) -> u64 {
    let Zobrist64(key) = game.zobrist_hash(EnPassantMode::PseudoLegal);
    key
}

/// Coordinate text to a move, legal or not. Promotion letters may be upper case.
fn parse_coordinate(text: &str) -> Option<ChessMove> {
    if !text.is_ascii() || text.len() > 5 {
        return None;
    }
    let (squares, promotion) = text.split_at_checked(4)?;
    (squares.to_owned() + &promotion.to_ascii_lowercase())
        .parse()
        .ok()
}

fn to_shakmaty_square(square: Square) -> shakmaty::Square {
    shakmaty::Square::new(u32::from(square.to_int()))
}

fn to_shakmaty_move(mv: ChessMove) -> UciMove {
    UciMove::Normal {
        from: to_shakmaty_square(mv.get_source()),
        to: to_shakmaty_square(mv.get_dest()),
        // Both count from the pawn to the king.
        promotion: mv.get_promotion().map(|piece| Role::ALL[piece.to_index()]),
    }
}

/// The move of a game of standard chess.
pub fn from_shakmaty_move(mv: shakmaty::Move) -> ChessMove {
    parse_coordinate(&mv.to_uci(CastlingMode::Standard).to_string())
        .expect("a standard chess move is always coordinate text")
}
