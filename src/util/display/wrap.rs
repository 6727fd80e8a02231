//! Text in lines of a width.

use unicode_width::UnicodeWidthStr as _;

/// Breaks a text between words into lines of at most so many columns, those of `first` or `others`
/// in front included. Line breaks in the text stay, and so do the blanks inside a line. A word
/// longer than a line is broken, too, or stands on a line of its own.
pub fn wrapped(
    text: &str,
    columns: usize,
    first: &str,
    others: &str,
    breaks_words: bool,
) -> String {
    let mut lines = Vec::new();
    for paragraph in text.split('\n') {
        let start = lines.len();
        let mut line = String::new();
        let mut is_empty = true;
        for (blanks, word) in words(paragraph) {
            let indent = if lines.is_empty() { first } else { others };
            let room = columns.saturating_sub(indent.width()).max(1);
            if !is_empty && line.width() + blanks.len() + word.width() > room {
                lines.push(format!("{indent}{line}"));
                line.clear();
                is_empty = true;
            }
            if !is_empty || lines.len() == start {
                line += blanks;
            }
            line += word;
            is_empty = false;
            while breaks_words && line.width() > columns.saturating_sub(others.width()).max(1) {
                let indent = if lines.is_empty() { first } else { others };
                let room = columns.saturating_sub(indent.width()).max(1);
                let rest = line.split_off(fitting(&line, room));
                if rest.is_empty() {
                    break;
                }
                lines.push(format!("{indent}{line}"));
                line = rest;
            }
        }
        let indent = if lines.is_empty() { first } else { others };
        lines.push(format!("{indent}{line}").trim_end().to_owned());
    }
    lines.join("\n")
}

/// The words of a line, each with its blanks before.
fn words(line: &str) -> Vec<(&str, &str)> {
    let mut words = Vec::new();
    let mut rest = line;
    while !rest.trim_start_matches(' ').is_empty() {
        let word = rest.trim_start_matches(' ');
        let blanks = &rest[..rest.len() - word.len()];
        let end = word.find(' ').unwrap_or(word.len());
        words.push((blanks, &word[..end]));
        rest = &word[end..];
    }
    words
}

/// The number of bytes of the letters within so many columns; at least one letter.
fn fitting(text: &str, columns: usize) -> usize {
    let mut letters = text.char_indices().skip(1).map(|(end, _)| end);
    let too_wide = |end: &usize| text[..*end].width() > columns;
    let mut fitting = text.chars().next().map_or(0, char::len_utf8);
    while let Some(end) = letters.next().filter(|end| !too_wide(end)) {
        fitting = end;
    }
    if text.width() <= columns {
        text.len()
    } else {
        fitting
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words() {
        for (columns, expected) in [
            (80, "* one two three"),
            (11, "* one two\n  three"),
            (7, "* one\n  two\n  three"),
            (5, "* one\n  two\n  thr\n  ee"),
        ] {
            assert_eq!(
                wrapped("one two three", columns, "* ", "  ", true),
                expected,
                "{columns}"
            );
        }
        assert_eq!(wrapped("one three", 4, "", "", false), "one\nthree");
        assert_eq!(wrapped("", 10, "* ", "  ", true), "*");
        assert_eq!(wrapped("  a   b\nc", 10, "", " ", true), "  a   b\n c");
    }

    #[test]
    fn wide_letters_take_their_columns() {
        assert_eq!(wrapped("棋譜を残す", 4, "", "", true), "棋譜\nを残\nす");
        assert_eq!(wrapped("棋譜", 1, "", "", true), "棋\n譜");
        assert_eq!(wrapped("♞ ♞ ♞", 3, "", "", true), "♞ ♞\n♞");
    }
}
