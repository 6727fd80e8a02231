//! Input files, compressed or not: gzip and Zstandard are recognised by their first bytes, under
//! any name. `-` is standard input.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Cursor, IsTerminal as _, Read};
use std::path::Path;

use flate2::bufread::GzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder, StreamingDecoder};

use crate::util::files;
use crate::util::system::{self, Special};

/// Endings for the compression of a file, not for its content.
const COMPRESSED: [&str; 3] = ["gz", "zst", "bz2"];

/// A file's content as a stream, decompressed if needed. Its size does not matter.
pub type Source = Box<dyn BufRead + Send>;

/// Opens a file, or a pipe.
///
/// # Errors
/// Errors of the file system; folders and devices. Damage in compressed data shows as an error of
/// the stream and names the compression.
pub fn open(path: &Path) -> io::Result<Source> {
    match path.to_str() {
        Some("-") => decompressed(io::stdin()),
        _ => decompressed(open_file(path)?),
    }
}

/// The limit of a file read as a whole.
const LARGEST: u64 = 1 << 30;

/// The whole content of a file of text, decompressed.
///
/// # Errors
/// Errors of [`open()`]; damaged or cut compressed data, and content without end.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    whole(open(path)?)
}

/// The whole content of a file, not decompressed.
///
/// # Errors
/// Errors of the file system; folders and devices; content without end.
pub fn read_binary(path: &Path) -> io::Result<Vec<u8>> {
    whole(open_file(path)?)
}

fn whole(source: impl Read) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    match source.take(LARGEST).read_to_end(&mut content)? as u64 {
        LARGEST => Err(io::Error::other("it has more than a gigabyte")),
        _ => Ok(content),
    }
}

/// Opens a file or pipe with an end, not decompressed.
///
/// # Errors
/// Errors of the file system; folders and devices.
pub fn open_file(path: &Path) -> io::Result<File> {
    let file = File::open(path)?;
    let kind = file.metadata()?.file_type();
    let what = match system::special(kind) {
        _ if kind.is_dir() => "it is a folder",
        Some(Special::CharacterDevice) if file.is_terminal() => return Ok(file),
        Some(Special::CharacterDevice | Special::BlockDevice) => "it is a device, not a file",
        _ => return Ok(file),
    };
    Err(io::Error::other(what))
}

/// Refuses a pipe: an engine opening one waits for a writer and answers no command.
///
/// # Errors
/// Errors of the file system; pipes.
pub fn check_no_pipe(path: &Path) -> io::Result<()> {
    match system::special(fs::metadata(path)?.file_type()) {
        Some(Special::NamedPipe) => Err(io::Error::other("it is a pipe, not a file")),
        _ => Ok(()),
    }
}

/// The ending of a file's name in lower case, without the dot and a compression's ending: `pgn` for
/// `Games.PGN.gz`.
pub fn ending(path: &Path) -> Option<String> {
    let mut path = path;
    if is_called_compressed(path) {
        path = Path::new(path.file_stem()?);
    }
    Some(path.extension()?.to_str()?.to_ascii_lowercase())
}

fn is_called_compressed(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default().to_ascii_lowercase();
    COMPRESSED.iter().any(|compressed| ending == *compressed)
}

/// Bytes as text: UTF-8, or else ISO 8859-1, the first characters of Unicode. The PGN standard asks
/// for the latter (section 4.1), and old lists have such names.
pub fn decoded(bytes: Vec<u8>) -> String {
    match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => error.into_bytes().into_iter().map(char::from).collect(),
    }
}

/// Removes the three bytes at the beginning of some editors' files.
pub fn cut_byte_order_mark(text: &mut Vec<u8>) {
    let mark = "\u{feff}".as_bytes();
    if text.starts_with(mark) {
        text.drain(..mark.len());
    }
}

/// Returns true if a file is compressed, or has such a name: plain text added to it would be
/// unreadable.
pub fn is_compressed(path: &Path) -> bool {
    // A pipe would wait for somebody who writes.
    let is_packed =
        |path| files::beginning(path, 4).is_ok_and(|magic| !compression(&magic).is_empty());
    is_called_compressed(path) || path.is_file() && is_packed(path)
}

/// The name of the compression of data with this beginning; empty if there is none.
fn compression(magic: &[u8]) -> &'static str {
    match magic {
        [0x1f, 0x8b, ..] => "gzip",
        // The second is a frame to be skipped, with which parallel compressors begin.
        [0x28, 0xb5, 0x2f, 0xfd] | [0x50..=0x5f, 0x2a, 0x4d, 0x18] => "Zstandard",
        [b'B', b'Z', b'h', b'1'..=b'9'] => "bzip2",
        [0xfd, b'7', b'z', b'X'] => "xz",
        [b'P', b'K', 3, 4] => "zip",
        [b'7', b'z', 0xbc, 0xaf] => "7z",
        [b'R', b'a', b'r', b'!'] => "rar",
        _ => "",
    }
}

