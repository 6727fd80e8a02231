//! The games of a tournament as a PGN file, in the order of their numbers.
//!
//! The journal is the truth, and the source of this file. Games ending out of order wait for those
//! before them, so a file is only ever added to; games torn off or kept waiting by a kill come back
//! when the tournament is continued.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher as _, RandomState};
use std::io::{self, BufReader, BufWriter, Read, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::GameRecord;
use super::pgn::Writer;
use crate::rules::pgn::{self, GameText, Reader};
use crate::util::files;
use crate::util::jobs::Part;

/// Gives a played game by its number.
pub type Games<'g> = dyn FnMut(u32) -> io::Result<GameRecord> + 'g;

/// A growing PGN file.
pub struct PgnFile {
    file: File,
    writer: Writer,
    /// The number of the next game.
    next: u32,
    /// The part with all pairs to come, if not all.
    part: Option<Part>,
    waiting: BTreeMap<u32, String>,
    /// Others may add games, too.
    is_shared: bool,
    path: PathBuf,
}

impl PgnFile {
    /// Writes the played games, with numbers in order, up to the first missing one; the others wait
    /// for it, but not for those of other parts. `game` gives a game by its number, more than once.
    ///
    /// A game in any of its [forms](Writer::forms) is the same game. Without `append` all are
    /// written anew, but keep the file's names of event and site.
    ///
    /// With `append` the games come behind everything in the file, and those in the file already
    /// are not written again.
    ///
    /// # Errors
    /// Fails if the file system or `game` fails. Without `append`, fails on a file with anything
    /// but these games; with `append`, on a file that is no PGN, or whose last game ends inside a
    /// comment. The file is left alone.
    pub fn create(
        path: &Path,
        played: &[u32],
        game: &mut Games<'_>,
        writer: &Writer,
        append: bool,
        part: Option<Part>,
    ) -> io::Result<PgnFile> {
        pgn::only_plain(path)?;
        // Asked first, for who has it now may write more before it is free.
        let is_in_use = |file: &File| matches!(files::lock(file), Ok(false));
        if !append && path.is_file() && File::open(path).is_ok_and(|file| is_in_use(&file)) {
            return Err(in_use());
        }
        let before = Before::read(path, played, game, writer)?;
        let mut waiting = BTreeMap::new();
        let mut next = 1;
        before.check(append)?;
        if append {
            if before.torn.is_none() {
                pgn::only_games(path)?;
            }
            before.make_room(path)?;
        }
        let mut write = |file: &mut dyn Write| {
            played.iter().try_for_each(|&number| {
                let text = match before.games.get(&number) {
                    Some(_) if append => String::new(),
                    Some(names) => {
                        names.to_string() + &lines_of(&writer.write(&game(number)?), false)
                    }
                    None => writer.write(&game(number)?),
                };
                waiting.insert(number, text);
                file.write_all(take_those_in_order(&mut waiting, &mut next, part).as_bytes())
            })
        };
        // Nothing is lost with an empty file; and a file that is not replaced keeps its lock.
        let is_empty = fs::metadata(path).map_or(true, |file| file.len() == 0);
        if !append && !is_empty {
            files::replace_by(path, |file| write(file))?;
        }
        let mut file = OpenOptions::new().append(true).create(true).open(path)?;
        // Another tournament that began before this one wrote would never see its games again.
        if !append && (is_in_use(&file) || is_empty && file.metadata()?.len() > 0) {
            return Err(in_use());
        }
        if append || is_empty {
            let mut file = BufWriter::new(&mut file);
            write(&mut file)?;
            file.flush()?;
        }
        Ok(PgnFile {
            file,
            writer: writer.clone(),
            next,
            part,
            waiting,
            is_shared: append,
            path: path.to_path_buf(),
        })
    }

    /// Adds a game.
    pub fn add(&mut self, record: &GameRecord) -> io::Result<()> {
        self.waiting
            .insert(record.number, self.writer.write(record));
        let text = take_those_in_order(&mut self.waiting, &mut self.next, self.part);
        self.write(&text)
    }

    /// Writes all of the text. After a failure nothing follows the written part; without other
    /// writers, that part is removed.
    fn write(&mut self, text: &str) -> io::Result<()> {
        let before = self.file.metadata()?;
        let of_another = |error| if self.path.exists() { in_use() } else { error };
        files::still_at(&self.path, &self.file).map_err(of_another)?;
        self.file.write_all(text.as_bytes()).inspect_err(|_| {
            self.waiting.clear();
            if !self.is_shared && before.is_file() {
                let _ = self.file.set_len(before.len());
            }
        })
    }

    /// Ends the file: games still waiting for ones never played are written as well.
    pub fn finish(mut self) -> io::Result<()> {
        let rest: String = std::mem::take(&mut self.waiting).into_values().collect();
        self.write(&rest)?;
        // Devices and pipes cannot be synchronised.
        if self.file.metadata()?.is_file() {
            self.file.sync_all()
        } else {
            Ok(())
        }
    }
}

fn in_use() -> io::Error {
    io::Error::other(
        "another match or tournament is writing its games to it: name another file, or let both use --append",
    )
}

/// The content of the file before the tournament begins or goes on.
#[derive(Debug, Default)]
struct Before {
    /// The tournament's own games, by their numbers: the lines with the names of event and site.
    games: HashMap<u32, Arc<str>>,
    /// The line of the first text foreign to these games, from 1.
    foreign: Option<u64>,
    /// The line of a last game of others, ending inside a comment.
    open: Option<u64>,
    /// The rest of a last game torn by a kill.
    torn: Option<Vec<u8>>,
}

impl Before {
    /// Compares whole games with those played, in any of their [forms](Writer::forms). Only hashes
    /// of the games are kept. A device or a pipe holds nothing to lose.
    fn read(
        path: &Path,
        played: &[u32],
        game: &mut Games<'_>,
        writer: &Writer,
    ) -> io::Result<Before> {
        if !path.is_file() {
            return Ok(Before::default());
        }
        let length = fs::metadata(path)?.len();
        // Nobody can make up a game that has the hash of another.
        let hasher = RandomState::new();
        let mut own = HashMap::new();
        for &number in played {
            own.extend(
                writer
                    .forms(&game(number)?)
                    .map(|game| (hasher.hash_one(key(&game)), number)),
            );
        }
        let mut before = Before::default();
        let mut file = File::open(path)?;
        // With half a letter at its end no text could be read as what it is.
        let half_letter = half_letter(&mut file, length)?;
        let whole = length - half_letter.len() as u64;
        let mut reader = Reader::new(BufReader::new(file.take(whole)));
        // Bytes and lines up to the end of the game, the empty line behind it included.
        let (mut passed, mut line) = (0, 1);
        let mut names: Arc<str> = Arc::default();
        // The last game so far, if it is none of those played, and the line where what belongs to
        // it begins.
        let mut last: Option<(GameText, u64)> = None;
        while let Some(found) = reader.next_game()? {
            // Nothing follows a game that a kill tore apart.
            before.foreign = before.foreign.or(last.take().map(|(_, begin)| begin));
            passed += found.text.len() as u64 + 1;
            let begin = line;
            line = found.line + found.text.matches('\n').count() as u64 + 1;
            // Before a game there is no comment.
            if found.line != begin {
                before.foreign = before.foreign.or(Some(begin));
            }
            match own.get(&hasher.hash_one(key(&found.text))) {
                Some(&number) => {
                    let own = lines_of(&found.text, true);
                    // Most games have the same ones.
                    if *names != *own {
                        names = own.into();
                    }
                    before.games.insert(number, names.clone());
                }
                None => last = Some((found, begin)),
            }
        }
        if let Some((found, begin)) = last {
            let torn = [found.text.as_bytes(), &half_letter].concat();
            if is_begin(&torn, played, game, writer)? {
                before.torn = Some(torn);
            } else {
                before.foreign = before.foreign.or(Some(begin));
                before.open = found.torn.map(|_| found.line);
            }
        }
        if passed < whole || (whole < length && before.torn.is_none()) {
            before.foreign = before.foreign.or(Some(line));
        }
        Ok(before)
    }

    /// Checks that games can be written there.
    fn check(&self, append: bool) -> io::Result<()> {
        let text = match (append, self.open, self.foreign) {
            (true, Some(line), _) => format!(
                "the comment that is open at the end of the game on line {line} would swallow the first \
                     game behind it: end it with a brace, name another file, or move this one away"
            ),
            (false, _, Some(line)) => format!(
                "this tournament did not write what stands on line {line}, and it would be lost: \
                     use --append to keep it and add the games behind it, name another file, or move this one away (games of \
                     the journal are written anew)"
            ),
            _ => return Ok(()),
        };
        Err(io::Error::other(text))
    }

    /// Removes the torn rest of a game, and ends the last of the others with an empty line.
    fn make_room(&self, path: &Path) -> io::Result<()> {
        if !path.is_file() {
            return Ok(());
        }
        let mut file = OpenOptions::new().read(true).write(true).open(path)?;
        let length = file.metadata()?.len();
        if let Some(torn) = &self.torn {
            let (mut last, rest) = (Vec::new(), length.saturating_sub(torn.len() as u64));
            file.seek(SeekFrom::Start(rest))?;
            file.read_to_end(&mut last)?;
            if last == *torn {
                return file.set_len(rest);
            }
        }
        let gap = pgn::gap(&mut file)?;
        file.write_all(gap.as_bytes())
    }
}

/// The bytes of a letter torn by a kill at the end of a file; none if the last letter is whole. The
/// file is at its beginning afterwards.
fn half_letter(file: &mut File, length: u64) -> io::Result<Vec<u8>> {
    // The longest letter has four bytes.
    file.seek(SeekFrom::Start(length.saturating_sub(4)))?;
    let mut end = Vec::new();
    Read::by_ref(file).take(4).read_to_end(&mut end)?;
    file.rewind()?;
    let is_begin =
        |letter: &[u8]| std::str::from_utf8(letter).is_err_and(|error| error.error_len().is_none());
    let begin = (0..end.len()).find(|&begin| end[begin] >= 0xc0 && is_begin(&end[begin..]));
    Ok(begin.map_or_else(Vec::new, |begin| end.split_off(begin)))
}

/// The identity of a game: its text without line ends and without the names of event and site, for
/// these may be changed while a tournament is stopped.
fn key(game: &str) -> String {
    let words = game
        .lines()
        .filter(|line| !is_name(line))
        .flat_map(str::split_whitespace);
    words.collect::<Vec<_>>().join(" ")
}

/// Returns true if a line is the tag of event or site.
fn is_name(line: &str) -> bool {
    line.starts_with("[Event ") || line.starts_with("[Site ")
}

/// The lines of a game with the tags of event and site (or without).
fn lines_of(game: &str, names: bool) -> String {
    game.split_inclusive('\n')
        .filter(|line| is_name(line) == names)
        .collect()
}

/// Returns true if one of the games begins like this.
fn is_begin(
    text: &[u8],
    played: &[u32],
    game: &mut Games<'_>,
    writer: &Writer,
) -> io::Result<bool> {
    for &number in played {
        if writer
            .forms(&game(number)?)
            .iter()
            .any(|game| game.as_bytes().starts_with(text))
        {
            return Ok(true);
        }
    }
    Ok(false)
}

fn take_those_in_order(
    waiting: &mut BTreeMap<u32, String>,
    next: &mut u32,
    part: Option<Part>,
) -> String {
    let mut text = String::new();
    loop {
        match waiting.remove(next) {
            Some(game) => text.push_str(&game),
            None if part.is_none_or(|part| part.has_game(*next)) => return text,
            // Another machine plays it.
            None => {}
        }
        *next += 1;
    }
}

#[cfg(test)]
mod tests;
