//! Everybody against everybody.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Encounter, MatchScore, Results};

/// The results of several players against one another, the best first.
#[derive(Clone, Debug)]
pub struct CrossTable {
    rows: Vec<CrossRow>,
    /// As in [`Results::encounters`].
    encounters: BTreeMap<(usize, usize), Encounter>,
}

/// A player's line.
#[derive(Clone, Debug, PartialEq)]
pub struct CrossRow {
    /// Index in [`Results::players`].
    pub player: usize,
    pub name: String,
    /// All the player's games.
    pub score: MatchScore,
}

impl CrossTable {
    /// The table in the order of [`Results::players`].
    pub fn in_order(results: &Results) -> CrossTable {
        let encounters = results.encounters();
        let mut scores = vec![MatchScore::default(); results.players().len()];
        for (&(player, opponent), encounter) in &encounters {
            scores[player] = scores[player] + encounter.score;
            scores[opponent] = scores[opponent] + encounter.score.reversed();
        }
        let rows = (0..)
            .zip(results.players())
            .zip(scores)
            .map(|((player, name), score)| CrossRow { player, name: name.clone(), score })
            .collect();
        CrossTable { rows, encounters }
    }

    /// The table in order of points a game, then of points, then of the names. Players without a finished
    /// game come last.
    pub fn new(results: &Results) -> CrossTable {
        let CrossTable { mut rows, encounters } = CrossTable::in_order(results);
        let standing = |row: &CrossRow| (row.score.rate().unwrap_or(-1.0), row.score.points());
        rows.sort_by(|a, b| {
            let (rate_a, points_a) = standing(a);
            let (rate_b, points_b) = standing(b);
            rate_b.total_cmp(&rate_a).then(points_b.total_cmp(&points_a)).then_with(|| a.name.cmp(&b.name))
        });
        CrossTable { rows, encounters }
    }

    /// The lines, the best player first.
    pub fn rows(&self) -> &[CrossRow] {
        &self.rows
    }

    /// The lines for programs.
    pub fn json(&self) -> Value {
        let line =
            |row: &CrossRow| json!({"name": row.name, "score": row.score, "points": row.score.points()});
        self.rows.iter().map(line).collect()
    }

    /// What the player of line `row` did against the player of line `column` (from 0); `None` if they never
    /// met.
    pub fn cell(&self, row: usize, column: usize) -> Option<Encounter> {
        let (player, opponent) = (self.rows.get(row)?.player, self.rows.get(column)?.player);
        let encounter = self.encounters.get(&(player.min(opponent), player.max(opponent)))?;
        Some(if player < opponent { *encounter } else { encounter.reversed() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Verdict;

    #[test]
    fn lines_are_in_order_and_cells_mirror_one_another() {
        use Verdict::*;
        let mut results = Results::new(["idle"]);
        for (white, black, verdict) in
            [("C", "A", BlackWins), ("A", "B", Draw), ("B", "C", WhiteWins), ("A", "C", WhiteWins)]
        {
            results.add(white, black, verdict, None);
        }
        let table = CrossTable::new(&results);
        let names: Vec<&str> = table.rows().iter().map(|row| row.name.as_str()).collect();
        assert_eq!(names, ["A", "B", "C", "idle"]);
        assert_eq!(table.rows()[0].score, MatchScore { wins: 2, draws: 1, losses: 0 });
        for row in 0..4 {
            for column in 0..4 {
                assert_eq!(table.cell(row, column).map(|cell| cell.reversed()), table.cell(column, row));
            }
        }
        assert_eq!(table.cell(0, 2).map(|cell| cell.score.wins), Some(2));
        assert_eq!([0, 3, 9].map(|column| table.cell(0, column)), [None; 3]);
    }
}
