//! An engine as named by the user.

use std::env;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, Serialize, de};
use serde_json::{Map, Value, json};
use strum::{EnumString, VariantNames};

use super::EngineLimits;
use crate::util::files;

/// The protocol of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, EnumString, VariantNames)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Protocol {
    Xboard,
    Uci,
}

/// The start of an engine, and its settings. In files nearly everything may be missing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineSpec {
    /// The name in tables, PGN and journal, unique in a tournament. Empty until given: then it is
    /// the engine's own name, or else made from its command.
    #[serde(default, deserialize_with = "read_name")]
    pub name: String,
    /// A program, by path or to be found on the PATH; or ours: `kashan:genetic`,
    /// `kashan:alphabeta`, `kashan:minimax`, `kashan:action`.
    pub command: String,
    #[serde(
        default,
        deserialize_with = "read_texts",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub arguments: Vec<String>,
    /// The working directory; the current one if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub directory: Option<PathBuf>,
    /// Found out if not said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub protocol: Option<Protocol>,
    /// Options of the engine by name, set before the first game in this order. Buttons have an
    /// empty value. They are read as a table, and written, into journals, as pairs.
    #[serde(
        default,
        deserialize_with = "read_options",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub options: Vec<(String, String)>,
    /// Lines sent as they are once the engine is ready (`book close` for HoiChess).
    #[serde(
        default,
        deserialize_with = "read_texts",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub startup: Vec<String>,
    /// Its own time control; the tournament's if not said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limits: Option<EngineLimits>,
    /// Seconds of thinking about a move without a clock; 60 if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stall: Option<u32>,
    /// True for a new process for every game; otherwise only after a failure.
    #[serde(default)]
    pub restart: bool,
    /// True if the engine was asked and cannot set up any position as given.
    #[serde(skip)]
    pub lacks_setboard: bool,
    /// The engine's own name, once the engine was asked; fit to be repeated.
    #[serde(skip)]
    pub own_name: Option<String>,
}

/// The beginning of a command for our own program; the backend follows.
const OURS: &str = "kashan:";

/// Words in the names of options with changing files: logs, and files of learning.
const WRITTEN: [&str; 4] = ["log", "experience", "learn", "hash"];

/// The keys with text, or lists of texts.
const TEXTS: [&str; 7] = [
    "name",
    "command",
    "arguments",
    "directory",
    "protocol",
    "startup",
    "limits",
];

impl EngineSpec {
    /// An engine with nothing but name and command.
    pub fn new(name: impl Into<String>, command: impl Into<String>) -> EngineSpec {
        EngineSpec {
            name: name.into(),
            command: command.into(),
            ..EngineSpec::default()
        }
    }

    /// The backend of our own program named by `command`; `None` for any other program.
    pub fn backend(&self) -> Option<&str> {
        self.command.strip_prefix(OURS)
    }

    /// An engine from one line, the command with its arguments, split by [`split_command`], and
    /// from keys and values as in a tournament file: `restart` and
    /// `true`, `directory` and `/opt/engine`. Quotation marks around text can be left out; a
    /// repeated key makes a list.
    ///
    /// # Errors
    /// Fails on an empty command, a quotation mark without its second, an unknown key or a
    /// misfitting value.
    pub fn from_settings(line: &str, settings: &[(String, String)]) -> Result<EngineSpec, String> {
        let mut words = split_command(line)?.into_iter().map(toml::Value::from);
        let command = words.next().ok_or("an engine without a command")?;
        let mut table = toml::Table::from_iter([
            ("command".to_owned(), command),
            ("arguments".to_owned(), toml::Value::Array(words.collect())),
        ]);
        for (key, value) in settings {
            let mut value = match value.parse() {
                // What looks like a number or a date is text in the place of text, as it was
                // written.
                Ok(read @ (toml::Value::String(_) | toml::Value::Array(_))) => read,
                Ok(read) if !TEXTS.contains(&key.as_str()) => read,
                _ => toml::Value::from(value.as_str()),
            };
            match table.remove(key) {
                Some(toml::Value::Array(mut list)) => {
                    list.push(value);
                    value = list.into();
                }
                Some(before) => value = vec![before, value].into(),
                None => {}
            }
            table.insert(key.clone(), value);
        }
        EngineSpec::deserialize(table).map_err(|error| {
            let mut what = format!("{line} with");
            for (key, value) in settings {
                what += &format!(" {key}={value}");
            }
            format!("{what}: {}", error.message())
        })
    }

