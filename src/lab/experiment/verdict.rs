//! The verdict of numbers on a claim, and on each of its statements: the one rule of all verdicts,
//! in words in `catalogue.toml` (`rule`) for readers of reports.

use serde::{Deserialize, Serialize};

use crate::arena::statistics::{Encounter, Judgement};
use crate::arena::suite::Rate;
use crate::util::display::counted;

/// The verdict of the numbers on a claim.
///
/// The order is from the most favourable verdict to the least; the last two are none.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, strum::Display)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "lowercase")]
pub enum ClaimVerdict {
    Confirmed,
    /// The interval has room for both. How much was tried, in words: `160 games`.
    #[strum(to_string = "not decided by {0}")]
    NotDecided(String),
    /// Some statements of the claim are refuted, and some are confirmed.
    #[strum(to_string = "refuted in part")]
    RefutedInPart,
    Refuted,
    /// A measurement without a claim.
    Measured,
    /// Not tried here, for this reason.
    #[strum(to_string = "not run: {0}")]
    NotRun(String),
}

/// Returns the range of a claim "above a bound".
pub fn above(bound: f64) -> [f64; 2] {
    [bound, f64::INFINITY]
}

/// Returns the range of a claim "below a bound".
pub fn below(bound: f64) -> [f64; 2] {
    [f64::NEG_INFINITY, bound]
}

impl ClaimVerdict {
    /// Returns the verdict on a claim with several parts: refuted if one of them is, in part if
    /// another one is confirmed; confirmed if all are.
    ///
    /// Parts that were only measured do not count, unless there is nothing else.
    pub fn of_all<'v>(parts: impl IntoIterator<Item = &'v ClaimVerdict>) -> ClaimVerdict {
        let mut overall = ClaimVerdict::Measured;
        let mut is_confirmed = false;
        for verdict in parts {
            is_confirmed |= matches!(
                verdict,
                ClaimVerdict::Confirmed | ClaimVerdict::RefutedInPart
            );
            overall = match (overall, verdict) {
                (overall, ClaimVerdict::Measured) => overall,
                (ClaimVerdict::Refuted, _)
                | (_, ClaimVerdict::Refuted | ClaimVerdict::RefutedInPart) => ClaimVerdict::Refuted,
                (ClaimVerdict::NotDecided(tried), _) => ClaimVerdict::NotDecided(tried),
                (ClaimVerdict::NotRun(why), ClaimVerdict::Confirmed) => ClaimVerdict::NotRun(why),
                (_, other) => other.clone(),
            };
        }
        match overall {
            ClaimVerdict::Refuted if is_confirmed => ClaimVerdict::RefutedInPart,
            overall => overall,
        }
    }

    /// Returns the verdict on a claim of a value between two bounds, which may be infinite, by its
    /// 95 % interval: confirmed if the whole interval lies between, refuted if no part does.
    pub fn of_range([from, to]: [f64; 2], low: f64, high: f64, tried: String) -> ClaimVerdict {
        let is_above = from == f64::NEG_INFINITY || low > from;
        let is_below = to == f64::INFINITY || high < to;
        if is_above && is_below {
            ClaimVerdict::Confirmed
        } else if high < from || low > to {
            ClaimVerdict::Refuted
        } else {
            ClaimVerdict::NotDecided(tried)
        }
    }

    /// Returns the verdict of [`ClaimVerdict::of_range`], or no decision after too few trials.
    pub fn of_enough(
        is_enough: bool,
        claimed: [f64; 2],
        low: f64,
        high: f64,
        tried: String,
    ) -> ClaimVerdict {
        if is_enough {
            ClaimVerdict::of_range(claimed, low, high, tried)
        } else {
            ClaimVerdict::NotDecided(format!("{tried}, which are too few"))
        }
    }

    /// Returns the verdict on the claim that the first side of an encounter is so much stronger, in
    /// Elo. Fewer than ten pairs of games decide nothing, with any results.
    pub fn of_elo(claimed: [f64; 2], encounter: &Encounter) -> ClaimVerdict {
        let is_enough = encounter.outcomes.judgement() != Judgement::TooFew;
        let Some(elo) = encounter.outcomes.elo() else {
            return ClaimVerdict::NotRun("no game was finished".to_owned());
        };
        let tried = counted(encounter.score.games(), "game");
        ClaimVerdict::of_enough(is_enough, claimed, elo.low, elo.high, tried)
    }
}