fn decompressed(mut source: impl Read + Send + 'static) -> io::Result<Source> {
    let mut magic = Vec::new();
    source.by_ref().take(4).read_to_end(&mut magic)?;
    if magic.starts_with(&[0xff, 0xfe]) || magic.starts_with(&[0xfe, 0xff]) {
        let what = "its text is UTF-16, and should be UTF-8: save or convert it as that";
        return Err(io::Error::other(what));
    }
    let name = compression(&magic);
    let source = BufReader::with_capacity(1 << 16, Cursor::new(magic).chain(source));
    let inner: Box<dyn Read + Send> = match name {
        "gzip" => Box::new(Gzip::Between(source)),
        "Zstandard" => Box::new(Zstandard {
            source,
            decoder: None,
        }),
        "" => return Ok(Box::new(source)),
        other => {
            let what = format!(
                "it is compressed by {other}: unpack it, or compress it by gzip or zstd instead"
            );
            return Err(io::Error::other(what));
        }
    };
    Ok(Box::new(BufReader::with_capacity(
        1 << 16,
        Compressed { name, inner },
    )))
}

/// Compressed data with its name in errors.
struct Compressed {
    name: &'static str,
    inner: Box<dyn Read + Send>,
}

impl Read for Compressed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.inner.read(buffer) {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                let what = format!("its {} data is damaged or cut off ({error})", self.name);
                Err(io::Error::other(what))
            }
            result => result,
        }
    }
}

/// The members of a gzip file, one after the other. Zeros behind a member are padding, as tapes and
/// some programs write.
enum Gzip<R> {
    Member(GzDecoder<R>),
    Between(R),
    End,
}

impl<R: BufRead> Read for Gzip<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match std::mem::replace(self, Gzip::End) {
                Gzip::End => return Ok(0),
                Gzip::Between(mut source) => {
                    if !skip_zeros(&mut source)? {
                        *self = Gzip::Member(GzDecoder::new(source));
                    }
                }
                Gzip::Member(mut member) => match member.read(buffer) {
                    Ok(0) if !buffer.is_empty() => *self = Gzip::Between(member.into_inner()),
                    read => {
                        *self = Gzip::Member(member);
                        return read;
                    }
                },
            }
        }
    }
}

/// Passes over zeros. Returns true at the end of the source.
fn skip_zeros(source: &mut impl BufRead) -> io::Result<bool> {
    loop {
        let buffer = source.fill_buf()?;
        if buffer.is_empty() {
            return Ok(true);
        }
        let zeros = buffer.iter().take_while(|&&byte| byte == 0).count();
        let is_all = zeros == buffer.len();
        source.consume(zeros);
        if !is_all {
            return Ok(false);
        }
    }
}

/// The frames of a Zstandard file, one after the other. (The library reads one frame.)
struct Zstandard<R> {
    source: R,
    decoder: Option<FrameDecoder>,
}

impl<R: BufRead> Zstandard<R> {
    /// Begins the next frame with data; `None` at the end of the file.
    fn next_frame(&mut self) -> io::Result<Option<FrameDecoder>> {
        while !self.source.fill_buf()?.is_empty() {
            match StreamingDecoder::new(&mut self.source) {
                Ok(frame) => return Ok(Some(frame.into_frame_decoder())),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    io::copy(
                        &mut self.source.by_ref().take(u64::from(length)),
                        &mut io::sink(),
                    )?;
                }
                Err(error) => return Err(io::Error::other(error)),
            }
        }
        Ok(None)
    }
}

impl<R: BufRead> Read for Zstandard<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.decoder.is_none() {
                self.decoder = self.next_frame()?;
            }
            let Some(decoder) = &mut self.decoder else {
                return Ok(0);
            };
            while decoder.can_collect() == 0 && !decoder.is_finished() {
                decoder
                    .decode_blocks(&mut self.source, BlockDecodingStrategy::UptoBlocks(1))
                    .map_err(io::Error::other)?;
            }
            let length = decoder.read(buffer)?;
            if length > 0 || buffer.is_empty() {
                return Ok(length);
            }
            let stored = decoder.get_checksum_from_data();
            let computed = decoder.get_calculated_checksum();
            if stored.is_some() && stored != computed {
                return Err(io::Error::other("the checksum does not fit"));
            }
            self.decoder = None;
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
