//! The terms of each piece alone: its square, its mobility, good places, and attacks on the enemy
//! king.

use super::pawns::Pawns;
use super::sides::{BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, Sides};
use super::terms::*;
use super::weights::Tally;
use crate::eval::attacks::{
    DARK, Squares, by_bishop, by_knight, by_rook, count, distance, few, file_of, forward, rank,
    rank_set, square,
};

/// The first term of each piece's mobility, knight to queen.
const MOBILITY: [usize; 5] = [
    0,
    KNIGHT_MOBILITY,
    BISHOP_MOBILITY,
    ROOK_MOBILITY,
    QUEEN_MOBILITY,
];
/// The points of an attacker of the enemy king's zone.
const ATTACKER: [i32; 5] = [0, 2, 2, 3, 4];

/// Tells all terms of one side's pieces but pawns and king, and fills in their attacks.
#[inline]
pub(super) fn pieces<const WHITE: bool>(sides: &mut Sides, pawns: &Pawns, tally: &mut impl Tally) {
    let (us, sign) = if WHITE { (0, 1) } else { (1, -1) };
    let own = sides.pieces[us];
    let flip = if WHITE { 0 } else { 56 };
    let king = sides.kings[us];
    let mirror = sides.mirror[us];
    let area = mobility_area::<WHITE>(sides);
    let occupied = sides.occupied();
    let queens = sides.pieces[0][QUEEN] | sides.pieces[1][QUEEN];
    for at in Squares(own[KNIGHT]) {
        tally.piece(KNIGHT, at ^ flip, mirror, sign);
        one::<KNIGHT>(sides, us, at, by_knight(at), area, tally);
        tally.add(MINOR_FROM_KING + distance(at, king), sign);
    }
    for at in Squares(own[BISHOP]) {
        tally.piece(BISHOP, at ^ flip, mirror, sign);
        one::<BISHOP>(
            sides,
            us,
            at,
            by_bishop(at, occupied & !queens),
            area,
            tally,
        );
        tally.add(MINOR_FROM_KING + distance(at, king), sign);
        let colour = (DARK >> at & 1) as usize;
        tally.add(
            BISHOP_AND_OWN_PAWNS,
            sign * i32::from(pawns.on_colours[us][colour]),
        );
    }
    for at in Squares(own[ROOK]) {
        tally.piece(ROOK, at ^ flip, mirror, sign);
        let mobility = one::<ROOK>(
            sides,
            us,
            at,
            by_rook(at, occupied & !queens & !own[ROOK]),
            area,
            tally,
        );
        rook::<WHITE>(sides, at, mobility, tally);
    }
    for at in Squares(own[QUEEN]) {
        tally.piece(QUEEN, at ^ flip, mirror, sign);
        one::<QUEEN>(
            sides,
            us,
            at,
            by_bishop(at, occupied) | by_rook(at, occupied),
            area,
            tally,
        );
    }
    minors::<WHITE>(sides, pawns, tally);
}

/// Squares counted for mobility.
#[inline]
fn mobility_area<const WHITE: bool>(sides: &Sides) -> u64 {
    let us = usize::from(!WHITE);
    let own = &sides.pieces[us];
    let stopped = if WHITE {
        sides.occupied() >> 8
    } else {
        sides.occupied() << 8
    };
    let low = rank_set::<WHITE>(1) | rank_set::<WHITE>(2);
    !(own[KING] | own[PAWN] & (stopped | low) | sides.by_pawns[1 - us])
}

/// A piece and its attacked squares: its mobility, and its part in the attack on the king.
#[inline]
fn one<const PIECE: usize>(
    sides: &mut Sides,
    us: usize,
    at: usize,
    mut attacks: u64,
    area: u64,
    tally: &mut impl Tally,
) -> i32 {
    if sides.pinned[us] >> at & 1 == 1 {
        attacks &= chess::line(square(sides.kings[us]), square(at)).0;
    }
    sides.counts[us][PIECE] += 1;
    sides.attacks[us][PIECE] |= attacks;
    sides.attacked_twice[us] |= sides.attacked[us] & attacks;
    sides.attacked[us] |= attacks;
    if attacks & sides.king_zone[1 - us] != 0 {
        sides.king_attack[us] += ATTACKER[PIECE];
    }
    let mobility = count(attacks & area);
    tally.add(
        MOBILITY[PIECE] + mobility as usize,
        if us == 0 { 1 } else { -1 },
    );
    mobility
}

