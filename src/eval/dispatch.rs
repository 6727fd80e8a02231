//! The evaluations to choose from, each with its weights.

use std::ops::Range;
use std::sync::Arc;

use chess::Board;

use super::genome::{Field, WeightSpec, placed};
use super::interpretations::Interpretations;
use super::{
    Evaluator, Explanation, Factors, NetworkEvaluator, PieceTable, Power, Term, Threats, Tunable,
    Winglet,
};
use super::{factors, power, threats, winglet};
use crate::choice;
use crate::rules::score::Score;

choice! {
    /// The choices of the option `Evaluation`: an evaluation with its default weights.
    Evaluation {
        /// [`Winglet`](super::Winglet) with the material of Dehghani & Babamir 2017, table 2 (its
        /// pawn is misprinted as 500).
        Paper = "paper",
        /// [`Winglet`](super::Winglet) as published: knight and bishop are worth the same.
        Winglet = "winglet",
        /// [`NetworkEvaluator`](super::NetworkEvaluator) with the built-in network. It has no table
        /// of weights.
        Network = "network",
        /// [`Factors`](super::Factors) with its evolved weights.
        Factors = "factors",
        /// [`Power`](super::Power): pieces with their defenders and attackers.
        Power = "power",
        /// [`Threats`](super::Threats): pieces by whether they are threatened or defended.
        Threats = "threats",
    }
}

/// Any evaluation with weights, by a pointer: all of them share one compiled search.
pub type Dynamic = Arc<dyn Tunable + Sync>;

impl Evaluator for Dynamic {
    fn evaluate(&self, board: &Board) -> Score {
        self.as_ref().evaluate(board)
    }
}

/// An evaluation with the weights of a [`WeightSet`]. Searches are compiled twice: for the network
/// without a pointer in the way, and for all others.
pub(crate) enum ForSearch {
    Network(Box<NetworkEvaluator>),
    Other(Dynamic),
}

impl ForSearch {
    pub fn as_tunable(&self) -> &dyn Tunable {
        match self {
            ForSearch::Network(evaluator) => evaluator.as_ref(),
            ForSearch::Other(evaluator) => evaluator.as_ref(),
        }
    }
}

impl Evaluator for ForSearch {
    fn evaluate(&self, board: &Board) -> Score {
        self.as_tunable().evaluate(board)
    }
}

impl Evaluation {
    /// Name, default, range and meaning of each weight.
    pub fn table(self) -> Vec<WeightSpec> {
        let mut defaults = self.defaults().into_iter();
        let mut table = Vec::with_capacity(defaults.len());
        for (
            &Field {
                about, min, max, ..
            },
            field,
            range,
        ) in self.placed()
        {
            for (index, default) in defaults.by_ref().take(range.len()).enumerate() {
                let name = if range.len() == 1 {
                    field.clone()
                } else {
                    format!("{field}[{index}]")
                };
                table.push(WeightSpec {
                    name,
                    default,
                    min,
                    max,
                    about,
                });
            }
        }
        table
    }

    /// Each field of the weights, its name, and where its numbers are in the row.
    pub(super) fn placed(self) -> impl Iterator<Item = (&'static Field, String, Range<usize>)> {
        placed(match self {
            Evaluation::Paper | Evaluation::Winglet => winglet::FIELDS,
            Evaluation::Network => &[],
            Evaluation::Factors => factors::FIELDS,
            Evaluation::Power => power::FIELDS,
            Evaluation::Threats => threats::FIELDS,
        })
    }

    /// The size of one centipawn in the numbers of the row.
    pub fn per_centipawn(self) -> i32 {
        if self == Evaluation::Factors {
            factors::PER_CENTIPAWN
        } else {
            1
        }
    }

    pub(super) fn defaults(self) -> Vec<i32> {
        let mut row: Vec<i32> = self
            .placed()
            .flat_map(|(field, ..)| field.defaults)
            .copied()
            .collect();
        if self == Evaluation::Winglet {
            row[winglet::BISHOP] = row[winglet::KNIGHT];
        }
        row
    }
}

/// An evaluation with all its weights: the recipe for an evaluator.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightSet {
    evaluation: Evaluation,
    row: Vec<i32>,
    interpretations: Interpretations,
}

impl WeightSet {
    /// The default weights of an evaluation.
    pub fn of(evaluation: Evaluation) -> Self {
        WeightSet {
            evaluation,
            row: evaluation.defaults(),
            interpretations: Interpretations::default(),
        }
    }

    /// Any weights for an evaluation, in the order of [`Evaluation::table`]; each is brought into
    /// its range. Missing numbers at the end are the defaults.
    pub fn with_row(evaluation: Evaluation, row: &[i32]) -> Self {
        let mut set = WeightSet::of(evaluation);
        for ((weight, &number), spec) in set.row.iter_mut().zip(row).zip(evaluation.table()) {
            *weight = number.clamp(spec.min, spec.max);
        }
        set
    }

    /// The same without the ranges: players of a tuning stay within ranges of their own.
    pub fn with_any_row(evaluation: Evaluation, row: &[i32]) -> Self {
        WeightSet {
            evaluation,
            row: row.to_vec(),
            interpretations: Interpretations::default(),
        }
    }

