//! A1: the proposed evaluation against the standard one.

use super::FOUR_PLIES;
use crate::experiment::laboratory::{Contest, ours};
use crate::experiment::{ClaimVerdict, Conclusion, Experiment, Laboratory, Part};

pub const EXPERIMENT: Experiment = Experiment {
    id: "A1",
    title: "The power of men against their material and squares",
    claim: "An evaluation that adds to each man the values of its defenders and takes away those of its attackers plays better than the standard one.",
    source: "Hesham, Abu-Elnasr & Elmougy 2021, Table 2",
    run,
};

/// Readings of equation 2 and of Algorithms 2 and 3.
const READINGS: [&str; 3] = ["direct", "chain", "signed"];

fn run(laboratory: &Laboratory<'_>) -> anyhow::Result<Conclusion> {
    let games = laboratory.conditions.games(10, 400);
    let mut contests: Vec<(&str, Contest)> = Vec::new();
    for reading in READINGS {
        let power = ours("Power", "alphabeta", &[("Evaluation", "power"), ("PowerChain", reading)]);
        let standard = ours("Standard", "alphabeta", &[("Evaluation", "paper")]);
        contests.push((
            reading,
            laboratory.play(&format!("a1-{reading}"), [power, standard], FOUR_PLIES, games)?,
        ));
    }
    let parts = contests.iter().map(|(reading, contest)| {
        let verdict = ClaimVerdict::of_encounter(true, &contest.encounter);
        Part::new(
            format!("Power is the better evaluation, PowerChain={reading}"),
            verdict,
            contest.in_words(),
        )
    });
    let method = format!(
        "Alpha-beta, all moves, 4 plies: `Evaluation=power` against `Evaluation=paper`, which is material and Winglet's squares with a few terms more; {games} \
         games for each reading, each opening (eight half-moves of Kashan's own lines) with both colours."
    );
    let caption = "Power against the standard evaluation";
    Ok(Conclusion::of_matches(method, parts.collect(), caption, ["PowerChain", "reading"], &contests))
}
