//! C8: the blunder check.

use serde_json::json;

use crate::experiment::laboratory::ours;
use crate::experiment::{ClaimVerdict, Conclusion, Laboratory, Part, Text, Words};
use crate::suite::blunders::paper::{self, table_4};
use crate::suite::blunders::report::{blunder_summary, blunder_table};
use crate::suite::blunders::{Case, Report};
use crate::suite::summary::{Difference, Summary};
use crate::suite::{Bands, Rate};

/// C8: Blunders in 29 positions.
pub fn run(laboratory: &Laboratory<'_>, text: &Text) -> anyhow::Result<Conclusion> {
    let conditions = &laboratory.conditions;
    let limits = conditions.limits("0.1/move", "1/move");
    let reference = laboratory.reference(conditions.pick(50_000, 500_000))?;
    let cases: Vec<Case> =
        paper::our_positions().positions.iter().map(Case::of_position).collect::<Result<_, _>>()?;
    let engine = ours(conditions, "genetic", "genetic", &[("Seed", &conditions.seed.to_string())]);
    let findings = laboratory.judge("c8-blunders", engine, limits, &reference, &cases)?;
    let bands = Bands::default();
    let report = Report { cases: &cases, findings: &findings, bands: &bands };
    let (ours, theirs) = (report.summary(), Summary::new(table_4().into_iter().map(|row| row.1)));
    let parts = vec![comparison(&ours)];
    let data = json!({
        "limits": limits,
        "reference": reference.name,
        "reference_limits": reference.limits,
        "check": report.json(),
    });
    let rows = [("paper, rows with values".to_owned(), theirs), (format!("here, {limits}"), ours)];
    let caption = "As in the paper's Table 4; values from White's point of view";
    let words: Words<'_> = &[("limits", &limits), ("reference", &reference.in_words())];
    let conclusion = text.conclude(laboratory, words, parts, data);
    Ok(conclusion
        .with_table(caption, blunder_table(&report, true))
        .with_table("Together", blunder_summary(&rows, &bands)))
}

/// Our blunders against the paper's. That two rates are equal cannot be confirmed by so few positions; that
/// one is not higher can.
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
        format!("{} of {} (95 % from {lower:.0} to {upper:.0} %)", rate.count, rate.of)
    };
    let evidence = format!(
        "{}, paper {}; difference {:+.0} percentage points (95 % from {:+.0} to {:+.0})",
        in_words(&ours),
        in_words(&theirs),
        100.0 * difference.value,
        100.0 * difference.lower,
        100.0 * difference.upper
    );
    let verdict = ClaimVerdict::of_interval(false, 0.0, difference.lower, difference.upper, tried);
    Part::new(statement, verdict, evidence)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::{Grade, Loss, Sample};

    fn summary(blunders: usize, moves: usize) -> Summary {
        Summary::new((0..moves).map(|index| Sample {
            loss: Loss::default(),
            grade: if index < blunders { Grade::Blunder } else { Grade::Fine },
            agrees: false,
        }))
    }

    #[test]
    fn the_papers_numbers_add_up() {
        let blunders = table_4().into_iter().filter(|(_, sample)| sample.grade == Grade::Blunder);
        assert_eq!(blunders.map(|(position, _)| position).collect::<Vec<_>>(), paper::BLUNDERS);
        let summary = Summary::new(table_4().into_iter().map(|(_, sample)| sample));
        let two_digits = |value: Option<f64>| format!("{:.2}", value.expect("rows"));
        assert_eq!([two_digits(summary.mean), two_digits(summary.median)], ["1.27", "0.39"]);
        assert_eq!(summary.blunders.map(|rate| (rate.count, rate.of)), Some((4, 27)));
        assert_eq!(summary.agreement.map(|rate| rate.count), Some(1));
        // The paper's own rate: 4 of 29, which may be anything from 5 to 31 %.
        let rate = Rate::new(paper::BLUNDERS.len(), paper::POSITIONS).expect("29 positions");
        assert!((rate.lower - 0.055).abs() < 0.001 && (rate.upper - 0.306).abs() < 0.001, "{rate:?}");
    }

    #[test]
    fn few_positions_decide_little() {
        let verdict = |blunders, moves| comparison(&summary(blunders, moves)).verdict;
        let open = || ClaimVerdict::NotDecided("29 positions against 29".to_owned());
        assert_eq!(verdict(4, 29), open());
        assert_eq!(verdict(1, 29), open());
        assert_eq!(verdict(18, 29), ClaimVerdict::Refuted);
        assert_eq!(verdict(1, 290), ClaimVerdict::Confirmed);
        assert!(matches!(verdict(0, 0), ClaimVerdict::NotRun(_)));
    }
}
