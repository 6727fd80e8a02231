//! The claims of Hesham, Abu-Elnasr & Elmougy, "A new action-based reasoning approach for playing chess",
//! Computers, Materials & Continua 69(1), 2021, which the backend `action` follows: A1 and so on.
//!
//! Rybka, the paper's opponent, is not here: our own alpha-beta with all moves, the same evaluation and the
//! same limits stands in, which is what the claims are about.

mod degrees;
mod filters;
mod power;
mod printed;
mod reduction;
mod retaining;
mod synthesis;

use std::fs::File;
use std::io;
use std::path::PathBuf;

use anyhow::Context as _;
use serde_json::json;

use super::laboratory::ours;
use super::{Experiment, Laboratory};
use crate::arena::journal::fingerprint;
use crate::arena::{EngineSpec, Limits};
use crate::files;
use crate::library::Library;

/// In the order of their numbers.
pub const ALL: &[Experiment] = &[
    power::EXPERIMENT,
    filters::ONE,
    filters::BOTH,
    degrees::EXPERIMENT,
    printed::EXPERIMENT,
    reduction::EXPERIMENT,
    retaining::EXPERIMENT,
    synthesis::EXPERIMENT,
];

/// The paper's tree has a fixed depth that it does not say; that of the tuning paper, whose experiments it
/// repeats.
const FOUR_PLIES: Limits = Limits { time: None, depth: Some(4), nodes: None };

/// In all matches against all moves.
const ALL_MOVES: &str = "All moves";

/// A library that experiments play from.
struct Shelf {
    /// What reports call it.
    name: String,
    /// As the option `LibraryFile` has it.
    path: String,
}

/// The libraries that the user named, or else the built-in one.
///
/// # Errors
/// Names that cannot be made absolute.
fn libraries(laboratory: &Laboratory<'_>) -> anyhow::Result<Vec<Shelf>> {
    let shelf = |path: &PathBuf| {
        let absolute = std::path::absolute(path).with_context(|| path.display().to_string())?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Shelf { name: work_name(&name), path: absolute.display().to_string() })
    };
    let mut named: Vec<Shelf> =
        laboratory.conditions.libraries.iter().map(shelf).collect::<anyhow::Result<_>>()?;
    if named.is_empty() {
        named.push(Shelf { name: Library::BUILT_IN.to_owned(), path: Library::BUILT_IN.to_owned() });
    }
    Ok(named)
}

/// Letters, digits and hyphens.
fn work_name(name: &str) -> String {
    let letter =
        |letter: char| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '-' };
    name.chars().map(letter).collect()
}

/// The paper's player: nothing but the library's moves, chosen by alpha-beta.
fn player(name: &str, library: &str, options: &[(&str, &str)]) -> EngineSpec {
    let fixed = [("LibraryFile", library), ("Revise", "false"), ("ActionDepth", "0"), ("MoveOverhead", "5")];
    ours(name, "action", &[&fixed, options].concat())
}

/// The same search of all moves.
fn all_moves(options: &[(&str, &str)]) -> EngineSpec {
    ours(ALL_MOVES, "alphabeta", &[&[("MoveOverhead", "5")], options].concat())
}

/// A copy of a library among the journals, under a name of its own: another library, another seed, and there
/// is another copy with other own cases beside it.
fn copied(laboratory: &Laboratory<'_>, file: &str, name: &str) -> anyhow::Result<String> {
    let copy = || -> anyhow::Result<PathBuf> {
        let mut library = File::open(file)?;
        let which =
            json!({ "file": file, "bytes": library.metadata()?.len(), "seed": laboratory.conditions.seed });
        let path = laboratory.place(&format!("{name}-{:016x}.klib", fingerprint(&which)))?;
        if !path.exists() {
            files::replace_by(&path, |copy| io::copy(&mut library, copy).map(|_| ()))?;
        }
        Ok(path)
    };
    Ok(copy().with_context(|| format!("cannot copy {file}"))?.display().to_string())
}
