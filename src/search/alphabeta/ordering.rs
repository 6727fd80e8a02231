//! The order of moves.

use std::cell::OnceCell;

use arrayvec::ArrayVec;
use chess::{
    BitBoard, Board, ChessMove, EMPTY, MoveGen, Piece, get_bishop_moves, get_knight_moves,
    get_pawn_attacks, get_rook_moves,
};

use super::AlphaBetaOptions;
use super::history::{Arrival, History};
use crate::rules::position::MoveList;
use crate::rules::position::moves::{
    for_each_plain_capture, is_legal, may_take_en_passant_or_promote, victim,
};
use crate::search::exchange::{at_least, exchange_value};

/// The kinds of moves, from worst to best: the order of the declaration is the order of trying.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// A promotion to rook or bishop.
    Underpromotion,
    /// A capture with a losing exchange evaluation.
    LosingCapture,
    Quiet,
    SecondKiller,
    FirstKiller,
    /// A capture or promotion without a loss of material.
    Capture,
    /// The best move of an earlier visit.
    TableMove,
}

/// A move with its place in the order.
#[derive(Clone, Copy, Debug)]
pub struct Ranked {
    pub mv: ChessMove,
    /// The moving piece.
    pub piece: Piece,
    pub stage: Stage,
    /// Neither a capture nor a promotion.
    pub quiet: bool,
    /// The exchange evaluation has the last word on this capture, once its turn comes.
    unproven: bool,
    /// The order within the stage, larger is earlier. For quiet moves, their history.
    pub value: i32,
}

const _: () = assert!(
    size_of::<Ranked>() <= 12,
    "lists of moves are walked all the time"
);

impl Ranked {
    #[inline]
    fn order(&self) -> i32 {
        // No value reaches 2^20: captures go to 8 times two queens, history to three times its
        // limit.
        ((self.stage as i32) << 24) + self.value
    }
}

/// For each kind of piece, the squares with an attack on the enemy king.
///
/// The moving piece never stands between such a square and the king: on that line it would be
/// giving check already.
struct CheckSquares([BitBoard; 6]);

impl CheckSquares {
    fn new(board: &Board) -> Self {
        let side = board.side_to_move();
        let king = board.king_square(!side);
        let occupied = *board.combined();
        let [bishop, rook] = [
            get_bishop_moves(king, occupied),
            get_rook_moves(king, occupied),
        ];
        let pawn = get_pawn_attacks(king, !side, !EMPTY);
        CheckSquares([
            pawn,
            get_knight_moves(king),
            bishop,
            rook,
            bishop | rook,
            EMPTY,
        ])
    }

    fn all(&self) -> BitBoard {
        let [pawn, knight, _, _, queen, _] = self.0;
        pawn | knight | queen
    }

    fn contain(&self, ranked: &Ranked) -> bool {
        self.0[ranked.piece.to_index()] & BitBoard::from_square(ranked.mv.get_dest()) != EMPTY
    }
}

/// The hints for the order of a node's moves.
#[derive(Clone, Copy)]
pub(super) struct Hints {
    pub table_move: Option<ChessMove>,
    pub killers: [Option<ChessMove>; 2],
    /// The moves one and two half-moves before.
    pub before: [Option<Arrival>; 2],
}

/// The legal moves of a node, best first. Each kind is generated when its turn comes, for most
/// nodes are refuted by the table move or a capture and never ask for the quiet ones.
pub(super) struct Picker<'b> {
    board: &'b Board,
    /// May be moves of other positions.
    hints: Hints,
    options: &'b AlphaBetaOptions,
    turn: Turn,
    /// Generated, ranked and not yet tried.
    moves: ArrayVec<Ranked, 256>,
    /// True once all moves were generated.
    has_quiets: bool,
    /// True if ordinary quiet moves are left out.
    drops_quiets: bool,
    /// Few nodes ask for them.
    check_squares: OnceCell<CheckSquares>,
}

/// The next step of a [`Picker`], in the order of the declaration.
#[derive(Clone, Copy)]
enum Turn {
    TableMove,
    GenerateCaptures,
    Captures,
    FirstKiller,
    SecondKiller,
    GenerateQuiets,
    Rest,
}

