//! `kashan match`.

use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;

use super::common::{self, ForEngine};
use super::{contest, print};
use crate::arena::config::{Config, EngineEntry, Output, Variant};
use crate::arena::openings::{OpeningSource, Order};
use crate::arena::pgn::Comments;
use crate::arena::plan::{Adjudication, DrawRule, WinRule};
use crate::arena::schedule::Kind;
use crate::arena::statistics::{EloModel, Sprt};
use crate::arena::{Limits, Protocol};

/// Play a match between two engines.
///
/// An engine is a command with its arguments in one string ("hoichess --xboard"; quotation marks keep words
/// together), or one of ours: kashan:genetic, kashan:alphabeta, kashan:minimax, kashan:action. Games come
/// in pairs: each opening is played with both colours.
///
/// Without engines, Kashan's genetic search plays a short match against its alpha-beta search.
#[derive(Debug, Args)]
#[command(after_long_help = include_str!("contest/coming_from.txt"))]
pub struct Arguments {
    /// The two engines.
    #[arg(value_name = "ENGINE", num_args = 2)]
    engines: Vec<String>,
    /// Time control of both: 60+0.6, 40/60, 0.3/move, depth=5, nodes=20000, or several with commas between
    /// [default: 10+0.1]
    #[arg(long, value_name = "LIMITS")]
    tc: Option<Limits>,
    /// Time control of the first engine alone; matched/0.01 is the time that its opponent takes, at least
    /// 0.01 seconds.
    #[arg(long, value_name = "LIMITS")]
    tc1: Option<Limits>,
    /// Time control of the second engine alone.
    #[arg(long, value_name = "LIMITS")]
    tc2: Option<Limits>,
    /// Number of games, even [default: 20, with --sprt 40000 at most]
    #[arg(long, value_name = "N")]
    games: Option<u32>,
    /// The chess that is played. In Chess960, without a file of openings, the pieces begin in one of the 960
    /// arrays, drawn by the seed (with --in-order by number); our own engines do not play it.
    #[arg(long, value_name = "VARIANT", default_value = "standard", value_parser = common::one_of::<Variant>())]
    variant: Variant,
    /// Openings: EPD or FEN lists, .pgn games, .bin Polyglot books [default: our own]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Half-moves that are played from games and books.
    #[arg(long, value_name = "N", default_value_t = 8)]
    plies: usize,
    /// Begin with this opening, counted from 1 in the order in which they are taken.
    #[arg(long, value_name = "N", default_value_t = 1)]
    opening_start: usize,
    /// Take openings in the order of the file, not at random.
    #[arg(long)]
    in_order: bool,
    /// Check all positions of a list of openings before the first game. Otherwise, each is checked when it is
    /// used.
    #[arg(long)]
    strict: bool,
    /// Of the choice of openings.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Name of the first engine [default: what it calls itself]
    #[arg(long, value_name = "NAME")]
    name1: Option<String>,
    /// Name of the second engine.
    #[arg(long, value_name = "NAME")]
    name2: Option<String>,
    /// Protocol of the first engine [default: found out]
    #[arg(long, value_name = "PROTOCOL", value_parser = common::one_of::<Protocol>())]
    protocol1: Option<Protocol>,
    /// Protocol of the second engine.
    #[arg(long, value_name = "PROTOCOL", value_parser = common::one_of::<Protocol>())]
    protocol2: Option<Protocol>,
    /// An option of both engines, or with 1: or 2: in front of that one; can be repeated.
    #[arg(long = "option", value_name = "[N:]NAME=VALUE", value_parser = common::option_for_engine)]
    options: Vec<ForEngine<(String, String)>>,
    #[arg(long, hide = true, value_name = "NAME=VALUE", value_parser = common::option)]
    option1: Vec<(String, String)>,
    #[arg(long, hide = true, value_name = "NAME=VALUE", value_parser = common::option)]
    option2: Vec<(String, String)>,
    /// Whatever else a tournament file can say of an engine, for both or for one: startup=LINE,
    /// directory=FOLDER, restart=true, ponder=true, stall=SECONDS, arguments=WORD; can be repeated.
    #[arg(long = "each", value_name = "[N:]KEY=VALUE", value_parser = common::option_for_engine)]
    settings: Vec<ForEngine<(String, String)>>,
    /// The game is a draw when from a move on both engines say so: from_move=40,moves=8,score=10 (score in
    /// centipawns).
    #[arg(long, value_name = "RULE", value_parser = common::inline_table::<DrawRule>)]
    draw: Option<DrawRule>,
    /// The game is won when both engines say so: moves=4,score=700
    #[arg(long, value_name = "RULE", value_parser = common::inline_table::<WinRule>)]
    win: Option<WinRule>,
    /// The game is a draw after so many moves of each side.
    #[arg(long, value_name = "N")]
    max_moves: Option<u32>,
    /// The game is over where Syzygy endgame tables in this folder (or several, a colon between them, on
    /// Windows a semicolon) are certain of the result: a win that comes within what is left of the fifty
    /// moves, and any draw. A win that the fifty-move rule prevents is a draw.
    #[arg(long, value_name = "FOLDERS")]
    tablebases: Option<String>,
    /// Stop when so many games were lost by a crash, a stall or an engine that does not start.
    #[arg(long, value_name = "N")]
    stop_after_crashes: Option<u32>,
    /// Both engines think on their opponents' time.
    #[arg(long)]
    ponder: bool,
    /// Stop as soon as it is decided whether the first engine is ELO0 or ELO1 stronger.
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true)]
    sprt: Option<Vec<f64>>,
    /// The Elo of --sprt: normalized (a test's length does not depend on the draws) or logistic (the Elo of
    /// rating lists).
    #[arg(long, value_name = "MODEL", default_value_t, requires = "sprt")]
    elo_model: EloModel,
    /// How often --sprt may find ELO1 though ELO0 is true.
    #[arg(long, value_name = "P", default_value_t = 0.05, requires = "sprt")]
    alpha: f64,
    /// How often --sprt may find ELO0 though ELO1 is true.
    #[arg(long, value_name = "P", default_value_t = 0.05, requires = "sprt")]
    beta: f64,
    /// How many games are played at the same time.
    #[arg(long, value_name = "N", default_value_t = 1)]
    concurrency: usize,
    /// The engines of each game run on cores of the processor that no other game uses, as many as they have
    /// threads (Linux).
    #[arg(long)]
    affinity: bool,
    /// Milliseconds that a clock may be below zero before the flag falls.
    #[arg(long, value_name = "MS", default_value_t = 50)]
    margin: u64,
    /// Write the games here.
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// How much comments of moves in the PGN say: short for score, depth and time, full also for nodes and
    /// the expected line.
    #[arg(long, value_name = "STYLE", default_value = "short", value_parser = common::one_of::<Comments>())]
    pgn_comments: Comments,
    /// Add the games to those that are in the PGN file already.
    #[arg(long, requires = "pgn")]
    append: bool,
    /// Keep a journal here: the same command continues the match from it.
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Add games to the match in the journal: --games is how many there will be in all, everything else is as
    /// it was.
    #[arg(long = "continue", requires_all = ["journal", "games"])]
    add_games: bool,
    /// Plot the Elo difference over the games.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    showing: contest::Showing,
}

