//! A1 to A4, A8 and A10: what a library, its filters and an evaluation by contacts are worth in games.

use super::{FOUR_PLIES, Shelf, all_moves, copied, libraries, player};
use crate::arena::Limits;
use crate::arena::statistics::Estimate;
use crate::display::Mark;
use crate::experiment::laboratory::{Contest, Match, ours};
use crate::experiment::words::{listed, percent};
use crate::experiment::{ClaimVerdict, Conclusion, Laboratory, Part, Text};
use crate::library::Library;

/// Readings of equation 2 and of Algorithms 2 and 3.
const READINGS: [&str; 3] = ["direct", "chain", "signed"];
/// Similarity degrees in percent.
const DEGREES: [&str; 5] = ["40", "50", "60", "70", "80"];
/// The first filter alone.
const FIRST_FILTER: &str = "0";
/// What is done where no case is so similar. The paper does not say; only the second explains 12-3-195.
const EMPTY: [&str; 2] = ["all", "first"];
/// Two players are alike if they are certainly no further apart, in Elo.
const ALIKE: f64 = 30.0;
/// The option LibraryUse: of the genetic search, and of alpha-beta.
const USES: [(&str, &str); 4] =
    [("genetic", "mutations"), ("genetic", "seeds"), ("genetic", "both"), ("alphabeta", "order")];

/// A1: The power of men against their material and squares.
pub fn power(laboratory: &Laboratory<'_>, text: &Text) -> anyhow::Result<Conclusion> {
    let games = laboratory.conditions.games(10, 400);
    let matches = READINGS.map(|reading| {
        let engines = [
            ours("Power", "alphabeta", &[("Evaluation", "power"), ("PowerChain", reading)]),
            ours("Standard", "alphabeta", &[("Evaluation", "paper")]),
        ];
        Match::new(format!("a1-{reading}"), reading, engines, FOUR_PLIES, games)
            .claiming(format!("Power is the better evaluation, PowerChain={reading}"))
    });
    let contests = laboratory.play_all(matches)?;
    Ok(text.of_matches(laboratory, &[("games", &games)], &contests))
}

/// Nothing but the library's answers, as one degree of similarity leaves them, against another degree's, or
/// against all moves. Options are those of both sides.
fn filtered(
    shelf: &Shelf,
    (degree, against): (&str, Option<&str>),
    options: &[(&str, &str)],
    limits: Limits,
    games: u32,
) -> Match {
    let name = |degree: &str| match degree {
        FIRST_FILTER => "Filter 1".to_owned(),
        degree => format!("Degree 0.{}", degree.trim_end_matches('0')),
    };
    let engine = |degree: &str| {
        let options = [&[("SimilarityDegree", degree)], options].concat();
        player(&name(degree), &shelf.path, &options)
    };
    let words = listed(options, ", ", |option| option.1);
    let other = against.map_or("all moves".to_owned(), name);
    let work = format!("a-{}-{}-{degree}-{}", shelf.name, words.replace(", ", "-"), against.unwrap_or("all"));
    let what = format!("{} against {other}, {}, {words}, {limits}", name(degree), shelf.name);
    let engines = [engine(degree), against.map_or_else(|| all_moves(options), engine)];
    Match::new(work, what, engines, limits, games)
}

/// A2: The library's moves against all moves.
pub fn one_filter(laboratory: &Laboratory<'_>, text: &Text) -> anyhow::Result<Conclusion> {
    let clock = laboratory.conditions.limits("0.02/move", "0.1/move");
    let questions = ["paper", "power"].map(|evaluation| [(evaluation, FOUR_PLIES), (evaluation, clock)]);
    of_filters(laboratory, text, |shelf, games| {
        let ask = |(evaluation, limits)| {
            filtered(shelf, (FIRST_FILTER, None), &[("Evaluation", evaluation)], limits, games)
        };
        questions.concat().into_iter().map(ask).collect()
    })
}

/// A3: Both filters against one, and against all moves.
pub fn both_filters(laboratory: &Laboratory<'_>, text: &Text) -> anyhow::Result<Conclusion> {
    let questions = [("40", Some(FIRST_FILTER)), ("50", Some(FIRST_FILTER)), ("40", None), ("50", None)];
    of_filters(laboratory, text, |shelf, games| {
        let ask = |sides| filtered(shelf, sides, &[("Evaluation", "paper")], FOUR_PLIES, games);
        questions.into_iter().map(ask).collect()
    })
}

fn of_filters(
    laboratory: &Laboratory<'_>,
    text: &Text,
    questions: impl Fn(&Shelf, u32) -> Vec<Match>,
) -> anyhow::Result<Conclusion> {
    let (shelves, games) = (libraries(laboratory)?, laboratory.conditions.games(10, 400));
    let matches = shelves.iter().flat_map(|shelf| questions(shelf, games)).map(Match::claimed);
    Ok(text.of_matches(laboratory, &[("games", &games)], &laboratory.play_all(matches)?))
}