    /// The engine alone, outside of a tournament, with a name.
    ///
    /// # Errors
    /// An empty command.
    pub fn named(self) -> Result<EngineSpec, String> {
        Ok(specs(&[self])?.remove(0))
    }

    /// Makes relative paths start from `folder`, but the command's from the engine's directory if
    /// given. A command without a slash is searched for on the PATH.
    pub fn start_from(&mut self, folder: &Path) {
        if let Some(directory) = &mut self.directory {
            *directory = folder.join(&*directory);
            return;
        }
        let is_path = Path::new(&self.command).components().count() > 1;
        if is_path && let Some(path) = folder.join(&self.command).to_str() {
            self.command = path.to_owned();
        }
    }

    /// The value of an option; files, and lists of folders, begin in the engine's directory.
    pub fn in_its_folder(&self, name: &str, value: &str) -> String {
        let name = name.to_lowercase();
        let path = match &self.directory {
            Some(folder) if !value.is_empty() && name.contains("file") => {
                folder.join(value).into_os_string()
            }
            Some(folder) if name.contains("path") => {
                let paths = env::split_paths(value).filter(|path| !path.as_os_str().is_empty());
                env::join_paths(paths.map(|path| folder.join(path))).unwrap_or(value.into())
            }
            _ => value.into(),
        };
        path.to_string_lossy().into_owned()
    }

    /// The default name: the engine's own, or the program's name without folder and ending. Ours
    /// would all have the same, so they have their command.
    fn default_name(&self) -> String {
        if self.backend().is_some() {
            return self.command.clone();
        }
        if let Some(name) = &self.own_name {
            return name.clone();
        }
        match Path::new(&self.command).file_stem() {
            Some(stem) => stem.to_string_lossy().into_owned(),
            None => self.command.clone(),
        }
    }
}

/// Every engine with a name of its own. Default names are numbered if they would be the same.
///
/// # Errors
/// Fails on an engine without a command, a name of blanks or one twice, and on no time before a
/// stall.
pub fn specs(entries: &[EngineSpec]) -> Result<Vec<EngineSpec>, String> {
    let mut specs = entries.to_vec();
    for index in 0..specs.len() {
        let entry = &mut specs[index];
        if entry.command.trim().is_empty() {
            return Err(format!("engine {} has no command", index + 1));
        }
        if entry.stall == Some(0) {
            return Err(format!(
                "engine {}: with stall = 0 no move would be in time",
                index + 1
            ));
        }
        // As readers of PGN take names: blanks at the ends and ends of lines are none of theirs.
        let name = entry.name.split_whitespace().collect::<Vec<_>>().join(" ");
        if name.is_empty() != entry.name.is_empty() {
            return Err(format!("engine {} has an empty name", index + 1));
        }
        if !name.is_empty() && specs[..index].iter().any(|other| other.name == name) {
            return Err(format!("two engines are called \"{name}\""));
        }
        specs[index].name = name;
    }
    for index in 0..specs.len() {
        if specs[index].name.is_empty() {
            let plain = specs[index].default_name();
            let mut name = plain.clone();
            let mut number = 1;
            while specs.iter().any(|other| other.name == name) {
                number += 1;
                name = format!("{plain} ({number})");
            }
            specs[index].name = name;
        }
    }
    Ok(specs)
}

/// The content of the files in engines' options, by engine and option: weights, books and libraries
/// decide moves as much as numbers do, so journals' settings include it. `None` without such files.
pub fn files_of<'e>(engines: impl IntoIterator<Item = &'e EngineSpec>) -> Option<Value> {
    let mut files = Map::new();
    for engine in engines {
        for (name, path) in &engine.options {
            let lower = name.to_lowercase();
            let is_read =
                lower.contains("file") && !WRITTEN.iter().any(|word| lower.contains(word));
            let path = engine.in_its_folder(name, path);
            if is_read && let Ok(Some(mark)) = files::mark(Path::new(&path)) {
                let of_engine = files.entry(&engine.name).or_insert(json!({}));
                of_engine[name] = mark.into();
            }
        }
    }
    (!files.is_empty()).then_some(files.into())
}

