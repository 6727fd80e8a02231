//! `kashan eval`: what the evaluation sees in a position.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Context as _, anyhow};
use chess::Color;
use clap::Args;

use super::{common, position, print};
use crate::display::{Format, Table};
use crate::engine::Settings;
use crate::evaluation::{Evaluation, Explanation, Men, Readings, WeightSet};
use crate::front::console::{Look, board};
use crate::position::Position;

/// Show the static value of a position, term by term, with the board.
///
/// The evaluations threats and power look at men one by one: beside the board stands what each man is worth
/// to them, and why.
///
/// Values are in centipawns from White's point of view, without any search: no capture is played out.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The position as FEN in quotation marks, or startpos.
    #[arg(value_name = "FEN", default_value = "startpos")]
    fen: String,
    /// The evaluation, as in the option Evaluation [default: kashan, or what --weights is for].
    #[arg(long, value_name = "NAME", value_parser = common::one_of::<Evaluation>())]
    evaluation: Option<Evaluation>,
    /// A file of weights, as in the option WeightsFile.
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Show the terms that add nothing, too.
    #[arg(long)]
    all: bool,
    /// An option of the evaluation: ThreatStatus, ThreatCentre, ThreatRows or PowerChain; can be repeated.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = reading)]
    options: Vec<(String, String)>,
}

/// Prints board and terms.
///
/// # Errors
/// A position that cannot be read, or in which the game is over: the evaluation knows no mates.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let position = position(&arguments.fen)?;
    if position.legal_moves().is_empty() {
        let reason = position.outcome().map_or("no move is legal", |outcome| outcome.reason());
        return Err(anyhow!("nothing to evaluate: {reason} in {}", position.to_fen()));
    }
    print(&report(&position, &settings(arguments)?.weights(), arguments.all))
}

/// An option that changes what an evaluation says.
fn reading(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("NAME=VALUE is needed")?;
    Readings::default().set(name.trim(), value).map_err(|error| error.to_string())?;
    Ok((name.trim().to_owned(), value.to_owned()))
}

/// The options that the arguments stand for.
fn settings(arguments: &Arguments) -> anyhow::Result<Settings> {
    let mut settings = Settings::default();
    if let Some(path) = &arguments.weights {
        settings.set("WeightsFile", path.to_str().context("the name of the file is no text")?)?;
    }
    if let Some(evaluation) = arguments.evaluation {
        settings.set("Evaluation", evaluation.into_str())?;
    }
    for (name, value) in &arguments.options {
        settings.set(name, value)?;
    }
    Ok(settings)
}

/// To hundredths, which is as exact as any weight is.
fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

fn report(position: &Position, weights: &WeightSet, all: bool) -> String {
    let explanation = weights.explain(position.board());
    let mut text = board::draw(position, Color::White, Look::PLAIN, &Default::default(), |_| None);
    if let Some(men) = weights.men(position.board()) {
        text = beside(&text, &table_of(men));
    }
    let phase = explanation.phase.as_ref().map(|phase| format!("  ({phase})")).unwrap_or_default();
    let _ = writeln!(text, "{}{phase}\n", position.to_fen());
    text.push_str(&terms(&explanation, all));
    text
}

fn table_of(men: Men) -> String {
    Table::headed(men.head).with_rows(men.rows).render(Format::Terminal)
}

/// Two blocks of lines next to each other.
fn beside(left: &str, right: &str) -> String {
    let width = left.lines().map(str::len).max().unwrap_or(0) + 4;
    let lines = left.lines().count().max(right.lines().count() + 1);
    // The board begins with an empty line.
    let right = std::iter::once("").chain(right.lines()).chain(std::iter::repeat(""));
    let left = left.lines().chain(std::iter::repeat(""));
    let rows = left.zip(right).take(lines);
    rows.map(|(left, right)| format!("{}\n", format!("{left:width$}{right}").trim_end())).collect::<String>()
        + "\n"
}

fn terms(explanation: &Explanation, all: bool) -> String {
    let mut table = Table::headed("Weight | Value: | Meaning");
    let shown = explanation.terms.iter();
    for term in shown.filter(|term| all || term.value != 0.0) {
        let value = format!("{:+}", rounded(term.value));
        table.row([term.name.as_str(), &value, term.about]);
    }
    let total = format!("{:+}", explanation.total.0);
    table.row(["total", &total, "White's point of view"]);
    let mut text = table.render(Format::Terminal);
    if explanation.is_dead {
        text.push_str("\nNobody can mate with what is left: a draw, whatever the rest.\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(fen: &str, evaluation: Evaluation, all: bool) -> String {
        report(&Position::from_fen(fen).expect(fen), &WeightSet::of(evaluation), all)
    }

    #[test]
    fn men_stand_beside_the_board_with_what_they_are_worth() {
        let fen = "r3k3/2N5/8/8/8/8/8/4K3 b - - 0 1";
        let seen = shown(fen, Evaluation::Threats, false);
        let lines: Vec<&str> = seen.lines().collect();
        assert_eq!(lines[1], "  8  r . . . k . . .    Man  Base  Status             Centre  Rows  Worth");
        assert_eq!(lines[3], "  6  . . . . . . . .    Nc7   300              100 %                 +300");
        assert_eq!(lines[5], "  4  . . . . . . . .    ra8   500  threatened   20 %                 -100");
        assert!(seen.contains("\ntotal    +520  White's point of view\n"), "{seen}");
        let seen = shown(fen, Evaluation::Power, false);
        let rook = seen.lines().find(|line| line.contains("ra8")).map(|line| line[24..].to_owned());
        assert_eq!(rook.as_deref(), Some("ra8   -490             Nc7         -190"), "{seen}");
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
