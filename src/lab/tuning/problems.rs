//! Chess problems as a quiz: the solver is an evaluation with weights, in a search of a few plies.

use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context as _, ensure};
use chess::{Board, ChessMove};
use rand::seq::SliceRandom as _;

use super::mutation::chance;
use super::{Involved, Quiz};
use crate::arena::suite::{Goal, Problem, ThoughtLine};
use crate::eval::{Evaluation, ForSearch, WeightSet};
use crate::rules::position::Position;
use crate::search::{AlphaBeta, AlphaBetaOptions, Clock, Limits, SearchReport, Searcher};
use crate::util::jobs::fingerprint;

/// The table of a search, in megabytes.
const MEMORY: usize = 1;

/// Problems, and their solver.
#[derive(Debug)]
pub struct Problems {
    list: Vec<Chosen>,
    /// The evaluation of the rows of weights.
    evaluation: Evaluation,
    /// Depth of the search in half-moves; captures follow.
    plies: u32,
    searches: AtomicU64,
}

/// A problem with its solutions.
#[derive(Clone, Debug)]
struct Chosen {
    goal: Goal,
    root: Position,
    /// Right first moves; may be empty if a mate is to be shown.
    right: Vec<ChessMove>,
    /// The other moves.
    wrong: Vec<ChessMove>,
}

/// Problems by number: those to learn from, in their order, and those to judge by.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sets {
    pub training: Vec<usize>,
    pub held_out: Vec<usize>,
}

impl Problems {
    /// Makes a quiz of problems.
    ///
    /// # Errors
    /// A position that the search cannot play.
    pub fn new(
        problems: &[Problem],
        evaluation: Evaluation,
        plies: u32,
    ) -> anyhow::Result<Problems> {
        let list: anyhow::Result<_> = problems.iter().map(Chosen::new).collect();
        Ok(Problems {
            list: list?,
            evaluation,
            plies,
            searches: AtomicU64::new(0),
        })
    }

    /// Returns a number that identifies a set of problems.
    pub fn fingerprint(problems: &[Problem]) -> String {
        let asked = |problem: &Problem| format!("{} {}", problem.position.fen, problem.goal);
        let asked: Vec<String> = problems.iter().map(asked).collect();
        format!("{:016x}", fingerprint(&asked))
    }

    /// Returns the number of searches so far.
    pub fn searches(&self) -> u64 {
        self.searches.load(Ordering::Relaxed)
    }

    /// Returns the weights of a player. Players stay within their own ranges, which need not be the
    /// evaluation's.
    fn weights(&self, player: &[i32]) -> WeightSet {
        WeightSet::with_any_row(self.evaluation, player)
    }

    fn search(&self, player: &[i32], problem: usize, excluded: &[ChessMove]) -> SearchReport {
        self.searches.fetch_add(1, Ordering::Relaxed);
        let limits = Limits {
            depth: Some(self.plies),
            excluded: excluded.to_vec(),
            ..Limits::default()
        };
        let options = AlphaBetaOptions {
            transposition_table: true,
            ..AlphaBetaOptions::plain()
        };
        let mut search: Box<dyn Searcher> = match self.weights(player).evaluator() {
            ForSearch::Network(evaluator) => {
                Box::new(AlphaBeta::with_memory(*evaluator, options, MEMORY))
            }
            ForSearch::Other(evaluator) => {
                Box::new(AlphaBeta::with_memory(evaluator, options, MEMORY))
            }
        };
        let root = &self.list[problem].root;
        search.search(root, &limits, &Clock::unlimited(), &mut ())
    }

    /// Returns the board at the end of the best line, without some first moves.
    fn leaf(&self, player: &[i32], problem: usize, excluded: &[ChessMove]) -> Board {
        let mut board = *self.list[problem].root.board();
        for mv in self.search(player, problem, excluded).variation {
            board = board.make_move_new(mv);
        }
        board
    }

    fn coefficients(&self, player: &[i32], board: &Board) -> Vec<f64> {
        self.weights(player)
            .evaluator()
            .as_tunable()
            .coefficients(board)
    }
}

