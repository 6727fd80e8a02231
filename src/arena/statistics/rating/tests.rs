use proptest::prelude::*;

use super::*;
use crate::arena::Verdict::{self, BlackWins, Draw, WhiteWins};
use crate::arena::statistics::elo::{self, Z95};
use crate::arena::statistics::expected_score;

fn anchored(anchors: &[(&str, f64)]) -> Anchors {
    let ratings = anchors
        .iter()
        .map(|&(name, rating)| (name.to_owned(), rating))
        .collect();
    Anchors {
        ratings,
        ..Anchors::default()
    }
}

/// Games in a text: `A>B` White won, `A<B` Black did, `A=B` a draw; with a colon the number of the
/// pair.
pub fn results_of(games: &str) -> Results {
    let mut results = Results::default();
    for game in games.split_whitespace() {
        let (players, pair) = game
            .split_once(':')
            .map_or((game, None), |(game, pair)| (game, Some(pair)));
        let at = players.find(['>', '<', '=', '*']).expect(game);
        let verdict = match &players[at..=at] {
            ">" => WhiteWins,
            "<" => BlackWins,
            "=" => Draw,
            _ => Verdict::Unfinished,
        };
        results.add(
            &players[..at],
            &players[at + 1..],
            verdict,
            pair.map(|pair| pair.parse().expect(game)),
        );
    }
    results
}

/// Four players, pairs and singles.
fn example() -> Results {
    let pairs =
        "A>B:1 B=A:1 A>B:2 B>A:2 A>C:1 C<A:1 A=C:2 C=A:2 B>C:1 C>B:1 B=C:2 C<B:2 D<A:1 A=D:1";
    results_of(&format!("{pairs} D>B C=D D>C B=D"))
}

fn refused(list: anyhow::Result<RatingList>, reason: &str) {
    let error = list.expect_err(reason).to_string();
    assert!(error.contains(reason), "{error}");
}

/// The numbers were computed by a separate program (Python with mpmath, 25 digits): the log
/// likelihood as a plain sum over games, its derivatives by finite differences, the last player's
/// rating eliminated instead of a singular matrix mended; the dispersion by another one.
#[test]
fn ratings_and_errors_equal_an_independent_computation() {
    let given = [&[][..], &[("B", 2000.0)]];
    let expected = [
        [
            [101.42730, 75.0674],
            [46.30718, 91.0789],
            [-33.01276, 71.4669],
            [-114.72172, 75.6747],
        ],
        [
            [2134.44006, 115.6783],
            [2079.31994, 137.1484],
            [2000.0, 0.0],
            [1918.29104, 114.0333],
        ],
    ];
    for (given, expected) in given.into_iter().zip(expected) {
        let list = RatingList::estimate(&example(), &anchored(given)).expect("a list");
        let near = |elo: Estimate, [rating, error]: [f64; 2]| {
            assert!((elo.value - rating).abs() < 1e-5, "{rating}: {elo:?}");
            assert!(
                ((elo.high - elo.value) / Z95 - error).abs() < 1e-4,
                "{rating}: {elo:?}"
            );
            assert!(
                ((elo.value - elo.low) / Z95 - error).abs() < 1e-4,
                "{rating}: {elo:?}"
            );
        };
        let names: Vec<&str> = list
            .ratings
            .iter()
            .map(|rating| rating.name.as_str())
            .collect();
        assert_eq!(names, ["A", "D", "B", "C"]);
        list.ratings
            .iter()
            .zip(expected)
            .for_each(|(rating, expected)| near(rating.elo, expected));
        let is_given = |rating: &Rating| given.iter().any(|(name, _)| *name == rating.name);
        assert!(
            list.ratings
                .iter()
                .all(|rating| rating.anchored == is_given(rating))
        );
    }
}

