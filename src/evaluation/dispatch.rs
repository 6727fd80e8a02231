//! The evaluations to choose from, each with its weights.

use std::sync::Arc;

use chess::Board;

use super::factors::FactorWeights;
use super::genome::{Genome as _, WeightSpec};
use super::kashan::KashanWeights;
use super::power::PowerWeights;
use super::readings::Readings;
use super::threats::ThreatWeights;
use super::winglet::{Profile, Weights};
use super::{Evaluator, Explanation, Factors, Kashan, Men, Power, Threats, Tunable, Winglet};
use crate::choice;
use crate::score::Score;

choice! {
    /// What the option `Evaluation` chooses: an evaluation and the weights that it has unless told otherwise.
    Evaluation {
        /// [`Winglet`](super::Winglet) with [`Profile::Paper`].
        Paper = "paper",
        /// [`Winglet`](super::Winglet) with [`Profile::Winglet`].
        Winglet = "winglet",
        /// [`Kashan`](super::Kashan) with the weights that were tuned for it.
        Kashan = "kashan",
        /// [`Factors`](super::Factors) with its evolved weights.
        Factors = "factors",
        /// [`Power`](super::Power): men with their defenders and attackers.
        Power = "power",
        /// [`Threats`](super::Threats): men by whether they are threatened or defended.
        Threats = "threats",
    }
}

/// Any evaluation, by a pointer: all but Kashan's share one compiled search.
pub type Dynamic = Arc<dyn Evaluator + Sync>;

impl Evaluator for Dynamic {
    fn evaluate(&self, board: &Board) -> Score {
        self.as_ref().evaluate(board)
    }
}

/// What a search values positions with. It is compiled twice: for Kashan's own evaluation, which loses no
/// time to a pointer, and for all others.
pub(crate) enum ForSearch {
    Kashan(Box<Kashan>),
    Other(Dynamic),
}

/// Runs an expression with the name of the type that an [`Evaluation`] stands for: for what asks an
/// evaluation about itself. Searches have [`ForSearch`].
macro_rules! for_evaluation {
    ($evaluation:expr, $Type:ident => $body:expr) => {
        match $evaluation {
            $crate::evaluation::Evaluation::Paper | $crate::evaluation::Evaluation::Winglet => {
                type $Type = $crate::evaluation::Winglet;
                $body
            }
            $crate::evaluation::Evaluation::Kashan => {
                type $Type = $crate::evaluation::Kashan;
                $body
            }
            $crate::evaluation::Evaluation::Factors => {
                type $Type = $crate::evaluation::Factors;
                $body
            }
            $crate::evaluation::Evaluation::Power => {
                type $Type = $crate::evaluation::Power;
                $body
            }
            $crate::evaluation::Evaluation::Threats => {
                type $Type = $crate::evaluation::Threats;
                $body
            }
        }
    };
}
pub(crate) use for_evaluation;

impl Evaluation {
    /// Name, default, range and meaning of each weight.
    pub fn table(self) -> Vec<WeightSpec> {
        let mut table = for_evaluation!(self, E => <E as super::Tunable>::Weights::table());
        for (spec, default) in table.iter_mut().zip(self.defaults()) {
            spec.default = default;
        }
        table
    }

    /// What a weight of one centipawn is as a number of the row.
    pub fn per_centipawn(self) -> i32 {
        for_evaluation!(self, E => <E as super::Tunable>::Weights::PER_CENTIPAWN)
    }

    fn defaults(self) -> Vec<i32> {
        match self {
            Evaluation::Paper => Weights::profile(Profile::Paper).to_row(),
            Evaluation::Winglet => Weights::profile(Profile::Winglet).to_row(),
            Evaluation::Kashan => KashanWeights::default().to_row(),
            Evaluation::Factors => FactorWeights::DEFAULT.to_row(),
            Evaluation::Power => PowerWeights::DEFAULT.to_row(),
            Evaluation::Threats => ThreatWeights::DEFAULT.to_row(),
        }
    }
}

/// An evaluation with all its weights: what an evaluator is made from.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightSet {
    evaluation: Evaluation,
    row: Vec<i32>,
    readings: Readings,
}

impl WeightSet {
    /// The weights that an evaluation has unless told otherwise.
    pub fn of(evaluation: Evaluation) -> Self {
        WeightSet { evaluation, row: evaluation.defaults(), readings: Readings::default() }
    }

    /// Any weights for an evaluation, in the order of [`Evaluation::table`]; each is brought into its range.
    /// Numbers that are missing at the end are the defaults.
    pub fn with_row(evaluation: Evaluation, row: &[i32]) -> Self {
        let mut set = WeightSet::of(evaluation);
        for ((weight, &number), spec) in set.row.iter_mut().zip(row).zip(evaluation.table()) {
            *weight = number.clamp(spec.min, spec.max);
        }
        set
    }

