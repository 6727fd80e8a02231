//! The journals of the parts of one work as the journal of the whole.

use std::collections::{BTreeMap, HashSet};
use std::fs::{File, TryLockError};
use std::io::{self, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail, ensure};
use serde::Deserialize;
use serde_json::Value;

use super::differences::{differences, listed};
use super::{Header, ReadBack, VERSION, failed, in_use, line, read};
use crate::util::files;
use crate::util::jobs::Part;

/// What was put together.
#[derive(Debug, PartialEq, Eq)]
pub struct Merged {
    /// Lines of all parts: a game each, or a position.
    pub results: usize,
    /// Parts of the work that were not there.
    pub missing: Vec<Part>,
    /// What was lost of torn last lines, in words for people.
    pub torn: Vec<String>,
}

/// A journal that was read.
struct Source {
    path: PathBuf,
    /// Of the whole work.
    settings: Value,
    results: usize,
    /// Where its results begin.
    begin: u64,
    back: ReadBack,
}

/// What is looked at of a result: the number of a position, from 0, or of a game, from 1. The journals of
/// blunder checks had another name for it in version 0.1.0.
#[derive(Deserialize)]
struct Line {
    #[serde(alias = "case")]
    item: Option<usize>,
    game: Option<Game>,
}

#[derive(Deserialize)]
struct Game {
    number: u32,
}

/// How many results a whole work has at most.
#[derive(Clone, Copy, Debug)]
pub enum Size {
    Games(u32),
    /// Positions and the like.
    Items(usize),
}

/// The numbers of a part's results.
struct Numbers {
    part: Part,
    size: Size,
    known: HashSet<usize>,
}

impl Numbers {
    /// Takes the next result.
    ///
    /// # Errors
    /// It is none of the work, is of another part, or was there before.
    fn take(&mut self, line: &Line) -> Result<(), String> {
        let part = self.part;
        let (what, number, is_of_part) = match (self.size, line) {
            (Size::Games(games), &Line { game: Some(Game { number }), .. }) => {
                ("game", number as usize, (1..=games).contains(&number) && part.has_game(number))
            }
            (Size::Items(items), &Line { item: Some(item), .. }) => {
                ("item", item, item < items && part.has(item))
            }
            _ => return Err("it is no result of this work".to_owned()),
        };
        match is_of_part {
            false => Err(format!("{what} {number} is not of part {part}")),
            true if self.known.insert(number) => Ok(()),
            true => Err(format!("{what} {number} is there for the second time")),
        }
    }
}

/// Writes the journal of a whole work from those of its parts, in whatever order they are named. Work that
/// was not done, in them or because parts are missing, is missing there too. The parts stay as they are.
/// `size_of` says how large a work with some settings is, if it can be in parts.
///
/// # Errors
/// A journal that is in use, is damaged, or is not that of a part; two of different work, or of the same
/// part; a result that is there twice or is not of the part. What the file system says. Nothing is written
/// then.
pub fn merge(
    paths: &[PathBuf],
    output: &Path,
    size_of: &dyn Fn(&Value) -> Option<Size>,
) -> anyhow::Result<Merged> {
    let mut sources: BTreeMap<Part, Source> = BTreeMap::new();
    for path in paths {
        let (part, source) = Source::open(path, size_of)?;
        if let Some((other, first)) = sources.first_key_value() {
            let (one, two) = (first.path.display(), path.display());
            let differences = differences(&first.settings, &source.settings);
            ensure!(
                differences.is_empty(),
                "journal {two} is of other work than {one}: {}",
                listed(&differences)
            );
            ensure!(
                other.all().eq(part.all()),
                "journal {two} is of part {part}, but {one} is of part {other}"
            );
        }
        if let Some(other) = sources.insert(part, source) {
            bail!("journals {} and {} are both of part {part}", other.path.display(), path.display());
        }
    }
    let (&part, first) = sources.first_key_value().context("there is nothing to put together")?;
    let header = line(&Header { version: VERSION, settings: first.settings.clone() })?;
    files::replace_by(output, |file| {
        file.write_all(&header)?;
        sources.values().try_for_each(|source| source.copy_to(file))
    })
    .map_err(failed(output))?;
    Ok(Merged {
        results: sources.values().map(|source| source.results).sum(),
        missing: part.all().filter(|part| !sources.contains_key(part)).collect(),
        torn: sources.into_values().filter_map(|source| source.back.torn).collect(),
    })
}

impl Source {
    /// Opens a part's journal and looks at every line.
    fn open(path: &Path, size_of: &dyn Fn(&Value) -> Option<Size>) -> anyhow::Result<(Part, Source)> {
        let journal = path.display();
        ensure!(path.is_file(), "there is no journal {journal}");
        let file = File::open(path).map_err(failed(path))?;
        // Some file systems have no locks.
        if let Err(TryLockError::WouldBlock) = file.try_lock_shared() {
            return Err(in_use(path));
        }
        let settings = super::settings(path)?.with_context(|| format!("nothing is in journal {journal}"))?;
        let mut whole = settings.clone();
        let part = whole.as_object_mut().and_then(|settings| settings.remove(Part::KEY));
        let part = part.as_ref().and_then(Value::as_str);
        let part = part.with_context(|| format!("journal {journal} is not that of a part (--part K/N)"))?;
        let part = part.parse().map_err(|error| anyhow!("journal {journal}, part {part}: {error}"))?;
        let size = size_of(&whole).with_context(|| format!("journal {journal} is of work without parts"))?;
        let mut numbers = Numbers { part, size, known: HashSet::new() };
        let (mut begin, mut results) = (None, 0);
        let back = read(path, &file, &settings, &mut |line: Line, place| {
            begin.get_or_insert(place);
            results += 1;
            // Before the first of them is the line with the settings.
            numbers.take(&line).map_err(|fault| format!("line {}: {fault}", results + 1))
        })?;
        let begin = begin.unwrap_or(back.good);
        Ok((part, Source { path: path.to_path_buf(), settings: whole, results, begin, back }))
    }

