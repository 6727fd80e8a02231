//! The likelihood of ratings, and its maximum.
//!
//! All numbers here are on the natural scale: a rating is Elo times `ln 10 / 400`.

use super::matrix::{Factor, Inverse, Symmetric};
use super::{Results, Standing};
use crate::arena::statistics::results::{RatedGame, Unit};

/// What is to be found out: the ratings of the players without an anchor, and White's advantage if it is not taken as none.
pub(super) struct Model {
    /// The parameter that is a player's rating, or the anchor's rating.
    place: Vec<Place>,
    parameters: usize,
    advantage: Option<usize>,
    terms: Vec<Term>,
}

#[derive(Clone, Copy)]
enum Place {
    Parameter(usize),
    Known(f64),
}

/// Some games with the same two players and colours, or the virtual draw of a player whose results set no bound.
struct Term {
    /// The parameters that make the difference of strength, with their factors, and the known part of it.
    contrast: Vec<(usize, f64)>,
    known: f64,
    games: f64,
    points: f64,
}

impl Term {
    fn difference(&self, parameters: &[f64]) -> f64 {
        self.known
            + self
                .contrast
                .iter()
                .map(|&(index, factor)| factor * parameters[index])
                .sum::<f64>()
    }

    fn expected(&self, parameters: &[f64]) -> f64 {
        1.0 / (1.0 + (-self.difference(parameters)).exp())
    }
}

/// Games and points of the virtual draw that bounds what the results leave without bound.
const VIRTUAL_GAMES: f64 = 1.0;
const VIRTUAL_POINTS: f64 = 0.5;

/// The maximum.
pub(super) struct Fit {
    /// By player.
    pub ratings: Vec<f64>,
    pub advantage: Option<f64>,
    /// Covariances by parameter, for results as variable as single games without draws are.
    covariance: Option<Inverse>,
    /// What making the information invertible has added to the covariances of players.
    surplus: f64,
    advantage_parameter: Option<usize>,
    /// How much the results really vary, in proportion to that: draws make it less, dependent games more.
    dispersion: f64,
}

impl Fit {
    /// The standard error of a parameter; 0 for what is known.
    pub fn error(&self, parameter: Option<usize>) -> f64 {
        self.error_of_difference(parameter, None)
    }

    /// The standard error of the difference of two parameters, either of which may be known.
    pub fn error_of_difference(&self, first: Option<usize>, second: Option<usize>) -> f64 {
        let covariance = |a: Option<usize>, b: Option<usize>| match (a, b, &self.covariance) {
            (Some(a), Some(b), Some(covariance)) => {
                let players = a.max(b) < self.advantage_parameter.unwrap_or(usize::MAX);
                covariance.get(a, b) - if players { self.surplus } else { 0.0 }
            }
            _ => 0.0,
        };
        let variance =
            covariance(first, first) + covariance(second, second) - 2.0 * covariance(first, second);
        (variance.max(0.0) * self.dispersion).sqrt()
    }
}

impl Model {
    pub fn new(
        results: &Results,
        anchors: &[Option<f64>],
        standings: &[Standing],
        white_advantage: bool,
    ) -> Model {
        let mut parameters = 0;
        let mut next = || {
            parameters += 1;
            parameters - 1
        };
        let place: Vec<Place> = anchors
            .iter()
            .map(|anchor| anchor.map_or_else(|| Place::Parameter(next()), Place::Known))
            .collect();
        let advantage = white_advantage.then(&mut next);
        let mut model = Model {
            place,
            parameters,
            advantage,
            terms: Vec::new(),
        };
        model.add_games(results);
        model.add_virtual_draws(anchors, standings);
        model
    }

    fn add_games(&mut self, results: &Results) {
        let mut sums = std::collections::BTreeMap::<(usize, usize), (f64, f64)>::new();
        for game in results.games() {
            let (games, points) = sums.entry((game.white, game.black)).or_default();
            *games += 1.0;
            *points += game.white_points();
        }
        for ((white, black), (games, points)) in sums {
            let (contrast, known) = self.contrast(white, black);
            self.terms.push(Term {
                contrast,
                known,
                games,
                points,
            });
        }
    }

