//! What the page shows, as JSON. All values are from White's point of view.

use std::cmp::Reverse;

use chess::{ChessMove, Color};
use serde::Serialize;

use super::super::{Activity, level, name};
use super::{Seen, Web, locked, page_key};
use crate::engine::Settings;
use crate::options::OptionKind;
use crate::position::Position;
use crate::score::Score;
use crate::search::time_control::TimeControl;

/// Arrows on the board.
const ARROWS: usize = 3;

/// How things stand.
#[derive(Serialize)]
pub struct State {
    /// Left out where the page knows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<Game>,
    live: Live,
}

/// What changes with moves and commands only.
#[derive(Serialize)]
struct Game {
    version: u64,
    /// The position at the start and after each move.
    fens: Vec<String>,
    moves: Vec<Played>,
    /// What can be played now, as `e2e4`.
    legal: Vec<String>,
    /// The square of a king in check.
    check: Option<String>,
    turn: &'static str,
    /// The side that Kashan plays.
    kashan: Option<&'static str>,
    ending: Option<String>,
    /// An unfinished game is kept, and nothing was played yet.
    resumable: bool,
    level: String,
    preset: String,
    presets: Vec<&'static str>,
    /// What Kashan's rating is limited to, as text, or `max`.
    strength: String,
    said: Vec<String>,
}

#[derive(Serialize)]
struct Played {
    san: String,
    uci: String,
    /// What Kashan thought of its move: in centipawns, and in words.
    value: Option<(i32, String)>,
    /// There is a page that explains it.
    page: bool,
}

/// What changes all the time.
#[derive(Serialize)]
struct Live {
    thinks: bool,
    /// Milliseconds that White and Black have left, unless every move has its own time.
    clocks: Option<[u128; 2]>,
    search: Option<Search>,
}

/// The last search, whether it goes on or not.
#[derive(Serialize)]
struct Search {
    fen: String,
    value: String,
    depth: u32,
    line: String,
    nodes: u64,
    milliseconds: u128,
    genetic: Option<Genetic>,
    /// The first moves of the best branches, the best first.
    arrows: Vec<String>,
}

#[derive(Serialize)]
struct Genetic {
    generation: u64,
    crossovers: u64,
    mutations: u64,
    growths: u64,
    height: u32,
    population: usize,
    /// The most expensive first.
    efforts: Vec<Effort>,
    branches: Vec<Branch>,
}

/// What a root move has had.
#[derive(Serialize)]
struct Effort {
    san: String,
    uci: String,
    /// Percent of all positions.
    share: f64,
    value: String,
}

#[derive(Serialize)]
struct Branch {
    k: usize,
    fitness: usize,
    value: String,
    line: String,
    uci: String,
}

impl Web {
    /// How things stand; without the game if it still is the version that the page knows.
    pub(super) fn state(&self, known: u64) -> State {
        State { game: (known != self.version).then(|| self.game()), live: self.live() }
    }

    fn game(&self) -> Game {
        let console = &self.console;
        let (game, position) = (&console.engine.game, console.engine.position());
        let positions = || (0..=game.moves().len()).filter_map(|index| game.position_before(index));
        let pages = locked(&self.pages);
        let moves = game.moves().iter().zip(positions()).enumerate().map(|(index, (&mv, before))| Played {
            san: before.san(mv),
            uci: mv.to_string(),
            value: console.scores.get(&(index + 1)).map(|score| (score.0, score.to_string())),
            page: pages.contains_key(&page_key(before, mv)),
        });
        let board = position.board();
        let is_over = console.ending.is_some();
        let legal = if is_over { Default::default() } else { position.legal_moves() };
        let option = |name: &str| console.engine.settings().get(name);
        let preset = Settings::table().into_iter().find(|spec| spec.name == "Preset");
        Game {
            version: self.version,
            fens: positions().map(Position::to_fen).collect(),
            moves: moves.collect(),
            legal: legal.iter().map(ChessMove::to_string).collect(),
            check: (board.checkers().popcnt() > 0)
                .then(|| board.king_square(board.side_to_move()).to_string()),
            turn: name(position.side_to_move()),
            kashan: console.kashan.map(name),
            ending: console.ending.as_ref().map(|ending| format!("{}: {}", ending.reason, ending.result)),
            resumable: game.moves().is_empty()
                && console.keeper.as_ref().is_some_and(super::super::Keeper::has_unfinished_game),
            level: level::describe(console.clocks.control()),
            preset: option("Preset").unwrap_or_default(),
            presets: match preset.map(|spec| spec.kind) {
                Some(OptionKind::Combo { choices, .. }) => choices.to_vec(),
                _ => Vec::new(),
            },
            strength: console.engine.settings().limited_to().map_or("max".to_owned(), |elo| elo.to_string()),
            said: self.said.clone(),
        }
    }

