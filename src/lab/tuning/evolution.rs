//! Algorithm 1 of Vázquez-Fernández & Coello 2013: players that solve most problems survive and
//! have mutated children.

use std::cmp::Reverse;

use anyhow::{Context as _, ensure};
use rand::RngExt as _;
use rayon::prelude::*;
use serde::Serialize;

use super::mutation::{Moment, Mutation, chance};
use super::{Involved, Ledger, Quiz};
use crate::choice;
use crate::eval::WeightSpec;

choice! {
    /// The counting of a player's solved problems.
    Counting {
        /// Count each problem once; a child inherits its parent's.
        Once = "once",
        /// The printed way: anew for each problem, one more for each generation.
        Letter = "letter",
    }
}

choice! {
    /// The choice of the evolution's result.
    Chosen {
        /// The player with most solved problems in a final test.
        Best = "best",
        /// The average of the last population, as in table I.
        Mean = "mean",
    }
}

/// The settings of an evolution, without its problems.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Evolution {
    /// N, even.
    pub players: usize,
    /// Gmax: generations for a problem at most.
    pub generations: u32,
    pub mutation: Mutation,
    pub involved: Involved,
    pub counting: Counting,
    /// True if a mutating player with a solution keeps the solution, and passes it to its children:
    /// as printed.
    pub keeps_solution: bool,
    pub chosen: Chosen,
    pub seed: u64,
    /// The weights free to mutate at all.
    pub free: Vec<usize>,
}

/// A virtual player.
#[derive(Clone, Debug, PartialEq)]
struct Player {
    weights: Vec<i32>,
    /// The generation of its birth.
    born: u32,
    /// Problems solved before the one at hand.
    earlier: u32,
    /// The answer to the problem at hand; `None` if not asked.
    solves: Option<bool>,
    /// The number of generations in which the player, or an ancestor, solved the problem at hand.
    times: u32,
}

impl Player {
    fn solves(&self) -> bool {
        self.solves == Some(true)
    }
}

/// A generation is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// Problems and generations count from 1.
    pub problem: usize,
    pub problems: usize,
    pub generation: u32,
    /// The number of players that solve the problem at hand.
    pub solved: usize,
    pub players: usize,
    /// True if this was the last generation for the problem.
    pub is_last: bool,
}

/// The result of an evolution.
#[derive(Clone, Debug, PartialEq)]
pub struct Evolved {
    /// The chosen player.
    pub weights: Vec<i32>,
    /// The best of the first generation, all problems asked.
    pub not_evolved: Vec<i32>,
    /// The last population.
    pub population: Vec<Vec<i32>>,
    /// Weights without a change by any mutation: uninvolved ones, and those that the mutation
    /// leaves alone.
    pub untouched: Vec<usize>,
    /// Generations in all.
    pub generations: u32,
}

impl Evolution {
    /// Returns the paper's settings as they can be meant, without seed and free weights.
    pub fn paper() -> Evolution {
        Evolution {
            players: 22,
            generations: 50,
            mutation: Mutation::Adaptive,
            involved: Involved::Deciding,
            counting: Counting::Once,
            keeps_solution: false,
            chosen: Chosen::Best,
            seed: 0,
            free: Vec::new(),
        }
    }

    /// Returns the paper's settings to the letter, without seed and free weights.
    pub fn letter() -> Evolution {
        Evolution {
            mutation: Mutation::Letter,
            involved: Involved::All,
            counting: Counting::Letter,
            keeps_solution: true,
            chosen: Chosen::Mean,
            ..Evolution::paper()
        }
    }

