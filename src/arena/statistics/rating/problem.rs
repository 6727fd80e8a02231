//! The computation of a rating list from results.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::fit::{Meeting, Model};
use super::{Anchors, ELO, Rating, RatingList};
use crate::arena::statistics::elo::{self, Estimate, Z95};
use crate::arena::statistics::{MatchScore, Results};

/// More players have no intervals: those of ten thousand take a minute.
const MOST_INTERVALS: usize = 5_000;

/// The results of linked players as the likelihood sees them. Coordinates are those of [`Model`].
pub(super) struct Problem<'r> {
    results: &'r Results,
    model: Model,
}

impl<'r> Problem<'r> {
    pub fn new(results: &'r Results, anchors: &Anchors) -> Problem<'r> {
        let drawn = anchors.prior_games / 2.0;
        let players = results.players().len();
        let rating_of = |name| anchors.ratings.get(name).map(|rating| rating / ELO);
        let mut given: Vec<Option<f64>> = results.players().iter().map(rating_of).collect();
        let known: Vec<f64> = given.iter().copied().flatten().collect();
        given.push(Some(known.iter().sum::<f64>() / known.len().max(1) as f64));

        let mut sums = BTreeMap::<(usize, usize), (f64, f64)>::new();
        for game in results.games() {
            let (games, points) = sums.entry((game.white, game.black)).or_default();
            *games += 1.0;
            *points += game.white_points;
        }
        if drawn > 0.0 {
            for player in 0..players {
                sums.insert((player, players), (drawn, drawn / 2.0));
                sums.insert((players, player), (drawn, drawn / 2.0));
            }
        }
        let mut meetings = Vec::new();
        for ((white, black), (games, points)) in sums {
            meetings.push(Meeting {
                white,
                black,
                games,
                points,
            });
        }
        let model = Model {
            meetings,
            given,
            is_floating: known.is_empty() && drawn == 0.0,
        };
        Problem { results, model }
    }

    /// The list of the players of `results`.
    pub fn solve(&self) -> RatingList {
        let model = &self.model;
        let middle = model.given[model.given.len() - 1].unwrap_or_default();
        // From far away there is no slope to see.
        let start = model.given.iter().map(|given| given.unwrap_or(middle));
        let at = model.maximum(start.collect());
        let weights = model.weights(&at);
        let error = ELO * self.dispersion(&at).sqrt();
        let mut lines = self.lines(&at);
        let covariances: Vec<[f64; 2]> = match lines.len() {
            ..=MOST_INTERVALS => (0..lines.len())
                .into_par_iter()
                .map(|index| {
                    let player = lines[index].player;
                    let next = lines.get(index + 1).unwrap_or(&lines[index]).player;
                    let row = model.covariances(&weights, player);
                    [row[player], row[next]]
                })
                .collect(),
            _ => vec![[f64::NAN; 2]; lines.len()],
        };
        for index in 0..lines.len() {
            let [variance, covariance] = covariances[index];
            let elo = lines[index].elo.value;
            lines[index].elo = Estimate::around(elo, Z95 * error * variance.sqrt());
            if let Some(next) = lines.get(index + 1) {
                let variance = variance + covariances[index + 1][0] - 2.0 * covariance;
                let ahead = elo - next.elo.value;
                lines[index].superiority = (variance > 0.0)
                    .then(|| elo::normal_probability(ahead / (error * variance.sqrt())));
            }
        }
        RatingList {
            ratings: lines,
            not_rated: Vec::new(),
        }
    }

    /// The lines in their order, without intervals.
    fn lines(&self, at: &[f64]) -> Vec<Rating> {
        let players = self.results.players();
        let mut sums = vec![(MatchScore::default(), 0.0); players.len()];
        for game in self.results.games() {
            for (player, opponent) in [(game.white, game.black), (game.black, game.white)] {
                sums[player].0.add_game(game.points_of(player));
                sums[player].1 += ELO * at[opponent];
            }
        }
        let line = |(player, (score, opposition)): (usize, (MatchScore, f64))| Rating {
            player,
            name: players[player].clone(),
            elo: Estimate::around(ELO * at[player], 0.0),
            anchored: self.model.given[player].is_some(),
            score,
            opposition: opposition / f64::from(score.games()),
            superiority: None,
        };
        let mut lines: Vec<Rating> = sums.into_iter().enumerate().map(line).collect();
        // Ratings that differ by rounding errors alone are equal.
        let rating = |line: &Rating| (line.elo.value * 1e6).round();
        lines.sort_by(|a, b| {
            let by_rating = rating(b).total_cmp(&rating(a));
            by_rating.then_with(|| a.name.cmp(&b.name))
        });
        lines
    }

    /// The variation of the results, in proportion to games without draws: squared
    /// surpluses of the units over the variances of their games, corrected for the parameters
    /// fitted (McCullagh and Nelder, "Generalized Linear Models", section 4.5; the units are its
    /// clusters). 1 if there are too few units to tell. The games of a prior are assumed to vary as
    /// games without draws do, and to determine their share of the parameters in the units' place.
    fn dispersion(&self, at: &[f64]) -> f64 {
        let model = &self.model;
        let mut squares = 0.0;
        let mut variances = 0.0;
        let mut units = 0.0;
        let mut largest = 0.0_f64;
        for unit in self.results.units() {
            let mut surplus = 0.0;
            let first = unit.first;
            for game in unit.games() {
                let expected = model.expected(at, game.white, game.black);
                // In a pair the colours change, the side that the surplus belongs to does not.
                let side = if game.white == first.white { 1.0 } else { -1.0 };
                surplus += side * (game.white_points - expected);
                variances += expected * (1.0 - expected);
            }
            squares += surplus * surplus;
            units += 1.0;
            largest = largest.max(unit.games().count() as f64);
        }
        if units == 0.0 {
            return 1.0;
        }
        // One unit more, half won and half lost: however alike a handful of results are, the next
        // may be of another kind.
        squares += largest * largest / 4.0;
        variances += largest / 4.0;
        units += 1.0;
        let middle = model.given.len() - 1;
        let mut prior = 0.0;
        for meeting in &model.meetings {
            if meeting.white == middle || meeting.black == middle {
                prior += model.information(meeting, at);
            }
        }
        let share = variances / (variances + prior);
        let free = units - share * model.parameters() as f64;
        // Less than one unit says nothing, however many there were before.
        let of_results = if free < 1.0 {
            1.0
        } else {
            squares / variances * units / free
        };
        share * of_results + (1.0 - share)
    }
}
