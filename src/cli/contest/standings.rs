//! How a tournament ended: tables and words for people, JSON for programs, a plot.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::arena::Reason;
use crate::arena::report;
use crate::arena::statistics::{
    Anchors, CrossTable, Decision, Encounter, RatingList, Results, SprtStatus, progress,
};
use crate::arena::tournament::{Course, Ending};
use crate::display::Format;

/// Points of a plot: more than a screen can show apart.
const PLOT_STEPS: usize = 500;

/// The results of a tournament, as far as it was played.
#[derive(Debug)]
pub struct Standings {
    results: Results,
    table: CrossTable,
    ratings: Option<RatingList>,
    /// The two engines of a match.
    duel: Option<[String; 2]>,
    sprt: Option<SprtStatus>,
    ending: Ending,
    planned: u32,
    played: usize,
    /// Games that were not lost on the board but by a fault or on time: how often, by engine and reason.
    faults: Vec<(String, Reason, u32)>,
}

impl Standings {
    /// `anchors` are known ratings by the engines' names; those of engines that have not finished a game do not count yet.
    pub fn new(course: &Course<'_>, ending: Ending, mut anchors: Anchors) -> Standings {
        let engines = &course.tournament().terms().engines;
        let mut results = Results::new(engines.iter().map(|engine| &engine.name));
        let mut faults: Vec<(String, Reason, u32)> = Vec::new();
        for record in course.records() {
            results.add_record(record);
            let reason = record.result.reason;
            let loser = match record.result.verdict.points(shakmaty::Color::White) {
                Some(1.0) => &record.black,
                Some(0.0) => &record.white,
                _ => continue,
            };
            if reason.is_forfeit() {
                match faults
                    .iter_mut()
                    .find(|(name, known, _)| name == loser && *known == reason)
                {
                    Some((_, _, times)) => *times += 1,
                    None => faults.push((loser.clone(), reason, 1)),
                }
            }
        }
        let duel = match engines.as_slice() {
            [first, second] => Some([first.name.clone(), second.name.clone()]),
            _ => None,
        };
        let table = CrossTable::new(&results);
        let has_played = |name: &String| {
            table
                .rows()
                .iter()
                .any(|row| row.name == *name && row.score.games() > 0)
        };
        anchors.ratings.retain(|name, _| has_played(name));
        Standings {
            ratings: RatingList::estimate(&results, &anchors).ok(),
            table,
            results,
            duel,
            sprt: course.sprt(),
            ending,
            planned: course.tournament().games(),
            played: course.records().len(),
            faults,
        }
    }

    /// The match seen by its first engine.
    fn encounter(&self) -> Option<(&[String; 2], Encounter)> {
        let names = self.duel.as_ref()?;
        let index = |name: &String| self.results.index_of(name);
        let encounter = self.results.encounter(index(&names[0])?, index(&names[1])?);
        (encounter.score.games() > 0).then_some((names, encounter))
    }

    /// Tables, and in a match a sentence or two.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let mut add = |table: String| {
            let _ = write!(text, "\n{}\n", table.trim_end());
        };
        if self.results.games().is_empty() {
            add("No game was finished.".to_owned());
            return text;
        }
        match self.encounter() {
            Some((names, encounter)) => {
                add(report::encounter_table(&self.table).render(Format::Terminal));
                add(in_words(names, &encounter));
            }
            None => {
                add(report::crosstable(&self.table).render(Format::Terminal));
                if let Some(ratings) = &self.ratings {
                    add(report::rating_table(ratings).render(Format::Terminal));
                }
            }
        }
        if let Some(sprt) = &self.sprt {
            add(sprt_in_words(sprt, self.ending));
        }
        for (name, reason, times) in &self.faults {
            let reason = serde_json::to_value(reason).unwrap_or_default();
            let reason = reason.as_str().unwrap_or_default().replace('-', " ");
            add(format!(
                "{name} lost {times} game(s) by {reason}: see the last comment of each in the PGN."
            ));
        }
        text
    }

    /// Everything, for programs. Elo differences are of the logistic model, with 95 % intervals.
    pub fn json(&self) -> Value {
        let engines: Vec<Value> = self
            .table
            .rows()
            .iter()
            .map(|row| json!({"name": row.name, "score": row.score, "points": row.score.points()}))
            .collect();
        let duel = self.encounter().map(|(names, encounter)| {
            json!({
                "engines": names,
                "score": encounter.score,
                "pairs": encounter.pairs(),
                "elo": encounter.outcomes.elo(),
                "normalized_elo": encounter.outcomes.normalized_elo(),
                "likelihood_of_superiority": encounter.outcomes.superiority(),
            })
        });
        let (ending, decision) = match self.ending {
            Ending::Complete => ("complete", None),
            Ending::Decided(decision) => ("decided", Some(decision)),
            Ending::Stopped => ("stopped", None),
        };
        json!({
            "ending": ending,
            "planned": self.planned,
            "played": self.played,
            "engines": engines,
            "match": duel,
            "sprt": self.sprt,
            "decision": decision,
            "ratings": self.ratings.as_ref().map(|list| &list.ratings),
        })
    }

    /// Of a match the Elo difference over the games, of a tournament the ratings.
    pub fn svg(&self) -> String {
        match (&self.duel, &self.ratings) {
            (None, Some(ratings)) => report::rating_plot(ratings).to_svg(),
            _ => report::elo_plot(&self.results, 0, 1, &progress(&self.results, 0, 1, PLOT_STEPS)).to_svg(),
        }
    }
}

