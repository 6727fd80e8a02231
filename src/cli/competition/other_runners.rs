//! The options of cutechess-cli and fastchess, answered with ours.

use std::ffi::OsString;

use anyhow::bail;

/// The table of the help: their options, and ours in their place.
pub const TABLE: &str = include_str!("coming_from.txt");

/// Refuses options of cutechess-cli and fastchess, which have one dash: `-engine`, `-each`.
///
/// # Errors
/// The command line has such options; the text has the lines of the table for them.
pub fn refuse_other_runners(line: impl IntoIterator<Item = OsString>) -> anyhow::Result<()> {
    let words: Vec<String> = line
        .into_iter()
        .skip(1)
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let Some(first) = words.first() else {
        return Ok(());
    };
    let may_be_theirs = first.starts_with('-') || ["match", "tournament"].contains(&first.as_str());
    if !may_be_theirs {
        return Ok(());
    }
    let is_given = |option: &str| words.iter().any(|word| word == option);
    let mut lines = String::new();
    for line in TABLE.lines() {
        if options_of(line).any(is_given) {
            lines += line;
            lines += "\n";
        }
    }
    if !lines.is_empty() {
        bail!(
            "these are options of cutechess-cli and fastchess. Here they are called:\n\n{lines}\nThe whole table is at the end of \"kashan match --help\"."
        );
    }
    Ok(())
}

/// The options of other runners in a line of the table: those with one dash.
fn options_of(line: &str) -> impl Iterator<Item = &str> {
    let words = line.split([' ', ',', '"', ';']);
    words.filter(|word| word.len() > 2 && word.starts_with('-') && !word.starts_with("--"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(line: &str) -> String {
        let words = line.split(' ').map(OsString::from);
        refuse_other_runners(words)
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default()
    }

    #[test]
    fn options_of_other_runners_are_answered_with_ours() {
        let text =
            answer("kashan match -engine cmd=A -engine cmd=B -each tc=10+0.1 -rounds 50 -repeat");
        for part in [
            "kashan match A B",
            "--each 1:limits=40/60",
            "--games 100",
            "--each restart=true",
        ] {
            assert!(text.contains(part), "{text}");
        }
        assert!(
            !text.contains("--concurrency") && !text.contains("--sprt"),
            "{text}"
        );
        assert!(answer("kashan -engine cmd=A").contains("kashan match A B"));
        assert!(answer("kashan match A B -variant fischerandom").contains("stay with"));
        // A tablebase path is -tb's, and -s of "-srand" is no option of theirs.
        assert_eq!(answer("kashan match A B --tc 1+1 -s"), "");
        assert_eq!(answer("kashan solve -engine"), "");
        assert_eq!(answer("kashan"), "");
    }
}
