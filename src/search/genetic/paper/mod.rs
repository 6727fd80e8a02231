//! The search of Dehghani and Babamir, the presets `paper` and `letter`.
//!
//! `evolution.rs` has the way from the initial population to the end, `operators.rs` crossover and
//! mutation, `birth.rs` the validation and insertion of a child; `cursor.rs` and `success.rs` are
//! their tools.

pub(crate) mod birth;
mod cursor;
pub(crate) mod evolution;
pub(crate) mod operators;
pub(super) mod success;
