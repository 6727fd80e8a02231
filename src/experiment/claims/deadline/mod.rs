//! C13: at the deadline the best branch so far is played.

mod choice;

use serde::Serialize;
use serde_json::json;

use crate::arena::{EngineSpec, Limits, Time};
use crate::experiment::laboratory::{Contest, Match, ours};
use crate::experiment::{ClaimVerdict, Conclusion, Experiment, Laboratory, Part};
use crate::suite::summary::Rate;

pub const EXPERIMENT: Experiment = Experiment {
    id: "C13",
    title: "The best branch at the deadline",
    claim: "At the deadline the best branch so far is played: there is a legal move within the clock at every time control.",
    source: "Section 4",
    run,
};

/// From a hundredth of a second a move to clocks of some seconds, sessions, increments that hardly count, and
/// a base of nothing.
const CONTROLS: [&str; 10] = [
    "0.01/move",
    "0.05/move",
    "1",
    "1+0.01",
    "0.3+0.002",
    "0+0.02",
    "40/2",
    "10/0.5",
    "5+0.05",
    "matched/0.005",
];
/// Of the other side, where one side has the time that the other takes.
const OTHERS: &str = "1+0.01,depth=2";

/// A fault may be the machine's: fewer than this part of the moves is none to speak of.
const FEW: f64 = 1.0 / 500.0;

fn run(laboratory: &Laboratory<'_>) -> anyhow::Result<Conclusion> {
    let conditions = &laboratory.conditions;
    let choices = choice::look(laboratory)?;
    let rounds = match conditions.are_reproducible() {
        true => Vec::new(),
        false => CONTROLS
            .iter()
            .map(|control| Round::play(laboratory, control))
            .collect::<anyhow::Result<Vec<_>>>()?,
    };
    let tests: Vec<Clocked> = rounds.iter().map(Clocked::new).collect();
    let parts = vec![clocks_part(&tests), choice::part(&choices)];
    let data = json!({
        "controls": tests,
        "choices": choices,
    });
    let games = conditions.games(2, 10);
    let method = format!(
        "{} {}",
        match conditions.are_reproducible() {
            true => "Clocks were left out, because nothing is the same twice with them.".to_owned(),
            false => format!(
                "The genetic search with 1 MB, whose tree is soon full, against itself with 64 MB (where it has the time that the other side takes: \
                 against our Min-Max, {OTHERS}), {games} games at each time control, every move refereed. A clock may be 100 ms below zero, once a \
                 game; a time for each move may be passed by as much; by how much it was passed is in the table."
            ),
        },
        choice::METHOD
    );
    let mut conclusion = Conclusion::new(method, parts, data);
    if !tests.is_empty() {
        let columns = "Time control {control} | Moves: {moves} | Faults: {faults} | Longest, ms: {longest_milliseconds} | \
                       Past the time for a move, ms: {overshoot_milliseconds}";
        conclusion = conclusion
            .with_rows("By time control, the moves of the genetic search", columns, &tests)
            .with_text(Contest::endings_in_words(rounds.iter().map(|round| &round.contest)));
    }
    Ok(conclusion.with_rows("By time for the search", choice::COLUMNS, choice::by_time(&choices)))
}

/// The games at one time control.
struct Round {
    control: &'static str,
    contest: Contest,
    /// How many of the two sides are the genetic search; they come first.
    genetic: usize,
}

impl Round {
    fn play(laboratory: &Laboratory<'_>, control: &'static str) -> anyhow::Result<Round> {
        let limits: Limits = control.parse()?;
        let overhead = ("MoveOverhead", "2");
        let small = ours("Genetic search, 1 MB", "genetic", &[overhead, ("Hash", "1")]);
        let (other, genetic) = match limits.are_matched() {
            true => {
                let mut other = ours("Min-Max", "minimax", &[overhead]);
                other.limits = Some(OTHERS.parse()?);
                (other, 1)
            }
            false => {
                let other = ours("Genetic search, 64 MB", "genetic", &[overhead, ("Hash", "64")]);
                (other, 2)
            }
        };
        let named: String =
            control.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        let small = EngineSpec { limits: Some(limits), ..small };
        let contest = laboratory.play(Match {
            work: format!("c13-{named}"),
            what: control.to_owned(),
            engines: [small, other],
            limits,
            games: laboratory.conditions.games(2, 10),
            claim: None,
        })?;
        Ok(Round { control, contest, genetic })
    }
}

/// The moves of the genetic search at a time control.
#[derive(Serialize)]
struct Clocked {
    control: &'static str,
    moves: usize,
    faults: usize,
    #[serde(rename = "longest_milliseconds")]
    longest: u64,
    /// By how much the time for a move was passed at most, where there is one; the referee counts whole
    /// milliseconds.
    #[serde(rename = "overshoot_milliseconds")]
    overshoot: Option<u64>,
}

impl Clocked {
    fn new(round: &Round) -> Clocked {
        let moves = round.contest.moves();
        let of_genetic = || moves[..round.genetic].iter().flatten();
        let faults: u32 = round.contest.faults()[..round.genetic].iter().sum();
        let limits: Option<Limits> = round.control.parse().ok();
        let per_move = limits.and_then(|limits| match limits.time {
            Some(Time::PerMove(time)) => u64::try_from(time.as_millis()).ok(),
            _ => None,
        });
        let longest = of_genetic().map(|played| played.time).max().unwrap_or(0);
        Clocked {
            control: round.control,
            // A move that came too late, or was none, is not in the record.
            moves: of_genetic().count() + faults as usize,
            faults: faults as usize,
            longest,
            overshoot: per_move.map(|time| longest.saturating_sub(time)),
        }
    }
}

fn clocks_part(tests: &[Clocked]) -> Part {
    let moves = tests.iter().map(|test| test.moves).sum();
    let faults = tests.iter().map(|test| test.faults).sum();
    let overshoot = tests.iter().filter_map(|test| test.overshoot).max();
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
        for control in CONTROLS {
            let limits: Limits = control.parse().expect(control);
            assert_eq!(limits.to_string(), control);
        }
        assert!(OTHERS.parse::<Limits>().is_ok());
    }
}
