//! Files that are there as a whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Replaces a file in one step: whoever reads it, and whenever the program is killed, there is the old content or the new.
///
/// # Errors
/// What the file system says; the old content is untouched then.
pub fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let part = beside(path, ".part");
    let mut file = File::create(&part)?;
    file.write_all(content)?;
    file.sync_all()?;
    drop(file);
    fs::rename(&part, path).inspect_err(|_| {
        let _ = fs::remove_file(&part);
    })
}

/// The path with something added to its whole name: `games.pgn` and `.part` give `games.pgn.part`.
pub fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}
