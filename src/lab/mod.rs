//! The laboratory: the experiments of the papers, tuning, and the making of books and libraries.

pub mod experiment;
pub mod making;
pub mod tuning;
