//! Birth of a branch: its moves are made one by one, quiescence lines are appended, and what is new enters the reservation tree.
//!
//! "No replay from the root": parents know their nodes, and the line of boards is only taken back to the last common node of one birth and the next.

use chess::{BitBoard, Board, ChessMove, Color, EMPTY, MoveGen};

use super::Run;
use super::params::{OwnValue, QuiescenceFrom};
use super::tree::NodeId;
use crate::evaluation::{Evaluator, evaluate_for_mover};
use crate::position::moves::{MoveSet, is_plausible, is_quiet};
use crate::position::{Line, MoveList, legal_moves};
use crate::score::Score;
use crate::search::Variation;
use crate::search::quiescence::quiescence;

/// What became of a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Birth {
    /// It is in the tree now.
    New,
    /// It was there before.
    Duplicate,
    /// One of its moves cannot be made.
    Illegal,
    /// It would be longer than branches may get.
    TooLong,
    /// The tree is full.
    NoRoom,
}

/// A quiescence line to be appended below one of the nodes of a new branch.
#[derive(Clone, Debug, Default)]
pub(super) struct Sprout {
    level: usize,
    line: Variation,
    /// White's point of view.
    value: Score,
    terminal: bool,
}

impl<'a, E: Evaluator> Run<'a, E> {
    /// Goes to the node at the end of `nodes` (root left out), making `genes` on the way. They are known to be legal.
    pub(super) fn walk_to(&mut self, nodes: &[NodeId], genes: &[ChessMove]) {
        let common = self.path[1..]
            .iter()
            .zip(nodes)
            .take_while(|(a, b)| a == b)
            .count();
        self.path.truncate(common + 1);
        self.line.truncate(common);
        for (&node, &gene) in nodes.iter().zip(genes).skip(common) {
            self.step_to(node, gene);
        }
    }

    fn step_to(&mut self, node: NodeId, gene: ChessMove) {
        self.line.make(gene);
        self.path.push(node);
    }

    fn here(&self) -> NodeId {
        *self.path.last().expect("the path begins with the root")
    }

    pub(super) fn board(&self) -> &Board {
        self.line.board()
    }

    pub(super) fn root_board(&self) -> Board {
        *self.line.board_at(0)
    }

    pub(super) fn legal_moves_here(&self) -> MoveList {
        legal_moves(self.board())
    }

    /// Whether all moves from here are known to lead to nodes of the tree.
    pub(super) fn is_complete_here(&self) -> bool {
        self.tree.is_complete(self.here())
    }

    pub(super) fn set_complete_here(&mut self) {
        self.tree.set_complete(self.here());
    }

    /// The moves that lead from here to nodes of the tree.
    pub(super) fn tried_moves_here(&self) -> MoveSet {
        let children = self.tree.children(self.here());
        children.map(|child| self.tree.gene(child)).collect()
    }

    /// Validates the branch that goes on from here with `tail`, and adds it to the tree with its quiescence branches. With `cut`,
    /// an illegal move ends the branch before it; without, it spoils the branch.
    ///
    /// `None` when the search has to end; the tree is consistent then.
    pub(super) fn grow(&mut self, tail: &[ChessMove], cut: bool) -> Option<Birth> {
        if tail
            .first()
            .is_some_and(|&gene| !is_plausible(self.board(), gene))
        {
            self.statistics.illegal += 1;
            return Some(Birth::Illegal);
        }
        let known = self.follow(tail);
        self.branch_off(&tail[known..], cut)
    }

    /// Like [`Run::grow`], for a `tail` whose first gene is known not to be in the tree here.
    pub(super) fn branch_off(&mut self, tail: &[ChessMove], cut: bool) -> Option<Birth> {
        let birth = self.grow_beyond(tail, cut)?;
        match birth {
            Birth::New => {}
            Birth::Duplicate => self.statistics.duplicates += 1,
            Birth::Illegal => self.statistics.illegal += 1,
            Birth::TooLong => self.statistics.too_long += 1,
            Birth::NoRoom => self.full = true,
        }
        Some(birth)
    }

    /// Goes along `tail` as far as the tree knows it; returns how many genes that were.
    fn follow(&mut self, tail: &[ChessMove]) -> usize {
        let mut known = 0;
        while let Some(&gene) = tail.get(known)
            && let Some(child) = self.tree.find_child(self.here(), gene)
        {
            self.step_to(child, gene);
            known += 1;
        }
        known
    }

