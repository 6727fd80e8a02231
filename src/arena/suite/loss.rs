//! The cost of a move: the reference's value of its own move less its value of the move played.

use serde::{Deserialize, Serialize};

use crate::rules::score::Score;

/// The worth of a mate for the mover, in centipawns. A mate is in hand: throwing one away is a
/// blunder however much is left.
const MATE: i32 = 2_000;
/// The bound of values, in centipawns: a game won or lost by fifteen pawns is won or lost. Being
/// mated counts the same, so nothing more can be lost in a lost position.
pub const DECIDED: i32 = 1_500;
/// The cost of a move for the mover; never below zero, for a move cannot be better than the best.
///
/// Both values come from the reference, from the mover's point of view. Mates are not numbers of
/// pawns:
/// * a slower mate costs nothing, and being mated sooner in a lost position costs nothing;
/// * a forced mate counts as 20 pawns and any other value as 15 at most, so a mate thrown away
///   costs 5 pawns or more;
/// * being mated counts as 15 pawns down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Loss {
    pub centipawns: i32,
    /// The difference of [`Score::winning_chances`] in percentage points, 0 to 100.
    pub chances: f64,
}

impl Loss {
    /// The loss of a move worth `played` where one worth `best` was there, both from the mover's
    /// point of view.
    pub fn new(best: Score, played: Score) -> Loss {
        Loss {
            centipawns: (worth(best) - worth(played)).max(0),
            chances: (best.winning_chances() - played.winning_chances()).max(0.0),
        }
    }

    /// The accuracy of a move, in percent: lichess's curve of the winning chances lost
    /// (<https://lichess.org/page/accuracy>).
    pub fn accuracy(self) -> f64 {
        let accuracy = 103.1668 * libm::exp(-0.04354 * self.chances) - 3.1669;
        accuracy.clamp(0.0, 100.0)
    }

    /// The loss in pawns.
    pub fn pawns(self) -> f64 {
        f64::from(self.centipawns) / 100.0
    }
}

/// The value in centipawns, with mates made comparable to other values.
fn worth(score: Score) -> i32 {
    if score.is_mate() {
        return if score.is_mated() { -DECIDED } else { MATE };
    }
    score.0.clamp(-DECIDED, DECIDED)
}

/// The grade of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Grade {
    Fine,
    Inaccuracy,
    Mistake,
    Blunder,
}

impl Grade {
    /// The annotators' sign: nothing, `?!`, `?`, `??`.
    pub fn sign(self) -> &'static str {
        match self {
            Grade::Fine => "",
            Grade::Inaccuracy => "?!",
            Grade::Mistake => "?",
            Grade::Blunder => "??",
        }
    }

    /// The numeric annotation glyph of PGN (standard, section 10).
    pub fn glyph(self) -> Option<&'static str> {
        match self {
            Grade::Fine => None,
            Grade::Inaccuracy => Some("$6"),
            Grade::Mistake => Some("$2"),
            Grade::Blunder => Some("$4"),
        }
    }
}

/// The measure of a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Measure {
    /// Winning chances, in percentage points.
    Chances,
    /// Centipawns.
    Centipawns,
}

/// The limits of the grades: a greater loss gets the grade. A loss exactly on a limit is still on
/// its better side, as in the paper ("more than 1.5").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bands {
    pub measure: Measure,
    /// `None`: there are only blunders, as in the paper.
    pub inaccuracy: Option<i32>,
    pub mistake: Option<i32>,
    pub blunder: i32,
}

/// Dehghani & Babamir 2017, section 6.1: a blunder loses more than 1.5 pawns.
impl Default for Bands {
    fn default() -> Self {
        Bands {
            measure: Measure::Centipawns,
            inaccuracy: None,
            mistake: None,
            blunder: 150,
        }
    }
}

impl Bands {
    /// Grades by winning chances: a pawn that decides nothing costs nothing. The limits are those
    /// of lichess, 5, 10 and 15 percentage points (10, 20 and 30 hundredths between -1 and 1).
    pub const BY_CHANCES: Bands = Bands {
        measure: Measure::Chances,
        inaccuracy: Some(5),
        mistake: Some(10),
        blunder: 15,
    };

