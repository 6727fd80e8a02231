//! The order in which moves are tried.

use arrayvec::ArrayVec;
use chess::{
    BitBoard, Board, ChessMove, EMPTY, MoveGen, Piece, get_bishop_moves, get_knight_moves, get_pawn_attacks,
    get_rook_moves,
};

use super::history::{Arrival, History};
use super::options::AlphaBetaOptions;
use crate::position::MoveList;
use crate::position::moves::is_en_passant;
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
    /// Whether it neither takes nor promotes.
    pub quiet: bool,
    /// The exchange evaluation has the last word on this capture, once its turn comes.
    unproven: bool,
    /// Within the stage: the larger the earlier. For quiet moves, what history says of them.
    pub value: i32,
}

const _: () = assert!(
    size_of::<Ranked>() <= 12,
    "lists of moves are walked all the time"
);

impl Ranked {
    #[inline]
    fn order(&self) -> i32 {
        // No value reaches 2^20: captures go to 8 times two queens, history to three times its limit.
        ((self.stage as i32) << 24) + self.value
    }

    /// Whether the moved piece itself would give check from its new square.
    pub fn attacks_king(&self, board: &Board) -> bool {
        let side = board.side_to_move();
        let king = BitBoard::from_square(board.king_square(!side));
        let target = self.mv.get_dest();
        let occupied = *board.combined() ^ BitBoard::from_square(self.mv.get_source());
        let attacked = match self.piece {
            Piece::Pawn => get_pawn_attacks(target, side, king),
            Piece::Knight => get_knight_moves(target),
            Piece::Bishop => get_bishop_moves(target, occupied),
            Piece::Rook => get_rook_moves(target, occupied),
            Piece::Queen => get_bishop_moves(target, occupied) | get_rook_moves(target, occupied),
            Piece::King => EMPTY,
        };
        attacked & king != EMPTY
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
    /// No moves yet. Filled in place, because a copy of the whole list would cost more than making it.
    pub fn empty() -> Self {
        Picker {
            moves: ArrayVec::new(),
        }
    }

    /// All legal moves, ranked.
    pub fn fill(&mut self, board: &Board, hints: &Hints, history: &History, options: &AlphaBetaOptions) {
        for mv in MoveGen::new_legal(board) {
            self.moves.push(rank(board, mv, hints, history, options));
        }
    }

    /// The number of moves that are left.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Leaves out ordinary quiet moves, except those that attack the enemy king.
    pub fn drop_quiets(&mut self, board: &Board) {
        self.moves
            .retain(|ranked| ranked.stage != Stage::Quiet || ranked.attacks_king(board));
    }

    /// Takes the best move out.
    #[inline]
    pub fn next(&mut self, board: &Board) -> Option<Ranked> {
        loop {
            let mut best = 0;
            let mut best_order = self.moves.first()?.order();
            for (index, ranked) in self.moves.iter().enumerate().skip(1) {
                let order = ranked.order();
                if order > best_order {
                    (best, best_order) = (index, order);
                }
            }
            let candidate = &mut self.moves[best];
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
    let mut picker = Picker::empty();
    picker.fill(board, &hints, history, &AlphaBetaOptions::default());
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
        quiet,
        unproven,
        value,
    }
}
