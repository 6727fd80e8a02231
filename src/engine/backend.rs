//! From options to a searcher.

use std::sync::Arc;

use super::library::{self, LibraryAdviser, LibraryUse};
use super::settings::{Backend, Settings};
use super::worker::BuildSearcher;
use crate::evaluation::{Evaluator, ForSearch};
use crate::search::Searcher;
use crate::search::action::{Action, Adviser};
use crate::search::alphabeta::AlphaBeta;
use crate::search::genetic::{FromLibrary, Genetic};
use crate::search::minimax::MiniMax;
use crate::search::prior::Prior;

/// Makes, for some settings, a recipe that the search thread follows.
pub type BuildFor = Box<dyn Fn(&Settings) -> BuildSearcher + Send>;

/// The searches of this crate.
pub fn standard() -> BuildFor {
    Box::new(|settings| {
        let settings = settings.clone();
        Box::new(move || build(&settings))
    })
}

/// The searcher that the settings ask for, as it is at the start of a game.
pub fn build(settings: &Settings) -> Box<dyn Searcher> {
    match settings.weights().for_search() {
        ForSearch::Kashan(evaluator) => build_with(*evaluator, settings),
        ForSearch::Other(evaluator) => build_with(evaluator, settings),
    }
}

fn build_with<E: Evaluator + Clone + 'static>(evaluator: E, settings: &Settings) -> Box<dyn Searcher> {
    match settings.engine.backend {
        Backend::Genetic => Box::new(genetic(evaluator, settings)),
        Backend::AlphaBeta => Box::new(alphabeta(evaluator, settings)),
        Backend::MiniMax => Box::new(MiniMax::new(evaluator, settings.minimax.clone())),
        Backend::Action => {
            Box::new(Action::new(alphabeta(evaluator, settings), adviser(settings), settings.action.clone()))
        }
    }
}

fn alphabeta<E: Evaluator + Clone>(evaluator: E, settings: &Settings) -> AlphaBeta<E> {
    let search = AlphaBeta::with_memory(evaluator, settings.alphabeta.clone(), megabytes(settings));
    match prior_for(settings, &[LibraryUse::Order]) {
        Some(prior) => search.with_prior(prior),
        None => search,
    }
}

/// Who knows what others answered.
fn adviser(settings: &Settings) -> Option<Box<dyn Adviser>> {
    let library = Arc::clone(settings.library()?);
    Some(Box::new(LibraryAdviser::new(library, settings.library.filter())))
}

/// How often others answered what, if the library is used in one of these ways.
fn prior_for(settings: &Settings, ways: &[LibraryUse]) -> Option<Arc<Prior>> {
    let is_wanted = ways.contains(&settings.library.usage);
    is_wanted.then(|| settings.library().map(|library| Arc::new(library::prior(library)))).flatten()
}

/// The genetic search under these settings, whichever search they ask for, as it is at the start of a game.
pub fn genetic<E: Evaluator + Clone>(evaluator: E, settings: &Settings) -> Genetic<E> {
    let mut genetic = Genetic::new(evaluator, settings.genetic.clone());
    genetic.local_options = settings.alphabeta.clone();
    genetic.set_memory(megabytes(settings));
    genetic.set_seed(seed(settings.engine.seed));
    let has_seeds = matches!(settings.library.usage, LibraryUse::Seeds | LibraryUse::Both);
    genetic.set_library(FromLibrary {
        mutations: prior_for(settings, &[LibraryUse::Mutations, LibraryUse::Both]),
        seeds: has_seeds.then(|| adviser(settings)).flatten(),
    });
    // The seed counts from a new game on.
    genetic.new_game();
    genetic
}

fn megabytes(settings: &Settings) -> usize {
    usize::try_from(settings.engine.hash).unwrap_or(1)
}

/// 0 asks for a different seed each time.
pub(super) fn seed(option: i64) -> u64 {
    match u64::try_from(option) {
        Ok(seed) if seed != 0 => seed,
        _ => rand::random(),
    }
}
