//! The paper's steps 2 to 5: the initial population, then generation after generation until the
//! search has to end; and the report at any moment.

use std::cmp::Reverse;

use chess::{Board, ChessMove, EMPTY};

use super::birth::Breeder;
use super::operators;
use crate::eval::{Evaluator, evaluate_for_mover};
use crate::rules::position::legal_moves;
use crate::rules::position::moves::is_capture;
use crate::rules::score::Score;
use crate::search::genetic::params::{GeneticOptions, Selection};
use crate::search::genetic::report::{News, Watch, report_generation};
use crate::search::genetic::search::Search;
use crate::search::genetic::selection;
use crate::search::genetic::statistics::{Statistics, Timeline};
use crate::search::{Limits, Observer, SearchReport, Stop, Thought, Variation};

/// After so many generations in a row without a new branch the fittest are exhausted: parents are
/// drawn in proportion to fitness until something new is born.
const STAGNANT_GENERATIONS: u32 = 10;

/// The search gives up after so many generations in a row without a new branch, and so many parents
/// in them: everything in reach is in the tree.
const BARREN_GENERATIONS: u32 = 20;
/// See [`BARREN_GENERATIONS`].
const BARREN_PARENTS: usize = 12_800;

/// P doubles when fewer than one child in so many is new...
const SCARCE: u64 = 8;
/// ... and halves when more than one in so many is.
const PLENTY: u64 = 3;
/// P is at least one for so many births.
const BIRTHS_FOR_EACH: u64 = 1_000;
/// Eight thousand parents take 7 MB.
const LARGEST_POPULATION: usize = 1 << 13;

/// Searches from the initial population to the end.
pub fn search<E: Evaluator>(
    breeder: &mut Breeder<'_, E>,
    observer: &mut dyn Observer,
) -> (SearchReport, Timeline) {
    let mut history = Timeline::default();
    let mut news = News::default();
    if initial_population(breeder).is_ok() {
        generations(breeder, &mut history, &mut news, observer);
    }
    let search = &breeder.search;
    history.end(search.snapshot(), search.effort());
    let report = report(search);
    if search.complete_root_moves > 0 && search.is_initial_complete() {
        news.finish(search, &search.best_lines(), observer);
    }
    (report, history)
}

/// Breeds until a limit, the clock or the lack of anything new ends the search.
pub fn generations<E: Evaluator>(
    breeder: &mut Breeder<'_, E>,
    history: &mut Timeline,
    news: &mut News,
    observer: &mut dyn Observer,
) {
    let mut parents = Vec::new();
    let mut watch = Watch::new(observer);
    let mut barren = 0;
    let mut barren_parents = 0;
    let mut fills_gaps = false;
    let options = breeder.search.options;
    let by_chance = GeneticOptions {
        selection: Selection::Proportionate,
        ..options.clone()
    };
    news.announce(&breeder.search, &breeder.search.best_lines(), observer);
    watch.sample(&breeder.search, observer);
    history.add(breeder.search.snapshot());
    while (barren < BARREN_GENERATIONS || barren_parents < BARREN_PARENTS)
        && !breeder.search.is_decided()
    {
        let before = breeder.search.statistics;
        let search = &mut breeder.search;
        let alive = if fills_gaps {
            operators::fill_gaps(breeder)
        } else {
            let stagnates =
                options.selection == Selection::Fittest && barren >= STAGNANT_GENERATIONS;
            let options = if stagnates { &by_chance } else { options };
            let is_contested = options.selection == Selection::Contested;
            let discounts = if is_contested {
                search.discounts()
            } else {
                Vec::new()
            };
            let count = search.parents;
            selection::select(
                search.tree,
                options,
                &discounts,
                count,
                search.random,
                &mut parents,
            );
            operators::breed(breeder, &parents)
        };
        breeder.search.statistics.generations += 1;
        let now = breeder.search.statistics;
        news.announce(&breeder.search, &breeder.search.best_lines(), observer);
        watch.sample(&breeder.search, observer);
        if now.branches == before.branches {
            barren += 1;
            barren_parents += breeder.search.parents;
        } else {
            barren = 0;
            barren_parents = 0;
        }
        adapt_population(breeder, &before);
        fills_gaps =
            breeder.search.limits.depth.is_some() && is_exhausted(&breeder.search, &before);
        if history.is_due(now.generations) {
            history.add(breeder.search.snapshot());
        }
        if alive.is_err()
            || is_finished(&breeder.search)
            || (breeder.search.full && !make_room(breeder))
        {
            break;
        }
    }
    report_generation(&breeder.search, observer);
}

