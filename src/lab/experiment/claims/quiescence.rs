//! C4 and C5: quiescence branches, against branches that lose the queen; and evaluation only at
//! quiet positions.

use chess::{ChessMove, EMPTY};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::arena::suite::Loss;
use crate::eval::{Evaluator as _, Winglet};
use crate::lab::experiment::positions::{after_searches, alphabeta, genetic, survey};
use crate::lab::experiment::verdict::Paired;
use crate::lab::experiment::words::percent;
use crate::lab::experiment::{Conclusion, Laboratory, Part, Text};
use crate::rules::position::moves::captures_and_promotions;
use crate::rules::position::{Line, Position, legal_moves};
use crate::rules::score::Score;
use crate::search::genetic::tree::ReservationTree;
use crate::search::{Clock, Limits, Searcher, exchange};

/// The loss of a queen, in centipawns; a queen for a rook or a minor piece counts, too.
const QUEEN: i32 = 500;

/// The choice of a search.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Chosen {
    san: String,
    /// The loss in centipawns, by our alpha-beta search.
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
pub fn branches(laboratory: &Laboratory, text: &Text) -> anyhow::Result<Conclusion> {
    let conditions = &laboratory.conditions;
    let seed = conditions.seed;
    let nodes = conditions.nodes(10_000, 20_000);
    let count = conditions.pick(120, 500);
    let depth = conditions.pick(6, 8);
    let terms = [("nodes", nodes), ("depth", depth.into())];
    let pairs = survey(laboratory, "c4-queens", count, &terms, |position| {
        let choose = |from: &str| -> anyhow::Result<Chosen> {
            let mut search = genetic(&[("QuiescenceFrom", from)], seed)?;
            let report = search.search_nodes(position, nodes);
            let mv = report
                .best_move()
                .ok_or_else(|| anyhow::anyhow!("no move in {}", position.to_fen()))?;
            Ok(Chosen {
                san: position.san(mv),
                loss: loss(position, mv, depth),
            })
        };
        Ok(Pair {
            fen: position.to_fen(),
            with: choose("captures")?,
            without: choose("never")?,
        })
    })?;
    let lost = pairs
        .iter()
        .map(|pair| [&pair.without, &pair.with].map(Chosen::loses));
    let lost = Paired::new(lost);
    let statement =
        "In searches, quiescence branches make it rarer that the chosen move loses a queen";
    let evidence = lost.in_words(["without", "with quiescence branches"]);
    let parts = vec![Part::new(statement, lost.verdict(), evidence)];
    let data = json!({ "nodes": nodes, "depth": depth, "tally": lost, "positions": pairs });
    Ok(text.conclude(
        laboratory,
        &[("count", &count), ("nodes", &nodes), ("depth", &depth)],
        parts,
        data,
    ))
}

/// Returns the loss of a move by our alpha-beta search, in centipawns. Both moves are searched
/// alone, equally deep.
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

/// Returns value and move of a search without memory; with `only`, of this one move.
fn search(position: &Position, depth: u32, only: Option<ChessMove>) -> (Score, Option<ChessMove>) {
    let others = position
        .legal_moves()
        .into_iter()
        .filter(|&mv| only.is_some_and(|only| only != mv));
    let limits = Limits {
        depth: Some(depth),
        excluded: others.collect(),
        ..Limits::default()
    };
    let report = alphabeta().search(position, &limits, &Clock::unlimited(), &mut ());
    (report.score, report.best_move())
}

