//! The state for the page, as JSON. All values are from White's point of view.

use chess::{ChessMove, Color};
use serde_json::{Value, json};

use super::{Web, locked, page_key};
use crate::engine::Running;
use crate::play::console::keep::Keeper;
use crate::play::console::{Activity, commands, name, notation};
use crate::rules::position::Position;
use crate::rules::score::Score;
use crate::search::Generation;
use crate::search::time_control::TimeControl;

/// Arrows on the board.
const ARROWS: usize = 3;

impl Web {
    /// Returns the state; without the game if the page knows its version already.
    pub(super) fn state(&self, known: u64) -> Value {
        let mut state = json!({ "live": self.live() });
        if known != self.version {
            state["game"] = self.game();
        }
        state
    }

    /// Returns the state that changes with moves and commands only.
    fn game(&self) -> Value {
        let console = &self.console;
        let game = &console.engine.game;
        let position = console.engine.position();
        let board = position.board();
        let king = board.king_square(board.side_to_move());
        let is_over = console.ending.is_some();
        let legal = if is_over {
            Default::default()
        } else {
            position.legal_moves()
        };
        let is_kept = || {
            console
                .keeper
                .as_ref()
                .is_some_and(Keeper::has_unfinished_game)
        };
        let limit = console.engine.settings().limited_to();
        json!({
            "version": self.version,
            // The position at the start and after each move.
            "fens": self.positions().map(Position::to_fen).collect::<Vec<_>>(),
            "moves": self.moves(),
            // What can be played now, as `e2e4`.
            "legal": legal.iter().map(ChessMove::to_string).collect::<Vec<_>>(),
            // The square of a king in check.
            "check": (board.checkers().popcnt() > 0).then(|| king.to_string()),
            "turn": name(position.side_to_move()),
            // The side that Kashan plays.
            "kashan": console.kashan.map(name),
            "ending": console.ending.as_ref().map(|ending| format!("{}: {}", ending.reason, ending.result)),
            // An unfinished game is kept, and nothing was played yet.
            "resumable": game.moves().is_empty() && is_kept(),
            "level": notation::describe_level(console.clocks.control()),
            "preset": console.engine.settings().get("Preset"),
            "presets": commands::values("Preset"),
            // What Kashan's rating is limited to, as text.
            "strength": limit.map_or("max".to_owned(), |elo| elo.to_string()),
            "said": self.said,
            // Whether Stockfish can look back, and what was found by whoever did.
            "stockfish": self.has_stockfish,
            "review": console.reviewed.as_ref().map(|told| &told.text),
            "comments": console.reviewed.as_ref().is_some_and(|told| !told.pgn.is_empty()),
        })
    }

    fn positions(&self) -> impl Iterator<Item = &Position> {
        let game = &self.console.engine.game;
        (0..=game.moves().len()).filter_map(|index| game.position_before(index))
    }

    fn moves(&self) -> Vec<Value> {
        let pages = locked(&self.pages);
        let moves = self
            .console
            .engine
            .game
            .moves()
            .iter()
            .zip(self.positions())
            .enumerate();
        let move_of = |(index, (&mv, before)): (usize, (&ChessMove, &Position))| {
            json!({
                "san": before.san(mv),
                "uci": mv.to_string(),
                // What Kashan thought of its move, or a look back of any: in centipawns, and in
                // words.
                "value": self.console.scores.get(&(index + 1)).map(|score| (score.0, score.to_string())),
                // There is a page that explains it.
                "page": pages.contains_key(&page_key(before, mv)),
            })
        };
        moves.map(move_of).collect()
    }

    /// Returns the state that changes all the time.
    fn live(&self) -> Value {
        let console = &self.console;
        let is_fixed = matches!(console.clocks.control(), TimeControl::Fixed { .. });
        let clocks =
            [Color::White, Color::Black].map(|side| console.clocks.left(side).as_millis() as u64);
        json!({
            "thinks": console.activity != Activity::Idle,
            "reviews": console.activity == Activity::Review,
            // Milliseconds that White and Black have left, unless every move has its own time.
            "clocks": (!is_fixed).then_some(clocks),
            "search": console.seen.as_ref().map(search),
        })
    }
}

/// Returns the running or the last search.
fn search(seen: &Running) -> Value {
    let thought = seen.thought.as_ref();
    let generation = seen.generation.as_deref();
    let (time, nodes) = seen.spent(thought);
    // The first moves of the best branches, the best first.
    let mut arrows: Vec<String> = seen.best().iter().map(ChessMove::to_string).collect();
    let branches = generation.map_or(&[][..], |generation| &generation.branches);
    let firsts = branches
        .iter()
        .filter_map(|branch| branch.line.first().copied());
    for mv in firsts.chain(
        seen.efforts()
            .into_iter()
            .map(|(root_move, _)| root_move.mv),
    ) {
        if arrows.len() < ARROWS && !arrows.contains(&mv.to_string()) {
            arrows.push(mv.to_string());
        }
    }
    json!({
        "fen": seen.root.to_fen(),
        "value": value(seen, thought.map(|thought| thought.score)),
        "depth": thought.map_or(0, |thought| thought.depth),
        "line": thought.map_or(String::new(), |thought| line(seen, &thought.variation)),
        "nodes": nodes,
        "milliseconds": time.as_millis() as u64,
        "genetic": generation.map(|generation| genetic(seen, generation)),
        "arrows": arrows,
        // Among what the move was drawn, at a limited strength.
        "draw": seen.draw.iter().map(|drawn| json!({
            "san": seen.root.san(drawn.mv),
            "value": value(seen, Some(drawn.score)),
            "percent": (100.0 * drawn.chance).round(),
        })).collect::<Vec<_>>(),
    })
}

fn genetic(seen: &Running, generation: &Generation) -> Value {
    // What each root move has had, the most expensive first.
    let efforts = seen.efforts().into_iter().map(|(root_move, percent)| {
        json!({
            "san": seen.root.san(root_move.mv),
            "share": (10.0 * percent).round() / 10.0,
            "value": value(seen, root_move.value),
        })
    });
    let branches = generation.branches.iter().map(|branch| {
        json!({
            "k": branch.k,
            "fitness": branch.fitness,
            "value": value(seen, Some(branch.value)),
            "line": line(seen, &branch.line),
        })
    });
    json!({
        "generation": generation.number,
        "crossovers": generation.births.crossovers,
        "mutations": generation.births.mutations,
        "growths": generation.births.growths,
        "height": generation.height,
        "population": generation.population,
        "efforts": efforts.collect::<Vec<_>>(),
        "branches": branches.collect::<Vec<_>>(),
    })
}

/// A value from White's point of view; nothing if there is none.
fn value(seen: &Running, score: Option<Score>) -> String {
    let white = |score: Score| {
        if seen.root.side_to_move() == Color::White {
            score
        } else {
            -score
        }
    };
    score.map_or(String::new(), |score| white(score).to_string())
}

fn line(seen: &Running, moves: &[ChessMove]) -> String {
    seen.root.san_line(moves).join(" ")
}
