//! What a search says: thinking lines while it runs, and the report at its end.

use chess::ChessMove;

use super::search::Search;
use crate::score::Score;
use crate::search::{Bound, Observer, Progress, SearchReport, Variation};

/// Decides which changes are worth a thinking line, without looking at the clock.
#[derive(Default)]
pub struct News {
    mv: Option<ChessMove>,
    value: Score,
    generation: u64,
}

impl News {
    /// Tells the observer if the move to play or its value changed enough to be worth a line.
    pub fn announce<E>(&mut self, search: &Search<'_, E>, observer: &mut dyn Observer) {
        let variation = search.best_line();
        let value = search.root_value();
        if !self.is_due(variation.first().copied(), value, search.statistics.generations) {
            return;
        }
        observer.progress(&Progress {
            depth: variation.len() as u32,
            selective_depth: search.tree.height() as u32,
            score: search.for_mover(value),
            bound: Bound::Exact,
            time: search.gate.clock().elapsed(search.gate.nodes()),
            nodes: search.gate.nodes(),
            table_hits: search.gate.table_hits(),
            variation: &variation,
        });
    }

    fn is_due(&mut self, mv: Option<ChessMove>, value: Score, generation: u64) -> bool {
        // A new move is due at once; a new value when an eighth of the search has gone by since the last
        // line; the same line again each time the search has doubled.
        let age = generation - self.generation.min(generation);
        let due = mv != self.mv
            || (value != self.value && age * 8 >= generation)
            || (age > 0 && age * 2 >= generation);
        if due {
            *self = News { mv, value, generation };
        }
        due
    }
}

/// The move to play and all that belongs to it, at any moment of the search.
pub fn report<E>(search: &Search<'_, E>) -> SearchReport {
    let (variation, score) = if search.is_initial_complete() {
        (search.best_line(), search.root_value())
    } else {
        best_of_the_complete(search)
    };
    SearchReport {
        depth: variation.len() as u32,
        variation,
        score: search.for_mover(score),
        selective_depth: search.tree.height() as u32,
        nodes: search.gate.nodes(),
        table_hits: search.gate.table_hits(),
        branches: search.statistics.branches,
    }
}

/// The clock cut the initial population short: only root moves with all their replies can be compared. If
/// there is none, the first move has to do, with the root's value in quiescence.
fn best_of_the_complete<E>(search: &Search<'_, E>) -> (Variation, Score) {
    let tree = &search.tree;
    let node_of = |mv| tree.child(tree.root(), mv);
    let value_of = |mv| node_of(mv).and_then(|node| tree.value(node));
    let complete = &search.root_moves[..search.complete_root_moves];
    let best = complete
        .iter()
        .copied()
        .rev()
        .max_by_key(|&mv| value_of(mv).map(|value| search.for_mover(value)))
        .or(search.root_moves.first().copied());
    let branch = best.and_then(node_of).into_iter().flat_map(|node| tree.best_branch(node));
    let mut variation: Variation = branch.map(|node| tree.gene(node)).collect();
    if variation.is_empty() {
        variation.extend(best);
    }
    (variation, best.and_then(value_of).unwrap_or(search.first_guess))
}
