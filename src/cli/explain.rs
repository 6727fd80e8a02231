//! `kashan explain`: a genetic search to look at.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::bail;
use clap::Args;

use super::{common, position, print};
use crate::engine::{Backend, Settings};
use crate::explain::{self, DOT_MARK, HTML_MARK, Limit, Task};
use crate::files::{self, Output};

/// Search a position with the genetic search, and show what it did: its fittest branches, how the population
/// developed, and the reservation tree.
///
/// The text goes to standard output. --html writes a page in which branches can be opened and closed, with a
/// board beside them; it needs nothing but a browser. --dot writes a graph for Graphviz: dot -Tsvg FILE. With
/// a limit of nodes the same command always writes the same.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The position as FEN in quotation marks, or startpos.
    #[arg(value_name = "FEN", default_value = "startpos")]
    fen: String,
    /// Positions to visit.
    #[arg(long, value_name = "N", default_value_t = explain::USUAL_NODES, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Seconds to search, in place of a number of positions.
    #[arg(long, value_name = "SECONDS", conflicts_with = "nodes", value_parser = common::seconds)]
    time: Option<Duration>,
    /// The seed of all randomness, the same as --option Seed=N; 0 for a different one each time.
    #[arg(long, value_name = "N")]
    seed: Option<u32>,
    /// The preset of the search, the same as --option Preset=NAME.
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,
    /// An option of the search, as in the terminal's list of options; can be repeated.
    #[arg(long = "option", alias = "set", value_name = "NAME=VALUE", value_parser = common::option)]
    options: Vec<(String, String)>,
    /// How many of the fittest branches to list.
    #[arg(long, value_name = "N", default_value_t = explain::USUAL_BRANCHES as u16,
        value_parser = clap::value_parser!(u16).range(1..=explain::MOST_BRANCHES as i64))]
    branches: u16,
    /// Write a graph for Graphviz.
    #[arg(long, value_name = "FILE")]
    dot: Option<PathBuf>,
    /// Write a web page.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// Searches, prints the text, and writes the files.
///
/// # Errors
/// A position that cannot be read or in which the game is over, an option that does not exist or fit, a file
/// that cannot be written.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let graph = arguments.dot.as_deref().map(|path| Output::report(path, DOT_MARK));
    let page = arguments.html.as_deref().map(|path| Output::report(path, HTML_MARK));
    files::check(&[], graph.into_iter().chain(page))?;
    let task = Task {
        root: position(&arguments.fen)?,
        settings: settings(arguments)?,
        limit: arguments.time.map_or(Limit::Nodes(arguments.nodes), Limit::Time),
        branches: usize::from(arguments.branches),
    };
    let explanation = explain::explain(&task)?;
    if let Some(graph) = graph {
        graph.write(explanation.to_dot().as_bytes())?;
    }
    if let Some(page) = page {
        page.write(explanation.to_html().as_bytes())?;
    }
    print(&explanation.to_text())
}

fn settings(arguments: &Arguments) -> anyhow::Result<Settings> {
    let mut settings = Settings::default();
    if let Some(preset) = &arguments.preset {
        settings.set("Preset", preset)?;
    }
    for (name, value) in &arguments.options {
        settings.set(name, value)?;
    }
    if let Some(seed) = arguments.seed {
        settings.set("Seed", &seed.to_string())?;
    }
    if settings.engine.backend != Backend::Genetic {
        bail!("only the genetic search can be explained: leave Backend as it is");
    }
    if settings.engine.threads > 1 {
        bail!("only a search on one thread can be explained: leave Threads at 1");
    }
    Ok(settings)
}
