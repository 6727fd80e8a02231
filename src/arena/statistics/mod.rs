//! What results say about strength: pure functions of results, without input or output.

mod crosstable;
mod elo;
mod likelihood;
mod progress;
mod rating;
mod results;
mod score;
mod sprt;
#[cfg(test)]
mod tests;

pub use crosstable::{CrossRow, CrossTable};
pub use elo::{Estimate, elo_difference, expected_score};
pub use progress::{Step, progress};
pub use rating::{Anchors, Rating, RatingError, RatingList, Standing, performance};
pub use results::{Encounter, RatedGame, Results, Unit};
pub use score::{MatchScore, Outcomes, Pentanomial};
pub use sprt::{Decision, EloModel, Sample, Sprt, SprtError, SprtStatus};
