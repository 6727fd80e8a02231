use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

fn schedule(kind: Kind, engines: usize, rounds: u32) -> Schedule {
    Schedule { kind, engines, rounds, challengers: 1 }
}

/// How often each two meet.
fn meetings(pairings: &[Pairing]) -> BTreeMap<[usize; 2], u32> {
    let mut meetings = BTreeMap::new();
    for pairing in pairings {
        let [a, b] = pairing.engines;
        assert_ne!(a, b);
        *meetings.entry([a.min(b), a.max(b)]).or_default() += 1;
    }
    meetings
}

/// Rounds come in order, and nobody plays twice before everybody could play once.
fn check_rounds(engines: usize, pairings: &[Pairing]) {
    assert!(pairings.is_sorted_by_key(|pairing| pairing.round));
    for round in pairings.chunks(engines / 2) {
        let mut engines: Vec<usize> = round.iter().flat_map(|pairing| pairing.engines).collect();
        engines.sort();
        assert!(engines.windows(2).all(|two| two[0] != two[1]), "{round:?}");
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
    let schedule = Schedule { challengers: 2, ..schedule(Kind::Gauntlet, 5, 4) };
    let pairings = schedule.next(&[], &[]);
    assert_eq!(pairings.len(), schedule.pairs());
    let meetings = meetings(&pairings);
    let expected: Vec<[usize; 2]> = (0..2).flat_map(|a| (2..5).map(move |b| [a, b])).collect();
    assert_eq!(meetings.keys().copied().collect::<Vec<_>>(), expected);
    assert!(meetings.values().all(|&times| times == 4));
}

/// A whole Swiss tournament with these results of pairs (in half points of the first engine, 0 to 4).
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
    let pairings: Vec<[usize; 2]> = swiss(8, 3, &[4]).iter().map(|pairing| pairing.engines).collect();
    assert_eq!(pairings[..4], [[0, 4], [1, 5], [2, 6], [3, 7]]);
    assert_eq!(pairings[4..8], [[0, 2], [1, 3], [4, 6], [5, 7]]);
    assert_eq!(pairings[8], [0, 1]);
}

/// Whether everybody can be paired without anybody meeting again, found by trying everything.
fn can_be_paired(left: &[usize], met: &BTreeMap<[usize; 2], u32>) -> bool {
    let Some((&first, others)) = left.split_first() else { return true };
    others.iter().any(|&other| {
        let rest: Vec<usize> = others.iter().copied().filter(|&engine| engine != other).collect();
        !met.contains_key(&[first.min(other), first.max(other)]) && can_be_paired(&rest, met)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// Nobody meets again in a round that could be paired otherwise, even close to everybody having met
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
    let pairings = swiss(32, 20, &[4, 0, 2, 3, 1, 4, 4]);
    assert!(meetings(&pairings).values().all(|&times| times == 1));
    swiss(101, 9, &[4, 0, 2, 3, 1, 4, 4]);
    assert!(started.elapsed().as_secs() < 120);
}
