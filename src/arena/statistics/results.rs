//! Results of several players: the encounters of each two, as a table.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};
use shakmaty::Color;

use super::{MatchScore, Outcomes};
use crate::arena::{GameRecord, Verdict};

/// A finished game. Players are indices of [`Results::players`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatedGame {
    pub white: usize,
    pub black: usize,
    /// The worth of the game for White: 1, ½ or 0.
    pub white_points: f64,
    /// Games of the same two players with this number in common, colours reversed, are a pair.
    pub pair: Option<u32>,
}

impl RatedGame {
    /// The worth of the game for `player`, taken as Black unless White.
    pub fn points_of(&self, player: usize) -> f64 {
        if self.white == player {
            self.white_points
        } else {
            1.0 - self.white_points
        }
    }
}

/// Games dependent on one another: a pair, or one game on its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    pub first: RatedGame,
    /// The second game of a pair, with the colours of the first reversed.
    pub second: Option<RatedGame>,
}

impl Unit {
    fn single(first: RatedGame) -> Unit {
        let second = None;
        Unit { first, second }
    }

    pub fn games(&self) -> impl Iterator<Item = RatedGame> {
        std::iter::once(self.first).chain(self.second)
    }
}

/// One side's results: all its games as wins, draws and losses, and the same games as pairs and
/// singles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Encounter {
    pub score: MatchScore,
    pub outcomes: Outcomes,
}

impl std::ops::Add for Encounter {
    type Output = Encounter;
    fn add(self, other: Encounter) -> Encounter {
        Encounter {
            score: self.score + other.score,
            outcomes: self.outcomes + other.outcomes,
        }
    }
}

impl Encounter {
    /// The same games seen by the other side.
    pub fn reversed(&self) -> Encounter {
        Encounter {
            score: self.score.reversed(),
            outcomes: self.outcomes.reversed(),
        }
    }

    /// Adds the results of `player` in a unit.
    pub(super) fn add(&mut self, player: usize, unit: &Unit) {
        for game in unit.games() {
            self.score.add_game(game.points_of(player));
        }
        let first = unit.first.points_of(player);
        match unit.second {
            None => self.outcomes.singles.add_game(first),
            Some(second) => self
                .outcomes
                .pairs
                .add_pair(first, second.points_of(player)),
        }
    }
}

/// The games of a tournament, a match or a PGN file.
#[derive(Clone, Debug, Default)]
pub struct Results {
    players: Vec<String>,
    index: BTreeMap<String, usize>,
    games: Vec<RatedGame>,
}

impl Results {
    /// Results of these players, none of whom has played yet. Others may join with their first
    /// game.
    pub fn new<S: AsRef<str>>(players: impl IntoIterator<Item = S>) -> Results {
        let mut results = Results::default();
        for player in players {
            results.player(player.as_ref());
        }
        results
    }

    /// Adds a game of an arena.
    pub fn add_record(&mut self, record: &GameRecord) {
        self.add(
            &record.white,
            &record.black,
            record.result.verdict,
            Some(record.pair),
        );
    }

    /// Adds a game. An unfinished game, or one of a player against themselves, does not count.
    pub fn add(&mut self, white: &str, black: &str, verdict: Verdict, pair: Option<u32>) {
        let white = self.player(white);
        let black = self.player(black);
        if let Some(white_points) = verdict.points(Color::White)
            && white != black
        {
            self.games.push(RatedGame {
                white,
                black,
                white_points,
                pair,
            });
        }
    }

    /// The player's index, new if need be.
    fn player(&mut self, name: &str) -> usize {
        if let Some(&player) = self.index.get(name) {
            return player;
        }
        self.players.push(name.to_owned());
        self.index.insert(name.to_owned(), self.players.len() - 1);
        self.players.len() - 1
    }

    /// The names, in the order of their first games.
    pub fn players(&self) -> &[String] {
        &self.players
    }

    pub fn index_of(&self, name: &str) -> Option<usize> {
        self.index.get(name).copied()
    }

    /// The finished games, in the order of their addition.
    pub fn games(&self) -> &[RatedGame] {
        &self.games
    }

    /// The same games without the players without a finished one. Indices change.
    pub(super) fn without_idle_players(&self) -> Results {
        let mut active = Results::default();
        for game in &self.games {
            let white = active.player(&self.players[game.white]);
            let black = active.player(&self.players[game.black]);
            active.games.push(RatedGame {
                white,
                black,
                ..*game
            });
        }
        active
    }

    /// The games of these players with each other, and nothing of the others. Indices change.
    pub(super) fn of_players(&self, players: &[usize]) -> Results {
        let mut is_wanted = vec![false; self.players.len()];
        for &player in players {
            is_wanted[player] = true;
        }
        let mut wanted = self.clone();
        wanted
            .games
            .retain(|game| is_wanted[game.white] && is_wanted[game.black]);
        wanted.without_idle_players()
    }

    /// The games as pairs, each in the place of the game completing the pair, then the singles.
    pub fn units(&self) -> Vec<Unit> {
        let mut waiting: BTreeMap<(usize, usize, u32), RatedGame> = BTreeMap::new();
        let mut units = Vec::new();
        let mut singles = Vec::new();
        for &game in &self.games {
            let Some(pair) = game.pair else {
                singles.push(Unit::single(game));
                continue;
            };
            if let Some(first) = waiting.remove(&(game.black, game.white, pair)) {
                units.push(Unit {
                    first,
                    second: Some(game),
                });
            } else if let Some(alone) = waiting.insert((game.white, game.black, pair), game) {
                singles.push(Unit::single(alone));
            }
        }
        units.append(&mut singles);
        units.extend(waiting.into_values().map(Unit::single));
        units
    }

