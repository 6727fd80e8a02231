//! The arbiter: a game under shakmaty's rules, independent of the engines.

use shakmaty::{
    CastlingMode, Chess, Color, EnPassantMode, Move, Position,
    san::{SanError, SanPlus},
    uci::UciMove,
    zobrist::Zobrist128,
};
use thiserror::Error;

use super::{Opening, Reason, Verdict};
use crate::rules::pgn;
use crate::rules::position::FenError;
use crate::rules::position::notation::{read_fen, write_fen};

/// A move of the game, in both notations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// Coordinates: `e7e8q`, `e1g1`.
    pub uci: String,
    /// Standard algebraic notation with check marks: `e8=Q+`.
    pub san: String,
}

/// The reason for an unplayable opening. The text names the fault.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum OpeningError {
    #[error("cannot start from FEN: {0}")]
    Fen(#[from] FenError),
    #[error("move {number} of the opening, \"{text}\", {fault}")]
    Move {
        number: usize,
        text: String,
        fault: MoveFault,
    },
}

/// The fault of a move. The text goes on after the move.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum MoveFault {
    #[error("is not a move")]
    Unreadable,
    #[error("is not legal")]
    Illegal,
    #[error("fits more than one legal move")]
    Ambiguous,
}

/// The game so far; by default from the usual position, before the first move.
#[derive(Clone, Debug)]
pub struct Referee {
    start: Chess,
    position: Chess,
    moves: Vec<Played>,
    opening: usize,
    /// Keys since the last irreversible move, the position's own last.
    keys: Vec<Zobrist128>,
}

impl Default for Referee {
    fn default() -> Referee {
        Referee::from(Chess::default())
    }
}

impl From<Chess> for Referee {
    fn from(start: Chess) -> Referee {
        Referee {
            keys: vec![key(&start)],
            position: start.clone(),
            start,
            moves: Vec::new(),
            opening: 0,
        }
    }
}

impl Referee {
    /// A game of standard chess after its opening moves.
    pub fn new(opening: &Opening) -> Result<Referee, OpeningError> {
        let start = match &opening.fen {
            Some(fen) => read_fen(fen)?,
            None => Chess::default(),
        };
        let mut referee = Referee::from(start);
        for (index, text) in opening.moves.iter().enumerate() {
            let error = |fault| OpeningError::Move {
                number: index + 1,
                text: text.clone(),
                fault,
            };
            let mv = referee.read_move(text).map_err(error)?;
            referee.play(mv);
        }
        referee.opening = referee.moves.len();
        Ok(referee)
    }

    /// A game of standard chess from a position.
    pub fn at(fen: &str) -> Result<Referee, OpeningError> {
        Referee::after(fen, &[])
    }

    /// The same after some moves.
    pub fn after(fen: &str, moves: &[String]) -> Result<Referee, OpeningError> {
        Referee::new(&Opening {
            fen: Some(fen.to_owned()),
            moves: moves.to_vec(),
            name: None,
        })
    }

    /// The side to move.
    pub fn turn(&self) -> Color {
        self.position.turn()
    }

    /// The first position of the game, before the opening's moves; `None` for the usual one.
    pub fn start_fen(&self) -> Option<String> {
        (self.start != Chess::default()).then(|| write_fen(&self.start))
    }

    /// The position before the opening's moves.
    pub fn start(&self) -> &Chess {
        &self.start
    }

    /// The position now.
    pub fn position(&self) -> &Chess {
        &self.position
    }

    /// The position now as FEN.
    pub fn fen(&self) -> String {
        write_fen(&self.position)
    }

    /// Moves so far, the opening's first.
    pub fn moves(&self) -> &[Played] {
        &self.moves
    }

    /// Moves in coordinates, but for the first `skipped`.
    pub fn coordinates(&self, skipped: usize) -> Vec<String> {
        let later = self.moves.iter().skip(skipped);
        later.map(|played| played.uci.clone()).collect()
    }

    /// Half-moves of the opening.
    pub fn opening_length(&self) -> usize {
        self.opening
    }

    /// Half-moves of the opening by `color`.
    pub fn opening_moves_of(&self, color: Color) -> u32 {
        let first = usize::from(self.start.turn() == color);
        u32::try_from((self.opening + first) / 2).unwrap_or(u32::MAX)
    }

    /// The number of the coming full move, from 1 at the start of the opening.
    pub fn move_number(&self) -> u32 {
        u32::try_from(self.moves.len() / 2 + 1).unwrap_or(u32::MAX)
    }

