//! Openings from lists of positions: one FEN or EPD a line. Of a list of any size no more is kept than the
//! openings that are played.

use std::collections::HashMap;
use std::io::{self, BufRead, Read as _};
use std::path::{Path, PathBuf};

use super::{bad_line, playable, unreadable};
use crate::arena::Opening;
use crate::input;
use crate::pgn::epd::{Line, Lines};
use crate::position::notation::{Castling, read_fen};

/// A list, whose lines are checked when they are used.
#[derive(Debug)]
pub struct List {
    path: PathBuf,
    /// Of what can be read only once.
    content: Option<Vec<u8>>,
    castling: Castling,
}

impl List {
    pub fn new(path: &Path, castling: Castling) -> anyhow::Result<List> {
        let mut list = List { path: path.to_path_buf(), content: None, castling };
        if !path.is_file() {
            let mut content = Vec::new();
            list.open()
                .and_then(|mut source| source.read_to_end(&mut content))
                .map_err(|cause| unreadable(path, &cause))?;
            list.content = Some(content);
        }
        Ok(list)
    }

    /// How many positions there are.
    pub fn count(&self) -> anyhow::Result<usize> {
        let mut count = 0;
        self.each(|_, _| {
            count += 1;
            Ok(())
        })?;
        Ok(count)
    }

    /// Checks every line.
    pub fn check(&self) -> anyhow::Result<()> {
        self.each(|_, line| opening(line, self.castling).map(|_| ()))
    }

    /// The openings with these numbers, from 0.
    pub fn pick(&self, wanted: &[u32]) -> anyhow::Result<Vec<Opening>> {
        let mut picked: HashMap<u32, Option<Opening>> = wanted.iter().map(|&number| (number, None)).collect();
        self.each(|number, line| {
            if let Some(picked) = picked.get_mut(&number) {
                *picked = Some(opening(line, self.castling)?);
            }
            Ok(())
        })?;
        let found: Option<Vec<Opening>> = wanted.iter().map(|number| picked.get(number)?.clone()).collect();
        found.ok_or_else(|| unreadable(&self.path, &io::Error::other("it is changing while it is read")))
    }

    /// Goes through the lines; positions are numbered from 0. What `visit` says of a line is an error with
    /// its place.
    fn each(&self, mut visit: impl FnMut(u32, &[u8]) -> Result<(), String>) -> anyhow::Result<()> {
        let unreadable = |cause| unreadable(&self.path, &cause);
        let mut lines = Lines::new(self.open().map_err(unreadable)?);
        let mut number = 0;
        while let Some((line, text)) = lines.next_line().map_err(unreadable)? {
            visit(number, text).map_err(|reason| bad_line(&self.path, line, &reason))?;
            number = number.saturating_add(1);
        }
        Ok(())
    }

    fn open(&self) -> io::Result<Box<dyn BufRead + '_>> {
        match &self.content {
            Some(content) => Ok(Box::new(content.as_slice())),
            None => Ok(input::open(&self.path)?),
        }
    }
}

fn opening(line: &[u8], castling: Castling) -> Result<Opening, String> {
    let line = Line::read(&input::decoded(line.to_vec()))?;
    let name = line.operands("id").filter(|name| !name.is_empty()).map(str::to_owned);
    let start = read_fen(&line.fen, castling).map_err(|error| error.to_string())?;
    playable(&start, Vec::new(), name, castling)
}
