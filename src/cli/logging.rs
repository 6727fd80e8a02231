//! Log lines: what matters to people on standard error, and with `--log FILE` every conversation in that
//! file.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use anyhow::Context as _;
use env_logger::{Builder, Env, Logger, Target};
use log::{Log, Metadata, Record};

/// The modules that tell, line by line, what engines and front ends say and hear.
const CONVERSATIONS: &str = "kashan::arena::client::process=trace,kashan::front=debug";

/// Begins to log.
///
/// # Errors
/// The file cannot be made.
pub fn begin(file: Option<&Path>) -> anyhow::Result<()> {
    // Standard output belongs to the protocol; there is little on standard error unless RUST_LOG asks for
    // more.
    let people = Builder::from_env(Env::default().default_filter_or("warn")).build();
    let conversations = file.map(conversations).transpose()?;
    let levels = [Some(&people), conversations.as_ref()].map(|logger| logger.map(Logger::filter));
    log::set_max_level(
        levels
            .into_iter()
            .flatten()
            .max()
            .unwrap_or(log::LevelFilter::Off),
    );
    log::set_boxed_logger(Box::new(Both {
        people,
        conversations,
    }))
    .context("something logs already")
}

fn conversations(path: &Path) -> anyhow::Result<Logger> {
    let file = File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
    let logger = Builder::new()
        .parse_filters(CONVERSATIONS)
        .format(|line, record| writeln!(line, "{} {}", line.timestamp_millis(), record.args()))
        .target(Target::Pipe(Box::new(file)))
        .build();
    Ok(logger)
}

/// Two loggers, each of which takes what it is interested in.
struct Both {
    people: Logger,
    conversations: Option<Logger>,
}

impl Both {
    fn all(&self) -> impl Iterator<Item = &Logger> {
        [&self.people].into_iter().chain(&self.conversations)
    }
}

impl Log for Both {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        self.all().any(|logger| logger.enabled(metadata))
    }

    fn log(&self, record: &Record<'_>) {
        self.all().for_each(|logger| logger.log(record));
    }

    fn flush(&self) {
        self.all().for_each(Log::flush);
    }
}
