//! Known endgames: values beyond any sum of terms, the part of an advantage to be won, and the
//! winner with king and pawn against king.

use std::array;
use std::sync::LazyLock;

use super::sides::{BISHOP, KNIGHT, PAWN, QUEEN, ROOK, Sides};
use crate::eval::attacks::{
    DARK, FILE_A, FILE_H, Squares, by_bishop, by_king, by_pawns, by_rook, count, distance,
    is_single,
};

/// The scale of an undiminished advantage.
pub(super) const FULL: i32 = 64;

/// The bonus for a side certain to mate, besides material, in centipawns: more than any position
/// not yet won.
const WON: i32 = 1_000;
/// The worth of a king and a winning pawn, besides its rank.
const PAWN_WINS: i32 = 500;

/// The value of a known endgame, from White's point of view.
#[inline]
pub(super) fn known(sides: &Sides) -> Option<i32> {
    match (is_single(sides.all[0]), is_single(sides.all[1])) {
        (true, true) => Some(0),
        (false, false) => None,
        (_, true) => against_king(sides, 0),
        (true, _) => against_king(sides, 1).map(|value| -value),
    }
}

/// The value for side `us` against a king alone, if known.
fn against_king(sides: &Sides, us: usize) -> Option<i32> {
    let own = &sides.pieces[us];
    let [pawns, knights, bishops, rooks, queens] =
        [PAWN, KNIGHT, BISHOP, ROOK, QUEEN].map(|piece| count(own[piece]));
    let pieces = knights + bishops + rooks + queens;
    if pieces == 0 && pawns == 1 {
        return Some(pawn_against_king(sides, us));
    }
    let bishops_of_both = own[BISHOP] & DARK != 0 && own[BISHOP] & !DARK != 0;
    let mates = rooks + queens > 0 || bishops_of_both || bishops > 0 && knights > 0 || knights > 2;
    if !mates {
        // Two knights cannot force it, nor bishops on one colour; with pawns other rules count.
        return (pawns == 0).then_some(0);
    }
    let lone = sides.kings[1 - us];
    let corner = match rooks + queens == 0 && pawns == 0 && !bishops_of_both && bishops > 0 {
        true => 30 * (7 - from_corner(lone, own[BISHOP] & DARK != 0)),
        false => 0,
    };
    let advance: i32 = Squares(own[PAWN])
        .map(|at| (if us == 0 { at >> 3 } else { 7 - (at >> 3) }) as i32 * 10)
        .sum();
    let material = 100 * pawns + 300 * knights + 300 * bishops + 500 * rooks + 900 * queens;
    let apart = distance(sides.kings[0], sides.kings[1]) as i32;
    Some(WON + material + advance + corner + 15 * from_middle(lone) + 8 * (7 - apart))
}

/// The distance of a square from the middle of the board, in files and ranks: 0 to 6.
fn from_middle(square: usize) -> i32 {
    let outward = |line: usize| if line < 4 { 3 - line } else { line - 4 };
    (outward(square >> 3) + outward(square & 7)) as i32
}

/// The distance, in moves of a king, of a square from the nearer corner of a colour.
fn from_corner(square: usize, dark: bool) -> i32 {
    let away =
        |corner: usize| (square >> 3).abs_diff(corner >> 3) + (square & 7).abs_diff(corner & 7);
    let corners = if dark { [0, 63] } else { [7, 56] };
    let [one, other] = corners.map(away);
    (one.min(other) / 2) as i32
}

/// King and pawn against king, exactly.
fn pawn_against_king(sides: &Sides, us: usize) -> i32 {
    let flip = if us == 0 { 0 } else { 56 };
    let pawn = sides.pieces[us][PAWN].trailing_zeros() as usize & 63;
    let own = sides.kings[us] ^ flip;
    let enemy = sides.kings[1 - us] ^ flip;
    let we_move = sides.white_moves == (us == 0);
    match pawn_wins(own, pawn ^ flip, enemy, we_move) {
        true => PAWN_WINS + 40 * ((pawn ^ flip) >> 3) as i32,
        false => 0,
    }
}

/// The part of an endgame's advantage counted for side `us` with so many pawns, in 64ths.
#[inline]
pub(super) fn scale(sides: &Sides, pawns: i32, us: usize) -> i32 {
    let them = 1 - us;
    let own = &sides.pieces[us];
    let enemy = &sides.pieces[them];
    let points = [points(sides, us), points(sides, them)];
    if pawns == 0 && points[0] - points[1] <= 3 {
        // A minor piece more does not mate; against pawns alone nothing is sure.
        return if points[0] < 5 {
            0
        } else if points[1] <= 3 {
            8
        } else {
            16
        };
    }
    if points[0] == 3 * sides.counts[us][BISHOP] && is_wrong_corner(sides, us) {
        return 0;
    }
    let one_bishop_each = sides.counts[us][BISHOP] == 1 && sides.counts[them][BISHOP] == 1;
    if one_bishop_each && (own[BISHOP] & DARK != 0) != (enemy[BISHOP] & DARK != 0) {
        return match points {
            [3, 3] => (16 + 5 * pawns).min(FULL),
            _ => (36 + 3 * pawns).min(FULL),
        };
    }
    (40 + 5 * pawns).min(FULL)
}

/// The worth of a side's pieces, in pawns.
#[inline]
fn points(sides: &Sides, us: usize) -> i32 {
    let counts = &sides.counts[us];
    3 * (counts[KNIGHT] + counts[BISHOP]) + 5 * counts[ROOK] + 9 * counts[QUEEN]
}

