//! The transposition table: results of earlier visits to a position.
//!
//! All workers of a search read and write one table without locks. Two may write the same slot at
//! the same time, and a third may read one half of each. So a slot does not hold the key itself but
//! the key with its data mixed in: mismatched halves give another key, and nothing is found (Hyatt
//! & Mann 2002, "A lockless transposition table implementation for parallel search").

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::{num::NonZero, thread};

use chess::ChessMove;
use memmap2::MmapMut;
use prefetch_index::prefetch_index;
use zerocopy::FromBytes as _;

use crate::rules::position::moves::{pack, unpack};
use crate::search::{Bound, Score, memory};

/// The result of a visit to a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The best or refuting move, if one was found.
    pub mv: Option<ChessMove>,
    /// The score from the side to move; mates count from the half-move of [`Table::probe`] and
    /// [`Table::store`].
    pub score: Score,
    pub bound: Bound,
    /// The static evaluation; `None` in check.
    pub evaluation: Option<Score>,
    /// The depth of `score`.
    pub depth: i32,
}

/// A cache line: four slots.
type Bucket = [Slot; 4];

/// A key mixed with its position's data, and the data, a [`Packed`].
type Slot = [AtomicU64; 2];

/// The fields from the low end: move 16 bits, score 16, evaluation 16, depth 8, bound 2 (0: the
/// slot is empty), age 6.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Packed(u64);

const _: () = assert!(size_of::<Bucket>() == 64);

/// The memory of a table of a fixed size; allocated when its size is set.
pub(super) struct TableMemory {
    /// The buckets, as bytes. A page begins a bucket, so none lies across two cache lines.
    memory: MmapMut,
    /// Buckets asked for; the machine may have had memory for fewer.
    wanted: usize,
    /// The megabytes of the table, if they are fewer and not yet reported.
    pub shortage: Option<usize>,
    /// Bytes from the first known to be there: the system gives memory when it is first touched.
    touched: usize,
    /// The search uses so many bytes from the first.
    used: usize,
    /// Counts searches modulo 64.
    age: u64,
}

/// The table while a search runs: each worker has a copy of this.
#[derive(Clone, Copy)]
pub(super) struct Table<'a> {
    buckets: &'a [Bucket],
    /// The age, see [`TableMemory`].
    age: u64,
}

const AGES: u64 = 64;

/// Bytes touched in one go by each core, in a few milliseconds: a search may be waiting.
const TOUCHED_AT_ONCE: usize = 4 << 20;

/// Bytes used by a timed search begun before all are touched.
const USED_UNTOUCHED: usize = 64 << 20;

impl TableMemory {
    pub fn new(megabytes: usize) -> Self {
        let memory = memory::map(size_of::<Bucket>());
        let mut table = TableMemory {
            memory,
            wanted: 0,
            shortage: None,
            touched: 0,
            used: 0,
            age: 0,
        };
        table.resize(megabytes);
        table
    }

    /// Makes the table as large as fits into `megabytes` of 2^20 bytes, and empties it if its size
    /// changes.
    pub fn resize(&mut self, megabytes: usize) {
        let count = (megabytes.saturating_mul(1 << 20) / size_of::<Bucket>()).max(1);
        if count == self.wanted {
            return;
        }
        self.wanted = count;
        self.map();
    }

    /// An empty table, of as many buckets as are wanted if there is memory for them. The old one
    /// makes way first.
    fn map(&mut self) {
        self.memory = memory::map(size_of::<Bucket>());
        self.memory = memory::map(self.wanted.saturating_mul(size_of::<Bucket>()));
        self.touched = 0;
        self.used = self.memory.len();
        let there_are = self.memory.len() / size_of::<Bucket>();
        self.shortage = (there_are < self.wanted).then(|| self.memory.len() >> 20);
    }

    /// Forgets everything. The memory is given back and asked for again: to overwrite a large table
    /// would take seconds.
    pub fn clear(&mut self) {
        let before = self.memory.len();
        self.map();
        if self.memory.len() >= before {
            // Told already.
            self.shortage = None;
        }
        self.age = 0;
    }

    /// Touches some more of the memory, so no search has to wait for the system. Returns true if
    /// there is more to touch.
    pub fn prepare(&mut self) -> bool {
        if self.touched == self.memory.len() {
            return false;
        }
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        let end = self
            .memory
            .len()
            .min(self.touched + cores * TOUCHED_AT_ONCE);
        memory::touch(&mut self.memory[self.touched..end], TOUCHED_AT_ONCE);
        self.touched = end;
        end < self.memory.len()
    }

    /// Begins a search: entries of earlier ones are the first to go. A timed search uses a part of
    /// a large table that is not ready: almost every entry elsewhere would have to wait for a page.
    pub fn next_search(&mut self, is_timed: bool) {
        self.age = (self.age + 1) % AGES;
        let is_ready = self.touched >= self.memory.len();
        self.used = if is_timed && !is_ready {
            USED_UNTOUCHED
        } else {
            usize::MAX
        }
        .min(self.memory.len());
    }

