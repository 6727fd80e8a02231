//! Checks of engines' thinking: the written lines of play must be possible. Their moves are legal,
//! an announced mate stands at the end of its line, and no later score takes the mate back.

use shakmaty::Position as _;

use super::client::driver::SearchLine;
use super::referee::{MoveFault, Referee};
use crate::rules::position::notation::excerpt;
use crate::rules::score::Score;
use crate::util::display;

/// An inspector of the thinking lines of one engine in one game. Only the first fault is
/// remembered: one is usually followed by many.
#[derive(Debug, Default)]
pub struct Inspector {
    /// The first impossible line, with the reason; `None` if there was none.
    pub fault: Option<String>,
    /// The mate announced in this turn, and the last score of the turn with the first move of its
    /// line.
    announced: Option<Score>,
    last: Option<(Score, Option<String>)>,
    /// After its last move the engine has to see a mate at least as good as this one.
    promised: Option<Score>,
}

impl Inspector {
    /// Checks a line about the position of the referee, with the engine to move.
    pub fn heard(&mut self, said: &SearchLine, referee: &Referee) {
        if self.fault.is_none()
            && let Err(fault) = self.check(said, referee)
        {
            let line = quote(&said.variation);
            let score = said.thought.score;
            self.fault = Some(format!(
                "{fault} (score {score}, line \"{line}\", in {})",
                referee.fen()
            ));
        }
    }

    fn check(&mut self, said: &SearchLine, referee: &Referee) -> Result<(), String> {
        let (after, stopped_at) = follow(&said.variation, referee);
        match stopped_at {
            Some((word, fault)) if fault != MoveFault::Unreadable => {
                return Err(format!("{word} {fault}"));
            }
            _ if !said.exact => return Ok(()),
            _ => {}
        }
        let score = said.thought.score;
        let length = after.moves().len() - referee.moves().len();
        if let Some(distance) = score
            .mate_distance()
            .map(|plies| plies.unsigned_abs() as usize)
            && stopped_at.is_none()
            && length > 0
        {
            // Many engines end a line before its mate; none may go on behind it.
            let is_over = after.position().legal_moves().is_empty();
            let mates = after.position().is_checkmate();
            let agrees = if length < distance {
                !is_over
            } else {
                length == distance && mates
            };
            if !agrees {
                let ending = if mates { "mates" } else { "does not mate" };
                return Err(format!(
                    "a mate at half-move {distance} is announced, and its line of {length} {ending}"
                ));
            }
        }
        if let Some(before) = self.announced {
            let is_taken_back = if before.is_mated() {
                !score.is_mated()
            } else {
                score < before
            };
            if is_taken_back {
                return Err(format!(
                    "the mate announced before ({before}) is taken back"
                ));
            }
        }
        if score.is_mate() {
            self.announced = Some(score);
        }
        let moves = &after.moves()[referee.moves().len()..];
        self.last = Some((score, moves.first().map(|mv| mv.uci.clone())));
        Ok(())
    }

    /// The engine made this move, in coordinates: its turn is over.
    pub fn moved(&mut self, uci: &str) {
        self.announced = None;
        let last = self.last.take();
        let promised = self.promised.take();
        if let (Some(promised), Some((score, _))) = (promised, &last)
            && *score < promised
        {
            self.fault.get_or_insert_with(|| {
                format!(
                    "a mate was announced a move ago, {promised} by now, and the score is {score}"
                )
            });
        }
        if let Some((score, Some(first))) = last
            && first == uci
            && let Some(plies @ 3..) = score.mate_distance()
        {
            self.promised = Some(Score::mate_in(plies as usize - 2));
        }
    }
}

/// The moves of `text` from the referee's position, in coordinates, up to the first unreadable or
/// unplayable one. Move numbers and dots are passed over; coordinates and SAN may be mixed.
pub fn variation(text: &str, referee: &Referee) -> Vec<String> {
    let (game, _) = follow(text, referee);
    game.moves()[referee.moves().len()..]
        .iter()
        .map(|played| played.uci.clone())
        .collect()
}

