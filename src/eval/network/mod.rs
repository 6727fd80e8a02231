//! An evaluation by a small network: 768 inputs, one for each piece on each square, seen by both
//! sides; one hidden layer; one output, with weights by the number of pieces. Each side sees left
//! and right exchanged if its king stands on the files a to d, so that a position and its mirror
//! image have the same value.
//!
//! The hidden layer is a sum of one row for each piece on the board. The sum is kept for the last
//! board, and the next board changes it by the differing pieces. So a search with jumps in its tree
//! needs nothing of its own. Every sum is of whole numbers: all machines give the same values.

mod file;

use std::cell::RefCell;
use std::sync::{Arc, LazyLock};

use arrayvec::ArrayVec;
use chess::{ALL_PIECES, Board, Color, Piece};
use fearless_simd::prelude::*;
use fearless_simd::{Level, Simd, dispatch};
use serde_json::Value;

use super::attacks::Squares;
use super::{Evaluator, Explanation, PieceTable, Term, Tunable, endgames, written_piece};
use crate::rules::position::is_insufficient_material;
use crate::rules::score::Score;

/// Inputs: own pieces, then the other side's, pawn to king, by square from the side's own view.
pub const INPUTS: usize = 768;
/// Neurons of the hidden layer, for each of both views.
pub const HIDDEN: usize = 256;
/// Sets of weights of the output: one for each four pieces on the board.
pub const OUTPUTS: usize = 8;
/// One, in the hidden layer.
pub const ONE: i16 = 181;
/// One, in the weights of the output.
pub const OUTPUT_ONE: i16 = 64;
/// The largest weight of the hidden layer: the sum of 32 pieces and the bias fits.
pub const LARGEST: i16 = i16::MAX / 33;
/// The largest weight of the output: its product with a neuron fits.
pub const LARGEST_OUTPUT: i16 = 127;

// The sum over both views fits into 32 bits.
const _: () =
    assert!(2 * HIDDEN as i64 * ONE as i64 * ONE as i64 * LARGEST_OUTPUT as i64 <= i32::MAX as i64);

/// A number for each neuron of one view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Row(pub [i16; HIDDEN]);

/// The weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    /// A row for each input.
    pub inputs: Box<[Row]>,
    pub bias: Row,
    /// The outputs, by [`output`].
    pub outputs: [Output; OUTPUTS],
    /// Centipawns of an output of one: a value is the logit of the expected result, times this.
    pub scale: i32,
    /// The history of the network, for people.
    pub made: Value,
}

/// The weights of one output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Output {
    /// The weights for the view of the side to move, and for the other one.
    pub weights: [Row; 2],
    /// The bias in units of [`ONE`] times [`OUTPUT_ONE`].
    pub bias: i32,
}

/// The number of the output for a board with so many pieces.
#[inline]
pub fn output(pieces: u32) -> usize {
    (pieces.saturating_sub(1) as usize / 4).min(OUTPUTS - 1)
}

/// The input of a piece from White's view: `kind` counts White's pieces from pawn to king, then
/// Black's.
#[inline]
pub fn input(kind: usize, square: usize) -> usize {
    kind * 64 + square
}

/// The same input from Black's view, or Black's from White's.
#[inline]
fn other_view(input: usize) -> usize {
    (if input < INPUTS / 2 {
        input + INPUTS / 2
    } else {
        input - INPUTS / 2
    }) ^ 56
}

/// The flips of both sides, the first one's first.
#[inline]
pub fn flips(board: &Board, first: Color) -> [usize; 2] {
    [flip(board, first), flip(board, !first)]
}

/// The bits of a square that change in the view of a side: those of the file while its king is on
/// the files a to d, otherwise none.
#[inline]
pub fn flip(board: &Board, side: Color) -> usize {
    let king = board.king_square(side).to_index();
    if king % 8 < 4 { 7 } else { 0 }
}

/// An input as both sides see it, each with its [`flip`]; the first side has the given view.
#[inline]
pub fn both_views(input: usize, flips: [usize; 2]) -> [usize; 2] {
    [input ^ flips[0], other_view(input) ^ flips[1]]
}

/// The pieces of a board as four sets of squares. The first three are the bits of a number, one for
/// a pawn to six for a king, the last one has Black's pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Placement([u64; 4]);

impl Placement {
    #[inline(always)]
    pub fn of(board: &Board) -> Placement {
        let pieces = |piece| board.pieces(piece).0;
        Placement([
            pieces(Piece::Pawn) | pieces(Piece::Bishop) | pieces(Piece::Queen),
            pieces(Piece::Knight) | pieces(Piece::Bishop) | pieces(Piece::King),
            pieces(Piece::Rook) | pieces(Piece::Queen) | pieces(Piece::King),
            board.color_combined(Color::Black).0,
        ])
    }

