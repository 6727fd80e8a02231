//! Who plays whom, and when.
//!
//! The unit is the game pair: two games between the same engines from the same opening with colours reversed.
//! Colours and openings therefore favour nobody, in whatever order pairs are played.

mod swiss;

use serde::{Deserialize, Serialize};

/// The kind of a tournament.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Two engines.
    Match,
    /// The first engines against all others, but not against each other.
    Gauntlet,
    /// Everybody against everybody.
    #[default]
    RoundRobin,
    /// In every round everybody plays somebody with about as many points, whom it has not met before.
    Swiss,
}

/// Two engines that play a game pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// From 1: in a round of a Swiss tournament everybody plays once, in a round of the others everybody
    /// meets all its opponents once.
    pub round: u32,
    /// Indices of engines. The first has White in the first game.
    pub engines: [usize; 2],
}

/// Points of the two engines of a pair from its two games together, in the order of [`Pairing::engines`].
pub type PairPoints = [f64; 2];

/// A plan of pairings. Of a Swiss tournament only the rounds before which everything was played are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    pub kind: Kind,
    /// Number of engines.
    pub engines: usize,
    /// How often each pairing is played, as a game pair; in a Swiss tournament the number of rounds.
    pub rounds: u32,
    /// In a gauntlet, how many engines run it; they come first.
    pub challengers: usize,
}

impl Schedule {
    /// Game pairs in the whole tournament.
    pub fn pairs(&self) -> usize {
        let each = match self.kind {
            Kind::Match | Kind::RoundRobin => self.engines * self.engines.saturating_sub(1) / 2,
            Kind::Gauntlet => self.challengers * self.engines.saturating_sub(self.challengers),
            Kind::Swiss => self.engines / 2,
        };
        each * self.rounds as usize
    }

    /// The pairings that follow `before`: all of them, or of a Swiss tournament the next round. None if there
    /// are no more.
    ///
    /// `points` has an entry for each pairing of `before`, which have all been played if the tournament is
    /// Swiss.
    pub fn next(&self, before: &[Pairing], points: &[PairPoints]) -> Vec<Pairing> {
        let once = match self.kind {
            Kind::Swiss if before.len() < self.pairs() => {
                return swiss::next_round(self.engines, before, points);
            }
            _ if !before.is_empty() || self.kind == Kind::Swiss => return Vec::new(),
            Kind::Match | Kind::RoundRobin => everybody(self.engines),
            _ => gauntlet(self.challengers, self.engines),
        };
        (1..=self.rounds)
            .flat_map(|round| once.iter().map(move |&engines| Pairing { round, engines }))
            .collect()
    }
}

/// Everybody against everybody, in an order in which everybody plays about equally often, by the circle
/// method (E. Lucas, *Récréations mathématiques* II, 1883): the first stays, the others go round it, and
/// those who sit opposite each other play. With an odd number one has a rest at a time.
fn everybody(engines: usize) -> Vec<[usize; 2]> {
    let seats = engines + engines % 2;
    let mut circle: Vec<usize> = (1..seats).collect();
    let mut pairs = Vec::with_capacity(engines * engines / 2);
    for _ in 1..seats {
        let place = |seat: usize| if seat == 0 { 0 } else { circle[seat - 1] };
        let opposite = (0..seats / 2)
            .map(|seat| [place(seat), place(seats - 1 - seat)])
            .filter(|pair| pair.iter().all(|&engine| engine < engines))
            .map(|[a, b]| [a.min(b), a.max(b)]);
        pairs.extend(opposite);
        circle.rotate_right(1);
    }
    pairs
}

/// Each engine of the others in turn against every challenger.
fn gauntlet(challengers: usize, engines: usize) -> Vec<[usize; 2]> {
    (challengers..engines)
        .flat_map(|other| (0..challengers).map(move |challenger| [challenger, other]))
        .collect()
}

#[cfg(test)]
mod tests;
