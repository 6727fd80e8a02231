//! A part of long work, for one of several machines.

use std::fmt;
use std::str::FromStr;

/// Into more parts no work is divided.
const MOST_PARTS: u32 = 10_000;

/// Every N-th item, beginning with the K-th: `2/5` is the second of five parts. All N parts together have
/// every item once.
///
/// ```
/// use kashan::jobs::Part;
/// let part: Part = "2/5".parse()?;
/// assert!(part.has(1) && part.has(6) && !part.has(2));
/// assert_eq!(part.count(7), 2);
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Part {
    of: u32,
    /// From 1.
    number: u32,
}

impl Part {
    /// Where the settings of a journal say which part it is of.
    pub const KEY: &str = "part";

    /// All parts of the work that this is one of.
    pub fn all(self) -> impl Iterator<Item = Part> {
        (1..=self.of).map(move |number| Part { number, ..self })
    }

    /// Whether an item, counted from 0, belongs to it.
    pub fn has(self, item: usize) -> bool {
        item % self.of as usize == self.number as usize - 1
    }

    /// Whether a game, counted from 1, belongs to it: of matches the items are pairs of games.
    pub fn has_game(self, number: u32) -> bool {
        self.has(number.saturating_sub(1) as usize / 2)
    }

    /// How many of so many items belong to it.
    pub fn count(self, items: usize) -> usize {
        items.saturating_sub(self.number as usize - 1).div_ceil(self.of as usize)
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Part, String> {
        let numbers =
            text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((number, of)) if of <= MOST_PARTS && (1..=of).contains(&number) => Ok(Part { of, number }),
            _ => Err(format!(
                "a part is K/N, with K from 1 to N, and N to {MOST_PARTS}: 2/5 is the second of five"
            )),
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_parts_together_have_every_item_once() {
        for of in 1..=6 {
            let first = part(&format!("1/{of}"));
            assert_eq!(first.all().count(), of);
            for items in 0..20 {
                for item in 0..items {
                    assert_eq!(first.all().filter(|part| part.has(item)).count(), 1, "{item} of {of} parts");
                }
                for part in first.all() {
                    let count = (0..items).filter(|&item| part.has(item)).count();
                    assert_eq!(part.count(items), count, "{part}");
                }
            }
        }
        assert_eq!(part("10000/10000").count(7), 0);
    }

    fn part(text: &str) -> Part {
        text.parse().expect("a part")
    }

    #[test]
    fn what_is_no_part_is_refused() {
        assert_eq!(part("2/5").to_string(), "2/5");
        for text in
            ["", "2", "/", "0/5", "6/5", "0/0", "-1/5", "1/2/3", "1/x", "1.5/2", "1/10001", "3/4294967295"]
        {
            assert!(text.parse::<Part>().is_err_and(|error| error.contains("K/N")), "{text}");
        }
    }
}
