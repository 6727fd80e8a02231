//! The board in the browser: the console's game on a page, and the search at work beside the board.
//! The console makes all changes of the game and keeps the game; all open pages show the one game.
//!
//! ```text
//! page  -- GET state, ten times a second -->  server  -->  State, as JSON
//!       -- POST do: Action              -->          -->  Console
//! ```

mod analysis;
mod changes;
mod server;
mod state;

use std::collections::HashMap;
use std::io::{self, Read as _, Write as _};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use chess::ChessMove;
use flate2::Compression;
use flate2::read::{GzDecoder, GzEncoder};
use serde::Deserialize;

use self::analysis::Analysis;
use self::changes::Changes;
use super::{Activity, Console, Face, keep, notation, opposite};
use crate::engine::front::{Event, Front};
use crate::engine::{Engine, WorkerEvent, strength_options};
use crate::play::Start;
use crate::play::explain::{ExplainTask, Limit, USUAL_BRANCHES, explain_search};
use crate::rules::position::Position;
use crate::search::SearchReport;
use crate::util::system::{self, Signal};

/// The number of the console's last lines on the page.
const SAID: usize = 4;

/// The time for last answers at the end.
const LAST_WORD: Duration = Duration::from_millis(200);

/// A request of the page, besides requests for the state.
#[derive(Debug, Deserialize, strum::AsRefStr)]
#[strum(serialize_all = "lowercase")]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
pub enum Action {
    /// A move in a person's notation, in the position after `ply` half-moves: of the game, or in an
    /// analysis of what is on the board.
    Move {
        text: String,
        ply: usize,
    },
    /// Another game: the side of the user (`white`, `black` or `both`), the level as at the console
    /// (empty for the last game's level), the preset, and the rating of Kashan, or `max` for full
    /// strength.
    New {
        side: String,
        level: String,
        preset: String,
        strength: Option<String>,
    },
    /// The first game of a PGN, or a position as FEN.
    Load {
        pgn: String,
    },
    /// A look back at the game.
    Review,
    /// Both sides are moved by hand, and the position after `ply` half-moves is searched; again, to
    /// go back to the game.
    Analyse {
        ply: usize,
    },
    /// Another position of the board is searched.
    Look {
        ply: usize,
    },
    /// The number of lines in an analysis.
    Lines {
        lines: usize,
    },
    /// The end of an analysis.
    Leave,
    /// A game against Kashan, from the position after `ply` half-moves on.
    From {
        ply: usize,
    },
    Undo,
    Hint,
    Now,
    Go,
    Draw,
    Resign,
    Resume,
    /// The program is to end.
    Quit,
}

/// The most lines in an analysis.
const MOST_LINES: usize = 5;

/// Pages with explanations of moves, compressed, by position and move.
type Pages = Arc<Mutex<HashMap<String, Vec<u8>>>>;

/// A game on pages, to watch and to play.
pub struct Web {
    console: Console,
    /// Grows with every change but those of a running search.
    version: u64,
    said: Vec<String>,
    pages: Pages,
    analysis: Option<Analysis>,
    /// The lines with different first moves that an analysis shows.
    lines: usize,
    /// The changes of the best branch in the running or the last search.
    changes: Changes,
    /// The time of a page's last request.
    asked: Instant,
    events: Sender<Event>,
}

/// Locks a mutex, even after a panic of another thread: the value stays whole, because each change
/// is one step.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the key of a move's page.
fn page_key(before: &Position, mv: ChessMove) -> String {
    format!("{} {mv}", before.to_fen())
}

impl Web {
    /// A new game, kept in `file`, the user playing White.
    fn new(engine: Engine, file: Option<PathBuf>, events: Sender<Event>) -> Self {
        let mut console = Console::new(engine, io::sink(), false);
        if let Some(file) = file {
            console = console.keep_in(file);
        }
        console.face = Face::Page {
            said: String::new(),
        };
        Web {
            console,
            version: 1,
            said: Vec::new(),
            pages: Pages::default(),
            analysis: None,
            lines: 1,
            changes: Changes::default(),
            asked: Instant::now(),
            events,
        }
    }

    /// Something has changed on the board, or was said.
    fn changed(&mut self) {
        self.version += 1;
        if let Face::Page { said } = &mut self.console.face {
            let lines = said.lines().filter(|line| !line.is_empty());
            self.said.extend(lines.map(str::to_owned));
            said.clear();
        }
        let surplus = self.said.len().saturating_sub(SAID);
        self.said.drain(..surplus);
    }

