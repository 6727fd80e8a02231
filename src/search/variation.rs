//! Collecting the line of best play while a search unwinds, or not collecting it at no cost.

use chess::ChessMove;

use super::Variation;

/// Where a search writes its line of best play. [`Variation`] keeps it; `()` forgets it, and costs nothing.
pub trait LineKeeper: Sized {
    /// A line without moves.
    fn empty() -> Self;

    /// Back to a line without moves.
    fn clear(&mut self);

    /// The line becomes `mv`, followed by `rest`. What does not fit is cut off.
    fn lead_with(&mut self, mv: ChessMove, rest: &Self);
}

impl LineKeeper for () {
    #[inline]
    fn empty() -> Self {}

    #[inline]
    fn clear(&mut self) {}

    #[inline]
    fn lead_with(&mut self, _: ChessMove, (): &Self) {}
}

impl LineKeeper for Variation {
    #[inline]
    fn empty() -> Self {
        Variation::new()
    }

    #[inline]
    fn clear(&mut self) {
        Variation::clear(self);
    }

    #[inline]
    fn lead_with(&mut self, mv: ChessMove, rest: &Self) {
        Variation::clear(self);
        self.push(mv);
        self.extend(rest.iter().copied().take(self.remaining_capacity()));
    }
}