/// Plays the match.
///
/// # Errors
/// Mistakes on the command line, engines that cannot be started, and that not everything was played.
pub fn run(arguments: Arguments) -> anyhow::Result<()> {
    let showing = arguments.showing;
    let json = showing.json;
    let is_example = arguments.engines.is_empty();
    let config = config(arguments)?;
    if is_example && !json {
        print(&format!("{EXAMPLE}\n"))?;
    }
    contest::check_files(&config, None)?;
    contest::play(&config, showing)?;
    if is_example && !json {
        print(&format!("{EXPLANATION}\n"))?;
    }
    Ok(())
}

const EXAMPLE: &str = "\
Kashan's genetic search (which grows the lines of play that look fittest; the paper's own is Preset=paper) against its alpha-beta search (the
field's usual method), with the same evaluation and the same time: a clock of 2 seconds and 0.02 more for each move. Each opening is played
with both colours.
";

const EXPLANATION: &str = "
Alpha-beta looks at every move and leaves out only what can hardly matter; the genetic search looks at the lines that look fittest, and can
miss a reply on the others. What that costs is the difference above. For a match of your own:

    kashan match kashan:genetic fairymax --tc 10+0.1 --games 20
";

/// The match of `kashan match` alone.
const EXAMPLE_ENGINES: [&str; 2] = ["genetic", "alphabeta"];

fn config(arguments: Arguments) -> anyhow::Result<Config> {
    let mut config = Config {
        name: "Kashan match".to_owned(),
        schedule: Some(Kind::Match),
        seed: arguments.seed,
        variant: arguments.variant,
        games: arguments.games,
        margin: arguments.margin,
        concurrency: arguments.concurrency,
        affinity: arguments.affinity,
        stop_after_crashes: arguments.stop_after_crashes,
        adjudication: Adjudication {
            draw: arguments.draw,
            win: arguments.win,
            max_moves: arguments.max_moves,
            tablebases: arguments.tablebases,
        },
        openings: OpeningSource {
            file: arguments.openings,
            plies: arguments.plies,
            order: if arguments.in_order { Order::Sequential } else { Order::Random },
            strict: arguments.strict,
            start: arguments.opening_start,
            ..OpeningSource::default()
        },
        output: Output {
            journal: arguments.journal,
            add_rounds: arguments.add_games,
            pgn: arguments.pgn,
            append: arguments.append,
            comments: arguments.pgn_comments,
            json: None,
            svg: arguments.svg,
        },
        ..Config::default()
    };
    if let Some([elo0, elo1]) = arguments.sprt.as_deref() {
        config.sprt = Some(Sprt::new(*elo0, *elo1, arguments.alpha, arguments.beta, arguments.elo_model)?);
    }
    let mut lines = arguments.engines;
    let is_example = lines.is_empty();
    if is_example {
        config.limits = "2+0.02".parse()?;
        config.games = config.games.or(config.sprt.is_none().then_some(4));
        lines = EXAMPLE_ENGINES.map(|backend| format!("kashan:{backend}")).to_vec();
    }
    config.limits = arguments.tc.unwrap_or(config.limits);
    let numbers = [&arguments.options, &arguments.settings].into_iter().flatten();
    common::check_numbers(numbers, lines.len())?;
    let own = [
        (arguments.name1, arguments.protocol1, arguments.tc1, arguments.option1),
        (arguments.name2, arguments.protocol2, arguments.tc2, arguments.option2),
    ];
    for ((line, number), (name, protocol, limits, options)) in lines.iter().zip(1..).zip(own) {
        let settings: Vec<_> = common::for_number(&arguments.settings, number).collect();
        let mut engine = EngineEntry::from_settings(line, &settings).map_err(|error| anyhow!(error))?;
        if is_example {
            engine.name = Some(EXAMPLE_ENGINES[number - 1].to_owned());
            engine.options.push(("OwnBook".to_owned(), "0".to_owned()));
        }
        engine.name = name.or(engine.name);
        engine.protocol = protocol.or(engine.protocol);
        engine.limits = limits.or(engine.limits);
        engine.options.extend(common::for_number(&arguments.options, number).chain(options));
        engine.ponder |= arguments.ponder;
        config.engines.push(engine);
    }
    Ok(config)
}