    /// The same weights in an evaluation with these interpretations of its source.
    pub fn interpreted(self, interpretations: Interpretations) -> Self {
        WeightSet {
            interpretations,
            ..self
        }
    }

    pub fn evaluation(&self) -> Evaluation {
        self.evaluation
    }

    /// The weights in the order of [`Evaluation::table`].
    pub fn row(&self) -> &[i32] {
        &self.row
    }

    /// The evaluator for these weights.
    pub(crate) fn evaluator(&self) -> ForSearch {
        let row = self.row.as_slice();
        ForSearch::Other(match self.evaluation {
            Evaluation::Network => return ForSearch::Network(Box::default()),
            Evaluation::Paper | Evaluation::Winglet => Arc::new(Winglet::new(row)),
            Evaluation::Factors => Arc::new(Factors::new(row)),
            Evaluation::Power => Arc::new(Power::new(row, self.interpretations.power_chain)),
            Evaluation::Threats => Arc::new(Threats::new(row, self.interpretations.clone())),
        })
    }

    /// The value of a board, see [`Evaluator::evaluate`](super::Evaluator::evaluate). Makes an
    /// evaluator for each call: not for a search.
    pub fn evaluate(&self, board: &Board) -> Score {
        self.evaluator().evaluate(board)
    }

    /// Takes the value of a board apart.
    pub fn explain(&self, board: &Board) -> Explanation {
        let evaluator = self.evaluator();
        let coefficients = evaluator.as_tunable().coefficients(board);
        let units = f64::from(self.evaluation.per_centipawn());
        let terms = self.evaluation.placed().map(|(field, name, range)| {
            let products =
                range.map(|index| f64::from(self.row[index]) * coefficients[index] / units);
            // Nothing is added so that no zero is negative.
            Term {
                name,
                about: field.about,
                value: products.sum::<f64>() + 0.0,
            }
        });
        evaluator.as_tunable().explain(board, terms.collect())
    }

    /// Every piece with its worth, for an evaluation of pieces one by one.
    pub fn piece_table(&self, board: &Board) -> Option<PieceTable> {
        self.evaluator().as_tunable().piece_table(board)
    }
}

#[cfg(test)]
mod tests {
    use strum::VariantArray;

    use super::*;
    use crate::eval::interpretations::PowerChain;
    use crate::eval::tests::{mirrored, random_positions};

    fn with_weights() -> impl Iterator<Item = Evaluation> {
        let all = Evaluation::VARIANTS.iter().copied();
        all.filter(|&evaluation| evaluation != Evaluation::Network)
    }

    #[test]
    fn every_evaluation_has_a_table_of_its_defaults() {
        for &evaluation in Evaluation::VARIANTS {
            let set = WeightSet::of(evaluation);
            let table = evaluation.table();
            assert_eq!(table.len(), set.row().len());
            for (spec, &weight) in table.iter().zip(set.row()) {
                assert_eq!(spec.default, weight, "{}", spec.name);
                assert!((spec.min..=spec.max).contains(&weight), "{}", spec.name);
            }
            assert_eq!(WeightSet::with_row(evaluation, set.row()), set);
            assert_eq!(WeightSet::with_row(evaluation, &[]), set);
        }
    }

    /// With the largest weights of all, and with queens wherever they can stand.
    #[test]
    fn weights_are_brought_into_their_range_and_no_value_is_as_large_as_a_mate() {
        let board: Board = "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/8/8/8/1PP5/k1K5 b - - 0 1"
            .parse()
            .expect("a board");
        for evaluation in with_weights() {
            let table = evaluation.table();
            let set = WeightSet::with_row(evaluation, &vec![i32::MAX; table.len()]);
            assert!(
                set.row().iter().eq(table.iter().map(|spec| &spec.max)),
                "{evaluation:?}"
            );
            for &power_chain in PowerChain::VARIANTS {
                let set = set.clone().interpreted(Interpretations {
                    power_chain,
                    ..Default::default()
                });
                let value = set.evaluate(&board);
                assert_eq!(value, Score(Score::MAX_EVALUATION), "{evaluation:?}");
            }
        }
    }

    #[test]
    fn values_are_the_sum_of_their_parts_and_the_same_for_both_colours() {
        for evaluation in with_weights() {
            let set = WeightSet::of(evaluation);
            for position in random_positions(6, 90) {
                let parts = set.explain(position.board());
                let sum: f64 = parts.terms.iter().map(|term| term.value).sum();
                // Values are cut to whole centipawns, those of threats piece by piece.
                let cut = if evaluation == Evaluation::Threats {
                    32.0
                } else {
                    1.0
                };
                let is_sum = (sum - f64::from(parts.total.0)).abs() < cut;
                assert!(is_sum, "{evaluation:?}: {sum} in {}", position.to_fen());
                assert_eq!(set.evaluate(position.board()), parts.total);
                assert_eq!(
                    set.evaluate(mirrored(&position).board()),
                    -parts.total,
                    "{}",
                    position.to_fen()
                );
            }
        }
    }
}
