//! Lines of text as files in the world have them: ends of three kinds, marks between the pieces
//! from which a file was put together, and padding.

use std::io::{self, BufRead, ErrorKind};

/// Byte order marks stand where files begin, and where they were joined.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Cuts a text into lines. They end with LF or CR LF, or, where the first of them does, with CR
/// alone. NUL, the end mark of old systems (Control-Z) and byte order marks at the beginnings of
/// lines are passed over.
#[derive(Debug)]
pub struct TextLines<R> {
    source: R,
    ends: Ends,
}

/// The way lines end in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ends {
    /// No end was seen yet.
    Unknown,
    Lf,
    /// The end of a line in files of old systems; LF, which should not be there, ends a line, too.
    Cr,
}

impl<R: BufRead> TextLines<R> {
    pub fn new(source: R) -> TextLines<R> {
        TextLines {
            source,
            ends: Ends::Unknown,
        }
    }

    /// Appends the next line to `line`, with its end, which is LF then; of a longer line as many
    /// bytes as `most` says. Returns how many bytes were read: 0 at the end of the text.
    ///
    /// # Errors
    /// The source cannot be read.
    pub fn read(&mut self, most: usize, line: &mut Vec<u8>) -> io::Result<usize> {
        let begin = line.len();
        let mut read = 0;
        while read < most {
            let buffer = match self.source.fill_buf() {
                Ok([]) => break,
                Ok(buffer) => &buffer[..buffer.len().min(most - read)],
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if self.ends == Ends::Unknown {
                self.ends = ends_of(buffer);
            }
            let has_old_ends = self.ends == Ends::Cr;
            let at = buffer
                .iter()
                .position(|&byte| byte == b'\n' || (has_old_ends && byte == b'\r'));
            let length = at.map_or(buffer.len(), |at| at + 1);
            line.extend(
                buffer[..length]
                    .iter()
                    .filter(|&&byte| byte != 0 && byte != 0x1a),
            );
            self.source.consume(length);
            read += length;
            if at.is_some() {
                if let Some(last) = line.last_mut() {
                    *last = b'\n';
                }
                break;
            }
        }
        if line[begin..].starts_with(BYTE_ORDER_MARK) {
            line.drain(begin..begin + BYTE_ORDER_MARK.len());
        }
        Ok(read)
    }

    /// Passes over the rest of a line.
    ///
    /// # Errors
    /// The source cannot be read.
    pub fn skip(&mut self) -> io::Result<()> {
        let mut rest = Vec::new();
        while self.read(1 << 16, &mut rest)? > 0 && !rest.ends_with(b"\n") {
            rest.clear();
        }
        Ok(())
    }
}

/// The line ends of a text, by the first of them.
fn ends_of(text: &[u8]) -> Ends {
    let Some(first) = text.iter().position(|&byte| matches!(byte, b'\r' | b'\n')) else {
        return Ends::Unknown;
    };
    // Some programs write CR CR LF.
    match text[first..].iter().find(|&&byte| byte != b'\r') {
        Some(b'\n') => Ends::Lf,
        Some(_) => Ends::Cr,
        None => Ends::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    fn lines(text: &[u8], capacity: usize) -> Vec<String> {
        let mut lines = TextLines::new(BufReader::with_capacity(capacity, text));
        let mut all = Vec::new();
        let mut line = Vec::new();
        while lines.read(1000, &mut line).expect("memory") > 0 {
            all.push(String::from_utf8(std::mem::take(&mut line)).expect("letters"));
        }
        all
    }

    #[test]
    fn ends_of_every_kind_are_ends() {
        assert_eq!(lines(b"a\nb\n\nc", 2), ["a\n", "b\n", "\n", "c"]);
        assert_eq!(
            lines(b"a\r\nb\r\r\nc\rd\n", 100),
            ["a\r\n", "b\r\r\n", "c\rd\n"]
        );
        assert_eq!(lines(b"a\rb\r\rc\r", 100), ["a\n", "b\n", "\n", "c\n"]);
        assert_eq!(lines(b"a\rb\rc\n", 100), ["a\n", "b\n", "c\n"]);
        assert_eq!(lines(b"", 2), [""; 0]);
    }

    #[test]
    fn marks_and_padding_are_passed_over() {
        assert_eq!(
            lines(b"\xef\xbb\xbfa\n\xef\xbb\xbfb\x1a\n\0\0c\n\x1a", 5),
            ["a\n", "b\n", "c\n", ""]
        );
    }

    #[test]
    fn long_lines_come_in_pieces() {
        let mut lines = TextLines::new(&b"abcdef\ngh"[..]);
        let mut line = Vec::new();
        assert_eq!(lines.read(4, &mut line).expect("memory"), 4);
        lines.skip().expect("memory");
        assert_eq!(lines.read(4, &mut line).expect("memory"), 2);
        assert_eq!(line, b"abcdgh");
    }
}
