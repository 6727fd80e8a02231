//! The tables of matches and tournaments.

use crate::arena::statistics::{
    CrossRow, CrossTable, Encounter, Estimate, Judgement, MatchScore, Outcomes, RatingList,
};
use crate::util::display::{Format, Table, cells, counted};

/// Points with halves: `14½`, `½`, `3`.
pub fn points(score: &MatchScore) -> String {
    let whole = score.wins + score.draws / 2;
    match (whole, score.draws % 2) {
        (0, 1) => "½".to_owned(),
        (whole, 1) => format!("{whole}½"),
        (whole, _) => whole.to_string(),
    }
}

fn percent(part: f64) -> String {
    format!("{:.1}%", 100.0 * part)
}

/// A probability in percent: never more certain than the figures shown.
fn likelihood(probability: f64) -> String {
    match 100.0 * probability {
        p if p > 99.95 => ">99.9%".to_owned(),
        p if p < 0.05 => "<0.1%".to_owned(),
        p => format!("{p:.1}%"),
    }
}

fn whole(number: f64) -> String {
    // What rounds to zero has no sign.
    format!("{:.0}", if number.abs() < 0.5 { 0.0 } else { number })
}

/// `1962 to 2114`, `above 1962`, `below 2114`, `any`; nothing if not calculated.
fn range(estimate: Estimate) -> String {
    match (estimate.low.is_finite(), estimate.high.is_finite()) {
        _ if estimate.low.is_nan() || estimate.high.is_nan() => String::new(),
        (true, true) => format!("{} to {}", whole(estimate.low), whole(estimate.high)),
        (true, false) => format!("above {}", whole(estimate.low)),
        (false, true) => format!("below {}", whole(estimate.high)),
        (false, false) => "any".to_owned(),
    }
}

/// Everybody against everybody: points of games, in the order of the table.
pub fn crosstable(table: &CrossTable) -> Table {
    let mut head = "#: | Player | Points: | Games: | Score:".to_owned();
    for number in 1..=table.rows.len() {
        head += &format!(" | {number}:");
    }
    let mut text = Table::headed(&head);
    for (index, CrossRow { name, score, .. }) in table.rows.iter().enumerate() {
        let share = score.rate().map(percent).unwrap_or_default();
        let mut cells = Vec::from(cells![index + 1, name, points(score), score.games(), share]);
        for column in 0..table.rows.len() {
            cells.push(match table.cell(index, column) {
                _ if column == index => "·".to_owned(),
                None => String::new(),
                Some(cell) => format!("{}-{}", points(&cell.score), points(&cell.score.reversed())),
            });
        }
        text.row(cells);
    }
    text
}

/// Ratings with 95 % intervals, and how likely each player is stronger than the next.
pub fn rating_table(list: &RatingList) -> Table {
    let mut text = Table::headed(
        "#: | Player | Elo: | 95% interval: | Games: | Score: | Draws: | Oppo.: | Better than next: | Note",
    );
    for (rating, number) in list.ratings.iter().zip(1..) {
        let score = &rating.score;
        let (interval, note) = match rating.anchored {
            true => (String::new(), "given"),
            false => (range(rating.elo), ""),
        };
        text.row(cells![
            number,
            rating.name,
            whole(rating.elo.value),
            interval,
            score.games(),
            score.rate().map(percent).unwrap_or_default(),
            percent(f64::from(score.draws) / f64::from(score.games())),
            whole(rating.opposition),
            rating.superiority.map(likelihood).unwrap_or_default(),
            note,
        ]);
    }
    text
}

/// Explanations for the table of ratings, a line each.
pub fn rating_notes(list: &RatingList) -> String {
    let mut notes = String::new();
    if !list.not_rated.is_empty() {
        let names = list.not_rated.join(", ");
        notes += &format!(
            "Not rated, because no chain of points won and lost links all players: {names} (kashan rate --prior 1 \
             rates everybody).\n"
        );
    }
    if list.ratings.iter().any(|rating| rating.elo.low.is_nan()) {
        notes += "Intervals are not calculated for so many players.\n";
    }
    notes
}

