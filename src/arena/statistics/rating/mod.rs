//! A rating list: the ratings with the best explanation of all results.

mod fit;
mod linked;
mod problem;
#[cfg(test)]
pub(super) mod tests;

use std::collections::BTreeMap;
use std::f64::consts::LN_10;

use anyhow::{Context as _, ensure};
use serde::Serialize;

use super::{Estimate, MatchScore, Results};
use linked::linked_players;
use problem::Problem;

/// Elo of one unit on the natural scale.
const ELO: f64 = 400.0 / LN_10;

/// Knowledge and assumptions given beforehand.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Anchors {
    /// Given ratings by name. Without any, the mean of the linked players is 0.
    pub ratings: BTreeMap<String, f64>,
    /// The number of games assumed drawn by everybody with a player in the middle: the mean of the
    /// given ratings, or 0. With any such games, all players are linked, and ratings from few games
    /// move towards the middle. 0 is plain maximum likelihood.
    pub prior_games: f64,
}

impl Anchors {
    /// The players with a given rating.
    ///
    /// # Errors
    /// A rating that is no number, or of a player who did not play.
    fn players(&self, results: &Results) -> anyhow::Result<Vec<usize>> {
        let player = |(name, rating): (&String, &f64)| {
            ensure!(
                rating.is_finite(),
                "the rating of anchor '{name}' is no number"
            );
            results.index_of(name).with_context(|| {
                let known = results.players().join(", ");
                format!("'{name}' cannot be an anchor: no such player; there are {known}")
            })
        };
        self.ratings.iter().map(player).collect()
    }
}

/// A line of the list.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// Index among the rated players.
    #[serde(skip)]
    player: usize,
    pub name: String,
    /// The rating in Elo. The interval is for the difference from the mean, or from the anchors; an
    /// anchor has none. In lists of more than 5,000 players its ends are no numbers.
    pub elo: Estimate,
    pub anchored: bool,
    /// The score of the games with other rated players.
    pub score: MatchScore,
    /// Mean rating of the opponents, each counted as often as met.
    pub opposition: f64,
    /// The likelihood of superiority over the next player; `None` for the last, and between
    /// anchors.
    pub superiority: Option<f64>,
}

/// Ratings, the highest first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RatingList {
    pub ratings: Vec<Rating>,
    /// The players without a rating: no chain of points taken and another of points given links
    /// them with the others.
    pub not_rated: Vec<String>,
}

impl RatingList {
    /// The most likely ratings, if the expected score of a game is
    /// [`expected_score`](super::expected_score) of the difference: every linked player's expected
    /// points in games with the linked are then those scored (Bradley and Terry's model, a draw
    /// counting as half a win and half a loss).
    ///
    /// Players without a finished game have no line. Players that are not linked by results are
    /// named without a rating, and have no influence on the others' ratings; with a prior all are
    /// linked.
    ///
    /// Intervals come from the Fisher information, times the dispersion of the results with a game
    /// pair as one unit: draws narrow them and so do opposite results from the same opening.
    ///
    /// # Errors
    /// Fails without finished games, for anchors without games or finite numbers, and for a prior
    /// below 0.
    pub fn estimate(results: &Results, anchors: &Anchors) -> anyhow::Result<RatingList> {
        let active = results.without_idle_players();
        ensure!(
            !active.games().is_empty(),
            "there are no finished games to rate"
        );
        ensure!(
            (0.0..f64::INFINITY).contains(&anchors.prior_games),
            "the prior is a number of games, 0 or more, not {}",
            anchors.prior_games
        );
        let anchored = anchors.players(&active)?;
        let linked = match anchors.prior_games {
            0.0 => linked_players(&active, &anchored),
            _ => (0..active.players().len()).collect(),
        };
        let rated = active.of_players(&linked);
        let mut list = Problem::new(&rated, anchors).solve();
        let is_not_rated = |name: &&String| rated.index_of(name).is_none();
        let not_rated = active.players().iter().filter(is_not_rated);
        list.not_rated = not_rated.cloned().collect();
        Ok(list)
    }

    /// The line of a player.
    pub fn of(&self, name: &str) -> Option<&Rating> {
        self.ratings.iter().find(|rating| rating.name == name)
    }
}
