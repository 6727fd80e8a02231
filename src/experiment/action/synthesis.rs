//! A10: what the genetic search learns from a library.

use super::{Shelf, conclude, libraries};
use crate::arena::Limits;
use crate::experiment::laboratory::{Contest, ours};
use crate::experiment::{ClaimVerdict, Conclusion, Experiment, Laboratory, Part};

pub const EXPERIMENT: Experiment = Experiment {
    id: "A10",
    title: "A library for the genetic search",
    claim: "Ours: the genetic search plays better if mutation draws moves by what others answered to the gene before, or if games that went on from similar positions are branches of its initial population.",
    source: "",
    run,
};

/// The option LibraryUse: of the genetic search, and of alpha-beta.
const USES: [(&str, &str); 4] =
    [("genetic", "mutations"), ("genetic", "seeds"), ("genetic", "both"), ("alphabeta", "order")];

fn run(laboratory: &Laboratory<'_>) -> anyhow::Result<Conclusion> {
    let shelves = libraries(laboratory)?;
    let conditions = &laboratory.conditions;
    let nodes = Limits::of_nodes(conditions.nodes(5_000, 20_000));
    let mut limits = vec![nodes];
    if !conditions.are_reproducible() {
        limits.push(conditions.limits("0.02/move", "0.1/move"));
    }
    let games = conditions.games(10, 1_000);
    let mut contests = Vec::new();
    for shelf in &shelves {
        for (backend, usage) in USES {
            for &limits in &limits {
                let name = format!("{backend} with {usage}, {}, {limits}", shelf.name);
                contests.push((name, play(laboratory, shelf, backend, usage, limits, games)?));
            }
        }
    }
    let parts = contests.iter().map(|(name, contest)| {
        Part::new(name, ClaimVerdict::of_encounter(true, &contest.encounter), contest.in_words())
    });
    let method = format!(
        "The same search with and without a library (`LibraryUse`), {games} games each, each opening (eight half-moves of Kashan's own lines, which \
         the built-in library knows) with both colours. By nodes the cost of looking things up is left out; by time it is in."
    );
    Ok(conclude(
        ("What a library is worth", "the same search without library"),
        method,
        parts.collect(),
        &contests,
    ))
}

fn play(
    laboratory: &Laboratory<'_>,
    shelf: &Shelf,
    backend: &str,
    usage: &str,
    limits: Limits,
    games: u32,
) -> anyhow::Result<Contest> {
    let engine = |name: &str, usage| {
        ours(name, backend, &[("LibraryFile", &shelf.path), ("LibraryUse", usage), ("MoveOverhead", "5")])
    };
    let work = format!("a10-{}-{usage}", shelf.name);
    laboratory.play(&work, [engine("With library", usage), engine("Without", "off")], limits, games)
}
