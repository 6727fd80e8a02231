//! From options to a searcher.

use super::settings::{Backend, Settings};
use super::worker::BuildSearcher;
use crate::evaluation::{Evaluator, for_evaluation};
use crate::search::Searcher;
use crate::search::alphabeta::AlphaBeta;
use crate::search::genetic::Genetic;
use crate::search::minimax::MiniMax;

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
    let weights = settings.weights();
    for_evaluation!(weights.evaluation(), E => build_with(weights.evaluator::<E>(), settings))
}

fn build_with<E: Evaluator + 'static>(evaluator: E, settings: &Settings) -> Box<dyn Searcher> {
    match settings.engine.backend {
        Backend::Genetic => Box::new(genetic(evaluator, settings)),
        Backend::AlphaBeta => {
            Box::new(AlphaBeta::with_memory(evaluator, settings.alphabeta.clone(), megabytes(settings)))
        }
        Backend::MiniMax => Box::new(MiniMax::new(evaluator, settings.minimax.clone())),
    }
}

/// The genetic search under these settings, whichever search they ask for, as it is at the start of a game.
pub fn genetic<E: Evaluator>(evaluator: E, settings: &Settings) -> Genetic<E> {
    let mut genetic = Genetic::new(evaluator, settings.genetic.clone());
    genetic.set_memory(megabytes(settings));
    genetic.set_seed(seed(settings.engine.seed));
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
