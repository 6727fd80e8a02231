//! Results for people: what tables and plots show of matches, suites and blunder checks.

mod blunders;
mod standings;
mod suite;

pub use blunders::{blunder_summary, blunder_table};
pub use standings::{crosstable, elo_plot, encounter_table, rating_plot, rating_table};
pub use suite::{attempts_table, comparison, solved_plot, summary_table};
