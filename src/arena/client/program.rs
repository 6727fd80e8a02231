//! The place of an engine's program.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};

use crate::arena::EngineSpec;
use crate::util::display::joined;
use crate::util::system;

/// The environment variable with our own program if the running one is another, as in tests.
const OUR_PROGRAM: &str = "KASHAN_EXECUTABLE";

/// The argument for our own program to declare all its options.
pub const ALL_OPTIONS: &str = "--all-options";

/// The program of a spec: ours; or a path, from the engine's directory or else from the current
/// one; or one on the PATH; or a bare name in the engine's directory.
///
/// # Errors
/// Fails if there is none; the text names the places searched.
pub fn find(spec: &EngineSpec) -> anyhow::Result<PathBuf> {
    let name = &spec.name;
    let here = env::current_dir().context("there is no current directory")?;
    let mut places = Vec::new();
    if let Some(directory) = &spec.directory {
        let home = here.join(directory);
        ensure!(
            home.is_dir(),
            "engine {name}: there is no directory {}",
            home.display()
        );
        places.push(home);
    }
    if spec.backend().is_some() {
        return match env::var_os(OUR_PROGRAM) {
            Some(path) => Ok(path.into()),
            None => env::current_exe()
                .with_context(|| format!("engine {name}: our own program is not to be found")),
        };
    }
    places.push(here);
    let command = Path::new(&spec.command);
    let path = env::var_os("PATH").unwrap_or_default();
    let named = places.iter().map(|place| (command.to_owned(), place));
    let home = spec.directory.as_ref().map(|_| &places[0]);
    let in_home = home.map(|home| (home.join(command), home));
    for (command, place) in named.chain(in_home) {
        if let Some(program) = system::find_program(&command, &path, place) {
            return Ok(program);
        }
    }
    let mut searched = vec!["the PATH".to_owned()];
    for place in &places {
        let path = place.join(command);
        ensure!(
            !path.exists(),
            "engine {name}: {} is a folder, or a file that cannot be executed",
            path.display()
        );
        searched.push(place.display().to_string());
    }
    bail!(
        "engine {name}: there is no program \"{}\" (looked in {})",
        spec.command,
        joined(&searched)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_there_and_no_program_is_told_from_what_is_not_there() {
        let (folder, file) = crate::util::files::tests::in_a_folder("engine");
        std::fs::write(&file, "text").expect("written");
        let error = |command: &Path, directory: Option<&Path>| {
            let mut spec = EngineSpec::new("X", command.to_str().expect("Unicode"));
            spec.directory = directory.map(Path::to_owned);
            find(&spec).expect_err("no program").to_string()
        };
        let says = error(folder.path(), None);
        assert!(
            says.starts_with("engine X: /") && says.contains("is a folder"),
            "{says}"
        );
        for says in [
            error(&file, None),
            error(Path::new("./engine"), Some(folder.path())),
        ] {
            assert!(
                says.contains("engine is a folder, or a file that cannot be executed"),
                "{says}"
            );
        }
        let says = error(&folder.path().join("other"), None);
        assert!(says.contains("there is no program"), "{says}");
    }
}
