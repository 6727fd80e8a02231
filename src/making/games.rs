//! Games in which something happens: self-play with some random moves at the beginning, between sides that
//! see more or less far.

use crate::book::Book;
use crate::engine::backend;
use crate::engine::settings::{Backend, Settings};
use crate::evaluation::Evaluation;
use crate::position::{Outcome, Position};
use crate::score::Score;
use crate::search::{Clock, Limits, Searcher};
use chess::{ChessMove, Color};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

/// Moves of the book and random ones are played only so long, in half-moves. Positions are taken after them.
pub const OPENING: usize = 12;
/// How often a move of the opening is a random one. More of them, and every second game is over at once.
const RANDOM: f64 = 0.15;
/// Longer games have nothing new, in half-moves.
const LONGEST: usize = 200;

/// How games are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// What the side that sees farther searches a move, in nodes. Which side that is, chance decides.
    pub strong: u64,
    /// What the other one searches.
    pub weak: u64,
    /// The game ends when somebody is so many centipawns ahead; if there is no number, it goes on to the
    /// mate.
    pub resign: Option<i32>,
}

/// A game.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// Before each move, from the start on.
    pub positions: Vec<Position>,
    /// Who mated with the last move.
    pub winner: Option<Color>,
}

/// Plays a game. The same seed gives the same game.
pub fn play(player: &mut Player, book: &Book, rules: Rules, seed: u64) -> PlayedGame {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let strong = match random.random_bool(0.5) {
        true => Color::White,
        false => Color::Black,
    };
    player.new_game();
    let mut positions = Vec::new();
    let mut position = Position::default();
    while positions.len() < LONGEST && position.outcome().is_none() {
        positions.push(position.clone());
        if positions.len() <= OPENING
            && let Some(mv) = opening_move(&position, book, seed, &mut random)
        {
            position = after(&position, mv);
            continue;
        }
        let nodes = match position.side_to_move() == strong {
            true => rules.strong,
            false => rules.weak,
        };
        let (mv, value) = player.search(&position, nodes);
        let is_over = rules.resign.is_some_and(|ahead| value.0.abs() >= ahead);
        match mv {
            Some(mv) if !is_over => position = after(&position, mv),
            _ => break,
        }
    }
    let winner = match position.outcome() {
        Some(Outcome::Checkmate { winner }) => Some(winner),
        _ => None,
    };
    PlayedGame { positions, winner }
}

/// A move of the book, or now and then a random one.
fn opening_move(
    position: &Position,
    book: &Book,
    seed: u64,
    random: &mut Xoshiro256PlusPlus,
) -> Option<ChessMove> {
    if random.random_bool(RANDOM) {
        let legal = position.legal_moves();
        return Some(legal[random.random_range(0..legal.len())]);
    }
    book.probe(position, seed)
}

fn after(position: &Position, mv: ChessMove) -> Position {
    let mut next = position.clone();
    next.play(mv).expect("book and search give legal moves");
    next
}

/// Our alpha-beta search in both its parts here: it plays both sides of games, and looks at positions, by
/// numbers of nodes.
pub struct Player {
    searcher: Box<dyn Searcher>,
}

impl Player {
    /// With a hash table of so many megabytes, which decides what is found as well.
    ///
    /// # Errors
    /// The table's size is none that the option takes.
    pub fn new(megabytes: u32) -> anyhow::Result<Player> {
        let mut settings = Settings::default();
        settings.set("Backend", Backend::AlphaBeta.into_str())?;
        // Whatever the default is: a seed makes the same positions for ever.
        settings.set("Evaluation", Evaluation::Paper.into_str())?;
        settings.set("Hash", &megabytes.to_string())?;
        Ok(Player { searcher: backend::build(&settings) })
    }

    /// Forgets everything.
    pub fn new_game(&mut self) {
        self.searcher.new_game();
    }

    /// The move, and its value from the side to move; no move if none is legal. What was learned before
    /// helps.
    pub fn search(&mut self, position: &Position, nodes: u64) -> (Option<ChessMove>, Score) {
        self.ask(position, nodes, None)
    }

    /// The same without anything learned before: the same position has the same answer.
    pub fn look(&mut self, position: &Position, nodes: u64) -> (Option<ChessMove>, Score) {
        self.new_game();
        self.ask(position, nodes, None)
    }

    /// The value of the best move besides `mv`, seen as by [`Player::look`].
    pub fn look_besides(&mut self, position: &Position, nodes: u64, mv: ChessMove) -> Score {
        self.new_game();
        self.ask(position, nodes, Some(mv)).1
    }

    fn ask(
        &mut self,
        position: &Position,
        nodes: u64,
        excluded: Option<ChessMove>,
    ) -> (Option<ChessMove>, Score) {
        let limits =
            Limits { nodes: Some(nodes), excluded: excluded.into_iter().collect(), ..Limits::default() };
        let report = self.searcher.search(position, &limits, &Clock::unlimited(), &mut ());
        (report.best_move(), report.score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TO_THE_MATE: Rules = Rules { strong: 2_000, weak: 50, resign: None };

    #[test]
    fn the_same_seed_plays_the_same_game() {
        let mut player = Player::new(2).expect("a player");
        let book = Book::built_in();
        let mut fens = |seed| -> Vec<String> {
            let game = play(&mut player, &book, TO_THE_MATE, seed);
            game.positions.iter().map(Position::to_fen).collect()
        };
        let one = fens(1);
        assert!(one.len() > OPENING, "{one:?}");
        assert_ne!(one, fens(2));
        assert_eq!(one, fens(1), "whatever was played between");
    }

    #[test]
    fn games_end_by_mate_or_when_one_is_far_ahead() {
        let mut player = Player::new(2).expect("a player");
        let book = Book::built_in();
        let mated = (1..20)
            .map(|seed| play(&mut player, &book, TO_THE_MATE, seed))
            .find(|game| game.winner.is_some())
            .expect("one of them ends by mate");
        let last = mated.positions.last().expect("moves");
        assert_eq!(Some(last.side_to_move()), mated.winner);
        let mates = |mv| {
            let mut after = last.clone();
            after.play(mv).expect("legal");
            matches!(after.outcome(), Some(Outcome::Checkmate { .. }))
        };
        assert!(last.legal_moves().into_iter().any(mates));
        let resigning = Rules { resign: Some(300), ..TO_THE_MATE };
        let shorter = play(&mut player, &book, resigning, 1);
        assert_eq!(shorter.winner, None);
    }
}
