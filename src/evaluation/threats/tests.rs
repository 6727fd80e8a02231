use super::*;
use crate::evaluation::factors::tests::GOLDEN;
use crate::evaluation::readings::{ThreatCentre, ThreatRows, ThreatStatus};
use crate::evaluation::testing::{mirrored, random_positions};
use crate::position::Position;

fn board(fen: &str) -> Board {
    *Position::from_fen(fen).expect(fen).board()
}

fn read(status: ThreatStatus, centre: ThreatCentre, rows: ThreatRows) -> Threats {
    let readings =
        Readings { threat_status: status, threat_centre: centre, threat_rows: rows, ..Readings::default() };
    Threats::default().read_as(&readings)
}

const READINGS: [(ThreatStatus, ThreatCentre, ThreatRows, [i32; 12]); 5] = {
    use ThreatCentre::{Four, Sixteen};
    use ThreatRows::{After, Inside};
    use ThreatStatus::{Attacked, Net, Undefended};
    [
        (Attacked, Sixteen, After, [0, 90, 0, 144, 220, 148, 86, 38, 468, -48, -234, 130]),
        (Attacked, Four, After, [0, 90, 0, 104, 200, 206, -82, 44, 390, -274, -200, 130]),
        (Undefended, Sixteen, After, [0, 90, -72, 12, 220, 28, -190, 38, 468, 84, -174, 130]),
        (Net, Sixteen, After, [0, 90, -72, 12, 220, 76, -262, 38, 468, 102, -144, 130]),
        (Attacked, Sixteen, Inside, [0, 110, 0, 276, 210, 201, 49, 4, 468, -47, -274, 130]),
    ]
};

#[test]
fn every_reading_equals_its_golden_values() {
    for (status, centre, rows, expected) in READINGS {
        let evaluation = read(status, centre, rows);
        let values = GOLDEN.map(|(fen, _)| evaluation.evaluate(&board(fen)).0);
        assert_eq!(values, expected, "{status:?} {centre:?} {rows:?}");
    }
}

#[test]
fn by_hand() {
    let settled = Threats::default();
    let value = |evaluation: &Threats, fen: &str| evaluation.evaluate(&board(fen)).0;
    assert_eq!(value(&settled, "4k3/8/8/3p4/8/8/8/4K3 w - - 0 1"), -220);
    let fork = "r3k3/2N5/8/8/8/8/8/4K3 b - - 0 1";
    assert_eq!(value(&settled, fork), 520);
    // The knight in the centre attacks nobody; the king is defended by its rook.
    assert_eq!(value(&settled, "r3k3/8/2N5/8/8/8/8/4K3 b - - 0 1"), 360 + 400 - 500 - 520);
    let both = "4k3/8/2p5/3n4/8/8/8/3RK3 w - - 0 1";
    assert_eq!(value(&settled, both), 650 + 520 - 72 - 170 - 400);
    let net = read(ThreatStatus::Net, ThreatCentre::Sixteen, ThreatRows::After);
    assert_eq!(value(&net, both), 240);
}

#[test]
fn each_man_is_shown_with_its_status_and_worth() {
    let rows = |fen: &str| -> Vec<String> {
        let men = Threats::default().men(&board(fen)).expect("a table");
        men.rows.iter().map(|row| row.join("|")).collect()
    };
    let expected = [
        "Pe2|100|defended|130 %|||+130",
        "Nc7|300||100 %|||+300",
        "Ke1|400||100 %|||+400",
        "ra8|500|threatened|20 %|||-100",
        "ke8|400|threatened|20 %|||-80",
    ];
    assert_eq!(rows("r3k3/2N5/8/8/8/8/4P3/4K3 b - - 0 1"), expected);
    let expected = ["Pd3|100||100 %|120 %|+50|+170", "Pe4|100|defended|130 %|120 %|+100|+256"];
    assert_eq!(rows("4k3/8/8/8/4P3/3P4/8/4K3 w - - 0 1")[..2], expected);
}

#[test]
fn men_and_weights_sum_to_the_value_and_mirrors_change_the_sign() {
    for position in random_positions(2, 60) {
        for (status, centre, rows, _) in READINGS {
            let evaluation = read(status, centre, rows);
            let board = position.board();
            let value = evaluation.evaluate(board).0;
            assert_eq!(evaluation.evaluate(mirrored(&position).board()).0, -value, "{}", position.to_fen());
            let men = evaluation.men(board).expect("a table").rows;
            let worths = men.iter().filter_map(|row| row.last()?.parse::<i32>().ok());
            assert_eq!(worths.sum::<i32>(), value, "{}", position.to_fen());
            let terms: f64 = evaluation.explain(board).terms.iter().map(|term| term.value).sum();
            assert!((terms - f64::from(value)).abs() < 1e-6, "{terms} {value} {}", position.to_fen());
        }
    }
}

#[test]
fn worths_that_are_no_whole_numbers_are_cut_toward_zero() {
    let mut weights = ThreatWeights { pawn: 99, defended: 113, ..ThreatWeights::DEFAULT };
    let fen = "4k3/8/8/3p4/8/4P3/3P4/4K3 w - - 0 1";
    // d2: 99 x 1.13 = 111.87; e3: 99 x 1.13 x 1.2 = 134.244, + 50; d5: 99 x 1.2 = 118.8, + 100.
    let value = |weights: &ThreatWeights| Threats::with_weights(weights.clone()).evaluate(&board(fen)).0;
    assert_eq!(value(&weights), 111 + 134 + 50 - 118 - 100);
    weights.row = -60;
    assert_eq!(value(&weights), 111 + 134 - 60 - 118 + 120);
}
