//! A rating list: the ratings that explain all results best.

mod links;
mod matrix;
mod model;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::f64::consts::LN_10;

use serde::Serialize;
use thiserror::Error;

use super::elo::{self, Estimate, Z95};
use super::{MatchScore, Results, expected_score};
use model::{Fit, Model};

/// Elo of one unit on the natural scale.
const ELO: f64 = 400.0 / LN_10;

/// What is known beforehand.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Anchors {
    /// Given ratings by name. Without any, the mean of all ratings is 0.
    pub ratings: BTreeMap<String, f64>,
    /// Whether the advantage of the white pieces, the same for all, is estimated too; it is taken as none otherwise, which does no harm where
    /// colours are balanced.
    pub white_advantage: bool,
}

/// Their list takes about a minute and half a gigabyte.
const MAX_PLAYERS: usize = 4_000;

/// Why there is no rating list.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum RatingError {
    #[error("there are no finished games to rate")]
    NoGames,
    /// Time and memory grow with the third and the second power of the number of players.
    #[error("{0} players are more than a rating list can hold ({MAX_PLAYERS})")]
    TooManyPlayers(usize),
    #[error("'{name}' cannot be an anchor: no such player; there are {known}")]
    UnknownAnchor { name: String, known: String },
    #[error("the rating of anchor '{name}' is no number")]
    NotANumber { name: String },
}

/// How well a player's rating is tied to the others'.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// By a chain of points taken and another of points given.
    Linked,
    /// Neither the player nor a group round it lost a point to the rest: any higher rating would explain the results, too.
    NoUpperBound,
    /// The opposite.
    NoLowerBound,
    /// Tied neither from above nor from below, though there are games with players who are.
    NoBound,
    /// No chain of games leads to the rest.
    Unlinked,
}

/// A line of the list.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// Index in [`Results::players`].
    #[serde(skip)]
    pub player: usize,
    pub name: String,
    /// Elo. The interval is that of the difference from the mean of all, or from the anchors; an anchor has none.
    pub elo: Estimate,
    pub anchored: bool,
    pub standing: Standing,
    pub score: MatchScore,
    /// Mean rating of the opponents, each counted as often as met.
    pub opposition: f64,
    /// The likelihood of superiority over the next player of the list; `None` for the last, and where bounds are missing.
    pub superiority: Option<f64>,
}

/// Ratings, the highest first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RatingList {
    pub ratings: Vec<Rating>,
    /// What the white pieces are worth in Elo, if that was estimated.
    pub white_advantage: Option<Estimate>,
}

impl RatingList {
    /// The most likely ratings, if the expected score of a game is [`expected_score`] of the difference: every player's expected points are
    /// then those scored (Bradley and Terry's model, a draw counting as half a win and half a loss).
    ///
    /// Players without a finished game have no line. A [`Standing`] other than linked means that the results alone set no bound to a rating:
    /// such a player is given one virtual draw against the mean of the anchors, or of those who are linked, and the interval is open on the
    /// sides without bound.
    ///
    /// Intervals come from the Fisher information, times the dispersion that the results show with a game pair as one unit: draws narrow them
    /// and so do opposite results from the same opening.
    ///
    /// # Errors
    /// Without finished games, and for anchors that did not play or are no finite numbers.
    pub fn estimate(results: &Results, anchors: &Anchors) -> Result<RatingList, RatingError> {
        let active = results.without_idle_players();
        if active.games().is_empty() {
            return Err(RatingError::NoGames);
        }
        if active.players().len() > MAX_PLAYERS {
            return Err(RatingError::TooManyPlayers(active.players().len()));
        }
        let given = given_ratings(&active, anchors)?;
        let standings = links::standings(&active, &given);
        let model = Model::new(&active, &given, &standings, anchors.white_advantage);
        let fit = model.fit(&active.units());

        let mut ratings: Vec<Rating> = summaries(&active, &fit)
            .into_iter()
            .enumerate()
            .map(|(player, (score, opposition))| Rating {
                player,
                name: active.players()[player].clone(),
                elo: interval(
                    ELO * fit.ratings[player],
                    fit.error(model.parameter(player)),
                    standings[player],
                ),
                anchored: given[player].is_some(),
                standing: standings[player],
                score,
                opposition,
                superiority: None,
            })
            .collect();
        ratings.sort_by(|a, b| {
            b.elo
                .value
                .total_cmp(&a.elo.value)
                .then_with(|| a.name.cmp(&b.name))
        });
        compare_neighbours(&mut ratings, &model, &fit);
        for rating in &mut ratings {
            rating.player = results.index_of(&rating.name).unwrap_or(rating.player);
        }
        let white_advantage = fit.advantage.map(|advantage| {
            interval(
                ELO * advantage,
                fit.error(model.advantage_parameter()),
                Standing::Linked,
            )
        });
        Ok(RatingList {
            ratings,
            white_advantage,
        })
    }

