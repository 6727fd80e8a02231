//! Lines that nobody would type.

use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;

/// Any bytes, as far as they are text.
pub fn noise(random: &mut Xoshiro256PlusPlus) -> String {
    let length = random.random_range(0..30);
    let bytes: Vec<u8> = (0..length).map(|_| random.random::<u8>()).collect();
    String::from_utf8_lossy(&bytes).replace(['\n', '\r'], " ")
}

/// A line with a few characters put in, taken out, changed or repeated.
pub fn mutated(random: &mut Xoshiro256PlusPlus, line: &str) -> String {
    let mut characters: Vec<char> = line.chars().collect();
    for _ in 0..random.random_range(1..4) {
        let at = random.random_range(0..=characters.len());
        let character = *['0', '9', '-', '.', ' ', 'x', 'é', '=', '/', '{', '\t', '\0', '\u{1F600}']
            .choose(random)
            .unwrap();
        match random.random_range(0..4) {
            0 => characters.insert(at, character),
            1 if at < characters.len() => drop(characters.remove(at)),
            2 if at < characters.len() => characters[at] = character,
            _ => {
                let tail: Vec<char> = characters[at..].to_vec();
                characters.extend(tail);
                characters.truncate(300);
            }
        }
    }
    characters.into_iter().collect()
}
