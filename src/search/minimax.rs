//! Plain Min-Max: every move of every position to a fixed depth, then quiescence. The paper's first
//! opponent, and the reference for tests of the other searches.
//!
//! The backend is also the search of Marcarelli, "Chess AI Project", 2010: four plies without
//! quiescence, and "on the second to last ply a pruning system prevents any move that is not better
//! than the current best move from being added to the game tree" ([`Pruning`]). The preset
//! [`Preset::Threats`] is his program.

use std::cmp::Reverse;

use chess::ChessMove;

use super::quiescence::ended;
use super::{
    Clock, Limits, LineKeeper, MAX_PLY, NodeCounter, Observer, Score, SearchReport, Searcher, Stop,
    Thought, Variation, quiescence,
};
use crate::choice;
use crate::eval::{Evaluator, evaluate_for_mover};
use crate::options;
use crate::rules::position::{Line, MoveList, Position, legal_moves};

choice! {
    /// The moves left out.
    Pruning {
        /// None.
        Off = "off",
        /// Last replies, once one of them shows the move before to be no better than an earlier
        /// one. This changes neither move nor value.
        Last = "last",
        /// Moves two plies before the end with a rating no better than an earlier one's. The reply
        /// may have told them apart, so the move played may change.
        Static = "static",
    }
}

choice! {
    /// A set of values for all options of the Min-Max backend.
    Preset {
        /// Their defaults.
        Plain = "plain",
        /// The program of Marcarelli 2010, together with the evaluation `threats`.
        Threats = "threats",
    }
}

impl Preset {
    /// The values of the preset.
    pub fn options(self) -> MinMaxOptions {
        match self {
            Preset::Plain => MinMaxOptions::default(),
            Preset::Threats => MinMaxOptions {
                depth: 4,
                quiescence: false,
                pruning: Pruning::Last,
            },
        }
    }
}

options! {
    /// Options of the Min-Max backend.
    pub struct MinMaxOptions {
        /// Depth of the Min-Max search in half-moves, quiescence not counted, if no other depth is
        /// asked for. The clock may end it earlier.
        depth: spin(3, 1, 20) = "MinMaxDepth",
        /// Plays out captures and promotions at the end of the Min-Max search. If off, the last
        /// position is valued as it stands.
        quiescence: check(true) = "MinMaxQuiescence",
        /// Moves left out by the Min-Max search: none (off), last replies that cannot matter any
        /// more (last), or, two half-moves before the end, moves rated no better than an earlier
        /// one before the reply is known (static).
        pruning: combo(Pruning::Off) = "MinMaxPruning",
    }
}

/// The Min-Max backend.
///
/// Iterative deepening, so there is a move whenever the clock ends the search.
#[derive(Clone, Debug)]
pub struct MiniMax<E> {
    evaluator: E,
    /// May be changed between searches.
    pub options: MinMaxOptions,
}

impl<E: Evaluator> MiniMax<E> {
    pub fn new(evaluator: E, options: MinMaxOptions) -> Self {
        MiniMax { evaluator, options }
    }
}

impl<E: Evaluator> Searcher for MiniMax<E> {
    fn search(
        &mut self,
        root: &Position,
        limits: &Limits,
        clock: &Clock,
        observer: &mut dyn Observer,
    ) -> SearchReport {
        let moves = limits.root_moves(root);
        let mut report = SearchReport::without_search(root, &moves);
        if moves.is_empty() {
            return report;
        }
        let mut walk = Walk {
            evaluator: &self.evaluator,
            options: &self.options,
            counter: NodeCounter::new(limits, clock),
            line: Line::new(root),
        };
        let deepest = MAX_PLY as u32 - 1;
        for depth in 1..=limits
            .depth_or(self.options.depth)
            .unwrap_or(deepest)
            .clamp(1, deepest)
        {
            let Ok(lines) = walk.root(&moves, depth, limits.lines) else {
                break;
            };
            for (rank, (score, variation)) in (1..).zip(lines).take(limits.lines.max(1)) {
                let thought = Thought {
                    rank,
                    depth,
                    score,
                    variation,
                    ..walk.counter.done_by_all()
                };
                observer.progress(&thought);
                if rank == 1 {
                    report = thought;
                }
            }
            if clock.should_stop(walk.counter.nodes()) {
                break;
            }
        }
        let Thought {
            nodes, table_hits, ..
        } = walk.counter.done();
        SearchReport {
            nodes,
            table_hits,
            ..report
        }
    }

    fn new_game(&mut self) {}

    fn set_memory(&mut self, _: usize) {}
}

struct Walk<'a, E> {
    evaluator: &'a E,
    options: &'a MinMaxOptions,
    counter: NodeCounter<'a>,
    line: Line,
}

