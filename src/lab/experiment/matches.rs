//! Experiments that consist of matches only.

use super::laboratory::{Match, PlayedMatch};
use super::{Conclusion, Laboratory, Text};
use crate::arena::{EngineLimits, EngineSpec};
use crate::eval::{Evaluation, WeightSet, WeightsFile};

/// Returns the default weights of an evaluation, with new values by name from `value`; and the
/// number of new values.
pub(super) fn changed(
    evaluation: Evaluation,
    value: impl Fn(&str) -> Option<i32>,
) -> (WeightSet, usize) {
    let whole = WeightSet::of(evaluation);
    let mut row = whole.row().to_vec();
    let mut count = 0;
    for (weight, spec) in row.iter_mut().zip(evaluation.table()) {
        if let Some(value) = value(&spec.name) {
            *weight = value;
            count += 1;
        }
    }
    (WeightSet::with_row(evaluation, &row), count)
}

/// The value of a name in a list.
pub(super) fn value_of(values: &[(&str, i32)], name: &str) -> Option<i32> {
    values
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, value)| *value)
}

/// Writes weights for an engine to read; the path of the file, `NAME.toml`.
pub(super) fn written(
    laboratory: &Laboratory,
    name: &str,
    weights: WeightSet,
) -> anyhow::Result<String> {
    let text = WeightsFile {
        weights,
        made: toml::Table::new(),
    }
    .to_text();
    Ok(laboratory
        .keep(&format!("{name}.toml"), &text)?
        .display()
        .to_string())
}

/// Gives one of our engines limits of its own.
pub(super) fn with_limits(spec: EngineSpec, limits: EngineLimits) -> EngineSpec {
    EngineSpec {
        limits: Some(limits),
        ..spec
    }
}

