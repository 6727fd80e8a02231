//! Lines of text with their numbers.

use std::path::Path;

use super::OpeningError;

/// The lines of a file, trimmed and numbered from 1.
///
/// # Errors
/// The first line that is not UTF-8.
pub fn numbered<'b>(path: &Path, bytes: &'b [u8]) -> Result<Vec<(usize, &'b str)>, OpeningError> {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let mut lines = Vec::new();
    for (index, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
        let text = std::str::from_utf8(line).map_err(|_| OpeningError::Line {
            path: path.to_path_buf(),
            line: index + 1,
            reason: "not text (UTF-8)".to_owned(),
        })?;
        lines.push((index + 1, text.trim()));
    }
    Ok(lines)
}

/// The number of the line, from 1, in which the first character that is not blank stands at or after `offset`.
pub fn number_at(bytes: &[u8], offset: usize) -> usize {
    let offset = offset.min(bytes.len());
    let blanks = bytes[offset..]
        .iter()
        .take_while(|byte| byte.is_ascii_whitespace())
        .count();
    let newlines = bytes[..offset + blanks]
        .iter()
        .filter(|&&byte| byte == b'\n')
        .count();
    newlines + 1
}
