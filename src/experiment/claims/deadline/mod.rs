//! C13: at the deadline the best branch so far is played.

mod choice;

use serde::Serialize;
use serde_json::json;

use crate::arena::{EngineSpec, Limits, Time};
use crate::experiment::laboratory::{Contest, Match, genetic, ours};
use crate::experiment::{ClaimVerdict, Conclusion, Laboratory, Part, Text, Words};
use crate::search::genetic::params::Preset;
use crate::suite::summary::Rate;

/// From a hundredth of a second a move to clocks of some seconds, sessions, increments that hardly count, and
/// a base of nothing.
const CONTROLS: &str = "0.01/move 0.05/move 1 1+0.01 0.3+0.002 0+0.02 40/2 10/0.5 5+0.05 matched/0.005";
/// Of the other side, where one side has the time that the other takes.
const OTHERS: &str = "1+0.01,depth=2";

/// A fault may be the machine's: fewer than this part of the moves is none to speak of.
const FEW: f64 = 1.0 / 500.0;

/// C13: The best branch at the deadline.
pub fn run(laboratory: &Laboratory<'_>, text: &Text) -> anyhow::Result<Conclusion> {
    let conditions = &laboratory.conditions;
    // The tree of the preset `strong` has bounds beside the best branch: K is another thing there.
    let choices = match conditions.preset {
        Preset::Strong => None,
        _ => Some(choice::look(laboratory)?),
    };
    let (mut tests, mut contests) = (Vec::new(), Vec::new());
    if !conditions.are_reproducible() {
        for control in CONTROLS.split(' ') {
            let contest = play(laboratory, control)?;
            tests.push(Clocked::new(&contest));
            contests.push(contest);
        }
    }
    let parts = [clocks_part(&tests)].into_iter().chain(choices.as_deref().map(choice::part)).collect();
    let data = json!({ "controls": tests, "choices": choices });
    let games = conditions.games(2, 10);
    let words: Words<'_> = &[("others", &OTHERS), ("games", &games)];
    let mut conclusion = text.conclude(laboratory, words, parts, data);
    if !tests.is_empty() {
        conclusion = conclusion.with_rows("controls", &tests).with_text(Contest::endings_in_words(&contests));
    }
    Ok(match choices {
        Some(choices) => conclusion.with_rows("times", choice::by_time(&choices)),
        None => conclusion,
    })
}

/// The games at one time control. Where the genetic search has the time that the other side takes, that is
/// another search.
fn play(laboratory: &Laboratory<'_>, control: &str) -> anyhow::Result<Contest> {
    let limits: Limits = control.parse()?;
    let conditions = &laboratory.conditions;
    let genetic = |name, memory| genetic(conditions, name, &[("MoveOverhead", "2"), ("Hash", memory)]);
    let other = match limits.are_matched() {
        true => EngineSpec {
            limits: Some(OTHERS.parse()?),
            ..ours("Min-Max", "minimax", &[("MoveOverhead", "2")])
        },
        false => genetic("Genetic search, 64 MB", "64"),
    };
    let work = format!("c13-{}", control.replace(|c: char| !c.is_ascii_alphanumeric(), "-"));
    let engines = [EngineSpec { limits: Some(limits), ..genetic("Genetic search, 1 MB", "1") }, other];
    laboratory.play(Match::new(work, control, engines, limits, conditions.games(2, 10)))
}

/// The moves of the genetic search at a time control.
#[derive(Serialize)]
struct Clocked {
    control: String,
    moves: usize,
    faults: usize,
    longest_milliseconds: u64,
    /// By how much the time for a move was passed at most, where there is one; the referee counts whole
    /// milliseconds.
    overshoot_milliseconds: Option<u64>,
}

impl Clocked {
    fn new(contest: &Contest) -> Clocked {
        // Which of the two sides are the genetic search: the second is not, where it gives the time.
        let sides = if contest.limits.are_matched() { 1 } else { 2 };
        let moves = contest.moves();
        let of_genetic = || moves[..sides].iter().flatten();
        let faults: u32 = contest.faults()[..sides].iter().sum();
        let per_move = match contest.limits.time {
            Some(Time::PerMove(time)) => u64::try_from(time.as_millis()).ok(),
            _ => None,
        };
        let longest = of_genetic().map(|played| played.time).max().unwrap_or(0);
        Clocked {
            control: contest.what.clone(),
            // A move that came too late, or was none, is not in the record.
            moves: of_genetic().count() + faults as usize,
            faults: faults as usize,
            longest_milliseconds: longest,
            overshoot_milliseconds: per_move.map(|time| longest.saturating_sub(time)),
        }
    }
}

fn clocks_part(tests: &[Clocked]) -> Part {
    let moves = tests.iter().map(|test| test.moves).sum();
    let faults = tests.iter().map(|test| test.faults).sum();
    let overshoot = tests.iter().filter_map(|test| test.overshoot_milliseconds).max();
    let rate = Rate::new(faults, moves);
    let evidence = rate.map_or("no moves".to_owned(), |rate| {
        format!(
            "{faults} of {moves} moves missing, illegal or too late, at most {:.2} % (95 %); a time for each move was passed by {} ms at most",
            100.0 * rate.upper,
            overshoot.unwrap_or(0)
        )
    });
    let statement = format!(
        "A legal move within the clock at every time control: fewer than {:.1} % of the moves are not",
        100.0 * FEW
    );
    Part::new(statement, on_faults(rate), evidence)
}

/// The claim is confirmed only if there was no fault at all.
fn on_faults(rate: Option<Rate>) -> ClaimVerdict {
    match rate {
        None => ClaimVerdict::NotRun("it needs clocks".to_owned()),
        Some(rate) if rate.lower > FEW => ClaimVerdict::Refuted,
        Some(rate) if rate.count == 0 && rate.upper < FEW => ClaimVerdict::Confirmed,
        Some(rate) => ClaimVerdict::NotDecided(format!("{} moves", rate.of)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_never_confirmed_away() {
        let verdict = |faults, moves| on_faults(Rate::new(faults, moves));
        assert_eq!(verdict(0, 10_000), ClaimVerdict::Confirmed);
        assert_eq!(verdict(1, 100_000), ClaimVerdict::NotDecided("100000 moves".to_owned()));
        assert_eq!(verdict(0, 100), ClaimVerdict::NotDecided("100 moves".to_owned()));
        assert_eq!(verdict(50, 1000), ClaimVerdict::Refuted);
        assert!(matches!(verdict(0, 0), ClaimVerdict::NotRun(_)));
    }

    #[test]
    fn every_time_control_is_one() {
        for control in CONTROLS.split(' ') {
            let limits: Limits = control.parse().expect(control);
            assert_eq!(limits.to_string(), control);
        }
        assert!(OTHERS.parse::<Limits>().is_ok());
    }
}
