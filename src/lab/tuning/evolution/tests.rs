//! An evolution of weights on problems with a known solution, weights near their targets.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::util::jobs::StopRequest;

/// Problems about some weights each, all of which have to be within the problem's tolerance of
/// their targets.
struct Synthetic {
    pub table: Vec<WeightSpec>,
    pub targets: Vec<i32>,
    pub problems: Vec<(Vec<usize>, i32)>,
    pub asked: AtomicUsize,
    /// Says stop after so many questions.
    pub stop_after: Option<(usize, StopRequest)>,
}

impl Synthetic {
    /// Weights with ranges around 0, and one from 200 to 400.
    pub fn new(weights: usize, problems: usize) -> Self {
        let spec = |number: usize| {
            let (min, max) = if number == 0 {
                (200, 400)
            } else {
                (-1_000, 1_000)
            };
            WeightSpec {
                name: format!("weight_{number}"),
                default: min,
                min,
                max,
                about: "",
            }
        };
        let table: Vec<WeightSpec> = (0..weights).map(spec).collect();
        let mut chance = chance(99, [0, 0, 0]);
        let targets = table
            .iter()
            .map(|spec| chance.random_range(spec.min..=spec.max))
            .collect();
        let problem = |_| {
            let first = chance.random_range(0..weights);
            let other = (first + chance.random_range(1..weights)) % weights;
            (vec![first, other], chance.random_range(50..600))
        };
        let problems = (0..problems).map(problem).collect();
        Synthetic {
            table,
            targets,
            problems,
            asked: AtomicUsize::new(0),
            stop_after: None,
        }
    }

    pub fn all(&self) -> Vec<usize> {
        (0..self.problems.len()).collect()
    }

    /// Returns the distance of weights from their targets, on average, as a share of their
    /// ranges.
    pub fn distance(&self, weights: &[i32]) -> f64 {
        let far =
            weights
                .iter()
                .zip(&self.targets)
                .zip(&self.table)
                .map(|((weight, target), spec)| {
                    f64::from((weight - target).abs()) / f64::from(spec.max - spec.min)
                });
        far.sum::<f64>() / weights.len() as f64
    }
}

impl Quiz for Synthetic {
    fn solves(&self, player: &[i32], problem: usize) -> bool {
        let asked = self.asked.fetch_add(1, Ordering::Relaxed) + 1;
        if let Some((_, stop)) = self
            .stop_after
            .as_ref()
            .filter(|(after, _)| asked == *after)
        {
            stop.say();
        }
        let (weights, tolerance) = &self.problems[problem];
        weights
            .iter()
            .all(|&weight| (player[weight] - self.targets[weight]).abs() <= *tolerance)
    }

    fn involved(&self, _: &[i32], problem: usize, which: Involved) -> Vec<usize> {
        match which {
            Involved::All => (0..self.table.len()).collect(),
            Involved::Deciding | Involved::Present => self.problems[problem].0.clone(),
        }
    }
}

fn evolution(seed: u64) -> Evolution {
    Evolution {
        players: 20,
        generations: 30,
        seed,
        free: (0..8).collect(),
        ..Evolution::paper()
    }
}

/// With so many problems held out, the first ones.
fn run(evolution: &Evolution, quiz: &Synthetic, held_out: usize) -> Evolved {
    let training = &quiz.all()[held_out..];
    let mut ledger = Ledger::default();
    let evolved = evolution.run(&quiz.table, training, quiz, &mut ledger, &mut |_| {});
    evolved.expect("nothing stops it")
}

const HELD_OUT: usize = 12;

fn evolve(evolution: &Evolution) -> Evolved {
    run(evolution, &Synthetic::new(8, 60), HELD_OUT)
}

#[test]
fn known_weights_are_recovered() {
    let quiz = Synthetic::new(8, 60);
    for mutation in [
        Mutation::Adaptive,
        Mutation::Constant,
        Mutation::Michalewicz,
    ] {
        let mut before = 0.0;
        let mut after = 0.0;
        for seed in 1..=5 {
            let evolved = evolve(&Evolution {
                mutation,
                ..evolution(seed)
            });
            before += quiz.distance(&evolved.not_evolved) / 5.0;
            after += quiz.distance(&evolved.weights) / 5.0;
        }
        // A guess is a third of the range away.
        assert!(
            after < 0.12 && after < before / 1.5,
            "{mutation:?}: {before} {after}"
        );
    }
}

#[test]
fn what_is_learned_holds_for_problems_that_were_held_out() {
    let evolved = evolve(&evolution(3));
    let quiz = Synthetic::new(8, 60);
    let all = quiz.all();
    let (held_out, training) = all.split_at(HELD_OUT);
    let count = |weights: &[i32], problems: &[usize]| solved(weights, problems, &quiz);
    assert!(count(&evolved.weights, held_out) > count(&evolved.not_evolved, held_out));
    assert!(count(&evolved.weights, training) > 24);
    assert_ne!(
        evolve(&evolution(4)).weights,
        evolved.weights,
        "another seed"
    );
}

