//! A9: whether men are safer with the proposed evaluation.

use serde_json::json;

use super::FOUR_PLIES;
use crate::arena::EngineSpec;
use crate::experiment::laboratory::{Reference, ours};
use crate::experiment::positions::{cases, survey};
use crate::experiment::verdict::Paired;
use crate::experiment::{ClaimVerdict, Conclusion, Laboratory, Part, Text, Words};
use crate::suite::blunders::report::blunder_summary;
use crate::suite::blunders::{Case, Finding, Report, paper};
use crate::suite::summary::Summary;
use crate::suite::{Bands, Grade};

/// The proposed evaluation and the standard one.
const EVALUATIONS: [&str; 2] = ["power", "paper"];

/// Positions that both evaluations choose moves in.
struct Set {
    name: String,
    cases: Vec<Case>,
    /// In the order of [`EVALUATIONS`].
    findings: [Vec<Option<Finding>>; 2],
}

/// A9: Safety of men.
pub fn run(laboratory: &Laboratory<'_>, text: &Text) -> anyhow::Result<Conclusion> {
    let conditions = &laboratory.conditions;
    let reference = laboratory.reference(conditions.pick(20_000, 100_000))?;
    let count = conditions.pick(12, 200);
    let quiet = paper::our_positions().positions.iter().map(Case::of_position).collect::<Result<_, _>>()?;
    let fens = survey(laboratory, "a9-middlegames", count, &[], |root| Ok(root.to_fen()))?;
    let sets = [
        Set::judged(laboratory, "a9-quiet", "quiet positions", quiet, &reference)?,
        Set::judged(laboratory, "a9-all", "middlegames", cases(&fens)?, &reference)?,
    ];
    let is_partial = is_partial(&reference.spec);
    let parts = sets.iter().map(|set| set.part(is_partial)).collect();
    let rows: Vec<(String, Summary)> = sets.iter().flat_map(Set::summaries).collect();
    let data =
        json!({ "reference": reference.name, "reference_limits": reference.limits, "summaries": rows });
    let words: Words<'_> =
        &[("limits", &FOUR_PLIES), ("count", &count), ("reference", &reference.in_words())];
    let conclusion = text.conclude(laboratory, words, parts, data);
    Ok(conclusion.with_table("Losses", blunder_summary(&rows, &Bands::default())))
}

impl Set {
    fn judged(
        laboratory: &Laboratory<'_>,
        work: &str,
        name: &str,
        cases: Vec<Case>,
        reference: &Reference,
    ) -> anyhow::Result<Set> {
        let judged = |evaluation: &str| {
            let engine = ours(&laboratory.conditions, evaluation, "alphabeta", &[("Evaluation", evaluation)]);
            laboratory.judge(&format!("{work}-{evaluation}"), engine, FOUR_PLIES, reference, &cases)
        };
        let [power, standard] = EVALUATIONS.map(judged);
        let findings = [power?, standard?];
        Ok(Set { name: format!("{} {name}", cases.len()), cases, findings })
    }

    fn part(&self, is_partial: bool) -> Part {
        let bands = Bands::default();
        let is_blunder = |finding: &Option<Finding>| {
            let sample = finding.as_ref().and_then(|finding| finding.sample(&bands));
            sample.is_some_and(|sample| sample.grade == Grade::Blunder)
        };
        let [power, standard] = &self.findings;
        let pairs =
            standard.iter().zip(power).map(|(standard, power)| [is_blunder(standard), is_blunder(power)]);
        let blunders = Paired::new(pairs);
        let verdict = match is_partial {
            true => ClaimVerdict::NotDecided("a judge with one of the two evaluations".to_owned()),
            false => blunders.verdict(),
        };
        let statement = format!("Fewer blunders with power than with the standard evaluation, {}", self.name);
        Part::new(statement, verdict, blunders.in_words(["with the standard evaluation", "with power"]))
    }

    fn summaries(&self) -> Vec<(String, Summary)> {
        let bands = Bands::default();
        let summaries = self.findings.iter().zip(EVALUATIONS).map(|(findings, evaluation)| {
            let report = Report { cases: &self.cases, findings, bands: &bands };
            (format!("{evaluation}, {}", self.name), report.summary())
        });
        summaries.collect()
    }
}

/// Whether a judge has one of the evaluations that it is to judge, as ours has where there is no other.
fn is_partial(judge: &EngineSpec) -> bool {
    let is_tried = |(name, value): &(String, String)| {
        name.eq_ignore_ascii_case("Evaluation") && EVALUATIONS.contains(&value.as_str())
    };
    judge.backend().is_some() && judge.options.iter().any(is_tried)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_judge_with_one_of_the_evaluations_decides_nothing() {
        // What judges where there is no Stockfish.
        let mut judge = EngineSpec::new("alphabeta", "kashan:alphabeta");
        assert!(!is_partial(&judge), "its evaluation is another one");
        judge.options.push(("Evaluation".to_owned(), "paper".to_owned()));
        assert!(is_partial(&judge));
        assert!(!is_partial(&EngineSpec { command: "stockfish".to_owned(), ..judge }));
    }
}