/// Plays matches and concludes: each is a part.
pub(super) fn run(
    laboratory: &Laboratory,
    text: &Text,
    matches: Vec<Match>,
) -> anyhow::Result<Conclusion> {
    let played_matches = laboratory.play_all(matches)?;
    let parts = played_matches.iter().map(PlayedMatch::part).collect();
    let games = played_matches[0].wanted.games;
    Ok(text
        .conclude(laboratory, &[("games", &games)], parts, &played_matches)
        .with_endings(&played_matches))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::settings::Settings;
    use crate::lab::experiment::claims::{deadline, depths, initial_population};
    use crate::lab::experiment::{Conditions, Run, action, run_of, threats};
    use crate::search::genetic::params::Preset;
    use crate::search::{AlphaBetaOptions, minimax};
    use crate::util::jobs::StopRequest;

    /// The matches of an experiment, as they would be played under some conditions.
    fn matches(id: &str, conditions: Conditions) -> Vec<Match> {
        look_at(id, conditions, |matches| matches)
    }

    /// Looks at the matches of an experiment while the weights are there that their engines read.
    fn look_at<T>(id: &str, conditions: Conditions, look: impl FnOnce(Vec<Match>) -> T) -> T {
        let folder = tempfile::tempdir().expect("a folder");
        let laboratory = Laboratory::new(
            conditions,
            folder.path(),
            StopRequest::default(),
            Box::new(()),
        );
        let conditions = &laboratory.conditions;
        let matches = match id {
            "C9" => Ok(depths::matches(conditions, &depths::MINMAX)),
            "C10" => Ok(depths::matches(conditions, &depths::ALPHABETA)),
            "C12" => Ok(initial_population::matches(conditions)),
            "C13" => Ok(deadline::matches(conditions)),
            "A4" => action::degree_matches(&laboratory),
            "M4" => threats::pruning::matches(&laboratory),
            other => match run_of(other) {
                Run::Matches(matches) => matches(&laboratory),
                run => panic!("{other} has no list of matches: {run:?}"),
            },
        };
        look(matches.expect("matches"))
    }

    /// The matches of a full run.
    fn all_matches(id: &str) -> Vec<Match> {
        matches(id, Conditions::default())
    }

    #[test]
    fn every_match_is_between_two_engines_that_can_be() {
        let ids = [
            "C9", "C10", "C12", "C13", "A1", "A2", "A3", "A4", "M4", "M8", "M9",
        ];
        let counts = ids.map(|id| {
            look_at(id, Conditions::default(), |matches| {
                matches.iter().for_each(check);
                matches.len()
            })
        });
        assert_eq!(counts, [16, 16, 3, 10, 3, 4, 4, 11, 2, 5, 1]);
    }

    fn check(one: &Match) {
        let said = format!("{one:?}");
        for spec in &one.engines {
            let settings = Settings::with(spec.options.clone());
            assert!(
                spec.backend().is_some() && settings.is_ok(),
                "{settings:?}: {said}"
            );
        }
        let [first, second] = &one.engines;
        assert_ne!(
            (&first.command, &first.options),
            (&second.command, &second.options),
            "{said}"
        );
        assert!(
            first.name != second.name && one.games > 0 && one.games.is_multiple_of(2),
            "{said}"
        );
        let is_plain =
            |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
        assert!(one.work.chars().all(is_plain), "{said}");
    }

    /// Journals are found by these names, and texts are about these words.
    #[test]
    fn matches_are_called_as_they_always_were() {
        let called = |id: &str, number: usize| {
            let Match {
                work,
                what,
                statement,
                is_claim,
                ..
            } = all_matches(id).swap_remove(number);
            format!("{work} | {what} | {statement} | {is_claim}")
        };
        for (id, number, expected) in [
            (
                "C9",
                10,
                "c9-minmax-equal-time-3 | depth 3 | equal-time | false",
            ),
            (
                "C10",
                0,
                "c10-alphabeta-same-clock-1 | depth 1 | same-clock | false",
            ),
            (
                "C12",
                0,
                "c12-levels | 0.1/move | Two levels are stronger than one, 0.1/move | true",
            ),
            ("C13", 4, "c13-0-3-0-002 | 0.3+0.002 | 0.3+0.002 | false"),
            (
                "A1",
                1,
                "a1-chain | chain | Power is the better evaluation, PowerChain=chain | true",
            ),
            (
                "A2",
                3,
                "a-built-in-power-0-all | Filter 1 against all moves, built-in, power, 0.1/move | Filter 1 against all moves, built-in, power, 0.1/move | true",
            ),
            (
                "A3",
                1,
                "a-built-in-paper-50-0 | Degree 0.5 against Filter 1, built-in, paper, depth=4 | Degree 0.5 against Filter 1, built-in, paper, depth=4 | true",
            ),
            (
                "A4",
                0,
                "a-built-in-all-40-50 | Degree 0.4 against Degree 0.5, built-in, all, depth=4 | Degrees 0.4 and 0.5 are alike, built-in | false",
            ),
            (
                "A4",
                6,
                "a-built-in-first-40-all | Degree 0.4 against all moves, built-in, first, depth=4 | 0.4 or 0.5 is the best degree, built-in, EmptyList=first | false",
            ),
            (
                "M4",
                1,
                "m4-nodes | `static` against `off`, 50000 positions a move | `static` against `off`, 50000 positions a move | false",
            ),
            (
                "M8",
                4,
                "m8-all | all | The whole program is stronger than material alone | true",
            ),
        ] {
            assert_eq!(called(id, number), expected);
        }
    }

    #[test]
    fn limits_are_what_the_user_says_where_they_may_be() {
        let limits = |conditions: Conditions| {
            let of = |id| {
                matches(id, conditions.clone())
                    .iter()
                    .map(|one| one.limits.to_string())
                    .collect()
            };
            ["A2", "M8"].map(|id| -> Vec<String> { of(id) }).concat()
        };
        assert_eq!(
            limits(Conditions::default())[2..5],
            ["depth=4", "0.1/move", "depth=4"]
        );
        let clock = Conditions {
            limits: "1+0.1".parse().ok(),
            ..Conditions::default()
        };
        assert_eq!(limits(clock)[2..5], ["depth=4", "1+0.1", "1+0.1"]);
        assert_eq!(
            limits(Conditions {
                nodes: Some(9),
                ..Conditions::default()
            })[3..6],
            ["nodes=9"; 3]
        );
    }

    #[test]
    fn a_factor_less_is_one_factor_less() {
        let whole = WeightSet::of(Evaluation::Threats);
        let differs = threats::FACTORS.map(|(_, values)| {
            let (weights, count) = changed(Evaluation::Threats, |name| value_of(values, name));
            assert_eq!(count, values.len(), "{values:?}");
            weights
                .row()
                .iter()
                .zip(whole.row())
                .filter(|(one, other)| one != other)
                .count()
        });
        assert_eq!(differs, [2, 1, 1, 1, 5]);
        let engine = &all_matches("M8")[0].engines[0];
        let settings = Settings::with(engine.options.clone()).expect("options");
        assert_eq!(settings.weights(), whole);
        assert_eq!(settings.minimax, minimax::Preset::Threats.options());
    }

    #[test]
    fn the_opponent_has_what_the_paper_says_and_nothing_else() {
        let matches = all_matches("C10");
        let settings = Settings::with(matches[2].engines[1].options.clone()).expect("options");
        let paper = AlphaBetaOptions {
            principal_variation: true,
            null_move: true,
            ..AlphaBetaOptions::plain()
        };
        assert_eq!(settings.alphabeta, paper);
        let limits = |number: usize| {
            let spec = |spec: &EngineSpec| {
                spec.limits
                    .map_or(String::new(), |limits| limits.to_string())
            };
            matches[number].engines.each_ref().map(spec)
        };
        assert_eq!(limits(2), ["1.5+0.015", "1.5+0.015,depth=3"]);
        assert_eq!(limits(8), ["matched/0.001", "1.5+0.015,depth=1"]);
    }

    #[test]
    fn the_users_preset_is_that_of_the_genetic_search_alone() {
        let engines = |preset| {
            let conditions = Conditions {
                preset,
                ..Conditions::default()
            };
            matches("C9", conditions).swap_remove(0).engines
        };
        let presets = |preset| {
            engines(preset).map(|spec| {
                let presets = spec
                    .options
                    .into_iter()
                    .filter(|(name, _)| name == "Preset");
                presets.map(|(_, preset)| preset).collect::<Vec<_>>()
            })
        };
        assert_eq!(presets(Preset::Letter), [["letter"], ["paper"]]);
        // What was played with the default goes on from its journals.
        let [paper, _] = engines(Preset::Paper);
        let usual = [
            ("OwnBook", "false"),
            ("Preset", "paper"),
            ("Evaluation", "paper"),
            ("MoveOverhead", "2"),
        ];
        assert_eq!(
            paper.options,
            usual.map(|(name, value)| (name.to_owned(), value.to_owned()))
        );
    }
}
