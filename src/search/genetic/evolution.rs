//! The paper's steps 2 to 5: the initial population, then generation after generation until the search has to
//! end.

use super::birth::Breeder;
use super::history::History;
use super::params::{GeneticOptions, Selection};
use super::report::{News, Watch, exact, report};
use super::search::Search;
use super::statistics::Statistics;
use super::{operators, population, selection};
use crate::evaluation::Evaluator;
use crate::search::{Observer, SearchReport};

/// After so many generations in a row without a new branch the fittest are exhausted: parents are drawn in
/// proportion to fitness until something new is born.
const STAGNANT_GENERATIONS: u32 = 10;

/// The search gives up after so many generations in a row without a new branch, and so many parents in them:
/// everything in reach is in the tree.
const BARREN_GENERATIONS: u32 = 200;
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
) -> (SearchReport, History) {
    let (mut history, mut news) = (History::default(), News::default());
    if population::initial(breeder).is_some() {
        generations(breeder, &mut history, &mut news, observer);
    }
    let search = &breeder.search;
    history.end(search.snapshot(), search.effort());
    let report = report(search);
    if search.complete_root_moves > 0 && search.is_initial_complete() {
        news.conclude(search, &exact(search.best_lines()), observer);
    }
    (report, history)
}

/// Breeds until a limit, the clock or the lack of anything new ends the search.
pub fn generations<E: Evaluator>(
    breeder: &mut Breeder<'_, E>,
    history: &mut History,
    news: &mut News,
    observer: &mut dyn Observer,
) {
    let mut parents = Vec::new();
    let mut watch = Watch::default();
    let (mut barren, mut barren_parents) = (0, 0);
    let mut fills_gaps = false;
    let options = breeder.search.options;
    let by_chance = GeneticOptions { selection: Selection::Proportionate, ..options.clone() };
    news.announce(&breeder.search, breeder.search.best_lines(), observer);
    watch.look(&breeder.search, observer);
    history.add(breeder.search.snapshot());
    while (barren < BARREN_GENERATIONS || barren_parents < BARREN_PARENTS) && !breeder.search.is_decided() {
        let before = breeder.search.statistics;
        let search = &mut breeder.search;
        let alive = if fills_gaps {
            operators::fill_gaps(breeder)
        } else {
            let stagnates = options.selection == Selection::Fittest && barren >= STAGNANT_GENERATIONS;
            let options = if stagnates { &by_chance } else { options };
            let is_contested = options.selection == Selection::Contested;
            let discounts = if is_contested { search.discounts() } else { Vec::new() };
            let count = search.population;
            selection::select(search.tree, options, &discounts, count, search.random, &mut parents);
            operators::breed(breeder, &parents)
        };
        breeder.search.statistics.generations += 1;
        let now = breeder.search.statistics;
        news.announce(&breeder.search, breeder.search.best_lines(), observer);
        watch.look(&breeder.search, observer);
        (barren, barren_parents) = match now.branches == before.branches {
            true => (barren + 1, barren_parents + breeder.search.population),
            false => (0, 0),
        };
        adapt_population(breeder, &before);
        fills_gaps = breeder.search.has_depth_limit && is_exhausted(&breeder.search, &before);
        if history.is_due(now.generations) {
            history.add(breeder.search.snapshot());
        }
        if alive.is_none() || is_finished(&breeder.search) || (breeder.search.full && !make_room(breeder)) {
            break;
        }
    }
}

/// The rule of a depth limit ([`Limits::depth`](crate::search::Limits::depth)): all that is above it is in
/// the tree, or does not fit into it.
fn is_finished<E>(search: &Search<'_, E>) -> bool {
    let is_complete = || search.tree.is_complete_above(search.longest);
    search.has_depth_limit && ((search.full && search.is_unlimited) || is_complete())
}

/// Hardly any child is new although as many branches breed as may.
fn is_exhausted<E>(search: &Search<'_, E>, before: &Statistics) -> bool {
    let greatest = if search.options.population_grows { LARGEST_POPULATION } else { search.population };
    search.population >= greatest && is_scarce(&search.statistics, before)
}

/// Whether fewer than one child in [`SCARCE`] was new since then.
fn is_scarce(now: &Statistics, before: &Statistics) -> bool {
    let born = now.births() - before.births();
    born * SCARCE < born + now.stillborn() - before.stillborn()
}

/// When the neighbourhood of the fittest is exhausted, more branches breed; when it is fruitful again, fewer.
fn adapt_population<E>(breeder: &mut Breeder<'_, E>, before: &Statistics) {
    let search = &mut breeder.search;
    if !search.options.population_grows {
        return;
    }
    let now = &search.statistics;
    let by_births = (now.births() / BIRTHS_FOR_EACH) as usize;
    let least = by_births.max(search.options.population as usize).min(LARGEST_POPULATION);
    let born = now.births() - before.births();
    let conceived = born + now.stillborn() - before.stillborn();
    if is_scarce(now, before) {
        search.population *= 2;
    } else if born * PLENTY > conceived {
        search.population /= 2;
    }
    search.population = search.population.clamp(least, LARGEST_POPULATION);
}

/// Lets the least fit branches die. The parents have to be chosen anew afterwards. Returns whether there is
/// room now.
fn make_room<E>(breeder: &mut Breeder<'_, E>) -> bool {
    // The place must not be a node that dies.
    breeder.place.walk_to(&[], &[]);
    let search = &mut breeder.search;
    search.statistics.culls += 1;
    search.full = false;
    let gate = &mut search.gate;
    search.tree.cull(|| gate.check_clock().is_some())
}
