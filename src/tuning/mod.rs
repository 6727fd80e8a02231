//! Finding weights for the evaluation.

pub mod fitting;
pub mod logistic;
pub mod results;
pub mod samples;
