//! Problems: positions with a goal, and the time of an engine's solution.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use shakmaty::Position as _;

use super::positions::{Operations, PositionList, SuitePosition};
use super::{Thinking, ThoughtLine};
use crate::arena::referee::{Played, Referee};

/// A position and its goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub position: SuitePosition,
    pub goal: Goal,
}

/// The problems of files.
#[derive(Clone, Debug, Default)]
pub struct ProblemList {
    pub problems: Vec<Problem>,
    /// Lines without a problem, with the reason, in words.
    pub left_out: Vec<String>,
}

impl ProblemList {
    /// Reads EPD files, compressed or not.
    pub fn read(files: &[PathBuf]) -> anyhow::Result<ProblemList> {
        Ok(ProblemList::of(PositionList::read(files)?))
    }

    /// The problems of a list.
    pub fn of(list: PositionList) -> ProblemList {
        let mut problems = Vec::new();
        let mut left_out = list.malformed;
        for position in list.positions {
            match Goal::of(&position) {
                Some(goal) => problems.push(Problem { position, goal }),
                None => left_out.push(format!(
                    "{}, line {}: asks for nothing: no bm, am, dm or points",
                    position.file.display(),
                    position.line
                )),
            }
        }
        ProblemList { problems, left_out }
    }
}

/// The goal of a problem.
///
/// A move is right if it is one of the best moves and none of those to avoid. If moves have points
/// and no best move is named, those with most points are right. If a mate is wanted, a right move
/// counts, and so does a mate shown: see [`Goal::shows_mate`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    asked: Operations,
    fen: String,
}

/// An engine's result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The solution; `None` if not found, or not kept.
    pub solved: Option<FirstSolution>,
    /// Points for the move, and the most there were; `None` if there are no points.
    pub points: Option<[u32; 2]>,
}

/// The first time a solution was found and kept to the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstSolution {
    /// The time from the start of thinking. If no thinking line shows the solution, the time of the
    /// answer.
    pub at: Duration,
    /// The engine's own node count then, if any.
    pub nodes: Option<u64>,
    /// Half-moves, if reported.
    pub depth: Option<u32>,
}

impl Goal {
    /// The goal of a suite's position; `None` without `bm`, `am`, `dm` or points.
    pub fn of(position: &SuitePosition) -> Option<Goal> {
        let mut goal = Goal {
            asked: position.operations.clone(),
            fen: position.fen.clone(),
        };
        let most = goal.most_points();
        let asked = &mut goal.asked;
        if asked.best.is_empty() {
            for (mv, points) in &asked.points {
                if Some(*points) == most {
                    asked.best.push(mv.clone());
                }
            }
        }
        let asks = !asked.best.is_empty() || !asked.avoid.is_empty() || asked.mate_in.is_some();
        asks.then_some(goal)
    }

    /// The points of the best move; `None` if there are no points.
    pub fn most_points(&self) -> Option<u32> {
        self.asked.points.iter().map(|(_, points)| *points).max()
    }

    /// Judges an engine's thinking. The solution is found with the first line from which on every
    /// line begins with the solution.
    pub fn judge(&self, thinking: &Thinking) -> Judgement {
        let mut points = self.most_points().map(|most| [0, most]);
        for (mv, own) in &self.asked.points {
            if mv.uci == thinking.best {
                points = points.map(|[_, most]| [*own, most]);
            }
        }
        Judgement {
            solved: self.found(thinking),
            points,
        }
    }

    fn found(&self, thinking: &Thinking) -> Option<FirstSolution> {
        let best = std::slice::from_ref(&thinking.best);
        let mut is_found = self.is_right(&thinking.best) || self.mates(best);
        if let Some(last) = thinking.lines.iter().rfind(|line| line.exact)
            && (last.pv.is_empty() || last.pv.starts_with(best))
        {
            is_found |= self.shows_mate(last);
        }
        if !is_found {
            return None;
        }
        let mut found = FirstSolution {
            at: thinking.time,
            nodes: thinking.nodes(),
            depth: thinking.depth(),
        };
        for line in thinking.lines.iter().rev() {
            match self.shows(line) {
                Some(true) => {
                    found = FirstSolution {
                        at: line.at,
                        nodes: line.nodes,
                        depth: line.depth,
                    }
                }
                Some(false) => break,
                None => {}
            }
        }
        Some(found)
    }

