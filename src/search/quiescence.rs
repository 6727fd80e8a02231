//! Quiescence search: captures and promotions until the position is quiet. Every backend ends its
//! branches here.

use arrayvec::ArrayVec;
use chess::{Board, ChessMove, Color, EMPTY, MoveGen, Piece};

use super::exchange::{at_least, exchange_value};
use super::{LineKeeper, MAX_PLY, NodeCounter, Score, Stop};
use crate::eval::{Evaluator, evaluate_for_mover};
use crate::rules::position::moves::{
    for_each_plain_capture, for_each_tactical_move, is_irreversible,
    may_take_en_passant_or_promote, victim,
};

/// The value of `board` for the side to move, once captures and promotions have been played out;
/// `Stop` if the search has to end.
///
/// The side to move may stand pat or play a capture or promotion (to queen or knight) unless the
/// exchange evaluation calls it losing. In check all evasions are played instead, but only at
/// `board` itself; see [`Quiescence::evades`] for checks further down. A mate or stalemate on the
/// way is exact.
///
/// Fail-soft: the result is always the static evaluation (or the mate or stalemate) at the end of
/// `line`, from the side to move of `board`. Inside the window it is the true value of the
/// quiescence tree; at alpha or below an upper bound, at beta or above a lower bound. There is no
/// delta pruning: the gain of a capture besides its victim has no limit (a capture may mate), so a
/// skipped one would leave no bound.
///
/// The caller has counted `board` itself at the counter; `ply` is its distance from the root.
pub fn quiescence<E: Evaluator, L: LineKeeper>(
    evaluator: &E,
    counter: &mut NodeCounter<'_>,
    board: &Board,
    ply: usize,
    alpha: Score,
    beta: Score,
    line: &mut L,
) -> Result<Score, Stop> {
    let search = Quiescence {
        evaluator,
        counter,
        evaluation: None,
        correction: 0,
        evades: false,
    };
    search.value(board, ply, alpha, beta, line)
}

/// A [`quiescence`] search with known facts.
pub struct Quiescence<'a, 'c, E> {
    pub evaluator: &'a E,
    pub counter: &'a mut NodeCounter<'c>,
    /// The static evaluation of the first position for its side to move, if known.
    pub evaluation: Option<Score>,
    /// Centipawns to add to every static evaluation, from the side to move.
    pub correction: i32,
    /// Forbids standing pat in check further down, too. Once an evasion there has escaped mate,
    /// quiet ones and losing captures are left out: all of them would make the tree of a sharp
    /// position explode. The escape can depend on the window, so values outside need not be bounds
    /// of the value inside.
    pub evades: bool,
}

impl<E: Evaluator> Quiescence<'_, '_, E> {
    /// Returns the same as [`quiescence`].
    pub fn value<L: LineKeeper>(
        mut self,
        board: &Board,
        ply: usize,
        alpha: Score,
        beta: Score,
        line: &mut L,
    ) -> Result<Score, Stop> {
        self.node::<L, true>(board, ply, alpha, beta, line)
    }

    /// A node of the quiescence tree; `FIRST` marks its root.
    fn node<L: LineKeeper, const FIRST: bool>(
        &mut self,
        board: &Board,
        ply: usize,
        alpha: Score,
        beta: Score,
        line: &mut L,
    ) -> Result<Score, Stop> {
        line.clear();
        let in_check = *board.checkers() != EMPTY;
        let evades = in_check && (FIRST || self.evades);
        let stand_pat = if evades {
            -Score::INFINITE
        } else {
            let evaluation = self.evaluation.take();
            let evaluation =
                evaluation.unwrap_or_else(|| evaluate_for_mover(self.evaluator, board));
            evaluation.corrected(self.correction)
        };
        if stand_pat >= beta && !in_check && has_easy_move(board) {
            return Ok(stand_pat);
        }
        let mut candidates = Candidates::default();
        // Nearly always: then no other moves are generated, for who can take has a legal move.
        let only_captures = !evades && stand_pat < beta && !may_take_en_passant_or_promote(board);
        if only_captures {
            for_each_plain_capture(board, |mv| candidates.add(board, mv));
        }
        if !only_captures || (candidates.moves.is_empty() && (in_check || !has_easy_move(board))) {
            let mut generator = MoveGen::new_legal(board);
            if generator.len() == 0 {
                return Ok(if in_check {
                    Score::mated_in(ply)
                } else {
                    Score::DRAW
                });
            }
            if stand_pat >= beta {
                return Ok(stand_pat);
            }
            if evades {
                generator.for_each(|mv| candidates.add(board, mv));
            } else if !only_captures {
                for_each_tactical_move(board, &mut generator, |mv| candidates.add(board, mv));
            }
        }
        if ply + 1 >= MAX_PLY {
            return Ok(evaluate_for_mover(self.evaluator, board).corrected(self.correction));
        }

        let mut best = stand_pat;
        let mut alpha = alpha.max(best);
        let mut child_line = L::default();
        while let Some(candidate) = candidates.next() {
            let has_escaped = evades && !FIRST && !best.is_mated();
            if has_escaped && candidate.quiet {
                break;
            }
            if (has_escaped || !evades) && candidate.may_lose && !at_least(board, candidate.mv, 0) {
                continue;
            }
            self.counter.enter(ply + 1)?;
            let child = board.make_move_new(candidate.mv);
            // Captures and promotions begin the fifty moves anew, other evasions do not.
            let clock = u32::from(evades && !is_irreversible(board, candidate.mv));
            let score = match self.counter.table_value(&child, clock, ply + 1) {
                Some(score) => {
                    child_line.clear();
                    -score
                }
                None => {
                    self.correction = -self.correction;
                    let score =
                        -self.node::<L, false>(&child, ply + 1, -beta, -alpha, &mut child_line)?;
                    self.correction = -self.correction;
                    score
                }
            };
            if score > best {
                best = score;
                line.lead_with(candidate.mv, &child_line);
                if score >= beta {
                    break;
                }
                alpha = alpha.max(score);
            }
        }
        Ok(best)
    }
}

