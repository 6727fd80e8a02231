//! Kashan's view of a position: `kashan eval`, its evaluation; and `kashan explain`, its genetic
//! search.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use chess::Color;
use clap::Args;

use super::{common, position, print};
use crate::engine::{Backend, Settings};
use crate::eval::{Evaluation, Explanation, WeightSet};
use crate::play::console::{Look, board};
use crate::play::explain::{self, ExplainTask, HTML_MARK, Limit};
use crate::rules::position::Position;
use crate::util::display::{Format, Table};
use crate::util::files::{self, OutputFile};

/// Show the static value of a position and its parts, with the board.
///
/// Beside the board stands what each piece is worth to the evaluations threats and power, which
/// look at pieces one by one, or what the value of a network loses without the piece.
///
/// Values are in centipawns from White's point of view, without any search: no capture is played
/// out.
#[derive(Debug, Args)]
pub struct Eval {
    /// The position as FEN, or startpos.
    #[arg(value_name = "FEN", default_value = "startpos")]
    fen: Vec<String>,
    /// The evaluation, as in the option Evaluation [default: network, or the one of --weights].
    #[arg(long, value_name = "NAME", value_parser = common::one_of::<Evaluation>())]
    evaluation: Option<Evaluation>,
    /// A file of weights, as in the option WeightsFile.
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Show terms of zero, too.
    #[arg(long)]
    all: bool,
}

/// Prints board and terms.
///
/// # Errors
/// An unreadable position, or a finished game: the evaluation knows no mates.
pub fn eval(arguments: &Eval) -> anyhow::Result<()> {
    let position = position(&arguments.fen.join(" "))?;
    if position.legal_moves().is_empty() {
        let reason = match position.outcome() {
            Some(outcome) => outcome.reason(),
            None => "no move is legal",
        };
        bail!("nothing to evaluate: {reason} in {}", position.to_fen());
    }
    let weights = eval_settings(arguments)?.weights();
    print(&report(&position, &weights, arguments.all))
}

/// Returns the settings of the arguments.
fn eval_settings(arguments: &Eval) -> anyhow::Result<Settings> {
    let mut settings = Settings::default();
    if let Some(path) = &arguments.weights {
        let path = path.to_str().context("the name of the file is no text")?;
        settings.set("WeightsFile", path)?;
    }
    if let Some(evaluation) = arguments.evaluation {
        settings.set("Evaluation", evaluation.into_str())?;
    }
    Ok(settings)
}

fn report(position: &Position, weights: &WeightSet, all: bool) -> String {
    let explanation = weights.explain(position.board());
    let mut text = board::draw(
        position,
        Color::White,
        Look::PLAIN,
        &Default::default(),
        None,
    );
    if let Some(table) = weights.piece_table(position.board()) {
        let table = Table::headed(table.head).with_rows(table.rows);
        text = beside(&text, &table.render(Format::Terminal));
    }
    text += &position.to_fen();
    if let Some(phase) = &explanation.phase {
        text += &format!("  ({phase})");
    }
    text + "\n\n" + &terms(&explanation, all)
}

/// Puts two blocks of lines next to each other.
fn beside(left: &str, right: &str) -> String {
    let width = left.lines().map(str::len).max().unwrap_or(0) + 4;
    // The board begins with an empty line.
    let mut right = std::iter::once("").chain(right.lines());
    let mut left = left.lines();
    let mut text = String::new();
    loop {
        let row = match (left.next(), right.next()) {
            (None, None) => return text + "\n",
            (left, right) => format!(
                "{:width$}{}",
                left.unwrap_or_default(),
                right.unwrap_or_default()
            ),
        };
        text += row.trim_end();
        text.push('\n');
    }
}

fn terms(explanation: &Explanation, all: bool) -> String {
    let mut table = Table::headed("Weight | Value: | Meaning");
    let shown = explanation.terms.iter();
    for term in shown.filter(|term| all || term.value != 0.0) {
        // To hundredths, which is as exact as any weight is.
        let value = format!("{:+}", (term.value * 100.0).round() / 100.0);
        table.row([term.name.as_str(), &value, term.about]);
    }
    let total = format!("{:+}", explanation.total.0);
    table.row(["total", &total, "centipawns, from White's point of view"]);
    let mut text = table.render(Format::Terminal);
    if explanation.is_dead {
        text.push_str("\nNobody can mate with what is left: a draw, whatever the rest.\n");
    }
    text
}