    /// Evolves players on problems, in their order.
    ///
    /// # Errors
    /// [`Stopped`](super::Stopped), or an error of the ledger.
    pub fn run(
        &self,
        table: &[WeightSpec],
        problems: &[usize],
        quiz: &dyn Quiz,
        ledger: &mut Ledger,
        observe: &mut (dyn FnMut(Stage) + Send),
    ) -> anyhow::Result<Evolved> {
        let mut answers = Answers { quiz, ledger };
        let mut players = self.first_players(table);
        let first = players.clone();
        let mut touched = vec![false; table.len()];
        let mut generations = 0;
        for (index, &problem) in problems.iter().enumerate() {
            self.begin_problem(&mut players);
            let mut involved = Vec::new();
            for generation in 1..=self.generations {
                answers.ask(&mut players, problem)?;
                generations += 1;
                let found = players.iter().filter(|player| self.has_found(player));
                let solved = found.count();
                let stage = Stage {
                    problem: index + 1,
                    problems: problems.len(),
                    generation,
                    solved,
                    players: players.len(),
                    is_last: solved == players.len() || generation == self.generations,
                };
                observe(stage);
                if solved == players.len() {
                    break;
                }
                self.select(&mut players);
                if generation == 1 {
                    involved = self.weights_to_mutate(&players[0], problem, &mut answers)?;
                }
                self.mutate(
                    &mut players,
                    &involved,
                    table,
                    stage,
                    generations,
                    &mut touched,
                );
            }
        }
        let weights = match self.chosen {
            Chosen::Best => answers.best(&players, problems)?,
            Chosen::Mean => mean(&players),
        };
        Ok(Evolved {
            weights,
            not_evolved: answers.best(&first, problems)?,
            population: players.into_iter().map(|player| player.weights).collect(),
            untouched: (0..table.len())
                .filter(|&weight| !touched[weight])
                .collect(),
            generations,
        })
    }

    /// Returns the first generation: each free weight uniform in its range, the others at their
    /// defaults.
    pub fn first_weights(&self, table: &[WeightSpec]) -> Vec<Vec<i32>> {
        let weights = |number| {
            let mut chance = chance(self.seed, [0, 0, number]);
            let mut weights: Vec<i32> = table.iter().map(|spec| spec.default).collect();
            for &weight in &self.free {
                weights[weight] = chance.random_range(table[weight].min..=table[weight].max);
            }
            weights
        };
        (0..self.players as u64).map(weights).collect()
    }

    fn first_players(&self, table: &[WeightSpec]) -> Vec<Player> {
        let player = |weights| Player {
            weights,
            born: 0,
            earlier: 0,
            solves: None,
            times: 0,
        };
        self.first_weights(table).into_iter().map(player).collect()
    }

    /// Lines 3 to 6.
    fn begin_problem(&self, players: &mut [Player]) {
        for player in players {
            player.earlier += u32::from(player.solves());
            player.solves = None;
            player.times = 0;
        }
    }

    /// Returns the weights to mutate (line 7), as the fittest player sees the problem.
    fn weights_to_mutate(
        &self,
        fittest: &Player,
        problem: usize,
        Answers { quiz, ledger }: &mut Answers<'_>,
    ) -> anyhow::Result<Vec<usize>> {
        if self.involved == Involved::All {
            return Ok(self.free.clone());
        }
        let mut involved =
            ledger.recall(|| quiz.involved(&fittest.weights, problem, self.involved))?;
        involved.retain(|weight| self.free.contains(weight));
        if involved.is_empty() {
            involved.clone_from(&self.free);
        }
        Ok(involved)
    }

    /// Returns true if the player has found a solution (line 19).
    fn has_found(&self, player: &Player) -> bool {
        if self.keeps_solution {
            player.times > 0
        } else {
            player.solves()
        }
    }

    /// Lets the first half survive (line 22): most problems solved, then the problem at hand, then
    /// age.
    fn select(&self, players: &mut [Player]) {
        players.sort_by_key(|player| {
            let solutions = Reverse(self.solutions(player));
            (solutions, !player.solves(), player.born)
        });
    }

