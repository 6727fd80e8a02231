//! The 960 starting arrays of Chess960. They are told from other openings by their FEN, which names the files
//! of the rooks that may castle (Shredder-FEN).

use crate::arena::Opening;

/// All starting arrays in the order of their numbers, from 0; 518 is that of standard chess.
pub fn arrays() -> Vec<Opening> {
    let opening = |number| {
        let (pieces, rooks) = array(number);
        let (white, castling) = (pieces.to_uppercase(), rooks.to_uppercase());
        Opening {
            fen: Some(format!("{pieces}/pppppppp/8/8/8/8/PPPPPPPP/{white} w {castling}{rooks} - 0 1")),
            moves: Vec::new(),
            name: Some(format!("Chess960 array {number}")),
        }
    };
    (0..960).map(opening).collect()
}

/// The pieces of an array from the a-file on, and the files of its rooks, that of the h-side first.
///
/// Reinhard Scharnagl's numbers: first both bishops are placed, then the queen on one of the six files that
/// are left, the knights on two of five, and rook, king and rook take the last three.
fn array(number: usize) -> (String, String) {
    const KNIGHTS: [[usize; 2]; 10] =
        [[0, 1], [0, 2], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4], [2, 3], [2, 4], [3, 4]];
    let mut files = [' '; 8];
    files[number % 4 * 2 + 1] = 'b';
    files[number / 4 % 4 * 2] = 'b';
    let free = |files: &[char; 8]| -> Vec<usize> { (0..8).filter(|&file| files[file] == ' ').collect() };
    files[free(&files)[number / 16 % 6]] = 'q';
    let left = free(&files);
    for knight in KNIGHTS[number / 96 % 10] {
        files[left[knight]] = 'n';
    }
    let left = free(&files);
    for (file, piece) in left.iter().zip("rkr".chars()) {
        files[*file] = piece;
    }
    let letter = |file: usize| char::from(b'a' + file as u8);
    (files.iter().collect(), [letter(left[2]), letter(left[0])].iter().collect())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::arena::referee::Referee;

    #[test]
    fn every_array_is_there_once_and_follows_the_rules() {
        assert_eq!([0, 518, 959].map(|number| array(number).0), ["bbqnnrkr", "rnbqkbnr", "rkrnnqbb"]);
        assert_eq!(array(518).1, "ha");
        let all = arrays();
        let fens: BTreeSet<&str> = all.iter().filter_map(|opening| opening.fen.as_deref()).collect();
        assert_eq!((all.len(), fens.len()), (960, 960));
        for opening in &all {
            let referee = Referee::of_any_chess(opening).expect("a position");
            assert!(referee.is_chess960() && referee.start_fen() == opening.fen, "{opening:?}");
            let pieces = &opening.fen.as_ref().expect("a FEN")[..8];
            let at = |piece| pieces.find(piece).zip(pieces.rfind(piece)).expect("there is one");
            let (king, rooks, bishops) = (at('k').0, at('r'), at('b'));
            assert!(rooks.0 < king && king < rooks.1 && (bishops.0 + bishops.1) % 2 == 1, "{pieces}");
        }
    }
}
