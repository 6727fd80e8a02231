//! The state of a search, and the facts of a node before its moves.

use chess::{ChessMove, Piece};

use super::history::{Arrival, CorrectionEntries, History, bonus_of_gain};
use super::table::{Entry, Table};
use super::window::Window;
use super::{AlphaBetaOptions, WorkerMemory};
use crate::eval::{Evaluator, evaluate_for_mover};
use crate::rules::position::{Line, Position};
use crate::search::{Bound, LineKeeper, MAX_PLY, NodeCounter, Quiescence, Score, Stop};

/// The number of half-moves without a capture or pawn move from which values are taken to depend on
/// the rest. (Deep searches may depend on it before.)
pub(super) const NEAR_FIFTY_MOVES: u32 = 90;

/// Spreads a small number over all bits of a key (2^64 by the golden ratio).
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// Everything one search works with.
pub(super) struct Worker<'a, E> {
    pub evaluator: &'a E,
    pub options: &'a AlphaBetaOptions,
    pub table: Table<'a>,
    pub history: &'a mut History,
    pub counter: NodeCounter<'a>,
    pub line: Line,
    pub path: [StackEntry; MAX_PLY + 1],
}

/// The search's notes on a half-move of its line.
#[derive(Clone, Copy, Default)]
pub(super) struct StackEntry {
    /// Static evaluation of the position from its side to move, corrected; `None` in check.
    pub evaluation: Option<Score>,
    /// Half-moves by which singular moves of this line were searched deeper.
    pub extensions: i32,
    /// The number of positions refuted here since the visit of the one two half-moves before.
    pub refutations: u32,
    /// The move made here; `None` for a null move.
    pub made: Option<Arrival>,
    /// The move made here, if it was quiet.
    pub quiet: Option<ChessMove>,
}

/// The facts of a node before its moves are searched.
#[derive(Clone, Copy)]
pub(super) struct NodeInfo {
    pub ply: usize,
    pub depth: i32,
    pub in_check: bool,
    pub evaluation: Static,
    /// Better than at the side's last turn: less is pruned.
    pub improving: bool,
    pub table_move: Option<ChessMove>,
    /// The excluded move of a singular test.
    pub excluded: Option<ChessMove>,
    /// The extension of the table move, in half-moves.
    pub extension: i32,
}

/// The static value of a position, from its side to move.
#[derive(Clone, Copy)]
pub(super) struct Static {
    /// The evaluation; `None` in check.
    pub raw: Option<Score>,
    /// The average excess of earlier searches in similar positions, in centipawns.
    pub correction: i32,
    /// The best guess, with the table's help; meaningless in check.
    pub guess: Score,
}

impl Static {
    /// The evaluation with its correction; `None` in check.
    pub fn corrected(&self) -> Option<Score> {
        self.raw.map(|raw| raw.corrected(self.correction))
    }
}

impl<'a, E> Worker<'a, E> {
    /// A worker at the root.
    pub fn new(
        evaluator: &'a E,
        options: &'a AlphaBetaOptions,
        WorkerMemory { table, history }: WorkerMemory<'a>,
        counter: NodeCounter<'a>,
        root: &Position,
    ) -> Self {
        let path = [StackEntry::default(); MAX_PLY + 1];
        let line = Line::new(root);
        Worker {
            evaluator,
            options,
            table,
            history,
            counter,
            line,
            path,
        }
    }
}