/// Vázquez-Fernández and Coello, "An Adaptive Evolutionary Algorithm ...", table III and section V:
/// against Rybka 2.3.2a at 2510, 2312, 2207 and 1994, 200 games each, the evolved player scored 57
/// % of 800, and was given 2317. One free player among anchors: a performance rating.
#[test]
fn the_evolved_players_2317() {
    let against = |opponents: &[(&str, f64, [u32; 3])]| {
        let mut results = Results::default();
        for &(name, _, [wins, draws, losses]) in opponents {
            for (verdict, count) in [(WhiteWins, wins), (Draw, draws), (BlackWins, losses)] {
                (0..count).for_each(|_| results.add("Evolved", name, verdict, None));
            }
        }
        let anchors: Vec<(&str, f64)> = opponents
            .iter()
            .map(|&(name, rating, _)| (name, rating))
            .collect();
        let list = RatingList::estimate(&results, &anchored(&anchors)).expect("a list");
        list.of("Evolved").expect("a player").clone()
    };
    // Two results are printed as numbers, and each alone leads to the rating.
    let first = ("A", 2510.0, [29, 40, 131]);
    let second = ("B", 2312.0, [77, 48, 75]);
    assert!((against(&[first]).elo.value - 2314.488).abs() < 0.001);
    assert!((against(&[second]).elo.value - 2315.474).abs() < 0.001);
    // The other two only as bars. 57 % rounded are 452 to 460 points, of which the two take 150,
    // and it is the sum that the rating follows from: how it is divided does not matter.
    let with_total = |points: u32, third: u32| {
        let fourth = points - 150 - third;
        let others = [
            ("C", 2207.0, [third, 0, 200 - third]),
            ("D", 1994.0, [fourth, 0, 200 - fourth]),
        ];
        against(&[[first, second], others].concat())
    };
    let rating = with_total(456, 130);
    assert!((rating.elo.value - 2318.490).abs() < 0.001, "{rating:?}");
    assert!((with_total(456, 120).elo.value - 2318.490).abs() < 0.001);
    assert!((rating.opposition - (2510.0 + 2312.0 + 2207.0 + 1994.0) / 4.0).abs() < 1e-9);
    let [least, most] = [452, 460].map(|points| with_total(points, 130).elo.value);
    assert!(
        (2313.0..2317.0).contains(&least) && (2317.0..2324.0).contains(&most),
        "{least} {most}"
    );
    // However far the anchor lies from where the search for the maximum might begin.
    let [near, far] = [0.0, 1e6].map(|rating| against(&[("A", rating, [29, 40, 131])]).elo.value);
    assert!((far - near - 1e6).abs() < 1e-3, "{far} {near}");
}

#[test]
fn only_linked_players_are_rated_and_the_others_named() {
    let linked = "A>B B>A A=B B<A ";
    // X and Y are linked with each other, and beat those who beat everybody. There is nothing but a
    // loser between AboveZero and the rest, and P and Q are on their own.
    let tied = "King>A King>B Zero<A Zero<B X>King King<X X>Y X<Y AboveZero>Zero P=Q idle*A";
    let all = linked.to_owned() + tied;
    let list = RatingList::estimate(&results_of(&all), &Anchors::default()).expect("a list");
    let names: Vec<&str> = list
        .ratings
        .iter()
        .map(|rating| rating.name.as_str())
        .collect();
    assert_eq!(names, ["A", "B"]);
    assert_eq!(
        list.not_rated,
        ["King", "Zero", "X", "Y", "AboveZero", "P", "Q"]
    );
    // A and B are rated as if the others did not exist.
    let alone = RatingList::estimate(&results_of(linked), &Anchors::default()).expect("a list");
    assert_eq!(list.ratings, alone.ratings);
    let ahead = list.ratings[0].elo.value - list.ratings[1].elo.value;
    assert!((ahead - elo::elo_difference(0.625)).abs() < 1e-6);

    // The anchors decide which of several sets is rated.
    let list = RatingList::estimate(&results_of(&all), &anchored(&[("Q", 1500.0)]));
    let list = list.expect("a list");
    assert!(
        list.of("P")
            .is_some_and(|rating| rating.elo.value == 1500.0)
    );
    assert!(list.of("A").is_none());
    // Nobody is linked with anybody.
    let list = RatingList::estimate(&results_of("King>A"), &Anchors::default()).expect("a list");
    assert_eq!((list.ratings.len(), list.not_rated.len()), (0, 2));
    let notes = crate::arena::report::rating_notes(&list);
    assert!(notes.contains("King, A"), "{notes}");
}