    /// The same without the ranges: players of a tuning stay within ranges of their own.
    pub fn with_any_row(evaluation: Evaluation, row: &[i32]) -> Self {
        WeightSet { row: row.to_vec(), ..WeightSet::of(evaluation) }
    }

    /// The same weights in an evaluation that takes its source this way.
    pub fn read_as(self, readings: Readings) -> Self {
        WeightSet { readings, ..self }
    }

    pub fn evaluation(&self) -> Evaluation {
        self.evaluation
    }

    /// The weights in the order of [`Evaluation::table`].
    pub fn row(&self) -> &[i32] {
        &self.row
    }

    /// The evaluator that this is for, of the type that [`for_evaluation!`] names.
    pub(crate) fn evaluator<E: Tunable>(&self) -> E {
        E::with_weights(E::Weights::from_any_row(&self.row)).read_as(&self.readings)
    }

    /// The evaluator that this is for, as searches have it.
    pub(crate) fn for_search(&self) -> ForSearch {
        ForSearch::Other(match self.evaluation {
            Evaluation::Kashan => return ForSearch::Kashan(Box::new(self.evaluator())),
            Evaluation::Paper | Evaluation::Winglet => Arc::new(self.evaluator::<Winglet>()),
            Evaluation::Factors => Arc::new(self.evaluator::<Factors>()),
            Evaluation::Power => Arc::new(self.evaluator::<Power>()),
            Evaluation::Threats => Arc::new(self.evaluator::<Threats>()),
        })
    }

    /// The value of a board, see [`Evaluator::evaluate`](super::Evaluator::evaluate). Makes an evaluator for
    /// it: not for a search.
    pub fn evaluate(&self, board: &Board) -> Score {
        for_evaluation!(self.evaluation, E => self.evaluator::<E>().evaluate(board))
    }

    /// Takes the value of a board apart.
    pub fn explain(&self, board: &Board) -> Explanation {
        for_evaluation!(self.evaluation, E => self.evaluator::<E>().explain(board))
    }

    /// Every man with what it is worth, for an evaluation that looks at men one by one.
    pub fn men(&self, board: &Board) -> Option<Men> {
        for_evaluation!(self.evaluation, E => self.evaluator::<E>().men(board))
    }
}

#[cfg(test)]
mod tests {
    use strum::VariantArray;

    use super::*;
    use crate::evaluation::readings::PowerChain;
    use crate::evaluation::testing::{mirrored, random_positions};

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

    #[test]
    fn weights_are_a_row_and_the_row_is_the_weights() {
        for &evaluation in Evaluation::VARIANTS {
            let numbers: Vec<i32> = (0..evaluation.table().len() as i32).map(|index| index % 100).collect();
            let set = WeightSet::with_row(evaluation, &numbers);
            let row = for_evaluation!(evaluation, E => {
                <E as Tunable>::Weights::from_row(&numbers).to_row()
            });
            assert_eq!(row, set.row(), "{evaluation:?}");
        }
    }

    /// With the largest weights of all, and with queens wherever they can stand.
    #[test]
    fn weights_are_brought_into_their_range_and_no_value_is_as_large_as_a_mate() {
        let board: Board = "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/8/8/8/1PP5/k1K5 b - - 0 1".parse().expect("a board");
        for &evaluation in Evaluation::VARIANTS {
            let table = evaluation.table();
            let set = WeightSet::with_row(evaluation, &vec![i32::MAX; table.len()]);
            assert!(set.row().iter().eq(table.iter().map(|spec| &spec.max)), "{evaluation:?}");
            for &power_chain in PowerChain::VARIANTS {
                let set = set.clone().read_as(Readings { power_chain, ..Readings::default() });
                let is_cut = set.evaluate(&board) == Score(Score::MAX_EVALUATION);
                // Kashan's largest weights do not come so far.
                assert!(is_cut || evaluation == Evaluation::Kashan, "{evaluation:?}");
            }
        }
    }

    #[test]
    fn values_are_the_sum_of_their_parts_and_the_same_for_both_colours() {
        for &evaluation in Evaluation::VARIANTS {
            let set = WeightSet::of(evaluation);
            for position in random_positions(6, 90) {
                let parts = set.explain(position.board());
                let sum: f64 = parts.terms.iter().map(|term| term.value).sum();
                // Values are cut to whole centipawns, those of threats man by man.
                let cut = if evaluation == Evaluation::Threats { 32.0 } else { 1.0 };
                let is_sum = (sum - f64::from(parts.total.0)).abs() < cut;
                assert!(is_sum, "{evaluation:?}: {sum} in {}", position.to_fen());
                assert_eq!(set.evaluate(position.board()), parts.total);
                assert_eq!(set.evaluate(mirrored(&position).board()), -parts.total, "{}", position.to_fen());
            }
        }
    }
}
