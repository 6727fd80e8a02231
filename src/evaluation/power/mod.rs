//! The evaluation of Hesham, Abu-Elnasr & Elmougy, "A new action-based reasoning approach for playing chess",
//! Computers, Materials & Continua 69(1), 2021: a man's power is its own value, plus those of its defenders,
//! less those of its attackers (equation 2), or of all men of its chain (algorithms 2 and 3).
//!
//! White's power less Black's is a sum over contacts, of men with those that they attack or defend: a
//! defender adds its value to its own side, and an attacker takes it from the other. So
//!
//! ```text
//! value = sum of v(X) (1 + sum of w(Q) over all men Q that X touches), White's minus Black's
//! ```
//!
//! with w = 1 for direct contacts. The chain of a man P holds all men from which contacts lead to P, so a
//! contact with Q counts for every P that contacts lead to from Q. With `chain`, w(Q) is how many of these
//! are of Q's colour less how many are not; with `signed` it is how many there are.

mod weights;

pub use weights::PowerWeights;

use chess::{Board, Color, Piece};

use super::attacks::{Squares, count, for_each_man};
use super::readings::PowerChain;
use super::{Evaluator, Genome as _, Men, Readings, Tunable, explain};
use crate::score::Score;

/// The evaluation with a given set of weights.
#[derive(Clone, Debug)]
pub struct Power {
    weights: PowerWeights,
    chain: PowerChain,
}

/// A man with the men of either side that it attacks or defends.
#[derive(Clone, Copy, Debug)]
struct Man {
    color: Color,
    piece: Piece,
    square: usize,
    touches: u64,
}

/// The men from which the contacts of a board come, and where they lead.
struct Contacts {
    men: arrayvec::ArrayVec<Man, 64>,
    /// By square: this man and all that a chain of contacts leads to.
    reach: [u64; 64],
    white: u64,
}

impl Evaluator for Power {
    #[inline]
    fn evaluate(&self, board: &Board) -> Score {
        let mut sum = 0;
        self.for_each_factor(board, |man, factor| sum += self.value(man) * factor);
        Score((sum / self.scale()).clamp(-Score::MAX_EVALUATION, Score::MAX_EVALUATION))
    }
}

impl Power {
    /// What each man's value is multiplied with.
    #[inline]
    fn for_each_factor(&self, board: &Board, mut visit: impl FnMut(&Man, i32)) {
        if self.chain == PowerChain::Direct {
            return for_each_man(board, |color, piece, square, touches| {
                visit(&Man { color, piece, square, touches }, 1 + count(touches));
            });
        }
        let contacts = Contacts::of(board);
        for man in &contacts.men {
            let weights = Squares(man.touches).map(|touched| contacts.weight(self.chain, touched));
            visit(man, 1 + weights.sum::<i32>());
        }
    }

    /// Chains of whole boards add up to 116,000 and more, which is beyond what a score can say.
    fn scale(&self) -> i32 {
        if self.chain == PowerChain::Direct { 1 } else { 16 }
    }

    /// What a man is worth; Black's are negative.
    #[inline]
    fn value(&self, man: &Man) -> i32 {
        let (material, squares) = self.weights.kinds()[man.piece.to_index()];
        match man.color {
            Color::White => material + squares[man.square ^ 56],
            Color::Black => -(material + squares[man.square]),
        }
    }

    /// Equation 2, or algorithm 3, for one man, from White's point of view.
    fn power(&self, contacts: &Contacts, man: &Man) -> i32 {
        let chain = match self.chain {
            PowerChain::Direct => 1 << man.square,
            _ => contacts.chain(man),
        };
        let touching = contacts.men.iter().flat_map(|other| {
            let value = self.value(other);
            Squares(other.touches & chain).map(move |touched| (touched, value))
        });
        // Values have signs: from White's point of view, what an enemy's man takes from Black is White's.
        let terms = touching.map(|(touched, value)| match self.chain {
            PowerChain::Signed => value,
            _ if contacts.color(touched) == man.color => value,
            _ => -value,
        });
        self.value(man) + terms.sum::<i32>()
    }
}

