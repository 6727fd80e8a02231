//! What is made from anybody's games: opening books ([`book`]) and libraries of actions ([`library`]).

pub mod book;
pub mod library;
