//! The game as PGN: kept in a file after every move, so that no end of the program loses the game,
//! shown, or saved by the user.

use std::fs::{self, File};
use std::io::{self, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use chess::{ALL_COLORS, Color};
use shakmaty::Outcome;

use super::commands::unquoted;
use super::{Console, Ending, name, notation};
use crate::engine::front::NAME;
use crate::engine::{Game, strength_options};
use crate::rules::pgn::{self, Movetext, Reader, Rules, Strict, tag_pair};
use crate::rules::position::Position;
use crate::rules::position::notation::from_shakmaty_move;
use crate::search::time_control::TimeControl;
use crate::util::display::{harmless, one_line};
use crate::util::files;
use crate::util::system;

/// `kashan/game.pgn` in the user's data folder; `None` if the system names no such folder.
pub fn usual_file() -> Option<PathBuf> {
    Some(system::data_folder()?.join("kashan").join("game.pgn"))
}

/// A game from the file.
pub(super) struct Kept {
    game: Game,
    kashan: Option<Color>,
    /// True for a game of this console, by the names of the players.
    is_own: bool,
    /// True if the makers of the moves are unknown.
    is_mixed: bool,
    /// The date of the beginning, the limit of Kashan's rating (or `max`), and the level: of an own
    /// game.
    date: Option<String>,
    strength: Option<String>,
    control: Option<TimeControl>,
    /// The end of the game, if there is one.
    ending: Option<Ending>,
    /// The names of the players, White's first, if they are others.
    players: Option<[String; 2]>,
    /// The text of the PGN.
    text: String,
}

/// The event of games: with one player for all moves of a side, and with a change of players.
const EVENTS: [&str; 2] = ["Casual game", "Casual game, players changed"];

/// The user's name.
pub(super) const HUMAN: &str = "Human";

/// The file beside the kept game for all games that made way for another.
const PUT_ASIDE: &str = "games-before.pgn";

/// Reads the first game of a PGN.
///
/// # Errors
/// The fault of a text that is no game of chess, in words for the user.
pub(super) fn read(pgn: &[u8]) -> Result<Kept, String> {
    let text = match Reader::new(pgn).next_game() {
        Ok(Some(text)) => text,
        Ok(None) => return Err("there is no game in it".to_owned()),
        Err(error) => return Err(error.to_string()),
    };
    let rules = Rules {
        strict: Strict::All,
        ..Rules::default()
    };
    let kept = pgn::PgnGame::read(&text, &rules)?;
    let mut game = Game::new(Position::from_shakmaty(&kept.start)?);
    for mv in &kept.moves {
        game.play(from_shakmaty_move(mv.mv))
            .map_err(|error| error.to_string())?;
    }
    let players = ALL_COLORS.map(|side| kept.tags.get(name(side)).unwrap_or("?"));
    let is_kashan = |player: &&str| player.split(' ').next() == Some("Kashan");
    let kashan = players
        .iter()
        .position(is_kashan)
        .map(|side| ALL_COLORS[side]);
    let humans = players.iter().filter(|player| **player == HUMAN).count();
    let is_own = humans == if kashan.is_some() { 1 } else { 2 };
    let tag = |name: &str| kept.tags.get(name).filter(|_| is_own);
    // Line ends of other systems, and white space that is none in a terminal.
    let text = text
        .text
        .trim_end()
        .replace("\r\n", "\n")
        .replace(['\r', '\x0b', '\x0c'], " ");
    Ok(Kept {
        game,
        kashan,
        is_own,
        is_mixed: !is_own || tag("Event") == Some(EVENTS[1]),
        date: tag("Date").map(str::to_owned),
        strength: tag(&strength_tag(kashan))
            .or((is_own && kashan.is_some()).then_some("max"))
            .map(str::to_owned),
        control: tag("TimeControl").and_then(notation::tagged),
        players: (!is_own).then(|| players.map(one_line)),
        text: harmless(&text) + "\n\n",
        ending: kept.result.and_then(Outcome::known).map(|known| {
            let result = known.as_str();
            // The console writes the reason behind the last move; others write what they like.
            let reason = match kept.moves.last() {
                Some(last) if is_own => last.comments.last(),
                _ => None,
            };
            let reason = one_line(reason.map_or(result, String::as_str));
            Ending { result, reason }
        }),
    })
}

/// Returns the tag with Kashan's rating; without a side for Kashan, a tag for the coming rating.
fn strength_tag(kashan: Option<Color>) -> String {
    match kashan {
        Some(side) => format!("{}Elo", name(side)),
        None => "Strength".to_owned(),
    }
}

/// The keeper of the game in progress, in a file.
pub(super) struct Keeper {
    file: PathBuf,
    /// The last text of the game on the board that this console wrote to the file or read there.
    /// Any other text in the file is another game.
    own: Option<Vec<u8>>,
    /// The user knows that games are put aside.
    has_told: bool,
    /// The last attempt to write failed, and the user was told so.
    has_failed: bool,
}

impl Keeper {
    /// Keeps the game described by `pgn`. Another game in the file is put aside first; returns the
    /// path of the file for such games.
    fn keep(&mut self, pgn: &str) -> io::Result<Option<PathBuf>> {
        if let Some(folder) = self.file.parent() {
            fs::create_dir_all(folder)?;
        }
        // What another console writes between our look and our writing would be lost.
        let _lock = self.lock();
        let aside = match self.content()? {
            Some(content) if !content.is_empty() && self.own.as_ref() != Some(&content) => {
                Some(self.put_aside(&content)?)
            }
            _ => None,
        };
        files::replace(&self.file, pgn.as_bytes())?;
        self.own = Some(pgn.as_bytes().to_owned());
        Ok(aside)
    }

    /// Takes the lock, held by one console at a time. Without locks, or with the lock in other
    /// hands, the game is kept unlocked.
    fn lock(&self) -> Option<File> {
        let file = files::open(&files::beside(&self.file, ".lock")).ok()?;
        files::lock(&file).ok().map(|_| file)
    }

    /// Returns true if an unfinished game waits in the file.
    pub(super) fn has_unfinished_game(&self) -> bool {
        if let Ok(Some(content)) = self.content()
            && let Ok(kept) = read(&content)
        {
            return kept.ending.is_none() && !kept.game.moves().is_empty();
        }
        false
    }

    /// Returns true if the file holds this console's last text.
    fn holds_own(&self) -> bool {
        self.own.is_some() && self.content().is_ok_and(|content| content == self.own)
    }

    fn content(&self) -> io::Result<Option<Vec<u8>>> {
        files::content(&self.file)
    }

    /// Adds a game to the file for games that made way, and returns the path.
    fn put_aside(&self, game: &[u8]) -> io::Result<PathBuf> {
        let path = files::folder_of(&self.file).join(PUT_ASIDE);
        let mut file = files::open_at_end(&path)?;
        let gap = pgn::gap(&mut file)?;
        file.write_all(&[gap.as_bytes(), game].concat())?;
        file.sync_data()?;
        Ok(path)
    }
}

impl Console {
    /// Keeps the game in `file` from now on.
    pub fn keep_in(mut self, file: PathBuf) -> Self {
        self.keeper = Some(Keeper {
            file,
            own: None,
            has_told: false,
            has_failed: false,
        });
        self
    }

    /// Keeps the game in its present state. A game without moves replaces only its own earlier
    /// state with moves since taken back; a game with moves of Kashan alone does not replace an
    /// unfinished game, because the user may want to go on there. An error is reported once, and
    /// the next move tries again.
    pub(super) fn keep(&mut self) {
        let pgn = self.pgn();
        let moves = self.engine.game.moves().len();
        let begins = self.engine.game.start().side_to_move();
        let kashans = usize::from(self.kashan == Some(begins));
        let Some(keeper) = &mut self.keeper else {
            return;
        };
        let may_keep =
            moves > kashans || keeper.holds_own() || moves > 0 && !keeper.has_unfinished_game();
        if !may_keep {
            return;
        }
        let outcome = keeper.keep(&pgn);
        let had_failed = std::mem::replace(&mut keeper.has_failed, outcome.is_err());
        match outcome {
            Ok(Some(aside)) if !std::mem::replace(&mut keeper.has_told, true) => {
                let aside = aside.display();
                self.say(format!("The game that was kept before is in {aside}."));
            }
            Err(error) if !had_failed => {
                let text = format!(
                    "The game cannot be kept in {}: {error}.",
                    keeper.file.display()
                );
                self.say(text);
            }
            Ok(_) | Err(_) => {}
        }
    }

    /// Returns true if the game on the board is kept.
    fn is_kept(&self) -> bool {
        self.keeper.as_ref().is_some_and(Keeper::holds_own)
    }

    /// Keeps the settings for the rest of the game. A game still in its written form stays
    /// unchanged.
    pub(super) fn keep_settings(&mut self) {
        if self.is_kept() && self.written.is_none() {
            self.keep();
        }
    }

    /// Prints a note on the kept game, and the command to resume.
    pub(super) fn say_what_is_kept(&mut self) {
        if self.ending.is_some() || self.engine.game.moves().is_empty() {
            return;
        }
        if !self.is_kept() {
            // It could not be written, or another console has written its game since.
            self.keep();
        }
        if self.is_kept() {
            self.say("The game is kept; \"kashan --resume\" goes on with it.");
        }
    }

    /// Says hello, and goes on with the kept game.
    pub fn greet_again(&mut self) {
        self.say(format!(
            "{NAME}: chess by genetic search. Type a move, or help."
        ));
        self.resume();
        self.prompt();
    }

    /// `resume`
    pub(super) fn resume(&mut self) {
        let Some(keeper) = &self.keeper else {
            return self.say("No game is kept: there is no folder for it, or no terminal.");
        };
        let (kept, content) = match keeper.content() {
            Ok(Some(content)) => (read(&content), content),
            Ok(None) => return self.say("No game is kept."),
            Err(error) => (Err(error.to_string()), Vec::new()),
        };
        let kept = match kept {
            Ok(kept) => kept,
            Err(error) => {
                let file = keeper.file.display();
                return self.say(format!("The game in {file} cannot be read: {error}."));
            }
        };
        self.take_up(kept, false);
        // What else is in the file, as tags, comments or another game, would be lost with the next
        // move.
        let strength = strength_tag(self.kashan);
        let is_all =
            words(&self.pgn(), &strength) == words(&String::from_utf8_lossy(&content), &strength);
        if let Some(keeper) = &mut self.keeper {
            keeper.own = is_all.then_some(content);
        }
    }

    /// Puts a game that was read on the board.
    pub(super) fn load(&mut self, mut kept: Kept) {
        // Only a game that is gone on with sets these.
        kept.date = None;
        kept.strength = None;
        kept.control = None;
        self.leave_the_kept_game();
        self.take_up(kept, true);
        self.keep();
    }

    /// Notes a change of a game in its written form: the written form is put aside.
    pub(super) fn changes_the_game(&mut self) {
        self.hinted = None;
        self.players = None;
        if self.written.take().is_some() {
            self.leave_the_kept_game();
        }
    }

    /// Treats the game in the file as another game than the one on the board from now on.
    pub(super) fn leave_the_kept_game(&mut self) {
        if let Some(keeper) = &mut self.keeper {
            keeper.own = None;
        }
    }

    /// Goes on with a game. The text stays unchanged on request (`stays`), for a game of other
    /// players, and for a finished game.
    fn take_up(&mut self, kept: Kept, stays: bool) {
        self.cancel();
        self.engine.new_game();
        self.engine.game = kept.game;
        // In a game of others that has none, Kashan takes the side that does not move next.
        self.kashan = match kept.kashan {
            None if !kept.is_own => Some(!self.engine.game.side_to_move()),
            known => known,
        };
        if let Some(control) = kept.control.filter(|_| !self.has_level) {
            self.clocks.set_control(control);
        }
        if let Some(strength) = kept.strength.filter(|_| !self.has_strength) {
            // A rating of another program's may be none of ours: then nothing changes.
            let mut options = strength_options(&strength).into_iter();
            let _ = options.try_for_each(|(name, value)| self.engine.set_option(&name, &value));
            if let Some(elo) = self.engine.settings().limited_to() {
                self.say(format!("Kashan plays at {elo} Elo."));
            }
        }
        self.forget_the_game();
        self.begun = kept.date.unwrap_or_else(today);
        self.ending = self.ending.take().or(kept.ending);
        self.is_mixed = kept.is_mixed;
        self.players = kept.players;
        self.written = (stays || !kept.is_own || self.ending.is_some()).then_some(kept.text);
        self.show_board();
        if let Some(ending) = &self.ending {
            let text = format!("That game is over ({}).", ending.reason);
            self.advise(text, "Type undo to take moves back and play on, or new.");
        } else if !self.says_that_it_is_kashans_turn() {
            self.clocks.start(self.engine.game.side_to_move());
        }
    }

    /// Returns the present game as PGN.
    pub(super) fn pgn(&self) -> String {
        if let Some(text) = &self.written {
            return text.clone();
        }
        let game = &self.engine.game;
        let (start, fen) = (game.start(), game.start().to_fen());
        let (result, reason) = match &self.ending {
            Some(ending) => (ending.result, ending.reason.as_str()),
            None => ("*", ""),
        };
        let mut pgn = String::new();
        let mut tag = |name: &str, value: &str| pgn += &tag_pair(name, value);
        tag("Event", EVENTS[usize::from(self.is_mixed)]);
        tag("Site", "?");
        tag("Date", &self.begun);
        tag("Round", "-");
        for side in ALL_COLORS {
            let is_kashan = self.kashan == Some(side);
            tag(name(side), if is_kashan { NAME } else { HUMAN });
        }
        tag("Result", result);
        if let Some(elo) = self.engine.settings().limited_to() {
            tag(&strength_tag(self.kashan), &elo.to_string());
        }
        tag("TimeControl", &notation::tag(self.clocks.control()));
        if fen != Position::default().to_fen() {
            tag("SetUp", "1");
            tag("FEN", &fen);
        }
        let side = shakmaty::Color::from_white(start.side_to_move() == Color::White);
        let mut moves = Movetext::new(start.fullmove_number(), side);
        for san in start.san_line(game.moves()) {
            moves.mv(&san);
        }
        moves.comment(reason);
        format!("{pgn}\n{}", moves.finish(result))
    }

    pub(super) fn show_pgn(&mut self) {
        self.print(&self.pgn());
    }

    /// Adds the game to a file.
    pub(super) fn save(&mut self, path: &str) {
        if path.is_empty() {
            return self.say("Save to which file? For example: save game.pgn");
        }
        self.say(added(unquoted(path), &self.pgn(), "The game"));
    }
}

/// Returns the words of a PGN without the two tags that differ after a change of level.
fn words<'p>(pgn: &'p str, strength: &str) -> Vec<&'p str> {
    let mut words = Vec::new();
    for line in pgn.lines() {
        let tag = line.split(' ').next().unwrap_or_default();
        let is_of_level = tag == format!("[{strength}") || tag == "[TimeControl";
        if !is_of_level || line.matches('[').count() != 1 {
            words.extend(line.split_whitespace());
        }
    }
    words
}

