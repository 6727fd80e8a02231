//! The unfinished library: a folder beside it, with runs and a journal; and how the runs are put together.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashSet};
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::encode::fingerprint;
use super::run::{Names, Run, renumber};
use super::source::{Cursor, Head};
use super::{BuildEvent, Recipe, Tell};
use crate::engine::library::format::{
    ActionRecord, GameRecord, LeftOut, Name, PositionRecord, ReactionRecord, Settings, Writer,
};
use crate::engine::library::{ActionKey, Library, LibraryError};
use crate::util::files;
use crate::util::jobs::journal::{Changed, Journal};

pub struct Part {
    folder: PathBuf,
    journal: Journal,
    runs: Vec<RunLine>,
    /// Everything is done, but perhaps the file is not yet where it belongs.
    pub is_whole: bool,
}

/// A line of the journal.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Line {
    /// A run is on the disk.
    Run(RunLine),
    /// The whole library is.
    Whole,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct RunLine {
    games: u64,
    /// Behind the last game that is in it, or left out.
    cursor: Cursor,
}

/// Where the unfinished library is.
pub fn folder(output: &Path) -> PathBuf {
    files::beside(output, ".part")
}

impl Part {
    /// Begins the folder, or goes on with it.
    ///
    /// # Errors
    /// It is of other work, somebody works on it, or it cannot be read or written.
    pub fn open(recipe: &Recipe, tell: &mut Tell<'_>) -> anyhow::Result<Part> {
        let folder = folder(&recipe.output);
        fs::create_dir_all(&folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        let path = folder.join("journal");
        ensure!(
            path.metadata().is_ok_and(|metadata| metadata.len() > 0) || !has_others(&folder, &path)?,
            "{} has files in it that no build of a library wrote: remove that folder, or name another output",
            folder.display()
        );
        let (journal, history) = Journal::open::<Line>(&path, &settings(recipe)).map_err(|error| match error.is::<Changed>() {
            true => error.context(format!(
                "another library was being built there, of which {} is left: remove that folder, or name another output",
                folder.display()
            )),
            false => error,
        })?;
        history.torn.iter().for_each(|torn| tell(BuildEvent::Torn(torn)));
        let mut part = Part { folder, journal, runs: Vec::new(), is_whole: false };
        for line in history.entries {
            match line {
                Line::Run(run) => part.runs.push(run),
                Line::Whole => part.is_whole = true,
            }
        }
        if !part.runs.is_empty() {
            tell(BuildEvent::GoesOn { games: part.games() });
        }
        Ok(part)
    }

    /// Whether the whole library is still here.
    pub fn has_file(&self) -> bool {
        self.whole().is_file()
    }

    /// No run is on the disk.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Games in all runs.
    pub fn games(&self) -> u64 {
        self.runs.iter().map(|run| run.games).sum()
    }

    /// Behind the last game of the runs.
    pub fn cursor(&self) -> Cursor {
        self.runs.last().map(|run| run.cursor).unwrap_or_default()
    }

    /// Of all games in the runs.
    pub fn fingerprints(&self) -> anyhow::Result<HashSet<u64>> {
        let mut known = HashSet::new();
        for run in self.open_runs()? {
            for number in 0..run.count(Name::Games) as u32 {
                known.insert(fingerprint(&run.names_of(number)?, &run.whole_game(number)?.1));
            }
        }
        Ok(known)
    }

    /// Writes a run.
    pub fn add(&mut self, run: Run, settings: Settings, cursor: Cursor) -> anyhow::Result<()> {
        if run.is_empty() {
            return Ok(());
        }
        let line = RunLine { games: run.games() as u64, cursor };
        let path = self.run(self.runs.len());
        run.write(&path, settings).with_context(|| format!("cannot write {}", path.display()))?;
        self.journal.add(&Line::Run(line))?;
        self.runs.push(line);
        Ok(())
    }

    /// Puts all runs together.
    pub fn merge(&mut self, settings: Settings) -> anyhow::Result<()> {
        let path = self.whole();
        let file = File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
        merge(&self.open_runs()?, settings, file).with_context(|| path.display().to_string())?;
        self.journal.add(&Line::Whole)?;
        self.is_whole = true;
        Ok(())
    }

    /// Brings the whole library to its place and removes the folder.
    pub fn publish(self, output: &Path) -> std::io::Result<()> {
        if self.has_file() {
            fs::rename(self.whole(), output)?;
        }
        self.remove();
        Ok(())
    }

    /// Removes what was made here, and the folder if nothing else is in it.
    pub fn remove(self) {
        let Part { folder, journal, runs, .. } = self;
        drop(journal);
        let names = (0..=runs.len()).map(run_name).chain(["whole".to_owned(), "journal".to_owned()]);
        for name in names {
            let _ = fs::remove_file(folder.join(name));
        }
        // Another call that waited for this one finds nothing any more.
        if let Err(error) = fs::remove_dir(&folder)
            && error.kind() != ErrorKind::NotFound
        {
            log::warn!("the folder {} stays: {error}", folder.display());
        }
    }

    fn open_runs(&self) -> anyhow::Result<Vec<Library>> {
        (0..self.runs.len()).map(|number| super::checked(&self.run(number))).collect()
    }

    fn run(&self, number: usize) -> PathBuf {
        self.folder.join(run_name(number))
    }

    fn whole(&self) -> PathBuf {
        self.folder.join("whole")
    }
}

/// Whether there is anything in a folder but one file.
fn has_others(folder: &Path, file: &Path) -> anyhow::Result<bool> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    Ok(entries.flatten().any(|entry| entry.path() != file))
}

