//! Tables and figures of matches at several depths.

use super::{Bout, Condition, Rivalry};
use crate::arena::statistics::{Encounter, Estimate, expected_score};
use crate::display::{LineChart, Point, Series, Spread};
use crate::experiment::laboratory::{Contest, interval};
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
    for &condition in Condition::all(conditions) {
        let of_condition: Vec<&Bout> = bouts.iter().filter(|bout| bout.condition == condition).collect();
        let words = condition.in_words(conditions);
        let caption = format!(
            "As the paper's Fig. {}, {words}: points of the genetic search and of {rival} by {rival}'s depth, with \
             95 % intervals",
            rivalry.figure
        );
        let table = Contest::table("Match", of_condition.iter().map(|bout| &bout.contest));
        conclusion = conclusion
            .with_figure(
                &format!("points-{}", condition.key()),
                caption,
                points(rival, words, &of_condition).to_svg(),
            )
            .with_table(format!("The genetic search against {rival}, {words}"), table);
    }
    let caption = format!(
        "How much stronger the genetic search is than {rival}, with 95 % intervals; where one side won every game it is drawn \
         as if one had been a draw"
    );
    let columns = format!(
        "Condition {{condition}} | Depth: {{depth}} | Finished: {{finished%}} | Genetic search, ms: {{milliseconds_a_move.0:1}} | \
         {rival}, ms: {{milliseconds_a_move.1:1}}"
    );
    let moves =
        format!("On how many of its moves {rival} finished its depth, and milliseconds a move on average");
    conclusion
        .with_figure("elo", caption, elo(rival, conditions, bouts).to_svg())
        .with_rows(moves, &columns, bouts)
        .with_text(Contest::endings_in_words(bouts.iter().map(|bout| &bout.contest)))
}

/// Fig. 33 and 34: scores of the two engines.
fn points(rival: &str, condition: &str, bouts: &[&Bout]) -> LineChart {
    let games = bouts.first().map_or(0, |bout| bout.contest.records.len());
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
    LineChart {
        title: format!("Genetic search and {rival}: {condition}"),
        x_title: format!("depth of {rival} in half-moves"),
        y_title: format!("points of {games} games"),
        reference: Some(games as f64 / 2.0),
        series: vec![
            series("Genetic search", 0.0, &|contest| contest.encounter),
            series(rival, ASIDE, &|contest| contest.encounter.reversed()),
        ],
    }
}

fn elo(rival: &str, conditions: &Conditions, bouts: &[Bout]) -> LineChart {
    let all = Condition::all(conditions).iter().enumerate();
    let series = all.map(|(index, &condition)| {
        let points = bouts.iter().filter(|bout| bout.condition == condition).filter_map(|bout| {
            let x = f64::from(bout.depth) + ASIDE * index as f64;
            Some(Point::new(x, interval(bout.contest.charted_elo()?)))
        });
        Series::new(condition.in_words(conditions), Spread::Bars, points)
    });
    LineChart {
        title: format!("The genetic search against {rival}"),
        x_title: format!("depth of {rival} in half-moves"),
        y_title: "Elo of the genetic search above it".to_owned(),
        reference: Some(0.0),
        series: series.collect(),
    }
}
