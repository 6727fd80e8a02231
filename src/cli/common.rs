//! Parts in common to several subcommands: arguments for one of several engines (`2:Hash=64`),
//! engines by their command lines, signals, bars, and warnings.

use crate::arena::{EngineLimits, EngineSpec, MAX_SECONDS, Protocol};
use crate::engine::library::Library;
use crate::engine::{Backend, Engine, Settings};
use crate::util::display::{counted, harmless, is_one_of};
use crate::util::jobs::{StopRequest, StopSignal};
use crate::util::options::OptionError;
use anyhow::{Error, bail, ensure};
use clap::builder::{PossibleValuesParser, RangedU64ValueParser, TypedValueParser};
use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use std::fmt::{self, Display};
use std::io::{self, Write as _};
use std::path::Path;
use std::str::FromStr;
use std::thread;
use std::time::Duration;
use strum::VariantNames;

/// Writes a line on standard error; a missing reader is no error.
pub fn tell(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// An option for one engine, counted from 1, or for all.
#[derive(Clone, Debug)]
pub struct ForEngine {
    engine: Option<usize>,
    option: (String, String),
}

/// `[N:]NAME=VALUE`
///
/// # Errors
/// There is no name, or no `=`.
pub fn option_for_engine(text: &str) -> Result<ForEngine, String> {
    let numbered = text
        .split_once(':')
        .and_then(|(number, rest)| Some((Some(number.parse().ok()?), rest)));
    let (engine, text) = numbered.unwrap_or((None, text));
    let option = option(text).map_err(|error| format!("{error}, or N:NAME=VALUE"))?;
    Ok(ForEngine { engine, option })
}

/// `NAME=VALUE`; the value may contain equals signs.
///
/// # Errors
/// There is no name, or no `=`.
pub fn option(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err("an option is NAME=VALUE".to_owned()),
    }
}

/// Reads one of the words of an enum; the help and errors list them.
pub fn one_of<T>() -> impl TypedValueParser<Value = T>
where
    T: FromStr<Err = strum::ParseError> + VariantNames + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(T::VARIANTS).try_map(|word| word.parse())
}

/// A number of seconds above zero.
pub fn seconds(text: &str) -> Result<Duration, String> {
    match text.parse().map(Duration::try_from_secs_f64) {
        Ok(Ok(time)) if !time.is_zero() && time.as_secs_f64() <= MAX_SECONDS => Ok(time),
        _ => Err(format!(
            "it is a number of seconds, like 1 or 0.2, at most {MAX_SECONDS}"
        )),
    }
}

/// Limits for positions, where no opponent takes any time.
pub fn lone_limits(text: &str) -> anyhow::Result<EngineLimits> {
    let limits: EngineLimits = text.parse()?;
    ensure!(
        !limits.are_matched(),
        "matched/... is the time of an opponent, and positions have none"
    );
    Ok(limits)
}

/// Returns the number of threads that the machine runs at once.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Parses a number of things, at least one.
pub fn at_least_one() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..)
}

/// Checks the engine numbers: each is between 1 and `count` (of engines, or of the things named by
/// `who`).
pub fn check_numbers(options: &[ForEngine], who: &str, count: usize) -> anyhow::Result<()> {
    for number in options.iter().filter_map(|option| option.engine) {
        ensure!(
            (1..=count).contains(&number),
            "there is no {who} {number}: there are {count}"
        );
    }
    Ok(())
}

/// Returns the options for the engine of this number.
pub fn for_number(options: &[ForEngine], number: usize) -> Vec<(String, String)> {
    let is_for = |option: &&ForEngine| option.engine.is_none_or(|engine| engine == number);
    let options = options.iter().filter(is_for);
    options.map(|option| option.option.clone()).collect()
}

/// Engines by their command lines, with keys and values as in a tournament file.
///
/// # Errors
/// An empty command, an unknown key, or a setting for a missing engine.
pub fn engines(lines: &[String], settings: &[ForEngine]) -> anyhow::Result<Vec<EngineSpec>> {
    check_numbers(settings, "engine", lines.len())?;
    let mut engines = Vec::new();
    for (line, number) in lines.iter().zip(1..) {
        let settings = for_number(settings, number);
        engines.push(EngineSpec::from_settings(line, &settings).map_err(Error::msg)?);
    }
    Ok(engines)
}

