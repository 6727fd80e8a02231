//! C9 and C10: the genetic search against Min-Max and alpha-beta of fixed depth, with the same
//! evaluation.
//!
//! The paper does not say what "depth d" leaves its opponents for a move, so both readings are
//! tried: with the same clock the opponent stops at its depth, or when its clock tells it to, and
//! the genetic search uses its time; with equal time the genetic search has, move by move, the time
//! that the opponent took for its last one.

use std::ops::Add;

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::arena::EngineLimits;
use crate::arena::statistics::Encounter;
use crate::lab::experiment::laboratory::{Match, PlayedMatch, alphabeta_with, ours};
use crate::lab::experiment::matches::with_limits;
use crate::lab::experiment::verdict::{above, below};
use crate::lab::experiment::words::signed;
use crate::lab::experiment::{ClaimVerdict, Conclusion, Conditions, Laboratory, Part, Text};

/// The least share of the opponent's moves with a finished depth.
const REACHED: f64 = 0.5;

/// A match against an opponent of one depth.
#[derive(Serialize)]
struct Bout {
    /// The distribution of time: `same-clock` or `equal-time`.
    condition: String,
    depth: u32,
    #[serde(rename = "match")]
    played_match: PlayedMatch,
    /// The share of the opponent's moves with a finished depth; `None` without moves.
    finished: Option<f64>,
}

impl Bout {
    /// The statement of such a match is its condition, and its last word the depth.
    fn new(played_match: PlayedMatch) -> Bout {
        let depth = played_match.wanted.what.strip_prefix("depth ");
        let depth = depth.and_then(|depth| depth.parse().ok());
        let depth = depth.expect("the match is called after its depth");
        Bout {
            condition: played_match.wanted.statement.clone(),
            depth,
            finished: played_match.share_finished(depth),
            played_match,
        }
    }

    /// Returns true if the opponent was one of this depth: a depth limit hardly ever reached tells
    /// nothing about the depth.
    fn is_of_its_depth(&self) -> bool {
        self.finished.is_some_and(|share| share >= REACHED)
    }
}

/// C9: Against Min-Max of fixed depth.
pub fn minmax(laboratory: &Laboratory, text: &Text) -> anyhow::Result<Conclusion> {
    run(laboratory, text, &MINMAX)
}

/// C10: Against alpha-beta of fixed depth.
pub fn alphabeta(laboratory: &Laboratory, text: &Text) -> anyhow::Result<Conclusion> {
    run(laboratory, text, &ALPHABETA)
}

/// An opponent of fixed depth.
pub struct Opponent {
    /// Begins the names of the works.
    work: &'static str,
    name: &'static str,
    backend: &'static str,
    /// The parts of the opponent alpha-beta; everything else is switched off. `None` for Min-Max.
    parts: Option<&'static [&'static str]>,
}

pub const MINMAX: Opponent = Opponent {
    work: "c9-minmax",
    name: "Min-Max",
    backend: "minimax",
    parts: None,
};
pub const ALPHABETA: Opponent = Opponent {
    work: "c10-alphabeta",
    name: "Alpha-beta",
    backend: "alphabeta",
    parts: Some(&["PVS", "NullMove"]),
};

/// The depths of the opponents.
const DEPTHS: std::ops::RangeInclusive<u32> = 1..=8;

/// The matches at each depth, with the same clock and with equal time.
pub fn matches(conditions: &Conditions, opponent: &Opponent) -> Vec<Match> {
    let limits = conditions.limits("0.3+0.003", "1.5+0.015");
    let matched: EngineLimits = "matched/0.001".parse().expect("limits");
    let mut matches = Vec::new();
    for (condition, overhead, own) in [("same-clock", "2", limits), ("equal-time", "0", matched)] {
        if condition == "equal-time" && conditions.are_reproducible() {
            continue;
        }
        for depth in DEPTHS {
            let overhead = ("MoveOverhead", overhead);
            let mut options = opponent.parts.map(alphabeta_with).unwrap_or_default();
            options.push(overhead);
            let genetic = ours(conditions, "Genetic search", "genetic", &[overhead]);
            let engine = ours(conditions, opponent.name, opponent.backend, &options);
            let to_depth = EngineLimits {
                depth: Some(depth),
                ..limits
            };
            let engines = [with_limits(genetic, own), with_limits(engine, to_depth)];
            let work = format!("{}-{condition}-{depth}", opponent.work);
            let games = conditions.games(8, 30);
            let one = Match::new(work, format!("depth {depth}"), engines, limits, games);
            matches.push(one.stating(condition));
        }
    }
    matches
}

