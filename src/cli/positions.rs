//! `kashan positions`: sets of positions of our own making.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use clap::{Args, Subcommand, ValueEnum};

use super::{common, print};
use crate::arena::{Limits, StopSignal};
use crate::files::{self, Output};
use crate::making::criterion::THOROUGH;
use crate::making::{
    Criterion, Defence, Mates, Quiet, Recipe, Reference, Tactical, begun, blunders, collect,
};
use crate::suite::Analyst;

/// Make sets of positions by self-play.
#[derive(Debug, Subcommand)]
pub enum Command {
    Make(Make),
}

/// Make positions, such as those of `kashan blunders` without arguments.
///
/// Each comes from a game that Kashan's alpha-beta search plays against itself. Positions with something to
/// find are chosen by a reference, which has to see that one move is better than all others. The same seed
/// makes the same positions, with the same reference. With --output, what was found is kept in FILE.journal
/// until the set is complete: stopped or killed, the same command goes on.
#[derive(Debug, Args)]
pub struct Make {
    /// What is wanted.
    #[arg(long, value_enum, default_value_t = Kind::Blunders)]
    kind: Kind,
    /// How many [default: 29 for blunders, 30 mates, 100 of others]
    #[arg(long, value_name = "N")]
    count: Option<u32>,
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The engine that judges; it speaks UCI. kashan:alphabeta is one, too [default: stockfish]
    #[arg(long, value_name = "ENGINE")]
    reference: Option<String>,
    /// What the reference may spend on each of a position's first two searches, as nodes=N; on the last two
    /// it spends four times as much [default: nodes=100000]
    #[arg(long, value_name = "LIMITS")]
    reference_limits: Option<Limits>,
    /// Write them here [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// What positions there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// Quiet and even middlegames, for the blunder check; no reference is needed.
    Blunders,
    /// One move wins, and is not seen at once.
    Tactical,
    /// One move does not lose, and is not seen at once.
    Defence,
    /// One quiet move is clearly better than the others.
    Quiet,
    /// Mates in two to six moves with one first move.
    Mates,
}

/// What the reference spends if nothing else is said.
const NODES: u64 = 100_000;

/// Stands in the first line of every set.
const MARK: &str = "made by Kashan ";

/// Runs the subcommand.
///
/// # Errors
/// The file cannot be written; too many positions were asked for; the reference cannot be used, or what was
/// asked for is not found.
pub fn run(command: &Command) -> anyhow::Result<()> {
    let Command::Make(make) = command;
    let output = make.output.as_deref().map(|path| Output::report(path, MARK));
    files::check(&[], output)?;
    let recipe = make.recipe()?;
    let text = match make.kind {
        Kind::Blunders => make.blunders(recipe)?,
        Kind::Tactical => make.suite(&Tactical, recipe)?,
        Kind::Defence => make.suite(&Defence, recipe)?,
        Kind::Quiet => make.suite(&Quiet, recipe)?,
        Kind::Mates => make.suite(&Mates, recipe)?,
    };
    let Some(output) = output else {
        return print(&text);
    };
    output.write(text.as_bytes())?;
    // It is of no use any more.
    if let Some(journal) = make.journal().filter(|journal| journal.is_file()) {
        fs::remove_file(&journal).with_context(|| format!("cannot remove {}", journal.display()))?;
    }
    Ok(())
}

impl Make {
    fn recipe(&self) -> anyhow::Result<Recipe> {
        let count = self.count.unwrap_or(match self.kind {
            Kind::Blunders => 29,
            Kind::Mates => 30,
            Kind::Tactical | Kind::Defence | Kind::Quiet => 100,
        });
        ensure!((1..=10_000).contains(&count), "--count is from 1 to 10000");
        Ok(Recipe { count, seed: self.seed })
    }

    fn blunders(&self, recipe: Recipe) -> anyhow::Result<String> {
        ensure!(
            self.reference.is_none() && self.reference_limits.is_none(),
            "--kind blunders asks no reference: --reference and --reference-limits are for the other kinds"
        );
        let mut found = 0;
        let set = blunders::make(recipe, &mut |quiet| {
            found += 1;
            eprintln!("{found}/{}  {}", recipe.count, quiet.fen);
        })?;
        Ok(blunders::epd(&set, recipe))
    }

    fn suite(&self, criterion: &dyn Criterion, recipe: Recipe) -> anyhow::Result<String> {
        let mut reference = self.start_reference()?;
        let command = self.command(criterion, recipe, reference.nodes);
        let journal = self.journal();
        let mut begun = begun(journal.as_deref(), recipe, &reference, &command).with_context(|| {
            let journal = journal.as_deref().unwrap_or(Path::new("")).display();
            format!("the set is kept in {journal} until it is complete: if that is something else, move it away or name another --output")
        })?;
        let mut found = 0;
        let set = collect(criterion, recipe, &mut reference, &mut begun, &mut |position| {
            found += 1;
            let contrast = &position.contrast;
            eprintln!(
                "{found}/{}  {}  {} {}, {} {}",
                recipe.count,
                position.fen,
                contrast.san,
                contrast.score,
                contrast.second,
                contrast.second_score
            );
        })?;
        Ok(collect::epd(criterion, &set, &reference, &command))
    }

    /// Where what was found is kept until the set is complete. Blunders are made so fast that they have none,
    /// and beside a device or a pipe there is no place for one.
    fn journal(&self) -> Option<PathBuf> {
        let output = self.output.as_deref().filter(|path| path.is_file() || !path.exists())?;
        (self.kind != Kind::Blunders).then(|| files::beside(output, ".journal"))
    }

    /// Two processes of the same engine, because one has one limit. Only one of them thinks at a time.
    fn start_reference(&self) -> anyhow::Result<Reference<'static>> {
        let nodes = match self.reference_limits {
            None => NODES,
            Some(Limits { nodes: Some(nodes), time: None, depth: None }) => nodes,
            Some(other) => bail!(
                "--reference-limits {other}: only nodes=N, so that the same command makes the same positions"
            ),
        };
        let more = nodes
            .checked_mul(THOROUGH)
            .with_context(|| format!("--reference-limits nodes={nodes} is too many"))?;
        let spec = common::reference_or_stockfish(self.reference.as_deref(), &[])?;
        let stop = StopSignal::new();
        let start = |nodes| {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            Analyst::start(&spec, limits, &stop)
        };
        let quick = start(nodes)?;
        Ok(Reference {
            name: quick.own_name().unwrap_or(quick.name()).to_owned(),
            nodes,
            quick: Box::new(quick),
            thorough: Box::new(start(more)?),
        })
    }

    /// What makes the same again.
    fn command(&self, criterion: &dyn Criterion, recipe: Recipe, nodes: u64) -> String {
        let reference =
            self.reference.as_ref().map_or(String::new(), |line| format!(" --reference \"{line}\""));
        format!(
            "kashan positions make --kind {} --count {} --seed {}{reference} --reference-limits nodes={nodes}",
            criterion.name(),
            recipe.count,
            recipe.seed
        )
    }
}
