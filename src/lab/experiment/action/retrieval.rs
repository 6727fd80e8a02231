//! A6 and A7: the library's answers in the paper's example, and the share of the search space
//! behind its filters.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::Context as _;
use chess::{ChessMove, Color};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::shelf::libraries;
use crate::engine::advice::LibraryCases;
use crate::engine::library::{Action, Filter, Library, Similarity};
use crate::eval::Dynamic;
use crate::lab::experiment::positions::{book, of_first_game, paper};
use crate::lab::experiment::verdict::below;
use crate::lab::experiment::words::{listed, percent};
use crate::lab::experiment::{ClaimVerdict, Conclusion, Laboratory, Part, Text};
use crate::lab::tuning::share_with_interval;
use crate::rules::position::Position;
use crate::search::action::CaseBase;
use crate::search::{AlphaBeta, AlphaBetaOptions, Clock, Limits, Searcher};

/// Fig. 2: the game after 21.hxg6.
const FIG_2: &str = "2rqr1k1/p4p1p/1p2pbP1/5n2/3PRB2/P1PQ1N2/5PP1/2R3K1 b - - 0 21";

/// The library's answers to 21.hxg6 according to the paper.
const REACTIONS: [&str; 3] = ["hxg6", "fxg6", "Qd7"];

/// A6: The action paper's example, computed again.
pub fn example(laboratory: &Laboratory, text: &Text) -> anyhow::Result<Conclusion> {
    let mut answers = Vec::new();
    for shelf in libraries(laboratory)? {
        let library = Library::open(shelf.path.as_ref())?;
        answers.push(Answers::of(&library, shelf.name)?);
    }
    let parts = answers.iter().map(Answers::part).collect();
    Ok(text.conclude(laboratory, &[], parts, json!({ "answers": answers })))
}

/// A library's answers to 21.hxg6.
#[derive(Serialize)]
struct Answers {
    library: String,
    cases: usize,
    /// Legal moves in Fig. 2 with their numbers, the most frequent first.
    legal: Vec<(String, usize)>,
}

impl Answers {
    fn of(library: &Library, name: String) -> anyhow::Result<Answers> {
        let root = Position::from_fen(FIG_2)?;
        let action = Action::parse("hxg6", Color::White)?;
        let filter = Filter {
            similarity: Similarity::Placement,
            degree: 0,
        };
        let found = library.similar(root.board(), action, &filter);
        let mut times: BTreeMap<String, usize> = BTreeMap::new();
        for &mv in found.iter().flat_map(|found| &found.moves) {
            *times.entry(root.san(mv)).or_default() += 1;
        }
        let mut legal = Vec::from_iter(times);
        legal.sort_by_key(|&(_, times)| Reverse(times));
        Ok(Answers {
            library: name,
            cases: library.case_count(action),
            legal,
        })
    }

    /// Returns the part of the claim. The paper's library is not known: a missing reaction in
    /// another library refutes nothing.
    fn part(&self) -> Part {
        let is_there = |wanted: &&str| self.legal.iter().any(|(san, _)| san == wanted);
        let verdict = if self.cases == 0 {
            ClaimVerdict::NotRun("the library does not know hxg6".to_owned())
        } else if REACTIONS.iter().all(is_there) {
            ClaimVerdict::Confirmed
        } else {
            ClaimVerdict::NotDecided(format!("{} cases of another library", self.cases))
        };
        let legal = listed(&self.legal, ", ", |(san, times)| format!("{san} {times}"));
        let statement = format!("hxg6 brings {}, {}", REACTIONS.join(", "), self.library);
        Part::new(
            statement,
            verdict,
            format!("{} cases, of which are legal here: {legal}", self.cases),
        )
    }
}

/// Percent; 0 is the first filter alone.
const DEGREES: [u32; 5] = [0, 40, 50, 60, 80];
const DEPTH: u32 = 4;

/// The number of moves, and the number of nodes to the depth after them.
type Size = (usize, u64);

/// The sizes in one position: of all moves, and of the moves left by each degree.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Look {
    all: Size,
    left: Vec<Size>,
}

/// A7: the share of the search space left by the filters.
pub fn reduction(laboratory: &Laboratory, text: &Text) -> anyhow::Result<Conclusion> {
    let count = laboratory.conditions.pick(20, 400);
    let mut parts = Vec::new();
    let mut data = Vec::new();
    for shelf in libraries(laboratory)? {
        let library = Arc::new(Library::open(shelf.path.as_ref())?);
        let settings =
            json!({ "library": shelf.path, "seed": laboratory.conditions.seed, "depth": DEPTH });
        let looks = laboratory.each(&format!("a7-{}", shelf.name), &settings, count, |index| {
            look(&library, &position(laboratory.conditions.seed, index)?)
        })?;
        parts.extend((0..DEGREES.len()).map(|at| searched(at, &looks, &shelf.name)));
        data.push(json!({ "library": shelf.name, "degrees": DEGREES, "positions": looks }));
    }
    Ok(text.conclude(
        laboratory,
        &[("count", &count), ("depth", &DEPTH)],
        parts,
        data,
    ))
}