    /// The squares on which the other placement has something else.
    #[inline(always)]
    fn differences(&self, other: &Placement) -> u64 {
        let difference = |set: usize| self.0[set] ^ other.0[set];
        difference(0) | difference(1) | difference(2) | difference(3)
    }

    /// The input of the piece on a square, from a side's view.
    pub fn input_for(&self, side: Color, square: usize) -> Option<usize> {
        let input = self.input(square)?;
        Some(match side {
            Color::White => input,
            Color::Black => other_view(input),
        })
    }

    /// The input of the piece on a square, from White's view.
    #[inline(always)]
    fn input(&self, square: usize) -> Option<usize> {
        let bit = |set: usize| (self.0[set] >> square & 1) as usize;
        let number = bit(0) | bit(1) << 1 | bit(2) << 2;
        if number == 0 {
            return None;
        }
        Some(input(number - 1 + 6 * bit(3), square))
    }
}

impl Network {
    /// The value in centipawns for the side of the first view, on a board with so many pieces.
    #[inline(always)]
    fn value<S: Simd>(&self, simd: S, own: &Row, other: &Row, pieces: u32) -> i32 {
        let Output { weights, bias } = &self.outputs[output(pieces)];
        let sum = own.weighted(simd, &weights[0]) + other.weighted(simd, &weights[1]);
        let output = i64::from(sum / i32::from(ONE) + bias);
        (output * i64::from(self.scale) / (i64::from(ONE) * i64::from(OUTPUT_ONE))) as i32
    }

    /// The value in centipawns for the first side of these inputs' views, without any accumulators
    /// kept.
    pub fn value_of(&self, inputs: impl Iterator<Item = [usize; 2]>) -> i32 {
        let mut views = [self.bias; 2];
        let mut pieces = 0;
        for input in inputs {
            for (view, input) in views.iter_mut().zip(input) {
                for (neuron, weight) in view.0.iter_mut().zip(&self.inputs[input].0) {
                    *neuron = neuron.wrapping_add(*weight);
                }
            }
            pieces += 1;
        }
        let [own, other] = &views;
        dispatch!(Level::new(), simd => self.value(simd, own, other, pieces))
    }
}

// What follows is compiled for several kinds of processors, and the best is taken at run time. So
// all of it has to be inlined, and its loops count by themselves instead of by iterators.

/// Vectors of a row that stay in registers while rows are added to them.
const VECTORS: usize = 4;

impl Row {
    /// Numbers from an index on, as many as a vector has.
    #[inline(always)]
    fn vector<S: Simd>(&self, simd: S, at: usize) -> S::i16s {
        S::i16s::from_slice(simd, &self.0[at..at + S::i16s::LEN])
    }

    /// The sum of the neurons' squares times their weights, each neuron cut to between zero and
    /// one.
    #[inline(always)]
    fn weighted<S: Simd>(&self, simd: S, weights: &Row) -> i32 {
        let zero = S::i16s::splat(simd, 0);
        let one = S::i16s::splat(simd, ONE);
        let mut sum = S::i32s::splat(simd, 0);
        let mut at = 0;
        while at < HIDDEN {
            let neurons = self.vector(simd, at).max(zero).min(one);
            let products = neurons * weights.vector(simd, at);
            sum += products.pairwise_dot_product(neurons);
            at += S::i16s::LEN;
        }
        sum.reduce_sum()
    }

    /// Adds rows and takes others away, of both sides' the one with this index. Sums wrap on boards
    /// with more pieces than any game has, and nowhere else: see [`LARGEST`].
    #[expect(
        clippy::needless_range_loop,
        reason = "iterators are not always inlined"
    )]
    #[inline(always)]
    fn change<S: Simd>(
        &mut self,
        simd: S,
        side: usize,
        added: &[[&Row; 2]],
        removed: &[[&Row; 2]],
    ) {
        let lanes = S::i16s::LEN;
        let mut at = 0;
        while at < HIDDEN {
            let mut sums = [S::i16s::splat(simd, 0); VECTORS];
            for vector in 0..VECTORS {
                sums[vector] = self.vector(simd, at + vector * lanes);
            }
            for rows in added {
                for vector in 0..VECTORS {
                    sums[vector] += rows[side].vector(simd, at + vector * lanes);
                }
            }
            for rows in removed {
                for vector in 0..VECTORS {
                    sums[vector] -= rows[side].vector(simd, at + vector * lanes);
                }
            }
            for sum in sums {
                sum.store_slice(&mut self.0[at..at + lanes]);
                at += lanes;
            }
        }
    }
}

/// The hidden layer of a board, from White's view and from Black's.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Accumulators {
    placement: Placement,
    /// The flips of both views.
    flips: [usize; 2],
    views: [Row; 2],
}

impl Accumulators {
    /// Those of a board without pieces.
    #[inline(always)]
    fn empty(network: &Network) -> Accumulators {
        Accumulators {
            placement: Placement::default(),
            flips: [0; 2],
            views: [network.bias; 2],
        }
    }

