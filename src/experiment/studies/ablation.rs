//! What each part of the genetic search is worth: the search without it against the search with it.

use serde_json::json;

use crate::display::{BarChart, Mark};
use crate::experiment::laboratory::{Contest, ours};
use crate::experiment::{Conclusion, Experiment, Laboratory, Part};

pub const EXPERIMENT: Experiment = Experiment {
    id: "ablation",
    title: "What each part of the genetic search is worth",
    claim: "The genetic search with one part left out or replaced, against the genetic search of the preset `paper`, at the same time a move.",
    source: "",
    run,
};

/// The genetic search with some options changed.
struct Variant {
    /// Part of the name of its journal.
    key: &'static str,
    name: &'static str,
    options: &'static [(&'static str, &'static str)],
    about: &'static str,
}

/// In the preset `paper` half of P are mutations and half are pairs for crossover. What is left out is made
/// up for as if a mutation had one child and a pair two; a mutation that tries all moves of its place
/// (`Mutants`) has more.
const VARIANTS: [Variant; 10] = [
    Variant {
        key: "no-crossover",
        name: "No crossover",
        options: &[("CrossoverRate", "0"), ("MutationRate", "150")],
        about: "three times as many mutations instead",
    },
    Variant {
        key: "no-mutation",
        name: "No mutation",
        options: &[("CrossoverRate", "75"), ("MutationRate", "0")],
        about: "half as many crossovers again instead",
    },
    Variant {
        key: "no-quiescence",
        name: "No quiescence branches",
        options: &[("QuiescenceFrom", "never")],
        about: "a branch ends where its moves end, quiet or not",
    },
    Variant {
        key: "end-quiescence",
        name: "Quiescence at ends only",
        options: &[("QuiescenceFrom", "end")],
        about: "none from the new positions on the way",
    },
    Variant {
        key: "regular",
        name: "Regular Min-Max",
        options: &[("InnerValue", "regular")],
        about: "a node that has children has no value of its own",
    },
    Variant {
        key: "one-level",
        name: "One level",
        options: &[("Levels", "1")],
        about: "every move is a branch of the initial population, not every pair",
    },
    Variant {
        key: "random",
        name: "Random selection",
        options: &[("Selection", "random")],
        about: "any branch breeds with the same chance, whatever its fitness",
    },
    Variant {
        key: "fittest",
        name: "The fittest breed",
        options: &[("Selection", "fittest")],
        about: "H - K + 1 alone says who breeds, not how little is missing to the best branch",
    },
    Variant {
        key: "one-mutant",
        name: "One mutant",
        options: &[("Mutants", "1")],
        about: "a mutation tries one move in its place, not all until one is better",
    },
    Variant {
        key: "letter",
        name: "The paper to the letter",
        options: &[("Preset", "letter")],
        about: "who breeds, what mutates into what, own values and the size of the population as in its text",
    },
];

fn run(laboratory: &Laboratory<'_>) -> anyhow::Result<Conclusion> {
    let conditions = &laboratory.conditions;
    let limits = conditions.limits("0.02/move", "0.05/move");
    let games = conditions.games(6, 50);
    let mut contests = Vec::new();
    for variant in &VARIANTS {
        let overhead = ("MoveOverhead", "2");
        let engines = [
            ours(variant.name, "genetic", &[variant.options, &[overhead]].concat()),
            ours("Paper", "genetic", &[overhead]),
        ];
        let contest = laboratory.play(&format!("ablation-{}", variant.key), engines, limits, games)?;
        contests.push(contest);
    }
    let played = || VARIANTS.iter().zip(&contests);
    let parts = played().map(|(variant, contest)| {
        Part::measured(format!("{}: {}", variant.name, variant.about), contest.in_words())
    });
    let matches: Vec<_> =
        played().map(|(variant, contest)| json!({ "options": variant.options, "match": contest })).collect();
    let method = format!(
        "Each variant against the genetic search of the preset `paper`, {limits}, {games} games each, each opening (eight half-moves of Kashan's own \
         lines) with both colours."
    );
    let rows = played().map(|(variant, contest)| (variant.name.to_owned(), contest));
    Ok(Conclusion::new(method, parts.collect(), json!({ "limits": limits, "matches": matches }))
        .with_figure(
            "elo",
            "Elo of each variant above the preset `paper`, with 95 % intervals; where one side won every game it is drawn as if one had been a draw",
            chart(&contests).to_svg(),
        )
        .with_matches("From game pairs", "Variant against the preset", rows))
}

fn chart(contests: &[Contest]) -> BarChart {
    BarChart {
        title: "What parts of the genetic search are worth".to_owned(),
        x_title: "Elo above the preset paper".to_owned(),
        mark: Mark::Bar,
        rows: contests.iter().map(|contest| contest.elo_row(&contest.names[0])).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::settings::Settings;
    use crate::search::genetic::params::{GeneticOptions, Preset};

    /// What an engine of the matches searches with.
    fn searched(options: &[(&str, &str)]) -> GeneticOptions {
        let mut settings = Settings::default();
        for (name, value) in ours("One", "genetic", options).options {
            settings.set(&name, &value).expect("an option");
        }
        settings.genetic
    }

    #[test]
    fn every_variant_can_be_set_and_differs_from_the_published_search() {
        assert_eq!(searched(&[]), Preset::Paper.options());
        for variant in &VARIANTS {
            assert_ne!(searched(variant.options), searched(&[]), "{}", variant.name);
        }
    }

    /// Mutations and children of crossover together, in percent of P.
    #[test]
    fn what_is_left_out_is_made_up_for() {
        let children = |options: &[(&str, &str)]| {
            let searched = searched(options);
            2 * searched.crossover_rate + searched.mutation_rate
        };
        for variant in &VARIANTS {
            assert_eq!(children(variant.options), children(&[]), "{}", variant.name);
        }
    }
}
