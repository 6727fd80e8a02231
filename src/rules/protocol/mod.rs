//! The messages of the xboard protocol and of the Universal Chess Interface, to read and to write:
//! the front ends speak as an engine with them, the arena as a match runner.

pub mod uci;
pub mod xboard;
