//! The xboard protocol (CECP), version 2, as types: the messages of both directions, each of which can be
//! read and written.
//!
//! An engine reads [`Command`]s and writes [`Reply`]s; a match runner does the opposite. What the messages
//! make an engine do is in [`front::xboard`](crate::front::xboard).

pub mod command;
pub mod duration;
pub mod feature;
pub mod reply;
pub mod text;
pub mod thinking;

pub use command::Command;
pub use feature::{Feature, FeatureValue};
pub use reply::{Reply, Status};
pub use thinking::ThinkingLine;
