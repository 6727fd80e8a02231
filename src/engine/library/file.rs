//! How the file of a library is read: whole records of its sections. Why it is refused.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::format::{self, Contents, HEAD, Head, Name, Section};
use crate::util::files;
use crate::util::system;

/// A library's file, or its bytes, with what its end says of it.
#[derive(Debug)]
pub(super) struct LibraryFile {
    /// Where it is, or what it is called if it is no file.
    pub path: PathBuf,
    storage: Storage,
    pub contents: Contents,
}

/// Where the bytes are.
#[derive(Debug)]
pub(super) enum Storage {
    File(File),
    Memory(Vec<u8>),
}

impl LibraryFile {
    /// Reads what is in it.
    pub fn new(path: &Path, storage: Storage) -> Result<LibraryFile, LibraryError> {
        let contents = read_contents(path, &storage)?;
        Ok(LibraryFile { path: path.to_path_buf(), storage, contents })
    }

    pub fn open(path: &Path) -> Result<LibraryFile, LibraryError> {
        let unreadable = |cause| LibraryError::Unreadable { path: path.to_path_buf(), cause };
        files::only_regular(path).map_err(unreadable)?;
        let file = File::open(path).map_err(unreadable)?;
        LibraryFile::new(path, Storage::File(file))
    }

    fn section(&self, name: Name) -> Option<&Section> {
        self.contents.sections.iter().find(|section| section.name == name)
    }

    /// How many records a section has; none if there is no such section.
    pub fn count(&self, name: Name) -> u64 {
        self.section(name).map_or(0, Section::count)
    }

    /// Reads records; what the file does not have is damage.
    pub fn read_records(&self, name: Name, first: u64, bytes: &mut [u8]) -> Result<(), LibraryError> {
        let begin = first.saturating_mul(name.record());
        match self.section(name) {
            Some(section) if begin.saturating_add(bytes.len() as u64) <= section.length => {
                self.read_at(section.start + begin, bytes)
            }
            _ => Err(self.damaged(name)),
        }
    }

    /// Reads a section in parts of whole records, and checks it.
    pub fn read_through(&self, section: &Section, mut visit: impl FnMut(&[u8])) -> Result<(), LibraryError> {
        let mut crc = crc32fast::Hasher::new();
        let mut buffer = vec![0; section.length.min(section.name.record() << 13) as usize];
        let mut done = 0;
        while done < section.length {
            let length = (section.length - done).min(buffer.len() as u64);
            let bytes = &mut buffer[..length as usize];
            self.read_at(section.start + done, bytes)?;
            crc.update(bytes);
            visit(bytes);
            done += length;
        }
        if crc.finalize() == section.crc { Ok(()) } else { Err(self.damaged(section.name)) }
    }

    /// Reads all of a section, and checks it.
    pub fn read_whole(&self, section: &Section) -> Result<Vec<u8>, LibraryError> {
        let mut bytes = Vec::new();
        self.read_through(section, |part| bytes.extend_from_slice(part))?;
        Ok(bytes)
    }

    fn damaged(&self, name: Name) -> LibraryError {
        let what = format!("the section {name:?}").to_lowercase();
        LibraryError::Damaged { path: self.path.clone(), what }
    }

    fn read_at(&self, at: u64, bytes: &mut [u8]) -> Result<(), LibraryError> {
        let read = self.storage.read_at(at, bytes);
        read.map_err(|cause| LibraryError::Unreadable { path: self.path.clone(), cause })
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
                let end = at.checked_add(buffer.len() as u64).filter(|&end| end <= bytes.len() as u64);
                let end = end.ok_or(io::ErrorKind::UnexpectedEof)?;
                buffer.copy_from_slice(&bytes[at as usize..end as usize]);
                Ok(())
            }
        }
    }
}

/// Reads the head and the contents, and checks that all of the file is there.
fn read_contents(path: &Path, storage: &Storage) -> Result<Contents, LibraryError> {
    let own_path = || path.to_path_buf();
    let unreadable = |cause| LibraryError::Unreadable { path: own_path(), cause };
    let damaged = |what: &str| LibraryError::Damaged { path: own_path(), what: what.to_owned() };
    let size = storage.size().map_err(unreadable)?;
    let mut head = [0; HEAD];
    let length = size.min(HEAD as u64) as usize;
    storage.read_at(0, &mut head[..length]).map_err(unreadable)?;
    if length < 8 || head[..8] != format::MAGIC {
        return Err(LibraryError::Foreign { path: own_path() });
    }
    if length < HEAD {
        return Err(LibraryError::Cut { path: own_path(), size, expected: HEAD as u64 });
    }
    let Head { version, length, start, crc, own_crc, .. } = Head::from_bytes(&head);
    if version != format::VERSION {
        return Err(LibraryError::Version { path: own_path(), version, known: format::VERSION });
    }
    if crc32fast::hash(&head[..28]) != own_crc {
        return Err(damaged("its head"));
    }
    let expected = start.saturating_add(u64::from(length));
    if size != expected {
        return Err(LibraryError::Cut { path: own_path(), size, expected });
    }
    let mut text = vec![0; length as usize];
    storage.read_at(start, &mut text).map_err(unreadable)?;
    let contents = serde_json::from_slice::<Contents>(&text).ok();
    let is_inside = |section: &Section| {
        section.start.checked_add(section.length).is_some_and(|end| end <= start)
            && section.length.is_multiple_of(section.name.record())
    };
    let contents = contents.filter(|Contents { sections, .. }| {
        let names: BTreeSet<Name> = sections.iter().map(|section| section.name).collect();
        sections.iter().all(is_inside) && names.len() == sections.len()
    });
    match contents {
        Some(contents) if crc32fast::hash(&text) == crc => Ok(contents),
        _ => Err(damaged("its list of contents")),
    }
}

/// Why a library, or the file of own cases beside it, was refused or cannot be looked into. The text names
/// it.
#[derive(Debug, Error)]
pub enum LibraryError {
    #[error("cannot read library {}: {cause}", path.display())]
    Unreadable { path: PathBuf, cause: io::Error },
    #[error("cannot write {}: {cause}", path.display())]
    Unwritable { path: PathBuf, cause: io::Error },
    #[error("{} is no library: it begins with something else", path.display())]
    Foreign { path: PathBuf },
    #[error("library {} is of version {version}, this program knows version {known}", path.display())]
    Version { path: PathBuf, version: u32, known: u32 },
    #[error("library {} has {size} bytes, and should have {expected}: it was cut off, or something was added", path.display())]
    Cut { path: PathBuf, size: u64, expected: u64 },
    #[error("library {} is damaged: {what} does not fit its checksum", path.display())]
    Damaged { path: PathBuf, what: String },
    #[error(
        "own cases {} are damaged: record {record} does not fit its checksum; move the file away, and the \
         library is used without",
        path.display()
    )]
    DamagedOwn { path: PathBuf, record: usize },
}
