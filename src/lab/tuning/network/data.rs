//! Positions to learn from, as the side to move sees them.

use std::path::Path;

use anyhow::{Context as _, ensure};
use chess::{BitBoard, Board, Color, EMPTY, MoveGen};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt as _, SeedableRng as _};
use rayon::prelude::*;

use crate::eval::network::{Placement, both_views, flips, input};
use crate::eval::{Evaluator as _, NetworkEvaluator};
use crate::lab::tuning::self_play::{GameLine, GameRecord, SELF_PLAY};
use crate::lab::tuning::{mixed, nth_seed};
use crate::rules::position::{Position, moves};
use crate::rules::score::Score;
use crate::search::genetic::search::for_side;
use crate::util::jobs::journal;

/// A position with its score and the result of its game, in few bytes. All is as the side to move
/// sees it: its own pieces come first, and its pawns move up the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    occupied: u64,
    /// The kind of the piece on each occupied square, four bits each.
    kinds: [u8; 16],
    /// The flips of both sides, the side to move first.
    flips: [u8; 2],
    /// Centipawns.
    pub score: i16,
    /// Twice the points of the side to move; `None` in a position that no game had.
    pub points: Option<u8>,
}

impl Sample {
    /// Makes a sample of a position, with the score for the side to move and the winner of the
    /// game.
    pub fn new(position: &Position, score: Score, winner: Option<Color>) -> Sample {
        let side = position.side_to_move();
        let points = match winner {
            None => 1,
            Some(winner) if winner == side => 2,
            Some(_) => 0,
        };
        Sample {
            points: Some(points),
            ..Sample::without_result(position.board(), score)
        }
    }

    /// Makes a sample of a board, with the score for the side to move.
    fn without_result(board: &Board, score: Score) -> Sample {
        let side = board.side_to_move();
        let placement = Placement::of(board);
        let is_black = side == Color::Black;
        let mut occupied = board.combined().0;
        if is_black {
            occupied = occupied.swap_bytes();
        }
        let mut kinds = [0; 16];
        for (index, square) in BitBoard(occupied).enumerate() {
            let on_board = square.to_index() ^ if is_black { 56 } else { 0 };
            let input = placement.input_for(side, on_board);
            let kind = input.expect("a piece is there") / 64;
            kinds[index / 2] |= (kind as u8) << (index % 2 * 4);
        }
        Sample {
            occupied,
            kinds,
            flips: flips(board, side).map(|flip| flip as u8),
            score: score.0 as i16,
            points: None,
        }
    }

    /// The number of pieces on the board.
    #[inline]
    pub fn pieces(&self) -> u32 {
        self.occupied.count_ones()
    }

    /// The inputs of the network that are on, as the side to move sees them, and as the other side
    /// does.
    #[inline]
    pub fn inputs(&self) -> impl Iterator<Item = [usize; 2]> {
        let kinds = self.kinds;
        let flips = self.flips.map(usize::from);
        BitBoard(self.occupied)
            .enumerate()
            .map(move |(index, square)| {
                let kind = kinds[(index / 2) & 15] >> (index % 2 * 4) & 15;
                both_views(input(usize::from(kind), square.to_index()), flips)
            })
    }
}

/// The part of the games that is read, and how.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// Games held out, of a thousand.
    pub held_out: u64,
    /// Positions behind random moves for each position of a game.
    pub perturbed: u32,
    /// Seed of the choice of held-out games, and of random moves.
    pub seed: u64,
}

/// Positions for training, and held-out ones.
#[derive(Debug, Default, PartialEq)]
pub struct Data {
    /// Quiet positions of the games, and positions behind random moves.
    pub training: Vec<Sample>,
    pub held_out: Vec<Sample>,
    /// The static value of each held-out position by the built-in network.
    pub statics: Vec<i16>,
    pub games: u64,
    /// Positions in the games, omitted ones included.
    pub positions: u64,
}

impl Data {
    /// Adds the games of a journal of [`self_play`](crate::lab::tuning::self_play).
    ///
    /// # Errors
    /// A file that cannot be read, or has something else.
    pub fn add_file(&mut self, path: &Path, reading: Reading) -> anyhow::Result<()> {
        let settings = journal::settings(path)?.unwrap_or_default();
        ensure!(
            settings["work"] == SELF_PLAY,
            "{} is no journal of games of kashan tune self-play",
            path.display()
        );
        let mut lines = Vec::new();
        journal::read_each(path, &mut |line: GameLine| {
            lines.push(line);
            Ok(())
        })?;
        self.add_games(&lines, reading)
            .with_context(|| path.display().to_string())
    }

    /// Adds some games, in their order, on all cores.
    fn add_games(&mut self, lines: &[GameLine], reading: Reading) -> anyhow::Result<()> {
        let first = self.games;
        let read = |evaluation: &mut NetworkEvaluator, (index, line): (usize, &GameLine)| {
            let game = GameRecord::try_from(line).with_context(|| format!("game {}", index + 1))?;
            let number = first + index as u64;
            Ok(Data::of_game(&game, number, reading, evaluation))
        };
        let games = lines.par_iter().enumerate();
        let parts = games.map_init(NetworkEvaluator::default, read);
        let parts: anyhow::Result<Vec<Data>> = parts.collect();
        for part in parts? {
            self.append(part);
        }
        Ok(())
    }

