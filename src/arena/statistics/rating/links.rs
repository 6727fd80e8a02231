//! Which players' ratings follow from the results, and which are without bound.
//!
//! The most likely ratings are finite exactly if, however the players are divided in two groups, each group has taken points from the other
//! (Ford, "Solution of a ranking problem from binary comparisons", 1957): if everybody is linked to everybody by a chain of points taken.

use super::{Results, Standing};

/// Where every player stands, by index. Players with an anchor count as linked with each other.
pub(super) fn standings(results: &Results, anchors: &[Option<f64>]) -> Vec<Standing> {
    let players = anchors.len();
    let mut takes_points_from = vec![Vec::new(); players];
    let mut gives_points_to = vec![Vec::new(); players];
    for (&(a, b), encounter) in &results.encounters() {
        let score = encounter.score;
        for (winner, loser, took) in [
            (a, b, score.wins + score.draws > 0),
            (b, a, score.losses + score.draws > 0),
        ] {
            if took {
                takes_points_from[winner].push(loser);
                gives_points_to[loser].push(winner);
            }
        }
    }
    let below = |start: &[usize]| reachable(start, &takes_points_from);
    let above = |start: &[usize]| reachable(start, &gives_points_to);

    let main = main_group(anchors, &below, &above);
    let (below_main, above_main) = (below(&main), above(&main));
    let linked_at_all: Vec<bool> = {
        let either: Vec<Vec<usize>> = takes_points_from
            .iter()
            .zip(&gives_points_to)
            .map(|(a, b)| [a.as_slice(), b].concat())
            .collect();
        reachable(&main, &either)
    };
    (0..players)
        .map(|player| match (above_main[player], below_main[player]) {
            (true, true) => Standing::Linked,
            (true, false) => Standing::NoUpperBound,
            (false, true) => Standing::NoLowerBound,
            (false, false) if linked_at_all[player] => Standing::NoBound,
            (false, false) => Standing::Unlinked,
        })
        .collect()
}

/// The players with anchors; without anchors, the largest group of linked players (the first of several).
fn main_group(
    given: &[Option<f64>],
    below: &impl Fn(&[usize]) -> Vec<bool>,
    above: &impl Fn(&[usize]) -> Vec<bool>,
) -> Vec<usize> {
    let anchors: Vec<usize> = (0..given.len())
        .filter(|&player| given[player].is_some())
        .collect();
    if !anchors.is_empty() {
        return anchors;
    }
    let mut grouped = vec![false; given.len()];
    let mut largest = Vec::new();
    for player in 0..given.len() {
        if grouped[player] {
            continue;
        }
        let (below, above) = (below(&[player]), above(&[player]));
        let group: Vec<usize> = (0..given.len())
            .filter(|&other| below[other] && above[other])
            .collect();
        group.iter().for_each(|&member| grouped[member] = true);
        if group.len() > largest.len() {
            largest = group;
        }
    }
    largest
}

/// Which players can be reached from `start` (themselves included).
fn reachable(start: &[usize], links: &[Vec<usize>]) -> Vec<bool> {
    let mut seen = vec![false; links.len()];
    let mut waiting = start.to_vec();
    start.iter().for_each(|&player| seen[player] = true);
    while let Some(player) = waiting.pop() {
        for &next in &links[player] {
            if !std::mem::replace(&mut seen[next], true) {
                waiting.push(next);
            }
        }
    }
    seen
}
