//! `kashan experiment`: the paper's experiments, repeated.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use clap::Args;
use indicatif::ProgressBar;

use super::common::{self, ForEngine};
use crate::arena::{EngineLimits, Protocol, check_engines};
use crate::engine::library::Library;
use crate::lab::experiment::{
    Conclusion, Conditions, EvolutionSize, Experiment, Laboratory, Scale, Watcher, catalogue,
    report,
};
use crate::lab::tuning::Stopped;
use crate::search::genetic::params::Preset;
use crate::util::display::{Format, Table};

/// Repeat the experiments of four papers, and compare the numbers with the papers' claims.
///
/// Without arguments, or with `list`, lists the experiments. All work is journalled in the folder:
/// a stopped run goes on with the same command.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Experiments by name (C1 to C13 for the claims of Dehghani & Babamir, T1 to T11 for those of
    /// Vázquez-Fernández & Coello on tuning, A1 to A9 for those of Hesham & others on a library of
    /// actions, M1 to M9 for those of Marcarelli on threats), C, T, A or M for all of that letter,
    /// `all` of them, or `list`.
    #[arg(value_name = "ID", default_value = "list")]
    experiments: Vec<String>,
    /// Do less, for a first impression: most experiments take a minute or less.
    #[arg(long)]
    quick: bool,
    /// Seed of all random choices; from 1.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=u64::from(u32::MAX)))]
    seed: u64,
    /// The preset of the genetic search in C7 to C13. With another preset than paper, other
    /// experiments are left out.
    #[arg(long, value_name = "NAME", default_value = "paper", value_parser = common::one_of::<Preset>(), ignore_case = true)]
    preset: Preset,
    /// Give every search so many nodes instead of time: the findings are then the same on every
    /// machine.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "tc")]
    nodes: Option<u64>,
    /// A time control instead of the experiments' own: 10+0.1, 0.3/move.
    #[arg(long, value_name = "LIMITS")]
    tc: Option<EngineLimits>,
    /// Games of each match instead of the experiments' own numbers; even.
    #[arg(long, value_name = "N")]
    games: Option<u32>,
    /// Evolutions of each kind in T2 to T11, instead of 20 (2 with --quick).
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    seeds: Option<u16>,
    /// Size of these evolutions, in numbers of the tuning paper: players, generations for a problem
    /// at most, problems [default: 22,50,96, five minutes of a core each; with --quick 6,4,8]
    #[arg(long, value_name = "N,GMAX,NUMP")]
    evolution: Option<EvolutionSize>,
    /// The number of games or positions at the same time.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = common::at_least_one())]
    concurrency: usize,
    /// An opponent for C11 or T3 ("wine ufim802.exe"), instead of stand-ins; can be repeated.
    #[arg(long, value_name = "CMD")]
    opponent: Vec<String>,
    /// An option of all opponents, or with a number and a colon in front (2:weak=43) of one
    /// opponent; can be repeated.
    #[arg(long = "option", alias = "opponent-option", value_name = "[N:]NAME=VALUE", requires = "opponent", value_parser = common::option_for_engine)]
    opponent_option: Vec<ForEngine>,
    /// The judge of moves: a UCI engine [default: stockfish from the PATH, else kashan:alphabeta]
    #[arg(long, value_name = "CMD")]
    reference: Option<String>,
    /// A library of actions for A2 to A8, made by `kashan library build`, in place of the built-in
    /// one; can be repeated.
    #[arg(long, value_name = "FILE")]
    library: Vec<PathBuf>,
    /// Folder for findings and the report, and for the journals of runs to continue.
    #[arg(long, value_name = "FOLDER", default_value = "kashan-experiments")]
    output: PathBuf,
}

/// Runs the experiments.
///
/// # Errors
/// Unknown names of experiments, engines that do not start, unwritable files, and a stop by the
/// user.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let Some(chosen) = chosen(&arguments.experiments)? else {
        return super::print(&list());
    };
    let folder = &arguments.output;
    let conditions = conditions(arguments)?;
    let (chosen, left_out) = with_preset(chosen, conditions.preset)?;
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    report::check(folder, &chosen)?;
    let bar = common::progress_bar(0, "");
    bar.enable_steady_tick(Duration::from_secs(1));
    if !left_out.is_empty() {
        bar.note(&format!(
            "left out, because --preset changes nothing in them: {}",
            left_out.join(", ")
        ));
    }
    let stop = common::stopped_by_signals(&bar, "what is running");
    let laboratory = Laboratory::new(
        conditions.clone(),
        &folder.join("journals"),
        stop,
        Box::new(bar.clone()),
    );
    let commits = laboratory.commits()?;
    if commits.len() > 1 {
        bar.note(&format!(
            "work in {} is by commits {}; if they play differently, name another folder",
            folder.display(),
            commits.join(", ")
        ));
    }
    // A mistake in a path or an option shows now, not after hours.
    let mut named = conditions.opponents.clone();
    named.extend(conditions.reference.clone());
    check_engines(&named, laboratory.stop.signal())?;
    for experiment in &chosen {
        carry_out(experiment, &laboratory, folder, &bar)?;
        report::compile(folder, &commits)?;
    }
    bar.finish_and_clear();
    super::print(&format!("The report is in {}\n", folder.display()))
}