    fn append(&mut self, mut part: Data) {
        self.training.append(&mut part.training);
        self.held_out.append(&mut part.held_out);
        self.statics.append(&mut part.statics);
        self.games += part.games;
        self.positions += part.positions;
    }

    /// Takes the positions of the `number`-th game of all.
    fn of_game(
        game: &GameRecord,
        number: u64,
        reading: Reading,
        evaluation: &NetworkEvaluator,
    ) -> Data {
        let seed = nth_seed(reading.seed, number);
        let is_held_out = mixed(seed) % 1_000 < reading.held_out;
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut data = Data {
            games: 1,
            positions: game.moves.len() as u64,
            ..Data::default()
        };
        let mut position = game.start();
        for &(best, score) in &game.moves {
            let board = position.board();
            if is_usable(&position, best, score) {
                let sample = Sample::new(&position, score, game.winner);
                if is_held_out {
                    data.held_out.push(sample);
                    data.statics.push(static_value(evaluation, board).0 as i16);
                } else {
                    data.training.push(sample);
                }
            }
            if !is_held_out {
                for _ in 0..reading.perturbed {
                    data.training
                        .extend(perturbed(board, evaluation, &mut random));
                }
            }
            position.play(best).expect("moves of a game are legal");
        }
        data
    }
}

/// The static value for the side to move.
fn static_value(evaluation: &NetworkEvaluator, board: &Board) -> Score {
    for_side(board.side_to_move(), evaluation.evaluate(board))
}

/// The most random moves to a position that no game had.
const RANDOM_MOVES: usize = 3;

/// Makes a sample behind one to three random moves, with the static value of the built-in
/// network: a search meets a piece hanging or a queen down everywhere, and games do not. A
/// position in check, or without a move on the way, gives none.
fn perturbed(
    board: &Board,
    evaluation: &NetworkEvaluator,
    random: &mut Xoshiro256PlusPlus,
) -> Option<Sample> {
    let mut board = *board;
    for _ in 0..random.random_range(1..=RANDOM_MOVES) {
        let mut legal = MoveGen::new_legal(&board);
        let count = legal.len();
        if count == 0 {
            return None;
        }
        let mv = legal.nth(random.random_range(0..count))?;
        board = board.make_move_new(mv);
    }
    let is_quiet = *board.checkers() == EMPTY;
    is_quiet.then(|| Sample::without_result(&board, static_value(evaluation, &board)))
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
    use std::collections::BTreeSet;

    use super::*;
    use crate::eval::network::flip;
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
                (-37, Some(if is_white { 0 } else { 2 }))
            );
            let view = if is_white {
                position.clone()
            } else {
                mirrored(&position)
            };
            let mut expected = Vec::new();
            for square in *view.board().combined() {
                let piece = view.board().piece_on(square).expect("occupied");
                let is_own = view.board().color_on(square) == Some(Color::White);
                let kind = piece.to_index() + if is_own { 0 } else { 6 };
                expected.push(input(kind, square.to_index()));
            }
            expected.sort_unstable();
            let own_flip = flip(view.board(), Color::White);
            let mut inputs: Vec<usize> = sample.inputs().map(|[own, _]| own ^ own_flip).collect();
            inputs.sort_unstable();
            assert_eq!(inputs, expected, "{}", position.to_fen());
        }
    }

    #[test]
    fn perturbed_positions_have_static_values_and_are_not_held_out() {
        let start = Position::default();
        let mut game = GameRecord {
            opening: Vec::new(),
            moves: Vec::new(),
            winner: Some(Color::White),
        };
        for text in ["e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5"] {
            let mut position = game.start();
            for &(mv, _) in &game.moves {
                position.play(mv).expect("legal");
            }
            let mv = position.parse_move(text).expect("legal");
            game.moves.push((mv, Score(30)));
        }
        let reading = |held_out| Reading {
            held_out,
            perturbed: 20,
            seed: 5,
        };
        let taken =
            |held_out| Data::of_game(&game, 0, reading(held_out), &NetworkEvaluator::default());
        let data = taken(0);
        assert_eq!(data, taken(0));
        let (perturbed, played): (Vec<Sample>, Vec<Sample>) = data
            .training
            .iter()
            .partition(|sample| sample.points.is_none());
        assert_eq!((played.len(), data.held_out.len()), (6, 0));
        assert!((90..=120).contains(&perturbed.len()), "{}", perturbed.len());
        let scores: BTreeSet<i16> = perturbed.iter().map(|sample| sample.score).collect();
        assert!(scores.len() > 30, "{scores:?}");
        let own = Sample::without_result(start.board(), Score(0));
        assert!(
            perturbed
                .iter()
                .all(|sample| sample.occupied != own.occupied)
        );
        let held_out = taken(1_000);
        assert_eq!((held_out.training.len(), held_out.held_out.len()), (0, 6));
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
        let reading = Reading {
            held_out: 1_000,
            perturbed: 2,
            seed: 1,
        };
        let data = Data::of_game(&game, 0, reading, &NetworkEvaluator::default());
        // Not after Ng8 (the start again, then e4); exd5 and Qxd5 take; White is in check at Be2.
        assert_eq!((data.games, data.positions), (1, 12));
        assert_eq!(
            (data.held_out.len(), data.statics.len(), data.training.len()),
            (8, 8, 0)
        );
    }
}
