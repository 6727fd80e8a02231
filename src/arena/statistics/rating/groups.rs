//! Groups of players tied together by results, and the ratings of those tied on one side only.
//!
//! The most likely ratings are finite exactly if, for every division of the players in two, each
//! part has taken points from the other (Ford, "Solution of a ranking problem from binary
//! comparisons", 1957): if a chain of points taken leads from everybody to everybody. Such players
//! are linked: a strongly connected component of the graph of points taken.

use std::mem;

use super::Standing;
use super::fit::Meeting;

/// Comparable players: those linked with one another, and those tied to them on one side only.
#[derive(Debug, PartialEq)]
pub(super) struct Group {
    /// Linked with one another.
    pub core: Vec<usize>,
    /// Sets of linked players with nothing but wins against the core and the sets before.
    pub above: Vec<Vec<usize>>,
    /// Sets of linked players with nothing but losses against the core and the sets before.
    pub below: Vec<Vec<usize>>,
}

impl Group {
    /// The core, then all sets above and below.
    pub fn sets(&self) -> impl Iterator<Item = &Vec<usize>> {
        std::iter::once(&self.core)
            .chain(&self.above)
            .chain(&self.below)
    }

    /// Every player, with the tie to the core.
    pub fn members(&self) -> impl Iterator<Item = (usize, Standing)> {
        let all = |sets: &[Vec<usize>], standing| {
            let players = sets.concat();
            players.into_iter().map(move |player| (player, standing))
        };
        all(std::slice::from_ref(&self.core), Standing::Linked)
            .chain(all(&self.above, Standing::NoUpperBound))
            .chain(all(&self.below, Standing::NoLowerBound))
    }
}

/// The groups: the one with the anchors first, then by the size of their cores. Anchors count as
/// linked with each other.
pub(super) fn groups(players: usize, meetings: &[Meeting], anchors: &[usize]) -> Vec<Group> {
    // Of each player, from whom he took points, and to whom he gave some.
    let [mut took_points, mut gave_points] = [(); 2].map(|()| vec![Vec::new(); players]);
    let mut add = |winner: usize, loser: usize| {
        took_points[winner].push(loser);
        gave_points[loser].push(winner);
    };
    for meeting in meetings {
        if meeting.points > 0.0 {
            add(meeting.white, meeting.black);
        }
        if meeting.points < meeting.games {
            add(meeting.black, meeting.white);
        }
    }
    for two in anchors.windows(2) {
        add(two[0], two[1]);
        add(two[1], two[0]);
    }
    // Winners before losers.
    let sets = linked(&took_points, &gave_points);
    let mut set_of = vec![0; players];
    for (number, set) in sets.iter().enumerate() {
        set.iter().for_each(|&player| set_of[player] = number);
    }
    let mut cores: Vec<usize> = (0..sets.len()).collect();
    cores.sort_by_cached_key(|&core| {
        let anchored = anchors
            .first()
            .is_some_and(|anchor| sets[core].binary_search(anchor).is_ok());
        (
            !anchored,
            std::cmp::Reverse(sets[core].len()),
            sets[core][0],
        )
    });
    let mut seen = vec![false; sets.len()];
    let mut groups = Vec::new();
    for core in cores {
        if mem::replace(&mut seen[core], true) {
            continue;
        }
        // The sets that chains of edges lead to from the core, without those seen before.
        let mut tied = |edges: &[Vec<usize>]| {
            let (mut found, mut waiting) = (Vec::new(), vec![core]);
            while let Some(set) = waiting.pop() {
                for &player in sets[set].iter().flat_map(|&player| &edges[player]) {
                    let next = set_of[player];
                    if !mem::replace(&mut seen[next], true) {
                        found.push(next);
                        waiting.push(next);
                    }
                }
            }
            found.sort_by_key(|set| set.abs_diff(core));
            found.into_iter().map(|set| sets[set].clone()).collect()
        };
        groups.push(Group {
            above: tied(&gave_points),
            below: tied(&took_points),
            core: sets[core].clone(),
        });
    }
    groups
}

