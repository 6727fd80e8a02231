//! The window of a search: which scores still matter, and where the principal variation is expected.

use crate::score::Score;
use crate::search::Bound;

/// Scores strictly between `alpha` and `beta` are exact; outside, a bound is all that is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub alpha: Score,
    pub beta: Score,
    /// Whether the search expects the principal variation here. Its nodes are searched in full: they are not
    /// pruned, and the table does not answer for them, so that the line of best play is whole.
    pub principal: bool,
}

impl Window {
    /// Every score matters.
    #[cfg(test)]
    pub const FULL: Window =
        Window { alpha: Score(-Score::INFINITE.0), beta: Score::INFINITE, principal: true };

    /// The same window as the other side sees it.
    pub fn for_opponent(self) -> Self {
        Window { alpha: -self.beta, beta: -self.alpha, ..self }
    }

    /// Asks only whether a score is better than `alpha`.
    pub fn above_alpha(self) -> Self {
        Window { alpha: self.alpha, beta: self.alpha + 1, principal: false }
    }

    /// Asks only whether a score reaches `beta`.
    pub fn below_beta(self) -> Self {
        Window { alpha: self.beta - 1, beta: self.beta, principal: false }
    }

    /// The same scores, for a move that is expected on the principal variation only if this window is and
    /// `expected`.
    pub fn principal_if(self, expected: bool) -> Self {
        Window { principal: self.principal && expected, ..self }
    }

    /// Whether `score` is at most a bound from above.
    pub fn fails_low(self, score: Score) -> bool {
        score <= self.alpha
    }

    /// Whether `score` refutes the opponent's last move.
    pub fn fails_high(self, score: Score) -> bool {
        score >= self.beta
    }

    /// What a fail-soft search in this window has found out with `score`.
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

    /// Mate-distance pruning: at half-move `ply` nothing is worse than being mated here or better than mating
    /// with the next move.
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
