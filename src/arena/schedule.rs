//! The plan of pairings.
//!
//! The unit is the game pair: two games between the same engines from the same opening with colours
//! reversed. Colours and openings therefore favour neither, in any order of pairs.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// The kind of a tournament.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Two engines.
    Match,
    /// The first engines against all others, but not against each other.
    Gauntlet,
    /// Everybody against everybody.
    #[default]
    RoundRobin,
    /// Everybody plays a new opponent with about as many points in every round.
    Swiss,
}

/// Two engines with a game pair to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The round, from 1: in a round of a Swiss tournament everybody plays once, in a round of the
    /// others everybody meets all its opponents once.
    pub round: u32,
    /// Indices of engines. The first has White in the first game.
    pub engines: [usize; 2],
}

/// Points of the two engines of a pair from its two games together, in the order of
/// [`Pairing::engines`].
pub type PairPoints = [f64; 2];

/// A plan of pairings. A Swiss round is known only after all games before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    pub kind: Kind,
    /// Number of engines.
    pub engines: usize,
    /// The number of game pairs of each pairing; in a Swiss tournament the number of rounds.
    pub rounds: u32,
    /// The number of challengers in a gauntlet; they come first.
    pub challengers: usize,
}

impl Schedule {
    /// Game pairs in the whole tournament.
    pub fn pairs(&self) -> usize {
        let each = match self.kind {
            Kind::Match | Kind::RoundRobin => self.engines * self.engines.saturating_sub(1) / 2,
            Kind::Gauntlet => self.challengers * self.engines.saturating_sub(self.challengers),
            Kind::Swiss => self.engines / 2,
        };
        each * self.rounds as usize
    }

    /// The pairings after `before`: all of them, or the next round of a Swiss tournament. None if
    /// there are no more.
    ///
    /// `points` has an entry for each pairing of `before`, all played in a Swiss tournament.
    pub fn next(&self, before: &[Pairing], points: &[PairPoints]) -> Vec<Pairing> {
        let once = match self.kind {
            Kind::Swiss if before.len() < self.pairs() => {
                return next_swiss_round(self.engines, before, points);
            }
            _ if !before.is_empty() || self.kind == Kind::Swiss => return Vec::new(),
            Kind::Match | Kind::RoundRobin => everybody(self.engines),
            _ => gauntlet(self.challengers, self.engines),
        };
        (1..=self.rounds)
            .flat_map(|round| once.iter().map(move |&engines| Pairing { round, engines }))
            .collect()
    }
}

/// Everybody against everybody, in an order with about equally many games for everybody, by the
/// circle method (E. Lucas, *Récréations mathématiques* II, 1883): the first stays, the others go
/// round, and opposite seats play. With an odd number one has a rest at a time.
fn everybody(engines: usize) -> Vec<[usize; 2]> {
    let seats = engines + engines % 2;
    let mut circle: Vec<usize> = (1..seats).collect();
    let mut pairs = Vec::with_capacity(engines * engines / 2);
    for _ in 1..seats {
        let place = |seat: usize| if seat == 0 { 0 } else { circle[seat - 1] };
        let opposite = (0..seats / 2)
            .map(|seat| [place(seat), place(seats - 1 - seat)])
            .filter(|pair| pair.iter().all(|&engine| engine < engines))
            .map(|[a, b]| [a.min(b), a.max(b)]);
        pairs.extend(opposite);
        circle.rotate_right(1);
    }
    pairs
}

/// Each engine of the others in turn against every challenger.
fn gauntlet(challengers: usize, engines: usize) -> Vec<[usize; 2]> {
    (challengers..engines)
        .flat_map(|other| (0..challengers).map(move |challenger| [challenger, other]))
        .collect()
}

/// The worth of a bye for the table of pairing: as much as winning both games.
const BYE: f64 = 2.0;

/// The next round of a Swiss tournament: neighbours in the table without a meeting yet. Depends on
/// nothing but its arguments.
///
/// Colours and byes need none of FIDE's care here: every pairing is two games with both colours,
/// and ratings count only played points. Two aims remain: no pairing twice while avoidable, and
/// scores as equal as possible, best first.
fn next_swiss_round(engines: usize, before: &[Pairing], points: &[PairPoints]) -> Vec<Pairing> {
    let table = SwissTable::new(engines, before, points);
    let round = before.last().map_or(0, |pairing| pairing.round) + 1;
    let pairs = (0..).find_map(|meetings| {
        table
            .bye_candidates()
            .into_iter()
            .find_map(|bye| table.pair_without(bye, meetings))
    });
    pairs
        .expect("with enough meetings allowed any pairing will do")
        .into_iter()
        .map(|engines| Pairing { round, engines })
        .collect()
}