impl Quiz for Problems {
    fn solves(&self, player: &[i32], problem: usize) -> bool {
        let report = self.search(player, problem, &[]);
        let chosen = &self.list[problem];
        let is_right = |best| chosen.right.contains(&best) || chosen.shows_mate(&report);
        report.best_move().is_some_and(is_right)
    }

    fn involved(&self, player: &[i32], problem: usize, which: Involved) -> Vec<usize> {
        let Chosen {
            root, right, wrong, ..
        } = &self.list[problem];
        let all = Vec::from_iter(0..player.len());
        let mut involved = all.clone();
        match which {
            Involved::Deciding if !right.is_empty() && !wrong.is_empty() => {
                let [one, other] = [wrong, right].map(|excluded| {
                    self.coefficients(player, &self.leaf(player, problem, excluded))
                });
                involved.retain(|&weight| one[weight] != other[weight]);
            }
            Involved::Present => {
                let coefficients = self.coefficients(player, root.board());
                involved.retain(|&weight| coefficients[weight] != 0.0);
            }
            Involved::Deciding | Involved::All => {}
        }
        if involved.is_empty() { all } else { involved }
    }
}

impl Chosen {
    fn new(problem: &Problem) -> anyhow::Result<Chosen> {
        let position = &problem.position;
        let goal = &problem.goal;
        let root = Position::from_fen(&position.fen)
            .with_context(|| format!("{}, line {}", position.file.display(), position.line))?;
        let is_right = |mv: &ChessMove| goal.is_solved_by(&mv.to_string());
        let (right, wrong) = root.legal_moves().into_iter().partition(is_right);
        Ok(Chosen {
            goal: goal.clone(),
            root,
            right,
            wrong,
        })
    }

    fn shows_mate(&self, report: &SearchReport) -> bool {
        self.goal.shows_mate(&ThoughtLine {
            score: report.score,
            exact: true,
            pv: report.variation.iter().map(ToString::to_string).collect(),
            ..ThoughtLine::default()
        })
    }
}

/// The choice of problems.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The number of problems to learn from, half of each kind if there are two.
    pub count: usize,
    /// The held-out share of each kind, from 0 to below 1.
    pub held_out: f64,
    /// Seed of the held-out choice.
    pub split: u64,
    /// Seed of the draw from the rest.
    pub seed: u64,
}