fn run(laboratory: &Laboratory, text: &Text, opponent: &Opponent) -> anyhow::Result<Conclusion> {
    let conditions = &laboratory.conditions;
    let played_matches = laboratory.play_all(matches(conditions, opponent))?;
    let Match { limits, games, .. } = played_matches[0].wanted;
    let endings = PlayedMatch::endings_in_words(&played_matches);
    let bouts: Vec<Bout> = played_matches.into_iter().map(Bout::new).collect();
    let same = if conditions.are_reproducible() {
        "same number of nodes"
    } else {
        "same clock"
    };
    let mut parts: Vec<Part> = Vec::new();
    let mut verdicts = Vec::new();
    for bouts in bouts.chunk_by(|one, next| one.condition == next.condition) {
        let condition = match bouts[0].condition.as_str() {
            "same-clock" => same,
            _ => "equal time for each move",
        };
        let first = parts.len();
        for claim in &text.depths {
            parts.push(part(opponent.name, claim, condition, bouts));
        }
        let of_condition = parts[first..].iter().map(|part| &part.verdict);
        verdicts.push(ClaimVerdict::of_all(of_condition));
    }
    let data = json!({ "limits": limits, "matches": bouts });
    let conclusion = Conclusion {
        // The paper does not name its condition: the most favourable reading counts, and a claim is
        // refuted only if it is refuted under both.
        verdict: verdicts.into_iter().min().expect("a condition"),
        ..text.conclude(
            laboratory,
            &[
                ("opponent", &opponent.name),
                ("reached", &(100.0 * REACHED)),
                ("same", &same),
                ("limits", &limits),
                ("games", &games),
            ],
            parts,
            data,
        )
    };
    Ok(conclusion.with_text(endings))
}

/// The side with the higher score, by the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Ahead {
    Genetic,
    Opponent,
    /// The paper has only a picture, without a statement in the text.
    Unsaid,
}

/// The paper's statement on some depths.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Claim {
    first: u32,
    last: u32,
    ahead: Ahead,
}

impl Claim {
    fn statement(&self, opponent: &str, condition: &str) -> String {
        let depths = if self.first == self.last {
            format!("depth {}", self.first)
        } else {
            format!("depths {} to {}", self.first, self.last)
        };
        match self.ahead {
            Ahead::Genetic => format!("The genetic search is ahead at {depths}, {condition}"),
            Ahead::Opponent => format!("{opponent} is ahead at {depths}, {condition}"),
            Ahead::Unsaid => format!("At {depths}, {condition}: not claimed in words"),
        }
    }
}

/// A claim under one condition.
fn part(opponent: &str, claim: &Claim, condition: &str, bouts: &[Bout]) -> Part {
    let is_of_claim = |bout: &&Bout| (claim.first..=claim.last).contains(&bout.depth);
    let bouts: Vec<&Bout> = bouts.iter().filter(is_of_claim).collect();
    let mut seen: Vec<String> = bouts.iter().map(|bout| match_in_words(bout)).collect();
    let reached = of_their_depths(&bouts);
    if let [first, .., last] = reached[..] {
        let name = if reached.len() == bouts.len() {
            "together".to_owned()
        } else {
            format!("depths {} to {} together", first.depth, last.depth)
        };
        seen.push(in_words(&name, &together(&encounters(&reached))));
    }
    let statement = claim.statement(opponent, condition);
    let verdict = decide(claim.ahead, opponent, &bouts);
    Part::new(statement, verdict, seen.join("; "))
}

/// Returns the matches in which the opponent reached its depth.
fn of_their_depths<'b>(bouts: &[&'b Bout]) -> Vec<&'b Bout> {
    let mut bouts = bouts.to_vec();
    bouts.retain(|bout| bout.is_of_its_depth());
    bouts
}

fn encounters(bouts: &[&Bout]) -> Vec<Encounter> {
    bouts
        .iter()
        .map(|bout| bout.played_match.encounter)
        .collect()
}

