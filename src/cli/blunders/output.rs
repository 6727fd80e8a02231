//! What a person or a program gets to see of a blunder check.

use indicatif::ProgressBar;
use serde_json::json;

use super::{Arguments, Input};
use crate::cli::{common, print};
use crate::display::{Format, counted};
use crate::suite::blunders::report::{blunder_summary, blunder_table};
use crate::suite::blunders::{Event, Report, Terms, games};
use crate::suite::{Bands, Grade};

/// Shows what happens, and counts the blunders.
pub fn show(event: &Event<'_>, bar: &ProgressBar, bands: &Bands, blunders: &mut u32) {
    match event {
        Event::Note(text) => common::warn(bar, text),
        Event::Begins { done } => {
            if *done > 0 {
                common::warn(bar, &format!("{done} were judged before"));
            }
            common::begin_at(bar, *done);
        }
        Event::Found { finding, .. } => {
            let sample = finding.sample(bands);
            *blunders += u32::from(sample.is_some_and(|sample| sample.grade == Grade::Blunder));
            bar.set_message(counted(*blunders, "blunder"));
            bar.inc(1);
        }
    }
}

/// Who judges whom, to standard error: standard output has the answer only.
pub fn introduce(terms: &Terms, input: &Input) {
    let whose = match &terms.engine {
        Some(engine) => format!("of {} ({} a position)", engine.name, terms.limits),
        None => format!("of {}", counted(input.games.len(), "game")),
    };
    let part = terms.part.map_or(String::new(), |part| format!(" (part {part})"));
    let moves = counted(terms.count(&input.cases), "move");
    common::tell(&format!("kashan: {moves} {whose}{part}, judged by {}", judge(terms)));
}

/// `stockfish (nodes=500000 a search)`
fn judge(terms: &Terms) -> String {
    format!("{} ({} a search)", terms.reference.name, terms.reference_limits)
}

/// Prints the answer.
///
/// # Errors
/// It cannot be written, as on a full disk.
pub fn write(arguments: &Arguments, terms: &Terms, input: &Input, report: &Report<'_>) -> anyhow::Result<()> {
    print(&match arguments.json {
        true => json_text(terms, input, report),
        false => tables(terms, input, report, arguments.all, Format::markdown_if(arguments.markdown)),
    })
}

/// Stands among the tags of every game that had no annotator before.
pub const PGN_MARK: &str = "[Annotator \"Kashan, by ";

/// All games, those in which nothing was judged as they were.
pub fn annotated(terms: &Terms, input: &Input, report: &Report<'_>) -> String {
    let annotator = format!("Kashan, by {}", judge(terms));
    let games = input.games.iter().enumerate().map(|(index, game)| {
        let mut findings = vec![None; game.pgn.moves.len()];
        for (case, finding) in report.rows() {
            if let Some(place) = case.place.filter(|place| place.game == index) {
                findings[place.ply] = finding;
            }
        }
        games::write(game, &findings, report.bands, &annotator)
    });
    games.collect()
}

fn json_text(terms: &Terms, input: &Input, report: &Report<'_>) -> String {
    let mut value = report.json();
    value["engine"] = json!(terms.engine);
    value["limits"] = json!(terms.engine.as_ref().map(|_| terms.limits));
    value["reference"] = json!(terms.reference);
    value["reference_limits"] = json!(terms.reference_limits);
    value["problems"] = json!(input.problems);
    format!("{value:#}\n")
}

fn tables(terms: &Terms, input: &Input, report: &Report<'_>, all: bool, format: Format) -> String {
    let mut text = blunder_table(report, all).render(format);
    let mut rows = vec![("all".to_owned(), report.summary())];
    let (phases, players) = (report.phases(), report.players());
    if phases.len() > 1 {
        rows.extend(phases.into_iter().map(|(phase, summary)| (phase.to_string(), summary)));
    }
    if players.len() > 1 {
        rows.extend(players.into_iter().map(|(name, summary)| (name.to_owned(), summary)));
    }
    text.push('\n');
    text += &blunder_summary(&rows, report.bands).render(format);
    for (count, what) in [
        (report.forced(), "with one legal move only, not counted"),
        (report.without_move(), "without a legal move from the engine, not counted"),
        (report.missing(), if terms.part.is_some() { "of other parts, or not judged" } else { "not judged" }),
    ] {
        if count > 0 {
            text += &format!("\n{} {what}.\n", counted(count, "position"));
        }
    }
    if !input.problems.is_empty() {
        text += &format!("\n{} of the lines and games could not be read.\n", input.problems.len());
    }
    let blunder = f64::from(report.bands.blunder) / 100.0;
    text += &format!(
        "\nValues are from White's point of view, losses in pawns. A blunder loses more than {blunder} by the judgement of {}.\n",
        judge(terms)
    );
    if input.is_example {
        text += EXPLANATION;
    }
    text
}

const EXPLANATION: &str = "
The paper's genetic search made 4 blunders in 29 positions, mean loss 1.27, median 0.39 (Table 4, by Stockfish 5; other positions). For a check
of your own:

    kashan blunders positions.epd --engine \"hoichess --xboard\" --tc 1/move
    kashan blunders games.pgn --player \"My Name\" --pgn marked.pgn --bands 0.5,1,1.5
";
