//! Endgames that are known: values that no sum of terms can give, and how much of an advantage can be won.

use super::bitbase;
use super::sides::{BISHOP, KNIGHT, PAWN, QUEEN, ROOK, Sides};
use crate::evaluation::attacks::{DARK, FILE_A, FILE_H, Squares, count, distance, is_single};

/// A scale that takes nothing away.
pub(super) const FULL: i32 = 64;

/// Added to the material of a side that will mate, in centipawns: more than anything that is not yet won.
const WON: i32 = 1_000;
/// What a king and a pawn that wins are worth, besides its rank.
const PAWN_WINS: i32 = 500;

/// The value of an endgame that is known, from White's point of view.
#[inline]
pub(super) fn known(sides: &Sides) -> Option<i32> {
    match (is_single(sides.all[0]), is_single(sides.all[1])) {
        (true, true) => Some(0),
        (false, false) => None,
        (_, true) => against_king(sides, 0),
        (true, _) => against_king(sides, 1).map(|value| -value),
    }
}

/// The value for side `us` against a king alone, if it is known.
fn against_king(sides: &Sides, us: usize) -> Option<i32> {
    let men = &sides.men[us];
    let [pawns, knights, bishops, rooks, queens] =
        [PAWN, KNIGHT, BISHOP, ROOK, QUEEN].map(|piece| count(men[piece]));
    let pieces = knights + bishops + rooks + queens;
    if pieces == 0 && pawns == 1 {
        return Some(pawn_against_king(sides, us));
    }
    let bishops_of_both = men[BISHOP] & DARK != 0 && men[BISHOP] & !DARK != 0;
    let mates = rooks + queens > 0 || bishops_of_both || bishops > 0 && knights > 0 || knights > 2;
    if !mates {
        // Two knights cannot force it, nor bishops on one colour; with pawns other rules count.
        return (pawns == 0).then_some(0);
    }
    let lone = sides.kings[1 - us];
    let corner = match rooks + queens == 0 && pawns == 0 && !bishops_of_both && bishops > 0 {
        true => 30 * (7 - from_corner(lone, men[BISHOP] & DARK != 0)),
        false => 0,
    };
    let advance: i32 =
        Squares(men[PAWN]).map(|at| (if us == 0 { at >> 3 } else { 7 - (at >> 3) }) as i32 * 10).sum();
    let material = 100 * pawns + 300 * knights + 300 * bishops + 500 * rooks + 900 * queens;
    let apart = distance(sides.kings[0], sides.kings[1]) as i32;
    Some(WON + material + advance + corner + 15 * from_middle(lone) + 8 * (7 - apart))
}

/// How far a square is from the middle of the board, in files and ranks: 0 to 6.
fn from_middle(square: usize) -> i32 {
    let outward = |line: usize| if line < 4 { 3 - line } else { line - 4 };
    (outward(square >> 3) + outward(square & 7)) as i32
}

/// How many moves of a king a square is from the nearer corner of a colour.
fn from_corner(square: usize, dark: bool) -> i32 {
    let corners = if dark { [0, 63] } else { [7, 56] };
    corners
        .map(|corner| {
            let (ranks, files) = ((square >> 3).abs_diff(corner >> 3), (square & 7).abs_diff(corner & 7));
            (ranks + files) as i32
        })
        .into_iter()
        .min()
        .unwrap_or(0)
        / 2
}

/// King and pawn against king, exactly.
fn pawn_against_king(sides: &Sides, us: usize) -> i32 {
    let flip = if us == 0 { 0 } else { 56 };
    let pawn = sides.men[us][PAWN].trailing_zeros() as usize & 63;
    let (own, enemy) = (sides.kings[us] ^ flip, sides.kings[1 - us] ^ flip);
    let we_move = sides.white_moves == (us == 0);
    match bitbase::wins(own, pawn ^ flip, enemy, we_move) {
        true => PAWN_WINS + 40 * ((pawn ^ flip) >> 3) as i32,
        false => 0,
    }
}

/// How much of an endgame's advantage counts for the side that has it, and so many pawns, in 64ths.
#[inline]
pub(super) fn scale(sides: &Sides, pawns: i32, us: usize) -> i32 {
    let them = 1 - us;
    let (own, enemy) = (&sides.men[us], &sides.men[them]);
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

/// What a side's pieces are worth, in pawns.
#[inline]
fn points(sides: &Sides, us: usize) -> i32 {
    let men = &sides.counts[us];
    3 * (men[KNIGHT] + men[BISHOP]) + 5 * men[ROOK] + 9 * men[QUEEN]
}

/// Whether all pawns are on one edge, no bishop guards their promotion, and the enemy king is there.
fn is_wrong_corner(sides: &Sides, us: usize) -> bool {
    let own = &sides.men[us];
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
