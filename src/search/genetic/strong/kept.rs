//! The population that lives on from move to move: the next search goes on with the subtree of the
//! position that the game reached.

use chess::ChessMove;

use super::StrongSearch;
use super::node::{NodeId, NodeResult, Population};
use crate::eval::Evaluator;
use crate::rules::position::Position;

/// The best move of a subtree counts as unchanged in so many iterations: it was searched to its
/// depth by the search before. With 0 the plan of time would take the move for a new choice.
const UNCHANGED_BEFORE: u32 = 3;

/// The population at the end of a search, and the position of its root.
pub struct Kept {
    position: Position,
    population: Population,
}

impl Kept {
    pub fn new(position: &Position, population: Population) -> Self {
        Kept {
            position: position.clone(),
            population,
        }
    }

    /// The subtree of `position`. `None` if it is not in the tree after one or two moves, or if the
    /// front end gave the position without the moves that led to it.
    fn subtree_of(self, position: &Position) -> Option<Population> {
        let Kept {
            position: mut reached,
            population,
        } = self;
        let (before, last) = position.last_move()?;
        let mut genes = vec![last];
        if before != reached.board() {
            let mut first_moves = population[population.root()]
                .children
                .iter()
                .map(|&child| population[child].gene);
            let first = first_moves.find(|&gene| reached.board().make_move_new(gene) == *before)?;
            genes.insert(0, first);
        }
        let mut node = population.root();
        for &gene in &genes {
            node = population.child(node, gene)?;
            reached.play(gene).ok()?;
        }
        // The same board may have come about by another game: repetitions differ.
        let is_same = reached.keys() == position.keys()
            && reached.halfmove_clock() == position.halfmove_clock();
        is_same.then(|| population.rooted_at(node, genes.len() as i32))
    }
}