    /// Returns true if a line shows the solution; `None` if the line has no move.
    fn shows(&self, line: &ThoughtLine) -> Option<bool> {
        if self.shows_mate(line) {
            return Some(true);
        }
        line.pv.first().map(|mv| self.is_right(mv))
    }

    fn is_right(&self, mv: &str) -> bool {
        let Operations { best, avoid, .. } = &self.asked;
        let is_in = |list: &[Played]| list.iter().any(|one| one.uci == mv);
        // Where neither is named, only a mate is asked for.
        let may_be_any = best.is_empty() && !avoid.is_empty();
        (may_be_any || is_in(best)) && !is_in(avoid)
    }

    /// Returns true if a move in coordinates, without any thinking shown, reaches the goal.
    pub fn is_solved_by(&self, mv: &str) -> bool {
        let answer = Thinking {
            best: mv.to_owned(),
            ..Thinking::default()
        };
        self.judge(&answer).solved.is_some()
    }

    /// Returns true if a mate within the wanted moves is shown: by a score that is no bound, or by
    /// moves ending in mate.
    pub fn shows_mate(&self, line: &ThoughtLine) -> bool {
        let (Some(mate @ 1..), Some(moves)) = (line.score.mate_moves(), self.asked.mate_in) else {
            return self.mates(&line.pv);
        };
        line.exact && mate.unsigned_abs() <= moves || self.mates(&line.pv)
    }

    /// Returns true if these moves from the position end in the wanted mate.
    fn mates(&self, pv: &[String]) -> bool {
        let Some(moves) = self.asked.mate_in else {
            return false;
        };
        // The last move is the mating side's.
        if pv.len().is_multiple_of(2) || pv.len().div_ceil(2) > moves as usize {
            return false;
        }
        Referee::after(&self.fen, pv).is_ok_and(|referee| referee.position().is_checkmate())
    }
}

/// Moves, each behind a blank.
fn sans(moves: &[Played]) -> String {
    moves
        .iter()
        .fold(String::new(), |text, mv| text + " " + &mv.san)
}

