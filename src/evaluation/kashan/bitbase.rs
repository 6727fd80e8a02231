//! King and pawn against king: who wins, computed once by working backwards from the ends.

use std::sync::LazyLock;

use crate::evaluation::attacks::{Squares, by_king, by_pawns, distance};

/// White, with the pawn, to move or not; own king, pawn, enemy king: a bit for each position that White wins.
static WINS: LazyLock<Box<[u64]>> = LazyLock::new(compute);

/// Computes the positions now, which takes a tenth of a second: no search with a clock should have to.
pub(super) fn prepare() {
    LazyLock::force(&WINS);
}

/// Who moves, and all squares of three men.
const POSITIONS: usize = 2 * 64 * 64 * 64;

/// Whether White wins with king and pawn against a king. Squares count from a1.
pub(super) fn wins(king: usize, pawn: usize, enemy: usize, white_moves: bool) -> bool {
    let index = index(king, pawn, enemy, white_moves);
    WINS[index / 64] >> (index % 64) & 1 == 1
}

fn index(king: usize, pawn: usize, enemy: usize, white_moves: bool) -> usize {
    ((usize::from(white_moves) * 64 + pawn) * 64 + king) * 64 + enemy
}

/// Positions are won as soon as a move leads to a won one (White) or all do (Black), until nothing changes.
fn compute() -> Box<[u64]> {
    let mut wins = vec![0_u64; POSITIONS / 64];
    let mut has_changed = true;
    while has_changed {
        has_changed = false;
        for pawn in (8..56).rev() {
            for king in 0..64 {
                for enemy in 0..64 {
                    for white_moves in [true, false] {
                        let index = index(king, pawn, enemy, white_moves);
                        let is_won = |index: usize| wins[index / 64] >> (index % 64) & 1 == 1;
                        if is_won(index) || !is_legal(king, pawn, enemy, white_moves) {
                            continue;
                        }
                        let won = match white_moves {
                            true => white_wins(king, pawn, enemy, is_won),
                            false => black_loses(king, pawn, enemy, is_won),
                        };
                        if won {
                            wins[index / 64] |= 1 << (index % 64);
                            has_changed = true;
                        }
                    }
                }
            }
        }
    }
    wins.into()
}

fn is_legal(king: usize, pawn: usize, enemy: usize, white_moves: bool) -> bool {
    king != pawn && enemy != pawn && distance(king, enemy) > 1 && !(white_moves && attacks(pawn, enemy))
}

fn attacks(pawn: usize, square: usize) -> bool {
    by_pawns::<true>(1 << pawn) >> square & 1 == 1
}

/// Whether some move of White's wins: a safe promotion, or a step into a won position.
fn white_wins(king: usize, pawn: usize, enemy: usize, is_won: impl Fn(usize) -> bool) -> bool {
    let step = pawn + 8;
    let is_free = |square: usize| square != king && square != enemy;
    if is_free(step) {
        let two = pawn + 16;
        let wins = match step {
            56.. => promotion_wins(king, step, enemy),
            _ => {
                is_won(index(king, step, enemy, false))
                    || pawn < 16 && is_free(two) && is_won(index(king, two, enemy, false))
            }
        };
        if wins {
            return true;
        }
    }
    let mut steps = Squares(by_king(king) & !by_king(enemy) & !(1 << pawn));
    steps.any(|to| is_won(index(to, pawn, enemy, false)))
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

/// Whether every move of Black's loses, and there is one; without any it is stalemate, or mate.
fn black_loses(king: usize, pawn: usize, enemy: usize, is_won: impl Fn(usize) -> bool) -> bool {
    let guarded = by_king(king) | by_pawns::<true>(1 << pawn);
    let mut moves = by_king(enemy) & !guarded;
    if moves == 0 {
        return attacks(pawn, enemy);
    }
    if moves >> pawn & 1 == 1 {
        return false;
    }
    moves &= !(1 << pawn);
    Squares(moves).all(|to| is_won(index(king, pawn, to, true)))
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
