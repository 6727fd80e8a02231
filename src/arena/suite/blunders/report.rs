//! The findings of a check, and their totals: sums, tables, and JSON.

use serde_json::{Value, json};
use shakmaty::Color;

use super::case::Case;
use super::judge::{Finding, Valued};
use crate::arena::suite::summary::Summary;
use crate::arena::suite::{Bands, Grade, Phase, Rate, Sample};
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

impl<'r> Report<'r> {
    /// Each case with its finding.
    pub fn rows(&self) -> impl Iterator<Item = (&'r Case, Option<&'r Finding>)> {
        self.cases
            .iter()
            .zip(self.findings.iter().map(Option::as_ref))
    }

    fn samples(&self, wanted: impl Fn(&Case) -> bool) -> impl Iterator<Item = Sample> {
        self.rows()
            .filter(move |(case, _)| wanted(case))
            .filter_map(|(_, finding)| finding?.sample(self.bands))
    }

    /// The summary of all moves.
    pub fn summary(&self) -> Summary {
        Summary::new(self.samples(|_| true))
    }

    /// The summary of each phase with judged moves.
    pub fn phases(&self) -> Vec<(Phase, Summary)> {
        let summaries = Phase::ALL.map(|phase| {
            (
                phase,
                Summary::new(self.samples(move |case| case.phase == phase)),
            )
        });
        summaries
            .into_iter()
            .filter(|(_, summary)| summary.moves > 0)
            .collect()
    }

    /// The summary of each player of games, in the order of appearance.
    pub fn players(&self) -> Vec<(&'r str, Summary)> {
        let mut names: Vec<&str> = Vec::new();
        for name in self.cases.iter().filter_map(|case| case.player.as_deref()) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let summary = |name: &&'r str| {
            Summary::new(self.samples(|case| case.player.as_deref() == Some(name)))
        };
        names.iter().map(|name| (*name, summary(name))).collect()
    }

    /// The number of cases with one legal move only.
    pub fn forced(&self) -> usize {
        self.count(|finding| matches!(finding, Finding::Forced { .. }))
    }

    /// The number of cases without a move by the engine.
    pub fn without_move(&self) -> usize {
        self.count(|finding| matches!(finding, Finding::NoMove { .. }))
    }

    /// The number of cases whose position the engine cannot be told.
    pub fn not_given(&self) -> usize {
        self.count(|finding| matches!(finding, Finding::NotGiven { .. }))
    }

    /// The number of cases with a move to which the reference gave no value.
    pub fn without_value(&self) -> usize {
        self.count(|finding| *finding == Finding::NoValue)
    }

    /// The number of cases not judged.
    pub fn missing(&self) -> usize {
        self.findings
            .iter()
            .filter(|finding| finding.is_none())
            .count()
    }

    fn count(&self, wanted: impl Fn(&Finding) -> bool) -> usize {
        self.findings
            .iter()
            .flatten()
            .filter(|finding| wanted(finding))
            .count()
    }

    /// Everything for programs. Scores are centipawns from the mover's point of view, `null` with
    /// `mate` in moves beside for mates.
    pub fn json(&self) -> Value {
        let rows = self
            .rows()
            .map(|(case, finding)| self.row_json(case, finding));
        let phases = self
            .phases()
            .into_iter()
            .map(|(phase, summary)| (phase.to_string(), json!(summary)));
        let players = self
            .players()
            .into_iter()
            .map(|(name, summary)| (name.to_owned(), json!(summary)));
        json!({
            "bands": self.bands,
            "positions": rows.collect::<Vec<_>>(),
            "summary": self.summary(),
            "phases": phases.collect::<serde_json::Map<_, _>>(),
            "players": players.collect::<serde_json::Map<_, _>>(),
            "forced": self.forced(),
            "without_move": self.without_move(),
            "not_given": self.not_given(),
            "without_value": self.without_value(),
            "not_judged": self.missing(),
        })
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
        let grade = finding
            .and_then(|finding| finding.sample(report.bands))
            .map(|sample| sample.grade);
        let is_failure = matches!(
            finding,
            Some(Finding::NoMove { .. } | Finding::NoValue | Finding::NotGiven { .. })
        );
        if games && !all && matches!(grade, None | Some(Grade::Fine)) && !is_failure {
            continue;
        }
        // A move's number says the side itself.
        let place = match case.place {
            Some(_) => case.name.clone(),
            None => format!("{} {}", case.name, case.turn.fold_wb('W', 'B')),
        };
        let mut row = vec![(index + 1).to_string(), place];
        row.push(
            case.player
                .clone()
                .unwrap_or_else(|| case.phase.to_string()),
        );
        row.extend(outcome(case, finding, report.bands));
        table.row(row);
    }
    table
}

