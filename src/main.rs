//! The binary: reads the command line and hands over.

#![forbid(unsafe_code)]

use clap::Parser;
use kashan::cli;

fn main() -> anyhow::Result<()> {
    // Standard output belongs to the protocol; what is logged is for people, and there is little of it unless RUST_LOG asks for more.
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn")).init();
    cli::run(cli::CommandLine::parse())
}
