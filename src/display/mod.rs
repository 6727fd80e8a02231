//! Tables and plots: what results look like, whatever they are of. Nothing here prints; the text is handed back.

mod plot;
mod table;

pub use plot::{BarChart, LineChart, Mark, Point, Row, Series, Spread};
pub use table::{Align, Format, Table};
