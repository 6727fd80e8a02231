//! The initial population.

use std::cmp::Reverse;

use chess::{Board, ChessMove, EMPTY};

use super::birth::Breeder;
use super::search::Search;
use crate::evaluation::{Evaluator, evaluate_for_mover};
use crate::position::legal_moves;
use crate::position::moves::is_capture;
use crate::score::Score;
use crate::search::quiescence::quiescence;

/// Step 2: every legal move as a branch, or every pair of moves (section 6.5), with their quiescence
/// branches.
///
/// The most promising root moves come first, because the clock may end the search before the last one. `None`
/// if it did; then only root moves that are complete can be compared.
pub fn initial<E: Evaluator>(breeder: &mut Breeder<'_, E>) -> Option<()> {
    guess_root_value(breeder)?;
    rank_root_moves(breeder)?;
    for mv in breeder.search.root_moves.clone() {
        let two_levels = breeder.search.options.levels >= 2 && breeder.search.longest >= 2;
        let replies = if two_levels {
            legal_moves(&breeder.place.root_board().make_move_new(mv))
        } else {
            Default::default()
        };
        if replies.is_empty() {
            // One level, or a root move that ends the game: a branch by itself.
            breeder.place.walk_to(&[], &[]);
            breeder.add_branch(&[mv], true)?;
        }
        for reply in replies {
            breeder.place.walk_to(&[], &[]);
            breeder.add_branch(&[mv, reply], true)?;
        }
        breeder.search.complete_root_moves += 1;
    }
    // The best root moves were born first, because the clock might have ended this. But ties in fitness go to
    // the newer, so they have to count as the newest: else the replies to the worst would breed first.
    breeder.search.tree.reverse_births();
    for branch in std::mem::take(&mut breeder.search.seeds) {
        breeder.place.walk_to(&[], &[]);
        breeder.add_branch(&branch, true)?;
    }
    breeder.resolve_bounds()
}

/// Sorts the root moves by their values in quiescence, the best first. `None` if the search had to end; then
/// the best of those that have a value is the first.
fn rank_root_moves<E: Evaluator>(breeder: &mut Breeder<'_, E>) -> Option<()> {
    let board = *breeder.place.root_board();
    let search = &mut breeder.search;
    let is_forcing = |mv| is_capture(&board, mv) || *board.make_move_new(mv).checkers() != EMPTY;
    let mut moves = search.root_moves.clone();
    moves.sort_by_cached_key(|&mv| !is_forcing(mv));
    let mut ranked: Vec<(Option<Score>, ChessMove, u64)> =
        moves.into_iter().map(|mv| (None, mv, 0)).collect();
    let ended = ranked.iter_mut().try_for_each(|(value, mv, nodes)| {
        let before = search.gate.nodes();
        *value = value_of_root_move(search, &board, *mv);
        *nodes = search.gate.nodes() - before;
        value.map(drop)
    });
    // The sort keeps the order of equals.
    ranked.sort_by_key(|&(value, ..)| Reverse(value));
    search.root_moves = ranked.iter().map(|&(_, mv, _)| mv).collect();
    ranked.into_iter().for_each(|(_, mv, nodes)| search.count_nodes(mv, nodes));
    ended
}

/// The value of a root move by quiescence, from the side to move at the root. Outside the window it is a
/// bound, which will do for an order.
fn value_of_root_move<E: Evaluator>(
    search: &mut Search<'_, E>,
    board: &Board,
    mv: ChessMove,
) -> Option<Score> {
    search.gate.enter(1)?;
    let after = board.make_move_new(mv);
    let (guess, width) = (search.for_mover(search.first_guess), window_width(search));
    let (alpha, beta) = (-(guess + width), -(guess - width));
    quiescence(search.evaluator, &mut search.gate, &after, 1, alpha, beta, &mut ()).map(|value| -value)
}

/// Half the width of the window while there is no tree. Without any window, a sharp position would take all
/// the time.
fn window_width<E>(search: &Search<'_, E>) -> i32 {
    (search.options.quiescence_window as i32).max(100)
}

/// Sets the centre of the window for the initial population.
fn guess_root_value<E: Evaluator>(breeder: &mut Breeder<'_, E>) -> Option<()> {
    let (board, search) = (breeder.place.root_board(), &mut breeder.search);
    let standing = evaluate_for_mover(search.evaluator, board);
    let width = window_width(search);
    let (alpha, beta) = (standing - width, standing + width);
    let value = quiescence(search.evaluator, &mut search.gate, board, 0, alpha, beta, &mut ())?;
    search.first_guess = search.for_mover(value);
    Some(())
}