/// `Qg6`, `not Qxb2`, `mate in 3: Qf6`
impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Operations { best, avoid, .. } = &self.asked;
        let mut parts = Vec::new();
        if !best.is_empty() {
            parts.push(sans(best));
        }
        if !avoid.is_empty() {
            parts.push(format!(" not{}", sans(avoid)));
        }
        let rest = parts.join(",");
        match self.asked.mate_in {
            Some(moves) if rest.is_empty() => write!(f, "mate in {moves}"),
            Some(moves) => write!(f, "mate in {moves}:{rest}"),
            None => f.write_str(rest.trim_start()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::suite::tests::{self, START, problems, told};
    use crate::rules::score::Score;

    fn goal(line: &str) -> Goal {
        problems(line).remove(0).goal
    }

    fn line(at: u64, score: Score, pv: &str) -> ThoughtLine {
        ThoughtLine {
            at: Duration::from_millis(at),
            nodes: Some(10 * at),
            ..told(score, pv)
        }
    }

    fn thinking(best: &str, lines: &[ThoughtLine]) -> Thinking {
        Thinking {
            time: Duration::from_millis(100),
            ..tests::thinking(best, lines)
        }
    }

    /// The time of the solution, in milliseconds.
    fn solved(goal: &Goal, best: &str, lines: &[ThoughtLine]) -> Option<u128> {
        let found = goal.judge(&thinking(best, lines)).solved;
        found.map(|found| found.at.as_millis())
    }

    const EVEN: Score = Score(0);

    #[test]
    fn a_move_counts_from_the_time_it_is_found_and_kept() {
        let goal = goal(&format!("{START} bm e4 d4;"));
        let [e4, d4, c4] = ["e2e4", "d2d4", "c2c4"];
        let lines = |moves: &[&str]| {
            Vec::from_iter(moves.iter().zip(1..).map(|(mv, at)| line(at, EVEN, mv)))
        };
        assert_eq!(solved(&goal, e4, &lines(&[e4, e4, e4])), Some(1));
        assert_eq!(solved(&goal, e4, &lines(&[e4, c4, e4])), Some(3));
        // Another right move is no loss; a line without moves says nothing.
        assert_eq!(solved(&goal, e4, &lines(&[c4, d4, "", e4])), Some(2));
        // Thrown away at last, found at last, and found without a word.
        assert_eq!(solved(&goal, c4, &lines(&[e4, e4])), None);
        assert_eq!(solved(&goal, e4, &lines(&[e4, c4])), Some(100));
        assert_eq!(solved(&goal, e4, &[]), Some(100));
        let found = goal.judge(&thinking(e4, &lines(&[c4, e4, e4]))).solved;
        assert_eq!(found.and_then(|found| found.nodes), Some(20));
    }

    #[test]
    fn moves_to_avoid_are_avoided() {
        let avoid = goal(&format!("{START} am e4;"));
        assert_eq!(solved(&avoid, "e2e4", &[]), None);
        assert_eq!(
            solved(
                &avoid,
                "d2d4",
                &[line(1, EVEN, "e2e4"), line(2, EVEN, "a2a3")]
            ),
            Some(2)
        );
        let both = goal(&format!("{START} bm d4; am e4;"));
        assert_eq!(
            (solved(&both, "c2c4", &[]), solved(&both, "d2d4", &[])),
            (None, Some(100))
        );
        assert_eq!(
            (avoid.to_string(), both.to_string()),
            ("not e4".into(), "d4, not e4".into())
        );
    }

    #[test]
    fn points_are_for_the_move_and_the_most_of_them_solve() {
        let goal = goal(&format!("{START} c7 \"e4 d4 c4\"; c8 \"10 10 3\";"));
        let points = |best: &str| goal.judge(&thinking(best, &[])).points;
        assert_eq!(
            (points("c2c4"), points("a2a3")),
            (Some([3, 10]), Some([0, 10]))
        );
        assert_eq!(
            (solved(&goal, "c2c4", &[]), solved(&goal, "d2d4", &[])),
            (None, Some(100))
        );
        assert_eq!(goal.to_string(), "e4 d4");
    }

    /// White mates in two: 1. Rb7 (or Ra7) and a rook on the eighth rank.
    const MATE: &str = "7k/8/8/8/8/8/1R6/R6K w - - dm 2;";

    #[test]
    fn mates_are_shown_by_score_or_by_moves() {
        let goal = goal(MATE);
        let mate_in = |moves: usize| Score::mate_in(2 * moves - 1);
        assert_eq!(
            solved(
                &goal,
                "b2b7",
                &[line(1, EVEN, "b2b7"), line(2, mate_in(2), "b2b7")]
            ),
            Some(2)
        );
        assert_eq!(
            solved(
                &goal,
                "b2b7",
                &[line(1, mate_in(3), "b2b7"), line(2, mate_in(3), "")]
            ),
            None
        );
        assert_eq!(
            solved(&goal, "b2b7", &[line(1, Score::mated_in(2), "b2b7")]),
            None
        );
        // A score as an old engine writes it, and the moves that prove it.
        assert_eq!(
            solved(&goal, "b2b7", &[line(1, Score(29_997), "b2b7 h8g8 a1a8")]),
            Some(1)
        );
        assert_eq!(
            solved(&goal, "b2b7", &[line(1, EVEN, "b2b7 h8g8 a1a7")]),
            None
        );
        // A mate that another move would give is none of this one's.
        assert_eq!(solved(&goal, "h1g1", &[line(1, mate_in(2), "b2b7")]), None);
        let bound = ThoughtLine {
            exact: false,
            ..line(1, mate_in(2), "b2b7")
        };
        assert_eq!(solved(&goal, "b2b7", &[bound]), None);
        // Later a shorter one is seen: kept all the same.
        let shorter = [line(1, mate_in(2), "a1a7"), line(2, mate_in(1), "b2b7")];
        assert_eq!(solved(&goal, "b2b7", &shorter), Some(1));
        assert_eq!(goal.to_string(), "mate in 2");
    }

    #[test]
    fn a_mating_move_needs_no_score() {
        let one = goal("6k1/5ppp/8/8/8/8/8/R6K w - - dm 1;");
        assert_eq!(solved(&one, "a1a8", &[]), Some(100));
        assert_eq!(solved(&one, "a1a7", &[]), None);
        let with_best = goal("6k1/5ppp/8/8/8/8/8/R6K w - - dm 1; bm Ra8;");
        assert_eq!(with_best.to_string(), "mate in 1: Ra8#");
        assert_eq!(
            solved(&with_best, "a1a8", &[line(1, EVEN, "a1a8")]),
            Some(1)
        );
    }
}