impl<E: Evaluator> StrongSearch<'_, E> {
    /// Goes on with the subtree of `position`, if the search before knows the score there.
    /// Otherwise an initial population is made, and also for a search to a fixed depth, with
    /// several lines or with excluded moves.
    pub fn adopt(&mut self, kept: Kept, position: &Position) {
        let limits = self.search.limits;
        let all_moves = position.legal_moves().len();
        if limits.depth.is_some() || limits.lines > 1 || self.search.root_moves.len() < all_moves {
            return;
        }
        let Some(mut population) = kept.subtree_of(position) else {
            return;
        };
        let known = population[population.root()].result;
        if !known.is_exact(1) {
            return;
        }
        // Every second worker is a half-move ahead.
        let ahead = self.depth - 1;
        self.depth = known.depth;
        std::mem::swap(&mut self.population, &mut population);
        self.restart_path();
        // The singular test is not made at the root.
        self.end_extensions(self.population.root());
        self.check_ends();
        self.move_board_to_end();
        let Some(line) = self.best_line() else {
            // The root has no child with a score: it was a leaf, its children died, or the game was
            // over here by repetition before it went on.
            self.population = population;
            self.depth = 1 + ahead;
            return;
        };
        self.reported = vec![line];
        self.unchanged = UNCHANGED_BEFORE;
        self.search.root_moves = self.moves_of_root();
        self.depth += ahead;
    }

    /// Resets draws by repetition that are none any more: a position that is now before the root
    /// has to come back twice.
    fn check_ends(&mut self) {
        let mut open: Vec<(NodeId, Vec<ChessMove>)> = vec![(self.population.root(), Vec::new())];
        while let Some((node, genes)) = open.pop() {
            for &child in &self.population[node].children {
                let mut genes = genes.clone();
                genes.push(self.population[child].gene);
                open.push((child, genes));
            }
            if !self.population[node].is_terminal {
                continue;
            }
            self.local.go_to(genes.into_iter());
            if self.local.ended(&mut self.search.counter).is_none() {
                let end = &mut self.population[node];
                end.is_terminal = false;
                end.result = NodeResult::UNKNOWN;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::NetworkEvaluator;
    use crate::rules::position::Line;
    use crate::rules::score::Score;
    use crate::search::genetic::Genetic;
    use crate::search::genetic::strong::tests::{position, strong};
    use crate::search::quiescence::ended;
    use crate::search::{Clock, Limits, SearchReport, Searcher as _};

    const MIDDLE_GAMES: [&str; 3] = [
        "r1bq1rk1/pp2ppbp/2n2np1/2ppN3/5P2/1P2P3/PBPPB1PP/RN1Q1RK1 b - - 3 8",
        "5rk1/pp3p1p/3p2p1/2qPb3/2P1Q3/1P4P1/P4PBP/4R1K1 b - - 0 25",
        "8/1p3k2/p4p2/P1P2p1p/1P3P1P/2K5/8/8 w - - 0 40",
    ];

    fn search(
        search: &mut Genetic<NetworkEvaluator>,
        position: &Position,
        nodes: u64,
    ) -> SearchReport {
        let limits = Limits::of_nodes(nodes);
        search.search(position, &limits, &Clock::unlimited(), &mut ())
    }

    /// The position after the first `plies` moves of a report.
    fn later(position: &Position, report: &SearchReport, plies: usize) -> Position {
        let mut later = position.clone();
        for &mv in &report.variation[..plies] {
            later.play(mv).expect("variations are legal");
        }
        later
    }

    #[test]
    fn after_the_expected_reply_the_search_begins_where_it_was() {
        for fen in MIDDLE_GAMES {
            let before = position(fen);
            for plies in [1, 2] {
                let mut kept = strong();
                let limits = Limits {
                    depth: Some(9),
                    ..Limits::default()
                };
                let first = kept.search(&before, &limits, &Clock::unlimited(), &mut ());
                let now = later(&before, &first, plies);
                let second = search(&mut kept, &now, 100);
                assert!(second.depth >= 9 - plies as u32, "{fen}: {}", second.depth);
                later(&now, &second, second.variation.len());
                let fresh = search(&mut strong(), &now, 100);
                assert!(fresh.depth < 5, "{fen}: {}", fresh.depth);
            }
        }
    }

    #[test]
    fn another_position_another_game_or_a_new_game_get_an_initial_population() {
        // No move takes anything, and no pawn moves: the game remembers its positions.
        let before = position("8/8/8/3k4/8/3K4/3R4/8 b - - 0 1");
        let mut kept = strong();
        let first = search(&mut kept, &before, 30_000);
        let expected = later(&before, &first, 2);
        let mut take = || kept.workers[0].kept.take().expect("it has searched");
        let behind = take();
        // The same board of another game: repetitions may differ.
        let of_another_game = position(&expected.to_fen());
        assert_ne!(of_another_game.keys(), expected.keys());
        assert!(behind.subtree_of(&of_another_game).is_none());

        search(&mut kept, &before, 30_000);
        kept.new_game();
        assert!(kept.workers[0].kept.is_none());
        let again = search(&mut kept, &before, 30_000);
        assert_eq!(
            (again.nodes, again.variation, again.score),
            (first.nodes, first.variation, first.score)
        );
    }

    #[test]
    fn a_mate_comes_nearer_by_the_moves_played() {
        // Mate in three.
        let before = position("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1");
        let mut kept = strong();
        let first = search(&mut kept, &before, 30_000);
        assert_eq!(first.score, Score::mate_in(5));
        let now = later(&before, &first, 2);
        let second = search(&mut kept, &now, 10);
        assert_eq!(second.score, Score::mate_in(3));
        let end = later(&now, &second, 3);
        assert!(end.legal_moves().is_empty());
    }

    /// Two kings and a rook have little to do but repeat positions.
    #[test]
    fn an_end_of_the_game_in_the_tree_is_one_in_the_game_that_goes_on() {
        let mut game = position("8/8/8/3k4/8/3K4/3R4/8 b - - 0 1");
        let mut kept = strong();
        let mut compared = 0;
        for _ in 0..16 {
            let report = search(&mut kept, &game, 3_000);
            for &mv in report.variation.iter().take(1) {
                game.play(mv).expect("variations are legal");
            }
            search(&mut kept, &game, 3_000);
            let Kept {
                position,
                population,
            } = kept.workers[0].kept.as_ref().expect("it has searched");
            let mut open = vec![(population.root(), Vec::new())];
            while let Some((node, genes)) = open.pop() {
                for &child in &population[node].children {
                    let mut genes: Vec<ChessMove> = genes.clone();
                    genes.push(population[child].gene);
                    open.push((child, genes));
                }
                let mut line = Line::new(position);
                for &gene in &genes {
                    line.make(gene);
                }
                if !genes.is_empty() {
                    let is_over = line.is_draw() || ended(line.board(), genes.len()).is_some();
                    assert_eq!(population[node].is_terminal, is_over, "{genes:?}");
                    compared += usize::from(is_over);
                }
            }
        }
        assert!(compared > 0, "{compared}");
    }
}