/// The table of encounters for people, with an explanation of its last column below, unless that
/// column is empty.
pub fn encounters(table: &CrossTable) -> String {
    let mut text = encounter_table(table).render(Format::Terminal);
    let has_pairs = |(_, cell): &(String, Encounter)| cell.outcomes.pairs.pairs() > 0;
    if encounters_of(table).iter().any(has_pairs) {
        text += "\nPairs: how many pairs of games (one opening, colours reversed) brought the first\n\
            player 0, ½, 1, 1½ and 2 points.\n";
    }
    text
}

/// Each two players with games against each other, by name, in the order of the crosstable.
fn encounters_of(table: &CrossTable) -> Vec<(String, Encounter)> {
    let mut encounters = Vec::new();
    for (row, first) in table.rows.iter().enumerate() {
        for (column, second) in table.rows.iter().enumerate().skip(row + 1) {
            if let Some(cell) = table.cell(row, column) {
                encounters.push((format!("{} - {}", first.name, second.name), cell));
            }
        }
    }
    encounters
}

/// The table of encounters, each two players once, in the order of the crosstable.
pub fn encounter_table(table: &CrossTable) -> Table {
    let mut text = Table::headed(
        "Players | Won: | Drawn: | Lost: | Score: | Elo: | 95% interval: | Stronger: | Pairs 0\u{a0}½\u{a0}1\u{a0}1½\u{a0}2",
    );
    for (names, Encounter { score, outcomes }) in encounters_of(table) {
        let elo = outcomes.elo();
        let value = match elo {
            None => String::new(),
            Some(elo) if elo.value.is_finite() => format!("{:+.0}", elo.value),
            Some(elo) if elo.value > 0.0 => "+∞".to_owned(),
            Some(_) => "-∞".to_owned(),
        };
        let mut pairs = String::new();
        if outcomes.pairs.pairs() > 0 {
            pairs = outcomes.pairs.0.map(|count| count.to_string()).join(" ");
        }
        text.row(cells![
            names,
            score.wins,
            score.draws,
            score.losses,
            score.rate().map(percent).unwrap_or_default(),
            value,
            elo.map(range).unwrap_or_default(),
            outcomes.superiority().map(likelihood).unwrap_or_default(),
            pairs,
        ]);
    }
    text
}

/// The meaning of outcomes for two players, with their certainty, a line a sentence.
pub fn meaning([first, second]: [&str; 2], outcomes: &Outcomes) -> String {
    let points = outcomes.points();
    let games = outcomes.games();
    let Some((share, elo)) = outcomes.rate().zip(outcomes.elo()) else {
        return format!("{first} and {second} finished no game.");
    };
    let (better, worse, ahead) = match elo.value < 0.0 {
        true => (second, first, elo.reversed()),
        false => (first, second, elo),
    };
    let difference = match ahead.value {
        value if value < 0.5 => "By these games neither is ahead".to_owned(),
        value if value.is_finite() => format!("By these games {better} is {value:.0} Elo stronger"),
        _ => format!("{better} won all games, so that its lead has no upper bound"),
    };
    let interval = match ahead.high.is_finite() {
        true => format!("between {:+.0} and {:+.0}", ahead.low, ahead.high),
        false => format!("at least {:+.0}", ahead.low),
    };
    let judgement = match outcomes.judgement() {
        Judgement::TooFew => {
            "Fewer than ten pairs of games are too few to say which of them is the stronger one."
                .to_owned()
        }
        Judgement::Open => {
            format!("These games do not decide whether {better} or {worse} is the stronger one.")
        }
        Judgement::Stronger | Judgement::Weaker => {
            let chance = outcomes.superiority().unwrap_or_default();
            let chance = likelihood(chance.max(1.0 - chance)).replace('%', " %");
            format!("{better} is the stronger one with a probability of {chance}.")
        }
    };
    format!(
        "{first} scored {points} of {} against {second}, {:.0} %.\n{difference}, with 95 % certainty {interval}.\n{judgement}",
        counted(games, "game"),
        100.0 * share
    )
}

