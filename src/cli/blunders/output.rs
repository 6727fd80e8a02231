//! What a person or a program gets to see of a blunder check.

use std::io::{self, Write as _};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Context as _;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use super::Arguments;
use super::input::Input;
use crate::arena::files;
use crate::display::Format;
use crate::suite::blunders::tables::{blunder_summary, blunder_table};
use crate::suite::blunders::{Event, Finding, Report, Terms, annotate};
use crate::suite::{Bands, Grade};

/// The progress bar on standard error, which only a terminal shows. Copies are the same one.
#[derive(Clone, Debug)]
pub struct Screen {
    bar: ProgressBar,
    bands: Bands,
    blunders: Arc<Mutex<u32>>,
}

impl Screen {
    /// An empty bar for so many positions.
    pub fn new(positions: usize, bands: Bands) -> Screen {
        let template = "{bar:24} {pos}/{len} positions  {msg}  {elapsed} spent, {eta} left";
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        Screen {
            bar: ProgressBar::new(positions as u64).with_style(style),
            bands,
            blunders: Arc::default(),
        }
    }

    /// Tells something on standard error, above the bar.
    pub fn warn(&self, text: &str) {
        self.bar.suspend(|| eprintln!("kashan: {text}"));
    }

    /// Shows what happens.
    pub fn heed(&self, event: &Event<'_>) {
        match event {
            Event::Note(text) => self.warn(text),
            Event::Begins { done } => {
                if *done > 0 {
                    self.warn(&format!("{done} were judged before"));
                }
                // Those before are not of this run: they say nothing about the time that is left.
                self.bar.set_position(*done as u64);
                self.bar.reset_eta();
                self.bar.enable_steady_tick(Duration::from_secs(1));
            }
            Event::Found { finding, .. } => self.count(finding),
        }
    }

    fn count(&self, finding: &Finding) {
        let is_blunder = finding
            .sample(&self.bands)
            .is_some_and(|sample| sample.grade == Grade::Blunder);
        let mut blunders = self.blunders.lock().unwrap_or_else(PoisonError::into_inner);
        *blunders += u32::from(is_blunder);
        self.bar.set_message(format!("{blunders} blunder(s)"));
        self.bar.inc(1);
    }

    /// Takes the bar away.
    pub fn close(&self) {
        self.bar.finish_and_clear();
    }
}

/// Who judges whom, to standard error: standard output has the answer only.
pub fn introduce(terms: &Terms, input: &Input) {
    let whose = match &terms.engine {
        Some(engine) => format!("moves of {} ({} a position)", engine.name, terms.limits),
        None => format!("moves of {} game(s)", input.games.len()),
    };
    eprintln!(
        "kashan: {} {whose}, judged by {}",
        input.cases.len(),
        judge(terms)
    );
}

/// `stockfish (nodes=500000 a search)`
fn judge(terms: &Terms) -> String {
    format!("{} ({} a search)", terms.reference.name, terms.reference_limits)
}

/// Writes the answer, and the games if they are wanted.
///
/// # Errors
/// A file that cannot be written, or nobody who reads.
pub fn write(arguments: &Arguments, terms: &Terms, input: &Input, report: &Report<'_>) -> anyhow::Result<()> {
    if let Some(path) = &arguments.pgn {
        let text = annotated(terms, input, report);
        files::replace(path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))?;
    }
    let text = if arguments.json {
        json_text(terms, input, report)
    } else {
        let format = if arguments.markdown {
            Format::Markdown
        } else {
            Format::Terminal
        };
        tables(terms, input, report, arguments.all, format)
    };
    io::stdout()
        .write_all(text.as_bytes())
        .context("cannot write the answer")
}

/// All games, those in which nothing was judged as they were.
fn annotated(terms: &Terms, input: &Input, report: &Report<'_>) -> String {
    let annotator = format!("Kashan, by {}", judge(terms));
    let games = input.games.iter().enumerate().map(|(index, game)| {
        let mut findings = vec![None; game.moves.len()];
        for (case, finding) in report.rows() {
            if let Some(place) = case.place.filter(|place| place.game == index) {
                findings[place.ply] = finding;
            }
        }
        annotate::write(game, &findings, report.bands, &annotator)
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
    let phases = report.phases();
    if phases.len() > 1 {
        rows.extend(
            phases
                .into_iter()
                .map(|(phase, summary)| (phase.to_string(), summary)),
        );
    }
    let players = report.players();
    if players.len() > 1 {
        rows.extend(
            players
                .into_iter()
                .map(|(name, summary)| (name.to_owned(), summary)),
        );
    }
    text.push('\n');
    text += &blunder_summary(&rows, report.bands).render(format);
    for (count, what) in [
        (
            report.forced(),
            "position(s) had one legal move only and are not counted",
        ),
        (
            report.without_move(),
            "position(s) got no legal move from the engine and are not counted",
        ),
        (report.missing(), "position(s) were not judged"),
        (input.problems.len(), "line(s) or game(s) could not be read"),
    ] {
        if count > 0 {
            text += &format!("\n{count} {what}.\n");
        }
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

/// How far it came, and how it goes on.
pub fn unfinished(arguments: &Arguments, report: &Report<'_>) -> String {
    let judged = report.cases.len() - report.missing();
    let go_on = match &arguments.journal {
        Some(path) => format!("the same command judges the rest (journal {})", path.display()),
        None => "without a journal it cannot be continued".to_owned(),
    };
    format!("stopped: {judged} of {} were judged; {go_on}", report.cases.len())
}
