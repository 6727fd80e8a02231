//! An engine as the user names it.

use std::env;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use strum::{EnumString, VariantNames};

use super::Limits;
use super::config::engine;
use crate::files;

/// What an engine speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, EnumString, VariantNames)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Protocol {
    Xboard,
    Uci,
}

/// How to start an engine and what to tell it. In files nearly everything may be missing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineSpec {
    /// Unique in a tournament; what tables, PGN and journal say. Empty as long as nobody has said it: then it
    /// is what the engine calls itself, or else made from its command.
    #[serde(default, deserialize_with = "engine::name")]
    pub name: String,
    /// A program, by path or to be found on the PATH; or ours: `kashan:genetic`, `kashan:alphabeta`,
    /// `kashan:minimax`, `kashan:action`.
    pub command: String,
    #[serde(default, deserialize_with = "engine::texts", skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
    /// Where it runs; the current directory if not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory: Option<PathBuf>,
    /// Found out if not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub protocol: Option<Protocol>,
    /// Options of the engine by name, set before the first game in this order. Buttons have an empty value.
    /// They are read as a table, and written, into journals, as pairs.
    #[serde(default, deserialize_with = "engine::options", skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<(String, String)>,
    /// Lines sent as they are once the engine is ready (`book close` for HoiChess).
    #[serde(default, deserialize_with = "engine::texts", skip_serializing_if = "Vec::is_empty")]
    pub startup: Vec<String>,
    /// Its own time control; the tournament's if not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<Limits>,
    /// Seconds that it may think about a move where no clock decides; 60 if not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stall: Option<u32>,
    /// Whether it thinks while the opponent does.
    #[serde(default)]
    pub ponder: bool,
    /// Whether it gets a new process for every game; otherwise only when the old one failed.
    #[serde(default)]
    pub restart: bool,
    /// Its known rating: the rating list at the end is anchored to it. No game depends on it.
    #[serde(skip_serializing)]
    pub rating: Option<f64>,
    /// What it calls itself, once it was asked; fit to be repeated.
    #[serde(skip)]
    pub own_name: Option<String>,
}

/// What a command begins with that means our own program; the backend follows.
const OURS: &str = "kashan:";

impl EngineSpec {
    /// An engine of which nothing more is said.
    pub fn new(name: impl Into<String>, command: impl Into<String>) -> EngineSpec {
        EngineSpec { name: name.into(), command: command.into(), ..EngineSpec::default() }
    }

    /// The backend of our own program that `command` names; `None` for any other program.
    pub fn backend(&self) -> Option<&str> {
        self.command.strip_prefix(OURS)
    }
}

/// What is in the files that engines' options name, by engine and option: weights, books and libraries decide
/// moves as much as numbers do, so settings of journals have it. `None` if there are no such files.
pub fn files_of<'e>(engines: impl IntoIterator<Item = &'e EngineSpec>) -> Option<Value> {
    let files: Map<String, Value> =
        engines.into_iter().filter_map(|engine| Some((engine.name.clone(), engine.files()?))).collect();
    (!files.is_empty()).then(|| files.into())
}

/// In the names of options whose files change while engines play: logs, and what engines learn.
const WRITTEN: [&str; 4] = ["log", "experience", "learn", "hash"];

impl EngineSpec {
    /// The value of an option; what names a file, or a list of folders, begins where the engine stands.
    pub fn in_its_folder(&self, name: &str, value: &str) -> String {
        let name = name.to_lowercase();
        let Some(folder) = self.directory.as_deref().filter(|_| !value.is_empty()) else {
            return value.to_owned();
        };
        let path = match (name.contains("file"), name.contains("path")) {
            (true, _) => Some(folder.join(value).into_os_string()),
            (_, true) => {
                let folders = env::split_paths(value).filter(|path| !path.as_os_str().is_empty());
                env::join_paths(folders.map(|path| folder.join(path))).ok()
            }
            _ => None,
        };
        path.map_or(value.to_owned(), |path| path.to_string_lossy().into_owned())
    }

    fn files(&self) -> Option<Value> {
        let is_read = |name: &str| name.contains("file") && !WRITTEN.iter().any(|word| name.contains(word));
        let named = self.options.iter().filter(|(name, _)| is_read(&name.to_lowercase()));
        let marks = named.filter_map(|(name, path)| {
            let mark = files::mark(Path::new(&self.in_its_folder(name, path))).ok()??;
            Some((name.clone(), mark.into()))
        });
        let marks: Map<String, Value> = marks.collect();
        (!marks.is_empty()).then(|| marks.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_names_begin_where_the_engine_stands() {
        let mut engine = EngineSpec::new("One", "one");
        assert_eq!(engine.in_its_folder("BookFile", "a.bin"), "a.bin");
        engine.directory = Some(PathBuf::from("there"));
        let there = |name: &str| Path::new("there").join(name);
        assert_eq!(Path::new(&engine.in_its_folder("bookfile", "a.bin")), there("a.bin"));
        let both = env::join_paths(["a", "", "b"]).expect("two folders").into_string().expect("letters");
        let folders = engine.in_its_folder("SyzygyPath", &both);
        assert_eq!(env::split_paths(&folders).collect::<Vec<_>>(), [there("a"), there("b")]);
        assert_eq!(engine.in_its_folder("SyzygyPath", ""), "");
        assert_eq!(engine.in_its_folder("Hash", "16"), "16");
    }
}
