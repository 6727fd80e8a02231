//! `kashan eval`: what the evaluation sees in a position.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Context as _, anyhow};
use chess::Color;
use clap::Args;

use super::{common, position, print};
use crate::display::{Format, Table};
use crate::engine::Settings;
use crate::evaluation::{Evaluation, Explanation};
use crate::front::console::board;
use crate::front::console::look::Look;
use crate::position::Position;

/// Show the static value of a position, term by term, with the board.
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
    let explanation = settings(arguments)?.weights().explain(position.board());
    print(&report(&position, &explanation, arguments.all))
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
    Ok(settings)
}

/// To hundredths, which is as exact as any weight is.
fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

fn report(position: &Position, explanation: &Explanation, all: bool) -> String {
    let mut text = board::draw(position, Color::White, None, Look::PLAIN, &Default::default());
    let phase = explanation.phase.as_ref().map(|phase| format!("  ({phase})")).unwrap_or_default();
    let _ = writeln!(text, "{}{phase}\n", position.to_fen());
    let mut table = Table::headed("Weight | Value: | Meaning");
    let shown = explanation.terms.iter();
    for term in shown.filter(|term| all || term.value != 0.0) {
        let value = format!("{:+}", rounded(term.value));
        table.row([term.name.as_str(), &value, term.about]);
    }
    let total = format!("{:+}", explanation.total.0);
    table.row(["total", &total, "White's point of view"]);
    let _ = write!(text, "{}", table.render(Format::Terminal));
    if explanation.is_dead {
        text.push_str("\nNobody can mate with what is left: a draw, whatever the rest.\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::WeightSet;

    fn shown(fen: &str, all: bool) -> String {
        let position = Position::from_fen(fen).expect(fen);
        report(&position, &WeightSet::of(Evaluation::Paper).explain(position.board()), all)
    }

    #[test]
    fn terms_that_add_nothing_are_shown_only_if_asked_for() {
        let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        let short = shown(fen, false);
        assert!(short.contains("passed_pawn") && short.contains("+116"), "{short}");
        assert!(!short.contains("queen_squares"), "{short}");
        assert!(shown(fen, true).contains("queen_squares"));
        assert!(short.contains(fen) && short.contains("(endgame)") && short.contains("4  . . ."));
    }

    #[test]
    fn dead_positions_are_said_to_be_dead() {
        assert!(shown("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", false).contains("Nobody can mate"));
    }
}
