//! Branches that claim to be the best when the search has to end.

use super::{POSITIONS, position, run_limited, run_with, run_worker};
use crate::evaluation::kashan::Kashan;
use crate::score::{Bound, Score};
use crate::search::genetic::memetic::{End, Memetic};
use crate::search::genetic::params::{GeneticOptions, Preset};
use crate::search::genetic::tree::NodeId;
use crate::search::{Clock, Limits};

/// As if the time was over just when the best branch was settled.
fn end_settled(search: &mut Memetic<'_, Kashan>) {
    search.remove_unborn();
    search.withdraw_claims();
    search.line.depth = search.level() as i32 + search.end(search.node()).depth;
}

/// Makes a move of the root seem better than the best one by 20 centipawns.
fn claim(search: &mut Memetic<'_, Kashan>, node: NodeId, end: End) {
    let (root, value) = (search.search.tree.root(), search.search.root_value());
    let better = if search.search.tree.is_max(0) { value + 20 } else { value - 20 };
    search.know_end(node, end);
    search.search.tree.set_own(node, 1, better, false);
    search.search.tree.back_up(&[root, node]);
    assert_eq!(search.search.tree.best_child(root), Some(node));
}

/// Gives the best move, which is Black's, another reply, worth something from White's point of view and asked
/// to the full depth, or to less. Returns the other moves that have no replies in the tree.
fn answer_best_move(search: &mut Memetic<'_, Kashan>, value: Score, is_shown: bool) -> Vec<NodeId> {
    let (root, settled) = (search.search.tree.root(), search.path[1]);
    search.path = vec![root, settled];
    let mv = search.moves_here().into_iter().next_back().expect("White has moves");
    let reply = search.search.tree.child(settled, mv);
    let reply = reply.unwrap_or_else(|| search.search.tree.insert(settled, 2, mv));
    let depth = search.line.depth - if is_shown { 2 } else { 4 };
    search.know_end(reply, End { depth, bound: Bound::Lower });
    search.search.tree.set_own(reply, 2, value, false);
    search.search.tree.back_up(&[root, settled, reply]);
    let tree = &search.search.tree;
    let is_end = |node: &NodeId| *node != settled && !tree.has_children(*node);
    tree.children(root).filter(is_end).collect()
}

/// The first move after claims were withdrawn, and whether it is that of the settled branch.
fn withdraw(search: &mut Memetic<'_, Kashan>) -> (NodeId, bool) {
    search.withdraw_claims();
    let first = search.path[1];
    (first, search.line.head() == Some(first))
}

#[test]
fn a_claim_stands_at_the_end_if_it_was_asked_to_the_full_depth() {
    // White's move and Black's.
    for fen in [POSITIONS[2], POSITIONS[0]] {
        let shown =
            if position(fen).side_to_move() == chess::Color::White { Bound::Lower } else { Bound::Upper };
        for (bound, behind, has_child, has_own, stands) in [
            (shown, 0, false, true, true),
            (Bound::Exact, 0, false, true, true),
            (shown.for_opponent(), 0, false, true, false),
            (shown, 1, false, true, false),
            // Made exact by all its moves, when the time was over.
            (shown, 0, true, true, true),
            (shown, 0, true, false, false),
        ] {
            run_worker(&position(fen), 0, &Clock::unlimited(), |search| {
                end_settled(search);
                let tree = &search.search.tree;
                let best = tree.best_child(tree.root());
                let is_end = |node: &NodeId| Some(*node) != best && !tree.has_children(*node);
                let node = tree.children(tree.root()).find(is_end).expect("a move that is not the best");
                claim(search, node, End { depth: search.line.depth - 1 - behind, bound });
                if has_child {
                    search.walk_best();
                    let mv = search.moves_here()[0];
                    let child = search.search.tree.insert(node, 2, mv);
                    let value = search.search.tree.value(node).expect("it claims something");
                    search.know_end(child, End { depth: search.line.depth - 2, bound: Bound::Exact });
                    search.search.tree.set_own(child, 2, value, false);
                    if !has_own {
                        search.search.tree.drop_own(node, 1);
                    }
                    let path = [search.search.tree.root(), node, child];
                    search.search.tree.back_up(&path);
                }
                let (first, is_settled) = withdraw(search);
                assert_eq!(
                    (first == node, is_settled),
                    (stands, !stands),
                    "{fen}: {bound:?} {behind} {has_child} {has_own}"
                );
                let report = search.report();
                let says_bound = stands && bound != Bound::Exact;
                assert_eq!(report.bound, if says_bound { Bound::Lower } else { Bound::Exact });
            });
        }
    }
}

