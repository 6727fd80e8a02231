//! Something that is true or not of each of two, asked of both for the same positions.

use serde::Serialize;

use super::verdict::ClaimVerdict;
use crate::suite::Rate;

/// With fewer positions in which it is true of only one of the two, nothing is decided: of seven such runs
/// one would have 4 to 0 by chance.
const LEAST: usize = 10;

/// In how many positions it is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Paired {
    pub of: usize,
    pub first: usize,
    pub second: usize,
    pub only_first: usize,
    pub only_second: usize,
}

impl Paired {
    pub fn new(pairs: impl IntoIterator<Item = [bool; 2]>) -> Paired {
        let pairs: Vec<[bool; 2]> = pairs.into_iter().collect();
        let count = |wanted: fn(&[bool; 2]) -> bool| pairs.iter().filter(|pair| wanted(pair)).count();
        Paired {
            of: pairs.len(),
            first: count(|pair| pair[0]),
            second: count(|pair| pair[1]),
            only_first: count(|pair| *pair == [true, false]),
            only_second: count(|pair| *pair == [false, true]),
        }
    }

    /// On the claim that it is true of the first more often, by the positions in which it is true of only one
    /// of the two, as in McNemar's test: the interval of the first one's share of them is Wilson's.
    pub fn verdict(&self) -> ClaimVerdict {
        let tried = format!("{} positions", self.of);
        match Rate::new(self.only_first, self.only_first + self.only_second) {
            Some(rate) if rate.of >= LEAST => {
                ClaimVerdict::of_interval(true, 0.5, rate.lower, rate.upper, tried)
            }
            _ => ClaimVerdict::NotDecided(tried),
        }
    }

    /// `11 of 40 with power, 29 with squares; 2 with power alone, 20 with squares alone`
    pub fn in_words(&self, [first, second]: [&str; 2]) -> String {
        format!(
            "{} of {} {first}, {} {second}; {} {first} alone, {} {second} alone",
            self.first, self.of, self.second, self.only_first, self.only_second
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_positions_that_differ_decide() {
        let paired = |both: usize, first: usize, second: usize, neither: usize| {
            let pairs =
                [([true; 2], both), ([true, false], first), ([false, true], second), ([false; 2], neither)];
            Paired::new(pairs.into_iter().flat_map(|(pair, times)| std::iter::repeat_n(pair, times)))
        };
        let open = |tried: &str| ClaimVerdict::NotDecided(tried.to_owned());
        assert_eq!(paired(9, 20, 2, 5).verdict(), ClaimVerdict::Confirmed);
        assert_eq!(paired(9, 2, 20, 5).verdict(), ClaimVerdict::Refuted);
        assert_eq!(paired(30, 12, 13, 0).verdict(), open("55 positions"));
        assert_eq!(paired(30, 0, 0, 50).verdict(), open("80 positions"));
        assert_eq!(paired(3, 4, 0, 5).verdict(), open("12 positions"), "by chance");
        let words = paired(9, 20, 2, 5).in_words(["by one", "by two"]);
        assert_eq!(words, "29 of 36 by one, 11 by two; 20 by one alone, 2 by two alone");
    }
}
