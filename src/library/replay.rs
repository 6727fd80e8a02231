//! Cases from the games of a library.

use std::collections::HashMap;

use chess::Color;

use super::action::{Action, ActionKey};
use super::case::{Case, GameId, Planes, SmallMove};
use super::format::LAST_PLY;
use crate::position::{Position, moves};

/// Cases by their action.
pub type Cases = HashMap<ActionKey, Vec<Case>>;

/// Adds the cases of a game, from a FEN if it has not the usual start, as `build` would write them. A game
/// that cannot be played has as many cases as could be.
pub fn add(cases: &mut Cases, number: u32, start: Option<&str>, moves: &[SmallMove]) {
    let Ok(start) = start.map_or_else(|| Ok(Position::default()), Position::from_fen) else { return };
    let mut board = *start.board();
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
            let case = Case { planes, reaction, ply, source: last.source, actor, game };
            cases.entry(last.key).or_default().push(case);
        }
        last = Some(Action::of(&board, mv));
        board = board.make_move_new(mv);
    }
}
