//! Openings from games: their first moves.

use std::collections::BTreeSet;
use std::io::BufRead;
use std::path::Path;

use shakmaty::CastlingMode;

use super::{bad_line, chess960, unreadable};
use crate::arena::Opening;
use crate::pgn::{Game, GameMove, Reader, Rules};
use crate::position::Position;
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
    if castling == Castling::Chess960 {
        let written = |mv: &GameMove| mv.mv.to_uci(CastlingMode::Chess960).to_string();
        return chess960::opening(&game.start, game.moves.iter().map(written).collect(), name);
    }
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
    Ok(Opening { fen, moves, name })
}
