//! What a person sees while games are played: a line for each game on standard output, a progress bar on standard error.

use std::io::{self, Write as _};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::arena::statistics::{MatchScore, Results};
use crate::arena::tournament::{Course, Observer, Tournament};
use crate::arena::{GameRecord, Verdict};

/// The terminal. Copies are the same one.
#[derive(Clone, Debug)]
pub struct Screen {
    bar: ProgressBar,
}

impl Screen {
    /// A screen with an empty bar, which only a terminal shows.
    pub fn new(tournament: &Tournament) -> Screen {
        let style =
            ProgressStyle::with_template("{bar:24} {pos}/{len} games  {msg}  {elapsed} played, {eta} left")
                .unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::new(u64::from(tournament.games())).with_style(style);
        Screen { bar }
    }

    /// Tells something on standard error, above the bar.
    pub fn warn(&self, text: &str) {
        self.bar.suspend(|| eprintln!("kashan: {text}"));
    }

    /// Prints a line on standard output, above the bar. A reader that went away is no reason to stop playing.
    pub fn line(&self, text: &str) {
        self.bar.suspend(|| {
            let _ = writeln!(io::stdout(), "{text}");
        });
    }

    /// The games before are not of this run: they say nothing about the time that is left.
    pub fn begins(&self, course: &Course<'_>) {
        self.bar.set_position(course.records().len() as u64);
        self.bar.set_message(score(course));
        self.bar.reset_eta();
        self.bar.enable_steady_tick(Duration::from_secs(1));
    }

    pub fn game_ended(&self, course: &Course<'_>) {
        self.bar.set_message(score(course));
        self.bar.set_position(course.records().len() as u64);
    }

    /// Takes the bar away.
    pub fn close(&self) {
        self.bar.finish_and_clear();
    }
}

/// One line a game.
#[derive(Debug)]
pub struct Lines<'s> {
    screen: &'s Screen,
}

impl<'s> Lines<'s> {
    pub fn new(screen: &'s Screen) -> Self {
        Lines { screen }
    }
}

impl Observer for Lines<'_> {
    fn note(&mut self, text: &str) {
        self.screen.warn(text);
    }

    fn begins(&mut self, course: &Course<'_>) {
        self.screen.begins(course);
        let played = course.records().len();
        if played > 0 {
            let games = course.tournament().games();
            self.screen.line(&format!(
                "{played} of {games} games were played before  {}",
                score(course)
            ));
        }
    }

    fn game_ended(&mut self, record: &GameRecord, course: &Course<'_>) {
        self.screen.game_ended(course);
        self.screen.line(&line(record, course));
    }
}

/// `  7 (4.1)  A - B  1-0  White mates  | A +3 =1 -3`
fn line(record: &GameRecord, course: &Course<'_>) -> String {
    let GameRecord {
        number,
        round,
        white,
        black,
        result,
        ..
    } = record;
    let width = course.tournament().games().to_string().len();
    let moves = record.opening.moves.len() + record.moves.len();
    let moves = moves.div_ceil(2);
    let verdict = result.verdict;
    let mut line = format!(
        "{number:width$} ({round})  {white} - {black}  {verdict}  {}, {moves} moves",
        result.detail
    );
    let score = score(course);
    if !score.is_empty() {
        line.push_str(&format!("  | {score}"));
    }
    line
}

/// The running score of a match, seen by its first engine, with the test's state; of a tournament who leads.
fn score(course: &Course<'_>) -> String {
    let engines = &course.tournament().terms().engines;
    if course.records().len() == 0 {
        return String::new();
    }
    let [first, _] = engines.as_slice() else {
        return leader(course);
    };
    let mut score = MatchScore::default();
    for record in course.records() {
        match (record.result.verdict, record.white == first.name) {
            (Verdict::WhiteWins, true) | (Verdict::BlackWins, false) => score.add_game(1.0),
            (Verdict::Draw, _) => score.add_game(0.5),
            (Verdict::Unfinished, _) => {}
            _ => score.add_game(0.0),
        }
    }
    let mut text = format!(
        "{} +{} ={} -{}",
        first.name, score.wins, score.draws, score.losses
    );
    if let Some(status) = course.sprt() {
        let (llr, lower, upper) = (status.llr, status.lower, status.upper);
        text.push_str(&format!("  LLR {llr:+.2} ({lower:.2} to {upper:.2})"));
    }
    text
}

/// Who has most points a game.
fn leader(course: &Course<'_>) -> String {
    let table = crate::arena::statistics::CrossTable::new(&Results::from_records(course.records()));
    let best = table.rows().first().filter(|row| row.score.games() > 0);
    best.map_or(String::new(), |row| {
        format!(
            "{} leads, {} of {}",
            row.name,
            row.score.points(),
            row.score.games()
        )
    })
}
