//! What is shown while games are played: on standard output a line for each game, or for programs a JSON
//! object for each event; on standard error a progress bar.

use std::io::{self, Write as _};

use indicatif::ProgressBar;
use serde::Serialize;
use serde_json::Value;

use crate::arena::StopRequest;
use crate::arena::statistics::{MatchScore, Results, SprtStatus};
use crate::arena::tournament::{Course, Observer, Tournament};
use crate::arena::{GamePlan, GameRecord, Verdict};
use crate::cli::common;

/// Something that happened, for programs. The last event is `{"event":"result"}`, as
/// [`Standings::json`](super::Standings::json) makes it.
#[derive(Debug, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
enum Event<'a> {
    Note { text: &'a str },
    Begins { settings: Value, games: u32, played: usize },
    GameBegins { number: u32, round: &'a str, white: &'a str, black: &'a str },
    Game { played: usize, sprt: Option<SprtStatus>, record: &'a GameRecord },
}

/// Shows what happens, and stops the tournament when too many programs broke down.
#[derive(Debug)]
pub struct Show<'a> {
    pub bar: &'a ProgressBar,
    pub tournament: &'a Tournament,
    /// Events for programs instead of lines for people.
    pub json: bool,
    pub stop: StopRequest,
    /// How many more games may be lost by programs that break down; `None` for any number.
    pub breakdowns_left: Option<u32>,
}

impl Show<'_> {
    /// Prints a line on standard output, above the bar. A reader that went away is no reason to stop playing.
    fn line(&self, text: &str) {
        self.bar.suspend(|| {
            let _ = writeln!(io::stdout(), "{text}");
        });
    }

    fn tell(&self, event: &Event<'_>) {
        // Texts and numbers always serialise.
        self.line(&serde_json::to_string(event).unwrap_or_default());
    }

    fn broke_down(&mut self, record: &GameRecord) {
        let Some(left) = &mut self.breakdowns_left else {
            return;
        };
        *left = left.saturating_sub(1);
        if *left == 0 && !self.stop.is_said() {
            self.stop.say();
            let text = "stopping after the running games: as many games were lost by crashes as are allowed";
            self.note(&format!("{text}; the last: {}", record.result.detail));
        }
    }
}

impl Observer for Show<'_> {
    fn note(&mut self, text: &str) {
        common::warn(self.bar, text);
        if self.json {
            self.tell(&Event::Note { text });
        }
    }

    fn begins(&mut self, course: &Course<'_>) {
        let (played, games) = (course.records().len(), course.tournament().games());
        common::begin_at(self.bar, played);
        self.bar.set_message(score(course));
        if self.json {
            let settings = course.tournament().settings();
            self.tell(&Event::Begins { settings, games, played });
        } else if played > 0 {
            self.line(&format!("{played} of {games} games were played before  {}", score(course)));
        }
    }

    fn game_begins(&mut self, plan: &GamePlan) {
        if self.json {
            let name = |engine: usize| self.tournament.terms().engines[engine].name.as_str();
            self.tell(&Event::GameBegins {
                number: plan.number,
                round: &plan.round,
                white: name(plan.white),
                black: name(plan.black),
            });
        }
    }

    fn game_ended(&mut self, record: &GameRecord, course: &Course<'_>) {
        self.bar.set_message(score(course));
        self.bar.set_position(course.records().len() as u64);
        if self.json {
            self.tell(&Event::Game { played: course.records().len(), sprt: course.sprt(), record });
        } else {
            self.line(&line(record, course));
        }
        if record.result.reason.is_breakdown() {
            self.broke_down(record);
        }
    }
}

/// `  7 (4.1)  A - B  1-0  White mates  | A +3 =1 -3`
fn line(record: &GameRecord, course: &Course<'_>) -> String {
    let GameRecord { number, round, white, black, result, .. } = record;
    let width = course.tournament().games().to_string().len();
    let moves = record.opening.moves.len() + record.moves.len();
    let moves = moves.div_ceil(2);
    let verdict = result.verdict;
    let mut line =
        format!("{number:width$} ({round})  {white} - {black}  {verdict}  {}, {moves} moves", result.detail);
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
    let mut text = format!("{} +{} ={} -{}", first.name, score.wins, score.draws, score.losses);
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
        format!("{} leads, {} of {}", row.name, row.score.points(), row.score.games())
    })
}