/// Returns the date, in UTC, in PGN notation.
pub(super) fn today() -> String {
    jiff::Timestamp::now().strftime("%Y.%m.%d").to_string()
}

/// Adds a game to a file. Returns a sentence: the place of `what`, or the reason of a failure.
pub(super) fn added(path: &str, game: &str, what: &str) -> String {
    match append(Path::new(path), game) {
        Ok(()) => format!("{what} is in {path}."),
        Err(error) => format!("Cannot write {path}: {error}."),
    }
}

/// Appends a game to a file, on a line of its own. Games of other writers at the same time stay.
fn append(path: &Path, game: &str) -> io::Result<()> {
    pgn::only_games(path)?;
    let is_new = !path.exists();
    let mut file = files::open_at_end(path)?;
    if !files::lock(&file).unwrap_or(true) {
        return Err(io::Error::other("another program is writing it"));
    }
    let mut games = Reader::new(BufReader::new(&file));
    let mut torn = None;
    while let Some(game) = games.next_game()? {
        torn = game.torn;
    }
    if let Some(why) = torn {
        return Err(io::Error::other(format!(
            "the last game in it is not whole: {why}"
        )));
    }
    let length = file.metadata()?.len();
    let text = format!("{}{game}", pgn::gap(&mut file)?);
    let written = file.write_all(text.as_bytes());
    if written.is_err() {
        // Half a game would spoil those before and after it.
        let mut end = Vec::new();
        let read = file
            .seek(SeekFrom::Start(length))
            .and_then(|_| file.read_to_end(&mut end));
        if read.is_ok() && text.as_bytes().starts_with(&end) {
            let _ = files::open(path).and_then(|file| file.set_len(length));
        }
        if is_new && file.metadata()?.len() == 0 {
            let _ = fs::canonicalize(path).and_then(fs::remove_file);
        }
    }
    written
}