/// The game after the moves of [`variation`], and the first word without a move there, with its
/// fault.
pub fn follow(text: &str, referee: &Referee) -> (Referee, Option<(String, MoveFault)>) {
    let mut game = referee.clone();
    for word in text.split_whitespace() {
        // "12.", "12...", "..." and "12.Nf3", but not "1-0"; a move begins with a letter, or 0-0.
        let word = match word.find('.') {
            Some(_) => word
                .trim_start_matches(|c: char| c.is_ascii_digit())
                .trim_start_matches('.'),
            None => word,
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
    use crate::arena::client::driver::SearchInfo;

    fn said(score: Score, exact: bool, variation: &str) -> SearchLine {
        let thought = SearchInfo {
            score,
            depth: Some(1),
            nodes: None,
        };
        SearchLine {
            thought,
            exact,
            time: None,
            variation: variation.to_owned(),
        }
    }

    /// A mate in two: 1.Ra1-a7 2.R-b8#.
    fn mate_in_two() -> Referee {
        Referee::at("7k/8/8/8/8/8/1R6/R5K1 w - - 0 1").expect("a position")
    }

    /// The fault of these lines about the position.
    fn fault(lines: &[(i32, bool, &str)]) -> Option<String> {
        let (referee, mut inspector) = (mate_in_two(), Inspector::default());
        for &(score, exact, line) in lines {
            inspector.heard(&said(Score(score), exact, line), &referee);
        }
        inspector.fault
    }

    #[test]
    fn true_lines_are_left_alone_and_others_are_named() {
        let [at_once, mate, later] = [1, 3, 5].map(|plies| Score::mate_in(plies).0);
        for lines in [
            &[
                (50, true, "a1a7 h8g8"),
                (mate, true, "a1a7 h8g8 b2b8"),
                (mate, true, "1. Ra7 Kg8 2. Rb8#"),
            ][..],
            &[(mate, true, "a1a7 h8g8")],
            &[(mate, true, "a1a7"), (20, false, "b2b8"), (mate, true, "")],
            &[(50, true, "a1a7 <HT>"), (at_once, false, "a1a7 h8g8 b2b8")],
        ] {
            assert_eq!(fault(lines), None, "{lines:?}");
        }
        for (lines, expected) in [
            (&[(50, true, "a1a7 h8h6")][..], "h8h6 is not legal"),
            (&[(50, false, "a1a7 a7a8")], "a7a8 is not legal"),
            (&[(mate, true, "a1a7 h8g8 b2b7")], "line of 3 does not mate"),
            (
                &[(later, true, "a1a7 h8g8 b2b8")],
                "at half-move 5 is announced, and its line of 3",
            ),
            (&[(at_once, true, "a1a7 h8g8 b2b8")], "at half-move 1"),
            (&[(mate, true, "a1a7"), (700, true, "a1a7")], "taken back"),
            (&[(mate, true, "a1a7"), (later, true, "a1a7")], "taken back"),
            (
                &[(Score::mated_in(4).0, true, ""), (-700, true, "")],
                "taken back",
            ),
        ] {
            let fault = fault(lines).unwrap_or_default();
            assert!(fault.contains(expected), "{lines:?}: {fault}");
        }
    }

    #[test]
    fn a_mate_that_was_announced_comes_nearer_with_each_move() {
        let mut referee = mate_in_two();
        let (mut forgets, mut keeps) = (Inspector::default(), Inspector::default());
        for inspector in [&mut forgets, &mut keeps] {
            inspector.heard(&said(Score::mate_in(3), true, "a1a7"), &referee);
            inspector.moved("a1a7");
        }
        for mv in ["a1a7", "h8g8"] {
            referee.play(referee.read_move(mv).expect(mv));
        }
        forgets.heard(&said(Score(800), true, "b2b8"), &referee);
        keeps.heard(&said(Score(800), true, "b2b8"), &referee);
        keeps.heard(&said(Score::mate_in(1), true, "b2b8"), &referee);
        forgets.moved("b2b8");
        keeps.moved("b2b8");
        assert!(
            forgets
                .fault
                .is_some_and(|fault| fault.contains("a move ago"))
        );
        assert_eq!(keeps.fault, None);
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
