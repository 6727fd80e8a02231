//! The findings of a check, and their totals: sums, tables, and JSON.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};
use shakmaty::Color;

use super::case::Case;
use super::judge::{Finding, Valued};
use crate::arena::suite::summary::Summary;
use crate::arena::suite::{Bands, Grade, Loss, Phase};
use crate::rules::score::Score;
use crate::util::display::Table;

/// A finished or stopped check.
#[derive(Clone, Copy, Debug)]
pub struct Report<'r> {
    pub cases: &'r [Case],
    /// The finding of each case; `None` if not judged.
    pub findings: &'r [Option<Finding>],
    pub bands: &'r Bands,
}

/// The numbers of cases without a judgement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Unjudged {
    /// Cases with one legal move only.
    pub forced: usize,
    /// Cases without a move by the engine.
    pub without_move: usize,
    /// Cases whose position the engine cannot be told.
    pub not_given: usize,
    /// Cases with a move to which the reference gave no value.
    pub without_value: usize,
    /// Cases not reached.
    pub not_judged: usize,
}

impl<'r> Report<'r> {
    /// Each case with its finding.
    pub fn rows(&self) -> impl Iterator<Item = (&'r Case, Option<&'r Finding>)> {
        self.cases
            .iter()
            .zip(self.findings.iter().map(Option::as_ref))
    }

    fn summary_of(&self, wanted: impl Fn(&Case) -> bool) -> Summary {
        let mut samples = Vec::new();
        for (case, finding) in self.rows() {
            if let Some(finding) = finding
                && wanted(case)
            {
                samples.extend(finding.sample(self.bands));
            }
        }
        Summary::new(samples)
    }

    /// The summary of all moves.
    pub fn summary(&self) -> Summary {
        self.summary_of(|_| true)
    }

    /// The summary of each phase with judged moves.
    pub fn phases(&self) -> Vec<(String, Summary)> {
        let mut phases = Vec::new();
        for phase in Phase::ALL {
            let summary = self.summary_of(|case| case.phase == phase);
            if summary.moves > 0 {
                phases.push((phase.to_string(), summary));
            }
        }
        phases
    }

    /// The summary of each player of games, in the order of appearance.
    pub fn players(&self) -> Vec<(String, Summary)> {
        let mut players: Vec<(String, Summary)> = Vec::new();
        for case in self.cases {
            if let Some(name) = &case.player
                && players.iter().all(|(known, _)| known != name)
            {
                let summary = self.summary_of(|other| other.player == case.player);
                players.push((name.clone(), summary));
            }
        }
        players
    }

    /// The numbers of cases without a judgement.
    pub fn unjudged(&self) -> Unjudged {
        let mut unjudged = Unjudged::default();
        for finding in self.findings {
            match finding {
                None => unjudged.not_judged += 1,
                Some(Finding::Forced { .. }) => unjudged.forced += 1,
                Some(Finding::NoMove { .. }) => unjudged.without_move += 1,
                Some(Finding::NotGiven { .. }) => unjudged.not_given += 1,
                Some(Finding::NoValue) => unjudged.without_value += 1,
                Some(Finding::Judged { .. }) => {}
            }
        }
        unjudged
    }

    /// Everything for programs. Scores are centipawns from the mover's point of view, `null` with
    /// `mate` in moves beside for mates.
    pub fn json(&self) -> Value {
        let mut positions = Vec::new();
        for (case, finding) in self.rows() {
            positions.push(self.row_json(case, finding));
        }
        let mut value = json!(self.unjudged());
        value["bands"] = json!(self.bands);
        value["positions"] = json!(positions);
        value["summary"] = json!(self.summary());
        value["phases"] = json!(BTreeMap::from_iter(self.phases()));
        value["players"] = json!(BTreeMap::from_iter(self.players()));
        value
    }

    fn row_json(&self, case: &Case, finding: Option<&Finding>) -> Value {
        let mut row = json!({
            "name": case.name,
            "fen": case.fen,
            "turn": case.turn.fold_wb("white", "black"),
            "phase": case.phase,
        });
        if let Some(player) = &case.player {
            row["player"] = json!(player);
        }
        if let Some(place) = case.place {
            row["game"] = json!(place.game + 1);
            row["ply"] = json!(place.ply + 1);
        }
        match finding {
            None => row["result"] = json!("not judged"),
            Some(Finding::Forced { uci, san }) => {
                row["result"] = json!("forced");
                row["played"] = json!({ "uci": uci, "san": san });
            }
            Some(Finding::NoMove { reason }) => {
                row["result"] = json!("no move");
                row["reason"] = json!(reason);
            }
            Some(Finding::NoValue) => row["result"] = json!("no value"),
            Some(Finding::NotGiven { reason }) => {
                row["result"] = json!("not given");
                row["reason"] = json!(reason);
            }
            Some(finding @ Finding::Judged { played, best }) => {
                row["result"] = json!("judged");
                row["played"] = valued_json(played);
                row["best"] = valued_json(best);
                if let Some(sample) = finding.sample(self.bands) {
                    row["loss"] = json!(sample.loss);
                    row["grade"] = json!(sample.grade);
                    if sample.grade != Grade::Fine {
                        row["reason"] = json!(case.reason(finding));
                    }
                }
            }
        }
        row
    }
}

