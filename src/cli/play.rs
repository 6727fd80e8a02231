//! `kashan play`: the game at the terminal, as without a subcommand, and in the browser.

use chess::Color;
use clap::Args;

use super::{common, position};
use crate::engine::strength_options;
use crate::play::console::{self, Setup};
use crate::play::{self, Start};
use crate::rules::position::Position;
use crate::search::time_control::TimeControl;

/// Play against Kashan at the terminal, or with --web in the browser.
///
/// At the terminal this is Kashan's mode without a subcommand: moves and commands are typed, Tab
/// completes them, the cursor keys bring earlier lines back, and help lists the commands. Control-C
/// makes Kashan move, and twice in a row leaves. With --web a page of this machine shows the board,
/// the moves, the clocks, and the search at work; Control-C ends it. The game in progress is kept
/// after every move.
///
/// Input from a pipe is read like typed lines; a line during Kashan's choice of a move waits for
/// the move. Such a game is not kept.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Play in the browser: print the address of a page of this machine, and open the page.
    #[arg(long)]
    web: bool,
    /// With --web: only print the address.
    #[arg(long, requires = "web")]
    no_open: bool,
    /// Go on with the last game.
    #[arg(long)]
    resume: bool,
    /// Kashan's strength: a rating from 800 to 2800, or max. Analysis and hints are always at full
    /// strength.
    #[arg(long, value_name = "ELO|max")]
    strength: Option<String>,
    /// The level, as in the terminal: 5+3 for five minutes and three seconds a move, 2s for two
    /// seconds a move, 40/5 for 40 moves in five minutes.
    #[arg(long, value_name = "LEVEL", value_parser = level)]
    tc: Option<TimeControl>,
    /// Your side: white, black or both.
    #[arg(long, value_name = "SIDE", value_parser = seat, conflicts_with = "resume")]
    color: Option<Seat>,
    /// The position to begin with; you play the side to move there, unless --color says otherwise.
    #[arg(long, value_name = "FEN", value_parser = fen, conflicts_with = "resume")]
    fen: Option<Position>,
    /// An option of the engine, as in the terminal's list of options; can be repeated.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = common::option)]
    options: Vec<(String, String)>,
}

/// Plays until the user leaves.
///
/// # Errors
/// There is no terminal for the wish of the user.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut options = arguments.options.clone();
    if let Some(strength) = &arguments.strength {
        options.extend(strength_options(strength));
    }
    let setup = Setup {
        control: arguments.tc,
        position: arguments.fen.as_ref(),
        kashan: arguments.color,
        ..Setup::default()
    };
    Ok(play::talk(Start {
        resume: arguments.resume,
        web: arguments.web,
        no_open: arguments.no_open,
        options: &options,
        in_lines: true,
        setup,
        all_options: false,
    })?)
}

/// Kashan's side, if any.
type Seat = Option<Color>;

/// `white`, `black` or `both`.
fn seat(text: &str) -> Result<Seat, String> {
    console::opposite(text).ok_or_else(|| "it is white, black or both".to_owned())
}

/// Parses a level like the terminal.
fn level(text: &str) -> Result<TimeControl, String> {
    const EXAMPLES: &str = "levels are like 2s (a move), 5 (minutes), 5+3 (and seconds a move), 40/5 (moves in minutes)";
    console::level(text).ok_or_else(|| EXAMPLES.to_owned())
}

/// Parses a position as FEN, or `startpos`.
///
/// # Errors
/// The fault of the FEN.
fn fen(text: &str) -> Result<Position, String> {
    position(text).map_err(|error| error.to_string())
}
