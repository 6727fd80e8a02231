//! The worth of each part of the genetic search.

use super::Laboratory;
use super::laboratory::{Match, ours};

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
pub fn matches(laboratory: &Laboratory) -> anyhow::Result<Vec<Match>> {
    let conditions = &laboratory.conditions;
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
    Ok(VARIANTS.map(one).to_vec())
}
