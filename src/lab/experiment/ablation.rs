//! The worth of each part of the genetic search.

use serde_json::json;

use super::laboratory::{Match, PlayedMatch, ours};
use super::{Conclusion, Conditions, Laboratory, Text};

/// A variant of the genetic search: the preset, the change, the options, and a remark.
type Variant = (
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
    &'static str,
);

/// The variants. In the preset `paper` half of P are mutations and half are pairs for crossover.
/// Omitted operators are replaced as if a mutation had one child and a pair two; a mutation that
/// tries all moves of its place (`Mutants`) has more.
const VARIANTS: [Variant; 16] = [
    (
        "paper",
        "no crossover",
        &[("CrossoverRate", "0"), ("MutationRate", "150")],
        "three times as many mutations instead",
    ),
    (
        "paper",
        "no mutation",
        &[("CrossoverRate", "75"), ("MutationRate", "0")],
        "half as many crossovers again instead",
    ),
    (
        "paper",
        "no quiescence branches",
        &[("QuiescenceFrom", "never")],
        "a branch ends where its moves end",
    ),
    (
        "paper",
        "quiescence at ends only",
        &[("QuiescenceFrom", "end")],
        "none from new positions on the way",
    ),
    (
        "paper",
        "regular Min-Max",
        &[("InnerValue", "regular")],
        "a node with children has no value of its own",
    ),
    (
        "paper",
        "one level",
        &[("Levels", "1")],
        "every move is a branch of the initial population, not every pair",
    ),
    (
        "paper",
        "random selection",
        &[("Selection", "random")],
        "any branch breeds, whatever its fitness",
    ),
    (
        "paper",
        "the fittest breed",
        &[("Selection", "fittest")],
        "H - K + 1 alone says which branches breed",
    ),
    (
        "paper",
        "one mutant",
        &[("Mutants", "1")],
        "a mutation tries one move, not all until one is better",
    ),
    (
        "paper",
        "the paper to the letter",
        &[("Preset", "letter")],
        "selection, mutation, own values and P as in its text",
    ),
    (
        "strong",
        "no crossover",
        &[("CrossoverRate", "0")],
        "only mutation and growth",
    ),
    (
        "strong",
        "no mutation",
        &[("MutationRate", "0")],
        "a place has no moves but those that crossover and growth brought",
    ),
    (
        "strong",
        "small local searches",
        &[("LeafNodes", "100")],
        "what takes more than 100 positions becomes branches",
    ),
    (
        "strong",
        "no contenders",
        &[("Contenders", "0")],
        "no refuted move of a place lives on",
    ),
    (
        "strong",
        "three times the contenders",
        &[("Contenders", "150")],
        "three times as many refuted moves of a place live on",
    ),
    (
        "strong",
        "four parents a generation",
        &[("Population", "4")],
        "at most four branches breed in a generation, not two",
    ),
];

/// Returns the matches of each variant against the preset.
pub(super) fn matches(conditions: &Conditions) -> Vec<Match> {
    let limits = conditions.limits("0.02/move", "0.05/move");
    let one = |(preset, name, options, remark): Variant| {
        let preset_option = ("Preset", preset);
        let overhead = ("MoveOverhead", "2");
        let variant = [&[preset_option], options, &[overhead]].concat();
        let engines = [
            ours(conditions, name, "genetic", &variant),
            ours(conditions, preset, "genetic", &[preset_option, overhead]),
        ];
        let work = format!("ablation-{preset}-{name}")
            .to_lowercase()
            .replace(' ', "-");
        let what = format!("{preset}: {name}");
        let statement = format!("{what}: {remark}");
        let one = Match::new(work, what, engines, limits, conditions.games(6, 50));
        Match { statement, ..one }
    };
    VARIANTS.map(one).to_vec()
}

/// Measures the worth of each part of the genetic search: the search without the part against the
/// search with it.
pub fn run(laboratory: &Laboratory, text: &Text) -> anyhow::Result<Conclusion> {
    let played_matches = laboratory.play_all(matches(&laboratory.conditions))?;
    let parts = played_matches.iter().map(PlayedMatch::part).collect();
    let Match { limits, games, .. } = played_matches[0].wanted;
    let data = json!({ "limits": limits, "matches": played_matches });
    Ok(text
        .conclude(
            laboratory,
            &[("limits", &limits), ("games", &games)],
            parts,
            data,
        )
        .with_matches(
            "From game pairs",
            "Variant against the preset",
            &played_matches,
        ))
}
