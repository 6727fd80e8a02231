//! Results for people: text tables and SVG plots. Nothing here prints; the text is handed back.

mod blunders;
mod plot;
mod standings;
mod suite;
mod table;

pub use blunders::{blunder_summary, blunder_table};
pub use plot::{BarChart, LineChart, Mark, Point, Row, Series, Spread};
pub use standings::{crosstable, elo_plot, encounter_table, rating_plot, rating_table};
pub use suite::{attempts_table, comparison, solved_plot, summary_table};
pub use table::{Align, Format, Table};