/// Both moves, the loss in pawns and in winning chances, and the sign.
fn outcome(case: &Case, finding: Option<&Finding>, bands: &Bands) -> Vec<String> {
    let value =
        |valued: &Valued| format!("{} ({})", valued.san, from_white(case.turn, valued.score));
    match finding {
        None => vec!["not judged".to_owned()],
        Some(Finding::Forced { san, .. }) => vec![san.clone(), "the only move".to_owned()],
        Some(Finding::NoMove { reason }) => vec![format!("none: {reason}")],
        Some(Finding::NoValue) => vec!["no value by the reference".to_owned()],
        Some(Finding::NotGiven { reason }) => vec![format!("not given: {reason}")],
        Some(finding @ Finding::Judged { played, best }) => {
            let sample = finding
                .sample(bands)
                .unwrap_or_else(|| unreachable!("it is judged"));
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

/// One row for each summary: blunders with their rate and its 95 % interval, mean and median loss,
/// agreement. Mistakes and inaccuracies have columns if the bands know them.
pub fn blunder_summary(rows: &[(String, Summary)], bands: &Bands) -> Table {
    let mistakes = bands.mistake.map_or("", |_| "Mistakes: | ");
    let inaccuracies = bands.inaccuracy.map_or("", |_| "Inaccuracies: | ");
    let mut table = Table::headed(&format!(
        "Of | Moves: | Blunders: | Rate: | 95% interval: | {mistakes}{inaccuracies}Mean loss: | Median: | \
         Mean chances: | Agreement:"
    ));
    let percent = |part: f64| format!("{:.1}%", 100.0 * part);
    let interval = |rate: &Rate| {
        let [_, low, high] = rate.percents();
        format!("{low:.1}..{high:.1}%")
    };
    for (name, summary) in rows {
        let mut row = vec![name.clone(), summary.moves.to_string()];
        row.extend(match &summary.blunders {
            Some(rate) => [rate.count.to_string(), percent(rate.rate), interval(rate)],
            None => [(); 3].map(|()| "-".to_owned()),
        });
        row.extend(bands.mistake.map(|_| summary.mistakes.to_string()));
        row.extend(bands.inaccuracy.map(|_| summary.inaccuracies.to_string()));
        let pawns = |value: Option<f64>| {
            value.map_or_else(|| "-".to_owned(), |value| format!("{value:.2}"))
        };
        row.extend([pawns(summary.mean), pawns(summary.median)]);
        let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        row.push(or_dash(
            summary.mean_chances.map(|mean| format!("{mean:.1}%")),
        ));
        row.push(or_dash(summary.agreement.map(|rate| percent(rate.rate))));
        table.row(row);
    }
    table
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
                players[0].0,
                players[0].1.moves,
                players[1].0,
                players[1].1.moves
            ),
            ("A", 1, "B", 1)
        );
        assert_eq!(players[1].1.mean, Some(4.0));
        assert_eq!(
            (report.forced(), report.missing(), report.without_move()),
            (1, 1, 0)
        );
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
