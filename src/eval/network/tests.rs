use super::*;
use crate::eval::tests::{board, mirrored, random_positions};
use crate::rules::position::Position;

/// A network of weights by chance, always the same, some as large as possible.
pub fn by_chance() -> Network {
    let mut seed: u64 = 0x2545_F491_4F6C_DD1D;
    let mut weight = |most: i16| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let range = 2 * i64::from(most) + 1;
        ((seed >> 33) as i64 % range - i64::from(most)) as i16
    };
    let mut row = |most| Row(std::array::from_fn(|_| weight(most)));
    let inputs: Box<[Row]> = (0..INPUTS)
        .map(|input| row(if input % 97 == 0 { LARGEST } else { 60 }))
        .collect();
    let bias = row(LARGEST);
    let outputs = std::array::from_fn(|output| Output {
        weights: [row(LARGEST_OUTPUT), row(LARGEST_OUTPUT)],
        bias: -1_234 + 100 * output as i32,
    });
    let made = serde_json::json!({ "seed": 1 });
    Network {
        inputs,
        bias,
        outputs,
        scale: 200,
        made,
    }
}

/// The board with left and right exchanged, without castling.
fn left_for_right(position: &Position) -> Board {
    let fen = position.to_fen();
    let mut fields = fen.split(' ');
    let ranks = fields.next().expect("the pieces").split('/');
    let flipped: Vec<String> = ranks.map(|rank| rank.chars().rev().collect()).collect();
    let side = fields.next().expect("the side to move");
    board(&format!("{} {side} - - 0 1", flipped.join("/")))
}

#[test]
fn differences_come_to_the_same_as_sums_anew_and_mirror_images_have_the_same_values() {
    let network = Arc::new(by_chance());
    let evaluator = NetworkEvaluator::new(Arc::clone(&network));
    let positions = random_positions(60, 150);
    assert!(positions.len() > 5_000);
    let value = |board: &Board| NetworkEvaluator::new(Arc::clone(&network)).evaluate(board);
    // In their order, and from each to one that has little to do with it.
    for order in [1, 7_919] {
        for index in 0..positions.len() {
            let position = &positions[index * order % positions.len()];
            let seen = evaluator.evaluate(position.board());
            assert_eq!(seen, value(position.board()), "{}", position.to_fen());
        }
    }
    for position in &positions {
        let turned = evaluator.evaluate(mirrored(position).board());
        assert_eq!(
            turned,
            -evaluator.evaluate(position.board()),
            "{}",
            position.to_fen()
        );
    }
    for position in &positions {
        let flipped = evaluator.evaluate(&left_for_right(position));
        let seen = evaluator.evaluate(position.board());
        assert_eq!(flipped, seen, "{}", position.to_fen());
    }
    let values = positions
        .iter()
        .map(|position| evaluator.evaluate(position.board()).0);
    let checksum = values.fold(0_u32, |sum, value| {
        sum.wrapping_mul(31).wrapping_add(value as u32)
    });
    assert_eq!(
        checksum, 4_140_127_256,
        "the same in every build and on every machine"
    );
}

/// The value for White, one number after the other.
fn plain_value(network: &Network, board: &Board) -> i32 {
    let side = board.side_to_move();
    let placement = Placement::of(board);
    let mut neurons = [network.bias.0; 2];
    for square in *board.combined() {
        let own = placement.input_for(side, square.to_index());
        let inputs = both_views(own.expect("occupied"), flips(board, side));
        for (neurons, input) in neurons.iter_mut().zip(inputs) {
            for (neuron, weight) in neurons.iter_mut().zip(network.inputs[input].0) {
                *neuron += weight;
            }
        }
    }
    let output = network.outputs[output(board.combined().popcnt())];
    let mut sum = 0;
    for (neurons, weights) in neurons.iter().zip(output.weights) {
        for (neuron, weight) in neurons.iter().zip(weights.0) {
            let neuron = i32::from((*neuron).clamp(0, ONE));
            sum += neuron * neuron * i32::from(weight);
        }
    }
    let logit = i64::from(sum / i32::from(ONE) + output.bias) * i64::from(network.scale);
    let value = (logit / (i64::from(ONE) * i64::from(OUTPUT_ONE))) as i32;
    if side == Color::White { value } else { -value }
}

#[test]
fn every_kind_of_processor_has_the_same_values() {
    let network = Arc::new(by_chance());
    let fast = NetworkEvaluator::new(Arc::clone(&network));
    let slow = NetworkEvaluator {
        level: Level::baseline(),
        ..fast.clone()
    };
    for position in random_positions(20, 150) {
        let board = position.board();
        if endgames::known(board).is_some() {
            continue;
        }
        let most = Score::MAX_EVALUATION;
        let plain = Score(plain_value(&network, board).clamp(-most, most));
        assert_eq!(fast.evaluate(board), plain, "{}", position.to_fen());
        assert_eq!(slow.evaluate(board), plain, "{}", position.to_fen());
    }
}

#[test]
fn the_hidden_layer_is_the_sum_that_it_says_it_is() {
    let network = by_chance();
    let board = board("4k3/8/8/3p4/4P3/8/8/R3K3 w Q - 0 1");
    let mut accumulators = Accumulators::empty(&network);
    dispatch!(Level::new(), simd => accumulators.go_to(simd, &network, &board));
    // White's pawn, rook and king, then Black's pawn and king; squares from a1.
    let white = [28, 3 * 64, 5 * 64 + 4, 6 * 64 + 35, 11 * 64 + 60];
    let black = [6 * 64 + 36, 9 * 64 + 56, 11 * 64 + 60, 27, 5 * 64 + 4];
    for (view, inputs) in accumulators.views.iter().zip([white, black]) {
        for neuron in 0..HIDDEN {
            let sum: i16 = inputs
                .iter()
                .map(|&input| network.inputs[input].0[neuron])
                .sum();
            assert_eq!(view.0[neuron], network.bias.0[neuron] + sum);
        }
    }
    let neuron = |value: i16| f64::from(value.clamp(0, ONE)) / f64::from(ONE);
    // Five pieces.
    let output = network.outputs[1];
    let products = accumulators
        .views
        .iter()
        .zip(&output.weights)
        .flat_map(|(view, weights)| {
            view.0
                .iter()
                .zip(&weights.0)
                .map(|(&value, &weight)| neuron(value).powi(2) * f64::from(weight))
        });
    let sum = products.sum::<f64>() / f64::from(OUTPUT_ONE);
    let bias = f64::from(output.bias) / f64::from(ONE) / f64::from(OUTPUT_ONE);
    let value = NetworkEvaluator::new(Arc::new(network)).evaluate(&board).0;
    assert!(
        (f64::from(value) - (sum + bias) * 200.0).abs() <= 2.0,
        "{value} {sum} {bias}"
    );
}

#[test]
fn known_endgames_keep_their_values() {
    let evaluator = NetworkEvaluator::new(Arc::new(by_chance()));
    for (fen, expected) in [
        ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", 0),
        ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", 660),
        ("8/4p3/4k3/8/4K3/8/8/8 w - - 0 1", -540),
    ] {
        assert_eq!(evaluator.evaluate(&board(fen)), Score(expected), "{fen}");
    }
}
