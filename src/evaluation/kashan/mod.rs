//! Kashan's own evaluation: Winglet's ideas and those that came after it. Every term has a weight for the
//! game with all men on the board and one for the endgame, and positions between are between in value.

mod bitbase;
mod endgames;
mod men;
mod pawns;
mod pressure;
mod sides;
mod tally;
pub mod terms;
pub mod weights;

pub use weights::KashanWeights;

use chess::{Board, Color};

use self::pawns::{PawnTable, Pawns};
use self::sides::{BISHOP, KNIGHT, Mirror, QUEEN, ROOK, Sides};
use self::tally::{Packed, Tables, Tally, Trace};
use self::terms::{TEMPO, TERMS};
use super::explain::{self, Explanation, Term};
use super::{Evaluator, Tunable};
use crate::position::is_insufficient_material;
use crate::score::Score;

/// Kashan's evaluation with a given set of [`KashanWeights`].
#[derive(Clone, Debug)]
pub struct Kashan {
    weights: KashanWeights,
    tables: Box<Tables>,
    pawns: PawnTable,
}

/// What a position's value is made of, as far as it is a sum of terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linear {
    /// How often each term is there, White's less Black's.
    pub times: [i32; TERMS],
    pub mixture: Mixture,
}

/// How the weights of both phases are mixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mixture {
    /// From 0, the endgame, to [`Mixture::ALL_MEN`].
    pub phase: i32,
    /// In 64ths: how much of an advantage in the endgame counts.
    pub scale: i32,
}

impl Mixture {
    /// Phase points of all men: knight and bishop 1, rook 2, queen 4.
    pub const ALL_MEN: i32 = 24;
    /// What the mixture is divided by.
    pub const WHOLE: i32 = Self::ALL_MEN * endgames::FULL;

    /// The parts of both phases' weights.
    pub fn parts(self) -> [i32; 2] {
        [self.phase * endgames::FULL, (Self::ALL_MEN - self.phase) * self.scale]
    }

    /// With weights at the ends of their ranges the products are beyond 32 bits.
    fn value(self, total: Packed) -> i32 {
        let [middle, end] = self.parts().map(i64::from);
        let sum = i64::from(total.middle()) * middle + i64::from(total.end()) * end;
        (sum / i64::from(Self::WHOLE)) as i32
    }
}

impl Kashan {
    /// The terms of a position; `None` for an endgame whose value is known.
    pub fn trace(&self, board: &Board) -> Option<Linear> {
        let mut sides = Sides::new(board);
        if endgames::known(&sides).is_some() {
            return None;
        }
        let mut trace = Trace([0; TERMS]);
        let pawns = terms(board, &mut sides, &mut trace, Pawns::new);
        let end: i32 =
            trace.0.iter().zip(&self.weights.phases[1]).map(|(times, weight)| times * weight).sum();
        Some(Linear { times: trace.0, mixture: mixture(&sides, &pawns, end) })
    }

    /// The terms of pawns and kings, added up before if the table has them.
    #[inline]
    fn known_pawns(&self, sides: &Sides, sum: &mut Sum<'_>) -> Pawns {
        let (pawns, value) = self.pawns.value(sides, || {
            let mut sum = Sum { tables: &self.tables, total: 0 };
            let pawns = Pawns::new(sides, &mut sum);
            (pawns, Packed(sum.total))
        });
        sum.total += value.0;
        pawns
    }
}

impl Default for Kashan {
    /// With the weights that it plays with.
    fn default() -> Self {
        Kashan::with_weights(KashanWeights::default())
    }
}

impl Evaluator for Kashan {
    #[inline]
    fn evaluate(&self, board: &Board) -> Score {
        let mut sides = Sides::new(board);
        let value = endgames::known(&sides).unwrap_or_else(|| {
            let mut sum = Sum { tables: &self.tables, total: 0 };
            let pawns = terms(board, &mut sides, &mut sum, |sides, sum| self.known_pawns(sides, sum));
            let total = Packed(sum.total);
            mixture(&sides, &pawns, total.end()).value(total)
        });
        Score(value.clamp(-Score::MAX_EVALUATION, Score::MAX_EVALUATION))
    }
}

