//! Talking to a front end: the messages, the session that they make up, and the loop that feeds it.

pub mod event_loop;
pub mod options;
pub mod session;
pub mod xboard;

pub use event_loop::talk;
pub use session::{Flow, Session};
