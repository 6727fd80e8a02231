//! A4 and A8: how similar cases have to be, and what own games are worth.

use super::shelf::{Shelf, copied, libraries};
use super::{FOUR_PLIES, player};
use crate::arena::statistics::Estimate;
use crate::display::Mark;
use crate::experiment::laboratory::{Contest, Match, ours};
use crate::experiment::words::{listed, percent};
use crate::experiment::{ClaimVerdict, Conclusion, Laboratory, Part, Text};
use crate::library::Library;
use crate::library::format::Name;

/// Two players are alike if they are certainly no further apart, in Elo.
const ALIKE: f64 = 30.0;

/// A4: Similarity degrees 0.4 to 0.8.
pub fn degrees(laboratory: &Laboratory, text: &Text) -> anyhow::Result<Conclusion> {
    let contests = text.play(laboratory)?;
    // Of each library two degrees against each other, and curves of all degrees against all moves.
    let parts =
        contests.chunk_by(|one, next| one.wanted.statement == next.wanted.statement).map(
            |alike| match alike {
                [direct] => {
                    let verdict = ClaimVerdict::of_elo([-ALIKE, ALIKE], &direct.encounter);
                    Part::new(&direct.wanted.statement, verdict, direct.in_words())
                }
                curve => Part::new(
                    &curve[0].wanted.statement,
                    best_is_first(curve, 2),
                    listed(curve, "; ", |contest| format!("{}: {}", contest.names()[0], contest.in_words())),
                ),
            },
        );
    Ok(text
        .conclude(laboratory, &[], parts.collect(), &contests)
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
pub fn retaining(laboratory: &Laboratory, text: &Text) -> anyhow::Result<Conclusion> {
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
            parts.push(Part::measured(format!("Own cases of all cases, {}", contest.wanted.what), own));
            contests.push(contest);
        }
    }
    Ok(text.conclude(laboratory, &[("games", &games)], parts, &contests).with_matches(&contests))
}

/// Plays `played` games with Retain, then the match; and what share of the cases are own ones.
fn retained(
    laboratory: &Laboratory,
    shelf: &Shelf,
    played: u32,
    games: u32,
) -> anyhow::Result<(Contest, String)> {
    let (work, what) =
        (format!("a8-{}-{played}", shelf.name), format!("{} after {played} games", shelf.name));
    let grown = copied(laboratory, &shelf.path, &format!("{work}-grown"))?;
    let bare = copied(laboratory, &shelf.path, &format!("{work}-bare"))?;
    let conditions = &laboratory.conditions;
    let learner = player(conditions, "Learner", &grown, &[("Retain", "true")]);
    let learning = [learner, ours(conditions, "All moves", "alphabeta", &[("MoveOverhead", "5")])];
    laboratory.play(Match::new(format!("{work}-learns"), &what, learning, FOUR_PLIES, played))?;
    let engines = [("With own cases", &grown), ("Without", &bare)]
        .map(|(name, library)| player(conditions, name, library, &[]));
    let claim = format!("With its own cases it is the better player, {what}");
    let contest = laboratory.play(Match::new(work, what, engines, FOUR_PLIES, games).claiming(claim))?;
    let library = Library::open(grown.as_ref())?;
    let (own, own_games) = library.own_counts();
    let all = own + library.count(Name::Cases) as usize;
    Ok((contest, format!("{own} of {all} ({}), from {own_games} games", percent(own, all))))
}
