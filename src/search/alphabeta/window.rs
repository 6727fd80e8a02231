//! The windows of a search, with the expectation of the principal variation, and the aspiration
//! window of the root.

use crate::search::{Bound, Score};

/// Scores strictly between `alpha` and `beta` are exact; outside, a bound is enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub alpha: Score,
    pub beta: Score,
    /// True if the search expects the principal variation here. Its nodes are searched in full:
    /// without pruning and table cutoffs, so the line of best play is whole.
    pub principal: bool,
}

impl Window {
    /// Every score matters.
    #[cfg(test)]
    pub const FULL: Window = Window {
        alpha: Score(-Score::INFINITE.0),
        beta: Score::INFINITE,
        principal: true,
    };

    /// The same window from the other side.
    pub fn for_opponent(self) -> Self {
        Window {
            alpha: -self.beta,
            beta: -self.alpha,
            ..self
        }
    }

    /// Asks only whether a score is better than `alpha`.
    pub fn above_alpha(self) -> Self {
        Window {
            alpha: self.alpha,
            beta: self.alpha + 1,
            principal: false,
        }
    }

    /// Asks only whether a score reaches `beta`.
    pub fn below_beta(self) -> Self {
        Window {
            alpha: self.beta - 1,
            beta: self.beta,
            principal: false,
        }
    }

    /// The same window for a move; on the principal variation only if this window is and
    /// `expected`.
    pub fn principal_if(self, expected: bool) -> Self {
        Window {
            principal: self.principal && expected,
            ..self
        }
    }

    /// Returns true if `score` fails low: it is only an upper bound.
    pub fn fails_low(self, score: Score) -> bool {
        score <= self.alpha
    }

    /// Returns true if `score` refutes the opponent's last move.
    pub fn fails_high(self, score: Score) -> bool {
        score >= self.beta
    }

    /// The bound of `score` after a fail-soft search in this window.
    pub fn bound_of(self, score: Score) -> Bound {
        if self.fails_high(score) {
            Bound::Lower
        } else if self.fails_low(score) {
            Bound::Upper
        } else {
            Bound::Exact
        }
    }

    /// A score inside was found: worse ones no longer matter.
    pub fn raise_alpha(&mut self, score: Score) {
        self.alpha = self.alpha.max(score);
    }

    /// Mate-distance pruning: at half-move `ply` nothing is worse than being mated here or better
    /// than mating with the next move.
    pub fn within_mates(self, ply: usize) -> Self {
        Window {
            alpha: self.alpha.max(Score::mated_in(ply)),
            beta: self.beta.min(Score::mate_in(ply + 1)),
            ..self
        }
    }

    pub fn is_empty(self) -> bool {
        self.alpha >= self.beta
    }
}

/// An aspiration window: around the score of a half-move less, opened where the search fails.
/// Scores between `alpha` and `beta` are exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::search) struct Aspiration {
    pub alpha: Score,
    pub beta: Score,
    /// The last distance by which a bound was opened.
    half_width: i32,
}

impl Aspiration {
    /// Every score is inside.
    pub const FULL: Aspiration = Aspiration {
        alpha: Score(-Score::INFINITE.0),
        beta: Score::INFINITE,
        half_width: 0,
    };

    /// Less deep searches are fast, and their scores say little of the next.
    const LEAST_DEPTH: i32 = 5;
    /// The first distance of the bounds, in centipawns.
    const FIRST_HALF_WIDTH: i32 = 15;
    /// Beyond this reach the window is open.
    const LAST_HALF_WIDTH: i32 = 800;

    /// A narrow window around a score, for a search to `depth`; mates and shallow searches have the
    /// full one.
    pub fn around(score: Score, depth: i32) -> Self {
        let half_width = Self::FIRST_HALF_WIDTH;
        match depth < Self::LEAST_DEPTH || score.is_mate() {
            true => Self::FULL,
            false => Aspiration {
                alpha: score - half_width,
                beta: score + half_width,
                half_width,
            },
        }
    }

    /// Returns true if a score is exact.
    pub fn contains(&self, score: Score) -> bool {
        self.alpha < score && score < self.beta
    }

    /// Opens the window on the side where `score` lies outside, twice as far as the last time.
    pub fn open(&mut self, score: Score) {
        self.half_width *= 2;
        let half_width = if self.half_width > Self::LAST_HALF_WIDTH {
            2 * Score::INFINITE.0
        } else {
            self.half_width
        };
        if score <= self.alpha {
            self.beta = Score((self.alpha.0 + self.beta.0) / 2);
            self.alpha = (score - half_width).max(-Score::INFINITE);
        } else {
            self.beta = (score + half_width).min(Score::INFINITE);
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
