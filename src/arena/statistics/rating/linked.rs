//! The players whose ratings can be compared.
//!
//! The most likely ratings are finite exactly if, for every division of the players in two, each
//! part has taken points from the other (Ford, "Solution of a ranking problem from binary
//! comparisons", 1957): if a chain of points taken leads from everybody to everybody. Such players
//! are linked: a strongly connected component of the graph of points taken.

use std::cmp::Reverse;
use std::mem;

use crate::arena::statistics::Results;

/// The linked players: those linked with the anchors, or, without anchors, the largest set, of
/// equals the one with the first name. Anchors count as linked with each other.
pub(super) fn linked_players(results: &Results, anchors: &[usize]) -> Vec<usize> {
    let players = results.players().len();
    // Of each player, from whom he took points, and to whom he gave some.
    let mut took_points = vec![Vec::new(); players];
    let mut gave_points = vec![Vec::new(); players];
    let mut add = |winner: usize, loser: usize| {
        took_points[winner].push(loser);
        gave_points[loser].push(winner);
    };
    for game in results.games() {
        if game.white_points > 0.0 {
            add(game.white, game.black);
        }
        if game.white_points < 1.0 {
            add(game.black, game.white);
        }
    }
    for two in anchors.windows(2) {
        add(two[0], two[1]);
        add(two[1], two[0]);
    }
    let sets = linked(&took_points, &gave_points);
    let has_anchors = |set: &Vec<usize>| anchors.first().is_some_and(|anchor| set.contains(anchor));
    let first_name = |set: &Vec<usize>| set.iter().map(|&player| &results.players()[player]).min();
    let rank = |set: &Vec<usize>| (has_anchors(set), set.len(), Reverse(first_name(set)));
    sets.into_iter().max_by_key(rank).unwrap_or_default()
}

/// The strongly connected components, each sorted, in an order with all edges between them forwards
/// (Kosaraju's algorithm).
fn linked(edges: &[Vec<usize>], reversed: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut seen = vec![false; edges.len()];
    let mut finished = Vec::new();
    for start in 0..edges.len() {
        visit(start, edges, &mut seen, &mut finished);
    }
    seen.fill(false);
    let mut components = Vec::new();
    for start in finished.into_iter().rev() {
        let mut component = Vec::new();
        visit(start, reversed, &mut seen, &mut component);
        component.sort_unstable();
        if !component.is_empty() {
            components.push(component);
        }
    }
    components
}

/// Goes depth first to all unseen players, and notes each after everything behind. Chains of
/// players may be too long for a recursion.
fn visit(start: usize, edges: &[Vec<usize>], seen: &mut [bool], finished: &mut Vec<usize>) {
    if mem::replace(&mut seen[start], true) {
        return;
    }
    let mut path = vec![(start, 0)];
    while let Some((node, next)) = path.last_mut() {
        match edges[*node].get(*next) {
            Some(&other) => {
                *next += 1;
                if !mem::replace(&mut seen[other], true) {
                    path.push((other, 0));
                }
            }
            None => {
                finished.push(*node);
                path.pop();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reversed(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
        let mut reversed = vec![Vec::new(); edges.len()];
        for (from, to) in edges.iter().enumerate() {
            to.iter().for_each(|&to| reversed[to].push(from));
        }
        reversed
    }

    #[test]
    fn who_is_linked_is_one_component_and_winners_come_first() {
        let edges = vec![vec![1], vec![0, 2], vec![3], vec![2], vec![]];
        assert_eq!(
            linked(&edges, &reversed(&edges)),
            [vec![4], vec![0, 1], vec![2, 3]]
        );
        assert_eq!(linked(&[], &[]), Vec::<Vec<usize>>::new());
    }

    #[test]
    fn a_long_chain_needs_no_deep_stack() {
        let edges: Vec<_> = (1..300_000)
            .map(|next| vec![next])
            .chain([vec![]])
            .collect();
        let sets = linked(&edges, &reversed(&edges));
        assert!(
            sets.len() == 300_000
                && sets
                    .iter()
                    .enumerate()
                    .all(|(number, set)| *set == [number])
        );
    }
}
