//! Scores, pairs and tests against published examples, and their symmetries.

use proptest::prelude::*;

use super::score::Posterior;
use super::*;
use crate::arena::statistics::elo;

fn score(wins: u32, draws: u32, losses: u32) -> Outcomes {
    Outcomes {
        singles: MatchScore {
            wins,
            draws,
            losses,
        },
        ..Outcomes::default()
    }
}

fn pairs(pairs: [u32; 5]) -> Outcomes {
    Pentanomial(pairs).into()
}

fn near(value: f64, expected: f64, tolerance: f64) {
    assert!(
        (value - expected).abs() <= tolerance,
        "{value} is not {expected}"
    );
}

fn half_width(estimate: Estimate) -> f64 {
    (estimate.high - estimate.low) / 2.0
}

fn normalized(outcomes: Outcomes) -> Estimate {
    outcomes.normalized_elo().expect("games")
}

/// The figures of other programs: the mean with its standard error, taken as normal.
fn normal_elo(outcomes: Outcomes) -> Estimate {
    let mean = outcomes.rate().expect("games");
    let error = standard_error(outcomes);
    let elo = |errors: f64| elo_difference(mean + errors * error);
    Estimate {
        value: elo(0.0),
        low: elo(-Z95),
        high: elo(Z95),
    }
}

fn standard_error(outcomes: Outcomes) -> f64 {
    (outcomes.variance().expect("games") / f64::from(outcomes.games())).sqrt()
}

fn normal_superiority(outcomes: Outcomes) -> f64 {
    elo::normal_probability((outcomes.rate().expect("games") - 0.5) / standard_error(outcomes))
}

/// Checks that other programs and ours agree to a hundredth for hundreds of games.
fn agrees_with_normal(outcomes: Outcomes) {
    let ours = outcomes.elo().expect("games");
    let theirs = normal_elo(outcomes);
    near(
        half_width(ours),
        half_width(theirs),
        0.01 * half_width(theirs),
    );
    near(
        outcomes.superiority().expect("games"),
        normal_superiority(outcomes),
        0.002,
    );
}

/// Dehghani and Babamir 2017, table 6: two levels against one, 13 wins, 4 losses, 3 ties, 14.5 of
/// 20.
#[test]
fn the_papers_table_6() {
    let table6 = score(13, 3, 4);
    assert_eq!(
        (table6.games(), table6.points(), table6.rate()),
        (20, 14.5, Some(0.725))
    );
    let elo = table6.elo().expect("games");
    near(elo.value, 168.402, 0.001);
    // The normal approximation: 20 games are too few for it.
    near(normal_elo(table6).low, 33.928, 0.001);
    near(normal_elo(table6).high, 384.277, 0.001);
    // By a separate program (Python with mpmath): the draws' share as a beta distribution, given it
    // the wins' share as another.
    near(elo.low, 19.332_118_556, 1e-7);
    near(elo.high, 325.691_900_898, 1e-7);
    near(table6.superiority().expect("games"), 0.987_028_365_89, 1e-9);
    assert_eq!(elo.to_string(), "+168 (+19 to +326)");
    assert_eq!(
        table6.reversed().elo().expect("games").to_string(),
        "-168 (-326 to -19)"
    );
}