/// Returns true if all pawns are on one edge, no bishop guards their promotion, and the enemy king
/// is there.
fn is_wrong_corner(sides: &Sides, us: usize) -> bool {
    let own = &sides.pieces[us];
    let file = match own[PAWN] {
        0 => return false,
        pawns if pawns & !FILE_A == 0 => 0,
        pawns if pawns & !FILE_H == 0 => 7,
        _ => return false,
    };
    let corner = file | if us == 0 { 56 } else { 0 };
    let same_colour = if DARK >> corner & 1 == 1 { DARK } else { !DARK };
    own[BISHOP] & same_colour == 0 && distance(sides.kings[1 - us], corner) <= 1
}

/// King and pawn against king, computed once by working backwards from the ends. White has the
/// pawn. Index by side to move (White second), pawn and enemy king: the winning squares of White's
/// king.
static WINS: LazyLock<Box<[[[u64; 64]; 64]; 2]>> = LazyLock::new(compute);

/// Computes the positions now, in a millisecond or two, to spare searches with a clock.
pub(super) fn prepare() {
    LazyLock::force(&WINS);
}

/// Returns true if White wins with king and pawn against a king. Squares count from a1.
fn pawn_wins(king: usize, pawn: usize, enemy: usize, white_moves: bool) -> bool {
    WINS[usize::from(white_moves)][pawn][enemy] >> king & 1 == 1
}

/// Positions are won as soon as a move leads to a won one (White) or all do (Black), until nothing
/// changes. All squares of White's king are looked at together.
fn compute() -> Box<[[[u64; 64]; 64]; 2]> {
    let mut wins = Box::new([[[0; 64]; 64]; 2]);
    // What a pawn's step leads to is known before.
    for pawn in (8..56).rev() {
        let by_step: [u64; 64] = array::from_fn(|enemy| wins_by_step(pawn, enemy, &wins[0]));
        let [black_moves, white_moves] = &mut *wins;
        let black_moves = &mut black_moves[pawn];
        let white_moves = &mut white_moves[pawn];
        loop {
            let before = *white_moves;
            for enemy in (0..64).filter(|&enemy| enemy != pawn && !attacks(pawn, enemy)) {
                let by_king_step =
                    Squares(black_moves[enemy]).fold(0, |kings, to| kings | by_king(to));
                white_moves[enemy] = (by_step[enemy] | by_king_step) & legal_kings(pawn, enemy);
            }
            for enemy in (0..64).filter(|&enemy| enemy != pawn) {
                black_moves[enemy] =
                    black_loses(pawn, enemy, white_moves) & legal_kings(pawn, enemy);
            }
            if *white_moves == before {
                break;
            }
        }
    }
    wins
}

/// The legal squares of White's king.
fn legal_kings(pawn: usize, enemy: usize) -> u64 {
    !(by_king(enemy) | 1 << enemy | 1 << pawn)
}

fn attacks(pawn: usize, square: usize) -> bool {
    by_pawns::<true>(1 << pawn) >> square & 1 == 1
}

/// White's kings with a safe winning promotion, or a step of the pawn into a won position
/// (`black_moves`, by pawn and enemy king).
fn wins_by_step(pawn: usize, enemy: usize, black_moves: &[[u64; 64]; 64]) -> u64 {
    let step = pawn + 8;
    let two = pawn + 16;
    if enemy == step {
        return 0;
    }
    let wins = match step {
        56.. => (0..64)
            .filter(|&king| promotion_wins(king, step, enemy))
            .fold(0, |kings, king| kings | 1 << king),
        _ if pawn < 16 => black_moves[step][enemy] | black_moves[two][enemy],
        _ => black_moves[step][enemy],
    };
    wins & !(1 << step)
}

/// Returns true if a queen or a rook on its square wins against the king to move.
fn promotion_wins(king: usize, at: usize, enemy: usize) -> bool {
    let is_defended = distance(king, at) <= 1;
    if distance(enemy, at) <= 1 && !is_defended {
        return false;
    }
    let guarded = by_king(king);
    let without_king = 1_u64 << king;
    let rook = by_rook(at, without_king);
    let queen = rook | by_bishop(at, without_king);
    let has_move = |attacked: u64| {
        let taken = if is_defended { 0 } else { 1 << at };
        by_king(enemy) & !guarded & !(attacked & !taken) & !(1 << at) != 0
            || by_king(enemy) & taken != 0
    };
    let is_check = |attacked: u64| attacked >> enemy & 1 == 1;
    is_check(queen) || has_move(queen) || is_check(rook) || has_move(rook)
}

/// White's kings against which every move of Black's loses (`white_moves`, by enemy king). Without
/// any move Black is mated, or stalemated and has not lost.
fn black_loses(pawn: usize, enemy: usize, white_moves: &[u64; 64]) -> u64 {
    let mut every_move_loses = if by_king(enemy) >> pawn & 1 == 1 {
        by_king(pawn)
    } else {
        !0
    };
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

    /// The number of won positions is well known, for a pawn on the files a to d.
    #[test]
    fn as_many_positions_are_won_as_everybody_finds() {
        let mut won = [0, 0];
        for pawn in (8..56).filter(|pawn| pawn % 8 < 4) {
            for (king, enemy) in (0..64).flat_map(|king| (0..64).map(move |enemy| (king, enemy))) {
                won[0] += u32::from(pawn_wins(king, pawn, enemy, false));
                won[1] += u32::from(pawn_wins(king, pawn, enemy, true));
            }
        }
        assert_eq!(won, [48_802, 62_480]);
    }
}