/// What a match says, and how sure it is, a line a sentence.
fn in_words([first, second]: &[String; 2], encounter: &Encounter) -> String {
    let score = encounter.score;
    let (points, games) = (score.points(), score.games());
    let share = 100.0 * points / f64::from(games);
    let mut words = format!("{first} scored {points} of {games} games against {second}, {share:.0} %.\n");
    let Some(elo) = encounter.outcomes.elo() else {
        return words;
    };
    let (better, worse, elo) = match elo.value < 0.0 {
        true => (second, first, elo.reversed()),
        false => (first, second, elo),
    };
    let _ = match elo.value {
        value if value < 0.5 => write!(words, "By these games they are equally strong"),
        value if value.is_finite() => write!(words, "By these games {better} is {value:.0} Elo stronger"),
        _ => write!(
            words,
            "{better} won everything, so that no number says how much stronger it is"
        ),
    };
    let (low, high) = (elo.low, elo.high);
    let _ = match (low.is_finite(), high.is_finite()) {
        (true, true) => writeln!(words, ", with 95 % certainty between {low:+.0} and {high:+.0}."),
        (true, false) => writeln!(words, ", with 95 % certainty at least {low:+.0}."),
        (false, true) => writeln!(words, ", with 95 % certainty at most {high:+.0}."),
        (false, false) => writeln!(words, "; the games set no bounds to it."),
    };
    words.push_str(&match low > 0.0 {
        true => format!("That {better} is the stronger one is beyond reasonable doubt."),
        false => format!("That is too few games to know whether {better} or {worse} is the stronger one."),
    });
    words
}

fn sprt_in_words(status: &SprtStatus, ending: Ending) -> String {
    let SprtStatus {
        llr, lower, upper, ..
    } = status;
    let verdict = match ending {
        Ending::Decided(Decision::AcceptH0) => "H0 is accepted: no improvement of the size asked for",
        Ending::Decided(Decision::AcceptH1) => "H1 is accepted: an improvement",
        _ => "no decision yet",
    };
    format!("SPRT: {verdict} (LLR {llr:+.2}, bounds {lower:.2} and {upper:.2}).")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Verdict;

    fn encounter(wins: u32, draws: u32, losses: u32) -> Encounter {
        let mut results = Results::new(["A", "B"]);
        for (verdict, times) in [
            (Verdict::WhiteWins, wins),
            (Verdict::Draw, draws),
            (Verdict::BlackWins, losses),
        ] {
            (0..times).for_each(|_| results.add("A", "B", verdict, None));
        }
        results.encounter(0, 1)
    }

    #[test]
    fn results_are_told_in_words() {
        let names = ["A".to_owned(), "B".to_owned()];
        let words = |wins, draws, losses| in_words(&names, &encounter(wins, draws, losses));
        // The paper's Table 6.
        let text = words(13, 4, 3);
        assert!(text.contains("A scored 15 of 20 games against B, 75 %"), "{text}");
        assert!(text.contains("beyond reasonable doubt"), "{text}");
        let text = words(1, 0, 2);
        assert!(
            text.contains("By these games B is") && text.contains("too few games"),
            "{text}"
        );
        assert!(words(2, 2, 2).contains("equally strong"));
        let text = words(0, 0, 4);
        assert!(text.contains("B won everything"), "{text}");
    }
}
