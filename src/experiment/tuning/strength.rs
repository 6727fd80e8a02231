//! T2: the evolved player against the best of the first generation.

use std::path::PathBuf;

use serde_json::json;

use super::runs::{METHOD, PLIES, Run, Setup, evolve, mean_in_words, seeds, verdict_above};
use crate::arena::{EngineSpec, Limits};
use crate::display::{Table, cells};
use crate::evaluation::{Evaluation, WeightSet, WeightsFile};
use crate::experiment::laboratory::{Contest, ours};
use crate::experiment::{Conclusion, Experiment, Laboratory, Part};
use crate::options::OptionKind;
use crate::search::AlphaBetaOptions;
use crate::tuning::mean_with_interval;

pub const EXPERIMENT: Experiment = Experiment {
    id: "T2",
    title: "The evolved against the non-evolved player",
    claim: "After the evolution the best player wins 95 to 97 % of its games against the best player before.",
    source: "Vázquez-Fernández & Coello 2013, Table II",
    run,
};

/// What Table II's best row has, in percent.
const PRINTED: f64 = 97.25;

fn run(laboratory: &Laboratory<'_>) -> anyhow::Result<Conclusion> {
    let conditions = &laboratory.conditions;
    let setup = Setup { players: conditions.pick(6, 20), ..Setup::paper(laboratory) };
    let runs = evolve(laboratory, "t2", &setup, seeds(laboratory))?;
    let games = conditions.games(4, 200);
    let contests: Vec<Contest> =
        runs.iter().map(|run| play(laboratory, run, games)).collect::<anyhow::Result<_>>()?;
    let rates: Vec<f64> = contests
        .iter()
        .filter_map(|contest| contest.encounter.score.rate())
        .map(|rate| 100.0 * rate)
        .collect();
    let [mean, half] = mean_with_interval(&rates);
    let (low, high) = (mean - half, mean + half);
    let printed = match (low..=high).contains(&PRINTED) {
        true => "inside the interval",
        false => "outside the interval; it is the best of 15,840 runs",
    };
    let parts = vec![
        Part::new(
            "The evolved player scores more than half",
            verdict_above(50.0, &rates),
            mean_in_words(&rates),
        ),
        Part::measured(format!("Table II's {PRINTED} %"), printed),
    ];
    let rows = runs.iter().zip(&contests).map(|(run, contest)| {
        let score = contest.encounter.score;
        let rate = score.rate().map_or(f64::NAN, |rate| 100.0 * rate);
        cells![run.seed, score.wins, score.draws, score.losses, format!("{rate:.2}")]
    });
    let table = Table::headed("Seed: | Wins: | Draws: | Losses: | Score %:").with_rows(rows);
    let matches: Vec<_> =
        runs.iter().zip(&contests).map(|(run, contest)| json!({ "run": run, "match": contest })).collect();
    let method = format!(
        "{METHOD} Each seed's result plays {games} games against the best of its first generation, both searching 4 plies as the problems were searched; \
         each opening with both colours."
    );
    Ok(Conclusion::new(method, parts, json!(matches)).with_table("As in the paper's Table II", table))
}

fn play(laboratory: &Laboratory<'_>, run: &Run, games: u32) -> anyhow::Result<Contest> {
    let engine = |name: &str, weights: &[i32]| -> anyhow::Result<EngineSpec> {
        let path = write(laboratory, &format!("t2-{}-{name}.toml", run.seed), weights)?;
        let mut options = vec![("WeightsFile".to_owned(), path.display().to_string()), pair("Hash", "1")];
        options.extend(plain());
        let options: Vec<(&str, &str)> =
            options.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        Ok(ours(name, "alphabeta", &options))
    };
    let engines = [engine("evolved", &run.weights)?, engine("not-evolved", &run.not_evolved)?];
    let limits = Limits { depth: Some(PLIES), ..Limits::default() };
    laboratory.play(&format!("t2-match-{}", run.seed), engines, limits, games)
}

fn write(laboratory: &Laboratory<'_>, name: &str, weights: &[i32]) -> anyhow::Result<PathBuf> {
    let weights = WeightSet::with_row(Evaluation::Factors, weights);
    laboratory.keep(name, &WeightsFile { weights, made: toml::Table::new() }.to_text())
}

/// The options with which problems are searched: everything off but the table.
fn plain() -> impl Iterator<Item = (String, String)> {
    let checks = AlphaBetaOptions::table().into_iter();
    checks.filter(|spec| matches!(spec.kind, OptionKind::Check { .. })).map(|spec| {
        let value = if spec.name == "TranspositionTable" { "true" } else { "false" };
        pair(spec.name, value)
    })
}

fn pair(name: &str, value: &str) -> (String, String) {
    (name.to_owned(), value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Settings;

    #[test]
    fn games_are_searched_as_problems_are() {
        let mut settings = Settings::default();
        for (name, value) in plain() {
            settings.set(&name, &value).expect("an option");
        }
        let searched = AlphaBetaOptions { transposition_table: true, ..AlphaBetaOptions::plain() };
        assert_eq!(settings.alphabeta, searched);
    }
}