/// A reply that was not asked to the full depth makes the best move worse, and another one seems better.
#[test]
fn better_than_what_was_not_shown_to_be_so_bad_is_nothing() {
    for is_shown in [false, true] {
        run_worker(&position(POSITIONS[0]), 0, &Clock::unlimited(), |search| {
            end_settled(search);
            let (root, value) = (search.search.tree.root(), search.search.root_value());
            let others = answer_best_move(search, value + 2, is_shown);
            let node = *others.first().expect("a move that is not the best");
            search.know_end(node, End { depth: search.line.depth - 1, bound: Bound::Upper });
            search.search.tree.set_own(node, 1, value, false);
            search.search.tree.back_up(&[root, node]);
            search.walk_best();
            let (first, is_settled) = withdraw(search);
            assert_eq!((first == node, is_settled), (is_shown, !is_shown));
        });
    }
}

/// The time is over when a reply that was not asked to the full depth makes the best move worse, and a draw
/// that is at hand is better than that.
#[test]
fn a_draw_is_not_taken_because_of_what_was_not_shown() {
    for is_shown in [false, true] {
        run_worker(&position(POSITIONS[0]), 0, &Clock::unlimited(), |search| {
            end_settled(search);
            let (root, value) = (search.search.tree.root(), search.search.root_value());
            for node in answer_best_move(search, value + 300, is_shown) {
                search.know_end(node, End { depth: 0, bound: Bound::Exact });
                search.search.tree.set_own(node, 1, value + 1, true);
                search.search.tree.back_up(&[root, node]);
            }
            search.walk_best();
            let node = search.node();
            assert!(search.search.tree.is_terminal(node) && search.level() == 1);
            let (first, is_settled) = withdraw(search);
            assert_eq!((first == node, is_settled), (is_shown, !is_shown));
            let told = search.report();
            let expected = if is_shown { value + 1 } else { value };
            assert_eq!((told.score, told.bound), (-expected, Bound::Exact));
        });
    }
}

/// The time is over while the end of the best branch gets its moves: what only some replies say of one of
/// them is nothing, unless it is to the good of who is to move there.
#[test]
fn what_some_replies_say_is_no_value() {
    let cases = [(true, true, false), (false, true, true), (false, false, false)];
    let (mut own, mut others) = (0, 0);
    let searches =
        POSITIONS[..4].iter().flat_map(|fen| [1_000, 3_000, 10_000, 20_000].map(|nodes| (fen, nodes)));
    for ((fen, nodes), (gives_replies, is_asked, stands)) in
        searches.flat_map(|search| cases.map(|case| (search, case)))
    {
        let options = GeneticOptions { leaf_depth: 3, ..Preset::Strong.options() };
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        run_with(&options, &position(fen), 0, &limits, &Clock::unlimited(), |search| {
            end_settled(search);
            let value = search.search.root_value();
            let (end, level) = (search.node(), search.level());
            let high = search.search.tree.is_max(level);
            let is_own = high == search.search.tree.is_max(0);
            let is_settled = search.line.settled.as_ref().is_some_and(|settled| settled.path == search.path);
            // Other moves of the root are better where the opponent has something better.
            if !is_settled || search.search.tree.has_children(end) || stands && !is_own {
                return;
            }
            *if is_own { &mut own } else { &mut others } += 1;
            let better = if high { value + 50 } else { value - 50 };
            for _ in 0..if gives_replies { 2 } else { 1 } {
                let (mv, last, below) = (search.moves_here()[0], search.node(), search.level() + 1);
                search.path.push(search.search.tree.insert(last, below, mv));
            }
            let (last, deepest) = (search.node(), search.level());
            let depth = search.line.depth - deepest as i32 - i32::from(!is_asked);
            search.know_end(last, End { depth, bound: if high { Bound::Lower } else { Bound::Upper } });
            search.search.tree.set_own(last, deepest, better, false);
            let path = search.path.clone();
            search.search.tree.back_up(&path);
            let (first, is_settled) = withdraw(search);
            assert!(is_settled && first == path[1]);
            let told = search.report();
            let expected = search.search.for_mover(if stands { better } else { value });
            let bound = if stands { Bound::Lower } else { Bound::Exact };
            assert_eq!((told.score, told.bound), (expected, bound), "{fen} {gives_replies} {is_asked}");
        });
    }
    assert!(own > 2 && others > 1, "{own} {others}");
}

#[test]
fn claims_come_about_and_stand_or_not() {
    let (mut kept, mut withdrawn) = (0, 0);
    for fen in &POSITIONS[..4] {
        for nodes in (300..3_000).step_by(50) {
            run_limited(&position(fen), 0, nodes, &Clock::unlimited(), |search| {
                search.remove_unborn();
                search.walk_best();
                let claims = search.path[1];
                let (first, is_settled) = withdraw(search);
                kept += usize::from(first == claims && !is_settled);
                withdrawn += usize::from(first != claims);
            });
        }
    }
    assert!(kept > 0 && withdrawn > 0, "{kept} {withdrawn}");
}
