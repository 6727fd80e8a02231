//! Birth of a branch: its moves are made one by one, quiescence lines are appended, and new nodes
//! enter the tree.

use arrayvec::ArrayVec;
use chess::{BitBoard, Board, ChessMove, Color, MoveGen};

use super::cursor::{NewPosition, QuiescenceLine, TreeCursor};
use crate::eval::{Evaluator, evaluate_for_mover};
use crate::rules::position::moves::{is_irreversible, is_plausible};
use crate::rules::position::{Line, Position, is_insufficient_material};
use crate::rules::score::Score;
use crate::search::genetic::params::{OwnValue, QuiescenceFrom};
use crate::search::genetic::report::{genes_in_words, k_in_words};
use crate::search::genetic::search::{Search, for_side};
use crate::search::genetic::tree::{NodeId, ReservationTree};
use crate::search::{MAX_PLY, Stop, Variation};

/// The state of a birth: the search, its cursor in the tree, and the facts of the branch.
pub struct Breeder<'a, E> {
    pub search: Search<'a, E>,
    pub cursor: TreeCursor,
    /// The operator at work, for the log.
    pub operator: &'static str,
    /// The new positions of the unborn branch, in order; without new moves, its end. These buffers
    /// are kept from one birth to the next, so no birth allocates.
    positions: Vec<NewPosition>,
    /// Its quiescence lines.
    lines: Vec<QuiescenceLine>,
    /// The path to the end of a quiescence line, while the line is being inserted: a buffer.
    side_path: Vec<NodeId>,
}

/// No quiescence window.
const OPEN: (Score, Score) = (Score(-Score::INFINITE.0), Score::INFINITE);

/// The outcome of a birth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Birth {
    /// The child is in the tree now.
    New,
    /// The child was there before.
    Duplicate,
    /// One of its moves cannot be made.
    Illegal,
    /// The child would begin at the length limit.
    TooLong,
    /// The tree is full.
    NoRoom,
}

impl<'a, E> Breeder<'a, E> {
    pub fn new(search: Search<'a, E>, root: &Position) -> Self {
        let cursor = TreeCursor::new(root, search.tree.root());
        let positions = Vec::new();
        let lines = Vec::new();
        let side_path = Vec::new();
        Breeder {
            search,
            cursor,
            operator: "initial population",
            positions,
            lines,
            side_path,
        }
    }
}