    /// The results of `player` against `opponent`.
    pub fn encounter(&self, player: usize, opponent: usize) -> Encounter {
        between(&self.encounters(), player, opponent).unwrap_or_default()
    }

    /// The encounters played, by the two players, the smaller index first, seen by that one.
    pub fn encounters(&self) -> BTreeMap<(usize, usize), Encounter> {
        let mut encounters: BTreeMap<(usize, usize), Encounter> = BTreeMap::new();
        for unit in self.units() {
            let players = ordered(unit.first.white, unit.first.black);
            encounters.entry(players).or_default().add(players.0, &unit);
        }
        encounters
    }
}

fn ordered(player: usize, opponent: usize) -> (usize, usize) {
    (player.min(opponent), player.max(opponent))
}

/// The results of `player` against `opponent`, from the encounters of [`Results::encounters`].
fn between(
    encounters: &BTreeMap<(usize, usize), Encounter>,
    player: usize,
    opponent: usize,
) -> Option<Encounter> {
    let encounter = encounters.get(&ordered(player, opponent))?;
    Some(if player < opponent {
        *encounter
    } else {
        encounter.reversed()
    })
}

/// Everybody against everybody: the results of several players, the best first.
#[derive(Clone, Debug)]
pub struct CrossTable {
    pub rows: Vec<CrossRow>,
    /// The encounters as in [`Results::encounters`].
    encounters: BTreeMap<(usize, usize), Encounter>,
}

/// A player's line.
#[derive(Clone, Debug, PartialEq)]
pub struct CrossRow {
    /// Index in [`Results::players`].
    pub player: usize,
    pub name: String,
    /// The score of all the player's games.
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
        let mut rows = Vec::new();
        for (player, score) in scores.into_iter().enumerate() {
            let name = results.players[player].clone();
            rows.push(CrossRow {
                player,
                name,
                score,
            });
        }
        CrossTable { rows, encounters }
    }

    /// The table in order of points a game, then of points, then of the names. Players without a
    /// finished game come last.
    pub fn new(results: &Results) -> CrossTable {
        let mut table = CrossTable::in_order(results);
        let rate = |row: &CrossRow| row.score.rate().unwrap_or(-1.0);
        table.rows.sort_by(|a, b| {
            let by_rate = rate(b).total_cmp(&rate(a));
            let by_points = b.score.points().total_cmp(&a.score.points());
            by_rate.then(by_points).then(a.name.cmp(&b.name))
        });
        table
    }

    /// The lines for programs.
    pub fn json(&self) -> Value {
        let line = |row: &CrossRow| json!({"name": row.name, "score": row.score, "points": row.score.points()});
        self.rows.iter().map(line).collect()
    }

    /// The results of the player of line `row` against the player of line `column` (from 0); `None`
    /// if they never met.
    pub fn cell(&self, row: usize, column: usize) -> Option<Encounter> {
        between(
            &self.encounters,
            self.rows.get(row)?.player,
            self.rows.get(column)?.player,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::Pentanomial;
    use super::*;
    use crate::arena::statistics::rating::tests::results_of;

    #[test]
    fn pairs_are_found_whatever_lies_between_their_games() {
        // In the end the same colours as in pair 2: no pair.
        let results = results_of("A>B:1 C=A:1 A=B:2 B<A:1 B=C A*B:3 B>A:3 A<B:2");

        let ab = results.encounter(0, 1);
        assert_eq!(
            ab.score,
            MatchScore {
                wins: 2,
                draws: 1,
                losses: 2
            }
        );
        assert_eq!(ab.outcomes.pairs, Pentanomial([0, 0, 0, 0, 1]));
        assert_eq!(
            ab.outcomes.singles,
            MatchScore {
                wins: 0,
                draws: 1,
                losses: 2
            }
        );
        assert_eq!(results.encounter(1, 0), ab.reversed());
        assert_eq!(results.encounter(0, 2).score.draws, 1);
        assert_eq!(
            results.games().len(),
            7,
            "without the one that is unfinished"
        );
        let games: usize = results
            .units()
            .iter()
            .map(|unit| unit.games().count())
            .sum();
        assert_eq!(games, results.games().len());
    }

    #[test]
    fn lines_are_in_order_and_cells_mirror_one_another() {
        use Verdict::*;
        let mut results = Results::new(["idle"]);
        for (white, black, verdict) in [
            ("C", "A", BlackWins),
            ("A", "B", Draw),
            ("B", "C", WhiteWins),
            ("A", "C", WhiteWins),
        ] {
            results.add(white, black, verdict, None);
        }
        let table = CrossTable::new(&results);
        let names: Vec<&str> = table.rows.iter().map(|row| row.name.as_str()).collect();
        assert_eq!(names, ["A", "B", "C", "idle"]);
        assert_eq!(
            table.rows[0].score,
            MatchScore {
                wins: 2,
                draws: 1,
                losses: 0
            }
        );
        for (row, column) in (0..16).map(|cell| (cell / 4, cell % 4)) {
            assert_eq!(
                table.cell(row, column).map(|cell| cell.reversed()),
                table.cell(column, row)
            );
        }
        assert_eq!(table.cell(0, 2).map(|cell| cell.score.wins), Some(2));
        assert_eq!([0, 3, 9].map(|column| table.cell(0, column)), [None; 3]);
    }
}
