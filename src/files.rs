//! Files that are written: there as a whole or not at all, and never in the place of something that would be
//! missed.

use std::collections::HashMap;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::system::{self, Special};

/// A file that a command writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Output<'p> {
    pub path: &'p Path,
    pub replaces: Replaces<'p>,
}

/// What a file may take the place of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replaces<'m> {
    /// Nothing that is there.
    Nothing,
    /// What has this text near its beginning: what the same command wrote before.
    Marked(&'m str),
    /// What whoever writes the file finds out: journals, and PGN files that games are added to.
    OwnRules,
}

/// Why files are not read or written. The text names them.
#[derive(Debug, Error)]
pub enum FileError {
    #[error("{} and {} are the same file, which would count twice: name it once", one.display(), other.display())]
    NamedTwice { one: PathBuf, other: PathBuf },
    #[error("{} is read by this command, and would be lost: name another file to write", path.display())]
    Input { path: PathBuf },
    #[error("{} is to be written twice, as two different things: name two files", path.display())]
    Twice { path: PathBuf },
    #[error("{} is there already, and is not written over: name another file, or move this one away", path.display())]
    There { path: PathBuf },
    #[error(
        "{} is there already, and nothing in it says that this command wrote it: it would be lost. Name another \
         file, or move this one away",
        path.display()
    )]
    Foreign { path: PathBuf },
    #[error("cannot write {}: it is {what}", path.display())]
    NoFile { path: PathBuf, what: &'static str },
    #[error("cannot write {}: {cause}", path.display())]
    Io { path: PathBuf, cause: io::Error },
}

/// Marks stand in so many of a file's first bytes.
const BEGINNING: u64 = 4096;

impl<'p> Output<'p> {
    /// A report, which has the mark near its beginning.
    pub fn report(path: &'p Path, mark: &'p str) -> Output<'p> {
        Output { path, replaces: Replaces::Marked(mark) }
    }

    /// A file whose writer knows what may be lost.
    pub fn with_own_rules(path: &'p Path) -> Output<'p> {
        Output { path, replaces: Replaces::OwnRules }
    }

    /// Writes the file in one step.
    ///
    /// # Errors
    /// It cannot be written, or what is there now may not be replaced.
    pub fn write(&self, content: &[u8]) -> Result<(), FileError> {
        self.check()?;
        replace(self.path, content).map_err(|cause| self.io(cause))
    }

    /// Whether the file could be written now.
    fn check(&self) -> Result<(), FileError> {
        let path = || self.path.to_path_buf();
        if let Some(what) = no_file(self.path) {
            return Err(FileError::NoFile { path: path(), what });
        }
        if !folder_of(self.path).is_dir() {
            return Err(self.io(io::Error::new(io::ErrorKind::NotFound, "there is no such folder")));
        }
        let is_free = match self.replaces {
            // A device, or a pipe that somebody reads, holds nothing that could be lost.
            _ if !self.path.is_file() => true,
            Replaces::OwnRules => true,
            Replaces::Nothing => self.begins("")?,
            Replaces::Marked(mark) => self.begins(mark)?,
        };
        match self.replaces {
            _ if is_free => self.try_folder(),
            Replaces::Nothing => Err(FileError::There { path: path() }),
            _ => Err(FileError::Foreign { path: path() }),
        }
    }

    /// Whether a file can be made where this one will be, for as long as that takes. Who follows rules of its
    /// own opens the file itself, before its work.
    fn try_folder(&self) -> Result<(), FileError> {
        let is_ours = self.replaces == Replaces::OwnRules || self.path.exists() && !self.path.is_file();
        if is_ours {
            return Ok(());
        }
        part_of(&target(self.path)).map(drop).map_err(|cause| self.io(cause))
    }

    /// Whether the file is empty, or has the mark near its beginning; no file has the empty mark.
    fn begins(&self, mark: &str) -> Result<bool, FileError> {
        let mut begin = Vec::new();
        let file = File::open(self.path).map_err(|cause| self.io(cause))?;
        file.take(BEGINNING).read_to_end(&mut begin).map_err(|cause| self.io(cause))?;
        let has_mark = !mark.is_empty() && String::from_utf8_lossy(&begin).contains(mark);
        Ok(begin.is_empty() || has_mark)
    }

    fn io(&self, cause: io::Error) -> FileError {
        FileError::Io { path: self.path.to_path_buf(), cause }
    }
}

