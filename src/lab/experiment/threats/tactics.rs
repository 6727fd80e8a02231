//! M6 and M7: the program's finds, by the kind of the solution.

use anyhow::Context as _;
use chess::{Board, ChessMove, Color, Piece};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{material_alone, program, published, think};
use crate::arena::suite::{Difference, Goal, PositionList, Problem, ProblemList, Rate};
use crate::eval::threats::{Contact, contacts};
use crate::lab::experiment::verdict::{Paired, above};
use crate::lab::experiment::{ClaimVerdict, Conclusion, Laboratory, Part, Text};
use crate::rules::position::Position;
use crate::search::minimax::Pruning;

/// Our own positions: one move wins, or one move does not lose.
const TACTICAL: &str = include_str!("../../../../tests/suites/tactical100.epd");
const DEFENSIVE: &str = include_str!("../../../../tests/suites/defence200.epd");

/// The least gain of a winning move, in centipawns.
const WINS: i32 = 150;

/// A position, the kind of its solution, and its finders.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Tried {
    fen: String,
    solution: String,
    forks: bool,
    pins: bool,
    /// True if found by the rating, and by material alone.
    found: [bool; 2],
}

struct Puzzle {
    root: Position,
    goal: Goal,
    solution: ChessMove,
}

/// Returns the positions of a set with a wanted value of the solution, in centipawns.
fn puzzles(text: &str, is_wanted: impl Fn(i32) -> bool) -> anyhow::Result<Vec<Puzzle>> {
    let lines: Vec<&str> = text.lines().collect();
    let list = ProblemList::of(PositionList::of("our own", text.as_bytes()));
    let mut puzzles = Vec::new();
    for Problem { position, goal } in list.problems {
        let (_, value) = lines[position.line as usize - 1]
            .split_once("ce ")
            .context("a position without a value")?;
        let value = value.split(';').next().unwrap_or(value).trim().parse()?;
        let root = Position::from_fen(&position.fen)?;
        let mut solutions = root.legal_moves().into_iter();
        let solution = solutions.find(|mv| goal.is_solved_by(&mv.to_string()));
        if let Some(solution) = solution
            && is_wanted(value)
        {
            puzzles.push(Puzzle {
                root,
                goal,
                solution,
            });
        }
    }
    Ok(puzzles)
}

/// Tries all puzzles of a set with the rating and with material alone.
fn tried(laboratory: &Laboratory, work: &str, puzzles: &[Puzzle]) -> anyhow::Result<Vec<Tried>> {
    let plies = plies(laboratory);
    let most = laboratory.conditions.pick(20, usize::MAX);
    let puzzles = &puzzles[..puzzles.len().min(most)];
    let fens: Vec<String> = puzzles.iter().map(|puzzle| puzzle.root.to_fen()).collect();
    let settings = json!({ "plies": plies, "positions": fens });
    laboratory.each(work, &settings, puzzles.len(), |index| {
        let Puzzle {
            root,
            goal,
            solution,
        } = &puzzles[index];
        let found = [published(), material_alone()].map(|weights| {
            let thought = think(&mut program(plies, Pruning::Last, &weights), root);
            root.parse_move(&thought.san)
                .is_ok_and(|mv| goal.is_solved_by(&mv.to_string()))
        });
        let after = root.board().make_move_new(*solution);
        Ok(Tried {
            fen: root.to_fen(),
            solution: root.san(*solution),
            forks: is_fork(&after, *solution),
            pins: pins(root.board(), &after),
            found,
        })
    })
}

fn plies(laboratory: &Laboratory) -> u32 {
    laboratory.conditions.pick(2, 4)
}

/// Returns true if the piece that moved last attacks two enemy pieces, each undefended or dearer
/// than the attacker.
fn is_fork(after: &Board, mv: ChessMove) -> bool {
    let contacts = contacts(after);
    let Some(mover) = contacts
        .iter()
        .find(|contact| contact.square == mv.get_dest())
    else {
        return false;
    };
    let suffers = |contact: &&Contact| {
        contact.attackers.contains(&(mover.piece, mover.square))
            && (contact.defenders.is_empty() || value(contact.piece) > value(mover.piece))
    };
    contacts.iter().filter(suffers).count() >= 2
}

fn value(piece: Piece) -> i32 {
    [100, 300, 300, 500, 900, 10_000][piece.to_index()]
}

/// Returns true if an enemy piece is pinned to its king after the move, but was not before.
fn pins(before: &Board, after: &Board) -> bool {
    let enemy = after.side_to_move();
    let pinned_before = before.null_move().map_or(0, |board| pinned(&board, enemy));
    pinned(after, enemy) & !pinned_before != 0
}

/// Returns the pinned pieces of the side to move.
fn pinned(board: &Board, side: Color) -> u64 {
    (*board.pinned() & *board.color_combined(side)).0
}

type IsOfKind = fn(&Tried) -> bool;

