//! Log lines: important ones on standard error, and with `--log FILE` every conversation in the
//! file.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use env_logger::{Builder, Env, Logger, Target};
use log::{Log, Metadata, Record};

use crate::util::files::{self, OutputFile};

/// The modules that log the lines of engines and front ends, in both directions.
const CONVERSATIONS: &str = "kashan::arena::client::process=trace,kashan::engine::front=debug";

/// The text behind the time in the first line of a log.
const HEAD: &str = "log of Kashan";

/// Begins to log.
///
/// # Errors
/// The file cannot be written, or is none of ours.
pub fn begin(file: Option<&Path>) -> anyhow::Result<()> {
    // Standard output belongs to the protocol; there is little on standard error unless RUST_LOG
    // asks for more.
    let people = Builder::from_env(Env::default().default_filter_or("warn")).build();
    let conversations = file.map(conversations).transpose()?;
    file.map(|file| files::LOG.set(file.to_owned()));
    let loggers: Vec<Logger> = [people].into_iter().chain(conversations).collect();
    let most = loggers.iter().map(Logger::filter).max();
    log::set_max_level(most.expect("there is one"));
    log::set_boxed_logger(Box::new(Loggers(loggers))).context("something logs already")
}

fn conversations(path: &Path) -> anyhow::Result<Logger> {
    files::check(&[], [OutputFile::with_own_rules(path)])?;
    ensure!(
        may_be_added_to(path),
        "{} does not begin as a log of this program does: name another file for --log",
        path.display()
    );
    // Another Kashan may be writing it: both of a match in xboard with the same options.
    let file = File::options()
        .append(true)
        .create(true)
        .open(path)
        .with_context(|| format!("cannot write {}", path.display()))?;
    let mut file = LogFile {
        file: Some(file),
        path: path.to_path_buf(),
    };
    writeln!(
        file,
        "{:.3} {HEAD} (a program is told <, says > and complains !)",
        jiff::Timestamp::now()
    )?;
    let logger = Builder::new()
        .parse_filters(CONVERSATIONS)
        .format(|line, record| writeln!(line, "{} {}", line.timestamp_millis(), record.args()))
        .target(Target::Pipe(Box::new(file)))
        .build();
    Ok(logger)
}

/// A log file, written until the first failure. The failure is reported once and does not stop the
/// program.
struct LogFile {
    file: Option<File>,
    path: PathBuf,
}

impl Write for LogFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(file) = &mut self.file
            && let Err(error) = file.write_all(bytes)
        {
            self.file = None;
            let _ = writeln!(
                io::stderr(),
                "kashan: the log {} ends here: {error}",
                self.path.display()
            );
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns true if the file is missing, empty, a device, or a log of ours by its first line.
fn may_be_added_to(path: &Path) -> bool {
    if !path.is_file() {
        return true;
    }
    let Ok(begin) = files::beginning(path, 64) else {
        return false;
    };
    let begin = String::from_utf8_lossy(&begin);
    let text = begin.split_once(' ').map_or("", |(_, text)| text);
    begin.is_empty() || text.starts_with(HEAD)
}

/// Several loggers, each with its own choice of lines.
struct Loggers(Vec<Logger>);

impl Log for Loggers {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        self.0.iter().any(|logger| logger.enabled(metadata))
    }

    fn log(&self, record: &Record<'_>) {
        self.0.iter().for_each(|logger| logger.log(record));
    }

    fn flush(&self) {
        self.0.iter().for_each(Log::flush);
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn nothing_but_a_log_is_added_to() {
        let (folder, path) = crate::util::files::tests::in_a_folder("file");
        assert!(may_be_added_to(&path), "it is not there");
        for (content, may) in [
            ("", true),
            ("2026-11-22T00:33:03.123Z log of Kashan (...)\n", true),
            (
                "2026-11-22T00:33:03.123Z INFO a server has started\n",
                false,
            ),
            ("[Event \"?\"]\n\n1. e4 *\n", false),
            ("2026", false),
            ("{\"version\":1,\"settings\":{}}\n", false),
        ] {
            fs::write(&path, content).expect("written");
            assert_eq!(may_be_added_to(&path), may, "{content}");
        }
        fs::write(&path, "").expect("written");
        let _first = conversations(&path).expect("a log");
        let first = fs::read_to_string(&path).expect("there");
        let _second = conversations(&path).expect("by both");
        let both = fs::read_to_string(&path).expect("there");
        assert!(
            both.len() > first.len() && both.starts_with(&first),
            "{both}"
        );
        let path = folder.path().join("games.pgn");
        fs::write(&path, "1. e4 *\n").expect("written");
        let error = conversations(&path)
            .map(drop)
            .expect_err("refused")
            .to_string();
        assert!(
            error.contains("games.pgn") && error.contains("--log"),
            "{error}"
        );
        assert_eq!(fs::read_to_string(&path).expect("there"), "1. e4 *\n");
    }
}