    /// White's strength less Black's.
    fn contrast(&self, white: usize, black: usize) -> (Vec<(usize, f64)>, f64) {
        let mut contrast = Vec::with_capacity(3);
        let mut known = 0.0;
        for (player, factor) in [(white, 1.0), (black, -1.0)] {
            match self.place[player] {
                Place::Parameter(index) => contrast.push((index, factor)),
                Place::Known(rating) => known += factor * rating,
            }
        }
        contrast.extend(self.advantage.map(|index| (index, 1.0)));
        (contrast, known)
    }

    /// One virtual draw for everyone who is not linked, against the mean of the anchors, or of those who are linked.
    fn add_virtual_draws(&mut self, anchors: &[Option<f64>], standings: &[Standing]) {
        let known: Vec<f64> = anchors.iter().copied().flatten().collect();
        let linked: Vec<usize> = (0..anchors.len())
            .filter(|&player| standings[player] == Standing::Linked)
            .filter_map(|player| self.parameter(player))
            .collect();
        for (player, standing) in standings.iter().enumerate() {
            let Some(own) = self.parameter(player).filter(|_| *standing != Standing::Linked) else {
                continue;
            };
            let mut contrast = vec![(own, 1.0)];
            let mut mean = 0.0;
            if known.is_empty() {
                contrast.extend(linked.iter().map(|&index| (index, -1.0 / linked.len() as f64)));
            } else {
                mean = known.iter().sum::<f64>() / known.len() as f64;
            }
            self.terms.push(Term {
                contrast,
                known: -mean,
                games: VIRTUAL_GAMES,
                points: VIRTUAL_POINTS,
            });
        }
    }

    /// The parameter that is a player's rating; `None` for an anchor.
    pub fn parameter(&self, player: usize) -> Option<usize> {
        match self.place[player] {
            Place::Parameter(index) => Some(index),
            Place::Known(_) => None,
        }
    }

    pub fn advantage_parameter(&self) -> Option<usize> {
        self.advantage
    }

    /// Whether only differences of ratings are determined. The mean of all is made 0 then.
    fn is_free(&self) -> bool {
        self.place
            .iter()
            .all(|place| matches!(place, Place::Parameter(_)))
    }

    fn ratings_of(&self, parameters: &[f64]) -> Vec<f64> {
        self.place
            .iter()
            .map(|place| match *place {
                Place::Parameter(index) => parameters[index],
                Place::Known(rating) => rating,
            })
            .collect()
    }

    /// The most likely parameters: Newton's method on a concave function, steps halved until they climb.
    pub fn fit(&self, units: &[Unit]) -> Fit {
        const ITERATIONS: usize = 100;
        // To find a factor is the expensive part: it serves for as long as the steps shrink fast.
        const SLOW: f64 = 0.25;
        const NEAR: f64 = 1e-3;
        const DONE: f64 = 1e-10;
        let mut parameters = self.start();
        let mut factor: Option<Factor> = None;
        let mut last = f64::INFINITY;
        for _ in 0..ITERATIONS {
            let kept = factor.take();
            let Some(current) = kept.or_else(|| self.information(&parameters).factor()) else {
                break;
            };
            let mut step = current.solve(&self.slope(&parameters));
            let before = self.log_likelihood(&parameters);
            let largest = step
                .iter()
                .fold(0.0, |largest: f64, part| largest.max(part.abs()));
            let climbed = (0..60).any(|_| {
                let there: Vec<f64> = parameters
                    .iter()
                    .zip(&step)
                    .map(|(parameter, step)| parameter + step)
                    .collect();
                // So near the top all steps lead there, and the height is the same but for rounding.
                let climbs = largest < NEAR || self.log_likelihood(&there) >= before;
                if climbs {
                    parameters = there;
                } else {
                    step.iter_mut().for_each(|part| *part /= 2.0);
                }
                climbs
            });
            if !climbed || largest < DONE {
                break;
            }
            factor = (largest < SLOW * last).then_some(current);
            last = largest;
        }
        let players = self.place.len() as f64;
        Fit {
            ratings: self.ratings_of(&parameters),
            advantage: self.advantage.map(|index| parameters[index]),
            covariance: self
                .information(&parameters)
                .factor()
                .map(|factor| factor.inverse()),
            // Without it, covariances are those of ratings about their mean.
            surplus: if self.is_free() {
                1.0 / (players * players)
            } else {
                0.0
            },
            advantage_parameter: self.advantage,
            dispersion: self.dispersion(&parameters, units),
        }
    }