/// Decides by the matches in which the opponent reached its depth. Exception: an opponent ahead
/// without reaching its depth would be ahead with more time, too.
fn decide(ahead: Ahead, opponent: &str, bouts: &[&Bout]) -> ClaimVerdict {
    let reached = encounters(&of_their_depths(bouts));
    match (ahead, verdict(ahead, &encounters(bouts))) {
        (Ahead::Genetic, ClaimVerdict::Refuted) => ClaimVerdict::Refuted,
        (Ahead::Opponent, ClaimVerdict::Confirmed) => ClaimVerdict::Confirmed,
        (Ahead::Genetic | Ahead::Opponent, _) if reached.is_empty() => not_reached(opponent, bouts),
        _ => verdict(ahead, &reached),
    }
}

/// Returns no decision, because the opponent reached no depth of the claim.
fn not_reached(opponent: &str, bouts: &[&Bout]) -> ClaimVerdict {
    let mut games = 0;
    let mut most = 0.0_f64;
    for bout in bouts {
        games += bout.played_match.records.len();
        most = most.max(bout.finished.unwrap_or(0.0));
    }
    ClaimVerdict::NotDecided(format!(
        "{games} games, in which {opponent} finished its depth on {:.0} % of its moves at most",
        100.0 * most
    ))
}

fn together(encounters: &[Encounter]) -> Encounter {
    let encounters = encounters.iter().copied();
    encounters.fold(Encounter::default(), Add::add)
}

/// Decides by the games of all depths together; but a confirmed claim is refuted if any depth
/// contradicts the claim. Encounters are seen by the genetic search.
fn verdict(ahead: Ahead, encounters: &[Encounter]) -> ClaimVerdict {
    let claimed = match ahead {
        Ahead::Genetic => above(0.0),
        Ahead::Opponent => below(0.0),
        Ahead::Unsaid => return ClaimVerdict::Measured,
    };
    let of = |encounter: &Encounter| ClaimVerdict::of_elo(claimed, encounter);
    let contradicted = encounters
        .iter()
        .any(|encounter| of(encounter) == ClaimVerdict::Refuted);
    match of(&together(encounters)) {
        ClaimVerdict::Confirmed if contradicted => ClaimVerdict::Refuted,
        verdict => verdict,
    }
}

/// Describes a match, with the share of moves with a finished depth if the share is low.
fn match_in_words(bout: &Bout) -> String {
    let name = format!("depth {}", bout.depth);
    let mut text = in_words(&name, &bout.played_match.encounter);
    if let Some(share) = bout.finished
        && share < REACHED
    {
        let percent = 100.0 * share;
        text += &format!(", but its depth finished on {percent:.0} % of the moves");
    }
    text
}

