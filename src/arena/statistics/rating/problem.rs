//! The computation of a rating list from results.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use anyhow::{Context as _, ensure};
use rayon::prelude::*;

use super::fit::{Meeting, Model};
use super::groups::{Group, groups, place_outer_sets};
use super::{Anchors, Comparison, ELO, Intervals, MOST_COMPARED, Rating, RatingList, Standing};
use crate::arena::statistics::elo::{self, Estimate, Z95};
use crate::arena::statistics::{MatchScore, Results};

/// The limit for the advantage of the white pieces (1,700 Elo): a larger number does not come from
/// results.
const MAX_ADVANTAGE: f64 = 10.0;

/// The results as the likelihood sees them. Coordinates are those of [`Model`]: the players, then
/// the player in the middle with whom the games of the prior are drawn, then the advantage of the
/// white pieces.
pub(super) struct Problem<'r> {
    results: &'r Results,
    /// The given coordinates; `None` for those to estimate.
    given: Vec<Option<f64>>,
    meetings: Vec<Meeting>,
    groups: Vec<Group>,
    /// The set of linked players of each player.
    set: Vec<usize>,
}

impl<'r> Problem<'r> {
    pub fn new(results: &'r Results, anchors: &Anchors) -> anyhow::Result<Problem<'r>> {
        let drawn = anchors.prior_games / 2.0;
        ensure!(
            (0.0..f64::INFINITY).contains(&drawn),
            "the prior is a number of games, 0 or more, not {}",
            anchors.prior_games
        );
        let players = results.players().len();
        let mut given = given_ratings(results, anchors)?;
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
        let everybody = players + usize::from(drawn > 0.0);
        let anchored: Vec<usize> = (0..everybody)
            .filter(|&player| given[player].is_some())
            .collect();
        let groups = groups(everybody, &meetings, &anchored);
        let mut set = vec![0; everybody];
        for (members, index) in groups.iter().flat_map(Group::sets).zip(0..) {
            members.iter().for_each(|&player| set[player] = index);
        }
        Ok(Problem {
            results,
            given,
            meetings,
            groups,
            set,
        })
    }

    /// The list, with intervals if they are wanted; players as `results` numbers them.
    pub fn solve(&self, intervals: Option<Intervals<'_>>) -> anyhow::Result<RatingList> {
        let (linked, ties): (Vec<Meeting>, Vec<Meeting>) = self
            .meetings
            .iter()
            .partition(|meeting| self.set[meeting.white] == self.set[meeting.black]);
        let white = self.given.len() - 1;
        ensure!(
            self.given[white].is_some() || self.tells_white_from_strength(&linked),
            "the games cannot tell the advantage of the white pieces from strength: that takes linked players who \
             had both colours"
        );
        let sets = self.groups.iter().flat_map(Group::sets).cloned();
        let model = Model::new(
            linked,
            self.given.iter().map(Option::is_some).collect(),
            sets,
        );
        let middle = self.given[white - 1];
        // From far away there is no slope to see.
        let mut start: Vec<f64> = self
            .given
            .iter()
            .map(|given| given.or(middle).unwrap_or_default())
            .collect();
        start[white] = 0.0;
        let mut at = model.maximum(start);
        ensure!(
            at[white].abs() <= MAX_ADVANTAGE,
            "the advantage of the white pieces has no bound: any greater one would explain the results better"
        );
        let weights = model.weights(&at);
        let error = ELO * self.dispersion(&model, &at).sqrt();
        let limits = place_outer_sets(&self.groups, &ties, &mut at);
        let lines = self.lines(&at);
        let few = intervals.and_then(|intervals| intervals.compared);
        let is_compared = |line: &Rating| few.is_some_and(|few| line.score.games() >= few);
        let compared: Vec<usize> = (0..lines.len())
            .filter(|&index| is_compared(&lines[index]))
            .collect();
        ensure!(
            compared.len() <= MOST_COMPARED,
            "{} players are too many to compare each with each, at most {MOST_COMPARED}: leave those with few games out",
            compared.len()
        );

        let player = |index: usize| lines[index.min(lines.len() - 1)].player;
        let with = |index: usize| {
            let all = if is_compared(&lines[index]) {
                &compared[..]
            } else {
                &[]
            };
            [index, index + 1]
                .into_iter()
                .chain(all.iter().copied())
                .map(player)
        };
        let covariances = match intervals {
            Some(Intervals { watch, .. }) => (0..lines.len())
                .into_par_iter()
                .map(|index| {
                    watch(lines.len());
                    model.covariances(&weights, player(index), with(index))
                })
                .collect(),
            None => vec![vec![f64::NAN; 2]; lines.len()],
        };
        let mut estimates = Estimates {
            lines,
            covariances,
            error,
        };
        for index in 0..estimates.lines.len() {
            let [low, high] = self.interval(&estimates, index, &limits);
            (
                estimates.lines[index].elo.low,
                estimates.lines[index].elo.high,
            ) = (low, high);
            if let Some(before) = index.checked_sub(1) {
                let chance =
                    estimates.superiority([before, index], estimates.covariances[before][1]);
                estimates.lines[before].superiority = chance;
            }
        }
        let white_advantage = self.given[white].is_none().then(|| {
            let variance = model.covariances(&weights, white, [white].into_iter())[0];
            Estimate::around(ELO * at[white], Z95 * error * variance.sqrt())
        });
        let comparison = few.map(|_| estimates.comparison(&compared));
        Ok(RatingList {
            ratings: estimates.lines,
            white_advantage,
            comparison,
        })
    }

    /// The ends of a line's interval; `limits` are those of players with a bound on one side.
    fn interval(&self, estimates: &Estimates, index: usize, limits: &[f64]) -> [f64; 2] {
        let line = &estimates.lines[index];
        let half = Z95 * estimates.error * estimates.covariances[index][0].sqrt();
        let (value, limit) = (line.elo.value, ELO * limits[line.player]);
        let is_alone = !line.anchored && self.groups[line.group - 1].core == [line.player];
        match line.standing {
            Standing::Linked if is_alone => [f64::NEG_INFINITY, f64::INFINITY],
            Standing::Linked => [value - half, value + half],
            Standing::NoUpperBound => [limit - half, f64::INFINITY],
            Standing::NoLowerBound => [f64::NEG_INFINITY, limit + half],
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
        let mut lines = Vec::with_capacity(players.len());
        for (group, number) in self.groups.iter().zip(1..) {
            let first = lines.len();
            for (player, standing) in group
                .members()
                .filter(|(player, _)| *player < players.len())
            {
                let (score, opposition) = sums[player];
                lines.push(Rating {
                    player,
                    name: players[player].clone(),
                    group: number,
                    elo: Estimate::around(ELO * at[player], 0.0),
                    anchored: self.given[player].is_some(),
                    standing,
                    score,
                    opposition: opposition / f64::from(score.games()),
                    superiority: None,
                });
            }
            lines[first..].sort_by(|a, b| {
                let by_rating = b.elo.value.total_cmp(&a.elo.value);
                by_rating.then_with(|| a.name.cmp(&b.name))
            });
        }
        lines
    }

    /// Returns true if games tell the advantage of the white pieces from the players' strength.
    /// They do not if strengths alone could explain the advantage: if everybody could have a number
    /// one above the number of everybody met with the white pieces, and all given ratings the same
    /// number.
    fn tells_white_from_strength(&self, linked: &[Meeting]) -> bool {
        let players = self.given.len() - 1;
        let mut met = vec![Vec::new(); players];
        for meeting in linked {
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

    /// The variation of linked players' results, in proportion to games without draws: squared
    /// surpluses of the units over the variances of their games, corrected for the parameters
    /// fitted (McCullagh and Nelder, "Generalized Linear Models", section 4.5; the units are its
    /// clusters). 1 if there are too few units to tell. The games of a prior are assumed to vary as
    /// games without draws do, and to determine their share of the parameters in the units' place.
    fn dispersion(&self, model: &Model, at: &[f64]) -> f64 {
        let (mut squares, mut variances, mut units) = (0.0, 0.0, 0.0);
        let mut largest = 0.0_f64;
        for unit in self.results.units() {
            let mut surplus = 0.0;
            let first = unit.first;
            if self.set[first.white] != self.set[first.black] {
                continue;
            }
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
        let of_prior = self
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

/// The lines, and how their errors hang together.
struct Estimates {
    lines: Vec<Rating>,
    /// The covariances of each line with itself, with the next, and with its compared lines.
    covariances: Vec<Vec<f64>>,
    /// Elo for a variance of 1.
    error: f64,
}

impl Estimates {
    /// The chance of the upper of two lines to be stronger than the lower.
    fn superiority(&self, [upper, lower]: [usize; 2], covariance: f64) -> Option<f64> {
        let variance = self.covariances[upper][0] + self.covariances[lower][0] - 2.0 * covariance;
        let [upper, lower] = [&self.lines[upper], &self.lines[lower]];
        let are_known = [upper, lower]
            .iter()
            .all(|line| line.standing == Standing::Linked);
        let ahead = upper.elo.value - lower.elo.value;
        (are_known && upper.group == lower.group && variance > 0.0)
            .then(|| elo::normal_probability(ahead / (self.error * variance.sqrt())))
    }

    /// These lines, each compared with each.
    fn comparison(&self, compared: &[usize]) -> Comparison {
        let row = |(row, &upper): (usize, &usize)| {
            let cell = |(column, &lower): (usize, &usize)| match row.cmp(&column) {
                Ordering::Less => {
                    self.superiority([upper, lower], self.covariances[upper][2 + column])
                }
                Ordering::Equal => None,
                // The same number for both, whatever the rounding.
                Ordering::Greater => {
                    let other = self.superiority([lower, upper], self.covariances[lower][2 + row]);
                    other.map(|chance| 1.0 - chance)
                }
            };
            compared.iter().enumerate().map(cell).collect()
        };
        Comparison {
            players: compared
                .iter()
                .map(|&index| self.lines[index].name.clone())
                .collect(),
            superiority: compared.iter().enumerate().map(row).collect(),
        }
    }
}

/// The anchors by player, on the natural scale.
fn given_ratings(results: &Results, anchors: &Anchors) -> anyhow::Result<Vec<Option<f64>>> {
    let mut given = vec![None; results.players().len()];
    for (name, &rating) in &anchors.ratings {
        ensure!(
            rating.is_finite(),
            "the rating of anchor '{name}' is no number"
        );
        let player = results.index_of(name).with_context(|| {
            let known = results.players().join(", ");
            format!("'{name}' cannot be an anchor: no such player; there are {known}")
        })?;
        given[player] = Some(rating / ELO);
    }
    Ok(given)
}