    /// Everybody at the mean of the anchors: from far away there is no slope to see.
    fn start(&self) -> Vec<f64> {
        let known = || {
            self.place.iter().filter_map(|place| match *place {
                Place::Known(rating) => Some(rating),
                Place::Parameter(_) => None,
            })
        };
        let mean = known().sum::<f64>() / known().count().max(1) as f64;
        let mut parameters = vec![mean; self.parameters];
        if let Some(advantage) = self.advantage {
            parameters[advantage] = 0.0;
        }
        parameters
    }

    fn log_likelihood(&self, parameters: &[f64]) -> f64 {
        // ln E = -ln(1 + e^-d), in a form that neither overflows nor loses digits.
        let ln_expected = |difference: f64| -((-difference.abs()).exp().ln_1p() + (-difference).max(0.0));
        self.terms
            .iter()
            .map(|term| {
                let difference = term.difference(parameters);
                term.points * ln_expected(difference) + (term.games - term.points) * ln_expected(-difference)
            })
            .sum()
    }

    fn slope(&self, parameters: &[f64]) -> Vec<f64> {
        let mut slope = vec![0.0; self.parameters];
        for term in &self.terms {
            let surplus = term.points - term.games * term.expected(parameters);
            for &(index, factor) in &term.contrast {
                slope[index] += factor * surplus;
            }
        }
        slope
    }

    /// The Fisher information, made invertible where only differences are determined.
    fn information(&self, parameters: &[f64]) -> Symmetric {
        let mut information = Symmetric::zero(self.parameters);
        for term in &self.terms {
            let expected = term.expected(parameters);
            information.add_square(&term.contrast, term.games * expected * (1.0 - expected));
        }
        if self.is_free() {
            information.add_square(&self.everybody(), 1.0);
        }
        information
    }

    fn everybody(&self) -> Vec<(usize, f64)> {
        (0..self.place.len())
            .filter_map(|player| self.parameter(player))
            .map(|index| (index, 1.0))
            .collect()
    }

    /// Squared surpluses of the units over the variances of their games, corrected for the parameters fitted (McCullagh and Nelder,
    /// "Generalized Linear Models", section 4.5; the units are its clusters). 1 where there are too few units to tell.
    fn dispersion(&self, parameters: &[f64], units: &[Unit]) -> f64 {
        let free = self.parameters - usize::from(self.is_free());
        if units.len() <= free {
            return 1.0;
        }
        let ratings = self.ratings_of(parameters);
        let advantage = self.advantage.map_or(0.0, |index| parameters[index]);
        let expected =
            |game: &RatedGame| 1.0 / (1.0 + (ratings[game.black] - ratings[game.white] - advantage).exp());
        let (mut squares, mut variances) = (0.0, 0.0);
        for unit in units {
            let mut surplus = 0.0;
            let mut first_white = None;
            for game in unit.games() {
                let expected = expected(&game);
                // In a pair the colours change, the side that the surplus belongs to does not.
                let side = if *first_white.get_or_insert(game.white) == game.white {
                    1.0
                } else {
                    -1.0
                };
                surplus += side * (game.white_points() - expected);
                variances += expected * (1.0 - expected);
            }
            squares += surplus * surplus;
        }
        let units = units.len() as f64;
        let dispersion = squares / variances * units / (units - free as f64);
        // Even if every result was as expected, the next one may not be.
        dispersion.max(1.0 / units)
    }
}
