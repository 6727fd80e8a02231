//! A8: whether experience grows.

use serde_json::Value;

use super::{FOUR_PLIES, Shelf, all_moves, copied, libraries, player};
use crate::experiment::laboratory::Contest;
use crate::experiment::words::percent;
use crate::experiment::{ClaimVerdict, Conclusion, Experiment, Laboratory, Part};
use crate::library::Library;

pub const EXPERIMENT: Experiment = Experiment {
    id: "A8",
    title: "Own games as cases",
    claim: "The engine's experience grows with each game that it plays, because its moves become cases of the library.",
    source: "Hesham, Abu-Elnasr & Elmougy 2021, sections 3.5 and 5, Algorithm 4",
    run,
};

fn run(laboratory: &Laboratory<'_>) -> anyhow::Result<Conclusion> {
    let mut shelves = libraries(laboratory)?;
    // Own cases are kept beside a file.
    shelves.retain(|shelf| shelf.path != Library::BUILT_IN);
    if shelves.is_empty() {
        let why = "no library was named: --library FILE, as kashan library build makes it".to_owned();
        let part = Part::new("The library grows", ClaimVerdict::NotRun(why), "nothing was played");
        return Ok(Conclusion::new("Nothing was done.", vec![part], Value::Null));
    }
    let experience = laboratory.conditions.pick([4, 10], [500, 2_000]);
    let games = laboratory.conditions.games(10, 400);
    let (mut parts, mut contests) = (Vec::new(), Vec::new());
    for shelf in &shelves {
        for played in experience {
            let (contest, own) = play(laboratory, shelf, played, games)?;
            let name = format!("{} after {played} games", shelf.name);
            parts.push(Part::new(
                format!("With its own cases it is the better player, {name}"),
                ClaimVerdict::of_encounter(true, &contest.encounter),
                contest.in_words(),
            ));
            parts.push(Part::measured(format!("Own cases of all cases, {name}"), own));
            contests.push((name, contest));
        }
    }
    let method = format!(
        "The backend `action` with both filters (degree 0.4, `Revise` off, 4 plies) plays with `Retain` against the same search of all moves; then, without it, \
         {games} games against itself with the library as it was, each opening (eight half-moves of Kashan's own lines) with both colours."
    );
    let caption = "With own cases against without";
    Ok(Conclusion::of_matches(method, parts, caption, ["Library", "what"], &contests))
}

/// Plays `played` games with Retain, then the match; and what share of the cases are own ones.
fn play(
    laboratory: &Laboratory<'_>,
    shelf: &Shelf,
    played: u32,
    games: u32,
) -> anyhow::Result<(Contest, String)> {
    let name = format!("a8-{}-{played}", shelf.name);
    let (grown, bare) = (format!("{name}-grown"), format!("{name}-bare"));
    let grown = copied(laboratory, &shelf.path, &grown)?;
    let bare = copied(laboratory, &shelf.path, &bare)?;
    let learner = player("Learner", &grown, &[("Retain", "true")]);
    laboratory.play(&format!("{name}-learns"), [learner, all_moves(&[])], FOUR_PLIES, played)?;
    let (with, without) = (player("With own cases", &grown, &[]), player("Without", &bare, &[]));
    let contest = laboratory.play(&name, [with, without], FOUR_PLIES, games)?;
    let library = Library::open(grown.as_ref())?;
    let (own, own_games) = library.own_counts();
    let all = own + library.count(crate::library::format::Name::Cases) as usize;
    Ok((contest, format!("{own} of {all} ({}), from {own_games} games", percent(own, all))))
}
