//! M1: the rating, by its golden values.

#[cfg(test)]
mod tests {
    use crate::evaluation::readings::{ThreatCentre, ThreatRows, ThreatStatus};
    use crate::evaluation::{Evaluator as _, Readings, Threats, Tunable as _};
    use crate::position::Position;

    /// Positions and what the five readings of the text make of them, computed apart from this program.
    const GOLDEN: [(&str, [i32; 5]); 12] = [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", [0, 0, 0, 0, 0]),
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", [90, 90, 90, 90, 110]),
        ("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", [0, 0, -72, -72, 0]),
        ("6k1/2b2p1p/ppP3p1/4p3/PP1B4/5PP1/7P/7K w - - 0 1", [144, 104, 12, 12, 276]),
        ("2Q5/b4pkp/6p1/1p2p3/8/5PP1/7P/7K b - - 0 7", [220, 200, 220, 220, 210]),
        ("r1bq1rk1/pp2ppbp/2n2np1/2ppN3/5P2/1P2P3/PBPPB1PP/RN1Q1RK1 b - - 3 8", [148, 206, 28, 76, 201]),
        ("2rqr1k1/p6p/1p2pbp1/5n2/3PRB1N/P1PQ4/5PP1/2R3K1 b - - 1 22", [86, -82, -190, -262, 49]),
        ("8/p5pp/3k1p2/3p4/1P3P2/P1K5/5P1P/8 b - - 0 1", [38, 44, 38, 38, 4]),
        ("8/8/4k3/8/8/3BK3/8/8 w - - 0 1", [468, 390, 468, 468, 468]),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", [-48, -274, 84, 102, -47]),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", [-234, -200, -174, -144, -274]),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", [130, 130, 130, 130, 130]),
    ];

    /// The readings in the order of the golden values.
    fn readings() -> [Readings; 5] {
        let settled = Readings::default();
        [
            settled.clone(),
            Readings { threat_centre: ThreatCentre::Four, ..settled.clone() },
            Readings { threat_status: ThreatStatus::Undefended, ..settled.clone() },
            Readings { threat_status: ThreatStatus::Net, ..settled.clone() },
            Readings { threat_rows: ThreatRows::Inside, ..settled },
        ]
    }

    fn is_sum_of_worths(evaluation: &Threats, position: &Position) -> bool {
        let men = evaluation.men(position.board()).map(|men| men.rows).unwrap_or_default();
        let worths = men.iter().filter_map(|row| row.last()?.parse::<i32>().ok());
        worths.sum::<i32>() == evaluation.evaluate(position.board()).0
    }

    #[test]
    fn five_readings_of_twelve_positions() {
        let evaluations = readings().map(|readings| Threats::default().read_as(&readings));
        for (fen, expected) in GOLDEN {
            let position = Position::from_fen(fen).expect(fen);
            let values = evaluations.each_ref().map(|evaluation| evaluation.evaluate(position.board()).0);
            assert_eq!(values, expected, "{fen}");
            assert!(evaluations.iter().all(|evaluation| is_sum_of_worths(evaluation, &position)), "{fen}");
        }
    }
}
