//! The initial population.

use super::birth::Breeder;
use crate::evaluation::{Evaluator, evaluate_for_mover};
use crate::position::legal_moves;
use crate::search::quiescence::quiescence;

/// Step 2: every legal move as a branch, or every pair of moves (section 6.5), with their quiescence branches.
///
/// `None` if the search had to end meanwhile; then only root moves that are complete can be compared.
pub fn initial<E: Evaluator>(breeder: &mut Breeder<'_, E>) -> Option<()> {
    guess_root_value(breeder)?;
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
    Some(())
}

/// Sets the centre of the window for the initial population.
fn guess_root_value<E: Evaluator>(breeder: &mut Breeder<'_, E>) -> Option<()> {
    let (board, search) = (breeder.place.root_board(), &mut breeder.search);
    let standing = evaluate_for_mover(search.evaluator, board);
    let width = (search.options.quiescence_window as i32).max(100);
    let (alpha, beta) = (standing - width, standing + width);
    let value = quiescence::<_, _, true>(search.evaluator, &mut search.gate, board, 0, alpha, beta, &mut ())?;
    search.first_guess = search.for_mover(value);
    Some(())
}