impl Contacts {
    #[inline]
    fn of(board: &Board) -> Contacts {
        let white = board.color_combined(Color::White).0;
        let mut contacts = Contacts { men: arrayvec::ArrayVec::new(), reach: [0; 64], white };
        for_each_man(board, |color, piece, square, touches| {
            contacts.reach[square] = touches | 1 << square;
            contacts.men.push(Man { color, piece, square, touches });
        });
        // Warshall's algorithm: whatever leads to a man leads to what that man leads to.
        let occupied = board.combined().0;
        for through in Squares(occupied) {
            let beyond = contacts.reach[through];
            for from in Squares(occupied) {
                if contacts.reach[from] & 1 << through != 0 {
                    contacts.reach[from] |= beyond;
                }
            }
        }
        contacts
    }

    /// How often a contact with a man counts for the side that makes it.
    #[inline]
    fn weight(&self, chain: PowerChain, touched: usize) -> i32 {
        let reach = self.reach[touched];
        let white = count(reach & self.white);
        let black = count(reach & !self.white);
        match chain {
            PowerChain::Direct => 1,
            PowerChain::Signed => white + black,
            PowerChain::Chain if self.color(touched) == Color::White => white - black,
            PowerChain::Chain => black - white,
        }
    }

    #[inline]
    fn color(&self, square: usize) -> Color {
        if self.white & 1 << square != 0 { Color::White } else { Color::Black }
    }

    /// The men from which contacts lead to a man, with the man itself.
    fn chain(&self, man: &Man) -> u64 {
        let leads_there = self.men.iter().filter(|other| self.reach[other.square] & 1 << man.square != 0);
        leads_there.fold(0, |chain, other| chain | 1 << other.square)
    }

    /// The men that touch a man, of its own colour or of the other.
    fn touching(&self, man: &Man, is_own: bool) -> String {
        let touching =
            |other: &&Man| other.touches & 1 << man.square != 0 && (other.color == man.color) == is_own;
        let names = self.men.iter().filter(touching);
        names.map(|other| explain::man(other.color, other.piece, other.square)).collect::<Vec<_>>().join(" ")
    }
}

impl Default for Power {
    /// Direct contacts, with the values that the design of this evaluation settled.
    fn default() -> Self {
        Power::with_weights(PowerWeights::DEFAULT)
    }
}

impl Tunable for Power {
    type Weights = PowerWeights;

    fn with_weights(weights: PowerWeights) -> Self {
        Power { weights, chain: PowerChain::Direct }
    }

    fn weights(&self) -> &PowerWeights {
        &self.weights
    }

    fn read_as(self, readings: &Readings) -> Self {
        Power { chain: readings.power_chain, ..self }
    }

    fn coefficients(&self, board: &Board) -> Vec<f64> {
        let mut row = vec![0.0; PowerWeights::COUNT];
        self.for_each_factor(board, |man, factor| {
            let (signed, shown) = match man.color {
                Color::White => (factor, man.square ^ 56),
                Color::Black => (-factor, man.square),
            };
            let factor = f64::from(signed) / f64::from(self.scale());
            let piece = man.piece.to_index();
            row[piece] += factor;
            row[6 + 64 * piece + shown] += factor;
        });
        row
    }

    fn men(&self, board: &Board) -> Option<Men> {
        let contacts = Contacts::of(board);
        let is_direct = self.chain == PowerChain::Direct;
        let row = |man: &Man| {
            let mut row = vec![
                explain::man(man.color, man.piece, man.square),
                format!("{:+}", self.value(man)),
                contacts.touching(man, true),
                contacts.touching(man, false),
            ];
            if !is_direct {
                row.push(count(contacts.chain(man)).to_string());
            }
            row.push(format!("{:+}", self.power(&contacts, man)));
            row
        };
        let head = match is_direct {
            true => "Man | Value: | Defenders | Attackers | Power:",
            false => "Man | Value: | Defenders | Attackers | Chain: | Power:",
        };
        Some(Men { head, rows: contacts.men.iter().map(row).collect() })
    }
}

#[cfg(test)]
mod tests;
