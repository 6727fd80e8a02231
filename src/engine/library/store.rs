//! A library, open for reading.

mod lookup;

use std::collections::HashMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use arrayvec::ArrayVec;
use chess::{ChessMove, Color};

use super::case::{Action, ActionKey, Case, GameId, Keying, Planes, SmallMove};
use super::file::{LibraryError, LibraryFile, Storage};
use super::format::{ActionRecord, GameRecord, Header, LAST_PLY, Name, ReactionRecord};
use super::retain::{self, Own};
use super::similarity::Similarity;
use crate::rules::position::{Position, moves};
pub use lookup::GameInfo;

/// A library of actions, open for reading, with the own cases beside the file. Threads can share
/// the library.
#[derive(Debug)]
pub struct Library {
    file: LibraryFile,
    names: Vec<u8>,
    /// The beginnings of the names, and the end of the last name.
    name_starts: Vec<u32>,
    /// The reactions, sorted by action and reaction.
    pub(crate) reactions: Vec<ReactionRecord>,
    /// Actions with cases, and the number of their first case.
    pub(crate) actions: Vec<(ActionRecord, u64)>,
    /// Cases replayed from the games, for a library built without cases.
    replayed: Cases,
    own_path: Option<PathBuf>,
    own: RwLock<Arc<OwnCases>>,
}

/// An open library is equal only to itself.
impl PartialEq for Library {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

/// The number of cases in one read.
const CHUNK: usize = 2048;
/// Larger files are checked by [`Library::check`] only: opening a library takes no time.
const CHECKED: u64 = 256 << 20;

/// Cases by their action.
type Cases = HashMap<ActionKey, Vec<Case>>;

/// Own cases, by action.
#[derive(Debug, Default)]
struct OwnCases {
    by_action: Cases,
    own: Own,
}

/// The choice among the cases of an action.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    pub keying: Keying,
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
    /// more than one if only the notation counts and two pieces can go to its square.
    pub moves: ArrayVec<ChessMove, 8>,
}

/// A move of the games in exactly this position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownMove {
    /// Legal here.
    pub mv: ChessMove,
    pub games: u32,
    /// Half points from the games for the side to move; a game without a result counts as a draw.
    pub half_points: u32,
    /// The year of the last game, if known.
    pub year: Option<u16>,
    /// The highest known rating of a player of the move.
    pub elo: Option<u16>,
}

impl Library {
    /// The name of the program's own library.
    pub const BUILT_IN: &str = "built-in";

    /// Returns the program's own library: its opening lines, and games against itself. Own cases
    /// are not kept. Its cases are made from its games, a tenth of their size.
    pub fn built_in() -> Library {
        const GAMES: &[u8] = include_bytes!("../../../book/openings/kashan.klib.gz");
        let mut bytes = Vec::new();
        flate2::read::GzDecoder::new(GAMES)
            .read_to_end(&mut bytes)
            .expect("a test reads it");
        let file = LibraryFile::new(Path::new(Library::BUILT_IN), Storage::Memory(bytes));
        let library = file.and_then(|file| Library::new(file, None));
        let mut library = library.expect("a test opens it");
        for number in 0..library.count(Name::Games) as u32 {
            let (start, moves) = library.whole_game(number).expect("it is in memory");
            replay(&mut library.replayed, number, start.as_deref(), &moves);
        }
        library
    }

    /// Opens a library and the own cases beside it, if there are some (`gm.klib.own` beside
    /// `gm.klib`). The path [`Library::BUILT_IN`] stands for the program's own library, unless
    /// there is such a file.
    ///
    /// # Errors
    /// Either file is damaged, cut off, of another version or of another kind.
    pub fn open(path: &Path) -> Result<Library, LibraryError> {
        if path == Path::new(Library::BUILT_IN) && !path.exists() {
            return Ok(Library::built_in());
        }
        Library::open_with(path, Some(retain::beside(path)))
    }

    /// Opens a library with own cases from another place, or without any.
    pub fn open_with(path: &Path, own: Option<PathBuf>) -> Result<Library, LibraryError> {
        Library::new(LibraryFile::open(path)?, own)
    }

    fn new(file: LibraryFile, own_path: Option<PathBuf>) -> Result<Library, LibraryError> {
        let mut library = Library {
            file,
            names: Vec::new(),
            name_starts: vec![0],
            reactions: Vec::new(),
            actions: Vec::new(),
            replayed: Cases::new(),
            own_path,
            own: RwLock::default(),
        };
        library.load()?;
        library.refresh()?;
        Ok(library)
    }

    /// Loads the often-used parts into memory, and checks a small file.
    fn load(&mut self) -> Result<(), LibraryError> {
        if self.file.head.file_size() <= CHECKED {
            self.file.check()?;
        }
        self.names = self.file.read_all(Name::Names)?;
        let ends = self
            .names
            .iter()
            .zip(1..)
            .filter(|&(&byte, _)| byte == b'\n');
        self.name_starts.extend(ends.map(|(_, end)| end));
        self.reactions = self.file.read_all(Name::Reactions)?;
        let mut first = 0;
        for record in self.file.read_all::<ActionRecord>(Name::Actions)? {
            self.actions.push((record, first));
            first += u64::from(record.cases.get());
        }
        Ok(())
    }

    /// Reads the own cases again: after a game there are more, perhaps also of another engine.
    ///
    /// # Errors
    /// The file is damaged or something else; what was read before stays.
    pub fn refresh(&self) -> Result<(), LibraryError> {
        let Some(path) = &self.own_path else {
            return Ok(());
        };
        let own = Own::read(path)?;
        let mut by_action = Cases::new();
        for &(action, case) in &own.cases {
            by_action.entry(action).or_default().push(case);
        }
        let cases = Arc::new(OwnCases { by_action, own });
        *self.own.write().unwrap_or_else(PoisonError::into_inner) = cases;
        Ok(())
    }

