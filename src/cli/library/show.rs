//! placeholder
use clap::Args;
#[derive(Debug, Args)]
pub struct Arguments {}
pub fn run(_: &Arguments) -> anyhow::Result<()> {
    Ok(())
}
