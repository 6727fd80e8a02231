//! The place of an engine's program.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};

use crate::arena::EngineSpec;
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
    if spec.backend().is_some() {
        return match env::var_os(OUR_PROGRAM) {
            Some(path) => Ok(path.into()),
            None => env::current_exe().with_context(|| {
                format!("engine {}: our own program is not to be found", spec.name)
            }),
        };
    }
    let here = env::current_dir().context("there is no current directory")?;
    let home = spec
        .directory
        .as_ref()
        .map(|directory| here.join(directory));
    if let Some(home) = home.as_ref().filter(|home| !home.is_dir()) {
        return Err(anyhow!(
            "engine {}: there is no directory {}",
            spec.name,
            home.display()
        ));
    }
    let path = env::var_os("PATH").unwrap_or_default();
    let command = Path::new(&spec.command);
    let at_home = home.iter().map(|home| (command.to_owned(), home));
    let in_home = home.iter().map(|home| (home.join(command), home));
    at_home
        .chain([(command.to_owned(), &here)])
        .chain(in_home)
        .find_map(|(command, place)| system::find_program(&command, &path, place))
        .ok_or_else(|| {
            let mut paths = home.iter().chain([&here]).map(|place| place.join(command));
            if let Some(path) = paths.find(|path| path.exists()) {
                let fault = "is a folder, or a file that cannot be executed";
                return anyhow!("engine {}: {} {fault}", spec.name, path.display());
            }
            let places = match &home {
                Some(home) => format!("the PATH, {} and {}", home.display(), here.display()),
                None => format!("the PATH and {}", here.display()),
            };
            anyhow!(
                "engine {}: there is no program \"{}\" (looked in {places})",
                spec.name,
                spec.command
            )
        })
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