    fn live(&self) -> Live {
        let console = &self.console;
        let is_fixed = matches!(console.clocks.control(), TimeControl::Fixed { .. });
        Live {
            thinks: console.activity != Activity::Idle,
            clocks: (!is_fixed)
                .then(|| [Color::White, Color::Black].map(|side| console.clocks.left(side).as_millis())),
            search: self.seen.as_ref().map(Search::of),
        }
    }
}

impl Search {
    fn of(seen: &Seen) -> Search {
        let Seen { root, thought, generation } = seen;
        let white = |score: Score| if root.side_to_move() == Color::White { score } else { -score };
        let value = |score: Option<Score>| score.map_or(String::new(), |score| white(score).to_string());
        let line = |moves: &[ChessMove]| root.san_line(moves).join(" ");
        let generation = generation.as_deref();
        let later = generation
            .filter(|generation| thought.as_ref().is_none_or(|thought| generation.nodes > thought.nodes));
        let (nodes, time) = match (later, thought) {
            (Some(generation), _) => (generation.nodes, generation.time),
            (None, Some(thought)) => (thought.nodes, thought.time),
            (None, None) => Default::default(),
        };
        let best = thought.as_ref().and_then(|thought| thought.variation.first().copied());
        let mut arrows: Vec<ChessMove> = best.into_iter().collect();
        let genetic = generation.map(|generation| {
            let mut moves = generation.root_moves.clone();
            moves.sort_by_key(|root_move| (best != Some(root_move.mv), Reverse(root_move.nodes)));
            let firsts = generation.branches.iter().filter_map(|branch| branch.line.first().copied());
            for mv in firsts.chain(moves.iter().map(|root_move| root_move.mv)) {
                if arrows.len() < ARROWS && !arrows.contains(&mv) {
                    arrows.push(mv);
                }
            }
            let all = moves.iter().map(|root_move| root_move.nodes).sum::<u64>().max(1) as f64;
            let efforts = moves.iter().map(|root_move| Effort {
                san: root.san(root_move.mv),
                uci: root_move.mv.to_string(),
                share: (1000.0 * root_move.nodes as f64 / all).round() / 10.0,
                value: value(root_move.value),
            });
            let branches = generation.branches.iter().map(|branch| Branch {
                k: branch.k,
                fitness: branch.fitness,
                value: value(Some(branch.value)),
                line: line(&branch.line),
                uci: branch.line.first().map_or(String::new(), ChessMove::to_string),
            });
            Genetic {
                generation: generation.number,
                crossovers: generation.births.crossovers,
                mutations: generation.births.mutations,
                growths: generation.births.growths,
                height: generation.height,
                population: generation.population,
                efforts: efforts.collect(),
                branches: branches.collect(),
            }
        });
        Search {
            fen: root.to_fen(),
            value: value(thought.as_ref().map(|thought| thought.score)),
            depth: thought.as_ref().map_or(0, |thought| thought.depth),
            line: thought.as_ref().map_or(String::new(), |thought| line(&thought.variation)),
            nodes,
            milliseconds: time.as_millis(),
            genetic,
            arrows: arrows.iter().map(ChessMove::to_string).collect(),
        }
    }
}
