//! How the population developed, in about a dozen stages.

use super::words::grouped;
use crate::position::Position;
use crate::score::Score;
use crate::search::genetic::Statistics;
use crate::search::genetic::history::Snapshot;

/// What was there after some generation, and what became of the children since the stage before.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// 0 after the initial population.
    pub generation: u64,
    /// Positions visited so far.
    pub nodes: u64,
    /// Branches so far.
    pub branches: u64,
    /// H: the level of the deepest node.
    pub height: u64,
    /// P: how many branches were to breed next.
    pub population: usize,
    /// Children since the stage before: none at the first.
    pub children: Children,
    /// First move of the best branch.
    pub best: Option<String>,
    /// Its value, White's point of view.
    pub value: Score,
}

impl Stage {
    /// As tables show it: generation, positions, branches; new, duplicate and illegal children in percent; H,
    /// P, move and value.
    pub fn cells(&self) -> [String; 10] {
        let shares = self.children.shares();
        let share = |index: usize| shares.map_or(String::new(), |shares| format!("{:.0}", shares[index]));
        [
            grouped(self.generation),
            grouped(self.nodes),
            grouped(self.branches),
            share(0),
            share(1),
            share(2),
            self.height.to_string(),
            self.population.to_string(),
            self.best.clone().unwrap_or_default(),
            self.value.to_string(),
        ]
    }
}

/// What became of children.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Children {
    /// They entered the tree.
    pub new: u64,
    /// They were there before.
    pub duplicate: u64,
    /// One of their moves cannot be made, or they were too long.
    pub illegal: u64,
}

impl Children {
    /// What became of all children that the statistics count.
    pub(super) fn of(statistics: &Statistics) -> Children {
        Children {
            new: statistics.births(),
            duplicate: statistics.duplicates,
            illegal: statistics.illegal + statistics.too_long,
        }
    }

    fn since(self, before: Children) -> Children {
        Children {
            new: self.new - before.new,
            duplicate: self.duplicate - before.duplicate,
            illegal: self.illegal - before.illegal,
        }
    }

    /// New, duplicate and illegal in percent of all. `None` where there was no child.
    pub fn shares(self) -> Option<[f64; 3]> {
        let all = self.new + self.duplicate + self.illegal;
        let share = |part: u64| 100.0 * part as f64 / all as f64;
        (all > 0).then(|| [self.new, self.duplicate, self.illegal].map(share))
    }
}

/// Every snapshot as a stage.
pub(super) fn stages(root: &Position, snapshots: &[Snapshot]) -> Vec<Stage> {
    let white_moves = root.side_to_move() == chess::Color::White;
    let mut before =
        snapshots.first().map_or_else(Children::default, |first| Children::of(&first.statistics));
    snapshots
        .iter()
        .map(|snapshot| {
            let statistics = &snapshot.statistics;
            let so_far = Children::of(statistics);
            let children = so_far.since(before);
            before = so_far;
            Stage {
                generation: statistics.generations,
                nodes: snapshot.nodes,
                branches: statistics.branches,
                height: statistics.height,
                population: snapshot.population,
                children,
                best: snapshot.best.map(|mv| root.san(mv)),
                value: if white_moves { snapshot.value } else { -snapshot.value },
            }
        })
        .collect()
}

/// At most about `count` stages, evenly spread, the first and the last among them; children are summed over
/// those left out.
pub(super) fn thinned(stages: &[Stage], count: usize) -> Vec<Stage> {
    let last = stages.len().saturating_sub(1);
    let mut kept = Vec::new();
    let mut children = Children::default();
    for (index, stage) in stages.iter().enumerate() {
        children.new += stage.children.new;
        children.duplicate += stage.children.duplicate;
        children.illegal += stage.children.illegal;
        // The index of the stage that comes next in a row of `count`.
        let due = kept.len() * last / count.saturating_sub(1).max(1);
        if index >= due || index == last {
            kept.push(Stage { children: std::mem::take(&mut children), ..stage.clone() });
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stage(generation: u64) -> Stage {
        Stage {
            generation,
            nodes: generation * 100,
            branches: generation,
            height: 3,
            population: 64,
            children: Children { new: 1, duplicate: 2, illegal: 3 },
            best: None,
            value: Score::DRAW,
        }
    }

    #[test]
    fn thinning_keeps_both_ends_and_every_child() {
        for (length, count) in [(0, 12), (1, 12), (5, 12), (12, 12), (13, 12), (77, 12), (40, 2)] {
            let stages: Vec<Stage> = (0..length).map(stage).collect();
            let kept = thinned(&stages, count);
            assert!(kept.len() <= count.min(stages.len()), "{length}: {}", kept.len());
            assert_eq!(kept.first().map(|s| s.generation), stages.first().map(|s| s.generation));
            assert_eq!(kept.last().map(|s| s.generation), stages.last().map(|s| s.generation));
            assert_eq!(kept.iter().map(|s| s.children.illegal).sum::<u64>(), 3 * length);
        }
        assert_eq!(thinned(&(0..77).map(stage).collect::<Vec<_>>(), 12).len(), 12);
    }

    #[test]
    fn shares_add_up_to_a_hundred() {
        assert_eq!(Children::default().shares(), None);
        let shares = stage(1).children.shares().unwrap();
        assert!((shares.iter().sum::<f64>() - 100.0).abs() < 1e-9);
        assert_eq!(shares[2], 50.0);
    }
}
