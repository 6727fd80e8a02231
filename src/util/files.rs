//! Written files: whole or not at all, and never in the place of a valuable one.

mod output;

use std::fs::{self, File, TryLockError};
use std::io::{self, BufReader, BufWriter, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use flate2::{Crc, CrcReader};

use crate::util::system;

pub use output::{LOG, OutputFile, Replaces, check};

/// Locks a file for this process. The lock goes with the process, at any end; but a program just
/// being started by the process then has the lock for a moment more, so this waits.
///
/// `false` if another process has the lock: the caller has to look.
///
/// # Errors
/// The system has no locks for such files.
pub fn lock(file: &File) -> io::Result<bool> {
    let begun = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(true),
            Err(TryLockError::WouldBlock) if begun.elapsed() < MOMENT => thread::sleep(MOMENT / 50),
            Err(TryLockError::WouldBlock) => return Ok(false),
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
}

/// The wait: a new program closes inherited files at once, but may have to wait for a processor.
const MOMENT: Duration = Duration::from_secs(1);

/// Returns true if two paths lead to the same file, there or not yet. Devices and pipes are no
/// files.
pub fn is_same(one: &Path, other: &Path) -> bool {
    [one, other]
        .iter()
        .all(|path| path.is_file() || !path.exists())
        && identity(one) == identity(other)
}

/// Checks that a path still leads to an open file. On systems without file numbers, any existing
/// file is enough.
///
/// # Errors
/// The file was removed or replaced: on Unix everything written to it would be lost silently.
pub fn still_at(path: &Path, open: &File) -> io::Result<()> {
    let ours = system::identity_of(&open.metadata()?);
    if path.exists() && system::identity(path) == ours {
        return Ok(());
    }
    let what = "it was removed or replaced while it was being written";
    Err(io::Error::other(what))
}

/// The identity of a file by any path, through links of both kinds: its numbers, or its place if it
/// has none.
fn identity(path: &Path) -> (Option<[u64; 2]>, PathBuf) {
    match system::identity(path) {
        None => (None, place(path)),
        numbers => (numbers, PathBuf::new()),
    }
}

/// The place of a file, existing or not.
fn place(path: &Path) -> PathBuf {
    let target = target(path);
    let folder = fs::canonicalize(folder_of(&target)).unwrap_or_default();
    folder.join(target.file_name().unwrap_or_default())
}

/// The result of [`target`] for an endless chain of links.
const ENDLESS: &str = "a link that leads to itself";

/// Refuses devices, pipes and folders: a device may have no end, and a pipe blocks.
pub fn only_regular(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => Err(io::Error::other("it is no regular file")),
        _ => Ok(()),
    }
}

/// The content of a file kept beside others, if it exists.
///
/// # Errors
/// Errors of the file system; no regular file.
pub fn content(path: &Path) -> io::Result<Option<Vec<u8>>> {
    only_regular(path)?;
    match fs::read(path) {
        Ok(content) => Ok(Some(content)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Opens a file to be read and changed; a new one is empty.
///
/// # Errors
/// Errors of the file system; no regular file.
pub fn open(path: &Path) -> io::Result<File> {
    only_regular(path)?;
    File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
}

/// Opens a file to be read, and written at its end; a new one is empty.
///
/// # Errors
/// Errors of the file system; no regular file.
pub fn open_at_end(path: &Path) -> io::Result<File> {
    only_regular(path)?;
    File::options()
        .read(true)
        .append(true)
        .create(true)
        .open(path)
}

/// The first bytes of a file, at most so many.
pub fn beginning(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A mark of a file's content, in words: its size and a checksum. `None` if there is no such
/// regular file.
///
/// # Errors
/// Errors of the file system.
pub fn mark(path: &Path) -> io::Result<Option<String>> {
    if !path.is_file() {
        return Ok(None);
    }
    let mut file = CrcReader::new(BufReader::new(File::open(path)?));
    let size = io::copy(&mut file, &mut io::sink())?;
    Ok(Some(format!(
        "{size} bytes, checksum {:08x}",
        file.crc().sum()
    )))
}

/// The CRC-32 of some bytes.
pub fn crc(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

/// Replaces a file in one step: readers find the old content or the new, even if the program is
/// killed. A link stays a link, to a new file, also if it was broken; devices and pipes are written
/// to.
///
/// # Errors
/// Errors of the file system; the old content is untouched then.
pub fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    replace_by(path, |file| file.write_all(content))
}

/// Replaces a file like [`replace`], for content made by `write` piece by piece.
///
/// # Errors
/// Errors of the file system or `write`; the old content is untouched then.
pub fn replace_by(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<&File>) -> io::Result<()>,
) -> io::Result<()> {
    let write = |file: &File| {
        let mut file = BufWriter::new(file);
        write(&mut file).and_then(|()| file.flush())
    };
    if path.exists() && !path.is_file() {
        return write(&fs::OpenOptions::new().write(true).open(path)?);
    }
    let target = target(path);
    if target.is_symlink() {
        return Err(io::Error::other(format!("it is {ENDLESS}")));
    }
    let file = part_of(&target)?;
    write(file.as_file())?;
    // Whoever could not read the old file cannot read the new one, and who could write it still
    // can.
    if let Ok(old) = fs::metadata(&target) {
        system::keep_owner(file.as_file(), &old);
        file.as_file().set_permissions(old.permissions())?;
    }
    file.as_file().sync_all()?;
    file.persist(&target)?;
    Ok(())
}

/// A new file beside another one, to take its place. Made like any new file: tempfile's own can be
/// read by their owner only.
fn part_of(target: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut names = tempfile::Builder::new();
    names.prefix(".kashan-").suffix(".part");
    names.make_in(folder_of(target), |path| File::create_new(path))
}

/// The file at the end of a path, through links. The path, or its last link, may lead nowhere yet.
/// For endless links the result is one of them.
fn target(path: &Path) -> PathBuf {
    let mut path = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        let Ok(link) = fs::read_link(&path) else {
            break;
        };
        path = folder_of(&path).join(link);
    }
    fs::canonicalize(&path).unwrap_or(path)
}

/// Through more links in a row no system goes.
const MOST_LINKS: usize = 64;

/// The folder of a file, existing or not.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The path with something added to its whole name: `games.pgn` and `.part` give `games.pgn.part`.
pub fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

#[cfg(test)]
pub(crate) mod tests;
