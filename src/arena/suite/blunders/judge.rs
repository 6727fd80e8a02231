//! One move, and the reference's judgement.

use serde::{Deserialize, Serialize};

use super::case::Case;
use crate::arena::referee::{Played, Referee};
use crate::arena::suite::{
    Analyst, Bands, Fault, Loss, Question, Sample, ThinkError, Thinking, ThoughtLine,
};
use crate::arena::thinking;
use crate::rules::score::Score;

/// A thinker about positions: an engine, or a stand-in for tests.
pub trait Thinker {
    /// Returns the move for a position, with its value.
    fn think(&mut self, question: &Question) -> Result<Thinking, ThinkError>;
}

impl Thinker for Analyst {
    fn think(&mut self, question: &Question) -> Result<Thinking, ThinkError> {
        Analyst::think(self, question)
    }
}

/// A move with the reference's value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Valued {
    /// Coordinates.
    pub uci: String,
    /// With check marks.
    pub san: String,
    /// The score from the mover's point of view.
    pub score: Score,
    /// The reference's expected line, this move first, in standard algebraic notation.
    pub line: Vec<String>,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
}

/// The result of a case, as kept by a journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Finding {
    /// Both moves have a value; they may be the same.
    Judged { played: Valued, best: Valued },
    /// There was no choice.
    Forced { uci: String, san: String },
    /// The engine under test made no legal move; why.
    NoMove { reason: String },
    /// The reference made a move without a value.
    NoValue,
    /// The engine under test has no means to be told the position; why.
    NotGiven { reason: String },
}

impl Finding {
    /// The numbers, if there are any.
    pub fn sample(&self, bands: &Bands) -> Option<Sample> {
        let Finding::Judged { played, best } = self else {
            return None;
        };
        let agrees = played.uci == best.uci;
        let loss = Loss::new(best.score, played.score);
        Some(Sample {
            loss,
            grade: bands.grade(loss),
            agrees,
        })
    }
}

