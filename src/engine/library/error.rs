//! The errors of libraries and of own cases.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// The reason why a library, or the file of own cases beside it, was refused or cannot be read. The
/// text names the file.
#[derive(Debug, Error)]
pub enum LibraryError {
    #[error("cannot read library {}: {cause}", path.display())]
    Unreadable { path: PathBuf, cause: String },
    #[error("cannot write {}: {cause}", path.display())]
    Unwritable { path: PathBuf, cause: io::Error },
    #[error("{} is no file of own cases: it begins with something else", path.display())]
    Foreign { path: PathBuf },
    #[error(
        "own cases {} are damaged in line {line}; move the file away, and the \
         library is used without",
        path.display()
    )]
    DamagedOwn { path: PathBuf, line: usize },
}
