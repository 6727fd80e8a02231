//! What matches at several depths make of a claim about them.

use super::{Bout, Condition, Rivalry};
use crate::arena::statistics::Encounter;
use crate::experiment::laboratory::signed;
use crate::experiment::{Conditions, Part, Verdict};

/// Who scores more, by the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ahead {
    Genetic,
    Rival,
    /// The text does not say it, the figure is a picture.
    Unsaid,
}

/// What the paper says of some depths.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    first: u32,
    last: u32,
    ahead: Ahead,
}

impl Claim {
    pub const fn new(first: u32, last: u32, ahead: Ahead) -> Claim {
        Claim { first, last, ahead }
    }

    fn statement(&self, rival: &str, condition: &str) -> String {
        let depths = match self.first == self.last {
            true => format!("depth {}", self.first),
            false => format!("depths {} to {}", self.first, self.last),
        };
        match self.ahead {
            Ahead::Genetic => format!("The genetic search is ahead at {depths}, {condition}"),
            Ahead::Rival => format!("{rival} is ahead at {depths}, {condition}"),
            Ahead::Unsaid => format!("At {depths}, {condition}: not claimed in words"),
        }
    }
}

/// Each claim under each condition.
pub fn parts(rivalry: &Rivalry, conditions: &Conditions, bouts: &[Bout]) -> Vec<Part> {
    let part = |condition: Condition, claim: &Claim| {
        let of_claim = || {
            bouts.iter().filter(|bout| {
                bout.condition == condition && (claim.first..=claim.last).contains(&bout.depth)
            })
        };
        let seen: Vec<String> = of_claim()
            .map(|bout| in_words(bout.depth, &bout.contest.encounter))
            .collect();
        Part {
            statement: claim.statement(rivalry.rival, condition.in_words(conditions)),
            verdict: verdict(claim.ahead, of_claim().map(|bout| &bout.contest.encounter)),
            evidence: seen.join("; "),
        }
    };
    let all = Condition::all(conditions).iter();
    all.flat_map(|&condition| rivalry.claims.iter().map(move |claim| (condition, claim)))
        .map(|(condition, claim)| part(condition, claim))
        .collect()
}

/// Every depth has to bear the claim out; one that contradicts it is enough. Encounters are seen by the genetic search.
fn verdict<'e>(ahead: Ahead, encounters: impl Iterator<Item = &'e Encounter>) -> Verdict {
    if ahead == Ahead::Unsaid {
        return Verdict::Measured;
    }
    let verdicts: Vec<Verdict> = encounters
        .map(|encounter| Verdict::of_encounter(ahead == Ahead::Genetic, encounter))
        .collect();
    match Verdict::of_all(&verdicts) {
        Verdict::NotDecided(tried) => Verdict::NotDecided(format!("{tried} a depth")),
        verdict => verdict,
    }
}

/// `depth 3: 41.7 % (-58 Elo, -180 to +50)`
fn in_words(depth: u32, encounter: &Encounter) -> String {
    let elo = encounter.outcomes.elo().map_or(String::new(), |elo| {
        let [value, low, high] = [elo.value, elo.low, elo.high].map(signed);
        format!(" ({value} Elo, {low} to {high})")
    });
    match encounter.score.rate() {
        Some(rate) => format!("depth {depth}: {:.1} %{elo}", 100.0 * rate),
        None => format!("depth {depth}: no game finished"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Verdict as Result;
    use crate::arena::statistics::Results;

    /// Of `pairs` pairs of games the first side wins all but every `lost`-th, which it loses; none for 0.
    fn encounter(pairs: u32, lost: u32) -> Encounter {
        let mut results = Results::new(["G", "R"]);
        for pair in 1..=pairs {
            let wins = lost == 0 || pair % lost != 0;
            let (first, second) = match wins {
                true => (Result::WhiteWins, Result::BlackWins),
                false => (Result::BlackWins, Result::WhiteWins),
            };
            results.add("G", "R", first, Some(pair));
            results.add("R", "G", second, Some(pair));
        }
        results.encounter(0, 1)
    }

    #[test]
    fn every_depth_has_to_bear_a_claim_out() {
        let (strong, even) = (encounter(20, 5), encounter(20, 2));
        let weak = encounter(20, 1);
        let of = |ahead, encounters: &[&Encounter]| verdict(ahead, encounters.iter().copied());
        assert_eq!(of(Ahead::Genetic, &[&strong, &strong]), Verdict::Confirmed);
        assert_eq!(of(Ahead::Rival, &[&weak, &weak]), Verdict::Confirmed);
        assert_eq!(of(Ahead::Rival, &[&weak, &strong]), Verdict::Refuted);
        assert_eq!(of(Ahead::Genetic, &[&even, &weak]), Verdict::Refuted);
        assert_eq!(
            of(Ahead::Genetic, &[&strong, &even]),
            Verdict::NotDecided("40 games a depth".to_owned())
        );
        assert_eq!(of(Ahead::Unsaid, &[&strong]), Verdict::Measured);
        let none = Results::new(["G", "R"]).encounter(0, 1);
        assert!(matches!(
            of(Ahead::Genetic, &[&strong, &none]),
            Verdict::NotRun(_)
        ));
    }

    #[test]
    fn statements_and_evidence_are_sentences() {
        let claim = Claim::new(1, 3, Ahead::Rival);
        assert_eq!(
            claim.statement("Min-Max", "same clock"),
            "Min-Max is ahead at depths 1 to 3, same clock"
        );
        let unsaid = Claim::new(4, 4, Ahead::Unsaid).statement("Min-Max", "same clock");
        assert_eq!(unsaid, "At depth 4, same clock: not claimed in words");
        assert!(in_words(2, &encounter(20, 2)).starts_with("depth 2: 50.0 % (+0 Elo, -"));
        let none = Results::new(["G", "R"]).encounter(0, 1);
        assert_eq!(in_words(2, &none), "depth 2: no game finished");
    }
}
