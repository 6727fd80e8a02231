//! Text in lines of a width.

use console::measure_text_width;

/// Breaks a text between words into lines of at most so many columns, those of `first` or `others`
/// in front included. Line breaks in the text stay, and so do the blanks inside a line. A word
/// longer than a line stands on a line of its own.
pub fn wrapped(text: &str, columns: usize, first: &str, others: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for paragraph in text.split('\n') {
        let indent = if lines.is_empty() { first } else { others };
        let mut line = indent.to_owned();
        let mut is_empty = true;
        for (blanks, word) in words(paragraph) {
            if !is_empty
                && measure_text_width(&line) + blanks.len() + measure_text_width(word) > columns
            {
                lines.push(line);
                line = others.to_owned();
            } else {
                line += blanks;
            }
            line += word;
            is_empty = false;
        }
        lines.push(line.trim_end().to_owned());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words() {
        for (columns, expected) in [
            (80, "* one two three"),
            (11, "* one two\n  three"),
            (7, "* one\n  two\n  three"),
            (5, "* one\n  two\n  three"),
        ] {
            assert_eq!(
                wrapped("one two three", columns, "* ", "  "),
                expected,
                "{columns}"
            );
        }
        assert_eq!(wrapped("", 10, "* ", "  "), "*");
        assert_eq!(wrapped("  a   b\nc", 10, "", " "), "  a   b\n c");
    }

    #[test]
    fn wide_letters_take_their_columns() {
        assert_eq!(wrapped("棋譜 を残す", 8, "", ""), "棋譜\nを残す");
        assert_eq!(wrapped("♞ ♞ ♞", 3, "", ""), "♞ ♞\n♞");
    }
}