/// An engine from its command line. Our own engines search every position: moves of the book would
/// say nothing about them.
///
/// # Errors
/// The line names no engine.
pub fn engine_spec(
    line: &str,
    options: &[(String, String)],
    protocol: Option<Protocol>,
) -> anyhow::Result<EngineSpec> {
    let mut spec = EngineSpec::from_settings(line, &[])
        .and_then(EngineSpec::named)
        .map_err(Error::msg)?;
    turn_book_off(&mut spec);
    spec.options.extend_from_slice(options);
    check_own(&spec)?;
    spec.protocol = protocol;
    Ok(spec)
}

/// Turns off the book of one of our own engines.
pub fn turn_book_off(engine: &mut EngineSpec) {
    if engine.backend().is_some() {
        let option = ("OwnBook".to_owned(), "false".to_owned());
        engine.options.push(option);
    }
}

/// Turns off the book of one of our own engines, unless its options name a book: the book's moves
/// are not the engine's.
pub fn without_book(engine: &mut EngineSpec) {
    let is_of_book =
        |(name, _): &(String, String)| is_one_of("ownbook bookfile", &name.to_ascii_lowercase());
    if !engine.options.iter().any(is_of_book) {
        turn_book_off(engine);
    }
}

/// Checks that one of our own engines exists, and that the files in its options can be read: the
/// engine itself would only complain and play without.
///
/// # Errors
/// An unknown engine (the text names the known ones); an unreadable book, table, library or file of
/// weights; an option that makes the engine another one of ours.
pub fn check_own(engine: &EngineSpec) -> anyhow::Result<()> {
    let Some(backend) = engine.backend() else {
        return Ok(());
    };
    let Ok(named) = backend.parse::<Backend>() else {
        let known = Backend::VARIANTS.join(", kashan:");
        bail!(
            "engine {}: there is no kashan:{backend}, only kashan:{known}",
            engine.name
        );
    };
    let mut trial = Engine::new(Box::new(|_| true))?;
    trial.set_option("Backend", backend)?;
    let mut chosen_by = None;
    for (name, value) in &engine.options {
        let value = match value.as_str() {
            // UCI's word for nothing, and a library that is no file.
            "<empty>" => String::new(),
            Library::BUILT_IN => value.clone(),
            path => engine.in_its_folder(name, path),
        };
        let before = trial.settings().engine.backend;
        match trial.set_option(name, &value) {
            // Which options there are, and which values fit, the engine says when it is started.
            Ok(()) => {}
            Err(error) if error.is::<OptionError>() => {}
            Err(error) => bail!("engine {}: {error}", engine.name),
        }
        if trial.settings().engine.backend != before {
            chosen_by = Some((name, value));
        }
    }
    let plays = trial.settings().engine.backend;
    if plays != named
        && let Some((name, value)) = chosen_by
    {
        let plays = plays.into_str();
        bail!(
            "engine {}: option {name}={value} makes kashan:{plays} of kashan:{backend}: name kashan:{plays}, or leave \
             the option out",
            engine.name
        );
    }
    for warning in unheeded(engine, named) {
        let warning = format!("engine {}: {warning}", engine.name);
        tell(&format!("kashan: {}", harmless(&warning)));
    }
    Ok(())
}

/// Returns the warnings of options that the search of an engine of ours does not heed.
fn unheeded(engine: &EngineSpec, search: Backend) -> Vec<String> {
    let mut warnings = Vec::new();
    for (name, _) in &engine.options {
        if let Some(heed) = Settings::searches_with(name)
            && !heed.contains(&search)
        {
            let heed: Vec<_> = heed.iter().map(|heed| heed.into_str()).collect();
            warnings.push(format!(
                "option {name} is one of kashan:{}, and kashan:{} does not heed it",
                heed.join(", kashan:"),
                search.into_str()
            ));
        }
    }
    warnings
}

