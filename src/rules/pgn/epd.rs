//! Lists of positions: FEN or EPD, one a line. Empty lines and lines from `#` on are passed over.
//!
//! EPD is described in the PGN standard, section 16.2.

use std::io::{self, BufRead, Read as _};

use crate::rules::position::notation::excerpt;
use crate::util::display::counted;
use crate::util::input;

/// The limit of a line in bytes; the rest of a longer one, which is no position, is skipped.
const LONGEST_LINE: u64 = 1 << 16;

/// The lines of a list with positions. Only one of them is in memory.
#[derive(Debug)]
pub struct Lines<R> {
    source: R,
    line: Vec<u8>,
    line_ends: u64,
}

impl<R: BufRead> Lines<R> {
    pub fn new(source: R) -> Lines<R> {
        Lines {
            source,
            line: Vec::new(),
            line_ends: 0,
        }
    }

    /// The next line's number, from 1, and its text, blanks around cut off; `None` at the end.
    pub fn next_line(&mut self) -> io::Result<Option<(u64, &[u8])>> {
        loop {
            self.line.clear();
            let mut source = self.source.by_ref().take(LONGEST_LINE);
            if source.read_until(b'\n', &mut self.line)? == 0 {
                return Ok(None);
            }
            if self.line_ends == 0 {
                input::cut_byte_order_mark(&mut self.line);
            }
            let number = self.line_ends + 1;
            if self.line.len() as u64 == LONGEST_LINE && !self.line.ends_with(b"\n") {
                self.source.skip_until(b'\n')?;
            }
            self.line_ends += 1;
            let text = self.line.trim_ascii();
            if !text.is_empty() && !text.starts_with(b"#") {
                return Ok(Some((number, self.line.trim_ascii())));
            }
        }
    }
}

/// A line: a position with its operations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The position as written, followed by the line's clocks, if any: as in a FEN, or as `hmvc`
    /// and `fmvn`. Not checked.
    pub fen: String,
    /// The operations in the order of the line.
    pub operations: Vec<Operation>,
}

/// An operation as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    pub opcode: String,
    /// The operands; a single text has no quotation marks.
    pub operands: String,
}

impl Line {
    /// Four fields of a position, then the two clocks of a FEN, the operations of an EPD, both, or
    /// neither.
    ///
    /// # Errors
    /// The reason in words, if the line is none of these.
    pub fn read(line: &str) -> Result<Line, String> {
        let mut rest = line.trim();
        let mut fields = Vec::new();
        while fields.len() < 6 {
            let (field, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            let is_clock = !field.is_empty() && field.bytes().all(|byte| byte.is_ascii_digit());
            if field.is_empty() || (fields.len() >= 4 && !is_clock) {
                break;
            }
            fields.push(field);
            rest = after.trim_start();
        }
        let operations = match fields.len() {
            4 | 6 => split(rest)?,
            5 => return Err("one number after the position, where a FEN has two".to_owned()),
            count => {
                let line = excerpt(line);
                let fields = counted(count, "field");
                return Err(format!(
                    "{fields}, where a position has four at least: \"{line}\""
                ));
            }
        };
        let mut read = Line {
            fen: fields.join(" "),
            operations,
        };
        let [half, full] = [read.number("hmvc")?, read.number("fmvn")?];
        if fields.len() == 4 && (half.is_some() || full.is_some()) {
            read.fen += &format!(" {} {}", half.unwrap_or(0), full.unwrap_or(1));
        }
        Ok(read)
    }

    /// The operands of an operation; `None` if there is no such operation.
    pub fn operands(&self, opcode: &str) -> Option<&str> {
        let found = self
            .operations
            .iter()
            .find(|operation| operation.opcode == opcode);
        found.map(|operation| operation.operands.as_str())
    }

    /// The operand of an operation with a number.
    ///
    /// # Errors
    /// It has something else, in words.
    pub fn number(&self, opcode: &str) -> Result<Option<u32>, String> {
        let Some(text) = self.operands(opcode) else {
            return Ok(None);
        };
        text.parse()
            .map(Some)
            .map_err(|_| format!("{opcode} \"{}\" is no number", excerpt(text)))
    }
}

/// Takes operations apart: each ends with a semicolon, but a semicolon in quotation marks is text.
fn split(mut text: &str) -> Result<Vec<Operation>, String> {
    let mut operations = Vec::new();
    while !text.is_empty() {
        let mut quoted = false;
        let end = text.find(|c: char| {
            quoted ^= c == '"';
            c == ';' && !quoted
        });
        if end.is_none() && quoted {
            return Err(format!(
                "a quotation mark without its second: {}",
                excerpt(text)
            ));
        }
        let end = end.unwrap_or(text.len());
        let operation = text[..end].trim();
        text = text.get(end + 1..).unwrap_or("").trim_start();
        if operation.is_empty() {
            continue;
        }
        let (opcode, operands) = operation
            .split_once(char::is_whitespace)
            .unwrap_or((operation, ""));
        let operands = operands.trim();
        let one_text = operands
            .strip_prefix('"')
            .and_then(|rest| rest.strip_suffix('"'))
            .filter(|text| !text.contains('"'));
        operations.push(Operation {
            opcode: opcode.to_owned(),
            operands: one_text.unwrap_or(operands).trim().to_owned(),
        });
    }
    Ok(operations)
}