/// The examples of fastchess's own tests (app/tests/elo_test.cpp; there each half width, and one
/// per cent of tolerance).
#[test]
fn published_scores_and_pairs() {
    for (outcomes, normalized_elo, normalized_error, elo, error, superiority) in [
        (score(136, 111, 96), 49.77, 36.77, 40.70, 30.43, 0.9960),
        (pairs([34, 54, 63, 64, 75]), 57.94, 28.28, 55.58, 27.65, 1.0),
        (
            pairs([332, 433, 498, 333, 334]),
            -9.17,
            10.96,
            -8.64,
            10.33,
            0.0505,
        ),
        (
            pairs([7895, 8757, 5685, 568, 9999]),
            -19.01,
            2.65,
            -21.04,
            2.95,
            0.0,
        ),
    ] {
        near(normalized(outcomes).value, normalized_elo, 0.01);
        near(half_width(normalized(outcomes)), normalized_error, 0.01);
        near(outcomes.elo().expect("games").value, elo, 0.01);
        near(half_width(normal_elo(outcomes)), error, 0.01);
        near(normal_superiority(outcomes), superiority, 0.00005);
        agrees_with_normal(outcomes);
    }
    near(normalized(score(76, 123, 89)).value, -20.76, 0.01);
    near(half_width(normalized(score(76, 123, 89))), 40.13, 0.01);
    near(normal_superiority(score(76, 123, 89)), 0.1553, 0.00005);
    agrees_with_normal(score(76, 123, 89));
    near(normalized(score(34, 0, 356)).value, -508.44, 0.01);
}

fn sprt(elo0: f64, elo1: f64, model: EloModel) -> Sprt {
    Sprt::new(elo0, elo1, 0.05, 0.05, model).expect("a test")
}

/// The samples of fastchess's and fishtest's tests (app/tests/sprt_test.cpp,
/// server/fishtest/stats/stat_util.py). fastchess gives two digits, in agreement with these; the
/// rest comes from a separate program (Python with mpmath, 30 digits), solving the conditions of
/// the constrained maxima as one system of equations, by Newton's method in the logarithms of the
/// probabilities.
#[test]
fn published_tests() {
    use EloModel::{Logistic, Normalized};
    let games = |wins, losses, draws| score(wins, draws, losses);
    for (outcomes, elo0, elo1, model, expected) in [
        (
            games(36433, 36027, 68692),
            0.0,
            2.0,
            Normalized,
            0.923_293_450_95,
        ),
        (
            games(10871, 10650, 20431),
            -1.75,
            0.25,
            Normalized,
            2.297_500_407_1,
        ),
        (
            games(21404, 21184, 40708),
            0.5,
            2.5,
            Logistic,
            -1.571_888_792_69,
        ),
        (
            games(57433, 57030, 106_593),
            0.0,
            2.0,
            Logistic,
            -2.593_024_163_52,
        ),
        (games(13, 4, 3), 0.0, 50.0, Logistic, 1.289_269_724_51),
        (games(13, 4, 3), 0.0, 50.0, Normalized, 1.197_527_191_91),
        (
            pairs([365, 16618, 36229, 16974, 390]),
            0.0,
            2.0,
            Normalized,
            2.250_367_703_55,
        ),
        (
            pairs([127, 4883, 10712, 5150, 104]),
            -1.75,
            0.25,
            Normalized,
            3.010_154_196_6,
        ),
        (
            pairs([223, 9863, 21279, 10037, 246]),
            0.5,
            2.5,
            Logistic,
            -3.074_126_439_59,
        ),
        (
            pairs([871, 26175, 55983, 26678, 821]),
            0.0,
            2.0,
            Logistic,
            -4.978_672_863_45,
        ),
        (
            pairs([39, 2226, 31451, 2412, 40]),
            0.2,
            0.9,
            Logistic,
            2.162_542_580_05,
        ),
        (
            pairs([39, 2226, 31451, 2412, 40]),
            0.764,
            3.439,
            Normalized,
            2.162_940_869_58,
        ),
        (
            pairs([10789, 19328, 33806, 19402, 10543]),
            -3.0,
            1.0,
            Logistic,
            2.131_067_811_79,
        ),
        // Results never seen.
        (
            pairs([1, 2, 4, 0, 3]),
            -20.0,
            20.0,
            Normalized,
            0.247_667_952_177,
        ),
        (
            pairs([0, 2, 4, 0, 3]),
            -5.0,
            30.0,
            Logistic,
            0.585_639_491_78,
        ),
    ] {
        near(sprt(elo0, elo1, model).status(outcomes).llr, expected, 1e-8);
    }
}

