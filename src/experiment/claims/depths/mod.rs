//! C9 and C10: the genetic search against Min-Max and alpha-beta of fixed depth, with the same evaluation.
//!
//! The paper does not say what "depth d" leaves its opponents for a move, so both readings are tried
//! ([`Condition`]).

mod exhibits;
mod judgement;

use std::time::Duration;

use serde::Serialize;
use serde_json::json;

use crate::arena::{EngineSpec, Limits, Time};
use crate::experiment::laboratory::{Contest, Match, alphabeta_with, genetic, ours};
use crate::experiment::{Conclusion, Conditions, Laboratory, Text, Words};
use judgement::{Ahead, Claim};

/// C9: Against Min-Max of fixed depth.
pub fn min_max(laboratory: &Laboratory<'_>, text: &Text) -> anyhow::Result<Conclusion> {
    let rivalry =
        Rivalry { work: "c9-minmax", rival: "Min-Max", backend: "minimax", only: None, claims: OF_MIN_MAX };
    rivalry.run(laboratory, text)
}

/// C10: Against alpha-beta of fixed depth.
pub fn alpha_beta(laboratory: &Laboratory<'_>, text: &Text) -> anyhow::Result<Conclusion> {
    let rivalry = Rivalry {
        work: "c10-alphabeta",
        rival: "Alpha-beta",
        backend: "alphabeta",
        only: Some(PVS_AND_NULL_MOVE),
        claims: OF_ALPHA_BETA,
    };
    rivalry.run(laboratory, text)
}

/// The paper's claims about Min-Max, and about alpha-beta below.
const OF_MIN_MAX: &[Claim] =
    &[Claim::new(1, 3, Ahead::Rival), Claim::new(4, 4, Ahead::Unsaid), Claim::new(5, 8, Ahead::Genetic)];
const OF_ALPHA_BETA: &[Claim] = &[Claim::new(1, 6, Ahead::Unsaid), Claim::new(7, 8, Ahead::Genetic)];

/// What the paper's alpha-beta can do.
const PVS_AND_NULL_MOVE: &[&str] = &["PVS", "NullMove"];

/// Half-moves; the paper's levels.
const DEPTHS: std::ops::RangeInclusive<u32> = 1..=8;
/// The share of the opponent's moves that have to be of the depth.
const REACHED: f64 = 0.5;
/// What the genetic search has for a move at least when it has the opponent's time. UCI counts in
/// milliseconds.
const LEAST: Duration = Duration::from_millis(1);

/// Who has how much time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Condition {
    /// Both have the same clock; the opponent stops at its depth, or when its clock tells it to. The genetic
    /// search uses its time.
    SameClock,
    /// The genetic search has, move by move, the time that the opponent took for its last one.
    EqualTime,
}

impl Condition {
    /// Without clocks nobody can say how long the opponent took.
    fn all(conditions: &Conditions) -> &'static [Condition] {
        match conditions.are_reproducible() {
            true => &[Condition::SameClock],
            false => &[Condition::SameClock, Condition::EqualTime],
        }
    }

    fn key(self) -> &'static str {
        match self {
            Condition::SameClock => "same-clock",
            Condition::EqualTime => "equal-time",
        }
    }

    fn in_words(self, conditions: &Conditions) -> &'static str {
        match self {
            Condition::SameClock if conditions.are_reproducible() => "same number of nodes",
            Condition::SameClock => "same clock",
            Condition::EqualTime => "equal time for each move",
        }
    }
}

/// A match against an opponent of one depth.
#[derive(Serialize)]
struct Bout {
    condition: Condition,
    depth: u32,
    #[serde(rename = "match")]
    contest: Contest,
    /// On which share of its moves the opponent finished its depth; `None` without moves.
    finished: Option<f64>,
    /// Of each engine, on average; reproducible findings have no times, which differ from run to run.
    milliseconds_a_move: Option<[Option<f64>; 2]>,
}

impl Bout {
    /// Whether the opponent was one of this depth: a limit that its time hardly ever lets it reach tells
    /// nothing about the depth.
    fn is_of_its_depth(&self) -> bool {
        self.finished.is_some_and(|share| share >= REACHED)
    }
}

