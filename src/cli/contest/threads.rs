//! Whether the machine has as many cores as engines will use.

use std::thread::available_parallelism;

use crate::arena::EngineSpec;
use crate::display::counted;

/// What to say if the engines of `concurrency` games want more threads than there are cores.
pub fn warning(engines: &[EngineSpec], concurrency: usize) -> Option<String> {
    let cores = available_parallelism().map_or(1, usize::from);
    describe(engines, concurrency, cores)
}

fn describe(engines: &[EngineSpec], concurrency: usize, cores: usize) -> Option<String> {
    let per_game = threads_per_game(engines);
    let wanted = per_game.saturating_mul(concurrency);
    if wanted <= cores {
        return None;
    }
    let ponder = if engines.iter().any(|engine| engine.ponder) { ", pondering included" } else { "" };
    let advice = match cores / per_game {
        0 => "fewer threads would fit".to_owned(),
        fitting => format!("concurrency {fitting} would fit"),
    };
    Some(format!(
        "{} at once with up to {} each{ponder} are {wanted} threads, but this machine has {}: engines will take time \
         from each other ({advice})",
        counted(concurrency, "game"),
        counted(per_game, "engine thread"),
        counted(cores, "core")
    ))
}

/// The most threads that think at the same time in a game: those of the engine on move, and of its opponent
/// if that ponders.
pub fn threads_per_game(engines: &[EngineSpec]) -> usize {
    let pairs = engines.iter().enumerate().flat_map(|(index, a)| {
        let others = engines.iter().enumerate().filter(move |&(other, _)| other != index);
        others.map(move |(_, b)| threads(a).saturating_add(if b.ponder { threads(b) } else { 0 }))
    });
    pairs.max().unwrap_or(1)
}

/// Threads of an engine, as its options say; what it does when told nothing cannot be known.
fn threads(engine: &EngineSpec) -> usize {
    const NAMES: [&str; 4] = ["Threads", "Cores", "Max CPUs", "MaxThreads"];
    let is_number_of_threads = |name: &str| NAMES.iter().any(|known| known.eq_ignore_ascii_case(name.trim()));
    engine
        .options
        .iter()
        .rfind(|(name, _)| is_number_of_threads(name))
        .and_then(|(_, value)| value.trim().parse().ok())
        .unwrap_or(1)
        .max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn engine(threads: usize, ponder: bool) -> EngineSpec {
        let options = vec![("threads".to_owned(), threads.to_string())];
        EngineSpec { options, ponder, ..EngineSpec::new("engine", "engine") }
    }

    #[test]
    fn threads_are_counted_and_pondering_doubles_them() {
        let said = |engines: &[EngineSpec], games| describe(engines, games, 2).unwrap_or_default();
        let plain = [engine(1, false), engine(1, false)];
        assert_eq!(said(&plain, 2), "");
        let parts = ["3 games", "1 engine thread each", "2 cores:", "concurrency 2 would fit"];
        assert!(parts.iter().all(|part| said(&plain, 3).contains(part)), "{}", said(&plain, 3));
        let pondering = [engine(1, true), engine(1, true)];
        assert_eq!(said(&pondering, 1), "");
        assert!(said(&pondering, 2).contains("pondering"));
        assert_eq!(threads_per_game(&[engine(4, false), engine(1, true), engine(2, false)]), 5);
        assert!(said(&[engine(4, false), engine(4, false)], 1).contains("fewer threads"));
        assert_eq!(threads_per_game(&[EngineSpec::new("a", "a"), EngineSpec::new("b", "b")]), 1);
        let endless = [engine(usize::MAX / 2 + 1, true), engine(usize::MAX, true)];
        assert!(!said(&endless, 2).is_empty(), "numbers that are too large are not small ones");
    }
}
