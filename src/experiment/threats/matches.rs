//! M8 to M10, and the matches of M4: what parts of the program, and threats elsewhere, are worth in games.

use super::program::material_alone;
use crate::arena::{EngineSpec, Limits};
use crate::evaluation::threats::ThreatWeights;
use crate::evaluation::{Evaluation, Genome as _, WeightSet, WeightsFile};
use crate::experiment::laboratory::{Contest, Match, ours};
use crate::experiment::{Conclusion, Laboratory};

/// How matches are played, for methods.
pub const METHOD: &str = "Matches are played between two of the program, each opening with both colours; `--tc depth=N` makes them quicker.";

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
///
/// # Errors
/// As [`Laboratory::play`].
pub fn of_pruning(laboratory: &Laboratory<'_>) -> anyhow::Result<Vec<Contest>> {
    let games = laboratory.conditions.games(4, 400);
    let (depth, nodes) = (plies(laboratory), laboratory.conditions.nodes(5_000, 50_000));
    let ask = |work: &str, each: String, limits, most_plies| Match {
        work: work.to_owned(),
        what: format!("`static` against `off`, {each}"),
        engines: ["static", "off"]
            .map(|pruning| program(pruning, &[("MinMaxPruning", pruning), ("MinMaxDepth", most_plies)])),
        limits,
        games,
        claim: None,
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
pub fn factors(laboratory: &Laboratory<'_>) -> anyhow::Result<Conclusion> {
    let (games, limits) = (laboratory.conditions.games(4, 400), plies(laboratory));
    let mut matches = Vec::new();
    for (factor, weights) in without_factors() {
        let weights = WeightSet::with_row(Evaluation::Threats, &weights.to_row());
        let path = kept(laboratory, &format!("m8-without-{factor}"), weights)?;
        matches.push(Match {
            work: format!("m8-{factor}"),
            what: factor.to_owned(),
            engines: [program("whole", &[]), program("without", &[("WeightsFile", &path)])],
            limits,
            games,
            claim: Some(match factor {
                "all" => "The whole program is stronger than material alone".to_owned(),
                factor => format!("The whole program is stronger than without \"{factor}\""),
            }),
        });
    }
    let method = format!(
        "{METHOD} {limits}, {games} games each: the program with all factors against itself with one of them taken away (100 % in place of 20 and 40, 130, \
         120; no points for rows), and with all."
    );
    let contests = laboratory.play_all(matches)?;
    Ok(Conclusion::of_matches(method, "The whole program against itself without", "Factor", &contests))
}

/// M9: Without a book.
pub fn book(laboratory: &Laboratory<'_>) -> anyhow::Result<Conclusion> {
    let (games, limits) = (laboratory.conditions.games(4, 400), plies(laboratory));
    let contest = laboratory.play(Match {
        work: "m9-book".to_owned(),
        what: "The program with its book against itself without".to_owned(),
        engines: [program("with-book", &[("OwnBook", "true")]), program("without-book", &[])],
        limits,
        games,
        claim: None,
    })?;
    let method = format!(
        "{METHOD} {limits}, {games} games that begin with eight half-moves of our own lines, which the book goes on with where it knows them. There is no \
         verdict: \"need not\" names no number. Endgame tables are not shipped."
    );
    Ok(Conclusion::of_matches(method, "With and without the book", "Match", &[contest]))
}

/// The terms for threats: what they are, and what the names of their weights begin with.
const TERMS: [(&str, &str); 7] = [
    ("men attacked by pawns", "threat_by_pawn"),
    ("men attacked by minor men", "threat_by_minor"),
    ("men attacked by rooks", "threat_by_rook"),
    ("men attacked by the king", "threat_by_king"),
    ("men attacked by pawns that may step", "threat_by_push"),
    ("hanging men", "hanging_"),
    ("outnumbered men", "outnumbered"),
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
pub fn elsewhere(laboratory: &Laboratory<'_>) -> anyhow::Result<Conclusion> {
    let conditions = &laboratory.conditions;
    let games = conditions.games(4, 1_000);
    let limits = conditions.limits("nodes=1000", "10+0.1");
    let few = Limits::of_nodes(conditions.nodes(1_000, 5_000));
    let of_mutation = Limits::of_nodes(conditions.nodes(1_000, 20_000));
    let all = TERMS.map(|(_, begin)| begin);
    let evaluation = ("Evaluation", Evaluation::Kashan.into_str());
    let without = |work: String, what: &str, begins: &[&str], limits, claim| -> anyhow::Result<Match> {
        let path = kept(laboratory, &work, without_terms(begins).0)?;
        let engines = [
            ours("with", "alphabeta", &[evaluation]),
            ours("without", "alphabeta", &[evaluation, ("WeightsFile", &path)]),
        ];
        Ok(Match { work, what: format!("terms for {what}"), engines, limits, games, claim })
    };
    let claim = "Alpha-beta plays better with the terms for threats".to_owned();
    let mut matches =
        vec![without("m10-without-threats".to_owned(), "all threats", &all, limits, Some(claim))?];
    for (what, begin) in TERMS {
        let work = format!("m10-without-{}", begin.trim_end_matches('_').replace('_', "-"));
        matches.push(without(work, what, &[begin], few, None)?);
    }
    matches.push(Match {
        work: "m10-mutation".to_owned(),
        what: "mutation".to_owned(),
        engines: ["threats", "untried"]
            .map(|draw| ours(draw, "genetic", &[evaluation, ("MutationMove", draw)])),
        limits: of_mutation,
        games,
        claim: Some("The genetic search plays better with MutationMove=threats".to_owned()),
    });
    let method = format!(
        "`Evaluation=kashan` against itself with {} weights of threats 0 (men attacked by pawns, minor men, rooks, the king, or by pawns that may step; \
         hanging and outnumbered men), alpha-beta, {limits}, and with those of one kind 0, {few}: the other weights were tuned together with these. \
         `Preset=paper` with `MutationMove=threats` against `untried`, {of_mutation}. {games} games each, each opening with both colours. The rating itself is by \
         Marcarelli 2010; these terms are ours.",
        without_terms(&all).1
    );
    let contests = laboratory.play_all(matches)?;
    Ok(Conclusion::of_matches(method, "With threats against without", "Match", &contests))
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
        let mut settings = Settings::default();
        for (name, value) in program("whole", &[]).options {
            settings.set(&name, &value).expect("an option");
        }
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
        let is_threat =
            |name: &str| ["threat", "hanging", "outnumbered"].iter().any(|it| name.starts_with(it));
        assert_eq!(table.iter().filter(|spec| is_threat(spec.field())).count(), terms);
        let kinds = TERMS.map(|(_, begin)| without_terms(&[begin]).1);
        assert!(kinds.iter().all(|&weights| weights > 0), "{kinds:?}");
        assert_eq!(kinds.iter().sum::<usize>(), terms);
    }
}
