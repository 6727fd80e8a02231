//! A9: whether men are safer with the proposed evaluation.

use serde_json::json;

use super::FOUR_PLIES;
use crate::arena::EngineSpec;
use crate::experiment::laboratory::{Reference, ours};
use crate::experiment::positions::{MIDDLEGAMES, cases, survey};
use crate::experiment::{ClaimVerdict, Conclusion, Experiment, Laboratory, Part};
use crate::suite::blunders::tables::blunder_summary;
use crate::suite::blunders::{Case, Finding, Report, paper};
use crate::suite::summary::Summary;
use crate::suite::{Bands, Grade, Rate};

pub const EXPERIMENT: Experiment = Experiment {
    id: "A9",
    title: "Safety of men",
    claim: "With the proposed evaluation the engine's pieces stay safe.",
    source: "Hesham, Abu-Elnasr & Elmougy 2021, section 5",
    run,
};

/// The proposed evaluation and the standard one.
const EVALUATIONS: [&str; 2] = ["power", "paper"];

/// Positions that both evaluations choose moves in.
struct Set {
    name: String,
    cases: Vec<Case>,
    /// In the order of [`EVALUATIONS`].
    findings: [Vec<Option<Finding>>; 2],
}

fn run(laboratory: &Laboratory<'_>) -> anyhow::Result<Conclusion> {
    let conditions = &laboratory.conditions;
    let reference = laboratory.reference(conditions.pick(20_000, 100_000))?;
    let count = conditions.pick(12, 200);
    let quiet = paper::our_positions().positions.iter().map(Case::of_position).collect::<Result<_, _>>()?;
    let fens = survey(laboratory, "a9-middlegames", count, &[], |root| Ok(root.to_fen()))?;
    let sets = [
        Set::judged(laboratory, "a9-quiet", "quiet positions", quiet, &reference)?,
        Set::judged(laboratory, "a9-all", "middlegames", cases(&fens)?, &reference)?,
    ];
    let is_partial = is_partial(&reference.spec);
    let parts = sets.iter().map(|set| {
        let [power, standard] = set.blunders();
        let statement = format!("Fewer blunders with power than with the standard evaluation, {}", set.name);
        let verdict = match is_partial {
            true => ClaimVerdict::NotDecided("a judge with one of the two evaluations".to_owned()),
            false => verdict(&power, &standard),
        };
        Part::new(statement, verdict, in_words(&power, &standard))
    });
    let rows: Vec<(String, Summary)> = sets.iter().flat_map(Set::summaries).collect();
    let data = json!({
        "reference": reference.name,
        "reference_limits": reference.limits,
        "summaries": rows.iter().map(|(name, summary)| json!({ "what": name, "summary": summary })).collect::<Vec<_>>(),
    });
    let method = format!(
        "Alpha-beta with all moves, {FOUR_PLIES}, in the 29 quiet positions of `kashan blunders` and in {count} {MIDDLEGAMES}, with `Evaluation=power` and with \
         `Evaluation=paper`. Its moves and the reference's own are judged by {} with {} for each search, each move searched alone; a blunder loses more than \
         1.5 pawns. The verdict is by positions in which only one of the two blunders.",
        reference.name, reference.limits
    );
    Ok(Conclusion::new(method, parts.collect(), data)
        .with_table("Losses", blunder_summary(&rows, &Bands::default())))
}

impl Set {
    fn judged(
        laboratory: &Laboratory<'_>,
        work: &str,
        name: &str,
        cases: Vec<Case>,
        reference: &Reference,
    ) -> anyhow::Result<Set> {
        let judged = |evaluation: &str| {
            let engine = ours(evaluation, "alphabeta", &[("Evaluation", evaluation)]);
            laboratory.judge(&format!("{work}-{evaluation}"), engine, FOUR_PLIES, reference, &cases)
        };
        let [power, standard] = EVALUATIONS.map(judged);
        let findings = [power?, standard?];
        Ok(Set { name: format!("{} {name}", cases.len()), cases, findings })
    }

