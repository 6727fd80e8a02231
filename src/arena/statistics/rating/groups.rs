//! Which players the results tie together.
//!
//! The most likely ratings are finite exactly if, however the players are divided in two, each part has taken
//! points from the other (Ford, "Solution of a ranking problem from binary comparisons", 1957): if a chain of
//! points taken leads from everybody to everybody. Such players are linked: a strongly connected component of
//! the graph of who took points from whom.

use petgraph::algo::{condensation, toposort};
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::{Direction, Graph};

use super::Standing;
use super::fit::Meeting;

/// Players who can be compared: those who are linked with one another, and those who are tied to them on one
/// side only.
#[derive(Debug, PartialEq)]
pub(super) struct Group {
    /// Linked with one another.
    pub core: Vec<usize>,
    /// Sets of linked players who won every game against the core and those before them.
    pub above: Vec<Vec<usize>>,
    /// Sets of linked players who lost every game against the core and those before them.
    pub below: Vec<Vec<usize>>,
}

impl Group {
    /// The core, then all sets above and below it.
    pub fn sets(&self) -> impl Iterator<Item = &Vec<usize>> {
        std::iter::once(&self.core).chain(&self.above).chain(&self.below)
    }

    /// All players, and how they are tied to the core.
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

/// The groups: the one with the anchors first, then by the size of their cores. Anchors count as linked with
/// each other.
pub(super) fn groups(players: usize, meetings: &[Meeting], anchors: &[usize]) -> Vec<Group> {
    let mut took_points = DiGraph::new();
    let nodes: Vec<NodeIndex> = (0..players).map(|player| took_points.add_node(player)).collect();
    for meeting in meetings {
        let (white, black) = (nodes[meeting.white], nodes[meeting.black]);
        if meeting.points > 0.0 {
            took_points.add_edge(white, black, ());
        }
        if meeting.points < meeting.games {
            took_points.add_edge(black, white, ());
        }
    }
    for two in anchors.windows(2) {
        took_points.add_edge(nodes[two[0]], nodes[two[1]], ());
        took_points.add_edge(nodes[two[1]], nodes[two[0]], ());
    }
    let mut sets = condensation(took_points, true);
    sets.node_weights_mut().for_each(|set| set.sort_unstable());
    // Without circles there is an order: winners before losers.
    let order = toposort(&sets, None).unwrap_or_default();
    let mut place = vec![0_usize; order.len()];
    order.iter().zip(0..).for_each(|(node, rank)| place[node.index()] = rank);

    let mut cores = order;
    cores.sort_by_cached_key(|&node| {
        let anchored = anchors.first().is_some_and(|anchor| sets[node].binary_search(anchor).is_ok());
        (!anchored, std::cmp::Reverse(sets[node].len()), sets[node][0])
    });
    let mut seen = vec![false; cores.len()];
    let mut groups = Vec::new();
    for core in cores {
        if std::mem::replace(&mut seen[core.index()], true) {
            continue;
        }
        let mut tied = |direction| {
            let mut tied = reach(&sets, core, direction, &mut seen);
            tied.sort_by_key(|node| place[node.index()].abs_diff(place[core.index()]));
            tied.into_iter().map(|node| sets[node].clone()).collect()
        };
        groups.push(Group {
            above: tied(Direction::Incoming),
            below: tied(Direction::Outgoing),
            core: sets[core].clone(),
        });
    }
    groups
}

/// The sets that chains of edges lead to, without those seen before.
fn reach(
    sets: &Graph<Vec<usize>, ()>,
    start: NodeIndex,
    along: Direction,
    seen: &mut [bool],
) -> Vec<NodeIndex> {
    let mut found = Vec::new();
    let mut waiting = vec![start];
    while let Some(node) = waiting.pop() {
        for next in sets.neighbors_directed(node, along) {
            if !std::mem::replace(&mut seen[next.index()], true) {
                found.push(next);
                waiting.push(next);
            }
        }
    }
    found
}
