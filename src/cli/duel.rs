//! `kashan match`.

use clap::Args;

use super::contest::Rules;
use super::{common, contest, print};
use crate::arena::config::Config;
use crate::arena::schedule::Kind;
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
    /// Time control of the first engine alone; matched/0.01 is the time that its opponent takes, at least
    /// 0.01 seconds.
    #[arg(long, value_name = "LIMITS")]
    tc1: Option<Limits>,
    /// Time control of the second engine alone.
    #[arg(long, value_name = "LIMITS")]
    tc2: Option<Limits>,
    /// The first engine has White in every game, each from an opening of its own. Otherwise, each opening is
    /// played with both colours.
    #[arg(long)]
    no_swap: bool,
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
    #[arg(long, hide = true, value_name = "NAME=VALUE", value_parser = common::option)]
    option1: Vec<(String, String)>,
    #[arg(long, hide = true, value_name = "NAME=VALUE", value_parser = common::option)]
    option2: Vec<(String, String)>,
    /// Add games to the match in the journal: --games is how many there will be in all, everything else is as
    /// it was.
    #[arg(long = "continue", requires_all = ["journal", "games"])]
    add_games: bool,
    #[command(flatten)]
    rules: Rules,
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
    contest::check_files(&config, None, None)?;
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
    let Arguments { rules, engines: mut lines, .. } = arguments;
    let mut config = Config {
        name: "Kashan match".to_owned(),
        schedule: Some(Kind::Match),
        swap: !arguments.no_swap,
        ..Config::default()
    };
    config.output.add_rounds = arguments.add_games;
    let is_example = lines.is_empty();
    if is_example {
        config.limits = "2+0.02".parse()?;
        config.games = rules.test.sprt()?.is_none().then_some(4);
        lines = EXAMPLE_ENGINES.map(|backend| format!("kashan:{backend}")).to_vec();
    }
    let own = [
        (arguments.name1, arguments.protocol1, arguments.tc1),
        (arguments.name2, arguments.protocol2, arguments.tc2),
    ];
    config.engines = rules.engines(&lines, own)?;
    if is_example {
        for (engine, name) in config.engines.iter_mut().zip(EXAMPLE_ENGINES) {
            if engine.name.is_empty() {
                engine.name = name.to_owned();
            }
            engine.options.push(("OwnBook".to_owned(), "0".to_owned()));
        }
    }
    rules.apply(&mut config)?;
    for (engine, options) in config.engines.iter_mut().zip([arguments.option1, arguments.option2]) {
        engine.options.extend(options);
    }
    Ok(config)
}
