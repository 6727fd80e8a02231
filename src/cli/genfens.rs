//! `genfens N seed S book B`: positions for OpenBench to let games begin in, for data generation.
//!
//! Its workers start an engine as `./engine "genfens 64 seed 7 book Books/x.epd" "quit"` and read the lines
//! `info string genfens FEN`.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::{Context as _, bail};

use super::{position, print};
use crate::arena::openings::OpeningSource;
use crate::arena::referee::Referee;
use crate::tuning::samples;

/// The one of the program's arguments that asks for positions.
pub fn asked(arguments: impl Iterator<Item = OsString>) -> Option<String> {
    let mut arguments = arguments.skip(1).filter_map(|argument| argument.into_string().ok());
    arguments.find(|argument| argument.split_whitespace().next() == Some("genfens") && argument.contains(' '))
}

/// Prints as many positions as the line asks for. The same line prints the same ones.
///
/// # Errors
/// A line that is none of OpenBench's, a book that cannot be read or has no even positions.
pub fn run(line: &str) -> anyhow::Result<()> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let (count, seed, book) = match words.as_slice() {
        // More may follow, as the test's author wants it; nothing is known yet.
        ["genfens", count, "seed", seed, "book", book, ..] => {
            let number = |what: &str, text: &str| {
                text.parse::<u64>().with_context(|| format!("genfens: {what} {text} is no number"))
            };
            (number("the count", count)? as usize, number("the seed", seed)?, *book)
        }
        _ => bail!("{line}: it is genfens N seed S book NONE or a file"),
    };
    let starts = match book.eq_ignore_ascii_case("none") {
        true => Vec::new(),
        false => {
            let source = OpeningSource { file: Some(PathBuf::from(book)), ..OpeningSource::default() };
            let openings = source.choose(seed, count.min(MOST_STARTS))?;
            let starts = openings.iter().map(|opening| position(&Referee::new(opening)?.fen()));
            starts.collect::<anyhow::Result<_>>()?
        }
    };
    for position in samples::openings(seed, starts).take(count) {
        print(&format!("info string genfens {}\n", position?.to_fen()))?;
    }
    Ok(())
}

/// More positions of a book are not needed for any number of openings.
const MOST_STARTS: usize = 100_000;
