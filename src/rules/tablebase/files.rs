//! The files of the tables: finding them, and refusing false ones.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::{anyhow, ensure};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use shakmaty::{CastlingMode, Chess, Color, FromSetup, Piece, Position, Role, Setup, Square};
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
        pieces(&name)?;
        Some(TableFile {
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

    /// Looks some positions up in every table, to find damaged ones before they are needed. Only a
    /// reading of the whole table would find all damage.
    ///
    /// # Errors
    /// The first unreadable table.
    pub fn check(&self) -> anyhow::Result<()> {
        let names: BTreeSet<&String> = self.files.iter().map(|file| &file.name).collect();
        for name in names {
            // By itself, so that no more files are open at a time than these.
            let mut alone = shakmaty_syzygy::Tablebase::new();
            for file in self.files.iter().filter(|file| file.name == *name) {
                alone
                    .add_file(&file.path)
                    .map_err(|error| file.unreadable(error))?;
            }
            for position in samples(name) {
                // Tables that are reached by captures are missing here.
                for error in [
                    alone.probe_wdl_after_zeroing(&position).err(),
                    alone.probe_dtz(&position).err(),
                ] {
                    if let Some(error @ SyzygyError::ProbeFailed { .. }) = error {
                        return Err(self.blame(&error));
                    }
                }
            }
        }
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

/// The pieces of a table by its name; `None` for other names.
fn pieces(name: &str) -> Option<Vec<Piece>> {
    let (white, black) = name.split_once('v')?;
    let mut pieces = Vec::new();
    for (letters, color) in [(white, Color::White), (black, Color::Black)] {
        if letters.matches('K').count() != 1 || letters.contains(|c: char| !c.is_ascii_uppercase())
        {
            return None;
        }
        for letter in letters.chars() {
            pieces.push(Role::from_char(letter)?.of(color));
        }
    }
    (3..=Chess::MAX_PIECES)
        .contains(&pieces.len())
        .then_some(pieces)
}

/// Some legal positions with these pieces and without captures.
fn samples(name: &str) -> Vec<Chess> {
    const SAMPLES: usize = 8;
    const TRIES: usize = 20_000;
    let pieces = pieces(name).unwrap_or_default();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut place = |_| {
        let mut setup = Setup::empty();
        setup.turn = Color::from_white(random.random());
        for &piece in &pieces {
            setup
                .board
                .set_piece_at(Square::new(random.random_range(0..64)), piece);
        }
        let is_whole = setup.board.occupied().count() == pieces.len();
        let position = Chess::from_setup(setup, CastlingMode::Standard).ok()?;
        (is_whole && position.capture_moves().is_empty()).then_some(position)
    };
    (0..TRIES).filter_map(&mut place).take(SAMPLES).collect()
}
