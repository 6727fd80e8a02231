//! Crossover and mutation (Dehghani & Babamir 2017, sections 4.3 to 4.8).
//!
//! An operator only gives the order of genes; [`Breeder::add_branch`] validates the child by making
//! its moves.

use arrayvec::ArrayVec;
use chess::ChessMove;
use rand::RngExt;

use super::birth::{Birth, Breeder};
use super::success::Slot;
use crate::eval::Evaluator;
use crate::rules::position::moves::MoveSet;
use crate::rules::position::{MoveList, legal_moves};
use crate::search::genetic::params::MutationMove;
use crate::search::genetic::search::{Search, draw};
use crate::search::genetic::selection::Chromosome;
use crate::search::{MAX_PLY, Stop};

/// Breeds one generation from `parents`. `Stop` when the search has to end.
///
/// With `PopulationGrows` the generation ends early when another branch has become the best, for
/// the parents were chosen beside the one before.
pub fn breed<E: Evaluator>(
    breeder: &mut Breeder<'_, E>,
    parents: &[Chromosome],
) -> Result<(), Stop> {
    let Search {
        random,
        parents: most_parents,
        options,
        ..
    } = &mut breeder.search;
    let pairs = share(random, *most_parents, options.crossover_rate);
    let mutations = share(random, *most_parents, options.mutation_rate);
    let best = |breeder: &Breeder<'_, E>| breeder.search.tree.born(breeder.search.tree.root());
    let best_before = best(breeder);
    for birth in 0..pairs + mutations {
        if best(breeder) != best_before && breeder.search.options.population_grows {
            break;
        }
        if birth % BIRTHS_BETWEEN_LOOKS == 0 {
            breeder.search.check_clock()?;
        }
        if birth < pairs {
            let random = &mut *breeder.search.random;
            let (a, b) = (
                draw(random, parents).ok_or(Stop)?,
                draw(random, parents).ok_or(Stop)?,
            );
            crossover(breeder, a, b)?;
        } else {
            let parent = draw(breeder.search.random, parents).ok_or(Stop)?;
            mutate(breeder, parent)?;
        }
    }
    Ok(())
}

/// A percentage of P; the fraction is the chance of one more.
fn share(random: &mut impl RngExt, population: usize, percent: i64) -> usize {
    let hundredths = population * percent as usize;
    let is_one_more =
        !hundredths.is_multiple_of(100) && random.random_range(0..100) < hundredths % 100;
    hundredths / 100 + usize::from(is_one_more)
}

/// Births between looks at the clock: known children visit no position and so never look by
/// themselves.
const BIRTHS_BETWEEN_LOOKS: usize = 64;

