//! Scores: centipawns, with mates at the far ends.

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// A value in centipawns; positive is good for whoever the context says (the side to move in a search,
/// White in the evaluation and in the reservation tree).
///
/// Mates lie beyond every evaluation: `Score::mate_in(n)` for a mate delivered at half-move `n` from the root.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(pub i32);

impl Score {
    pub const DRAW: Score = Score(0);
    /// Beyond every score that can occur.
    pub const INFINITE: Score = Score(32_001);
    const MATE: i32 = 32_000;
    /// The largest absolute value of an evaluation.
    pub const MAX_EVALUATION: i32 = 30_000;

    /// The side that the score belongs to mates at half-move `ply`.
    pub const fn mate_in(ply: usize) -> Score {
        Score(Self::MATE - ply as i32)
    }

    /// The side that the score belongs to is mated at half-move `ply`.
    pub const fn mated_in(ply: usize) -> Score {
        Score(ply as i32 - Self::MATE)
    }

    /// Half-moves from the root to the mate, positive if the score's side mates, negative if it is mated;
    /// `None` for an ordinary score.
    pub fn mate_distance(self) -> Option<i32> {
        if self.0 > Self::MAX_EVALUATION {
            Some(Self::MATE - self.0)
        } else if self.0 < -Self::MAX_EVALUATION {
            Some(-Self::MATE - self.0)
        } else {
            None
        }
    }

    /// Whether the score's side is mated.
    pub fn is_lost(self) -> bool {
        self.0 < -Self::MAX_EVALUATION
    }

    /// Whether the score is a mate for either side.
    pub fn is_mate(self) -> bool {
        self.0.abs() > Self::MAX_EVALUATION
    }
}

impl Neg for Score {
    type Output = Score;
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Score;
    fn add(self, centipawns: i32) -> Score {
        Score(self.0 + centipawns)
    }
}

impl Sub<i32> for Score {
    type Output = Score;
    fn sub(self, centipawns: i32) -> Score {
        Score(self.0 - centipawns)
    }
}

/// Pawns with two digits (`+0.35`), or `#3` and `#-3` for mates in full moves.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate_distance() {
            Some(plies) if plies >= 0 && *self > Score::DRAW => write!(f, "#{}", (plies + 1) / 2),
            Some(plies) => write!(f, "#-{}", (1 - plies) / 2),
            None => write!(f, "{:+.2}", f64::from(self.0) / 100.0),
        }
    }
}
