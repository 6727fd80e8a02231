//! What several subcommands need: arguments for one of several engines (`2:Hash=64`), the engine that judges, signals, and warnings.

use crate::arena::StopRequest;
use crate::arena::config::EngineEntry;
use crate::arena::{EngineSpec, Protocol};
use crate::engine::Backend;
use crate::options::Choice as _;
use anyhow::{anyhow, bail};
use std::fmt::Display;

/// Something for one engine, counted from 1, or for all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForEngine<T> {
    pub engine: Option<usize>,
    pub thing: T,
}

/// `[N:]REST`
pub fn for_engine(text: &str) -> ForEngine<&str> {
    let numbered = text
        .split_once(':')
        .and_then(|(number, rest)| Some((number.parse().ok()?, rest)));
    match numbered {
        Some((engine, thing)) => ForEngine {
            engine: Some(engine),
            thing,
        },
        None => ForEngine {
            engine: None,
            thing: text,
        },
    }
}

/// `[N:]NAME=VALUE`
///
/// # Errors
/// There is no name, or no `=`.
pub fn option_for_engine(text: &str) -> Result<ForEngine<(String, String)>, String> {
    let ForEngine { engine, thing } = for_engine(text);
    match thing.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok(ForEngine {
            engine,
            thing: (name.trim().to_owned(), value.trim().to_owned()),
        }),
        _ => Err("an option is NAME=VALUE, or N:NAME=VALUE".to_owned()),
    }
}

/// What is for the engine of that number.
pub fn for_number<T: Clone>(things: &[ForEngine<T>], number: usize) -> impl Iterator<Item = T> {
    things
        .iter()
        .filter(move |for_engine| for_engine.engine.is_none_or(|engine| engine == number))
        .map(|for_engine| for_engine.thing.clone())
}

const NO_STOCKFISH: &str = "there is no program \"stockfish\" on the PATH to judge the moves. To get it:
    Debian, Ubuntu:  apt install stockfish     (it is put into /usr/games)
    macOS:           brew install stockfish
    Windows, others: https://stockfishchess.org/download/
or say where it is (--reference /path/to/stockfish), or name another UCI engine. Kashan's own alpha-beta search can judge, too, if not as well:
    --reference kashan:alphabeta";

/// The reference that was named, or Stockfish; it speaks UCI.
///
/// # Errors
/// As [`engine_spec`]; Stockfish is not there.
pub fn reference_or_stockfish(
    line: Option<&str>,
    options: &[(String, String)],
) -> anyhow::Result<EngineSpec> {
    let line = match line {
        Some(line) => line,
        None if which::which("stockfish").is_err() => bail!(NO_STOCKFISH),
        None => "stockfish",
    };
    engine_spec(line, options, Some(Protocol::Uci))
}

/// An engine from its command line. Our own engines search every position: moves of the book would say nothing about them.
///
/// # Errors
/// The line names no engine.
pub fn engine_spec(
    line: &str,
    options: &[(String, String)],
    protocol: Option<Protocol>,
) -> anyhow::Result<EngineSpec> {
    let entry = EngineEntry::from_line(line).map_err(|error| anyhow!(error))?;
    let mut spec = entry.spec().map_err(|error| anyhow!(error))?;
    check_backend(&spec)?;
    if spec.backend().is_some() {
        spec.options.push(("OwnBook".to_owned(), "false".to_owned()));
    }
    spec.options.extend_from_slice(options);
    spec.protocol = protocol;
    Ok(spec)
}

/// One of our own engines is one that there is.
///
/// # Errors
/// It is not; the text says which there are.
pub fn check_backend(engine: &EngineSpec) -> anyhow::Result<()> {
    let Some(backend) = engine
        .backend()
        .filter(|&backend| Backend::from_name(backend).is_none())
    else {
        return Ok(());
    };
    let known = Backend::NAMES.join(", kashan:");
    bail!(
        "engine {}: there is no kashan:{backend}, only kashan:{known}",
        engine.name
    );
}

/// Once means after what is running, which `running` names; twice means now. `tell` says so above whatever is on the screen.
pub fn stop_on_signals(stop: &StopRequest, running: &'static str, tell: impl Fn(&str) + Send + 'static) {
    let stop = stop.clone();
    on_signal(move || {
        match stop.is_said() {
            false => tell(&format!("stopping after {running}; once more to stop now")),
            true => tell("stopping now"),
        }
        stop.say();
    });
}

/// Does something at every signal, in a thread of its own.
pub fn on_signal(handler: impl FnMut() + Send + 'static) {
    if let Err(error) = ctrlc::set_handler(handler) {
        log::warn!("signals end the program at once: {error}");
    }
}

/// Of more warnings only the first are shown: a file of the wrong kind is wrong in every line.
const WARNINGS_SHOWN: usize = 20;

/// Warnings of what was left out of the input, for standard error, so that the answer on standard output stays clean: the first ones, and how many more there are. `--json` has all of them.
pub fn first_warnings<T: Display>(warnings: &[T]) -> impl Iterator<Item = String> {
    let more = warnings.len().saturating_sub(WARNINGS_SHOWN);
    let rest = (more > 0).then(|| format!("... and {more} more (--json names them all)"));
    warnings.iter().take(WARNINGS_SHOWN).map(T::to_string).chain(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_may_be_for_one_engine() {
        let of_text = |text| option_for_engine(text).map(|option| (option.engine, option.thing));
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(of_text("Hash=64"), Ok((None, pair("Hash", "64"))));
        assert_eq!(of_text("2:Hash = 64"), Ok((Some(2), pair("Hash", "64"))));
        assert_eq!(
            of_text(r"BookFile=C:\book.bin"),
            Ok((None, pair("BookFile", r"C:\book.bin")))
        );
        assert!(of_text("Hash").is_err() && of_text("1:=4").is_err());
        let all = ["A=1", "2:B=2"].map(|text| option_for_engine(text).expect("an option"));
        assert_eq!(for_number(&all, 1).collect::<Vec<_>>(), [pair("A", "1")]);
        assert_eq!(for_number(&all, 2).count(), 2);
    }

    #[test]
    fn only_the_first_are_shown() {
        let lines = |count: usize| first_warnings(&(1..=count).collect::<Vec<_>>()).collect::<Vec<_>>();
        assert!(lines(0).is_empty());
        assert_eq!((lines(20).len(), lines(20)[19].as_str()), (20, "20"));
        assert_eq!((lines(22).len(), lines(22)[19].as_str()), (21, "20"));
        assert_eq!(lines(22)[20], "... and 2 more (--json names them all)");
    }
}
