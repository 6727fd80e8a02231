//! A game of a library, from PGN.

use std::io::BufRead;

use chess::Color;
use rayon::prelude::*;
use shakmaty::{Chess, KnownOutcome, Outcome};

use super::case::SmallMove;
use crate::rules::pgn::{GameMove, GameText, PgnGame, Reader, Rules, Strict};
use crate::rules::position::notation::{from_shakmaty_move, write_fen};
use crate::util::jobs::fnv;

/// A game in a library: players, event, date, result and moves.
#[derive(Clone, Debug, Default)]
pub struct LibraryGame {
    /// White, Black, event, and the FEN of an unusual start; empty for an unknown name.
    pub names: [String; 4],
    /// The year of the game; 0 for an unknown year, here and in the ratings.
    pub year: u16,
    /// The ratings of White and Black.
    pub elo: [u16; 2],
    pub result: Option<KnownOutcome>,
    pub moves: Vec<SmallMove>,
}

/// The number of games read at once.
const BATCH: usize = 1_000;

/// Reads games in their order, on all cores. `take` gets the text of each, and the game or its
/// fault.
///
/// # Errors
/// The text cannot be read; the errors of `take`.
pub fn each(
    source: impl BufRead,
    mut take: impl FnMut(&GameText, Result<LibraryGame, String>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut reader = Reader::new(source);
    loop {
        let mut batch = Vec::new();
        while batch.len() < BATCH
            && let Some(text) = reader.next_game()?
        {
            batch.push(text);
        }
        if batch.is_empty() {
            return Ok(());
        }
        let games: Vec<_> = batch.par_iter().map(LibraryGame::read).collect();
        for (text, game) in batch.iter().zip(games) {
            take(text, game)?;
        }
    }
}

impl LibraryGame {
    /// # Errors
    /// The fault of the game, in words.
    fn read(text: &GameText) -> Result<LibraryGame, String> {
        let rules = Rules {
            strict: Strict::All,
            ..Rules::default()
        };
        let game = PgnGame::read(text, &rules)?;
        match game.moves.len() {
            0 => return Err("it has no moves".to_owned()),
            length if length > usize::from(u16::MAX) => {
                return Err(format!("{length} half-moves are no game"));
            }
            _ => {}
        }
        let tag = |name: &str| game.tags.get(name).map(known).unwrap_or_default();
        let mut years = ["Date", "UTCDate", "EventDate"].iter();
        let result = game.result.and_then(Outcome::known);
        let start = if game.start == Chess::default() {
            String::new()
        } else {
            write_fen(&game.start)
        };
        let packed = |played: &GameMove| SmallMove::of(from_shakmaty_move(played.mv), Color::White);
        Ok(LibraryGame {
            names: [tag("White"), tag("Black"), tag("Event"), start],
            year: years.find_map(|name| year(&tag(name))).unwrap_or(0),
            elo: ["WhiteElo", "BlackElo"].map(|name| tag(name).parse().unwrap_or(0)),
            result: result.or_else(|| result_of_tag(&tag("Result"))),
            moves: game.moves.iter().map(packed).collect(),
        })
    }

    /// Returns a number that identifies the game: moves, start, and the letters of the players'
    /// names. Another collection writes the names with other blanks and dots.
    pub fn fingerprint(&self) -> u64 {
        let [white, black, _, start] = &self.names;
        let [white, black] = [white, black].map(|name| {
            let letters = name.chars().filter(|letter| letter.is_alphanumeric());
            letters.flat_map(char::to_lowercase).collect::<String>()
        });
        let text = format!("{white}\n{black}\n{start}\n").into_bytes();
        let moves = self.moves.iter().flat_map(|mv| mv.bits().to_le_bytes());
        fnv(text.into_iter().chain(moves))
    }
}

/// Returns a tag's value as one line; empty for an unknown value.
fn known(value: &str) -> String {
    let text = value.replace(char::is_control, " ");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.trim_matches(['?', '-']).is_empty() {
        return String::new();
    }
    text
}

/// The year of `2008.03.26`, if it is known.
fn year(text: &str) -> Option<u16> {
    let (year, _) = text.split_once(['.', '-', '/']).unwrap_or((text, ""));
    year.parse().ok().filter(|&year| year > 0)
}

fn result_of_tag(tag: &str) -> Option<KnownOutcome> {
    let tag = if tag == "1/2" { "1/2-1/2" } else { tag };
    tag.parse().ok().and_then(Outcome::known)
}