#[test]
fn a_prior_links_everybody_and_draws_them_together() {
    let results = results_of("A>B P>Q");
    let prior = |prior_games| Anchors {
        prior_games,
        ..Anchors::default()
    };
    let list = |prior_games| RatingList::estimate(&results, &prior(prior_games));
    let [weak, strong] = [1.0, 10.0].map(|games| list(games).expect("a list"));
    for list in [&weak, &strong] {
        assert!(list.not_rated.is_empty());
        assert_eq!(
            list.ratings.len(),
            4,
            "the player in the middle has no line"
        );
    }
    let of = |list: &RatingList, name: &str| list.of(name).expect("a player").elo.value;
    // Half a point of one game against 0, and one of one against an opponent as far below it: both
    // expectations together are 1½.
    let ahead = of(&weak, "A");
    assert!((expected_score(ahead) + expected_score(2.0 * ahead) - 1.5).abs() < 1e-9);
    assert!((ahead + of(&weak, "B")).abs() < 1e-6 && (ahead - of(&weak, "P")).abs() < 1e-6);
    assert!(of(&strong, "A") < ahead / 2.0);
    refused(list(-1.0), "0 or more, not -1");
    refused(list(f64::NAN), "0 or more, not NaN");
}

#[test]
fn with_few_games_intervals_are_not_narrower_than_without_draws() {
    // Trees of games: nothing but a prior is left over to see how much results vary.
    for games in ["A>B P>Q", "A=B C=B C=D E=D E=F"] {
        let mut before = f64::INFINITY;
        for prior_games in [0.01, 0.5, 1.0, 2.0, 10.0] {
            let anchors = Anchors {
                prior_games,
                ..Anchors::default()
            };
            let list = RatingList::estimate(&results_of(games), &anchors).expect("a list");
            let rating = list.of("A").expect("a player");
            let half = rating.elo.high - rating.elo.value;
            // With one game and the prior alone, each of the variance of an even game or less: no
            // error is smaller. Few draws may halve it.
            let least = Z95 * ELO / ((1.0 + prior_games) / 4.0).sqrt() / 2.0;
            assert!(
                half > least && half < before && half.is_finite(),
                "{prior_games}: {rating:?}"
            );
            before = half;
            let first = &list.ratings[0];
            assert!(
                first
                    .superiority
                    .is_some_and(|chance| (0.4..0.97).contains(&chance)),
                "{first:?}"
            );
        }
    }
}

#[test]
fn anchors_link_what_games_do_not() {
    let results = results_of("A=B X=Y A>B X<Y");
    let list =
        RatingList::estimate(&results, &anchored(&[("B", 2000.0), ("Y", 2500.0)])).expect("a list");
    assert!(list.not_rated.is_empty());
    let of = |name: &str| list.of(name).expect(name).elo.value;
    assert!((of("A") - 2000.0 - elo::elo_difference(0.75)).abs() < 1e-6);
    assert!((of("X") - 2500.0 - elo::elo_difference(0.25)).abs() < 1e-6);
    assert_eq!(
        list.of("B").expect("an anchor").elo,
        Estimate {
            value: 2000.0,
            low: 2000.0,
            high: 2000.0
        }
    );
}

