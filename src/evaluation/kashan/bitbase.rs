//! King and pawn against king: who wins, computed once by working backwards from the ends.

use std::array;
use std::sync::LazyLock;

use crate::evaluation::attacks::{Squares, by_king, by_pawns, distance};

/// By who moves (White second), pawn and enemy king: where White, who has the pawn, wins with its king.
static WINS: LazyLock<Box<[[[u64; 64]; 64]; 2]>> = LazyLock::new(compute);

/// Computes the positions now, which takes a millisecond or two: no search with a clock should have to.
pub(super) fn prepare() {
    LazyLock::force(&WINS);
}

/// Whether White wins with king and pawn against a king. Squares count from a1.
pub(super) fn wins(king: usize, pawn: usize, enemy: usize, white_moves: bool) -> bool {
    WINS[usize::from(white_moves)][pawn][enemy] >> king & 1 == 1
}

/// Positions are won as soon as a move leads to a won one (White) or all do (Black), until nothing changes.
/// All squares of White's king are looked at together.
fn compute() -> Box<[[[u64; 64]; 64]; 2]> {
    let mut wins = Box::new([[[0; 64]; 64]; 2]);
    // What a pawn's step leads to is known before.
    for pawn in (8..56).rev() {
        let by_step: [u64; 64] = array::from_fn(|enemy| wins_by_step(pawn, enemy, &wins[0]));
        let [black_moves, white_moves] = &mut *wins;
        let (black_moves, white_moves) = (&mut black_moves[pawn], &mut white_moves[pawn]);
        loop {
            let before = *white_moves;
            for enemy in (0..64).filter(|&enemy| enemy != pawn && !attacks(pawn, enemy)) {
                let by_king_step = Squares(black_moves[enemy]).fold(0, |kings, to| kings | by_king(to));
                white_moves[enemy] = (by_step[enemy] | by_king_step) & legal_kings(pawn, enemy);
            }
            for enemy in (0..64).filter(|&enemy| enemy != pawn) {
                black_moves[enemy] = black_loses(pawn, enemy, white_moves) & legal_kings(pawn, enemy);
            }
            if *white_moves == before {
                break;
            }
        }
    }
    wins
}

/// Where White's king can stand.
fn legal_kings(pawn: usize, enemy: usize) -> u64 {
    !(by_king(enemy) | 1 << enemy | 1 << pawn)
}

fn attacks(pawn: usize, square: usize) -> bool {
    by_pawns::<true>(1 << pawn) >> square & 1 == 1
}

/// White's kings for which a safe promotion wins, or a step of the pawn into a won position (`black_moves`,
/// by pawn and enemy king).
fn wins_by_step(pawn: usize, enemy: usize, black_moves: &[[u64; 64]; 64]) -> u64 {
    let (step, two) = (pawn + 8, pawn + 16);
    if enemy == step {
        return 0;
    }
    let wins = match step {
        56.. => {
            (0..64).filter(|&king| promotion_wins(king, step, enemy)).fold(0, |kings, king| kings | 1 << king)
        }
        _ if pawn < 16 => black_moves[step][enemy] | black_moves[two][enemy],
        _ => black_moves[step][enemy],
    };
    wins & !(1 << step)
}

/// Whether a queen or a rook on its square wins against the king that is to move.
fn promotion_wins(king: usize, at: usize, enemy: usize) -> bool {
    let is_defended = distance(king, at) <= 1;
    if distance(enemy, at) <= 1 && !is_defended {
        return false;
    }
    let guarded = by_king(king);
    let without_king = 1_u64 << king;
    let rook = crate::evaluation::attacks::by_rook(at, without_king);
    let queen = rook | crate::evaluation::attacks::by_bishop(at, without_king);
    let has_move = |attacked: u64| {
        let taken = if is_defended { 0 } else { 1 << at };
        by_king(enemy) & !guarded & !(attacked & !taken) & !(1 << at) != 0 || by_king(enemy) & taken != 0
    };
    let is_check = |attacked: u64| attacked >> enemy & 1 == 1;
    is_check(queen) || has_move(queen) || is_check(rook) || has_move(rook)
}

/// White's kings for which every move of Black's loses (`white_moves`, by enemy king), and there is one;
/// without any it is stalemate, or mate.
fn black_loses(pawn: usize, enemy: usize, white_moves: &[u64; 64]) -> u64 {
    let mut every_move_loses = if by_king(enemy) >> pawn & 1 == 1 { by_king(pawn) } else { !0 };
    let mut has_move = 0;
    for to in Squares(by_king(enemy) & !by_pawns::<true>(1 << pawn) & !(1 << pawn)) {
        every_move_loses &= white_moves[to] | by_king(to);
        has_move |= !by_king(to);
    }
    let is_check = if attacks(pawn, enemy) { !0 } else { 0 };
    every_move_loses & (has_move | is_check)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of positions that are won is well known, for a pawn on the files a to d.
    #[test]
    fn as_many_positions_are_won_as_everybody_finds() {
        let mut won = [0, 0];
        for pawn in (8..56).filter(|pawn| pawn % 8 < 4) {
            for (king, enemy) in (0..64).flat_map(|king| (0..64).map(move |enemy| (king, enemy))) {
                for white_moves in [false, true] {
                    won[usize::from(white_moves)] += u32::from(wins(king, pawn, enemy, white_moves));
                }
            }
        }
        assert_eq!(won, [48_802, 62_480]);
    }
}
