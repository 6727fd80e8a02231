//! A genetic search to look at: its work, the development of its population, its fittest branches,
//! and the interesting part of the reservation tree, as text and as a web page.
//!
//! ```text
//! ExplainTask -> explain -> Explanation -> to_text, to_html
//! ```
//!
//! All values are from White's point of view, as in the paper and in the tree. A search with a node
//! limit gives the same explanation on every machine, byte for byte.

mod excerpt;
mod html;
mod text;

use std::cmp::Reverse;
use std::time::Duration;

use anyhow::bail;
use chess::{ChessMove, Color};

pub use excerpt::Excerpt;
pub use html::{BOARD_SCRIPT, BOARD_STYLE, PIECES, TREE_SCRIPT, filled};

use crate::engine::{Backend, Settings, backend};
use crate::rules::position::Position;
use crate::rules::score::Score;
use crate::search::clock::TimeSource;
use crate::search::genetic::params::{GeneticOptions, Leaves};
use crate::search::genetic::selection::fittest;
use crate::search::genetic::statistics::Snapshot;
use crate::search::genetic::tree::ReservationTree;
use crate::search::genetic::{Remains, Statistics};
use crate::search::time_control::Budget;
use crate::search::{Clock, Limits, SearchReport};
use crate::util::options::OptionGroup as _;
use crate::util::system;

/// The default number of positions: a fraction of a second.
pub const USUAL_NODES: u64 = 200_000;
/// The default number of branches.
pub const USUAL_BRANCHES: usize = 16;
/// More are never listed.
pub const MOST_BRANCHES: usize = 200;

/// Stands near the beginning of every web page.
pub const HTML_MARK: &str = "<title>Kashan: a search of ";

/// The limit of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// A number of visited positions.
    Nodes(u64),
    /// A time.
    Time(Duration),
}

impl Limit {
    /// Returns the clock for a search from now on.
    pub fn clock(self) -> Clock {
        let budget = match self {
            Limit::Nodes(_) => None,
            Limit::Time(time) => Some(Budget {
                soft: time,
                hard: time,
            }),
        };
        Clock::start(TimeSource::Wall, budget)
    }
}

/// The task of an explanation.
#[derive(Clone, Debug)]
pub struct ExplainTask {
    pub root: Position,
    /// Options of the genetic search, evaluation, memory and seed; the backend is ignored.
    pub settings: Settings,
    pub limit: Limit,
    /// The wanted number of the fittest branches, up to [`MOST_BRANCHES`].
    pub branches: usize,
}

/// The effort on a move of the root.
#[derive(Clone, Debug)]
pub struct Effort {
    pub san: String,
    /// The value, White's point of view; `None` without a living branch of the move, or if the move
    /// was not searched to the end.
    pub value: Option<Score>,
    /// Visited positions of its branches.
    pub positions: u64,
}

