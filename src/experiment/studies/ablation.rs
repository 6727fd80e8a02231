//! What each part of the genetic search is worth: the search without it against the search with it.

use serde_json::json;

use crate::display::{BarChart, Mark};
use crate::experiment::laboratory::{Contest, ours};
use crate::experiment::{Conclusion, Experiment, Laboratory, Part};

pub const EXPERIMENT: Experiment = Experiment {
    id: "ablation",
    title: "What each part of the genetic search is worth",
    claim: "The genetic search with one part left out or replaced, against the genetic search of the same preset, at the same time a move.",
    source: "",
    run,
};

/// The genetic search with some options changed.
struct Variant {
    /// That both sides have, as tables call it.
    preset: &'static str,
    /// Part of the name of its journal.
    key: &'static str,
    name: &'static str,
    options: &'static [(&'static str, &'static str)],
    about: &'static str,
}

/// In `strong` a branch lags a half-move behind for every 50 centipawns (`DepthPrice`) that are missing to
/// the best one.
///
/// In the preset `paper` half of P are mutations and half are pairs for crossover. What is left out is made
/// up for as if a mutation had one child and a pair two; a mutation that tries all moves of its place
/// (`Mutants`) has more.
const VARIANTS: [Variant; 14] = [
    Variant {
        preset: "Paper",
        key: "no-crossover",
        name: "No crossover",
        options: &[("CrossoverRate", "0"), ("MutationRate", "150")],
        about: "three times as many mutations instead",
    },
    Variant {
        preset: "Paper",
        key: "no-mutation",
        name: "No mutation",
        options: &[("CrossoverRate", "75"), ("MutationRate", "0")],
        about: "half as many crossovers again instead",
    },
    Variant {
        preset: "Paper",
        key: "no-quiescence",
        name: "No quiescence branches",
        options: &[("QuiescenceFrom", "never")],
        about: "a branch ends where its moves end, quiet or not",
    },
    Variant {
        preset: "Paper",
        key: "end-quiescence",
        name: "Quiescence at ends only",
        options: &[("QuiescenceFrom", "end")],
        about: "none from the new positions on the way",
    },
    Variant {
        preset: "Paper",
        key: "regular",
        name: "Regular Min-Max",
        options: &[("InnerValue", "regular")],
        about: "a node that has children has no value of its own",
    },
    Variant {
        preset: "Paper",
        key: "one-level",
        name: "One level",
        options: &[("Levels", "1")],
        about: "every move is a branch of the initial population, not every pair",
    },
    Variant {
        preset: "Paper",
        key: "random",
        name: "Random selection",
        options: &[("Selection", "random")],
        about: "any branch breeds with the same chance, whatever its fitness",
    },
    Variant {
        preset: "Paper",
        key: "fittest",
        name: "The fittest breed",
        options: &[("Selection", "fittest")],
        about: "H - K + 1 alone says who breeds, not how little is missing to the best branch",
    },
    Variant {
        preset: "Paper",
        key: "one-mutant",
        name: "One mutant",
        options: &[("Mutants", "1")],
        about: "a mutation tries one move in its place, not all until one is better",
    },
    Variant {
        preset: "Paper",
        key: "letter",
        name: "The paper to the letter",
        options: &[("Preset", "letter")],
        about: "who breeds, what mutates into what, own values and the size of the population as in its text",
    },
    Variant {
        preset: "Strong",
        key: "strong-shallow-leaves",
        name: "Leaves of one half-move",
        options: &[("LeafDepth", "1")],
        about: "an end that was searched one half-move deep becomes branches",
    },
    Variant {
        preset: "Strong",
        key: "strong-small-leaves",
        name: "Small leaf searches",
        options: &[("LeafShare", "1")],
        about: "what asks more than a hundredth of all positions becomes branches",
    },
    Variant {
        preset: "Strong",
        key: "strong-no-minimum",
        name: "No minimum of attention",
        options: &[("GreatestGap", "100000")],
        about: "a branch waits the longer the more is missing to the best one",
    },
    Variant {
        preset: "Strong",
        key: "strong-leaving",
        name: "Leaving has a price",
        options: &[("LeavingPrice", "100")],
        about: "a branch lags two half-moves behind the best one that it leaves",
    },
];

/// Both sides have it.
const OVERHEAD: [(&str, &str); 1] = [("MoveOverhead", "2")];

impl Variant {
    /// What makes the preset.
    fn base(&self) -> &'static [(&'static str, &'static str)] {
        if self.preset == "Strong" { &[("Preset", "strong")] } else { &[] }
    }

    fn all_options(&self) -> Vec<(&'static str, &'static str)> {
        [self.base(), self.options, &OVERHEAD].concat()
    }

    /// In tables and figures.
    fn title(&self) -> String {
        format!("{}: {}", self.preset.to_lowercase(), self.name)
    }
}

fn run(laboratory: &Laboratory<'_>) -> anyhow::Result<Conclusion> {
    let conditions = &laboratory.conditions;
    let limits = conditions.limits("0.02/move", "0.05/move");
    let games = conditions.games(6, 50);
    let mut contests = Vec::new();
    for variant in &VARIANTS {
        let engines = [
            ours(variant.name, "genetic", &variant.all_options()),
            ours(variant.preset, "genetic", &[variant.base(), &OVERHEAD].concat()),
        ];
        let contest = laboratory.play(&format!("ablation-{}", variant.key), engines, limits, games)?;
        contests.push(contest);
    }
    let played = || VARIANTS.iter().zip(&contests);
    let parts = played().map(|(variant, contest)| {
        Part::measured(format!("{}: {}", variant.title(), variant.about), contest.in_words())
    });
    let matches: Vec<_> =
        played().map(|(variant, contest)| json!({ "preset": variant.preset, "options": variant.options, "match": contest })).collect();
    let method = format!(
        "Each variant against the genetic search of the same preset (`Evaluation=paper`), {limits}, {games} games each, each opening (eight half-moves of Kashan's own \
         lines) with both colours."
    );
    let rows = played().map(|(variant, contest)| (variant.title(), contest));
    Ok(Conclusion::new(method, parts.collect(), json!({ "limits": limits, "matches": matches }))
        .with_figure(
            "elo",
            "Elo of each variant above the preset, `paper` or `strong`, with 95 % intervals; where one side won every game it is drawn as if one had been a draw",
            chart(&contests).to_svg(),
        )
        .with_matches("From game pairs", "Variant against the preset", rows))
}

fn chart(contests: &[Contest]) -> BarChart {
    BarChart {
        title: "What parts of the genetic search are worth".to_owned(),
        x_title: "Elo above the same preset".to_owned(),
        mark: Mark::Bar,
        rows: VARIANTS
            .iter()
            .zip(contests)
            .map(|(variant, contest)| contest.elo_row(variant.title()))
            .collect(),
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
            let base = searched(variant.base());
            assert_eq!(base, variant.preset.to_lowercase().parse::<Preset>().expect("a preset").options());
            let changed = searched(&variant.all_options());
            assert_ne!(changed, base, "{}", variant.name);
        }
    }

    /// Mutations and children of crossover together, in percent of P.
    #[test]
    fn what_is_left_out_is_made_up_for() {
        let children = |options: &[(&str, &str)]| {
            let searched = searched(options);
            2 * searched.crossover_rate + searched.mutation_rate
        };
        for variant in VARIANTS.iter().filter(|variant| variant.preset == "Paper") {
            assert_eq!(children(variant.options), children(&[]), "{}", variant.name);
        }
    }
}