impl<E: Evaluator> Worker<'_, E> {
    /// The quiescence value of the position at the end of the line. All its evaluations have the
    /// correction of the position itself.
    pub fn quiescence<L: LineKeeper>(
        &mut self,
        window: Window,
        evaluation: Static,
        best_line: &mut L,
    ) -> Result<Score, Stop> {
        let search = Quiescence {
            evaluator: self.evaluator,
            counter: &mut self.counter,
            evaluation: evaluation.raw,
            correction: evaluation.correction,
            evades: self.options.quiescence_evasions,
        };
        let Window { alpha, beta, .. } = window;
        search.value(self.line.board(), self.line.ply(), alpha, beta, best_line)
    }

    /// The table's score, if it answers the window for a search to `depth`. There is none on the
    /// principal variation.
    pub fn tt_cutoff(&self, known: Option<&Entry>, window: Window, depth: i32) -> Option<Score> {
        known
            .filter(|known| !window.principal && known.depth >= depth && settles(known, window))
            .map(|known| known.score)
    }

    /// The tablebase value of the position at the end of the line. The transposition table stores
    /// it, for another probe takes longer.
    #[inline]
    pub fn probe_tablebase(&mut self) -> Option<Score> {
        let ply = self.line.ply();
        let score = self
            .counter
            .table_value(self.line.board(), self.line.halfmove_clock(), ply)?;
        let depth = MAX_PLY as i32;
        self.store_tt(
            ply,
            Entry {
                mv: None,
                score,
                bound: Bound::Exact,
                evaluation: None,
                depth,
            },
        );
        Some(score)
    }

    /// The table's entry of the position at the end of the line.
    pub fn probe_tt(&self, ply: usize) -> Option<Entry> {
        if self.options.transposition_table {
            self.table.probe(self.table_key(), ply)
        } else {
            None
        }
    }

    /// Stores an entry of the position at the end of the line.
    pub fn store_tt(&self, ply: usize, entry: Entry) {
        if self.options.transposition_table {
            self.table.store(self.table_key(), ply, entry);
        }
    }

    /// The table's key of the position at the end of the line. Near the fifty-move limit the key
    /// depends on the remaining half-moves, for the value does.
    fn table_key(&self) -> u64 {
        match self.line.halfmove_clock() {
            ..NEAR_FIFTY_MOVES => self.line.key(),
            count => self.line.key() ^ u64::from(count).wrapping_mul(SPREAD),
        }
    }

    /// The static value of the position at the end of the line.
    pub fn evaluate(&self, in_check: bool, known: Option<&Entry>) -> Static {
        if in_check {
            return Static {
                raw: None,
                correction: 0,
                guess: -Score::INFINITE,
            };
        }
        let raw = known
            .and_then(|known| known.evaluation)
            .unwrap_or_else(|| evaluate_for_mover(self.evaluator, self.line.board()));
        let correction = match self.options.correction_history {
            true => self
                .history
                .corrections
                .centipawns(CorrectionEntries::of(self.line.board())),
            false => 0,
        };
        let corrected = raw.corrected(correction);
        let better = known.filter(|known| {
            !known.score.is_mate() && corrects(known.score, known.bound, corrected)
        });
        Static {
            raw: Some(raw),
            correction,
            guess: better.map_or(corrected, |known| known.score),
        }
    }

    /// Returns true if the side to move stands better than at its last turn, or the one before if
    /// it was in check.
    pub fn is_improving(&self, ply: usize, now: Score) -> bool {
        let earlier = |back: usize| {
            ply.checked_sub(back)
                .and_then(|ply| self.path[ply].evaluation)
        };
        earlier(2)
            .or_else(|| earlier(4))
            .is_none_or(|then| now > then)
    }

    /// Notes the move about to be made at half-move `ply`.
    pub fn note_move(&mut self, ply: usize, mv: ChessMove) {
        let board = self.line.board();
        let piece = board.piece_on(mv.get_source()).unwrap_or(Piece::King);
        let is_quiet = board.piece_on(mv.get_dest()).is_none() && mv.get_promotion().is_none();
        self.path[ply].made = Some(Arrival::new(board.side_to_move(), piece, mv));
        self.path[ply].quiet = is_quiet.then_some(mv);
    }

    /// Learns from the quiet move before half-move `ply` by the change of the evaluation: moves are
    /// ordered better before any of them has refuted anything (Stockfish).
    pub fn update_by_evaluation(&mut self, ply: usize) {
        let Some(before) = ply.checked_sub(1).map(|ply| self.path[ply]) else {
            return;
        };
        if let (Some(mv), Some(then), Some(now)) =
            (before.quiet, before.evaluation, self.path[ply].evaluation)
        {
            let gain = -now.0 - then.0;
            self.history
                .update_plain(!self.line.board().side_to_move(), mv, bonus_of_gain(gain));
        }
    }

    /// The moves one and two half-moves before the position at half-move `ply`.
    pub fn moves_before(&self, ply: usize) -> [Option<Arrival>; 2] {
        [1, 2].map(|back| ply.checked_sub(back).and_then(|ply| self.path[ply].made))
    }
}

/// Returns true if a score with this bound contradicts a guess, or is exact.
pub(super) fn corrects(score: Score, bound: Bound, guess: Score) -> bool {
    match bound {
        Bound::Exact => true,
        Bound::Lower => score > guess,
        Bound::Upper => score < guess,
    }
}

/// Returns true if the table's bound answers the window.
fn settles(known: &Entry, window: Window) -> bool {
    match known.bound {
        Bound::Exact => true,
        Bound::Lower => window.fails_high(known.score),
        Bound::Upper => window.fails_low(known.score),
    }
}

#[cfg(test)]
pub(super) use tests::with_worker;

#[cfg(test)]
mod tests {
    use super::super::root::Root;
    use super::*;
    use crate::eval::Winglet;
    use crate::rules::position::legal_moves;
    use crate::search::{Clock, Limits, alphabeta::Memory};

