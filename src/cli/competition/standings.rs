//! The end of a tournament: tables and words for people, JSON for programs.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::arena::report;
use crate::arena::statistics::{
    Anchors, CrossTable, Decision, Encounter, RatingList, Results, Sprt, SprtStatus,
};
use crate::arena::tournament::{Ending, TournamentState};
use crate::util::display::{Format, counted};

/// The results of a tournament, as far as played.
#[derive(Debug)]
pub struct Standings<'c> {
    state: &'c TournamentState<'c>,
    results: Results,
    table: CrossTable,
    ratings: Option<RatingList>,
    ending: Ending,
    /// The numbers of games lost by a fault or on time instead of on the board, by engine and
    /// reason.
    faults: BTreeMap<(String, String), u32>,
    /// The numbers of games with impossible thinking lines, by engine.
    pub wrong_thinking: BTreeMap<String, u32>,
    /// The warning about the machine.
    warning: Option<String>,
}

impl<'c> Standings<'c> {
    /// `warning` is to be known of the machine.
    pub fn new(
        state: &'c TournamentState<'c>,
        ending: Ending,
        warning: Option<String>,
    ) -> Standings<'c> {
        let results = state.results();
        let mut faults = BTreeMap::new();
        let mut wrong_thinking = BTreeMap::new();
        for record in state.records() {
            for (name, warning) in [&record.white, &record.black]
                .into_iter()
                .zip(&record.warnings)
            {
                if warning.is_some() {
                    *wrong_thinking.entry(name.clone()).or_default() += 1;
                }
            }
            let reason = record.result.reason;
            if let Some(loser) = record.loser().filter(|_| reason.is_forfeit()) {
                *faults
                    .entry((loser.to_owned(), reason.to_string().to_lowercase()))
                    .or_default() += 1;
            }
        }
        let table = CrossTable::new(&results);
        Standings {
            ratings: RatingList::estimate(&results, &Anchors::default()).ok(),
            state,
            table,
            results,
            ending,
            faults,
            wrong_thinking,
            warning,
        }
    }

    /// The match seen by its first engine.
    fn encounter(&self) -> Option<([&str; 2], Encounter)> {
        let [first, second] = self.results.players() else {
            return None;
        };
        let encounter = self.results.encounter(0, 1);
        (encounter.score.games() > 0).then_some(([first, second], encounter))
    }

    /// Tables, and in a match a sentence or two.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let mut add = |part: String| text += &format!("\n{}\n", part.trim_end());
        if self.results.games().is_empty() {
            add("No game was finished.".to_owned());
            return text;
        }
        match self.encounter() {
            Some((names, Encounter { outcomes, score })) => {
                // Seen by the first engine, whoever leads.
                let table = CrossTable::in_order(&self.results);
                add(report::encounters(&table));
                add(report::meaning(names, &outcomes));
                add(report::runners_words(&outcomes, Some(score)));
            }
            None => {
                add(report::crosstable(&self.table).render(Format::Terminal));
                if let Some(ratings) = &self.ratings {
                    if !ratings.ratings.is_empty() {
                        add(report::rating_table(ratings).render(Format::Terminal));
                    }
                    let notes = report::rating_notes(ratings);
                    if !notes.is_empty() {
                        add(notes);
                    }
                }
            }
        }
        if let Some((sprt, status)) = self.state.sprt() {
            let decision = self.state.decision.unwrap_or(Decision::Continue);
            add(sprt_in_words(&sprt, &status, decision));
        }
        for ((name, reason), times) in &self.faults {
            let games = counted(times, "game");
            let more = match &self.state.tournament.config.output.pgn {
                Some(pgn) => format!("the last comment of each in {} says more", pgn.display()),
                None => "with --pgn FILE the last comment of each would say more".to_owned(),
            };
            add(format!("{name} lost {games} by {reason}; {more}."));
        }
        for (name, &games) in &self.wrong_thinking {
            let games = counted(games, "game");
            add(format!(
                "The thinking lines of {name} were wrong in {games}."
            ));
        }
        if let Some(warning) = &self.warning {
            add(format!("Warning: {warning}."));
        }
        text
    }

    /// Returns the results of a running tournament: its table, or of a match the score and the
    /// test.
    pub fn so_far(state: &TournamentState<'_>) -> String {
        let results = state.results();
        let table = match results.players().len() {
            2 => report::encounter_table(&CrossTable::in_order(&results)),
            _ => report::crosstable(&CrossTable::new(&results)),
        };
        let mut text = format!("\n{}\n", table.render(Format::Terminal).trim_end());
        if let Some((sprt, status)) = state.sprt() {
            text += &sprt_in_words(&sprt, &status, Decision::Continue);
            text.push('\n');
        }
        text
    }

    /// Everything, for programs. Elo differences are of the logistic model, with 95 % intervals.
    pub fn json(&self) -> Value {
        let duel = self.encounter().map(|(names, encounter)| {
            json!({
                "engines": names,
                "score": encounter.score,
                "pairs": encounter.outcomes.pairs,
                "elo": encounter.outcomes.elo(),
                "normalized_elo": encounter.outcomes.normalized_elo(),
                "likelihood_of_superiority": encounter.outcomes.superiority(),
            })
        });
        let (sprt, status) = self.state.sprt().unzip();
        json!({
            "settings": self.state.tournament.settings(),
            "ending": self.ending,
            "planned": self.state.tournament.games(),
            "played": self.state.records().len(),
            "engines": self.table.json(),
            "match": duel,
            "sprt": status,
            "sprt_test": sprt,
            "decision": self.state.decision,
            "warning": self.warning,
            "wrong_thinking": self.wrong_thinking,
            "ratings": self.ratings.as_ref().map(|list| &list.ratings),
            "not_rated": self.ratings.as_ref().map(|list| &list.not_rated),
        })
    }
}

/// Describes the state of a test, in a sentence.
pub fn sprt_in_words(sprt: &Sprt, status: &SprtStatus, decision: Decision) -> String {
    let verdict = match decision {
        Decision::AcceptH0 => "H0 is accepted: no improvement of the size asked for",
        Decision::AcceptH1 => "H1 is accepted: an improvement",
        Decision::Continue => "no decision yet",
    };
    format!(
        "SPRT of {sprt}: {verdict} (LLR {:+.2}, bounds {:.2} and {:.2}).",
        status.llr, status.lower, status.upper
    )
}
