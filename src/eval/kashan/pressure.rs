//! Terms of pieces acting on each other: threats, the attack on the king, room, and running passed
//! pawns.

use super::pawns::Pawns;
use super::sides::{BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, Sides, diagonals, lines};
use super::terms::*;
use super::weights::Tally;
use crate::eval::attacks::{
    FILE_A, Squares, ahead, behind, by_bishop, by_knight, by_pawns, by_rook, count, distance, few,
    forward, rank, rank_set,
};

/// Tells all these terms for one side. Both sides' attacks are known.
#[inline]
pub(super) fn pressure<const WHITE: bool>(sides: &Sides, pawns: &Pawns, tally: &mut impl Tally) {
    threats::<WHITE>(sides, tally);
    king_attack::<WHITE>(sides, tally);
    flank::<WHITE>(sides, tally);
    space::<WHITE>(sides, pawns, tally);
    passed::<WHITE>(sides, pawns.passed, tally);
}

/// Tells the attacked enemy pieces, by kind of attacker.
#[inline]
fn threats<const WHITE: bool>(sides: &Sides, tally: &mut impl Tally) {
    let (us, sign) = if WHITE { (0, 1) } else { (1, -1) };
    let them = 1 - us;
    let own = &sides.pieces[us];
    let enemy = &sides.pieces[them];
    let (attacked, defended) = (sides.attacked[us], sides.attacked[them]);
    let enemy_non_pawns = sides.non_pawns(them);

    let pawns = own[PAWN] & (attacked | !defended);
    let by_safe_pawns = by_pawns::<WHITE>(pawns) & enemy_non_pawns;
    of_each_kind(
        THREAT_BY_PAWN,
        by_safe_pawns,
        &enemy[KNIGHT..=QUEEN],
        sign,
        tally,
    );
    let strongly_defended =
        sides.by_pawns[them] | sides.attacked_twice[them] & !sides.attacked_twice[us];
    tally.add(
        CONTESTED,
        sign * count(attacked & defended & !strongly_defended),
    );
    let weak = attacked & !strongly_defended & (enemy_non_pawns | enemy[PAWN]);
    let minors = sides.attacks[us][KNIGHT] | sides.attacks[us][BISHOP];
    let rooks = sides.attacks[us][ROOK];
    let undefended_pawns = enemy[PAWN] & !defended;
    let victims =
        weak & (enemy[KNIGHT] | enemy[BISHOP]) | undefended_pawns | enemy[ROOK] | enemy[QUEEN];
    let by_minors = minors & victims;
    of_each_kind(
        THREAT_BY_MINOR,
        by_minors,
        &enemy[PAWN..=QUEEN],
        sign,
        tally,
    );
    let by_rooks = rooks & victims & !(enemy[ROOK] & !weak);
    of_each_kind(THREAT_BY_ROOK, by_rooks, &enemy[PAWN..=QUEEN], sign, tally);
    if weak != 0 {
        tally.add(
            THREAT_BY_KING,
            sign * few(sides.attacks[us][KING] & weak & !defended),
        );
        tally.add(
            HANGING_PIECE,
            sign * few(weak & enemy_non_pawns & !defended),
        );
        tally.add(HANGING_PAWN, sign * few(weak & undefended_pawns));
    }

    let free = !sides.occupied();
    let one_step = forward::<WHITE>(own[PAWN]) & free;
    let two_steps = forward::<WHITE>(one_step & rank_set::<WHITE>(2)) & free;
    let steps = (one_step | two_steps) & !sides.by_pawns[them] & (attacked | !defended);
    let pushed = by_pawns::<WHITE>(steps) & enemy_non_pawns & !sides.by_pawns[us];
    tally.add(THREAT_BY_PUSH, sign * few(pushed));
}

/// A row of terms: how many pieces of each kind are in a set.
#[inline]
fn of_each_kind(first: usize, set: u64, pieces: &[u64], sign: i32, tally: &mut impl Tally) {
    if set != 0 {
        for (kind, pieces) in pieces.iter().enumerate() {
            tally.add(first + kind, sign * few(set & pieces));
        }
    }
}