/// Parents keep their answers: N players at first, then half of them in each generation.
#[test]
fn only_children_are_asked() {
    let mut quiz = Synthetic::new(8, 3);
    // Nobody solves them.
    quiz.problems.iter_mut().for_each(|problem| problem.1 = -1);
    let evolution = evolution(1);
    run(&evolution, &quiz, 0);
    // At the end both the last and the first players are asked everything.
    assert_eq!(quiz.asked.into_inner(), 3 * (20 + 29 * 10) + 2 * 3 * 20);
}

#[test]
fn only_involved_weights_change_and_the_others_are_named() {
    let mut quiz = Synthetic::new(8, 3);
    quiz.problems = vec![(vec![1, 2], -1), (vec![2, 5], -1)];
    let evolution = evolution(1);
    let evolved = run(&evolution, &quiz, 0);
    assert_eq!(evolved.untouched, [0, 3, 4, 6, 7]);
    let first: Vec<Player> = evolution.first_players(&quiz.table);
    for weights in &evolved.population {
        let is_first = |player: &&Player| {
            evolved
                .untouched
                .iter()
                .all(|&w| player.weights[w] == weights[w])
        };
        assert!(first.iter().any(|player| is_first(&player)), "{weights:?}");
    }
}

#[test]
fn selection_is_by_problems_then_the_problem_at_hand_then_age() {
    let player = |(born, earlier, found)| {
        let weights = Vec::new();
        let solves = Some(found);
        Player {
            weights,
            born,
            earlier,
            solves,
            times: 0,
        }
    };
    let players = [
        (4, 3, false),
        (2, 2, true),
        (1, 3, false),
        (3, 5, false),
        (0, 0, true),
    ];
    let mut players = players.map(player);
    evolution(1).select(&mut players);
    assert_eq!(players.map(|player| player.born), [3, 2, 1, 4, 0]);
}

/// Problem by problem, `counting` and `keeps_solution` differ as they are described.
#[test]
fn problems_are_counted_as_asked_for() {
    let letter = Evolution {
        counting: Counting::Letter,
        keeps_solution: true,
        ..evolution(1)
    };
    let once = evolution(1);
    let mut quiz = Synthetic::new(8, 2);
    quiz.problems[0].1 = 2_000;
    let mut players = once.first_players(&quiz.table);
    once.begin_problem(&mut players);
    let mut answers = Answers {
        quiz: &quiz,
        ledger: &mut Ledger::default(),
    };
    answers.ask(&mut players, 0).expect("asked");
    answers.ask(&mut players, 0).expect("asked");
    assert_eq!(
        (once.solutions(&players[0]), letter.solutions(&players[0])),
        (1, 2)
    );
    let stage = Stage {
        problem: 1,
        problems: 2,
        generation: 1,
        solved: 0,
        players: 20,
        is_last: false,
    };
    once.mutate(&mut players, &[1], &quiz.table, stage, 1, &mut [false; 8]);
    let child = &players[once.players / 2];
    assert_eq!((child.solves, child.earlier), (None, 0));
    assert!(letter.has_found(child) && !once.has_found(child));
    once.begin_problem(&mut players);
    assert_eq!(
        (once.solutions(&players[0]), letter.solutions(&players[0])),
        (1, 0)
    );
}

/// Claim T11: as printed, equations (11) and (12) leave every weight alone whose range is around 0.
#[test]
fn to_the_letter_weights_around_zero_are_as_they_began() {
    let counting = Evolution {
        counting: Counting::Letter,
        keeps_solution: true,
        ..evolution(1)
    };
    let letter = Evolution {
        mutation: Mutation::Letter,
        involved: Involved::All,
        ..counting
    };
    let quiz = Synthetic::new(8, 60);
    let evolved = evolve(&letter);
    let first = letter.first_players(&quiz.table);
    for weights in &evolved.population {
        assert!(
            first
                .iter()
                .any(|player| player.weights[1..] == weights[1..]),
            "{weights:?}"
        );
    }
    let others = |weights: &Vec<i32>| first.iter().all(|player| player.weights[0] != weights[0]);
    assert!(
        evolved.population.iter().any(others),
        "the one with another range changed"
    );
    assert_eq!(evolved.untouched, (1..8).collect::<Vec<_>>());
}

#[test]
fn the_mean_of_the_last_population_may_be_the_result() {
    let evolved = evolve(&Evolution {
        chosen: Chosen::Mean,
        ..evolution(1)
    });
    let sum: i32 = evolved.population.iter().map(|weights| weights[3]).sum();
    assert_eq!(evolved.weights[3], (f64::from(sum) / 20.0).round() as i32);
}
