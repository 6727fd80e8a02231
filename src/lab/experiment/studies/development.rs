//! The development of a genetic search from generation to generation.

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::lab::experiment::positions::after_searches;
use crate::lab::experiment::words::{decimal, share as share_in_words};
use crate::lab::experiment::{Conclusion, Laboratory, Part, Text, Words};
use crate::lab::tuning::mean_with_interval;
use crate::search::genetic::history::{Snapshot, Statistics, Timeline};
use crate::util::display::{Point, Series, Spread, cells};

/// The counters of a search after some generations, from its beginning on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
struct State {
    generations: u64,
    nodes: u64,
    born: u64,
    duplicates: u64,
    illegal: u64,
    too_long: u64,
    branches: u64,
    height: u64,
    population: u64,
}

impl State {
    fn new(snapshot: &Snapshot) -> State {
        let &Snapshot {
            statistics,
            nodes,
            population,
            ..
        } = snapshot;
        let Statistics {
            generations,
            duplicates,
            illegal,
            too_long,
            branches,
            height,
            ..
        } = statistics;
        let born = statistics.births();
        let population = population as u64;
        State {
            generations,
            nodes,
            born,
            duplicates,
            illegal,
            too_long,
            branches,
            height,
            population,
        }
    }

    /// Children conceived so far by their fate, in the order of [`FATES`].
    fn fates(&self) -> [u64; 4] {
        [self.born, self.duplicates, self.illegal, self.too_long]
    }
}

const FATES: [&str; 4] = [
    "valid and new",
    "in the tree already",
    "a move is impossible",
    "too long",
];

/// The states of one search at generations 1, 2, 4, ..., up to its end.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Development {
    fen: String,
    states: Vec<State>,
}

impl Development {
    /// Takes the last snapshot before or at each power of two within the search; snapshots are
    /// never more than a quarter apart.
    fn new(fen: String, history: &Timeline) -> Development {
        let states: Vec<State> = history.snapshots.iter().map(State::new).collect();
        let last = states.last().map_or(0, |state| state.generations);
        let at = |generation: u64| {
            let before = states.iter().rfind(|state| state.generations <= generation);
            before.copied().unwrap_or_default()
        };
        let powers = (0..u64::BITS).map(|power| 1 << power);
        let mut states: Vec<State> = powers
            .take_while(|&generation| generation <= last)
            .map(at)
            .collect();
        // The initial population, before everything that operators did.
        states.insert(0, at(0));
        Development { fen, states }
    }
}

/// The means over all searches with a generation.
#[derive(Clone, Debug, Serialize)]
struct GenerationMeans {
    generation: u64,
    searches: usize,
    /// Mean share of each fate among the children since the step before; `None` where there were
    /// none.
    shares: [Option<Mean>; 4],
    height: Mean,
    population: Mean,
    branches: Mean,
    nodes: Mean,
}

/// A mean over positions with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
struct Mean {
    value: f64,
    lower: f64,
    upper: f64,
}

impl Mean {
    /// `None` without numbers.
    fn new(numbers: impl Iterator<Item = f64>) -> Option<Mean> {
        let numbers: Vec<f64> = numbers.collect();
        let [value, half] = mean_with_interval(&numbers);
        (!numbers.is_empty()).then_some(Mean {
            value,
            lower: value - half,
            upper: value + half,
        })
    }
}

/// The least share of all searches for a step on show: fewer searches are of another kind.
const SHOWN: f64 = 0.5;

/// Studies the development of the population.
pub fn run(laboratory: &Laboratory, text: &Text) -> anyhow::Result<Conclusion> {
    let conditions = &laboratory.conditions;
    let nodes = conditions.nodes(200_000, 1_000_000);
    let count = conditions.pick(24, 100);
    let developments = after_searches(
        laboratory,
        "development",
        count,
        nodes,
        |position, search| Ok(Development::new(position.to_fen(), search.history())),
    )?;
    let steps = steps(&developments);
    let parts = steps.last().map(|last| {
        Part::measured(
            format!("After {} generations", last.generation),
            in_words(last),
        )
    });
    let data = json!({ "nodes": nodes, "steps": steps, "searches": developments });
    let words: Words<'_> = &[("count", &count), ("nodes", &nodes)];
    let children = FATES.iter().enumerate();
    let children =
        children.map(|(fate, name)| series(name, &steps, 100.0, |step| step.shares[fate]));
    let line = |name, mean: fn(&GenerationMeans) -> Mean| {
        [series(name, &steps, 1.0, |step| Some(mean(step)))]
    };
    Ok(text
        .conclude(laboratory, words, Vec::from_iter(parts), data)
        .with_lines("children", Some(0.0), children)
        .with_lines("height", None, line("H, half-moves", |step| step.height))
        .with_lines("population", None, line("P", |step| step.population))
        .with_lines("branches", None, line("branches", |step| step.branches))
        .with_rows(
            "By generation",
            "Generation: | Searches: | valid and new: | in the tree already: | a move is impossible: | too long: | \
             H: | P: | Branches: | Nodes:",
            steps.iter().map(row),
        ))
}

