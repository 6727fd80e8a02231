//! What a value is made of, for people.

use chess::{Color, Piece};

use super::{Genome, attacks};
use crate::score::Score;

/// What one weight (or one row of them) adds to a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// The weight's name, as it is declared.
    pub name: String,
    pub about: &'static str,
    /// In centipawns, from White's point of view.
    pub value: f64,
}

/// A value and all its parts.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// Every weight, in the order of declaration, those that add nothing included. Their sum is the total,
    /// but for its rounding to a whole number, and unless it was cut to [`Score::MAX_EVALUATION`].
    pub terms: Vec<Term>,
    /// The phase of the game in a few words, for an evaluation whose weights depend on it.
    pub phase: Option<String>,
    /// Whether nobody can mate with what is left, and therefore nothing counts.
    pub is_dead: bool,
    /// What [`Evaluator::evaluate`](super::Evaluator::evaluate) says: from White's point of view.
    pub total: Score,
}

/// What each man is worth: a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Men {
    /// The columns, as [`Table::headed`](crate::display::Table::headed) reads them. The first is the man, the
    /// last its worth from White's point of view.
    pub head: &'static str,
    /// White's men first, pawn to king.
    pub rows: Vec<Vec<String>>,
}

/// A man as boards show it, with its square: `Nf3` is White's, `nf6` Black's.
pub(super) fn man(color: Color, piece: Piece, square: usize) -> String {
    format!("{}{}", piece.to_string(color), attacks::square(square))
}

/// The terms of a value that is a sum of products: each weight with its coefficient, rows of weights
/// together.
pub(super) fn terms<W: Genome>(weights: &W, coefficients: &[f64]) -> Vec<Term> {
    let mut terms: Vec<Term> = Vec::new();
    for ((spec, weight), coefficient) in W::table().iter().zip(weights.to_row()).zip(coefficients) {
        // Nothing is added so that no zero is negative.
        let value = f64::from(weight) * coefficient / f64::from(W::PER_CENTIPAWN) + 0.0;
        match terms.last_mut() {
            Some(term) if term.name == spec.field() => term.value += value,
            _ => terms.push(Term { name: spec.field().to_owned(), about: spec.about, value }),
        }
    }
    terms
}
