//! Looking things up in a library.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use arrayvec::ArrayVec;
use chess::{Board, ChessMove, Color};
use thiserror::Error;

use super::action::{Action, ActionKey, Keying};
use super::case::{Case, GameId, Planes, SmallMove};
use super::format::{
    self, ActionRecord, CASE, Contents, GameRecord, HEAD, Name, PositionRecord, ReactionRecord, Section,
};
use super::game::GameInfo;
use super::replay;
use super::retain::{self, Own, OwnGame};
use super::similarity::{Measure, Similarity};
use crate::display::one_line;
use crate::position::notation::excerpt;
use crate::position::{MoveList, Position, legal_moves, moves};
use crate::system;

/// Why a library, or the file of own cases beside it, was refused or cannot be looked into. The text names
/// it.
#[derive(Debug, Error)]
pub enum LibraryError {
    #[error("cannot read library {}: {cause}", path.display())]
    Unreadable { path: PathBuf, cause: io::Error },
    #[error("cannot write {}: {cause}", path.display())]
    Unwritable { path: PathBuf, cause: io::Error },
    #[error("{} is no library: it begins with something else", path.display())]
    Foreign { path: PathBuf },
    #[error("library {} is of version {version}, this program knows version {known}", path.display())]
    Version { path: PathBuf, version: u32, known: u32 },
    #[error("library {} has {size} bytes, and should have {expected}: it was cut off, or something was added", path.display())]
    Cut { path: PathBuf, size: u64, expected: u64 },
    #[error("library {} is damaged: {what} does not fit its checksum", path.display())]
    Damaged { path: PathBuf, what: String },
    #[error(
        "own cases {} are damaged: record {record} does not fit its checksum; move the file away, and the \
         library is used without",
        path.display()
    )]
    DamagedOwn { path: PathBuf, record: usize },
}

/// A library of actions, open for reading, with the own cases beside it. It can be shared between threads.
#[derive(Debug)]
pub struct Library {
    /// Where it is, or what it is called if it is no file.
    path: PathBuf,
    storage: Storage,
    contents: Contents,
    names: Vec<u8>,
    /// Where each name begins, and where the last one ends.
    name_starts: Vec<u32>,
    reactions: Vec<ReactionRecord>,
    /// Actions with the number of their first case.
    actions: Vec<(ActionRecord, u64)>,
    /// Every so many-th key of the positions: see [`STRIDE`].
    position_keys: Vec<u64>,
    /// Cases that were made from the games, of a library that was built without.
    replayed: HashMap<ActionKey, Vec<Case>>,
    own_path: Option<PathBuf>,
    own: RwLock<Arc<OwnCases>>,
}

/// Positions that are read at once.
const STRIDE: usize = 128;
/// Cases that are read at once.
const CHUNK: usize = 2048;
/// Sections that are longer are checked by [`Library::check`] only: opening a library takes no time.
const CHECKED: u64 = 256 << 20;

/// Where the bytes are.
#[derive(Debug)]
enum Storage {
    File(File),
    Memory(Vec<u8>),
}

/// Own cases, by action.
#[derive(Debug, Default)]
struct OwnCases {
    by_action: HashMap<ActionKey, Vec<Case>>,
    own: Own,
}

/// Which cases of an action are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    pub keying: Keying,
    pub similarity: Similarity,
    /// The least similarity, in percent; 0 for the first filter alone.
    pub degree: u32,
}

/// A case that passed both filters.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    pub case: Case,
    /// From 0 to 1.
    pub similarity: f32,
    /// The legal moves here that are the case's reaction: none if it is not legal here; more than one if only
    /// the notation counts and two men can go to its square.
    pub moves: ArrayVec<ChessMove, 8>,
}

/// How often a reaction followed an action, wherever that was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reaction {
    pub key: ActionKey,
    pub count: u32,
}

