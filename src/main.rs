//! The binary: reads the command line and hands over.

#![forbid(unsafe_code)]

use std::io::{self, Write as _};
use std::process::ExitCode;

use kashan::cli;
use kashan::util::display;

fn main() -> ExitCode {
    match cli::run_line() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // The error with its causes; `{error:?}` would add a stack trace where `RUST_BACKTRACE`
            // is set. It may quote a file. If nobody reads it there is nobody to tell.
            let _ = writeln!(
                io::stderr(),
                "Error: {}",
                display::quotable(&format!("{error:#}"))
            );
            ExitCode::FAILURE
        }
    }
}
