//! C4: quiescence branches, against branches that lose the queen.

use chess::ChessMove;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::display::{Mark, Row};
use crate::experiment::paired::Paired;
use crate::experiment::positions::{alphabeta, genetic, survey, with_nodes};
use crate::experiment::{Conclusion, Laboratory, Part, Text, Words};
use crate::position::Position;
use crate::score::Score;
use crate::search::{Clock, Limits, Searcher};
use crate::suite::{Loss, Rate};

/// What counts as a queen lost: in centipawns, so that a queen for a rook or a minor piece is one.
const QUEEN: i32 = 500;

/// The move that a search chose.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Chosen {
    san: String,
    /// In centipawns, by our alpha-beta search.
    loss: i32,
}

impl Chosen {
    fn loses(&self) -> bool {
        self.loss >= QUEEN
    }
}

/// A position searched with and without quiescence branches.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Pair {
    fen: String,
    with: Chosen,
    without: Chosen,
}

/// C4: Quiescence branches.
pub fn run(laboratory: &Laboratory<'_>, text: &Text) -> anyhow::Result<Conclusion> {
    let conditions = &laboratory.conditions;
    let seed = conditions.seed;
    let nodes = conditions.nodes(10_000, 20_000);
    let (count, depth) = (conditions.pick(120, 500), conditions.pick(6, 8));
    let terms = [("nodes", nodes), ("depth", depth.into())];
    let pairs = survey(laboratory, "c4-queens", count, &terms, |position| {
        let choose = |from: &str| -> anyhow::Result<Chosen> {
            let mut search = genetic(&[("QuiescenceFrom", from)], seed)?;
            let report = with_nodes(&mut search, position, nodes);
            let mv = report.best_move().ok_or_else(|| anyhow::anyhow!("no move in {}", position.to_fen()))?;
            Ok(Chosen { san: position.san(mv), loss: loss(position, mv, depth) })
        };
        Ok(Pair { fen: position.to_fen(), with: choose("captures")?, without: choose("never")? })
    })?;
    let lost = Paired::new(pairs.iter().map(|pair| [pair.without.loses(), pair.with.loses()]));
    let statement = "In searches, quiescence branches make it rarer that the chosen move loses a queen";
    let evidence = lost.in_words(["without", "with quiescence branches"]);
    let parts = vec![Part::new(statement, lost.verdict(), evidence)];
    let rates = [("with quiescence branches", lost.second), ("without", lost.first)]
        .map(|(search, lost)| Lost { search, lost: Rate::new(lost, pairs.len()) });
    let data = json!({ "nodes": nodes, "depth": depth, "tally": lost, "rates": rates, "positions": pairs });
    let bars = rates.iter().filter_map(|row| Some(Row::new(row.search, row.lost?.percents())));
    let words: Words<'_> = &[("count", &count), ("nodes", &nodes), ("depth", &depth)];
    let conclusion = text.conclude(laboratory, words, parts, data).with_rows("rates", &rates);
    Ok(conclusion.with_bars("queens", Mark::Bar, bars))
}

/// How often one search lost queens.
#[derive(Serialize)]
struct Lost {
    search: &'static str,
    lost: Option<Rate>,
}

/// What a move loses by our alpha-beta search, in centipawns. Both moves are searched alone, equally deep.
fn loss(position: &Position, mv: ChessMove, depth: u32) -> i32 {
    let Some(best) = search(position, depth, None).1 else {
        return 0;
    };
    if best == mv {
        return 0;
    }
    let value = |mv| search(position, depth, Some(mv)).0;
    Loss::new(value(best), value(mv)).centipawns
}

/// Value and move of a search that knows nothing from before; of `only` that move, if there is one.
fn search(position: &Position, depth: u32, only: Option<ChessMove>) -> (Score, Option<ChessMove>) {
    let others = position.legal_moves().into_iter().filter(|&mv| only.is_some_and(|only| only != mv));
    let limits = Limits { depth: Some(depth), excluded: others.collect(), ..Limits::default() };
    let report = alphabeta().search(position, &limits, &Clock::unlimited(), &mut ());
    (report.score, report.best_move())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queen_that_hangs_is_lost() {
        // Qxa7 loses the queen to the rook.
        let position = Position::from_fen("r5k1/p4ppp/8/8/8/8/5PPP/Q5K1 w - - 0 1").expect("a position");
        let takes = position.parse_move("Qxa7").expect("a move");
        assert!(loss(&position, takes, 4) >= QUEEN);
        let best = search(&position, 4, None).1.expect("a move");
        assert_eq!(loss(&position, best, 4), 0);
    }
}