impl Choice {
    /// Draws problems of several kinds, given with their numbers, and numbered one kind after the
    /// other. The same seeds draw the same; the held-out ones are the same for any count.
    ///
    /// # Errors
    /// Too few of a kind, with the numbers.
    pub fn draw(&self, kinds: &[(&str, usize)]) -> anyhow::Result<Sets> {
        let asked = kinds.iter().filter(|(_, count)| *count > 0).count();
        ensure!(asked > 0, "there are no problems");
        ensure!(
            self.count.is_multiple_of(asked),
            "{} problems cannot be halves of two kinds: the number must be even",
            self.count
        );
        let mut sets = Sets::default();
        let mut first = 0;
        for (kind, &(name, count)) in kinds.iter().enumerate() {
            let mut numbers: Vec<usize> = (first..first + count).collect();
            first += count;
            if count == 0 {
                continue;
            }
            numbers.shuffle(&mut chance(self.split, [u64::MAX, 0, kind as u64]));
            let held_out = (count as f64 * self.held_out).round() as usize;
            let left = count - held_out;
            let needed = self.count / asked;
            ensure!(
                left >= needed,
                "{needed} {name} problems are needed to learn from, and {held_out} of {count} are held out: {left} are left"
            );
            sets.held_out.extend(&numbers[..held_out]);
            let (drawn, _) = numbers[held_out..]
                .partial_shuffle(&mut chance(self.seed, [u64::MAX, 1, kind as u64]), needed);
            sets.training.extend(&*drawn);
        }
        sets.training
            .shuffle(&mut chance(self.seed, [u64::MAX, 2, 0]));
        Ok(sets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::suite::ProblemList;
    use crate::eval::WeightSet;

    fn problems(text: &str) -> Problems {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("my.epd");
        std::fs::write(&path, text).expect("written");
        let collection = ProblemList::read(&[path]).expect("a file");
        assert!(collection.left_out.is_empty(), "{:?}", collection.left_out);
        Problems::new(&collection.problems, Evaluation::Factors, 4).expect("positions")
    }

    const CHOICE: Choice = Choice {
        count: 96,
        held_out: 0.2,
        split: 1,
        seed: 1,
    };

    fn defaults() -> Vec<i32> {
        WeightSet::of(Evaluation::Factors).row().to_vec()
    }

    #[test]
    fn problems_are_solved_by_the_move_or_by_the_mate() {
        // A rook is won at once; a mate in two by several moves (ladder); the losing capture is to
        // be avoided.
        let problems = problems(
            "4k3/8/8/3r4/8/8/8/3RK3 w - - bm Rxd5;\n\
             7k/8/8/8/8/8/R7/1R2K3 w - - dm 2;\n\
             4k3/8/2p5/3p4/8/8/8/3QK3 w - - am Qxd5;\n\
             4k3/8/8/3r4/8/8/8/3RK3 w - - bm Kf2;\n",
        );
        let answers: Vec<bool> = (0..4)
            .map(|problem| problems.solves(&defaults(), problem))
            .collect();
        assert_eq!(answers, [true, true, true, false]);
        assert_eq!(problems.searches(), 4);
    }

    /// White can take a rook or a knight. In both lines White keeps a rook; what is left of Black
    /// differs, and so does what there is to attack.
    #[test]
    fn involved_weights_are_those_that_differ_where_the_lines_end() {
        let problems = problems("7k/8/8/8/n6r/8/8/K6R w - - bm Rxh4;\n");
        let table = Evaluation::Factors.table();
        let names = |which| -> Vec<&str> {
            let involved = problems.involved(&defaults(), 0, which);
            involved
                .into_iter()
                .map(|weight| table[weight].name.as_str())
                .collect()
        };
        let deciding = names(Involved::Deciding);
        let mut others = ["pawn", "bishop", "queen", "pawn_passed", "queen_mobility"].iter();
        assert!(
            deciding.contains(&"rook") && !others.any(|name| deciding.contains(name)),
            "{deciding:?}"
        );
        let present = names(Involved::Present);
        assert!(
            present.contains(&"knight") && !present.contains(&"rook"),
            "one rook each: {present:?}"
        );
        assert_eq!(names(Involved::All).len(), 23);
    }

    #[test]
    fn sets_are_halves_and_nothing_held_out_is_learned_from() {
        let sets = CHOICE
            .draw(&[("tactical", 100), ("positional", 200)])
            .expect("enough");
        let tactical = |set: &[usize]| set.iter().filter(|&&problem| problem < 100).count();
        assert_eq!((sets.training.len(), tactical(&sets.training)), (96, 48));
        assert_eq!((sets.held_out.len(), tactical(&sets.held_out)), (60, 20));
        let mut all = [sets.training.clone(), sets.held_out.clone()].concat();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 156, "no problem twice");
        // Another seed learns from others and judges by the same.
        let other = Choice { seed: 2, ..CHOICE }
            .draw(&[("tactical", 100), ("positional", 200)])
            .expect("enough");
        assert_eq!(other.held_out, sets.held_out);
        assert_ne!(other.training, sets.training);
        let one_kind = CHOICE
            .draw(&[("tactical", 0), ("positional", 150)])
            .expect("enough");
        assert_eq!(one_kind.training.len(), 96);
    }

    #[test]
    fn too_few_problems_are_told_with_the_numbers() {
        let error = CHOICE
            .draw(&[("tactical", 50), ("positional", 100)])
            .expect_err("too few")
            .to_string();
        let expected =
            "48 tactical problems are needed to learn from, and 10 of 50 are held out: 40 are left";
        assert_eq!(error, expected);
        assert!(CHOICE.draw(&[("tactical", 0)]).is_err());
        assert!(
            Choice { count: 7, ..CHOICE }
                .draw(&[("a", 50), ("b", 50)])
                .is_err()
        );
    }
}
