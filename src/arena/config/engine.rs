//! An engine in a tournament file.

use std::path::Path;

use serde::{Deserialize, Deserializer, de};

use crate::arena::EngineSpec;

/// The keys whose values are text, or lists of texts.
const TEXTS: [&str; 7] = ["name", "command", "arguments", "directory", "protocol", "startup", "limits"];

impl EngineSpec {
    /// An engine from one line: the command with its arguments, as [`split_command`] takes it apart.
    ///
    /// # Errors
    /// An empty command, or a quotation mark without its second.
    pub fn from_line(line: &str) -> Result<EngineSpec, String> {
        EngineSpec::from_settings(line, &[])
    }

    /// An engine from one line and from keys and values as a tournament file has them: `restart` and `true`,
    /// `directory` and `/opt/engine`. Quotation marks around text can be left out; a key that comes again
    /// makes a list.
    ///
    /// # Errors
    /// As [`EngineSpec::from_line`]; a key that no engine has, or a value that does not fit it.
    pub fn from_settings(line: &str, settings: &[(String, String)]) -> Result<EngineSpec, String> {
        let mut words = split_command(line)?.into_iter().map(toml::Value::from);
        let command = words.next().ok_or("an engine without a command")?;
        let mut table = toml::Table::from_iter([
            ("command".to_owned(), command),
            ("arguments".to_owned(), toml::Value::Array(words.collect())),
        ]);
        for (key, value) in settings {
            let text = toml::Value::from(value.as_str());
            let value = match value.parse::<toml::Value>() {
                Err(_) => text,
                // What looks like a number or a date is text in the place of text, as it was written.
                Ok(other) if TEXTS.contains(&key.as_str()) && !other.is_str() && !other.is_array() => text,
                Ok(value) => value,
            };
            let value = match table.remove(key) {
                Some(toml::Value::Array(mut list)) => {
                    list.push(value);
                    toml::Value::from(list)
                }
                Some(before) => toml::Value::from(vec![before, value]),
                None => value,
            };
            table.insert(key.clone(), value);
        }
        EngineSpec::deserialize(table).map_err(|error| {
            let keys: Vec<String> = settings.iter().map(|(key, value)| format!("{key}={value}")).collect();
            format!("{line} with {}: {}", keys.join(" "), error.message())
        })
    }

    /// The engine alone, outside of a tournament, with a name.
    ///
    /// # Errors
    /// An empty command.
    pub fn named(self) -> Result<EngineSpec, String> {
        specs(&[self]).map(|mut specs| specs.remove(0))
    }

    /// Relative paths start from `folder`, the command's from the engine's directory if it has one. A command
    /// without a slash is searched for on the PATH.
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

    /// What to call it if nobody has said it: what it calls itself, or the program's name without folder and
    /// ending. Ours would all be called the same.
    fn default_name(&self) -> String {
        if self.command.starts_with("kashan:") {
            return self.command.clone();
        }
        if let Some(name) = &self.own_name {
            return name.clone();
        }
        let stem = Path::new(&self.command).file_stem();
        stem.map_or(self.command.clone(), |stem| stem.to_string_lossy().into_owned())
    }
}

/// All engines, each with a name of its own. Names that nobody has given are numbered where they would be
/// the same.
///
/// # Errors
/// An engine without a command, a name of blanks or one twice; no time before it counts as stalled.
pub fn specs(entries: &[EngineSpec]) -> Result<Vec<EngineSpec>, String> {
    let mut specs = entries.to_vec();
    for index in 0..specs.len() {
        let entry = &mut specs[index];
        if entry.command.trim().is_empty() {
            return Err(format!("engine {} has no command", index + 1));
        }
        if entry.stall == Some(0) {
            return Err(format!("engine {}: with stall = 0 no move would be in time", index + 1));
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
            let numbered = (2..).map(|number| format!("{plain} ({number})"));
            let mut candidates = std::iter::once(plain.clone()).chain(numbered);
            let free = candidates.find(|name| specs.iter().all(|other| other.name != *name));
            specs[index].name = free.expect("there is always another number");
        }
    }
    Ok(specs)
}

/// Splits a command line into words: blanks separate, quotation marks of both kinds keep them together.
/// Nothing else is special, so that paths of Windows can be written as they are.
///
/// ```
/// use kashan::arena::config::split_command;
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
        return Err(format!("a quotation mark ({open}) without its second: {line}"));
    }
    words.extend(word);
    Ok(words)
}

/// A name that is said is not empty.
pub(in crate::arena) fn name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let name = String::deserialize(deserializer)?;
    match name.trim().is_empty() {
        true => Err(de::Error::custom("an engine has an empty name")),
        false => Ok(name),
    }
}

/// A table (`{ Hash = 16, OwnBook = false }`) or, for names that come twice, a list (`["Hash=16", "Clear
/// Hash="]`).
pub(in crate::arena) fn options<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<(String, String)>, D::Error> {
    match toml::Value::deserialize(deserializer)? {
        toml::Value::Table(table) => table
            .into_iter()
            .map(|(name, value)| match text(&value) {
                Some(value) => Ok((name, value)),
                None => Err(de::Error::custom(format!("option {name} is neither text, number nor truth"))),
            })
            .collect(),
        toml::Value::Array(list) => list
            .into_iter()
            .map(|option| {
                let pair = option.as_str().and_then(|option| option.split_once('='));
                match pair.map(|(name, value)| (name.trim(), value.trim())) {
                    Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
                    _ => Err(de::Error::custom(format!("{option} is no option; \"NAME=VALUE\" is"))),
                }
            })
            .collect(),
        _ => Err(de::Error::custom("options are a table { NAME = VALUE } or a list [\"NAME=VALUE\"]")),
    }
}

/// A text, or a list of texts.
pub(in crate::arena) fn texts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let list = match toml::Value::deserialize(deserializer)? {
        toml::Value::Array(list) => list,
        value => vec![value],
    };
    let texts = list.iter().map(|value| value.as_str().map(str::to_owned));
    let texts = texts.collect::<Option<_>>();
    texts.ok_or_else(|| de::Error::custom("a text or a list of texts is expected"))
}

fn text(value: &toml::Value) -> Option<String> {
    match value {
        toml::Value::String(text) => Some(text.clone()),
        toml::Value::Integer(number) => Some(number.to_string()),
        toml::Value::Float(number) => Some(number.to_string()),
        toml::Value::Boolean(truth) => Some(truth.to_string()),
        _ => None,
    }
}