impl Tunable for Kashan {
    type Weights = KashanWeights;

    fn with_weights(weights: KashanWeights) -> Self {
        bitbase::prepare();
        let tables = Tables::new(&weights.phases);
        Kashan { weights, tables, pawns: PawnTable::new() }
    }

    fn weights(&self) -> &KashanWeights {
        &self.weights
    }

    /// All 0 for an endgame whose value is known.
    fn coefficients(&self, board: &Board) -> Vec<f64> {
        let phases = self.trace(board).map_or([[0.0; TERMS]; 2], |Linear { times, mixture }| {
            mixture
                .parts()
                .map(|part| times.map(|times| f64::from(times) * f64::from(part) / f64::from(Mixture::WHOLE)))
        });
        weights::in_order(&phases)
    }

    fn explain(&self, board: &Board) -> Explanation {
        let mut terms = explain::terms(&self.weights, &self.coefficients(board));
        let known = endgames::known(&Sides::new(board));
        terms.push(Term {
            name: "known_endgame".to_owned(),
            about: "The value of an endgame that is known, where no other term counts.",
            value: f64::from(known.unwrap_or(0)),
        });
        let phase = self.trace(board).map(|Linear { mixture: Mixture { phase, scale }, .. }| {
            format!("phase {phase} of {}, endgame scale {scale} of {}", Mixture::ALL_MEN, endgames::FULL)
        });
        Explanation {
            terms,
            phase: Some(phase.unwrap_or_else(|| "a known endgame".to_owned())),
            is_dead: is_insufficient_material(board),
            total: self.evaluate(board),
        }
    }
}

/// Tells all terms of a position; `of_pawns` those of pawns and kings.
#[inline]
fn terms<T: Tally>(
    board: &Board,
    sides: &mut Sides,
    tally: &mut T,
    of_pawns: impl FnOnce(&Sides, &mut T) -> Pawns,
) -> Pawns {
    sides.prepare();
    let pawns = of_pawns(sides, tally);
    men::men::<true>(sides, &pawns, tally);
    men::men::<false>(sides, &pawns, tally);
    men::together(sides, &pawns, 0, 1, tally);
    men::together(sides, &pawns, 1, -1, tally);
    pressure::pressure::<true>(sides, &pawns, tally);
    pressure::pressure::<false>(sides, &pawns, tally);
    castling(board, tally);
    tally.add(TEMPO, if sides.white_moves { 1 } else { -1 });
    pawns
}

/// The right to castle is worth something until it is used.
#[inline]
fn castling(board: &Board, tally: &mut impl Tally) {
    for (color, sign) in [(Color::White, 1), (Color::Black, -1)] {
        let rights = board.castle_rights(color);
        if rights.has_kingside() {
            tally.add(terms::MAY_CASTLE_SHORT, sign);
        }
        if rights.has_queenside() {
            tally.add(terms::MAY_CASTLE_LONG, sign);
        }
    }
}

/// How far the game is, and how much of an advantage of `end` in the endgame can be won.
#[inline]
fn mixture(sides: &Sides, pawns: &Pawns, end: i32) -> Mixture {
    let both = |piece: usize| sides.counts[0][piece] + sides.counts[1][piece];
    let phase = both(KNIGHT) + both(BISHOP) + 2 * both(ROOK) + 4 * both(QUEEN);
    let ahead = usize::from(end < 0);
    let scale = endgames::scale(sides, pawns.count(ahead), ahead);
    Mixture { phase: phase.min(Mixture::ALL_MEN), scale }
}

/// Adds weights up.
struct Sum<'t> {
    tables: &'t Tables,
    total: i64,
}

impl Tally for Sum<'_> {
    #[inline]
    fn add(&mut self, term: usize, times: i32) {
        self.total += self.tables.terms[term].0 * i64::from(times);
    }

    #[inline]
    fn man(&mut self, piece: usize, square: usize, mirror: Mirror, sign: i32) {
        self.total += self.tables.men[mirror.index()][piece][square & 63].0 * i64::from(sign);
    }
}

#[cfg(test)]
mod tests;
