//! Lists of positions: FEN or EPD, one a line. Empty lines and lines from `#` on are passed over.
//!
//! EPD is described in the PGN standard, section 16.2.

use std::io::{self, BufRead};

use crate::rules::position::notation::excerpt;
use crate::util::display::counted;
use crate::util::lines::TextLines;

/// The most bytes that are read of a line; no position is longer.
const LONGEST_LINE: usize = 1 << 16;

/// The lines of a list with positions. Only one of them is in memory.
#[derive(Debug)]
pub struct Lines<R> {
    source: TextLines<R>,
    line: Vec<u8>,
    line_ends: u64,
}

impl<R: BufRead> Lines<R> {
    pub fn new(source: R) -> Lines<R> {
        Lines {
            source: TextLines::new(source),
            line: Vec::new(),
            line_ends: 0,
        }
    }

    /// The next line's number, from 1, and its text, blanks around cut off; `None` at the end.
    pub fn next_line(&mut self) -> io::Result<Option<(u64, &[u8])>> {
        loop {
            self.line.clear();
            let length = self.source.read(LONGEST_LINE, &mut self.line)?;
            if length == 0 {
                return Ok(None);
            }
            let number = self.line_ends + 1;
            if length == LONGEST_LINE && !self.line.ends_with(b"\n") {
                self.source.skip()?;
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
pub struct EpdLine {
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

impl EpdLine {
    /// Three or four fields of a position, then one or two clocks of a FEN, the operations of an
    /// EPD, both, or neither. A semicolon may end the position.
    ///
    /// # Errors
    /// Why the line is none of these, in words; two positions on it.
    pub fn read(line: &str) -> Result<EpdLine, String> {
        let (mut fields, rest) = fields(line.trim());
        if fields.len() < 3 {
            let line = excerpt(line);
            let fields = counted(fields.len(), "field");
            return Err(format!(
                "{fields}, where a position has three at least: \"{line}\""
            ));
        }
        if fields.get(3).is_none_or(|field| is_number(field)) {
            fields.insert(3, "-");
        }
        if fields.len() == 5 {
            fields.push("1");
        }
        let mut read = EpdLine {
            fen: fields.join(" "),
            operations: split(rest)?,
        };
        for Operation { opcode, .. } in &read.operations {
            if opcode.matches('/').count() >= 7 {
                let second = excerpt(opcode);
                return Err(format!("a second position on the line: \"{second}\""));
            }
        }
        let [half, full] = [read.number("hmvc")?, read.number("fmvn")?];
        if fields.len() == 4 && (half.is_some() || full.is_some()) {
            read.fen += &format!(" {} {}", half.unwrap_or(0), full.unwrap_or(1));
        }
        Ok(read)
    }

    /// Checks the syntax of all operations.
    ///
    /// # Errors
    /// Names the first faulty operation.
    pub fn check_operations(&self) -> Result<(), String> {
        for Operation { opcode, .. } in &self.operations {
            if !opcode.starts_with(|c: char| c.is_ascii_alphabetic()) {
                return Err(format!("\"{}\" is no operation of EPD", excerpt(opcode)));
            }
        }
        Ok(())
    }

    /// The operands of an operation; `None` if it is missing.
    pub fn operands(&self, opcode: &str) -> Option<&str> {
        let mut operations = self.operations.iter();
        let found = operations.find(|operation| operation.opcode == opcode)?;
        Some(&found.operands)
    }

    /// The operand of an operation with a number.
    ///
    /// # Errors
    /// It has something else, in words.
    pub fn number(&self, opcode: &str) -> Result<Option<u32>, String> {
        let Some(text) = self.operands(opcode) else {
            return Ok(None);
        };
        match text.parse() {
            Ok(number) => Ok(Some(number)),
            Err(_) => Err(format!("{opcode} \"{}\" is no number", excerpt(text))),
        }
    }
}

/// The fields of a position at the beginning of a line, and what stands behind them.
fn fields(line: &str) -> (Vec<&str>, &str) {
    let mut fields = Vec::new();
    let mut rest = line;
    while fields.len() < 6 {
        let (word, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let (field, _) = word.split_once(';').unwrap_or((word, ""));
        let has_side = fields.get(1).is_some_and(|side| ["w", "b"].contains(side));
        let is_behind = match fields.len() {
            3 => has_side && !is_number(field) && is_opcode(field),
            4 | 5 => !is_number(field),
            _ => false,
        };
        if field.is_empty() || is_behind {
            break;
        }
        fields.push(field);
        // A number in the place of the en-passant square is a clock, of which there are two.
        let is_full = fields.len() == 5 && is_number(fields[3]);
        if field.len() < word.len() {
            return (fields, &rest[field.len() + 1..]);
        }
        rest = after.trim_start();
        if is_full {
            break;
        }
    }
    (fields, rest)
}

fn is_number(field: &str) -> bool {
    field.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns true if a word in the place of an en-passant square is the opcode of an operation.
fn is_opcode(word: &str) -> bool {
    match word.as_bytes() {
        [] | [_] => false,
        [b'c', b'1' | b'2' | b'4' | b'5' | b'7' | b'8'] => true,
        [b'a'..=b'h', b'1'..=b'8'] => false,
        word => word
            .iter()
            .all(|&byte| byte.is_ascii_alphanumeric() || byte == b'_'),
    }
}

/// Takes operations apart: they end with a semicolon, and a text in quotation marks may have one in
/// it.
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
