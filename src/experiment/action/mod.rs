//! The claims of Hesham, Abu-Elnasr & Elmougy, "A new action-based reasoning approach for playing chess",
//! Computers, Materials & Continua 69(1), 2021, which the backend `action` follows: A1 and so on.
//!
//! Rybka, the paper's opponent, is not here: our own alpha-beta with all moves, the same evaluation and the
//! same limits stands in, which is what the claims are about.

mod matches;
mod retrieval;
mod safety;

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde_json::json;

use super::laboratory::ours;
use super::matches as played;
use super::{Conditions, Laboratory, Run, arithmetic};
use crate::arena::{EngineSpec, Limits};
use crate::files;
use crate::jobs::fingerprint;
use crate::library::Library;

/// In the order of their numbers.
pub const RUNS: &[(&str, Run)] = &[
    ("A1", played::run),
    ("A2", played::run),
    ("A3", played::run),
    ("A4", matches::degrees),
    ("A5", arithmetic),
    ("A6", retrieval::example),
    ("A7", retrieval::reduction),
    ("A8", matches::retaining),
    ("A9", safety::run),
    ("A10", played::run),
];

/// The paper's tree has a fixed depth that it does not say; that of the tuning paper, whose experiments it
/// repeats.
const FOUR_PLIES: Limits = Limits { time: None, depth: Some(4), nodes: None };

/// A library that experiments play from.
#[derive(Default)]
pub(super) struct Shelf {
    /// What reports call it.
    pub(super) name: String,
    /// As the option `LibraryFile` has it.
    pub(super) path: String,
}

/// The libraries that the user named, or else the built-in one.
///
/// # Errors
/// Names that cannot be made absolute.
pub(super) fn libraries(laboratory: &Laboratory<'_>) -> anyhow::Result<Vec<Shelf>> {
    let built_in = || Shelf { name: Library::BUILT_IN.to_owned(), path: Library::BUILT_IN.to_owned() };
    let shelf = |path: &PathBuf| {
        if path == Path::new(Library::BUILT_IN) && !path.exists() {
            return Ok(built_in());
        }
        let absolute = std::path::absolute(path).with_context(|| path.display().to_string())?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        // What was played with another library of that name is not taken for this one's.
        let name = format!("{}-{:08x}", work_name(&name), content(path)?);
        Ok(Shelf { name, path: absolute.display().to_string() })
    };
    let mut named: Vec<Shelf> =
        laboratory.conditions.libraries.iter().map(shelf).collect::<anyhow::Result<_>>()?;
    if named.is_empty() {
        named.push(built_in());
    }
    Ok(named)
}

/// A number that tells what is in a library and in the own cases beside it.
fn content(path: &Path) -> anyhow::Result<u32> {
    let library = Library::open(path)?;
    let mut crc = crc32fast::Hasher::new();
    library.contents().sections.iter().for_each(|section| crc.update(&section.crc.to_le_bytes()));
    let own = library.own_path().map(files::content).transpose()?;
    crc.update(&own.flatten().unwrap_or_default());
    Ok(crc.finalize())
}

/// Letters, digits and hyphens.
fn work_name(name: &str) -> String {
    let letter =
        |letter: char| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '-' };
    name.chars().map(letter).collect()
}

/// The paper's player: nothing but the library's moves, chosen by alpha-beta.
fn player(conditions: &Conditions, name: &str, library: &str, options: &[(&str, &str)]) -> EngineSpec {
    let fixed = [("LibraryFile", library), ("Revise", "false"), ("ActionDepth", "0"), ("MoveOverhead", "5")];
    ours(conditions, name, "action", &[&fixed, options].concat())
}

