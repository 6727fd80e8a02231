//! Quiet middlegame positions, for the blunder check: no reference is asked.

use chess::EMPTY;

use super::criterion::wins_material;
use super::games::Player;
use super::{Recipe, board, collect, nth_seed};
use crate::book::Book;
use crate::position::Position;
use crate::score::Score;
use crate::suite::Phase;

/// Positions are taken before these moves, spread evenly.
const FIRST_MOVE: u32 = 15;
const LAST_MOVE: u32 = 30;
/// What each move of a game is searched.
const GAME_NODES: u64 = 4_000;
/// What a position is searched before it is called even.
const JUDGE_NODES: u64 = 50_000;
/// A position is even within this, in centipawns.
const EVEN: i32 = 100;
/// A game that gives no position is replaced, but not for ever.
const TRIES: u64 = 20;

/// A position of the set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quiet {
    pub fen: String,
    /// Of our own search, from the side to move.
    pub score: Score,
}

/// Makes a set: each position from a game of its own, which our alpha-beta search plays against itself after
/// moves of our book. `tell` hears of each position that was found.
///
/// A position is taken if it is a middlegame, the side to move is not in check, no capture or promotion of
/// its wins material by exchange evaluation, there is a choice of moves, and a longer search finds it even to
/// a pawn. Moves 15 to 30 and both colours take turns.
///
/// # Errors
/// No such position was found in many games.
pub fn make(recipe: Recipe, tell: &mut dyn FnMut(&Quiet)) -> anyhow::Result<Vec<Quiet>> {
    let mut player = Player::new(16)?;
    let book = Book::built_in();
    let mut set: Vec<Quiet> = Vec::new();
    for index in 0..recipe.count {
        let span = LAST_MOVE - FIRST_MOVE + 1;
        let from = 2 * (FIRST_MOVE + index * span / recipe.count.max(1)) + index % 2;
        let seeds = (0..TRIES).map(|try_number| nth_seed(recipe.seed, u64::from(index) * TRIES + try_number));
        let mut found = seeds.filter_map(|seed| game(&mut player, &book, seed, from));
        let quiet = found.find(|quiet| set.iter().all(|other| board(&other.fen) != board(&quiet.fen)));
        let quiet = quiet.ok_or_else(|| anyhow::anyhow!("no quiet position in {TRIES} games"))?;
        tell(&quiet);
        set.push(quiet);
    }
    Ok(set)
}

/// Plays a game and takes the first position that fits, from half-move `from` on (twice the move's number,
/// and 1 for Black's).
fn game(player: &mut Player, book: &Book, seed: u64, from: u32) -> Option<Quiet> {
    player.new_game();
    let mut position = Position::default();
    loop {
        let black = u32::from(position.side_to_move() == chess::Color::Black);
        let now = 2 * position.fullmove_number() + black;
        if position.outcome().is_some() || now > 2 * LAST_MOVE + 1 {
            return None;
        }
        if now >= from
            && (now - from).is_multiple_of(2)
            && looks_quiet(&position)
            && let Some(score) = even(player, &position)
        {
            let fen = position.to_fen();
            return Some(Quiet { fen, score });
        }
        let mv = match book.probe(&position, seed) {
            Some(mv) => mv,
            None => player.search(&position, GAME_NODES).0?,
        };
        position.play(mv).ok()?;
    }
}

/// Whether nothing hangs, as far as it can be seen without a search.
fn looks_quiet(position: &Position) -> bool {
    let board = position.board();
    *board.checkers() == EMPTY
        && position.legal_moves().len() > 1
        && Phase::of(&position.to_shakmaty()) == Phase::Middlegame
        && !wins_material(board)
}

/// The value of a position that is even. What the game's search learned does not decide: the same position
/// has the same value.
fn even(player: &mut Player, position: &Position) -> Option<Score> {
    let (_, score) = player.look(position, JUDGE_NODES);
    (score.0.abs() <= EVEN).then_some(score)
}

/// The set as EPD lines, with a head that says how it was made. Names count from 1: `quiet29.01`.
pub fn epd(set: &[Quiet], recipe: Recipe) -> String {
    let count = set.len();
    let version = env!("CARGO_PKG_VERSION");
    let mut text = format!(
        "# {count} quiet middlegame positions for the blunder check, made by Kashan {version}:\n\
         #     kashan positions make --count {count} --seed {seed}\n\
         # Each is from a game of its own, played by Kashan's alpha-beta search against itself ({GAME_NODES} nodes a move) after moves of its book.\n\
         # A middlegame between moves {FIRST_MOVE} and {LAST_MOVE}; the side to move is not in check, no capture or promotion wins material by \
         exchange\n\
         # evaluation, and {JUDGE_NODES} nodes find it even within {EVEN} centipawns (ce, from the side to move). No position is from anybody's games.\n",
        seed = recipe.seed,
    );
    for (index, quiet) in set.iter().enumerate() {
        let value = [("ce", quiet.score.0.to_string())];
        text.push_str(&collect::line(&quiet.fen, &value, &collect::id("quiet", index, count)));
    }
    text
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::suite::PositionList;

    #[test]
    fn the_same_seed_makes_the_same_set() {
        let recipe = |seed| Recipe { count: 2, seed };
        let make = |seed| make(recipe(seed), &mut |_| {}).expect("a set");
        let set = make(1);
        assert_eq!(set, make(1));
        assert_ne!(set, make(2));
        for quiet in &set {
            let position = Position::from_fen(&quiet.fen).expect("a position");
            assert!((FIRST_MOVE..=LAST_MOVE).contains(&position.fullmove_number()), "{}", quiet.fen);
            assert!(quiet.score.0.abs() <= EVEN);
        }
        let mut list = PositionList::default();
        list.add(Path::new("made.epd"), epd(&set, recipe(1)).as_bytes());
        assert!(list.malformed.is_empty(), "{:?}", list.malformed);
        let fens: Vec<&String> = list.positions.iter().map(|position| &position.fen).collect();
        assert_eq!(fens, set.iter().map(|quiet| &quiet.fen).collect::<Vec<_>>());
    }

    #[test]
    fn quiet_is_what_it_says() {
        let quiet = |fen: &str| looks_quiet(&Position::from_fen(fen).expect("a position"));
        let even = "r2q1rk1/ppp2ppp/3p4/8/8/3P4/PPP2PPP/R2Q1RK1 w - - 0 15";
        assert!(quiet(even));
        // A rook hangs; in check; an endgame; a pawn promotes.
        assert!(!quiet("3q1rk1/ppp2ppp/3p4/8/8/3P4/PPPr1PPP/R2Q1RK1 w - - 0 15"));
        assert!(!quiet("r2q1rk1/ppp2p1p/3p4/6q1/8/3P4/PPP2P1P/R2Q1RK1 w - - 0 15"));
        assert!(!quiet("r4rk1/ppp2ppp/3p4/8/8/3P4/PPP2PPP/R4RK1 w - - 0 15"));
        assert!(!quiet("r2q1rk1/pPp2ppp/3p4/8/8/3P4/P1P2PPP/R2Q1RK1 w - - 0 15"));
    }
}
