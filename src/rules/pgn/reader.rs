//! Sources of games: files by their names on a command line, and a stream cut into the texts of its
//! games.

use std::collections::HashSet;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use anyhow::{anyhow, ensure};

use super::text::{Token, Tokens, tag_names};
use super::{PgnGame, Rules};
use crate::util::display::is_one_of;
use crate::util::input;
use crate::util::lines::TextLines;

/// Longer games, in bytes, are not kept: there is none, so the text is something else.
const LONGEST_GAME: usize = 1 << 24;
/// Longer lines, in bytes, are not cut into games: each of these copies the rest of the line.
const LONGEST_CUT: usize = 1 << 20;
/// Behind so many bytes without the end of a game there is none to come.
const ENDLESS: u64 = 1 << 27;

/// The games of a stream, one after the other. No more than one game is in memory.
#[derive(Debug)]
pub struct Reader<R> {
    source: TextLines<R>,
    /// The number of line ends read so far.
    line_ends: u64,
    /// Games found so far.
    games: u32,
    /// A line already read for the next game.
    ahead: Vec<u8>,
}

/// The text of one game, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameText {
    /// The number of the game in its stream, from 1.
    pub number: u32,
    /// The first line of the game, from 1.
    pub line: u64,
    /// Tags and moves.
    pub text: String,
    /// The reason why the text is not the whole game, in words.
    pub torn: Option<&'static str>,
}

/// A part of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Section {
    /// Empty lines and lines of comments, before the game.
    Before,
    Tags,
    /// Empty lines behind the tags.
    Between,
    Moves,
    /// Behind the game.
    After,
}

impl<R: BufRead> Reader<R> {
    pub fn new(source: R) -> Reader<R> {
        Reader {
            source: TextLines::new(source),
            line_ends: 0,
            games: 0,
            ahead: Vec::new(),
        }
    }

    /// The next game; `None` at the end of the stream.
    ///
    /// A game ends with an empty line behind its moves, with the first tag of another game (at the
    /// beginning of a line, or behind a result), or with the stream. Behind tags and an empty line
    /// this first tag is an Event, or one already in the game. Comments between games are passed
    /// over.
    ///
    /// # Errors
    /// Errors of the source; a game without end.
    pub fn next_game(&mut self) -> io::Result<Option<GameText>> {
        while let Some(game) = self.next_text()? {
            let is_comment = |token| matches!(token, Token::Comment(_));
            if game.torn.is_some() || !Tokens::new(&game.text).all(is_comment) {
                self.games += 1;
                return Ok(Some(GameText {
                    number: self.games,
                    ..game
                }));
            }
        }
        Ok(None)
    }

