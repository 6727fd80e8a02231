//! A game in a few bytes: the place of each move among all legal ones, and how far each score is
//! from the one before.

use anyhow::{Context as _, ensure};
use chess::{Board, ChessMove, Color};

use crate::rules::position::moves::pack;
use crate::rules::position::{MoveList, Position, legal_moves};
use crate::rules::score::Score;

/// A game from the usual start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// Random moves, without a search.
    pub opening: Vec<ChessMove>,
    /// The moves behind the opening, each with the score of its search, for the side to move.
    pub moves: Vec<(ChessMove, Score)>,
    /// The winner; `None` for a draw.
    pub winner: Option<Color>,
}

/// Results in the order of their numbers in the file.
const RESULTS: [Option<Color>; 3] = [None, Some(Color::White), Some(Color::Black)];

/// The longest game, in half-moves.
const MOST_MOVES: u64 = 10_000;

impl GameRecord {
    /// Adds the game to some bytes: result (1 byte), length of the opening and of the rest, then
    /// moves (1 byte each), those of the rest followed by White's score less the one before (1 to 3
    /// bytes).
    pub fn write(&self, bytes: &mut Vec<u8>) {
        let result = RESULTS.iter().position(|&winner| winner == self.winner);
        bytes.push(result.expect("all are there") as u8);
        write_number(self.opening.len() as u64, bytes);
        write_number(self.moves.len() as u64, bytes);
        let mut board = Board::default();
        for &mv in &self.opening {
            bytes.push(place_of(&board, mv));
            board = board.make_move_new(mv);
        }
        let mut before = 0;
        for &(mv, score) in &self.moves {
            bytes.push(place_of(&board, mv));
            let white = for_white(board.side_to_move(), score.0);
            write_number(zigzag(white - before), bytes);
            before = white;
            board = board.make_move_new(mv);
        }
    }

    /// Reads a game from the beginning of some bytes, and moves on to the rest.
    ///
    /// # Errors
    /// The bytes are no game.
    pub fn read(bytes: &mut &[u8]) -> anyhow::Result<GameRecord> {
        let winner = RESULTS
            .get(usize::from(read_byte(bytes)?))
            .copied()
            .context("no such result")?;
        let [openings, rest] = [read_number(bytes)?, read_number(bytes)?];
        ensure!(
            openings.max(rest) <= MOST_MOVES,
            "a game of {openings} + {rest} moves"
        );
        let mut board = Board::default();
        let mut next_move = |bytes: &mut &[u8]| {
            let side = board.side_to_move();
            let mv = move_at(&board, read_byte(bytes)?)?;
            board = board.make_move_new(mv);
            anyhow::Ok((mv, side))
        };
        let mut opening = Vec::new();
        for _ in 0..openings {
            opening.push(next_move(bytes)?.0);
        }
        let mut moves = Vec::new();
        let mut white = 0_i32;
        for _ in 0..rest {
            let (mv, side) = next_move(bytes)?;
            white = white.wrapping_add(unzigzag(read_number(bytes)?));
            ensure!(white.abs() <= Score::INFINITE.0, "a score of {white}");
            moves.push((mv, Score(for_white(side, white))));
        }
        Ok(GameRecord {
            opening,
            moves,
            winner,
        })
    }

    /// The position behind the opening.
    pub fn start(&self) -> Position {
        behind(&self.opening)
    }
}

/// The position behind some moves of a game.
pub fn behind(moves: &[ChessMove]) -> Position {
    let mut position = Position::default();
    for &mv in moves {
        position.play(mv).expect("moves of a game are legal");
    }
    position
}

/// Converts a value between the view of the side to move and White's.
fn for_white(side: Color, value: i32) -> i32 {
    if side == Color::White { value } else { -value }
}

/// Returns the number of legal moves before `mv`, in an order by squares and promotion, independent
/// of any move generator.
fn place_of(board: &Board, mv: ChessMove) -> u8 {
    let number = pack(mv);
    let before = legal_moves(board)
        .into_iter()
        .filter(|&other| pack(other) < number)
        .count();
    u8::try_from(before).expect("no position has more than 218 moves")
}

fn move_at(board: &Board, place: u8) -> anyhow::Result<ChessMove> {
    let mut moves: MoveList = legal_moves(board);
    moves.sort_unstable_by_key(|&mv| pack(mv));
    moves
        .get(usize::from(place))
        .copied()
        .context("no such move")
}

/// Small numbers of either sign become small numbers.
fn zigzag(number: i32) -> u64 {
    u64::from(((number << 1) ^ (number >> 31)) as u32)
}

fn unzigzag(number: u64) -> i32 {
    let number = number as u32;
    (number >> 1) as i32 ^ -((number & 1) as i32)
}

/// Writes seven bits a byte, the lowest first; all bytes but the last have the eighth (LEB128).
fn write_number(mut number: u64, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn read_number(bytes: &mut &[u8]) -> anyhow::Result<u64> {
    let mut number = 0;
    for shift in (0..35).step_by(7) {
        let byte = read_byte(bytes)?;
        number |= u64::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return Ok(number);
        }
    }
    anyhow::bail!("a number that does not end")
}

fn read_byte(bytes: &mut &[u8]) -> anyhow::Result<u8> {
    let (&first, rest) = bytes.split_first().context("a game that does not end")?;
    *bytes = rest;
    Ok(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_either_sign_come_back() {
        for number in [
            0,
            1,
            -1,
            63,
            -64,
            64,
            300,
            -8_192,
            64_000,
            -64_002,
            i32::MAX,
            i32::MIN,
        ] {
            let mut bytes = Vec::new();
            write_number(zigzag(number), &mut bytes);
            assert_eq!(bytes.len() == 1, (-64..64).contains(&number), "{number}");
            let mut rest = bytes.as_slice();
            assert_eq!(unzigzag(read_number(&mut rest).expect("a number")), number);
            assert!(rest.is_empty());
        }
    }

    #[test]
    fn what_is_no_game_is_refused() {
        let mut position = Position::default();
        let mut moves = Vec::new();
        for text in ["e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7#"] {
            let mv = position.parse_move(text).expect("legal");
            position.play(mv).expect("legal");
            moves.push((mv, Score(30)));
        }
        let opening = moves.drain(..2).map(|(mv, _)| mv).collect();
        let game = GameRecord {
            opening,
            moves,
            winner: Some(Color::White),
        };
        let mut bytes = Vec::new();
        game.write(&mut bytes);
        assert_eq!(
            GameRecord::read(&mut bytes.as_slice()).expect("a game"),
            game
        );
        for cut in 0..bytes.len() {
            assert!(
                GameRecord::read(&mut &bytes[..cut]).is_err(),
                "cut at {cut}"
            );
        }
        // Result, length, and a move that there is not; a move behind the mate.
        for (at, byte) in [(0, 3), (1, 0xFF), (3, 20)] {
            let mut bad = bytes.clone();
            bad[at] = byte;
            assert!(GameRecord::read(&mut bad.as_slice()).is_err(), "byte {at}");
        }
        let mut longer = bytes.clone();
        longer[2] += 1;
        longer.extend([0, 0]);
        assert!(GameRecord::read(&mut longer.as_slice()).is_err());
    }
}
