//! C13: at the deadline the best branch so far is played: by matches with clocks, and by searches
//! with a look inside.

use std::time::Duration;

use chess::ChessMove;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::arena::suite::summary::Rate;
use crate::arena::{EngineLimits, Time};
use crate::lab::experiment::laboratory::{Match, PlayedMatch, ours};
use crate::lab::experiment::matches::with_limits;
use crate::lab::experiment::positions::{paper, survey};
use crate::lab::experiment::{ClaimVerdict, Conclusion, Conditions, Laboratory, Part, Text};
use crate::rules::position::Position;
use crate::search::clock::TimeSource;
use crate::search::genetic::Genetic;
use crate::search::genetic::params::{GeneticOptions, Preset};
use crate::search::genetic::selection::k_of;
use crate::search::genetic::tree::ReservationTree;
use crate::search::time_control::Budget;
use crate::search::{Clock, Limits, Searcher as _};

/// A fault may be the machine's: fewer than this part of the moves is none to speak of.
const FEW: f64 = 1.0 / 500.0;

/// C13: The best branch at the deadline.
pub fn run(laboratory: &Laboratory, text: &Text) -> anyhow::Result<Conclusion> {
    // The tree of the preset `strong` has bounds beside the best branch: K is another thing there.
    let choices = match laboratory.conditions.preset {
        Preset::Strong => None,
        _ => Some(look(laboratory)?),
    };
    let played_matches = laboratory.play_all(matches(&laboratory.conditions))?;
    let tests: Vec<Clocked> = played_matches.iter().map(Clocked::new).collect();
    let mut parts = vec![clocks_part(&tests)];
    parts.extend(choices.as_deref().map(choices_part));
    let data = json!({ "controls": tests, "choices": choices });
    let games = games(&laboratory.conditions);
    Ok(text.conclude(laboratory, &[("games", &games)], parts, data))
}

/// Time controls from a hundredth of a second a move to clocks of some seconds, sessions, tiny
/// increments, and a base of nothing.
const CONTROLS: [&str; 9] = [
    "0.01/move",
    "0.05/move",
    "1",
    "1+0.01",
    "0.3+0.002",
    "0+0.02",
    "40/2",
    "10/0.5",
    "5+0.05",
];

/// Games at each time control.
fn games(conditions: &Conditions) -> u32 {
    conditions.games(2, 10)
}

/// Returns the matches at each time control, none without clocks. With 1 MB the tree of the genetic
/// search is soon full. The last opponent sets the time by its own use.
pub fn matches(conditions: &Conditions) -> Vec<Match> {
    if conditions.are_reproducible() {
        return Vec::new();
    }
    let genetic = |megabytes: &str| {
        let name = format!("Genetic search, {megabytes} MB");
        let options = [("MoveOverhead", "2"), ("Hash", megabytes)];
        ours(conditions, &name, "genetic", &options)
    };
    let minimax = ours(conditions, "Min-Max", "minimax", &[("MoveOverhead", "2")]);
    let minimax = with_limits(minimax, limits("1+0.01,depth=2"));
    let mut opponents = CONTROLS.map(|control| (control, genetic("64"))).to_vec();
    opponents.push(("matched/0.005", minimax));
    let mut matches = Vec::new();
    for (control, opponent) in opponents {
        let limits = limits(control);
        let engines = [with_limits(genetic("1"), limits), opponent];
        let work = format!("c13-{}", control.replace(['.', '/', '+'], "-"));
        let games = games(conditions);
        matches.push(Match::new(work, control, engines, limits, games));
    }
    matches
}

/// # Panics
/// If the text is not one of our own.
fn limits(text: &str) -> EngineLimits {
    text.parse().expect("time controls of ours")
}

/// The moves of the genetic search at a time control.
#[derive(Serialize)]
struct Clocked {
    control: String,
    moves: usize,
    faults: usize,
    /// The largest excess over the time for a move, if there is one; the referee counts whole
    /// milliseconds.
    overshoot_milliseconds: Option<u64>,
}