    /// Copies the results that were read, but no torn line. It is opened anew, for there may be more parts
    /// than open files.
    fn copy_to(&self, output: &mut impl io::Write) -> io::Result<()> {
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(self.begin))?;
        io::copy(&mut BufReader::new(file).take(self.back.good - self.begin), output)?;
        output.write_all(if self.back.lacks_end { b"\n" } else { b"" })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde_json::json;

    use super::*;
    use crate::util::jobs::journal::{Journal, Numbered};

    const ITEMS: usize = 7;

    fn size(_: &Value) -> Option<Size> {
        Some(Size::Items(ITEMS))
    }

    /// The journal of a part of seven items, whose results are squares.
    fn part(folder: &Path, name: &str, seed: u32, part: Option<&str>) -> PathBuf {
        let path = folder.join(name);
        let settings = part.map_or(json!({"seed": seed}), |part| json!({"seed": seed, "part": part}));
        let part: Option<Part> = part.and_then(|part| part.parse().ok());
        let mut journal = Numbered::open(Some(&path), &settings, ITEMS, |_| {}).expect("begun");
        for item in (0..ITEMS).rev().filter(|&item| part.is_none_or(|part| part.has(item))) {
            journal.add(item, item * item).expect("added");
        }
        path
    }

    #[test]
    fn the_parts_are_the_whole_in_any_order() {
        let (folder, output) = crate::util::files::tests::in_a_folder("whole");
        let part = |number| part(folder.path(), &format!("{number}"), 1, Some(&format!("{number}/3")));
        let all = [3, 1, 2].map(part);
        // Nothing but the end of the last line is missing, and a line was torn.
        let cut = |path: &Path, bytes: usize| {
            let text = fs::read(path).expect("a journal");
            fs::write(path, &text[..text.len() - bytes]).expect("cut");
        };
        cut(&all[0], 1);
        let results = |missing: &[usize]| {
            let whole = Numbered::<usize>::open(Some(&output), &json!({"seed": 1}), ITEMS, |_| {});
            let whole = whole.expect("whole");
            assert_eq!(whole.missing(), missing);
            for (item, result) in whole.results.iter().enumerate() {
                assert!(result.is_none_or(|result| result == item * item), "{item}: {result:?}");
            }
        };
        let whole = Merged { results: 7, missing: vec![], torn: vec![] };
        assert_eq!(merge(&all, &output, &size).expect("merged"), whole);
        results(&[]);
        cut(&all[1], 3);
        let read = || all.each_ref().map(|path| fs::read(path).expect("a journal"));
        let before = read();
        let merged = merge(&all, &output, &size).expect("merged");
        assert_eq!((merged.results, merged.torn.len()), (6, 1));
        results(&[0]);
        assert_eq!(before, read(), "parts are read only");
        let merged = merge(&all[1..], &output, &size).expect("merged");
        assert_eq!(merged.missing, ["3/3".parse().expect("a part")]);
        results(&[0, 2, 5]);
    }

    #[test]
    fn what_does_not_belong_together_is_refused() {
        let (folder, output) = crate::util::files::tests::in_a_folder("whole");
        let folder = folder.path();
        let one = part(folder, "one", 1, Some("1/3"));
        for (name, seed, of, reason) in [
            ("again", 1, Some("1/3"), "again are both of part 1/3"),
            ("other", 2, Some("2/3"), "other is of other work than"),
            ("half", 1, Some("2/2"), "half is of part 2/2, but"),
            ("whole-already", 1, None, "whole-already is not that of a part"),
            ("strange", 1, Some("4/3"), "part 4/3: a part is K/N"),
        ] {
            let paths = [one.clone(), part(folder, name, seed, of)];
            let error = merge(&paths, &output, &size).expect_err(name).to_string();
            assert!(error.contains(reason), "{error}");
        }
        let paths = [one.clone(), part(folder, "two", 1, Some("2/3"))];
        let refused = |reason: &str| {
            let error = merge(&paths, &output, &size).expect_err(reason).to_string();
            assert!(error.contains(reason) && error.contains("two"), "{error}");
        };
        let two = fs::read_to_string(&paths[1]).expect("a journal");
        let running = Journal::open::<serde::de::IgnoredAny>(&paths[1], &json!({"seed": 1, "part": "2/3"}));
        refused("in use");
        drop(running.expect("it goes on"));
        let last = two.lines().last().expect("a result");
        let with = |line: &str| fs::write(&paths[1], format!("{two}{line}\n")).expect("written");
        with(last);
        refused("line 4: item 1 is there for the second time");
        with(&last.replace("\"item\":1", "\"item\":3"));
        refused("line 4: item 3 is not of part 2/3");
        with(&last.replace("\"item\":1", "\"item\":7"));
        refused("line 4: item 7 is not of part");
        with("{\"game\":{\"number\":1}}");
        refused("line 4: it is no result of this work");
        fs::write(&paths[1], two.replace("{\"item\":4", "{\"item\"")).expect("written");
        refused("line 2: ");
        fs::write(&paths[1], "[Event \"?\"]\n").expect("written");
        refused("not a journal");
        assert!(!output.exists(), "nothing was written");
    }
}
