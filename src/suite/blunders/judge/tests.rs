use std::time::Duration;

use super::*;
use crate::suite::Grade;
use crate::suite::tests::{failed, game, thinking, told};

/// Knows the value of some moves; its best is the first of them that it may choose.
pub struct Oracle {
    pub values: Vec<(&'static str, Score)>,
    /// Fails so many times first.
    pub failures: usize,
    /// Moves, but says no value.
    pub is_mute: bool,
    pub asked: Vec<Vec<String>>,
}

impl Oracle {
    pub fn new(values: &[(&'static str, Score)]) -> Oracle {
        Oracle { values: values.to_vec(), failures: 0, is_mute: false, asked: Vec::new() }
    }
}

impl Thinker for Oracle {
    fn think(&mut self, task: &Task) -> Result<Thinking, ThinkError> {
        self.asked.push(task.search_moves.clone());
        if self.failures > 0 {
            self.failures -= 1;
            return Err(failed("oracle", Fault::Died("died of old age".to_owned())));
        }
        let allowed =
            |mv: &str| task.search_moves.is_empty() || task.search_moves.iter().any(|only| only == mv);
        let found = self.values.iter().find(|(mv, _)| allowed(mv));
        let (mv, score) = found.ok_or(failed("oracle", Fault::Silent(Duration::from_secs(1))))?;
        let line = told(*score, &format!("{mv} e7e5 nonsense"));
        Ok(thinking(mv, if self.is_mute { &[] } else { std::slice::from_ref(&line) }))
    }
}

fn case(text: &str, choose: bool) -> Case {
    Case::of_game(0, &game(text), &[], choose).expect("cases").remove(0)
}

#[test]
fn both_values_come_from_searches_of_one_move() {
    let mut reference = Oracle::new(&[("e2e4", Score(30)), ("f2f3", Score(-160))]);
    let finding = judge(&case("1. f3 *\n", false), None, &mut reference).expect("judged");
    assert_eq!(reference.asked, [vec![], vec!["e2e4".to_owned()], vec!["f2f3".to_owned()]]);
    let sample = finding.sample(&Bands::default()).expect("judged");
    assert_eq!((sample.loss.centipawns, sample.grade, sample.agrees), (190, Grade::Blunder, false));
    let Finding::Judged { best, .. } = finding else {
        panic!("it was judged");
    };
    assert_eq!(best.line, ["e4", "e5"], "what cannot be played is cut off");
}

#[test]
fn the_same_move_costs_nothing_and_one_search() {
    let mut reference = Oracle::new(&[("e2e4", Score(30))]);
    let mut player = Oracle::new(&[("e2e4", Score(-900))]);
    let finding = judge(&case("1. f3 *\n", true), Some(&mut player), &mut reference).expect("judged");
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
    let silent = Finding::NoMove { reason: Fault::Silent(Duration::from_secs(1)).to_string() };
    assert_eq!(finding, silent);
    assert_eq!(finding.sample(&Bands::default()), None);
    let mut player = Oracle::new(&[("e2e4", Score(0))]);
    reference.failures = 1;
    judge(&case, Some(&mut player), &mut reference).expect("the second time it answers");
    reference.failures = 2;
    let error = judge(&case, Some(&mut player), &mut reference).expect_err("it failed twice");
    assert!(error.to_string().contains("old age"), "{error}");
    reference.is_mute = true;
    let error = judge(&case, Some(&mut player), &mut reference).expect_err("no value");
    assert!(error.to_string().contains("no value: let it think longer"), "{error}");
}

#[test]
fn the_only_move_is_not_judged() {
    let text = "[FEN \"7k/8/8/8/8/8/6q1/7K w - - 0 1\"]\n\n1. Kxg2 *\n";
    let finding = judge(&case(text, false), None, &mut Oracle::new(&[])).expect("nobody is asked");
    let Finding::Forced { uci, san } = &finding else {
        panic!("{finding:?}");
    };
    assert_eq!((uci.as_str(), san.as_str()), ("h1g2", "Kxg2"));
    assert_eq!(finding.sample(&Bands::default()), None);
}
