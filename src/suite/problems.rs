//! The problems of EPD files.

use std::path::{Path, PathBuf};

use super::{Goal, PositionList, Problem};

/// The problems of files.
#[derive(Clone, Debug, Default)]
pub struct ProblemList {
    pub problems: Vec<Problem>,
    /// Lines that are no problems, and why, in words.
    pub left_out: Vec<String>,
}

impl ProblemList {
    /// Reads EPD files, compressed or not.
    pub fn read(files: &[PathBuf]) -> anyhow::Result<ProblemList> {
        Ok(ProblemList::from(PositionList::read(files)?))
    }

    /// The problems of a file's bytes; `path` is what it is called.
    pub fn of(path: &Path, bytes: &[u8]) -> ProblemList {
        let mut list = PositionList::default();
        list.add(path, bytes);
        ProblemList::from(list)
    }
}

impl From<PositionList> for ProblemList {
    fn from(list: PositionList) -> ProblemList {
        let mut all = ProblemList { problems: Vec::new(), left_out: list.malformed };
        for position in list.positions {
            match Goal::of(&position) {
                Some(goal) => all.problems.push(Problem { position, goal }),
                None => all.left_out.push(format!(
                    "{}, line {}: asks for nothing: no bm, am, dm or points",
                    position.file.display(),
                    position.line
                )),
            }
        }
        all
    }
}
