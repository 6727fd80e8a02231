//! C4: quiescence branches, against branches that lose the queen.

use chess::ChessMove;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::fitness::Figure;
use crate::display::{BarChart, Mark, Row, Table, cells};
use crate::experiment::positions::{MIDDLEGAMES, alphabeta, genetic, survey, with_nodes};
use crate::experiment::words::{or, percent};
use crate::experiment::{ClaimVerdict, Conclusion, Experiment, Laboratory, Part};
use crate::position::Position;
use crate::score::Score;
use crate::search::{Clock, Limits, Searcher};
use crate::suite::{Loss, Rate};

pub const EXPERIMENT: Experiment = Experiment {
    id: "C4",
    title: "Quiescence branches",
    claim: "A branch that loses the queen is not chosen, because the quiescence branch with the capture is put beside it.",
    source: "Section 4.9, Figs 23 to 28",
    run,
};

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

fn run(laboratory: &Laboratory<'_>) -> anyhow::Result<Conclusion> {
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
    let tally = Tally::new(&pairs);
    let (before, after) = (Figure::of_fig_28(false), Figure::of_fig_28(true));
    let parts = vec![
        Part::exact(
            "Fig. 28: the branch that loses the queen is chosen without the quiescence branch, and not with it",
            before.root_value() == Some(-620) && after.root_value() == Some(799),
            "the root has -620 without it and 799 with it: for Black, a queen won or lost",
        ),
        Part::exact(
            "Fig. 28: fitness 2 for the branch that loses the queen, 4 for the quiescence branch",
            after.fitness_of(-620) == Some(2) && after.fitness_of(799) == Some(4),
            [-620, 799].map(|value| or(after.fitness_of(value), "None")).join(" and "),
        ),
        tally.part(),
    ];
    let method = format!(
        "The tree of Fig. 28 is built with and without the quiescence branch. Then {count} {MIDDLEGAMES} are searched by the genetic search twice, \
         {nodes} nodes each: with `QuiescenceFrom=captures`, the default, and with `never`. What the chosen move loses is the value of the best move \
         less its own by our alpha-beta search of depth {depth}, each move searched alone. Five pawns or more count as a queen lost. Rates have \
         Wilson's intervals; the two searches are compared on the positions in which one of them loses a queen and the other does not."
    );
    let data = json!({ "nodes": nodes, "depth": depth, "tally": tally, "positions": pairs });
    Ok(Conclusion::new(method, parts, data)
        .with_table("How often the chosen move loses five pawns or more", tally.table())
        .with_figure(
            "queens",
            "Share of chosen moves that lose five pawns or more, with 95 % intervals",
            tally.figure(),
        ))
}

/// How often queens were lost.
#[derive(Clone, Copy, Debug, Serialize)]
struct Tally {
    with: Option<Rate>,
    without: Option<Rate>,
    /// Positions in which only the search without quiescence branches lost a queen, of those in which one of
    /// the two did.
    only_without: Option<Rate>,
    positions: usize,
}

impl Tally {
    fn new(pairs: &[Pair]) -> Tally {
        let count = |wanted: fn(&Pair) -> bool| pairs.iter().filter(|pair| wanted(pair)).count();
        let only_without = count(|pair| pair.without.loses() && !pair.with.loses());
        let only_with = count(|pair| pair.with.loses() && !pair.without.loses());
        Tally {
            with: Rate::new(count(|pair| pair.with.loses()), pairs.len()),
            without: Rate::new(count(|pair| pair.without.loses()), pairs.len()),
            only_without: Rate::new(only_without, only_without + only_with),
            positions: pairs.len(),
        }
    }

    fn part(&self) -> Part {
        let tried = format!("{} positions", self.positions);
        let verdict = match &self.only_without {
            // Neither search ever lost more than the other.
            None => ClaimVerdict::NotDecided(tried),
            Some(rate) => ClaimVerdict::of_interval(true, 0.5, rate.lower, rate.upper, tried),
        };
        let differing = self.only_without.as_ref().map_or_else(
            || "the two never differ".to_owned(),
            |rate| {
                format!(
                    "of {} positions in which only one of them does, it is the search without in {}",
                    rate.of, rate.count
                )
            },
        );
        let evidence =
            format!("with {}, without {}; {differing}", in_words(&self.with), in_words(&self.without));
        let statement = "In searches, quiescence branches make it rarer that the chosen move loses a queen";
        Part::new(statement, verdict, evidence)
    }

    fn rows(&self) -> [(&'static str, Option<Rate>); 2] {
        [("with quiescence branches", self.with), ("without", self.without)]
    }

    fn table(&self) -> Table {
        let rows = self.rows().into_iter().filter_map(|(name, rate)| {
            let rate = rate?;
            let [_, lower, upper] = rate.percents();
            let interval = format!("{lower:.1} to {upper:.1} %");
            Some(cells![name, rate.of, rate.count, percent(rate.count, rate.of), interval])
        });
        Table::headed("Genetic search | Positions: | Queens lost: | Share: | 95 % interval:").with_rows(rows)
    }

    fn figure(&self) -> String {
        let rows = self.rows().into_iter().filter_map(|(name, rate)| Some(Row::new(name, rate?.percents())));
        BarChart {
            title: "Moves that lose a queen".to_owned(),
            x_title: "moves that lose five pawns or more, %".to_owned(),
            mark: Mark::Bar,
            rows: rows.collect(),
        }
        .to_svg()
    }
}

fn in_words(rate: &Option<Rate>) -> String {
    rate.as_ref().map_or_else(
        || "nothing".to_owned(),
        |rate| format!("{} of {} ({})", rate.count, rate.of, percent(rate.count, rate.of)),
    )
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

    fn pairs(both: usize, only_with: usize, only_without: usize, neither: usize) -> Vec<Pair> {
        let chosen = |loses| Chosen { san: "Qxc3".to_owned(), loss: if loses { QUEEN } else { QUEEN - 1 } };
        let make = |count, with, without| {
            let pair = Pair { fen: String::new(), with: chosen(with), without: chosen(without) };
            std::iter::repeat_n(pair, count)
        };
        make(both, true, true)
            .chain(make(only_with, true, false))
            .chain(make(only_without, false, true))
            .chain(make(neither, false, false))
            .collect()
    }

    fn verdict(both: usize, only_with: usize, only_without: usize) -> ClaimVerdict {
        Tally::new(&pairs(both, only_with, only_without, 50)).part().verdict
    }

    #[test]
    fn only_positions_that_differ_decide() {
        assert_eq!(verdict(3, 1, 20), ClaimVerdict::Confirmed);
        assert_eq!(verdict(3, 20, 1), ClaimVerdict::Refuted);
        assert_eq!(verdict(30, 2, 3), ClaimVerdict::NotDecided("85 positions".to_owned()));
        assert_eq!(verdict(30, 0, 0), ClaimVerdict::NotDecided("80 positions".to_owned()));
    }

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