impl<'b> Picker<'b> {
    pub fn new(board: &'b Board, hints: Hints, options: &'b AlphaBetaOptions) -> Self {
        Picker {
            board,
            hints,
            options,
            turn: Turn::TableMove,
            moves: ArrayVec::new(),
            has_quiets: false,
            drops_quiets: false,
            check_squares: OnceCell::new(),
        }
    }

    /// Leaves out ordinary quiet moves from now on, unless they attack the enemy king.
    pub fn drop_quiets(&mut self) {
        self.drops_quiets = true;
        let check_squares = self
            .check_squares
            .get_or_init(|| CheckSquares::new(self.board));
        self.moves
            .retain(|ranked| ranked.stage != Stage::Quiet || check_squares.contain(ranked));
    }

    /// Returns true if the moved piece itself would give check from its new square.
    pub fn attacks_king(&self, ranked: &Ranked) -> bool {
        self.check_squares
            .get_or_init(|| CheckSquares::new(self.board))
            .contain(ranked)
    }

    /// Takes the best move out. History may learn in between.
    #[inline]
    pub fn next(&mut self, history: &History) -> Option<Ranked> {
        let hints = self.hints;
        loop {
            let (hint, stage) = match self.turn {
                Turn::TableMove => {
                    self.turn = Turn::GenerateCaptures;
                    (hints.table_move, Stage::TableMove)
                }
                Turn::GenerateCaptures => {
                    self.generate_captures(history);
                    self.turn = Turn::Captures;
                    continue;
                }
                Turn::Captures => match self.take_best(Stage::Capture) {
                    None => {
                        self.turn = Turn::FirstKiller;
                        continue;
                    }
                    capture => return capture,
                },
                Turn::FirstKiller => {
                    self.turn = Turn::SecondKiller;
                    (hints.killers[0], Stage::FirstKiller)
                }
                Turn::SecondKiller => {
                    self.turn = Turn::GenerateQuiets;
                    (hints.killers[1], Stage::SecondKiller)
                }
                Turn::GenerateQuiets => {
                    self.generate_quiets(history);
                    self.turn = Turn::Rest;
                    continue;
                }
                Turn::Rest => return self.take_best(Stage::Underpromotion),
            };
            if let Some(mv) = hint
                && (stage == Stage::TableMove || hints.table_move != hint)
                && is_legal(self.board, mv)
            {
                let ranked = Ranked {
                    stage,
                    ..rank(self.board, mv, self.options)
                };
                if stage == Stage::TableMove || ranked.quiet {
                    return Some(ranked);
                }
            }
        }
    }

    fn generate_captures(&mut self, history: &History) {
        let board = self.board;
        let options = self.options;
        let mut add = |mv| {
            if self.hints.table_move != Some(mv) {
                self.moves.push(rank(board, mv, options));
            }
        };
        if may_take_en_passant_or_promote(board) {
            // Rare, and such moves may end on empty squares, among the quiet ones.
            let mut generator = MoveGen::new_legal(board);
            generator.set_iterator_mask(*board.color_combined(!board.side_to_move()));
            generator.for_each(add);
            self.generate_quiets(history);
        } else {
            for_each_plain_capture(board, &mut add);
        }
    }

    fn generate_quiets(&mut self, history: &History) {
        let board = self.board;
        let options = self.options;
        let hints = self.hints;
        if std::mem::replace(&mut self.has_quiets, true) {
            return;
        }
        let mut generator = MoveGen::new_legal(board);
        let enemies = *board.color_combined(!board.side_to_move());
        // Moves of equal rank are tried in the generator's order: the pieces that could take come
        // first.
        generator.set_iterator_mask(enemies);
        generator.remove_mask(enemies);
        let check_squares = self
            .drops_quiets
            .then(|| self.check_squares.get_or_init(|| CheckSquares::new(board)));
        generator.set_iterator_mask(check_squares.map_or(!EMPTY, CheckSquares::all));
        for mv in generator.filter(|&mv| hints.table_move != Some(mv)) {
            let mut ranked = rank(board, mv, options);
            if ranked.quiet {
                let is_tried = hints.killers.contains(&Some(mv));
                if is_tried || check_squares.is_some_and(|squares| !squares.contain(&ranked)) {
                    continue;
                }
                if options.history {
                    let arrival = Arrival::new(board.side_to_move(), ranked.piece, mv);
                    ranked.value = history.quiet(arrival, mv, hints.before);
                }
            }
            self.moves.push(ranked);
        }
    }