/// The attack on the enemy king.
#[inline]
fn king_attack<const WHITE: bool>(sides: &Sides, tally: &mut impl Tally) {
    let (us, sign) = if WHITE { (0, 1) } else { (1, -1) };
    let them = 1 - us;
    let attacks = &sides.attacks[us];
    let king = sides.kings[them];
    let guards = &sides.attacks[them];
    let by_others = guards[PAWN] | guards[KNIGHT] | guards[BISHOP] | guards[ROOK] | guards[QUEEN];
    let weak = guards[KING] & sides.attacked[us] & !by_others;
    let safe = !sides.all[us] & (!sides.attacked[them] | weak & sides.attacked_twice[us]);
    let mut points = sides.king_attack[us] + few(weak);
    if attacks[KNIGHT] & safe & by_knight(king) != 0 {
        points += 2;
    }
    // What cannot be a check on an empty board is none, and that is cheaper to see.
    let on_diagonals = (attacks[BISHOP] | attacks[QUEEN]) & safe & diagonals(king);
    let on_lines = (attacks[ROOK] | attacks[QUEEN]) & safe & lines(king);
    let mut by_queen = 0;
    if on_diagonals != 0 {
        let checks = on_diagonals & by_bishop(king, sides.occupied());
        by_queen |= checks & attacks[QUEEN];
        points += if checks & attacks[BISHOP] != 0 { 2 } else { 0 };
    }
    if on_lines != 0 {
        let checks = on_lines & by_rook(king, sides.occupied());
        by_queen |= checks & attacks[QUEEN];
        points += if checks & attacks[ROOK] != 0 { 3 } else { 0 };
    }
    if by_queen != 0 {
        points += 3;
    }
    if sides.pieces[us][QUEEN] == 0 {
        points -= 4;
    }
    tally.add(KING_ATTACK + points.clamp(0, 31) as usize, sign);
}

/// Tells the defence of the enemy king's flank.
#[inline]
fn flank<const WHITE: bool>(sides: &Sides, tally: &mut impl Tally) {
    /// The flank's files by the king's file, as a set on the first rank.
    const FILES: [u64; 8] = [0x07, 0x0F, 0x0F, 0x3C, 0x3C, 0xF0, 0xF0, 0xE0];
    let (us, sign) = if WHITE { (0, 1) } else { (1, -1) };
    let them = 1 - us;
    let files = FILES[sides.kings[them] & 7] * FILE_A;
    let ranks = if WHITE { !0 << 24 } else { !0 >> 24 };
    tally.add(
        FLANK_DEFENDED,
        sign * count(files & ranks & sides.attacked[them]),
    );
    tally.add_if(
        files & (sides.pieces[0][PAWN] | sides.pieces[1][PAWN]) == 0,
        FLANK_WITHOUT_PAWNS,
        sign,
    );
}

/// Room in the own half.
#[inline]
fn space<const WHITE: bool>(sides: &Sides, pawns: &Pawns, tally: &mut impl Tally) {
    const MIDDLE: u64 = (FILE_A << 2) | (FILE_A << 3) | (FILE_A << 4) | (FILE_A << 5);
    let (us, sign) = if WHITE { (0, 1) } else { (1, -1) };
    let ranks = rank_set::<WHITE>(1) | rank_set::<WHITE>(2) | rank_set::<WHITE>(3);
    let own = sides.pieces[us][PAWN];
    let safe = MIDDLE & ranks & !own & !sides.attacked[1 - us];
    let pieces = pawns.count(us) + sides.counts[us].iter().sum::<i32>();
    tally.add(
        SPACE + pieces.min(15) as usize,
        sign * (count(safe) + count(safe & behind::<WHITE>(own))),
    );
}

/// Passed pawns among the pieces.
#[inline]
fn passed<const WHITE: bool>(sides: &Sides, passed: u64, tally: &mut impl Tally) {
    let (us, sign) = if WHITE { (0, 1) } else { (1, -1) };
    let them = 1 - us;
    let heavy = |side: usize| sides.pieces[side][ROOK] | sides.pieces[side][QUEEN];
    for at in Squares(passed & sides.pieces[us][PAWN]) {
        let pawn = 1 << at;
        let rank = rank::<WHITE>(at);
        let stop = forward::<WHITE>(pawn);
        let path = ahead::<WHITE>(pawn);
        if sides.occupied() & stop != 0 {
            tally.add(PASSED_BLOCKED + rank, sign);
        } else if path & (sides.attacked[them] | sides.all[them]) == 0 {
            tally.add(PASSED_FREE + rank, sign);
        } else if stop & sides.attacked[them] == 0 {
            tally.add(PASSED_MAY_STEP + rank, sign);
        }
        tally.add_if(
            stop & sides.attacked[us] != 0,
            PASSED_SUPPORTED + rank,
            sign,
        );
        let behind = behind::<WHITE>(pawn);
        tally.add_if(behind & heavy(us) != 0, ROOK_BEHIND_PASSED, sign);
        tally.add_if(behind & heavy(them) != 0, ENEMY_BEHIND_PASSED, sign);
        let is_alone = sides.non_pawns(them) == 0 && path & sides.occupied() == 0;
        tally.add_if(is_alone && outruns::<WHITE>(sides, at), UNSTOPPABLE, sign);
    }
}

/// Returns true if the enemy king does not catch a pawn, by the rule of the square.
fn outruns<const WHITE: bool>(sides: &Sides, at: usize) -> bool {
    let them = usize::from(WHITE);
    let steps = 7 - rank::<WHITE>(at).max(2);
    let promotion = at & 7 | if WHITE { 56 } else { 0 };
    let enemy_first = usize::from(sides.white_moves != WHITE);
    distance(sides.kings[them], promotion) > steps + enemy_first
}
