//! The advice of a library of actions to a search, and the engine's own games for the library.

use std::cmp::Reverse;
use std::path::PathBuf;
use std::sync::Arc;

use chess::{ChessMove, Color};

use crate::engine::library::{
    Action, Filter, GameInfo, Library, OwnCase, Retain, RetrievedCase, Similarity,
};
use crate::options;
use crate::rules::position::{Outcome, Position};
use crate::search::action::{Advice, CaseBase, Reaction};

options! {
    /// Options of the library of actions.
    pub struct LibraryOptions {
        /// A library of actions, made by kashan library build: the answers of players to a move.
        /// Backend action plays from it. The default is built-in, a small one of our own lines and
        /// games; empty for none.
        file: file(Library::BUILT_IN) = "LibraryFile",
        /// The measure of similarity between a case and the position: by the pieces on their
        /// squares and the squares and pieces within their reach (tokens), or by the pieces on
        /// their squares alone (placement).
        similarity: combo(Similarity::Tokens) = "Similarity",
        /// Percent: cases with less similarity are left out; 0 for all answers to the same action.
        degree: spin(40, 0, 100) = "SimilarityDegree",
        /// Stores moves of Kashan as cases, with the result of the game, in the file of own cases
        /// beside the library (its name and .own). The built-in library has none.
        retain: check(false) = "Retain",
    }
}

impl LibraryOptions {
    /// The filters for cases.
    pub fn filter(&self) -> Filter {
        Filter {
            similarity: self.similarity,
            degree: self.degree as u32,
        }
    }
}

/// A library, asked with one filter.
pub struct LibraryCases {
    library: Arc<Library>,
    filter: Filter,
}

impl LibraryCases {
    pub fn new(library: Arc<Library>, filter: Filter) -> Self {
        LibraryCases { library, filter }
    }

    /// Returns the cases that answer the last move, pass the filter and have an answer legal here.
    fn similar(&self, position: &Position, filter: &Filter) -> Vec<RetrievedCase> {
        let Some((before, mv)) = position.last_move() else {
            return Vec::new();
        };
        let action = Action::of(before, mv);
        let mut found = self.library.similar(position.board(), action, filter);
        found.retain(|found| !found.moves.is_empty());
        found
    }
}

impl CaseBase for LibraryCases {
    fn retrieve(&mut self, root: &Position) -> Advice {
        let Some((before, mv)) = root.last_move() else {
            return Advice::default();
        };
        let action = Action::of(before, mv);
        let found = self.similar(root, &self.filter);
        let mut reactions: Vec<(ChessMove, Vec<&RetrievedCase>)> = Vec::new();
        for found in &found {
            for &mv in &found.moves {
                match reactions.iter_mut().find(|(known, _)| *known == mv) {
                    Some((_, cases)) => cases.push(found),
                    None => reactions.push((mv, vec![found])),
                }
            }
        }
        // The sort keeps the library's order of equals.
        reactions.sort_by_key(|(_, cases)| Reverse(cases.len()));
        let reactions = reactions.into_iter().filter_map(|(mv, cases)| {
            let nearest = cases
                .iter()
                .max_by(|a, b| a.similarity.total_cmp(&b.similarity))?;
            let game = self.library.game(nearest.case.game);
            Some(Reaction {
                mv,
                cases: cases.len(),
                similarity: (100.0 * nearest.similarity).round() as u32,
                game: in_words(&game, !nearest.case.actor),
            })
        });
        Advice {
            reactions: reactions.collect(),
            action: Some(action.san(before.side_to_move()).to_string()),
            known: self.library.case_count(action),
            similar: found.len(),
        }
    }
}

/// The event of our own opening lines, whose player names are the opening and the variation.
const OPENING_LINES: &str = "Kashan opening book";

/// Describes a side's part in a game, in words that go on with "as": "Adams did against Pasman in
/// 1984".
fn in_words(game: &GameInfo, side: Color) -> String {
    let (us, them) = match side {
        Color::White => (&game.white, &game.black),
        Color::Black => (&game.black, &game.white),
    };
    // "Adams, Michael"
    let [us, them] =
        [us, them].map(
            |player| match player.split(',').next().unwrap_or_default().trim() {
                "" | "?" => "somebody",
                name => name,
            },
        );
    let year = match game.year() {
        Some(year) => format!(" in {year}"),
        None => String::new(),
    };
    if game.is_own {
        format!("Kashan did before{year}")
    } else if game.event == OPENING_LINES {
        format!("the book does in {}: {}", game.white, game.black)
    } else {
        format!("{us} did against {them}{year}")
    }
}