impl Clocked {
    fn new(played_match: &PlayedMatch) -> Clocked {
        // Which of the two sides are the genetic search: the second is not, where it gives the
        // time.
        let limits = played_match.wanted.limits;
        let sides = if limits.are_matched() { 1 } else { 2 };
        let faults: u32 = played_match.faults()[..sides].iter().sum();
        let moves = played_match.moves()[..sides].concat();
        let overshoot = match limits.time {
            Some(Time::PerMove(time)) => {
                let longest = moves.iter().map(|played| played.time).max();
                let time = time.as_millis() as u64;
                Some(longest.unwrap_or(0).saturating_sub(time))
            }
            _ => None,
        };
        Clocked {
            control: played_match.wanted.what.clone(),
            // A move that came too late, or was none, is not in the record.
            moves: moves.len() + faults as usize,
            faults: faults as usize,
            overshoot_milliseconds: overshoot,
        }
    }
}

fn clocks_part(tests: &[Clocked]) -> Part {
    let mut moves = 0;
    let mut faults = 0;
    let mut overshoot = 0;
    for test in tests {
        moves += test.moves;
        faults += test.faults;
        overshoot = overshoot.max(test.overshoot_milliseconds.unwrap_or(0));
    }
    let rate = Rate::new(faults, moves);
    let evidence = match rate {
        None => "no moves".to_owned(),
        Some(rate) => format!(
            "{faults} of {moves} moves missing, illegal or too late, at most {:.2} % (95 %); a time for each move was passed by {overshoot} ms at most",
            100.0 * rate.upper
        ),
    };
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

/// The times of the searches of a position.
const MILLISECONDS: [u64; 4] = [10, 20, 50, 100];

/// A claim about every search is not proved by any number of them; so rare an exception would have
/// been missed.
const RARE: f64 = 0.02;

/// The outcome of one search.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Choice {
    /// The time of the search; `None` for a search limited by nodes.
    milliseconds: Option<u64>,
    /// True if the initial population was ready, so that there was a best branch at all.
    bred: bool,
    /// True if the move is legal.
    legal: bool,
    /// True if the move begins a branch with K = 0.
    best: bool,
}

/// Returns the outcomes of searches, with a look inside.
fn look(laboratory: &Laboratory) -> anyhow::Result<Vec<Choice>> {
    let conditions = &laboratory.conditions;
    let preset = conditions.preset;
    let nodes = conditions.nodes;
    let options = preset.options();
    let work = format!("c13-choices-{}", preset.into_str());
    let terms = [("nodes", nodes.unwrap_or(0))];
    let count = conditions.pick(75, 250);
    let choices = survey(laboratory, &work, count, &terms, |root| {
        Ok(MILLISECONDS.map(|time| choice(root, &options, nodes, time)))
    })?;
    Ok(choices.into_iter().flatten().collect())
}

fn choice(
    root: &Position,
    options: &GeneticOptions,
    nodes: Option<u64>,
    milliseconds: u64,
) -> Choice {
    let time = Duration::from_millis(milliseconds);
    let budget = nodes.is_none().then_some(Budget {
        soft: time,
        hard: time,
    });
    let limits = Limits {
        nodes,
        ..Limits::default()
    };
    let mut search = Genetic::new(paper(), options.clone());
    search.set_memory(1);
    let clock = Clock::start(TimeSource::Wall, budget);
    let report = search.search(root, &limits, &clock, &mut ());
    let played = report.best_move();
    Choice {
        milliseconds: nodes.is_none().then_some(milliseconds),
        bred: search.statistics().generations > 0,
        legal: played.is_some_and(|mv| root.is_legal(mv)),
        best: played.is_some() && played == search.tree().and_then(best_by_definition),
    }
}

