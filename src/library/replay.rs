//! Cases from the games of a library.

use std::collections::HashMap;

use chess::{Board, Color};

use super::action::{Action, ActionKey};
use super::case::{Case, GameId, Planes, SmallMove};
use super::format::{LAST_PLY, Name};
use super::store::{Library, LibraryError};
use crate::position::{Position, moves};

/// The cases of all games, as `build` would write them.
///
/// # Errors
/// The library cannot be read. A game that cannot be played has as many cases as could be.
pub fn cases(library: &Library) -> Result<HashMap<ActionKey, Vec<Case>>, LibraryError> {
    let mut cases: HashMap<ActionKey, Vec<Case>> = HashMap::new();
    for number in 0..library.count(Name::Games) as u32 {
        let (start, moves) = library.whole_game(number)?;
        let start = start.map_or_else(|| Ok(Position::default()), |fen| Position::from_fen(&fen));
        if let Ok(start) = start {
            of_game(*start.board(), &moves, number, &mut |action, case| {
                cases.entry(action).or_default().push(case);
            });
        }
    }
    Ok(cases)
}

fn of_game(mut board: Board, moves: &[SmallMove], number: u32, take: &mut dyn FnMut(ActionKey, Case)) {
    let mut last: Option<Action> = None;
    for (ply, mv) in (0..=LAST_PLY).zip(moves) {
        let mv = mv.chess_move(Color::White);
        if !moves::is_legal(&board, mv) {
            return;
        }
        let actor = !board.side_to_move();
        if let Some(last) = last {
            let (planes, reaction) = (Planes::of(&board), SmallMove::of(mv, actor));
            let game = GameId::Library(number);
            take(last.key, Case { planes, reaction, ply, source: last.source, actor, game });
        }
        last = Some(Action::of(&board, mv));
        board = board.make_move_new(mv);
    }
}
