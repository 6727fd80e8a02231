//! The changes of the best branch while a search runs: in which generation, on which level, and by
//! which operator.

use chess::ChessMove;
use serde_json::{Value, json};

use crate::engine::Running;
use crate::search::{LiveNode, Origin};

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
        let is_best = |node: &&LiveNode| node.is_best;
        let nodes: Vec<&LiveNode> = generation.nodes_shown.iter().filter(is_best).collect();
        let best: Vec<ChessMove> = nodes.iter().map(|node| node.mv).collect();
        let same = self.best.iter().zip(&best);
        let same = same.take_while(|(before, now)| before == now).count();
        if let Some(node) = nodes.get(same).filter(|_| same < LEVELS) {
            let sans = running.root.san_line(&best[..=same]);
            self.all.push(Change {
                generation: generation.number,
                level: same + 1,
                san: sans.last().cloned().unwrap_or_default(),
                origin: node.origin,
            });
        }
        self.best = best;
        if self.all.len() > MOST {
            let furthest = (0..self.all.len()).max_by_key(|&index| self.all[index].level);
            furthest.map(|index| self.all.remove(index));
        }
    }

    /// The changes for the page, the first one first, if they are of the search of this root.
    pub fn to_json(&self, root: &str) -> Value {
        let all = self.all.iter().filter(|_| root == self.root);
        let changes = all.map(|change| {
            json!([
                change.generation,
                change.level,
                change.san,
                change.origin.name()
            ])
        });
        changes.collect()
    }
}
