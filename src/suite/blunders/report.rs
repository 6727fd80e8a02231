//! All findings of a check, and what they add up to.

use serde_json::{Value, json};
use shakmaty::Color;

use super::case::Case;
use super::judge::{Finding, Valued};
use crate::score::Score;
use crate::suite::loss::winning_chances;
use crate::suite::summary::Summary;
use crate::suite::{Bands, Phase, Sample};

/// A check that is over, or was stopped.
#[derive(Clone, Copy, Debug)]
pub struct Report<'r> {
    pub cases: &'r [Case],
    /// One for each case; `None` where it was not judged.
    pub findings: &'r [Option<Finding>],
    pub bands: &'r Bands,
}

impl<'r> Report<'r> {
    /// Each case with what came of it.
    pub fn rows(&self) -> impl Iterator<Item = (&'r Case, Option<&'r Finding>)> {
        self.cases.iter().zip(self.findings.iter().map(Option::as_ref))
    }

    fn samples(&self, wanted: impl Fn(&Case) -> bool) -> impl Iterator<Item = Sample> {
        self.rows()
            .filter(move |(case, _)| wanted(case))
            .filter_map(|(_, finding)| finding?.sample(self.bands))
    }

    /// Of all moves.
    pub fn summary(&self) -> Summary {
        Summary::new(self.samples(|_| true))
    }

    /// Of each phase in which moves were judged.
    pub fn phases(&self) -> Vec<(Phase, Summary)> {
        let summaries =
            Phase::ALL.map(|phase| (phase, Summary::new(self.samples(move |case| case.phase == phase))));
        summaries.into_iter().filter(|(_, summary)| summary.moves > 0).collect()
    }

    /// Of each player of games, in the order in which they appear.
    pub fn players(&self) -> Vec<(&'r str, Summary)> {
        let mut names: Vec<&str> = Vec::new();
        for name in self.cases.iter().filter_map(|case| case.player.as_deref()) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let summary =
            |name: &&'r str| Summary::new(self.samples(|case| case.player.as_deref() == Some(name)));
        names.iter().map(|name| (*name, summary(name))).collect()
    }

    /// How many cases had one legal move only.
    pub fn forced(&self) -> usize {
        self.count(|finding| matches!(finding, Finding::Forced { .. }))
    }

    /// In how many the engine made no move.
    pub fn without_move(&self) -> usize {
        self.count(|finding| matches!(finding, Finding::NoMove { .. }))
    }

    /// How many were not judged.
    pub fn missing(&self) -> usize {
        self.findings.iter().filter(|finding| finding.is_none()).count()
    }

    fn count(&self, wanted: impl Fn(&Finding) -> bool) -> usize {
        self.findings.iter().flatten().filter(|finding| wanted(finding)).count()
    }

    /// Everything for programs. Scores are centipawns from the mover's point of view, `null` with `mate` in
    /// moves beside it for mates.
    pub fn json(&self) -> Value {
        let rows = self.rows().map(|(case, finding)| self.row_json(case, finding));
        let phases = self.phases().into_iter().map(|(phase, summary)| (phase.to_string(), json!(summary)));
        let players = self.players().into_iter().map(|(name, summary)| (name.to_owned(), json!(summary)));
        json!({
            "bands": self.bands,
            "positions": rows.collect::<Vec<_>>(),
            "summary": self.summary(),
            "phases": phases.collect::<serde_json::Map<_, _>>(),
            "players": players.collect::<serde_json::Map<_, _>>(),
            "forced": self.forced(),
            "without_move": self.without_move(),
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
            Some(finding @ Finding::Judged { played, best }) => {
                row["result"] = json!("judged");
                row["played"] = valued_json(played);
                row["best"] = valued_json(best);
                if let Some(sample) = finding.sample(self.bands) {
                    row["loss"] = json!(sample.loss);
                    row["grade"] = json!(sample.grade);
                }
            }
        }
        row
    }
}

fn valued_json(valued: &Valued) -> Value {
    let score = valued.score();
    json!({
        "uci": valued.uci,
        "san": valued.san,
        "centipawns": (!score.is_mate()).then_some(score.0),
        "mate": score.mate_moves(),
        "chances": winning_chances(score),
        "line": valued.line,
        "depth": valued.depth,
        "nodes": valued.nodes,
    })
}

/// A value of the mover's from White's point of view.
pub fn from_white(turn: Color, score: Score) -> Score {
    turn.fold_wb(score, -score)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::tests::{cases, valued};

    #[test]
    fn moves_are_summed_up_by_phase_and_player() {
        let cases = cases("[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n");
        let judged = |loss: i32| Finding::Judged {
            played: valued("a", 10 - loss),
            best: valued(if loss == 0 { "a" } else { "b" }, 10),
        };
        let forced = Finding::Forced { uci: "a".to_owned(), san: "a".to_owned() };
        let findings = [Some(judged(0)), Some(judged(400)), Some(forced), None];
        let report = Report { cases: &cases, findings: &findings, bands: &Bands::default() };
        let players = report.players();
        assert_eq!((players[0].0, players[0].1.moves, players[1].0, players[1].1.moves), ("A", 1, "B", 1));
        assert_eq!(players[1].1.mean, Some(4.0));
        assert_eq!((report.forced(), report.missing(), report.without_move()), (1, 1, 0));
        assert_eq!(report.phases().len(), 1);
        let json = report.json();
        assert_eq!(json["summary"]["blunders"]["count"], 1);
        assert_eq!(json["positions"][1]["grade"], "blunder");
        assert_eq!(json["positions"][1]["loss"]["centipawns"], 400);
        assert_eq!(json["positions"][3]["result"], "not judged");
        assert_eq!(valued_json(&valued("a", Score::mated_in(4).0))["mate"], -2);
        assert_eq!(valued_json(&valued("a", Score::mate_in(3).0))["mate"], 2);
    }
}
