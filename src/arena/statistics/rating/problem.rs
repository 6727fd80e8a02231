//! The computation of a rating list from results.

use std::collections::BTreeMap;

use anyhow::ensure;
use rayon::prelude::*;

use super::fit::{Meeting, Model};
use super::{Anchors, ELO, Rating, RatingList};
use crate::arena::statistics::elo::{self, Estimate, Z95};
use crate::arena::statistics::{MatchScore, Results};

/// The limit for the advantage of the white pieces (1,700 Elo): a larger number does not come from
/// results.
const MAX_ADVANTAGE: f64 = 10.0;

/// More players have no intervals: those of ten thousand take a minute.
const MOST_INTERVALS: usize = 5_000;

/// The results of linked players as the likelihood sees them. Coordinates are those of [`Model`].
pub(super) struct Problem<'r> {
    results: &'r Results,
    /// The given coordinates; `None` for those to estimate.
    given: Vec<Option<f64>>,
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
        given.push((!anchors.white_advantage).then_some(0.0));

        let mut sums = BTreeMap::<(usize, usize), (f64, f64)>::new();
        for game in results.games() {
            let (games, points) = sums.entry((game.white, game.black)).or_default();
            *games += 1.0;
            *points += game.white_points();
        }
        if drawn > 0.0 {
            let colours = |player| [(player, players), (players, player)];
            sums.extend(
                (0..players)
                    .flat_map(colours)
                    .map(|colours| (colours, (drawn, drawn / 2.0))),
            );
        }
        let meetings: Vec<Meeting> = sums
            .into_iter()
            .map(|((white, black), (games, points))| Meeting {
                white,
                black,
                games,
                points,
            })
            .collect();
        let model = Model {
            meetings,
            given: given.iter().map(Option::is_some).collect(),
            is_floating: known.is_empty() && drawn == 0.0,
        };
        Problem {
            results,
            given,
            model,
        }
    }

    /// The list, with players as `results` numbers them.
    pub fn solve(&self) -> anyhow::Result<RatingList> {
        let white = self.given.len() - 1;
        ensure!(
            self.given[white].is_some() || self.tells_white_from_strength(),
            "the games cannot tell the advantage of the white pieces from strength: that takes linked players who \
             had both colours"
        );
        let model = &self.model;
        let middle = self.given[white - 1];
        // From far away there is no slope to see.
        let mut start: Vec<f64> = self
            .given
            .iter()
            .map(|given| given.or(middle).unwrap_or_default())
            .collect();
        start[white] = 0.0;
        let at = model.maximum(start);
        ensure!(
            at[white].abs() <= MAX_ADVANTAGE,
            "the advantage of the white pieces has no bound: any greater one would explain the results better"
        );
        let weights = model.weights(&at);
        let error = ELO * self.dispersion(&at).sqrt();
        let mut lines = self.lines(&at);
        let covariances: Vec<Vec<f64>> = match lines.len() {
            ..=MOST_INTERVALS => (0..lines.len())
                .into_par_iter()
                .map(|index| {
                    let next = lines.get(index + 1).unwrap_or(&lines[index]);
                    let with = [lines[index].player, next.player];
                    model.covariances(&weights, lines[index].player, with.into_iter())
                })
                .collect(),
            _ => vec![vec![f64::NAN; 2]; lines.len()],
        };
        for index in 0..lines.len() {
            let [variance, covariance] = [0, 1].map(|other| covariances[index][other]);
            let elo = lines[index].elo.value;
            lines[index].elo = Estimate::around(elo, Z95 * error * variance.sqrt());
            if let Some(next) = lines.get(index + 1) {
                let variance = variance + covariances[index + 1][0] - 2.0 * covariance;
                let ahead = elo - next.elo.value;
                lines[index].superiority = (variance > 0.0)
                    .then(|| elo::normal_probability(ahead / (error * variance.sqrt())));
            }
        }
        let white_advantage = self.given[white].is_none().then(|| {
            let variance = model.covariances(&weights, white, [white].into_iter())[0];
            Estimate::around(ELO * at[white], Z95 * error * variance.sqrt())
        });
        Ok(RatingList {
            ratings: lines,
            not_rated: Vec::new(),
            white_advantage,
        })
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
            anchored: self.given[player].is_some(),
            score,
            opposition: opposition / f64::from(score.games()),
            superiority: None,
        };
        let mut lines: Vec<Rating> = sums.into_iter().enumerate().map(line).collect();
        lines.sort_by(|a, b| {
            let by_rating = b.elo.value.total_cmp(&a.elo.value);
            by_rating.then_with(|| a.name.cmp(&b.name))
        });
        lines
    }

    /// Returns true if games tell the advantage of the white pieces from the players' strength.
    /// They do not if strengths alone could explain the advantage: if everybody could have a number
    /// one above the number of everybody met with the white pieces, and all given ratings the same
    /// number.
    fn tells_white_from_strength(&self) -> bool {
        let players = self.given.len() - 1;
        let mut met = vec![Vec::new(); players];
        for meeting in &self.model.meetings {
            met[meeting.white].push((meeting.black, -1));
            met[meeting.black].push((meeting.white, 1));
        }
        let mut numbers: Vec<Option<i64>> = self.given[..players]
            .iter()
            .map(|given| given.map(|_| 0))
            .collect();
        let given = (0..players).filter(|&player| self.given[player].is_some());
        let mut waiting: Vec<usize> = given.collect();
        for first in 0..players {
            // The first player, if others wait then, is reached from those met.
            if numbers[first].is_none() && waiting.is_empty() {
                numbers[first] = Some(0);
                waiting.push(first);
            }
            while let Some(player) = waiting.pop() {
                let number = numbers[player].unwrap_or_default();
                for &(opponent, step) in &met[player] {
                    match numbers[opponent] {
                        Some(known) if known != number + step => return true,
                        Some(_) => {}
                        None => {
                            numbers[opponent] = Some(number + step);
                            waiting.push(opponent);
                        }
                    }
                }
            }
        }
        false
    }

    /// The variation of the results, in proportion to games without draws: squared
    /// surpluses of the units over the variances of their games, corrected for the parameters
    /// fitted (McCullagh and Nelder, "Generalized Linear Models", section 4.5; the units are its
    /// clusters). 1 if there are too few units to tell. The games of a prior are assumed to vary as
    /// games without draws do, and to determine their share of the parameters in the units' place.
    fn dispersion(&self, at: &[f64]) -> f64 {
        let model = &self.model;
        let (mut squares, mut variances, mut units) = (0.0, 0.0, 0.0);
        let mut largest = 0.0_f64;
        for unit in self.results.units() {
            let mut surplus = 0.0;
            let first = unit.first;
            for game in unit.games() {
                let expected = model.expected(at, game.white, game.black);
                // In a pair the colours change, the side that the surplus belongs to does not.
                let side = if game.white == first.white { 1.0 } else { -1.0 };
                surplus += side * (game.white_points() - expected);
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
        let middle = self.given.len() - 2;
        let of_prior = model
            .meetings
            .iter()
            .filter(|meeting| [meeting.white, meeting.black].contains(&middle));
        let prior: f64 = of_prior.map(|meeting| model.information(meeting, at)).sum();
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
