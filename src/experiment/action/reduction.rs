//! A7: how much of the search space the filters leave.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::libraries;
use crate::display::{Table, cells};
use crate::engine::library::LibraryAdviser;
use crate::evaluation::{Profile, Winglet};
use crate::experiment::words::percent;
use crate::experiment::{Conclusion, Experiment, Laboratory, Part};
use crate::library::{Filter, Keying, Library, Similarity};
use crate::position::Position;
use crate::search::action::Adviser;
use crate::search::{AlphaBeta, AlphaBetaOptions, Clock, Limits, Searcher};
use crate::tuning::nth_seed;

pub const EXPERIMENT: Experiment = Experiment {
    id: "A7",
    title: "What the filters leave of the search space",
    claim: "The library's moves are fewer than all moves, so that the search space is reduced.",
    source: "Hesham, Abu-Elnasr & Elmougy 2021, section 3.3",
    run,
};

/// Percent; 0 is the first filter alone.
const DEGREES: [u32; 5] = [0, 40, 50, 60, 80];
const DEPTH: u32 = 4;

/// One position: of all moves and of each degree's, how many moves, and how many nodes to the depth.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Look {
    all: (usize, u64),
    left: Vec<(usize, u64)>,
}

fn run(laboratory: &Laboratory<'_>) -> anyhow::Result<Conclusion> {
    let shelves = libraries(laboratory)?;
    let count = laboratory.conditions.pick(20, 400);
    let (mut parts, mut tables, mut data) = (Vec::new(), Vec::new(), Vec::new());
    for shelf in &shelves {
        let library = Arc::new(Library::open(shelf.path.as_ref())?);
        let settings = json!({ "library": shelf.path, "seed": laboratory.conditions.seed, "depth": DEPTH });
        let looks = laboratory.each(&format!("a7-{}", shelf.name), &settings, count, |index| {
            look(&library, &position(laboratory.conditions.seed, index)?)
        })?;
        let all: (usize, u64) = sum(looks.iter().map(|look| look.all));
        let rows: Vec<_> = DEGREES
            .iter()
            .enumerate()
            .map(|(at, degree)| {
                let left = sum(looks.iter().map(|look| look.left[at]));
                let (empty, others): (Vec<_>, Vec<_>) = looks.iter().partition(|look| look.left[at].0 == 0);
                let searched = sum(looks.iter().map(|look| look.searched(at)));
                (degree, left, searched, empty.len(), sum(others.iter().map(|look| look.all)))
            })
            .collect();
        for &(degree, left, searched, empty, all_of_others) in &rows {
            let name = format!("Degree {degree} %, {}: fewer moves than all are searched", shelf.name);
            if empty == count {
                parts.push(Part::measured(
                    name,
                    format!("none is left in {count} positions: all are searched"),
                ));
                continue;
            }
            let evidence = format!(
                "{} of the moves, {} of the nodes to depth {DEPTH}; none is left in {} of {count} positions, in the others {} of the moves and {} \
                 of the nodes",
                percent(searched.0, all.0),
                percent(searched.1 as usize, all.1 as usize),
                percent(empty, count),
                percent(left.0, all_of_others.0),
                percent(left.1 as usize, all_of_others.1 as usize)
            );
            parts.push(Part::exact(name, searched.0 < all.0, evidence));
        }
        let mean = |sum: f64| format!("{:.1}", sum / count as f64);
        let head = "Degree %: | Moves left: | None left: | Moves searched: | Nodes to depth 4:";
        let table = Table::headed(head).with_rows(
            std::iter::once(cells!["all moves", mean(all.0 as f64), 0, mean(all.0 as f64), all.1]).chain(
                rows.iter().map(|&(degree, left, searched, empty, _)| {
                    cells![degree, mean(left.0 as f64), empty, mean(searched.0 as f64), searched.1]
                }),
            ),
        );
        tables.push((shelf.name.clone(), table));
        data.push(json!({ "library": shelf.name, "positions": looks }));
    }
    let method = format!(
        "{count} positions at half-moves 12 to 60 of games that alpha-beta played against itself with 300 nodes a move from lines of our book; similarity by tokens; \
         nodes of alpha-beta to depth {DEPTH} over the moves that are searched: those that are left, or all where none is (`EmptyList=all`)."
    );
    let conclusion = Conclusion::new(method, parts, json!(data));
    Ok(tables.into_iter().fold(conclusion, |conclusion, (name, table)| conclusion.with_table(name, table)))
}

impl Look {
    /// The moves that are searched with one of the degrees, and the nodes: what is left, or all if nothing
    /// is.
    fn searched(&self, degree: usize) -> (usize, u64) {
        match self.left[degree] {
            (0, _) => self.all,
            left => left,
        }
    }
}

fn sum(pairs: impl Iterator<Item = (usize, u64)>) -> (usize, u64) {
    pairs.fold((0, 0), |(a, b), (c, d)| (a + c, b + d))
}

/// A position with the move that led to it.
fn position(seed: u64, index: usize) -> anyhow::Result<Position> {
    let book = crate::book::Book::built_in();
    let mut search = searcher();
    // Some games end before their position comes.
    for attempt in 0..50 {
        let seed = nth_seed(seed, index as u64 * 50 + attempt);
        let wanted = 12 + seed % 49;
        let mut position = Position::default();
        for ply in 0..wanted {
            let limits = Limits { nodes: Some(300), ..Limits::default() };
            let mv = book.probe(&position, seed.wrapping_add(ply)).filter(|_| ply < 10);
            let mv =
                mv.or_else(|| search.search(&position, &limits, &Clock::unlimited(), &mut ()).best_move());
            if mv.is_none_or(|mv| position.play(mv).is_err()) {
                break;
            }
        }
        let moves = position.last_move().is_some() && position.outcome().is_none();
        if moves && position.legal_moves().len() > 1 {
            return Ok(position);
        }
    }
    anyhow::bail!("no game gave a position")
}

fn searcher() -> AlphaBeta<Winglet> {
    AlphaBeta::with_memory(Winglet::new(Profile::Paper), AlphaBetaOptions::default(), 1)
}

fn look(library: &Arc<Library>, position: &Position) -> anyhow::Result<Look> {
    let legal = position.legal_moves();
    let nodes = |excluded: Vec<chess::ChessMove>| {
        let limits = Limits { depth: Some(DEPTH), excluded, ..Limits::default() };
        searcher().search(position, &limits, &Clock::unlimited(), &mut ()).nodes
    };
    let left = DEGREES.iter().map(|&degree| {
        let filter = Filter { keying: Keying::San, similarity: Similarity::Tokens, degree };
        let advice = LibraryAdviser::new(Arc::clone(library), filter).advise(position);
        let excluded: Vec<_> = legal.iter().copied().filter(|&mv| advice.of(mv).is_none()).collect();
        match advice.reactions.len() {
            0 => (0, 0),
            moves => (moves, nodes(excluded)),
        }
    });
    Ok(Look { left: left.collect(), all: (legal.len(), nodes(Vec::new())) })
}