/// Returns the first move of the branch behind the root's value, if the tree confirms the branch.
fn best_by_definition(tree: &ReservationTree) -> Option<ChessMove> {
    let branch: Vec<_> = tree.best_branch(tree.root()).collect();
    let leaf = *branch.last()?;
    let gave_the_value =
        k_of(tree, &branch) == Some(0) && tree.value(leaf) == tree.value(tree.root());
    let first = *branch.get(1)?;
    gave_the_value.then(|| tree.gene(first))
}

fn choices_part(choices: &[Choice]) -> Part {
    let bred = choices.iter().filter(|choice| choice.bred).count();
    let wrong = choices.iter().filter(|choice| choice.is_wrong()).count();
    let rate = Rate::new(wrong, bred.max(wrong));
    let evidence = match rate {
        None => "no searches".to_owned(),
        Some(rate) => format!(
            "{wrong} of {} searches that got past their initial population played something else, or nothing legal: at most {:.2} % do (95 %; less \
             than {:.0} % is asked for). {} ended before, and played a legal move",
            rate.of,
            100.0 * rate.upper,
            100.0 * RARE,
            choices
                .iter()
                .filter(|choice| !choice.bred && choice.legal)
                .count()
        ),
    };
    let statement =
        "The move played is the first of the branch with K = 0, as soon as there is one";
    Part::new(statement, on_exceptions(rate), evidence)
}

/// The verdict on a rate of exceptions; one exception refutes the claim.
fn on_exceptions(rate: Option<Rate>) -> ClaimVerdict {
    match rate {
        None => ClaimVerdict::NotRun("no search got past its initial population".to_owned()),
        Some(rate) if rate.count > 0 => ClaimVerdict::Refuted,
        Some(rate) if rate.upper < RARE => ClaimVerdict::Confirmed,
        Some(rate) => ClaimVerdict::NotDecided(format!("{} searches", rate.of)),
    }
}

impl Choice {
    fn is_wrong(&self) -> bool {
        !self.legal || (self.bred && !self.best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::experiment::positions::middlegame;

    #[test]
    fn a_fault_is_never_confirmed_away() {
        let verdict = |(faults, moves)| on_faults(Rate::new(faults, moves)).to_string();
        assert_eq!(
            [(0, 10_000), (50, 1000)].map(verdict),
            ["confirmed", "refuted"]
        );
        let open = ["not decided by 100000 moves", "not decided by 100 moves"];
        assert_eq!([(1, 100_000), (0, 100)].map(verdict), open);
        assert!(verdict((0, 0)).starts_with("not run: "));
    }

    #[test]
    fn one_exception_refutes_and_few_searches_decide_nothing() {
        let verdict = |(wrong, bred)| on_exceptions(Rate::new(wrong, bred)).to_string();
        let verdicts = [(0, 240), (0, 20), (1, 1000)].map(verdict);
        assert_eq!(
            verdicts,
            ["confirmed", "not decided by 20 searches", "refuted"]
        );
        assert!(verdict((0, 0)).starts_with("not run: "));
    }

    #[test]
    fn the_best_branch_is_played_whatever_the_limit() {
        for (item, nodes) in (0..5).zip([1, 50, 1500, 20_000, 400_000]) {
            let root = middlegame(1, item).expect("a position");
            let choice = choice(&root, &GeneticOptions::default(), Some(nodes), 5);
            assert!(
                !choice.is_wrong(),
                "{nodes} nodes in {}: {choice:?}",
                root.to_fen()
            );
            assert!(
                choice.bred || nodes < 400_000,
                "{nodes} nodes in {}",
                root.to_fen()
            );
            assert!(choice.milliseconds.is_none());
        }
        let root = middlegame(1, 0).expect("a position");
        let timed = choice(&root, &GeneticOptions::default(), None, 5);
        assert!(
            !timed.is_wrong() && timed.milliseconds.is_some(),
            "{timed:?}"
        );
    }
}