    /// Carries out a request of a page.
    ///
    /// # Errors
    /// A senseless or outdated request; the text is for the user.
    fn act(&mut self, action: Action) -> Result<(), String> {
        let is_of_a_game = matches!(
            action,
            Action::Undo | Action::Go | Action::Draw | Action::Resign | Action::Hint
        );
        if is_of_a_game && self.analysis.is_some() {
            return Err("That cannot be done in an analysis.".to_owned());
        }
        self.said.clear();
        match action {
            Action::Move { text, ply } => {
                let mv = self.typed_move(&text, ply)?;
                self.console.line(&mv);
            }
            Action::New {
                side,
                level,
                preset,
                strength,
            } => {
                self.new_game(&side, &level, &preset, strength.as_deref())?;
                self.console.line("new");
            }
            Action::Load { pgn } => self.load(pgn.trim())?,
            Action::Analyse { ply } => self.begin_analysis(ply),
            Action::Look { ply } => {
                if let Some(analysis) = &mut self.analysis {
                    analysis.ply = ply;
                }
            }
            Action::Lines { lines } => self.lines = lines.clamp(1, MOST_LINES),
            Action::Leave => {
                self.end_analysis();
                self.go_on();
            }
            Action::From { ply } => self.play_from(ply),
            Action::Quit => {
                let _ = self.events.send(Event::Signal(Signal::Terminate));
                return Ok(());
            }
            Action::Resume => {
                self.end_analysis();
                self.console.line("resume");
            }
            command => {
                self.console.line(command.as_ref());
            }
        }
        if self.console.activity != Activity::Review {
            self.analyse();
        }
        self.changed();
        Ok(())
    }

    /// Reads a move in the position after `ply` half-moves.
    fn typed_move(&mut self, text: &str, ply: usize) -> Result<String, String> {
        let game = &self.console.engine.game;
        let is_here = ply == game.moves().len() || self.analysis.is_some();
        let position = game.position_before(ply).filter(|_| is_here);
        let position = position.ok_or("The position has changed: try again.")?;
        let mv = notation::read(position, text).map_err(|error| format!("{error}."))?;
        if self.analysis.is_some() {
            self.vary(ply);
        }
        if let Some(analysis) = &mut self.analysis {
            analysis.ply = ply + 1;
        }
        Ok(mv.to_string())
    }

    /// Puts a game or a position on the board, and ends an analysis.
    ///
    /// # Errors
    /// The fault of a text that cannot be read, in words for the user; nothing changes then.
    fn load(&mut self, text: &str) -> Result<(), String> {
        let ranks = text.split_whitespace().next().unwrap_or_default();
        if ranks.matches('/').count() == 7 {
            let position = Position::from_fen(text).map_err(|error| format!("{error}."))?;
            self.end_analysis();
            self.console.set_up(position);
        } else {
            let game = keep::read(text.as_bytes())
                .map_err(|error| format!("The game cannot be read: {error}."))?;
            self.end_analysis();
            self.console.load(game);
        }
        Ok(())
    }

    /// Lets Kashan think after an analysis, if it is to move.
    fn go_on(&mut self) {
        let side = self.console.engine.game.side_to_move();
        if self.console.ending.is_none() && self.console.kashan == Some(side) {
            self.console.answer();
        }
    }

    /// Sets everything for the next game.
    fn new_game(
        &mut self,
        side: &str,
        level: &str,
        preset: &str,
        strength: Option<&str>,
    ) -> Result<(), String> {
        let kashan = opposite(side).ok_or_else(|| format!("\"{side}\" is no side."))?;
        let control = match level {
            "" => self.console.clocks.control(),
            _ => notation::level(level).ok_or_else(|| format!("\"{level}\" is no level."))?,
        };
        let mut options = strength.map(strength_options).unwrap_or_default();
        options.push(("Preset".to_owned(), preset.to_owned()));
        let sentence = |error| format!("{error}.");
        // Either all of them are set or none.
        let mut tried = self.console.engine.settings().clone();
        for (name, value) in &options {
            tried.set(name, value).map_err(sentence)?;
        }
        for (name, value) in &options {
            self.console
                .engine
                .set_option(name, value)
                .map_err(sentence)?;
        }
        self.end_analysis();
        self.console.cancel();
        self.console.clocks.set_control(control);
        self.console.kashan = kashan;
        self.console.seen = None;
        self.pages = Pages::default();
        Ok(())
    }

