//! The file of a library, open for reading, and its errors.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use flate2::Crc;
use thiserror::Error;
use zerocopy::{FromBytes, IntoBytes};

use super::format::{self, CHECKSUM, Header, Name};
use crate::util::{files, system};

/// A library's file, or its bytes, with the facts of its head.
#[derive(Debug)]
pub(super) struct LibraryFile {
    /// The path, or a name for bytes in memory.
    pub path: PathBuf,
    storage: Storage,
    pub head: Header,
}

/// The place of the bytes.
#[derive(Debug)]
pub(super) enum Storage {
    File(File),
    Memory(Vec<u8>),
}

impl LibraryFile {
    /// Reads the head.
    pub fn new(path: &Path, storage: Storage) -> Result<LibraryFile, LibraryError> {
        let head = read_head(path, &storage)?;
        Ok(LibraryFile {
            path: path.to_path_buf(),
            storage,
            head,
        })
    }

    pub fn open(path: &Path) -> Result<LibraryFile, LibraryError> {
        let unreadable = |cause| LibraryError::Unreadable {
            path: path.to_path_buf(),
            cause,
        };
        files::only_regular(path).map_err(unreadable)?;
        let file = File::open(path).map_err(unreadable)?;
        LibraryFile::new(path, Storage::File(file))
    }

    /// Fills `records` with those of a table from the `first` on. Records behind its end are
    /// damage.
    pub fn read<R: FromBytes + IntoBytes>(
        &self,
        name: Name,
        first: u64,
        records: &mut [R],
    ) -> Result<(), LibraryError> {
        let end = first.saturating_add(records.len() as u64);
        if end > self.head.count(name) {
            return Err(self.damaged("a record points behind the end of a table"));
        }
        self.read_at(
            self.head.start(name) + first * name.record(),
            records.as_mut_bytes(),
        )
    }

    /// Reads all records of a table.
    pub fn read_all<R: FromBytes + IntoBytes + Clone>(
        &self,
        name: Name,
    ) -> Result<Vec<R>, LibraryError> {
        let mut records = vec![R::new_zeroed(); self.head.count(name) as usize];
        self.read(name, 0, &mut records)?;
        Ok(records)
    }

    /// Compares the checksum at the end with all bytes before the checksum.
    pub fn check(&self) -> Result<(), LibraryError> {
        let end = self.head.file_size() - CHECKSUM;
        let mut crc = Crc::new();
        let mut buffer = vec![0; end.min(1 << 20) as usize];
        let mut done = 0;
        while done < end {
            let length = (end - done).min(buffer.len() as u64);
            let bytes = &mut buffer[..length as usize];
            self.read_at(done, bytes)?;
            crc.update(bytes);
            done += length;
        }
        if self.checksum()? != crc.sum() {
            return Err(self.damaged("it does not fit its checksum"));
        }
        Ok(())
    }

    /// The checksum at the end.
    pub fn checksum(&self) -> Result<u32, LibraryError> {
        let mut checksum = [0; CHECKSUM as usize];
        self.read_at(self.head.file_size() - CHECKSUM, &mut checksum)?;
        Ok(u32::from_le_bytes(checksum))
    }

    fn damaged(&self, what: &'static str) -> LibraryError {
        LibraryError::Damaged {
            path: self.path.clone(),
            what,
        }
    }

    fn read_at(&self, at: u64, bytes: &mut [u8]) -> Result<(), LibraryError> {
        let read = self.storage.read_at(at, bytes);
        read.map_err(|cause| LibraryError::Unreadable {
            path: self.path.clone(),
            cause,
        })
    }
}

impl Storage {
    fn size(&self) -> io::Result<u64> {
        match self {
            Storage::File(file) => Ok(file.metadata()?.len()),
            Storage::Memory(bytes) => Ok(bytes.len() as u64),
        }
    }

    fn read_at(&self, at: u64, buffer: &mut [u8]) -> io::Result<()> {
        match self {
            Storage::File(file) => system::read_exact_at(file, buffer, at),
            Storage::Memory(bytes) => {
                let end = at
                    .checked_add(buffer.len() as u64)
                    .filter(|&end| end <= bytes.len() as u64);
                let end = end.ok_or(io::ErrorKind::UnexpectedEof)?;
                buffer.copy_from_slice(&bytes[at as usize..end as usize]);
                Ok(())
            }
        }
    }
}

/// Reads the head, and checks the file's size.
fn read_head(path: &Path, storage: &Storage) -> Result<Header, LibraryError> {
    let unreadable = |cause| LibraryError::Unreadable {
        path: path.to_path_buf(),
        cause,
    };
    let size = storage.size().map_err(unreadable)?;
    let mut bytes = [0; size_of::<Header>()];
    let length = size.min(bytes.len() as u64) as usize;
    storage
        .read_at(0, &mut bytes[..length])
        .map_err(unreadable)?;
    let head: Header = zerocopy::transmute!(bytes);
    if head.magic != format::MAGIC {
        return Err(LibraryError::Foreign {
            path: path.to_path_buf(),
        });
    }
    let version = head.version.get();
    if version != format::VERSION {
        return Err(LibraryError::Version {
            path: path.to_path_buf(),
            version,
            known: format::VERSION,
        });
    }
    let expected = head.file_size();
    if size != expected {
        return Err(LibraryError::Cut {
            path: path.to_path_buf(),
            size,
            expected,
        });
    }
    Ok(head)
}

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
    #[error("library {} is of version {version}, this program knows version {known}", path.display())]
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
        "own cases {} are damaged: record {record} does not fit its checksum; move the file away, and the \
         library is used without",
        path.display()
    )]
    DamagedOwn { path: PathBuf, record: usize },
}
