//! M10: threats in other evaluations and searches than the program's own.

use serde_json::json;

use super::program::SOURCE;
use crate::arena::Limits;
use crate::evaluation::{Evaluation, WeightSet, WeightsFile};
use crate::experiment::laboratory::{Contest, ours};
use crate::experiment::{ClaimVerdict, Conclusion, Experiment, Laboratory, Part};
use crate::search::genetic::params::MutationMove;

pub const EXPERIMENT: Experiment = Experiment {
    id: "M10",
    title: "Threats elsewhere",
    claim: "Ours: an evaluation that knows material, squares, pawns and kings plays better with terms for threats, and the genetic search if mutation rather draws moves that answer threats.",
    source: "",
    run,
};

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
fn without(begins: &[&str]) -> (WeightSet, usize) {
    let table = Evaluation::Kashan.table();
    let is_left_out = |name: &str| begins.iter().any(|begin| name.starts_with(begin));
    let whole = WeightSet::of(Evaluation::Kashan);
    let weights = table.iter().zip(whole.row());
    let row: Vec<i32> =
        weights.map(|(spec, &weight)| if is_left_out(&spec.name) { 0 } else { weight }).collect();
    let terms = table.iter().filter(|spec| is_left_out(&spec.name)).count();
    (WeightSet::with_row(Evaluation::Kashan, &row), terms)
}

/// The evaluation with all its terms against the same without some, by alpha-beta.
fn play_without(
    laboratory: &Laboratory<'_>,
    work: &str,
    begins: &[&str],
    limits: Limits,
    games: u32,
) -> anyhow::Result<Contest> {
    let text = WeightsFile { weights: without(begins).0, made: toml::Table::new() }.to_text();
    let path = laboratory.keep(&format!("{work}.toml"), &text)?.display().to_string();
    let evaluation = ("Evaluation", Evaluation::Kashan.into_str());
    let engines = [
        ours("with", "alphabeta", &[evaluation]),
        ours("without", "alphabeta", &[evaluation, ("WeightsFile", &path)]),
    ];
    laboratory.play(work, engines, limits, games)
}

fn run(laboratory: &Laboratory<'_>) -> anyhow::Result<Conclusion> {
    let conditions = &laboratory.conditions;
    let games = conditions.games(4, 1_000);
    let limits = conditions.limits("nodes=1000", "10+0.1");
    let all = TERMS.map(|(_, begin)| begin);
    let terms = play_without(laboratory, "m10-without-threats", &all, limits, games)?;
    let few = Limits::of_nodes(conditions.nodes(1_000, 5_000));
    let mut alone = Vec::new();
    for (what, begin) in TERMS {
        let work = format!("m10-without-{}", begin.trim_end_matches('_').replace('_', "-"));
        alone.push((what, play_without(laboratory, &work, &[begin], few, games)?));
    }
    let genetic = |name: &str, draw: MutationMove| {
        let evaluation = ("Evaluation", Evaluation::Kashan.into_str());
        ours(name, "genetic", &[evaluation, ("MutationMove", draw.into_str())])
    };
    let engines = [genetic("threats", MutationMove::Threats), genetic("untried", MutationMove::Untried)];
    let nodes = Limits::of_nodes(conditions.nodes(1_000, 20_000));
    let mutation = laboratory.play("m10-mutation", engines, nodes, games)?;
    let claims = [
        ("Alpha-beta plays better with the terms for threats", &terms),
        ("The genetic search plays better with MutationMove=threats", &mutation),
    ]
    .map(|(statement, contest)| {
        Part::new(statement, ClaimVerdict::of_encounter(true, &contest.encounter), contest.in_words())
    });
    let measured = alone.iter().map(|(what, contest)| {
        Part::measured(format!("Alpha-beta with the terms for {what} against without"), contest.in_words())
    });
    let method = format!(
        "`Evaluation=kashan` against itself with {} weights of threats 0 (men attacked by pawns, minor men, rooks, the king, or by pawns that may step; \
         hanging and outnumbered men), alpha-beta, {limits}, and with those of one kind 0, {few}: the other weights were tuned together with these. \
         `Preset=paper` with `MutationMove=threats` against `untried`, {nodes}. {games} games each, each opening with both colours. The rating itself is by \
         {SOURCE}; these terms are ours.",
        without(&all).1
    );
    let contests: Vec<(String, &Contest)> = [("all terms for threats".to_owned(), &terms)]
        .into_iter()
        .chain(alone.iter().map(|(what, contest)| (format!("terms for {what}"), contest)))
        .chain([("mutation".to_owned(), &mutation)])
        .collect();
    let data: Vec<_> =
        contests.iter().map(|(what, contest)| json!({ "what": what, "match": contest })).collect();
    Ok(Conclusion::new(method, claims.into_iter().chain(measured).collect(), json!(data)).with_matches(
        "With threats against without",
        "Match",
        contests.into_iter(),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_threats_are_taken_away() {
        let (weights, terms) = without(&TERMS.map(|(_, begin)| begin));
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
        let kinds = TERMS.map(|(_, begin)| without(&[begin]).1);
        assert!(kinds.iter().all(|&weights| weights > 0), "{kinds:?}");
        assert_eq!(kinds.iter().sum::<usize>(), terms);
    }
}
