//! The changes of the best branch while a search runs: in which generation, on which level, and by
//! which operator.

use chess::ChessMove;
use serde_json::{Value, json};

use crate::engine::Running;
use crate::search::Origin;

/// Changes further from the root are not told.
const LEVELS: usize = 8;
/// The most changes of a search: of more, those furthest from the root go first.
const MOST: usize = 160;

/// A new best branch.
struct Change {
    generation: u64,
    /// The level of the first move that is another one: 1 for the move to play.
    level: usize,
    san: String,
    origin: Origin,
}

/// See the [module](self).
#[derive(Default)]
pub(super) struct Changes {
    /// The root of the search, as FEN, and its last generation.
    root: String,
    generation: u64,
    best: Vec<ChessMove>,
    all: Vec<Change>,
}

impl Changes {
    /// Compares the best branch with the one before.
    pub fn follow(&mut self, running: &Running) {
        let Some(generation) = running.generation.as_deref() else {
            return;
        };
        let root = running.root.to_fen();
        if root != self.root || generation.number < self.generation {
            *self = Changes {
                root,
                ..Changes::default()
            };
        }
        self.generation = generation.number;
        let mut best = Vec::new();
        let mut is_changed = false;
        for node in generation.nodes_shown.iter().filter(|node| node.is_best) {
            let level = best.len();
            best.push(node.mv);
            if !is_changed && self.best.get(level) != Some(&node.mv) && level < LEVELS {
                let sans = running.root.san_line(&best);
                self.all.push(Change {
                    generation: generation.number,
                    level: level + 1,
                    san: sans.last().cloned().unwrap_or_default(),
                    origin: node.origin,
                });
                is_changed = true;
            }
        }
        self.best = best;
        if self.all.len() > MOST {
            let furthest = (0..self.all.len()).max_by_key(|&index| self.all[index].level);
            self.all.remove(furthest.unwrap_or(0));
        }
    }

    /// The changes for the page, the first one first, if they are of the search of this root.
    pub fn to_json(&self, root: &str) -> Value {
        let mut changes = Vec::new();
        if root == self.root {
            for change in &self.all {
                let origin = change.origin.name();
                changes.push(json!([change.generation, change.level, change.san, origin]));
            }
        }
        changes.into()
    }
}