    /// Reads a move in coordinates or in standard algebraic notation.
    ///
    /// # Errors
    /// Fails if the text is no move, or one not playable now.
    pub fn read_move(&self, text: &str) -> Result<Move, MoveFault> {
        let text = text.trim_end_matches(['+', '#', '!', '?']);
        if let Some(coordinates) = read_coordinates(text) {
            let mv = coordinates
                .to_move(&self.position)
                .map_err(|_| MoveFault::Illegal)?;
            // The king castles by moving two files, not by taking its own rook as in Chess960.
            let is_usual = mv.to_uci(CastlingMode::Standard) == coordinates;
            return is_usual.then_some(mv).ok_or(MoveFault::Illegal);
        }
        let san = pgn::san(text).ok_or(MoveFault::Unreadable)?.san;
        san.to_move(&self.position).map_err(|error| match error {
            SanError::AmbiguousSan => MoveFault::Ambiguous,
            SanError::IllegalSan => MoveFault::Illegal,
        })
    }

    /// A move read here by [`Referee::read_move`], in both notations.
    pub fn written(&self, mv: Move) -> Played {
        Played {
            uci: mv.to_uci(CastlingMode::Standard).to_string(),
            san: SanPlus::from_move(self.position.clone(), mv).to_string(),
        }
    }

    /// Plays a move read here by [`Referee::read_move`].
    pub fn play(&mut self, mv: Move) {
        let rights = self.position.castles().castling_rights();
        self.moves.push(self.written(mv));
        self.position.play_unchecked(mv);
        if mv.is_zeroing() || self.position.castles().castling_rights() != rights {
            self.keys.clear();
        }
        self.keys.push(key(&self.position));
    }

    /// The result if the game is over by rule. Threefold repetition and fifty moves end the game
    /// without a claim, mate comes before both.
    pub fn outcome(&self) -> Option<(Verdict, Reason)> {
        if self.position.is_checkmate() {
            return Some((Verdict::win_of(!self.turn()), Reason::Checkmate));
        }
        let here = key(&self.position);
        let reason = if self.position.is_stalemate() {
            Reason::Stalemate
        } else if self.position.is_insufficient_material() {
            Reason::InsufficientMaterial
        } else if self.keys.iter().filter(|&&key| key == here).count() >= 3 {
            Reason::ThreefoldRepetition
        } else if self.position.halfmoves() >= 100 {
            Reason::FiftyMoves
        } else {
            return None;
        };
        Some((Verdict::Draw, reason))
    }

    /// Returns true if a position since the last irreversible move has occurred twice.
    pub fn repeats(&self) -> bool {
        (1..self.keys.len()).any(|later| self.keys[..later].contains(&self.keys[later]))
    }

    /// The move, in standard algebraic notation, for `claimant` to claim a draw now, and the rule.
    /// (The laws of chess, 9.2 and 9.3, let a player claim with the move still to be made; an
    /// engine's claim of a result has no room for the move.)
    pub fn drawing_move(&self, claimant: Color) -> Option<(String, Reason)> {
        if self.turn() != claimant {
            return None;
        }
        for mv in self.position.legal_moves() {
            let mut after = self.clone();
            after.play(mv);
            if let Some((_, reason @ (Reason::ThreefoldRepetition | Reason::FiftyMoves))) =
                after.outcome()
            {
                return Some((self.written(mv).san, reason));
            }
        }
        None
    }
}

/// A position's key for repetitions: the en-passant file counts only where the capture is legal.
fn key(position: &Chess) -> Zobrist128 {
    position.zobrist_hash(EnPassantMode::Legal)
}