/// One of the statements of a claim.
#[derive(Clone, Debug, Serialize)]
pub struct Part {
    pub statement: String,
    pub verdict: ClaimVerdict,
    /// The numbers behind the verdict, in words.
    pub evidence: String,
}

impl Part {
    pub fn new(
        statement: impl Into<String>,
        verdict: ClaimVerdict,
        evidence: impl Into<String>,
    ) -> Part {
        Part {
            statement: statement.into(),
            verdict,
            evidence: evidence.into(),
        }
    }

    /// Makes a part for a statement that holds without exception, or does not: no statistics.
    pub fn exact(statement: impl Into<String>, holds: bool, evidence: impl Into<String>) -> Part {
        let verdict = if holds {
            ClaimVerdict::Confirmed
        } else {
            ClaimVerdict::Refuted
        };
        Part::new(statement, verdict, evidence)
    }

    /// Makes a part for a measurement without a claim.
    pub fn measured(statement: impl Into<String>, evidence: impl Into<String>) -> Part {
        Part::new(statement, ClaimVerdict::Measured, evidence)
    }
}

/// The counts of a property, true or false of each of two sides in the same positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Paired {
    pub of: usize,
    pub first: usize,
    pub second: usize,
    pub only_first: usize,
    pub only_second: usize,
}

/// The least number of positions with the property on one side only; fewer decide nothing: of seven
/// such runs one would have 4 to 0 by chance.
const LEAST_PAIRS: usize = 10;

impl Paired {
    pub fn new(pairs: impl IntoIterator<Item = [bool; 2]>) -> Paired {
        let mut counts = Paired::default();
        for [first, second] in pairs {
            counts.of += 1;
            counts.first += usize::from(first);
            counts.second += usize::from(second);
            counts.only_first += usize::from(first && !second);
            counts.only_second += usize::from(second && !first);
        }
        counts
    }

    /// Returns the verdict on the claim that the first side has the property more often, by the
    /// positions with the property on one side only, as in McNemar's test: the interval of the
    /// first one's share of them is Wilson's.
    pub fn verdict(&self) -> ClaimVerdict {
        let tried = format!("{} positions", self.of);
        match Rate::new(self.only_first, self.only_first + self.only_second) {
            Some(rate) if rate.of >= LEAST_PAIRS => {
                ClaimVerdict::of_range(above(0.5), rate.lower, rate.upper, tried)
            }
            _ => ClaimVerdict::NotDecided(tried),
        }
    }

