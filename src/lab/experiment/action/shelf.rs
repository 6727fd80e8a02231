//! The libraries for experiments.

use std::fs::File;
use std::io;
use std::path::Path;

use anyhow::Context as _;
use serde_json::json;

use crate::engine::library::Library;
use crate::lab::experiment::Laboratory;
use crate::util::files;
use crate::util::jobs::{fingerprint, fnv};

/// A library for experiments.
#[derive(Default)]
pub struct Shelf {
    /// The name in reports.
    pub name: String,
    /// The value for the option `LibraryFile`.
    pub path: String,
}

/// Returns the user's libraries, or else the built-in one.
///
/// # Errors
/// Names that cannot be made absolute.
pub fn libraries(laboratory: &Laboratory) -> anyhow::Result<Vec<Shelf>> {
    let named = &laboratory.conditions.libraries;
    if named.is_empty() {
        return Ok(vec![Shelf::built_in()]);
    }
    named.iter().map(|path| Shelf::of(path)).collect()
}

impl Shelf {
    fn built_in() -> Shelf {
        Shelf {
            name: Library::BUILT_IN.to_owned(),
            path: Library::BUILT_IN.to_owned(),
        }
    }

    /// Returns the library of a path. Its name includes its content, so that games with another
    /// library of the same name are not mistaken for its own.
    fn of(path: &Path) -> anyhow::Result<Shelf> {
        if path == Path::new(Library::BUILT_IN) && !path.exists() {
            return Ok(Shelf::built_in());
        }
        let absolute = std::path::absolute(path).with_context(|| path.display().to_string())?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        Ok(Shelf {
            name: format!("{}-{:016x}", work_name(&name), content(path)?),
            path: absolute.display().to_string(),
        })
    }
}

/// Returns a number for the content of a library and of the own cases beside it.
fn content(path: &Path) -> anyhow::Result<u64> {
    let library = Library::open(path)?;
    let own = library
        .own_path()
        .map(files::content)
        .transpose()?
        .flatten()
        .unwrap_or_default();
    let games = library.contents().to_pgn().into_bytes();
    Ok(fnv(games.into_iter().chain(own)))
}

/// Letters, digits and hyphens.
fn work_name(name: &str) -> String {
    name.to_ascii_lowercase()
        .replace(|letter: char| !letter.is_ascii_alphanumeric(), "-")
}

/// A copy of a library among the journals, under a name of its own: another library, another seed,
/// and there is another copy with other own cases beside it.
pub fn copied(laboratory: &Laboratory, file: &str, name: &str) -> anyhow::Result<String> {
    let cannot_copy = || format!("cannot copy {file}");
    let mut library = File::open(file).with_context(cannot_copy)?;
    let which = json!({ "file": file, "bytes": library.metadata()?.len(), "seed": laboratory.conditions.seed });
    let path = laboratory.place(&format!("{name}-{:016x}.klib", fingerprint(&which)))?;
    if !path.exists() {
        files::replace_by(&path, |copy| io::copy(&mut library, copy).map(drop))
            .with_context(cannot_copy)?;
    }
    Ok(path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::making::library::{self, Recipe};
    use crate::util::jobs::StopRequest;

    #[test]
    fn a_library_is_told_by_what_is_in_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let built = |moves: &str, name: &str| {
            let [games, output] = ["games.pgn", name].map(|name| folder.path().join(name));
            std::fs::write(&games, moves).expect("written");
            let recipe = Recipe {
                inputs: vec![games],
                output: output.clone(),
                min_elo: 0,
                strict: true,
            };
            library::build(&recipe, &StopRequest::default(), &mut |_| ()).expect("built");
            content(&output).expect("a library")
        };
        let first = built("1. e4 e5 2. Nf3 *\n", "one.klib");
        assert_eq!(first, built("1. e4 e5 2. Nf3 *\n", "same.klib"));
        assert_ne!(first, built("1. e4 e5 2. Nc3 *\n", "other.klib"));
    }
}