/// Splits a command line into words: blanks separate, quotation marks of both kinds keep them
/// together. Nothing else is special, so that paths of Windows can be written as they are.
///
/// ```
/// use kashan::arena::spec::split_command;
/// let words = split_command(r#"C:\chess\engine.exe -c "my file.cfg" 'a"b'"#)?;
/// assert_eq!(words, [r"C:\chess\engine.exe", "-c", "my file.cfg", "a\"b"]);
/// # Ok::<(), String>(())
/// ```
///
/// # Errors
/// A quotation mark without its second.
pub fn split_command(line: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in line.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => word.get_or_insert_default().push(c),
            None if c.is_whitespace() => words.extend(word.take()),
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None => word.get_or_insert_default().push(c),
        }
    }
    if let Some(open) = quote {
        return Err(format!(
            "a quotation mark ({open}) without its second: {line}"
        ));
    }
    words.extend(word);
    Ok(words)
}

/// Reads a name and refuses an empty one.
fn read_name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let name = String::deserialize(deserializer)?;
    if name.trim().is_empty() {
        return Err(de::Error::custom("an engine has an empty name"));
    }
    Ok(name)
}

/// Reads a table: `{ Hash = 16, OwnBook = false, "Clear Hash" = "" }`.
fn read_options<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<(String, String)>, D::Error> {
    let toml::Value::Table(table) = toml::Value::deserialize(deserializer)? else {
        return Err(de::Error::custom("options are a table { NAME = VALUE }"));
    };
    let mut options = Vec::new();
    for (name, value) in table {
        let text = match value {
            toml::Value::String(text) => text,
            // As Rust writes it, without the zero that TOML has behind whole ones.
            toml::Value::Float(number) => number.to_string(),
            toml::Value::Integer(_) | toml::Value::Boolean(_) => value.to_string(),
            _ => {
                let fault = format!("option {name} is neither text, number nor truth");
                return Err(de::Error::custom(fault));
            }
        };
        options.push((name, text));
    }
    Ok(options)
}

/// A text, or a list of texts.
fn read_texts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let list = match toml::Value::deserialize(deserializer)? {
        toml::Value::Array(list) => list,
        value => vec![value],
    };
    let texts = toml::Value::from(list).try_into();
    texts.map_err(|_| de::Error::custom("a text or a list of texts is expected"))
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
        assert_eq!(
            Path::new(&engine.in_its_folder("bookfile", "a.bin")),
            there("a.bin")
        );
        let both = env::join_paths(["a", "", "b"])
            .expect("two folders")
            .into_string()
            .expect("letters");
        let folders = engine.in_its_folder("SyzygyPath", &both);
        assert_eq!(
            env::split_paths(&folders).collect::<Vec<_>>(),
            [there("a"), there("b")]
        );
        assert_eq!(engine.in_its_folder("SyzygyPath", ""), "");
        assert_eq!(engine.in_its_folder("Hash", "16"), "16");
    }

    #[test]
    fn command_lines_are_split() {
        let lines = [
            "engine",
            "  a  b\tc ",
            "\"C:\\Program Files\\e.exe\" --x",
            "a '' b",
            "--name=\"x y\"",
        ];
        let words = [
            "engine",
            "a|b|c",
            "C:\\Program Files\\e.exe|--x",
            "a||b",
            "--name=x y",
        ];
        assert_eq!(
            lines.map(|line| split_command(line).expect(line).join("|")),
            words
        );
        assert_eq!(split_command(""), Ok(vec![]));
        assert!(split_command("a \"b").is_err() && EngineSpec::from_settings("", &[]).is_err());
        let settings = "name=2024, arguments=a b, arguments=064, arguments=1e3, arguments=\"quoted\", directory=2024-02-01, \
                        startup=book close, startup=1, startup=true, stall=7, restart=true";
        let settings = settings
            .split(", ")
            .filter_map(|setting| setting.split_once('='));
        let settings: Vec<_> = settings
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .collect();
        let entry = EngineSpec::from_settings("x --y", &settings).expect("an engine");
        assert_eq!((&*entry.name, &*entry.command), ("2024", "x"));
        assert_eq!(entry.arguments, ["--y", "a b", "064", "1e3", "quoted"]);
        assert_eq!(entry.startup, ["book close", "1", "true"]);
        assert_eq!(entry.directory, Some(PathBuf::from("2024-02-01")));
        assert_eq!((entry.stall, entry.restart), (Some(7), true));
    }
}
