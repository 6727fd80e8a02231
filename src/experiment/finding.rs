//! What came out of an experiment.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Conditions, Experiment};
use crate::arena::statistics::{Encounter, Judgement};
use crate::display::Table;

/// What the numbers say of a claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    Confirmed,
    Refuted,
    /// The interval has room for both. How much was tried, in words: `160 games`.
    NotDecided(String),
    /// There was no claim: something was measured.
    Measured,
    /// It could not be tried here; why.
    NotRun(String),
}

impl Verdict {
    /// The verdict on a claim that consists of several: refuted if one of them is, confirmed if all are.
    ///
    /// Parts that were only measured do not count, unless there is nothing else.
    pub fn of_all<'v>(parts: impl IntoIterator<Item = &'v Verdict>) -> Verdict {
        let mut overall = Verdict::Measured;
        for verdict in parts {
            overall = match (overall, verdict) {
                (overall, Verdict::Measured) => overall,
                (Verdict::Refuted, _) | (_, Verdict::Refuted) => Verdict::Refuted,
                (Verdict::NotDecided(tried), _) => Verdict::NotDecided(tried),
                (Verdict::NotRun(why), Verdict::Confirmed) => Verdict::NotRun(why),
                (_, other) => other.clone(),
            };
        }
        overall
    }

    /// On the claim that something is above (or below) a bound, by its 95 % interval.
    pub fn of_interval(claimed_above: bool, bound: f64, low: f64, high: f64, tried: String) -> Verdict {
        match claimed_above {
            _ if low <= bound && bound <= high => Verdict::NotDecided(tried),
            true if low > bound => Verdict::Confirmed,
            false if high < bound => Verdict::Confirmed,
            _ => Verdict::Refuted,
        }
    }

    /// On the claim that the first side of an encounter is the stronger one (or the weaker); fewer than ten pairs decide nothing.
    pub fn of_encounter(claimed_stronger: bool, encounter: &Encounter) -> Verdict {
        let games = encounter.score.games();
        let tried = format!("{games} game{}", if games == 1 { "" } else { "s" });
        let stronger = match encounter.outcomes.judgement() {
            _ if games == 0 => return Verdict::NotRun("no game was finished".to_owned()),
            Judgement::TooFew | Judgement::Open => return Verdict::NotDecided(tried),
            judgement => judgement == Judgement::Stronger,
        };
        match stronger == claimed_stronger {
            true => Verdict::Confirmed,
            false => Verdict::Refuted,
        }
    }

    /// In a word or two: `not decided by 160 games`.
    pub fn in_words(&self) -> String {
        match self {
            Verdict::Confirmed => "confirmed".to_owned(),
            Verdict::Refuted => "refuted".to_owned(),
            Verdict::NotDecided(tried) => format!("not decided by {tried}"),
            Verdict::Measured => "measured".to_owned(),
            Verdict::NotRun(why) => format!("not run: {why}"),
        }
    }
}

/// One of the statements that a claim consists of.
#[derive(Clone, Debug, Serialize)]
pub struct Part {
    pub statement: String,
    pub verdict: Verdict,
    /// The numbers that the verdict follows from, in words.
    pub evidence: String,
}

/// Something to look at.
#[derive(Clone, Debug)]
pub enum Exhibit {
    Table {
        caption: String,
        table: Table,
    },
    /// `name` becomes part of the file's name: letters, digits and hyphens.
    Figure {
        name: String,
        caption: String,
        svg: String,
    },
    /// A paragraph of Markdown.
    Text(String),
}

/// The result of an experiment.
#[derive(Clone, Debug)]
pub struct Finding {
    pub verdict: Verdict,
    pub parts: Vec<Part>,
    /// How it was done, for people: engines, limits, openings, in a paragraph of Markdown.
    pub method: String,
    /// All numbers, for programs.
    pub data: Value,
    /// In the order in which they are to be seen.
    pub exhibits: Vec<Exhibit>,
}

