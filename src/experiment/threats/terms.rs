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

/// What the names of the terms begin with.
const TERMS: [&str; 3] = ["threat_by_", "hanging_", "outnumbered"];

/// The weights of the evaluation `kashan` without its terms for threats, and how many these are.
fn without_threats() -> (WeightSet, usize) {
    let table = Evaluation::Kashan.table();
    let is_threat = |name: &str| TERMS.iter().any(|begin| name.starts_with(begin));
    let whole = WeightSet::of(Evaluation::Kashan);
    let weights = table.iter().zip(whole.row());
    let row: Vec<i32> =
        weights.map(|(spec, &weight)| if is_threat(&spec.name) { 0 } else { weight }).collect();
    let terms = table.iter().filter(|spec| is_threat(&spec.name)).count();
    (WeightSet::with_row(Evaluation::Kashan, &row), terms)
}

fn run(laboratory: &Laboratory<'_>) -> anyhow::Result<Conclusion> {
    let conditions = &laboratory.conditions;
    let games = conditions.games(4, 1_000);
    let limits = conditions.limits("nodes=1000", "10+0.1");
    let (weights, terms) = without_threats();
    let text = WeightsFile { weights, made: toml::Table::new() }.to_text();
    let path = laboratory.keep("m10-without-threats.toml", &text)?.display().to_string();
    let evaluation = ("Evaluation", Evaluation::Kashan.into_str());
    let engines = [
        ours("with-threats", "alphabeta", &[evaluation]),
        ours("without", "alphabeta", &[evaluation, ("WeightsFile", &path)]),
    ];
    let terms_of_evaluation = laboratory.play("m10-terms", engines, limits, games)?;
    let genetic = |name: &str, draw: MutationMove| {
        ours(name, "genetic", &[evaluation, ("MutationMove", draw.into_str())])
    };
    let engines = [genetic("threats", MutationMove::Threats), genetic("untried", MutationMove::Untried)];
    let nodes = Limits::of_nodes(conditions.nodes(1_000, 20_000));
    let mutation = laboratory.play("m10-mutation", engines, nodes, games)?;
    let contests: [(&str, &Contest); 2] = [
        ("Alpha-beta plays better with the terms for threats", &terms_of_evaluation),
        ("The genetic search plays better with MutationMove=threats", &mutation),
    ];
    let parts = contests.map(|(statement, contest)| {
        Part::new(statement, ClaimVerdict::of_encounter(true, &contest.encounter), contest.in_words())
    });
    let data = contests.map(|(what, contest)| json!({ "what": what, "match": contest }));
    let method = format!(
        "`Evaluation=kashan` against itself with {terms} weights of threats 0 (men attacked by pawns, minor men, rooks, the king, or by pawns that may step; \
         hanging and outnumbered men), alpha-beta, {limits}: the other weights were tuned together with these. `Preset=paper` with `MutationMove=threats` \
         against `untried`, {nodes}. {games} games each, each opening with both colours. The rating itself is by {SOURCE}; these terms are ours."
    );
    Ok(Conclusion::new(method, parts.to_vec(), json!(data)).with_matches(
        "With threats against without",
        "Match",
        [("terms of the evaluation", &terms_of_evaluation), ("mutation", &mutation)]
            .into_iter()
            .map(|(name, contest)| (name.to_owned(), contest)),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_threats_are_taken_away() {
        let (weights, terms) = without_threats();
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
    }
}
