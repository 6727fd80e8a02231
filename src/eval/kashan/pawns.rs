//! Pawns and kings: terms of these alone, remembered for the next position with the same.

use std::cell::Cell;

use super::sides::{KING, PAWN, Sides};
use super::terms::*;
use super::weights::{Packed, Tally};
use crate::eval::attacks::{
    DARK, Squares, ahead, backward, behind, beside, count, distance, file_of, forward, rank,
    rank_set, sideways,
};

/// Facts about pawns for other terms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pawns {
    /// The passed pawns of both sides.
    pub passed: u64,
    /// The squares, by side, attacked by its pawns now or after they advance.
    pub reach: [u64; 2],
    /// The number of pawns, by side, on light squares and on dark ones.
    pub on_colours: [[i8; 2]; 2],
}

impl Pawns {
    /// The number of a side's pawns.
    #[inline]
    pub fn count(&self, us: usize) -> i32 {
        let [light, dark] = self.on_colours[us];
        i32::from(light + dark)
    }
}

/// A position of pawns and kings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Key {
    pawns: [u64; 2],
    kings: [u8; 2],
}

/// The stored terms of one key.
#[derive(Clone, Copy, Debug, Default)]
struct PawnEntry {
    key: Key,
    pawns: Pawns,
    value: Packed,
}

/// A small table of recent results.
#[derive(Clone, Debug)]
pub(super) struct PawnTable {
    entries: Box<[Cell<PawnEntry>]>,
}

/// Entries of the table, a power of two.
const SIZE: usize = 4096;

impl PawnTable {
    pub fn new() -> PawnTable {
        PawnTable {
            entries: vec![Cell::default(); SIZE].into(),
        }
    }

    /// The value of pawns and kings, from the table or computed.
    #[inline]
    pub fn value(
        &self,
        sides: &Sides,
        compute: impl FnOnce() -> (Pawns, Packed),
    ) -> (Pawns, Packed) {
        let pawns = [sides.pieces[0][PAWN], sides.pieces[1][PAWN]];
        let key = Key {
            pawns,
            kings: [sides.kings[0] as u8, sides.kings[1] as u8],
        };
        let kings = (sides.kings[0] << 6 | sides.kings[1]) as u64;
        let hash = (pawns[0] ^ pawns[1].rotate_left(29) ^ kings.rotate_left(50))
            .wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let cell = &self.entries[(hash >> 52) as usize % SIZE];
        let known = cell.get();
        // Two kings never stand on one square, as those of an empty entry do.
        if known.key == key {
            return (known.pawns, known.value);
        }
        let (pawns, value) = compute();
        cell.set(PawnEntry { key, pawns, value });
        (pawns, value)
    }
}

impl Pawns {
    /// Tells `tally` all terms of pawns and kings.
    pub fn new(sides: &Sides, tally: &mut impl Tally) -> Pawns {
        let passed = structure::<true>(sides, tally) | structure::<false>(sides, tally);
        king::<true>(sides, tally);
        king::<false>(sides, tally);
        let reach = [
            sideways(ahead::<true>(sides.pieces[0][PAWN])),
            sideways(ahead::<false>(sides.pieces[1][PAWN])),
        ];
        let on_colours = [0, 1]
            .map(|us| [!DARK, DARK].map(|colour| count(sides.pieces[us][PAWN] & colour) as i8));
        Pawns {
            passed,
            reach,
            on_colours,
        }
    }
}

/// One side's pawns, one after the other; the passed ones.
fn structure<const WHITE: bool>(sides: &Sides, tally: &mut impl Tally) -> u64 {
    let (us, sign) = if WHITE { (0, 1) } else { (1, -1) };
    let own = sides.pieces[us][PAWN];
    let enemy = sides.pieces[1 - us][PAWN];
    let flip = if WHITE { 0 } else { 56 };
    let mut all_passed = 0;
    for at in Squares(own) {
        tally.piece(PAWN, at ^ flip, sides.mirror[us], sign);
        let pawn = 1 << at;
        let rank = rank::<WHITE>(at);
        let front = ahead::<WHITE>(pawn);
        let neighbours = own & beside(at);
        let is_open = enemy & front == 0;
        let is_doubled = own & front != 0;
        let beside_now = sideways(pawn);
        tally.add_if(is_doubled, DOUBLED_PAWN, sign);
        let may_help = own & (sideways(behind::<WHITE>(pawn)) | beside_now);
        if neighbours == 0 {
            tally.add(ISOLATED_PAWN, sign);
            tally.add_if(is_open, OPEN_ISOLATED_PAWN, sign);
        } else if may_help == 0 && forward::<WHITE>(pawn) & (enemy | sides.by_pawns[1 - us]) != 0 {
            tally.add(BACKWARD_PAWN, sign);
            tally.add_if(is_open, OPEN_BACKWARD_PAWN, sign);
        }
        tally.add_if(own & beside_now != 0, PHALANX + rank, sign);
        if pawn & sides.by_pawns[us] != 0 {
            tally.add(DEFENDED_PAWN + rank, sign);
            tally.add_if(
                count(own & sideways(backward::<WHITE>(pawn))) == 2,
                DEFENDED_TWICE,
                sign,
            );
        }
        if is_open && !is_doubled {
            let stoppers = enemy & sideways(front);
            if stoppers == 0 {
                all_passed |= pawn;
                tally.add(PASSED_PAWN + rank, sign);
                if rank >= 3 {
                    let stop = if WHITE { at + 8 } else { at - 8 };
                    let times = sign * (rank as i32 - 2);
                    tally.add(PASSED_OWN_KING + distance(sides.kings[us], stop), times);
                    tally.add(
                        PASSED_ENEMY_KING + distance(sides.kings[1 - us], stop),
                        times,
                    );
                }
            } else if count(may_help) >= count(stoppers) {
                tally.add(CANDIDATE + rank, sign);
            }
        }
    }
    all_passed
}

/// A king behind its pawns, or near them.
fn king<const WHITE: bool>(sides: &Sides, tally: &mut impl Tally) {
    let (us, sign) = if WHITE { (0, 1) } else { (1, -1) };
    let king = sides.kings[us];
    tally.piece(
        KING,
        king ^ if WHITE { 0 } else { 56 },
        sides.mirror[us],
        sign,
    );
    let not_behind = !behind::<WHITE>(rank_set::<WHITE>(rank::<WHITE>(king)));
    let (own, enemy) = (
        sides.pieces[us][PAWN] & not_behind,
        sides.pieces[1 - us][PAWN] & not_behind,
    );
    let middle = (king & 7).clamp(1, 6);
    for file in middle - 1..=middle + 1 {
        let set = file_of(file);
        let from_edge = 7 * file.min(7 - file);
        let first = |pawns: u64| match pawns & set {
            0 => 0,
            pawns if WHITE => rank::<true>(pawns.trailing_zeros() as usize),
            pawns => rank::<false>(63 - pawns.leading_zeros() as usize),
        };
        let shelter = first(own);
        let storm = first(enemy);
        tally.add(KING_SHELTER + from_edge + shelter, sign);
        match storm {
            0 => {}
            _ if shelter > 0 && storm == shelter + 1 => tally.add(STOPPED_STORM + storm, sign),
            _ => tally.add(PAWN_STORM + from_edge + storm, sign),
        }
    }
    let pawns = Squares(sides.pieces[0][PAWN] | sides.pieces[1][PAWN]);
    if let Some(nearest) = pawns.map(|pawn| distance(king, pawn)).min() {
        tally.add(KING_TO_PAWNS, sign * nearest as i32);
    }
}
