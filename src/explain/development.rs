//! How the population developed, in about a dozen stages.

use super::Explanation;
use super::words::grouped;
use crate::search::genetic::Statistics;

/// What became of the children between two states of a search: new ones, those that were there before, and
/// those with a move that cannot be made or that were too long, in percent of all. `None` where there was no
/// child.
pub(super) fn shares(before: &Statistics, now: &Statistics) -> Option<[f64; 3]> {
    let kinds = |done: &Statistics| [done.births(), done.duplicates, done.illegal + done.too_long];
    let [before, now] = [before, now].map(kinds);
    let since = [0, 1, 2].map(|kind| (now[kind] - before[kind]) as f64);
    let all: f64 = since.iter().sum();
    (all > 0.0).then(|| since.map(|part| 100.0 * part / all))
}

impl Explanation {
    /// At most about `count` stages as tables show them: generation, positions, branches; new, duplicate and
    /// illegal children since the stage before in percent; H, P, move and value.
    pub fn stages(&self, count: usize) -> Vec<[String; 10]> {
        let stages = thinned(&self.snapshots, count);
        let before = stages.iter().take(1).chain(&stages);
        let rows = before.zip(&stages).map(|(before, stage)| {
            let done = &stage.statistics;
            let shares = shares(&before.statistics, done);
            let share = |index: usize| shares.map_or(String::new(), |shares| format!("{:.0}", shares[index]));
            [
                grouped(done.generations),
                grouped(stage.nodes),
                grouped(done.branches),
                share(0),
                share(1),
                share(2),
                done.height.to_string(),
                stage.population.to_string(),
                stage.best.map_or(String::new(), |mv| self.root.san(mv)),
                stage.value.to_string(),
            ]
        });
        rows.collect()
    }
}

/// At most about `count` of all, evenly spread, the first and the last among them.
fn thinned<T: Copy>(all: &[T], count: usize) -> Vec<T> {
    let last = all.len().saturating_sub(1);
    let mut kept = Vec::new();
    for (index, &one) in all.iter().enumerate() {
        // The index of the one that comes next in a row of `count`.
        let due = kept.len() * last / count.saturating_sub(1).max(1);
        if index >= due || index == last {
            kept.push(one);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinning_keeps_both_ends() {
        for (length, count) in [(0, 12), (1, 12), (5, 12), (12, 12), (13, 12), (77, 12), (40, 2)] {
            let all: Vec<usize> = (0..length).collect();
            let kept = thinned(&all, count);
            assert!(kept.len() <= count.min(length), "{length}: {}", kept.len());
            assert_eq!((kept.first(), kept.last()), (all.first(), all.last()));
        }
        assert_eq!(thinned(&[(); 77], 12).len(), 12);
    }

    #[test]
    fn shares_add_up_to_a_hundred() {
        let none = Statistics::default();
        assert_eq!(shares(&none, &none), None);
        let some = Statistics { mutations: 1, duplicates: 2, illegal: 2, too_long: 1, ..none };
        let shares = shares(&none, &some).unwrap();
        assert!((shares.iter().sum::<f64>() - 100.0).abs() < 1e-9);
        assert_eq!(shares[2], 50.0);
    }
}