/// The genetic search and an opponent.
struct Rivalry {
    /// The beginning of the names of journals.
    work: &'static str,
    rival: &'static str,
    backend: &'static str,
    /// What it can do, where it does not have everything.
    only: Option<&'static [&'static str]>,
    claims: &'static [Claim],
}

impl Rivalry {
    fn run(&self, laboratory: &Laboratory<'_>, text: &Text) -> anyhow::Result<Conclusion> {
        let conditions = &laboratory.conditions;
        let limits = conditions.limits("0.3+0.003", "1.5+0.015");
        let mut bouts = Vec::new();
        for &condition in Condition::all(conditions) {
            for depth in DEPTHS {
                let work = format!("{}-{}-{depth}", self.work, condition.key());
                let engines = self.engines(conditions, condition, depth, limits);
                let games = conditions.games(8, 30);
                let contest =
                    laboratory.play(Match::new(work, format!("depth {depth}"), engines, limits, games))?;
                let finished = contest.share_finished(depth);
                let times = (!conditions.are_reproducible()).then(|| contest.mean_times());
                bouts.push(Bout { condition, depth, contest, finished, milliseconds_a_move: times });
            }
        }
        let data = json!({ "limits": limits, "matches": bouts });
        let (parts, verdict) = judgement::parts(self, conditions, &bouts);
        let same = Condition::SameClock.in_words(conditions);
        let words: Words<'_> = &[
            ("rival", &self.rival),
            ("limits", &limits),
            ("games", &conditions.games(8, 30)),
            ("least", &LEAST.as_millis()),
            ("reached", &(100.0 * REACHED)),
            ("same", &same),
        ];
        let conclusion = Conclusion { verdict, ..text.conclude(laboratory, words, parts, data) };
        Ok(exhibits::add(self, conditions, &bouts, conclusion))
    }

    fn engines(
        &self,
        conditions: &Conditions,
        condition: Condition,
        depth: u32,
        limits: Limits,
    ) -> [EngineSpec; 2] {
        // The arena's margin is there for what is lost on the way.
        let (overhead, own) = match condition {
            Condition::SameClock => ("2", limits),
            Condition::EqualTime => ("0", Limits { time: Some(Time::Matched(LEAST)), ..Limits::default() }),
        };
        let overhead = ("MoveOverhead", overhead);
        let options = self.only.map(alphabeta_with).unwrap_or_default();
        let deep = Limits { depth: Some(depth), ..limits };
        let engine = |spec, limits| EngineSpec { limits: Some(limits), ..spec };
        [
            engine(genetic(conditions, "Genetic search", &[overhead]), own),
            engine(ours(self.rival, self.backend, &[options.as_slice(), &[overhead]].concat()), deep),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::settings::Settings;
    use crate::search::AlphaBetaOptions;
    use crate::search::genetic::params::Preset;

    #[test]
    fn the_users_preset_is_that_of_the_genetic_search_alone() {
        let rivalry =
            Rivalry { work: "w", rival: "Min-Max", backend: "minimax", only: None, claims: OF_MIN_MAX };
        let engines = |preset| {
            let conditions = Conditions { preset, ..Conditions::default() };
            rivalry.engines(&conditions, Condition::SameClock, 3, Limits::of_nodes(10))
        };
        let preset = |spec: &EngineSpec| {
            let mut presets = spec.options.iter().filter(|(name, _)| name == "Preset");
            let preset = presets.next().expect("one").1.clone();
            assert_eq!(presets.next(), None);
            preset
        };
        let [ours, theirs] = engines(Preset::Letter);
        assert_eq!([preset(&ours), preset(&theirs)], ["letter", "paper"]);
        // What was played with the default goes on from its journals.
        let [paper, _] = engines(Preset::Paper);
        let options = |name| crate::experiment::laboratory::ours(name, "genetic", &[("MoveOverhead", "2")]);
        assert_eq!(paper.options, options("Genetic search").options);
    }

    #[test]
    fn the_opponent_has_what_the_paper_says_and_nothing_else() {
        let settings = Settings::with(alphabeta_with(PVS_AND_NULL_MOVE)).expect("options");
        let paper =
            AlphaBetaOptions { principal_variation: true, null_move: true, ..AlphaBetaOptions::plain() };
        assert_eq!(settings.alphabeta, paper);
    }
}
