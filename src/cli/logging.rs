//! Log lines: what matters to people on standard error, and with `--log FILE` every conversation in that
//! file.

use std::env;
use std::fs::{File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context as _, ensure};
use log::{LevelFilter, Log, Metadata, Record};

use crate::util::files::{self, OutputFile};
use crate::util::system;
use crate::util::utc::Utc;

/// The modules that tell, line by line, what engines and front ends say and hear.
const CONVERSATIONS: &str = "kashan::arena::client::process=trace,kashan::engine::front=debug";

/// What stands behind the time in the first line of a log.
const HEAD: &str = "log of Kashan";

/// Begins to log.
///
/// # Errors
/// The file cannot be written, or is none of ours.
pub fn begin(file: Option<&Path>) -> anyhow::Result<()> {
    // Standard output belongs to the protocol; there is little on standard error unless RUST_LOG asks for
    // more.
    let wanted = env::var("RUST_LOG").unwrap_or_else(|_| "warn".to_owned());
    let mut loggers = vec![Logger { filter: Filter::read(&wanted), target: Target::People }];
    if let Some(path) = file {
        loggers.push(conversations(path)?);
    }
    log::set_max_level(loggers.iter().map(|logger| logger.filter.most()).max().unwrap_or(LevelFilter::Off));
    log::set_boxed_logger(Box::new(Loggers(loggers))).context("something logs already")
}

/// The lines that a logger takes: a level for all modules, and others for some.
#[derive(Debug, Default)]
struct Filter {
    /// The beginning of the modules' names, empty for all; and the level.
    levels: Vec<(String, LevelFilter)>,
}

impl Filter {
    /// Reads a list as in RUST_LOG: `warn,kashan::search=debug,kashan::arena`. What makes no sense is passed over.
    fn read(text: &str) -> Filter {
        let mut levels: Vec<(String, LevelFilter)> = Vec::new();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            match (part.split_once('='), part.parse()) {
                (Some((module, level)), _) => {
                    levels.extend(level.parse().ok().map(|level| (module.to_owned(), level)));
                }
                (None, Ok(level)) => levels.push((String::new(), level)),
                (None, Err(_)) => levels.push((part.to_owned(), LevelFilter::max())),
            }
        }
        // The longest name that fits decides.
        levels.sort_by_key(|(module, _)| std::cmp::Reverse(module.len()));
        Filter { levels }
    }

    fn takes(&self, metadata: &Metadata<'_>) -> bool {
        let fitting = self.levels.iter().find(|(module, _)| metadata.target().starts_with(module.as_str()));
        fitting.is_some_and(|(_, level)| metadata.level() <= *level)
    }

    /// The most that any module may log.
    fn most(&self) -> LevelFilter {
        self.levels.iter().map(|(_, level)| *level).max().unwrap_or(LevelFilter::Off)
    }
}

/// A reader of log lines, and what it is interested in.
struct Logger {
    filter: Filter,
    target: Target,
}

enum Target {
    /// Standard error, with level and module.
    People,
    File(Mutex<LogFile>),
}

impl Logger {
    fn log(&self, record: &Record<'_>) {
        if !self.filter.takes(record.metadata()) {
            return;
        }
        let now = Utc::now();
        match &self.target {
            Target::People => {
                let level = record.level();
                let module = record.target();
                // If nobody reads it there is nobody to tell.
                let _ = writeln!(io::stderr(), "[{now} {level:<5} {module}] {}", record.args());
            }
            Target::File(file) => {
                // One piece, so that lines of two programs do not mix.
                let line = format!("{now} {}\n", record.args());
                file.lock().unwrap_or_else(PoisonError::into_inner).write(&line);
            }
        }
    }
}

fn conversations(path: &Path) -> anyhow::Result<Logger> {
    files::check(&[], [OutputFile::with_own_rules(path)])?;
    ensure!(
        may_be_replaced(path),
        "{} does not begin as a log of this program does, and it would be lost: name another file for --log",
        path.display()
    );
    let unwritable = || format!("cannot write {}", path.display());
    let file = File::options().append(true).create(true).open(path).with_context(unwritable)?;
    // Another Kashan may be writing it: both of a match in xboard with the same options. Then it is added to.
    // All who write it share a lock. Devices have neither locks nor a length.
    let is_in_use = system::LOCKED_FILES_ARE_FREE && matches!(file.try_lock(), Err(TryLockError::WouldBlock));
    if path.is_file() && !is_in_use {
        File::create(path).with_context(unwritable)?;
    }
    if system::LOCKED_FILES_ARE_FREE {
        let _ = file.try_lock_shared();
    }
    let mut file = LogFile { file: Some(file), path: path.to_path_buf() };
    file.write(&format!("{} {HEAD} (a program is told <, says > and complains !)\n", Utc::now()));
    Ok(Logger { filter: Filter::read(CONVERSATIONS), target: Target::File(Mutex::new(file)) })
}