/// Mate or stalemate, `ply` half-moves from the root, if the side to move has no legal move.
pub fn ended(board: &Board, ply: usize) -> Option<Score> {
    let in_check = *board.checkers() != EMPTY;
    let is_over = (in_check || !has_easy_move(board)) && MoveGen::new_legal(board).len() == 0;
    is_over.then(|| {
        if in_check {
            Score::mated_in(ply)
        } else {
            Score::DRAW
        }
    })
}

/// Returns true if the side to move, not in check, certainly has a legal move: some unpinned pawn
/// can step ahead. Saves generating all moves just to rule out stalemate.
#[inline]
fn has_easy_move(board: &Board) -> bool {
    let side = board.side_to_move();
    let pawns = (*board.pieces(Piece::Pawn) & *board.color_combined(side) & !*board.pinned()).0;
    let ahead = match side {
        Color::White => pawns << 8,
        Color::Black => pawns >> 8,
    };
    ahead & !board.combined().0 != 0
}

/// A move to be tried.
#[derive(Clone, Copy)]
struct Candidate {
    mv: ChessMove,
    /// Higher is tried earlier.
    priority: i16,
    /// Neither a capture nor a promotion; tried after those.
    quiet: bool,
    /// Only then is an exchange evaluation worth its time.
    may_lose: bool,
}

/// The moves of a node, best first by most valuable victim, then least valuable attacker.
///
/// Filled in place: a copy of the list would cost more than its generation.
#[derive(Default)]
struct Candidates {
    moves: ArrayVec<Candidate, 256>,
}

impl Candidates {
    /// Adds a move, unless it is a promotion to rook or bishop (a queen or knight is better).
    #[inline]
    fn add(&mut self, board: &Board, mv: ChessMove) {
        if !matches!(mv.get_promotion(), Some(Piece::Rook | Piece::Bishop)) {
            self.moves.push(Candidate::new(board, mv));
        }
    }

    /// Takes the best move out: few nodes look at more than one or two, so sorting all would be
    /// waste.
    #[inline]
    fn next(&mut self) -> Option<Candidate> {
        let mut best = 0;
        for index in 1..self.moves.len() {
            if self.moves[index].priority > self.moves[best].priority {
                best = index;
            }
        }
        self.moves.swap_pop(best)
    }
}

impl Candidate {
    #[inline]
    fn new(board: &Board, mv: ChessMove) -> Self {
        let attacker = board.piece_on(mv.get_source()).unwrap_or(Piece::King);
        let promotion = mv.get_promotion();
        let victim_value = victim(board, attacker, mv).map_or(0, exchange_value);
        let gain = victim_value + promotion.map_or(0, exchange_value);
        let quiet = gain == 0;
        // Of quiet evasions the king's steps come first, then cheap pieces between.
        let rank = if quiet {
            (attacker.to_index() + 1) % 6
        } else {
            attacker.to_index()
        };
        Candidate {
            mv,
            // 900 + 900 at most, times 8, fits.
            priority: (gain * 8) as i16 - rank as i16,
            quiet,
            may_lose: promotion.is_some()
                || attacker != Piece::King && exchange_value(attacker) > victim_value,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Winglet;
    use crate::rules::position::Position;
    use crate::search::{Clock, Limits, Variation};

    fn value(fen: &str, evades: bool) -> (Score, Variation) {
        let clock = Clock::unlimited();
        let position = Position::from_fen(fen).unwrap();
        let mut counter = NodeCounter::new(&Limits::default(), &clock);
        let evaluator = &Winglet::default();
        let search = Quiescence {
            evaluator,
            counter: &mut counter,
            evaluation: None,
            correction: 0,
            evades,
        };
        let mut line = Variation::new();
        let value = search.value(
            position.board(),
            0,
            -Score::INFINITE,
            Score::INFINITE,
            &mut line,
        );
        (value.expect("there is no limit"), line)
    }

    #[test]
    fn nobody_stands_pat_in_check_if_checks_are_evaded() {
        // Qxe5 takes a pawn with check and then, wherever the king goes, the rook behind it.
        let fork = "4k2r/8/8/4p3/8/8/8/4QK2 w - - 0 1";
        let stands = value(fork, false);
        let evades = value(fork, true);
        assert!(
            evades.1.len() >= 3 && evades.1.len() > stands.1.len(),
            "{:?} {:?}",
            evades.1,
            stands.1
        );
        assert!(evades.0 > stands.0 + 300, "{} {}", evades.0, stands.0);
    }
}
