//! C8 and A9: experiments with a stronger engine as the judge of moves.

use serde_json::json;

use super::action::FOUR_PLIES;
use super::laboratory::{Reference, ours};
use super::positions::{cases, survey};
use super::verdict::{Paired, below};
use super::{ClaimVerdict, Conclusion, Laboratory, Part, Text};
use crate::arena::EngineSpec;
use crate::arena::suite::blunders::paper;
use crate::arena::suite::blunders::report::blunder_table;
use crate::arena::suite::blunders::{Case, Finding, Report};
use crate::arena::suite::summary::{Difference, Summary};
use crate::arena::suite::{Bands, Grade, Rate};
use crate::util::display::Format;

/// The 29 quiet positions of `kashan blunders`.
fn quiet_cases() -> anyhow::Result<Vec<Case>> {
    let list = paper::our_positions();
    list.positions.iter().map(Case::of_position).collect()
}

fn summary(cases: &[Case], findings: &[Option<Finding>]) -> Summary {
    Report {
        cases,
        findings,
        bands: &Bands::default(),
    }
    .summary()
}

/// C8: Blunders in 29 positions.
pub fn in_29_positions(laboratory: &Laboratory, text: &Text) -> anyhow::Result<Conclusion> {
    let conditions = &laboratory.conditions;
    let limits = conditions.limits("0.1/move", "1/move");
    let reference = laboratory.reference(conditions.pick(50_000, 500_000))?;
    let cases = quiet_cases()?;
    let seed = conditions.seed.to_string();
    let engine = ours(conditions, "genetic", "genetic", &[("Seed", &seed)]);
    let findings = laboratory.judge("c8-blunders", engine, limits, &reference, &cases)?;
    let bands = Bands::default();
    let report = Report {
        cases: &cases,
        findings: &findings,
        bands: &bands,
    };
    let ours = report.summary();
    let parts = vec![comparison(&ours)];
    let data = json!({
        "limits": limits,
        "reference": reference.name,
        "reference_limits": reference.limits,
        "check": report.json(),
    });
    let caption = "As in the paper's Table 4; values from White's point of view";
    let conclusion = text.conclude(
        laboratory,
        &[("limits", &limits), ("reference", &reference.in_words())],
        parts,
        data,
    );
    let table = blunder_table(&report, true).render(Format::Markdown);
    Ok(conclusion.with_text(format!("{caption}:\n\n{}", table.trim_end())))
}

/// Compares our blunders with the paper's. So few positions can confirm that one rate is not
/// higher, but cannot confirm that two rates are equal.
fn comparison(ours: &Summary) -> Part {
    let statement = "Our genetic search blunders no more often than the paper's";
    let theirs = Rate::new(paper::BLUNDERS.len(), paper::POSITIONS);
    let (Some(ours), Some(theirs)) = (ours.blunders, theirs) else {
        let verdict = ClaimVerdict::NotRun("no move was judged".to_owned());
        return Part::new(statement, verdict, "");
    };
    let difference = Difference::new(&ours, &theirs);
    let tried = format!("{} positions against {}", ours.of, theirs.of);
    let in_words = |rate: &Rate| {
        let [_, lower, upper] = rate.percents();
        format!(
            "{} of {} (95 % from {lower:.0} to {upper:.0} %)",
            rate.count, rate.of
        )
    };
    let evidence = format!(
        "{}, paper {}; difference {:+.0} percentage points (95 % from {:+.0} to {:+.0})",
        in_words(&ours),
        in_words(&theirs),
        100.0 * difference.value,
        100.0 * difference.lower,
        100.0 * difference.upper
    );
    let verdict = ClaimVerdict::of_range(below(0.0), difference.lower, difference.upper, tried);
    Part::new(statement, verdict, evidence)
}

/// The proposed evaluation and the standard one.
const EVALUATIONS: [&str; 2] = ["power", "paper"];

/// Positions for choices of both evaluations.
struct Set {
    name: String,
    cases: Vec<Case>,
    /// The findings in the order of [`EVALUATIONS`].
    findings: [Vec<Option<Finding>>; 2],
}

/// A9: Safety of pieces.
pub fn with_power(laboratory: &Laboratory, text: &Text) -> anyhow::Result<Conclusion> {
    let conditions = &laboratory.conditions;
    let reference = laboratory.reference(conditions.pick(20_000, 100_000))?;
    let count = conditions.pick(12, 200);
    let fens = survey(laboratory, "a9-middlegames", count, &[], |root| {
        Ok(root.to_fen())
    })?;
    let is_partial = is_partial(&reference.spec);
    let mut parts = Vec::new();
    let mut rows = Vec::new();
    for (work, name, cases) in [
        ("a9-quiet", "quiet positions", quiet_cases()?),
        ("a9-all", "middlegames", cases(&fens)?),
    ] {
        let set = Set::judged(laboratory, work, name, cases, &reference)?;
        parts.push(set.part(is_partial));
        for (findings, evaluation) in set.findings.iter().zip(EVALUATIONS) {
            let name = format!("{evaluation}, {}", set.name);
            rows.push((name, summary(&set.cases, findings)));
        }
    }
    let data = json!({ "reference": reference.name, "reference_limits": reference.limits, "summaries": rows });
    Ok(text.conclude(
        laboratory,
        &[
            ("limits", &FOUR_PLIES),
            ("count", &count),
            ("reference", &reference.in_words()),
        ],
        parts,
        data,
    ))
}

