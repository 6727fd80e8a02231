//! The binary: reads the command line and hands over.

#![forbid(unsafe_code)]

use clap::Parser;
use kashan::cli;

fn main() -> anyhow::Result<()> {
    cli::run(cli::CommandLine::parse())
}
