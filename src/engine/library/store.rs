//! A library in memory, with the own cases beside its file.

mod lookup;

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use anyhow::anyhow;
use arrayvec::ArrayVec;
use chess::ChessMove;
use flate2::read::GzDecoder;

use super::case::{Action, Case, GameId, Planes, SmallMove};

use super::format::Contents;
use super::retain;
use super::similarity::Similarity;
use crate::util::{files, input};
pub use lookup::GameInfo;

/// A library of actions, with the own cases beside its file. Threads can share the library.
#[derive(Debug)]
pub struct Library {
    path: PathBuf,
    games: Games,
    own_path: Option<PathBuf>,
    own: RwLock<Arc<Games>>,
}

/// An open library is equal only to itself.
impl PartialEq for Library {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

/// The games of a file, and the cases made of them.
#[derive(Debug, Default)]
struct Games {
    contents: Contents,
    /// The cases by their action, in the order of the games.
    cases: BTreeMap<Action, Vec<Case>>,
}

/// The choice among the cases of an action.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    pub similarity: Similarity,
    /// The least similarity, in percent; 0 for the first filter alone.
    pub degree: u32,
}

/// A case left by both filters.
#[derive(Clone, Debug, PartialEq)]
pub struct RetrievedCase {
    pub case: Case,
    /// The similarity, from 0 to 1.
    pub similarity: f32,
    /// The legal moves here equal to the case's reaction: none if the reaction is not legal here;
    /// more than one if two pieces can go to its square.
    pub moves: ArrayVec<ChessMove, 8>,
}

/// Returns the error for a library, or for the file of own cases beside it.
pub(super) fn unreadable(path: &Path, cause: impl Display) -> anyhow::Error {
    anyhow!("cannot read library {}: {cause}", path.display())
}

impl Library {
    /// The name of the program's own library.
    pub const BUILT_IN: &str = "built-in";

    /// Returns the program's own library: its opening lines, and games against itself. Own cases
    /// are not kept.
    pub fn built_in() -> Library {
        const GAMES: &[u8] = include_bytes!("../../../book/openings/kashan.klib.gz");
        let games = BufReader::new(GzDecoder::new(GAMES));
        Library::new(Path::new(Library::BUILT_IN), games, None).expect("a test opens it")
    }

    /// Opens a library and the own cases beside it, if there are some (`gm.klib.own` beside
    /// `gm.klib`). The path [`Library::BUILT_IN`] stands for the program's own library, unless
    /// there is such a file.
    ///
    /// # Errors
    /// Either file is damaged or of another kind, or has a game that cannot be read.
    pub fn open(path: &Path) -> anyhow::Result<Library> {
        if path == Path::new(Library::BUILT_IN) && !path.exists() {
            return Ok(Library::built_in());
        }
        // Another name for "-", which would be standard input.
        let games = files::only_regular(path)
            .and_then(|()| std::path::absolute(path))
            .and_then(|absolute| input::open(&absolute))
            .map_err(|cause| unreadable(path, cause))?;
        Library::new(path, games, Some(retain::beside(path)))
    }

    fn new(path: &Path, games: impl BufRead, own_path: Option<PathBuf>) -> anyhow::Result<Library> {
        let contents = Contents::read(games).map_err(|error| unreadable(path, error))?;
        let library = Library {
            path: path.to_path_buf(),
            // Each move but the first of its game is the reaction to the one before.
            games: Games::new(contents, GameId::Library, 1),
            own_path,
            own: RwLock::default(),
        };
        library.refresh()?;
        Ok(library)
    }

    /// Reads the own cases again: after a game there are more, perhaps also of another engine.
    ///
    /// # Errors
    /// The file is damaged or something else; what was read before stays.
    pub fn refresh(&self) -> anyhow::Result<()> {
        let Some(path) = &self.own_path else {
            return Ok(());
        };
        // Each second move is ours, the reaction to the one before.
        let games = Arc::new(Games::new(retain::read(path)?, GameId::Own, 2));
        *self.own.write().unwrap_or_else(PoisonError::into_inner) = games;
        Ok(())
    }

    /// Returns the path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the path of the own cases, if there is one.
    pub fn own_path(&self) -> Option<&Path> {
        self.own_path.as_deref()
    }

    /// Returns the games of the file.
    pub fn contents(&self) -> &Contents {
        &self.games.contents
    }

    /// Returns all actions with the numbers of their cases, without own ones.
    pub fn actions(&self) -> impl Iterator<Item = (Action, usize)> {
        self.games
            .cases
            .iter()
            .map(|(&action, cases)| (action, cases.len()))
    }

    /// Returns the number of own cases, and the number of their games.
    pub fn own_counts(&self) -> (usize, usize) {
        let own = self.own();
        let cases = own.cases.values().map(Vec::len).sum();
        (cases, own.contents.games.len())
    }

    fn own(&self) -> Arc<Games> {
        Arc::clone(&self.own.read().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Games {
    /// Makes the cases of all games: one for each `step` moves, beginning with the second.
    fn new(contents: Contents, id: fn(u32) -> GameId, step: u16) -> Games {
        let mut cases: BTreeMap<Action, Vec<Case>> = BTreeMap::new();
        for (number, game) in (0..).zip(&contents.games) {
            let mut before: Option<Action> = None;
            for (ply, (board, mv)) in (0_u16..).zip(contents.replay(game)) {
                let actor = !board.side_to_move();
                if let Some(action) = before
                    && (ply - 1).is_multiple_of(step)
                {
                    cases.entry(action).or_default().push(Case {
                        planes: Planes::of(&board),
                        reaction: SmallMove::of(mv, actor),
                        ply,
                        actor,
                        game: id(number),
                    });
                }
                before = Some(Action::of(&board, mv));
            }
        }
        Games { contents, cases }
    }
}
