//! Names that mean the same player.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{anyhow, bail, ensure};

use crate::input;

/// Which names are merged into which.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Aliases {
    names: BTreeMap<String, String>,
}

impl Aliases {
    /// From now on `alias` means `name`.
    ///
    /// # Errors
    /// The two are the same, or `alias` means another name already.
    pub fn add(&mut self, alias: &str, name: &str) -> anyhow::Result<()> {
        ensure!(alias != name, "'{alias}' cannot be merged into itself");
        match self.names.insert(alias.to_owned(), name.to_owned()) {
            Some(first) if first != name => bail!("'{alias}' is merged into '{first}' and into '{name}'"),
            _ => Ok(()),
        }
    }

    /// Adds the names of a TOML file: `"Stockfish 17" = "Stockfish"`, one a line.
    ///
    /// # Errors
    /// The file cannot be read, or as [`Aliases::add`].
    pub fn add_file(&mut self, path: &Path) -> anyhow::Result<()> {
        let shown = path.display();
        let bytes = input::read(path).map_err(|cause| anyhow!("cannot read {shown}: {cause}"))?;
        let names: BTreeMap<String, String> =
            toml::from_str(&input::decoded(bytes)).map_err(|cause| anyhow!("{shown}: {cause}"))?;
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
    /// The first alias for which that is not so; the text has the names.
    pub fn check(&self, known: impl Fn(&str) -> bool) -> anyhow::Result<()> {
        for (alias, name) in &self.names {
            match self.names.get(name) {
                Some(back) if back == alias => {
                    bail!(
                        "'{alias}' is merged into '{name}', and the other way round: say only one of the two"
                    )
                }
                Some(last) if self.leads_to(last, alias) => bail!(
                    "'{alias}' is merged into '{name}', and from there it leads back to '{alias}': one name has to be the last"
                ),
                Some(last) => bail!(
                    "'{alias}' is merged into '{name}', which is merged into '{last}': merge both into '{last}'"
                ),
                None => {
                    ensure!(known(alias), "nobody called '{alias}' plays, who could be merged into '{name}'")
                }
            }
        }
        Ok(())
    }
}
