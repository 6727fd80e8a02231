//! A rating list: the ratings with the best explanation of all results.

mod fit;
mod groups;
mod problem;
#[cfg(test)]
pub(super) mod tests;

use std::collections::BTreeMap;
use std::f64::consts::LN_10;

use anyhow::ensure;
use serde::Serialize;

use super::{Estimate, MatchScore, Results};
use problem::Problem;

/// Elo of one unit on the natural scale.
const ELO: f64 = 400.0 / LN_10;

/// Knowledge and assumptions given beforehand.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Anchors {
    /// Given ratings by name. Without any, the mean of the linked players is 0.
    pub ratings: BTreeMap<String, f64>,
    /// True to estimate the advantage of the white pieces, the same for all, too. Otherwise the
    /// advantage is taken as none, without harm if colours are balanced.
    pub white_advantage: bool,
    /// The number of games assumed drawn by everybody with a player in the middle: the mean of the
    /// given ratings, or 0. With any such games, all players are linked, and ratings from few games
    /// move towards the middle. 0 is plain maximum likelihood.
    pub prior_games: f64,
}

/// The tie of a player's rating to those of the group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// Tied by a chain of points taken and another of points given: the rating is the most likely
    /// one.
    Linked,
    /// Neither the player nor those linked with the player lost a point to the rest: the rating has
    /// no upper bound. With the given value, these results would have come about half of the time.
    NoUpperBound,
    /// The opposite.
    NoLowerBound,
}

/// A line of the list.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// Index in [`Results::players`].
    #[serde(skip)]
    pub player: usize,
    pub name: String,
    /// The group, from 1: ratings of different groups cannot be compared, no chain of results leads
    /// from one to the other.
    pub group: usize,
    /// The rating in Elo. The interval is for the difference from the mean of the linked players,
    /// or from the anchors; an anchor has none. Exception: a player linked with nobody has value 0
    /// and an endless interval, for there is no difference to tell.
    pub elo: Estimate,
    pub anchored: bool,
    pub standing: Standing,
    pub score: MatchScore,
    /// Mean rating of the opponents, each counted as often as met.
    pub opposition: f64,
    /// The likelihood of superiority over the next player of the group; `None` for the last, and
    /// where bounds are missing.
    pub superiority: Option<f64>,
}

/// Ratings: the group with the anchors, or else the largest, first, and in each group the highest
/// first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RatingList {
    pub ratings: Vec<Rating>,
    /// The worth of the white pieces in Elo, if estimated.
    pub white_advantage: Option<Estimate>,
    /// Everybody compared with everybody, if asked for.
    pub comparison: Option<Comparison>,
}

/// The chance of each player to be stronger than each other one, from ratings, their errors, and
/// the correlation of these. Players without games against each other can be compared, too.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Comparison {
    /// The players in the order of the list.
    pub players: Vec<String>,
    /// A row for each player, a column for each opponent. `None` on the diagonal and where ratings
    /// cannot be compared: of different groups, without a bound, or both given.
    pub superiority: Vec<Vec<Option<f64>>>,
}

/// More players are not compared, each with each.
pub const MOST_COMPARED: usize = 1000;

/// The slow calculations besides the ratings.
#[derive(Clone, Copy)]
pub struct Intervals<'w> {
    /// Is called for every interval, from several threads, with the number of intervals there will
    /// be.
    pub watch: &'w (dyn Fn(usize) + Sync),
    /// The least number of games for being compared with everybody else; `None` for no comparison.
    pub compared: Option<u32>,
}

impl RatingList {
    /// [`RatingList::estimate_with`] intervals.
    pub fn estimate(results: &Results, anchors: &Anchors) -> anyhow::Result<RatingList> {
        let intervals = Intervals {
            watch: &|_| (),
            compared: None,
        };
        RatingList::estimate_with(results, anchors, Some(intervals))
    }

    /// The most likely ratings, if the expected score of a game is
    /// [`expected_score`](super::expected_score) of the difference: every linked player's expected
    /// points in games with the linked are then those scored (Bradley and Terry's model, a draw
    /// counting as half a win and half a loss).
    ///
    /// Players without a finished game have no line. Players not [linked](Standing) have no
    /// influence on the others' ratings.
    ///
    /// Intervals take much longer than ratings (ten thousand players: a minute), so they are only
    /// calculated if wanted; otherwise their ends are no numbers. They come from the Fisher
    /// information, times the dispersion of the results with a game pair as one unit: draws narrow
    /// them and so do opposite results from the same opening.
    ///
    /// # Errors
    /// Fails without finished games, for anchors without games or finite numbers, and for a prior
    /// below 0. Fails if White's advantage was asked for and White never lost or drew, or the games
    /// do not tell the advantage from strength. Fails if more than [`MOST_COMPARED`] players are to
    /// be compared.
    pub fn estimate_with(
        results: &Results,
        anchors: &Anchors,
        intervals: Option<Intervals<'_>>,
    ) -> anyhow::Result<RatingList> {
        let active = results.without_idle_players();
        ensure!(
            !active.games().is_empty(),
            "there are no finished games to rate"
        );
        let mut list = Problem::new(&active, anchors)?.solve(intervals)?;
        for rating in &mut list.ratings {
            rating.player = results.index_of(&rating.name).unwrap_or(rating.player);
        }
        Ok(list)
    }

    /// The lines of players with at least so many games. Players left out are compared with nobody.
    pub fn with_games(&self, games: u32) -> Vec<Rating> {
        let has_enough = |rating: &Rating| rating.score.games() >= games;
        let mut next = self.ratings.iter().skip(1);
        let lines = self.ratings.iter().cloned().map(|mut rating| {
            if !next.next().is_some_and(has_enough) {
                rating.superiority = None;
            }
            rating
        });
        lines.filter(has_enough).collect()
    }

    /// The line of a player.
    pub fn of(&self, name: &str) -> Option<&Rating> {
        self.ratings.iter().find(|rating| rating.name == name)
    }
}
