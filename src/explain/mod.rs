//! A genetic search to look at: what it did, how its population developed, its fittest branches, and the part
//! of the reservation tree that matters, as text, for Graphviz, and as a web page.
//!
//! ```text
//! Task -> explain -> Explanation -> to_text, to_dot, to_html
//! ```
//!
//! All values are from White's point of view, as in the paper and in the tree. A search with a node limit
//! gives the same explanation on every machine, byte for byte.

mod development;
mod dot;
mod excerpt;
mod html;
mod text;
mod words;

use std::collections::HashMap;
use std::time::Duration;

use chess::Color;
use thiserror::Error;

pub use development::{Children, Stage};
pub use excerpt::{Excerpt, Node};
pub use html::{BOARD_SCRIPT, BOARD_STYLE, PIECES};

use crate::engine::backend;
use crate::engine::settings::{EngineOptions, Settings};
use crate::evaluation::{Evaluator, ForSearch};
use crate::position::Position;
use crate::score::Score;
use crate::search::clock::TimeSource;
use crate::search::genetic::chromosome::Chromosome;
use crate::search::genetic::fitness::{climb, fitness};
use crate::search::genetic::params::{GeneticOptions, Leaves};
use crate::search::genetic::selection::fittest;
use crate::search::genetic::tree::{NodeId, ReservationTree};
use crate::search::genetic::{Remains, Statistics};
use crate::search::time_control::Budget;
use crate::search::{Clock, Limits, SearchReport, Searcher};

/// Positions that are searched if nobody says otherwise: a fraction of a second.
pub const USUAL_NODES: u64 = 200_000;
/// Branches that are listed if nobody says otherwise.
pub const USUAL_BRANCHES: usize = 16;
/// More are never listed.
pub const MOST_BRANCHES: usize = 200;

/// Stands near the beginning of every graph.
pub const DOT_MARK: &str = "digraph kashan {";
/// Stands near the beginning of every web page.
pub const HTML_MARK: &str = "<title>Kashan: a search of ";

/// What ends the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// So many positions were visited.
    Nodes(u64),
    /// So much time went by.
    Time(Duration),
}

/// What is to be explained.
#[derive(Clone, Debug)]
pub struct Task {
    pub root: Position,
    /// Those of the genetic search count, with evaluation, memory and seed; which backend they name does not.
    pub settings: Settings,
    pub limit: Limit,
    /// How many of the fittest branches are wanted, up to [`MOST_BRANCHES`].
    pub branches: usize,
}

/// Why there is nothing to explain.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ExplainError {
    /// The text says how the game ended, and where.
    #[error("nothing to search: {reason} in {fen}")]
    GameOver { reason: &'static str, fen: String },
}

/// A branch: the way from the root to where its value stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// H - K + 1.
    pub fitness: usize,
    /// The level nearest to the root that has its value from this branch.
    pub k: usize,
    /// White's point of view.
    pub value: Score,
    /// Its last node, in [`Excerpt::nodes`].
    pub leaf: usize,
}

