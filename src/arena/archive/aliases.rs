//! Names that mean the same player.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::input;

/// Which names are merged into which.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Aliases {
    names: BTreeMap<String, String>,
}

/// Why names cannot be merged. The text has the names.
#[derive(Debug, Error)]
pub enum AliasError {
    #[error("'{0}' cannot be merged into itself")]
    Itself(String),
    #[error("'{alias}' is merged into '{first}' and into '{second}'")]
    Both { alias: String, first: String, second: String },
    #[error("'{alias}' is merged into '{name}', which is merged into '{last}': merge both into '{last}'")]
    Chain { alias: String, name: String, last: String },
    #[error("'{0}' is merged into '{1}', and the other way round: say only one of the two")]
    BothWays(String, String),
    #[error("'{0}' is merged into '{1}', and from there it leads back to '{0}': one name has to be the last")]
    Circle(String, String),
    #[error("nobody called '{alias}' plays, who could be merged into '{name}'")]
    Nobody { alias: String, name: String },
    #[error("cannot read {}: {cause}", path.display())]
    Unreadable { path: PathBuf, cause: io::Error },
    #[error("{}: {cause}", path.display())]
    Syntax { path: PathBuf, cause: toml::de::Error },
}

impl Aliases {
    /// From now on `alias` means `name`.
    ///
    /// # Errors
    /// [`AliasError::Itself`], [`AliasError::Both`].
    pub fn add(&mut self, alias: &str, name: &str) -> Result<(), AliasError> {
        if alias == name {
            return Err(AliasError::Itself(alias.to_owned()));
        }
        match self.names.insert(alias.to_owned(), name.to_owned()) {
            Some(first) if first != name => {
                Err(AliasError::Both { alias: alias.to_owned(), first, second: name.to_owned() })
            }
            _ => Ok(()),
        }
    }

    /// Adds the names of a TOML file: `"Stockfish 17" = "Stockfish"`, one a line.
    ///
    /// # Errors
    /// The file cannot be read, or as [`Aliases::add`].
    pub fn add_file(&mut self, path: &Path) -> Result<(), AliasError> {
        let unreadable = |cause| AliasError::Unreadable { path: path.to_path_buf(), cause };
        let text = input::decoded(input::read(path).map_err(unreadable)?);
        let names: BTreeMap<String, String> =
            toml::from_str(&text).map_err(|cause| AliasError::Syntax { path: path.to_path_buf(), cause })?;
        names.iter().try_for_each(|(alias, name)| self.add(alias, name))
    }

    /// The one name of whoever is called so.
    pub fn name_of<'n>(&'n self, name: &'n str) -> &'n str {
        self.names.get(name).map_or(name, String::as_str)
    }

    /// Whether a name is merged into another, step by step.
    fn leads_to(&self, name: &str, other: &str) -> bool {
        let steps = std::iter::successors(Some(name), |name| self.names.get(*name).map(String::as_str));
        // Whoever goes farther than there are names goes in a circle.
        steps.take(self.names.len() + 1).any(|name| name == other)
    }

    /// Checks that every alias is `known`, and leads to a name that is none.
    ///
    /// # Errors
    /// [`AliasError::BothWays`], [`AliasError::Circle`], [`AliasError::Chain`], [`AliasError::Nobody`].
    pub fn check(&self, known: impl Fn(&str) -> bool) -> Result<(), AliasError> {
        for (alias, name) in &self.names {
            let (alias, name) = (alias.clone(), name.clone());
            match self.names.get(&name) {
                Some(back) if *back == alias => return Err(AliasError::BothWays(alias, name)),
                Some(last) if self.leads_to(last, &alias) => {
                    return Err(AliasError::Circle(alias, name));
                }
                Some(last) => return Err(AliasError::Chain { alias, name, last: last.clone() }),
                None if !known(&alias) => return Err(AliasError::Nobody { alias, name }),
                None => {}
            }
        }
        Ok(())
    }
}