    /// The table, for all workers of a search.
    pub fn open(&mut self) -> Table<'_> {
        let buckets = <[Bucket]>::mut_from_bytes(&mut self.memory[..self.used]);
        Table {
            buckets: buckets.expect("pages are whole buckets, and well aligned"),
            age: self.age,
        }
    }
}

impl Table<'_> {
    /// Spreads keys evenly over any number of buckets.
    #[inline]
    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
    }

    /// Fetches the memory read by [`Table::probe`] for this key into the cache, without waiting.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch_index(self.buckets, self.index(key));
    }

    /// The entry of the position with this key, for a search at half-move `ply`.
    #[inline]
    pub fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        self.buckets[self.index(key)]
            .iter()
            .map(read)
            .find(|&(slot_key, data)| slot_key == key && data.bound().is_some())
            .and_then(|(_, data)| data.unpack(ply))
    }

    /// Stores an entry. It replaces the entry of the same position unless the old one is much
    /// deeper, else an empty slot, else the least valuable entry: shallow or of an old search.
    pub fn store(&self, key: u64, ply: usize, entry: Entry) {
        let age = self.age;
        let slots = &self.buckets[self.index(key)];
        let worth = |data: Packed| match data.bound() {
            None => i32::MIN,
            Some(_) => data.depth() - 8 * ((age + AGES - data.age()) % AGES) as i32,
        };
        let mut read = slots.each_ref().map(read).into_iter().zip(slots);
        let same = read
            .clone()
            .find(|&((slot_key, data), _)| slot_key == key && data.bound().is_some());
        let mut entry = entry;
        if let Some(((_, old), _)) = same {
            // An upper bound knows no move; the one of an earlier visit is still the best guess.
            if entry.mv.is_none() {
                entry.mv = old.mv();
            }
            let keep =
                entry.bound != Bound::Exact && old.age() == age && old.depth() > entry.depth + 3;
            if keep {
                return;
            }
        }
        let least = || {
            read.by_ref()
                .min_by_key(|&((_, data), _)| worth(data))
                .expect("there are four slots")
        };
        let (_, [mixed, data]) = same.unwrap_or_else(least);
        let packed = Packed::new(entry, ply, age).0;
        mixed.store(key ^ packed, Relaxed);
        data.store(packed, Relaxed);
    }
}

/// The key of a slot and its data; some other key for an empty slot or mismatched halves.
#[inline]
fn read([mixed, data]: &Slot) -> (u64, Packed) {
    let data = data.load(Relaxed);
    (mixed.load(Relaxed) ^ data, Packed(data))
}

/// Stands for "no evaluation"; no evaluation is so small.
const NO_EVALUATION: i16 = i16::MIN;
/// Stands for "no move": a1 to a1.
const NO_MOVE: u16 = 0;

impl Packed {
    fn new(entry: Entry, ply: usize, age: u64) -> Self {
        let score = entry.score.counted_from(ply as i32).0 as i16;
        let evaluation = entry
            .evaluation
            .map_or(NO_EVALUATION, |score| score.0 as i16);
        Packed(
            u64::from(entry.mv.map_or(NO_MOVE, pack))
                | u64::from(score as u16) << 16
                | u64::from(evaluation as u16) << 32
                | (entry.depth.clamp(0, 255) as u64) << 48
                | (entry.bound as u64) << 56
                | age << 58,
        )
    }

    fn unpack(self, ply: usize) -> Option<Entry> {
        let evaluation = (self.0 >> 32) as i16;
        Some(Entry {
            mv: self.mv(),
            score: Score(i32::from((self.0 >> 16) as i16)).counted_from(-(ply as i32)),
            bound: self.bound()?,
            evaluation: (evaluation != NO_EVALUATION).then_some(Score(i32::from(evaluation))),
            depth: self.depth(),
        })
    }

    fn mv(self) -> Option<ChessMove> {
        let packed = self.0 as u16;
        (packed != NO_MOVE).then(|| unpack(packed))
    }

    fn depth(self) -> i32 {
        i32::from((self.0 >> 48) as u8)
    }

    fn bound(self) -> Option<Bound> {
        Bound::from_repr((self.0 >> 56 & 3) as u8)
    }