    /// The grade of a loss.
    pub fn grade(&self, loss: Loss) -> Grade {
        let lost = match self.measure {
            Measure::Chances => loss.chances,
            Measure::Centipawns => f64::from(loss.centipawns),
        };
        let above = |limit: Option<i32>| limit.is_some_and(|limit| lost > f64::from(limit));
        if above(Some(self.blunder)) {
            Grade::Blunder
        } else if above(self.mistake) {
            Grade::Mistake
        } else if above(self.inaccuracy) {
            Grade::Inaccuracy
        } else {
            Grade::Fine
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn mate(moves: usize) -> Score {
        Score::mate_in(2 * moves - 1)
    }

    const fn mated(moves: usize) -> Score {
        Score::mated_in(2 * moves)
    }

    fn lost(best: Score, played: Score) -> f64 {
        Loss::new(best, played).pawns()
    }

    #[test]
    fn ordinary_losses_are_differences() {
        let moves = [(74, -123), (329, -1051), (10, 10)];
        assert_eq!(
            moves.map(|(best, played)| lost(Score(best), Score(played))),
            [1.97, 13.80, 0.0]
        );
        // The second search saw more of the move that was played.
        let better = Loss::new(Score(10), Score(40));
        assert_eq!((better.centipawns, better.chances), (0, 0.0));
    }

    #[test]
    fn mates_are_understood() {
        // Slower, and later: nothing.
        assert_eq!([lost(mate(2), mate(9)), lost(mated(9), mated(1))], [0.0; 2]);
        // A mate thrown away, whatever is left.
        for left in [-300, 0, 900, 1_499, 9_000, 30_000] {
            assert_eq!(
                Bands::default().grade(Loss::new(mate(3), Score(left))),
                Grade::Blunder,
                "{left}"
            );
        }
        assert_eq!(
            [Score(0), mated(2)].map(|left| lost(mate(3), left)),
            [20.0, 35.0]
        );
        // Into a mate: from a good position, from a bad one, from one that was lost.
        assert_eq!(
            [0, -1_400, -2_500].map(|before| lost(Score(before), mated(2))),
            [15.0, 1.0, 0.0]
        );
        // Beyond fifteen pawns there is nothing to tell.
        let beyond = [(5_000, 1_600), (-1_600, -5_000)];
        assert_eq!(
            beyond.map(|(best, played)| lost(Score(best), Score(played))),
            [0.0; 2]
        );
        // Better than was thought.
        assert_eq!(lost(Score(300), mate(5)), 0.0);
    }

    #[test]
    fn grades_by_chances_ask_what_a_loss_changes() {
        let graded = |best: Score, played: Score| Bands::BY_CHANCES.grade(Loss::new(best, played));
        // Ten pawns ahead or six: won is won. So is what was a mate.
        assert_eq!(graded(Score(1_005), Score(600)), Grade::Fine);
        assert_eq!(graded(Score(1_005), Score(486)), Grade::Inaccuracy);
        assert_eq!(graded(mate(3), Score(900)), Grade::Fine);
        assert_eq!(graded(Score(0), Score(-500)), Grade::Blunder);
        assert_eq!(graded(mate(1), Score(0)), Grade::Blunder);
        assert_eq!(graded(Score(30), mated(2)), Grade::Blunder);
        assert_eq!(graded(Score(20), Score(10)), Grade::Fine);
        let of = |chances| {
            Bands::BY_CHANCES.grade(Loss {
                centipawns: 0,
                chances,
            })
        };
        assert_eq!(
            [5.0, 5.1, 10.1, 15.0, 15.1].map(of),
            [
                Grade::Fine,
                Grade::Inaccuracy,
                Grade::Mistake,
                Grade::Mistake,
                Grade::Blunder
            ]
        );
    }

    #[test]
    fn bands_are_open_at_their_lower_end() {
        use Grade::{Blunder, Fine, Inaccuracy, Mistake};
        let bands = Bands {
            inaccuracy: Some(50),
            mistake: Some(100),
            ..Bands::default()
        };
        let grades = |bands: Bands| {
            [0, 50, 51, 100, 101, 150, 151].map(|centipawns| {
                bands.grade(Loss {
                    centipawns,
                    chances: 0.0,
                })
            })
        };
        assert_eq!(
            grades(bands),
            [
                Fine, Fine, Inaccuracy, Inaccuracy, Mistake, Mistake, Blunder
            ]
        );
        assert_eq!(
            grades(Bands::default()),
            [Fine, Fine, Fine, Fine, Fine, Fine, Blunder]
        );
    }
}