/// What the games did in exactly this position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownMove {
    /// Legal here.
    pub mv: ChessMove,
    pub games: u32,
    /// Half points that the games brought to the side to move; a game without a result counts as a draw.
    pub half_points: u32,
    /// Of the last game, if it is known.
    pub year: Option<u16>,
    /// The highest rating of somebody who played it, if one is known.
    pub elo: Option<u16>,
}

/// Legal moves here by what they have in common with moves elsewhere: a case's reaction among them.
pub struct Answers {
    /// By the target, which is the lowest part of the key.
    moves: Vec<(Action, ChessMove)>,
    /// By target: where its moves begin. The last is the end.
    begins: [u8; 65],
    keying: Keying,
}

impl Answers {
    /// Of the side to move.
    pub fn new(board: &Board, keying: Keying) -> Answers {
        let moves: MoveList = legal_moves(board);
        let mut moves: Vec<_> = moves.into_iter().map(|mv| (Action::of(board, mv), mv)).collect();
        // The order of legal moves stays among those to one square.
        moves.sort_by_key(|(action, _)| action.key.target());
        let begins = std::array::from_fn(|target| {
            moves.partition_point(|(action, _)| usize::from(action.key.target()) < target) as u8
        });
        Answers { moves, begins, keying }
    }

    /// The legal moves that are the reaction of a case. Its colours do not matter.
    pub fn to(&self, case: &Case) -> ArrayVec<ChessMove, 8> {
        let reaction = case.reaction_action();
        let fits = |action: &Action| match self.keying {
            Keying::San => action.key == reaction.key,
            Keying::Squares => *action == reaction,
        };
        let target = usize::from(reaction.key.target());
        let moves = &self.moves[usize::from(self.begins[target])..usize::from(self.begins[target + 1])];
        let mut answers = ArrayVec::new();
        for (_, mv) in moves.iter().filter(|(action, _)| fits(action)) {
            // No more than eight queens can go to one square.
            let _ = answers.try_push(*mv);
        }
        answers
    }
}

impl Library {
    /// The name of the library that the program carries.
    pub const BUILT_IN: &str = "built-in";

    /// The library that the program carries: its opening lines, and games that it played against itself. Own
    /// cases go nowhere. Its cases are made from its games, which are a tenth of their size.
    pub fn built_in() -> Library {
        const GAMES: &[u8] = include_bytes!("../../book/kashan.klib.gz");
        let mut bytes = Vec::new();
        flate2::read::GzDecoder::new(GAMES).read_to_end(&mut bytes).expect("a test reads it");
        let storage = Storage::Memory(bytes);
        let library = Library::from_storage(Path::new(Library::BUILT_IN), storage, None);
        let mut library = library.expect("a test opens it");
        library.replayed = replay::cases(&library).expect("it is in memory");
        library
    }

    /// Opens a library and the own cases beside it, if there are some (`gm.klib.own` beside `gm.klib`). The
    /// path [`Library::BUILT_IN`] stands for the library that the program carries, unless there is such a
    /// file.
    ///
    /// # Errors
    /// Either is damaged, cut off, of another version or something else.
    pub fn open(path: &Path) -> Result<Library, LibraryError> {
        if path == Path::new(Library::BUILT_IN) && !path.exists() {
            return Ok(Library::built_in());
        }
        Library::open_with(path, Some(retain::beside(path)))
    }

