//! Scores in `info` lines, and as the rest of the program knows them.

use std::fmt;

use crate::score::{Bound, Score};

/// The number in a score, from the engine's point of view (that of the side to move).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreValue {
    /// `cp`
    Centipawns(i64),
    /// `mate`, in moves, not half-moves: the engine mates, or below zero is mated. 0 is mated already.
    Mate(i64),
}

/// `score cp 35 lowerbound`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InfoScore {
    pub value: ScoreValue,
    pub bound: Bound,
}

impl InfoScore {
    pub fn new(score: Score, bound: Bound) -> InfoScore {
        let value = match score.mate_moves() {
            Some(moves) => ScoreValue::Mate(i64::from(moves)),
            None => ScoreValue::Centipawns(i64::from(score.0)),
        };
        InfoScore { value, bound }
    }

    /// The value as a [`Score`], from the engine's point of view, whatever the bound. What is too large is
    /// cut to the range of one.
    pub fn score(self) -> Score {
        match self.value {
            ScoreValue::Mate(moves) => Score::of_mate(moves),
            ScoreValue::Centipawns(centipawns) => {
                let most = i64::from(Score::MAX_EVALUATION);
                Score(centipawns.clamp(-most, most) as i32)
            }
        }
    }
}

impl fmt::Display for InfoScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value {
            ScoreValue::Centipawns(centipawns) => write!(f, "cp {centipawns}")?,
            ScoreValue::Mate(moves) => write!(f, "mate {moves}")?,
        }
        f.write_str(match self.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::ScoreValue::{Centipawns, Mate};
    use super::*;

    #[test]
    fn mates_are_counted_in_moves_and_what_is_beyond_every_score_is_cut() {
        let written = |score| InfoScore::new(score, Bound::Exact).value;
        let read = |value| InfoScore { value, bound: Bound::Exact }.score();
        for (score, value) in [
            (Score::mate_in(1), Mate(1)),
            (Score::mate_in(3), Mate(2)),
            (Score::mated_in(0), Mate(0)),
            (Score::mated_in(2), Mate(-1)),
            (Score::mated_in(4), Mate(-2)),
            (Score(156), Centipawns(156)),
            (Score(-30_000), Centipawns(-30_000)),
        ] {
            assert_eq!((written(score), read(value)), (value, score));
        }
        // A mate seen from the other side of a half-move is in the same move.
        assert_eq!([Score::mate_in(2), Score::mated_in(1)].map(written), [Mate(1), Mate(-1)]);
        assert_eq!([i64::MIN, i64::MAX].map(Centipawns).map(read), [Score(-30_000), Score(30_000)]);
        assert!(read(Mate(i64::MIN)).is_lost() && read(Mate(i64::MAX)) > Score(30_000));
    }
}