#[test]
fn what_cannot_be_rated_is_an_error() {
    let results = results_of("A=B");
    for (results, anchors, reason) in [
        (&Results::new(["A"]), &[][..], "no finished games"),
        (&results_of("A*B"), &[], "no finished games"),
        (
            &results,
            &[("C", 1.0)],
            "'C' cannot be an anchor: no such player; there are A, B",
        ),
        (&results, &[("A", f64::NAN)], "anchor 'A' is no number"),
    ] {
        refused(RatingList::estimate(results, &anchored(anchors)), reason);
    }
    // Everyone an anchor: nothing to estimate, nothing wrong.
    let list =
        RatingList::estimate(&results, &anchored(&[("A", 1.0), ("B", 2.0)])).expect("a list");
    assert_eq!(list.ratings[0].name, "B");
}

#[test]
fn rounding_leads_nowhere() {
    // Five players are so few that conjugate gradients end exactly, but for rounding.
    let games = "a<b a=b b=e e=d d>b a>e e=d e<c d=e c>b a<e b>c a=d a>d d<a c<d e<a a<d a=e a=d";
    for games in [games, &games.split(' ').rev().collect::<Vec<_>>().join(" ")] {
        let list = RatingList::estimate(&results_of(games), &Anchors::default()).expect("a list");
        assert!(
            (list.of("d").expect("it played").elo.value - 31.456).abs() < 1e-3,
            "{list:?}"
        );
    }
}

fn games() -> impl Strategy<Value = Vec<(usize, usize, Verdict, Option<u32>)>> {
    let verdict = prop_oneof![Just(WhiteWins), Just(BlackWins), Just(Draw)];
    let game = (0usize..5, 0usize..4, verdict, prop::option::of(0u32..4));
    let game = game
        .prop_map(|(white, step, verdict, pair)| (white, (white + 1 + step) % 5, verdict, pair));
    prop::collection::vec(game, 1..60)
}

const NAMES: [&str; 5] = ["a", "b", "c", "d", "e"];

fn rated(
    games: &[(usize, usize, Verdict, Option<u32>)],
    verdict: impl Fn(Verdict) -> Verdict,
) -> RatingList {
    let mut results = Results::default();
    for &(white, black, played, pair) in games {
        results.add(NAMES[white], NAMES[black], verdict(played), pair);
    }
    RatingList::estimate(&results, &Anchors::default()).expect("there are games")
}

proptest! {
    #[test]
    fn the_order_of_the_games_does_not_matter(games in games()) {
        // Which game of several is a pair's first depends on the order: here none has a pair.
        let alone: Vec<_> = games.iter().map(|&(white, black, verdict, _)| (white, black, verdict, None)).collect();
        let backwards: Vec<_> = alone.iter().rev().copied().collect();
        let list = rated(&alone, |verdict| verdict);
        let other = rated(&backwards, |verdict| verdict);
        prop_assert_eq!(list.ratings.len(), other.ratings.len());
        for rating in &list.ratings {
            let same = other.of(&rating.name).expect("the same players");
            if list.not_rated.is_empty() {
                prop_assert!((rating.elo.value - same.elo.value).abs() < 1e-4, "{rating:?} {same:?}");
                prop_assert!((rating.elo.high - same.elo.high).abs() < 1e-4, "{rating:?} {same:?}");
            }
        }
    }

    /// Turned results turn the list, and everybody's expected score is everybody's score.
    #[test]
    fn ratings_explain_the_results(games in games()) {
        let list = rated(&games, |verdict| verdict);
        let turned = rated(&games, |verdict| match verdict {
            WhiteWins => BlackWins,
            BlackWins => WhiteWins,
            other => other,
        });
        let sum: f64 = list.ratings.iter().map(|rating| rating.elo.value).sum();
        prop_assert!(sum.abs() < 1e-4, "{sum}");
        for rating in &list.ratings {
            let other = turned.of(&rating.name).expect("the same players");
            prop_assert!(rating.elo.value.is_finite());
            prop_assert!((rating.elo.value + other.elo.value).abs() < 1e-4, "{rating:?} {other:?}");
            prop_assert!((rating.elo.low..=rating.elo.high).contains(&rating.elo.value));
        }
        if list.not_rated.is_empty() {
            for rating in &list.ratings {
                let elo = |player: usize| list.of(NAMES[player]).expect("a player").elo.value;
                let expected: f64 = games.iter().map(|&(white, black, ..)| {
                    let expected = expected_score(elo(white) - elo(black));
                    match rating.name.as_str() {
                        name if name == NAMES[white] => expected,
                        name if name == NAMES[black] => 1.0 - expected,
                        _ => 0.0,
                    }
                }).sum();
                prop_assert!((expected - rating.score.points()).abs() < 1e-6, "{rating:?} {expected}");
            }
        }
    }
}

