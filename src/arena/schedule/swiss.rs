//! Swiss pairings: neighbours in the table who have not met.
//!
//! Colours and byes need none of FIDE's care here: every pairing is two games with both colours, and ratings
//! do not count points that nobody played for. What remains is: no pairing twice while that can be avoided,
//! and scores as equal as possible, best first.

use std::collections::BTreeSet;

use super::{PairPoints, Pairing};

/// What a bye is worth for the table that pairs: as much as winning both games.
const BYE: f64 = 2.0;

/// The next round. Depends on nothing but its arguments.
pub fn next_round(engines: usize, before: &[Pairing], points: &[PairPoints]) -> Vec<Pairing> {
    let table = Table::new(engines, before, points);
    let round = before.last().map_or(0, |pairing| pairing.round) + 1;
    let pairs = (0..).find_map(|meetings| {
        table.bye_candidates().into_iter().find_map(|bye| table.pair_without(bye, meetings))
    });
    pairs
        .expect("with enough meetings allowed any pairing will do")
        .into_iter()
        .map(|engines| Pairing { round, engines })
        .collect()
}

/// The state of the tournament.
struct Table {
    /// Engines, best first; among equals in the order of the tournament.
    ranking: Vec<usize>,
    points: Vec<f64>,
    byes: Vec<u32>,
    /// How often each two have met.
    met: Vec<Vec<u32>>,
}

impl Table {
    fn new(engines: usize, before: &[Pairing], pair_points: &[PairPoints]) -> Table {
        let mut points = vec![0.0; engines];
        let mut byes = vec![0; engines];
        let mut met = vec![vec![0; engines]; engines];
        for (pairing, pair_points) in before.iter().zip(pair_points) {
            let [a, b] = pairing.engines;
            met[a][b] += 1;
            met[b][a] += 1;
            points[a] += pair_points[0];
            points[b] += pair_points[1];
        }
        for round in before.chunk_by(|a, b| a.round == b.round) {
            let played: BTreeSet<usize> = round.iter().flat_map(|pairing| pairing.engines).collect();
            for resting in (0..engines).filter(|engine| !played.contains(engine)) {
                byes[resting] += 1;
                points[resting] += BYE;
            }
        }
        let mut ranking: Vec<usize> = (0..engines).collect();
        ranking.sort_by(|&a, &b| points[b].total_cmp(&points[a]));
        Table { ranking, points, byes, met }
    }

    /// Who may rest: the last of those who have rested least. Nobody if all can play.
    fn bye_candidates(&self) -> Vec<Option<usize>> {
        if self.ranking.len().is_multiple_of(2) {
            return vec![None];
        }
        let mut candidates = self.ranking.clone();
        candidates.reverse();
        candidates.sort_by_key(|&engine| self.byes[engine]);
        candidates.into_iter().map(Some).collect()
    }

    /// Everybody but `bye` paired, nobody with somebody met more than `meetings` times; `None` if that cannot
    /// be.
    fn pair_without(&self, bye: Option<usize>, meetings: u32) -> Option<Vec<[usize; 2]>> {
        let left: Vec<usize> = self.ranking.iter().copied().filter(|&engine| Some(engine) != bye).collect();
        let mut pairs = Vec::with_capacity(left.len() / 2);
        self.complete(&left, meetings, &mut pairs, &mut BTreeSet::new()).then_some(pairs)
    }

    /// Pairs the best of `left` with the most suitable of the others with whom the rest can be paired too.
    /// `hopeless` remembers which rests cannot, so that none is tried twice.
    fn complete(
        &self,
        left: &[usize],
        meetings: u32,
        pairs: &mut Vec<[usize; 2]>,
        hopeless: &mut BTreeSet<Vec<usize>>,
    ) -> bool {
        let Some((&best, others)) = left.split_first() else {
            return true;
        };
        if hopeless.contains(left) {
            return false;
        }
        for opponent in self.by_suitability(best, others) {
            if self.met[best][opponent] > meetings {
                continue;
            }
            let rest: Vec<usize> = others.iter().copied().filter(|&other| other != opponent).collect();
            pairs.push([best, opponent]);
            if self.complete(&rest, meetings, pairs, hopeless) {
                return true;
            }
            pairs.pop();
        }
        hopeless.insert(left.to_vec());
        false
    }

    /// Those with the nearest score first. In the score group of `best` the middle comes first (upper half
    /// against lower half, as in the Dutch system), then further down, then upwards.
    fn by_suitability(&self, best: usize, others: &[usize]) -> Vec<usize> {
        let difference = |engine: usize| self.points[best] - self.points[engine];
        let equals = others.iter().take_while(|&&other| difference(other) == 0.0).count();
        let (group, lower) = others.split_at(equals);
        // `best` itself belongs to the group: of 4 equals, the first meets the third.
        let half = group.len() / 2;
        let (upper_half, lower_half) = group.split_at(half);
        let mut order = lower_half.to_vec();
        order.extend(upper_half.iter().rev());
        order.extend(lower);
        order
    }
}