/// A copy of a library among the journals, under a name of its own: another library, another seed, and there
/// is another copy with other own cases beside it.
fn copied(laboratory: &Laboratory<'_>, file: &str, name: &str) -> anyhow::Result<String> {
    let copy = || -> anyhow::Result<PathBuf> {
        let mut library = File::open(file)?;
        let which =
            json!({ "file": file, "bytes": library.metadata()?.len(), "seed": laboratory.conditions.seed });
        let path = laboratory.place(&format!("{name}-{:016x}.klib", fingerprint(&which)))?;
        if !path.exists() {
            files::replace_by(&path, |copy| io::copy(&mut library, copy).map(|_| ()))?;
        }
        Ok(path)
    };
    Ok(copy().with_context(|| format!("cannot copy {file}"))?.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::statistics::expected_score;
    use crate::jobs::StopRequest;
    use crate::library::format::Settings;
    use crate::making::library::{self, Recipe};

    #[test]
    fn a_library_is_told_by_what_is_in_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let built = |moves: &str, name: &str| {
            let [games, output] = ["games.pgn", name].map(|name| folder.path().join(name));
            std::fs::write(&games, moves).expect("written");
            let (inputs, settings) = (vec![games], Settings { min_elo: 0, cases: true });
            let to = output.clone();
            let recipe = Recipe { inputs, output: to, settings, strict: true, jobs: 1, run: library::RUN };
            library::build(&recipe, &StopRequest::default(), &mut |_| ()).expect("built");
            content(&output).expect("a library")
        };
        let first = built("1. e4 e5 2. Nf3 *\n", "one.klib");
        assert_eq!(first, built("1. e4 e5 2. Nf3 *\n", "same.klib"));
        assert_ne!(first, built("1. e4 e5 2. Nc3 *\n", "other.klib"));
    }

    // A5: what is printed, computed again.

    /// Rybka's levels.
    const LEVELS: [f64; 4] = [2500.0, 2300.0, 2100.0, 1900.0];

    /// Wins, draws and losses against each level.
    type Row = [[u32; 3]; 4];

    /// Tables 2 to 4: A with the standard and with the proposed evaluation, B, and C with degrees 0.4 to 0.8.
    const ROWS: [Row; 8] = [
        [[0, 1, 199], [49, 13, 138], [71, 33, 96], [105, 44, 51]],
        [[18, 1, 181], [69, 43, 88], [98, 23, 79], [113, 31, 56]],
        [[37, 4, 159], [78, 36, 86], [117, 29, 54], [167, 9, 24]],
        [[38, 44, 118], [109, 46, 45], [127, 35, 38], [179, 15, 6]],
        [[42, 37, 121], [111, 46, 43], [124, 41, 35], [181, 13, 6]],
        [[30, 12, 158], [82, 23, 95], [109, 14, 77], [156, 20, 24]],
        [[18, 5, 177], [41, 13, 146], [74, 26, 100], [96, 11, 93]],
        [[0, 4, 196], [2, 1, 197], [8, 1, 191], [12, 3, 195]],
    ];

    /// The evolved player of the tuning paper against the same levels, and its rating there: what the ratings
    /// are anchored at.
    const ANCHOR: Row = [[29, 40, 131], [77, 48, 75], [110, 30, 60], [166, 27, 7]];
    const ANCHORS_RATING: f64 = 2317.0;

    /// The most likely rating: at which the logistic curve expects the points of a row.
    fn rating(row: &Row) -> f64 {
        let points: f64 = row.iter().map(|&[wins, draws, _]| f64::from(wins) + f64::from(draws) / 2.0).sum();
        let expected = |rating: f64| -> f64 {
            let games = row.iter().map(|score| f64::from(score.iter().sum::<u32>()));
            games.zip(LEVELS).map(|(games, level)| games * expected_score(rating - level)).sum()
        };
        let (mut low, mut high) = (0.0, 5000.0);
        while high - low > 0.01 {
            let middle = f64::midpoint(low, high);
            if expected(middle) < points { low = middle } else { high = middle }
        }
        low
    }

    #[test]
    fn ratings_are_those_of_the_games() {
        // A draw counts half; a score of one half against four levels is their middle.
        assert!((rating(&[[100, 0, 100]; 4]) - 2200.0).abs() < 1.0);
        let offset = ANCHORS_RATING - rating(&ANCHOR);
        let ratings = ROWS.map(|row| (rating(&row) + offset).round() as i32);
        assert_eq!(ratings, [2090, 2186, 2297, 2403, 2407, 2265, 2072, 1542]);
        let printed = [(1, 2167), (2, 2217), (3, 2483)];
        assert_eq!(printed.map(|(row, printed)| ratings[row].abs_diff(printed) <= 25), [true, false, false]);
    }

    #[test]
    fn not_every_level_played_200_games() {
        let games = ROWS.iter().flatten().map(|score| score.iter().sum::<u32>());
        assert_eq!(games.filter(|&games| games != 200).collect::<Vec<_>>(), [210]);
    }
}
