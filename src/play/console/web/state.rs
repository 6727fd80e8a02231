//! The state for the page, as JSON. All values are from White's point of view.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering::Relaxed;

use chess::{ChessMove, Color};
use serde_json::{Value, json};

use super::{Web, locked, page_key};
use crate::engine::{Running, Told};

use crate::play::console::{Activity, Ending, commands, name, notation};
use crate::rules::position::Position;
use crate::rules::score::Score;
use crate::search::time_control::TimeControl;
use crate::search::{Generation, LiveNode};

/// Moves of the root with less of all positions, in percent, are not shown.
const LEAST_PERCENT: f64 = 1.0;
/// The moves of a branch in the table.
const MOST_MOVES: usize = 10;

impl Web {
    /// Returns the state; without the game if the page knows its version already.
    pub(super) fn state(&mut self, known: u64) -> Value {
        self.is_asked();
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
        // The sides' moves of every position of an analysis, otherwise of the last one.
        let legal = |position: &Position| -> Vec<String> {
            let moves = position.legal_moves();
            moves.iter().map(ChessMove::to_string).collect()
        };
        let legal: Vec<Vec<String>> = match &self.analysis {
            Some(_) => self.positions().map(legal).collect(),
            None if console.ending.is_some() => vec![Vec::new()],
            None => vec![legal(position)],
        };
        let strength = match console.engine.settings().limited_to() {
            Some(elo) => elo.to_string(),
            None => "max".to_owned(),
        };
        json!({
            "version": self.version,
            // The position at the start and after each move.
            "fens": self.positions().map(Position::to_fen).collect::<Vec<_>>(),
            "moves": self.moves(),
            // What can be played, as `e2e4`: now, or in an analysis in each position.
            "legal": legal,
            // The square of a king in check, for each position.
            "checks": self.positions().map(check).collect::<Vec<_>>(),
            "turn": name(position.side_to_move()),
            // Both sides are moved by hand; and whether the board shows other moves than the game.
            "analysis": self.analysis.is_some(),
            "lines": self.lines,
            "at": self.analysis.as_ref().map(|analysis| analysis.ply),
            "varies": self.analysis.as_ref().is_some_and(|analysis| analysis.varies(game)),
            // The names of the players of a game that was loaded.
            "players": console.players,
            "hint": console.hinted.map(|mv| mv.to_string()),
            // The side that Kashan plays.
            "kashan": console.kashan.map(name),
            "ending": console.ending.as_ref().map(Ending::in_words),
            // An unfinished game is kept, and nothing was played yet.
               "resumable": game.moves().is_empty() && console.can_resume(),
            "level": notation::describe_level(console.clocks.control()),
            "preset": console.engine.settings().get("Preset"),
            "presets": commands::values("Preset"),
            // What Kashan's rating is limited to, as text.
               "strength": strength,
            "said": self.said,
            // What was found by a look back.
            "review": console.reviewed.as_ref().map(|told| self.review(told)),
            "comments": console.reviewed.as_ref().is_some_and(|told| !told.pgn.is_empty()),
        })
    }

    /// A look back at the game, for the page: of moves that are on the board.
    fn review(&self, told: &Told) -> Value {
        let mut moves = Vec::new();
        for judged in &told.judged {
            if judged.ply < self.common() && !judged.sign.is_empty() {
                moves.push(json!({
                 "ply": judged.ply,
                 "sign": judged.sign,
                 "loss": judged.loss.round(),
                 "text": judged.text,
                 "better": self.line_from(judged.ply, &judged.better),
                }));
            }
        }
        json!({
        "text": told.text,
        "moves": moves,
                 "accuracy": told.accuracy.map(|accuracy| accuracy.map(f64::round)),
                 "turning": told.turning_point,
                 "judge": told.judge,
                 "missing": told.missing,
             })
    }

    /// The half-moves on the board that are the game's.
    fn common(&self) -> usize {
        let game = &self.console.engine.game;
        match &self.analysis {
            Some(analysis) => analysis.common(game),
            None => game.moves().len(),
        }
    }

    /// Moves in standard algebraic notation from a position of the game, each with its squares and
    /// the position behind it.
    fn line_from(&self, ply: usize, line: &[String]) -> Vec<Value> {
        let mut moves = Vec::new();
        let Some(mut position) = self.console.engine.game.position_before(ply).cloned() else {
            return moves;
        };
        for san in line {
            let Ok(mv) = position.parse_move(san) else {
                break;
            };
            if position.play(mv).is_err() {
                break;
            }
            moves.push(json!({ "san": san, "uci": mv.to_string(), "fen": position.to_fen() }));
        }
        moves
    }

    fn positions(&self) -> impl Iterator<Item = &Position> {
        let game = &self.console.engine.game;
        (0..=game.moves().len()).filter_map(|index| game.position_before(index))
    }