    fn age(self) -> u64 {
        self.0 >> 58
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::{Piece, Square};

    fn entry(depth: i32) -> Entry {
        let mv = Some(ChessMove::new(Square::A7, Square::A8, Some(Piece::Knight)));
        let score = Score(-123);
        let evaluation = Some(Score(-29_000));
        Entry {
            mv,
            score,
            bound: Bound::Lower,
            evaluation,
            depth,
        }
    }

    #[test]
    fn what_was_stored_is_found() {
        let mut memory = TableMemory::new(1);
        let table = memory.open();
        table.store(77, 3, entry(9));
        let found = [77, 78, 0].map(|key| table.probe(key, 5));
        assert_eq!(
            found,
            [Some(entry(9)), None, None],
            "an empty slot is no entry"
        );
        memory.clear();
        assert_eq!(memory.open().probe(77, 5), None);
    }

    #[test]
    fn memory_that_is_touched_keeps_what_it_has() {
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        let mut memory = TableMemory::new(cores * (TOUCHED_AT_ONCE >> 20) + 1);
        memory.open().store(77, 3, entry(9));
        // The second step is the last.
        assert_eq!(
            [memory.prepare(), memory.prepare(), memory.prepare()],
            [true, false, false]
        );
        assert_eq!(memory.open().probe(77, 3), Some(entry(9)));
        memory.clear();
        assert!(memory.prepare());
        memory.resize(1);
        assert_eq!((memory.prepare(), memory.touched), (false, 1 << 20));
    }

    #[test]
    fn against_the_clock_a_large_table_is_used_in_part_until_it_is_ready() {
        let mut memory = TableMemory::new(512);
        let used = |memory: &mut TableMemory, is_timed| {
            memory.next_search(is_timed);
            size_of_val(memory.open().buckets) >> 20
        };
        assert_eq!(
            [true, false].map(|is_timed| used(&mut memory, is_timed)),
            [64, 512]
        );
        while memory.prepare() {}
        assert_eq!(used(&mut memory, true), 512);
        memory.clear();
        assert_eq!(used(&mut memory, true), 64);
        memory.resize(16);
        assert_eq!(used(&mut memory, true), 16);
    }

    /// The number of pages of memory first touched by this thread.
    #[cfg(target_os = "linux")]
    fn faults() -> u64 {
        let stat = std::fs::read_to_string("/proc/thread-self/stat").expect("Linux has it");
        let fields = stat.rsplit(')').next().expect("a name in parentheses");
        fields
            .split_whitespace()
            .nth(7)
            .and_then(|faults| faults.parse().ok())
            .expect("a number")
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_was_touched_before_costs_no_search_anything() {
        // All of a large table is touched.
        let use_all = |is_prepared: bool| {
            let mut memory = TableMemory::new(1100);
            while is_prepared && memory.prepare() {}
            let before = faults();
            (0..4096).for_each(|part| memory.open().store(part << 52, 3, entry(9)));
            faults() - before
        };
        // Huge pages are 2 MB.
        let after = use_all(false);
        let before = use_all(true);
        assert!(after >= 32 && before < 8, "{after} without, {before} with");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn memory_that_was_not_used_is_not_touched_to_forget() {
        let mut memory = TableMemory::new(512);
        memory.open().store(77, 3, entry(9));
        let before = faults();
        memory.clear();
        let pages = faults() - before;
        assert!(
            pages < 100,
            "{pages}: 256 huge ones are all of it, or 131,072 small ones"
        );
        assert_eq!(
            (memory.open().probe(77, 5), memory.memory.len()),
            (None, 512 << 20)
        );
    }

    #[test]
    fn mates_count_from_where_the_position_stands() {
        let mut memory = TableMemory::new(1);
        let table = memory.open();
        for mate in [Score::mate_in, Score::mated_in] {
            table.store(
                1,
                6,
                Entry {
                    score: mate(10),
                    bound: Bound::Exact,
                    ..entry(20)
                },
            );
            assert_eq!(table.probe(1, 4).map(|entry| entry.score), Some(mate(8)));
        }
    }

    #[test]
    fn old_and_shallow_entries_go_first() {
        let mut memory = TableMemory::new(0);
        let table = memory.open();
        (1..=4).for_each(|key| table.store(key, 0, entry(key as i32)));
        table.store(5, 0, entry(3));
        assert_eq!(table.probe(1, 0), None);
        assert!((2..=5).all(|key| table.probe(key, 0).is_some()));
        memory.next_search(false);
        let table = memory.open();
        let new = [2, 6, 7, 8];
        new.iter().for_each(|&key| table.store(key, 0, entry(1)));
        assert!(new.iter().all(|&key| table.probe(key, 0).is_some()));
    }

    #[test]
    fn halves_of_two_entries_are_no_entry() {
        let mut memory = TableMemory::new(0);
        let table = memory.open();
        table.store(77, 0, entry(9));
        let other = Packed::new(entry(3), 0, 0).0;
        table.buckets[0][0][1].store(other, Relaxed);
        assert_eq!(table.probe(77, 0), None);
    }

    /// A probe finds the entry that was stored for its key, whoever writes meanwhile.
    #[test]
    fn many_threads_share_a_table() {
        // One bucket, so that they are in each other's way.
        let mut memory = TableMemory::new(0);
        let table = memory.open();
        let of_key = |key: u64| Entry {
            score: Score(key as i32),
            ..entry(1)
        };
        let rounds = if cfg!(miri) { 100 } else { 20_000 };
        std::thread::scope(|scope| {
            for thread in 0..4 {
                scope.spawn(move || {
                    for round in 0..rounds {
                        let key = (round * 7 + thread) % 13 + 1;
                        table.store(key, 0, of_key(key));
                        let found = table.probe(key % 13 + 1, 0);
                        assert!(found.is_none_or(|found| found == of_key(key % 13 + 1)));
                    }
                });
            }
        });
    }
}