/// Tournaments between players of known strength, each opening better for one colour: about 95 of
/// 100 intervals hold the truth.
#[test]
fn intervals_hold_the_truth_as_often_as_they_say() {
    use rand::{RngExt as _, SeedableRng as _};
    const TOURNAMENTS: u32 = 400;
    let truth = [("a", 180.0), ("b", 20.0), ("c", -40.0), ("d", -160.0)];
    let mut random = rand::rngs::Xoshiro256PlusPlus::seed_from_u64(2017);
    // With few games the intervals err on the wide side.
    for (pairs, expected) in [(1, 0.93..=1.0), (3, 0.93..=0.99), (12, 0.93..=0.97)] {
        let mut held = 0;
        let mut intervals = 0;
        for _ in 0..TOURNAMENTS {
            let mut results = Results::default();
            let mut pair = 0;
            for (one, other) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
                for _ in 0..pairs {
                    pair += 1;
                    let opening = random.random_range(-0.8..0.8);
                    for [white, black] in
                        [[one, other], [other, one]].map(|two| two.map(|it| truth[it]))
                    {
                        let even = expected_score(white.1 - black.1);
                        // Added to the score, so that over all openings the mean is what it is
                        // without.
                        let expected = even + opening * even.min(1.0 - even);
                        let draws = 0.6 * expected.min(1.0 - expected);
                        let verdict = match random.random_range(0.0..1.0) {
                            x if x < expected - draws / 2.0 => WhiteWins,
                            x if x < expected + draws / 2.0 => Draw,
                            _ => BlackWins,
                        };
                        results.add(white.0, black.0, verdict, Some(pair));
                    }
                }
            }
            let list = RatingList::estimate(&results, &Anchors::default()).expect("a list");
            // Perfect scores have no interval to speak of.
            for (name, elo) in truth.iter().filter(|_| list.not_rated.is_empty()) {
                intervals += 1;
                let known = list.of(name).expect("a player").elo;
                held += u32::from((known.low..=known.high).contains(elo));
            }
        }
        let share = f64::from(held) / f64::from(intervals);
        assert!(
            expected.contains(&share),
            "{pairs} pairs: {share} of {intervals}"
        );
    }
}

/// A met B, and B met C, with the same results: A and C, who never met, have the same distance from
/// B.
#[test]
fn players_who_never_met_are_rated_through_the_others() {
    let mut results = Results::default();
    for (one, other) in [("A", "B"), ("B", "C")] {
        for verdict in [WhiteWins, WhiteWins, WhiteWins, Draw, BlackWins] {
            (0..4).for_each(|_| results.add(one, other, verdict, None));
        }
    }
    let list = RatingList::estimate(&results, &Anchors::default()).expect("a list");
    let elo = |name: &str| list.of(name).expect("a player").elo.value;
    assert!((elo("A") - elo("B") - elo::elo_difference(0.7)).abs() < 1e-6);
    assert!((elo("A") - elo("B") - (elo("B") - elo("C"))).abs() < 1e-6);
    let chances: Vec<f64> = list
        .ratings
        .iter()
        .filter_map(|rating| rating.superiority)
        .collect();
    assert!(
        chances.len() == 2 && (chances[0] - chances[1]).abs() < 1e-6 && chances[0] > 0.95,
        "{chances:?}"
    );
}
