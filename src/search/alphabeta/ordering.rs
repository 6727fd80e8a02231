//! The order in which moves are tried.

use arrayvec::ArrayVec;
use chess::{Board, ChessMove, Piece};

use super::history::{Arrival, History};
use super::options::AlphaBetaOptions;
use crate::position::moves::is_en_passant;
use crate::position::{MoveList, legal_moves};
use crate::search::exchange::{at_least, exchange_value};

/// What a move is, from worst to best: the order of the declaration is the order of trying.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
    /// A promotion to rook or bishop.
    Underpromotion,
    /// A capture that the exchange evaluation calls losing.
    LosingCapture,
    Quiet,
    SecondKiller,
    FirstKiller,
    /// A capture or promotion that does not lose material.
    Capture,
    /// The best move of an earlier visit.
    TableMove,
}

/// A move with its place in the order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranked {
    pub mv: ChessMove,
    /// The man that moves.
    pub piece: Piece,
    pub stage: Stage,
    /// Within the stage: the larger the earlier. For quiet moves, what history says of them.
    pub value: i32,
    /// Whether it neither takes nor promotes.
    pub quiet: bool,
    /// The exchange evaluation has the last word on this capture, once its turn comes.
    unproven: bool,
}

impl Ranked {
    fn order(&self) -> (Stage, i32) {
        (self.stage, self.value)
    }
}

/// What is known before the moves of a node are ranked.
pub(super) struct Hints {
    pub table_move: Option<ChessMove>,
    pub killers: [Option<ChessMove>; 2],
    /// The moves one and two half-moves before.
    pub before: [Option<Arrival>; 2],
}

/// The legal moves of a node, best first.
pub(super) struct Picker {
    moves: ArrayVec<Ranked, 256>,
}

impl Picker {
    /// All legal moves, ranked.
    pub fn new(board: &Board, hints: &Hints, history: &History, options: &AlphaBetaOptions) -> Self {
        let mut moves = ArrayVec::new();
        for mv in legal_moves(board) {
            moves.push(rank(board, mv, hints, history, options));
        }
        Picker { moves }
    }

    /// The number of moves that are left.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Takes the best move out.
    #[inline]
    pub fn next(&mut self, board: &Board) -> Option<Ranked> {
        loop {
            let mut best = 0;
            for index in 1..self.moves.len() {
                if self.moves[index].order() > self.moves[best].order() {
                    best = index;
                }
            }
            let candidate = self.moves.get_mut(best)?;
            if candidate.unproven {
                candidate.unproven = false;
                if !at_least(board, candidate.mv, 0) {
                    candidate.stage = Stage::LosingCapture;
                    continue;
                }
            }
            return self.moves.swap_pop(best);
        }
    }
}

/// `moves` of the root in the order that experience so far suggests.
pub(super) fn in_order(board: &Board, moves: &MoveList, history: &History) -> MoveList {
    let hints = Hints {
        table_move: None,
        killers: [None; 2],
        before: [None; 2],
    };
    let mut picker = Picker::new(board, &hints, history, &AlphaBetaOptions::default());
    std::iter::from_fn(|| picker.next(board))
        .map(|ranked| ranked.mv)
        .filter(|mv| moves.contains(mv))
        .collect()
}

fn rank(
    board: &Board,
    mv: ChessMove,
    hints: &Hints,
    history: &History,
    options: &AlphaBetaOptions,
) -> Ranked {
    let piece = board.piece_on(mv.get_source()).unwrap_or(Piece::King);
    let victim = match board.piece_on(mv.get_dest()) {
        None if piece == Piece::Pawn && is_en_passant(board, mv) => Some(Piece::Pawn),
        victim => victim,
    };
    let promotion = mv.get_promotion();
    let quiet = victim.is_none() && promotion.is_none();
    let mut unproven = false;
    let (stage, value) = if hints.table_move == Some(mv) {
        (Stage::TableMove, 0)
    } else if matches!(promotion, Some(Piece::Rook | Piece::Bishop)) {
        (Stage::Underpromotion, 0)
    } else if !quiet {
        let won = victim.map_or(0, exchange_value);
        unproven = options.exchange_evaluation
            && (promotion.is_some() || piece != Piece::King && exchange_value(piece) > won);
        let gain = won + promotion.map_or(0, exchange_value);
        // Most valuable victim, then least valuable attacker.
        (Stage::Capture, 8 * gain - piece.to_index() as i32)
    } else if hints.killers[0] == Some(mv) {
        (Stage::FirstKiller, 0)
    } else if hints.killers[1] == Some(mv) {
        (Stage::SecondKiller, 0)
    } else if options.history {
        let arrival = Arrival::new(board.side_to_move(), piece, mv);
        (Stage::Quiet, history.quiet(arrival, mv, hints.before))
    } else {
        (Stage::Quiet, 0)
    };
    Ranked {
        mv,
        piece,
        stage,
        value,
        quiet,
        unproven,
    }
}
