//! The plan of pairings.
//!
//! The unit is the game pair: two games between the same engines from the same opening with colours
//! reversed. Colours and openings therefore favour neither, in any order of pairs.

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
}

/// Two engines with a game pair to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The round, from 1: in each everybody meets all its opponents once.
    pub round: u32,
    /// Indices of engines. The first has White in the first game.
    pub engines: [usize; 2],
}

/// A plan of pairings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    pub kind: Kind,
    /// Number of engines.
    pub engines: usize,
    /// The number of game pairs of each pairing.
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
        };
        each * self.rounds as usize
    }

    /// The pairings, in the order of play.
    pub fn pairings(&self) -> Vec<Pairing> {
        let once = match self.kind {
            Kind::Match | Kind::RoundRobin => everybody(self.engines),
            Kind::Gauntlet => gauntlet(self.challengers, self.engines),
        };
        let mut pairings = Vec::with_capacity(self.pairs());
        for round in 1..=self.rounds {
            for &engines in &once {
                pairings.push(Pairing { round, engines });
            }
        }
        pairings
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
        for seat in 0..seats / 2 {
            let one = if seat == 0 { 0 } else { circle[seat - 1] };
            let other = circle[seats - 2 - seat];
            if one.max(other) < engines {
                pairs.push([one.min(other), one.max(other)]);
            }
        }
        circle.rotate_right(1);
    }
    pairs
}

/// Each engine of the others in turn against every challenger.
fn gauntlet(challengers: usize, engines: usize) -> Vec<[usize; 2]> {
    let mut pairs = Vec::new();
    for other in challengers..engines {
        for challenger in 0..challengers {
            pairs.push([challenger, other]);
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

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
                let pairings = schedule.pairings();
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
        let pairings = schedule.pairings();
        assert_eq!(pairings.len(), schedule.pairs());
        let expected = (0..2).flat_map(|a| (2..5).map(move |b| ([a, b], 4)));
        assert_eq!(meetings(&pairings), expected.collect::<BTreeMap<_, _>>());
    }
}
