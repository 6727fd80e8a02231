//! Finding weights for the evaluation.

pub mod samples;
