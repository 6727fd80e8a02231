//! The rules of chess, as our positions have them: counted, compared with two other libraries, and
//! with the traps of the one underneath.

mod chess_traps;
mod perft;
mod rules;