fn valued_json(valued: &Valued) -> Value {
    let score = valued.score;
    json!({
        "uci": valued.uci,
        "san": valued.san,
        "centipawns": (!score.is_mate()).then_some(score.0),
        "mate": score.mate_moves(),
        "chances": score.winning_chances(),
        "line": valued.line,
        "depth": valued.depth,
        "nodes": valued.nodes,
    })
}

/// A value of the mover's from White's point of view.
pub fn from_white(turn: Color, score: Score) -> Score {
    turn.fold_wb(score, -score)
}

/// A table like Table 4 of Dehghani & Babamir 2017: the move played and the reference's with its
/// values from White's point of view, and the difference. For games, only moves below fine are
/// shown, unless `all` are wanted.
pub fn blunder_table(report: &Report<'_>, all: bool) -> Table {
    let games = report.cases.iter().any(|case| case.place.is_some());
    let third = if games { "Player" } else { "Phase" };
    let mut table = Table::headed(&format!(
        "#: | Position | {third} | Move & value | Reference | Loss: | Chances: | Grade"
    ));
    for (index, (case, finding)) in report.rows().enumerate() {
        let is_shown = match finding {
            None | Some(Finding::Forced { .. }) => false,
            Some(finding) => match finding.sample(report.bands) {
                Some(sample) => sample.grade != Grade::Fine,
                None => true,
            },
        };
        if games && !all && !is_shown {
            continue;
        }
        // A move's number says the side itself.
        let place = match case.place {
            Some(_) => case.name.clone(),
            None => format!("{} {}", case.name, case.turn.fold_wb('W', 'B')),
        };
        let player = case.player.clone();
        let third = player.unwrap_or(case.phase.to_string());
        let mut row = vec![(index + 1).to_string(), place, third];
        row.extend(outcome(case, finding, report.bands));
        table.row(row);
    }
    table
}

/// Both moves, the loss in pawns and in winning chances, and the sign.
fn outcome(case: &Case, finding: Option<&Finding>, bands: &Bands) -> Vec<String> {
    match finding {
        None => vec!["not judged".to_owned()],
        Some(Finding::Forced { san, .. }) => vec![san.clone(), "the only move".to_owned()],
        Some(Finding::NoMove { reason }) => vec![format!("none: {reason}")],
        Some(Finding::NoValue) => vec!["no value by the reference".to_owned()],
        Some(Finding::NotGiven { reason }) => vec![format!("not given: {reason}")],
        Some(Finding::Judged { played, best }) => {
            let mut cells = Vec::new();
            for Valued { san, score, .. } in [played, best] {
                cells.push(format!("{san} ({})", from_white(case.turn, *score)));
            }
            let loss = Loss::new(best.score, played.score);
            cells.push(format!("{:.2}", loss.pawns()));
            cells.push(format!("{:.1}%", loss.chances));
            cells.push(bands.grade(loss).sign().to_owned());
            cells
        }
    }
}

/// One row for each summary: blunders with their rate and its 95 % interval, mean and median loss,
/// agreement. Mistakes and inaccuracies have columns if the bands know them.
pub fn blunder_summary(rows: &[(String, Summary)], bands: &Bands) -> Table {
    let has_mistakes = bands.mistake.is_some();
    let has_inaccuracies = bands.inaccuracy.is_some();
    let mistakes = if has_mistakes { "Mistakes: | " } else { "" };
    let inaccuracies = if has_inaccuracies {
        "Inaccuracies: | "
    } else {
        ""
    };
    let mut table = Table::headed(&format!(
        "Of | Moves: | Blunders: | Rate: | 95% interval: | {mistakes}{inaccuracies}Mean loss: | Median: | \
         Mean chances: | Agreement:"
    ));
    for (name, summary) in rows {
        let mut row = vec![name.clone(), summary.moves.to_string()];
        match &summary.blunders {
            Some(blunders) => {
                let [rate, low, high] = blunders.percents();
                row.push(blunders.count.to_string());
                row.push(format!("{rate:.1}%"));
                row.push(format!("{low:.1}..{high:.1}%"));
            }
            None => row.extend(["-"; 3].map(str::to_owned)),
        }
        if has_mistakes {
            row.push(summary.mistakes.to_string());
        }
        if has_inaccuracies {
            row.push(summary.inaccuracies.to_string());
        }
        row.push(shown(summary.mean, 2, ""));
        row.push(shown(summary.median, 2, ""));
        row.push(shown(summary.mean_chances, 1, "%"));
        let agreement = summary.agreement.map(|rate| 100.0 * rate.rate);
        row.push(shown(agreement, 1, "%"));
        table.row(row);
    }
    table
}