    fn next_text(&mut self) -> io::Result<Option<GameText>> {
        let mut text = Vec::new();
        let mut section = Section::Before;
        let mut first_line = 0;
        let mut in_comment = false;
        let mut is_too_long = false;
        let mut left_of_tag = 0;
        let mut names = HashSet::new();
        let mut length = 0;
        while section != Section::After {
            let begin = text.len();
            text.append(&mut self.ahead);
            if text.len() == begin {
                // A line that is too long for any game comes in pieces.
                match self.source.read(LONGEST_GAME, &mut text)? {
                    0 => break,
                    bytes => length += bytes as u64,
                }
                self.line_ends += u64::from(text.ends_with(b"\n"));
            }
            let line = &text[begin..];
            if length > ENDLESS {
                let text = format!("there is no end of a game in {} megabytes", ENDLESS >> 20);
                return Err(io::Error::other(text));
            }
            let is_head = matches!(section, Section::Tags | Section::Between);
            let (words, is_open) = if is_head {
                behind_comments(line, in_comment)
            } else {
                (line, in_comment)
            };
            let is_tag_going_on = tag_goes_on(&mut left_of_tag, section, words);
            let mut next = match section {
                _ if is_head && (words.is_empty() || is_tag_going_on) => section,
                _ if in_comment && !is_head => section,
                _ => section.after(words),
            };
            if is_head {
                in_comment = is_open;
            }
            if next == Section::Tags
                && has_tag_twice(line, &mut names)
                && section == Section::Between
            {
                next = Section::After;
            }
            match (section, next) {
                (Section::Before, Section::Before) => {
                    text.clear();
                    continue;
                }
                (Section::Before, _) => {
                    first_line = self.line_ends + u64::from(!line.ends_with(b"\n"))
                }
                (_, Section::After) => {
                    let line = text.split_off(begin);
                    if !line.trim_ascii().is_empty() {
                        self.ahead = line;
                    }
                    break;
                }
                _ => {}
            }
            section = next;
            if matches!(section, Section::Tags | Section::Moves)
                && let Some(end) = tag_behind_result(line, in_comment)
            {
                self.ahead = text.split_off(begin + end);
                in_comment = false;
                break;
            }
            if section == Section::Moves {
                // Comments that began before the moves are in the line, too.
                in_comment = ends_in_comment(line, in_comment && !is_head);
            }
            if text.len() > LONGEST_GAME {
                is_too_long = true;
                text.clear();
            }
        }
        if section == Section::Before {
            return Ok(None);
        }
        Ok(Some(GameText {
            number: 0,
            line: first_line,
            text: input::decoded(text),
            torn: match (in_comment, is_too_long) {
                (true, _) => Some("a comment has no end: nothing after its beginning can be read"),
                (false, true) => Some("no game is that long"),
                (false, false) => None,
            },
        }))
    }
}

/// Lines that one tag may have: a longer one is a tag without an end.
const LONGEST_TAG: usize = 4;

/// Takes the next line, without comments, where `left` lines may still belong to a tag whose end is
/// not in its first line. Returns true if the tag goes on in the line.
fn tag_goes_on(left: &mut usize, section: Section, words: &[u8]) -> bool {
    let words = words.trim_ascii();
    let before = std::mem::take(left);
    let is_tag = words.starts_with(b"[");
    let goes_on = before > 0 && section == Section::Tags && !is_tag && !words.is_empty();
    if words.ends_with(b"]") {
        return goes_on;
    }
    if goes_on {
        *left = before - 1;
    } else if is_tag && tag_names(&String::from_utf8_lossy(words)).next().is_none() {
        *left = LONGEST_TAG;
    }
    goes_on
}

/// The text of a line behind comments, and whether a comment goes on after it.
fn behind_comments(mut line: &[u8], mut in_comment: bool) -> (&[u8], bool) {
    loop {
        if in_comment {
            match line.iter().position(|&byte| byte == b'}') {
                Some(end) => line = &line[end + 1..],
                None => return (&[], true),
            }
        }
        let words = line.trim_ascii_start();
        match words.first() {
            Some(b'{') => {
                line = &words[1..];
                in_comment = true;
            }
            Some(b';') => return (&[], false),
            // An empty line is one with its end.
            None if in_comment => return (&[], false),
            _ => return (line, false),
        }
    }
}

impl Section {
    /// The section of a line after this section, outside of comments.
    fn after(self, line: &[u8]) -> Section {
        let words = line.trim_ascii_start();
        match (self, words.first()) {
            // Lines of nothing but blanks do stand between moves.
            (Section::Moves, _) if line == b"\n" || line == b"\r\n" || line.starts_with(b"[") => {
                Section::After
            }
            (Section::Moves | Section::After, _) => self,
            (Section::Before, None | Some(b'%' | b';')) | (_, Some(b'%')) => self,
            (_, None) => Section::Between,
            (Section::Between, Some(b'[')) if words.starts_with(b"[Event ") => Section::After,
            (_, Some(b'[')) => Section::Tags,
            (_, Some(_)) => Section::Moves,
        }
    }
}