/// A search, ready to be shown.
#[derive(Clone, Debug)]
pub struct Explanation {
    pub root: Position,
    pub limit: Limit,
    /// Seed and evaluation, and every option of the search with another value than the default.
    pub settings: Vec<(&'static str, String)>,
    /// The move to play.
    pub best: Option<String>,
    /// The search's value of the root, White's point of view. The tree may have another value: its
    /// best branch may have been searched deeper at the end of the search.
    pub value: Score,
    /// Positions visited.
    pub nodes: u64,
    /// The counts of the search's work.
    pub statistics: Statistics,
    /// The moves of the root: moves with branches first, the best leading, then the others.
    pub efforts: Vec<Effort>,
    /// The share of the tree at and below the move to play, from 0 to 1.
    pub effort_on_best: f64,
    /// The states from the initial population to the end; their values are White's point of view,
    /// too.
    pub snapshots: Vec<Snapshot>,
    /// The last nodes of the fittest branches, in [`Excerpt::nodes`], the fittest first.
    pub branches: Vec<usize>,
    pub tree: Excerpt,
}

/// Searches until the task's limit or the clock's end, and records an explanation.
///
/// # Errors
/// The game is over in the root position.
pub fn explain(task: &ExplainTask, clock: &Clock) -> anyhow::Result<Explanation> {
    if let Some(outcome) = task.root.outcome() {
        let (reason, fen) = (outcome.reason(), task.root.to_fen());
        bail!("nothing to search: {reason} in {fen}");
    }
    let mut settings = task.settings.clone();
    settings.engine.backend = Backend::Genetic;
    if settings.engine.seed == 0 {
        // It asks for any; the explanation names the one that was taken, so that it can be made
        // again.
        settings.engine.seed = i64::from((system::random() as u32).max(1));
    }
    let mut searcher = backend::build(&settings);
    searcher.set_memory(megabytes(&settings, task.limit));
    let limits = match task.limit {
        Limit::Nodes(nodes) => Limits::of_nodes(nodes),
        Limit::Time(_) => Limits::default(),
    };
    let report = searcher.search(&task.root, &limits, clock, &mut ());
    let remains = searcher
        .remains()
        .expect("a genetic search has made its tree");
    let task = ExplainTask {
        settings,
        ..task.clone()
    };
    Ok(explain_search(remains, &report, &task))
}

/// Records the explanation of a finished search.
pub fn explain_search(
    remains: Remains<'_>,
    report: &SearchReport,
    task: &ExplainTask,
) -> Explanation {
    let Remains {
        tree: whole,
        history,
    } = remains;
    let white_moves = task.root.side_to_move() == Color::White;
    let white = |score: Score| if white_moves { score } else { -score };
    let (branches, tree) = look(whole, task);
    let mut snapshots = history.snapshots.clone();
    for snapshot in &mut snapshots {
        snapshot.value = white(snapshot.value);
    }
    Explanation {
        limit: task.limit,
        settings: noteworthy(&task.settings),
        best: report.best_move().map(|mv| task.root.san(mv)),
        value: white(report.score),
        nodes: report.nodes,
        statistics: history.statistics(),
        effort_on_best: whole.effort_on_best(),
        efforts: efforts(&task.root, &tree, &history.root_nodes),
        snapshots,
        branches,
        tree,
        root: task.root.clone(),
    }
}

impl Explanation {
    /// `Seed 1, Evaluation paper`
    fn settings_in_words(&self) -> String {
        let mut words = Vec::new();
        for (name, value) in &self.settings {
            words.push(format!("{name} {value}"));
        }
        words.join(", ")
    }
}

/// Returns the effort on each move of the root, from the `positions` visited for each.
fn efforts(root: &Position, tree: &Excerpt, positions: &[(ChessMove, u64)]) -> Vec<Effort> {
    let children = &tree.nodes[0].children;
    let mut efforts = Vec::new();
    for &(mv, positions) in positions {
        let rank = children
            .iter()
            .position(|&child| tree.nodes[child].mv == Some(mv));
        let effort = Effort {
            san: root.san(mv),
            value: rank.and_then(|rank| tree.nodes[children[rank]].value),
            positions,
        };
        efforts.push((rank.unwrap_or(usize::MAX), effort));
    }
    efforts.sort_by_key(|(rank, effort)| (*rank, Reverse(effort.positions)));
    efforts.into_iter().map(|(_, effort)| effort).collect()
}

/// Returns the memory for a search. A tree has no more nodes than visited positions, so a small
/// search needs little, whatever the option; but replacement in the table of leaf searches depends
/// on its size, so leaf searches have the same memory as in play.
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

fn noteworthy(settings: &Settings) -> Vec<(&'static str, String)> {
    let usual = Settings::default();
    let mut names = vec!["Seed", "Evaluation", "Preset", "WeightsFile", "Hash"];
    names.extend(
        GeneticOptions::default()
            .specs()
            .iter()
            .map(|spec| spec.name),
    );
    let mut found = Vec::new();
    for name in names {
        let value = settings.get(name);
        if matches!(name, "Seed" | "Evaluation") || value != usual.get(name) {
            found.push((name, value.unwrap_or_default()));
        }
    }
    found
}

/// Returns the ends of the fittest branches in the shown part of the tree, and the shown part.
fn look(tree: &ReservationTree, task: &ExplainTask) -> (Vec<usize>, Excerpt) {
    let mut chromosomes = Vec::new();
    let wanted = task.branches.clamp(1, MOST_BRANCHES);
    // The first has no move if nothing was shown of any, or if all are mated and others may not be.
    fittest(tree, wanted + 1, &mut chromosomes);
    let paths = chromosomes.iter().map(|chromosome| &chromosome.nodes[..]);
    let paths = paths.filter(|path| !path.is_empty()).take(wanted);
    let is_bred = task.settings.genetic.leaves == Leaves::AlphaBeta;
    excerpt::take(tree, &task.root, paths, is_bred)
}

#[cfg(test)]
mod tests;