    /// `11 of 40 with power, 29 with squares; 2 with power alone, 20 with squares alone`
    pub fn in_words(&self, [first, second]: [&str; 2]) -> String {
        format!(
            "{} of {} {first}, {} {second}; {} {first} alone, {} {second} alone",
            self.first, self.of, self.second, self.only_first, self.only_second
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::statistics::{MatchScore, Pentanomial};

    #[test]
    fn a_claim_is_as_good_as_its_parts() {
        use ClaimVerdict::*;
        let open = || NotDecided("8 games".to_owned());
        let all = |parts: &[ClaimVerdict]| ClaimVerdict::of_all(parts);
        assert_eq!(all(&[]), Measured);
        assert_eq!(all(&[Measured, Confirmed, Measured]), Confirmed);
        assert_eq!(all(&[Confirmed, open(), Confirmed]), open());
        assert_eq!(all(&[open(), Refuted, Confirmed]), RefutedInPart);
        assert_eq!(all(&[Refuted, Measured, open()]), Refuted);
        assert_eq!(all(&[open(), RefutedInPart]), RefutedInPart);
        let not_run = NotRun("no engine".to_owned());
        assert_eq!(all(&[Confirmed, not_run.clone()]), not_run);
        assert_eq!(all(&[not_run.clone(), Confirmed]), not_run);
        assert_eq!(all(&[not_run, open()]), open());
    }

    #[test]
    fn an_interval_that_contains_the_bound_decides_nothing() {
        let range = |claimed, low, high| ClaimVerdict::of_range(claimed, low, high, "n".to_owned());
        assert_eq!(range(above(0.0), 1.0, 9.0), ClaimVerdict::Confirmed);
        assert_eq!(range(below(0.0), 1.0, 9.0), ClaimVerdict::Refuted);
        assert_eq!(range(above(0.0), -9.0, -1.0), ClaimVerdict::Refuted);
        assert_eq!(range(below(0.0), -9.0, -1.0), ClaimVerdict::Confirmed);
        assert_eq!(
            range(above(0.0), -1.0, 1.0),
            ClaimVerdict::NotDecided("n".to_owned())
        );
        assert_eq!(
            range(above(0.0), 0.0, 1.0),
            ClaimVerdict::NotDecided("n".to_owned())
        );
        assert_eq!(range([30.0, 40.0], 33.0, 35.0), ClaimVerdict::Confirmed);
        assert_eq!(range([30.0, 40.0], 41.0, 50.0), ClaimVerdict::Refuted);
        assert_eq!(
            range([30.0, 40.0], 20.0, 35.0),
            ClaimVerdict::NotDecided("n".to_owned())
        );
        // A single number can be refuted only, and a perfect score has no end.
        assert_eq!(range([168.0; 2], -2.0, 64.0), ClaimVerdict::Refuted);
        assert_eq!(
            range([168.0; 2], 100.0, 200.0),
            ClaimVerdict::NotDecided("n".to_owned())
        );
        assert_eq!(
            range([0.0, f64::INFINITY], 200.0, f64::INFINITY),
            ClaimVerdict::Confirmed
        );
    }

    /// Makes an encounter with so many pairs worth 0, ½, 1, 1½ and 2 points.
    fn encounter([wins, draws, losses]: [u32; 3], pairs: [u32; 5]) -> Encounter {
        Encounter {
            score: MatchScore {
                wins,
                draws,
                losses,
            },
            outcomes: Pentanomial(pairs).into(),
        }
    }

    #[test]
    fn a_difference_that_is_claimed_is_one_of_elo() {
        let verdict = |score, pairs| ClaimVerdict::of_elo([400.0; 2], &encounter(score, pairs));
        let few = verdict([9, 5, 4], [0, 0, 4, 5, 0]);
        assert_eq!(
            few.to_string(),
            "not decided by 18 games, which are too few"
        );
        assert_eq!(
            verdict([40, 20, 20], [0, 0, 20, 20, 0]),
            ClaimVerdict::Refuted
        );
    }

    #[test]
    fn encounters_decide_claims() {
        for (claimed, expected) in [
            (above(0.0), ClaimVerdict::Confirmed),
            (below(0.0), ClaimVerdict::Refuted),
        ] {
            let verdict = |score, pairs| ClaimVerdict::of_elo(claimed, &encounter(score, pairs));
            assert_eq!(verdict([20, 0, 0], [0, 0, 0, 0, 10]), expected);
            assert_eq!(verdict([35, 0, 5], [0, 0, 5, 0, 15]), expected);
            // Every game was won, and yet.
            let nine = verdict([18, 0, 0], [0, 0, 0, 0, 9]);
            assert_eq!(
                nine.to_string(),
                "not decided by 18 games, which are too few"
            );
        }
        let none = ClaimVerdict::of_elo(above(0.0), &Encounter::default());
        assert!(matches!(none, ClaimVerdict::NotRun(_)));
    }

    #[test]
    fn only_positions_that_differ_decide() {
        let paired = |both: usize, first: usize, second: usize, neither: usize| {
            let pairs = [
                ([true; 2], both),
                ([true, false], first),
                ([false, true], second),
                ([false; 2], neither),
            ];
            Paired::new(
                pairs
                    .into_iter()
                    .flat_map(|(pair, times)| std::iter::repeat_n(pair, times)),
            )
        };
        let open = |tried: &str| ClaimVerdict::NotDecided(tried.to_owned());
        assert_eq!(paired(9, 20, 2, 5).verdict(), ClaimVerdict::Confirmed);
        assert_eq!(paired(9, 2, 20, 5).verdict(), ClaimVerdict::Refuted);
        assert_eq!(paired(30, 12, 13, 0).verdict(), open("55 positions"));
        assert_eq!(paired(30, 0, 0, 50).verdict(), open("80 positions"));
        assert_eq!(
            paired(3, 4, 0, 5).verdict(),
            open("12 positions"),
            "by chance"
        );
        let words = paired(9, 20, 2, 5).in_words(["by one", "by two"]);
        assert_eq!(
            words,
            "29 of 36 by one, 11 by two; 20 by one alone, 2 by two alone"
        );
    }
}