impl<E: Evaluator> Breeder<'_, E> {
    /// Adds the branch `tail` from here, with its quiescence branches. With `cut`, the branch ends
    /// before an illegal move; without, an illegal move spoils the branch.
    ///
    /// `Stop` when the search has to end; the tree is consistent then.
    pub fn add_branch(&mut self, tail: &[ChessMove], cut: bool) -> Result<Birth, Stop> {
        if tail
            .first()
            .is_some_and(|&gene| !is_plausible(self.cursor.board(), gene))
        {
            self.search.statistics.illegal += 1;
            self.log_birth(self.cursor.level(), tail, Birth::Illegal);
            return Ok(Birth::Illegal);
        }
        let known = self.follow(tail);
        self.add_beyond(&tail[known..], 0, cut)
    }

    /// Works like [`Breeder::add_branch`] with `cut`, for a `tail` whose first gene is legal and
    /// has no node.
    pub fn add_untried(&mut self, tail: &[ChessMove]) -> Result<Birth, Stop> {
        self.add_beyond(tail, 1, true)
    }

    /// Adds the branch `genes` from here and counts its outcome. The first gene is not in the tree.
    /// The first `legal` genes are known to be legal.
    fn add_beyond(&mut self, genes: &[ChessMove], legal: usize, cut: bool) -> Result<Birth, Stop> {
        let before = self.search.counter.nodes();
        let stem = self.cursor.level();
        let birth = self.bear(genes, legal, cut)?;
        self.log_birth(stem, genes, birth);
        if let Some(&first) = self.cursor.path().get(1) {
            self.search.count_nodes(
                self.search.tree.gene(first),
                self.search.counter.nodes() - before,
            );
        }
        let statistics = &mut self.search.statistics;
        match birth {
            Birth::New => self.resolve_bounds()?,
            Birth::Duplicate => statistics.duplicates += 1,
            Birth::Illegal => statistics.illegal += 1,
            Birth::TooLong => statistics.too_long += 1,
            Birth::NoRoom => self.search.full = true,
        }
        Ok(birth)
    }

    /// Logs a birth: the operator, the stem, which ends at a level of the path, and the tail; then
    /// the value of its end from White's point of view and K, or the reason of its failure.
    fn log_birth(&self, stem: usize, tail: &[ChessMove], birth: Birth) {
        if !log::log_enabled!(log::Level::Trace) {
            return;
        }
        let tree = &self.search.tree;
        let stem = genes_in_words(
            self.cursor.path()[1..=stem]
                .iter()
                .map(|&node| tree.gene(node)),
        );
        let tail = genes_in_words(tail.iter().copied());
        let end = self.side_path.last().filter(|_| birth == Birth::New);
        let outcome = match end.and_then(|&end| tree.value(end)) {
            Some(value) => format!("{value}, {}", k_in_words(tree, &self.side_path)),
            None => format!("{birth:?}").to_lowercase(),
        };
        log::trace!("{}: {stem} | {tail}: {outcome}", self.operator);
    }

    /// Makes the root's value exact: as long as a quiescence line on the best branch left its
    /// window, searches it again without one, and inserts the result. Gives up when the tree is
    /// full. Waits for the initial population, for before its end the best branch means nothing.
    ///
    /// `Stop` when the search has to end. The cursor is at another node afterwards.
    pub fn resolve_bounds(&mut self) -> Result<(), Stop> {
        let is_due = self.search.is_initial_complete();
        while is_due && !self.search.full && self.walk_to_bound() {
            let level = self.cursor.level();
            self.search.counter.enter(level)?;
            self.lines.clear();
            self.search_quiescence_line(level, OPEN)?;
            let needed = self.lines[0].line.len();
            if self.search.tree.has_room_for(needed) {
                self.insert_quiescence_line(0);
            } else {
                self.search.full = true;
            }
        }
        Ok(())
    }

    /// Goes to the first node of the best branch with a bound as value; returns false if there is
    /// none.
    fn walk_to_bound(&mut self) -> bool {
        let tree = &self.search.tree;
        let branch = || tree.best_branch(tree.root()).skip(1);
        let Some(last) = branch().position(|node| tree.is_bound(node)) else {
            return false;
        };
        let nodes: ArrayVec<NodeId, MAX_PLY> = branch().take(last + 1).collect();
        let genes: Variation = nodes.iter().map(|&node| tree.gene(node)).collect();
        self.cursor.walk_to(&nodes, &genes);
        true
    }

    /// Goes along `tail` as far as the tree has it; returns the number of genes.
    fn follow(&mut self, tail: &[ChessMove]) -> usize {
        let mut known = 0;
        // Most genes fit no piece that stands here: that is seen sooner than that the tree has no
        // such child.
        while let Some(&gene) = tail.get(known)
            && is_plausible(self.cursor.board(), gene)
            && let Some(child) = self.search.tree.child(self.cursor.node(), gene)
        {
            self.cursor.step_to(child, gene);
            known += 1;
        }
        known
    }

    /// Validates the new genes, searches the quiescence lines, and inserts both if there is room.
    fn bear(&mut self, genes: &[ChessMove], legal: usize, cut: bool) -> Result<Birth, Stop> {
        let stem = self.cursor.level();
        let here = self.cursor.node();
        let tree = &self.search.tree;
        let nothing_new = tree.is_end(here) || (self.drops_own_values() && tree.is_complete(here));
        if tree.is_terminal(here) || (genes.is_empty() && nothing_new) {
            return Ok(Birth::Duplicate);
        }
        let longest = self.search.longest;
        if stem + usize::from(!genes.is_empty()) > longest {
            return Ok(Birth::TooLong);
        }
        // What would be longer is cut there.
        let genes = &genes[..genes.len().min(longest - stem)];
        self.positions.clear();
        self.lines.clear();
        if !self.validate(genes, legal, cut)? {
            self.cursor.line.truncate(stem);
            return Ok(Birth::Illegal);
        }
        let made = self.cursor.line.ply() - stem;
        self.search_quiescence_lines(stem, made)?;
        let needed = made + self.lines.iter().map(|line| line.line.len()).sum::<usize>();
        if !self.search.tree.has_room_for(needed) {
            self.cursor.line.truncate(stem);
            return Ok(Birth::NoRoom);
        }
        self.insert(&genes[..made]);
        Ok(Birth::New)
    }

    /// Makes the genes on the line while they are legal, and looks at each new position. Genes
    /// after a draw, mate or stalemate are cut in any case. The first `legal` genes are known to be
    /// legal. Returns false if nothing is left to be born.
    fn validate(&mut self, genes: &[ChessMove], legal: usize, cut: bool) -> Result<bool, Stop> {
        let here = self.cursor.node();
        let line = &mut self.cursor.line;
        let mut generator = None;
        if legal == 0 {
            let moves = generator.insert(MoveGen::new_legal(line.board()));
            self.search.tree.count_moves(here, moves.len());
            if genes.is_empty() {
                self.positions.push(NewPosition::of(line, moves));
            }
        }
        for (made, &gene) in genes.iter().enumerate() {
            if made >= legal
                && !generator
                    .as_mut()
                    .is_some_and(|moves| generates(moves, gene))
            {
                // Cut before the first gene, nothing of the branch would be new.
                return Ok(cut && made > 0);
            }
            line.make(gene);
            self.search.counter.enter(line.ply())?;
            let moves = generator.insert(MoveGen::new_legal(line.board()));
            let mut position = NewPosition::of(line, moves);
            if position.ended.is_none() {
                let board = line.board();
                let level = line.ply();
                let value = self
                    .search
                    .counter
                    .table_value(board, line.halfmove_clock(), level);
                position.ended = value.map(|value| for_side(board.side_to_move(), value));
            }
            self.positions.push(position);
            if position.ended.is_some() {
                break;
            }
        }
        Ok(true)
    }

    /// Searches the quiescence lines of the `made` new nodes after level `stem`, or of the stem's
    /// end if no node is new.
    fn search_quiescence_lines(&mut self, stem: usize, made: usize) -> Result<(), Stop> {
        let window = self.search.window();
        let end = stem + made;
        for (index, level) in (stem + usize::from(made > 0)..=end).enumerate() {
            let position = self.positions[index];
            let from_captures = self.search.options.quiescence_from == QuiescenceFrom::Captures;
            let wanted = level == end || (from_captures && position.tactical);
            if let Some(value) = position.ended {
                let line = QuiescenceLine {
                    level,
                    value,
                    terminal: true,
                    ..QuiescenceLine::default()
                };
                self.lines.push(line);
            } else if wanted {
                self.search_quiescence_line(level, window)?;
            }
        }
        Ok(())
    }

    /// Searches one quiescence line, from the board at `level` of the line. The window is from
    /// White's point of view.
    fn search_quiescence_line(
        &mut self,
        level: usize,
        (alpha, beta): (Score, Score),
    ) -> Result<(), Stop> {
        let board = self.cursor.line.board_at(level);
        let side = board.side_to_move();
        let added = self.lines.push_mut(QuiescenceLine {
            level,
            ..QuiescenceLine::default()
        });
        let value = if self.search.options.quiescence_from == QuiescenceFrom::Never {
            evaluate_for_mover(self.search.evaluator, board)
        } else {
            let (alpha, beta) = match side {
                Color::White => (alpha, beta),
                Color::Black => (-beta, -alpha),
            };
            let value = self
                .search
                .quiescence(board, level, (alpha, beta), &mut added.line)?;
            added.is_bound = value <= alpha || value >= beta;
            value
        };
        added.value = for_side(side, value);
        // Where a table gave the line its value, nothing is left to breed.
        added.terminal = value.is_mate() || self.search.counter.ends_in_table(board, &added.line);
        if let Some(drawn) = draw_on(&mut self.cursor.line, level, &added.line) {
            added.line.truncate(drawn);
            (added.value, added.terminal) = (Score::DRAW, true);
        }
        Ok(())
    }

    /// Enters the new nodes and the quiescence lines into the tree, and carries every value up.
    fn insert(&mut self, genes: &[ChessMove]) {
        let stem = self.cursor.level();
        for (&gene, position) in genes.iter().zip(&self.positions) {
            let level = self.cursor.level() + 1;
            let node = self.search.tree.insert(self.cursor.node(), level, gene);
            self.search.tree.count_moves(node, position.moves);
            self.cursor.enter(node);
        }
        for index in 0..self.lines.len() {
            self.insert_quiescence_line(index);
        }
        if self.drops_own_values() {
            let path = self.cursor.path();
            for level in (stem..path.len()).rev() {
                drop_own_if_complete(self.search.tree, path, level);
            }
        }
        let line = &self.cursor.line;
        let path = self.cursor.path();
        doubt_mates(self.search.tree, self.search.evaluator, path, |level| {
            *line.board_at(level)
        });
    }

    fn insert_quiescence_line(&mut self, index: usize) {
        let drops_own_values = self.drops_own_values();
        let tree = &mut *self.search.tree;
        let path = &mut self.side_path;
        let added = &self.lines[index];
        path.clear();
        path.extend_from_slice(&self.cursor.path()[..=added.level]);
        tree.set_quiesced(path[added.level]);
        tree.set_bound(path[added.level], added.is_bound);
        // The level of the last node that was in the tree before: what follows is new.
        let mut known = None;
        for &gene in &added.line {
            let parent = path[path.len() - 1];
            if tree.is_terminal(parent) {
                // The line may go on where the game is over, which quiescence did not know.
                break;
            }
            let node = match tree.child(parent, gene) {
                Some(node) => node,
                None => {
                    known.get_or_insert(path.len() - 1);
                    tree.insert(parent, path.len(), gene)
                }
            };
            // On a line that left its window, all sides have other captures that nobody compared.
            // Where a line has begun or ended before, that is decided or marked already.
            if !added.is_bound || !tree.is_end(node) {
                tree.set_bound(node, added.is_bound);
            }
            path.push(node);
        }
        let level = path.len() - 1;
        let end = path[level];
        let known = known.unwrap_or(level);
        if drops_own_values && tree.has_children(path[known]) && !tree.is_counted(path[known]) {
            let start = *self.cursor.line.board_at(added.level);
            let moves = &added.line[..known - added.level];
            let board = moves
                .iter()
                .fold(start, |board, &mv| board.make_move_new(mv));
            tree.count_moves(path[known], MoveGen::new_legal(&board).len());
        }
        if tree.own_value(end).is_none() && !(drops_own_values && tree.is_complete(end)) {
            self.search.statistics.branches += 1;
            tree.set_own(end, level, added.value, added.terminal);
            tree.back_up(path);
        }
        if drops_own_values {
            drop_own_if_complete(tree, path, known);
        }
        self.doubt_mates_on_line(index);
    }

    /// Doubts every unproved mate on the way to a quiescence line and on it.
    fn doubt_mates_on_line(&mut self, index: usize) {
        let QuiescenceLine {
            level: start, line, ..
        } = &self.lines[index];
        let board_at = |level: usize| {
            let known = level.min(*start);
            let new = level.saturating_sub(*start);
            line[..new]
                .iter()
                .fold(*self.cursor.line.board_at(known), |board, &mv| {
                    board.make_move_new(mv)
                })
        };
        doubt_mates(
            self.search.tree,
            self.search.evaluator,
            &self.side_path,
            board_at,
        );
    }

    /// Returns true if the own value of a node counts only until all its moves are in the tree.
    fn drops_own_values(&self) -> bool {
        self.search.options.own_value != OwnValue::Kept
    }
}