/// The same in the words of other runners: normalised Elo (nElo), how likely the first player is
/// the stronger one (LOS), the share of drawn games (DrawRatio), and pairs by their points (Ptnml).
pub fn runners_words(outcomes: &Outcomes, score: Option<MatchScore>) -> String {
    let mut words = Vec::new();
    if let (Some(elo), Some(chance)) = (outcomes.normalized_elo(), outcomes.superiority()) {
        words.push(format!("nElo (normalised) {elo}"));
        words.push(format!("LOS {}", likelihood(chance)));
    }
    if let Some(score) = score
        && score.games() > 0
    {
        let drawn = f64::from(score.draws) / f64::from(score.games());
        words.push(format!("DrawRatio {}", percent(drawn)));
    }
    if outcomes.pairs.pairs() > 0 {
        words.push(format!("Ptnml(0-2) {:?}", outcomes.pairs.0));
    }
    words.join(", ") + "."
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Verdict;
    use crate::arena::statistics::Results;

    #[test]
    fn pairs_are_explained_where_there_are_any() {
        for pair in [Some(1), None] {
            let mut results = Results::new(["A", "B"]);
            results.add("A", "B", Verdict::Draw, pair);
            results.add("B", "A", Verdict::Draw, pair);
            let text = encounters(&CrossTable::in_order(&results));
            assert_eq!(
                text.contains("Pairs: how many pairs of games"),
                pair.is_some(),
                "{text}"
            );
            assert!(text.contains("A - B"), "{text}");
        }
    }

    #[test]
    fn other_runners_words_are_theirs() {
        let mut results = Results::new(["A", "B"]);
        for pair in 0..20 {
            results.add("A", "B", Verdict::WhiteWins, Some(pair));
            results.add("B", "A", Verdict::Draw, Some(pair));
        }
        let encounter = results.encounter(0, 1);
        let words = runners_words(&encounter.outcomes, Some(encounter.score));
        assert!(words.starts_with("nElo (normalised) at least +"), "{words}");
        assert!(
            words.ends_with("LOS >99.9%, DrawRatio 50.0%, Ptnml(0-2) [0, 0, 0, 20, 0]."),
            "{words}"
        );
        let turned = runners_words(&encounter.outcomes.reversed(), None);
        assert!(
            turned.starts_with("nElo (normalised) at most -") && !turned.contains("DrawRatio"),
            "{turned}"
        );
    }

    #[test]
    fn results_are_told_in_words() {
        let words = |wins, draws, losses| {
            let mut results = Results::new(["A", "B"]);
            let verdicts = [Verdict::WhiteWins, Verdict::Draw, Verdict::BlackWins];
            for (verdict, times) in verdicts.into_iter().zip([wins, draws, losses]) {
                (0..times).for_each(|_| results.add("A", "B", verdict, None));
            }
            meaning(["A", "B"], &results.encounter(0, 1).outcomes)
        };
        // The paper's Table 6.
        let text = words(13, 3, 4);
        assert!(
            text.contains("A scored 14.5 of 20 games against B, 72 %"),
            "{text}"
        );
        assert!(
            text.contains("between +19 and +326") && text.contains("probability of 98.7 %"),
            "{text}"
        );
        assert!(words(8, 6, 6).contains("do not decide whether A or B"));
        // However clear they seem, few games are not put into a verdict.
        for (wins, losses) in [(4, 0), (5, 1), (8, 0), (0, 19)] {
            assert!(
                words(wins, 0, losses).contains("too few"),
                "{wins} {losses}"
            );
        }
        let text = words(0, 0, 8);
        assert!(
            text.contains("B won all games") && text.contains("at least +180"),
            "{text}"
        );
        assert!(words(2, 2, 2).contains("neither is ahead"));
        assert!(words(0, 0, 0).contains("no game"));
    }
}