/// Checks the files of a command before it begins to work: those that it reads and those that it writes.
///
/// # Errors
/// The first input that is named twice, in two ways perhaps; the first output that would take the place of an
/// input, of another output, or of a file of somebody else; or that cannot be written at all.
pub fn check<'p>(inputs: &[PathBuf], outputs: impl IntoIterator<Item = Output<'p>>) -> Result<(), FileError> {
    if let Some([one, other]) = named_twice(inputs) {
        return Err(FileError::NamedTwice { one: one.to_path_buf(), other: other.to_path_buf() });
    }
    let mut before: Vec<&Path> = Vec::new();
    for output in outputs {
        let path = || output.path.to_path_buf();
        if inputs.iter().any(|input| is_same(input, output.path)) {
            return Err(FileError::Input { path: path() });
        }
        if before.iter().any(|other| is_same(other, output.path)) {
            return Err(FileError::Twice { path: path() });
        }
        output.check()?;
        before.push(output.path);
    }
    Ok(())
}

/// Locks a file for this process. The lock goes with the process, however it ends; but a program that it was
/// just starting then has the lock for a moment more, and that moment is waited for.
///
/// # Errors
/// Another process has the lock, or the system has no locks for such files.
pub fn lock(file: &File) -> Result<(), TryLockError> {
    let begun = Instant::now();
    loop {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) if begun.elapsed() < MOMENT => thread::sleep(MOMENT / 50),
            locked => return locked,
        }
    }
}

/// A new program closes what it inherited at once, but it may have to wait for a processor.
const MOMENT: Duration = Duration::from_secs(1);

/// The first of some files that is named twice: the two ways.
fn named_twice(paths: &[PathBuf]) -> Option<[&Path; 2]> {
    let mut known = HashMap::new();
    let files = paths.iter().filter(|path| path.is_file());
    let mut twice = files.filter_map(|path| Some([known.insert(identity(path), path)?.as_path(), path]));
    twice.next()
}

/// Whether two paths lead to the same file, also if it is not there yet. Devices and pipes are no files.
pub fn is_same(one: &Path, other: &Path) -> bool {
    let may_be_file = |path: &Path| path.is_file() || !path.exists();
    may_be_file(one) && may_be_file(other) && identity(one) == identity(other)
}

/// What a file is known by whatever path leads to it, through links of both kinds: its numbers, or its place
/// if it has none.
fn identity(path: &Path) -> (Option<[u64; 2]>, PathBuf) {
    match system::identity(path) {
        None => (None, place(path)),
        numbers => (numbers, PathBuf::new()),
    }
}

/// Where a file is, or would be.
fn place(path: &Path) -> PathBuf {
    let target = target(path);
    let folder = fs::canonicalize(folder_of(&target)).unwrap_or_default();
    folder.join(target.file_name().unwrap_or_default())
}

const ENDLESS: &str = "a link that leads to itself";

/// What stands in the place of a file and can never be written as one.
fn no_file(path: &Path) -> Option<&'static str> {
    if target(path).is_symlink() {
        return Some(ENDLESS);
    }
    let kind = fs::metadata(path).ok()?.file_type();
    if kind.is_dir() {
        return Some("a folder");
    }
    // What a shell opened, >(command) or /dev/stdout, is read by somebody.
    let has_name = || fs::canonicalize(path).is_ok_and(|path| !path.starts_with("/dev"));
    match system::special(kind)? {
        Special::NamedPipe if has_name() => {
            Some("a named pipe, and nobody may ever read it: a shell's >(command) will do")
        }
        Special::BlockDevice | Special::Socket => Some("a device or a socket"),
        Special::NamedPipe | Special::CharacterDevice => None,
    }
}

/// The content of a file that is kept beside others, if there is such a file.
///
/// # Errors
/// What the file system says; what is no regular file: a device may have no end, and a pipe no writer.
pub fn content(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => fs::read(path).map(Some),
        Ok(_) => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Files up to so many bytes are looked at as a whole.
const LOOKED_AT: u64 = 64 << 20;
/// Of larger ones, so many bytes at either end are.
const END: u64 = 1 << 20;

/// What tells whether a file that is read is still the same, in words: its size and a checksum of its
/// content. Of a large file only the ends count; a library of actions has the checksums of its parts there.
/// `None` if there is no such regular file.
///
/// # Errors
/// What the file system says.
pub fn mark(path: &Path) -> io::Result<Option<String>> {
    if !fs::metadata(path).is_ok_and(|metadata| metadata.is_file()) {
        return Ok(None);
    }
    let mut file = File::open(path)?;
    let size = file.metadata()?.len();
    let mut crc = crc32fast::Hasher::new();
    let ends = if size <= LOOKED_AT { [(0, size), (size, 0)] } else { [(0, END), (size - END, END)] };
    for (begin, length) in ends {
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(begin))?;
        (&file).take(length).read_to_end(&mut bytes)?;
        crc.update(&bytes);
    }
    Ok(Some(format!("{size} bytes, checksum {:08x}", crc.finalize())))
}

/// Replaces a file in one step: whoever reads it, and whenever the program is killed, there is the old
/// content or the new. A link stays a link, to a new file, also where there was none; what is no file (a
/// device, a pipe) is written to.
///
/// # Errors
/// What the file system says; the old content is untouched then.
pub fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    replace_by(path, |file| file.write_all(content))
}

