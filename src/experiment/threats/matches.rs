//! M8 to M10, and the matches of M4: what parts of the program, and threats elsewhere, are worth in games.

use super::program::material_alone;
use crate::arena::{EngineSpec, Limits};
use crate::evaluation::threats::ThreatWeights;
use crate::evaluation::{Evaluation, Genome as _, WeightSet, WeightsFile};
use crate::experiment::laboratory::{Contest, Match, ours};
use crate::experiment::{Conclusion, Laboratory, Text, Words};

/// One of the program, which prunes last replies: that changes nothing but the time.
fn program(name: &str, options: &[(&str, &str)]) -> EngineSpec {
    ours(name, "minimax", &[&[("MinMaxPreset", "threats")], options].concat())
}

/// Four plies, unless the user wants others.
fn plies(laboratory: &Laboratory<'_>) -> Limits {
    laboratory.conditions.limits("depth=2", "depth=4")
}

/// `static` against `off`, at equal depth and with equal numbers of positions for each move, which stand for
/// equal time: both rate as many a second.
pub fn of_pruning(laboratory: &Laboratory<'_>) -> anyhow::Result<Vec<Contest>> {
    let games = laboratory.conditions.games(4, 400);
    let (depth, nodes) = (plies(laboratory), laboratory.conditions.nodes(5_000, 50_000));
    let ask = |work, each: String, limits, most_plies| {
        let engines = ["static", "off"]
            .map(|pruning| program(pruning, &[("MinMaxPruning", pruning), ("MinMaxDepth", most_plies)]));
        Match::new(work, format!("`static` against `off`, {each}"), engines, limits, games)
    };
    laboratory.play_all([
        ask("m4-depth", depth.to_string(), depth, "4"),
        ask("m4-nodes", format!("{nodes} positions a move"), Limits::of_nodes(nodes), "20"),
    ])
}

