//! Openings from games: their first moves.

use std::collections::BTreeSet;
use std::io::BufRead;
use std::path::Path;

use shakmaty::CastlingMode;

use super::{bad_line, playable, unreadable};
use crate::arena::Opening;
use crate::pgn::{Game, Reader, Rules};
use crate::position::notation::Castling;

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
    castling: Castling,
) -> anyhow::Result<Vec<Opening>> {
    let mut games = Reader::new(source);
    let (mut list, mut seen) = (Vec::new(), BTreeSet::new());
    let rules = Rules { plies, castling, ..Rules::default() };
    while let Some(text) = games.next_game().map_err(|cause| unreadable(path, &cause))? {
        let read = Game::read(&text, &rules).map_err(|fault| fault.to_string());
        let opening = read.and_then(|game| opening(&game, plies, name_tag, castling)).map_err(|reason| {
            let reason = format!("in game {}, which begins there: {reason}", text.number);
            bad_line(path, text.line, &reason)
        })?;
        if seen.insert((opening.fen.clone(), opening.moves.clone())) {
            list.push(opening);
        }
    }
    Ok(list)
}

fn opening(game: &Game, plies: usize, name_tag: &str, castling: Castling) -> Result<Opening, String> {
    let name = game.tags.get(name_tag).filter(|name| !["", "?"].contains(name)).map(str::to_owned);
    let mode = CastlingMode::from_chess960(castling == Castling::Chess960);
    let moves = game.moves.iter().map(|mv| mv.mv.to_uci(mode).to_string()).collect();
    let opening = playable(&game.start, moves, name, castling)?;
    match opening.fen.is_none() && opening.moves.is_empty() && plies > 0 {
        true => Err("no moves".to_owned()),
        false => Ok(opening),
    }
}
