//! The facade over the playing parts: the game, the options, the book, and the search thread.
//!
//! Front ends ([`crate::engine::front`]) own an [`Engine`], start its searches, and hand it the
//! events of its search thread from the channel of their choice. Nothing here waits or prints.

pub mod advice;
pub mod backend;
pub mod bench;
pub mod front;
mod game;
pub mod library;
mod options;
pub mod settings;
mod worker;

pub use crate::search::Thought;
pub use backend::BuildFor;
pub use game::Game;
pub use options::{Backend, EngineOptions, MOST_THREADS, strength_options};
pub use settings::Settings;
pub use worker::{Aside, EngineEvent, EventSink, JudgedMove, SearchId, Told, WorkerEvent};

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use chess::ChessMove;

use crate::rules::book::{Book, BookMove};
use crate::rules::position::Position;
use crate::rules::score::Score;
use crate::rules::tablebase::Tablebase;
use crate::search::action::Advice;
use crate::search::tables::KnownRoot;
use crate::search::{Chance, Clock, Generation, Limits, Strength};
use advice::OwnGame;
use worker::{Inspect, Job, SearchThread};

/// A running search, or the last news of an ended one.
#[derive(Clone, Debug)]
pub struct Running {
    id: SearchId,
    pub root: Position,
    pub clock: Arc<Clock>,
    /// The last thinking line.
    pub thought: Option<Thought>,
    /// The last lines with another first move, by their ranks. Only the option `MultiPV` makes such
    /// lines.
    pub alternatives: BTreeMap<usize, Thought>,
    /// The progress of the genetic search.
    pub generation: Option<Box<Generation>>,
    /// The moves and their chances in the draw of a move at a limited strength.
    pub draw: Vec<Chance>,
}

impl Running {
    fn keep(&mut self, thought: Thought) {
        if thought.rank > 1 {
            self.alternatives.insert(thought.rank, thought);
            return;
        }
        // A new best move may have been an alternative.
        self.alternatives
            .retain(|_, other| other.best_move() != thought.best_move());
        self.thought = Some(thought);
    }

    /// Returns the best move so far.
    pub fn best(&self) -> Option<ChessMove> {
        self.thought.as_ref().and_then(Thought::best_move)
    }
}

/// The Elo for each known move of theory at a limited strength.
const ELO_OF_A_BOOK_MOVE: i64 = 200;

/// Game, options, book and search thread.
pub struct Engine {
    pub game: Game,
    /// The front end shows [`Running::generation`] of searches from now on.
    pub follows_generations: bool,
    settings: Settings,
    book: Option<Book>,
    tables: Option<Arc<Tablebase>>,
    build_for: BuildFor,
    worker: SearchThread,
    running: Option<Running>,
    /// The running work beside the game, and the clock that stops it.
    aside: Option<(SearchId, Arc<Clock>)>,
    next_id: SearchId,
    /// Jobs without an answer of the search thread, the running search included.
    unanswered: usize,
    /// The settings of the search thread's searcher.
    built_for: Settings,
    /// Decides between the book's moves, and between moves at a limited strength; another one for
    /// each game.
    game_seed: u64,
    /// The values of the last warnings, by option: a value too large for the machine, or 0 for a
    /// missing library.
    warned_of: BTreeMap<&'static str, i64>,
    /// The library's advice for the last search's root.
    advice: Option<Box<Advice>>,
    own_game: OwnGame,
}

