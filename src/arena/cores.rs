//! Cores of the processor that the engines of a game have to themselves.
//!
//! A program inherits the cores of the thread that starts it, and hands them on to whatever it starts itself.

use std::io;

use crate::display::counted;
use crate::system;

/// Cores, by the numbers that the system gives them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cores(Vec<usize>);

/// Cores for so many games at once, `each` for a game, no core twice.
///
/// # Errors
/// There are not so many; only Linux can do it.
pub fn divide(games: usize, each: usize) -> Result<Vec<Cores>, String> {
    let available = available()?;
    let wanted = games.saturating_mul(each);
    if available.len() < wanted {
        return Err(format!(
            "{} at once with {} each want {wanted} cores of their own, but there are {}",
            counted(games, "game"),
            counted(each, "engine thread"),
            available.len()
        ));
    }
    Ok(available.chunks_exact(each).take(games).map(|cores| Cores(cores.to_vec())).collect())
}

/// Does something with this thread on the given cores; any if none are given.
pub fn on<T>(cores: Option<&Cores>, work: impl FnOnce() -> T) -> io::Result<T> {
    match cores {
        Some(Cores(cores)) => system::on_cores(cores, work),
        None => Ok(work()),
    }
}

/// The cores that this process may use: first one of each physical core, which is of more use than two halves
/// of the same.
fn available() -> Result<Vec<usize>, String> {
    let mut cores = system::cores().map_err(|error| match error.kind() {
        io::ErrorKind::Unsupported => error.to_string(),
        _ => format!("the cores cannot be asked for: {error}"),
    })?;
    cores.sort_by_key(|&core| (sibling(core), core));
    Ok(cores)
}

/// The place of a core among those that share its physical core, from 0. `0,4` and `0-1` are lists of them.
fn sibling(core: usize) -> usize {
    let path = format!("/sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list");
    let list = std::fs::read_to_string(path).unwrap_or_default();
    let number = |text: &str| text.trim().parse::<usize>().ok();
    let siblings = list.split(',').flat_map(|part| match part.split_once('-') {
        Some((first, last)) => number(first).zip(number(last)).map_or(0..0, |(first, last)| first..last + 1),
        None => number(part).map_or(0..0, |core| core..core + 1),
    });
    siblings.filter(|&sibling| sibling < core).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cores_are_divided_and_given_back() {
        let all = match available() {
            Err(error) if !cfg!(target_os = "linux") => return eprintln!("skipped: {error}"),
            all => all.expect("cores"),
        };
        let divided = divide(all.len(), 1).expect("one for each");
        let mut cores: Vec<usize> = divided.iter().flat_map(|cores| cores.0.clone()).collect();
        cores.sort_unstable();
        let mut sorted = all.clone();
        sorted.sort_unstable();
        assert_eq!(cores, sorted, "no core twice");
        let error = divide(all.len(), 2).expect_err("too many");
        assert!(error.contains(&format!("want {} cores", 2 * all.len())), "{error}");
        divide(2, usize::MAX / 2 + 1).expect_err("far too many");
        let inside = on(Some(&divided[0]), || available().expect("cores")).expect("it is allowed");
        assert_eq!(inside, divided[0].0);
        assert_eq!(available().expect("cores"), all);
    }
}
