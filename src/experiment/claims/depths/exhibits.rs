//! Tables and figures of matches at several depths.

use super::{Bout, Condition, Rivalry};
use crate::arena::statistics::{Encounter, Estimate, expected_score};
use crate::display::{Align, LineChart, Point, Series, Spread, Table};
use crate::experiment::laboratory::Contest;
use crate::experiment::{Conditions, Finding};

/// Points of the same depth stand side by side, so that their intervals do not cover each other.
const ASIDE: f64 = 0.06;

pub fn add(rivalry: &Rivalry, conditions: &Conditions, bouts: &[Bout], mut finding: Finding) -> Finding {
    let rival = rivalry.rival;
    for &condition in Condition::all(conditions) {
        let of_condition: Vec<&Bout> = bouts.iter().filter(|bout| bout.condition == condition).collect();
        let (words, key) = (condition.in_words(conditions), condition.key());
        let caption = format!(
            "As the paper's Fig. {}, {words}: points of the genetic search and of {rival} by {rival}'s depth, with \
             95 % intervals",
            rivalry.figure
        );
        let rows = of_condition
            .iter()
            .map(|bout| (format!("depth {}", bout.depth), &bout.contest));
        finding = finding
            .with_figure(
                format!("points-{key}"),
                caption,
                points(rival, words, &of_condition).to_svg(),
            )
            .with_table(
                format!("The genetic search against {rival}, {words}"),
                Contest::table("Match", rows),
            );
    }
    finding = finding.with_figure(
        "elo",
        format!(
            "How much stronger the genetic search is than {rival}, with 95 % intervals; where one side won every game it is drawn \
             as if one had been a draw"
        ),
        elo(rival, conditions, bouts).to_svg(),
    );
    finding
        .with_table(
            format!(
                "On how many of its moves {rival} finished its depth, and milliseconds a move on average"
            ),
            moves(rival, conditions, bouts),
        )
        .with_text(Contest::endings_in_words(bouts.iter().map(|bout| &bout.contest)))
}

/// Fig. 33 and 34: scores of the two engines.
fn points(rival: &str, condition: &str, bouts: &[&Bout]) -> LineChart {
    let games = bouts.first().map_or(0, |bout| bout.contest.records.len());
    let series = |name: &str, aside: f64, of: &dyn Fn(&Contest) -> Encounter| Series {
        name: name.to_owned(),
        points: bouts
            .iter()
            .filter_map(|bout| {
                let encounter = of(&bout.contest);
                let Estimate { low, high, .. } = encounter.outcomes.elo()?;
                let points = |elo| f64::from(encounter.score.games()) * expected_score(elo);
                Some(Point {
                    x: f64::from(bout.depth) + aside,
                    y: encounter.score.points(),
                    low: points(low),
                    high: points(high),
                })
            })
            .collect(),
        spread: Spread::Bars,
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
    let series = all.map(|(index, &condition)| Series {
        name: condition.in_words(conditions).to_owned(),
        points: bouts
            .iter()
            .filter(|bout| bout.condition == condition)
            .filter_map(|bout| {
                let elo = bout.contest.charted_elo()?;
                Some(Point {
                    x: f64::from(bout.depth) + ASIDE * index as f64,
                    y: elo.value,
                    low: elo.low,
                    high: elo.high,
                })
            })
            .collect(),
        spread: Spread::Bars,
    });
    LineChart {
        title: format!("The genetic search against {rival}"),
        x_title: format!("depth of {rival} in half-moves"),
        y_title: "Elo of the genetic search above it".to_owned(),
        reference: Some(0.0),
        series: series.collect(),
    }
}

fn moves(rival: &str, conditions: &Conditions, bouts: &[Bout]) -> Table {
    let rivals_time = format!("{rival}, ms");
    let mut table = Table::new([
        ("Condition", Align::Left),
        ("Depth", Align::Right),
        ("Finished %", Align::Right),
        ("Genetic search, ms", Align::Right),
        (&rivals_time, Align::Right),
    ]);
    for bout in bouts {
        // Times are never the same again.
        let times = match conditions.are_reproducible() {
            true => [None; 2],
            false => bout.contest.mean_times(),
        };
        let [own, other] = times.map(|time| time.map_or(String::new(), |time| format!("{time:.1}")));
        table.row([
            bout.condition.in_words(conditions).to_owned(),
            bout.depth.to_string(),
            bout.finished
                .map_or(String::new(), |share| format!("{:.0}", 100.0 * share)),
            own,
            other,
        ]);
    }
    table
}
