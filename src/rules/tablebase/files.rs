//! The files of the tables: finding them, and refusing false ones.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::{anyhow, ensure};
use shakmaty::{Chess, Role};
use shakmaty_syzygy::{Metric, Syzygy, SyzygyError, TableType};

use super::Tablebase;

/// A file of a table.
#[derive(Debug)]
pub(super) struct TableFile {
    path: PathBuf,
    /// The pieces: `KQvKR`.
    name: String,
    /// True for distances (DTZ), false for results (WDL).
    pub has_distances: bool,
}

impl TableFile {
    /// A table's file; `None` if the name is not a table's.
    fn new(path: PathBuf) -> Option<TableFile> {
        let has_distances = match path.extension()?.to_str()? {
            extension if extension == Chess::TBW.ext => false,
            extension if extension == Chess::TBZ.ext => true,
            _ => return None,
        };
        let name = path.file_stem()?.to_str()?.to_owned();
        is_table(&name).then_some(TableFile {
            path,
            name,
            has_distances,
        })
    }

    fn unreadable(&self, cause: io::Error) -> anyhow::Error {
        anyhow!("cannot read endgame table {}: {cause}", self.path.display())
    }

    /// Checks the four bytes at the beginning of every table.
    fn check_beginning(&self) -> anyhow::Result<()> {
        if self.path.exists() && !self.path.is_file() {
            // A pipe may have no writer.
            return Err(damaged(&self.path, "it is no regular file"));
        }
        let TableType { magic, .. } = if self.has_distances {
            Chess::TBZ
        } else {
            Chess::TBW
        };
        let mut beginning = [0; 4];
        let read = File::open(&self.path).and_then(|mut file| file.read_exact(&mut beginning));
        match read {
            Ok(()) if beginning == magic => Ok(()),
            Ok(()) => Err(damaged(&self.path, "it does not begin as a table does")),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                Err(damaged(&self.path, "it is empty"))
            }
            Err(error) => Err(self.unreadable(error)),
        }
    }
}

impl Tablebase {
    /// Finds the tables of one folder, or of several with the system's separator of paths between
    /// them (`:`, on Windows `;`). Of each file the size and the beginning are looked at.
    ///
    /// # Errors
    /// A folder that is missing or has no tables, and a file that cannot be a table despite its
    /// name; the text names it.
    pub fn open(folders: &str) -> anyhow::Result<Tablebase> {
        let mut tablebase = Tablebase {
            tables: shakmaty_syzygy::Tablebase::new(),
            files: Vec::new(),
            has_warned: AtomicBool::new(false),
        };
        for folder in std::env::split_paths(folders).filter(|folder| !folder.as_os_str().is_empty())
        {
            tablebase.add_folder(&folder)?;
        }
        ensure!(
            !tablebase.files.is_empty(),
            "no folder of endgame tables is named in \"{folders}\""
        );
        Ok(tablebase)
    }

    fn add_folder(&mut self, folder: &Path) -> anyhow::Result<()> {
        let shown = folder.display();
        let unreadable =
            |cause| anyhow!("cannot read the folder of endgame tables {shown}: {cause}");
        let mut files = Vec::new();
        for entry in fs::read_dir(folder).map_err(unreadable)? {
            files.extend(TableFile::new(entry.map_err(unreadable)?.path()));
        }
        ensure!(
            !files.is_empty(),
            "{shown} has no endgame tables (files like KQvK.rtbw)"
        );
        files.sort_by(|one, other| one.path.cmp(&other.path));
        for file in &files {
            file.check_beginning()?;
            self.tables
                .add_file(&file.path)
                .map_err(|error| match error.kind() {
                    io::ErrorKind::InvalidData => {
                        damaged(&file.path, "its size is not that of a whole table")
                    }
                    _ => file.unreadable(error),
                })?;
        }
        self.files.append(&mut files);
        Ok(())
    }

    /// The error of a failed probe, with the file.
    pub(super) fn blame(&self, error: &SyzygyError) -> anyhow::Error {
        let SyzygyError::ProbeFailed {
            metric,
            material,
            error: cause,
        } = error
        else {
            return anyhow!("no folder of endgame tables is named in \"{error}\"");
        };
        let named = material.to_string();
        let file = self.files.iter().find(|file| {
            file.has_distances == matches!(metric, Metric::Dtz)
                && (file.name == named || swapped(&file.name) == named)
        });
        // The library's own words have a backtrace in them.
        let reason = match **cause {
            shakmaty_syzygy::ProbeError::Read { ref error } => error.to_string(),
            _ => "what it says makes no sense".to_owned(),
        };
        damaged(file.map_or(Path::new(&named), |file| &file.path), &reason)
    }
}

fn damaged(path: &Path, reason: &str) -> anyhow::Error {
    anyhow!("endgame table {} is damaged: {reason}", path.display())
}

/// `KRvKQ` for `KQvKR`.
fn swapped(name: &str) -> String {
    let (white, black) = name.split_once('v').unwrap_or_default();
    format!("{black}v{white}")
}

/// Returns true if a name is one of a table: the pieces of both sides.
fn is_table(name: &str) -> bool {
    let (white, black) = name.split_once('v').unwrap_or_default();
    let is_side = |letters: &str| {
        let mut roles = letters.chars();
        letters.matches('K').count() == 1
            && roles.all(|letter| letter.is_ascii_uppercase() && Role::from_char(letter).is_some())
    };
    let count = white.len() + black.len();
    (3..=Chess::MAX_PIECES).contains(&count) && is_side(white) && is_side(black)
}
