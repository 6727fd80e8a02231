//! A run: as many games as fit into memory, sorted and written as a library of their own.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io;
use std::path::Path;

use anyhow::Context as _;
use rayon::prelude::*;

use super::Reason;
use super::encode::Encoded;
use super::source::Head;
use crate::engine::library::ActionKey;
use crate::engine::library::format::{
    ActionRecord, CASE, GameRecord, LeftOut, Name, PositionRecord, ReactionRecord, Settings, Writer,
};

/// Games that are in memory at once, sorted and written as a library of their own. Unlike a whole library it
/// has all positions, also those of one game.
#[derive(Default)]
pub struct Run {
    names: Names,
    games: Vec<GameRecord>,
    moves: Vec<u8>,
    positions: Vec<PositionRecord>,
    reactions: HashMap<(ActionKey, ActionKey), u32>,
    /// The records of each action, in the order of games.
    cases: BTreeMap<ActionKey, Vec<u8>>,
    left_out: LeftOut,
}

impl Run {
    /// Half-moves.
    pub fn plies(&self) -> usize {
        self.moves.len() / 2
    }

    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// Whether nothing was added, and nothing left out.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty() && self.left_out == LeftOut::default()
    }

    /// Adds a game.
    ///
    /// # Errors
    /// There are more than a library can have.
    pub fn add(&mut self, game: Encoded) -> anyhow::Result<()> {
        let number = u32::try_from(self.games.len())?;
        self.games.push(self.names.record(&game.head, self.plies() as u64)?);
        self.moves.extend(game.moves.into_iter().flat_map(|mv| mv.0.to_le_bytes()));
        self.positions.extend(game.positions);
        for pair in game.reactions {
            *self.reactions.entry(pair).or_default() += 1;
        }
        for (action, mut case) in game.cases {
            renumber(&mut case, number);
            self.cases.entry(action).or_default().extend_from_slice(&case);
        }
        Ok(())
    }

    /// Counts a game that is left out.
    pub fn leave_out(&mut self, reason: &Reason) {
        *match reason {
            Reason::Broken(_) => &mut self.left_out.broken,
            Reason::Variant(_) => &mut self.left_out.variant,
            Reason::Empty => &mut self.left_out.empty,
            Reason::Repeated => &mut self.left_out.repeated,
            Reason::Rating => &mut self.left_out.rating,
        } += 1;
    }

    /// Writes the run; when this returns it is on the disk.
    pub fn write(mut self, path: &Path, settings: Settings) -> io::Result<()> {
        self.positions.par_sort_unstable();
        self.positions.dedup_by(|next, kept| {
            let is_same = (next.key, next.mv) == (kept.key, kept.mv);
            if is_same {
                kept.add(next);
            }
            is_same
        });
        let reactions = self.reactions.into_iter();
        let mut reactions: Vec<_> =
            reactions.map(|((action, reaction), count)| ReactionRecord { action, reaction, count }).collect();
        reactions.sort_unstable();
        let actions = self.cases.iter().map(|(&action, cases)| {
            let cases = (cases.len() as u64 / Name::Cases.record()) as u32;
            ActionRecord { action, cases }.to_bytes()
        });
        let mut writer = Writer::new(File::create(path)?)?;
        writer.section(Name::Names, [&self.names.text])?;
        writer.section(Name::Games, self.games.iter().map(|game| game.to_bytes()))?;
        writer.section(Name::Moves, [&self.moves])?;
        writer.section(Name::Positions, self.positions.iter().map(|position| position.to_bytes()))?;
        writer.section(Name::Reactions, reactions.into_iter().map(ReactionRecord::to_bytes))?;
        writer.section(Name::Actions, actions)?;
        writer.section(Name::Cases, self.cases.values())?;
        writer.finish(settings, self.left_out)
    }
}

/// Names by number.
#[derive(Default)]
pub struct Names {
    numbers: HashMap<String, u32>,
    /// One behind the other, each with a line feed.
    pub text: Vec<u8>,
}

impl Names {
    /// The number of a name.
    pub fn number(&mut self, name: &str) -> anyhow::Result<u32> {
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

    /// The record of a game with the numbers of White, Black, event and start, if that is unusual, and of its
    /// first move.
    pub fn record(&mut self, head: &Head, moves: u64) -> anyhow::Result<GameRecord> {
        let [white, black, event, start] = &head.names;
        Ok(GameRecord {
            white: self.number(white)?,
            black: self.number(black)?,
            event: self.number(event)?,
            start: if start.is_empty() { 0 } else { self.number(start)? + 1 },
            moves: u32::try_from(moves)?,
            ..head.record
        })
    }
}

/// Adds to the number of its game in the record of a case.
pub fn renumber(case: &mut [u8; CASE], by: u32) {
    let number: &mut [u8; 4] = (&mut case[32..36]).try_into().expect("four bytes");
    *number = (u32::from_le_bytes(*number) + by).to_le_bytes();
}