    /// Hands the console an event of the search thread. When Kashan has moved, the tree behind the
    /// move becomes a page.
    fn search_event(&mut self, event: WorkerEvent) {
        let running = self.console.engine.running();
        let is_move = self.console.activity == Activity::Move;
        let found = match (&event, running) {
            (WorkerEvent::Finished { report, .. }, Some(running)) if is_move => {
                Some((report.clone(), running.clock.elapsed(report.nodes)))
            }
            _ => None,
        };
        let is_progress = event.is_progress();
        let is_review = matches!(event, WorkerEvent::Said { .. });
        let played = self.console.engine.game.moves().len();
        self.console.search_event(event);
        if let Some(running) = self.console.engine.running() {
            self.changes.follow(running);
        }
        self.rest_if_forsaken();
        if let Face::Page { said } = &mut self.console.face
            && is_review
        {
            // It has a place of its own, and is no longer awaited.
            said.clear();
            self.said.clear();
            self.analyse();
        }
        if let Some((report, time)) = found
            && self.console.engine.game.moves().len() > played
        {
            self.explain(played, report, time);
        }
        if !is_progress {
            self.changed();
        }
    }

    /// Lets the search thread make the page of the move with this index.
    fn explain(&mut self, index: usize, report: Box<SearchReport>, time: Duration) {
        let engine = &mut self.console.engine;
        if engine.settings().limited_to().is_some() {
            // It drew the move: a search does not explain it, and the page tells the draw.
            return;
        }
        let Some(&mv) = engine.game.moves().get(index) else {
            return;
        };
        let Some(root) = engine.game.position_before(index) else {
            return;
        };
        let tenths = (time.as_millis() / 100).max(1) as u32;
        let task = ExplainTask {
            root: root.clone(),
            settings: engine.settings().clone(),
            limit: Limit::Time(Duration::from_millis(100).saturating_mul(tenths)),
            branches: USUAL_BRANCHES,
        };
        let pages = Arc::clone(&self.pages);
        let key = page_key(root, mv);
        engine.inspect(Box::new(move |searcher| {
            let Some(remains) = searcher.remains() else {
                return;
            };
            let page = explain_search(remains, &report, &task).to_html();
            let mut packed = Vec::new();
            let mut encoder = GzEncoder::new(page.as_bytes(), Compression::fast());
            if encoder.read_to_end(&mut packed).is_ok() {
                locked(&pages).insert(key, packed);
            }
        }));
    }

    /// The game, or the game with the comments of a look back if there was one.
    fn pgn(&self, with_comments: bool) -> Option<String> {
        if !with_comments {
            return Some(self.console.pgn());
        }
        let pgn = &self.console.reviewed.as_ref()?.pgn;
        (!pgn.is_empty()).then(|| pgn.clone())
    }

    /// The page of a move of the game.
    fn page(&self, index: usize) -> Option<String> {
        let game = &self.console.engine.game;
        let key = page_key(game.position_before(index)?, *game.moves().get(index)?);
        let mut page = String::new();
        let pages = locked(&self.pages);
        let mut decoder = GzDecoder::new(pages.get(&key)?.as_slice());
        decoder.read_to_string(&mut page).ok()?;
        Some(page)
    }
}

/// Serves the board until the end of the conversation.
///
/// # Errors
/// There is no free address for the board, or the system gives no thread.
pub fn serve(
    engine: Engine,
    start: Start<'_>,
    sender: Sender<Event>,
    events: &Receiver<Event>,
) -> io::Result<()> {
    let mut web = Web::new(engine, keep::usual_file(), sender);
    web.console = web.console.with_setup(start.setup);
    web.console.begin(start.resume);
    web.changed();
    let web = Arc::new(Mutex::new(web));
    let address = server::start(Arc::clone(&web))?;
    say(&format!("Kashan plays at {address}\nControl-C ends."));
    if !start.no_open
        && let Err(error) = system::open_in_browser(&address)
    {
        log::info!("no browser was opened: {error}");
    }
    while let Ok(event) = events.recv() {
        match event {
            Event::Search(event) => locked(&web).search_event(event),
            Event::Interrupted | Event::Signal(_) => break,
            Event::Line(_) | Event::EndOfInput => {}
        }
    }
    let mut web = locked(&web);
    web.end_analysis();
    web.said.clear();
    web.console.say_what_is_kept();
    web.changed();
    say(&web.said.join("\n"));
    drop(web);
    // The page that asked for the end still gets its answer.
    std::thread::sleep(LAST_WORD);
    Ok(())
}

/// Writes to the terminal of the program's start. A missing reader is no error.
fn say(text: &str) {
    let mut output = io::stdout();
    let _ = writeln!(output, "{text}").and_then(|()| output.flush());
}
