//! The games of a library in memory: gathered one after the other, then sorted and written.

use std::collections::HashMap;
use std::io::{self, Write};

use anyhow::{Context as _, anyhow};
use indicatif::HumanBytes;
use rayon::prelude::*;

use super::Reason;
use super::encode::Encoded;
use super::source::GameFacts;
use crate::engine::library::format::{
    self, ActionRecord, CaseRecord, GameRecord, LeftOut, PositionRecord, ReactionRecord, Settings,
    Tables,
};
use crate::engine::library::{ActionKey, SmallMove};
use crate::util::display::counted;

/// The content of a library in the making.
#[derive(Default)]
pub struct Gathered {
    names: Names,
    games: Vec<GameRecord>,
    moves: Vec<SmallMove>,
    positions: Vec<PositionRecord>,
    reactions: HashMap<(ActionKey, ActionKey), u32>,
    /// The cases with their actions.
    cases: Vec<(ActionKey, CaseRecord)>,
    left_out: LeftOut,
}

impl Gathered {
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// Returns the bytes of memory for the tables.
    pub fn size(&self) -> usize {
        self.names.text.len()
            + size_of_val(self.games.as_slice())
            + size_of_val(self.moves.as_slice())
            + size_of_val(self.positions.as_slice())
            + size_of_val(self.cases.as_slice())
    }

    /// Adds a game. `memory` is what the tables may take, in bytes.
    ///
    /// # Errors
    /// There are more games than a library can have, or more than the memory has room for.
    pub fn add(&mut self, game: Encoded, memory: usize) -> anyhow::Result<()> {
        let number = u32::try_from(self.games.len())?;
        let record = self.names.record(&game.head, self.moves.len())?;
        let mut cases = game.cases;
        for (_, case) in &mut cases {
            case.game = number.into();
        }
        let has_room = make_room(&mut self.moves, game.moves.len())
            && make_room(&mut self.positions, game.positions.len())
            && make_room(&mut self.cases, cases.len());
        if !has_room {
            return Err(self.too_large());
        }
        self.games.push(record);
        self.moves.extend(game.moves);
        self.positions.extend(game.positions);
        self.cases.extend(cases);
        for pair in game.reactions {
            *self.reactions.entry(pair).or_default() += 1;
        }
        if self.size() > memory {
            return Err(self.too_large());
        }
        Ok(())
    }

    fn too_large(&self) -> anyhow::Error {
        anyhow!(
            "the memory does not suffice: {} with {} take {}. Take fewer games (--min-elo, fewer files), leave out \
             the boards (--no-cases), or take a machine with more memory",
            counted(self.games.len(), "game"),
            counted(self.moves.len(), "half-move"),
            HumanBytes(self.size() as u64),
        )
    }

    /// Counts a game left out.
    pub fn leave_out(&mut self, reason: &Reason) {
        let count = match reason {
            Reason::Broken(_) => &mut self.left_out.broken,
            Reason::Variant(_) => &mut self.left_out.variant,
            Reason::Empty => &mut self.left_out.empty,
            Reason::Repeated => &mut self.left_out.repeated,
            Reason::Rating => &mut self.left_out.rating,
        };
        *count += 1;
    }

    /// Sorts all tables. The games are in their order, with any number of threads.
    pub fn sort(&mut self) {
        self.positions.par_sort_unstable();
        self.positions.dedup_by(|next, kept| {
            let is_same = (next.key, next.mv) == (kept.key, kept.mv);
            if is_same {
                kept.add(next);
            }
            is_same
        });
        keep_common(&mut self.positions);
        self.cases
            .par_sort_unstable_by_key(|(action, case)| (*action, case.game, case.ply()));
    }

    /// Writes the library, after [`Gathered::sort`].
    ///
    /// # Errors
    /// The errors of the file.
    pub fn write(self, settings: Settings, file: impl Write) -> io::Result<()> {
        let mut reactions: Vec<ReactionRecord> = self
            .reactions
            .into_iter()
            .map(|((action, reaction), count)| ReactionRecord {
                action,
                reaction,
                count: count.into(),
            })
            .collect();
        reactions.sort_unstable();
        let actions = self.cases.chunk_by(|one, other| one.0 == other.0);
        let actions = actions.map(|cases| ActionRecord {
            action: cases[0].0,
            cases: (cases.len() as u32).into(),
        });
        let tables = Tables {
            actions: actions.collect(),
            names: self.names.text,
            games: self.games,
            moves: self.moves,
            positions: self.positions,
            reactions,
        };
        format::write(
            file,
            settings,
            self.left_out,
            &tables,
            self.cases.iter().map(|(_, case)| *case),
        )
    }
}

/// Makes room for some more items, a quarter more at once: doubled tables would take twice the
/// memory. Returns false if the system has no more.
fn make_room<T>(table: &mut Vec<T>, more: usize) -> bool {
    let is_room = table.capacity() - table.len() >= more;
    is_room || table.try_reserve_exact(more.max(table.len() / 4)).is_ok()
}

/// Keeps the positions of at least two visits, in two games or in one. They are sorted, each move
/// once.
fn keep_common(positions: &mut Vec<PositionRecord>) {
    let mut kept = 0;
    let mut begin = 0;
    while begin < positions.len() {
        let key = positions[begin].key;
        let length = positions[begin..]
            .iter()
            .take_while(|record| record.key == key)
            .count();
        let of_key = begin..begin + length;
        let games: u64 = positions[of_key.clone()]
            .iter()
            .map(|record| u64::from(record.games.get()))
            .sum();
        if games >= 2 {
            positions.copy_within(of_key, kept);
            kept += length;
        }
        begin += length;
    }
    positions.truncate(kept);
}

/// Names by number.
#[derive(Default)]
struct Names {
    numbers: HashMap<String, u32>,
    /// The names one behind the other, each with a line feed.
    text: Vec<u8>,
}

impl Names {
    /// The number of a name.
    fn number(&mut self, name: &str) -> anyhow::Result<u32> {
        if let Some(&number) = self.numbers.get(name) {
            return Ok(number);
        }
        let number = u32::try_from(self.numbers.len())?;
        self.numbers.insert(name.to_owned(), number);
        self.text.extend_from_slice(name.as_bytes());
        self.text.push(b'\n');
        u32::try_from(self.text.len()).context("more names than a library can have")?;
        Ok(number)
    }

    /// Makes the record of a game with the numbers of White, Black, event and start, if unusual,
    /// and of its first move.
    fn record(&mut self, head: &GameFacts, moves: usize) -> anyhow::Result<GameRecord> {
        let [white, black, event, start] = &head.names;
        Ok(GameRecord {
            white: self.number(white)?.into(),
            black: self.number(black)?.into(),
            event: self.number(event)?.into(),
            start: if start.is_empty() {
                0
            } else {
                self.number(start)? + 1
            }
            .into(),
            moves: u32::try_from(moves)?.into(),
            ..head.record
        })
    }
}
