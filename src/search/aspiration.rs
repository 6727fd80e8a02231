//! Aspiration windows: a score is looked for near what it was a half-move less deep, and further off only if
//! it is not there.

use super::Score;

/// A window and how far it was opened last. Scores between `alpha` and `beta` are exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aspiration {
    pub alpha: Score,
    pub beta: Score,
    reach: i32,
}

impl Aspiration {
    /// Every score is inside.
    pub const FULL: Aspiration =
        Aspiration { alpha: Score(-Score::INFINITE.0), beta: Score::INFINITE, reach: 0 };

    /// Less deep searches are fast, and their scores say little of the next.
    const LEAST_DEPTH: i32 = 5;
    /// In centipawns.
    const FIRST_REACH: i32 = 15;
    /// Beyond it the window is open.
    const LAST_REACH: i32 = 800;

    /// A narrow window around a score, for a search to `depth`; mates and shallow searches have the full one.
    pub fn around(score: Score, depth: i32) -> Self {
        let reach = Self::FIRST_REACH;
        match depth < Self::LEAST_DEPTH || score.is_mate() {
            true => Self::FULL,
            false => Aspiration { alpha: score - reach, beta: score + reach, reach },
        }
    }

    /// Whether a score is exact.
    pub fn contains(&self, score: Score) -> bool {
        self.alpha < score && score < self.beta
    }

    /// Opens the window on the side where `score` lies outside, twice as far as the last time.
    pub fn open(&mut self, score: Score) {
        self.reach *= 2;
        let reach = if self.reach > Self::LAST_REACH { 2 * Score::INFINITE.0 } else { self.reach };
        if score <= self.alpha {
            self.beta = Score((self.alpha.0 + self.beta.0) / 2);
            self.alpha = (score - reach).max(-Score::INFINITE);
        } else {
            self.beta = (score + reach).min(Score::INFINITE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_opens_where_the_score_lies_outside_until_all_is_inside() {
        for score in [Score(-900), Score(-3), Score(40), Score(2_000)] {
            let mut window = Aspiration::around(Score(10), 8);
            let mut steps = 0;
            while !window.contains(score) {
                // The least that a search can say of it.
                window.open(score.clamp(window.alpha, window.beta));
                steps += 1;
                assert!(steps <= 8, "{score:?}: {window:?}");
            }
        }
        assert!(Aspiration::around(Score(10), 8).contains(Score(24)));
        assert!(!Aspiration::around(Score(10), 8).contains(Score(25)));
    }

    #[test]
    fn mates_and_shallow_searches_have_no_window() {
        assert_eq!(Aspiration::around(Score(10), 4), Aspiration::FULL);
        assert_eq!(Aspiration::around(Score::mated_in(6), 20), Aspiration::FULL);
    }
}