    /// A search of the position with an empty table, about to begin.
    pub(in super::super) fn with_worker<T>(
        fen: &str,
        act: impl FnOnce(&mut Worker<'_, Winglet>) -> T,
    ) -> T {
        let root = Position::from_fen(fen).unwrap();
        let clock = Clock::unlimited();
        let evaluator = Winglet::default();
        let options = AlphaBetaOptions {
            correction_history: true,
            ..AlphaBetaOptions::default()
        };
        let mut memory = Memory::new(1);
        let own = memory
            .open(1, false)
            .pop()
            .expect("one worker has its memory");
        let counter = NodeCounter::new(&Limits::default(), &clock);
        act(&mut Worker::new(&evaluator, &options, own, counter, &root))
    }

    fn static_evaluation(worker: &Worker<'_, Winglet>) -> Score {
        evaluate_for_mover(worker.evaluator, worker.line.board())
    }

    const ROOK_UP: &str = "4k3/8/8/8/8/8/8/R3K3 w Q -";

    /// Values from elsewhere know nothing of the fifty-move count.
    #[test]
    fn the_table_does_not_answer_near_the_fifty_move_limit() {
        let claimed = Score(777);
        let score_of = |halfmove_clock: u32, depth: i32| {
            with_worker(&format!("{ROOK_UP} {halfmove_clock} 80"), |worker| {
                let entry = Entry {
                    mv: None,
                    score: claimed,
                    bound: Bound::Exact,
                    evaluation: None,
                    depth: 9,
                };
                worker.table.store(worker.line.key(), 0, entry);
                let scout = Window {
                    alpha: Score(-1),
                    beta: Score::DRAW,
                    principal: false,
                };
                worker.node(scout, depth, &mut ()).unwrap()
            })
        };
        for depth in [0, 1] {
            assert_eq!(score_of(0, depth), claimed, "depth {depth}");
            assert_ne!(score_of(95, depth), claimed, "depth {depth}");
        }
    }

    /// There a rook up is worth nothing, and with another count the same position must not hear of
    /// it.
    #[test]
    fn what_was_found_near_the_fifty_move_limit_is_known_with_that_count_only() {
        with_worker(&format!("{ROOK_UP} 97 80"), |worker| {
            let score = worker.node(Window::FULL, 6, &mut ()).unwrap();
            assert_eq!(
                [Some(score), worker.probe_tt(0).map(|known| known.score)],
                [Some(Score::DRAW); 2]
            );
            assert_eq!(worker.table.probe(worker.line.key(), 0), None);
        });
    }

    #[test]
    fn the_table_remembers_the_static_evaluation_of_leaves() {
        with_worker("4k3/8/8/3p4/4P3/8/8/R3K3 w Q - 0 1", |worker| {
            let score = worker.node(Window::FULL, 0, &mut ()).unwrap();
            let evaluation = static_evaluation(worker);
            assert!(score > evaluation, "White takes the pawn");
            assert_eq!(
                worker.table.probe(worker.line.key(), 0).unwrap().evaluation,
                Some(evaluation)
            );
        });
    }

    /// Otherwise the side to move at the root would seem to stand better at its next turn, whatever
    /// happens.
    #[test]
    fn the_root_is_evaluated_for_the_turns_to_come() {
        let in_quiet_and_in_check = [
            "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
            "4k3/8/8/8/4r3/8/8/R3K3 w Q - 0 1",
        ];
        for (fen, is_in_check) in in_quiet_and_in_check.into_iter().zip([false, true]) {
            with_worker(fen, |worker| {
                let evaluation = static_evaluation(worker);
                worker
                    .root(
                        &mut Root::new(&legal_moves(worker.line.board())),
                        Window::FULL,
                        1,
                    )
                    .unwrap();
                assert_eq!(
                    worker.path[0].evaluation,
                    (!is_in_check).then_some(evaluation),
                    "{fen}"
                );
            });
        }
    }

    /// A correction of the evaluation is no reason to take a stalemate for anything else than
    /// a draw.
    #[test]
    fn leaves_are_corrected_but_draws_by_rule_are_not() {
        let corrected_by = |fen: &str, centipawns: i32| {
            with_worker(fen, |worker| {
                let mut evaluation = worker.evaluate(false, None);
                evaluation.correction = centipawns;
                worker
                    .quiescence(Window::FULL, evaluation, &mut ())
                    .unwrap()
            })
        };
        let quiet = "4k3/8/8/8/8/8/4P3/R3K3 w Q - 0 1";
        assert_eq!(corrected_by(quiet, 30), corrected_by(quiet, 0) + 30);
        // White takes, so Black's evaluation is the one that counts.
        let capture = "4k3/8/8/3p4/4P3/8/8/R3K3 w Q - 0 1";
        assert_eq!(corrected_by(capture, 30), corrected_by(capture, 0) + 30);
        assert_eq!(
            corrected_by("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 30),
            Score::DRAW
        );
    }

    /// Findings of a search are remembered, and believed where the same pieces stand.
    #[test]
    fn searches_teach_what_the_evaluation_does_not_see() {
        with_worker("8/8/8/4k3/8/8/1P6/4K3 w - - 0 1", |worker| {
            let before = worker.evaluate(false, None);
            assert_eq!(before.corrected(), before.raw);
            let score = worker.node(Window::FULL, 6, &mut ()).unwrap();
            let after = worker.evaluate(false, None);
            let [learned, error] = [after.correction, score.0 - static_evaluation(worker).0];
            assert!(
                error != 0 && learned.signum() == error.signum(),
                "{learned} of {error}"
            );
        });
    }
}
