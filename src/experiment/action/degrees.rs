//! A4: the least similarity that a case has to have.

use super::{FOUR_PLIES, Shelf, all_moves, conclude, libraries, player};
use crate::experiment::laboratory::Contest;
use crate::experiment::{ClaimVerdict, Conclusion, Experiment, Laboratory, Part};

pub const EXPERIMENT: Experiment = Experiment {
    id: "A4",
    title: "Similarity degrees 0.4 to 0.8",
    claim: "Degrees 0.4 and 0.5 are alike, and better than 0.6, 0.7 and 0.8.",
    source: "Hesham, Abu-Elnasr & Elmougy 2021, Table 4",
    run,
};

/// Percent.
const DEGREES: [&str; 5] = ["40", "50", "60", "70", "80"];
/// What is done where no case is so similar. The paper does not say; only the second explains 12-3-195.
const EMPTY: [&str; 2] = ["all", "first"];
/// Two players are alike if they are certainly no further apart, in Elo.
const ALIKE: f64 = 30.0;

fn run(laboratory: &Laboratory<'_>) -> anyhow::Result<Conclusion> {
    let shelves = libraries(laboratory)?;
    let games = laboratory.conditions.games(10, 400);
    let (mut parts, mut contests) = (Vec::new(), Vec::new());
    for shelf in &shelves {
        let direct = play(laboratory, shelf, "all", "40", Some("50"), games)?;
        parts.push(Part::new(
            format!("Degrees 0.4 and 0.5 are alike, {}", shelf.name),
            alike(&direct),
            direct.in_words(),
        ));
        for empty in EMPTY {
            let mut curve = Vec::new();
            for degree in DEGREES {
                curve.push(play(laboratory, shelf, empty, degree, None, games)?);
            }
            parts.push(Part::new(
                format!("0.4 or 0.5 is the best degree, {}, EmptyList={empty}", shelf.name),
                best_is_first(&curve, 2),
                curve
                    .iter()
                    .zip(DEGREES)
                    .map(|(contest, degree)| format!("0.{}: {}", &degree[..1], contest.in_words()))
                    .collect::<Vec<_>>()
                    .join("; "),
            ));
            let named = curve.into_iter().zip(DEGREES);
            contests.extend(
                named.map(|(contest, degree)| {
                    (format!("{}, {empty}, 0.{}", shelf.name, &degree[..1]), contest)
                }),
            );
        }
        contests.push((format!("{}, 0.4 against 0.5", shelf.name), direct));
    }
    let method = format!(
        "The backend `action` (`Revise` off, 4 plies) with both filters against the same alpha-beta search of all moves, {games} games each, each opening \
         (eight half-moves of Kashan's own lines) with both colours; where no case is similar enough all moves are searched (`EmptyList=all`) or the first legal \
         one is played (`first`)."
    );
    Ok(conclude(("Similarity degrees", "all moves"), method, parts, &contests))
}

fn play(
    laboratory: &Laboratory<'_>,
    shelf: &Shelf,
    empty: &str,
    degree: &str,
    against: Option<&str>,
    games: u32,
) -> anyhow::Result<Contest> {
    let engine = |degree: &str| {
        let options = [("SimilarityDegree", degree), ("EmptyList", empty)];
        player(&format!("Degree 0.{}", &degree[..1]), &shelf.path, &options)
    };
    let work = format!("a4-{}-{empty}-{degree}-{}", shelf.name, against.unwrap_or("all"));
    laboratory.play(
        &work,
        [engine(degree), against.map_or_else(|| all_moves(&[]), engine)],
        FOUR_PLIES,
        games,
    )
}

fn alike(contest: &Contest) -> ClaimVerdict {
    let tried = format!("{} games", contest.encounter.score.games());
    match contest.encounter.outcomes.elo() {
        Some(elo) if elo.low > -ALIKE && elo.high < ALIKE => ClaimVerdict::Confirmed,
        Some(elo) if elo.low > ALIKE || elo.high < -ALIKE => ClaimVerdict::Refuted,
        _ => ClaimVerdict::NotDecided(tried),
    }
}

/// Whether the best of the first `few` contests is better than all others, by their intervals.
fn best_is_first(curve: &[Contest], few: usize) -> ClaimVerdict {
    let intervals: Vec<_> = curve.iter().filter_map(|contest| contest.encounter.outcomes.elo()).collect();
    let games = curve.first().map_or(0, |contest| contest.encounter.score.games());
    if intervals.len() < curve.len() || games < 20 {
        return ClaimVerdict::NotDecided(format!("{games} games a degree, which are too few"));
    }
    let (first, others) = intervals.split_at(few);
    let above = |one: &[crate::arena::statistics::Estimate], rest: &[crate::arena::statistics::Estimate]| {
        one.iter().any(|one| rest.iter().all(|other| one.low > other.high))
    };
    match (above(first, others), above(others, first)) {
        (true, _) => ClaimVerdict::Confirmed,
        (_, true) => ClaimVerdict::Refuted,
        _ => ClaimVerdict::NotDecided(format!("{games} games a degree")),
    }
}
