//! Openings from lists of positions: one FEN or EPD a line.

use std::path::Path;

use super::{OpeningError, lines};
use crate::arena::Opening;
use crate::position::Position;

/// All positions of a file.
pub fn read(path: &Path, bytes: &[u8]) -> Result<Vec<Opening>, OpeningError> {
    let mut list = Vec::new();
    for (number, line) in lines::numbered(path, bytes)? {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        list.push(opening(line).map_err(|reason| OpeningError::Line {
            path: path.to_path_buf(),
            line: number,
            reason,
        })?);
    }
    Ok(list)
}

/// Four fields of a position, then the two clocks of a FEN, the operations of an EPD, both, or neither.
fn opening(line: &str) -> Result<Opening, String> {
    let mut rest = line;
    let mut fields = Vec::new();
    for index in 0..6 {
        let (field, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let is_clock = !field.is_empty() && field.bytes().all(|byte| byte.is_ascii_digit());
        if field.is_empty() || (index >= 4 && !is_clock) {
            break;
        }
        fields.push(field);
        rest = after.trim_start();
    }
    // One number alone is no clock of a FEN.
    if fields.len() == 5 {
        return Err(format!(
            "one number after the position, a FEN has two: \"{line}\""
        ));
    }
    let position = Position::from_fen(&fields.join(" ")).map_err(|error| error.to_string())?;
    if let Some(outcome) = position.outcome() {
        return Err(format!("the game is over there ({})", outcome.reason()));
    }
    Ok(Opening {
        fen: Some(position.to_fen()).filter(|fen| *fen != Position::default().to_fen()),
        moves: Vec::new(),
        name: operand(rest, "id")?,
    })
}

/// The operand of an EPD operation, `None` if it is not there. Operations end with a semicolon, texts stand in quotation marks.
fn operand(mut operations: &str, wanted: &str) -> Result<Option<String>, String> {
    while !operations.is_empty() {
        let mut quoted = false;
        let end = operations
            .find(|c: char| {
                quoted ^= c == '"';
                c == ';' && !quoted
            })
            .unwrap_or(operations.len());
        if quoted {
            return Err(format!("a quotation mark without its second: {operations}"));
        }
        let operation = operations[..end].trim();
        operations = operations.get(end + 1..).unwrap_or("").trim_start();
        let (opcode, operand) = operation
            .split_once(char::is_whitespace)
            .unwrap_or((operation, ""));
        if opcode == wanted {
            let text = operand.trim().trim_matches('"').trim();
            return Ok((!text.is_empty()).then(|| text.to_owned()));
        }
    }
    Ok(None)
}