/// `e2e4`, `e7e8q`, `e7e8Q`, `e7e8=q`, `e2-e4`; `None` for anything else.
fn read_coordinates(text: &str) -> Option<UciMove> {
    let mut text = text.replace(['=', '-'], "");
    // Only the piece may be a capital: B2b4 is a bishop's move.
    if let Some(piece) = text.get_mut(4..) {
        piece.make_ascii_lowercase();
    }
    match UciMove::from_ascii(text.as_bytes()) {
        Ok(mv @ UciMove::Normal { .. }) => Some(mv),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opening(fen: &str, moves: &str) -> Opening {
        let moves = moves.split_whitespace().map(str::to_owned).collect();
        Opening {
            fen: (!fen.is_empty()).then(|| fen.to_owned()),
            moves,
            name: None,
        }
    }

    fn referee(fen: &str, moves: &str) -> Referee {
        Referee::new(&opening(fen, moves)).expect("an opening")
    }

    fn ended(fen: &str, moves: &str) -> Option<(Verdict, Reason)> {
        referee(fen, moves).outcome()
    }

    #[test]
    fn every_notation_of_a_move_is_read() {
        let game = referee("r3k2r/P6P/8/8/8/8/8/R3K2R w KQkq - 0 1", "");
        let legal = "e1g1:e1g1 O-O:e1g1 0-0-0:e1c1 Kf1:e1f1 a1-a2:a1a2 Rh6:h1h6 h1h6!:h1h6";
        let others =
            ": h7xh8: hxg8=Q: Rxh7: E1g1: e1h1: e1e3: 0000: @@@@: (none): hello: e8e7: é2é4:";
        for text in legal.split(' ').chain(others.split(' ')) {
            let (text, uci) = text.split_once(':').expect(text);
            let read = game
                .read_move(text)
                .map(|mv| mv.to_uci(CastlingMode::Standard).to_string());
            assert_eq!(read.unwrap_or_default(), uci, "{text}");
        }
        let promotion = referee("8/P6k/8/8/8/8/8/K7 w - - 0 1", "");
        for text in ["a7a8q", "a7a8Q", "a7a8=q", "a8=Q", "a8Q"] {
            let mv = promotion.read_move(text).expect(text);
            assert_eq!(mv.to_uci(CastlingMode::Standard).to_string(), "a7a8q");
        }
        assert_eq!(promotion.read_move("a7a8"), Err(MoveFault::Illegal));
        assert_eq!(
            referee("7k/8/8/8/8/8/8/R2R3K w - - 0 1", "").read_move("Rb1"),
            Err(MoveFault::Ambiguous)
        );
    }

    #[test]
    fn positions_of_chess960_are_refused_by_name() {
        let refused =
            Referee::at("1rk4r/8/8/8/8/8/8/1RK4R w HBhb - 0 1").expect_err("another game");
        assert!(refused.to_string().contains("Chess960"), "{refused}");
    }

    #[test]
    fn games_end_by_rule() {
        use Reason::*;
        use Verdict::*;
        assert_eq!(
            ended("", "f2f3 e7e5 g2g4 d8h4"),
            Some((BlackWins, Checkmate))
        );
        assert_eq!(
            ended("7k/8/5KQ1/8/8/8/8/8 b - - 0 1", ""),
            Some((Draw, Stalemate))
        );
        assert_eq!(
            ended("7k/8/8/8/8/8/8/KB6 w - - 0 1", ""),
            Some((Draw, InsufficientMaterial))
        );
        let round = "g1f3 g8f6 f3g1 f6g8 ";
        assert_eq!(ended("", round), None);
        assert_eq!(
            ended("", &round.repeat(2)),
            Some((Draw, ThreefoldRepetition))
        );
        assert_eq!(ended("7k/8/8/8/8/8/8/KR6 w - - 99 80", ""), None);
        assert_eq!(
            ended("7k/8/8/8/8/8/8/KR6 w - - 99 80", "b1b2"),
            Some((Draw, FiftyMoves))
        );
        // The hundredth half-move mates: a win.
        assert_eq!(
            ended("7k/8/6K1/8/8/8/8/R7 w - - 99 80", "a1a8"),
            Some((WhiteWins, Checkmate))
        );
    }

    #[test]
    fn lost_castling_rights_make_another_position() {
        // The rook's first trip loses the right to castle, so the start does not count for the
        // repetition.
        let fen = "4k3/7p/8/8/8/8/8/4K2R w K - 0 1";
        let round = "h1g1 e8d8 g1h1 d8e8 ";
        assert_eq!(ended(fen, &round.repeat(2)), None);
        let third = ended(fen, &(round.repeat(2) + "h1g1"));
        assert_eq!(third, Some((Verdict::Draw, Reason::ThreefoldRepetition)));
    }

    #[test]
    fn a_repeated_position_is_noticed_until_a_move_that_cannot_be_taken_back() {
        let repeats = |more: &str| referee("", &format!("g1f3 g8f6 f3g1 {more}")).repeats();
        assert_eq!(
            ["", "f6g8", "f6g8 b1c3", "f6g8 e2e4"].map(repeats),
            [false, true, true, false]
        );
    }

    #[test]
    fn broken_openings_are_named() {
        let error = |fen, moves| {
            Referee::new(&opening(fen, moves))
                .expect_err("it is broken")
                .to_string()
        };
        assert!(error("no fen", "").contains("no fen"));
        assert!(error("8/8/8/8/8/8/8/8 w - - 0 1", "").contains("cannot start"));
        assert_eq!(
            error("", "e2e4 e2e4"),
            "move 2 of the opening, \"e2e4\", is not legal"
        );
    }

    #[test]
    fn opening_moves_belong_to_their_sides() {
        let game = referee("", "e2e4 e7e5 g1f3");
        let of_sides = [Color::White, Color::Black].map(|color| game.opening_moves_of(color));
        assert_eq!(
            (of_sides, game.move_number(), game.moves().len()),
            ([2, 1], 2, 3)
        );
    }
}