/// As [`replace`], for content that `write` makes piece by piece.
///
/// # Errors
/// What the file system or `write` says; the old content is untouched then.
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
        return Err(io::Error::new(io::ErrorKind::InvalidInput, format!("it is {ENDLESS}")));
    }
    let file = part_of(&target)?;
    write(file.as_file())?;
    // Whoever could not read the old file cannot read the new one.
    if let Ok(old) = fs::metadata(&target) {
        file.as_file().set_permissions(old.permissions())?;
    }
    file.as_file().sync_all()?;
    file.persist(&target)?;
    Ok(())
}

/// A new file beside another one, whose place it will take. It is made like any new file: those that tempfile
/// makes itself can be read by their owner only.
fn part_of(target: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut names = tempfile::Builder::new();
    names.prefix(".kashan-").suffix(".part");
    names.make_in(folder_of(target), |path| File::create_new(path))
}

/// The file that a path leads to, through links. It may not be there yet, or what it is a link to may not.
/// Of links that never end, it is one of them.
fn target(path: &Path) -> PathBuf {
    let mut path = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&path) {
            Ok(link) => path = folder_of(&path).join(link),
            Err(_) => break,
        }
    }
    fs::canonicalize(&path).unwrap_or(path)
}

/// Through more links in a row no system goes.
const MOST_LINKS: usize = 64;

fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// The path with something added to its whole name: `games.pgn` and `.part` give `games.pgn.part`.
pub fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_replaced_and_nothing_is_left_beside_them() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("report.md");
        for content in ["one", "another"] {
            replace(&path, content.as_bytes()).expect("written");
            assert_eq!(fs::read_to_string(&path).expect("there"), content);
        }
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
        assert!(replace(folder.path(), b"text").is_err(), "a folder is no file");
    }

    #[test]
    fn a_file_that_was_changed_has_another_mark() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        let mark = || mark(&path).expect("read");
        assert_eq!(mark(), None);
        fs::write(&path, "one").expect("written");
        let first = mark();
        fs::write(&path, "two").expect("written");
        assert_ne!(first, mark());
        // A large file whose end changes. It takes no room: nothing is written in between.
        let file = File::create(&path).expect("made");
        file.set_len(LOOKED_AT + 1).expect("longer");
        let zeros = mark();
        (&file).seek(SeekFrom::End(-1)).expect("its end");
        (&file).write_all(b"1").expect("written");
        assert_ne!(zeros, mark());
        assert_eq!(super::mark(folder.path()).expect("a folder"), None);
    }

    #[test]
    fn nothing_is_written_over_what_would_be_missed() {
        let folder = tempfile::tempdir().expect("a folder");
        let [input, report, other] =
            ["games.pgn", "report.svg", "other"].map(|name| folder.path().join(name));
        fs::write(&input, "1. e4 *").expect("written");
        let check = |paths: &[&Path], inputs: &[PathBuf]| {
            let outputs = paths.iter().map(|path| Output::report(path, "by us"));
            super::check(inputs, outputs).map_err(|error| error.to_string())
        };
        let refused = |paths: &[&Path], inputs: &[PathBuf], why: &str| {
            let error = check(paths, inputs).expect_err(why);
            assert!(error.contains(why), "{error}");
        };
        let inputs = [input.clone()];
        assert_eq!(check(&[&report, &other], &inputs), Ok(()));
        refused(&[&input], &inputs, "read by this command");
        refused(&[&input], &[], "move this one away");
        refused(&[&report, &other, &report], &inputs, "twice");
        refused(&[folder.path()], &inputs, "a folder");
        refused(&[&folder.path().join("none/report.svg")], &inputs, "no such folder");
        // Another way to the same place.
        let name = folder.path().file_name().expect("a name");
        let detour = folder.path().join("..").join(name).join("games.pgn");
        refused(&[&detour], &inputs, "read by this command");
        let twice = [input.clone(), report.clone(), detour];
        refused(&[], &twice, "games.pgn are the same file");
        assert_eq!(check(&[], &twice[..2]), Ok(()));
        fs::hard_link(&input, &other).expect("linked");
        if cfg!(unix) {
            refused(&[&other], &inputs, "read by this command");
        }

        let output = Output::report(&report, "by us");
        for content in ["made by us", "made by us again"] {
            output.write(content.as_bytes()).expect("our own may be replaced");
        }
        fs::write(&report, "").expect("written");
        output.write(b"made by us").expect("nothing is lost");
        let once = Output { path: &report, replaces: Replaces::Nothing };
        assert!(matches!(once.write(b"made by us"), Err(FileError::There { .. })));
        fs::write(&report, "of somebody else").expect("written");
        assert!(matches!(output.write(b"made by us"), Err(FileError::Foreign { .. })));
        assert_eq!(fs::read_to_string(&report).expect("there"), "of somebody else");
        assert!(super::check(&[], [Output::with_own_rules(&report)]).is_ok());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_named_pipes_refused() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().expect("a folder");
        let [input, link, dangling, pipe] =
            ["input", "link", "dangling", "pipe"].map(|name| folder.path().join(name));
        fs::write(&input, "text").expect("written");
        symlink(&input, &link).expect("linked");
        symlink("new", &dangling).expect("linked");
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
        let check = |inputs: &[&Path], outputs: &[&Path]| {
            let inputs: Vec<PathBuf> = inputs.iter().map(|path| path.to_path_buf()).collect();
            let outputs = outputs.iter().map(|path| Output::report(path, "by us"));
            super::check(&inputs, outputs)
        };
        assert!(matches!(check(&[&input], &[&link]), Err(FileError::Input { .. })));
        assert!(matches!(check(&[&link], &[&input]), Err(FileError::Input { .. })));
        let new = folder.path().join("new");
        assert!(matches!(check(&[], &[&new, &dangling]), Err(FileError::Twice { .. })));
        assert!(matches!(check(&[], &[&pipe]), Err(FileError::NoFile { .. })));
        for kept in [&pipe, folder.path()] {
            assert!(content(kept).is_err_and(|error| error.to_string().contains("no regular file")));
        }
        assert_eq!(content(&link).expect("a file").as_deref(), Some(&b"text"[..]));
        assert_eq!(content(&dangling).expect("nothing"), None);
        let null = Path::new("/dev/null");
        assert!(check(&[null], &[null, null]).is_ok(), "nothing can be lost");
    }

    /// Not even the administrator makes a file there.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_folder_that_takes_no_file_is_said_before_the_work() {
        let path = Path::new("/proc/report.svg");
        for output in [Output::report(path, "by us"), Output { path, replaces: Replaces::Nothing }] {
            let refused = super::check(&[], [output]);
            assert!(matches!(refused, Err(FileError::Io { .. })), "{refused:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn what_is_private_stays_private() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("settings");
        fs::write(&path, "old").expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("set");
        replace(&path, b"new").expect("written");
        assert_eq!(fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o600);
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_links_and_pipes_pipes() {
        use std::os::unix::fs::symlink;
        use std::os::unix::net::UnixListener;
        let folder = tempfile::tempdir().expect("a folder");
        let [file, link, socket] = ["file", "link", "socket"].map(|name| folder.path().join(name));
        fs::write(&file, "old").expect("written");
        symlink(&file, &link).expect("linked");
        replace(&link, b"new").expect("written");
        assert_eq!(fs::read_to_string(&file).expect("there"), "new");
        assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
        // From the link's own folder, and to a file that is not there.
        fs::remove_file(&link).expect("there");
        fs::remove_file(&file).expect("there");
        symlink("file", &link).expect("linked");
        replace(&link, b"newer").expect("written");
        assert_eq!(fs::read_to_string(&file).expect("there"), "newer");
        assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
        // Through a link to a link to a file that is not there.
        fs::remove_file(&file).expect("there");
        let chain = folder.path().join("chain");
        symlink("link", &chain).expect("linked");
        replace(&chain, b"newest").expect("written");
        assert_eq!(fs::read_to_string(&file).expect("there"), "newest");
        assert!([&link, &chain].iter().all(|link| link.is_symlink()));
        // Links that lead nowhere stay, too.
        let [own, there, back] = ["own", "there", "back"].map(|name| folder.path().join(name));
        for (link, to) in [(&own, "own"), (&there, "back"), (&back, "there")] {
            symlink(to, link).expect("linked");
        }
        for link in [&own, &there] {
            for error in [
                Output::with_own_rules(link).write(b"text").expect_err("endless").to_string(),
                replace(link, b"text").expect_err("endless").to_string(),
            ] {
                assert!(error.ends_with("it is a link that leads to itself"), "{error}");
            }
            assert!(link.is_symlink());
        }
        // A socket cannot be written like a file: that is an error, and it is still there.
        let _listener = UnixListener::bind(&socket).expect("bound");
        assert!(replace(&socket, b"text").is_err());
        assert!(!socket.metadata().expect("there").is_file());
    }

    #[test]
    fn a_lock_that_is_held_for_a_moment_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let held = File::create(&path).unwrap();
        let ours = File::open(&path).unwrap();
        held.try_lock().unwrap();
        assert!(matches!(lock(&ours), Err(TryLockError::WouldBlock)));
        let holder = thread::spawn(move || {
            thread::sleep(MOMENT / 10);
            drop(held);
        });
        lock(&ours).expect("it was free in time");
        holder.join().unwrap();
    }
}
