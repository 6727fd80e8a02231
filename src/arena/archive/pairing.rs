//! Which games are pairs: the same opening, colours reversed.

use std::collections::{BTreeMap, VecDeque};

use super::played::PlayedGame;

/// Finds pairs among the games of a file.
///
/// A game is the second of a pair if an earlier one of the same two players and the same event, colours
/// reversed, began in the same position and
///
/// * their rounds are `7.1` and `7.2`, or
/// * their rounds are equal or neighbours (or have no numbers), and the position is set up or the first four
///   half-moves are the same.
///
/// Of several the one with the most moves in common is taken. Two games of different pairs that are taken for
/// one change no estimate, only its error, and that hardly.
pub(super) struct Pairing {
    used: u32,
    waiting: BTreeMap<(String, String, String), VecDeque<Waiting>>,
}

struct Waiting {
    number: u32,
    round: Round,
    game: PlayedGame,
}

/// The `Round` tag: `7`, or `7.2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Round {
    main: Option<u32>,
    part: Option<u32>,
}

/// Half-moves that two games have in common by more than chance.
const COMMON_PLIES: usize = 4;
/// Games that go on at the same time end in another order than they began; no runner plays more at once.
const MEMORY: usize = 256;

impl Pairing {
    /// For a file whose pairs have numbers from `used` on.
    pub fn new(used: u32) -> Pairing {
        Pairing { used, waiting: BTreeMap::new() }
    }

    /// How many numbers have been given away, those before this file included.
    pub fn used(&self) -> u32 {
        self.used
    }

    /// The number of the game's pair: that of an earlier game, or a new one.
    pub fn number(&mut self, game: &PlayedGame) -> u32 {
        let round = Round::read(&game.round);
        let reversed = (game.event.clone(), game.black.clone(), game.white.clone());
        if let Some(others) = self.waiting.get_mut(&reversed) {
            let best = (0..others.len())
                .filter_map(|index| Some((likeness(&others[index], round, game)?, index)))
                // The later of equals: it is nearer.
                .max();
            if let Some(first) = best.and_then(|(_, index)| others.remove(index)) {
                return first.number;
            }
        }
        self.used += 1;
        let waiting =
            self.waiting.entry((game.event.clone(), game.white.clone(), game.black.clone())).or_default();
        waiting.push_back(Waiting { number: self.used, round, game: game.clone() });
        if waiting.len() > MEMORY {
            waiting.pop_front();
        }
        self.used
    }
}

/// How much two games look like a pair; `None` if they do not.
fn likeness(first: &Waiting, round: Round, game: &PlayedGame) -> Option<usize> {
    if first.game.fen != game.fen {
        return None;
    }
    let common = first.game.opening.iter().zip(&game.opening).take_while(|(a, b)| a == b).count();
    if first.round.is_other_half_of(round) {
        // Better than any number of moves.
        return Some(usize::MAX);
    }
    let same_opening = game.fen.is_some() || common >= COMMON_PLIES;
    (same_opening && first.round.is_near(round)).then_some(common)
}

impl Round {
    fn read(text: &str) -> Round {
        let mut parts = text.split('.').map(|part| part.trim().parse().ok());
        Round { main: parts.next().flatten(), part: parts.next().flatten() }
    }

    fn is_other_half_of(self, other: Round) -> bool {
        self.main.is_some()
            && self.main == other.main
            && matches!((self.part, other.part), (Some(1), Some(2)) | (Some(2), Some(1)))
    }

    fn is_near(self, other: Round) -> bool {
        match (self.main, other.main) {
            // Parts that are not 1 and 2 are boards of a round, or games.
            (Some(a), Some(b)) => a.abs_diff(b) <= 1,
            _ => true,
        }
    }
}
