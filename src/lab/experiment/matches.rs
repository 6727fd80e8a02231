//! Experiments that are nothing but matches: what the catalogue says of them, and what plays it.

use anyhow::bail;
use serde::Deserialize;

use super::action::shelf::{Shelf, libraries};
use super::laboratory::{Contest, Match, alphabeta_with, ours};
use super::text::filled;
use super::{Conclusion, Conditions, Laboratory, Text};
use crate::arena::{EngineLimits, EngineSpec};
use crate::eval::{Evaluation, WeightSet, WeightsFile};
use crate::util::display::Mark;

/// Matches of one form: one for each line of `each` and each of the limits.
///
/// In its texts `{0}`, `{1}` are the words of the line, `{library}` and `{path}` a library of actions (there
/// are matches with each of them then), `{limits}` and `{nodes}` what is played under, `{what}` what
/// distinguishes the match and `{weights}` the path of [`Form::weights`].
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Form {
    each: Vec<Vec<String>>,
    /// As in [`Match`]; in small letters, with hyphens for blanks.
    work: String,
    what: String,
    /// What is true if the first engine is the stronger one.
    claim: String,
    /// What is said instead if nothing is claimed; `what`, if this is empty.
    measured: String,
    /// `NAME | BACKEND | OPTION=VALUE OPTION=VALUE`, and if it has limits of its own ` | LIMITS`; a depth
    /// alone comes to those of the match. The option `Only` switches everything off that alpha-beta can do
    /// but for what it names.
    engines: [String; 2],
    limits: Vec<Cost>,
    /// Quick and full.
    games: [u32; 2],
    weights: Option<Weights>,
}

/// What a move or a game may cost; of pairs the first is that of a quick run.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Cost {
    /// The same whatever limits the user asks for. There may be `{0}` and `{1}` in it.
    Fixed(String),
    Usual([String; 2]),
    Nodes {
        nodes: [u64; 2],
    },
    /// In runs with clocks alone: without them it would be the same match again.
    WithClocks {
        with_clocks: Box<Cost>,
    },
}

/// Weights that are written for an engine to read.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Weights {
    /// The name of the file, but for `.toml`.
    file: String,
    of: Evaluation,
    /// `NAME=VALUE` of each weight that is not the default; `NAME*` for all that begin so.
    set: String,
}

impl Cost {
    /// # Panics
    /// If the catalogue has no limits there.
    fn limits(&self, conditions: &Conditions, line: &[String]) -> Option<EngineLimits> {
        match self {
            Cost::Fixed(text) => Some(
                filled(text, line.iter().enumerate()).parse().expect("the catalogue's limits are limits"),
            ),
            Cost::Usual([quick, full]) => Some(conditions.limits(quick, full)),
            Cost::Nodes { nodes: [quick, full] } => {
                Some(EngineLimits::of_nodes(conditions.nodes(*quick, *full)))
            }
            Cost::WithClocks { .. } if conditions.are_reproducible() => None,
            Cost::WithClocks { with_clocks } => with_clocks.limits(conditions, line),
        }
    }
}

/// The default weights but for those that are set, and how many are.
pub(super) fn changed(evaluation: Evaluation, set: &str) -> (WeightSet, usize) {
    let value = |name: &str| {
        let is_meant = |pattern: &str| match pattern.strip_suffix('*') {
            Some(begin) => name.starts_with(begin),
            None => name == pattern,
        };
        let (_, value) = options(set).find(|(pattern, _)| is_meant(pattern))?;
        Some(value.parse().expect("the catalogue's weights are numbers"))
    };
    let values: Vec<Option<i32>> = evaluation.table().iter().map(|spec| value(&spec.name)).collect();
    let whole = WeightSet::of(evaluation);
    let row = whole.row().iter().zip(&values).map(|(&weight, value)| value.unwrap_or(weight));
    let row: Vec<i32> = row.collect();
    (WeightSet::with_row(evaluation, &row), values.iter().flatten().count())
}

/// Of the catalogue: `Levels=1 Mutants=1`.
///
/// # Panics
/// If a word has no value.
pub fn options(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split_whitespace().map(|option| option.split_once('=').expect(option))
}

impl Form {
    fn matches(&self, laboratory: &Laboratory, shelf: &Shelf) -> anyhow::Result<Vec<Match>> {
        let conditions = &laboratory.conditions;
        let no_words = [Vec::new()];
        let lines: &[Vec<String>] = if self.each.is_empty() { no_words.as_slice() } else { &self.each };
        let costs = |line| self.limits.iter().filter_map(move |cost| cost.limits(conditions, line));
        let pairs = lines.iter().flat_map(|line| costs(line).map(move |limits| (line, limits)));
        pairs.map(|(line, limits)| self.one(laboratory, shelf, line, limits)).collect()
    }