    /// Opens a library with own cases from another place, or without any.
    ///
    /// # Errors
    /// As [`Library::open`].
    pub fn open_with(path: &Path, own: Option<PathBuf>) -> Result<Library, LibraryError> {
        let unreadable = |cause| LibraryError::Unreadable { path: path.to_path_buf(), cause };
        // A pipe would wait for somebody who writes.
        if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
            return Err(unreadable(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file")));
        }
        let file = File::open(path).map_err(unreadable)?;
        Library::from_storage(path, Storage::File(file), own)
    }

    /// Reads the own cases again: after a game there are more, perhaps also of another engine.
    ///
    /// # Errors
    /// The file is damaged or something else; what was read before stays.
    pub fn refresh(&self) -> Result<(), LibraryError> {
        let Some(path) = &self.own_path else { return Ok(()) };
        let own = Own::read(path)?;
        let mut by_action: HashMap<ActionKey, Vec<Case>> = HashMap::new();
        for &(action, case) in &own.cases {
            by_action.entry(action).or_default().push(case);
        }
        let cases = Arc::new(OwnCases { by_action, own });
        *self.own.write().unwrap_or_else(PoisonError::into_inner) = cases;
        Ok(())
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where own cases are and go, if they go anywhere.
    pub fn own_path(&self) -> Option<&Path> {
        self.own_path.as_deref()
    }

    /// What is in the file.
    pub fn contents(&self) -> &Contents {
        &self.contents
    }

    /// How many names of players, events and starts there are.
    pub fn names(&self) -> u64 {
        self.name_starts.len() as u64 - 1
    }

    /// All actions that have cases, and how many; own ones are not counted.
    pub fn actions(&self) -> impl Iterator<Item = (ActionKey, u64)> {
        let in_file = self.actions.iter().map(|(record, _)| (record.action, u64::from(record.cases)));
        in_file.chain(self.replayed.iter().map(|(&action, cases)| (action, cases.len() as u64)))
    }

    /// How many cases were made from the games of a library that was built without.
    pub fn replayed(&self) -> usize {
        self.replayed.values().map(Vec::len).sum()
    }

    /// Whether there are any cases: a library can be built without.
    pub fn has_boards(&self) -> bool {
        self.count(Name::Cases) + self.replayed() as u64 + self.own_counts().0 as u64 > 0
    }

    /// How many own cases there are, and from how many games.
    pub fn own_counts(&self) -> (usize, usize) {
        let own = self.own_cases();
        (own.own.cases.len(), own.own.games.len())
    }

    /// How many records a section has; none if there is no such section.
    pub fn count(&self, name: Name) -> u64 {
        self.section(name).map_or(0, |section| section.count())
    }

    /// Checks every byte of the file.
    ///
    /// # Errors
    /// A section is damaged, or the file cannot be read.
    pub fn check(&self) -> Result<(), LibraryError> {
        self.contents.sections.iter().try_for_each(|section| self.read_through(section, |_| ()))
    }
}

/// What is looked up.
impl Library {
    /// The first filter: how many cases an action has, own ones included. Nothing is read.
    pub fn case_count(&self, action: ActionKey) -> u64 {
        let own = self.own_cases();
        let in_memory = [&self.replayed, &own.by_action];
        let in_memory = in_memory.iter().filter_map(|cases| cases.get(&action));
        in_memory.map(|cases| cases.len() as u64).sum::<u64>()
            + self.action(action).map_or(0, |(record, _)| u64::from(record.cases))
    }

    /// The cases of an action that pass both filters on the board after it, in the order of the file, own
    /// ones last. Those with reactions that are not legal here are among them, without moves.
    ///
    /// # Errors
    /// The file cannot be read any more.
    pub fn similar(
        &self,
        board: &Board,
        action: Action,
        filter: &Filter,
    ) -> Result<Vec<Found>, LibraryError> {
        let mut measure = Measure::new(filter.similarity, Planes::of(board), filter.degree);
        let answers = Answers::new(board, filter.keying);
        let mut found = Vec::new();
        self.for_each_like(
            action,
            filter.keying,
            |planes| measure.of(planes),
            |case, similarity| found.push(Found { similarity, moves: answers.to(&case), case }),
        )?;
        Ok(found)
    }

    /// How many cases an action has, own ones included. Only if squares count, too, anything is read.
    ///
    /// # Errors
    /// The file cannot be read any more.
    pub fn count_of(&self, action: Action, keying: Keying) -> Result<u64, LibraryError> {
        if keying == Keying::San {
            return Ok(self.case_count(action.key));
        }
        let mut count = 0;
        self.for_each_case(action, keying, |_| count += 1)?;
        Ok(count)
    }

    /// Goes through the cases of an action, own ones last.
    ///
    /// # Errors
    /// The file cannot be read any more.
    pub fn for_each_case(
        &self,
        action: Action,
        keying: Keying,
        mut visit: impl FnMut(&Case),
    ) -> Result<(), LibraryError> {
        self.for_each_like(action, keying, |_| Some(()), |case, ()| visit(&case))
    }

    /// Goes through the cases of an action whose boards pass `measure`, own ones last. What does not pass is
    /// most of them, of which nothing else is read.
    fn for_each_like<T>(
        &self,
        action: Action,
        keying: Keying,
        mut measure: impl FnMut(Planes) -> Option<T>,
        mut visit: impl FnMut(Case, T),
    ) -> Result<(), LibraryError> {
        let is_wanted = |source: u8| keying == Keying::San || source == action.source;
        if let Some((record, first)) = self.action(action.key)
            && let Some(section) = self.section(Name::Cases)
        {
            let (mut at, end) = (first, first + u64::from(record.cases));
            let mut buffer = vec![0; CHUNK.min(record.cases as usize) * CASE];
            while at < end {
                let count = (end - at).min(CHUNK as u64);
                let bytes = &mut buffer[..count as usize * CASE];
                self.read_at(section.start + at * CASE as u64, bytes)?;
                for bytes in bytes.as_chunks().0 {
                    if is_wanted(format::case_source(bytes))
                        && let Some(measured) = measure(format::case_planes(bytes))
                    {
                        visit(format::case_from_bytes(bytes), measured);
                    }
                }
                at += count;
            }
        }
        for in_memory in [&self.replayed, &self.own_cases().by_action] {
            for case in in_memory.get(&action.key).into_iter().flatten().filter(|case| is_wanted(case.source))
            {
                if let Some(measured) = measure(case.planes) {
                    visit(*case, measured);
                }
            }
        }
        Ok(())
    }

    /// What followed an action in the games of the library, and how often, by key: a table in memory. Own
    /// cases are not counted.
    pub fn reactions(&self, action: ActionKey) -> impl ExactSizeIterator<Item = Reaction> {
        let begin = self.reactions.partition_point(|record| record.action < action);
        let length = self.reactions[begin..].partition_point(|record| record.action == action);
        let records = &self.reactions[begin..begin + length];
        records.iter().map(|record| Reaction { key: record.reaction, count: record.count })
    }

    /// The legal moves that games of the library played in exactly this position, most games first, by the
    /// position's Polyglot key. Only positions that came twice or more are known. A game without a result
    /// counts as a draw; own cases are not counted.
    ///
    /// # Errors
    /// The file cannot be read any more.
    pub fn moves(&self, position: &Position) -> Result<Vec<KnownMove>, LibraryError> {
        let key = position.polyglot_key();
        let mut known = Vec::new();
        let Some(section) = self.section(Name::Positions) else { return Ok(known) };
        let known_number = |number: u16| (number > 0).then_some(number);
        // The first block that can have the key is the one before the first that begins with it.
        let mut block = self.position_keys.partition_point(|&first| first < key).saturating_sub(1);
        let mut buffer = [0; STRIDE * PositionRecord::SIZE];
        while self.position_keys.get(block).is_some_and(|&first| first <= key) {
            let at = (block * buffer.len()) as u64;
            let bytes =
                &mut buffer[..(section.length - at).min((STRIDE * PositionRecord::SIZE) as u64) as usize];
            self.read_at(section.start + at, bytes)?;
            let (records, _) = bytes.as_chunks();
            let begin = records.partition_point(|bytes| PositionRecord::from_bytes(bytes).key < key);
            let records = records[begin..].iter().map(PositionRecord::from_bytes);
            let of_key = records.take_while(|record| record.key == key).filter_map(|record| {
                let mv = record.mv.chess_move(Color::White);
                moves::is_legal(position.board(), mv).then_some(KnownMove {
                    mv,
                    games: record.games,
                    half_points: record.half_points,
                    year: known_number(record.year),
                    elo: known_number(record.elo),
                })
            });
            known.extend(of_key);
            block += 1;
        }
        known.sort_by_key(|known| (std::cmp::Reverse(known.games), known.mv.to_string()));
        Ok(known)
    }

    /// How the game of a case went on: its reaction and what followed, at most so many half-moves, as moves
    /// of a game in which `reactor` reacts. They need not be legal anywhere else: make them while they are.
    ///
    /// # Errors
    /// The file cannot be read any more.
    pub fn continuation(
        &self,
        case: &Case,
        reactor: Color,
        plies: usize,
    ) -> Result<Vec<ChessMove>, LibraryError> {
        let moves = match case.game {
            GameId::Library(number) => {
                let game = self.record(number)?;
                let left = usize::from(game.plies.saturating_sub(case.ply)).min(plies);
                self.read_moves(u64::from(game.moves) + u64::from(case.ply), left)?
            }
            GameId::Own(number) => {
                let own = self.own_cases();
                let game = own.own.games.get(number as usize);
                let moves = game.map(|game| game.moves_from(case.ply)).unwrap_or_default();
                moves.into_iter().take(plies).collect()
            }
        };
        // The moves are those of the board as it was.
        let side = if case.actor == reactor { Color::Black } else { Color::White };
        Ok(moves.into_iter().map(|mv| mv.chess_move(side)).collect())
    }

    /// Whose game it was.
    ///
    /// # Errors
    /// The file cannot be read any more.
    pub fn game(&self, game: GameId) -> Result<GameInfo, LibraryError> {
        Ok(match game {
            GameId::Library(number) => {
                let [white, black, event, _] = self.names_of(number)?;
                // They may be of anybody's file, and are put into lines.
                let names = [white, black, event].map(|name| excerpt(&one_line(&name)));
                GameInfo::of_record(&self.record(number)?, names)
            }
            GameId::Own(number) => {
                let own = self.own_cases();
                GameInfo::of_own(own.own.games.get(number as usize).unwrap_or(&OwnGame::default()))
            }
        })
    }

    fn own_cases(&self) -> Arc<OwnCases> {
        Arc::clone(&self.own.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn action(&self, action: ActionKey) -> Option<(ActionRecord, u64)> {
        let place = self.actions.binary_search_by_key(&action, |(record, _)| record.action).ok()?;
        Some(self.actions[place])
    }

    /// The record of a game.
    pub(crate) fn record(&self, number: u32) -> Result<GameRecord, LibraryError> {
        let mut bytes = [0; GameRecord::SIZE];
        self.read_records(Name::Games, u64::from(number), &mut bytes)?;
        Ok(GameRecord::from_bytes(&bytes))
    }

    fn read_moves(&self, first: u64, count: usize) -> Result<Vec<SmallMove>, LibraryError> {
        let mut bytes = vec![0; 2 * count];
        self.read_records(Name::Moves, first, &mut bytes)?;
        Ok(bytes.as_chunks().0.iter().map(|&bytes| SmallMove(u16::from_le_bytes(bytes))).collect())
    }

    /// The start of a game as a FEN, if it is not the usual one, and all of its moves.
    pub(crate) fn whole_game(&self, number: u32) -> Result<(Option<String>, Vec<SmallMove>), LibraryError> {
        let game = self.record(number)?;
        let start = game.start.checked_sub(1).map(|start| self.name(start));
        Ok((start, self.read_moves(u64::from(game.moves), usize::from(game.plies))?))
    }

    /// White, Black, event, and the start as a FEN, empty if it is the usual one.
    pub(crate) fn names_of(&self, number: u32) -> Result<[String; 4], LibraryError> {
        let game = self.record(number)?;
        let start = game.start.checked_sub(1).map(|start| self.name(start)).unwrap_or_default();
        Ok([self.name(game.white), self.name(game.black), self.name(game.event), start])
    }

    /// All reactions, by action and reaction.
    pub(crate) fn all_reactions(&self) -> impl Iterator<Item = ReactionRecord> {
        self.reactions.iter().copied()
    }

    /// All actions that have cases, with the number of their first.
    pub(crate) fn all_actions(&self) -> &[(ActionRecord, u64)] {
        &self.actions
    }

    /// A name by its number.
    fn name(&self, number: u32) -> String {
        let at = |index: usize| self.name_starts.get(index).map(|&start| start as usize);
        let bytes =
            at(number as usize).zip(at(number as usize + 1)).map(|(begin, end)| &self.names[begin..end - 1]);
        String::from_utf8_lossy(bytes.unwrap_or_default()).into_owned()
    }
}

/// How the file is read.
impl Library {
    fn from_storage(
        path: &Path,
        storage: Storage,
        own_path: Option<PathBuf>,
    ) -> Result<Library, LibraryError> {
        let contents = read_contents(path, &storage)?;
        let mut library = Library {
            path: path.to_path_buf(),
            storage,
            contents,
            names: Vec::new(),
            name_starts: vec![0],
            reactions: Vec::new(),
            actions: Vec::new(),
            position_keys: Vec::new(),
            replayed: HashMap::new(),
            own_path,
            own: RwLock::default(),
        };
        library.load()?;
        library.refresh()?;
        Ok(library)
    }

    /// Brings to memory what is asked often, and checks the sections that are not large.
    fn load(&mut self) -> Result<(), LibraryError> {
        for section in self.contents.sections.clone() {
            let mut bytes = Vec::new();
            match section.name {
                Name::Positions => {
                    let (mut keys, mut number) = (Vec::new(), 0);
                    self.read_through(&section, |chunk| {
                        for record in chunk.as_chunks::<{ PositionRecord::SIZE }>().0 {
                            if number % STRIDE == 0 {
                                keys.push(PositionRecord::from_bytes(record).key);
                            }
                            number += 1;
                        }
                    })?;
                    self.position_keys = keys;
                    continue;
                }
                Name::Games | Name::Moves | Name::Cases if section.length > CHECKED => continue,
                Name::Games | Name::Moves | Name::Cases => {
                    self.read_through(&section, |_| ())?;
                    continue;
                }
                Name::Names | Name::Reactions | Name::Actions => {
                    self.read_through(&section, |chunk| bytes.extend_from_slice(chunk))?;
                }
            }
            match section.name {
                Name::Names => {
                    let ends = bytes.iter().zip(1..).filter(|&(&byte, _)| byte == b'\n').map(|(_, end)| end);
                    self.name_starts.extend(ends);
                    self.names = bytes;
                }
                Name::Reactions => {
                    self.reactions = bytes.as_chunks().0.iter().map(ReactionRecord::from_bytes).collect();
                }
                _ => {
                    let mut first = 0;
                    for record in bytes.as_chunks().0.iter().map(ActionRecord::from_bytes) {
                        self.actions.push((record, first));
                        first += u64::from(record.cases);
                    }
                }
            }
        }
        Ok(())
    }

    fn section(&self, name: Name) -> Option<Section> {
        self.contents.sections.iter().find(|section| section.name == name).copied()
    }

    /// Reads records; what the file does not have is damage.
    pub(crate) fn read_records(&self, name: Name, first: u64, bytes: &mut [u8]) -> Result<(), LibraryError> {
        let begin = first.saturating_mul(name.record());
        match self.section(name) {
            Some(section) if begin.saturating_add(bytes.len() as u64) <= section.length => {
                self.read_at(section.start + begin, bytes)
            }
            _ => Err(self.damaged(name)),
        }
    }

    fn damaged(&self, name: Name) -> LibraryError {
        LibraryError::Damaged {
            path: self.path.clone(),
            what: format!("the section {name:?}").to_lowercase(),
        }
    }

    fn read_at(&self, at: u64, bytes: &mut [u8]) -> Result<(), LibraryError> {
        let read = self.storage.read_at(at, bytes);
        read.map_err(|cause| LibraryError::Unreadable { path: self.path.clone(), cause })
    }

    /// Reads a section in parts of whole records, and checks it.
    fn read_through(&self, section: &Section, mut visit: impl FnMut(&[u8])) -> Result<(), LibraryError> {
        let mut crc = crc32fast::Hasher::new();
        let mut buffer = vec![0; section.length.min(section.name.record() << 13) as usize];
        let mut done = 0;
        while done < section.length {
            let length = (section.length - done).min(buffer.len() as u64);
            let bytes = &mut buffer[..length as usize];
            self.read_at(section.start + done, bytes)?;
            crc.update(bytes);
            visit(bytes);
            done += length;
        }
        if crc.finalize() == section.crc { Ok(()) } else { Err(self.damaged(section.name)) }
    }
}

impl Storage {
    fn size(&self) -> io::Result<u64> {
        match self {
            Storage::File(file) => Ok(file.metadata()?.len()),
            Storage::Memory(bytes) => Ok(bytes.len() as u64),
        }
    }

    fn read_at(&self, at: u64, buffer: &mut [u8]) -> io::Result<()> {
        match self {
            Storage::File(file) => system::read_exact_at(file, buffer, at),
            Storage::Memory(bytes) => {
                let end = at.checked_add(buffer.len() as u64).filter(|&end| end <= bytes.len() as u64);
                let end = end.ok_or(io::ErrorKind::UnexpectedEof)?;
                buffer.copy_from_slice(&bytes[at as usize..end as usize]);
                Ok(())
            }
        }
    }
}

/// Reads the head and the contents, and checks that all of the file is there.
fn read_contents(path: &Path, storage: &Storage) -> Result<Contents, LibraryError> {
    let own_path = || path.to_path_buf();
    let unreadable = |cause| LibraryError::Unreadable { path: own_path(), cause };
    let damaged = |what: &str| LibraryError::Damaged { path: own_path(), what: what.to_owned() };
    let size = storage.size().map_err(unreadable)?;
    let mut head = [0; HEAD];
    let length = size.min(HEAD as u64) as usize;
    storage.read_at(0, &mut head[..length]).map_err(unreadable)?;
    let long = |at: usize| u64::from_le_bytes(head[at..at + 8].try_into().expect("eight bytes"));
    let short = |at: usize| u32::from_le_bytes(head[at..at + 4].try_into().expect("four bytes"));
    if length < 8 || head[..8] != format::MAGIC {
        return Err(LibraryError::Foreign { path: own_path() });
    }
    if length < HEAD {
        return Err(LibraryError::Cut { path: own_path(), size, expected: HEAD as u64 });
    }
    if short(8) != format::VERSION {
        return Err(LibraryError::Version { path: own_path(), version: short(8), known: format::VERSION });
    }
    if crc32fast::hash(&head[..28]) != short(28) {
        return Err(damaged("its head"));
    }
    let (start, length) = (long(16), short(12));
    let expected = start.saturating_add(u64::from(length));
    if size != expected {
        return Err(LibraryError::Cut { path: own_path(), size, expected });
    }
    let mut text = vec![0; length as usize];
    storage.read_at(start, &mut text).map_err(unreadable)?;
    let contents = serde_json::from_slice::<Contents>(&text).ok();
    let is_inside = |section: &Section| {
        section.start.checked_add(section.length).is_some_and(|end| end <= start)
            && section.length.is_multiple_of(section.name.record())
    };
    let is_first = |(index, section): (usize, &Section), sections: &[Section]| {
        sections[..index].iter().all(|before| before.name != section.name)
    };
    let contents = contents.filter(|Contents { sections, .. }| {
        sections.iter().all(is_inside) && sections.iter().enumerate().all(|each| is_first(each, sections))
    });
    match contents {
        Some(contents) if crc32fast::hash(&text) == short(24) => Ok(contents),
        _ => Err(damaged("its list of contents")),
    }
}