/// The report with the move to play, at any moment of the search.
pub fn report<E>(search: &Search<'_, E>) -> SearchReport {
    let (variation, score) = if search.is_initial_complete() {
        (search.best_line(), search.root_value())
    } else {
        best_of_the_complete(search)
    };
    SearchReport {
        // Without one complete move nothing is known.
        depth: if search.complete_root_moves > 0 {
            variation.len() as u32
        } else {
            0
        },
        variation,
        score: search.for_mover(score),
        selective_depth: search.tree.height() as u32,
        ..search.counter.done()
    }
}

/// The clock cut the initial population short: only root moves with all their replies can be
/// compared. If there is none, or all of them are mated, the next move has to do, with the root's
/// value in quiescence.
fn best_of_the_complete<E>(search: &Search<'_, E>) -> (Variation, Score) {
    let tree = &search.tree;
    let node_of = |mv| tree.child(tree.root(), mv);
    let value_of = |mv| node_of(mv).and_then(|node| tree.value(node));
    let complete = &search.root_moves[..search.complete_root_moves];
    let for_mover = |mv| value_of(mv).map(|value| search.for_mover(value));
    let best = complete
        .iter()
        .copied()
        .rev()
        .max_by_key(|&mv| for_mover(mv));
    let is_mated = |&mv: &ChessMove| for_mover(mv).is_some_and(Score::is_mated);
    let Some(best) = best.filter(|best| !is_mated(best)) else {
        let next = search.root_moves.get(search.complete_root_moves);
        return (next.copied().into_iter().collect(), search.first_guess);
    };
    let branch = node_of(best)
        .into_iter()
        .flat_map(|node| tree.best_branch(node));
    let mut variation: Variation = branch.map(|node| tree.gene(node)).collect();
    if variation.is_empty() {
        variation.push(best);
    }
    (variation, value_of(best).unwrap_or(search.first_guess))
}

impl<E> Search<'_, E> {
    /// Returns true if nothing is left to decide. The only move is not played early while there is
    /// no deadline.
    pub fn is_decided(&self) -> bool {
        let mate_at_once = self.for_mover(self.root_value()) >= Score::mate_in(1);
        let is_forced =
            self.root_moves.len() == 1 && self.chooses && self.counter.clock().is_limited();
        (is_forced || mate_at_once || self.root_moves.is_empty()) && !self.limits.infinite
    }

    /// The quiescence window round the root's value, from White's point of view. Values outside are
    /// only bounds, which seldom decide; if one reaches the root, its line is searched again.
    pub fn window(&self) -> (Score, Score) {
        let width = self.options.quiescence_window as i32;
        // While the initial population is being made, the root's value is that of its first few
        // moves.
        let centre = if self.is_initial_complete() {
            self.root_value()
        } else {
            self.first_guess
        };
        if width == 0 || centre.is_mate() {
            (-Score::INFINITE, Score::INFINITE)
        } else {
            (centre - width, centre + width)
        }
    }

    /// The best branch of each of the best root moves, as many as are wanted. The first is the one
    /// with K = 0.
    pub fn best_lines(&self) -> Vec<Thought> {
        let wanted = self.limits.lines;
        let exact = |variation, score| Thought {
            variation,
            score,
            ..Thought::default()
        };
        let best_line = exact(self.best_line(), self.for_mover(self.root_value()));
        if wanted <= 1 {
            return vec![best_line];
        }
        let (tree, root) = (&self.tree, self.tree.root());
        let best = tree.best_child(root);
        let mut others: Vec<_> = tree
            .children(root)
            .filter(|&child| best != Some(child))
            .filter_map(|child| Some((child, self.for_mover(tree.value(child)?))))
            .collect();
        // The newest child is the first. Equals keep the order in which they were born.
        others.reverse();
        others.sort_by_key(|&(_, value)| Reverse(value));
        let genes = |child| {
            tree.best_branch(child)
                .map(|node| tree.gene(node))
                .collect()
        };
        let others = others
            .into_iter()
            .map(|(child, value)| exact(genes(child), value));
        std::iter::once(best_line)
            .chain(others)
            .take(wanted)
            .collect()
    }

    /// The discount of each root move in its contest, in centipawns: see
    /// [`GeneticOptions::effort_discount`].
    pub fn discounts(&self) -> Vec<(ChessMove, i32)> {
        let best = self.best_gene();
        let effort = self.effort();
        let of_best = effort
            .iter()
            .find(|&&(mv, _)| Some(mv) == best)
            .map_or(0, |&(_, nodes)| nodes);
        let halvings = |nodes: u64| (of_best / nodes.max(1)).checked_ilog2().unwrap_or(0);
        let discount = |nodes| halvings(nodes) as i32 * self.options.effort_discount as i32;
        effort
            .into_iter()
            .map(|(mv, nodes)| (mv, discount(nodes)))
            .collect()
    }
}