impl Engine {
    /// An engine with the searches of this crate.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub fn new(events: EventSink) -> io::Result<Engine> {
        Engine::with_searchers(backend::standard(), events)
    }

    /// Makes an engine that builds its searchers with `build_for`.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn with_searchers(build_for: BuildFor, events: EventSink) -> io::Result<Engine> {
        let settings = Settings::default();
        Ok(Engine {
            game: Game::default(),
            follows_generations: false,
            book: Some(Book::built_in()),
            tables: None,
            worker: SearchThread::start(build_for(&settings), events)?,
            build_for,
            running: None,
            aside: None,
            next_id: 1,
            unanswered: 0,
            built_for: settings.clone(),
            game_seed: options::seed(settings.engine.seed),
            warned_of: BTreeMap::new(),
            advice: None,
            own_game: OwnGame::default(),
            settings,
        })
    }

    pub fn position(&self) -> &Position {
        self.game.position()
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Time lost on each move between the engine and the referee's clock.
    pub fn move_overhead(&self) -> Duration {
        Duration::from_millis(u64::try_from(self.settings.engine.move_overhead).unwrap_or(0))
    }

    /// Returns the running search.
    pub fn running(&self) -> Option<&Running> {
        self.running.as_ref()
    }

    /// Returns true if the search thread still has earlier work to do, a running search aside.
    pub fn is_busy(&self) -> bool {
        self.unanswered > usize::from(self.running.is_some())
    }

    /// Sets an option by name. Options of the search take effect with the next search.
    ///
    /// # Errors
    /// An unknown name, a value that does not fit, or an unreadable book, table, library or file of
    /// weights; nothing is changed then.
    pub fn set_option(&mut self, name: &str, value: &str) -> anyhow::Result<()> {
        let one_word: String = name.split_whitespace().collect();
        if one_word.eq_ignore_ascii_case("ClearHash") {
            self.clear_hash();
            return Ok(());
        }
        let mut changed = self.settings.clone();
        changed.set(name, value)?;
        if changed.engine.syzygy_path != self.settings.engine.syzygy_path {
            self.tables = match changed.engine.syzygy_path.as_str() {
                "" => None,
                path => Some(Arc::new(Tablebase::open(path)?)),
            };
        }
        if changed.engine.book_file != self.settings.engine.book_file {
            self.book = Some(match changed.engine.book_file.as_str() {
                "" => Book::built_in(),
                path => Book::open(path)?,
            });
        }
        if changed.engine.seed != self.settings.engine.seed {
            self.game_seed = options::seed(changed.engine.seed);
        }
        self.settings = changed;
        if self.settings.engine.hash != self.built_for.engine.hash {
            self.apply_memory();
        }
        Ok(())
    }

    /// Empties the tables, after the running search if there is one. The game stays.
    fn clear_hash(&mut self) {
        self.rebuild_if_needed();
        self.send(Job::NewGame);
        self.prepare();
    }
    /// Sets the memory for trees and tables, in megabytes.
    pub fn set_memory(&mut self, megabytes: u32) {
        self.settings.engine.hash = i64::from(megabytes).clamp(1, 65536);
        self.apply_memory();
    }

    /// Sets how many threads search, from the next search on.
    pub fn set_threads(&mut self, threads: u32) {
        self.settings.engine.threads = i64::from(threads).clamp(1, MOST_THREADS);
    }

    fn threads(&self) -> usize {
        usize::try_from(self.settings.engine.threads).unwrap_or(1)
    }

    /// Returns the number of best lines for analysis.
    pub fn lines(&self) -> usize {
        usize::try_from(self.settings.engine.lines).unwrap_or(1)
    }

    /// Returns the number of lines in an analysis of `root`: no more than there are moves, or moves
    /// that keep the result of endgame tables.
    pub fn lines_of(&self, root: &Position) -> usize {
        let limits = Limits {
            tables: self.tables.clone(),
            ..Limits::default()
        };
        let moves = match KnownRoot::new(root, &limits) {
            Some(known) => known.limits(root, &limits).root_moves(root),
            None => root.legal_moves(),
        };
        self.lines().min(moves.len())
    }

    fn apply_memory(&mut self) {
        self.send(Job::SetMemory(backend::megabytes(&self.settings)));
        self.built_for.engine.hash = self.settings.engine.hash;
    }

    /// Forgets the game and everything learned from the game.
    pub fn new_game(&mut self) {
        self.cancel();
        self.game_over(None);
        self.game = Game::default();
        self.game_seed = match self.settings.engine.seed {
            0 => options::seed(0),
            _ => self.game_seed.wrapping_add(1),
        };
        self.clear_hash();
    }
    /// A move of the opening book for the position on the board, if the book is on and has one. At
    /// a limited strength only the first moves of a game are known by heart.
    pub fn book_move(&self) -> Option<ChessMove> {
        let number = i64::from(self.position().fullmove_number());
        let elo = self.settings.limited_to().unwrap_or(i64::MAX);
        if !self.settings.engine.own_book || number > elo / ELO_OF_A_BOOK_MOVE {
            return None;
        }
        let book = self.book.as_ref()?;
        let illegal = book.illegal_moves(self.position());
        if !illegal.is_empty() {
            log::warn!(
                "the opening book {} has moves that are not legal in {}, and they are left out: {}",
                self.settings.engine.book_file,
                self.position().to_fen(),
                illegal.join(" ")
            );
        }
        book.probe(self.position(), self.game_seed)
    }

    /// Stores the engine's move `mv` in the position on the board as a case of the library, if the
    /// options ask for that. Returns news for the user, in words without a full stop.
    pub fn retain(&mut self, mv: ChessMove) -> Option<String> {
        if !self.settings.library.retain {
            return None;
        }
        let fault = match self.settings.library_of_file() {
            Some(library) => self
                .own_game
                .add(library, self.game.position(), mv)
                .err()?
                .to_string(),
            None => "there is no file for them (option LibraryFile)".to_owned(),
        };
        // Once is enough.
        self.settings.library.retain = false;
        Some(format!("Own moves are not kept (option Retain): {fault}"))
    }

    /// Ends the game, with the result in PGN notation if one is known.
    pub fn game_over(&mut self, result: Option<&str>) {
        let ended = self.own_game.end(result);
        let refreshed = match self.settings.library_of_file() {
            Some(library) => library.refresh(),
            None => Ok(()),
        };
        if let Err(error) = ended.and(refreshed) {
            log::warn!("{error}");
        }
    }

    /// Returns the library's reason for `mv` in the last search, if the library was asked: "as
    /// Adams did against Pasman".
    pub fn reason_for(&self, mv: ChessMove) -> Option<String> {
        let advice = self.advice.as_deref()?;
        advice::reason(advice, advice.of(mv))
    }

    /// Returns all moves of the opening book for the position on the board, the likeliest first,
    /// even with the book off.
    pub fn book_moves(&self) -> Vec<BookMove> {
        self.book
            .as_ref()
            .map(|book| book.moves(self.position()))
            .unwrap_or_default()
    }

    /// Returns the static evaluation of the position on the board, from White's point of view.
    pub fn static_evaluation(&self) -> Score {
        self.settings.evaluate(self.position().board())
    }

    /// The endgame tables, if there are some.
    pub fn tables(&self) -> Option<&Tablebase> {
        self.tables.as_deref()
    }

    /// Calls [`Engine::search`] for a move of a game, at the strength of the options. A search of
    /// limited strength has no endgame tables.
    pub fn play(&mut self, root: Position, limits: Limits, clock: Clock) {
        let seed = self.game_seed;
        let strength = self.settings.limited_to().map(|elo| Strength { elo, seed });
        self.search(root, Limits { strength, ..limits }, clock);
    }

    /// Starts a search of `root` with the engine's endgame tables and the number of threads from
    /// the options; cancels a running search.
    pub fn search(&mut self, root: Position, limits: Limits, clock: Clock) {
        self.cancel();
        self.advice = None;
        let tables = self.tables.clone().filter(|_| limits.strength.is_none());
        let limits = Limits {
            threads: self.threads(),
            tables,
            ..limits
        };
        self.rebuild_if_needed();
        let clock = Arc::new(clock);
        let id = self.next_id;
        self.next_id += 1;
        self.send(Job::Search {
            id,
            root: Box::new(root.clone()),
            limits,
            clock: Arc::clone(&clock),
            follows_generations: self.follows_generations,
        });
        self.running = Some(Running {
            id,
            root,
            clock,
            thought: None,
            alternatives: BTreeMap::new(),
            generation: None,
            draw: Vec::new(),
        });
    }

    /// Runs work other than a search on the search thread. The result comes as
    /// [`EngineEvent::Said`], unless [`Engine::cancel`] or a search ends the work.
    pub fn aside(&mut self, work: Aside) {
        self.cancel();
        let id = self.next_id;
        let clock = Arc::new(Clock::unlimited());
        self.next_id += 1;
        self.aside = Some((id, Arc::clone(&clock)));
        self.send(Job::Aside { id, work, clock });
    }

    /// Asks the running search, or the work in its place, to report at once.
    pub fn stop(&self) {
        if let Some(running) = &self.running {
            running.clock.stop();
        }
        if let Some((_, clock)) = &self.aside {
            clock.stop();
        }
    }

    /// Ends the running search or the work in its place; later events of either are ignored.
    pub fn cancel(&mut self) {
        if let Some(running) = self.running.take() {
            self.worker.forget(running.id);
            running.clock.stop();
        }
        if let Some((_, clock)) = self.aside.take() {
            clock.stop();
        }
    }

    /// Inspects the searcher in its state after the last search, before the next one begins.
    pub fn inspect(&mut self, look: Inspect) {
        self.send(Job::Inspect(look));
    }

    /// Builds the searcher of the options, if the search thread has another, and prepares its
    /// memory, so that no search has to wait.
    pub fn prepare(&mut self) {
        self.rebuild_if_needed();
        self.send(Job::Prepare {
            threads: self.threads(),
        });
    }

    /// Ends a running preparation: the engine is to move.
    pub fn wake(&mut self) {
        if self.is_busy() {
            self.send(Job::Wake);
        }
    }

    fn rebuild_if_needed(&mut self) {
        if !self.built_for.same_search(&self.settings) {
            self.built_for = self.settings.clone();
            self.send(Job::Configure((self.build_for)(&self.settings)));
        }
    }

    fn send(&mut self, job: Job) {
        self.unanswered += 1;
        self.worker.send(job);
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.game_over(None);
    }
}