    fn one(
        &self,
        laboratory: &Laboratory,
        shelf: &Shelf,
        line: &[String],
        limits: EngineLimits,
    ) -> anyhow::Result<Match> {
        let conditions = &laboratory.conditions;
        let [cost, nodes] = [limits.to_string(), limits.nodes.unwrap_or_default().to_string()];
        let words = [("library", &shelf.name), ("limits", &cost), ("nodes", &nodes)];
        let filled = |text: &str| filled(&filled(text, line.iter().enumerate()), words);
        let written = |weights: &Weights| -> anyhow::Result<String> {
            let (set, _) = changed(weights.of, &filled(&weights.set));
            let text = WeightsFile { weights: set, made: toml::Table::new() }.to_text();
            Ok(laboratory.keep(&format!("{}.toml", filled(&weights.file)), &text)?.display().to_string())
        };
        let weights = self.weights.as_ref().map(written).transpose()?.unwrap_or_default();
        let what = filled(&self.what);
        let statement = match [&self.claim, &self.measured].into_iter().find(|text| !text.is_empty()) {
            Some(text) => filled(text).replace("{what}", &what),
            None => what.clone(),
        };
        let engine = |text: &String| {
            // A path may have blanks in it.
            let path = |value: &str| value.replace("{path}", &shelf.path).replace("{weights}", &weights);
            engine(conditions, &filled(text), limits, path)
        };
        let [first, second] = self.engines.each_ref().map(engine);
        Ok(Match {
            work: filled(&self.work).to_lowercase().replace(' ', "-"),
            what,
            engines: [first?, second?],
            limits,
            games: conditions.games(self.games[0], self.games[1]),
            statement,
            is_claim: !self.claim.is_empty(),
        })
    }
}

/// One of ours by its text, see [`Form`], in a match with these limits; `filled` is what an option's value
/// becomes.
fn engine(
    conditions: &Conditions,
    text: &str,
    limits: EngineLimits,
    filled: impl Fn(&str) -> String,
) -> anyhow::Result<EngineSpec> {
    let parts: Vec<&str> = text.split('|').map(str::trim).collect();
    let &[name, backend, chosen, ref own @ ..] = parts.as_slice() else { bail!("no engine: {text}") };
    let mut all: Vec<(&str, String)> = Vec::new();
    for (option, value) in options(chosen) {
        match option {
            "Only" => {
                let parts = alphabeta_with(&value.split(',').collect::<Vec<_>>());
                all.extend(parts.into_iter().map(|(part, is_on)| (part, is_on.to_owned())));
            }
            _ => all.push((option, filled(value))),
        }
    }
    let all: Vec<(&str, &str)> = all.iter().map(|(option, value)| (*option, value.as_str())).collect();
    let own = own.first().map(|own| own.parse::<EngineLimits>()).transpose()?.map(|own| match own {
        EngineLimits { depth, time: None, nodes: None } => EngineLimits { depth, ..limits },
        own => own,
    });
    Ok(EngineSpec { limits: own, ..ours(conditions, name, backend, &all) })
}

impl Text {
    /// All matches of the catalogue.
    pub fn matches(&self, laboratory: &Laboratory) -> anyhow::Result<Vec<Match>> {
        let shelves = match self.matches.iter().any(|form| form.work.contains("{library}")) {
            true => libraries(laboratory)?,
            false => vec![Shelf::default()],
        };
        let forms = shelves.iter().flat_map(|shelf| self.matches.iter().map(move |form| (shelf, form)));
        let matches = forms.map(|(shelf, form)| form.matches(laboratory, shelf));
        Ok(matches.collect::<anyhow::Result<Vec<_>>>()?.concat())
    }

    /// Plays them, or what is left of them.
    pub fn play(&self, laboratory: &Laboratory) -> anyhow::Result<Vec<Contest>> {
        laboratory.play_all(self.matches(laboratory)?)
    }

    /// How many games the matches of the first form have.
    pub fn games(&self, conditions: &Conditions) -> u32 {
        self.matches.first().map_or(0, |Form { games: [quick, full], .. }| conditions.games(*quick, *full))
    }