impl Finding {
    /// A finding whose verdict follows from its parts.
    pub fn new(method: impl Into<String>, parts: Vec<Part>, data: Value) -> Finding {
        Finding {
            verdict: Verdict::of_all(parts.iter().map(|part| &part.verdict)),
            parts,
            method: method.into(),
            data,
            exhibits: Vec::new(),
        }
    }

    /// Adds a table.
    pub fn with_table(mut self, caption: impl Into<String>, table: Table) -> Finding {
        let caption = caption.into();
        self.exhibits.push(Exhibit::Table { caption, table });
        self
    }

    /// Adds a figure.
    pub fn with_figure(
        mut self,
        name: impl Into<String>,
        caption: impl Into<String>,
        svg: String,
    ) -> Finding {
        self.exhibits.push(Exhibit::Figure {
            name: name.into(),
            caption: caption.into(),
            svg,
        });
        self
    }

    /// Adds a paragraph.
    pub fn with_text(mut self, text: impl Into<String>) -> Finding {
        self.exhibits.push(Exhibit::Text(text.into()));
        self
    }

    /// Everything but the pictures, for programs.
    pub fn to_json(&self, experiment: &Experiment, conditions: &Conditions) -> Value {
        json!({
            "id": experiment.id,
            "title": experiment.title,
            "claim": experiment.claim,
            "source": experiment.source,
            "program": super::report::program(),
            "conditions": conditions,
            "verdict": self.verdict,
            "parts": self.parts,
            "data": self.data,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Verdict as Result;
    use crate::arena::statistics::Results;

    #[test]
    fn a_claim_is_as_good_as_its_parts() {
        use Verdict::*;
        let open = || NotDecided("8 games".to_owned());
        let all = |parts: &[Verdict]| Verdict::of_all(parts);
        assert_eq!(all(&[]), Measured);
        assert_eq!(all(&[Measured, Confirmed, Measured]), Confirmed);
        assert_eq!(all(&[Confirmed, open(), Confirmed]), open());
        assert_eq!(all(&[open(), Refuted, Confirmed]), Refuted);
        let not_run = NotRun("no engine".to_owned());
        assert_eq!(all(&[Confirmed, not_run.clone()]), not_run);
        assert_eq!(all(&[not_run.clone(), Confirmed]), not_run);
        assert_eq!(all(&[not_run, open()]), open());
    }

    #[test]
    fn an_interval_that_contains_the_bound_decides_nothing() {
        let verdict = |above, low, high| Verdict::of_interval(above, 0.0, low, high, "n".to_owned());
        assert_eq!(verdict(true, 1.0, 9.0), Verdict::Confirmed);
        assert_eq!(verdict(false, 1.0, 9.0), Verdict::Refuted);
        assert_eq!(verdict(true, -9.0, -1.0), Verdict::Refuted);
        assert_eq!(verdict(false, -9.0, -1.0), Verdict::Confirmed);
        assert_eq!(verdict(true, -1.0, 1.0), Verdict::NotDecided("n".to_owned()));
        assert_eq!(verdict(true, 0.0, 1.0), Verdict::NotDecided("n".to_owned()));
    }

    #[test]
    fn encounters_decide_claims() {
        let mut results = Results::new(["A", "B"]);
        for pair in 1..=20 {
            results.add("A", "B", Result::WhiteWins, Some(pair));
            let second = if pair % 4 == 0 {
                Result::WhiteWins
            } else {
                Result::BlackWins
            };
            results.add("B", "A", second, Some(pair));
        }
        let encounter = results.encounter(0, 1);
        assert_eq!(Verdict::of_encounter(true, &encounter), Verdict::Confirmed);
        assert_eq!(Verdict::of_encounter(false, &encounter), Verdict::Refuted);
        let even = Results::new(["A", "B"]).encounter(0, 1);
        assert!(matches!(Verdict::of_encounter(true, &even), Verdict::NotRun(_)));
    }
}
