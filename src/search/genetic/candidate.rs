//! The candidate: what a birth learns of a branch before the branch enters the tree.
//!
//! The buffers are kept from one birth to the next, so that no birth allocates.

use chess::{Color, EMPTY, MoveGen};

use crate::position::Line;
use crate::position::moves::is_quiet;
use crate::score::Score;
use crate::search::Variation;

/// See the [module](self).
#[derive(Default)]
pub struct Candidate {
    /// The new positions of the branch in their order; of a branch without new moves, the position where it
    /// ends.
    pub positions: Vec<NewPosition>,
    lines: Vec<QuiescenceLine>,
    /// How many of `lines` belong to this birth; the rest is there to be used again.
    used: usize,
}

/// What validation learned of a new position.
#[derive(Clone, Copy, Debug)]
pub struct NewPosition {
    /// How many legal moves there are.
    pub moves: usize,
    /// The side to move can capture or promote.
    pub tactical: bool,
    /// The exact value, from White's point of view, if the game is over here, or decided by an endgame table.
    pub ended: Option<Score>,
}

/// A quiescence line: a branch that runs along the new branch to `level` and goes on with `line`.
#[derive(Clone, Debug, Default)]
pub struct QuiescenceLine {
    pub level: usize,
    pub line: Variation,
    /// White's point of view.
    pub value: Score,
    /// The game is over at the end of the line, or decided by an endgame table.
    pub terminal: bool,
    /// The search left its window: the line need not be the best one.
    pub is_bound: bool,
}

impl Candidate {
    /// Forgets the last birth.
    pub fn clear(&mut self) {
        self.positions.clear();
        self.used = 0;
    }

    /// Adds a quiescence line without moves.
    pub fn add_line(&mut self, level: usize, value: Score, terminal: bool) -> &mut QuiescenceLine {
        if self.used == self.lines.len() {
            self.lines.push(QuiescenceLine::default());
        }
        let added = &mut self.lines[self.used];
        self.used += 1;
        (added.level, added.value, added.terminal) = (level, value, terminal);
        added.is_bound = false;
        added.line.clear();
        added
    }

    /// The quiescence lines of this birth.
    pub fn lines(&self) -> &[QuiescenceLine] {
        &self.lines[..self.used]
    }
}

impl NewPosition {
    /// Looks at the end of `line`, for which `generator` was made and not yet used.
    pub fn of(line: &Line, generator: &mut MoveGen) -> Self {
        let board = line.board();
        let moves = generator.len();
        let ended = if moves == 0 {
            let white_is_mated = -Score::mate_in(line.ply());
            Some(match (*board.checkers() == EMPTY, board.side_to_move()) {
                (true, _) => Score::DRAW,
                (false, Color::White) => white_is_mated,
                (false, Color::Black) => -white_is_mated,
            })
        } else {
            line.is_draw().then_some(Score::DRAW)
        };
        NewPosition { moves, tactical: ended.is_none() && !is_quiet(board, generator), ended }
    }
}