    fn moves(&self) -> Vec<Value> {
        let pages = locked(&self.pages);
        let mut signs = BTreeMap::new();
        for judged in self.console.reviewed.iter().flat_map(|told| &told.judged) {
            if judged.ply < self.common() {
                signs.insert(judged.ply, judged.sign);
            }
        }
        let mut moves = Vec::new();
        for (&mv, before) in self
            .console
            .engine
            .game
            .moves()
            .iter()
            .zip(self.positions())
        {
            let index = moves.len();
            moves.push(json!({
    "san": before.san(mv),
    "uci": mv.to_string(),
    // What Kashan thought of its move, or a look back of any: White's chances, and the
    // score.
    "value": self.console.scores.get(&(index + 1)).map(|score| (score.winning_chances(), score.to_string())),
    "sign": signs.get(&index),
    // There is a page that explains it.
    "page": pages.contains_key(&page_key(before, mv)),
   }));
        }
        moves
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
            // The moves judged by a look back under way, in percent.
            "judged": console.progress.load(Relaxed),
            // Milliseconds that White and Black have left, unless every move has its own time.
            "clocks": (!is_fixed).then_some(clocks),
            "search": console.seen.as_ref().map(|seen| self.search(seen)),
        })
    }
    /// Returns the running or the last search.
    fn search(&self, seen: &Running) -> Value {
        let thought = seen.thought.as_ref();
        let generation = seen.generation.as_deref();
        let (time, nodes) = seen.spent(thought);
        let root = seen.root.to_fen();
        // What root moves have had: the move to play, then the most expensive first.
        let best = seen.best();
        let mut considered = Vec::new();
        for (root_move, percent) in seen.efforts() {
            if percent >= LEAST_PERCENT || best == Some(root_move.mv) {
                considered.push(json!({
                 "san": seen.root.san(root_move.mv),
                 "uci": root_move.mv.to_string(),
                 "share": percent.round(),
                 "value": value(seen, root_move.value),
                }));
            }
        }
        // Lines with other first moves, in an analysis with several.
        let mut others = Vec::new();
        for thought in seen.alternatives.values() {
            others.push((
                value(seen, Some(thought.score)),
                line(seen, &thought.variation),
            ));
        }
        // Among what the move was drawn, at a limited strength.
        let mut draw = Vec::new();
        for drawn in &seen.draw {
            draw.push(json!({
             "san": seen.root.san(drawn.mv),
             "value": value(seen, Some(drawn.score)),
             "percent": (100.0 * drawn.chance).round(),
            }));
        }
        json!({
                  "fen": root,
                  "value": value(seen, thought.map(|thought| thought.score)),
                  "chance": thought.map(|thought| of_white(seen, thought.score).winning_chances()),
                  "depth": thought.map_or(0, |thought| thought.depth),
                  "line": thought.map_or(String::new(), |thought| line(seen, &thought.variation)),
                     "others": others,
         "best": best.map(|mv| mv.to_string()),
                  "nodes": nodes,
                  "milliseconds": time.as_millis() as u64,
                     "considered": considered,
                  "genetic": generation.map(|generation| genetic(seen, generation)),
                  "changes": self.changes.to_json(&root),
                     "draw": draw,
        })
    }
}

fn genetic(seen: &Running, generation: &Generation) -> Value {
    let mut branches = Vec::new();
    for branch in &generation.branches {
        branches.push(json!({
         "k": branch.k,
         "fitness": branch.fitness,
         "value": value(seen, Some(branch.value)),
         "line": line(seen, &branch.line[..branch.line.len().min(MOST_MOVES)]),
        }));
    }
    json!({
        "generation": generation.number,
        "crossovers": generation.births.crossovers,
        "mutations": generation.births.mutations,
        "growths": generation.births.growths,
        "height": generation.height,
        "population": generation.population,
          "branches": branches,
        "tree": tree(seen, &generation.nodes_shown),
    })
}

/// The drawn part of the tree, the best branch first: index of the parent (-1 for the root), move,
/// squares, operator of birth, value, and whether it is on the best branch.
fn tree(seen: &Running, nodes: &[LiveNode]) -> Vec<Value> {
    let mut positions: Vec<Position> = Vec::new();
    let mut drawn = Vec::new();
    for node in nodes {
        let parent = node.parent.map_or(&seen.root, |parent| &positions[parent]);
        let mut position = parent.clone();
        let san = parent.san(node.mv);
        if position.play(node.mv).is_err() {
            break;
        }
        positions.push(position);
        drawn.push(json!([
            node.parent.map_or(-1, |parent| parent as i64),
            san,
            node.mv.to_string(),
            node.origin.name(),
            value(seen, node.value),
            node.is_best,
        ]));
    }
    drawn
}

/// Returns the square of a king in check.
fn check(position: &Position) -> Option<String> {
    let board = position.board();
    let king = board.king_square(board.side_to_move());
    (board.checkers().popcnt() > 0).then(|| king.to_string())
}

/// A score of the search from White's point of view.
fn of_white(seen: &Running, score: Score) -> Score {
    match seen.root.side_to_move() {
        Color::White => score,
        Color::Black => -score,
    }
}

/// A value from White's point of view; nothing if there is none.
fn value(seen: &Running, score: Option<Score>) -> String {
    score.map_or(String::new(), |score| of_white(seen, score).to_string())
}

fn line(seen: &Running, moves: &[ChessMove]) -> String {
    seen.root.san_line(moves).join(" ")
}
