//! `kashan tune network`: a network for the evaluation, from games of `kashan tune self-play`.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{bail, ensure};
use clap::Args;
use serde::Serialize;
use serde_json::{Value, json};

use crate::cli::{common, print};
use crate::lab::tuning::network::{Data, Losses, Reading, State, StateFile, Target, Training};
use crate::util::display::{Format, Table, cells, counted};
use crate::util::files::{self, OutputFile};
use crate::util::jobs::journal;

/// Train a network for the evaluation on games of kashan tune self-play.
///
/// The data are quiet positions, each once a game: neither side is in check, and the best move
/// takes and promotes nothing. The target is partly the score of the search and partly the result
/// of the game. Some games are held out, and the weights of the epoch that predicts these best are
/// written. Perturbed positions, behind random moves, are learned from besides: games have no
/// position with a piece hanging or a queen down, and a search meets them everywhere.
///
/// The same seed makes the same network from the same games, with any number of threads. Control-C
/// ends after the epoch; the same command goes on from FILE.state. The option NetworkFile plays
/// with the result.
#[derive(Debug, Args, Serialize)]
pub struct Arguments {
    /// Games of kashan tune self-play.
    #[arg(value_name = "FILE", required = true)]
    #[serde(skip)]
    files: Vec<PathBuf>,
    /// Passes over all positions.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    epochs: u32,
    /// Positions of a step.
    #[arg(long, value_name = "N", default_value_t = 8_192, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    batch: u32,
    /// Adam's rate at the beginning, a hundred times the rate at the end.
    #[arg(long, value_name = "X", default_value_t = 0.002)]
    rate: f32,
    /// Centipawns worth 73 % of the points: the logistic curve's scale.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(i32).range(1..=10_000))]
    scale: i32,
    /// Share of the game's result in the prediction; the rest is the score.
    #[arg(long, value_name = "PART", default_value_t = 0.6)]
    result_share: f32,
    /// Perturbed positions for each position of a game: behind one to three random moves, with the
    /// static value of the built-in network as their target.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(0..=100))]
    perturbed: u32,
    /// The held-out part of all games.
    #[arg(long, value_name = "PART", default_value_t = 0.02)]
    held_out: f64,
    /// Seed of the choice of held-out games, of the first weights, and of the order of positions.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Threads; the network does not depend on them [default: as many as there are cores]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true, value_parser = super::threads())]
    #[serde(skip)]
    threads: usize,
    /// Write the network here.
    #[arg(long, short, value_name = "FILE")]
    #[serde(skip)]
    output: PathBuf,
}

/// The mark of networks near their beginning.
const MARK: &str = "KASHANNN";

/// Reads, trains, and writes.
///
/// # Errors
/// Unreadable or unwritable files, too few positions, options that do not fit; a stop by the user.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(arguments.threads)
        .build()?;
    pool.install(|| train(arguments))
}

fn train(arguments: &Arguments) -> anyhow::Result<()> {
    let output = OutputFile::report(&arguments.output, MARK);
    let state_path = files::beside(&arguments.output, ".state");
    files::check(
        &arguments.files,
        [output, OutputFile::with_own_rules(&state_path)],
    )?;
    let training = arguments.training()?;
    let data = arguments.read()?;
    let settings = arguments.settings(&data)?;
    let state_file = StateFile::new(&state_path, &settings);
    let mut state = state_file.load()?.unwrap_or_else(|| training.begin());
    let bar = common::progress_bar(arguments.epochs as usize, "epochs");
    let stop = common::stopped_by_signals(&bar, "this epoch");
    common::begin_at(&bar, state.epochs as usize);
    let begun = Instant::now();
    let mut epochs = 0;
    training.run(&data, &mut state, &stop, |state, epoch| {
        epochs += 1;
        let speed = epochs as f64 * data.training.len() as f64 / begun.elapsed().as_secs_f64();
        let text = format!(
            "epoch {}: loss {:.6}, held out {:.6}; {speed:.0} positions/s",
            epoch.number, epoch.training_loss, epoch.held_out_loss
        );
        common::say(&bar, &text);
        bar.inc(1);
        state_file.keep(state)
    })?;
    bar.finish_and_clear();
    if state.epochs < arguments.epochs {
        bail!(
            "stopped after {} of {} epochs; the same command does the rest ({})",
            state.epochs,
            arguments.epochs,
            state_path.display()
        );
    }
    let network = state
        .best
        .quantised(arguments.scale, made(&settings, &data, &state));
    output.write(&network.to_bytes())?;
    state_file.remove();
    print(&text(training.comparison(&data, &network), &state))
}

impl Arguments {
    fn training(&self) -> anyhow::Result<Training> {
        ensure!(
            (0.0..=1.0).contains(&self.result_share),
            "--result-share is from 0 to 1"
        );
        ensure!(
            (0.001..=0.9).contains(&self.held_out),
            "--held-out is from 0.001 to 0.9"
        );
        ensure!(
            self.rate > 0.0 && self.rate <= 1.0,
            "--rate is above 0 and up to 1"
        );
        let target = Target {
            scale: self.scale as f32,
            result_share: self.result_share,
        };
        Ok(Training {
            target,
            epochs: self.epochs,
            batch: self.batch as usize,
            rate: self.rate,
            seed: self.seed,
        })
    }

    fn read(&self) -> anyhow::Result<Data> {
        let bar = common::progress_bar(self.files.len(), "files");
        let reading = Reading {
            held_out: (self.held_out * 1000.0).round() as u64,
            perturbed: self.perturbed,
            seed: self.seed,
        };
        let mut data = Data::default();
        for file in &self.files {
            data.add_file(file, reading)?;
            bar.inc(1);
        }
        bar.finish_and_clear();
        let positions = data.training.len();
        let held_out = data.held_out.len();
        ensure!(
            positions > 0 && held_out > 0,
            "{positions} positions to learn from, {held_out} held out: too few"
        );
        common::tell(&format!(
            "{} to learn from, perturbed ones included, and {held_out} held out, from {} with {}",
            counted(positions, "position"),
            counted(data.games, "game"),
            counted(data.positions, "position"),
        ));
        Ok(data)
    }

    /// Returns all settings with an effect on the network.
    fn settings(&self, data: &Data) -> anyhow::Result<Value> {
        let mut recipes = Vec::new();
        for file in &self.files {
            recipes.push(journal::settings(file)?);
        }
        let mut settings = json!(self);
        settings["command"] = json!("kashan tune network");
        settings["games"] = json!(data.games);
        settings["positions"] = json!(data.training.len());
        settings["recipes"] = json!(recipes);
        settings["program"] = json!(env!("KASHAN_COMMIT"));
        Ok(settings)
    }
}

/// Returns the origin of the network, for its file.
fn made(settings: &Value, data: &Data, state: &State) -> Value {
    let mut made = settings.clone();
    made["held_out_positions"] = json!(data.held_out.len());
    made["held_out_loss"] = json!(state.best_loss);
    made["best_epoch"] = json!(state.best_epoch);
    made
}

fn text(losses: [Losses; 2], state: &State) -> String {
    let mut table =
        Table::headed("Mean squared error, held-out games | Of both: | Scores: | Results:");
    for (name, losses) in ["network", "built-in network"].iter().zip(losses) {
        let losses = [losses.target, losses.scores, losses.results];
        let [target, scores, results] = losses.map(|loss| format!("{loss:.6}"));
        table.row(cells![name, target, scores, results]);
    }
    format!(
        "{}The network is that of epoch {}, in whole numbers.\n",
        table.render(Format::Terminal),
        state.best_epoch
    )
}