/// Returns a request to stop on signals: one signal stops after the running work (named by
/// `running`), two stop now. Messages appear above the bar.
pub fn stopped_by_signals(bar: &ProgressBar, running: &'static str) -> StopRequest {
    let stop = StopRequest::default();
    let teller = bar.clone();
    let stopper = stop.clone();
    on_signal(move || {
        if stopper.is_said() {
            warn(&teller, "stopping now");
        } else {
            warn(
                &teller,
                &format!("stopping after {running}; once more to stop now"),
            );
        }
        stopper.say();
    });
    stop
}

/// Returns a signal that stops everything at once, with a message above a bar: for work in short
/// steps.
pub fn stopped_at_once(bar: &ProgressBar) -> StopSignal {
    let stop = StopSignal::default();
    let teller = bar.clone();
    let stopper = stop.clone();
    on_signal(move || {
        warn(&teller, "stopping");
        stopper.stop();
    });
    stop
}

/// Does something at every signal, in a thread of its own.
pub fn on_signal(handler: impl FnMut() + Send + 'static) {
    if let Err(error) = ctrlc::set_handler(handler) {
        log::warn!("signals end the program at once: {error}");
    }
}

/// Makes a bar on standard error for so many things, called `what`; only a terminal shows the bar.
/// Copies are the same bar.
pub fn progress_bar(count: usize, what: &str) -> ProgressBar {
    let template = format!("{{bar:24}} {{pos}}/{{len}} {what}  {{msg}}  {{elapsed}} gone{{left}}");
    let style = ProgressStyle::with_template(&template).expect("a template of ours");
    let style = style.with_key(
        "left",
        |state: &ProgressState, text: &mut dyn fmt::Write| {
            let left = state.eta();
            // Before the first thing is done nothing is known.
            if !left.is_zero() {
                let _ = write!(text, ", {:#} left", HumanDuration(left));
            }
        },
    );
    ProgressBar::new(count as u64).with_style(style)
}

/// Makes a bar like [`progress_bar`], for an unknown number of things.
pub fn spinner(what: &str) -> ProgressBar {
    let template = format!("{{spinner}} {{pos}} {what}  {{elapsed}} gone");
    let style = ProgressStyle::with_template(&template).expect("a template of ours");
    let bar = ProgressBar::new_spinner().with_style(style);
    bar.enable_steady_tick(Duration::from_secs(1));
    bar
}

/// Prints a line on standard output, above the bar. A reader that went away is no reason to stop
/// the work.
pub fn say(bar: &ProgressBar, text: &str) {
    bar.suspend(|| {
        let _ = writeln!(io::stdout(), "{text}");
    });
}

/// Prints a warning on standard error, above the bar. A missing reader does not stop the work.
pub fn warn(bar: &ProgressBar, text: &str) {
    bar.suspend(|| tell(&format!("kashan: {}", harmless(text))));
}

/// Shows a bar with so many things already done; they do not count for the estimate of the time
/// left.
pub fn begin_at(bar: &ProgressBar, done: usize) {
    bar.set_position(done as u64);
    bar.reset_eta();
    bar.enable_steady_tick(Duration::from_secs(1));
}

/// Describes the progress of a stopped command, and the way to continue: `what` is `games were
/// played`.
pub fn unfinished(
    done: usize,
    count: usize,
    what: &str,
    does: &str,
    journal: Option<&Path>,
) -> String {
    let go_on = match journal {
        Some(path) => format!(
            "the same command {does} the rest (journal {})",
            path.display()
        ),
        None => "without a journal it cannot be continued".to_owned(),
    };
    format!("stopped: {done} of {count} {what}; {go_on}")
}

/// The number of warnings on show: a file of the wrong kind is wrong in every line.
const WARNINGS_SHOWN: usize = 20;

/// Returns warnings of omitted input, for standard error, so that the answer on standard output
/// stays clean: the first ones, and the number of the others. `--json` has all of them.
pub fn first_warnings<T: Display>(warnings: &[T]) -> Vec<String> {
    let mut shown = Vec::new();
    for warning in warnings.iter().take(WARNINGS_SHOWN) {
        shown.push(harmless(&warning.to_string()));
    }
    if warnings.len() > WARNINGS_SHOWN {
        let more = warnings.len() - WARNINGS_SHOWN;
        shown.push(format!("... and {more} more"));
    }
    shown
}