/// Returns the verdict on the degree at an index: by the search of the moves left, or of
/// all moves where none is left. The measure of the search space is nodes, not moves at the root.
fn searched(at: usize, looks: &[Look], library: &str) -> Part {
    let degree = DEGREES[at];
    let count = looks.len();
    let mut none_left = 0;
    let mut moves = Vec::new();
    let mut nodes = Vec::new();
    for Look { all, left } in looks {
        let is_empty = left[at].0 == 0;
        none_left += usize::from(is_empty);
        let searched = if is_empty { all } else { &left[at] };
        moves.push([searched.0 as f64, all.0 as f64]);
        nodes.push([searched.1 as f64, all.1 as f64]);
    }
    let [moves, ..] = share_with_interval(&moves);
    let [nodes, low, high] = share_with_interval(&nodes);
    let name =
        format!("Degree {degree} %, {library}: fewer nodes to depth {DEPTH} than over all moves");
    if none_left == count {
        let evidence = format!("none is left in {count} positions: all are searched");
        return Part::measured(name, evidence);
    }
    let verdict = ClaimVerdict::of_range(below(1.0), low, high, format!("{count} positions"));
    let none_left = percent(none_left, count);
    let [moves, nodes, low, high] = [moves, nodes, low, high].map(|share| 100.0 * share);
    let evidence = format!(
        "{nodes:.1} % of the nodes ({low:.1} to {high:.1}), {moves:.1} % of the moves; none is left in {none_left} of {count} positions"
    );
    Part::new(name, verdict, evidence)
}

/// Makes a position with its last move.
fn position(seed: u64, index: usize) -> anyhow::Result<Position> {
    let mut search = searcher();
    // Some games end before their position comes.
    let found = of_first_game(seed, index, |seed| {
        let mut position = Position::default();
        for ply in 0..12 + seed % 49 {
            let known = match ply {
                0..10 => book().probe(&position, seed.wrapping_add(ply)),
                _ => None,
            };
            let mv = known.or_else(|| search.search_nodes(&position, 300).best_move());
            if mv.is_none_or(|mv| position.play(mv).is_err()) {
                break;
            }
        }
        let is_wanted = position.last_move().is_some() && position.outcome().is_none();
        (is_wanted && position.legal_moves().len() > 1).then_some(position)
    });
    found.context("no game gave a position")
}

fn searcher() -> AlphaBeta<Dynamic> {
    AlphaBeta::with_memory(paper(), AlphaBetaOptions::default(), 1)
}

fn look(library: &Arc<Library>, position: &Position) -> anyhow::Result<Look> {
    let legal = position.legal_moves();
    let mut left = Vec::new();
    for degree in DEGREES {
        let filter = Filter {
            similarity: Similarity::Tokens,
            degree,
        };
        let advice = LibraryCases::new(Arc::clone(library), filter).retrieve(position);
        let mut others = legal.to_vec();
        others.retain(|&mv| advice.of(mv).is_none());
        left.push(match advice.reactions.len() {
            0 => (0, 0),
            moves => (moves, nodes_without(position, others)),
        });
    }
    Ok(Look {
        left,
        all: (legal.len(), nodes_without(position, Vec::new())),
    })
}

/// Returns the nodes to the depth without some moves.
fn nodes_without(position: &Position, excluded: Vec<ChessMove>) -> u64 {
    let limits = Limits {
        depth: Some(DEPTH),
        excluded,
        ..Limits::default()
    };
    let report = searcher().search(position, &limits, &Clock::unlimited(), &mut ());
    report.nodes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_that_lacks_a_reaction_refutes_nothing() {
        let verdict = |moves: &[&str]| {
            let legal = moves.iter().map(|&san| (san.to_owned(), 1)).collect();
            Answers {
                library: "one".to_owned(),
                cases: 3,
                legal,
            }
            .part()
            .verdict
        };
        assert_eq!(
            verdict(&["Qd7", "hxg6", "fxg6", "Kg7"]),
            ClaimVerdict::Confirmed
        );
        let lacking = verdict(&["hxg6", "fxg6", "Kg7"]);
        assert_eq!(
            lacking,
            ClaimVerdict::NotDecided("3 cases of another library".to_owned())
        );
    }
}