/// A4: Similarity degrees 0.4 to 0.8.
pub fn degrees(laboratory: &Laboratory<'_>, text: &Text) -> anyhow::Result<Conclusion> {
    let games = laboratory.conditions.games(10, 400);
    let (mut parts, mut contests) = (Vec::new(), Vec::new());
    for shelf in &libraries(laboratory)? {
        let ask = |sides, empty| filtered(shelf, sides, &[("EmptyList", empty)], FOUR_PLIES, games);
        let direct = laboratory.play(ask(("40", Some("50")), EMPTY[0]))?;
        let statement = format!("Degrees 0.4 and 0.5 are alike, {}", shelf.name);
        let verdict = ClaimVerdict::of_elo([-ALIKE, ALIKE], &direct.encounter);
        parts.push(Part::new(statement, verdict, direct.in_words()));
        contests.push(direct);
        for empty in EMPTY {
            let curve = laboratory.play_all(DEGREES.map(|degree| ask((degree, None), empty)))?;
            parts.push(Part::new(
                format!("0.4 or 0.5 is the best degree, {}, EmptyList={empty}", shelf.name),
                best_is_first(&curve, 2),
                listed(&curve, "; ", |contest| format!("{}: {}", contest.names[0], contest.in_words())),
            ));
            contests.extend(curve);
        }
    }
    Ok(text
        .conclude(laboratory, &[("games", &games)], parts, &contests)
        .with_bars("elo", Mark::Dot, Contest::bars(&contests))
        .with_matches(&contests))
}

/// Whether the best of the first `few` contests is better than all others, by their intervals.
fn best_is_first(curve: &[Contest], few: usize) -> ClaimVerdict {
    let intervals: Vec<_> = curve.iter().filter_map(|contest| contest.encounter.outcomes.elo()).collect();
    let games = curve.first().map_or(0, |contest| contest.encounter.score.games());
    if intervals.len() < curve.len() || games < 20 {
        return ClaimVerdict::NotDecided(format!("{games} games a degree, which are too few"));
    }
    let (first, others) = intervals.split_at(few);
    let above = |one: &[Estimate], rest: &[Estimate]| {
        one.iter().any(|one| rest.iter().all(|other| one.low > other.high))
    };
    match (above(first, others), above(others, first)) {
        (true, _) => ClaimVerdict::Confirmed,
        (_, true) => ClaimVerdict::Refuted,
        _ => ClaimVerdict::NotDecided(format!("{games} games a degree")),
    }
}

/// A8: Own games as cases.
pub fn retaining(laboratory: &Laboratory<'_>, text: &Text) -> anyhow::Result<Conclusion> {
    let mut shelves = libraries(laboratory)?;
    // Own cases are kept beside a file.
    shelves.retain(|shelf| shelf.path != Library::BUILT_IN);
    if shelves.is_empty() {
        let why = "no library was named: --library FILE, as kashan library build makes it";
        return Ok(Conclusion::not_run("The library grows", why, "nothing was played"));
    }
    let games = laboratory.conditions.games(10, 400);
    let (mut parts, mut contests) = (Vec::new(), Vec::new());
    for shelf in &shelves {
        for played in laboratory.conditions.pick([4, 10], [500, 2_000]) {
            let (contest, own) = retained(laboratory, shelf, played, games)?;
            parts.push(contest.part());
            parts.push(Part::measured(format!("Own cases of all cases, {}", contest.what), own));
            contests.push(contest);
        }
    }
    Ok(text.conclude(laboratory, &[("games", &games)], parts, &contests).with_matches(&contests))
}

/// Plays `played` games with Retain, then the match; and what share of the cases are own ones.
fn retained(
    laboratory: &Laboratory<'_>,
    shelf: &Shelf,
    played: u32,
    games: u32,
) -> anyhow::Result<(Contest, String)> {
    let (work, what) =
        (format!("a8-{}-{played}", shelf.name), format!("{} after {played} games", shelf.name));
    let grown = copied(laboratory, &shelf.path, &format!("{work}-grown"))?;
    let bare = copied(laboratory, &shelf.path, &format!("{work}-bare"))?;
    let learner = player("Learner", &grown, &[("Retain", "true")]);
    let learning = [learner, all_moves(&[])];
    laboratory.play(Match::new(format!("{work}-learns"), &what, learning, FOUR_PLIES, played))?;
    let engines = [player("With own cases", &grown, &[]), player("Without", &bare, &[])];
    let claim = format!("With its own cases it is the better player, {what}");
    let contest = laboratory.play(Match::new(work, what, engines, FOUR_PLIES, games).claiming(claim))?;
    let library = Library::open(grown.as_ref())?;
    let (own, own_games) = library.own_counts();
    let all = own + library.count(crate::library::format::Name::Cases) as usize;
    Ok((contest, format!("{own} of {all} ({}), from {own_games} games", percent(own, all))))
}

/// A10: A library for the genetic search.
pub fn synthesis(laboratory: &Laboratory<'_>, text: &Text) -> anyhow::Result<Conclusion> {
    let conditions = &laboratory.conditions;
    let games = conditions.games(10, 1_000);
    let nodes = Limits::of_nodes(conditions.nodes(5_000, 20_000));
    let clock = (!conditions.are_reproducible()).then(|| conditions.limits("0.02/move", "0.1/move"));
    let limits: Vec<Limits> = [nodes].into_iter().chain(clock).collect();
    let mut matches = Vec::new();
    for shelf in &libraries(laboratory)? {
        for (backend, usage) in USES {
            let engine = |name: &str, usage| {
                let options =
                    [("LibraryFile", shelf.path.as_str()), ("LibraryUse", usage), ("MoveOverhead", "5")];
                ours(name, backend, &options)
            };
            matches.extend(limits.iter().map(|&limits| {
                let what = format!("{backend} with {usage}, {}, {limits}", shelf.name);
                let engines = [engine("With library", usage), engine("Without", "off")];
                Match::new(format!("a10-{}-{usage}", shelf.name), what, engines, limits, games)
            }));
        }
    }
    let contests = laboratory.play_all(matches.into_iter().map(Match::claimed))?;
    let conclusion = text.of_matches(laboratory, &[("games", &games)], &contests);
    Ok(conclusion.with_bars("elo", Mark::Dot, Contest::bars(&contests)))
}
