//! What makes a position one of its kind, and how much better its best move is than all the others, by the
//! judgement of a reference.

use super::games::{OPENING, PlayedGame, Player, Rules};
use crate::position::Position;
use crate::position::moves::{captures_and_promotions, coordinate, is_capture};
use crate::score::Score;
use crate::search::exchange;
use crate::suite::blunders::Thinker;
use crate::suite::{Loss, Task};
use anyhow::Context as _;
use chess::{Board, ChessMove, Color, EMPTY};
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

/// A kind of positions. What costs nothing is asked first, the reference last.
pub trait Criterion {
    /// `tactical`
    fn name(&self) -> &'static str;

    /// `tactical positions`
    fn title(&self) -> &'static str;

    /// How the games are played from which the positions are.
    fn rules(&self) -> Rules;

    /// Numbers of the game's positions, in the order in which they are to be looked at. Without a better one:
    /// all after the opening, from some place on and around, so that all parts of games get their share.
    fn order(&self, game: &PlayedGame, random: &mut Xoshiro256PlusPlus) -> Vec<usize> {
        let mut order: Vec<usize> = (OPENING..game.positions.len()).collect();
        if !order.is_empty() {
            let start = random.random_range(0..order.len());
            order.rotate_left(start);
        }
        order
    }

    /// Whether it is worth the reference's time, by our own eyes.
    fn is_candidate(&self, player: &mut Player, position: &Position) -> bool;

    /// Whether the reference's best move is one of this kind.
    fn suits(&self, player: &mut Player, position: &Position, best: &Choice) -> bool;

    /// Whether that move stands out.
    fn is_unique(&self, position: &Position, contrast: &Contrast) -> bool;

    /// Positions come in so many groups of the same size.
    fn groups(&self) -> usize {
        1
    }

    /// The group of a position that suits, below [`Criterion::groups`].
    fn group(&self, _: &Contrast) -> usize {
        0
    }

    /// EPD operations besides `bm` and `c0`, in alphabetical order.
    fn operations(&self, contrast: &Contrast) -> Vec<(&'static str, String)>;

    /// What is special about the kind, for the head of the file: a line each.
    fn about(&self) -> Vec<String>;
}

/// Whether the side to move has its choice: not in check, and enough moves.
pub fn is_free(position: &Position) -> bool {
    const FEWEST: usize = 5;
    *position.board().checkers() == EMPTY && position.legal_moves().len() >= FEWEST
}

/// What our small search has, which is not to find the move, in nodes.
pub const SMALL: u64 = 1_000;
/// What our own look at a candidate has, in nodes.
pub const LOOK: u64 = 6_000;
/// How much better our own look has to find the move before the reference is asked, in centipawns. It errs,
/// and so it asks for less.
pub const HOPE: i32 = 100;

/// The best move by our own look, with its value for the side to move, if a small search prefers another one
/// and sees nobody further ahead than `ahead`, in centipawns. `None` also if the side to move is not free.
pub fn hidden(player: &mut Player, position: &Position, ahead: i32) -> Option<(ChessMove, Score)> {
    if !is_free(position) {
        return None;
    }
    let (obvious, seen) = player.look(position, SMALL);
    let obvious = obvious.filter(|_| seen.0.abs() <= ahead)?;
    let (best, score) = player.look(position, LOOK);
    best.filter(|&best| best != obvious).map(|best| (best, score))
}

/// Whether the side to move wins something at once, by exchange evaluation, or promotes.
pub fn wins_material(board: &Board) -> bool {
    captures_and_promotions(board).into_iter().any(|mv| exchange::at_least(board, mv, 1))
}

/// Whether `mv` (legal) takes nothing, promotes nothing, and gives no check.
pub fn is_quiet_move(board: &Board, mv: ChessMove) -> bool {
    !is_capture(board, mv) && mv.get_promotion().is_none() && *board.make_move_new(mv).checkers() == EMPTY
}

/// Men of both sides.
pub fn men(board: &Board) -> u32 {
    board.combined().popcnt()
}

/// White, then Black.
pub fn color_index(position: &Position) -> usize {
    usize::from(position.side_to_move() == Color::Black)
}

/// How many times as many nodes the second, thorough judgement has.
pub const THOROUGH: u64 = 4;

/// Who judges. Each position is a new game to it, so that nothing helps that was seen before.
pub struct Reference<'a> {
    /// What it calls itself.
    pub name: String,
    /// What `quick` spends on each search.
    pub nodes: u64,
    pub quick: Box<dyn Thinker + 'a>,
    /// The same engine with [`THOROUGH`] times the nodes.
    pub thorough: Box<dyn Thinker + 'a>,
}

