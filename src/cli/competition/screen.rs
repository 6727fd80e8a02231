//! The display during the games: on standard output a line for each game and the results so far
//! every few games; on standard error a progress bar.

use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{HumanDuration, ProgressBar};
use shakmaty::Color;

use super::Standings;
use crate::arena::GameRecord;
use crate::arena::machine::Load;
use crate::arena::report;
use crate::arena::statistics::{CrossTable, MatchScore};
use crate::arena::tournament::{Observer, Tournament, TournamentState};
use crate::cli::common;
use crate::util::display::{counted, harmless};
use crate::util::jobs::StopRequest;

/// The choice of the display.
#[derive(Clone, Copy, Debug, Args)]
pub struct Showing {
    /// Show the results so far every N games: score, Elo difference and test of a match, the table
    /// of a tournament; 0 for never.
    #[arg(long, value_name = "N", default_value_t = 10)]
    report_every: usize,
    /// Write one JSON object at the end instead of lines; the journal has the games as JSON.
    #[arg(long)]
    pub json: bool,
}

/// Shows events, and stops the tournament when too many programs broke down.
#[derive(Debug)]
pub struct Show<'a> {
    pub bar: &'a ProgressBar,
    pub tournament: &'a Tournament,
    pub showing: Showing,
    /// The number of games at the same time.
    pub concurrency: usize,
    /// The time of the first game's beginning, and the number of games played before.
    pub begun: (Instant, usize),
    /// The load of the machine, and the mark of an earlier warning.
    pub load: &'a Load,
    pub is_warned: bool,
    pub stop: StopRequest,
    /// The number of further games that may be lost by breakdowns; `None` for any number.
    pub breakdowns_left: Option<u32>,
}

impl Show<'_> {
    fn line(&self, text: &str) {
        if !self.showing.json {
            common::say(self.bar, &harmless(text));
        }
    }

    /// Prints the results so far, when they are due. The end has a report of its own.
    fn report(&self, state: &TournamentState<'_>) {
        let played = state.records().len();
        let games = state.tournament.games() as usize;
        let is_due = played.checked_rem(self.showing.report_every) == Some(0);
        if !is_due || played == games || state.decision.is_some() {
            return;
        }
        let (began, before) = self.begun;
        let gone = began.elapsed();
        let left = time_left(gone, played - before, games - played);
        let gone = HumanDuration(gone);
        let standings = Standings::so_far(state);
        self.line(&format!(
            "\n{played} of {games} games, {gone:#} gone{left}{standings}"
        ));
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
    }

    fn begins(&mut self, state: &TournamentState<'_>) {
        let played = state.records().len();
        let games = state.tournament.games();
        common::begin_at(self.bar, played);
        self.bar.set_message(score(state));
        if played > 0 {
            self.line(&format!(
                "{played} of {} were played before  {}",
                counted(games, "game"),
                score(state)
            ));
        } else {
            let part = self
                .tournament
                .config
                .part
                .map_or(String::new(), |part| format!(" of part {part}"));
            self.line(&format!(
                "{}{part}, {} at a time",
                counted(games, "game"),
                self.concurrency
            ));
        }
        self.begun = (Instant::now(), played);
    }

    fn game_ended(&mut self, record: &GameRecord, state: &TournamentState<'_>) {
        self.bar.set_message(score(state));
        self.bar.set_position(state.records().len() as u64);
        self.line(&line(record, state));
        for (name, warning) in [&record.white, &record.black]
            .into_iter()
            .zip(&record.warnings)
        {
            if let Some(warning) = warning {
                self.line(&format!("  thinking of {name}: {warning}"));
            }
        }
        self.report(state);
        if record.result.reason.is_breakdown() {
            self.broke_down(record);
        }
        if !self.is_warned
            && let Some(warning) = self.load.warning()
        {
            self.is_warned = true;
            self.note(&warning);
        }
    }
}

/// Estimates the time for the games left, from the games so far.
fn time_left(gone: Duration, ended: usize, left: usize) -> String {
    let Ok(ended @ 1..) = u32::try_from(ended) else {
        return String::new();
    };
    let left = (gone / ended).saturating_mul(u32::try_from(left).unwrap_or(u32::MAX));
    format!(", {:#} left", HumanDuration(left))
}

/// `  7 (4.1)  A - B  1-0  White mates  | A +3 =1 -3`
fn line(record: &GameRecord, state: &TournamentState<'_>) -> String {
    let GameRecord {
        number,
        round,
        white,
        black,
        result,
        ..
    } = record;
    let width = state.tournament.games().to_string().len();
    let moves = (record.opening.moves.len() + record.moves.len()).div_ceil(2);
    let verdict = result.verdict;
    let detail = &result.detail;
    let score = score(state);
    let score = if score.is_empty() {
        score
    } else {
        format!("  | {score}")
    };
    format!(
        "{number:width$} ({round})  {white} - {black}  {verdict}  {detail}, {moves} moves{score}"
    )
}

/// Returns the running score of a match, seen by its first engine, with the test's state; of a
/// tournament the leader.
fn score(state: &TournamentState<'_>) -> String {
    let engines = &state.tournament.config.engines;
    if state.records().len() == 0 {
        return String::new();
    }
    let [first, _] = engines.as_slice() else {
        return leader(state);
    };
    // Asked after every game: by the results of all engines a long match would lose minutes.
    let mut score = MatchScore::default();
    for record in state.records() {
        let color = Color::from_white(record.white == first.name);
        record
            .result
            .verdict
            .points(color)
            .into_iter()
            .for_each(|points| score.add_game(points));
    }
    let mut text = format!(
        "{} +{} ={} -{}",
        first.name, score.wins, score.draws, score.losses
    );
    if let Some((_, status)) = state.sprt() {
        let llr = status.llr;
        let lower = status.lower;
        let upper = status.upper;
        text.push_str(&format!("  LLR {llr:+.2} ({lower:.2} to {upper:.2})"));
    }
    text
}

/// Returns the players with most points a game.
fn leader(state: &TournamentState<'_>) -> String {
    let table = CrossTable::new(&state.results());
    let Some((best, others)) = table.rows.split_first() else {
        return String::new();
    };
    let equals: Vec<&str> = others
        .iter()
        .take_while(|row| row.score.rate() == best.score.rate())
        .map(|row| row.name.as_str())
        .collect();
    match equals[..] {
        [] => format!(
            "{} leads, {} of {}",
            best.name,
            report::points(&best.score),
            best.score.games()
        ),
        [second] => format!("{} and {second} lead", best.name),
        _ => format!("{} players lead", equals.len() + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_games_that_ended_say_how_long_the_others_will_take() {
        let minute = Duration::from_secs(60);
        assert_eq!(time_left(minute, 0, 9), "");
        assert_eq!(time_left(minute, 2, 6), ", 3m left");
    }
}
