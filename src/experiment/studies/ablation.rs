//! What each part of the genetic search is worth: the search without it against the search with it.

use serde_json::json;

use crate::display::Mark;
use crate::experiment::laboratory::{Contest, Match, ours};
use crate::experiment::{Conclusion, Laboratory, Part, Text, Words};

/// What an engine with a preset and options like `Levels=1 Mutants=1` is told.
fn options<'o>(preset: &'o str, changed: &'o str) -> Vec<(&'o str, &'o str)> {
    let changed = changed.split_whitespace().filter_map(|option| option.split_once('='));
    [("Preset", preset)].into_iter().chain(changed).chain([("MoveOverhead", "2")]).collect()
}

/// What each part of the genetic search is worth.
pub fn run(laboratory: &Laboratory<'_>, text: &Text) -> anyhow::Result<Conclusion> {
    let conditions = &laboratory.conditions;
    let (limits, games) = (conditions.limits("0.02/move", "0.05/move"), conditions.games(6, 50));
    let matches = text.variants.iter().map(|[preset, name, changed, _]| {
        let work = format!("ablation-{preset}-{}", name.to_lowercase().replace(' ', "-"));
        let engines = [(name, changed.as_str()), (preset, "")]
            .map(|(name, changed)| ours(name, "genetic", &options(preset, changed)));
        Match::new(work, format!("{preset}: {name}"), engines, limits, games)
    });
    let contests = laboratory.play_all(matches)?;
    let parts = text.variants.iter().zip(&contests).map(|([.., about], contest)| {
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
    use crate::experiment::catalogue;
    use crate::search::genetic::params::{GeneticOptions, Preset};

    fn variants() -> Vec<[String; 4]> {
        let ablation = catalogue().into_iter().find(|experiment| experiment.id == "ablation");
        ablation.expect("in the catalogue").text.variants
    }

    /// What an engine of the matches searches with.
    fn searched(options: &[(&str, &str)]) -> GeneticOptions {
        Settings::with(ours("One", "genetic", options).options).expect("options").genetic
    }

    #[test]
    fn every_variant_can_be_set_and_differs_from_its_preset() {
        for [preset, name, changed, _] in variants() {
            let base = searched(&options(&preset, ""));
            assert_eq!(base, preset.parse::<Preset>().expect("a preset").options());
            assert_ne!(searched(&options(&preset, &changed)), base, "{name}");
        }
    }

    /// Mutations and children of crossover together, in percent of P.
    #[test]
    fn what_is_left_out_is_made_up_for() {
        let children = |changed: &str| {
            let searched = searched(&options("paper", changed));
            2 * searched.crossover_rate + searched.mutation_rate
        };
        for [_, name, changed, _] in variants().into_iter().filter(|variant| variant[0] == "paper") {
            assert_eq!(children(&changed), children(""), "{name}");
        }
    }
}