fn row(step: &GenerationMeans) -> [String; 10] {
    let [born, duplicate, illegal, too_long] = step
        .shares
        .map(|mean| share_in_words(mean.map(|it| it.value)));
    let [population, branches, nodes] =
        [step.population, step.branches, step.nodes].map(|mean| decimal(mean.value, 0));
    let height = decimal(step.height.value, 1);
    cells![
        step.generation,
        step.searches,
        born,
        duplicate,
        illegal,
        too_long,
        height,
        population,
        branches,
        nodes,
    ]
}

fn steps(developments: &[Development]) -> Vec<GenerationMeans> {
    (0..).map_while(|index| step(developments, index)).collect()
}

/// Returns the step of this number; `None` if too few searches have it.
fn step(developments: &[Development], index: usize) -> Option<GenerationMeans> {
    let states = developments
        .iter()
        .map(|development| development.states.as_slice());
    let reached: Vec<&[State]> = states.filter(|states| states.len() > index).collect();
    if reached.is_empty() || (reached.len() as f64) < SHOWN * developments.len() as f64 {
        return None;
    }
    let mean =
        |of: fn(&State) -> u64| Mean::new(reached.iter().map(|states| of(&states[index]) as f64));
    let share = |fate| {
        Mean::new(
            reached
                .iter()
                .filter_map(|states| share(states, index, fate)),
        )
    };
    Some(GenerationMeans {
        generation: if index == 0 { 0 } else { 1 << (index - 1) },
        searches: reached.len(),
        shares: [0, 1, 2, 3].map(share),
        height: mean(|state| state.height)?,
        population: mean(|state| state.population)?,
        branches: mean(|state| state.branches)?,
        nodes: mean(|state| state.nodes)?,
    })
}

/// The share of a fate among the children between a state and the one before.
fn share(states: &[State], index: usize, fate: usize) -> Option<f64> {
    let now = states[index].fates();
    let before = states[index.checked_sub(1)?].fates();
    let all = now.iter().sum::<u64>() - before.iter().sum::<u64>();
    (all > 0).then(|| (now[fate] - before[fate]) as f64 / all as f64)
}

fn in_words(step: &GenerationMeans) -> String {
    let shares = FATES.iter().zip(step.shares).filter_map(|(fate, share)| {
        let share = share?;
        Some(format!("{:.1} % {fate}", 100.0 * share.value))
    });
    let sizes = format!(
        "H {:.1}, P {:.0}, {:.0} branches",
        step.height.value, step.population.value, step.branches.value
    );
    shares.chain([sizes]).collect::<Vec<_>>().join(", ")
}

/// Returns the points of steps with a mean, except the initial population, which has no place on
/// such an axis.
fn series(
    name: &str,
    steps: &[GenerationMeans],
    unit: f64,
    mean: impl Fn(&GenerationMeans) -> Option<Mean>,
) -> Series {
    let points = steps
        .iter()
        .filter(|step| step.generation > 0)
        .filter_map(|step| {
            let Mean {
                value,
                lower,
                upper,
            } = mean(step)?;
            Some(Point::new(
                f64::from(step.generation.ilog2()),
                [value, lower, upper].map(|number| unit * number),
            ))
        });
    Series::new(name, Spread::Band, points)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::experiment::positions::{genetic, middlegame};
    use crate::search::Searcher as _;

    fn state(generations: u64, born: u64, illegal: u64) -> State {
        State {
            generations,
            born,
            illegal,
            ..State::default()
        }
    }

    #[test]
    fn shares_are_of_the_children_since_the_step_before() {
        let states = [state(0, 0, 0), state(1, 30, 10), state(2, 40, 40)];
        assert_eq!(
            [0, 1, 2].map(|step| share(&states, step, 0)),
            [None, Some(0.75), Some(0.25)]
        );
        assert_eq!(share(&states, 2, 2), Some(0.75));
    }

    #[test]
    fn steps_that_few_reach_are_left_out() {
        let development = |length: u64| Development {
            fen: String::new(),
            states: (0..length).map(|index| state(index, index, 0)).collect(),
        };
        let steps = steps(&[
            development(2),
            development(3),
            development(3),
            development(5),
        ]);
        let seen: Vec<_> = steps
            .iter()
            .map(|step| (step.generation, step.searches))
            .collect();
        assert_eq!(seen, [(0, 4), (1, 4), (2, 3)]);
    }

    #[test]
    fn a_search_has_a_course() {
        let position = middlegame(1, 0).expect("a position");
        let mut search = genetic(&[], 1).expect("options");
        search.search_nodes(&position, 20_000);
        let development = Development::new(position.to_fen(), search.history());
        assert!(development.states.len() > 3, "{development:?}");
        assert!(
            development
                .states
                .iter()
                .enumerate()
                .skip(1)
                .all(|(index, state)| {
                    let generation = 1 << (index - 1);
                    state.generations <= generation && state.generations * 5 >= generation * 4 - 4
                })
        );
        assert!(development.states.is_sorted_by_key(|state| state.nodes));
        assert_eq!(development.states[0].born, 0);
    }
}