    fn grow_beyond(&mut self, genes: &[ChessMove], cut: bool) -> Option<Birth> {
        let stem = self.path.len() - 1;
        if self.tree.is_terminal(self.here()) || (genes.is_empty() && self.tree.is_end(self.here())) {
            return Some(Birth::Duplicate);
        }
        if stem + genes.len() > self.longest {
            return Some(Birth::TooLong);
        }
        self.sprouts_used = 0;
        let validity = self.validate(genes, cut)?;
        let fresh = self.line.ply() - stem;
        if validity == Birth::New {
            self.quiesce(stem, fresh)?;
            let needed = fresh
                + self.sprouts[..self.sprouts_used]
                    .iter()
                    .map(|sprout| sprout.line.len())
                    .sum::<usize>();
            if self.tree.has_room_for(needed) {
                self.insert(stem, &genes[..fresh])?;
                return Some(Birth::New);
            }
        }
        self.line.truncate(stem);
        Some(if validity == Birth::New {
            Birth::NoRoom
        } else {
            validity
        })
    }

    /// Makes the genes on the line while they are legal. What follows a draw, mate or stalemate is cut in any case.
    ///
    /// Leaves in `self.fresh` what is known of each position.
    fn validate(&mut self, genes: &[ChessMove], cut: bool) -> Option<Birth> {
        self.fresh.clear();
        let mut generator = MoveGen::new_legal(self.board());
        if genes.is_empty() {
            let fresh = Fresh::of(&self.line, &mut generator);
            self.fresh.push(fresh);
            return Some(Birth::New);
        }
        for (made, &gene) in genes.iter().enumerate() {
            if !generates(&mut generator, gene) {
                // Cut back to what the tree knows, nothing of the branch would be new.
                return Some(if cut && made > 0 {
                    Birth::New
                } else {
                    Birth::Illegal
                });
            }
            self.line.make(gene);
            self.gate.enter(self.line.ply())?;
            generator = MoveGen::new_legal(self.board());
            let fresh = Fresh::of(&self.line, &mut generator);
            self.fresh.push(fresh);
            if fresh.ended.is_some() {
                break;
            }
        }
        Some(Birth::New)
    }

    /// Searches for the quiescence lines of the new nodes: levels `stem + 1` to `stem + fresh`, or the end of the stem if nothing is fresh.
    fn quiesce(&mut self, stem: usize, fresh: usize) -> Option<()> {
        let (alpha, beta) = self.window();
        let end = stem + fresh;
        for (index, level) in (stem + usize::from(fresh > 0)..=end).enumerate() {
            let known = self.fresh[index];
            if let Some(value) = known.ended {
                self.sprout(level, value, true);
                continue;
            }
            let wanted = level == end
                || match self.options.quiescence_from {
                    QuiescenceFrom::Captures => known.tactical,
                    QuiescenceFrom::Every => true,
                    QuiescenceFrom::End | QuiescenceFrom::Never => false,
                };
            if !wanted {
                continue;
            }
            self.search_sprout(level, alpha, beta)?;
        }
        Some(())
    }

    /// One quiescence line, from the board at `level` of the line. The window is White's.
    fn search_sprout(&mut self, level: usize, alpha: Score, beta: Score) -> Option<()> {
        let board = *self.line.board_at(level);
        let side = board.side_to_move();
        let index = self.sprout(level, Score::DRAW, false);
        let sprout = &mut self.sprouts[index];
        let value = if self.options.quiescence_from == QuiescenceFrom::Never {
            evaluate_for_mover(self.evaluator, &board)
        } else {
            let (alpha, beta) = for_side(side, alpha, beta);
            quiescence::<_, _, true>(
                self.evaluator,
                &mut self.gate,
                &board,
                level,
                alpha,
                beta,
                &mut sprout.line,
            )?
        };
        sprout.value = if side == Color::White { value } else { -value };
        sprout.terminal = value.is_mate();
        Some(())
    }

    /// A new sprout without a line; its index.
    fn sprout(&mut self, level: usize, value: Score, terminal: bool) -> usize {
        let index = self.sprouts_used;
        if index == self.sprouts.len() {
            self.sprouts.push(Sprout::default());
        }
        let sprout = &mut self.sprouts[index];
        (sprout.level, sprout.value, sprout.terminal) = (level, value, terminal);
        sprout.line.clear();
        self.sprouts_used += 1;
        index
    }

    /// Sets the centre of the window for the initial population.
    pub(super) fn guess_root_value(&mut self) -> Option<()> {
        let board = self.root_board();
        let standing = evaluate_for_mover(self.evaluator, &board);
        let width = (self.options.quiescence_window as i32).max(100);
        let (alpha, beta) = (standing - width, standing + width);
        let value =
            quiescence::<_, _, true>(self.evaluator, &mut self.gate, &board, 0, alpha, beta, &mut ())?;
        self.first_guess = if board.side_to_move() == Color::White {
            value
        } else {
            -value
        };
        Some(())
    }

