//! What each part of the genetic search is worth: the search without it against the search with it.

use serde_json::json;

use crate::display::Mark;
use crate::experiment::laboratory::{Contest, Match, ours};
use crate::experiment::{Conclusion, Laboratory, Part, Text, Words};

/// A preset with some options changed: the preset that both sides have, what tables call the variant, its
/// options, and what they do.
type Variant = (&'static str, &'static str, &'static str, &'static str);

/// In the preset `paper` half of P are mutations and half are pairs for crossover. What is left out is made
/// up for as if a mutation had one child and a pair two; a mutation that tries all moves of its place
/// (`Mutants`) has more.
const VARIANTS: [Variant; 16] = [
    ("paper", "no crossover", "CrossoverRate=0 MutationRate=150", "three times as many mutations instead"),
    ("paper", "no mutation", "CrossoverRate=75 MutationRate=0", "half as many crossovers again instead"),
    ("paper", "no quiescence branches", "QuiescenceFrom=never", "a branch ends where its moves end"),
    ("paper", "quiescence at ends only", "QuiescenceFrom=end", "none from new positions on the way"),
    ("paper", "regular Min-Max", "InnerValue=regular", "a node with children has no value of its own"),
    ("paper", "one level", "Levels=1", "every move is a branch of the initial population, not every pair"),
    ("paper", "random selection", "Selection=random", "any branch breeds, whatever its fitness"),
    ("paper", "the fittest breed", "Selection=fittest", "H - K + 1 alone says which branches breed"),
    ("paper", "one mutant", "Mutants=1", "a mutation tries one move, not all until one is better"),
    (
        "paper",
        "the paper to the letter",
        "Preset=letter",
        "selection, mutation, own values and P as in its text",
    ),
    ("strong", "no crossover", "CrossoverRate=0", "only mutation and growth"),
    (
        "strong",
        "no mutation",
        "MutationRate=0",
        "a place has no moves but those that crossover and growth brought",
    ),
    (
        "strong",
        "small local searches",
        "LeafNodes=100",
        "what takes more than 100 positions becomes branches",
    ),
    ("strong", "four contenders", "Contenders=4", "four refuted moves of a place live on, not none"),
    ("strong", "twelve contenders", "Contenders=12", "twelve refuted moves of a place live on, not none"),
    (
        "strong",
        "four births a generation",
        "Population=4",
        "the four least contested branches breed, not two",
    ),
];

/// What an engine with a preset and options like `Levels=1 Mutants=1` is told.
fn options<'o>(preset: &'o str, changed: &'o str) -> Vec<(&'o str, &'o str)> {
    let changed = changed.split_whitespace().filter_map(|option| option.split_once('='));
    [("Preset", preset)].into_iter().chain(changed).chain([("MoveOverhead", "2")]).collect()
}

/// What each part of the genetic search is worth.
pub fn run(laboratory: &Laboratory<'_>, text: &Text) -> anyhow::Result<Conclusion> {
    let conditions = &laboratory.conditions;
    let (limits, games) = (conditions.limits("0.02/move", "0.05/move"), conditions.games(6, 50));
    let matches = VARIANTS.map(|(preset, name, changed, _)| {
        let work = format!("ablation-{preset}-{}", name.to_lowercase().replace(' ', "-"));
        let engines = [(name, changed), (preset, "")]
            .map(|(name, changed)| ours(name, "genetic", &options(preset, changed)));
        Match::new(work, format!("{preset}: {name}"), engines, limits, games)
    });
    let contests = laboratory.play_all(matches)?;
    let parts = VARIANTS.iter().zip(&contests).map(|((.., about), contest)| {
        Part::measured(format!("{}: {about}", contest.what), contest.in_words())
    });
    let data = json!({ "limits": limits, "matches": contests });
    let words: Words<'_> = &[("limits", &limits), ("games", &games)];
    let conclusion = text.conclude(laboratory, words, parts.collect(), data);
    Ok(conclusion.with_bars("elo", Mark::Bar, Contest::bars(&contests)).with_matches(&contests))
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
    fn every_variant_can_be_set_and_differs_from_its_preset() {
        for (preset, name, changed, _) in VARIANTS {
            let base = searched(&options(preset, ""));
            assert_eq!(base, preset.parse::<Preset>().expect("a preset").options());
            assert_ne!(searched(&options(preset, changed)), base, "{name}");
        }
    }

    /// Mutations and children of crossover together, in percent of P.
    #[test]
    fn what_is_left_out_is_made_up_for() {
        let children = |changed| {
            let searched = searched(&options("paper", changed));
            2 * searched.crossover_rate + searched.mutation_rate
        };
        for (_, name, changed, _) in VARIANTS.into_iter().filter(|variant| variant.0 == "paper") {
            assert_eq!(children(changed), children(""), "{name}");
        }
    }
}