/// The rule of a depth limit ([`Limits::depth`](crate::search::Limits::depth)): everything above is
/// in the tree, or does not fit into it.
fn is_finished<E>(search: &Search<'_, E>) -> bool {
    let Limits {
        depth,
        nodes,
        infinite,
        ..
    } = search.limits;
    // Neither a clock nor a number of nodes, nor somebody who says stop, will end the search.
    let is_unlimited = || nodes.is_none() && !infinite && !search.counter.clock().is_limited();
    let is_complete = || search.tree.is_complete_above(search.longest);
    depth.is_some() && ((search.full && is_unlimited()) || is_complete())
}

/// Hardly any child is new although as many branches breed as may.
fn is_exhausted<E>(search: &Search<'_, E>, before: &Statistics) -> bool {
    let greatest = if search.options.population_grows {
        LARGEST_POPULATION
    } else {
        search.parents
    };
    search.parents >= greatest && is_scarce(&search.statistics, before)
}

/// Returns true if fewer than one child in [`SCARCE`] was new since then.
fn is_scarce(now: &Statistics, before: &Statistics) -> bool {
    let (bred, born) = now.bred_since(before);
    born * SCARCE < bred
}

/// Lets more branches breed when the neighbourhood of the fittest is exhausted, and fewer when it
/// is fruitful again.
fn adapt_population<E>(breeder: &mut Breeder<'_, E>, before: &Statistics) {
    let search = &mut breeder.search;
    if !search.options.population_grows {
        return;
    }
    let now = &search.statistics;
    let by_births = (now.births() / BIRTHS_FOR_EACH) as usize;
    let least = by_births
        .max(search.options.population as usize)
        .min(LARGEST_POPULATION);
    let (bred, born) = now.bred_since(before);
    if is_scarce(now, before) {
        search.parents *= 2;
    } else if born * PLENTY > bred {
        search.parents /= 2;
    }
    search.parents = search.parents.clamp(least, LARGEST_POPULATION);
}

/// Lets the least fit branches die. The parents have to be chosen anew afterwards. Returns whether
/// there is room now.
fn make_room<E>(breeder: &mut Breeder<'_, E>) -> bool {
    // The cursor must not be at a node that dies.
    breeder.cursor.walk_to(&[], &[]);
    let search = &mut breeder.search;
    search.statistics.culls += 1;
    search.full = false;
    let counter = &mut search.counter;
    search.tree.cull(|| counter.check_clock().is_ok())
}