/// The strongly connected components, each sorted, in an order with all edges between them forwards
/// (Kosaraju's algorithm).
fn linked(edges: &[Vec<usize>], reversed: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut seen = vec![false; edges.len()];
    let mut finished = Vec::new();
    (0..edges.len()).for_each(|start| visit(start, edges, &mut seen, &mut finished));
    seen.fill(false);
    let components = finished.into_iter().rev().map(|start| {
        let mut component = Vec::new();
        visit(start, reversed, &mut seen, &mut component);
        component.sort_unstable();
        component
    });
    components
        .filter(|component| !component.is_empty())
        .collect()
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

/// The chance of the results at the end of a one-sided 95 % interval, as at either end of a
/// two-sided one.
const DOUBT: f64 = 0.025;

/// Moves the ratings of the sets above and below each core: there, the results against the core and
/// the sets between would have come about half of the time. Returns the ends of the one-sided
/// intervals by coordinate: lower ones above the core, upper ones below; for the core the ratings
/// themselves. `ties` are the meetings of players not linked with each other.
pub(super) fn place_outer_sets(groups: &[Group], ties: &[Meeting], at: &mut [f64]) -> Vec<f64> {
    let mut ties_of = vec![Vec::new(); at.len()];
    for tie in ties {
        ties_of[tie.white].push((tie, tie.black));
        ties_of[tie.black].push((tie, tie.white));
    }
    let mut limits = at.to_vec();
    for group in groups {
        for (sets, side) in [(&group.above, 1.0), (&group.below, -1.0)] {
            if sets.is_empty() {
                continue;
            }
            let mut is_placed = vec![false; at.len()];
            group
                .core
                .iter()
                .for_each(|&player| is_placed[player] = true);
            for set in sets {
                // How far each game's winner is ahead before anything is moved: of the opponent's
                // rating, and of its bound.
                let (mut ahead, mut ahead_of_limit) = (Vec::new(), Vec::new());
                for &player in set {
                    for &(tie, opponent) in ties_of[player]
                        .iter()
                        .filter(|(_, opponent)| is_placed[*opponent])
                    {
                        let white = if tie.white == player {
                            at[at.len() - 1]
                        } else {
                            -at[at.len() - 1]
                        };
                        ahead.push((side * (at[player] + white - at[opponent]), tie.games));
                        ahead_of_limit
                            .push((side * (at[player] + white - limits[opponent]), tie.games));
                    }
                }
                let [middle, end] = [shift(&ahead, 0.5), shift(&ahead_of_limit, DOUBT)];
                for &player in set {
                    limits[player] = at[player] + side * end;
                    at[player] += side * middle;
                    is_placed[player] = true;
                }
            }
        }
    }
    limits
}

/// The shift ahead for the winners of some games to win them all with this probability, by the
/// expected score of each game. A game is given as its winner's lead and its count.
fn shift(games: &[(f64, f64)], probability: f64) -> f64 {
    let ln_all_won = |shift: f64| -> f64 {
        games
            .iter()
            .map(|(ahead, count)| -count * (-ahead - shift).exp().ln_1p())
            .sum()
    };
    // Against opponents who were all as far behind as one of them, there is a formula.
    let each = probability.powf(1.0 / games.iter().map(|(_, count)| count).sum::<f64>());
    let alone = |ahead: f64| (each / (1.0 - each)).ln() - ahead;
    let (mut low, mut high) = games
        .iter()
        .map(|(ahead, _)| alone(*ahead))
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), end| {
            (low.min(end), high.max(end))
        });
    while high - low > 1e-9 {
        let middle = low + (high - low) / 2.0;
        if ln_all_won(middle) < probability.ln() {
            low = middle;
        } else {
            high = middle;
        }
    }
    low + (high - low) / 2.0
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
