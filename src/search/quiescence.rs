//! tmp
use chess::*;
use super::{Variation, gate::Gate};
use crate::evaluation::{Evaluator, evaluate_for_mover};
use crate::score::Score;
use crate::position::moves::tactical_moves;
pub fn quiescence<E: Evaluator>(evaluator: &E, gate: &mut Gate<'_>, board: &Board, ply: usize, mut alpha: Score, beta: Score, line: &mut Variation) -> Option<Score> {
    line.clear();
    let mut generator = MoveGen::new_legal(board);
    if generator.len() == 0 { return Some(if *board.checkers() == EMPTY { Score::DRAW } else { Score::mated_in(ply) }); }
    let mut best = evaluate_for_mover(evaluator, board);
    if best >= beta { return Some(best); }
    alpha = alpha.max(best);
    let mut moves = tactical_moves(board, &mut generator);
    moves.sort_by_key(|m| std::cmp::Reverse(board.piece_on(m.get_dest()).map_or(0, |p| p.to_index()) * 8 + 8 - board.piece_on(m.get_source()).map_or(0, |p| p.to_index())));
    let mut child = Variation::new();
    for mv in moves {
        gate.enter(ply + 1)?;
        let v = -quiescence(evaluator, gate, &board.make_move_new(mv), ply + 1, -beta, -alpha, &mut child)?;
        if v > best { best = v; line.clear(); line.push(mv); line.extend(child.iter().copied()); alpha = alpha.max(v); if v >= beta { break; } }
    }
    Some(best)
}