    /// Changes to another board, and returns its value in centipawns for White.
    #[inline(always)]
    fn value<S: Simd>(&mut self, simd: S, network: &Network, board: &Board) -> i32 {
        self.go_to(simd, network, board);
        let [white, black] = &self.views;
        let pieces = board.combined().popcnt();
        match board.side_to_move() {
            Color::White => network.value(simd, white, black, pieces),
            Color::Black => -network.value(simd, black, white, pieces),
        }
    }

    /// Changes to another board: by the differing pieces, or anew if cheaper.
    #[inline(always)]
    fn go_to<S: Simd>(&mut self, simd: S, network: &Network, board: &Board) {
        let placement = Placement::of(board);
        let flips = flips(board, Color::White);
        let mut differences = self.placement.differences(&placement);
        if flips != self.flips || differences.count_ones() > board.combined().popcnt() {
            *self = Accumulators::empty(network);
            self.flips = flips;
            differences = board.combined().0;
        }
        let rows = |input| {
            let [white, black] = both_views(input, flips);
            [&network.inputs[white], &network.inputs[black]]
        };
        let mut added: ArrayVec<[&Row; 2], 64> = ArrayVec::new();
        let mut removed: ArrayVec<[&Row; 2], 64> = ArrayVec::new();
        for square in Squares(differences) {
            if let Some(input) = placement.input(square) {
                added.push(rows(input));
            }
            if let Some(input) = self.placement.input(square) {
                removed.push(rows(input));
            }
        }
        for side in 0..2 {
            self.views[side].change(simd, side, &added, &removed);
        }
        self.placement = placement;
    }
}

/// The built-in network: see the text in the file, and `kashan tune network`.
static BUILT_IN: LazyLock<Arc<Network>> = LazyLock::new(|| {
    let network = Network::from_bytes(include_bytes!("kashan.nn"));
    Arc::new(network.expect("the built-in network is one"))
});

/// A network at work. Endgames known by rule have values of their own.
#[derive(Clone, Debug)]
pub struct NetworkEvaluator {
    network: Arc<Network>,
    level: Level,
    last: RefCell<Accumulators>,
}

impl NetworkEvaluator {
    pub fn new(network: Arc<Network>) -> NetworkEvaluator {
        endgames::prepare();
        let last = RefCell::new(Accumulators::empty(&network));
        let level = Level::new();
        NetworkEvaluator {
            network,
            level,
            last,
        }
    }
}

impl Default for NetworkEvaluator {
    /// The built-in network at work.
    fn default() -> NetworkEvaluator {
        NetworkEvaluator::new(Arc::clone(&BUILT_IN))
    }
}

/// A network has no weights with a meaning of their own.
impl Tunable for NetworkEvaluator {
    fn coefficients(&self, _: &Board) -> Vec<f64> {
        Vec::new()
    }

    fn explain(&self, board: &Board, terms: Vec<Term>) -> Explanation {
        Explanation {
            terms,
            phase: endgames::known(board).map(|_| "a known endgame".to_owned()),
            is_dead: endgames::known(board) == Some(0) && is_insufficient_material(board),
            total: self.evaluate(board),
        }
    }

    /// The worth of a piece is what the value loses without it; `None` where a rule gives the
    /// value.
    fn piece_table(&self, board: &Board) -> Option<PieceTable> {
        if endgames::known(board).is_some() {
            return None;
        }
        let placement = Placement::of(board);
        let side = board.side_to_move();
        let flips = flips(board, side);
        let sign = if side == Color::White { 1 } else { -1 };
        let without = |missing: Option<usize>| {
            let squares = (0..64).filter(|&square| Some(square) != missing);
            let own = squares.filter_map(|square| placement.input_for(side, square));
            sign * self
                .network
                .value_of(own.map(|input| both_views(input, flips)))
        };
        let whole = without(None);
        let mut rows = Vec::new();
        for color in [Color::White, Color::Black] {
            for piece in &ALL_PIECES[..5] {
                for square in *board.pieces(*piece) & *board.color_combined(color) {
                    let name = written_piece(color, *piece, square.to_index());
                    let worth = whole - without(Some(square.to_index()));
                    rows.push(vec![name, format!("{worth:+}")]);
                }
            }
        }
        Some(PieceTable {
            head: "Piece | Worth:",
            rows,
        })
    }
}

impl Evaluator for NetworkEvaluator {
    fn evaluate(&self, board: &Board) -> Score {
        let white = endgames::known(board).unwrap_or_else(|| {
            let mut last = self.last.borrow_mut();
            dispatch!(self.level, simd => last.value(simd, &self.network, board))
        });
        Score(white.clamp(-Score::MAX_EVALUATION, Score::MAX_EVALUATION))
    }
}

#[cfg(test)]
pub(crate) mod tests;
