//! C13: at the deadline the best branch so far is played.

mod choice;

use serde::Serialize;
use serde_json::json;

use crate::arena::Time;
use crate::experiment::laboratory::Contest;
use crate::experiment::{ClaimVerdict, Conclusion, Laboratory, Part, Text};
use crate::search::genetic::params::Preset;
use crate::suite::summary::Rate;

/// A fault may be the machine's: fewer than this part of the moves is none to speak of.
const FEW: f64 = 1.0 / 500.0;

/// C13: The best branch at the deadline.
pub fn run(laboratory: &Laboratory<'_>, text: &Text) -> anyhow::Result<Conclusion> {
    // The tree of the preset `strong` has bounds beside the best branch: K is another thing there.
    let choices = match laboratory.conditions.preset {
        Preset::Strong => None,
        _ => Some(choice::look(laboratory)?),
    };
    let contests = text.play(laboratory)?;
    let tests: Vec<Clocked> = contests.iter().map(Clocked::new).collect();
    let parts = [clocks_part(&tests)].into_iter().chain(choices.as_deref().map(choice::part)).collect();
    let data = json!({ "controls": tests, "choices": choices });
    let mut conclusion = text.conclude(laboratory, &[], parts, data);
    if !tests.is_empty() {
        conclusion = conclusion.with_rows("controls", &tests).with_text(Contest::endings_in_words(&contests));
    }
    Ok(match choices {
        Some(choices) => conclusion.with_rows("times", choice::by_time(&choices)),
        None => conclusion,
    })
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
}
