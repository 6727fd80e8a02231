//! A2 and A3: what a library's moves are worth, with one filter and with both.

use super::{FOUR_PLIES, Shelf, all_moves, libraries, player};
use crate::arena::Limits;
use crate::experiment::laboratory::Contest;
use crate::experiment::{ClaimVerdict, Conclusion, Experiment, Laboratory, Part};

pub const ONE: Experiment = Experiment {
    id: "A2",
    title: "The library's moves against all moves",
    claim: "Feeding the search with what grandmasters answered to the opponent's last move improves the results: of 200 games against each level of Rybka it won 78, 117 and 167 in place of 69, 98 and 113.",
    source: "Hesham, Abu-Elnasr & Elmougy 2021, Table 3",
    run: one_filter,
};

pub const BOTH: Experiment = Experiment {
    id: "A3",
    title: "Both filters against one, and against all moves",
    claim: "Leaving out the cases that are not similar enough improves the results once more.",
    source: "Hesham, Abu-Elnasr & Elmougy 2021, Table 4",
    run: both_filters,
};

/// What both sides evaluate with.
const EVALUATIONS: [&str; 2] = ["paper", "power"];

/// One match.
struct Question<'q> {
    shelf: &'q Shelf,
    evaluation: &'q str,
    limits: Limits,
    /// Percent; 0 for the first filter alone.
    degree: &'q str,
    /// The other side's; `None` for all moves.
    against: Option<&'q str>,
}

fn side(degree: &str) -> String {
    match degree {
        "0" => "Filter 1".to_owned(),
        degree => format!("Degree 0.{}", degree.trim_end_matches('0')),
    }
}

impl Question<'_> {
    fn name(&self) -> String {
        let against = self.against.map_or("all moves".to_owned(), side);
        format!(
            "{} against {against}, {}, {}, {}",
            side(self.degree),
            self.shelf.name,
            self.evaluation,
            self.limits
        )
    }

    fn play(&self, laboratory: &Laboratory<'_>, games: u32) -> anyhow::Result<Contest> {
        let Question { shelf, evaluation, limits, degree, against } = self;
        let engine = |degree: &str| {
            let options = [("SimilarityDegree", degree), ("Evaluation", *evaluation)];
            player(&side(degree), &shelf.path, &options)
        };
        let other = against.map_or_else(|| all_moves(&[("Evaluation", *evaluation)]), engine);
        let work = format!("a-{}-{evaluation}-{degree}-{}", shelf.name, against.unwrap_or("all"));
        laboratory.play(&work, [engine(degree), other], *limits, games)
    }
}

fn one_filter(laboratory: &Laboratory<'_>) -> anyhow::Result<Conclusion> {
    let clock = laboratory.conditions.limits("0.02/move", "0.1/move");
    carry_out(laboratory, &|shelf| {
        let ask = |evaluation, limits| Question { shelf, evaluation, limits, degree: "0", against: None };
        let all =
            EVALUATIONS.iter().flat_map(|evaluation| [ask(evaluation, FOUR_PLIES), ask(evaluation, clock)]);
        all.collect()
    })
}

fn both_filters(laboratory: &Laboratory<'_>) -> anyhow::Result<Conclusion> {
    carry_out(laboratory, &|shelf| {
        let ask =
            |degree, against| Question { shelf, evaluation: "paper", limits: FOUR_PLIES, degree, against };
        vec![ask("40", Some("0")), ask("50", Some("0")), ask("40", None), ask("50", None)]
    })
}

fn carry_out(
    laboratory: &Laboratory<'_>,
    questions: &dyn for<'q> Fn(&'q Shelf) -> Vec<Question<'q>>,
) -> anyhow::Result<Conclusion> {
    let shelves = libraries(laboratory)?;
    let games = laboratory.conditions.games(10, 400);
    let mut contests = Vec::new();
    for question in shelves.iter().flat_map(questions) {
        contests.push((question.name(), question.play(laboratory, games)?));
    }
    let parts = contests.iter().map(|(name, contest)| {
        Part::new(name, ClaimVerdict::of_encounter(true, &contest.encounter), contest.in_words())
    });
    let method = format!(
        "The backend `action` with `Revise` off, which plays nothing but what the library answers (all moves where that is nothing), against the same \
         alpha-beta search of all moves or against itself with one filter; {games} games each, each opening (eight half-moves of Kashan's own lines) with \
         both colours."
    );
    Ok(Conclusion::of_matches(method, parts.collect(), "All matches", ["Match", "what"], &contests))
}