/// Warns of unusable lines, or of other things named by `what`.
///
/// # Errors
/// There is a fault, and `strict` is set.
pub fn tell_left_out<T: Display>(faults: &[T], what: &str, strict: bool) -> anyhow::Result<()> {
    for fault in first_warnings(faults) {
        tell(&format!("kashan: {fault}"));
    }
    let count = counted(faults.len(), what);
    ensure!(
        !strict || faults.is_empty(),
        "{count} cannot be used, and --strict was asked for"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_may_be_for_one_engine() {
        let of_text = |text| option_for_engine(text).map(|option| (option.engine, option.option));
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(of_text("Hash=64"), Ok((None, pair("Hash", "64"))));
        assert_eq!(of_text("2:Hash = 64"), Ok((Some(2), pair("Hash", "64"))));
        assert_eq!(
            of_text(r"BookFile=C:\book.bin"),
            Ok((None, pair("BookFile", r"C:\book.bin")))
        );
        assert!(of_text("Hash").is_err() && of_text("1:=4").is_err());
        let all = ["A=1", "2:B=2"].map(|text| option_for_engine(text).expect("an option"));
        assert_eq!(for_number(&all, 1), [pair("A", "1")]);
        assert_eq!(for_number(&all, 2).len(), 2);
    }

    #[test]
    fn an_option_does_not_make_another_engine_of_one() {
        let with = |command: &str, options: &[(&str, &str)]| {
            let options: Vec<_> = options
                .iter()
                .map(|(a, b)| (a.to_string(), b.to_string()))
                .collect();
            let engine = EngineSpec {
                options,
                ..EngineSpec::new("X", command)
            };
            let said = unheeded(&engine, engine.backend().unwrap().parse().unwrap());
            (check_own(&engine).map_err(|error| error.to_string()), said)
        };
        for (command, name, value, other) in [
            ("kashan:alphabeta", "ActionPreset", "paper", "kashan:action"),
            (
                "kashan:genetic",
                "minmaxpreset",
                "threats",
                "kashan:minimax",
            ),
            (
                "kashan:action",
                "AlphaBetaPreset",
                "factors",
                "kashan:alphabeta",
            ),
            ("kashan:minimax", "Backend", "genetic", "kashan:genetic"),
        ] {
            let error = with(command, &[("Hash", "1"), (name, value)])
                .0
                .expect_err(name);
            let start = format!("engine X: option {name}={value} makes {other} of {command}");
            assert!(error.starts_with(&start), "{error}");
            assert_eq!(with(other, &[(name, value)]).0, Ok(()), "{other}");
        }
        // Who says so twice means the last.
        let back = [("ActionPreset", "paper"), ("Backend", "alphabeta")];
        assert_eq!(with("kashan:alphabeta", &back).0, Ok(()));
        for (command, options, is_said) in [
            ("kashan:alphabeta", "Population preset", true),
            ("kashan:genetic", "Population SingularExtensions", false),
            ("kashan:genetic", "EmptyList", true),
            ("kashan:minimax", "SingularExtensions", true),
            ("kashan:minimax", "Hash LibraryFile", false),
        ] {
            for option in options.split(' ') {
                let said = with(command, &[(option, "1")]).1;
                let start = format!("option {option} is one of");
                assert_eq!(
                    said.iter().any(|text| text.starts_with(&start)),
                    is_said,
                    "{said:?}"
                );
            }
        }
    }

    #[test]
    fn seconds_are_plain_numbers() {
        assert_eq!(seconds("0.25"), Ok(Duration::from_millis(250)));
        let read = [
            "",
            "0",
            "-1",
            "x",
            "1,depth=3",
            "depth=3,1",
            "inf",
            "nan",
            "1e19",
        ]
        .map(seconds);
        assert!(read.iter().all(Result::is_err), "{read:?}");
    }

    #[test]
    fn only_the_first_are_shown() {
        let lines = |count: usize| first_warnings(&(1..=count).collect::<Vec<_>>());
        assert!(lines(0).is_empty());
        assert_eq!((lines(20).len(), lines(20)[19].as_str()), (20, "20"));
        assert_eq!((lines(22).len(), lines(22)[19].as_str()), (21, "20"));
        assert_eq!(lines(22)[20], "... and 2 more");
    }
}
