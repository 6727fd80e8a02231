//! The weights of the evaluation, each declared once: name, meaning, default and range.
//!
//! [`Weights::to_array`] and [`Weights::from_array`] are the door for a tuner: to it the weights are a
//! genome, a row of whole numbers with ranges ([`Weights::table`]), and nothing of chess.

use crate::choice;

/// A weight of the genome as a tuner or a table of values shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightSpec {
    /// The field, with an index if the field has several values: `knight_tropism[2]`.
    pub name: String,
    /// In centipawns unless `about` says otherwise.
    pub default: i32,
    pub min: i32,
    pub max: i32,
    pub about: &'static str,
}

/// One weight or a row of them, seen as a row.
trait Row {
    const COUNT: usize;
    fn row(&self) -> &[i32];
    fn row_mut(&mut self) -> &mut [i32];
}

impl Row for i32 {
    const COUNT: usize = 1;
    fn row(&self) -> &[i32] {
        std::slice::from_ref(self)
    }
    fn row_mut(&mut self) -> &mut [i32] {
        std::slice::from_mut(self)
    }
}

impl<const N: usize> Row for [i32; N] {
    const COUNT: usize = N;
    fn row(&self) -> &[i32] {
        self
    }
    fn row_mut(&mut self) -> &mut [i32] {
        self
    }
}

