//! T4 to T9: evolutions that differ in one thing, compared by the held-out problems that they solve.

use serde::Serialize;

use super::runs::{Run, Setup, evolve, mean_and_ends, mean_in_words, seeds, verdict_above};
use crate::display::{Mark, Row};
use crate::experiment::{Conclusion, Laboratory, Part, Text};
use crate::tuning::{Involved, Mutation, mean_with_interval};

/// T4: Gaussian against Michalewicz's mutation.
pub fn mutation(laboratory: &Laboratory<'_>, text: &Text) -> anyhow::Result<Conclusion> {
    let paper = Setup::paper(laboratory);
    let other = Setup { mutation: Mutation::Michalewicz, ..paper.clone() };
    compare(laboratory, text, vec![("Gaussian", paper), ("Michalewicz", other)], Claim::FirstBeatsAll)
}

/// T5: How many players.
pub fn players(laboratory: &Laboratory<'_>, text: &Text) -> anyhow::Result<Conclusion> {
    let paper = Setup::paper(laboratory);
    let searches = paper.most_searches();
    let with = |players| Setup { players, ..paper.clone() }.with_searches(searches);
    let players =
        [("22 players", 22), ("8 players", 8), ("14 players", 14), ("36 players", 36), ("50 players", 50)];
    let variants = players.map(|(name, players)| (name, with(players))).to_vec();
    compare(laboratory, text, variants, Claim::FirstBeatsAll)
}

/// T6: How many problems.
pub fn problems(laboratory: &Laboratory<'_>, text: &Text) -> anyhow::Result<Conclusion> {
    let paper = Setup::paper(laboratory);
    let with = |problems| Setup { problems, ..paper.clone() };
    // As many searches as with 96 problems.
    let at_equal_cost = |problems| {
        let setup = with(problems);
        let searches = setup.most_searches() * paper.problems / problems;
        setup.with_searches(searches)
    };
    // All that there are beside those that are held out, at the most.
    let middle = paper.problems;
    let [most, few] = around(middle);
    compare(
        laboratory,
        text,
        vec![
            ("most problems", with(most)),
            ("fewer problems", with(middle)),
            ("fewest problems", with(few)),
            ("most problems, equal searches", at_equal_cost(most)),
            ("fewest problems, equal searches", at_equal_cost(few)),
        ],
        Claim::FirstBeats("fewest problems"),
    )
}

/// T7: Mutation of the involved weights alone.
pub fn involved(laboratory: &Laboratory<'_>, text: &Text) -> anyhow::Result<Conclusion> {
    let paper = Setup::paper(laboratory);
    let all = Setup { involved: Involved::All, ..paper.clone() };
    let present = Setup { involved: Involved::Present, ..paper.clone() };
    let variants = vec![("involved", paper), ("all", all), ("present", present)];
    compare(laboratory, text, variants, Claim::FirstBeats("all"))
}

/// T8: Positional problems beside tactical ones.
pub fn positional(laboratory: &Laboratory<'_>, text: &Text) -> anyhow::Result<Conclusion> {
    let paper = Setup::paper(laboratory);
    // One kind has 80 problems to learn from.
    let both = Setup { problems: paper.problems.min(80), ..paper };
    let tactical = Setup { positional: false, ..both.clone() };
    let positional = Setup { tactical: false, ..both.clone() };
    let variants = vec![("both", both), ("tactical", tactical), ("positional", positional)];
    compare(laboratory, text, variants, Claim::FirstBeats("tactical"))
}

/// T9: A sigma that adapts.
pub fn adapting(laboratory: &Laboratory<'_>, text: &Text) -> anyhow::Result<Conclusion> {
    let paper = Setup::paper(laboratory);
    let constant = Setup { mutation: Mutation::Constant, ..paper.clone() };
    compare(laboratory, text, vec![("adapted", paper), ("constant", constant)], Claim::FirstBeatsAll)
}

/// What is claimed of the first variant.
#[derive(Clone, Copy)]
enum Claim {
    FirstBeatsAll,
    FirstBeats(&'static str),
}

/// More problems and fewer, both even.
fn around(problems: usize) -> [usize; 2] {
    [(problems * 5 / 3).min(160), (problems / 3).max(1)].map(|count| count.next_multiple_of(2))
}

/// What came out of one variant: means over the seeds.
#[derive(Serialize)]
struct Variant {
    variant: &'static str,
    players: usize,
    problems: usize,
    generations: u32,
    searches: u64,
    held_out: String,
    not_evolved: String,
    runs: Vec<Run>,
}

impl Variant {
    fn new(name: &'static str, setup: &Setup, runs: Vec<Run>) -> Variant {
        let of = |value: fn(&Run) -> f64| mean_in_words(&runs.iter().map(value).collect::<Vec<_>>());
        Variant {
            variant: name,
            players: setup.players,
            problems: setup.problems,
            generations: setup.generations,
            searches: runs.iter().map(|run| run.searches).sum::<u64>() / runs.len().max(1) as u64,
            held_out: of(|run| run.held_out),
            not_evolved: of(|run| run.held_out_before),
            runs,
        }
    }
}

fn compare(
    laboratory: &Laboratory<'_>,
    text: &Text,
    variants: Vec<(&'static str, Setup)>,
    claim: Claim,
) -> anyhow::Result<Conclusion> {
    let seeds = seeds(laboratory);
    let variants =
        variants.iter().map(|(name, setup)| Ok(Variant::new(name, setup, evolve(laboratory, setup, seeds)?)));
    let variants = variants.collect::<anyhow::Result<Vec<Variant>>>()?;
    let (first, others) = variants.split_first().expect("a comparison has variants");
    let parts = others.iter().map(|other| {
        let statement = format!(
            "More held-out problems solved with \"{}\" than with \"{}\"",
            first.variant, other.variant
        );
        let pairs = first.runs.iter().zip(&other.runs);
        let differences: Vec<f64> = pairs.map(|(one, other)| one.held_out - other.held_out).collect();
        let [mean, half] = mean_with_interval(&differences);
        let evidence = format!("{mean:+.1} percent points ± {half:.1} over {seeds} seeds");
        match claim {
            Claim::FirstBeats(name) if name != other.variant => Part::measured(statement, evidence),
            _ => Part::new(statement, verdict_above(0.0, &differences), evidence),
        }
    });
    let row = |variant: &Variant| {
        Row::new(variant.variant, mean_and_ends(variant.runs.iter().map(|run| run.held_out)))
    };
    let conclusion = text.conclude(laboratory, &[("seeds", &seeds)], parts.collect(), &variants);
    Ok(conclusion.with_rows("variants", &variants).with_bars("held-out", Mark::Dot, variants.iter().map(row)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_problems_even_in_the_smallest_evolution() {
        assert_eq!([96, 8, 160, 2].map(around), [[160, 32], [14, 2], [160, 54], [4, 2]]);
    }
}