/// The factors, and the weights without each.
fn without_factors() -> [(&'static str, ThreatWeights); 5] {
    let whole = ThreatWeights::DEFAULT;
    [
        ("threatened", ThreatWeights { threatened: 100, threatened_pawn: 100, ..whole.clone() }),
        ("defended", ThreatWeights { defended: 100, ..whole.clone() }),
        ("centre", ThreatWeights { centre: 100, ..whole.clone() }),
        ("rows", ThreatWeights { row: 0, ..whole }),
        ("all", material_alone()),
    ]
}

/// Writes weights for an engine of matches to read, and says where they are.
fn kept(laboratory: &Laboratory<'_>, name: &str, weights: WeightSet) -> anyhow::Result<String> {
    let text = WeightsFile { weights, made: toml::Table::new() }.to_text();
    Ok(laboratory.keep(&format!("{name}.toml"), &text)?.display().to_string())
}

/// M8: What each factor is worth.
pub fn factors(laboratory: &Laboratory<'_>, text: &Text) -> anyhow::Result<Conclusion> {
    let (games, limits) = (laboratory.conditions.games(4, 400), plies(laboratory));
    let mut matches = Vec::new();
    for (factor, weights) in without_factors() {
        let weights = WeightSet::with_row(Evaluation::Threats, &weights.to_row());
        let path = kept(laboratory, &format!("m8-without-{factor}"), weights)?;
        let engines = [program("whole", &[]), program("without", &[("WeightsFile", &path)])];
        let claim = match factor {
            "all" => "The whole program is stronger than material alone".to_owned(),
            factor => format!("The whole program is stronger than without \"{factor}\""),
        };
        matches.push(Match::new(format!("m8-{factor}"), factor, engines, limits, games).claiming(claim));
    }
    let contests = laboratory.play_all(matches)?;
    Ok(text.of_matches(laboratory, &[("limits", &limits), ("games", &games)], &contests))
}

/// M9: Without a book.
pub fn book(laboratory: &Laboratory<'_>, text: &Text) -> anyhow::Result<Conclusion> {
    let (games, limits) = (laboratory.conditions.games(4, 400), plies(laboratory));
    let engines = [program("with-book", &[("OwnBook", "true")]), program("without-book", &[])];
    let what = "The program with its book against itself without";
    let contest = laboratory.play(Match::new("m9-book", what, engines, limits, games))?;
    Ok(text.of_matches(laboratory, &[("limits", &limits), ("games", &games)], &[contest]))
}

/// The terms for threats: what they are, and what the names of their weights begin with.
const TERMS: [(&str, &str); 6] = [
    ("men attacked by pawns", "threat_by_pawn"),
    ("men attacked by minor men", "threat_by_minor"),
    ("men attacked by rooks", "threat_by_rook"),
    ("men attacked by the king", "threat_by_king"),
    ("men attacked by pawns that may step", "threat_by_push"),
    ("hanging men", "hanging_"),
];

/// The weights of the evaluation `kashan` without those whose names begin like that, and how many these are.
fn without_terms(begins: &[&str]) -> (WeightSet, usize) {
    let table = Evaluation::Kashan.table();
    let is_left_out = |name: &str| begins.iter().any(|begin| name.starts_with(begin));
    let whole = WeightSet::of(Evaluation::Kashan);
    let weights = table.iter().zip(whole.row());
    let row: Vec<i32> =
        weights.map(|(spec, &weight)| if is_left_out(&spec.name) { 0 } else { weight }).collect();
    let terms = table.iter().filter(|spec| is_left_out(&spec.name)).count();
    (WeightSet::with_row(Evaluation::Kashan, &row), terms)
}

/// M10: Threats elsewhere.
pub fn elsewhere(laboratory: &Laboratory<'_>, text: &Text) -> anyhow::Result<Conclusion> {
    let conditions = &laboratory.conditions;
    let games = conditions.games(4, 1_000);
    let limits = conditions.limits("nodes=1000", "10+0.1");
    let few = Limits::of_nodes(conditions.nodes(1_000, 5_000));
    let of_mutation = Limits::of_nodes(conditions.nodes(1_000, 20_000));
    let all = TERMS.map(|(_, begin)| begin);
    let evaluation = ("Evaluation", Evaluation::Kashan.into_str());
    let without = |work: &str, what: &str, begins: &[&str], limits| -> anyhow::Result<Match> {
        let path = kept(laboratory, work, without_terms(begins).0)?;
        let engines = [
            ours("with", "alphabeta", &[evaluation]),
            ours("without", "alphabeta", &[evaluation, ("WeightsFile", &path)]),
        ];
        Ok(Match::new(work, format!("terms for {what}"), engines, limits, games))
    };
    let claim = "Alpha-beta plays better with the terms for threats";
    let mut matches = vec![without("m10-without-threats", "all threats", &all, limits)?.claiming(claim)];
    for (what, begin) in TERMS {
        let work = format!("m10-without-{}", begin.trim_end_matches('_').replace('_', "-"));
        matches.push(without(&work, what, &[begin], few)?);
    }
    let engines =
        ["threats", "untried"].map(|draw| ours(draw, "genetic", &[evaluation, ("MutationMove", draw)]));
    matches.push(
        Match::new("m10-mutation", "mutation", engines, of_mutation, games)
            .claiming("The genetic search plays better with MutationMove=threats"),
    );
    let words: Words<'_> = &[
        ("terms", &without_terms(&all).1),
        ("limits", &limits),
        ("few", &few),
        ("of_mutation", &of_mutation),
        ("games", &games),
    ];
    Ok(text.of_matches(laboratory, words, &laboratory.play_all(matches)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Settings;
    use crate::search::minimax::Preset;

    #[test]
    fn a_factor_less_is_one_factor_less() {
        let whole = ThreatWeights::DEFAULT.to_row();
        let changed = without_factors().map(|(_, weights)| {
            weights.to_row().iter().zip(&whole).filter(|(one, other)| one != other).count()
        });
        assert_eq!(changed, [2, 1, 1, 1, 5]);
    }

    #[test]
    fn the_engine_of_matches_is_the_program() {
        let settings = Settings::with(program("whole", &[]).options).expect("options");
        assert_eq!(settings.minimax, Preset::Threats.options());
        assert_eq!(settings.weights(), WeightSet::of(Evaluation::Threats));
    }

    #[test]
    fn only_threats_are_taken_away() {
        let (weights, terms) = without_terms(&TERMS.map(|(_, begin)| begin));
        let table = Evaluation::Kashan.table();
        let whole = WeightSet::of(Evaluation::Kashan);
        let changed: Vec<&str> = table
            .iter()
            .zip(whole.row().iter().zip(weights.row()))
            .filter(|(_, (whole, less))| whole != less)
            .map(|(spec, _)| spec.field())
            .collect();
        assert!(changed.contains(&"hanging_piece_endgame") && changed.contains(&"threat_by_push"));
        assert!(!changed.iter().any(|field| field.starts_with("pawn") || field.starts_with("king")));
        assert!(changed.len() <= terms && terms < table.len() / 10, "{terms} of {}", table.len());
        // Every weight of a threat is of one kind.
        let is_threat = |name: &str| ["threat", "hanging"].iter().any(|it| name.starts_with(it));
        assert_eq!(table.iter().filter(|spec| is_threat(spec.field())).count(), terms);
        let kinds = TERMS.map(|(_, begin)| without_terms(&[begin]).1);
        assert!(kinds.iter().all(|&weights| weights > 0), "{kinds:?}");
        assert_eq!(kinds.iter().sum::<usize>(), terms);
    }
}
