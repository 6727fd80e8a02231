//! Which files are meant by names on a command line.

use std::path::{Path, PathBuf};

use anyhow::{anyhow, ensure};

use super::tags;
use crate::input;

/// The files that `paths` mean: a directory stands for the `.pgn` files in it, compressed ones too, sorted by
/// name. (Not every shell expands `book/*.pgn`.)
///
/// # Errors
/// For directories that cannot be read or have no such file. Whether a file is there shows when it is read.
pub fn files(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        match path.is_dir() {
            true => files.append(&mut files_in(path)?),
            false => files.push(path.clone()),
        }
    }
    Ok(files)
}

fn files_in(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let unreadable = |cause| anyhow!("cannot read {}: {cause}", folder.display());
    let entries = std::fs::read_dir(folder).map_err(unreadable)?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path()).map_err(unreadable));
    let is_pgn = |path: &PathBuf| input::ending(path).as_deref() == Some("pgn");
    let mut found = paths.filter(|path| path.as_ref().map_or(true, is_pgn)).collect::<Result<Vec<_>, _>>()?;
    found.sort();
    ensure!(!found.is_empty(), "no .pgn files in {}", folder.display());
    Ok(found)
}

/// Whether a text that begins so may be games: with a tag, a first move or a comment, behind empty and
/// escaped lines. A text without anything may, too. Journals, positions, settings, books and libraries may
/// not.
pub fn begins_as_games(begin: &[u8]) -> bool {
    let text = String::from_utf8_lossy(begin.strip_prefix(b"\xef\xbb\xbf").unwrap_or(begin));
    let mut lines =
        text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(['%', ';']));
    let is_number =
        |word: &str| word.split_once('.').is_some_and(|(number, _)| number.parse::<u32>().is_ok());
    let first = lines.next();
    first.is_none_or(|line| match line.strip_prefix('{').map(str::trim_start) {
        // JSON begins so.
        Some("") => !lines.next().is_some_and(|line| line.starts_with('"')),
        Some(comment) => !comment.starts_with('"'),
        None => is_number(line) || tags::names(line).next().is_some(),
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn folders_stand_for_their_pgn_files() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let of = |paths: &[PathBuf]| super::files(paths).map_err(|error| error.to_string());
        assert!(of(&[path("")]).expect_err("nothing in it").contains("no .pgn files"));
        for name in ["b.PGN", "a.pgn.gz", "notes.txt"] {
            fs::write(path(name), "").expect("written");
        }
        assert_eq!(of(&[path("")]), Ok(vec![path("a.pgn.gz"), path("b.PGN")]));
        // Whether it is there is found out later.
        assert_eq!(of(&[path("none")]), Ok(vec![path("none")]));
    }
}
