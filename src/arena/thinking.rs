//! Checks of engines' thinking: the written lines of play must be possible. Their moves are legal,
//! and an announced mate stands at the end of its line.

use shakmaty::Position as _;

use super::client::driver::SearchLine;
use super::referee::{MoveFault, Referee};
use crate::rules::position::notation::excerpt;
use crate::util::display;

/// The fault of a thinking line about the position of the referee: an illegal move, or an announced
/// mate that does not stand at the end of its line. Moves in an unreadable form are no fault.
pub fn fault(said: &SearchLine, referee: &Referee) -> Option<String> {
    let score = said.score;
    let (after, stopped_at) = follow(&said.variation, referee);
    let fault = match (stopped_at, score.mate_distance()) {
        (Some((word, fault)), _) if fault != MoveFault::Unreadable => format!("{word} {fault}"),
        (None, Some(plies)) if said.exact => {
            let length = after.moves().len() - referee.moves().len();
            mate_fault(plies.unsigned_abs() as usize, length, &after)?
        }
        _ => return None,
    };
    let line = quote(&said.variation);
    let fen = referee.fen();
    Some(format!(
        "{fault} (score {score}, line \"{line}\", in {fen})"
    ))
}

/// The fault of a line of so many half-moves, if a mate is announced at this distance. Many engines
/// end a line before its mate; none may go on behind it.
fn mate_fault(distance: usize, length: usize, after: &Referee) -> Option<String> {
    let is_over = after.position().legal_moves().is_empty();
    let mates = after.position().is_checkmate();
    let agrees = if length < distance {
        length == 0 || !is_over
    } else {
        length == distance && mates
    };
    if agrees {
        return None;
    }
    let ending = if mates { "mates" } else { "does not mate" };
    Some(format!(
        "a mate at half-move {distance} is announced, and its line of {length} {ending}"
    ))
}

/// The moves of `text` from the referee's position, in coordinates, up to the first unreadable or
/// unplayable one. Move numbers and dots are passed over; coordinates and SAN may be mixed.
pub fn variation(text: &str, referee: &Referee) -> Vec<String> {
    let (game, _) = follow(text, referee);
    game.coordinates(referee.moves().len())
}

/// The game after the moves of [`variation`], and the first word without a move there, with its
/// fault.
pub fn follow(text: &str, referee: &Referee) -> (Referee, Option<(String, MoveFault)>) {
    let mut game = referee.clone();
    for word in text.split_whitespace() {
        // "12.", "12...", "..." and "12.Nf3", but not "1-0"; a move begins with a letter, or 0-0.
        let word = match word.split_once('.') {
            Some((number, rest)) if number.bytes().all(|byte| byte.is_ascii_digit()) => {
                rest.trim_start_matches('.')
            }
            _ => word,
        };
        if word == "0000" {
            // A null move: nothing behind it can be followed.
            return (game, Some((word.to_owned(), MoveFault::Unreadable)));
        }
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

/// An engine's own words, fit to be repeated.
pub(crate) fn quote(text: &str) -> String {
    excerpt(&display::one_line(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Opening;
    use crate::rules::score::Score;

    fn said(score: Score, exact: bool, variation: &str) -> SearchLine {
        SearchLine {
            score,
            exact,
            depth: Some(1),
            nodes: None,
            time: None,
            variation: variation.to_owned(),
        }
    }

    #[test]
    fn true_lines_are_left_alone_and_others_are_named() {
        // A mate in two: 1.Ra1-a7 2.R-b8#.
        let referee = Referee::at("7k/8/8/8/8/8/1R6/R5K1 w - - 0 1").expect("a position");
        let [at_once, mate, later] = [1, 3, 5].map(|plies| Score::mate_in(plies).0);
        for (score, exact, line) in [
            (50, true, "a1a7 h8g8"),
            (mate, true, "a1a7 h8g8 b2b8"),
            (mate, true, "1. Ra7 Kg8 2. Rb8#"),
            (mate, true, "a1a7 h8g8"),
            (mate, true, "a1a7"),
            (mate, true, ""),
            (20, false, "b2b8"),
            (50, true, "a1a7 <HT>"),
            (at_once, false, "a1a7 h8g8 b2b8"),
        ] {
            assert_eq!(
                fault(&said(Score(score), exact, line), &referee),
                None,
                "{line}"
            );
        }
        for (score, exact, line, expected) in [
            (50, true, "a1a7 h8h6", "h8h6 is not legal"),
            (50, false, "a1a7 a7a8", "a7a8 is not legal"),
            (mate, true, "a1a7 h8g8 b2b7", "line of 3 does not mate"),
            (
                later,
                true,
                "a1a7 h8g8 b2b8",
                "at half-move 5 is announced, and its line of 3",
            ),
            (at_once, true, "a1a7 h8g8 b2b8", "at half-move 1"),
        ] {
            let fault = fault(&said(Score(score), exact, line), &referee).unwrap_or_default();
            assert!(fault.contains(expected), "{line}: {fault}");
        }
    }

    #[test]
    fn lines_are_read_as_far_as_they_go() {
        let start = Referee::new(&Opening::default()).expect("the usual position");
        let lines = "e2e4 e7e5 g1f3 -> e2e4 e7e5 g1f3 | 1. e4 e5 2. Nf3 -> e2e4 e7e5 g1f3 | \
                     1.e4 e5 2.Nf3! -> e2e4 e7e5 g1f3 | e4 <HT> -> e2e4 | e4 e4 e5 -> e2e4 | e2e4 0000 d2d4 -> e2e4 | \
                     12 e4 ? -> e2e4 | (+) 1. e4 e5 -> e2e4 e7e5 | (e4 e5) -> | -> | ++ ->";
        for line in lines.split(" | ") {
            let (text, moves) = line.split_once("->").expect(line);
            assert_eq!(
                variation(text.trim(), &start).join(" "),
                moves.trim(),
                "{text}"
            );
        }
        let opening = Opening {
            moves: vec!["e4".to_owned()],
            ..Opening::default()
        };
        let black = Referee::new(&opening).expect("an opening");
        let castles = Referee::at("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1").expect("a position");
        assert_eq!(variation("0-0 Kd7", &castles), ["e1g1", "e8d7"]);
        assert_eq!(variation("1. O-O-O", &castles), ["e1c1"]);
        assert_eq!(variation("1... e5 2. Nf3", &black), ["e7e5", "g1f3"]);
    }
}