    /// Returns the path.
    pub fn path(&self) -> &Path {
        &self.file.path
    }

    /// Returns the path of the own cases, if there is one.
    pub fn own_path(&self) -> Option<&Path> {
        self.own_path.as_deref()
    }

    /// Returns the head of the file with its facts.
    pub fn head(&self) -> &Header {
        &self.file.head
    }

    /// Returns the number of names of players, events and starts.
    pub fn names(&self) -> u64 {
        self.name_starts.len() as u64 - 1
    }

    /// Returns all actions with cases, and the numbers of cases without own ones.
    pub fn actions(&self) -> impl Iterator<Item = (ActionKey, u64)> {
        let in_file = self
            .actions
            .iter()
            .map(|(record, _)| (record.action, u64::from(record.cases.get())));
        in_file.chain(
            self.replayed
                .iter()
                .map(|(&action, cases)| (action, cases.len() as u64)),
        )
    }

    /// Returns the number of cases replayed from the games of a library built without cases.
    pub fn replayed(&self) -> usize {
        self.replayed.values().map(Vec::len).sum()
    }

    /// Returns true if there are any cases: a library can be built without cases.
    pub fn has_boards(&self) -> bool {
        self.count(Name::Cases) + self.replayed() as u64 + self.own_counts().0 as u64 > 0
    }

    /// Returns the number of own cases, and the number of their games.
    pub fn own_counts(&self) -> (usize, usize) {
        let own = self.own_cases();
        (own.own.cases.len(), own.own.games.len())
    }

    /// The number of records of a table.
    pub fn count(&self, name: Name) -> u64 {
        self.file.head.count(name)
    }

    /// Checks every byte of the file.
    ///
    /// # Errors
    /// The file is damaged, or cannot be read.
    pub fn check(&self) -> Result<(), LibraryError> {
        self.file.check()
    }

    /// Returns the checksum of the file, as an identity of the library.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn checksum(&self) -> Result<u32, LibraryError> {
        self.file.checksum()
    }
}

/// Adds the cases of a game, with a FEN for an unusual start, exactly like `build`. The first
/// illegal move ends the cases of a game.
fn replay(cases: &mut Cases, number: u32, start: Option<&str>, moves: &[SmallMove]) {
    let Ok(start) = start.map_or_else(|| Ok(Position::default()), Position::from_fen) else {
        return;
    };
    let mut board = *start.board();
    let mut last: Option<Action> = None;
    for (ply, mv) in (0..=LAST_PLY).zip(moves) {
        let mv = mv.chess_move(Color::White);
        if !moves::is_legal(&board, mv) {
            return;
        }
        let actor = !board.side_to_move();
        if let Some(last) = last {
            let planes = Planes::of(&board);
            let reaction = SmallMove::of(mv, actor);
            let game = GameId::Library(number);
            let case = Case {
                planes,
                reaction,
                ply,
                source: last.source,
                actor,
                game,
            };
            cases.entry(last.key).or_default().push(case);
        }
        last = Some(Action::of(&board, mv));
        board = board.make_move_new(mv);
    }
}

/// Access to the content, by number.
impl Library {
    fn own_cases(&self) -> Arc<OwnCases> {
        Arc::clone(&self.own.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn action(&self, action: ActionKey) -> Option<(ActionRecord, u64)> {
        let place = self
            .actions
            .binary_search_by_key(&action, |(record, _)| record.action)
            .ok()?;
        Some(self.actions[place])
    }

    /// The record of a game.
    pub(crate) fn record(&self, number: u32) -> Result<GameRecord, LibraryError> {
        let mut record = GameRecord::default();
        self.file.read(
            Name::Games,
            u64::from(number),
            std::slice::from_mut(&mut record),
        )?;
        Ok(record)
    }

    fn read_moves(&self, first: u64, count: usize) -> Result<Vec<SmallMove>, LibraryError> {
        let mut moves = vec![SmallMove::default(); count];
        self.file.read(Name::Moves, first, &mut moves)?;
        Ok(moves)
    }

    /// Returns the start of a game as a FEN (`None` for the usual start), and all of its moves.
    pub(crate) fn whole_game(
        &self,
        number: u32,
    ) -> Result<(Option<String>, Vec<SmallMove>), LibraryError> {
        let game = self.record(number)?;
        let start = game
            .start
            .get()
            .checked_sub(1)
            .map(|start| self.name(start));
        Ok((
            start,
            self.read_moves(u64::from(game.moves.get()), usize::from(game.plies.get()))?,
        ))
    }

    /// Returns White, Black, event, and the start as a FEN, empty for the usual start.
    pub(crate) fn names_of(&self, number: u32) -> Result<[String; 4], LibraryError> {
        let game = self.record(number)?;
        let start = game
            .start
            .get()
            .checked_sub(1)
            .map(|start| self.name(start))
            .unwrap_or_default();
        Ok([
            self.name(game.white.get()),
            self.name(game.black.get()),
            self.name(game.event.get()),
            start,
        ])
    }

    /// A name by its number.
    fn name(&self, number: u32) -> String {
        let at = |index: usize| self.name_starts.get(index).map(|&start| start as usize);
        let bytes = at(number as usize)
            .zip(at(number as usize + 1))
            .map(|(begin, end)| &self.names[begin..end - 1]);
        String::from_utf8_lossy(bytes.unwrap_or_default()).into_owned()
    }
}
