//! Positions for the tests of all evaluations.

use crate::position::Position;

/// The position with colours exchanged and the board turned upside down.
pub fn mirrored(position: &Position) -> Position {
    let swap = |c: char| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
    let fen = position.to_fen();
    let fields: Vec<&str> = fen.split(' ').collect();
    let ranks: Vec<&str> = fields[0].rsplit('/').collect();
    let placement: String = ranks.join("/").chars().map(swap).collect();
    let side = if fields[1] == "w" { "b" } else { "w" };
    let castling: String = fields[2].chars().map(swap).collect();
    let en_passant = fields[3].replace('3', "?").replace('6', "3").replace('?', "6");
    let fen = format!("{placement} {side} {castling} {en_passant} {} {}", fields[4], fields[5]);
    Position::from_fen(&fen).expect("as legal as the other")
}

/// Every position of so many random games up to a move number, always the same: the last ones have few men.
pub fn random_positions(games: usize, last_move: u32) -> Vec<Position> {
    let mut seed: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut all = Vec::new();
    for _ in 0..games {
        let mut position = Position::default();
        while position.outcome().is_none() && position.fullmove_number() < last_move {
            all.push(position.clone());
            let moves = position.legal_moves();
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            position.play(moves[(seed >> 33) as usize % moves.len()]).expect("legal");
        }
    }
    all
}