impl<E: Evaluator> Walk<'_, E> {
    /// The best line, or one for each root move, the best first; equals as the moves are.
    fn root(
        &mut self,
        moves: &MoveList,
        depth: u32,
        lines: usize,
    ) -> Result<Vec<(Score, Variation)>, Stop> {
        self.line.truncate(0);
        self.counter.enter(0)?;
        if lines <= 1 {
            let mut variation = Variation::new();
            let score = self.best_of(moves, depth, Score::INFINITE, &mut variation)?;
            return Ok(vec![(score, variation)]);
        }
        let mut ranked = Vec::with_capacity(moves.len());
        for &mv in moves {
            let mut variation = Variation::new();
            let score = self.best_of(&[mv], depth, Score::INFINITE, &mut variation)?;
            ranked.push((score, variation));
        }
        ranked.sort_by_key(|&(score, _)| Reverse(score));
        Ok(ranked)
    }

    /// The value of the position at the end of the line, from its side to move; from `enough` on
    /// perhaps only a lower bound.
    fn value(
        &mut self,
        depth: u32,
        enough: Score,
        best_line: &mut Variation,
    ) -> Result<Score, Stop> {
        best_line.clear();
        let ply = self.line.ply();
        if self.line.is_draw() {
            return Ok(Score::DRAW);
        }
        let line = &self.line;
        if let Some(score) = self
            .counter
            .table_value(line.board(), line.halfmove_clock(), ply)
        {
            return Ok(score);
        }
        if depth == 0 || ply + 1 >= MAX_PLY {
            return self.last(ply, best_line);
        }
        let moves = legal_moves(self.line.board());
        if moves.is_empty() {
            return Ok(self.rating());
        }
        self.best_of(&moves, depth, enough, best_line)
    }

    /// The value of the last position.
    fn last(&mut self, ply: usize, best_line: &mut Variation) -> Result<Score, Stop> {
        if !self.options.quiescence {
            return Ok(self.rating());
        }
        quiescence(
            self.evaluator,
            &mut self.counter,
            self.line.board(),
            ply,
            -Score::INFINITE,
            Score::INFINITE,
            best_line,
        )
    }

    /// The static value of the position at the end of the line, from its side to move.
    fn rating(&self) -> Score {
        let board = self.line.board();
        ended(board, self.line.ply()).unwrap_or_else(|| evaluate_for_mover(self.evaluator, board))
    }

    fn best_of(
        &mut self,
        moves: &[ChessMove],
        depth: u32,
        enough: Score,
        best_line: &mut Variation,
    ) -> Result<Score, Stop> {
        let mut best = -Score::INFINITE;
        let mut best_rating = -Score::INFINITE;
        let mut left_out = MoveList::new();
        for &mv in moves {
            self.counter.enter(self.line.ply() + 1)?;
            self.line.make(mv);
            if self.is_added(depth, &mut best_rating) {
                self.improve(mv, depth, &mut best, best_line)?;
            } else {
                left_out.push(mv);
            }
            self.line.unmake();
            if best >= enough {
                break;
            }
        }
        // Who is mated has to be mated after every move.
        for mv in left_out {
            if !best.is_mated() {
                break;
            }
            self.line.make(mv);
            self.improve(mv, depth, &mut best, best_line)?;
            self.line.unmake();
        }
        Ok(best)
    }

    /// Values the position after the last move `mv` and keeps the better one.
    fn improve(
        &mut self,
        mv: ChessMove,
        depth: u32,
        best: &mut Score,
        best_line: &mut Variation,
    ) -> Result<(), Stop> {
        let mut child_line = Variation::new();
        // Of this value on, a last reply shows that the move before it is no better than the best
        // so far.
        let enough = match self.options.pruning {
            Pruning::Last if depth == 2 => -*best,
            _ => Score::INFINITE,
        };
        let score = -self.value(depth - 1, enough, &mut child_line)?;
        if score > *best {
            *best = score;
            best_line.lead_with(mv, &child_line);
        }
        Ok(())
    }

    /// Returns true if the move just made, `depth` half-moves before the end, is added to the tree.
    /// The pruning of Marcarelli's own later version (2016): a move stays if its rating, before any
    /// reply, is better than those of all moves generated before. (This alone would announce false
    /// mates: if all that stay are mated the others are tried, too, which is ours.)
    fn is_added(&self, depth: u32, best_rating: &mut Score) -> bool {
        if depth != 2 || self.options.pruning != Pruning::Static {
            return true;
        }
        let rating = if self.line.is_draw() {
            Score::DRAW
        } else {
            -self.rating()
        };
        let is_better = rating > *best_rating;
        *best_rating = rating.max(*best_rating);
        is_better
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Threats, Winglet};

    /// Move, value and nodes visited, to a depth.
    fn search<E: Evaluator>(
        evaluator: E,
        options: MinMaxOptions,
        root: &Position,
    ) -> (SearchReport, String) {
        let report = MiniMax::new(evaluator, options).search(
            root,
            &Limits::default(),
            &Clock::unlimited(),
            &mut (),
        );
        let best = report
            .best_move()
            .map(|mv| root.san(mv))
            .unwrap_or_default();
        (report, best)
    }

    fn options(depth: i64, quiescence: bool, pruning: Pruning) -> MinMaxOptions {
        MinMaxOptions {
            depth,
            quiescence,
            pruning,
        }
    }

    const POSITIONS: [&str; 5] = [
        "r2q1rk1/1b1nbppp/p2ppn2/1p6/3NPP2/1BN1B3/PPPQ2PP/R4RK1 w - - 0 12",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "7k/8/5K2/6Q1/8/8/8/8 b - - 0 1",
    ];

    #[test]
    fn the_last_reply_that_is_left_out_changes_nothing() {
        let mut nodes = [0; 2];
        for fen in POSITIONS {
            let root = Position::from_fen(fen).expect(fen);
            for (depth, quiescence) in [(1, true), (2, true), (2, false), (3, false)] {
                let all = search(
                    Threats::default(),
                    options(depth, quiescence, Pruning::Off),
                    &root,
                )
                .0;
                let few = search(
                    Threats::default(),
                    options(depth, quiescence, Pruning::Last),
                    &root,
                )
                .0;
                assert_eq!(
                    (all.score, &all.variation),
                    (few.score, &few.variation),
                    "{fen} {depth}"
                );
                nodes = [nodes[0] + all.nodes, nodes[1] + few.nodes];
            }
        }
        assert!(2 * nodes[1] < nodes[0], "{nodes:?}");
    }

    #[test]
    fn a_mate_is_one_after_all_replies() {
        // Qb3 threatens mate, and replies that are rated low prevent it.
        let fen = "1r1qkb1r/p1pnppp1/8/1p2N2p/3P4/3QP3/PP3PPP/R1B1K2R w KQk - 0 1";
        let root = Position::from_fen(fen).expect("a position");
        for depth in 2..=3 {
            let report = search(
                Threats::default(),
                options(depth, false, Pruning::Static),
                &root,
            )
            .0;
            assert!(!report.score.is_mate(), "{depth}: {}", report.score);
        }
    }

    #[test]
    fn without_quiescence_the_last_position_is_rated_as_it_stands() {
        // The queen takes a pawn that is defended.
        let root = Position::from_fen("5k2/5pp1/7p/8/8/7Q/5PPP/6K1 w - - 2 2").expect("a position");
        let (hasty, best) = search(Winglet::default(), options(1, false, Pruning::Off), &root);
        assert_eq!(best, "Qxh6");
        assert_eq!(hasty.nodes, 1 + root.legal_moves().len() as u64);
        let (_, best) = search(Winglet::default(), options(1, true, Pruning::Off), &root);
        assert_ne!(best, "Qxh6");
    }

    #[test]
    fn mates_and_stalemates_at_the_end_are_seen_without_quiescence() {
        let mate = Position::from_fen(POSITIONS[2]).expect("a position");
        for pruning in [Pruning::Off, Pruning::Last, Pruning::Static] {
            let (report, best) = search(Threats::default(), options(2, false, pruning), &mate);
            assert_eq!(
                (best.as_str(), report.score),
                ("Rd8#", Score::mate_in(1)),
                "{pruning:?}"
            );
        }
        let stalemate = Position::from_fen("7k/8/8/6Q1/8/8/8/K7 w - - 0 1").expect("a position");
        let mut evaluator = MiniMax::new(Threats::default(), options(1, false, Pruning::Off));
        let only = stalemate.parse_move("Qg6").expect("legal");
        let excluded = stalemate
            .legal_moves()
            .into_iter()
            .filter(|&mv| mv != only)
            .collect();
        let limits = Limits {
            excluded,
            ..Limits::default()
        };
        let report = evaluator.search(&stalemate, &limits, &Clock::unlimited(), &mut ());
        assert_eq!(report.score, Score::DRAW);
    }

    /// Two plies before the end the capture comes first and is rated best; nothing that looks worse
    /// before the reply is tried.
    #[test]
    fn moves_that_look_worse_before_the_reply_are_left_out() {
        let mut differs = 0;
        for fen in POSITIONS {
            let root = Position::from_fen(fen).expect(fen);
            let (all, _) = search(Threats::default(), options(3, false, Pruning::Off), &root);
            let (few, _) = search(
                Threats::default(),
                options(3, false, Pruning::Static),
                &root,
            );
            assert!(few.nodes < all.nodes, "{fen}: {} {}", few.nodes, all.nodes);
            differs += usize::from((all.score, all.variation) != (few.score, few.variation));
        }
        assert!(differs > 0);
    }
}
