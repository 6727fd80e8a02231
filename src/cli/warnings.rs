//! Warnings of what was left out of the input, for standard error: the answer on standard output stays clean.

use std::fmt::Display;

/// Of more warnings only the first are shown: a file of the wrong kind is wrong in every line.
const SHOWN: usize = 20;

/// The lines to show: the first warnings, and how many more there are. `--json` has all of them.
pub fn first<T: Display>(warnings: &[T]) -> impl Iterator<Item = String> {
    let more = warnings.len().saturating_sub(SHOWN);
    let rest = (more > 0).then(|| format!("... and {more} more (--json names them all)"));
    warnings.iter().take(SHOWN).map(T::to_string).chain(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_are_shown() {
        let lines = |count: usize| first(&(1..=count).collect::<Vec<_>>()).collect::<Vec<_>>();
        assert!(lines(0).is_empty());
        assert_eq!((lines(20).len(), lines(20)[19].as_str()), (20, "20"));
        assert_eq!((lines(22).len(), lines(22)[19].as_str()), (21, "20"));
        assert_eq!(lines(22)[20], "... and 2 more (--json names them all)");
    }
}
