//! C11: Ufim at its weakest levels, or a stand-in.

use serde_json::json;

use crate::arena::{EngineLimits, EngineSpec};
use crate::lab::experiment::laboratory::{Match, PlayedMatch, ours, stockfish};
use crate::lab::experiment::{Conclusion, Conditions, Laboratory, Text};
use crate::util::system;

/// The number of levels in Fig. 35.
const LEVELS: usize = 8;
const QUICK: &str = "1+0.01";
const FULL: &str = "3+0.03";

/// C11: Against Ufim's levels 43 to 50, or stand-ins.
pub fn run(laboratory: &Laboratory, text: &Text) -> anyhow::Result<Conclusion> {
    let conditions = &laboratory.conditions;
    let limits = conditions.limits(QUICK, FULL);
    let games = conditions.games(2, 20);
    let (opponents, about) = field(conditions, limits, system::has_program("stockfish"));
    let mut matches = Vec::new();
    for (opponent, level) in opponents.iter().zip(1..) {
        let genetic = ours(
            conditions,
            "Genetic search",
            "genetic",
            &[("MoveOverhead", "5")],
        );
        let engines = [genetic, opponent.clone()];
        let what = format!("Level {level}, {}", opponent.name);
        let work = format!("c11-level-{level}");
        matches.push(Match::new(work, what, engines, limits, games));
    }
    let played_matches = laboratory.play_all(matches)?;
    let parts = played_matches.iter().map(PlayedMatch::part).collect();
    let data = json!({ "limits": limits, "opponents": opponents, "matches": played_matches });
    let conclusion = text.conclude(
        laboratory,
        &[("about", &about), ("games", &games)],
        parts,
        data,
    );
    Ok(conclusion.with_endings(&played_matches))
}

/// Returns the opponents, and a remark on them for the reader.
fn field(
    conditions: &Conditions,
    limits: EngineLimits,
    has_stockfish: bool,
) -> (Vec<EngineSpec>, String) {
    if !conditions.opponents.is_empty() {
        let about = "The opponents were named on the command line.";
        return (conditions.opponents.clone(), about.to_owned());
    }
    let stand_ins = "Ufim is a closed program for Windows (it can be named with `--opponent`); its levels 43 to 50 are thought to be about 890 down \
                     to 700 Elo. These are stand-ins:";
    // Stockfish's weaker levels draw their mistakes by the clock.
    let is_reproducible = conditions.are_reproducible();
    if has_stockfish && !is_reproducible {
        let about = "Stockfish at levels whose strength nobody has measured on Ufim's scale.";
        let opponents = (0..LEVELS)
            .map(|rung| weakened(320 >> rung, limits))
            .collect();
        return (opponents, format!("{stand_ins} {about}"));
    }
    let why = if is_reproducible {
        "without clocks, because the weak levels of other engines cannot be repeated move by move"
    } else {
        "because Stockfish is not on the PATH"
    };
    let about = format!("{stand_ins} our own alpha-beta search at depths {LEVELS} to 1, {why}.");
    (alpha_beta(conditions, limits), about)
}

/// Stockfish at its lowest skill with so many nodes.
fn weakened(nodes: u64, limits: EngineLimits) -> EngineSpec {
    let name = format!("Stockfish, skill 0, {nodes} nodes");
    stockfish(
        &name,
        &[("Skill Level", "0")],
        EngineLimits {
            nodes: Some(nodes),
            ..limits
        },
    )
}

fn alpha_beta(conditions: &Conditions, limits: EngineLimits) -> Vec<EngineSpec> {
    let level = |depth: u32| EngineSpec {
        limits: Some(EngineLimits {
            depth: Some(depth),
            ..limits
        }),
        ..ours(
            conditions,
            &format!("Alpha-beta, depth {depth}"),
            "alphabeta",
            &[("MoveOverhead", "5")],
        )
    };
    (1..=LEVELS as u32).rev().map(level).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(conditions: &Conditions, has_stockfish: bool) -> (Vec<EngineSpec>, String) {
        super::field(conditions, conditions.limits(QUICK, FULL), has_stockfish)
    }

    fn names(opponents: &[EngineSpec]) -> Vec<&str> {
        opponents
            .iter()
            .map(|opponent| opponent.name.as_str())
            .collect()
    }

    #[test]
    fn eight_levels_by_stockfish_if_it_is_installed() {
        let conditions = Conditions::default();
        let (installed, _) = field(&conditions, true);
        assert_eq!(
            (installed.len(), names(&installed)[0]),
            (LEVELS, "Stockfish, skill 0, 320 nodes")
        );
        assert_eq!(names(&installed)[7], "Stockfish, skill 0, 2 nodes");
        let (none, about) = field(&conditions, false);
        assert_eq!(names(&none)[0], "Alpha-beta, depth 8");
        assert!(about.contains("Stockfish is not on the PATH"), "{about}");
        let nodes = Conditions {
            nodes: Some(100),
            ..Conditions::default()
        };
        let (ours, _) = field(&nodes, true);
        assert_eq!(names(&ours)[7], "Alpha-beta, depth 1");
        let limits = ours[7].limits.expect("limits of its own");
        assert_eq!(limits.to_string(), "depth=1,nodes=100");
    }
}