/// A number with so many decimals and its unit, or a dash.
fn shown(number: Option<f64>, decimals: usize, unit: &str) -> String {
    match number {
        Some(number) => format!("{number:.decimals$}{unit}"),
        None => "-".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::suite::tests::{cases, list, valued};
    use crate::util::display::Format;

    #[test]
    fn moves_are_summed_up_by_phase_and_player() {
        let cases = cases("[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n");
        let best = |mv: &str| valued(mv, 10);
        let judged = |score, best| Finding::Judged {
            played: valued("a", score),
            best,
        };
        let forced = Finding::Forced {
            uci: "a".to_owned(),
            san: "a".to_owned(),
        };
        let findings = [
            Some(judged(10, best("a"))),
            Some(judged(-390, best("b"))),
            Some(forced),
            None,
        ];
        let report = Report {
            cases: &cases,
            findings: &findings,
            bands: &Bands::default(),
        };
        let players = report.players();
        assert_eq!(
            (
                players[0].0.as_str(),
                players[0].1.moves,
                players[1].0.as_str(),
                players[1].1.moves
            ),
            ("A", 1, "B", 1)
        );
        assert_eq!(players[1].1.mean, Some(4.0));
        let unjudged = Unjudged {
            forced: 1,
            not_judged: 1,
            ..Unjudged::default()
        };
        assert_eq!(report.unjudged(), unjudged);
        assert_eq!(report.phases().len(), 1);
        let json = report.json();
        assert_eq!(json["summary"]["blunders"]["count"], 1);
        assert_eq!(json["positions"][1]["grade"], "blunder");
        assert_eq!(json["positions"][1]["loss"]["centipawns"], 400);
        assert_eq!(json["positions"][3]["result"], "not judged");
        assert_eq!(valued_json(&valued("a", Score::mated_in(4).0))["mate"], -2);
        assert_eq!(valued_json(&valued("a", Score::mate_in(3).0))["mate"], 2);
    }

    #[test]
    fn the_table_has_the_papers_columns() {
        let text =
            "4k3/8/8/8/8/8/4P3/4K3 b - - id \"137\";\n4k3/8/8/8/8/8/4P3/4K3 w - - id \"x\";\n";
        let positions = list(text).positions;
        let cases: Vec<_> = positions
            .iter()
            .map(|position| Case::of_position(position).unwrap())
            .collect();
        let judged = Finding::Judged {
            played: valued("Kd8", -123),
            best: valued("Kd7", 74),
        };
        let findings = [
            Some(judged),
            Some(Finding::NoMove {
                reason: "it ended".to_owned(),
            }),
        ];
        let bands = Bands::default();
        let report = Report {
            cases: &cases,
            findings: &findings,
            bands: &bands,
        };
        let text = blunder_table(&report, false).render(Format::Terminal);
        // Black's values are shown from White's point of view.
        let row = text.lines().nth(2).expect("a row");
        let cells: Vec<&str> = row
            .split("  ")
            .map(str::trim)
            .filter(|cell| !cell.is_empty())
            .collect();
        assert_eq!(
            cells[..6],
            [
                "1",
                "137 B",
                "endgame",
                "Kd8 (+1.23)",
                "Kd7 (-0.74)",
                "1.97"
            ],
            "{text}"
        );
        assert!(
            row.ends_with("??") && text.contains("none: it ended"),
            "{text}"
        );
        let rows = [("all".to_owned(), report.summary())];
        let summary = blunder_summary(&rows, &bands).render(Format::Terminal);
        assert!(
            summary.contains("20.7..100.0%") && summary.contains("1.97"),
            "{summary}"
        );
        assert!(!summary.contains("Mistakes"), "{summary}");
        let bands = Bands {
            mistake: Some(100),
            inaccuracy: Some(50),
            ..bands
        };
        let text = blunder_summary(&[("none".to_owned(), Summary::new([]))], &bands)
            .render(Format::Terminal);
        assert!(
            text.contains("Inaccuracies") && text.contains(" - "),
            "{text}"
        );
    }
}