/// Search a position with the genetic search, and show its work: its fittest branches, the
/// effort on each move, and the beginning of the reservation tree.
///
/// The text goes to standard output. --html writes a page that also has the development of the
/// population, with branches to open and close and a board beside them; a browser is enough to read
/// it. With a limit of nodes the same command always writes the same. Control-C ends the search
/// early.
#[derive(Debug, Args)]
pub struct Explain {
    /// The position as FEN, or startpos.
    #[arg(value_name = "FEN", default_value = "startpos")]
    fen: Vec<String>,
    /// Positions to visit.
    #[arg(long, value_name = "N", default_value_t = explain::USUAL_NODES, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Seconds to search, in place of a number of positions.
    #[arg(long, value_name = "SECONDS", conflicts_with = "nodes", value_parser = common::seconds)]
    time: Option<Duration>,
    /// An option of the search, as in the terminal's list of options (Seed=N, Preset=NAME); can be
    /// repeated.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = common::option)]
    options: Vec<(String, String)>,
    /// The number of the fittest branches to list.
    #[arg(long, value_name = "N", default_value_t = explain::USUAL_BRANCHES as u16,
        value_parser = clap::value_parser!(u16).range(1..=explain::MOST_BRANCHES as i64))]
    branches: u16,
    /// Write a web page.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// Searches, prints the text, and writes the files.
///
/// # Errors
/// An unreadable position or a finished game, an option that does not exist or fit, an unwritable
/// file.
pub fn explain(arguments: &Explain) -> anyhow::Result<()> {
    let page = arguments
        .html
        .as_deref()
        .map(|path| OutputFile::report(path, HTML_MARK));
    files::check(&[], page)?;
    let task = ExplainTask {
        root: position(&arguments.fen.join(" "))?,
        settings: explain_settings(arguments)?,
        limit: arguments
            .time
            .map_or(Limit::Nodes(arguments.nodes), Limit::Time),
        branches: usize::from(arguments.branches),
    };
    let clock = Arc::new(task.limit.clock());
    let stopped = Arc::clone(&clock);
    common::on_signal(move || stopped.stop());
    let explanation = explain::explain(&task, &clock)?;
    if let Some(page) = page {
        page.write(explanation.to_html().as_bytes())?;
    }
    print(&explanation.to_text())
}

fn explain_settings(arguments: &Explain) -> anyhow::Result<Settings> {
    let settings = Settings::with(arguments.options.clone())?;
    ensure!(
        settings.engine.backend == Backend::Genetic,
        "only the genetic search can be explained: leave Backend as it is"
    );
    ensure!(
        settings.engine.threads <= 1,
        "only a search on one thread can be explained: leave Threads at 1"
    );
    Ok(settings)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(fen: &str, evaluation: Evaluation, all: bool) -> String {
        report(
            &Position::from_fen(fen).expect(fen),
            &WeightSet::of(evaluation),
            all,
        )
    }

    #[test]
    fn pieces_stand_beside_the_board_with_what_they_are_worth() {
        let fen = "r3k3/2N5/8/8/8/8/8/4K3 b - - 0 1";
        let seen = shown(fen, Evaluation::Threats, false);
        let lines: Vec<&str> = seen.lines().collect();
        assert_eq!(
            lines[1],
            "  8  r . . . k . . .    Piece  Base  Status             Centre  Rows  Worth"
        );
        assert_eq!(
            lines[3],
            "  6  . . . . . . . .    Nc7     300              100 %                 +300"
        );
        assert_eq!(
            lines[5],
            "  4  . . . . . . . .    ra8     500  threatened   20 %                 -100"
        );
        assert!(
            seen.contains("\ntotal    +520  centipawns, from White's point of view\n"),
            "{seen}"
        );
        let seen = shown(fen, Evaluation::Power, false);
        let rook = seen
            .lines()
            .find(|line| line.contains("ra8"))
            .map(|line| line[24..].to_owned());
        assert_eq!(
            rook.as_deref(),
            Some("ra8     -490             Nc7         -190"),
            "{seen}"
        );
    }

    #[test]
    fn a_network_says_what_its_value_loses_without_each_piece() {
        let seen = shown(
            "4k3/p7/8/8/8/8/PPP5/R3K3 w - - 0 1",
            Evaluation::Network,
            false,
        );
        let worth = |piece: &str| -> i32 {
            let (_, row) = seen.split_once(piece).expect(piece);
            let number = row.split_whitespace().next().expect("a number");
            number.parse().expect("a number")
        };
        assert!(worth("Ra1") > 300 && worth("Pa2") > 0, "{seen}");
        let known = shown(
            "8/8/4k3/8/4K3/4P3/8/8 b - - 0 1",
            Evaluation::Network,
            false,
        );
        assert!(
            known.contains("(a known endgame)") && known.contains("+580"),
            "{known}"
        );
    }

    #[test]
    fn terms_that_add_nothing_are_shown_only_if_asked_for() {
        let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        let short = shown(fen, Evaluation::Paper, false);
        for part in [fen, "passed_pawn", "+116", "(endgame)", "4  . . ."] {
            assert!(short.contains(part), "no {part} in {short}");
        }
        assert!(!short.contains("queen_squares"), "{short}");
        assert!(shown(fen, Evaluation::Paper, true).contains("queen_squares"));
    }

    #[test]
    fn dead_positions_are_said_to_be_dead() {
        let dead = shown("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", Evaluation::Paper, false);
        assert!(dead.contains("Nobody can mate"), "{dead}");
    }
}