    /// The quiescence window round the root's value, from White's point of view. What lies outside could not change the root's choice
    /// by itself, so a bound does as well as a value.
    fn window(&self) -> (Score, Score) {
        let width = self.options.quiescence_window as i32;
        // While the initial population is growing, the root's value is that of its first few moves.
        let centre = if self.is_initial_complete() {
            self.root_value()
        } else {
            self.first_guess
        };
        if width == 0 || centre.is_mate() {
            (-Score::INFINITE, Score::INFINITE)
        } else {
            (centre - width, centre + width)
        }
    }

    /// Enters the new nodes and the sprouts, and carries every value up.
    fn insert(&mut self, stem: usize, genes: &[ChessMove]) -> Option<()> {
        let parent = self.here();
        for (offset, &gene) in genes.iter().enumerate() {
            let node = self.tree.insert(self.here(), stem + 1 + offset, gene);
            self.path.push(node);
        }
        for index in 0..self.sprouts_used {
            self.attach(index);
        }
        if !genes.is_empty() && self.options.own_value != OwnValue::Kept {
            self.revalue(stem, parent)?;
        }
        Some(())
    }

    fn attach(&mut self, index: usize) {
        let sprout = &self.sprouts[index];
        self.side.clear();
        self.side.extend_from_slice(&self.path[..=sprout.level]);
        self.tree.set_quiesced(self.path[sprout.level]);
        for &gene in &sprout.line {
            let parent = self.side[self.side.len() - 1];
            if self.tree.is_terminal(parent) {
                // Quiescence knows nothing of repetitions and the fifty-move rule; its line may go on where the game is over.
                break;
            }
            let level = self.side.len();
            let node = match self.tree.child(parent, gene) {
                Some(node) => node,
                None => self.tree.insert(parent, level, gene),
            };
            self.side.push(node);
        }
        let level = self.side.len() - 1;
        let end = self.side[level];
        if self.tree.own_value(end).is_none() {
            self.statistics.branches += 1;
            self.tree.set_own(end, level, sprout.value, sprout.terminal);
            self.tree.back_up(&self.side);
        }
    }

    /// The own value of `node`, on `level`, has to make way for its children's values ([`OwnValue::Dropped`]) or for that of the moves
    /// that nobody tried ([`OwnValue::Untried`]).
    fn revalue(&mut self, level: usize, node: NodeId) -> Option<()> {
        if self.tree.own_value(node).is_none() || self.tree.is_terminal(node) {
            return Some(());
        }
        let board = *self.line.board_at(level);
        // Every child is a legal move, so counting is enough.
        if self.tree.children(node).count() == MoveGen::new_legal(&board).len() {
            self.tree.set_complete(node);
            self.tree.drop_own(node, level);
        } else if self.options.own_value == OwnValue::Untried {
            let mut best = -Score::INFINITE;
            for mv in legal_moves(&board) {
                if self.tree.child(node, mv).is_some() {
                    continue;
                }
                self.gate.enter(level + 1)?;
                let after = board.make_move_new(mv);
                let value = -quiescence::<_, _, true>(
                    self.evaluator,
                    &mut self.gate,
                    &after,
                    level + 1,
                    -Score::INFINITE,
                    -best,
                    &mut (),
                )?;
                best = best.max(value);
            }
            let white = if board.side_to_move() == Color::White {
                best
            } else {
                -best
            };
            self.tree.set_own(node, level, white, false);
        } else {
            return Some(());
        }
        self.tree.back_up(&self.path[..=level]);
        Some(())
    }
}

/// What validation learned of a new position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fresh {
    /// The side to move can capture or promote.
    tactical: bool,
    /// The exact value, White's point of view, if the game is over here.
    ended: Option<Score>,
}

impl Fresh {
    /// `generator` is fresh for the end of `line`.
    fn of(line: &Line, generator: &mut MoveGen) -> Self {
        let board = line.board();
        let ended = if generator.len() == 0 {
            let white_is_mated = -Score::mate_in(line.ply());
            Some(match (*board.checkers() == EMPTY, board.side_to_move()) {
                (true, _) => Score::DRAW,
                (false, Color::White) => white_is_mated,
                (false, Color::Black) => -white_is_mated,
            })
        } else {
            line.is_draw().then_some(Score::DRAW)
        };
        Fresh {
            tactical: ended.is_none() && !is_quiet(board, generator),
            ended,
        }
    }
}

/// Whether the generator, made for the position, has this move. Spoils the generator.
fn generates(generator: &mut MoveGen, mv: ChessMove) -> bool {
    generator.set_iterator_mask(BitBoard::from_square(mv.get_dest()));
    generator.any(|generated| generated == mv)
}

/// A window from White's point of view for the side to move.
fn for_side(side: Color, alpha: Score, beta: Score) -> (Score, Score) {
    if side == Color::White {
        (alpha, beta)
    } else {
        (-beta, -alpha)
    }
}
