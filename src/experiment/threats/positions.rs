//! M4 and M5: the pruning of the second to last ply, by what it chooses and how much it visits.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::program::{PRUNINGS, SOURCE, Thought, program, think};
use super::{matches, time};
use crate::display::{Table, cells};
use crate::evaluation::threats::ThreatWeights;
use crate::experiment::positions::{MIDDLEGAMES, survey};
use crate::experiment::words::percent;
use crate::experiment::{ClaimVerdict, Conclusion, Experiment, Laboratory, Part};
use crate::search::minimax::Pruning;

pub const CHOICE: Experiment = Experiment {
    id: "M4",
    title: "Pruning and the choice of moves",
    claim: "On the second to last ply, moves that are not better than the current best are not added to the tree; this does not degrade move selection.",
    source: SOURCE,
    run: choice,
};

pub const SPEED: Experiment = Experiment {
    id: "M5",
    title: "Pruning and speed",
    claim: "The pruning significantly increases the speed.",
    source: SOURCE,
    run: speed,
};

/// A position searched with each way to prune, in the order of [`PRUNINGS`].
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Searched {
    fen: String,
    thoughts: [Thought; 3],
}

impl Searched {
    /// Whether a way to prune leaves move and value as they are without.
    fn is_the_same(&self, pruning: usize) -> bool {
        let [off, ..] = &self.thoughts;
        let other = &self.thoughts[pruning];
        (&off.san, off.score) == (&other.san, other.score)
    }
}

/// Middlegames searched to a depth.
struct Depth {
    plies: u32,
    searched: Vec<Searched>,
}

impl Depth {
    fn of(laboratory: &Laboratory<'_>, plies: u32, count: usize) -> anyhow::Result<Depth> {
        let searched =
            survey(laboratory, &format!("m4-plies-{plies}"), count, &[("plies", plies.into())], |root| {
                let thought = |pruning| think(&mut program(plies, pruning, &ThreatWeights::DEFAULT), root);
                Ok(Searched { fen: root.to_fen(), thoughts: PRUNINGS.map(thought) })
            })?;
        Ok(Depth { plies, searched })
    }

    fn both(laboratory: &Laboratory<'_>) -> anyhow::Result<[Depth; 2]> {
        let pick = |quick, full| laboratory.conditions.pick(quick, full);
        Ok([Depth::of(laboratory, 3, pick(20, 500))?, Depth::of(laboratory, 4, pick(2, 100))?])
    }

    fn same(&self, pruning: usize) -> usize {
        self.searched.iter().filter(|searched| searched.is_the_same(pruning)).count()
    }

    fn same_move(&self, pruning: usize) -> usize {
        let same = |searched: &&Searched| searched.thoughts[0].san == searched.thoughts[pruning].san;
        self.searched.iter().filter(same).count()
    }

    /// Positions visited.
    fn nodes(&self, pruning: usize) -> u64 {
        self.searched.iter().map(|searched| searched.thoughts[pruning].nodes).sum()
    }

    /// The part of the positions that a way to prune visits.
    fn share(&self, pruning: usize) -> f64 {
        self.nodes(pruning) as f64 / self.nodes(0).max(1) as f64
    }

    fn method(depths: &[Depth]) -> String {
        let counts: Vec<String> = depths.iter().map(|depth| depth.searched.len().to_string()).collect();
        format!(
            "The program without quiescence in {} {MIDDLEGAMES}, 3 plies, and in {} of them, 4 plies. The text has two readings. `last`: a last reply is \
             left out once another one shows that the move before it is no better than an earlier one. `static`, the author's own later version: two plies \
             before the end a move is left out if its position is rated no better, before any reply, than an earlier one's.",
            counts[0], counts[1],
        )
    }
}

