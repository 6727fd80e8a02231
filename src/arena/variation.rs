//! Lines of play as engines write them.

use super::referee::{MoveFault, Referee};

/// The moves of `text` from the referee's position, in coordinates, up to the first that cannot be read or
/// played. Move numbers and dots are passed over; coordinates and SAN may be mixed.
pub fn read(text: &str, referee: &Referee) -> Vec<String> {
    let (game, _) = follow(text, referee);
    game.moves()[referee.moves().len()..].iter().map(|played| played.uci.clone()).collect()
}

/// The game after the moves that [`read`] reads, and the word that is no move there, with its fault.
pub fn follow(text: &str, referee: &Referee) -> (Referee, Option<(String, MoveFault)>) {
    let mut game = referee.clone();
    for word in text.split_whitespace() {
        // "12.", "12...", "..." and "12.Nf3", but not "1-0"; a move begins with a letter, or 0-0.
        let word = match word.find('.') {
            Some(_) => word.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches('.'),
            None => word,
        };
        // Numbers and marks like (+) and !, but not 0-0.
        let is_castling = word.starts_with("0-0");
        if !is_castling && !word.bytes().any(|byte| byte.is_ascii_alphabetic()) {
            continue;
        }
        match game.read_move(word) {
            Ok(mv) => game.play(mv),
            Err(fault) => return (game, Some((word.to_owned(), fault))),
        }
    }
    (game, None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Opening;

    #[test]
    fn lines_are_read_as_far_as_they_go() {
        let start = Referee::new(&Opening::default()).expect("the usual position");
        for (text, moves) in [
            ("e2e4 e7e5 g1f3", "e2e4 e7e5 g1f3"),
            ("1. e4 e5 2. Nf3", "e2e4 e7e5 g1f3"),
            ("1.e4 e5 2.Nf3!", "e2e4 e7e5 g1f3"),
            ("e4 <HT>", "e2e4"),
            ("e4 e4 e5", "e2e4"),
            ("12 e4 ?", "e2e4"),
            ("(+) 1. e4 e5", "e2e4 e7e5"),
            ("(e4 e5)", ""),
            ("", ""),
            ("++", ""),
        ] {
            assert_eq!(read(text, &start).join(" "), moves, "{text}");
        }
        let opening = Opening { moves: vec!["e4".to_owned()], ..Opening::default() };
        let black = Referee::new(&opening).expect("an opening");
        let fen = Some("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1".to_owned());
        let castles = Referee::new(&Opening { fen, ..Opening::default() }).expect("a position");
        assert_eq!(read("0-0 Kd7", &castles), ["e1g1", "e8d7"]);
        assert_eq!(read("1. O-O-O", &castles), ["e1c1"]);
        assert_eq!(read("1... e5 2. Nf3", &black), ["e7e5", "g1f3"]);
    }
}
