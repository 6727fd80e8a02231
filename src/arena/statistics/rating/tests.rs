use proptest::prelude::*;

use super::*;
use crate::arena::Verdict::{self, BlackWins, Draw, WhiteWins};

fn anchored(anchors: &[(&str, f64)]) -> Anchors {
    Anchors {
        ratings: anchors
            .iter()
            .map(|&(name, rating)| (name.to_owned(), rating))
            .collect(),
        white_advantage: false,
    }
}

/// Four players, pairs and singles.
fn example() -> Results {
    let mut results = Results::default();
    for (white, black, verdict, pair) in [
        ("A", "B", WhiteWins, Some(1)),
        ("B", "A", Draw, Some(1)),
        ("A", "B", WhiteWins, Some(2)),
        ("B", "A", WhiteWins, Some(2)),
        ("A", "C", WhiteWins, Some(1)),
        ("C", "A", BlackWins, Some(1)),
        ("A", "C", Draw, Some(2)),
        ("C", "A", Draw, Some(2)),
        ("B", "C", WhiteWins, Some(1)),
        ("C", "B", WhiteWins, Some(1)),
        ("B", "C", Draw, Some(2)),
        ("C", "B", BlackWins, Some(2)),
        ("D", "A", BlackWins, Some(1)),
        ("A", "D", Draw, Some(1)),
        ("D", "B", WhiteWins, None),
        ("C", "D", Draw, None),
        ("D", "C", WhiteWins, None),
        ("B", "D", Draw, None),
    ] {
        results.add(white, black, verdict, pair);
    }
    results
}

fn results_of(games: &[(&str, &str, Verdict)]) -> Results {
    let mut results = Results::default();
    for &(white, black, verdict) in games {
        results.add(white, black, verdict, None);
    }
    results
}

fn check(list: &RatingList, expected: &[(&str, f64, f64)]) {
    for &(name, rating, error) in expected {
        let elo = list.of(name).expect(name).elo;
        assert!((elo.value - rating).abs() < 1e-5, "{name}: {elo:?}");
        assert!(
            (elo.high - elo.value - Z95 * error).abs() < 1e-4,
            "{name}: {elo:?}"
        );
        assert!(
            (elo.value - elo.low - Z95 * error).abs() < 1e-4,
            "{name}: {elo:?}"
        );
    }
}

/// The numbers were computed by a separate program (Python with mpmath, 25 digits): the log likelihood as a plain sum over games, its
/// derivatives by finite differences, the last player's rating eliminated instead of a singular matrix mended.
#[test]
fn ratings_and_errors_equal_an_independent_computation() {
    let list = RatingList::estimate(&example(), &Anchors::default()).expect("a list");
    check(
        &list,
        &[
            ("A", 101.4272955, 59.733597),
            ("D", 46.30718463, 72.47447413),
            ("B", -33.01276005, 56.86857012),
            ("C", -114.7217201, 60.21681809),
        ],
    );
    let names: Vec<&str> = list.ratings.iter().map(|rating| rating.name.as_str()).collect();
    assert_eq!(names, ["A", "D", "B", "C"]);

    let with_advantage = Anchors {
        white_advantage: true,
        ..Anchors::default()
    };
    let list = RatingList::estimate(&example(), &with_advantage).expect("a list");
    check(
        &list,
        &[
            ("A", 112.3668222, 65.02907169),
            ("D", 51.39762406, 78.11712483),
            ("B", -36.64273462, 61.26184057),
            ("C", -127.1217116, 65.78843334),
        ],
    );
    let advantage = list.white_advantage.expect("it was asked for");
    assert!((advantage.value - 118.0918877).abs() < 1e-5, "{advantage:?}");
    assert!(
        (advantage.high - advantage.value - Z95 * 63.55551341).abs() < 1e-4,
        "{advantage:?}"
    );
}
