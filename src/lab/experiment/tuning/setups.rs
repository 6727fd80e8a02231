//! The evolutions to compare for the claims: their names in tables, their setups, and the mark of a
//! claim that the first is better.

use super::runs::Setup;
use crate::lab::tuning::{Evolution, Involved, Mutation};

/// A name, an evolution, and true if the first of the list is claimed to be better.
pub type Variation = (&'static str, Setup, bool);

impl Setup {
    /// Returns the setup with a change in the evolution.
    fn evolving(&self, change: impl FnOnce(&mut Evolution)) -> Setup {
        let mut setup = self.clone();
        change(&mut setup.evolution);
        setup
    }

    fn mutating(&self, mutation: Mutation) -> Setup {
        self.evolving(|evolution| evolution.mutation = mutation)
    }

    fn involving(&self, involved: Involved) -> Setup {
        self.evolving(|evolution| evolution.involved = involved)
    }

    pub(super) fn with_players(&self, players: usize) -> Setup {
        self.evolving(|evolution| evolution.players = players)
    }

    fn with_problems(&self, problems: usize) -> Setup {
        Setup {
            problems,
            ..self.clone()
        }
    }

    /// Takes all problems except the held-out ones, at the most; numP is even.
    pub(super) fn with_most_problems(&self) -> Setup {
        self.with_problems((self.problems * 5 / 3).min(160).next_multiple_of(2))
    }

    /// A third of the problems.
    pub(super) fn with_fewest_problems(&self) -> Setup {
        self.with_problems((self.problems / 3).max(1).next_multiple_of(2))
    }

    /// Returns the setup with as many generations as make about as many searches of all problems as
    /// another setup.
    pub(super) fn searching_as(&self, other: &Setup) -> Setup {
        let players = self.evolution.players;
        let searches = other.most_searches() * other.problems / self.problems;
        let generations = 1 + searches.saturating_sub(players) * 2 / players;
        self.evolving(|evolution| evolution.generations = generations.max(1) as u32)
    }
}

/// T4: Gaussian against Michalewicz's mutation.
pub fn mutations(paper: &Setup) -> Vec<Variation> {
    vec![
        ("Gaussian", paper.clone(), false),
        ("Michalewicz", paper.mutating(Mutation::Michalewicz), true),
    ]
}

/// T5: how many players.
pub fn players(paper: &Setup) -> Vec<Variation> {
    let with = |players| paper.with_players(players).searching_as(paper);
    vec![
        ("22 players", with(22), false),
        ("8 players", with(8), true),
        ("14 players", with(14), true),
        ("36 players", with(36), true),
        ("50 players", with(50), true),
    ]
}

/// T6: how many problems.
pub fn problems(paper: &Setup) -> Vec<Variation> {
    let most = paper.with_most_problems();
    let fewest = paper.with_fewest_problems();
    vec![
        ("most problems", most.clone(), false),
        ("fewer problems", paper.clone(), false),
        ("fewest problems", fewest.clone(), true),
        (
            "most problems, equal searches",
            most.searching_as(paper),
            false,
        ),
        (
            "fewest problems, equal searches",
            fewest.searching_as(paper),
            false,
        ),
    ]
}

/// T7: mutation of the involved weights alone.
pub fn involved(paper: &Setup) -> Vec<Variation> {
    vec![
        ("involved", paper.clone(), false),
        ("all", paper.involving(Involved::All), true),
        ("present", paper.involving(Involved::Present), false),
    ]
}

/// T8: positional problems beside tactical ones. One kind has 80 problems to learn from.
pub fn kinds(paper: &Setup) -> Vec<Variation> {
    let both = paper.with_problems(paper.problems.min(80));
    vec![
        ("both", both.clone(), false),
        (
            "tactical",
            Setup {
                positional: false,
                ..both.clone()
            },
            true,
        ),
        (
            "positional",
            Setup {
                tactical: false,
                ..both
            },
            false,
        ),
    ]
}

/// T9: an adaptive sigma.
pub fn sigmas(paper: &Setup) -> Vec<Variation> {
    vec![
        ("adapted", paper.clone(), false),
        ("constant", paper.mutating(Mutation::Constant), true),
    ]
}

/// T11: mutation to the letter.
pub fn letter(paper: &Setup) -> Setup {
    paper.evolving(|evolution| {
        *evolution = Evolution {
            players: evolution.players,
            generations: evolution.generations,
            ..Evolution::letter()
        }
    })
}
