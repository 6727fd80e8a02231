//! `kashan tune play`: options of a search, by games.

use std::path::PathBuf;
use std::slice;

use anyhow::{Context as _, ensure};
use clap::Args;
use rayon::ThreadPoolBuilder;
use serde_json::{Value, json};

use crate::cli::{common, print};
use crate::engine::Settings;
use crate::lab::tuning::spsa::{Parameter, Spsa};
use crate::lab::tuning::{Duels, Ledger};
use crate::search::team::STACK_BYTES;
use crate::util::display::one_line;
use crate::util::files::{self, OutputFile, Replaces};
use crate::util::input;

/// Tune options of a search by games between sides that differ in them (SPSA).
///
/// The file has a line for each option, as OpenBench wants it for SPSA: name, int, value, least,
/// greatest, c_end, r_end, with commas. c_end is how far the two sides of a game differ from the
/// value in the last step, r_end is the learning rate there. Each step plays some pairs of games
/// between two sides: one has all options changed by c_end, up or down by chance, the other the
/// opposite. For each game won all values move towards the winner by r_end times c_end (in earlier
/// steps both are larger). What comes out are the same lines with the mean values of the
/// second half of all steps. OpenBench and this command take them again.
///
/// Control-C ends after the step that is played; the same command goes on from the journal.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The options and where they begin.
    #[arg(value_name = "FILE")]
    parameters: PathBuf,
    /// An option of both sides; can be repeated.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = common::option)]
    options: Vec<(String, String)>,
    /// Positions searched for each move.
    #[arg(long, value_name = "N", default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Games in all, rounded down to whole steps.
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(2..))]
    games: u64,
    /// Pairs of games of each step.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..=500))]
    pairs: u64,
    /// Seed of the games: the same seed finds the same values, with any number of threads.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Games at the same time [default: as many as there are cores]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true, value_parser = super::threads())]
    threads: usize,
    /// Write the lines here [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Keep a journal here: the same command continues from it [default: with --output,
    /// FILE.journal]
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
}

/// Plays, writes and tells.
///
/// # Errors
/// Impossible lines and options; unreadable or unwritable files; a stop by the user.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let &Arguments {
        games,
        pairs,
        nodes,
        seed,
        ..
    } = arguments;
    // Somebody's list of options looks like ours.
    let output = arguments.output.as_deref().map(|path| OutputFile {
        path,
        replaces: Replaces::Nothing,
    });
    let journal = super::journal(arguments.journal.as_deref(), arguments.output.as_deref());
    let own_rules = journal.as_deref().map(OutputFile::with_own_rules);
    files::check(
        slice::from_ref(&arguments.parameters),
        output.into_iter().chain(own_rules),
    )?;
    let parameters = arguments.parameters()?;
    let duels = Duels::new(&arguments.options, &parameters, nodes, seed)
        .with_context(|| format!("--option, or {}", arguments.parameters.display()))?;
    let tuning = Spsa { games, pairs, seed };
    ensure!(
        tuning.steps() > 0,
        "--games {games} is less than one step: {} games",
        2 * pairs
    );
    let bar = common::progress_bar(usize::try_from(tuning.steps())?, "steps");
    let stop = common::stopped_by_signals(&bar, "this step");
    let settings = arguments.settings(&parameters, duels.weights());
    let (mut ledger, torn) = Ledger::open(journal.as_deref(), &settings, &stop)?;
    torn.iter().for_each(|torn| common::warn(&bar, torn));
    let known = ledger.known();
    common::begin_at(&bar, known);
    let pool = ThreadPoolBuilder::new()
        .num_threads(arguments.threads)
        .stack_size(STACK_BYTES)
        .build()?;
    let mut steps = 0;
    let mut play = |step, sides| {
        // In brackets: no beginning of an answer is another answer.
        let [won] =
            ledger.recall(|| [pool.install(|| duels.play(step, pairs, &sides, stop.signal()))])?;
        Ok(won)
    };
    let mut watch = |values: &[f64]| {
        steps += 1;
        if steps > known {
            bar.inc(1);
        }
        let mut shown = Vec::new();
        for (parameter, value) in parameters.iter().zip(values) {
            shown.push(format!("{} {value:.1}", parameter.name));
        }
        bar.set_message(shown.join(", "));
    };
    let found = tuning.run(&parameters, &mut play, &mut watch);
    bar.finish_and_clear();
    let found = found.map_err(|error| super::to_go_on(error, journal.as_deref()))?;
    let mut text = String::new();
    for (mut parameter, value) in parameters.into_iter().zip(found) {
        parameter.value = value;
        text += &format!("{parameter}\n");
    }
    match output {
        Some(output) => output.write(text.as_bytes())?,
        None => print(&text)?,
    }
    common::tell(&format!(
        "{} games were played; a match says what the new values are worth (kashan help tuning).",
        tuning.steps() * 2 * pairs
    ));
    Ok(())
}

impl Arguments {
    /// Returns all settings with an effect on the games.
    fn settings(&self, parameters: &[Parameter], weights: u64) -> Value {
        let options = self
            .options
            .iter()
            .map(|(name, value)| format!("{name}={value}"));
        json!({
            "work": "tune play",
            "parameters": parameters,
            // Their order counts: a preset sets others.
            "options": options.collect::<Vec<_>>().join(" "),
            "weights": weights,
            "nodes": self.nodes,
            "games": self.games,
            "pairs": self.pairs,
            "seed": self.seed,
            "program": env!("KASHAN_COMMIT"),
        })
    }

    /// Reads the parameters from their file.
    ///
    /// # Errors
    /// An unreadable file, or an unreadable line.
    fn parameters(&self) -> anyhow::Result<Vec<Parameter>> {
        let shown = self.parameters.display();
        let mut bytes =
            input::read(&self.parameters).with_context(|| format!("cannot read {shown}"))?;
        input::cut_byte_order_mark(&mut bytes);
        let text = String::from_utf8(bytes).with_context(|| format!("{shown} is no text"))?;
        let mut parameters: Vec<Parameter> = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            if line.trim().is_empty() {
                continue;
            }
            let place = || format!("{shown}, line {number}: {}", one_line(line));
            let parameter: Parameter = line.parse().with_context(place)?;
            let name = &parameter.name;
            if Settings::default().get(name).is_none() {
                return Err(Settings::unknown(name)).with_context(place);
            }
            let is_same = |other: &Parameter| other.name.eq_ignore_ascii_case(&parameter.name);
            ensure!(
                !parameters.iter().any(is_same),
                "{}: the option is there twice",
                place()
            );
            parameters.push(parameter);
        }
        ensure!(!parameters.is_empty(), "{shown} has no lines");
        Ok(parameters)
    }
}
