//! Tables and plots: what results look like, whatever they are of. Nothing here prints; the text is handed
//! back.

/// The cells of a table's row, of anything that can be displayed.
macro_rules! cells {
    ($($cell:expr),* $(,)?) => { [$($cell.to_string()),*] };
}

mod plot;
mod table;

pub(crate) use cells;
pub use plot::{BarChart, LineChart, MARK as PLOT_MARK, Mark, Point, Row, Series, Spread};
pub use table::{Align, Format, Table, one_line};