/// The best move, and what there is besides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contrast {
    pub best: ChessMove,
    /// In standard algebraic notation.
    pub san: String,
    /// Of the best move, from the side to move.
    pub score: Score,
    /// The best of all other moves, in standard algebraic notation.
    pub second: String,
    /// Of that one, from the side to move.
    pub second_score: Score,
}

impl Contrast {
    /// How much better the best move is, in centipawns; mates count as in [`Loss`].
    pub fn margin(&self) -> i32 {
        Loss::new(self.score, self.second_score).centipawns
    }
}

/// A move with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    pub mv: ChessMove,
    /// In standard algebraic notation.
    pub san: String,
    /// From the side to move.
    pub score: Score,
}

/// The reference's choice among all moves.
///
/// # Errors
/// It has no answer, or none with a value.
pub fn best(reference: &mut dyn Thinker, position: &Position) -> anyhow::Result<Choice> {
    choice(reference, position, Vec::new())
}

/// Adds the best of all other moves, by one search of them (`searchmoves`) under the same limits. There has
/// to be another move.
///
/// # Errors
/// As [`best`].
pub fn with_second(
    reference: &mut dyn Thinker,
    position: &Position,
    best: Choice,
) -> anyhow::Result<Contrast> {
    let others = position.legal_moves().into_iter().filter(|&mv| mv != best.mv);
    let second = choice(reference, position, others.map(coordinate).collect())?;
    Ok(Contrast {
        best: best.mv,
        san: best.san,
        score: best.score,
        second: second.san,
        second_score: second.score,
    })
}

fn choice(
    reference: &mut dyn Thinker,
    position: &Position,
    search_moves: Vec<String>,
) -> anyhow::Result<Choice> {
    let fen = position.to_fen();
    let task = Task { search_moves, ..Task::new(fen.clone()) };
    let thinking = reference.think(&task)?;
    let score = thinking
        .score()
        .with_context(|| format!("the reference gave no value to {} (position \"{fen}\")", thinking.san))?;
    Ok(Choice { mv: position.parse_move(&thinking.best)?, san: thinking.san, score })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).expect("a position")
    }

    #[test]
    fn what_moves_are_quiet() {
        let board = position("4k3/P7/8/3p4/4P3/8/6R1/R3K3 w Q - 0 1");
        let quiet = |mv: &str| is_quiet_move(board.board(), board.parse_move(mv).expect("legal"));
        assert!(quiet("e4e5") && quiet("O-O-O") && quiet("Kd2"));
        assert!(!quiet("exd5") && !quiet("a8=N") && !quiet("Rg8+"));
        let passing = position("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
        assert!(!is_quiet_move(passing.board(), passing.parse_move("exd6").expect("legal")));
    }

    #[test]
    fn who_is_free_and_who_wins_material() {
        assert!(is_free(&Position::default()));
        assert!(!is_free(&position("4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1")), "in check");
        assert!(!is_free(&position("7k/8/8/8/8/8/5q2/7K w - - 0 1")), "no move");
        let wins = |fen: &str| wins_material(position(fen).board());
        assert!(wins("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1"));
        assert!(!wins("4k3/4p3/3p4/8/5N2/8/8/3RK3 w - - 0 1"), "defended");
        assert!(wins("8/P3k3/8/8/8/8/8/4K3 w - - 0 1"), "a promotion");
        assert_eq!(men(Position::default().board()), 32);
    }
}
