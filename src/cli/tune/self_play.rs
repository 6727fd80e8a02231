//! `kashan tune self-play`: games from random openings, with the score of every position.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::bail;
use clap::Args;

use crate::cli::{common, print};
use crate::eval::Evaluation;
use crate::lab::tuning::self_play::{self, GameLine, NetworkUsed, Recipe};
use crate::util::display::counted;
use crate::util::jobs::Part;
use crate::util::jobs::journal::Journal;

/// Play fast games from random openings and keep them with the score of every position.
///
/// Kashan's alpha-beta search plays itself. Openings are six to nine random moves, behind which no
/// side is ahead by more than eight pawns. A game ends when both sides see one of them ahead by 15
/// pawns on four half-moves in a row, when both see an even game for long, or by the rules.
///
/// The same seed makes the same games with any number of threads. The file is a journal, a line of
/// JSON for each game: the same command goes on with a file that was begun, also with more --games.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Games in all, those of all parts together.
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Positions searched for a move: after so many no deeper search is begun, and after four times
    /// as many the search ends.
    #[arg(long, value_name = "N", default_value_t = 1_500, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Seed of all games: each has a seed of its own, made from this one and the game's number.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Evaluation for the games, as in the option Evaluation.
    #[arg(long, value_name = "NAME", default_value = "network", value_parser = common::one_of::<Evaluation>())]
    evaluation: Evaluation,
    /// Network for the games, as in the option NetworkFile, in place of an evaluation.
    #[arg(long, value_name = "FILE", conflicts_with = "evaluation")]
    network: Option<PathBuf>,
    /// Games of a hundred whose openings go on with up to 60 weak moves, one in four of them
    /// random: one side may be ahead by more than eight pawns then.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=100))]
    weak_openings: u32,
    /// Play only the K-th of N parts of the games, as other processes or machines play the others.
    #[arg(long, value_name = "K/N")]
    part: Option<Part>,
    /// Games at the same time [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = super::threads())]
    threads: Option<usize>,
    /// Write them here.
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
}

/// Plays and writes.
///
/// # Errors
/// An unwritable file, a file with other content, or a stop before the last game.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let path = arguments.output.display();
    let part = arguments.part;
    let recipe = Recipe {
        nodes: arguments.nodes,
        seed: arguments.seed,
        evaluation: arguments.evaluation,
        network: arguments.network.clone().map(NetworkUsed::of).transpose()?,
        weak_openings: arguments.weak_openings,
        part,
    };
    let [mut played, mut positions] = [0; 2];
    let mut learn = |game: GameLine, _| {
        played += 1;
        positions += game.scores.len();
        Ok(())
    };
    let (mut journal, torn) =
        Journal::open_each(&arguments.output, &recipe.settings(), &mut learn)?;
    torn.iter().for_each(|torn| common::tell(torn));
    let all = usize::try_from(arguments.games)?;
    let games = part.map_or(all, |part| part.count(all));
    let bar = common::progress_bar(games, "games");
    let stop = common::stopped_by_signals(&bar, "the running games");
    common::begin_at(&bar, played);
    let threads = arguments.threads.unwrap_or_else(common::cores);
    let begun = Instant::now();
    let mut searched = 0;
    self_play::play(
        &recipe,
        played as u64..games as u64,
        threads,
        &stop,
        &mut |game| {
            journal.add(&GameLine::from(game))?;
            played += 1;
            positions += game.moves.len();
            searched += game.moves.len();
            bar.inc(1);
            bar.set_message(format!(
                "{:.0} positions/s",
                searched as f64 / begun.elapsed().as_secs_f64()
            ));
            Ok(())
        },
    )?;
    bar.finish_and_clear();
    if played < games {
        bail!("stopped after {played} of {games} games; the same command goes on with {path}");
    }
    print(&format!(
        "{} with {} in {path}\n",
        counted(played, "game"),
        counted(positions, "position")
    ))
}
