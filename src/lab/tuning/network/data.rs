//! Positions to learn from, as the side to move sees them.

use std::path::PathBuf;

use chess::{BitBoard, Color, EMPTY};

use crate::eval::network::{input, pieces};
use crate::eval::{Evaluator as _, Kashan};
use crate::lab::tuning::self_play::{Blocks, GameRecord};
use crate::lab::tuning::{mixed, nth_seed};
use crate::rules::position::{Position, moves};
use crate::rules::score::Score;

/// A position with its score and the result of its game, in few bytes. All is as the side to move
/// sees it: its own pieces come first, and its pawns move up the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    occupied: u64,
    /// The kind of the piece on each occupied square, four bits each.
    kinds: [u8; 16],
    /// Centipawns.
    pub score: i16,
    /// Twice the points of the side to move.
    pub points: u8,
}

impl Sample {
    /// Makes a sample of a position, with the score for the side to move and the winner of the
    /// game.
    pub fn new(position: &Position, score: Score, winner: Option<Color>) -> Sample {
        let side = position.side_to_move();
        let mut own = pieces(position.board());
        if side == Color::Black {
            own.rotate_left(6);
            for set in &mut own {
                *set = set.swap_bytes();
            }
        }
        let occupied = own.iter().fold(0, |all, set| all | set);
        let mut kinds = [0; 16];
        for (index, square) in BitBoard(occupied).enumerate() {
            let kind = own
                .iter()
                .position(|set| set >> square.to_index() & 1 == 1)
                .expect("a piece is there");
            kinds[index / 2] |= (kind as u8) << (index % 2 * 4);
        }
        let points = match winner {
            None => 1,
            Some(winner) if winner == side => 2,
            Some(_) => 0,
        };
        Sample {
            occupied,
            kinds,
            score: score.0 as i16,
            points,
        }
    }

    /// The inputs of the network that are on, as the side to move sees them. With a `flip` of 7
    /// left and right have changed places, with 0 nothing has.
    #[inline]
    pub fn inputs(&self, flip: usize) -> impl Iterator<Item = usize> {
        let kinds = self.kinds;
        BitBoard(self.occupied)
            .enumerate()
            .map(move |(index, square)| {
                let kind = kinds[(index / 2) & 15] >> (index % 2 * 4) & 15;
                input(usize::from(kind), square.to_index() ^ flip)
            })
    }
}

/// Positions for training, and held-out ones.
#[derive(Default)]
pub struct Data {
    pub training: Vec<Sample>,
    pub held_out: Vec<Sample>,
    /// The static value of each held-out position by the hand-written evaluation.
    pub statics: Vec<i16>,
    pub games: u64,
    /// Positions in the games, omitted ones included.
    pub positions: u64,
}

impl Data {
    /// Reads files of games. Holds out `held_out` of a thousand games, chosen by the seed.
    ///
    /// # Errors
    /// A file that cannot be read, or is no file of games.
    pub fn read(
        files: &[PathBuf],
        held_out: u64,
        seed: u64,
        mut observe: impl FnMut(&Data),
    ) -> anyhow::Result<Data> {
        let mut data = Data::default();
        let evaluation = Kashan::default();
        for file in files {
            let mut blocks = Blocks::open(file)?;
            while let Some(games) = blocks.next_games()? {
                for game in &games {
                    let is_held_out = mixed(nth_seed(seed, data.games)) % 1_000 < held_out;
                    data.take(game, is_held_out, &evaluation);
                }
                observe(&data);
            }
        }
        Ok(data)
    }

    fn take(&mut self, game: &GameRecord, is_held_out: bool, evaluation: &Kashan) {
        let mut position = game.start();
        self.games += 1;
        self.positions += game.moves.len() as u64;
        for &(best, score) in &game.moves {
            if is_usable(&position, best, score) {
                let sample = Sample::new(&position, score, game.winner);
                if is_held_out {
                    let white = evaluation.evaluate(position.board()).0 as i16;
                    self.held_out.push(sample);
                    self.statics
                        .push(if position.side_to_move() == Color::White {
                            white
                        } else {
                            -white
                        });
                } else {
                    self.training.push(sample);
                }
            }
            position.play(best).expect("moves of a game are legal");
        }
    }
}

/// Returns true for a quiet position at its first occurrence in the game, with a score other than a
/// mate: its static value should be the score of the search.
fn is_usable(position: &Position, best: chess::ChessMove, score: Score) -> bool {
    let board = position.board();
    *board.checkers() == EMPTY
        && !moves::is_capture(board, best)
        && best.get_promotion().is_none()
        && !score.is_mate()
        && position.repetitions() == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::tests::{mirrored, random_positions};

    #[test]
    fn samples_have_the_pieces_of_their_board_and_turned_boards_have_the_same() {
        for position in random_positions(3, 120) {
            let sample = Sample::new(&position, Score(-37), Some(Color::Black));
            let turned = Sample::new(&mirrored(&position), Score(-37), Some(Color::White));
            assert_eq!(sample, turned, "{}", position.to_fen());
            let is_white = position.side_to_move() == Color::White;
            assert_eq!(
                (sample.score, sample.points),
                (-37, if is_white { 0 } else { 2 })
            );
            let view = if is_white {
                position.clone()
            } else {
                mirrored(&position)
            };
            let mut expected = Vec::new();
            for (kind, set) in pieces(view.board()).into_iter().enumerate() {
                expected.extend(BitBoard(set).map(|square| input(kind, square.to_index())));
            }
            let mut inputs: Vec<usize> = sample.inputs(0).collect();
            inputs.sort_unstable();
            assert_eq!(inputs, expected, "{}", position.to_fen());
            let mut flipped: Vec<usize> = sample.inputs(7).map(|input| input ^ 7).collect();
            flipped.sort_unstable();
            assert_eq!(flipped, expected);
        }
    }

    #[test]
    fn quiet_positions_are_taken_once() {
        let mut game = GameRecord {
            opening: Vec::new(),
            moves: Vec::new(),
            winner: None,
        };
        let mut position = Position::default();
        // To and fro: the start and the positions behind it come again. Then a capture, a check and
        // its answer.
        for text in [
            "Nf3", "Nf6", "Ng1", "Ng8", "e4", "d5", "exd5", "Qxd5", "Nc3", "Qe5+", "Be2", "a6",
        ] {
            let mv = position.parse_move(text).expect("legal");
            position.play(mv).expect("legal");
            game.moves.push((mv, Score(5)));
        }
        game.moves[10].1 = Score::mate_in(3);
        let mut data = Data::default();
        data.take(&game, true, &Kashan::default());
        // Not after Ng8 (the start again, then e4); exd5 and Qxd5 take; White is in check at Be2.
        assert_eq!((data.games, data.positions), (1, 12));
        assert_eq!(
            (data.held_out.len(), data.statics.len(), data.training.len()),
            (8, 8, 0)
        );
    }
}
