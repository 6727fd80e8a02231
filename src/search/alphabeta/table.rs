//! The transposition table: what earlier visits found out about a position.

use chess::{ALL_SQUARES, ChessMove, Piece};
use memmap2::MmapMut;
use prefetch_index::prefetch_index;

use crate::score::Score;
use crate::search::{Bound, memory};

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The best or refuting move, if one was found.
    pub mv: Option<ChessMove>,
    /// From the side to move; mates count from the half-move given to [`Table::probe`] and [`Table::store`].
    pub score: Score,
    pub bound: Bound,
    /// The static evaluation; `None` in check.
    pub evaluation: Option<Score>,
    /// The depth that `score` was searched to.
    pub depth: i32,
}

/// A cache line: four slots.
type Bucket = [Slot; 4];

/// A key and what is known of its position, a [`Packed`].
type Slot = [u64; 2];

/// From the low end: move 16 bits, score 16, evaluation 16, depth 8, bound 2 (0: the slot is empty), age 6.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Packed(u64);

const _: () = assert!(size_of::<Bucket>() == 64);

/// A fixed-size table; allocated when its size is set.
pub(super) struct Table {
    /// The buckets, as bytes. A page begins a bucket, so none lies across two cache lines.
    memory: MmapMut,
    /// Buckets that were asked for; the machine may have had memory for fewer.
    wanted: usize,
    /// The megabytes that there are, if they are fewer and nobody was told yet.
    shortage: Option<usize>,
    /// Counts searches modulo 64.
    age: u64,
}

const AGES: u64 = 64;

impl Table {
    pub fn new(megabytes: usize) -> Self {
        let mut table = Table { memory: memory::map(size_of::<Bucket>()), wanted: 0, shortage: None, age: 0 };
        table.resize(megabytes);
        table
    }

    /// Makes the table as large as fits into `megabytes` of 2^20 bytes, and empty if that is another size.
    pub fn resize(&mut self, megabytes: usize) {
        let count = (megabytes.saturating_mul(1 << 20) / size_of::<Bucket>()).max(1);
        if count == self.wanted {
            return;
        }
        self.wanted = count;
        // The old table makes way first.
        self.memory = memory::map(size_of::<Bucket>());
        self.memory = memory::map(count.saturating_mul(size_of::<Bucket>()));
        self.shortage = (self.buckets().len() < count).then(|| self.memory.len() >> 20);
    }

    /// The megabytes that the table really has, if they are fewer than it should have; said only once.
    pub fn take_shortage(&mut self) -> Option<usize> {
        self.shortage.take()
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.memory.fill(0);
        self.age = 0;
    }

    /// A new search begins: entries of earlier ones are the first to go.
    pub fn next_search(&mut self) {
        self.age = (self.age + 1) % AGES;
    }

    #[inline]
    fn buckets(&self) -> &[Bucket] {
        bytemuck::cast_slice(&self.memory)
    }

    /// Spreads keys evenly over any number of buckets.
    #[inline]
    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets().len() as u128) >> 64) as usize
    }

    /// Fetches what [`Table::probe`] will read for this key into the cache, while the processor does
    /// something else.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch_index(self.buckets(), self.index(key));
    }

    /// What is known of the position with this key, for a search that stands at half-move `ply`.
    #[inline]
    pub fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        self.buckets()[self.index(key)]
            .iter()
            .map(|&[slot_key, data]| (slot_key, Packed(data)))
            .find(|&(slot_key, data)| slot_key == key && data.bound().is_some())
            .and_then(|(_, data)| data.unpack(ply))
    }

    /// Remembers an entry. It replaces what is known of the same position unless that is much deeper, else an
    /// empty slot, else what is least worth: shallow or of an old search.
    pub fn store(&mut self, key: u64, ply: usize, entry: Entry) {
        let age = self.age;
        let index = self.index(key);
        let buckets: &mut [Bucket] = bytemuck::cast_slice_mut(&mut self.memory);
        let slots = &mut buckets[index];
        let worth = |data: Packed| match data.bound() {
            None => i32::MIN,
            Some(_) => data.depth() - 8 * ((age + AGES - data.age()) % AGES) as i32,
        };
        let same =
            slots.iter().position(|&[slot_key, data]| slot_key == key && Packed(data).bound().is_some());
        let slot = match same {
            Some(index) => &mut slots[index],
            None => {
                slots.iter_mut().min_by_key(|slot| worth(Packed(slot[1]))).expect("a bucket has four slots")
            }
        };
        let mut entry = entry;
        let old = Packed(slot[1]);
        if same.is_some() {
            // An upper bound knows no move; the one of an earlier visit is still the best guess.
            if entry.mv.is_none() {
                entry.mv = old.mv();
            }
            let keep = entry.bound != Bound::Exact && old.age() == age && old.depth() > entry.depth + 3;
            if keep {
                return;
            }
        }
        *slot = [key, Packed::new(entry, ply, age).0];
    }
}

