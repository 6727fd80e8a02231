use super::*;
use crate::evaluation::Genome as _;
use crate::evaluation::testing::random_positions;
use crate::position::Position;

fn position(fen: &str) -> Position {
    Position::from_fen(fen).expect(fen)
}

fn value(fen: &str) -> i32 {
    Kashan::default().evaluate(position(fen).board()).0
}

#[test]
fn a_value_is_the_sum_of_its_terms_and_remembered_pawns_change_nothing() {
    let evaluation = Kashan::default();
    let mut linear = 0;
    for position in random_positions(12, 150) {
        let value = evaluation.evaluate(position.board()).0;
        assert!(evaluation.explain(position.board()).phase.is_some());
        assert_eq!(value, Kashan::default().evaluate(position.board()).0, "{}", position.to_fen());
        let Some(Linear { times, mixture }) = evaluation.trace(position.board()) else {
            continue;
        };
        let sum = |phase: usize| -> i32 {
            times.iter().zip(&evaluation.weights().phases[phase]).map(|(times, weight)| times * weight).sum()
        };
        let [middle, end] = mixture.parts();
        assert_eq!(value, (sum(0) * middle + sum(1) * end) / Mixture::WHOLE, "{}", position.to_fen());
        linear += 1;
    }
    assert!(linear > 1_000);
}

#[test]
fn known_endgames_have_known_values() {
    for (fen, expected) in [
        ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", 0),
        ("4k3/8/8/8/8/8/8/3NKN2 w - - 0 1", 0),
        ("4k3/8/8/8/8/8/8/B1B1K3 w - - 0 1", 0),
        // King and pawn: in front of the pawn, with and without the opposition, and a rook's pawn.
        ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", 660),
        ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", 660),
        ("8/8/4k3/8/4K3/4P3/8/8 w - - 0 1", 0),
        ("8/8/4k3/8/4K3/4P3/8/8 b - - 0 1", 580),
        ("k7/8/1K6/P7/8/8/8/8 w - - 0 1", 0),
        ("8/4p3/4k3/8/4K3/8/8/8 w - - 0 1", -540),
    ] {
        assert_eq!(value(fen), expected, "{fen}");
    }
    // A lone king is driven to the edge, and by bishop and knight to a corner of the bishop's colour.
    assert!(value("4k3/8/8/8/8/8/8/KR6 w - - 0 1") > value("8/8/8/4k3/8/8/8/KR6 w - - 0 1"));
    let [right, wrong] = ["7k/8/8/8/8/8/8/3KBN2 w - - 0 1", "k7/8/8/8/8/8/8/3KBN2 w - - 0 1"].map(value);
    assert!(right > wrong && wrong > 1_000, "{right} {wrong}");
}

#[test]
fn what_cannot_be_won_counts_little() {
    let scale =
        |fen: &str| Kashan::default().trace(position(fen).board()).expect("not a known value").mixture.scale;
    // A knight or a bishop more and no pawn; the wrong bishop; bishops on both colours.
    assert_eq!(scale("4k3/5p2/8/8/8/8/8/4KB2 w - - 0 1"), 0);
    assert!(scale("4k3/8/8/8/8/8/r7/R3KB2 w - - 0 1") < 20);
    assert_eq!(scale("k7/8/8/8/8/P7/8/K1B5 w - - 0 1"), 0);
    assert!(scale("k7/8/8/8/8/P7/8/KB6 w - - 0 1") > 0);
    let [other, same] = ["4kb2/5p2/8/8/8/5PP1/8/4KB2 w - - 0 1", "4k1b1/5p2/8/8/8/5PP1/8/4KB2 w - - 0 1"];
    assert!(scale(other) < scale(same));
}

#[test]
fn the_weights_that_ship_are_a_file_of_ours_with_all_of_them() {
    let path =
        std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src/evaluation/kashan/weights.toml"));
    let file = crate::evaluation::WeightsFile::load(path).expect("a file of weights");
    assert_eq!(file.weights.row(), KashanWeights::default().to_row());
    assert!(file.made.contains_key("positions") && file.made.contains_key("samples"));
    // None is missing.
    let text = std::fs::read_to_string(path).expect("there");
    for spec in KashanWeights::table() {
        assert!(text.contains(&format!("\n{} = ", spec.field())), "{}", spec.name);
    }
}

/// What is made faster stays as it is: a checksum over values with weights that tuning does not change.
#[test]
fn values_are_as_they_were() {
    let row: Vec<i32> = (0..KashanWeights::COUNT as i32).map(|index| index * 37 % 100 - 40).collect();
    let evaluation = Kashan::with_weights(KashanWeights::from_row(&row));
    let values =
        random_positions(12, 150).into_iter().map(|position| evaluation.evaluate(position.board()).0);
    let checksum = values.fold(0_u32, |sum, value| sum.wrapping_mul(31).wrapping_add(value as u32));
    assert_eq!(checksum, 1_689_490_261);
}
