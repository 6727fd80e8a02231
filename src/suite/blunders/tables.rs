//! The tables of a blunder check.

use crate::display::Table;
use crate::suite::blunders::report::from_white;
use crate::suite::blunders::{Case, Finding, Report, Valued};
use crate::suite::summary::Summary;
use crate::suite::{Bands, Grade, Rate};

/// A table like Table 4 of Dehghani & Babamir 2017: the move played and the reference's with its values from
/// White's point of view, and what the difference is. Of games only moves that are not fine are shown, unless
/// `all` are wanted.
pub fn blunder_table(report: &Report<'_>, all: bool) -> Table {
    let games = report.cases.iter().any(|case| case.place.is_some());
    let third = if games { "Player" } else { "Phase" };
    let mut table = Table::headed(&format!(
        "#: | Position | {third} | Move & value | Reference | Loss: | Chances: | Grade"
    ));
    for (index, (case, finding)) in report.rows().enumerate() {
        let grade = finding.and_then(|finding| finding.sample(report.bands)).map(|sample| sample.grade);
        if games && !all && matches!(grade, None | Some(Grade::Fine)) && !is_failure(finding) {
            continue;
        }
        let mut row = vec![(index + 1).to_string(), place(case)];
        row.push(case.player.clone().unwrap_or_else(|| case.phase.to_string()));
        row.extend(outcome(case, finding, report.bands));
        table.row(row);
    }
    table
}

fn is_failure(finding: Option<&Finding>) -> bool {
    matches!(finding, Some(Finding::NoMove { .. }))
}

/// `quiet29.01 W`, or a move number, which says the side itself.
fn place(case: &Case) -> String {
    match case.place {
        Some(_) => case.name.clone(),
        None => format!("{} {}", case.name, case.turn.fold_wb('W', 'B')),
    }
}

/// Both moves, the loss in pawns and in winning chances, and the sign.
fn outcome(case: &Case, finding: Option<&Finding>, bands: &Bands) -> Vec<String> {
    let value = |valued: &Valued| format!("{} ({})", valued.san, from_white(case.turn, valued.score()));
    match finding {
        None => vec!["not judged".to_owned()],
        Some(Finding::Forced { san, .. }) => vec![san.clone(), "the only move".to_owned()],
        Some(Finding::NoMove { reason }) => vec![format!("none: {reason}")],
        Some(finding @ Finding::Judged { played, best }) => {
            let sample = finding.sample(bands).unwrap_or_else(|| unreachable!("it is judged"));
            vec![
                value(played),
                value(best),
                format!("{:.2}", sample.loss.pawns()),
                format!("{:.1}%", sample.loss.chances),
                sample.grade.sign().to_owned(),
            ]
        }
    }
}

/// One row for each summary: blunders with their rate and its 95 % interval, mean and median loss, agreement.
/// Mistakes and inaccuracies have columns if the bands know them.
pub fn blunder_summary(rows: &[(String, Summary)], bands: &Bands) -> Table {
    let mistakes = bands.mistake.map_or("", |_| "Mistakes: | ");
    let inaccuracies = bands.inaccuracy.map_or("", |_| "Inaccuracies: | ");
    let mut table = Table::headed(&format!(
        "Of | Moves: | Blunders: | Rate: | 95% interval: | {mistakes}{inaccuracies}Mean loss: | Median: | \
         Mean chances: | Agreement:"
    ));
    for (name, summary) in rows {
        let mut row = vec![name.clone(), summary.moves.to_string()];
        row.extend(match &summary.blunders {
            Some(rate) => [rate.count.to_string(), percent(rate.rate), interval(rate)],
            None => [(); 3].map(|()| "-".to_owned()),
        });
        row.extend(bands.mistake.map(|_| summary.mistakes.to_string()));
        row.extend(bands.inaccuracy.map(|_| summary.inaccuracies.to_string()));
        let pawns = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.2}"));
        row.extend([pawns(summary.mean), pawns(summary.median)]);
        let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        row.push(or_dash(summary.mean_chances.map(|mean| format!("{mean:.1}%"))));
        row.push(or_dash(summary.agreement.map(|rate| percent(rate.rate))));
        table.row(row);
    }
    table
}

fn percent(part: f64) -> String {
    format!("{:.1}%", 100.0 * part)
}

fn interval(rate: &Rate) -> String {
    format!("{:.1}..{:.1}%", 100.0 * rate.lower, 100.0 * rate.upper)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::display::Format;
    use crate::suite::Sample;
    use crate::suite::tests::{list, valued};

    #[test]
    fn the_table_has_the_papers_columns() {
        let text = "4k3/8/8/8/8/8/4P3/4K3 b - - id \"137\";\n4k3/8/8/8/8/8/4P3/4K3 w - - id \"x\";\n";
        let positions = list(text).positions;
        let cases: Vec<Case> =
            positions.iter().map(|position| Case::of_position(position).expect("a case")).collect();
        let judged = Finding::Judged { played: valued("Kd8", -123), best: valued("Kd7", 74) };
        let failed = Finding::NoMove { reason: "it ended".to_owned() };
        let findings = [Some(judged), Some(failed)];
        let bands = Bands::default();
        let report = Report { cases: &cases, findings: &findings, bands: &bands };
        let text = blunder_table(&report, false).render(Format::Terminal);
        // Black's values are shown from White's point of view.
        let row = text.lines().nth(2).expect("a row");
        let cells: Vec<&str> = row.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect();
        assert_eq!(cells[..6], ["1", "137 B", "endgame", "Kd8 (+1.23)", "Kd7 (-0.74)", "1.97"], "{text}");
        assert!(row.ends_with("??") && text.contains("none: it ended"), "{text}");
        let rows = [("all".to_owned(), report.summary())];
        let summary = blunder_summary(&rows, &bands).render(Format::Terminal);
        assert!(summary.contains("20.7..100.0%") && summary.contains("1.97"), "{summary}");
        assert!(!summary.contains("Mistakes"), "{summary}");
        let empty = Summary::new(std::iter::empty::<Sample>());
        let bands = Bands { mistake: Some(100), inaccuracy: Some(50), ..bands };
        let text = blunder_summary(&[("none".to_owned(), empty)], &bands).render(Format::Terminal);
        assert!(text.contains("Inaccuracies") && text.contains(" - "), "{text}");
    }
}