    /// Whether each position's move is a blunder, by evaluation.
    fn blunders(&self) -> [Vec<bool>; 2] {
        let bands = Bands::default();
        let is_blunder = |finding: &Option<Finding>| {
            finding
                .as_ref()
                .and_then(|finding| finding.sample(&bands))
                .is_some_and(|sample| sample.grade == Grade::Blunder)
        };
        self.findings.each_ref().map(|findings| findings.iter().map(is_blunder).collect())
    }

    fn summaries(&self) -> Vec<(String, Summary)> {
        let bands = Bands::default();
        let summaries = self.findings.iter().zip(EVALUATIONS).map(|(findings, evaluation)| {
            let report = Report { cases: &self.cases, findings, bands: &bands };
            (format!("{evaluation}, {}", self.name), report.summary())
        });
        summaries.collect()
    }
}

/// Whether a judge has one of the evaluations that it is to judge, as ours has where there is no other.
fn is_partial(judge: &EngineSpec) -> bool {
    let is_tried = |(name, value): &(String, String)| {
        name.eq_ignore_ascii_case("Evaluation") && EVALUATIONS.contains(&value.as_str())
    };
    judge.backend().is_some() && judge.options.iter().any(is_tried)
}

/// How often only the first is true.
fn alone(first: &[bool], second: &[bool]) -> usize {
    first.iter().zip(second).filter(|&(&first, &second)| first && !second).count()
}

/// With fewer positions in which only one of the two blunders, nothing is decided.
const LEAST: usize = 10;

/// By the positions in which only one of the two blunders, as in McNemar's test: the interval of the standard
/// evaluation's share of them is Wilson's.
fn verdict(power: &[bool], standard: &[bool]) -> ClaimVerdict {
    let (ours, theirs) = (alone(power, standard), alone(standard, power));
    let tried = format!("{} positions", power.len());
    match Rate::new(theirs, theirs + ours) {
        Some(rate) if rate.of >= LEAST => ClaimVerdict::of_interval(true, 0.5, rate.lower, rate.upper, tried),
        _ => ClaimVerdict::NotDecided(tried),
    }
}

fn in_words(power: &[bool], standard: &[bool]) -> String {
    let count = |blunders: &[bool]| blunders.iter().filter(|&&blunder| blunder).count();
    format!(
        "{} with power, {} with the standard evaluation; {} with power alone, {} with the standard alone",
        count(power),
        count(standard),
        alone(power, standard),
        alone(standard, power)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_in_which_one_of_the_two_blunders_decide() {
        let of = |power: usize, standard: usize, both: usize| {
            let row = |own: bool, other: bool| {
                let rows = [(own, power), (other, standard), (true, both), (false, 5)];
                rows.into_iter()
                    .flat_map(|(blunder, times)| std::iter::repeat_n(blunder, times))
                    .collect::<Vec<_>>()
            };
            (row(true, false), row(false, true))
        };
        let (power, standard) = of(20, 2, 9);
        assert_eq!(verdict(&power, &standard), ClaimVerdict::Refuted);
        assert_eq!(verdict(&standard, &power), ClaimVerdict::Confirmed);
        let words =
            "29 with power, 11 with the standard evaluation; 20 with power alone, 2 with the standard alone";
        assert_eq!(in_words(&power, &standard), words);
        let (power, standard) = of(0, 0, 3);
        assert_eq!(verdict(&power, &standard), ClaimVerdict::NotDecided("8 positions".to_owned()));
        // One of eight such runs has that by chance.
        let (power, standard) = of(4, 0, 3);
        assert_eq!(verdict(&power, &standard), ClaimVerdict::NotDecided("12 positions".to_owned()));
    }

    #[test]
    fn a_judge_with_one_of_the_evaluations_decides_nothing() {
        // What judges where there is no Stockfish.
        let mut judge = EngineSpec::new("alphabeta", "kashan:alphabeta");
        assert!(!is_partial(&judge), "its evaluation is another one");
        judge.options.push(("Evaluation".to_owned(), "paper".to_owned()));
        assert!(is_partial(&judge));
        assert!(!is_partial(&EngineSpec { command: "stockfish".to_owned(), ..judge }));
    }
}