    /// Takes out the best of the generated moves if its stage is at least `stage`.
    fn take_best(&mut self, stage: Stage) -> Option<Ranked> {
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
            if candidate.stage < stage {
                return None;
            }
            if candidate.unproven {
                candidate.unproven = false;
                if !at_least(self.board, candidate.mv, 0) {
                    candidate.stage = Stage::LosingCapture;
                    continue;
                }
            }
            return self.moves.swap_pop(best);
        }
    }
}

/// The root's `moves` in the order of experience so far.
pub(super) fn in_order(board: &Board, moves: &MoveList, history: &History) -> MoveList {
    let hints = Hints {
        table_move: None,
        killers: [None; 2],
        before: [None; 2],
    };
    let options = AlphaBetaOptions::default();
    let mut picker = Picker::new(board, hints, &options);
    std::iter::from_fn(|| picker.next(history))
        .map(|ranked| ranked.mv)
        .filter(|mv| moves.contains(mv))
        .collect()
}

/// The rank of a legal move by the move itself, without history.
pub(super) fn rank(board: &Board, mv: ChessMove, options: &AlphaBetaOptions) -> Ranked {
    let piece = board.piece_on(mv.get_source()).unwrap_or(Piece::King);
    let victim = victim(board, piece, mv);
    let promotion = mv.get_promotion();
    let quiet = victim.is_none() && promotion.is_none();
    let mut unproven = false;
    let (stage, value) = if quiet {
        (Stage::Quiet, 0)
    } else if matches!(promotion, Some(Piece::Rook | Piece::Bishop)) {
        (Stage::Underpromotion, 0)
    } else {
        let won = victim.map_or(0, exchange_value);
        unproven = options.exchange_evaluation
            && (promotion.is_some() || piece != Piece::King && exchange_value(piece) > won);
        let gain = won + promotion.map_or(0, exchange_value);
        // Most valuable victim, then least valuable attacker.
        (Stage::Capture, 8 * gain - piece.to_index() as i32)
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

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;

    use super::*;
    use crate::rules::position::{Position, legal_moves};

    /// Whatever is hinted at: moves of this position, of another one, and both.
    #[test]
    fn the_picker_gives_every_legal_move_once_in_the_order_of_stages() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 3",
            "4k3/8/8/8/7b/8/3P1P2/R3K2R w KQ - 0 1",
            "4k3/8/8/8/4r3/8/3P1P2/R3K2R w KQ - 0 1",
        ] {
            let history = History::new();
            let options = AlphaBetaOptions::default();
            let board = *Position::from_fen(fen).unwrap().board();
            let legal = legal_moves(&board);
            let elsewhere = legal_moves(Position::default().board());
            let hinted: Vec<_> = legal
                .iter()
                .chain(&elsewhere)
                .copied()
                .map(Some)
                .chain([None])
                .collect();
            for (index, &table_move) in hinted.iter().enumerate() {
                let killers = [1, 5].map(|step| hinted[(index + step) % hinted.len()]);
                let hints = Hints {
                    table_move,
                    killers,
                    before: [None; 2],
                };
                let mut picker = Picker::new(&board, hints, &options);
                let picked: Vec<_> = std::iter::from_fn(|| picker.next(&history)).collect();
                assert!(
                    picked.is_sorted_by_key(|ranked| Reverse(ranked.stage)),
                    "{fen}"
                );
                let mut moves: Vec<_> = picked.iter().map(|ranked| ranked.mv).collect();
                let mut expected = legal.to_vec();
                moves.sort_by_key(ToString::to_string);
                expected.sort_by_key(ToString::to_string);
                assert_eq!(moves, expected, "{fen} with {table_move:?}");
            }
        }
    }
}
