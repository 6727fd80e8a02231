//! The paper's claims, C1 to C13.

pub(super) mod deadline;
pub(super) mod depths;
pub(super) mod fitness;
pub(super) mod initial_population;
pub(super) mod operators;
pub(super) mod quiescence;
pub(super) mod tactics;
pub(super) mod ufim;

#[cfg(test)]
mod tests {
    //! C6: material, by arithmetic.

    use shakmaty::{ByRole, Position as _};

    use crate::eval::{Evaluation, WeightSet};
    use crate::lab::experiment::positions::middlegame;
    use crate::rules::position::Position;

    /// Table 2, but for its misprint.
    const VALUES: [(&str, i32); 5] = [
        ("pawn", 100),
        ("knight", 300),
        ("bishop", 325),
        ("rook", 500),
        ("queen", 900),
    ];

    /// MB, with pieces counted by shakmaty.
    fn formula(position: &Position) -> i32 {
        let material = position.to_shakmaty().board().material();
        let count = |side: &ByRole<u8>| {
            [side.pawn, side.knight, side.bishop, side.rook, side.queen].map(i32::from)
        };
        let white = count(&material.white);
        let black = count(&material.black);
        (0..5)
            .map(|piece| (white[piece] - black[piece]) * VALUES[piece].1)
            .sum()
    }

    /// The terms of the evaluation that carry the names of the pieces.
    fn by_evaluation(position: &Position) -> i32 {
        let explanation = WeightSet::of(Evaluation::Paper).explain(position.board());
        let material = explanation
            .terms
            .iter()
            .filter(|term| VALUES.iter().any(|(name, _)| term.name == *name));
        material.map(|term| term.value).sum::<f64>() as i32
    }

    /// The start of the game without one black piece.
    const ODDS: [(&str, &str); 5] = [
        (
            "pawn",
            "rnbqkbnr/ppp1pppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        ),
        (
            "knight",
            "r1bqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        ),
        (
            "bishop",
            "rn1qkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        ),
        (
            "rook",
            "1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1",
        ),
        (
            "queen",
            "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        ),
    ];

    #[test]
    fn a_piece_more_is_worth_what_table_2_says() {
        let odds =
            ODDS.map(|(piece, fen)| (piece, by_evaluation(&Position::from_fen(fen).expect(fen))));
        assert_eq!(odds, VALUES);
    }

    #[test]
    fn the_formula_counts_what_is_there() {
        for (fen, expected) in [
            ("4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1", 600),
            ("q3k3/8/8/8/8/8/8/BN2K3 b - - 0 1", -275),
        ] {
            let position = Position::from_fen(fen).expect("a position");
            assert_eq!(
                (formula(&position), by_evaluation(&position)),
                (expected, expected),
                "{fen}"
            );
        }
        for index in 0..10 {
            let position = middlegame(1, index).expect("a position");
            assert_eq!(
                formula(&position),
                by_evaluation(&position),
                "{}",
                position.to_fen()
            );
        }
    }
}