/// Carries an experiment out, and writes its finding.
fn carry_out(
    experiment: &Experiment,
    laboratory: &Laboratory,
    folder: &Path,
    bar: &ProgressBar,
) -> anyhow::Result<()> {
    let id = experiment.id;
    let conditions = &laboratory.conditions;
    common::say(bar, &format!("{id}: {}", experiment.text.title));
    let conclusion = experiment.run(laboratory);
    bar.reset();
    let conclusion = match conclusion {
        Err(error) if error.is::<Stopped>() => {
            bail!(error.context("the same command goes on from here"))
        }
        conclusion => conclusion.with_context(|| format!("experiment {id}"))?,
    };
    report::write(folder, experiment, conditions, &conclusion)?;
    common::say(bar, &in_words(experiment, conditions, &conclusion));
    Ok(())
}

/// Returns the experiments that heed the preset, and the names of the others; with the paper's
/// preset all of them.
fn with_preset(
    chosen: Vec<Experiment>,
    preset: Preset,
) -> anyhow::Result<(Vec<Experiment>, Vec<&'static str>)> {
    if preset == Preset::Paper {
        return Ok((chosen, Vec::new()));
    }
    let (chosen, others): (Vec<_>, Vec<_>) = chosen
        .into_iter()
        .partition(|experiment| experiment.text.heeds("preset"));
    let left_out: Vec<&str> = others.iter().map(|experiment| experiment.id).collect();
    ensure!(
        !chosen.is_empty(),
        "--preset {} changes nothing in {}; it does in C7 to C13",
        preset.into_str(),
        left_out.join(", ")
    );
    Ok((chosen, left_out))
}

/// Returns the named experiments, each once, in the order of the catalogue; `None` for the list.
fn chosen(names: &[String]) -> anyhow::Result<Option<Vec<Experiment>>> {
    if names.iter().any(|name| name == "list") {
        return Ok(None);
    }
    let all = catalogue();
    let ids: Vec<&str> = all.iter().map(|experiment| experiment.id).collect();
    for name in names {
        ensure!(
            ids.iter().any(|id| is_meant(name, id)),
            "no experiment is called \"{name}\"; there are {}",
            ids.join(", ")
        );
    }
    let is_chosen =
        |experiment: &Experiment| names.iter().any(|name| is_meant(name, experiment.id));
    Ok(Some(all.into_iter().filter(is_chosen).collect()))
}

/// Returns true if a name means this experiment: its own name, its letter, or `all`.
fn is_meant(name: &str, id: &str) -> bool {
    let (letter, number) = id.split_at(1);
    let is_of_letter = name.eq_ignore_ascii_case(letter) && number.parse::<u32>().is_ok();
    name == "all" || name.eq_ignore_ascii_case(id) || is_of_letter
}

fn conditions(arguments: &Arguments) -> anyhow::Result<Conditions> {
    if let Some(games) = arguments.games {
        ensure!(
            games >= 2 && games.is_multiple_of(2),
            "--games {games}: every opening is played with both colours, so it is an even number"
        );
    }
    if let Some(limits) = arguments.tc.filter(EngineLimits::are_matched) {
        bail!("--tc {limits}: somebody has to have time of his own");
    }
    let mut opponents = Vec::new();
    for (line, number) in arguments.opponent.iter().zip(1..) {
        let options = common::for_number(&arguments.opponent_option, number);
        opponents.push(common::engine_spec(line, &options, None)?);
    }
    let reference = match &arguments.reference {
        Some(line) => Some(common::engine_spec(line, &[], Some(Protocol::Uci))?),
        None => None,
    };
    for path in &arguments.library {
        Library::open(path)?;
    }
    common::check_numbers(
        &arguments.opponent_option,
        "opponent",
        arguments.opponent.len(),
    )?;
    Ok(Conditions {
        scale: if arguments.quick {
            Scale::Quick
        } else {
            Scale::Full
        },
        seed: arguments.seed,
        preset: arguments.preset,
        nodes: arguments.nodes,
        limits: arguments.tc,
        games: arguments.games,
        seeds: arguments.seeds.map(usize::from),
        evolution: arguments.evolution,
        concurrency: arguments.concurrency,
        opponents,
        reference,
        libraries: arguments.library.clone(),
    })
}

fn list() -> String {
    let mut table = Table::headed(" | Experiment | The paper");
    for experiment in catalogue() {
        table.row([
            experiment.id,
            &experiment.text.title,
            &experiment.text.source,
        ]);
    }
    table.render(Format::Terminal)
}

fn in_words(experiment: &Experiment, conditions: &Conditions, conclusion: &Conclusion) -> String {
    let verdict = report::verdict_in_words(experiment, conditions, conclusion);
    let mut text = format!("  {verdict}");
    for part in &conclusion.parts {
        text.push_str(&format!(
            "\n    {}: {} ({})",
            part.statement, part.verdict, part.evidence
        ));
    }
    text
}

impl Watcher for ProgressBar {
    fn note(&self, text: &str) {
        self.suspend(|| common::tell(&format!("kashan: {text}")));
    }

    fn progress(&self, work: &str, done: usize, total: usize) {
        self.set_position(done as u64);
        if self.message() != work {
            self.set_message(work.to_owned());
            self.set_length(total as u64);
            self.reset_elapsed();
            self.reset_eta();
        }
    }
}
