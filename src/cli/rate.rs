//! `kashan rate`: what the games of PGN files say about the players.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::Args;
use serde_json::json;

use super::{common, print};
use crate::arena::archive::{Archive, Skipped};
use crate::arena::report;
use crate::arena::statistics::{Anchors, CrossTable, RatingList, progress};
use crate::book::pgn_files;
use crate::display::Format;

/// Rate the players of PGN games: crosstable, rating list with intervals, results of each two.
///
/// Ratings are the most likely ones if a player who is D Elo better scores 1/(1+10^(-D/400)) on average. Game pairs (the same opening with
/// colours reversed) are found where they can be, and make the intervals narrower. Games that are unfinished or cannot be read are named and
/// left out.
#[derive(Debug, Args)]
pub struct Arguments {
    /// PGN files, or directories whose .pgn files are taken.
    #[arg(required = true, value_name = "PGN")]
    pgn: Vec<PathBuf>,
    /// A player whose rating is given; can be repeated. Without any, the mean of all ratings is 0.
    #[arg(long = "anchor", value_name = "NAME=RATING", value_parser = parse_anchor)]
    anchors: Vec<(String, f64)>,
    /// Estimate the advantage of the white pieces, too.
    #[arg(long)]
    white_advantage: bool,
    /// Write tables as Markdown.
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
    /// Write one JSON object instead of tables.
    #[arg(long)]
    json: bool,
    /// Draw the ratings (of two players: the Elo difference over the games) into an SVG file.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Stop with an error if any game is unfinished or cannot be read.
    #[arg(long)]
    strict: bool,
}

/// More players make a crosstable that no line is long enough for.
const CROSSTABLE_PLAYERS: usize = 20;
/// Moments of a match in its plot.
const STEPS: usize = 500;

/// `NAME=RATING`; the name may have equals signs.
fn parse_anchor(text: &str) -> Result<(String, f64), String> {
    let (name, rating) = text
        .rsplit_once('=')
        .ok_or("write NAME=RATING, as in --anchor \"Fairy-Max=1900\"")?;
    match rating.trim().parse::<f64>() {
        Ok(rating) if rating.is_finite() => Ok((name.trim().to_owned(), rating)),
        _ => Err(format!("'{rating}' is no rating")),
    }
}

/// Runs the subcommand.
///
/// # Errors
/// Files that cannot be read or written, no finished games, anchors that did not play; with `--strict` any game that is not counted.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut archive = Archive::default();
    for file in pgn_files(&arguments.pgn)? {
        archive.add_file(&file)?;
    }
    for line in common::first_warnings(&archive.problems) {
        eprintln!("{line}");
    }
    if arguments.strict && !archive.problems.is_empty() {
        bail!(
            "{} not counted, and --strict was asked for",
            count(archive.problems.len(), "game")
        );
    }
    let list = RatingList::estimate(&archive.results, &anchors(arguments)?)?;
    let table = CrossTable::new(&archive.results);
    let text = if arguments.json {
        json_report(&archive, &table, &list) + "\n"
    } else {
        let format = if arguments.markdown {
            Format::Markdown
        } else {
            Format::Terminal
        };
        text_report(&archive, &table, &list, format)
    };
    if let Some(path) = &arguments.svg {
        std::fs::write(path, plot(&archive, &table, &list))
            .with_context(|| format!("cannot write plot {}", path.display()))?;
    }
    print(&text)
}

fn anchors(arguments: &Arguments) -> anyhow::Result<Anchors> {
    let mut anchors = Anchors {
        white_advantage: arguments.white_advantage,
        ..Anchors::default()
    };
    for (name, rating) in &arguments.anchors {
        if anchors
            .ratings
            .insert(name.clone(), *rating)
            .is_some_and(|before| before != *rating)
        {
            bail!("two ratings given for anchor '{name}'");
        }
    }
    Ok(anchors)
}

fn count(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

/// What was read, in one line.
fn summary(archive: &Archive) -> String {
    let rated = archive.results.games().len();
    let pairs: u32 = archive
        .results
        .encounters()
        .values()
        .map(|encounter| encounter.pairs().pairs())
        .sum();
    let unfinished = archive
        .problems
        .iter()
        .filter(|problem| problem.what == Skipped::Unfinished)
        .count();
    let mut text = format!("{} rated", count(rated, "game"));
    if pairs > 0 {
        let _ = write!(text, ", {} in {}", 2 * pairs, count(pairs as usize, "pair"));
    }
    if !archive.problems.is_empty() {
        let _ = write!(
            text,
            "; not counted: {unfinished} unfinished, {} broken",
            archive.problems.len() - unfinished
        );
    }
    text
}

fn text_report(archive: &Archive, table: &CrossTable, list: &RatingList, format: Format) -> String {
    let mut text = format!("{}\n\n", summary(archive));
    text += &report::rating_table(list).render(format);
    if let Some(advantage) = list.white_advantage {
        let _ = writeln!(text, "\nThe white pieces are worth {advantage} Elo.");
    }
    text += "\n";
    if table.rows().len() > CROSSTABLE_PLAYERS {
        let players = table.rows().len();
        let _ = writeln!(text, "No crosstable of {players} players; --json has everything.");
        return text;
    }
    if table.rows().len() > 2 {
        text += &report::crosstable(table).render(format);
        text += "\n";
    }
    text += &report::encounter_table(table).render(format);
    text
}

fn json_report(archive: &Archive, table: &CrossTable, list: &RatingList) -> String {
    let players = archive.results.players();
    let encounters: Vec<_> = archive
        .results
        .encounters()
        .iter()
        .map(|(&(player, opponent), encounter)| {
            json!({
                "player": players[player],
                "opponent": players[opponent],
                "score": encounter.score,
                "pairs": encounter.outcomes.pairs,
                "singles": encounter.outcomes.singles,
                "elo": encounter.outcomes.elo(),
                "normalized_elo": encounter.outcomes.normalized_elo(),
                "superiority": encounter.outcomes.superiority(),
            })
        })
        .collect();
    let standings: Vec<_> = table
        .rows()
        .iter()
        .map(|row| json!({ "name": row.name, "score": row.score, "points": row.score.points() }))
        .collect();
    let report = json!({
        "games": archive.games,
        "rated": archive.results.games().len(),
        "problems": archive.problems,
        "ratings": list.ratings,
        "white_advantage": list.white_advantage,
        "standings": standings,
        "encounters": encounters,
    });
    format!("{report:#}")
}

fn plot(archive: &Archive, table: &CrossTable, list: &RatingList) -> String {
    match table.rows() {
        [first, second] => {
            let steps = progress(&archive.results, first.player, second.player, STEPS);
            report::elo_plot(&archive.results, first.player, second.player, &steps).to_svg()
        }
        _ => report::rating_plot(list).to_svg(),
    }
}
