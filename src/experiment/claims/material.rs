//! C6: material.

use serde::{Deserialize, Serialize};
use serde_json::json;
use shakmaty::{Board, ByRole};

use crate::display::{Table, cells};
use crate::evaluation::{Profile, Tunable as _, Winglet};
use crate::experiment::positions::{MIDDLEGAMES, survey};
use crate::experiment::words::listed;
use crate::experiment::{Conclusion, Experiment, Laboratory, Part};
use crate::position::Position;

pub const EXPERIMENT: Experiment = Experiment {
    id: "C6",
    title: "Material",
    claim: "The material value is MB = Σ (Nw - Nb) V over pawns, knights, bishops, rooks and queens; a queen more is 900.",
    source: "Section 5, Table 2",
    run,
};

/// Table 2. It prints 500 for the pawn, which is the rook's value: the misprint would make a pawn worth more
/// than a bishop.
const VALUES: [(&str, i32); 5] =
    [("pawn", 100), ("knight", 300), ("bishop", 325), ("rook", 500), ("queen", 900)];
const PRINTED_PAWN: i32 = 500;

/// A position's material by the formula and by the evaluation.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Weighed {
    fen: String,
    formula: i32,
    evaluation: i32,
}

impl Weighed {
    fn new(position: &Position) -> Weighed {
        Weighed {
            fen: position.to_fen(),
            formula: formula(shakmaty::Position::board(&position.to_shakmaty())),
            evaluation: by_evaluation(position),
        }
    }
}

/// MB, with men counted by shakmaty.
fn formula(board: &Board) -> i32 {
    let men = board.material();
    let count =
        |side: &ByRole<u8>| [side.pawn, side.knight, side.bishop, side.rook, side.queen].map(i32::from);
    let (white, black) = (count(&men.white), count(&men.black));
    VALUES
        .iter()
        .zip(white.iter().zip(black))
        .map(|((_, value), (white, black))| (white - black) * value)
        .sum()
}

/// The terms of the evaluation that carry the names of the men.
fn by_evaluation(position: &Position) -> i32 {
    let explanation = Winglet::new(Profile::Paper).explain(position.board());
    let material = explanation.terms.iter().filter(|term| VALUES.iter().any(|(name, _)| term.name == *name));
    material.map(|term| term.value).sum::<f64>() as i32
}

/// The start of the game without one black man.
const ODDS: [(&str, &str); 5] = [
    ("pawn", "rnbqkbnr/ppp1pppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("knight", "r1bqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("bishop", "rn1qkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("rook", "1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1"),
    ("queen", "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
];

fn run(laboratory: &Laboratory<'_>) -> anyhow::Result<Conclusion> {
    let count = laboratory.conditions.pick(100, 1_000);
    let weighed = survey(laboratory, "c6-material", count, &[], |position| Ok(Weighed::new(position)))?;
    let odds: Vec<(&str, i32)> = ODDS
        .iter()
        .map(|(man, fen)| Ok((*man, by_evaluation(&Position::from_fen(fen)?))))
        .collect::<anyhow::Result<_>>()?;
    let right = weighed.iter().filter(|one| one.formula == one.evaluation).count();
    let uneven = weighed.iter().filter(|one| one.formula != 0).count();
    let queen = odds[4].1;
    let parts = vec![
        Part::exact("A queen more is 900", queen == 900, format!("{queen}")),
        Part::exact(
            "Each other man counts as in Table 2, the pawn 100",
            odds.iter().zip(VALUES).all(|(odds, value)| *odds == value),
            listed(&odds, ", ", |(man, value)| format!("{man} {value}")),
        ),
        Part::exact(
            "MB = Σ (Nw - Nb) V",
            right == weighed.len(),
            format!("{right} of {} positions, {uneven} of which have uneven material", weighed.len()),
        ),
    ];
    let method = format!(
        "The material terms of the evaluation (profile `paper`) in {count} {MIDDLEGAMES}, against the formula with men counted by shakmaty. Table 2 \
         prints {PRINTED_PAWN} for the pawn, as for the rook, which can only be a misprint; Winglet, which the paper takes its evaluation from, has \
         100, and so has this program."
    );
    let data = json!({ "odds": odds, "positions": weighed });
    Ok(Conclusion::new(method, parts, data).with_table("What a man more is worth", table(&odds)))
}

fn table(odds: &[(&str, i32)]) -> Table {
    let rows = odds.iter().zip(VALUES).map(|((man, here), (_, paper))| match *man {
        "pawn" => cells![man, format!("{PRINTED_PAWN} (read as {paper})"), here],
        _ => cells![man, paper, here],
    });
    Table::headed("Man | Table 2: | Here:").with_rows(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_formula_counts_what_is_there() {
        for (fen, expected) in
            [("4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1", 600), ("q3k3/8/8/8/8/8/8/BN2K3 b - - 0 1", -275)]
        {
            let weighed = Weighed::new(&Position::from_fen(fen).expect("a position"));
            assert_eq!((weighed.formula, weighed.evaluation), (expected, expected), "{fen}");
        }
    }
}