    /// What stands for words in braces: the games of a match, the limits of each form, `limits`, `limits_2`
    /// and so on, and how many weights the first form sets.
    pub(super) fn words_of_matches(&self, conditions: &Conditions) -> Vec<(String, String)> {
        let Some(first) = self.matches.first() else { return Vec::new() };
        let line = |form: &Form| form.each.first().cloned().unwrap_or_default();
        let limits = self.matches.iter().zip(1..).filter_map(|(form, number)| {
            let name = if number == 1 { "limits".to_owned() } else { format!("limits_{number}") };
            Some((name, form.limits.first()?.limits(conditions, &line(form))?.to_string()))
        });
        let weights = first.weights.iter().map(|Weights { of, set, .. }| {
            let (_, number) = changed(*of, &filled(set, line(first).iter().enumerate()));
            ("weights".to_owned(), number.to_string())
        });
        limits.chain(weights).chain([("games".to_owned(), self.games(conditions).to_string())]).collect()
    }
}

/// An experiment whose matches say all.
pub fn run(laboratory: &Laboratory, text: &Text) -> anyhow::Result<Conclusion> {
    let contests = text.play(laboratory)?;
    let parts = contests.iter().map(Contest::part).collect();
    let conclusion = text.conclude(laboratory, &[], parts, &contests).with_matches(&contests);
    Ok(match text.figures.contains_key("elo") {
        true => conclusion.with_bars("elo", Mark::Dot, Contest::bars(&contests)),
        false => conclusion,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::settings::Settings;
    use crate::lab::experiment::catalogue;
    use crate::search::genetic::params::{GeneticOptions, Preset};
    use crate::search::{AlphaBetaOptions, minimax};
    use crate::util::jobs::StopRequest;

    /// What is seen of a text's matches, as they would be played under some conditions.
    fn seen<T>(text: &Text, conditions: Conditions, look: impl Fn(&Match) -> T) -> Vec<T> {
        let folder = tempfile::tempdir().expect("a folder");
        let laboratory = Laboratory::new(conditions, folder.path(), StopRequest::default(), Box::new(()));
        text.matches(&laboratory).expect("matches").iter().map(look).collect()
    }

    /// All matches of a full run.
    fn all_matches(text: &Text) -> Vec<Match> {
        seen(text, Conditions::default(), Match::clone)
    }

    fn of(id: &str) -> Text {
        catalogue().into_iter().find(|experiment| experiment.id == id).expect("in the catalogue").text
    }

    #[test]
    fn every_match_of_the_catalogue_is_between_two_engines_that_can_be() {
        let is_sound = |one: &Match| {
            let said = format!("{one:?}");
            let words = ["{0", "{1", "{2", "{3", "{library", "{path", "{weights", "{limits", "{what"];
            assert!(words.iter().all(|word| !said.contains(word)), "{said}");
            for spec in &one.engines {
                assert!(spec.backend().is_some() && Settings::with(spec.options.clone()).is_ok(), "{said}");
            }
            let [first, second] = &one.engines;
            assert_ne!((&first.command, &first.options), (&second.command, &second.options), "{said}");
            assert!(first.name != second.name && one.games > 0 && one.games.is_multiple_of(2), "{said}");
        };
        let count = |id: &str| seen(&of(id), Conditions::default(), is_sound).len();
        let ids =
            ["C9", "C10", "C12", "C13", "ablation", "A1", "A2", "A3", "A4", "A10", "M4", "M8", "M9", "M10"];
        assert_eq!(ids.map(count), [16, 16, 3, 10, 16, 3, 4, 4, 11, 8, 2, 5, 1, 8]);
    }

    #[test]
    fn every_text_has_its_words_of_matches() {
        for crate::lab::experiment::Experiment { id, text, .. } in catalogue() {
            let words = text.words_of_matches(&Conditions::default());
            assert!(words.iter().all(|(_, word)| !word.contains('{')), "{id}: {words:?}");
        }
        assert!(of("M8").words_of_matches(&Conditions::default()).contains(&("weights".into(), "2".into())));
    }

    #[test]
    fn limits_are_what_the_user_says_where_they_may_be() {
        let matches = |conditions: Conditions| {
            let limits = |id| seen(&of(id), conditions.clone(), |one| one.limits.to_string());
            ["A10", "M8"].map(limits).concat()
        };
        assert_eq!(matches(Conditions::default())[6..9], ["nodes=20000", "0.1/move", "depth=4"]);
        let clock = Conditions { limits: "1+0.1".parse().ok(), ..Conditions::default() };
        assert_eq!(matches(clock)[6..9], ["nodes=20000", "1+0.1", "1+0.1"]);
        assert_eq!(matches(Conditions { nodes: Some(9), ..Conditions::default() })[2..5], ["nodes=9"; 3]);
    }

    #[test]
    fn a_factor_less_is_one_factor_less() {
        let whole = WeightSet::of(Evaluation::Threats);
        let forms = of("M8").matches;
        let set = |form: &Form| form.weights.as_ref().expect("weights").set.clone();
        let sets = forms[0].each.iter().map(|line| line[1].clone()).chain([set(&forms[1])]);
        let differs = |set: String| {
            let (weights, count) = changed(Evaluation::Threats, &set);
            assert_eq!(count, set.split(' ').count(), "{set}");
            weights.row().iter().zip(whole.row()).filter(|(one, other)| one != other).count()
        };
        assert_eq!(sets.map(differs).collect::<Vec<_>>(), [2, 1, 1, 1, 5]);
        let engine = &all_matches(&of("M8"))[0].engines[0];
        let settings = Settings::with(engine.options.clone()).expect("options");
        assert_eq!(settings.weights(), whole);
        assert_eq!(settings.minimax, minimax::Preset::Threats.options());
    }

    #[test]
    fn only_threats_are_taken_away() {
        let forms = of("M10").matches;
        let (weights, terms) = changed(Evaluation::Kashan, &forms[0].weights.as_ref().expect("weights").set);
        let table = Evaluation::Kashan.table();
        let is_threat = |name: &str| ["threat", "hanging"].iter().any(|it| name.starts_with(it));
        assert_eq!(table.iter().filter(|spec| is_threat(&spec.name)).count(), terms);
        for ((spec, less), whole) in
            table.iter().zip(weights.row()).zip(WeightSet::of(Evaluation::Kashan).row())
        {
            assert_eq!(*less, if is_threat(&spec.name) { 0 } else { *whole }, "{}", spec.name);
        }
        // Every weight of a threat is of one kind.
        let of_kind = |kind: &String| changed(Evaluation::Kashan, &format!("{kind}*=0")).1;
        let kinds: Vec<usize> = forms[1].each.iter().map(|line| of_kind(&line[2])).collect();
        assert!(kinds.iter().all(|&weights| weights > 0), "{kinds:?}");
        assert_eq!(kinds.iter().sum::<usize>(), terms);
    }

    #[test]
    fn the_opponent_has_what_the_paper_says_and_nothing_else() {
        let matches = all_matches(&of("C10"));
        let settings = Settings::with(matches[2].engines[1].options.clone()).expect("options");
        let paper =
            AlphaBetaOptions { principal_variation: true, null_move: true, ..AlphaBetaOptions::plain() };
        assert_eq!(settings.alphabeta, paper);
        let limits = |number: usize| {
            let spec = |spec: &EngineSpec| spec.limits.map_or(String::new(), |limits| limits.to_string());
            matches[number].engines.each_ref().map(spec)
        };
        assert_eq!(limits(2), ["1.5+0.015", "1.5+0.015,depth=3"]);
        assert_eq!(limits(8), ["matched/0.001", "1.5+0.015,depth=1"]);
    }

    #[test]
    fn the_users_preset_is_that_of_the_genetic_search_alone() {
        let engines = |preset| {
            let conditions = Conditions { preset, ..Conditions::default() };
            seen(&of("C9"), conditions, |one| one.engines.clone()).swap_remove(0)
        };
        let presets = |preset| {
            engines(preset).map(|spec| {
                let presets = spec.options.into_iter().filter(|(name, _)| name == "Preset");
                presets.map(|(_, preset)| preset).collect::<Vec<_>>()
            })
        };
        assert_eq!(presets(Preset::Letter), [["letter"], ["paper"]]);
        // What was played with the default goes on from its journals.
        let [paper, _] = engines(Preset::Paper);
        let usual =
            [("OwnBook", "false"), ("Preset", "paper"), ("Evaluation", "paper"), ("MoveOverhead", "2")];
        assert_eq!(paper.options, usual.map(|(name, value)| (name.to_owned(), value.to_owned())));
    }

    #[test]
    fn every_variant_differs_from_its_preset_and_makes_up_for_what_it_leaves_out() {
        let options = |spec: EngineSpec| Settings::with(spec.options).expect("options").genetic;
        // Mutations and children of crossover together, in percent of P.
        let children = |searched: GeneticOptions| 2 * searched.crossover_rate + searched.mutation_rate;
        for Match { what, engines, .. } in all_matches(&of("ablation")) {
            let [variant, base] = engines.map(options);
            let (preset, _) = what.split_once(':').expect("a preset");
            assert_eq!(base, preset.parse::<Preset>().expect("a preset").options());
            assert_ne!(variant, base, "{what}");
            assert!(preset != "paper" || children(variant) == children(base), "{what}");
        }
    }
}
