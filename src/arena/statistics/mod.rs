//! What results say about strength: pure functions of results, without input or output.

mod elo;
mod likelihood;
mod score;
mod sprt;

pub use elo::{Estimate, elo_difference, expected_score};
pub use score::{MatchScore, Outcomes, Pentanomial};
pub use sprt::{Decision, EloModel, Sample, Sprt, SprtError, SprtStatus};
