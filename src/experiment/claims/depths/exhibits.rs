//! Tables and figures of matches at several depths.

use super::{Bout, Reading};
use crate::arena::statistics::{Encounter, Estimate, expected_score};
use crate::display::{Point, Series, Spread};
use crate::experiment::Conclusion;
use crate::experiment::laboratory::Contest;

/// Points of the same depth stand side by side, so that their intervals do not cover each other.
const ASIDE: f64 = 0.06;

pub fn add(rival: &str, games: u32, readings: &[Reading<'_>], mut conclusion: Conclusion) -> Conclusion {
    let reference = Some(f64::from(games) / 2.0);
    for Reading { words, bouts } in readings {
        let table = Contest::table("Match", bouts.iter().map(|bout| &bout.contest));
        conclusion = conclusion
            .with_lines(&format!("points-{}", bouts[0].condition), reference, points(rival, bouts))
            .with_table(format!("The genetic search against {rival}, {words}"), table);
    }
    conclusion.with_lines("elo", Some(0.0), elo(readings))
}

/// Fig. 33 and 34: scores of the two engines.
fn points(rival: &str, bouts: &[Bout]) -> [Series; 2] {
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

fn elo(readings: &[Reading<'_>]) -> impl Iterator<Item = Series> {
    readings.iter().enumerate().map(|(index, reading)| {
        let points = reading.bouts.iter().filter_map(|bout| {
            let x = f64::from(bout.depth) + ASIDE * index as f64;
            Some(Point::new(x, bout.contest.charted_elo()?.interval()))
        });
        Series::new(reading.words, Spread::Bars, points)
    })
}
