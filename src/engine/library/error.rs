//! The errors of libraries and of own cases.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// The reason why a library, or the file of own cases beside it, was refused or cannot be read. The
/// text names the file.
#[derive(Debug, Error)]
pub enum LibraryError {
    #[error("cannot read library {}: {cause}", path.display())]
    Unreadable { path: PathBuf, cause: io::Error },
    #[error("cannot write {}: {cause}", path.display())]
    Unwritable { path: PathBuf, cause: io::Error },
    #[error("{} is no library: it begins with something else", path.display())]
    Foreign { path: PathBuf },
    #[error(
        "library {} is of version {version}, this program knows version {known}: build it anew from its games",
        path.display()
    )]
    Version {
        path: PathBuf,
        version: u32,
        known: u32,
    },
    #[error("library {} has {size} bytes, and should have {expected}: it was cut off, or something was added", path.display())]
    Cut {
        path: PathBuf,
        size: u64,
        expected: u64,
    },
    #[error("library {} is damaged: {what}", path.display())]
    Damaged { path: PathBuf, what: &'static str },
    #[error(
        "own cases {} are damaged in line {line}; move the file away, and the \
         library is used without",
        path.display()
    )]
    DamagedOwn { path: PathBuf, line: usize },
}
