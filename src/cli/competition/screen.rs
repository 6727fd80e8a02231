//! The display during the games: on standard output a line for each game and the results so far
//! every few games; on standard error a progress bar.

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
        self.line(&format!(
            "\n{played} of {games} games, {:#} gone, {:#} left{}",
            HumanDuration(self.bar.elapsed()),
            HumanDuration(self.bar.eta()),
            Standings::so_far(state)
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
        let games = counted(games, "game");
        let concurrency = self.concurrency;
        self.line(&match self.tournament.config.part {
            _ if played > 0 => format!("{played} of {games} were played before  {}", score(state)),
            Some(part) => format!("{games} of part {part}, {concurrency} at a time"),
            None => format!("{games}, {concurrency} at a time"),
        });
        self.bar.reset_elapsed();
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

/// `  7 (4.1)  A - B  1-0  White mates  | A +3 =1 -3`
fn line(record: &GameRecord, state: &TournamentState<'_>) -> String {
    let width = state.tournament.games().to_string().len();
    let moves = (record.opening.moves.len() + record.moves.len()).div_ceil(2);
    format!(
        "{:width$} ({})  {} - {}  {}  {}, {moves} moves  | {}",
        record.number,
        record.round,
        record.white,
        record.black,
        record.result.verdict,
        record.result.detail,
        score(state)
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
        if let Some(points) = record.result.verdict.points(color) {
            score.add_game(points);
        }
    }
    let mut text = format!(
        "{} +{} ={} -{}",
        first.name, score.wins, score.draws, score.losses
    );
    if let Some((_, status)) = state.sprt() {
        text += &format!(
            "  LLR {:+.2} ({:.2} to {:.2})",
            status.llr, status.lower, status.upper
        );
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