/// The number of moves of a quiescence line, from a level of `line`, until the game is drawn, if it
/// is: quiescence ignores draws. Only its first move, out of check, can come to a repetition or the
/// end of the fifty moves; captures can leave too little to mate.
fn draw_on(line: &mut Line, level: usize, quiescence: &[ChessMove]) -> Option<usize> {
    let &first = quiescence.first()?;
    let start = *line.board_at(level);
    if !is_irreversible(&start, first) && line.is_drawn_by(level, first) {
        return Some(1);
    }
    if start.combined().popcnt() as usize > quiescence.len() + MOST_OF_TOO_LITTLE {
        return None;
    }
    let mut boards = quiescence.iter().scan(start, |board, &mv| {
        *board = board.make_move_new(mv);
        Some(*board)
    });
    boards
        .position(|board| is_insufficient_material(&board))
        .map(|index| index + 1)
}

/// With more pieces than this a game is hardly ever drawn for want of material.
const MOST_OF_TOO_LITTLE: usize = 4;

/// Drops the own value of the last node of `path[..=level]` if all its moves are in the tree: doing
/// nothing is no choice any more.
fn drop_own_if_complete(tree: &mut ReservationTree, path: &[NodeId], level: usize) {
    let node = path[level];
    if tree.is_complete(node) && tree.own_value(node).is_some() && !tree.is_terminal(node) {
        tree.drop_own(node, level);
        tree.back_up(&path[..=level]);
    }
}

/// Doubts mates from the last node of `path` up. A side is mated only if all its moves are in the
/// tree. Else the static value of the position stands for the missing ones.
fn doubt_mates<E: Evaluator>(
    tree: &mut ReservationTree,
    evaluator: &E,
    path: &[NodeId],
    board_at: impl Fn(usize) -> Board,
) {
    for (level, &node) in path.iter().enumerate().rev() {
        if !tree.is_unproved_mate(node, level) {
            continue;
        }
        let board = board_at(level);
        tree.count_moves(node, MoveGen::new_legal(&board).len());
        if tree.is_unproved_mate(node, level) {
            let value = evaluate_for_mover(evaluator, &board);
            tree.set_stand_in(node, level, for_side(board.side_to_move(), value));
            tree.back_up(&path[..=level]);
        }
    }
}

/// Returns true if the position's generator has this move. Spoils the generator.
fn generates(generator: &mut MoveGen, mv: ChessMove) -> bool {
    generator.set_iterator_mask(BitBoard::from_square(mv.get_dest()));
    generator.any(|generated| generated == mv)
}
