//! `kashan generate`: what packages install beside the program. Hidden, because users get it from there.

use std::fs;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::{Args, CommandFactory as _, Subcommand};
use clap_complete::Shell;

use super::{CommandLine, print};

/// Write the manual pages, or completions for a shell.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(subcommand)]
    what: What,
    /// The folder to write into; it is made if it is not there.
    #[arg(long, value_name = "FOLDER", default_value = ".", global = true)]
    out: PathBuf,
}

#[derive(Debug, Subcommand)]
enum What {
    /// A manual page for the program and each command: kashan.1, kashan-match.1, ...
    Man,
    /// A script that completes commands and options.
    Completions { shell: Shell },
}

/// Writes the files.
///
/// # Errors
/// They cannot be written.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let folder = &arguments.out;
    let error = || format!("cannot write into {}", folder.display());
    fs::create_dir_all(folder).with_context(error)?;
    let mut command = CommandLine::command();
    match arguments.what {
        What::Man => clap_mangen::generate_to(command, folder).with_context(error)?,
        What::Completions { shell } => {
            let name = command.get_name().to_owned();
            let path = clap_complete::generate_to(shell, &mut command, name, folder).with_context(error)?;
            print(&format!("{}\n", path.display()))?;
        }
    }
    Ok(())
}
