//! C8: the blunder check.

use serde_json::json;

use crate::display::{Table, cells};
use crate::experiment::laboratory::ours;
use crate::experiment::{ClaimVerdict, Conclusion, Experiment, Laboratory, Part};
use crate::suite::blunders::paper::{self, PaperRow, TABLE_4};
use crate::suite::blunders::tables::{blunder_summary, blunder_table};
use crate::suite::blunders::{Case, Report};
use crate::suite::summary::{Difference, Summary};
use crate::suite::{Bands, Grade, Rate};

pub const EXPERIMENT: Experiment = Experiment {
    id: "C8",
    title: "Blunders in 29 positions",
    claim: "In 29 positions the genetic search makes 4 blunders, moves that lose more than 1.5 pawns by Stockfish's judgement.",
    source: "Section 6.1, Table 4",
    run,
};

fn run(laboratory: &Laboratory<'_>) -> anyhow::Result<Conclusion> {
    let conditions = &laboratory.conditions;
    let limits = conditions.limits("0.1/move", "1/move");
    let reference = laboratory.reference(conditions.pick(50_000, 500_000))?;
    let cases: Vec<Case> =
        paper::our_positions().positions.iter().map(Case::of_position).collect::<Result<_, _>>()?;
    let engine = ours("genetic", "genetic", &[("Seed", &conditions.seed.to_string())]);
    let findings = laboratory.judge("c8-blunders", engine, limits, &reference, &cases)?;
    let bands = Bands::default();
    let report = Report { cases: &cases, findings: &findings, bands: &bands };
    let (ours, theirs) = (report.summary(), Summary::new(TABLE_4.iter().map(PaperRow::sample)));
    let parts = [arithmetic(&theirs), vec![comparison(&ours)]].concat();
    let method = format!(
        "The paper's positions are from a book and are not printed; here they are 29 quiet middlegame positions of our own (those of \
         `kashan blunders`). The genetic search has {limits} for each; its move and the reference's own are judged by {} with {} for each search, \
         each move searched alone.",
        reference.name, reference.limits
    );
    let rows = [("paper, rows with values".to_owned(), theirs), (format!("here, {limits}"), ours)];
    let data = json!({
        "limits": limits,
        "reference": reference.name,
        "reference_limits": reference.limits,
        "check": report.json(),
    });
    Ok(Conclusion::new(method, parts, data)
        .with_table(
            "As in the paper's Table 4; values from White's point of view",
            blunder_table(&report, true),
        )
        .with_table("Together", blunder_summary(&rows, &bands))
        .with_table("The paper's Table 4, rows with both values", paper_table()))
}

/// What the paper's own numbers add up to.
fn arithmetic(theirs: &Summary) -> Vec<Part> {
    let blunders: Vec<u32> = TABLE_4.iter().filter(|row| row.is_blunder()).map(|row| row.position).collect();
    let two_digits = |value: Option<f64>| format!("{:.2}", value.unwrap_or(f64::NAN));
    let (mean, median) = (two_digits(theirs.mean), two_digits(theirs.median));
    vec![
        Part::exact(
            "In Table 4 exactly the rows 137, 267, 287 and 307 lose more than 1.5 pawns",
            blunders == paper::BLUNDERS,
            format!("{blunders:?}"),
        ),
        Part::exact(
            "Over its 27 rows with values the mean loss is 1.27 and the median 0.39",
            mean == "1.27" && median == "0.39",
            format!("{mean} and {median}"),
        ),
    ]
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

fn paper_table() -> Table {
    let rows = TABLE_4.iter().map(|row| {
        let value = |mv: &str, centipawns: i32| format!("{mv} ({:+.2})", f64::from(centipawns) / 100.0);
        let sample = row.sample();
        cells![
            format!("{} {}", row.position, row.side),
            value(row.played, row.played_value),
            value(row.best, row.best_value),
            format!("{:.2}", sample.loss.pawns()),
            if sample.grade == Grade::Blunder { "*" } else { "" }
        ]
    });
    Table::headed("Position | GA move & value | Stockfish 5 | Loss: | ").with_rows(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::{Loss, Sample};

    fn summary(blunders: usize, moves: usize) -> Summary {
        Summary::new((0..moves).map(|index| Sample {
            loss: Loss::default(),
            grade: if index < blunders { Grade::Blunder } else { Grade::Fine },
            agrees: false,
        }))
    }

    #[test]
    fn the_papers_numbers_add_up() {
        let theirs = Summary::new(TABLE_4.iter().map(PaperRow::sample));
        assert!(arithmetic(&theirs).iter().all(|part| part.verdict == ClaimVerdict::Confirmed));
        assert_eq!(arithmetic(&summary(0, 27))[1].verdict, ClaimVerdict::Refuted);
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
