//! Games that were played elsewhere, or long ago: results from PGN files.
//!
//! Files are read as a stream, so their size does not matter. What cannot be counted is named with file, game
//! and line.

mod aliases;
mod pairing;
mod played;

use std::collections::BTreeSet;
use std::fmt;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use serde::Serialize;

use super::Verdict;
use super::statistics::Results;
use crate::input;
use crate::pgn::{Game, Reader, Rules};
use crate::position::notation::Castling;
pub use aliases::Aliases;
use pairing::Pairing;
use played::PlayedGame;

/// Games of Chess960 have results like others.
const RULES: Rules = Rules { strict: false, plies: usize::MAX, castling: Castling::Chess960 };

/// Why a game is not counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind", content = "reason")]
pub enum Skipped {
    /// Its result is `*`.
    Unfinished,
    /// Something is wrong with its text.
    Broken(String),
}

/// A game that is not counted, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    pub file: PathBuf,
    /// From 1; 0 for the file as a whole.
    pub game: u32,
    /// The line where the game begins, from 1.
    pub line: u64,
    #[serde(flatten)]
    pub what: Skipped,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        if self.game > 0 {
            write!(f, ", game {} (line {})", self.game, self.line)?;
        }
        match &self.what {
            Skipped::Unfinished => write!(f, ": unfinished"),
            Skipped::Broken(reason) => write!(f, ": {reason}"),
        }
    }
}

/// The games of PGN files.
#[derive(Clone, Debug, Default)]
pub struct Archive {
    /// The finished games, pairs marked.
    pub results: Results,
    /// How many games were found, those not counted included.
    pub games: u32,
    /// The games not counted, in the order of the files.
    pub problems: Vec<Problem>,
    /// How many more games were left out because the same game stands elsewhere.
    pub duplicates: u32,
    aliases: Aliases,
    counts_duplicates: bool,
    /// Names as they stand in the files.
    names: BTreeSet<String>,
    /// What tells the games counted from others.
    seen: BTreeSet<u64>,
    /// Pairs have numbers that no other file's pairs have.
    pairs: u32,
}

impl Archive {
    /// An archive in which some names mean the same player, and a game that stands in the files several times
    /// counts once or as often as it stands there.
    pub fn new(aliases: Aliases, counts_duplicates: bool) -> Archive {
        Archive { aliases, counts_duplicates, ..Archive::default() }
    }

    /// Checks that everybody who was merged has played.
    pub fn check_aliases(&self) -> anyhow::Result<()> {
        self.aliases.check(|alias| self.names.contains(alias))
    }

    /// Adds the games of a PGN file.
    ///
    /// # Errors
    /// If the file cannot be opened or read. Games that cannot be read are [`Archive::problems`].
    pub fn add_file(&mut self, path: &Path, watch: &dyn Fn()) -> anyhow::Result<()> {
        let unreadable = |cause| anyhow!("cannot read {}: {cause}", path.display());
        let source = input::open(path).map_err(unreadable)?;
        self.add(path, source, watch).map_err(unreadable)
    }

    /// Adds the games of a PGN text that `path` names in problems; `watch` is called at each of them.
    pub fn add(&mut self, path: &Path, source: impl BufRead, watch: &dyn Fn()) -> io::Result<()> {
        let mut games = Reader::new(source);
        let mut pairing = Pairing::new(self.pairs);
        let mut problems = Vec::new();
        let mut problem = |game, line, what| {
            problems.push(Problem { file: path.to_path_buf(), game, line, what });
        };
        let mut number = 0;
        while let Some(text) = games.next_game()? {
            number = text.number;
            watch();
            let read = Game::read(&text, &RULES).map_err(|fault| fault.to_string());
            let counted = match read.and_then(|game| PlayedGame::of(&game)) {
                Ok(game) => self.count(game, &mut pairing),
                Err(reason) => Err(Skipped::Broken(reason)),
            };
            if let Err(skipped) = counted {
                problem(text.number, text.line, skipped);
            }
        }
        if number == 0 {
            problem(0, 0, Skipped::Broken("no games in it".to_owned()));
        }
        self.problems.append(&mut problems);
        self.pairs = pairing.used();
        self.games += number;
        Ok(())
    }

    fn count(&mut self, mut game: PlayedGame, pairing: &mut Pairing) -> Result<(), Skipped> {
        for name in [&game.white, &game.black] {
            if !self.names.contains(name) {
                self.names.insert(name.clone());
            }
        }
        let [white, black] = [&game.white, &game.black].map(|name| self.aliases.name_of(name).to_owned());
        if white == black {
            return Err(Skipped::Broken(match game.white == game.black {
                true => format!("\"{white}\" plays against itself"),
                false => format!("\"{}\" plays against \"{}\", who are one player", game.white, game.black),
            }));
        }
        (game.white, game.black) = (white, black);
        if game.verdict == Verdict::Unfinished {
            return Err(Skipped::Unfinished);
        }
        if !self.counts_duplicates && game.fingerprint().is_some_and(|game| !self.seen.insert(game)) {
            self.duplicates += 1;
            return Ok(());
        }
        self.results.add(&game.white, &game.black, game.verdict, Some(pairing.number(&game)));
        Ok(())
    }
}

#[cfg(test)]
mod tests;
