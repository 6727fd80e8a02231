//! Tables and figures of matches at several depths.

use super::{Bout, Condition, Rivalry};
use crate::arena::statistics::{Encounter, Estimate, expected_score};
use crate::display::{Point, Series, Spread};
use crate::experiment::laboratory::Contest;
use crate::experiment::{Conclusion, Conditions};

/// Points of the same depth stand side by side, so that their intervals do not cover each other.
const ASIDE: f64 = 0.06;

pub fn add(
    rivalry: &Rivalry,
    conditions: &Conditions,
    bouts: &[Bout],
    mut conclusion: Conclusion,
) -> Conclusion {
    let rival = rivalry.rival;
    let reference = Some(f64::from(conditions.games(8, 30)) / 2.0);
    for &condition in Condition::all(conditions) {
        let of_condition: Vec<&Bout> = bouts.iter().filter(|bout| bout.condition == condition).collect();
        let words = condition.in_words(conditions);
        let table = Contest::table("Match", of_condition.iter().map(|bout| &bout.contest));
        conclusion = conclusion
            .with_lines(&format!("points-{}", condition.key()), reference, points(rival, &of_condition))
            .with_table(format!("The genetic search against {rival}, {words}"), table);
    }
    conclusion
        .with_lines("elo", Some(0.0), elo(conditions, bouts))
        .with_rows("moves", bouts)
        .with_text(Contest::endings_in_words(bouts.iter().map(|bout| &bout.contest)))
}

/// Fig. 33 and 34: scores of the two engines.
fn points(rival: &str, bouts: &[&Bout]) -> [Series; 2] {
    let series = |name: &str, aside: f64, of: &dyn Fn(&Contest) -> Encounter| {
        let points = bouts.iter().filter_map(|bout| {
            let encounter = of(&bout.contest);
            let Estimate { low, high, .. } = encounter.outcomes.elo()?;
            let points = |elo| f64::from(encounter.score.games()) * expected_score(elo);
            let interval = [encounter.score.points(), points(low), points(high)];
            Some(Point::new(f64::from(bout.depth) + aside, interval))
        });
        Series::new(name, Spread::Bars, points)
    };
    [
        series("Genetic search", 0.0, &|contest| contest.encounter),
        series(rival, ASIDE, &|contest| contest.encounter.reversed()),
    ]
}

fn elo(conditions: &Conditions, bouts: &[Bout]) -> impl Iterator<Item = Series> {
    Condition::all(conditions).iter().enumerate().map(|(index, &condition)| {
        let points = bouts.iter().filter(|bout| bout.condition == condition).filter_map(|bout| {
            let x = f64::from(bout.depth) + ASIDE * index as f64;
            Some(Point::new(x, bout.contest.charted_elo()?.interval()))
        });
        Series::new(condition.in_words(conditions), Spread::Bars, points)
    })
}