/// The state of the tournament.
struct SwissTable {
    /// Engines, best first; among equals in the order of the tournament.
    ranking: Vec<usize>,
    points: Vec<f64>,
    byes: Vec<u32>,
    /// The number of meetings of each two.
    met: Vec<Vec<u32>>,
}

impl SwissTable {
    fn new(engines: usize, before: &[Pairing], pair_points: &[PairPoints]) -> SwissTable {
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
            let played: BTreeSet<usize> =
                round.iter().flat_map(|pairing| pairing.engines).collect();
            for resting in (0..engines).filter(|engine| !played.contains(engine)) {
                byes[resting] += 1;
                points[resting] += BYE;
            }
        }
        let mut ranking: Vec<usize> = (0..engines).collect();
        ranking.sort_by(|&a, &b| points[b].total_cmp(&points[a]));
        SwissTable {
            ranking,
            points,
            byes,
            met,
        }
    }

    /// The candidates for a rest, last in the ranking first among those with the fewest byes; only
    /// `None` if all can play.
    fn bye_candidates(&self) -> Vec<Option<usize>> {
        if self.ranking.len().is_multiple_of(2) {
            return vec![None];
        }
        let mut candidates = self.ranking.clone();
        candidates.reverse();
        candidates.sort_by_key(|&engine| self.byes[engine]);
        candidates.into_iter().map(Some).collect()
    }

    /// A pairing of all but `bye`, with at most `meetings` earlier meetings of any two; `None` if
    /// impossible.
    fn pair_without(&self, bye: Option<usize>, meetings: u32) -> Option<Vec<[usize; 2]>> {
        let left: Vec<usize> = self
            .ranking
            .iter()
            .copied()
            .filter(|&engine| Some(engine) != bye)
            .collect();
        let mut pairs = Vec::with_capacity(left.len() / 2);
        self.complete(&left, meetings, &mut pairs, &mut BTreeSet::new())
            .then_some(pairs)
    }

    /// Pairs the best of `left` with the most suitable of the others, provided the rest can be
    /// paired too. `hopeless` remembers the impossible rests, so none is tried twice.
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
            let rest: Vec<usize> = others
                .iter()
                .copied()
                .filter(|&other| other != opponent)
                .collect();
            pairs.push([best, opponent]);
            if self.complete(&rest, meetings, pairs, hopeless) {
                return true;
            }
            pairs.pop();
        }
        hopeless.insert(left.to_vec());
        false
    }

    /// Those with the nearest score first. In the score group of `best` the middle comes first
    /// (upper half against lower half, as in the Dutch system), then further down, then upwards.
    fn by_suitability(&self, best: usize, others: &[usize]) -> Vec<usize> {
        let difference = |engine: usize| self.points[best] - self.points[engine];
        let equals = others
            .iter()
            .take_while(|&&other| difference(other) == 0.0)
            .count();
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

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;

    fn schedule(kind: Kind, engines: usize, rounds: u32) -> Schedule {
        Schedule {
            kind,
            engines,
            rounds,
            challengers: 1,
        }
    }

    /// The number of meetings of each two.
    fn meetings(pairings: &[Pairing]) -> BTreeMap<[usize; 2], u32> {
        let mut meetings = BTreeMap::new();
        for pairing in pairings {
            let [a, b] = pairing.engines;
            assert_ne!(a, b);
            *meetings.entry([a.min(b), a.max(b)]).or_default() += 1;
        }
        meetings
    }

    /// Checks that rounds come in order, and each engine plays once before any plays twice.
    fn check_rounds(engines: usize, pairings: &[Pairing]) {
        assert!(pairings.is_sorted_by_key(|pairing| pairing.round));
        for round in pairings.chunks(engines / 2) {
            let engines: BTreeSet<usize> =
                round.iter().flat_map(|pairing| pairing.engines).collect();
            assert_eq!(engines.len(), 2 * round.len(), "{round:?}");
        }
    }

    #[test]
    fn a_round_robin_has_every_pairing_equally_often() {
        for engines in 2..20 {
            for rounds in 1..4 {
                let schedule = schedule(Kind::RoundRobin, engines, rounds);
                let pairings = schedule.next(&[], &[]);
                assert_eq!(pairings.len(), schedule.pairs());
                check_rounds(engines, &pairings);
                let meetings = meetings(&pairings);
                assert_eq!(meetings.len(), engines * (engines - 1) / 2);
                assert!(meetings.values().all(|&times| times == rounds));
            }
        }
    }

    #[test]
    fn in_a_gauntlet_only_challengers_meet_the_others() {
        let schedule = Schedule {
            challengers: 2,
            ..schedule(Kind::Gauntlet, 5, 4)
        };
        let pairings = schedule.next(&[], &[]);
        assert_eq!(pairings.len(), schedule.pairs());
        let expected = (0..2).flat_map(|a| (2..5).map(move |b| ([a, b], 4)));
        assert_eq!(meetings(&pairings), expected.collect::<BTreeMap<_, _>>());
    }

    /// A whole Swiss tournament with these results of pairs (in half points of the first engine, 0
    /// to 4).
    fn swiss(engines: usize, rounds: u32, results: &[u8]) -> Vec<Pairing> {
        let schedule = schedule(Kind::Swiss, engines, rounds);
        let (mut pairings, mut points) = (Vec::new(), Vec::new());
        for round in 1..=rounds {
            let next = schedule.next(&pairings, &points);
            assert_eq!(next, schedule.next(&pairings, &points), "always the same");
            assert_eq!(next.len(), engines / 2);
            assert!(next.iter().all(|pairing| pairing.round == round));
            for pairing in next {
                let result = f64::from(results[pairings.len() % results.len()]) / 2.0;
                points.push([result, 2.0 - result]);
                pairings.push(pairing);
            }
        }
        assert!(schedule.next(&pairings, &points).is_empty());
        assert_eq!(pairings.len(), schedule.pairs());
        check_rounds(engines, &pairings);
        pairings
    }

    #[test]
    fn swiss_rounds_pair_winners_with_winners() {
        // The first engine of every pair wins.
        let pairings: Vec<[usize; 2]> = swiss(8, 3, &[4])
            .iter()
            .map(|pairing| pairing.engines)
            .collect();
        assert_eq!(pairings[..4], [[0, 4], [1, 5], [2, 6], [3, 7]]);
        assert_eq!(pairings[4..8], [[0, 2], [1, 3], [4, 6], [5, 7]]);
        assert_eq!(pairings[8], [0, 1]);
    }

    /// Returns true if everybody can be paired without a second meeting, found by trying
    /// everything.
    fn can_be_paired(left: &[usize], met: &BTreeMap<[usize; 2], u32>) -> bool {
        let Some((&first, others)) = left.split_first() else {
            return true;
        };
        others.iter().any(|&other| {
            let rest: Vec<usize> = others
                .iter()
                .copied()
                .filter(|&engine| engine != other)
                .collect();
            !met.contains_key(&[first.min(other), first.max(other)]) && can_be_paired(&rest, met)
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

        /// A round has no second meeting if avoidable, even close to everybody having met
        /// everybody.
        #[test]
        fn swiss_pairings_are_new_while_that_is_possible(
            engines in 2_usize..9,
            rounds in 1_u32..10,
            results in prop::collection::vec(0_u8..=4, 40),
        ) {
            let pairings = swiss(engines, rounds, &results);
            // Where the number is odd, anybody may be without a pairing.
            let byes = if engines.is_multiple_of(2) { engines..engines + 1 } else { 0..engines };
            for (round, now) in pairings.chunks(engines / 2).enumerate() {
                let before = meetings(&pairings[..round * (engines / 2)]);
                let repeated = meetings(now).keys().any(|two| before.contains_key(two));
                let possible = byes.clone().any(|bye| {
                    let left: Vec<usize> = (0..engines).filter(|&engine| engine != bye).collect();
                    can_be_paired(&left, &before)
                });
                prop_assert_eq!(repeated, !possible, "round {}", round + 1);
            }
        }
    }

    /// Large fields are paired at once, also when nearly everybody has met.
    #[test]
    fn large_swiss_tournaments_are_paired_quickly() {
        let started = std::time::Instant::now();
        assert!(
            meetings(&swiss(32, 20, &[4, 0, 2, 3, 1, 4, 4]))
                .values()
                .all(|&times| times == 1)
        );
        swiss(101, 9, &[4, 0, 2, 3, 1, 4, 4]);
        assert!(started.elapsed().as_secs() < 120);
    }
}