/// Ends of branches, by the possible moves of the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
struct Ends {
    /// Mate, stalemate or a draw by rule: nothing to evaluate.
    over: usize,
    /// Ends without capture, promotion or check.
    quiet: usize,
    /// Ends in check, without capture and promotion: quiet by the paper's words.
    in_check: usize,
    /// Captures or promotions, but none that wins material by exchange evaluation.
    at_rest: usize,
    /// A capture or promotion that wins material by exchange evaluation.
    restless: usize,
    /// Evaluated ends with another value than the evaluation function's.
    other_value: usize,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
struct Searched {
    fen: String,
    ends: Ends,
}

/// C5: Evaluation at quiet positions.
pub fn quiet_positions(laboratory: &Laboratory, text: &Text) -> anyhow::Result<Conclusion> {
    let conditions = &laboratory.conditions;
    let nodes = conditions.nodes(10_000, 50_000);
    let count = conditions.pick(40, 200);
    let work = "c5-ends-of-branches";
    let searched = after_searches(laboratory, work, count, nodes, |position, search| {
        let ends = search.tree().map(|tree| ends(tree, position));
        Searched {
            fen: position.to_fen(),
            ends: ends.unwrap_or_default(),
        }
    })?;
    let mut sum = Ends::default();
    for Searched { ends, .. } in &searched {
        sum.over += ends.over;
        sum.quiet += ends.quiet;
        sum.in_check += ends.in_check;
        sum.at_rest += ends.at_rest;
        sum.restless += ends.restless;
        sum.other_value += ends.other_value;
    }
    let data = json!({ "nodes": nodes, "sums": [sum], "positions": searched });
    Ok(text
        .conclude(
            laboratory,
            &[("count", &count), ("nodes", &nodes)],
            parts(&sum),
            data,
        )
        .with_text(&text.remark))
}

fn parts(ends: &Ends) -> Vec<Part> {
    // Quiet by the paper's words.
    let quiet = ends.quiet + ends.in_check;
    let at_rest = quiet + ends.at_rest;
    let evaluated = at_rest + ends.restless;
    let share = |count| format!("{count} of {evaluated}, {}", percent(count, evaluated));
    vec![
        Part::exact(
            "To the letter: here branches are evaluated only where nothing can be captured and no pawn can promote",
            quiet == evaluated,
            share(quiet),
        ),
        Part::measured(
            "In spirit: where no capture or promotion wins material by exchange evaluation",
            share(at_rest),
        ),
        Part::measured(
            "Whether the value of a branch is the evaluation function's at its end, unless the game is over there",
            format!("{} of {evaluated} have another", ends.other_value),
        ),
    ]
}

/// Returns the ends of a tree's branches, by kind.
fn ends(tree: &ReservationTree, root: &Position) -> Ends {
    let evaluator = Winglet::default();
    let mut ends = Ends::default();
    let mut line = Line::new(root);
    tree.visit(|node, genes| {
        let Some(own) = tree.own_value(node) else {
            return;
        };
        line.truncate(0);
        genes.iter().for_each(|&gene| line.make(gene));
        let board = line.board();
        if line.is_draw() || legal_moves(board).is_empty() {
            ends.over += 1;
            return;
        }
        ends.other_value += usize::from(own != evaluator.evaluate(board));
        let captures = captures_and_promotions(board);
        if captures.is_empty() && *board.checkers() == EMPTY {
            ends.quiet += 1;
        } else if captures.is_empty() {
            ends.in_check += 1;
        } else if captures.iter().any(|&mv| exchange::at_least(board, mv, 1)) {
            ends.restless += 1;
        } else {
            ends.at_rest += 1;
        }
    });
    ends
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::experiment::ClaimVerdict;
    use crate::lab::experiment::positions::moves;

    #[test]
    fn a_queen_that_hangs_is_lost() {
        // Qxa7 loses the queen to the rook.
        let position =
            Position::from_fen("r5k1/p4ppp/8/8/8/8/5PPP/Q5K1 w - - 0 1").expect("a position");
        let takes = position.parse_move("Qxa7").expect("a move");
        assert!(loss(&position, takes, 4) >= QUEEN);
        let best = search(&position, 4, None).1.expect("a move");
        assert_eq!(loss(&position, best, 4), 0);
    }

    #[test]
    fn the_papers_second_example_is_not_quiet() {
        let is_quiet_after = |line: &str| {
            let mut position = Position::default();
            moves(&position, line)
                .expect("moves")
                .iter()
                .for_each(|&mv| position.play(mv).expect("legal"));
            captures_and_promotions(position.board()).is_empty()
        };
        assert!(is_quiet_after("e4") && !is_quiet_after("e4 d5"));
    }

    #[test]
    fn ends_are_told_apart() {
        let root = Position::default();
        let mut tree = ReservationTree::with_capacity(20);
        let evaluator = Winglet::default();
        for line in ["e4", "e4 d5", "d4 e6 c3 Bb4", "f3 e5 g4 Qh4", "e4 f5 Qh5"] {
            let mut position = root.clone();
            let mut path = vec![tree.root()];
            for mv in moves(&root, line).expect("moves") {
                position.play(mv).expect("legal");
                let parent = path[path.len() - 1];
                let node = tree
                    .child(parent, mv)
                    .unwrap_or_else(|| tree.insert(parent, path.len(), mv));
                path.push(node);
            }
            let value = match position.outcome() {
                Some(_) => Score::mated_in(path.len() - 1),
                None => evaluator.evaluate(position.board()),
            };
            tree.set_own(
                path[path.len() - 1],
                path.len() - 1,
                value,
                position.outcome().is_some(),
            );
        }
        let ends = ends(&tree, &root);
        // Of the two that are not quiet exd5 is taken back; cxb4 wins a bishop.
        let expected = Ends {
            over: 1,
            quiet: 1,
            in_check: 1,
            at_rest: 1,
            restless: 1,
            other_value: 0,
        };
        assert_eq!(ends, expected);
        let parts = parts(&ends);
        let verdicts: Vec<&ClaimVerdict> = parts.iter().map(|part| &part.verdict).collect();
        assert_eq!(
            verdicts,
            [
                &ClaimVerdict::Refuted,
                &ClaimVerdict::Measured,
                &ClaimVerdict::Measured
            ]
        );
        assert!(
            parts[2].evidence.starts_with("0 of "),
            "{}",
            parts[2].evidence
        );
    }
}