#[test]
fn a_test_ends_at_its_bounds() {
    let test = Sprt::new(0.0, 5.0, 0.05, 0.1, EloModel::Logistic).expect("a test");
    let (lower, upper) = test.bounds();
    near(lower, (0.1f64 / 0.95).ln(), 1e-15);
    near(upper, (0.9f64 / 0.05).ln(), 1e-15);
    assert_eq!(test.status(Outcomes::default()).llr, 0.0);
    assert_eq!(
        test.status(Outcomes::default()).decision,
        Decision::Continue
    );
    assert_eq!(test.status(score(30, 10, 25)).decision, Decision::Continue);
    assert_eq!(
        test.status(score(4000, 4000, 3500)).decision,
        Decision::AcceptH1
    );
    assert_eq!(
        test.status(score(3500, 4000, 4000)).decision,
        Decision::AcceptH0
    );
    assert_eq!(
        test.status(pairs([0, 10, 100, 500, 300])).decision,
        Decision::AcceptH1
    );
    // Where everything is drawn nobody is stronger.
    let drawn = sprt(0.0, 5.0, EloModel::Normalized).status(pairs([0, 0, 7500, 0, 0]));
    near(drawn.llr, -3.098, 0.01);
    assert_eq!(drawn.decision, Decision::AcceptH0);
}

