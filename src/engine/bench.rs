//! The benchmark: a fixed amount of search whose node count is the same on every run and every
//! machine.
//!
//! Time is nodes at a fixed rate, so no clock is read, and the searches end where they would end in
//! a game: between generations or iterations, about when the soft deadline has passed. The node
//! count therefore changes whenever a search, its evaluation, its rules or its defaults change, and
//! with nothing else: it is the signature of a version.

use std::time::{Duration, Instant};

use crate::engine::backend;
use crate::engine::settings::Settings;
use crate::rules::position::{MoveError, Position};
use crate::search::clock::TimeSource;
use crate::search::time_control::Budget;
use crate::search::{Clock, Limits};

/// The positions for every backend: openings, middlegames and endgames, as moves from the start or
/// as FEN.
const POSITIONS: [&str; 12] = [
    "",
    "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4 Nbd7",
    "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 g6 Be3 Bg7 f3 O-O Qd2 Nc6 O-O-O d5",
    "d4 Nf6 c4 g6 Nc3 Bg7 e4 d6 Nf3 O-O Be2 e5 O-O Nc6 d5 Ne7 Ne1 Nd7 f3 f5",
    "d4 d5 c4 e6 Nc3 Nf6 Bg5 Be7 e3 O-O Nf3 Nbd7 Rc1 c6 Bd3 dxc4 Bxc4 Nd5",
    "e4 e6 d4 d5 Nc3 Bb4 e5 c5 a3 Bxc3+ bxc3 Ne7 Qg4 Qc7 Qxg7 Rg8 Qxh7 cxd4",
    "c4 e5 Nc3 Nf6 Nf3 Nc6 g3 Bb4 Bg2 O-O O-O e4 Ng5 Bxc3 bxc3 Re8 f3 exf3",
    // A rook on the seventh against an outside passed pawn.
    "3r2k1/R4ppp/1p2p3/1P6/4P3/5P2/r4KPP/3R4 w - - 0 31",
    // The paper's tactical problem (section 6.1), number 2 of BT2450.
    "6k1/2b2p1p/ppP3p1/4p3/PP1B4/5PP1/7P/7K w - - 0 1",
    // Queens and an open king.
    "5rk1/pp3p1p/3p2p1/2qPb3/2P1Q3/1P4P1/P4PBP/4R1K1 b - - 0 25",
    // A race of passed pawns.
    "8/1p3k2/p4p2/P1P2p1p/1P3P1P/2K5/8/8 w - - 0 40",
    // Bare but for a knight, a bishop and four pawns.
    "8/5pk1/4p1p1/4P3/3N1PK1/6P1/1b6/8 b - - 0 50",
];

/// A search to measure, with all options but these as they are by default.
struct BenchSearch {
    name: &'static str,
    options: &'static [(&'static str, &'static str)],
    /// Nodes visited before a search may stop, quiescence included.
    soft_nodes: u64,
}

/// Every backend with its default options, and the genetic search of the experiments.
const SEARCHES: [BenchSearch; 5] = [
    BenchSearch {
        name: "strong",
        options: &[("Backend", "genetic"), ("Preset", "strong")],
        soft_nodes: 200_000,
    },
    BenchSearch {
        name: "paper",
        options: &[("Preset", "paper"), ("Evaluation", "paper")],
        soft_nodes: 200_000,
    },
    BenchSearch {
        name: "alphabeta",
        options: &[("Backend", "alphabeta")],
        soft_nodes: 200_000,
    },
    BenchSearch {
        name: "minimax",
        options: &[("Backend", "minimax")],
        soft_nodes: 5_000,
    },
    BenchSearch {
        name: "action",
        options: &[("Backend", "action")],
        soft_nodes: 20_000,
    },
];

/// The number of searches.
pub const COUNT: usize = SEARCHES.len();

/// The figures of one search.
#[derive(Clone, Copy, Debug)]
pub struct BenchRow {
    /// A preset of the genetic search, or a backend.
    pub name: &'static str,
    /// Nodes visited.
    pub nodes: u64,
    /// New branches in the reservation tree; 0 but for the genetic search.
    pub branches: u64,
    /// Wall-clock time, the only field that differs from run to run.
    pub time: Duration,
}

impl BenchRow {
    /// `count` a second.
    pub fn per_second(&self, count: u64) -> f64 {
        count as f64 / self.time.as_secs_f64().max(1e-9)
    }
}

/// Searches all positions with each backend, with its default options and seed 1, and with the
/// search of the paper. Calls `observe` after each of the [`COUNT`] searches.
pub fn run(mut observe: impl FnMut()) -> Vec<BenchRow> {
    let mut rows = Vec::new();
    for search in &SEARCHES {
        rows.push(measure(search));
        observe();
    }
    rows
}

fn measure(
    &BenchSearch {
        name,
        options,
        soft_nodes,
    }: &BenchSearch,
) -> BenchRow {
    let mut settings = Settings::default();
    for (option, value) in options {
        settings
            .set(option, value)
            .expect("the benchmark's options have such values");
    }
    let mut searcher = backend::build(&settings);
    let mut row = BenchRow {
        name,
        nodes: 0,
        branches: 0,
        time: Duration::ZERO,
    };
    for text in POSITIONS {
        let root = position(text).expect("the benchmark's positions are legal");
        let budget = Budget {
            soft: Duration::from_secs(soft_nodes),
            hard: Duration::MAX,
        };
        let clock = Clock::start(TimeSource::Nodes { per_second: 1 }, Some(budget));
        searcher.new_game();
        let start = Instant::now();
        let report = searcher.search(&root, &Limits::default(), &clock, &mut ());
        row.time += start.elapsed();
        row.nodes += report.nodes;
        if let Some(remains) = searcher.remains() {
            row.branches += remains.history.statistics().branches;
        }
    }
    row
}

fn position(text: &str) -> Result<Position, MoveError> {
    if let Ok(position) = Position::from_fen(text) {
        return Ok(position);
    }
    let mut position = Position::default();
    for san in text.split_whitespace() {
        position.play(position.parse_move(san)?)?;
    }
    Ok(position)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_legal_and_not_over() {
        for text in POSITIONS {
            assert!(position(text).unwrap().outcome().is_none(), "{text}");
        }
    }
}