fn choice(laboratory: &Laboratory<'_>) -> anyhow::Result<Conclusion> {
    let depths = Depth::both(laboratory)?;
    let contests = matches::of_pruning(laboratory)?;
    let mut parts: Vec<Part> = Vec::new();
    for (index, pruning) in PRUNINGS.iter().enumerate().skip(1) {
        for depth in &depths {
            let (same, all) = (depth.same(index), depth.searched.len());
            parts.push(Part::exact(
                format!("`{}` changes neither move nor value at {} plies", pruning.into_str(), depth.plies),
                same == all,
                format!(
                    "both are the same in {same} of {all} positions, the move in {}",
                    depth.same_move(index)
                ),
            ));
        }
    }
    parts.extend(contests.iter().map(|(name, contest)| Part::measured(name.clone(), contest.in_words())));
    let rows = depths.iter().flat_map(|depth| {
        PRUNINGS.iter().enumerate().map(move |(index, pruning)| {
            cells![
                depth.plies,
                pruning.into_str(),
                depth.searched.len(),
                depth.same_move(index),
                depth.same(index),
                percent(depth.nodes(index) as usize, depth.nodes(0) as usize)
            ]
        })
    });
    let head = "Plies: | Pruning | Positions: | Same move: | Same move and value: | Positions visited:";
    let table = Table::headed(head).with_rows(rows);
    let data = json!({
        "positions": depths.each_ref().map(|depth| &depth.searched),
        "matches": contests.iter().map(|(name, contest)| json!({ "name": name, "match": contest })).collect::<Vec<_>>(),
    });
    let method = format!("{} {}", Depth::method(&depths), matches::METHOD);
    Ok(Conclusion::new(method, parts, data).with_table("What pruning changes", table).with_matches(
        "`static` against `off`",
        "Condition",
        contests.iter().map(|(name, contest)| (name.clone(), contest)),
    ))
}

fn speed(laboratory: &Laboratory<'_>) -> anyhow::Result<Conclusion> {
    let depths = Depth::both(laboratory)?;
    let mut parts = Vec::new();
    for (index, pruning) in PRUNINGS.iter().enumerate().skip(1) {
        for depth in &depths {
            parts.push(Part::exact(
                format!(
                    "`{}` visits less than half of the positions at {} plies",
                    pruning.into_str(),
                    depth.plies
                ),
                depth.share(index) < 0.5,
                format!("{:.1} %", 100.0 * depth.share(index)),
            ));
        }
    }
    let times = match laboratory.conditions.are_reproducible() {
        true => None,
        false => Some(time::in_middlegames(laboratory)?),
    };
    for pruning in [Pruning::Last, Pruning::Static] {
        let statement = format!("`{}` takes less than half of the time", pruning.into_str());
        parts.push(match &times {
            None => Part::new(statement, ClaimVerdict::NotRun("nothing is timed here".to_owned()), ""),
            Some(times) => {
                let share = times.total(pruning) / times.total(Pruning::Off);
                Part::exact(statement, share < 0.5, format!("{:.1} %", 100.0 * share))
            }
        });
    }
    let data = json!({
        "nodes": depths.each_ref().map(|depth| json!({
            "plies": depth.plies,
            "nodes": (0..3).map(|pruning| depth.nodes(pruning)).collect::<Vec<_>>(),
        })),
    });
    let method = format!("{} Times are those of M2.", Depth::method(&depths));
    Ok(Conclusion::new(method, parts, data))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_and_sameness() {
        let thought = |san: &str, score, nodes| Thought { san: san.to_owned(), score, nodes };
        let searched = |san: &str, score| Searched {
            fen: String::new(),
            thoughts: [thought("e4", 10, 100), thought("e4", 10, 30), thought(san, score, 10)],
        };
        let depth =
            Depth { plies: 3, searched: vec![searched("e4", 10), searched("e4", 5), searched("d4", 10)] };
        assert_eq!([1, 2].map(|pruning| depth.same(pruning)), [3, 1]);
        assert_eq!([1, 2].map(|pruning| depth.same_move(pruning)), [3, 2]);
        assert_eq!(depth.nodes(0), 300);
        assert!((depth.share(1) - 0.3).abs() < 1e-12);
    }
}