macro_rules! weights {
    ($($(#[doc = $about:literal])+ $field:ident: $type:ty = $default:expr, $min:literal..=$max:literal;)+) => {
        /// Every weight of the evaluation, in centipawns where the field does not say otherwise.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Weights { $($(#[doc = $about])+ pub $field: $type),+ }

        impl Weights {
            /// How many numbers the weights are.
            pub const COUNT: usize = 0 $(+ <$type as Row>::COUNT)+;

            const DEFAULT: Weights = Weights { $($field: $default),+ };

            /// The weights as one row of numbers, in the order of [`Weights::table`].
            pub fn to_array(&self) -> [i32; Self::COUNT] {
                let mut array = [0; Self::COUNT];
                let mut rest = &mut array[..];
                $({
                    let (row, tail) = rest.split_at_mut(<$type as Row>::COUNT);
                    row.copy_from_slice(self.$field.row());
                    rest = tail;
                })+
                debug_assert!(rest.is_empty());
                array
            }

            /// Weights from a row of numbers; each is brought into its range.
            pub fn from_array(array: &[i32; Self::COUNT]) -> Self {
                let mut weights = Self::DEFAULT;
                let mut rest = &array[..];
                $({
                    let (row, tail) = rest.split_at(<$type as Row>::COUNT);
                    for (weight, &value) in weights.$field.row_mut().iter_mut().zip(row) {
                        *weight = value.clamp($min, $max);
                    }
                    rest = tail;
                })+
                debug_assert!(rest.is_empty());
                weights
            }

            /// Name, default (profile `paper`), range and meaning of each number.
            pub fn table() -> Vec<WeightSpec> {
                let mut table = Vec::with_capacity(Self::COUNT);
                $(
                    let about = concat!($($about),+).trim_ascii();
                    for (index, &default) in Self::DEFAULT.$field.row().iter().enumerate() {
                        let name = if <$type as Row>::COUNT == 1 {
                            stringify!($field).to_owned()
                        } else {
                            format!("{}[{index}]", stringify!($field))
                        };
                        table.push(WeightSpec { name, default, min: $min, max: $max, about });
                    }
                )+
                table
            }
        }
    };
}

choice! {
    /// A published set of weights.
    Profile {
        /// Winglet's weights with the material of Dehghani & Babamir 2017, table 2 (its pawn is misprinted as
        /// 500).
        Paper = "paper",
        /// Winglet's weights as published: knight and bishop are worth the same.
        Winglet = "winglet",
    }
}

impl Weights {
    /// The weights of a published profile.
    pub fn profile(profile: Profile) -> Self {
        match profile {
            Profile::Paper => Self::DEFAULT,
            Profile::Winglet => Weights { bishop: 300, ..Self::DEFAULT },
        }
    }
}

// Stef Luijten, "Writing a chess program in 99 steps" (Winglet); the squares rank 8 first, file a first.
weights! {
    /// Material: a pawn.
    pawn: i32 = 100, 0..=2000;
    /// Material: a knight.
    knight: i32 = 300, 0..=2000;
    /// Material: a bishop. Dehghani & Babamir 2017, table 2; Winglet itself has 300.
    bishop: i32 = 325, 0..=2000;
    /// Material: a rook.
    rook: i32 = 500, 0..=2000;
    /// Material: a queen.
    queen: i32 = 900, 0..=2000;

    /// It is an endgame when either side has fewer points than this, with minor pieces 3, rooks 5, queens 10.
    endgame_below: i32 = 15, 0..=64;
    /// For the side that is ahead in points (as above, pawns 1): exchanges are welcome.
    exchange_ahead: i32 = 45, -200..=200;
    /// For the side that is ahead, each own man but the king.
    exchange_own_man: i32 = 3, -50..=50;
    /// Against the side that is ahead, each enemy man but the king.
    exchange_enemy_man: i32 = 6, -50..=50;

    /// No enemy pawn ahead on the pawn's own or an adjacent file.
    passed_pawn: i32 = 20, -200..=200;
    /// Each pawn with another own pawn on its file.
    doubled_pawn: i32 = -10, -200..=200;
    /// No own pawn on an adjacent file.
    isolated_pawn: i32 = -20, -200..=200;
    /// Not isolated, cannot be defended by a pawn, and the square ahead is attacked by an enemy pawn.
    backward_pawn: i32 = -8, -200..=200;
    /// Bishops on squares of both colours.
    bishop_pair: i32 = 10, -200..=200;
    /// A rook with an own passed pawn ahead on its file.
    rook_behind_passed_pawn: i32 = 20, -200..=200;
    /// Before the endgame, king on its first three ranks: each own pawn one rank ahead, on its file or a
    /// neighbour.
    shield_near: i32 = 9, -100..=100;
    /// As `shield_near`, two ranks ahead.
    shield_far: i32 = 4, -100..=100;

    /// By distance to the enemy king: a pawn.
    pawn_tropism: [i32; 8] = [0, 2, 1, 0, 0, 0, 0, 0], -100..=100;
    /// By distance to the enemy king: a knight.
    knight_tropism: [i32; 8] = [0, 4, 4, 0, 0, 0, 0, 0], -100..=100;
    /// By distance to the enemy king: a bishop.
    bishop_tropism: [i32; 8] = [0, 5, 4, 3, 2, 1, 0, 0], -100..=100;
    /// By distance to the enemy king: a rook.
    rook_tropism: [i32; 8] = [0, 7, 5, 4, 3, 0, 0, 0], -100..=100;
    /// By distance to the enemy king: a queen.
    queen_tropism: [i32; 8] = [0, 10, 8, 5, 4, 0, 0, 0], -100..=100;
    /// In the endgame, by distance to the own king: a pawn.
    pawn_own_king: [i32; 8] = [0, 8, 4, 2, 0, 0, 0, 0], -100..=100;

    /// Pawn by square.
    pawn_squares: [i32; 64] = [
        0,   0,   0,   0,   0,   0,   0,   0,
        5,  10,  15,  20,  20,  15,  10,   5,
        4,   8,  12,  16,  16,  12,   8,   4,
        3,   6,   9,  12,  12,   9,   6,   3,
        2,   4,   6,   8,   8,   6,   4,   2,
        1,   2,   3, -10, -10,   3,   2,   1,
        0,   0,   0, -40, -40,   0,   0,   0,
        0,   0,   0,   0,   0,   0,   0,   0,
    ], -200..=200;
    /// Knight by square.
    knight_squares: [i32; 64] = [
        -10, -10, -10, -10, -10, -10, -10, -10,
        -10,   0,   0,   0,   0,   0,   0, -10,
        -10,   0,   5,   5,   5,   5,   0, -10,
        -10,   0,   5,  10,  10,   5,   0, -10,
        -10,   0,   5,  10,  10,   5,   0, -10,
        -10,   0,   5,   5,   5,   5,   0, -10,
        -10,   0,   0,   0,   0,   0,   0, -10,
        -10, -30, -10, -10, -10, -10, -30, -10,
    ], -200..=200;
    /// Bishop by square.
    bishop_squares: [i32; 64] = BISHOP_SQUARES, -200..=200;
    /// Rook by square.
    rook_squares: [i32; 64] = [
        0,   0,   0,   0,   0,   0,   0,   0,
        15,  15,  15,  15,  15,  15,  15,  15,
        0,   0,   0,   0,   0,   0,   0,   0,
        0,   0,   0,   0,   0,   0,   0,   0,
        0,   0,   0,   0,   0,   0,   0,   0,
        0,   0,   0,   0,   0,   0,   0,   0,
        0,   0,   0,   0,   0,   0,   0,   0,
        -10,   0,   0,  10,  10,   0,   0, -10,
    ], -200..=200;
    /// Queen by square: the bishop's table in Winglet.
    queen_squares: [i32; 64] = BISHOP_SQUARES, -200..=200;
    /// King by square before the endgame.
    king_squares: [i32; 64] = [
        -40, -40, -40, -40, -40, -40, -40, -40,
        -40, -40, -40, -40, -40, -40, -40, -40,
        -40, -40, -40, -40, -40, -40, -40, -40,
        -40, -40, -40, -40, -40, -40, -40, -40,
        -40, -40, -40, -40, -40, -40, -40, -40,
        -40, -40, -40, -40, -40, -40, -40, -40,
        -20, -20, -20, -20, -20, -20, -20, -20,
        0,  20,  40, -20,   0, -20,  40,  20,
    ], -200..=200;
    /// King by square in the endgame.
    king_endgame_squares: [i32; 64] = [
        0,  10,  20,  30,  30,  20,  10,   0,
        10,  20,  30,  40,  40,  30,  20,  10,
        20,  30,  40,  50,  50,  40,  30,  20,
        30,  40,  50,  60,  60,  50,  40,  30,
        30,  40,  50,  60,  60,  50,  40,  30,
        20,  30,  40,  50,  50,  40,  30,  20,
        10,  20,  30,  40,  40,  30,  20,  10,
        0,  10,  20,  30,  30,  20,  10,   0,
    ], -200..=200;
}

const BISHOP_SQUARES: [i32; 64] = [
    -10, -10, -10, -10, -10, -10, -10, -10, //
    -10, 0, 0, 0, 0, 0, 0, -10, //
    -10, 0, 5, 5, 5, 5, 0, -10, //
    -10, 0, 5, 10, 10, 5, 0, -10, //
    -10, 0, 5, 10, 10, 5, 0, -10, //
    -10, 0, 5, 5, 5, 5, 0, -10, //
    -10, 0, 0, 0, 0, 0, 0, -10, //
    -10, -10, -20, -10, -10, -20, -10, -10,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_array_round_trips() {
        for profile in [Profile::Paper, Profile::Winglet] {
            let weights = Weights::profile(profile);
            assert_eq!(Weights::from_array(&weights.to_array()), weights);
        }
        let mut counting = Weights::profile(Profile::Paper).to_array();
        for (index, gene) in counting.iter_mut().enumerate() {
            *gene = (index % 7) as i32;
        }
        assert_eq!(Weights::from_array(&counting).to_array(), counting);
    }

    #[test]
    fn the_table_describes_the_array() {
        let table = Weights::table();
        let array = Weights::profile(Profile::Paper).to_array();
        assert_eq!(table.len(), Weights::COUNT);
        for (spec, value) in table.iter().zip(array) {
            assert_eq!(spec.default, value, "{}", spec.name);
            assert!((spec.min..=spec.max).contains(&value), "{}", spec.name);
        }
        assert_eq!(table[2].name, "bishop");
        assert!(table.iter().any(|spec| spec.name == "king_endgame_squares[63]"));
    }

    #[test]
    fn genes_outside_their_range_are_brought_back() {
        let weights = Weights::from_array(&[i32::MAX; Weights::COUNT]);
        for (spec, value) in Weights::table().iter().zip(weights.to_array()) {
            assert_eq!(value, spec.max, "{}", spec.name);
        }
    }
}
