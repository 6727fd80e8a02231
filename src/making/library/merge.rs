//! Puts runs together.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::fs::File;

use super::run::{Names, set_game};
use crate::library::format::{
    ActionRecord, CASE, GameRecord, LeftOut, Name, PositionRecord, ReactionRecord, Settings, Writer,
};
use crate::library::{ActionKey, Library, LibraryError};

/// Writes the library of all runs, in their order. When this returns it is on the disk.
///
/// # Errors
/// A run cannot be read, or the library not be written; it would be too large.
pub fn merge(runs: &[Library], settings: Settings, file: File) -> anyhow::Result<()> {
    let mut writer = Writer::new(file)?;
    let (names, games) = games(runs)?;
    writer.section(Name::Names, [names.text])?;
    writer.section(Name::Games, games.iter().map(|game| game.to_bytes()))?;
    writer.begin(Name::Moves);
    for run in runs {
        copy(run, Name::Moves, 0, run.count(Name::Moves), &mut |bytes| Ok(writer.write(bytes)?))?;
    }
    writer.end();
    writer.begin(Name::Positions);
    positions(runs, &mut |record| Ok(writer.write(&record.to_bytes())?))?;
    writer.end();
    writer.section(Name::Reactions, reactions(runs).map(ReactionRecord::to_bytes))?;
    cases(runs, &mut writer)?;
    writer.finish(settings, left_out(runs))?;
    Ok(())
}

/// All games, with the numbers that names and moves have in the whole.
fn games(runs: &[Library]) -> anyhow::Result<(Names, Vec<GameRecord>)> {
    let mut names = Names::default();
    let mut games = Vec::new();
    let mut moves = 0;
    for run in runs {
        for number in 0..run.count(Name::Games) as u32 {
            let [white, black, event, start] = run.names_of(number)?;
            let record = run.record(number)?;
            games.push(GameRecord {
                white: names.number(&white)?,
                black: names.number(&black)?,
                event: names.number(&event)?,
                start: if start.is_empty() { 0 } else { names.number(&start)? + 1 },
                moves: u32::try_from(moves + u64::from(record.moves))?,
                ..record
            });
        }
        moves += run.count(Name::Moves);
    }
    Ok((names, games))
}

/// Reads records in parts of some size.
fn copy(
    run: &Library,
    name: Name,
    first: u64,
    count: u64,
    take: &mut dyn FnMut(&mut [u8]) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    const AT_ONCE: u64 = 8192;
    let mut buffer = vec![0; (count.min(AT_ONCE) * name.record()) as usize];
    for begin in (0..count).step_by(AT_ONCE as usize) {
        let part = &mut buffer[..((count - begin).min(AT_ONCE) * name.record()) as usize];
        run.read_records(name, first + begin, part)?;
        take(part)?;
    }
    Ok(())
}

/// The positions of a run, in their order.
struct Positions<'r> {
    run: &'r Library,
    next: u64,
    /// In the other order.
    ahead: Vec<PositionRecord>,
}

impl Positions<'_> {
    fn next(&mut self) -> Result<Option<PositionRecord>, LibraryError> {
        if self.ahead.is_empty() {
            let count = (self.run.count(Name::Positions) - self.next).min(4096);
            let mut bytes = vec![0; count as usize * PositionRecord::SIZE];
            self.run.read_records(Name::Positions, self.next, &mut bytes)?;
            self.next += count;
            self.ahead = bytes.as_chunks().0.iter().rev().map(PositionRecord::from_bytes).collect();
        }
        Ok(self.ahead.pop())
    }
}

/// The positions of all runs that came twice or more, in two games or in one.
fn positions(
    runs: &[Library],
    take: &mut dyn FnMut(PositionRecord) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut sources: Vec<_> = runs.iter().map(|run| Positions { run, next: 0, ahead: Vec::new() }).collect();
    let mut heap = BinaryHeap::new();
    for (number, source) in sources.iter_mut().enumerate() {
        heap.extend(source.next()?.map(|record| Reverse((record, number))));
    }
    // The moves of one position.
    let mut moves: Vec<PositionRecord> = Vec::new();
    let mut flush = |moves: &mut Vec<PositionRecord>| -> anyhow::Result<()> {
        let is_common = moves.iter().map(|record| u64::from(record.games)).sum::<u64>() >= 2;
        moves.drain(..).filter(|_| is_common).try_for_each(&mut *take)
    };
    while let Some(Reverse((record, number))) = heap.pop() {
        heap.extend(sources[number].next()?.map(|record| Reverse((record, number))));
        if moves.last().is_some_and(|last| last.key != record.key) {
            flush(&mut moves)?;
        }
        match moves.last_mut().filter(|last| last.mv == record.mv) {
            Some(last) => last.add(&record),
            None => moves.push(record),
        }
    }
    flush(&mut moves)
}

fn reactions(runs: &[Library]) -> impl Iterator<Item = ReactionRecord> {
    let mut counts: BTreeMap<(ActionKey, ActionKey), u32> = BTreeMap::new();
    for record in runs.iter().flat_map(Library::all_reactions) {
        let count = counts.entry((record.action, record.reaction)).or_default();
        *count = count.saturating_add(record.count);
    }
    counts.into_iter().map(|((action, reaction), count)| ReactionRecord { action, reaction, count })
}

/// Actions and their cases: those of the first run, of the second, and so on.
fn cases(runs: &[Library], writer: &mut Writer) -> anyhow::Result<()> {
    // By action: the run, its first case and how many there are.
    let mut places: BTreeMap<ActionKey, Vec<(usize, u64, u64)>> = BTreeMap::new();
    let mut first_games = Vec::new();
    let mut games = 0;
    for (number, run) in runs.iter().enumerate() {
        first_games.push(games);
        games += run.count(Name::Games) as u32;
        for &(record, first) in run.all_actions() {
            places.entry(record.action).or_default().push((number, first, u64::from(record.cases)));
        }
    }
    let mut actions = Vec::new();
    for (&action, places) in &places {
        let cases = u32::try_from(places.iter().map(|&(_, _, count)| count).sum::<u64>())?;
        actions.push(ActionRecord { action, cases }.to_bytes());
    }
    writer.section(Name::Actions, actions)?;
    writer.begin(Name::Cases);
    for (number, first, count) in places.into_values().flatten() {
        copy(&runs[number], Name::Cases, first, count, &mut |bytes| {
            for case in bytes.as_chunks_mut::<CASE>().0 {
                let [a, b, c, d] = [case[32], case[33], case[34], case[35]];
                set_game(case, u32::from_le_bytes([a, b, c, d]) + first_games[number]);
            }
            Ok(writer.write(bytes)?)
        })?;
    }
    writer.end();
    Ok(())
}

fn left_out(runs: &[Library]) -> LeftOut {
    runs.iter().map(|run| run.contents().left_out).fold(LeftOut::default(), |sum, run| LeftOut {
        broken: sum.broken + run.broken,
        variant: sum.variant + run.variant,
        empty: sum.empty + run.empty,
        repeated: sum.repeated + run.repeated,
        rating: sum.rating + run.rating,
    })
}