impl Set {
    fn judged(
        laboratory: &Laboratory,
        work: &str,
        name: &str,
        cases: Vec<Case>,
        reference: &Reference,
    ) -> anyhow::Result<Set> {
        let judged = |evaluation: &str| {
            let options = [("Evaluation", evaluation)];
            let engine = ours(&laboratory.conditions, evaluation, "alphabeta", &options);
            let work = format!("{work}-{evaluation}");
            laboratory.judge(&work, engine, FOUR_PLIES, reference, &cases)
        };
        let [power, standard] = EVALUATIONS.map(judged);
        let findings = [power?, standard?];
        Ok(Set {
            name: format!("{} {name}", cases.len()),
            cases,
            findings,
        })
    }

    fn part(&self, is_partial: bool) -> Part {
        let bands = Bands::default();
        let is_blunder = |finding: &Option<Finding>| {
            let sample = finding.as_ref().and_then(|finding| finding.sample(&bands));
            sample.is_some_and(|sample| sample.grade == Grade::Blunder)
        };
        let [power, standard] = &self.findings;
        let pairs = standard.iter().zip(power);
        let blunders =
            Paired::new(pairs.map(|(standard, power)| [standard, power].map(is_blunder)));
        let verdict = if is_partial {
            ClaimVerdict::NotDecided("a judge with one of the two evaluations".to_owned())
        } else {
            blunders.verdict()
        };
        let name = &self.name;
        Part::new(
            format!("Fewer blunders with power than with the standard evaluation, {name}"),
            verdict,
            blunders.in_words(["with the standard evaluation", "with power"]),
        )
    }
}

/// Returns true if a judge has one of the evaluations on trial, like our own engine as a
/// substitute.
fn is_partial(judge: &EngineSpec) -> bool {
    let is_tried = |(name, value): &(String, String)| {
        name.eq_ignore_ascii_case("Evaluation") && EVALUATIONS.contains(&value.as_str())
    };
    judge.backend().is_some() && judge.options.iter().any(is_tried)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::suite::blunders::paper::table_4;
    use crate::arena::suite::{Loss, Sample};

    #[test]
    fn the_papers_numbers_add_up() {
        let blunders = table_4()
            .into_iter()
            .filter(|(_, sample)| sample.grade == Grade::Blunder);
        assert_eq!(
            blunders.map(|(position, _)| position).collect::<Vec<_>>(),
            paper::BLUNDERS
        );
        let summary = Summary::new(table_4().into_iter().map(|(_, sample)| sample));
        let two_digits = |value: Option<f64>| format!("{:.2}", value.expect("rows"));
        assert_eq!(
            [two_digits(summary.mean), two_digits(summary.median)],
            ["1.27", "0.39"]
        );
        assert_eq!(
            summary.blunders.map(|rate| (rate.count, rate.of)),
            Some((4, 27))
        );
        assert_eq!(summary.agreement.map(|rate| rate.count), Some(1));
        // The paper's own rate: 4 of 29, which may be anything from 5 to 31 %.
        let rate = Rate::new(paper::BLUNDERS.len(), paper::POSITIONS).expect("29 positions");
        assert!(
            (rate.lower - 0.055).abs() < 0.001 && (rate.upper - 0.306).abs() < 0.001,
            "{rate:?}"
        );
    }

    #[test]
    fn few_positions_decide_little() {
        let verdict = |(blunders, moves): (usize, usize)| {
            let grade = |index| {
                if index < blunders {
                    Grade::Blunder
                } else {
                    Grade::Fine
                }
            };
            let sample = |index| Sample {
                loss: Loss::default(),
                grade: grade(index),
                agrees: false,
            };
            comparison(&Summary::new((0..moves).map(sample)))
                .verdict
                .to_string()
        };
        let open = "not decided by 29 positions against 29";
        let verdicts = [(4, 29), (1, 29), (18, 29), (1, 290)].map(verdict);
        assert_eq!(verdicts, [open, open, "refuted", "confirmed"]);
        assert!(verdict((0, 0)).starts_with("not run: "));
    }

    #[test]
    fn a_judge_with_one_of_the_evaluations_decides_nothing() {
        // What judges where there is no Stockfish.
        let mut judge = EngineSpec::new("alphabeta", "kashan:alphabeta");
        assert!(!is_partial(&judge), "its evaluation is another one");
        judge
            .options
            .push(("Evaluation".to_owned(), "paper".to_owned()));
        assert!(is_partial(&judge));
        assert!(!is_partial(&EngineSpec {
            command: "stockfish".to_owned(),
            ..judge
        }));
    }
}