fn run_name(number: usize) -> String {
    format!("run-{number:05}")
}

/// What decides the library.
fn settings(recipe: &Recipe) -> Value {
    let input = |path: &PathBuf| json!({ "file": path, "content": files::mark(path).ok().flatten() });
    json!({
        "work": "library build",
        "inputs": recipe.inputs.iter().map(input).collect::<Vec<_>>(),
        "settings": recipe.settings,
        "strict": recipe.strict,
    })
}

/// Writes the library of all runs, in their order. When this returns it is on the disk.
///
/// # Errors
/// A run cannot be read, or the library not be written; it would be too large.
fn merge(runs: &[Library], settings: Settings, file: File) -> anyhow::Result<()> {
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
            let head = Head { names: run.names_of(number)?, record: run.record(number)? };
            games.push(names.record(&head, moves + u64::from(head.record.moves))?);
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
fn positions_of(run: &Library) -> impl Iterator<Item = Result<PositionRecord, LibraryError>> {
    let count = run.count(Name::Positions);
    (0..count).step_by(4096).flat_map(move |first| {
        let mut bytes = vec![0; (count - first).min(4096) as usize * PositionRecord::SIZE];
        match run.read_records(Name::Positions, first, &mut bytes) {
            Ok(()) => bytes.as_chunks().0.iter().map(PositionRecord::from_bytes).map(Ok).collect(),
            Err(error) => vec![Err(error)],
        }
    })
}

/// The positions of all runs that came twice or more, in two games or in one.
fn positions(
    runs: &[Library],
    take: &mut dyn FnMut(PositionRecord) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut sources: Vec<_> = runs.iter().map(positions_of).collect();
    let mut heap = BinaryHeap::new();
    for (number, source) in sources.iter_mut().enumerate() {
        heap.extend(source.next().transpose()?.map(|record| Reverse((record, number))));
    }
    // The moves of one position.
    let mut moves: Vec<PositionRecord> = Vec::new();
    let mut flush = |moves: &mut Vec<PositionRecord>| -> anyhow::Result<()> {
        let is_common = moves.iter().map(|record| u64::from(record.games)).sum::<u64>() >= 2;
        moves.drain(..).filter(|_| is_common).try_for_each(&mut *take)
    };
    while let Some(Reverse((record, number))) = heap.pop() {
        heap.extend(sources[number].next().transpose()?.map(|record| Reverse((record, number))));
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
    for record in runs.iter().flat_map(|run| &run.reactions) {
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
        for &(record, first) in &run.actions {
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
            bytes.as_chunks_mut().0.iter_mut().for_each(|case| renumber(case, first_games[number]));
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
