//! `kashan play`: what Kashan does without a subcommand, on the whole screen, and in the browser.

use std::io::{self, IsTerminal as _, Write as _};

use clap::Args;

use super::common;
use crate::front::{self, Start};

/// Play against Kashan at the terminal, by lines or with --tui on the whole screen, or with --web in the
/// browser.
///
/// Without either this is what Kashan does without a subcommand: moves and commands are typed, Tab completes
/// them, the cursor keys bring earlier lines back, and help lists what there is. With --tui the screen shows
/// the board, the moves, the clocks, Kashan's evaluation over the game, and the search at work: for the
/// genetic search its generation, H (the height of the tree), P (how many branches breed), the share of new
/// children, and the nodes that each move has had. Moves are typed, made with the cursor keys and Return, or
/// clicked; F1 lists the keys. Control-C makes Kashan move, and twice in a row leaves. With --web a page of
/// this machine shows the same and more; Control-C ends it. The game in progress is kept after every move.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Play on the whole screen.
    #[arg(long)]
    tui: bool,
    /// Play in the browser: print the address of a page of this machine, and open it.
    #[arg(long, conflicts_with = "tui")]
    web: bool,
    /// With --web: only print the address.
    #[arg(long, requires = "web")]
    no_open: bool,
    /// Go on with the last game that was played.
    #[arg(long)]
    resume: bool,
    /// An option of the engine, as in the terminal's list of options; can be repeated.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = common::option)]
    options: Vec<(String, String)>,
}

/// Plays until the user leaves.
///
/// # Errors
/// There is no terminal for what was asked for.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let is_alone = !arguments.resume && !arguments.tui && !arguments.web;
    if is_alone && !io::stdin().is_terminal() {
        let _ = writeln!(
            io::stderr(),
            "kashan: input is no terminal: this speaks xboard or UCI, as the first line wants"
        );
    }
    let Arguments { tui: full_screen, web, no_open, resume, ref options } = *arguments;
    Ok(front::talk(Start { resume, full_screen, web, no_open, options, all_options: false })?)
}