#[inline]
fn rook<const WHITE: bool>(sides: &Sides, at: usize, mobility: i32, tally: &mut impl Tally) {
    let (us, sign) = if WHITE { (0, 1) } else { (1, -1) };
    let file = file_of(at);
    let own = sides.pieces[us][PAWN];
    let enemy = sides.pieces[1 - us][PAWN];
    if own & file == 0 {
        tally.add(
            if enemy & file == 0 {
                ROOK_OPEN_FILE
            } else {
                ROOK_HALF_OPEN_FILE
            },
            sign,
        );
    } else if mobility <= 3 {
        let king = sides.kings[us];
        let outside = match king & 7 {
            file @ ..4 => (at & 7) < file,
            file => (at & 7) > file,
        };
        tally.add_if(
            outside && rank::<WHITE>(king) == 0 && rank::<WHITE>(at) == 0,
            ROOK_SHUT_IN,
            sign,
        );
    }
    let seventh = rank_set::<WHITE>(6);
    let has_targets = enemy & seventh != 0 || rank::<WHITE>(sides.kings[1 - us]) == 7;
    tally.add_if(rank::<WHITE>(at) == 6 && has_targets, ROOK_ON_SEVENTH, sign);
}

/// Knights and bishops among pawns.
#[inline]
fn minors<const WHITE: bool>(sides: &Sides, pawns: &Pawns, tally: &mut impl Tally) {
    let (us, sign) = if WHITE { (0, 1) } else { (1, -1) };
    let own = &sides.pieces[us];
    let ranks = rank_set::<WHITE>(3) | rank_set::<WHITE>(4) | rank_set::<WHITE>(5);
    let outposts = ranks & sides.by_pawns[us] & !pawns.reach[1 - us];
    tally.add(KNIGHT_OUTPOST, sign * few(own[KNIGHT] & outposts));
    tally.add(BISHOP_OUTPOST, sign * few(own[BISHOP] & outposts));
    let in_front = forward::<WHITE>(own[KNIGHT] | own[BISHOP]);
    let shields = in_front & (sides.pieces[0][PAWN] | sides.pieces[1][PAWN]);
    tally.add(MINOR_BEHIND_PAWN, sign * few(shields));
    let pinned = sides.pinned[us];
    if pinned != 0 {
        tally.add(PINNED_PAWN, sign * few(pinned & own[PAWN]));
        tally.add(PINNED_PIECE, sign * few(pinned & !own[PAWN]));
    }
}

/// The worth of pieces beside others.
#[inline]
pub(super) fn together(sides: &Sides, pawns: &Pawns, us: usize, sign: i32, tally: &mut impl Tally) {
    let own = &sides.pieces[us];
    let (pawns, counts, enemy) = (pawns.count(us), &sides.counts[us], &sides.counts[1 - us]);
    let by_pawns = pawns.min(8) as usize;
    tally.add_if(
        own[BISHOP] & DARK != 0 && own[BISHOP] & !DARK != 0,
        BISHOP_PAIR + by_pawns,
        sign,
    );
    tally.add(PAWN_COUNT + by_pawns, sign);
    tally.add(KNIGHT_PAIR, sign * i32::from(counts[KNIGHT] > 1));
    tally.add(ROOK_PAIR, sign * i32::from(counts[ROOK] > 1));
    tally.add(KNIGHT_WITH_PAWNS, sign * (pawns - 5) * counts[KNIGHT]);
    tally.add(ROOK_WITH_PAWNS, sign * (pawns - 5) * counts[ROOK]);
    let (minors, enemy_minors) = (
        counts[KNIGHT] + counts[BISHOP],
        enemy[KNIGHT] + enemy[BISHOP],
    );
    tally.add(ROOK_WITH_MINORS, sign * counts[ROOK] * minors);
    tally.add(ROOK_AGAINST_MINORS, sign * counts[ROOK] * enemy_minors);
    if counts[QUEEN] > 0 {
        tally.add(QUEEN_WITH_KNIGHTS, sign * counts[KNIGHT]);
        tally.add(QUEEN_WITH_ROOKS, sign * counts[ROOK]);
        tally.add(QUEEN_AGAINST_ROOKS, sign * enemy[ROOK]);
        tally.add(QUEEN_AGAINST_MINORS, sign * enemy_minors);
    }
}
