//! The worth of each part of the genetic search.

use super::Laboratory;
use super::laboratory::{Match, ours};
use super::words::listed;

/// A variant of the genetic search: the preset, the change, and the options.
type Variant = (
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
);

/// The variants. In the preset `paper` half of P are mutations and half are pairs for crossover.
/// Omitted operators are replaced as if a mutation had one child and a pair two; a mutation that
/// tries all moves of its place (`Mutants`) has more.
const VARIANTS: [Variant; 15] = [
    (
        "paper",
        "no crossover",
        &[("CrossoverRate", "0"), ("MutationRate", "150")],
    ),
    (
        "paper",
        "no mutation",
        &[("CrossoverRate", "75"), ("MutationRate", "0")],
    ),
    (
        "paper",
        "no quiescence branches",
        &[("QuiescenceFrom", "never")],
    ),
    (
        "paper",
        "quiescence at ends only",
        &[("QuiescenceFrom", "end")],
    ),
    ("paper", "regular Min-Max", &[("InnerValue", "regular")]),
    ("paper", "one level", &[("Levels", "1")]),
    ("paper", "random selection", &[("Selection", "random")]),
    ("paper", "the fittest breed", &[("Selection", "fittest")]),
    ("paper", "one mutant", &[("Mutants", "1")]),
    ("paper", "the paper to the letter", &[("Preset", "letter")]),
    ("strong", "no crossover", &[("CrossoverRate", "0")]),
    ("strong", "no mutation", &[("MutationRate", "0")]),
    ("strong", "small local searches", &[("LeafNodes", "100")]),
    ("strong", "no contenders", &[("Contenders", "0")]),
    (
        "strong",
        "three times the contenders",
        &[("Contenders", "150")],
    ),
];

/// Returns the matches of each variant against the preset.
pub fn matches(laboratory: &Laboratory) -> anyhow::Result<Vec<Match>> {
    let conditions = &laboratory.conditions;
    let limits = conditions.limits("0.02/move", "0.05/move");
    let one = |(preset, name, options): Variant| {
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
        let changes = listed(options, ", ", |(option, value)| format!("{option}={value}"));
        let statement = format!("{what} ({changes})");
        Match::new(work, what, engines, limits, conditions.games(6, 50)).stating(statement)
    };
    Ok(VARIANTS.map(one).to_vec())
}