/// Returns true if the first tag in a line is known already; adds all of its tags.
fn has_tag_twice(line: &[u8], known: &mut HashSet<String>) -> bool {
    let line = String::from_utf8_lossy(line);
    let mut names = tag_names(&line).peekable();
    let is_known = names.peek().is_some_and(|name| known.contains(name));
    known.extend(names);
    is_known
}

/// The index of the first tag of another game in a line: behind a result, outside of comments and
/// quotation marks.
fn tag_behind_result(line: &[u8], mut in_comment: bool) -> Option<usize> {
    if line.len() > LONGEST_CUT || (!in_comment && line.starts_with(b"%")) {
        return None;
    }
    let mut in_quotes = false;
    for (index, byte) in line.iter().enumerate() {
        match byte {
            b'"' if !in_comment && !line[..index].ends_with(b"\\") => in_quotes = !in_quotes,
            _ if in_quotes => {}
            b'{' => in_comment = true,
            b'}' => in_comment = false,
            b';' if !in_comment => return None,
            b'[' if !in_comment => {
                let before = line[..index].trim_ascii_end();
                let word = before.rsplit(u8::is_ascii_whitespace).next()?;
                if matches!(word, b"1-0" | b"0-1" | b"1/2-1/2" | b"*") {
                    return Some(index);
                }
            }
            _ => {}
        }
    }
    None
}

/// Returns true if a comment in braces goes on after a line of moves.
fn ends_in_comment(line: &[u8], mut in_comment: bool) -> bool {
    if !in_comment && line.starts_with(b"%") {
        return false;
    }
    for byte in line {
        match byte {
            b'}' => in_comment = false,
            b'{' => in_comment = true,
            b';' if !in_comment => return false,
            _ => {}
        }
    }
    in_comment
}

/// The files of `paths`: a directory stands for its `.pgn` files, compressed ones too, sorted by
/// name. (Not every shell expands `book/openings/*.pgn`.)
///
/// # Errors
/// Directories that are unreadable or have no such file. A missing file shows when it is read.
pub fn files(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            files.append(&mut files_in(path)?);
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

fn files_in(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let unreadable = |cause| anyhow!("cannot read {}: {cause}", folder.display());
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if input::ending(&path).as_deref() == Some("pgn") {
            found.push(path);
        }
    }
    found.sort();
    ensure!(!found.is_empty(), "no .pgn files in {}", folder.display());
    Ok(found)
}

/// Returns true if a text with this beginning may be games: the first has a usual tag, or a legal
/// move. An empty text may, too. Journals, positions, settings, books and libraries may not, nor
/// lists with numbers.
pub fn begins_as_games(begin: &[u8]) -> bool {
    let begin = begin.strip_prefix(b"\xef\xbb\xbf").unwrap_or(begin);
    let Ok(Some(first)) = Reader::new(begin).next_game() else {
        return begin.trim_ascii().is_empty();
    };
    let rules = Rules {
        plies: 1,
        ..Rules::default()
    };
    let mut names = first.text.lines().flat_map(tag_names);
    names.any(|name| is_one_of(USUAL_TAGS, &name))
        || PgnGame::read(&first, &rules).is_ok_and(|game| !game.moves.is_empty())
}

/// The usual tags, in small letters: every game with tags has at least one of them.
const USUAL_TAGS: &str = "event site date round white black result fen setup variant";

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn folders_stand_for_their_pgn_files() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let of = |paths: &[PathBuf]| super::files(paths).map_err(|error| error.to_string());
        for name in ["b.PGN", "a.pgn.gz", "notes.txt"] {
            fs::write(path(name), "").expect("written");
        }
        assert_eq!(of(&[path("")]), Ok(vec![path("a.pgn.gz"), path("b.PGN")]));
        // Whether it is there is found out later.
        assert_eq!(of(&[path("none")]), Ok(vec![path("none")]));
    }
}
