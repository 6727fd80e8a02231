//! Playing with a person: the console, the page in the browser, the review of a game, and the
//! explanation of a search.
//!
//! ```text
//! standard input, signals, search thread ──> Event ──> talk ──> XboardFront, UciFront or Console ──> standard output
//! ```

pub mod console;
pub mod explain;
mod talk;
mod terminal;

pub use console::Console;
pub use talk::{Start, converse, talk};
