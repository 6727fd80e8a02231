//! How much the search trusts shallow signs: margins, reductions and move counts. Centipawns and half-moves.

/// Reverse futility: so far above beta that the opponent's best answers will not bring it below.
pub(super) const REVERSE_FUTILITY_DEPTH: i32 = 7;

/// See [`REVERSE_FUTILITY_DEPTH`].
pub(super) fn reverse_futility(depth: i32, improving: bool) -> i32 {
    75 * (depth - i32::from(improving))
}

/// Razoring: so far below alpha that only captures could help, which quiescence tries.
pub(super) const RAZORING_DEPTH: i32 = 3;

/// See [`RAZORING_DEPTH`].
pub(super) fn razoring(depth: i32) -> i32 {
    100 + 200 * depth
}

/// Futility: a quiet move will not lift the position to alpha.
pub(super) const FUTILITY_DEPTH: i32 = 7;

/// See [`FUTILITY_DEPTH`].
pub(super) fn futility(depth: i32) -> i32 {
    60 + 60 * depth
}

/// Late-move pruning: after that many moves a quiet one is not worth trying.
pub(super) const LATE_MOVE_DEPTH: i32 = 7;

/// See [`LATE_MOVE_DEPTH`].
pub(super) fn late_move_count(depth: i32, improving: bool) -> i32 {
    (3 + depth * depth) / if improving { 1 } else { 2 }
}

/// Moves that lose this much in the exchange are not tried, up to that depth.
pub(super) const EXCHANGE_DEPTH: i32 = 7;

/// See [`EXCHANGE_DEPTH`].
pub(super) fn exchange_margin(depth: i32, quiet: bool) -> i32 {
    if quiet { -50 * depth } else { -90 * depth }
}

/// Half-moves that a null move is searched less deep than the position itself.
pub(super) fn null_move_reduction(depth: i32, above_beta: i32) -> i32 {
    3 + depth / 4 + (above_beta / 200).clamp(0, 3)
}

/// A null move is tried from this depth on.
pub(super) const NULL_MOVE_DEPTH: i32 = 3;

/// A position without a table move is searched less deep from this depth on.
pub(super) const ITERATIVE_REDUCTION_DEPTH: i32 = 4;

/// Whether the table's move is singular is asked from this depth on...
pub(super) const SINGULAR_DEPTH: i32 = 6;

/// ... if the table's search was at most so many half-moves less deep.
pub(super) const SINGULAR_TABLE_DEPTH: i32 = 3;

/// A move is singular if no other move comes within so many centipawns of it.
pub(super) fn singular_margin(depth: i32) -> i32 {
    2 * depth
}

/// Singular by so much more, a move is searched two half-moves deeper...
pub(super) const DOUBLE_MARGIN: i32 = 20;

/// ... if the line was not extended by so many half-moves before.
pub(super) const LONG_EXTENSIONS: i32 = 10;

/// No line is extended by more half-moves.
pub(super) const MOST_EXTENSIONS: i32 = 20;

/// Late moves are reduced from this depth on.
pub(super) const LATE_MOVE_REDUCTION_DEPTH: i32 = 3;

/// The same of a move of the root, `depth` half-moves before the leaves: hardly anything, for one of them
/// is played.
pub(super) fn root_reduction(depth: i32, index: i32) -> i32 {
    i32::from(depth >= 4 && index >= 4)
}

/// After more refutations of the positions that a node's moves lead to, its late moves are searched a
/// half-move less deep.
pub(super) const MANY_REFUTATIONS: u32 = 3;

/// The parts of a half-move that late-move reductions are summed up in, so that no small sign is lost.
pub(super) const HALF_MOVE: i32 = 256;

/// Parts of a half-move by which the `index`-th move (from 0) is searched less deep: about
/// ln(depth) ln(index) / 2.2 half-moves, in whole numbers so that it is the same on every machine.
pub(super) fn late_move_reduction(depth: i32, index: i32) -> i32 {
    // log2 in 1/16, twice, and ln 2 squared / 2.2 = 0.218 = 56 / 256.
    log2(depth) * log2(index + 1) * 56 / 256 + HALF_MOVE / 4
}

/// Parts of a half-move by which a quiet move is searched deeper for what history says of it; below 0, less
/// deep.
pub(super) fn history_reduction(experience: i32) -> i32 {
    (experience * HALF_MOVE / 8_192).clamp(-2 * HALF_MOVE, 2 * HALF_MOVE)
}

/// A late move that was better than the best one by more than this, although it was searched at least two
/// half-moves less deep, is searched a half-move deeper than others.
pub(super) fn much_better(depth: i32) -> i32 {
    40 + 2 * depth
}

/// A late move that was hardly better than the best one is searched a half-move less deep.
pub(super) const HARDLY_BETTER: i32 = 8;

/// The logarithm to base 2 of a positive number, in sixteenths, linear between the powers of two.
const fn log2(number: i32) -> i32 {
    if number <= 1 {
        return 0;
    }
    let whole = number.ilog2();
    (16 * whole as i32) + ((16 * (number - (1 << whole))) >> whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_grow_slowly() {
        assert_eq!(log2(1), 0);
        assert_eq!(log2(8), 48);
        assert_eq!(log2(12), 56);
        let half_moves = |depth, index| late_move_reduction(depth, index) / HALF_MOVE;
        assert_eq!(half_moves(3, 2), 0);
        assert_eq!(half_moves(4, 4), 1);
        assert!((2..=3).contains(&half_moves(8, 10)));
        assert!((4..=6).contains(&half_moves(20, 40)));
    }
}
