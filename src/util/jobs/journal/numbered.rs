//! The results of numbered items, each in the journal at once.

use std::path::Path;

use anyhow::{Context as _, bail};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Journal;

/// A line of the journal. The journals of blunder checks had other names for the same in version
/// 0.1.0.
#[derive(Deserialize, Serialize)]
struct NumberedEntry<T> {
    /// The item's number, from 0.
    #[serde(alias = "case")]
    item: usize,
    #[serde(alias = "finding")]
    result: T,
}

/// The results of numbered items, with their journal.
#[derive(Debug)]
pub struct Numbered<T> {
    /// The results by item; `None` for missing ones.
    pub results: Vec<Option<T>>,
    journal: Option<Journal>,
}

impl<T: Serialize + DeserializeOwned> Numbered<T> {
    /// The results of `count` items as far as a journal has them. `settings` are all parameters of
    /// the results besides the item's number. Without a journal nothing is known or kept. `note` is
    /// told of a torn line.
    ///
    /// # Errors
    /// A journal of something else, an unreadable or unwritable one, or one with unknown or
    /// repeated items.
    pub fn open(
        journal: Option<&Path>,
        settings: &Value,
        count: usize,
        note: impl FnOnce(&str),
    ) -> anyhow::Result<Numbered<T>> {
        let mut results: Vec<Option<T>> = std::iter::repeat_with(|| None).take(count).collect();
        let Some(path) = journal else {
            return Ok(Numbered {
                results,
                journal: None,
            });
        };
        let (journal, history) = Journal::open::<NumberedEntry<T>>(path, settings)?;
        if let Some(torn) = &history.torn {
            note(torn);
        }
        for (number, NumberedEntry { item, result }) in (2..).zip(history.entries) {
            let place = || format!("journal {}, line {number}", path.display());
            let known = results
                .get_mut(item)
                .with_context(|| format!("{}: there is no item {item}", place()))?;
            if known.replace(result).is_some() {
                bail!("{}: item {item} for the second time", place());
            }
        }
        Ok(Numbered {
            results,
            journal: Some(journal),
        })
    }

    /// The items without a result.
    pub fn missing(&self) -> Vec<usize> {
        let items = 0..self.results.len();
        items.filter(|&item| self.results[item].is_none()).collect()
    }

    /// Adds a result, and returns a reference. The result is on the disk by then.
    pub fn add(&mut self, item: usize, result: T) -> anyhow::Result<&T> {
        let line = NumberedEntry { item, result };
        if let Some(journal) = &mut self.journal {
            journal.add(&line)?;
        }
        Ok(self.results[item].insert(line.result))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde_json::json;

    use super::*;

    fn open(path: &Path, count: usize) -> anyhow::Result<Numbered<String>> {
        Numbered::open(Some(path), &json!({"of": 1}), count, |_| {})
    }

    #[test]
    fn lines_of_older_blunder_checks_are_read_and_wrong_ones_named() {
        let (_folder, path) = crate::util::files::tests::in_a_folder("n.journal");
        open(&path, 3)
            .expect("begun")
            .add(0, "zero".to_owned())
            .expect("added");
        let begun = fs::read_to_string(&path).expect("a journal");
        let old = "{\"case\":2,\"finding\":\"two\"}\n";
        fs::write(&path, format!("{begun}{old}")).expect("written");
        assert_eq!(open(&path, 3).expect("continued").missing(), [1]);
        for (line, reason) in [
            (old, "line 4: item 2 for the second time"),
            (
                "{\"item\":3,\"result\":\"\"}\n",
                "line 4: there is no item 3",
            ),
        ] {
            fs::write(&path, format!("{begun}{old}{line}")).expect("written");
            let error = open(&path, 3).expect_err("refused").to_string();
            assert!(
                error.contains(reason) && error.contains("n.journal"),
                "{error}"
            );
        }
    }
}
