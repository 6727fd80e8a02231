//! Looking things up in a library.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use arrayvec::ArrayVec;
use chess::{Board, ChessMove, Color};

use super::action::{Action, ActionKey, Keying};
use super::answers::Answers;
use super::case::{Case, GameId, Planes, SmallMove};
use super::error::LibraryError;
use super::file::{LibraryFile, Storage};
use super::format::{self, ActionRecord, CASE, Contents, GameRecord, Name, PositionRecord, ReactionRecord};
use super::game::GameInfo;
use super::replay::{self, Cases};
use super::retain::{self, Own, OwnGame};
use super::similarity::{Measure, Similarity};
use crate::display::one_line;
use crate::position::notation::excerpt;
use crate::position::{Position, moves};

/// A library of actions, open for reading, with the own cases beside it. It can be shared between threads.
#[derive(Debug)]
pub struct Library {
    file: LibraryFile,
    names: Vec<u8>,
    /// Where each name begins, and where the last one ends.
    name_starts: Vec<u32>,
    reactions: Vec<ReactionRecord>,
    /// Actions with the number of their first case.
    actions: Vec<(ActionRecord, u64)>,
    /// Every so many-th key of the positions: see [`STRIDE`].
    position_keys: Vec<u64>,
    /// Cases that were made from the games, of a library that was built without.
    replayed: Cases,
    own_path: Option<PathBuf>,
    own: RwLock<Arc<OwnCases>>,
}

/// Positions that are read at once.
const STRIDE: usize = 128;
/// Cases that are read at once.
const CHUNK: usize = 2048;
/// Sections that are longer are checked by [`Library::check`] only: opening a library takes no time.
const CHECKED: u64 = 256 << 20;

/// Own cases, by action.
#[derive(Debug, Default)]
struct OwnCases {
    by_action: Cases,
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

impl Library {
    /// The name of the library that the program carries.
    pub const BUILT_IN: &str = "built-in";

    /// The library that the program carries: its opening lines, and games that it played against itself. Own
    /// cases go nowhere. Its cases are made from its games, which are a tenth of their size.
    pub fn built_in() -> Library {
        const GAMES: &[u8] = include_bytes!("../../book/kashan.klib.gz");
        let mut bytes = Vec::new();
        flate2::read::GzDecoder::new(GAMES).read_to_end(&mut bytes).expect("a test reads it");
        let file = LibraryFile::new(Path::new(Library::BUILT_IN), Storage::Memory(bytes));
        let library = file.and_then(|file| Library::new(file, None));
        let mut library = library.expect("a test opens it");
        for number in 0..library.count(Name::Games) as u32 {
            let (start, moves) = library.whole_game(number).expect("it is in memory");
            replay::add(&mut library.replayed, number, start.as_deref(), &moves);
        }
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
        Library::new(LibraryFile::open(path)?, own)
    }

    fn new(file: LibraryFile, own_path: Option<PathBuf>) -> Result<Library, LibraryError> {
        let mut library = Library {
            file,
            names: Vec::new(),
            name_starts: vec![0],
            reactions: Vec::new(),
            actions: Vec::new(),
            position_keys: Vec::new(),
            replayed: Cases::new(),
            own_path,
            own: RwLock::default(),
        };
        library.load()?;
        library.refresh()?;
        Ok(library)
    }

    /// Brings to memory what is asked often, and checks the sections that are not large.
    fn load(&mut self) -> Result<(), LibraryError> {
        for section in self.file.contents.sections.clone() {
            let mut bytes = Vec::new();
            match section.name {
                Name::Positions => {
                    let (mut keys, mut number) = (Vec::new(), 0);
                    self.file.read_through(&section, |chunk| {
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
                    self.file.read_through(&section, |_| ())?;
                    continue;
                }
                Name::Names | Name::Reactions | Name::Actions => {
                    self.file.read_through(&section, |chunk| bytes.extend_from_slice(chunk))?;
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

    /// Reads the own cases again: after a game there are more, perhaps also of another engine.
    ///
    /// # Errors
    /// The file is damaged or something else; what was read before stays.
    pub fn refresh(&self) -> Result<(), LibraryError> {
        let Some(path) = &self.own_path else { return Ok(()) };
        let own = Own::read(path)?;
        let mut by_action = Cases::new();
        for &(action, case) in &own.cases {
            by_action.entry(action).or_default().push(case);
        }
        let cases = Arc::new(OwnCases { by_action, own });
        *self.own.write().unwrap_or_else(PoisonError::into_inner) = cases;
        Ok(())
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.file.path
    }

    /// Where own cases are and go, if they go anywhere.
    pub fn own_path(&self) -> Option<&Path> {
        self.own_path.as_deref()
    }

    /// What is in the file.
    pub fn contents(&self) -> &Contents {
        &self.file.contents
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
        self.file.count(name)
    }

    /// Checks every byte of the file.
    ///
    /// # Errors
    /// A section is damaged, or the file cannot be read.
    pub fn check(&self) -> Result<(), LibraryError> {
        let sections = &self.file.contents.sections;
        sections.iter().try_for_each(|section| self.file.read_through(section, |_| ()))
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
        if let Some((record, first)) = self.action(action.key) {
            let (mut at, end) = (first, first + u64::from(record.cases));
            let mut buffer = vec![0; CHUNK.min(record.cases as usize) * CASE];
            while at < end {
                let count = (end - at).min(CHUNK as u64);
                let bytes = &mut buffer[..count as usize * CASE];
                self.file.read_records(Name::Cases, at, bytes)?;
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
        let count = self.count(Name::Positions) as usize;
        let known_number = |number: u16| (number > 0).then_some(number);
        // The first block that can have the key is the one before the first that begins with it.
        let mut block = self.position_keys.partition_point(|&first| first < key).saturating_sub(1);
        let mut buffer = [0; STRIDE * PositionRecord::SIZE];
        while self.position_keys.get(block).is_some_and(|&first| first <= key) {
            let first = block * STRIDE;
            let bytes = &mut buffer[..(count - first).min(STRIDE) * PositionRecord::SIZE];
            self.file.read_records(Name::Positions, first as u64, bytes)?;
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

    /// Reads records; what the file does not have is damage.
    pub(crate) fn read_records(&self, name: Name, first: u64, bytes: &mut [u8]) -> Result<(), LibraryError> {
        self.file.read_records(name, first, bytes)
    }

    /// The record of a game.
    pub(crate) fn record(&self, number: u32) -> Result<GameRecord, LibraryError> {
        let mut bytes = [0; GameRecord::SIZE];
        self.file.read_records(Name::Games, u64::from(number), &mut bytes)?;
        Ok(GameRecord::from_bytes(&bytes))
    }

    fn read_moves(&self, first: u64, count: usize) -> Result<Vec<SmallMove>, LibraryError> {
        let mut bytes = vec![0; 2 * count];
        self.file.read_records(Name::Moves, first, &mut bytes)?;
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
