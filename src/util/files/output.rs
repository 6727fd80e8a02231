//! The output files of a command, and the files they may replace.

use std::collections::HashMap;
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use anyhow::{anyhow, bail, ensure};

use super::{ENDLESS, beginning, folder_of, identity, is_same, part_of, replace, target};
use crate::util::system::{self, Special};

/// A file to be written by a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutputFile<'p> {
    pub path: &'p Path,
    pub replaces: Replaces<'p>,
}

/// The kinds of files an output may replace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replaces<'m> {
    /// None.
    Nothing,
    /// Files with this text near their beginning: earlier output of the same command.
    Marked(&'m str),
    /// Files checked by the writer itself: journals, and PGN files with games added.
    OwnRules,
}

/// Marks stand in so many of a file's first bytes.
const BEGINNING: u64 = 4096;

impl<'p> OutputFile<'p> {
    /// A report with the mark near its beginning.
    pub fn report(path: &'p Path, mark: &'p str) -> OutputFile<'p> {
        OutputFile {
            path,
            replaces: Replaces::Marked(mark),
        }
    }

    /// A file with its own checks against losses, in its writer.
    pub fn with_own_rules(path: &'p Path) -> OutputFile<'p> {
        OutputFile {
            path,
            replaces: Replaces::OwnRules,
        }
    }

    /// Writes the file in one step.
    ///
    /// # Errors
    /// The file cannot be written, or the existing one may not be replaced.
    pub fn write(&self, content: &[u8]) -> anyhow::Result<()> {
        self.check()?;
        replace(self.path, content).map_err(|cause| self.unwritable(cause))
    }

    /// Checks that the file could be written now.
    fn check(&self) -> anyhow::Result<()> {
        let path = self.path.display();
        if let Some(what) = no_file(self.path) {
            bail!("cannot write {path}: it is {what}");
        }
        ensure!(
            folder_of(self.path).is_dir(),
            self.unwritable("there is no such folder")
        );
        // A device, or a pipe that somebody reads, holds nothing that could be lost. Who follows
        // rules of its own opens the file itself, before its work.
        if self.replaces == Replaces::OwnRules || self.path.exists() && !self.path.is_file() {
            return Ok(());
        }
        if self.path.exists() {
            let begin = beginning(self.path, BEGINNING).map_err(|cause| self.unwritable(cause))?;
            let why = match self.replaces {
                _ if begin.is_empty() => None,
                Replaces::Marked(mark) if String::from_utf8_lossy(&begin).contains(mark) => None,
                Replaces::Marked(_) => Some("nothing in it says that this command wrote it"),
                _ => Some("is not written over"),
            };
            if let Some(why) = why {
                bail!(
                    "{path} is there already, and {why}: name another file, or move this one away"
                );
            }
        }
        // Whether a file can be made where this one will be, for as long as that takes.
        part_of(&target(self.path))
            .map(drop)
            .map_err(|cause| self.unwritable(cause))
    }

    fn unwritable(&self, cause: impl Display) -> anyhow::Error {
        anyhow!("cannot write {}: {cause}", self.path.display())
    }
}

/// The log of this process, if it writes one.
pub static LOG: OnceLock<PathBuf> = OnceLock::new();

/// Checks the input and output files of a command before its work begins.
///
/// # Errors
/// The first input named twice, in two ways perhaps; the first output in the place of an input, of
/// another output, or of a foreign file; or the first unwritable one.
pub fn check<'p>(
    inputs: &[PathBuf],
    outputs: impl IntoIterator<Item = OutputFile<'p>>,
) -> anyhow::Result<()> {
    if let Some(twice) = named_twice(inputs) {
        let [one, other] = twice.map(Path::display);
        bail!("{one} and {other} are the same file, which would count twice: name it once");
    }
    let mut before: Vec<&Path> = LOG.get().into_iter().map(PathBuf::as_path).collect();
    for output in outputs {
        let path = output.path.display();
        ensure!(
            !inputs.iter().any(|input| is_same(input, output.path)),
            "{path} is read by this command, and would be lost: name another file to write"
        );
        ensure!(
            !before.iter().any(|other| is_same(other, output.path)),
            "{path} is to be written twice, as two different things: name two files"
        );
        output.check()?;
        before.push(output.path);
    }
    Ok(())
}

/// The two names of the first file named twice.
fn named_twice(paths: &[PathBuf]) -> Option<[&Path; 2]> {
    let mut known = HashMap::new();
    for path in paths.iter().filter(|path| path.is_file()) {
        if let Some(before) = known.insert(identity(path), path) {
            return Some([before, path]);
        }
    }
    None
}

/// The kind of a thing in the place of a file, if never writable as one.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::files::content;

    #[track_caller]
    fn fails(result: anyhow::Result<()>, why: &str) {
        let error = result.expect_err(why).to_string();
        assert!(error.contains(why), "{error}");
    }

    #[test]
    fn nothing_is_written_over_what_would_be_missed() {
        let folder = tempfile::tempdir().expect("a folder");
        let [input, report, other] =
            ["games.pgn", "r.svg", "other"].map(|name| folder.path().join(name));
        fs::write(&input, "1. e4 *").expect("written");
        let check = |paths: &[&Path]| {
            let outputs = paths.iter().map(|path| OutputFile::report(path, "by us"));
            super::check(std::slice::from_ref(&input), outputs)
        };
        assert!(check(&[&report, &other]).is_ok());
        fails(check(&[&report, &other, &report]), "twice");
        // Another way to the same place.
        let name = folder.path().file_name().expect("a name");
        fails(
            check(&[&folder.path().join("..").join(name).join("games.pgn")]),
            "read by this command",
        );
        fs::hard_link(&input, &other).expect("linked");
        if cfg!(unix) {
            fails(check(&[&other]), "read by this command");
        }

        let output = OutputFile::report(&report, "by us");
        for content in ["made by us", "made by us again"] {
            output
                .write(content.as_bytes())
                .expect("our own may be replaced");
        }
        fs::write(&report, "").expect("written");
        output.write(b"made by us").expect("nothing is lost");
        let once = OutputFile {
            path: &report,
            replaces: Replaces::Nothing,
        };
        fails(once.write(b"made by us"), "is not written over");
        fs::write(&report, "of somebody else").expect("written");
        fails(output.write(b"made by us"), "nothing in it says");
        assert_eq!(
            fs::read_to_string(&report).expect("there"),
            "of somebody else"
        );
        assert!(super::check(&[], [OutputFile::with_own_rules(&report)]).is_ok());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_named_pipes_not_read() {
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
            super::check(
                &inputs,
                outputs.iter().map(|path| OutputFile::report(path, "by us")),
            )
        };
        fails(check(&[&input], &[&link]), "read by this command");
        fails(check(&[&link], &[&input]), "read by this command");
        let new = folder.path().join("new");
        fails(check(&[], &[&new, &dangling]), "written twice");
        for kept in [&pipe, folder.path()] {
            assert!(
                content(kept).is_err_and(|error| error.to_string().contains("no regular file"))
            );
        }
        assert_eq!(
            content(&link).expect("a file").as_deref(),
            Some(&b"text"[..])
        );
        assert_eq!(content(&dangling).expect("nothing"), None);
        let null = Path::new("/dev/null");
        assert!(check(&[null], &[null, null]).is_ok(), "nothing can be lost");
    }
}