/// Judges a case. If the case has no move, `player` moves.
///
/// The reference first names the best move. If another one was played, each of the two gets its
/// value from a restricted search of its own (`searchmoves`), with the same limits: both are seen
/// equally deep, and the value of the first search, spread over all moves, is compared with
/// nothing.
///
/// # Errors
/// Fails if the reference failed twice, or if everything is to stop; a player's failure is a
/// finding, and so is a move to which the reference gives no value.
pub fn judge(
    case: &Case,
    player: Option<&mut (dyn Thinker + '_)>,
    reference: &mut dyn Thinker,
) -> Result<Finding, ThinkError> {
    if let Some(Played { uci, san }) = case.forced.clone() {
        return Ok(Finding::Forced { uci, san });
    }
    let played = match (&case.played, player) {
        (Some(played), _) => played.clone(),
        (None, Some(player)) => match player.think(&case.question) {
            Ok(thinking) => thinking.best,
            Err(error) => match error.fault {
                Fault::Stopped => return Err(error),
                Fault::NotGiven(reason) => return Ok(Finding::NotGiven { reason }),
                fault => {
                    return Ok(Finding::NoMove {
                        reason: fault.to_string(),
                    });
                }
            },
        },
        (None, None) => {
            return Ok(Finding::NoMove {
                reason: "nobody is there to move".to_owned(),
            });
        }
    };
    let free = ask(reference, &case.question)?;
    let values = if free.best == played {
        valued(case, free).map(|best| (best.clone(), best))
    } else {
        let best = value(case, &free.best, reference)?;
        let played = value(case, &played, reference)?;
        played.zip(best)
    };
    Ok(match values {
        Some((played, best)) => Finding::Judged { played, best },
        None => Finding::NoValue,
    })
}

/// The value of one move, from a search of nothing else; `None` if the reference gives none.
fn value(case: &Case, mv: &str, reference: &mut dyn Thinker) -> Result<Option<Valued>, ThinkError> {
    let question = Question {
        search_moves: vec![mv.to_owned()],
        ..case.question.clone()
    };
    Ok(valued(case, ask(reference, &question)?))
}

/// Asks the reference, once more with a new process after a failure: a long check should not end
/// with one crash.
fn ask(reference: &mut dyn Thinker, question: &Question) -> Result<Thinking, ThinkError> {
    match reference.think(question) {
        Err(error) if error.fault != Fault::Stopped => {
            log::warn!("{error}; asked once more");
            reference.think(question)
        }
        answer => answer,
    }
}

fn valued(case: &Case, thinking: Thinking) -> Option<Valued> {
    let score = thinking.score()?;
    let mut moves = thinking.best.clone();
    for ThoughtLine { exact, pv, .. } in &thinking.lines {
        if *exact && pv.first() == Some(&thinking.best) {
            moves = pv.join(" ");
        }
    }
    Some(Valued {
        score,
        depth: thinking.depth(),
        nodes: thinking.nodes(),
        line: in_san(&case.fen, &moves),
        uci: thinking.best,
        san: thinking.san,
    })
}

/// Moves from a position in standard algebraic notation, cut before the first unplayable one.
fn in_san(fen: &str, moves: &str) -> Vec<String> {
    let mut line = Vec::new();
    if let Ok(referee) = Referee::at(fen) {
        let (game, _) = thinking::follow(moves, &referee);
        for played in game.moves() {
            line.push(played.san.clone());
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::arena::suite::Grade;
    use crate::arena::suite::tests::{failed, game, thinking, told};

    /// Knows the value of some moves; its best is the first allowed one.
    struct Oracle {
        values: Vec<(&'static str, Score)>,
        /// Fails so many times first.
        failures: usize,
        /// Fails always.
        fault: Option<Fault>,
        /// Moves, but says no value.
        is_mute: bool,
        asked: Vec<Vec<String>>,
    }

    impl Oracle {
        fn new(values: &[(&'static str, Score)]) -> Oracle {
            Oracle {
                values: values.to_vec(),
                failures: 0,
                fault: None,
                is_mute: false,
                asked: Vec::new(),
            }
        }
    }

    impl Thinker for Oracle {
        fn think(&mut self, question: &Question) -> Result<Thinking, ThinkError> {
            self.asked.push(question.search_moves.clone());
            if let Some(fault) = &self.fault {
                return Err(failed("oracle", fault.clone()));
            }
            if self.failures > 0 {
                self.failures -= 1;
                return Err(failed("oracle", Fault::Died("died of old age".to_owned())));
            }
            let only = &question.search_moves;
            let is_allowed = |mv: &str| only.is_empty() || only.iter().any(|only| only == mv);
            let found = self.values.iter().find(|(mv, _)| is_allowed(mv));
            let (mv, score) =
                found.ok_or(failed("oracle", Fault::Silent(Duration::from_secs(1))))?;
            let line = told(*score, &format!("{mv} e7e5 nonsense"));
            Ok(thinking(
                mv,
                if self.is_mute {
                    &[]
                } else {
                    std::slice::from_ref(&line)
                },
            ))
        }
    }

    fn case(text: &str, choose: bool) -> Case {
        Case::of_game(0, &game(text), &[], choose)
            .expect("cases")
            .remove(0)
    }

    #[test]
    fn both_values_come_from_searches_of_one_move() {
        let mut reference = Oracle::new(&[("e2e4", Score(30)), ("f2f3", Score(-160))]);
        let finding = judge(&case("1. f3 *\n", false), None, &mut reference).expect("judged");
        assert_eq!(
            reference.asked,
            [vec![], vec!["e2e4".to_owned()], vec!["f2f3".to_owned()]]
        );
        let sample = finding.sample(&Bands::default()).expect("judged");
        assert_eq!(
            (sample.loss.centipawns, sample.grade, sample.agrees),
            (190, Grade::Blunder, false)
        );
        let Finding::Judged { best, .. } = finding else {
            panic!("it was judged")
        };
        assert_eq!(best.line, ["e4", "e5"], "what cannot be played is cut off");
    }

    #[test]
    fn the_same_move_costs_nothing_and_one_search() {
        let mut reference = Oracle::new(&[("e2e4", Score(30))]);
        let mut player = Oracle::new(&[("e2e4", Score(-900))]);
        let finding =
            judge(&case("1. f3 *\n", true), Some(&mut player), &mut reference).expect("judged");
        assert_eq!(reference.asked.len(), 1);
        let sample = finding.sample(&Bands::default()).expect("judged");
        assert!(sample.agrees && sample.loss == Loss::default());
    }

    #[test]
    fn failures_of_the_player_are_findings_and_of_the_reference_are_errors() {
        let case = case("1. f3 *\n", true);
        let mut reference = Oracle::new(&[("e2e4", Score(30))]);
        let mut nobody = Oracle::new(&[]);
        let finding = judge(&case, Some(&mut nobody), &mut reference).expect("a finding");
        assert_eq!(
            finding,
            Finding::NoMove {
                reason: Fault::Silent(Duration::from_secs(1)).to_string()
            }
        );
        assert_eq!(finding.sample(&Bands::default()), None);
        let mut old = Oracle {
            fault: Some(Fault::NotGiven("it has no setboard".to_owned())),
            ..Oracle::new(&[])
        };
        let finding = judge(&case, Some(&mut old), &mut reference).expect("a finding");
        let reason = "it has no setboard".to_owned();
        assert_eq!(finding, Finding::NotGiven { reason });
        let mut player = Oracle::new(&[("e2e4", Score(0))]);
        reference.failures = 1;
        judge(&case, Some(&mut player), &mut reference).expect("the second time it answers");
        reference.failures = 2;
        let error = judge(&case, Some(&mut player), &mut reference).expect_err("it failed twice");
        assert!(error.to_string().contains("old age"), "{error}");
        reference.is_mute = true;
        let finding = judge(&case, Some(&mut player), &mut reference).expect("a finding");
        assert_eq!(finding, Finding::NoValue);
    }

    #[test]
    fn the_only_move_is_not_judged() {
        let text = "[FEN \"7k/8/8/8/8/8/6q1/7K w - - 0 1\"]\n\n1. Kxg2 *\n";
        let finding =
            judge(&case(text, false), None, &mut Oracle::new(&[])).expect("nobody is asked");
        assert_eq!(
            finding,
            Finding::Forced {
                uci: "h1g2".to_owned(),
                san: "Kxg2".to_owned()
            }
        );
        assert_eq!(finding.sample(&Bands::default()), None);
    }
}
