//! Openings from games: their first moves.

use std::collections::BTreeSet;
use std::io::BufRead;
use std::path::Path;

use shakmaty::CastlingMode;

use super::OpeningError;
use crate::arena::Opening;
use crate::pgn::{Game, Reader, Rules};
use crate::position::Position;

/// The first `plies` half-moves of each game, named after a tag; games that begin alike are one opening.
///
/// # Errors
/// A start position or one of these moves that is not legal, a game that is over before. Later moves do not
/// matter.
pub fn read(
    path: &Path,
    source: impl BufRead,
    plies: usize,
    name_tag: &str,
) -> Result<Vec<Opening>, OpeningError> {
    let mut games = Reader::new(source);
    let (mut list, mut seen) = (Vec::new(), BTreeSet::new());
    let rules = Rules { plies, ..Rules::default() };
    let unreadable = |cause| OpeningError::Unreadable { path: path.to_path_buf(), cause };
    while let Some(text) = games.next_game().map_err(unreadable)? {
        let read = Game::read(&text, &rules).map_err(|fault| fault.to_string());
        let opening =
            read.and_then(|game| opening(&game, plies, name_tag)).map_err(|reason| OpeningError::Line {
                path: path.to_path_buf(),
                line: text.line,
                reason: format!("in game {}, which begins there: {reason}", text.number),
            })?;
        if seen.insert((opening.fen.clone(), opening.moves.clone())) {
            list.push(opening);
        }
    }
    Ok(list)
}

fn opening(game: &Game, plies: usize, name_tag: &str) -> Result<Opening, String> {
    let start = Position::from_shakmaty(&game.start)?;
    let mut position = start.clone();
    let mut moves = Vec::with_capacity(game.moves.len());
    for mv in &game.moves {
        let text = mv.mv.to_uci(CastlingMode::Standard).to_string();
        let mv = position.parse_move(&text).map_err(|error| error.to_string())?;
        position.play(mv).map_err(|error| error.to_string())?;
        moves.push(text);
    }
    if let Some(outcome) = position.outcome() {
        return Err(format!("the game is over after the opening ({})", outcome.reason()));
    }
    let fen = Some(start.to_fen()).filter(|fen| *fen != Position::default().to_fen());
    if fen.is_none() && moves.is_empty() && plies > 0 {
        return Err("no moves".to_owned());
    }
    let name = game.tags.get(name_tag).filter(|name| !["", "?"].contains(name));
    Ok(Opening { fen, moves, name: name.map(str::to_owned) })
}
