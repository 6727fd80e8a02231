//! Sets of positions, and what moves in them are worth.

pub mod loss;
pub mod phase;
pub mod summary;

pub use loss::{Bands, Grade, Loss};
pub use phase::Phase;
pub use summary::{Rate, Sample, Summary};
