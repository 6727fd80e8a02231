//! Endgames against a king alone whose values are known by rule, among them king and pawn against
//! king.

use std::array;
use std::sync::LazyLock;

use chess::{Board, Color, Piece};

use super::attacks::{
    DARK, FILE_A, FILE_H, Squares, by_bishop, by_king, by_pawns, by_rook, count, distance,
    is_single,
};
use crate::rules::position::is_insufficient_material;

/// The bonus for a side certain to mate, besides material, in centipawns: more than any position
/// not yet won.
const WON: i32 = 1_000;
/// The worth of a king and a winning pawn, besides its rank.
const PAWN_WINS: i32 = 500;

/// The side that has more than its king, and the other king.
struct Attack {
    /// Its pieces, pawn to queen.
    pieces: [u64; 5],
    king: usize,
    lone: usize,
    is_white: bool,
    is_to_move: bool,
}

impl Attack {
    fn new(board: &Board, side: Color) -> Attack {
        let own = board.color_combined(side).0;
        let pieces = |piece| board.pieces(piece).0 & own;
        Attack {
            pieces: [
                pieces(Piece::Pawn),
                pieces(Piece::Knight),
                pieces(Piece::Bishop),
                pieces(Piece::Rook),
                pieces(Piece::Queen),
            ],
            king: board.king_square(side).to_index(),
            lone: board.king_square(!side).to_index(),
            is_white: side == Color::White,
            is_to_move: board.side_to_move() == side,
        }
    }
}

/// The value of an endgame that is known by rule, in centipawns from White's point of view.
#[inline]
pub fn known(board: &Board) -> Option<i32> {
    let has_lone_king = |color| is_single(board.color_combined(color).0);
    match (has_lone_king(Color::White), has_lone_king(Color::Black)) {
        (true, true) => Some(0),
        (false, false) => is_dead(board).then_some(0),
        (false, true) => against_king(&Attack::new(board, Color::White)),
        (true, false) => against_king(&Attack::new(board, Color::Black)).map(|value| -value),
    }
}

/// Returns true if each side has a piece beside its king, and nobody can mate with them.
#[inline]
fn is_dead(board: &Board) -> bool {
    let mut pieces = board.combined().0;
    for _ in 0..4 {
        pieces &= pieces.wrapping_sub(1);
    }
    pieces == 0 && is_insufficient_material(board)
}

/// The value against a king alone, if known.
fn against_king(attack: &Attack) -> Option<i32> {
    let [pawns, knights, bishops, rooks, queens] = attack.pieces.map(count);
    let [_, _, on_bishops, ..] = attack.pieces;
    let pieces = knights + bishops + rooks + queens;
    if pieces == 0 && pawns == 1 {
        return Some(pawn_against_king(attack));
    }
    let bishops_of_both = on_bishops & DARK != 0 && on_bishops & !DARK != 0;
    let mates = rooks + queens > 0 || bishops_of_both || bishops > 0 && knights > 0 || knights > 2;
    if !mates {
        // Two knights cannot force it, nor bishops on one colour; with pawns other rules count.
        let is_draw = pawns == 0 || knights == 0 && is_wrong_corner(attack);
        return is_draw.then_some(0);
    }
    let lone = attack.lone;
    let is_bishop_and_knight = rooks + queens == 0 && pawns == 0 && !bishops_of_both && bishops > 0;
    let corner = if is_bishop_and_knight {
        30 * (7 - from_corner(lone, on_bishops & DARK != 0))
    } else {
        0
    };
    let flip = if attack.is_white { 0 } else { 56 };
    let advance: i32 = Squares(attack.pieces[0])
        .map(|at| 10 * ((at ^ flip) >> 3) as i32)
        .sum();
    let material = 100 * pawns + 300 * knights + 300 * bishops + 500 * rooks + 900 * queens;
    let apart = distance(attack.king, lone) as i32;
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
fn pawn_against_king(attack: &Attack) -> i32 {
    let flip = if attack.is_white { 0 } else { 56 };
    let pawn = attack.pieces[0].trailing_zeros() as usize & 63 ^ flip;
    let [king, lone] = [attack.king, attack.lone].map(|square| square ^ flip);
    if pawn_wins(king, pawn, lone, attack.is_to_move) {
        PAWN_WINS + 40 * (pawn >> 3) as i32
    } else {
        0
    }
}

/// Returns true if all pawns are on one edge, no bishop guards their promotion, and the enemy king
/// is there.
fn is_wrong_corner(attack: &Attack) -> bool {
    let [pawns, _, bishops, ..] = attack.pieces;
    let file = if pawns & !FILE_A == 0 {
        0
    } else if pawns & !FILE_H == 0 {
        7
    } else {
        return false;
    };
    let corner = file | if attack.is_white { 56 } else { 0 };
    let same_colour = if DARK >> corner & 1 == 1 { DARK } else { !DARK };
    pawns != 0 && bishops & same_colour == 0 && distance(attack.lone, corner) <= 1
}

/// King and pawn against king, computed once by working backwards from the ends. White has the
/// pawn. Index by side to move (White second), pawn and enemy king: the winning squares of White's
/// king.
static WINS: LazyLock<Box<[[[u64; 64]; 64]; 2]>> = LazyLock::new(compute);

/// Computes the positions now, in a millisecond or two, to spare searches with a clock.
pub fn prepare() {
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
    use crate::eval::tests::board;

    #[test]
    fn known_endgames_have_known_values() {
        let value = |fen: &str| known(&board(fen)).expect(fen);
        for (fen, expected) in [
            ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", 0),
            ("4k3/8/8/8/8/8/8/3NKN2 w - - 0 1", 0),
            ("4k3/8/8/8/8/8/8/B1B1K3 w - - 0 1", 0),
            // King and pawn: in front of the pawn, with and without the opposition, and a rook's
            // pawn.
            ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", 660),
            ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", 660),
            ("8/8/4k3/8/4K3/4P3/8/8 w - - 0 1", 0),
            ("8/8/4k3/8/4K3/4P3/8/8 b - - 0 1", 580),
            ("k7/8/1K6/P7/8/8/8/8 w - - 0 1", 0),
            ("8/4p3/4k3/8/4K3/8/8/8 w - - 0 1", -540),
            // A bishop of the other colour than the corner, and one that takes it along.
            ("k7/8/8/8/P7/8/8/2B1K3 w - - 0 1", 0),
            ("2b1k3/8/8/p7/8/8/8/K7 w - - 0 1", 0),
            ("4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1", 0),
        ] {
            assert_eq!(value(fen), expected, "{fen}");
        }
        for fen in [
            "k7/8/8/8/P7/8/8/4KB2 w - - 0 1",
            "8/3k4/8/8/P7/8/8/2B1K3 w - - 0 1",
            "k7/8/8/8/PP6/8/8/2B1K3 w - - 0 1",
            "2b1k3/8/8/8/8/8/8/2B1K3 w - - 0 1",
        ] {
            assert_eq!(known(&board(fen)), None, "{fen}");
        }
        // A lone king is driven to the edge, and by bishop and knight to a corner of the bishop's
        // colour.
        assert!(value("4k3/8/8/8/8/8/8/KR6 w - - 0 1") > value("8/8/8/4k3/8/8/8/KR6 w - - 0 1"));
        let right = value("7k/8/8/8/8/8/8/3KBN2 w - - 0 1");
        let wrong = value("k7/8/8/8/8/8/8/3KBN2 w - - 0 1");
        assert!(right > wrong && wrong > 1_000, "{right} {wrong}");
    }

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