/// A search, ready to be shown.
#[derive(Clone, Debug)]
pub struct Explanation {
    pub root: Position,
    pub limit: Limit,
    /// Seed and evaluation, and every option of the search that is not as it usually is.
    pub settings: Vec<(&'static str, String)>,
    /// The move to play.
    pub best: Option<String>,
    /// The root's value, White's point of view.
    pub value: Score,
    /// Positions visited.
    pub nodes: u64,
    /// All that was done.
    pub statistics: Statistics,
    /// The root's moves, by their places in the excerpt, the best first, with the positions that were visited
    /// for their branches.
    pub efforts: Vec<(usize, u64)>,
    /// The share of the tree that stands at and below the move to play, from 0 to 1.
    pub effort_on_best: f64,
    /// From the initial population to the end.
    pub stages: Vec<Stage>,
    /// The fittest first.
    pub branches: Vec<Branch>,
    pub tree: Excerpt,
}

/// Searches, and takes down what there is to see.
///
/// # Errors
/// The game is over in the root position.
pub fn explain(task: &Task) -> Result<Explanation, ExplainError> {
    if let Some(outcome) = task.root.outcome() {
        return Err(ExplainError::GameOver { reason: outcome.reason(), fen: task.root.to_fen() });
    }
    let settings = with_known_seed(&task.settings);
    Ok(match settings.weights().for_search() {
        ForSearch::Kashan(evaluator) => explain_with(*evaluator, task, &settings),
        ForSearch::Other(evaluator) => explain_with(evaluator, task, &settings),
    })
}

fn explain_with<E: Evaluator + Clone>(evaluator: E, task: &Task, settings: &Settings) -> Explanation {
    let mut genetic = backend::genetic(evaluator, settings);
    genetic.set_memory(megabytes(settings, task.limit));
    let (limits, clock) = limits(task.limit);
    let report = genetic.search(&task.root, &limits, &clock, &mut ());
    let remains = genetic.remains().expect("a search has made its tree");
    explain_search(remains, &report, &Task { settings: settings.clone(), ..task.clone() })
}

/// Takes down what there is to see of a search that is over.
pub fn explain_search(remains: Remains<'_>, report: &SearchReport, task: &Task) -> Explanation {
    let Remains { tree: whole, history } = remains;
    let white_moves = task.root.side_to_move() == Color::White;
    let white = |score: Score| if white_moves { score } else { -score };
    let (paths, tree) = look(whole, task);
    let visited: HashMap<_, _> = history.root_nodes().iter().copied().collect();
    let positions = |place: usize| tree.nodes[place].mv.and_then(|mv| visited.get(&mv).copied()).unwrap_or(0);
    Explanation {
        limit: task.limit,
        settings: noteworthy(&task.settings),
        best: report.best_move().map(|mv| task.root.san(mv)),
        // As the tree has it: a branch that was being looked at deeper when the search ended may differ
        // from what was exact before.
        value: tree.nodes[0].value.unwrap_or(white(report.score)),
        nodes: report.nodes,
        statistics: history.statistics(),
        effort_on_best: whole.effort_on_best(),
        efforts: tree.nodes[0].children.iter().map(|&place| (place, positions(place))).collect(),
        stages: development::stages(&task.root, history.snapshots()),
        branches: paths,
        tree,
        root: task.root.clone(),
    }
}

impl Explanation {
    /// `Seed 1, Evaluation paper`
    fn settings_in_words(&self) -> String {
        let settings = self.settings.iter();
        let words = settings.map(|(name, value)| format!("{name} {value}"));
        words.collect::<Vec<_>>().join(", ")
    }
}

/// A seed of 0 asks for any; the explanation names the one that was taken, so that it can be made again.
fn with_known_seed(settings: &Settings) -> Settings {
    let mut settings = settings.clone();
    if settings.engine.seed == 0 {
        settings.engine.seed = i64::from(rand::random::<u32>().max(1));
    }
    settings
}

/// No more nodes enter the tree than positions are visited, so a small search needs little, whatever it may
/// have; what a table of leaf searches forgets depends on its size, so they have what they have in play.
fn megabytes(settings: &Settings, limit: Limit) -> usize {
    let allowed = usize::try_from(settings.engine.hash).unwrap_or(1);
    let needed = match (limit, settings.genetic.leaves) {
        (Limit::Nodes(nodes), Leaves::Quiescence) => {
            (1..allowed).find(|&some| ReservationTree::capacity_of(some) as u64 > nodes)
        }
        _ => None,
    };
    needed.unwrap_or(allowed)
}

fn limits(limit: Limit) -> (Limits, Clock) {
    match limit {
        Limit::Nodes(nodes) => {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            (limits, Clock::unlimited())
        }
        Limit::Time(time) => {
            let budget = Budget { soft: time, hard: time };
            (Limits::default(), Clock::start(TimeSource::Wall, Some(budget)))
        }
    }
}

fn noteworthy(settings: &Settings) -> Vec<(&'static str, String)> {
    let value = |name| settings.get(name).unwrap_or_default();
    let usual = Settings::default();
    let always = ["Seed", "Evaluation"];
    let engine = EngineOptions::table();
    let mut all: Vec<_> = always.map(|name| (name, value(name))).into();
    let changed = engine
        .iter()
        .filter(|spec| matches!(spec.name, "Preset" | "Hash" | "WeightsFile"))
        .chain(GeneticOptions::table().iter())
        .filter(|spec| settings.get(spec.name) != usual.get(spec.name))
        .map(|spec| (spec.name, value(spec.name)))
        .collect::<Vec<_>>();
    all.extend(changed);
    all
}

/// The fittest branches, and the part of the tree that is shown.
fn look(tree: &ReservationTree, task: &Task) -> (Vec<Branch>, Excerpt) {
    let mut chromosomes = Vec::new();
    fittest(tree, task.branches.clamp(1, MOST_BRANCHES), &mut chromosomes);
    let paths: Vec<(Vec<NodeId>, usize)> =
        chromosomes.iter().filter_map(|chromosome| with_climb(tree, chromosome)).collect();
    let (excerpt, places) = excerpt::take(tree, &task.root, paths.iter().map(|(path, _)| path.as_slice()));
    let branches = paths
        .iter()
        .zip(places)
        .filter_map(|((path, k), leaf)| {
            Some(Branch {
                fitness: fitness(tree.height(), *k),
                k: *k,
                value: tree.value(*path.last()?)?,
                leaf,
            })
        })
        .collect();
    (branches, excerpt)
}

/// The way from the root along a branch, and its K. `None` for a branch without moves or value.
fn with_climb(tree: &ReservationTree, chromosome: &Chromosome) -> Option<(Vec<NodeId>, usize)> {
    let path: Vec<NodeId> = std::iter::once(tree.root()).chain(chromosome.nodes().iter().copied()).collect();
    let k = climb(tree, &path).filter(|_| path.len() > 1)?;
    Some((path, k))
}

#[cfg(test)]
mod tests;