/// Step 2: every legal move as a branch, or every pair of moves (section 6.5), with their
/// quiescence branches.
///
/// The most promising root moves come first, because the clock may end the search before the last
/// one. `Stop` if it did; then only complete root moves can be compared.
pub fn initial_population<E: Evaluator>(breeder: &mut Breeder<'_, E>) -> Result<(), Stop> {
    guess_root_value(breeder)?;
    rank_root_moves(breeder)?;
    for mv in breeder.search.root_moves.clone() {
        let two_levels = breeder.search.options.levels >= 2 && breeder.search.longest >= 2;
        let replies = if two_levels {
            legal_moves(&breeder.cursor.root_board().make_move_new(mv))
        } else {
            Default::default()
        };
        if replies.is_empty() {
            // One level, or a root move that ends the game: a branch by itself.
            breeder.cursor.walk_to(&[], &[]);
            breeder.add_branch(&[mv], true)?;
        }
        for reply in replies {
            breeder.cursor.walk_to(&[], &[]);
            breeder.add_branch(&[mv, reply], true)?;
        }
        breeder.search.complete_root_moves += 1;
    }
    // The best root moves were born first, because the clock might have ended this. But ties in
    // fitness go to the newer, so they have to count as the newest: else the replies to the worst
    // would breed first.
    breeder.search.tree.reverse_births();
    breeder.resolve_bounds()
}

/// Sorts the root moves by their values in quiescence, the best first. `Stop` if the search had to
/// end; then the best move with a value is the first.
fn rank_root_moves<E: Evaluator>(breeder: &mut Breeder<'_, E>) -> Result<(), Stop> {
    let board = *breeder.cursor.root_board();
    let search = &mut breeder.search;
    let is_forcing = |mv| is_capture(&board, mv) || *board.make_move_new(mv).checkers() != EMPTY;
    let mut moves = search.root_moves.clone();
    moves.sort_by_cached_key(|&mv| !is_forcing(mv));
    let mut ranked: Vec<(Option<Score>, ChessMove, u64)> =
        moves.into_iter().map(|mv| (None, mv, 0)).collect();
    let mut ended = Ok(());
    for (value, mv, nodes) in &mut ranked {
        let before = search.counter.nodes();
        let found = value_of_root_move(search, &board, *mv);
        *nodes = search.counter.nodes() - before;
        *value = found.ok();
        if found.is_err() {
            ended = Err(Stop);
            break;
        }
    }
    // The sort keeps the order of equals.
    ranked.sort_by_key(|&(value, ..)| Reverse(value));
    search.root_moves = ranked.iter().map(|&(_, mv, _)| mv).collect();
    ranked
        .into_iter()
        .for_each(|(_, mv, nodes)| search.count_nodes(mv, nodes));
    ended
}

/// The value of a root move by quiescence, from the side to move at the root. Outside the window it
/// is a bound, good enough for an order.
fn value_of_root_move<E: Evaluator>(
    search: &mut Search<'_, E>,
    board: &Board,
    mv: ChessMove,
) -> Result<Score, Stop> {
    search.counter.enter(1)?;
    let after = board.make_move_new(mv);
    let guess = search.for_mover(search.first_guess);
    let width = window_width(search);
    let window = (-(guess + width), -(guess - width));
    search
        .quiescence(&after, 1, window, &mut ())
        .map(|value| -value)
}

/// Half the width of the window while there is no tree. Without any window, a sharp position would
/// take all the time.
fn window_width<E>(search: &Search<'_, E>) -> i32 {
    (search.options.quiescence_window as i32).max(100)
}

/// Sets the centre of the window for the initial population.
fn guess_root_value<E: Evaluator>(breeder: &mut Breeder<'_, E>) -> Result<(), Stop> {
    let board = breeder.cursor.root_board();
    let search = &mut breeder.search;
    let standing = evaluate_for_mover(search.evaluator, board);
    let width = window_width(search);
    let value = search.quiescence(board, 0, (standing - width, standing + width), &mut ())?;
    search.first_guess = search.for_mover(value);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::winglet::Winglet;
    use crate::rules::position::Position;
    use crate::search::Searcher as _;
    use crate::search::genetic::Genetic;

    /// Black has moves after which it is not mated at once.
    #[test]
    fn nobody_is_mated_because_some_moves_are() {
        let root = Position::from_fen("8/5Q1n/8/8/3r4/4K3/1Q6/7k b - - 0 120").expect("a position");
        for nodes in (50..1_000).step_by(50) {
            let report = Genetic::new(Winglet::default(), GeneticOptions::default())
                .search_nodes(&root, nodes);
            assert_ne!(report.score, Score::mated_in(2), "{nodes}");
            assert!(
                root.is_legal(report.best_move().expect("there are moves")),
                "{nodes}"
            );
        }
    }
}