/// A file that is written until that fails, which is said once. A log is no reason to stop what it is of.
#[derive(Debug)]
struct LogFile {
    file: Option<File>,
    path: PathBuf,
}

impl LogFile {
    fn write(&mut self, line: &str) {
        if let Some(file) = &mut self.file
            && let Err(error) = file.write_all(line.as_bytes())
        {
            self.file = None;
            let _ = writeln!(io::stderr(), "kashan: the log {} ends here: {error}", self.path.display());
        }
    }
}

/// Whether the file is not there, is empty, is no file but a device, or is a log of ours by its first line.
fn may_be_replaced(path: &Path) -> bool {
    !path.is_file()
        || files::beginning(path, 64)
            .is_ok_and(|begin| begin.is_empty() || is_head(&String::from_utf8_lossy(&begin)))
}

/// Whether a log of ours begins like this: a time, and the head or (before 0.3) a line of a conversation or
/// the name of an engine with the number of its process.
fn is_head(text: &str) -> bool {
    text.split_once(' ').is_some_and(|(time, what)| {
        let begins = [HEAD, "< ", "> "].iter().any(|ours| what.starts_with(ours));
        is_timestamp(time) && (begins || what.contains("] is "))
    })
}

/// Returns true for a date and a time of day with a `T` between and a `Z` behind.
fn is_timestamp(text: &str) -> bool {
    let digits = text.replace(|c: char| c.is_ascii_digit(), "0");
    digits.strip_prefix("0000-00-00T00:00:00").is_some_and(|end| end == "Z" || end == ".000Z")
}

/// Loggers, each of which takes what it is interested in.
struct Loggers(Vec<Logger>);

impl Log for Loggers {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        self.0.iter().any(|logger| logger.filter.takes(metadata))
    }

    fn log(&self, record: &Record<'_>) {
        self.0.iter().for_each(|logger| logger.log(record));
    }

    // Nothing waits.
    fn flush(&self) {}
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_longest_name_of_a_module_decides() {
        let taken = |filter: &Filter, level: log::Level, target: &str| {
            filter.takes(&Metadata::builder().level(level).target(target).build())
        };
        let filter = Filter::read("warn, kashan::search=debug,kashan::search::clock=off,nonsense=7");
        for (target, level, is_taken) in [
            ("kashan::arena", log::Level::Warn, true),
            ("kashan::arena", log::Level::Info, false),
            ("kashan::search::genetic", log::Level::Debug, true),
            ("kashan::search::genetic", log::Level::Trace, false),
            ("kashan::search::clock", log::Level::Error, false),
            ("nonsense", log::Level::Warn, true),
        ] {
            assert_eq!(taken(&filter, level, target), is_taken, "{level} of {target}");
        }
        assert_eq!(filter.most(), LevelFilter::Debug);
        assert!(taken(&Filter::read("kashan"), log::Level::Trace, "kashan::search"));
        assert_eq!(Filter::read("").most(), LevelFilter::Off);
    }

    #[test]
    fn nothing_but_a_log_is_replaced_by_a_log() {
        let (folder, path) = crate::util::files::tests::in_a_folder("file");
        assert!(may_be_replaced(&path), "it is not there");
        for (content, may) in [
            ("", true),
            ("2026-11-22T00:33:03.123Z log of Kashan (...)\n", true),
            ("2026-11-22T00:33:03.123Z < uci\n", true),
            ("2026-11-22T00:33:03.123Z a[12] is /bin/a\n", true),
            ("2026-11-22T00:33:03.123Z INFO a server has started\n", false),
            ("[Event \"?\"]\n\n1. e4 *\n", false),
            ("2026", false),
            ("{\"version\":1,\"settings\":{}}\n", false),
            ("2026-11-22T00:33:03.123Z a[12] is /bin/server\n", true),
        ] {
            fs::write(&path, content).expect("written");
            assert_eq!(may_be_replaced(&path), may, "{content}");
        }
        let first_log = conversations(&path).expect("a log may be written anew");
        let first = fs::read_to_string(&path).expect("there");
        let second = conversations(&path).expect("by both");
        let both = fs::read_to_string(&path).expect("there");
        let is_longer = !system::LOCKED_FILES_ARE_FREE || both.len() > first.len();
        assert!(is_longer && !first.contains("server"), "{both}");
        // The first has gone, the second writes it still.
        drop(first_log);
        let _third = conversations(&path).expect("added to");
        let all = fs::read_to_string(&path).expect("there");
        assert!(!system::LOCKED_FILES_ARE_FREE || all.len() > both.len(), "{all}");
        drop(second);
        let path = folder.path().join("games.pgn");
        fs::write(&path, "1. e4 *\n").expect("written");
        let error = conversations(&path).map(drop).expect_err("refused").to_string();
        assert!(error.contains("games.pgn") && error.contains("--log"), "{error}");
        assert_eq!(fs::read_to_string(&path).expect("there"), "1. e4 *\n");
    }
}