/// Summarises the library's moves for the engine's output: `hxg6: 27 of 372 cases fit, with hxg6
/// (21), fxg6 (5), h6 (1)`. A case fits if its board is similar and its answer is legal here.
pub fn summary(advice: &Advice, root: &Position) -> Option<String> {
    /// More are not shown.
    const SHOWN: usize = 8;
    let action = advice.action.as_ref()?;
    let mut text = format!("{action}: {} of {} cases fit", advice.similar, advice.known);
    for (index, reaction) in advice.reactions.iter().take(SHOWN).enumerate() {
        text += if index == 0 { ", with " } else { ", " };
        text += &format!("{} ({})", root.san(reaction.mv), reaction.cases);
    }
    if let more @ 1.. = advice.reactions.len().saturating_sub(SHOWN) {
        text += &format!(" and {more} more");
    }
    Some(text)
}

/// Returns the reason for a move: `as Adams did against Pasman in 1984, 78 % similar, 5 of 27
/// cases`.
pub fn reason(advice: &Advice, reaction: Option<&Reaction>) -> Option<String> {
    let action = advice.action.as_ref()?;
    Some(match reaction {
        Some(found) => format!(
            "as {}, {} % similar, {} of {} cases",
            found.game, found.similarity, found.cases, advice.similar
        ),
        None if advice.known == 0 => format!("the library has no answer to {action}"),
        None => format!("none of {} answers to {action} fits here", advice.known),
    })
}

/// Keeps the engine's own moves as cases.
#[derive(Default)]
pub struct OwnGame {
    retain: Retain,
    /// The file with the last case of the game, if there is one.
    path: Option<PathBuf>,
    /// The end of the game by rule, as far as the engine's own moves tell.
    outcome: Option<Outcome>,
}

impl OwnGame {
    /// Adds the engine's move `mv` in `position`, the position after the opponent's last move.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(
        &mut self,
        library: &Library,
        position: &Position,
        mv: ChessMove,
    ) -> anyhow::Result<()> {
        let mut after = position.clone();
        self.outcome = after.play(mv).ok().and_then(|()| after.outcome());
        let (Some(path), Some((before, action))) = (library.own_path(), position.last_move())
        else {
            return Ok(());
        };
        self.path = Some(path.to_path_buf());
        let black_moved = u32::from(position.side_to_move() == Color::White);
        let case = OwnCase {
            before,
            full_move: position.fullmove_number().saturating_sub(black_moved),
            action,
            reaction: mv,
        };
        self.retain.add(path, &case)
    }

    /// Ends the game, with the result in PGN notation if one is known.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn end(&mut self, result: Option<&str>) -> anyhow::Result<()> {
        let outcome = self.outcome.take().map(Outcome::result);
        if let Some(path) = self.path.take()
            && let Some(text) = result.or(outcome)
            && let Ok(known) = text.parse()
        {
            self.retain.result(&path, known)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_that_does_not_go_on_is_another_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("one.klib");
        std::fs::write(&path, "1. a3 a6 *\n").expect("written");
        let library = Library::open(&path).expect("a library");
        let mut own = OwnGame::default();
        let play = |own: &mut OwnGame, library: &Library, position: &mut Position, moves: &str| {
            for (ply, text) in moves.split(' ').enumerate() {
                let mv = position.parse_move(text).expect("legal");
                if ply % 2 == 1 {
                    own.add(library, position, mv).expect("written");
                }
                position.play(mv).expect("legal");
            }
        };
        // The second game takes a move back; the third begins without a word.
        for game in ["e4 c5 Nf3 d6", "e4 c5 d4 cxd4", "d4 d5 c4 e6"] {
            play(&mut own, &library, &mut Position::default(), game);
        }
        // Another one is set up where more moves were played.
        let fen = "rnbqkbnr/ppp2ppp/4p3/3p4/3PP3/8/PPP2PPP/RNBQKBNR w KQkq - 0 9";
        let mut position = Position::from_fen(fen).expect("a position");
        play(&mut own, &library, &mut position, "exd5 exd5");
        library.refresh().expect("ours");
        assert_eq!(library.own_counts(), (7, 4));
        // In the middle of it another library is loaded.
        let other = folder.path().join("other.klib");
        std::fs::copy(&path, &other).expect("copied");
        let other = Library::open(&other).expect("a library");
        play(&mut own, &other, &mut position, "Nf3 Nf6");
        own.end(Some("1-0")).expect("written");
        library.refresh().expect("ours");
        other.refresh().expect("ours");
        assert_eq!([library.own_counts(), other.own_counts()], [(7, 4), (1, 1)]);
    }
}
