//! `kashan merge`.

use std::path::PathBuf;

use clap::Args;
use serde_json::Value;

use super::print;
use crate::arena::tournament;
use crate::display::counted;
use crate::files::{self, Output, Replaces};
use crate::jobs::journal::{self, Size};
use crate::suite::blunders;

/// Put the journals of parts together, which several machines made.
///
/// "kashan match", "kashan tournament" and "kashan blunders" do a part of their work with --part K/N and
/// --journal. The same command with the journal of all parts, and without --part, shows the result of the
/// whole, and does what is missing. "kashan help machines" has an example.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The journals of the parts, in any order.
    #[arg(required = true, value_name = "PART")]
    parts: Vec<PathBuf>,
    /// Write the journal of the whole here.
    #[arg(long, short, alias = "out", value_name = "JOURNAL")]
    output: PathBuf,
}

/// Writes the journal, and says what is missing in it.
///
/// # Errors
/// Parts that do not belong together, that are still being worked on, or that cannot be read; results that
/// are there twice or not of their part; a file that is there already or cannot be written.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let Arguments { parts, output } = arguments;
    files::check(parts, [Output { path: output, replaces: Replaces::Nothing }])?;
    let merged = journal::merge(parts, output, &size_of)?;
    for torn in &merged.torn {
        eprintln!("kashan: {torn}");
    }
    for part in &merged.missing {
        eprintln!("kashan: part {part} is missing: the command that goes on does its work, too");
    }
    print(&format!(
        "{} of {} in {}: the command of the parts, with this journal and without --part, shows the result\n",
        counted(merged.results, "result"),
        counted(parts.len(), "part"),
        output.display()
    ))
}

/// How large the work with these settings is, of all that has parts.
fn size_of(settings: &Value) -> Option<Size> {
    let games = tournament::games_of(settings).map(Size::Games);
    games.or_else(|| blunders::positions_of(settings).map(Size::Items))
}