/// Stands for "no evaluation"; no evaluation is that small.
const NO_EVALUATION: i16 = i16::MIN;

impl Packed {
    fn new(entry: Entry, ply: usize, age: u64) -> Self {
        let score = from_root_to_node(entry.score, ply).0 as i16;
        let evaluation = entry.evaluation.map_or(NO_EVALUATION, |score| score.0 as i16);
        let bound = match entry.bound {
            Bound::Exact => 1,
            Bound::Lower => 2,
            Bound::Upper => 3,
        };
        Packed(
            u64::from(pack_move(entry.mv))
                | u64::from(score as u16) << 16
                | u64::from(evaluation as u16) << 32
                | (entry.depth.clamp(0, 255) as u64) << 48
                | bound << 56
                | age << 58,
        )
    }

    fn unpack(self, ply: usize) -> Option<Entry> {
        let evaluation = (self.0 >> 32) as i16;
        Some(Entry {
            mv: self.mv(),
            score: from_node_to_root(Score(i32::from((self.0 >> 16) as i16)), ply),
            bound: self.bound()?,
            evaluation: (evaluation != NO_EVALUATION).then_some(Score(i32::from(evaluation))),
            depth: self.depth(),
        })
    }

    fn mv(self) -> Option<ChessMove> {
        unpack_move(self.0 as u16)
    }

    fn depth(self) -> i32 {
        i32::from((self.0 >> 48) as u8)
    }

    fn bound(self) -> Option<Bound> {
        match self.0 >> 56 & 3 {
            1 => Some(Bound::Exact),
            2 => Some(Bound::Lower),
            3 => Some(Bound::Upper),
            _ => None,
        }
    }

    fn age(self) -> u64 {
        self.0 >> 58
    }
}

/// A mate counted from the root, counted from the node at `ply`: the same position is found at other
/// distances too. Positions of endgame tables are counted like mates.
fn from_root_to_node(score: Score, ply: usize) -> Score {
    match score.counts_plies() {
        true if score > Score::DRAW => score + ply as i32,
        true => score - ply as i32,
        false => score,
    }
}

fn from_node_to_root(score: Score, ply: usize) -> Score {
    match score.counts_plies() {
        true if score > Score::DRAW => score - ply as i32,
        true => score + ply as i32,
        false => score,
    }
}

/// Source, destination and promotion in 15 bits; 0 (a1 to a1) is no move.
fn pack_move(mv: Option<ChessMove>) -> u16 {
    mv.map_or(0, |mv| {
        let promotion = mv.get_promotion().map_or(0, |piece| piece.to_index() as u16);
        mv.get_source().to_index() as u16 | (mv.get_dest().to_index() as u16) << 6 | promotion << 12
    })
}

fn unpack_move(packed: u16) -> Option<ChessMove> {
    let promotion = match packed >> 12 {
        1 => Some(Piece::Knight),
        2 => Some(Piece::Bishop),
        3 => Some(Piece::Rook),
        4 => Some(Piece::Queen),
        _ => None,
    };
    (packed != 0).then(|| {
        ChessMove::new(
            ALL_SQUARES[usize::from(packed & 63)],
            ALL_SQUARES[usize::from(packed >> 6 & 63)],
            promotion,
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Square;

    fn entry(depth: i32) -> Entry {
        Entry {
            mv: Some(ChessMove::new(Square::A7, Square::A8, Some(Piece::Knight))),
            score: Score(-123),
            bound: Bound::Lower,
            evaluation: Some(Score(-29_000)),
            depth,
        }
    }

    #[test]
    fn what_was_stored_is_found() {
        let mut table = Table::new(1);
        table.store(77, 3, entry(9));
        assert_eq!(table.probe(77, 5), Some(entry(9)));
        assert_eq!(table.probe(78, 5), None);
        assert_eq!(table.probe(0, 5), None, "an empty slot is no entry");
        table.clear();
        assert_eq!(table.probe(77, 5), None);
    }

    #[test]
    fn mates_count_from_where_the_position_stands() {
        let mut table = Table::new(1);
        for (stored, found) in
            [(Score::mate_in(10), Score::mate_in(8)), (Score::mated_in(10), Score::mated_in(8))]
        {
            table.store(1, 6, Entry { score: stored, bound: Bound::Exact, ..entry(20) });
            assert_eq!(table.probe(1, 4).map(|entry| entry.score), Some(found));
        }
    }

    #[test]
    fn old_and_shallow_entries_go_first() {
        let mut table = Table::new(0);
        for key in 1..=4 {
            table.store(key, 0, entry(key as i32));
        }
        table.store(5, 0, entry(3));
        assert_eq!(table.probe(1, 0), None);
        assert!((2..=5).all(|key| table.probe(key, 0).is_some()));
        table.next_search();
        table.store(2, 0, entry(1));
        table.store(6, 0, entry(1));
        table.store(7, 0, entry(1));
        table.store(8, 0, entry(1));
        assert!([2, 6, 7, 8].iter().all(|&key| table.probe(key, 0).is_some()));
    }
}