/// Mutates at missing moves, from the root down, not at random: for the rest of a tree of limited
/// depth, which chance would take too long to find. At most [`GAPS_AT_ONCE`] births. `Stop` when
/// the search has to end.
pub fn fill_gaps<E: Evaluator>(breeder: &mut Breeder<'_, E>) -> Result<(), Stop> {
    let search = &breeder.search;
    let gaps: Vec<_> = search
        .tree
        .incomplete_above(search.longest)
        .take(GAPS_AT_ONCE)
        .collect();
    let mut births = 0;
    for path in gaps {
        let genes: MoveList = path[1..]
            .iter()
            .map(|&node| breeder.search.tree.gene(node))
            .collect();
        let moves = if genes.is_empty() {
            breeder.search.root_moves.clone()
        } else {
            breeder.cursor.walk_to(&path[1..], &genes);
            legal_moves(breeder.cursor.board())
        };
        let node = path[path.len() - 1];
        breeder.search.tree.count_moves(node, moves.len());
        for mv in moves {
            if breeder.search.tree.child(node, mv).is_some() {
                continue;
            }
            breeder.search.check_clock()?;
            breeder.cursor.walk_to(&path[1..], &genes);
            breeder.operator = "mutation";
            let birth = breeder.add_untried(&[mv])?;
            breeder.search.statistics.mutations += u64::from(birth == Birth::New);
            births += 1;
            if births == GAPS_AT_ONCE || birth == Birth::NoRoom {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// The most births of one call.
const GAPS_AT_ONCE: usize = 1 << 13;

/// Swaps the tails of two branches behind a cut after the same level of both, so the sides still
/// take turns (section 4.4). Each child gets at least one move from each parent.
fn crossover<E: Evaluator>(
    breeder: &mut Breeder<'_, E>,
    a: &Chromosome,
    b: &Chromosome,
) -> Result<(), Stop> {
    let common = a.genes.len().min(b.genes.len());
    if common < 2 {
        return Ok(());
    }
    let cut = breeder.search.random.random_range(1..common);
    exchange_tails(breeder, a, b, cut)
}

/// Breeds the children of `a` and `b`, both cut behind `cut` genes: each stem with the other's tail
/// (Fig. 17). A child with an illegal move is discarded (section 4.5).
pub fn exchange_tails<E: Evaluator>(
    breeder: &mut Breeder<'_, E>,
    a: &Chromosome,
    b: &Chromosome,
    cut: usize,
) -> Result<(), Stop> {
    if a.nodes[cut - 1] == b.nodes[cut - 1] {
        // The same stem: the children are their parents.
        breeder.search.statistics.duplicates += 2;
        return Ok(());
    }
    for (stem, donor) in [(a, b), (b, a)] {
        breeder
            .cursor
            .walk_to(&stem.nodes[..cut], &stem.genes[..cut]);
        breeder.operator = "crossover";
        let birth = breeder.add_branch(&donor.genes[cut..], false)?;
        breeder.search.statistics.crossovers += u64::from(birth == Birth::New);
    }
    Ok(())
}

/// Replaces one move by another legal one, or adds one past the end; the tail is kept while legal
/// and cut there. Does so again at the same node, as often as the options say, until another move
/// is better there or nothing is born.
fn mutate<E: Evaluator>(breeder: &mut Breeder<'_, E>, parent: &Chromosome) -> Result<(), Stop> {
    let point = draw_point(&mut breeder.search, parent);
    let replaced = parent.genes.get(point).copied();
    let mut moves = None;
    let mut before = None;
    for tried in 1..=breeder.search.options.mutants {
        if tried % MUTANTS_BETWEEN_LOOKS == 0 {
            breeder.search.check_clock()?;
        }
        breeder
            .cursor
            .walk_to(&parent.nodes[..point], &parent.genes[..point]);
        let node = breeder.cursor.node();
        let moves = moves.get_or_insert_with(|| match point {
            0 => breeder.search.root_moves.clone(),
            _ => legal_moves(breeder.cursor.board()),
        });
        let before = *before.get_or_insert_with(|| gene_before(breeder));
        let Some((mv, is_untried)) = draw_other(breeder, moves, before, replaced) else {
            break;
        };
        let gene = Slot::of(breeder.cursor.board(), mv);
        let birth = replace_gene(breeder, parent, point, mv, is_untried)?;
        let Search { tree, success, .. } = &mut breeder.search;
        let best = tree.best_child(node).map(|best| tree.gene(best));
        if let Some(success) = success
            && is_untried
            && birth == Birth::New
        {
            success.update(before, gene, best == Some(mv));
        }
        if birth != Birth::New || best != replaced || tree.is_complete(node) {
            break;
        }
    }
    Ok(())
}

/// Draws the gene of a parent to mutate; its length stands for one past its end, as long as there
/// is room for a longer branch. The paper's text takes any gene; else one at a node with missing
/// moves is taken, if there is one.
fn draw_point<E>(search: &mut Search<'_, E>, parent: &Chromosome) -> usize {
    let last = parent.genes.len().min(search.longest - 1);
    let mut open = ArrayVec::<usize, MAX_PLY>::new();
    if search.options.mutation_move != MutationMove::Uniform {
        let nodes = [search.tree.root()]
            .into_iter()
            .chain(parent.nodes.iter().copied());
        let lacking = nodes
            .zip(0..=last)
            .filter(|&(node, _)| search.tree.lacks_moves(node));
        open.extend(lacking.map(|(_, point)| point));
    }
    draw(search.random, &open)
        .copied()
        .unwrap_or_else(|| search.random.random_range(0..=last))
}

/// At some 5 us a mutant this is 0.1 ms.
const MUTANTS_BETWEEN_LOOKS: i64 = 16;

/// Adds `parent` with `mv` in place of the gene at `point` (Fig. 18), cut before the first illegal
/// move (Fig. 22).
///
/// The breeder stands at the node before `point`; `is_untried` if the node is known to have no
/// child for `mv`.
pub fn replace_gene<E: Evaluator>(
    breeder: &mut Breeder<'_, E>,
    parent: &Chromosome,
    point: usize,
    mv: ChessMove,
    is_untried: bool,
) -> Result<Birth, Stop> {
    let mut tail = ArrayVec::<ChessMove, MAX_PLY>::new();
    tail.push(mv);
    tail.extend(parent.genes.iter().copied().skip(point + 1));
    breeder.operator = "mutation";
    let birth = if is_untried {
        breeder.add_untried(&tail)?
    } else {
        breeder.add_branch(&tail, true)?
    };
    breeder.search.statistics.mutations += u64::from(birth == Birth::New);
    Ok(birth)
}

/// Draws one of `moves` other than `replaced`, if there is one. The flag is true if the move is
/// known to have no node. `before` is the gene before, or the move before the root.
fn draw_other<E: Evaluator>(
    breeder: &mut Breeder<'_, E>,
    moves: &[ChessMove],
    before: Option<Slot>,
    replaced: Option<ChessMove>,
) -> Option<(ChessMove, bool)> {
    let node = breeder.cursor.node();
    let board = *breeder.cursor.board();
    let Search {
        tree,
        random,
        success,
        options,
        ..
    } = &mut breeder.search;
    let others = || moves.iter().copied().filter(|&mv| Some(mv) != replaced);
    tree.count_moves(node, moves.len());
    let how = options.mutation_move;
    if how != MutationMove::Uniform && !tree.is_complete(node) {
        let tried: MoveSet = tree.children(node).map(|child| tree.gene(child)).collect();
        let untried: MoveList = others().filter(|&mv| !tried.contains(mv)).collect();
        let of = |mv| Slot::of(&board, mv);
        let drawn = match success {
            Some(success) => draw_by(random, &untried, |mv| success.weight(before, of(mv))),
            None => draw(random, &untried).copied(),
        };
        if let Some(mv) = drawn {
            return Some((mv, true));
        }
    }
    draw(random, &others().collect::<MoveList>()).map(|&mv| (mv, false))
}

/// The last gene of the path, or the last move before the root.
fn gene_before<E>(breeder: &Breeder<'_, E>) -> Option<Slot> {
    let Breeder { search, cursor, .. } = breeder;
    match cursor.level() {
        0 => search.last,
        level => Some(Slot::of(
            cursor.line.board_at(level - 1),
            search.tree.gene(cursor.node()),
        )),
    }
}

/// Draws a move with chances in proportion to its weight; `None` if all are 0.
fn draw_by(
    random: &mut impl RngExt,
    moves: &[ChessMove],
    weight: impl Fn(ChessMove) -> u32,
) -> Option<ChessMove> {
    let total: u32 = moves.iter().map(|&mv| weight(mv)).sum();
    if total == 0 {
        return None;
    }
    let mut left = random.random_range(0..total);
    moves.iter().copied().find(|&mv| {
        let weight = weight(mv);
        let found = left < weight;
        left = left.wrapping_sub(weight);
        found
    })
}