    /// The line of a player.
    pub fn of(&self, name: &str) -> Option<&Rating> {
        self.ratings.iter().find(|rating| rating.name == name)
    }
}

/// The anchors by player, on the natural scale.
fn given_ratings(results: &Results, anchors: &Anchors) -> Result<Vec<Option<f64>>, RatingError> {
    let mut given = vec![None; results.players().len()];
    for (name, &rating) in &anchors.ratings {
        if !rating.is_finite() {
            return Err(RatingError::NotANumber { name: name.clone() });
        }
        let player = results.index_of(name).ok_or_else(|| RatingError::UnknownAnchor {
            name: name.clone(),
            known: results.players().join(", "),
        })?;
        given[player] = Some(rating / ELO);
    }
    Ok(given)
}

/// Score and mean rating of the opponents, in Elo, by player.
fn summaries(results: &Results, fit: &Fit) -> Vec<(MatchScore, f64)> {
    let mut sums = vec![(MatchScore::default(), 0.0); results.players().len()];
    for game in results.games() {
        let white = game.white_points();
        for (player, opponent, points) in [
            (game.white, game.black, white),
            (game.black, game.white, 1.0 - white),
        ] {
            sums[player].0.add_game(points);
            sums[player].1 += ELO * fit.ratings[opponent];
        }
    }
    sums.into_iter()
        .map(|(score, sum)| (score, sum / f64::from(score.games())))
        .collect()
}

/// The rating with its interval, open where there is no bound. `error` is a standard error on the natural scale.
fn interval(elo: f64, error: f64, standing: Standing) -> Estimate {
    let error = Z95 * ELO * error;
    let no_low = matches!(
        standing,
        Standing::NoLowerBound | Standing::NoBound | Standing::Unlinked
    );
    let no_high = matches!(
        standing,
        Standing::NoUpperBound | Standing::NoBound | Standing::Unlinked
    );
    Estimate {
        value: elo,
        low: if no_low { f64::NEG_INFINITY } else { elo - error },
        high: if no_high { f64::INFINITY } else { elo + error },
    }
}

/// Fills in how likely each player is stronger than the next.
fn compare_neighbours(ratings: &mut [Rating], model: &Model, fit: &Fit) {
    for index in 1..ratings.len() {
        let (upper, lower) = (&ratings[index - 1], &ratings[index]);
        let error = fit.error_of_difference(model.parameter(upper.player), model.parameter(lower.player));
        let linked = upper.standing == Standing::Linked && lower.standing == Standing::Linked;
        if linked && error > 0.0 {
            let ahead = (upper.elo.value - lower.elo.value) / ELO;
            ratings[index - 1].superiority = Some(elo::normal_probability(ahead / error));
        }
    }
}

/// The rating with which a player would have been expected to score exactly what was scored against opponents of known ratings; infinite
/// after nothing but wins or losses, `None` without games.
pub fn performance(results: &[(f64, MatchScore)]) -> Option<f64> {
    let total = results
        .iter()
        .fold(MatchScore::default(), |total, (_, score)| total + *score);
    let points = total.points();
    if total.games() == 0 {
        return None;
    }
    if points <= 0.0 || points >= f64::from(total.games()) {
        return Some(elo::elo_difference(points / f64::from(total.games())));
    }
    let surplus = |rating: f64| -> f64 {
        let expected = |(opponent, score): &(f64, MatchScore)| {
            f64::from(score.games()) * expected_score(rating - opponent)
        };
        results.iter().map(expected).sum::<f64>() - points
    };
    // Against one opponent of the least or the greatest of the ratings the performance would be no less or no greater.
    let difference = elo::elo_difference(points / f64::from(total.games()));
    let met = || {
        results
            .iter()
            .filter(|(_, score)| score.games() > 0)
            .map(|(rating, _)| rating + difference)
    };
    let (mut low, mut high) = (
        met().fold(f64::INFINITY, f64::min),
        met().fold(f64::NEG_INFINITY, f64::max),
    );
    while high - low > 1e-9 * high.abs().max(1.0) {
        let middle = low + (high - low) / 2.0;
        if surplus(middle) < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(low + (high - low) / 2.0)
}
