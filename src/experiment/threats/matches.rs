//! M8, M9, and the matches of M4: what parts of the program are worth in games.

use serde_json::json;

use super::program::{SOURCE, material_alone};
use crate::arena::{EngineSpec, Limits};
use crate::evaluation::threats::ThreatWeights;
use crate::evaluation::{Evaluation, Genome as _, WeightSet, WeightsFile};
use crate::experiment::laboratory::{Contest, ours};
use crate::experiment::{ClaimVerdict, Conclusion, Experiment, Laboratory, Part};

pub const FACTORS: Experiment = Experiment {
    id: "M8",
    title: "What each factor is worth",
    claim: "The factors were tweaked until they made the program select better moves: each was worth having.",
    source: SOURCE,
    run: factors,
};

pub const BOOK: Experiment = Experiment {
    id: "M9",
    title: "Without a book",
    claim: "A database of optimal moves for the opening need not be implemented.",
    source: SOURCE,
    run: book,
};

/// How matches are played, for methods.
pub const METHOD: &str = "Matches are played between two of the program, each opening with both colours; `--tc depth=N` makes them quicker.";

/// One of the program, which prunes last replies: that changes nothing but the time.
fn program(name: &str, options: &[(&str, &str)]) -> EngineSpec {
    let options: Vec<(&str, &str)> = [("MinMaxPreset", "threats")].iter().chain(options).copied().collect();
    ours(name, "minimax", &options)
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
pub fn of_pruning(laboratory: &Laboratory<'_>) -> anyhow::Result<Vec<(String, Contest)>> {
    let games = laboratory.conditions.games(4, 400);
    let depth = plies(laboratory);
    let nodes = laboratory.conditions.nodes(5_000, 50_000);
    let play = |work: &str, name: String, limits: Limits, most_plies: &str| {
        let engine =
            |pruning: &str| program(pruning, &[("MinMaxPruning", pruning), ("MinMaxDepth", most_plies)]);
        let contest = laboratory.play(work, [engine("static"), engine("off")], limits, games)?;
        anyhow::Ok((name, contest))
    };
    Ok(vec![
        play("m4-depth", format!("`static` against `off`, {depth}"), depth, "4")?,
        play(
            "m4-nodes",
            format!("`static` against `off`, {nodes} positions a move"),
            Limits::of_nodes(nodes),
            "20",
        )?,
    ])
}

/// The factors, and the weights without each.
fn without() -> [(&'static str, ThreatWeights); 5] {
    let whole = ThreatWeights::DEFAULT;
    [
        ("threatened", ThreatWeights { threatened: 100, threatened_pawn: 100, ..whole.clone() }),
        ("defended", ThreatWeights { defended: 100, ..whole.clone() }),
        ("centre", ThreatWeights { centre: 100, ..whole.clone() }),
        ("rows", ThreatWeights { row: 0, ..whole }),
        ("all", material_alone()),
    ]
}

fn factors(laboratory: &Laboratory<'_>) -> anyhow::Result<Conclusion> {
    let games = laboratory.conditions.games(4, 400);
    let limits = plies(laboratory);
    let mut contests = Vec::new();
    for (factor, weights) in without() {
        let weights = WeightSet::with_row(Evaluation::Threats, &weights.to_row());
        let text = WeightsFile { weights, made: toml::Table::new() }.to_text();
        let path = laboratory.keep(&format!("m8-without-{factor}.toml"), &text)?.display().to_string();
        let engines = [program("whole", &[]), program("without", &[("WeightsFile", &path)])];
        contests.push((factor, laboratory.play(&format!("m8-{factor}"), engines, limits, games)?));
    }
    let parts = contests.iter().map(|(factor, contest)| {
        let statement = match *factor {
            "all" => "The whole program is stronger than material alone".to_owned(),
            factor => format!("The whole program is stronger than without \"{factor}\""),
        };
        Part::new(statement, ClaimVerdict::of_encounter(true, &contest.encounter), contest.in_words())
    });
    let parts = parts.collect();
    let method = format!(
        "{METHOD} {limits}, {games} games each: the program with all factors against itself with one of them taken away (100 % in place of 20 and 40, 130, \
         120; no points for rows), and with all."
    );
    let caption = "The whole program against itself without";
    Ok(Conclusion::of_matches(method, parts, caption, ["Factor", "without"], &contests))
}

fn book(laboratory: &Laboratory<'_>) -> anyhow::Result<Conclusion> {
    let games = laboratory.conditions.games(4, 400);
    let limits = plies(laboratory);
    let engines = [program("with-book", &[("OwnBook", "true")]), program("without-book", &[])];
    let contest = laboratory.play("m9-book", engines, limits, games)?;
    let parts = vec![Part::measured("The program with its book against itself without", contest.in_words())];
    let method = format!(
        "{METHOD} {limits}, {games} games that begin with eight half-moves of our own lines, which the book goes on with where it knows them. There is no \
         verdict: \"need not\" names no number. Endgame tables are not shipped."
    );
    let data = json!(contest);
    Ok(Conclusion::new(method, parts, data).with_matches(
        "With and without the book",
        "Match",
        std::iter::once(("with book".to_owned(), &contest)),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Settings;
    use crate::search::minimax::Preset;

    #[test]
    fn a_factor_less_is_one_factor_less() {
        let whole = ThreatWeights::DEFAULT.to_row();
        let changed = without().map(|(_, weights)| {
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
}
