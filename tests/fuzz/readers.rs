//! Everything that is read from outside, as functions of bytes: none may panic, and FEN and weights
//! are what they were when they are written and read again. The targets of `cargo fuzz` and the
//! tests call the same functions.

use std::fs;
use std::path::Path;

use kashan::arena::config::Config;
use kashan::arena::suite::{Goal, PositionList};
use kashan::arena::tournament::JournalEntry;
use kashan::engine::library::Library;
use kashan::eval::WeightsFile;
use kashan::rules::pgn::{PgnGame, Reader, Rules, Strict};
use kashan::rules::position::Position;
use kashan::rules::protocol::{uci, xboard};
use kashan::util::jobs::journal::{self, Journal};

pub type Target = fn(&[u8]);

/// The targets by name.
pub const ALL: [(&str, Target); 9] = [
    ("fen", fen),
    ("epd", epd),
    ("pgn", pgn),
    ("xboard", xboard_line),
    ("uci", uci_line),
    ("journal", journal),
    ("weights", weights),
    ("library", library),
    ("toml", toml),
];

/// The one of this name.
pub fn target(name: &str) -> Target {
    let (_, target) = ALL
        .iter()
        .find(|(other, _)| *other == name)
        .expect("a target");
    *target
}

fn fen(bytes: &[u8]) {
    let Ok(position) = Position::from_fen(&String::from_utf8_lossy(bytes)) else {
        return;
    };
    let again = Position::from_fen(&position.to_fen()).expect("our own FEN");
    assert_eq!(
        (again.to_fen(), again.key()),
        (position.to_fen(), position.key())
    );
    assert_eq!(again.polyglot_key(), position.polyglot_key());
    for mv in position.legal_moves() {
        let mut next = position.clone();
        next.play(mv).expect("legal");
        let _ = (next.to_fen(), next.outcome(), position.san(mv));
    }
}

fn epd(bytes: &[u8]) {
    let mut list = PositionList::default();
    list.add(Path::new("fuzz.epd"), bytes);
    for position in &list.positions {
        let _ = (
            Goal::of(position).map(|goal| goal.to_string()),
            position.name(),
        );
    }
}

fn pgn(bytes: &[u8]) {
    for strict in [Strict::Played, Strict::Words, Strict::All] {
        let (mut games, rules) = (
            Reader::new(bytes),
            Rules {
                strict,
                ..Rules::default()
            },
        );
        while let Some(text) = games.next_game().expect("bytes can be read") {
            let _ = PgnGame::read(&text, &rules).map(|game| game.positions().count());
        }
    }
}

fn xboard_line(bytes: &[u8]) {
    let line = String::from_utf8_lossy(bytes);
    let _ = line
        .parse::<xboard::Command>()
        .map(|command| command.to_string());
    let start = Position::default();
    if let Ok(mv) = start.parse_move(&line) {
        assert!(start.is_legal(mv));
    }
    let reply: xboard::Reply = line.parse().expect("anything is a reply");
    let _ = (
        reply.to_string(),
        xboard::ThinkingLine::parse(&line),
        xboard::Feature::parse_all(&line),
    );
}

fn uci_line(bytes: &[u8]) {
    let line = String::from_utf8_lossy(bytes);
    if let Ok(command) = line.parse::<uci::Command>() {
        // Control characters are written as spaces: a name of nothing else is none any more.
        let is_plain = !line.contains(char::is_control);
        assert!(
            !is_plain || command.to_string().parse::<uci::Command>().is_ok(),
            "{command}"
        );
    }
    let reply: uci::Reply = line.parse().expect("anything is a reply");
    let _ = reply.to_string();
}

/// Opened as the journal of a tournament, which may cut a torn line off, and opened again.
fn journal(bytes: &[u8]) {
    with_file(bytes, |path| {
        let Ok(Some(settings)) = journal::settings(path) else {
            return;
        };
        let Ok((open, history)) = Journal::open::<JournalEntry>(path, &settings) else {
            return;
        };
        drop(open);
        let (_, again) =
            Journal::open::<JournalEntry>(path, &settings).expect("what was opened opens again");
        assert_eq!(again.entries.len(), history.entries.len());
    });
}

fn weights(bytes: &[u8]) {
    with_file(bytes, |path| {
        let Ok(read) = WeightsFile::load(path) else {
            return;
        };
        fs::write(path, read.to_text()).expect("written");
        let again = WeightsFile::load(path).expect("our own text");
        assert_eq!(again.to_text(), read.to_text());
    });
}

fn library(bytes: &[u8]) {
    with_file(bytes, |path| {
        let _ = Library::open(path);
    });
}

fn toml(bytes: &[u8]) {
    if let Ok(config) = Config::parse(&String::from_utf8_lossy(bytes)) {
        let _ = (config.specs().is_ok(), config.adjudication.check().is_ok());
    }
}

fn with_file(bytes: &[u8], read: impl FnOnce(&Path)) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("fuzz");
    fs::write(&path, bytes).expect("written");
    read(&path);
}