    /// Replaces the second half by children of the first (line 23).
    fn mutate(
        &self,
        players: &mut [Player],
        involved: &[usize],
        table: &[WeightSpec],
        stage: Stage,
        born: u32,
        touched: &mut [bool],
    ) {
        let of_this = f64::from(stage.generation) / f64::from(self.generations);
        let done = ((stage.problem - 1) as f64 + of_this) / stage.problems as f64;
        let (parents, children) = players.split_at_mut(self.players / 2);
        for (number, (parent, child)) in parents.iter().zip(children).enumerate() {
            let solved = f64::from(self.solutions(parent)) / stage.problems as f64;
            let moment = Moment { solved, done };
            // The first players have problem 0.
            let [problem, number] = [stage.problem, number].map(|number| number as u64);
            let mut chance = chance(self.seed, [problem, stage.generation.into(), number]);
            *child = Player {
                born,
                solves: None,
                ..parent.clone()
            };
            for &weight in involved {
                let old = parent.weights[weight];
                let spec = &table[weight];
                let new = self.mutation.mutate(old, spec, moment, &mut chance);
                child.weights[weight] = new;
                touched[weight] |= new != old;
            }
        }
    }

    /// The s of equation (12).
    fn solutions(&self, player: &Player) -> u32 {
        match self.counting {
            Counting::Letter => player.times,
            Counting::Once => player.earlier + u32::from(player.solves()),
        }
    }
}

/// The source of answers to the question if a player solves a problem: the quiz, and the ledger of
/// its earlier answers.
struct Answers<'a> {
    quiz: &'a dyn Quiz,
    ledger: &'a mut Ledger,
}

const OF_OTHERS: &str = "the journal has answers of other players";

impl Answers<'_> {
    /// Asks the players (lines 12 to 18). A player asked before keeps the answer.
    fn ask(&mut self, players: &mut [Player], problem: usize) -> anyhow::Result<()> {
        let Answers { quiz, ledger } = self;
        let new = players.iter_mut().filter(|player| player.solves.is_none());
        let new: Vec<&mut Player> = new.collect();
        let solves = |player: &&mut Player| quiz.solves(&player.weights, problem);
        let answers: Vec<bool> = ledger.recall(|| new.par_iter().map(solves).collect())?;
        ensure!(answers.len() == new.len(), OF_OTHERS);
        for (player, answer) in new.into_iter().zip(answers) {
            player.solves = Some(answer);
        }
        for player in players {
            player.times += u32::from(player.solves());
        }
        Ok(())
    }

    /// Returns the player that solves most of these problems, the older one of equals.
    fn best(&mut self, players: &[Player], problems: &[usize]) -> anyhow::Result<Vec<i32>> {
        let Answers { quiz, ledger } = self;
        let count = |player: &Player| solved(&player.weights, problems, *quiz) as u32;
        let counts: Vec<u32> = ledger.recall(|| players.par_iter().map(count).collect())?;
        ensure!(counts.len() == players.len(), OF_OTHERS);
        let counted = players.iter().zip(counts);
        let best = counted.min_by_key(|(_, count)| Reverse(*count));
        let (best, _) = best.context("there are no players")?;
        Ok(best.weights.clone())
    }
}

/// Returns the number of these problems that these weights solve.
pub fn solved(weights: &[i32], problems: &[usize], quiz: &dyn Quiz) -> usize {
    problems
        .par_iter()
        .filter(|&&problem| quiz.solves(weights, problem))
        .count()
}

/// Returns the weights free to change: those with a range.
pub fn free(table: &[WeightSpec]) -> Vec<usize> {
    let mut free = Vec::from_iter(0..table.len());
    free.retain(|&weight| table[weight].min < table[weight].max);
    free
}

fn mean(players: &[Player]) -> Vec<i32> {
    let mut sums = vec![0_i64; players[0].weights.len()];
    for player in players {
        for (sum, &weight) in sums.iter_mut().zip(&player.weights) {
            *sum += i64::from(weight);
        }
    }
    let mean = |sum| (sum as f64 / players.len() as f64).round() as i32;
    sums.into_iter().map(mean).collect()
}

#[cfg(test)]
mod tests;
