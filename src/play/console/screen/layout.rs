//! Where everything stands on the screen.

use chess::{Color, File, Rank, Square};
use ratatui::layout::{Constraint, Layout, Rect};

use crate::play::console::board;

/// The smallest screen that has room for everything.
pub const LEAST: (u16, u16) = (64, 20);

/// Columns and rows of a square, the largest first.
const SQUARES: [(u16, u16); 4] = [(8, 4), (6, 3), (4, 2), (3, 1)];
/// Columns to the left of the board, for the ranks' numbers.
const MARGIN: u16 = 3;
/// The least columns beside the board.
const BESIDE: u16 = 34;
/// So many columns beside the board are enough for two panels beside each other.
const TWO_PANELS: u16 = 76;

/// The places of a screen.
pub struct Places {
    pub board: BoardPlace,
    pub upper_player: Rect,
    pub files: Rect,
    pub lower_player: Rect,
    pub moves: Rect,
    pub graph: Rect,
    pub search: Rect,
    pub messages: Rect,
    pub input: Rect,
    pub keys: Rect,
}

/// Where the squares are.
#[derive(Clone, Copy, Debug)]
pub struct BoardPlace {
    area: Rect,
    square: (u16, u16),
    /// The side that sits below.
    seat: Color,
}

impl BoardPlace {
    /// The place of a square.
    pub fn place_of(&self, square: Square) -> Rect {
        let order = board::order(self.seat);
        let at = |index: usize| order.iter().position(|&known| known == index).unwrap_or(0) as u16;
        let (column, row) = (at(square.get_file().to_index()), 7 - at(square.get_rank().to_index()));
        let (width, height) = self.square;
        Rect::new(self.area.x + column * width, self.area.y + row * height, width, height)
    }

    /// The square at a place on the screen.
    pub fn square_at(&self, column: u16, row: u16) -> Option<Square> {
        if !self.area.contains((column, row).into()) {
            return None;
        }
        let order = board::order(self.seat);
        let file = order[usize::from((column - self.area.x) / self.square.0)];
        let rank = order[7 - usize::from((row - self.area.y) / self.square.1)];
        Some(Square::make_square(Rank::from_index(rank), File::from_index(file)))
    }
}

/// Divides a screen; `None` if it is too small.
pub fn places(area: Rect, seat: Color) -> Option<Places> {
    if area.width < LEAST.0 || area.height < LEAST.1 {
        return None;
    }
    let messages = if area.height < 28 { 2 } else { 4 };
    let [body, messages, input, keys] = Layout::vertical([
        Constraint::Fill(1),
        Constraint::Length(messages),
        Constraint::Length(1),
        Constraint::Length(1),
    ])
    .areas(area);
    // Below the board are the files, and on either side of it a player.
    let square = SQUARES
        .into_iter()
        .find(|(width, height)| 8 * height + 3 <= body.height && MARGIN + 8 * width + BESIDE <= body.width)?;
    let wide = Rect { width: MARGIN + 8 * square.0, ..body };
    let row = |y: u16| Rect { y: body.y + y, height: 1, ..wide };
    let board = Rect::new(body.x + MARGIN, body.y + 1, 8 * square.0, 8 * square.1);
    let beside = Rect { x: wide.right() + 2, width: body.width - wide.width - 2, ..body };
    let share = if beside.height < 18 { 7 } else { 9 };
    let panels = if beside.width >= TWO_PANELS {
        Layout::horizontal([Constraint::Length(38), Constraint::Fill(1)]).spacing(2)
    } else {
        Layout::vertical([Constraint::Fill(1), Constraint::Length(share)])
    };
    let [left, search] = panels.areas(beside);
    let graph = (left.height / 2).clamp(4, 12);
    let [moves, graph] = Layout::vertical([Constraint::Fill(1), Constraint::Length(graph)]).areas(left);
    Some(Places {
        board: BoardPlace { area: board, square, seat },
        upper_player: row(0),
        files: row(1 + board.height),
        lower_player: row(2 + board.height),
        moves,
        graph,
        search,
        messages,
        input,
        keys,
    })
}