#[test]
fn tests_without_sense_are_refused() {
    let new = |elo0, elo1, alpha, beta| Sprt::new(elo0, elo1, alpha, beta, EloModel::Normalized);
    for (test, reason) in [
        (new(5.0, 5.0, 0.05, 0.05), "5 is not less than 5"),
        (
            new(0.0, 5000.0, 0.05, 0.05),
            "between -200 and 200, not 5000",
        ),
        (new(f64::NAN, 5.0, 0.05, 0.05), "not NaN"),
        (new(0.0, 5.0, 0.0, 0.05), "which 0 does not"),
        (new(0.0, 5.0, 0.05, 0.5), "which 0.5 does not"),
        (new(0.0, 5.0, 0.05, f64::NAN), "which NaN does not"),
    ] {
        let error = test.expect_err(reason).to_string();
        assert!(error.contains(reason), "{error}");
    }

    let read = |text: &str| serde_json::from_str::<Sprt>(text);
    assert_eq!(
        read(r#"{"elo0": 0, "elo1": 5}"#).ok(),
        new(0.0, 5.0, 0.05, 0.05).ok()
    );
    let text = r#"{"elo0": 0, "elo1": 5, "alpha": 0.1, "beta": 0.2, "model": "logistic"}"#;
    assert_eq!(
        read(text).ok(),
        Sprt::new(0.0, 5.0, 0.1, 0.2, EloModel::Logistic).ok()
    );
    let error = read(r#"{"elo0": 6, "elo1": 5}"#).expect_err("the order is wrong");
    assert!(
        error.to_string().contains("elo0 must be less than elo1"),
        "{error}"
    );
    assert!(read(r#"{"elo0": 0, "elo1": 5, "gamma": 1}"#).is_err());
    let test = new(0.0, 5.0, 0.05, 0.1).expect("a test");
    assert_eq!(
        read(&serde_json::to_string(&test).expect("it is plain data")).ok(),
        Some(test)
    );
}

#[test]
fn equal_results_leave_the_doubt_that_their_number_leaves() {
    let wins = score(8, 0, 0).elo().expect("games");
    assert_eq!((wins.value, wins.high), (f64::INFINITY, f64::INFINITY));
    // The 2.5 % quantile of the beta distribution with 8½ and ½, and what it has above ½ (Python
    // with mpmath).
    near(wins.low, 179.706_896_515, 1e-6);
    near(
        score(8, 0, 0).superiority().expect("games"),
        0.999_289_672_95,
        1e-9,
    );
    let losses = score(0, 0, 8).elo().expect("games").reversed();
    assert_eq!((losses.value, losses.high), (wins.value, wins.high));
    near(losses.low, wins.low, 1e-6);
    // Both games of a pair from one opening are not worth two openings.
    near(
        pairs([0, 0, 0, 0, 4]).superiority().expect("pairs"),
        0.985_043_636_09,
        1e-9,
    );

    let draws = score(0, 8, 0).elo().expect("games");
    assert_eq!(draws.value, 0.0);
    assert!(draws.low < -60.0 && draws.high > 60.0, "{draws}");
    near(score(0, 8, 0).superiority().expect("games"), 0.5, 1e-9);
    assert_eq!(
        [score(0, 8, 0), score(8, 0, 0)].map(|all| normalized(all).value),
        [0.0, f64::INFINITY]
    );
    assert_eq!(
        normalized(score(5, 3, 1)).high,
        f64::INFINITY,
        "too few games for an interval"
    );
    // Openings that White always wins: every pair is even, and 20 pairs say much more than 40 games
    // would.
    let even = pairs([0, 0, 20, 0, 0]);
    assert_eq!(even.variance(), Some(0.0));
    assert!(
        half_width(even.elo().expect("pairs")) < half_width(score(20, 0, 20).elo().expect("games"))
    );
}

#[test]
fn more_evidence_says_more_and_little_says_nothing() {
    // 8-0 is stronger than 3½ of 4; 2 pairs of 3 wins and a draw are far from certain.
    let eight = pairs([0, 0, 0, 0, 4]);
    let four = pairs([0, 0, 0, 1, 1]);
    assert!(eight.superiority() > four.superiority());
    assert!(eight.elo().expect("pairs").low > four.elo().expect("pairs").low);
    assert!(four.superiority().expect("pairs") < 0.97 && four.elo().expect("pairs").low < 0.0);
    // However they end, nine pairs are not called decided; ten may be.
    let counts = [
        [0, 0, 0, 0, 9],
        [0, 0, 0, 0, 10],
        [10, 0, 0, 0, 0],
        [3, 1, 3, 1, 3],
    ];
    let expected = [
        Judgement::TooFew,
        Judgement::Stronger,
        Judgement::Weaker,
        Judgement::Open,
    ];
    assert_eq!(counts.map(|counts| pairs(counts).judgement()), expected);
    // Without games nothing is known.
    let none = Outcomes::default();
    assert_eq!(
        (none.elo(), none.normalized_elo(), none.judgement()),
        (None, None, Judgement::TooFew)
    );
    assert_eq!(
        [none.rate(), none.superiority(), none.variance()],
        [None; 3]
    );
}

#[test]
fn the_variance_of_pairs_is_that_of_the_pair_scores() {
    // Scores 0, 1, 1, 2: mean 1, variance 1/2 for a pair, half of that for a game in it.
    assert_eq!(pairs([1, 0, 2, 0, 1]).variance(), Some(0.25));
    let mut pairs = Pentanomial::default();
    for (first, second) in [
        (0.0, 0.0),
        (0.5, 0.0),
        (0.5, 0.5),
        (1.0, 0.0),
        (0.5, 1.0),
        (1.0, 1.0),
    ] {
        pairs.add_pair(first, second);
    }
    assert_eq!(pairs, Pentanomial([1, 1, 2, 1, 1]));
    assert_eq!((pairs.pairs(), pairs.points()), (6, 6.0));
}

fn scores() -> impl Strategy<Value = MatchScore> {
    (0u32..60, 0u32..60, 0u32..60).prop_map(|(wins, draws, losses)| MatchScore {
        wins,
        draws,
        losses,
    })
}

fn pentanomials() -> impl Strategy<Value = Pentanomial> {
    prop::array::uniform5(0u32..40).prop_map(Pentanomial)
}

fn outcomes() -> impl Strategy<Value = Outcomes> {
    (pentanomials(), scores()).prop_map(|(pairs, singles)| Outcomes { pairs, singles })
}

/// Both differences of a test, and the model.
fn tests() -> impl Strategy<Value = (f64, f64, EloModel)> {
    let elo0 = prop_oneof![-100.0..60.0f64, -40.0..30.0f64];
    let model = prop_oneof![Just(EloModel::Logistic), Just(EloModel::Normalized)];
    (elo0, 0.1..40.0f64, model).prop_map(|(elo0, width, model)| (elo0, elo0 + width, model))
}

fn same(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= 1e-7 * (1.0 + a.abs())
}

proptest! {
    #[test]
    fn the_other_side_sees_the_opposite(outcomes in outcomes()) {
        let other = outcomes.reversed();
        for (mine, theirs) in [(outcomes.elo(), other.elo()), (outcomes.normalized_elo(), other.normalized_elo())] {
            prop_assert_eq!(mine.is_some(), theirs.is_some());
            if let (Some(mine), Some(theirs)) = (mine, theirs.map(Estimate::reversed)) {
                prop_assert!(same(mine.value, theirs.value) && same(mine.low, theirs.low) && same(mine.high, theirs.high),
                    "{mine} {theirs}");
                prop_assert!((mine.low..=mine.high).contains(&mine.value), "{mine:?}");
            }
        }
        if let Some(superiority) = outcomes.superiority() {
            prop_assert!((0.0..=1.0).contains(&superiority));
            prop_assert!(same(superiority, 1.0 - other.superiority().expect("the same games")));
        }
    }

    #[test]
    fn intervals_end_at_the_quantiles(outcomes in outcomes()) {
        if let Some(elo) = outcomes.elo() {
            let posterior = Posterior::new(&outcomes);
            for (end, expected) in [(elo.low, 0.975), (elo.high, 0.025)] {
                let above = posterior.above(expected_score(end));
                prop_assert!(end.is_infinite() || (above - expected).abs() < 1e-6, "{elo:?} {above}");
            }
        }
    }

    /// Strictly monotone: a better result in the place of a worse one.
    #[test]
    fn a_better_result_moves_everything_up(outcomes in outcomes(), from in 0usize..4) {
        prop_assume!(outcomes.pairs.0[from] > 0);
        let mut better = outcomes;
        better.pairs.0[from] -= 1;
        better.pairs.0[from + 1] += 1;
        let before = outcomes.elo().expect("games");
        let after = better.elo().expect("games");
        prop_assert!(after.value > before.value && after.low >= before.low - 1e-6 && after.high >= before.high - 1e-6);
        prop_assert!(better.superiority() >= outcomes.superiority().map(|chance| chance - 1e-9));
    }

    #[test]
    fn tests_are_antisymmetric(pairs in pentanomials(), score in scores(), test in tests()) {
        let (elo0, elo1, model) = test;
        let test = sprt(elo0, elo1, model);
        let mirrored = sprt(-elo1, -elo0, model);
        for outcomes in [pairs.into(), Outcomes { singles: score, ..Outcomes::default() }] {
            let mine = test.status(outcomes).llr;
            let theirs = mirrored.status(outcomes.reversed()).llr;
            prop_assert!(mine.is_finite());
            prop_assert!((mine + theirs).abs() < 1e-6 * (1.0 + mine.abs()), "{mine} {theirs}");
        }
    }
}

/// Matches of one engine against another with a known true score.
struct Truth {
    pairs: u32,
    mean: f64,
    draws: f64,
    /// The chances of a pair to be worth 0, ½, 1, 1½ and 2 points.
    chances: [f64; 5],
}

impl Truth {
    /// Half of the openings favour White, half Black: the game's score is better by `edge` of the
    /// possible gain.
    fn new(pairs: u32, score: f64, draws: f64, edge: f64) -> Truth {
        let game = |score: f64| {
            let draws = draws.min(2.0 * score.min(1.0 - score));
            [1.0 - score - draws / 2.0, draws, score - draws / 2.0]
        };
        let shift = edge * score.min(1.0 - score);
        let good = game(score + shift);
        let bad = game(score - shift);
        let mut chances = [0.0; 5];
        for (first, second) in (0..9).map(|both| (both / 3, both % 3)) {
            chances[first + second] += good[first] * bad[second];
        }
        let mean = (0u32..)
            .zip(chances)
            .map(|(points, chance)| f64::from(points) / 4.0 * chance)
            .sum();
        Truth {
            pairs,
            mean,
            draws,
            chances,
        }
    }

    /// The share of intervals containing the truth, in so many simulated matches.
    fn coverage(&self, matches: u32) -> f64 {
        use rand::{RngExt as _, SeedableRng as _};
        let mut random = rand::rngs::Xoshiro256PlusPlus::seed_from_u64(2017);
        let mut seen = std::collections::HashMap::<[u32; 5], u32>::new();
        for _ in 0..matches {
            let mut counts = [0; 5];
            for _ in 0..self.pairs {
                let mut chance: f64 = random.random_range(0.0..1.0);
                let result = self.chances.iter().position(|share| {
                    chance -= share;
                    chance < 0.0
                });
                counts[result.unwrap_or(4)] += 1;
            }
            *seen.entry(counts).or_default() += 1;
        }
        // As `elo` has it, whose ends are the quantiles: open on the side of a perfect score.
        let held = |counts: &[u32; 5]| {
            let above = Posterior::new(&Pentanomial(*counts).into()).above(self.mean);
            (above >= 0.025 || counts[0] == self.pairs)
                && (above <= 0.975 || counts[4] == self.pairs)
        };
        let held: u32 = seen
            .iter()
            .filter(|(counts, _)| held(counts))
            .map(|(_, times)| times)
            .sum();
        f64::from(held) / f64::from(matches)
    }
}

/// Numbers of pairs, true scores, shares of draws and the worth of openings.
fn truths(pairs: &'static [u32]) -> impl Iterator<Item = Truth> {
    let scores = [0.5, 0.57, 0.65, 0.76, 0.9, 0.97];
    pairs.iter().flat_map(move |&pairs| {
        scores.into_iter().flat_map(move |score| {
            let draws = [0.0, 0.3, 0.6, 0.9]
                .into_iter()
                .filter(move |draws| *draws <= 2.001 * (1.0 - score));
            draws
                .flat_map(move |draws| [0.0, 0.6].map(|edge| Truth::new(pairs, score, draws, edge)))
        })
    })
}

#[test]
fn intervals_of_matches_contain_the_truth() {
    for truth in truths(&[4, 10, 50]) {
        let coverage = truth.coverage(1_000);
        // Results of few pairs are too coarse for 95 %: there the interval errs on the wide side.
        let most = if truth.pairs < 50 { 1.0 } else { 0.99 };
        let pairs = truth.pairs;
        let mean = truth.mean;
        let draws = truth.draws;
        assert!(
            (0.925..=most).contains(&coverage),
            "{pairs} pairs, score {mean}, draws {draws}: {coverage}"
        );
    }
}

/// `cargo test --release --lib coverage_table -- --ignored --nocapture` prints the table of
/// `benches/results/coverage.md`.
#[test]
#[ignore = "a table for people: ten thousand matches a line"]
fn coverage_table() {
    println!(
        "| pairs | true score | draws | worth of openings | coverage % |\n|---:|---:|---:|---:|---:|"
    );
    for (index, truth) in truths(&[4, 10, 50, 500]).enumerate() {
        let edge = ["none", "large"][index % 2];
        let coverage = 100.0 * truth.coverage(10_000);
        let pairs = truth.pairs;
        let mean = 100.0 * truth.mean;
        let draws = 100.0 * truth.draws;
        println!("| {pairs} | {mean:.1} % | {draws:.0} % | {edge} | {coverage:.1} |");
    }
}
