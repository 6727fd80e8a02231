//! The engine that judges: how it is named, and where it is not found.

use anyhow::{anyhow, bail};

use super::contest;
use crate::arena::config::EngineEntry;
use crate::arena::{EngineSpec, Protocol};

const NO_STOCKFISH: &str = "there is no program \"stockfish\" on the PATH to judge the moves. To get it:
    Debian, Ubuntu:  apt install stockfish     (it is put into /usr/games)
    macOS:           brew install stockfish
    Windows, others: https://stockfishchess.org/download/
or say where it is (--reference /path/to/stockfish), or name another UCI engine. Kashan's own alpha-beta search can judge, too, if not as well:
    --reference kashan:alphabeta";

/// The reference that was named, or Stockfish; it speaks UCI.
///
/// # Errors
/// As [`spec`]; Stockfish is not there.
pub fn named_or_stockfish(line: Option<&str>, options: &[(String, String)]) -> anyhow::Result<EngineSpec> {
    let line = match line {
        Some(line) => line,
        None if which::which("stockfish").is_err() => bail!(NO_STOCKFISH),
        None => "stockfish",
    };
    spec(line, options, Some(Protocol::Uci))
}

/// An engine from its command line. Our own engines search every position: moves of the book would say nothing about them.
///
/// # Errors
/// The line names no engine.
pub fn spec(
    line: &str,
    options: &[(String, String)],
    protocol: Option<Protocol>,
) -> anyhow::Result<EngineSpec> {
    let entry = EngineEntry::from_line(line).map_err(|error| anyhow!(error))?;
    let mut spec = entry.spec().map_err(|error| anyhow!(error))?;
    contest::check_backend(&spec)?;
    if spec.backend().is_some() {
        spec.options.push(("OwnBook".to_owned(), "false".to_owned()));
    }
    spec.options.extend_from_slice(options);
    spec.protocol = protocol;
    Ok(spec)
}