/// `depth 3: 41.7 % (-58 Elo, -180 to +50)`
fn in_words(name: &str, encounter: &Encounter) -> String {
    let Some(rate) = encounter.score.rate() else {
        return format!("{name}: no game finished");
    };
    let mut text = format!("{name}: {:.1} %", 100.0 * rate);
    if let Some(elo) = encounter.outcomes.elo() {
        let [value, low, high] = elo.interval().map(signed);
        text += &format!(" ({value} Elo, {low} to {high})");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::statistics::{MatchScore, Pentanomial};
    use crate::arena::{EngineLimits, EngineSpec};
    use crate::lab::experiment::laboratory::Match;

    /// Makes an encounter of so many pairs with two wins of the first side, and with two losses.
    fn encounter(won: u32, lost: u32) -> Encounter {
        let score = MatchScore {
            wins: 2 * won,
            draws: 0,
            losses: 2 * lost,
        };
        Encounter {
            score,
            outcomes: Pentanomial([lost, 0, 0, 0, won]).into(),
        }
    }

    #[test]
    fn all_depths_together_decide_unless_one_contradicts() {
        let strong = encounter(18, 2);
        let even = encounter(10, 10);
        let weak = encounter(0, 20);
        let of_genetic = |pair: [Encounter; 2]| verdict(Ahead::Genetic, &pair).to_string();
        assert_eq!(
            [[strong, strong], [strong, even]].map(of_genetic),
            ["confirmed"; 2]
        );
        // The second is contradicted by one of its depths.
        assert_eq!(
            [[even, weak], [encounter(200, 0), weak]].map(of_genetic),
            ["refuted"; 2]
        );
        assert_eq!(of_genetic([even, even]), "not decided by 80 games");
        assert_eq!(
            verdict(Ahead::Opponent, &[weak, weak]),
            ClaimVerdict::Confirmed
        );
        assert_eq!(verdict(Ahead::Unsaid, &[strong]), ClaimVerdict::Measured);
        assert!(matches!(
            verdict(Ahead::Genetic, &[]),
            ClaimVerdict::NotRun(_)
        ));
    }

    #[test]
    fn a_depth_that_was_not_reached_says_nothing() {
        let bout = |depth: u32, finished| {
            let engines = ["G", "R"].map(|name| EngineSpec::new(name, name));
            let wanted = Match::new(
                "",
                format!("depth {depth}"),
                engines,
                EngineLimits::default(),
                40,
            );
            let played_match = PlayedMatch {
                wanted,
                records: Vec::new(),
                encounter: encounter(0, 20),
            };
            let condition = "same-clock".to_owned();
            Bout {
                condition,
                depth,
                played_match,
                finished,
            }
        };
        let [reached, not, unplayed] = [bout(5, Some(0.5)), bout(6, Some(0.07)), bout(7, None)];
        assert!(reached.is_of_its_depth() && !not.is_of_its_depth() && !unplayed.is_of_its_depth());
        // The genetic search lost every game of these, though the opponent was stopped early.
        let verdicts = |bouts: &[&Bout]| {
            [Ahead::Genetic, Ahead::Opponent].map(|ahead| decide(ahead, "R", bouts))
        };
        assert_eq!(
            verdicts(&[&not, &unplayed]),
            [ClaimVerdict::Refuted, ClaimVerdict::Confirmed]
        );
        let [won, won_too] = [bout(6, Some(0.07)), bout(7, None)].map(|bout| Bout {
            played_match: PlayedMatch {
                encounter: encounter(20, 0),
                ..bout.played_match
            },
            ..bout
        });
        let undecided = verdicts(&[&won, &won_too]);
        assert!(
            undecided
                .iter()
                .all(|verdict| matches!(verdict, ClaimVerdict::NotDecided(_)))
        );
        let reached = Bout {
            finished: Some(0.5),
            ..won
        };
        let verdict = decide(Ahead::Genetic, "R", &[&reached, &won_too]);
        assert_eq!(verdict, ClaimVerdict::Confirmed);
        let said = not_reached("R", &[&not, &unplayed]).to_string();
        assert!(
            said.ends_with("in which R finished its depth on 7 % of its moves at most"),
            "{said}"
        );
        let evidence = match_in_words(&not);
        assert!(
            evidence.ends_with("but its depth finished on 7 % of the moves"),
            "{evidence}"
        );
        assert!(match_in_words(&reached).ends_with(')'));
    }

    #[test]
    fn a_claim_is_refuted_only_under_both_readings() {
        let open = || ClaimVerdict::NotDecided("8 games".to_owned());
        let of = |first: ClaimVerdict, second: ClaimVerdict| first.min(second);
        assert_eq!(of(ClaimVerdict::Refuted, open()), open());
        assert_eq!(of(open(), ClaimVerdict::Confirmed), ClaimVerdict::Confirmed);
        assert_eq!(
            of(ClaimVerdict::Refuted, ClaimVerdict::Refuted),
            ClaimVerdict::Refuted
        );
    }

    #[test]
    fn statements_and_evidence_are_sentences() {
        let claim = Claim {
            first: 1,
            last: 3,
            ahead: Ahead::Opponent,
        };
        assert_eq!(
            claim.statement("Min-Max", "same clock"),
            "Min-Max is ahead at depths 1 to 3, same clock"
        );
        let unsaid = Claim {
            first: 4,
            last: 4,
            ahead: Ahead::Unsaid,
        }
        .statement("Min-Max", "same clock");
        assert_eq!(unsaid, "At depth 4, same clock: not claimed in words");
        assert!(in_words("depth 2", &encounter(10, 10)).starts_with("depth 2: 50.0 % (+0 Elo, -"));
        assert_eq!(
            in_words("depth 2", &Encounter::default()),
            "depth 2: no game finished"
        );
    }
}