/// The kinds of solutions to count.
const KINDS: [(&str, IsOfKind); 4] = [
    ("forks", |one| one.forks),
    ("pins", |one| one.pins),
    ("forks or pins", |one| one.forks || one.pins),
    ("all", |_| true),
];

/// M6: Forks and pins.
pub fn forks_and_pins(laboratory: &Laboratory, text: &Text) -> anyhow::Result<Conclusion> {
    let tried = tried(laboratory, "m6-tactical", &puzzles(TACTICAL, |_| true)?)?;
    let mut parts = Vec::new();
    for (kind, is_of_kind) in KINDS {
        let of_kind = tried.iter().filter(|one| is_of_kind(one));
        let found = Paired::new(of_kind.map(|one| one.found));
        let evidence = found.in_words(["by ratings", "by material"]);
        parts.push(if kind == "forks or pins" {
            let statement = "Ratings find more forks and pins than material alone";
            Part::new(statement, found.verdict(), evidence)
        } else {
            Part::measured(format!("Found, {kind}"), evidence)
        });
    }
    let data = json!({ "positions": tried });
    Ok(text.conclude(laboratory, &[("plies", &plies(laboratory))], parts, data))
}

/// Returns the rate of moves found, by the rating (0) or by material alone (1).
fn found(tried: &[Tried], by: usize) -> anyhow::Result<Rate> {
    let count = tried.iter().filter(|one| one.found[by]).count();
    Rate::new(count, tried.len()).context("there are no positions")
}

/// M7: Defence and attack.
pub fn defence(laboratory: &Laboratory, text: &Text) -> anyhow::Result<Conclusion> {
    let winning = puzzles(TACTICAL, |value| value >= WINS)?;
    let attack = tried(laboratory, "m7-attack", &winning)?;
    let defence = tried(laboratory, "m7-defence", &puzzles(DEFENSIVE, |_| true)?)?;
    let tried = format!("{} and {} positions", defence.len(), attack.len());
    let mut parts = Vec::new();
    for by in [0, 1] {
        let [defended, attacked] = [found(&defence, by)?, found(&attack, by)?];
        let difference = Difference::new(&defended, &attacked);
        let [value, lower, upper] =
            [difference.value, difference.lower, difference.upper].map(|part| 100.0 * part);
        let evidence = format!(
            "{} of {} against {} of {}: {value:+.1} percent points ({lower:+.1} to {upper:+.1})",
            defended.count, defended.of, attacked.count, attacked.of
        );
        parts.push(if by == 0 {
            let tried = tried.clone();
            let verdict =
                ClaimVerdict::of_range(above(0.0), difference.lower, difference.upper, tried);
            let statement = "More defensive than offensive moves are found";
            Part::new(statement, verdict, evidence)
        } else {
            Part::measured("The same by material alone", evidence)
        });
    }
    let data = json!({ "defence": defence, "attack": attack });
    Ok(text.conclude(laboratory, &[("plies", &plies(laboratory))], parts, data))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(fen: &str, mv: &str) -> (bool, bool) {
        let root = Position::from_fen(fen).expect(fen);
        let mv = root.parse_move(mv).expect(mv);
        let after = root.board().make_move_new(mv);
        (is_fork(&after, mv), pins(root.board(), &after))
    }

    #[test]
    fn forks_and_pins_are_seen_by_what_the_move_does() {
        assert_eq!(
            seen("r3k3/p7/8/3N4/8/8/8/4K3 w - - 0 1", "Nc7"),
            (true, false)
        );
        // One piece only.
        assert_eq!(
            seen("4k3/p7/8/3N4/8/8/8/4K3 w - - 0 1", "Nc7"),
            (false, false)
        );
        // Two pawns that are defended, by a knight.
        assert_eq!(
            seen("4k3/2p1p3/1p1p4/8/2N5/8/8/4K3 w - - 0 1", "Na3"),
            (false, false)
        );
        assert_eq!(
            seen("4k3/3n4/8/8/8/8/8/4KB2 w - - 0 1", "Bb5"),
            (false, true)
        );
        // The pin was there before.
        assert_eq!(
            seen("4k3/3n4/8/1B6/8/8/8/4K3 w - - 0 1", "Ba4"),
            (false, false)
        );
    }

    #[test]
    fn the_sets_have_what_is_asked_of_them() {
        let all = puzzles(TACTICAL, |_| true).expect("positions");
        let winning = puzzles(TACTICAL, |value| value >= WINS).expect("positions");
        assert_eq!(all.len(), 100);
        assert!(
            winning.len() < all.len() && winning.len() > 50,
            "{}",
            winning.len()
        );
        assert!(
            !puzzles(DEFENSIVE, |value| value < WINS)
                .expect("positions")
                .is_empty()
        );
        assert!(
            puzzles(DEFENSIVE, |value| value >= WINS)
                .expect("positions")
                .is_empty()
        );
    }
}
