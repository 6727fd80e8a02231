//! Positions with the results of their games: our alpha-beta search plays against itself, fast and
//! often.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use chess::{ChessMove, EMPTY};
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::index;
use rand::{RngExt, SeedableRng};

use super::{games, nth_seed};
use crate::engine::{Backend, Settings, backend};
use crate::eval::Evaluation;
use crate::rules::book::Book;
use crate::rules::position::{Position, moves};
use crate::rules::score::Score;
use crate::search::{SearchReport, Searcher};
use crate::util::files;
use crate::util::jobs::{StopRequest, queue};

/// The recipe for the games and for the number of positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipe {
    pub games: u64,
    /// Searched for each move.
    pub nodes: u64,
    pub seed: u64,
    /// Positions of a game at most.
    pub per_game: u32,
    /// The evaluation for the games.
    pub evaluation: Evaluation,
}

/// The memory of the search, in megabytes, cleared for each game.
const MEMORY: &str = "2";
/// Half-moves of the opening: from and to, both included.
const OPENING: (usize, usize) = (6, 10);
/// The nodes of the search that judges an opening.
const OPENING_NODES: u64 = 1_000;
/// Positions looked at for one opening.
const OPENING_TRIES: usize = 1_000;
/// The probability of a book move in the opening, if the book has one; the others are any legal
/// moves.
const BOOK: f64 = 0.5;
/// An opening is not begun from if one side is ahead by more, in centipawns.
const FAIR: i32 = 250;

impl Recipe {
    /// Returns the lines above the positions: a description, and the command to make them again.
    pub fn head(&self) -> String {
        let Recipe {
            games,
            nodes,
            seed,
            per_game,
            evaluation,
        } = self;
        let evaluation: &str = evaluation.into();
        format!(
            "# Positions with the results of their games (c9), made by Kashan {version}: {games} games of its alpha-beta search against itself.\n\
             #     kashan tune samples --games {games} --nodes {nodes} --seed {seed} --per-game {per_game} --evaluation {evaluation}\n\
             # Nobody is in check, and the best move takes and promotes nothing; ce is its value for the side to move. The id names the game.\n",
            version = env!("CARGO_PKG_VERSION"),
        )
    }
}

/// A file of samples to add games to.
pub struct SampleFile {
    file: File,
    path: PathBuf,
    /// The number of the next game.
    pub next: u64,
}

impl SampleFile {
    /// Begins a file, or goes on with one of the same recipe. The last game in the file may be torn
    /// and is taken out.
    ///
    /// # Errors
    /// The file has other content, is being written by another program, or cannot be read or
    /// written.
    pub fn open(path: &Path, recipe: &Recipe) -> anyhow::Result<SampleFile> {
        let shown = path.display();
        let (mut file, text) =
            locked(path).with_context(|| format!("cannot read and write {shown}"))?;
        let (kept, next) = whole_games(&text, &recipe.head()).with_context(|| {
            format!("{shown} is not the beginning of these samples; it stays as it is")
        })?;
        let mut begin = || -> io::Result<()> {
            file.set_len(kept as u64)?;
            file.seek(SeekFrom::End(0))?;
            if kept == 0 {
                file.write_all(recipe.head().as_bytes())?;
            }
            Ok(())
        };
        begin().with_context(|| format!("cannot write {shown}"))?;
        Ok(SampleFile {
            file,
            path: path.to_owned(),
            next,
        })
    }

    /// Adds the lines of the next game.
    pub fn add(&mut self, lines: &str) -> anyhow::Result<()> {
        let there = files::still_at(&self.path, &self.file);
        there
            .and_then(|()| self.file.write_all(lines.as_bytes()))
            .context("cannot write the samples")?;
        self.next += 1;
        Ok(())
    }
}

/// Opens a file, and locks it; the lock ends with the process in any case. Also returns the
/// content.
fn locked(path: &Path) -> io::Result<(File, String)> {
    let mut file = files::open(path)?;
    if !files::lock(&file)? {
        return Err(io::Error::other("another run is writing it"));
    }
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    Ok((file, text))
}

/// Returns the number of surely whole bytes of a text, and the number of the next game.
fn whole_games(text: &str, head: &str) -> anyhow::Result<(usize, u64)> {
    if head.starts_with(text) {
        return Ok((0, 0));
    }
    let Some(body) = text.strip_prefix(head) else {
        bail!("it begins with something else");
    };
    let whole = body.rfind('\n').map_or("", |end| &body[..=end]);
    let game = |line: &str| {
        line.rsplit_once("id \"game ")?
            .1
            .strip_suffix("\";")?
            .parse::<u64>()
            .ok()
    };
    let last = whole
        .lines()
        .next_back()
        .map_or(Some(1), game)
        .context("its last line names no game")?;
    let of_last = whole
        .lines()
        .rev()
        .take_while(|line| game(line) == Some(last));
    let torn: usize = of_last.map(|line| line.len() + 1).sum();
    Ok((head.len() + whole.len() - torn, last.saturating_sub(1)))
}

/// Plays the missing games and hands over the lines of each, in the order of games with any number
/// of threads: the same recipe makes the same text.
///
/// # Errors
/// The errors of `take`, which gets the lines of each game.
pub fn make(
    recipe: &Recipe,
    first: u64,
    threads: usize,
    stop: &StopRequest,
    take: &mut dyn FnMut(&str) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let make_worker = |_| {
        let mut player = Player::new(recipe)?;
        Ok(move |number: u64| Ok(Some((number, player.game(number)))))
    };
    let mut wanted = first;
    let mut waiting = BTreeMap::new();
    queue::each(
        first..recipe.games,
        threads,
        make_worker,
        stop,
        |(number, lines)| {
            waiting.insert(number, lines);
            while let Some(lines) = waiting.remove(&wanted) {
                take(&lines)?;
                wanted += 1;
            }
            Ok(())
        },
    )
}

/// Plays both sides.
struct Player {
    searcher: Box<dyn Searcher>,
    book: Book,
    recipe: Recipe,
}

/// A position of a game, and its value for the side to move, as a line of EPD.
fn line(fen: &str, score: Score, result: &str, game: u64) -> String {
    let mut fields = fen.rsplitn(3, ' ');
    let [full_moves, half_moves, position] = [(); 3].map(|()| fields.next().unwrap_or_default());
    let value = score.0;
    format!(
        "{position} c9 \"{result}\"; ce {value}; fmvn {full_moves}; hmvc {half_moves}; id \"game {game}\";\n"
    )
}

impl Player {
    fn new(recipe: &Recipe) -> anyhow::Result<Player> {
        let backend = Backend::AlphaBeta.into_str();
        let evaluation = recipe.evaluation.into_str();
        let settings = Settings::with([
            ("Backend", backend),
            ("Evaluation", evaluation),
            ("Hash", MEMORY),
        ])?;
        Ok(Player {
            searcher: backend::build(&settings),
            book: Book::built_in(),
            recipe: *recipe,
        })
    }

    /// Plays a game: returns its lines, none without a result.
    fn game(&mut self, number: u64) -> String {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(nth_seed(self.recipe.seed, number));
        self.searcher.new_game();
        let position = loop {
            if let Some(position) = self.opening(&mut random) {
                break position;
            }
        };
        let mut candidates = Vec::new();
        let take = |position: &Position, best, score: Score| {
            if is_quiet(position, best) && score.0.abs() < games::WON {
                candidates.push((position.to_fen(), score));
            }
        };
        let Some(result) = games::play_out(position, |position| self.search(position), take) else {
            return String::new();
        };
        let count = candidates.len().min(self.recipe.per_game as usize);
        let mut taken = index::sample(&mut random, candidates.len(), count).into_vec();
        taken.sort_unstable();
        let taken = taken.into_iter().map(|index| &candidates[index]);
        taken
            .map(|(fen, score)| line(fen, *score, result, number + 1))
            .collect()
    }

    /// Plays a few half-moves from the start; `None` if one side is far ahead then.
    fn opening(&mut self, random: &mut Xoshiro256PlusPlus) -> Option<Position> {
        let mut position = Position::default();
        let seed = random.random();
        for _ in 0..random.random_range(OPENING.0..=OPENING.1) {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            let known = random
                .random_bool(BOOK)
                .then(|| self.book.probe(&position, seed))
                .flatten();
            let mv = known.unwrap_or_else(|| legal[random.random_range(0..legal.len())]);
            position.play(mv).expect("the move is legal");
        }
        (position.outcome().is_none() && self.search(&position).score.0.abs() <= FAIR)
            .then_some(position)
    }

    fn search(&mut self, position: &Position) -> SearchReport {
        self.searcher.search_nodes(position, self.recipe.nodes)
    }
}

/// Returns a position for the beginning of a game: a few half-moves behind the start, random ones
/// or of our book, with neither side far ahead by a short search. The same seed makes the same
/// position. `None` if none is found.
pub fn opening(seed: u64) -> Option<Position> {
    let evaluation = Evaluation::Kashan;
    let recipe = Recipe {
        games: 0,
        nodes: OPENING_NODES,
        seed,
        per_game: 0,
        evaluation,
    };
    let mut player = Player::new(&recipe).expect("the settings are our own");
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    (0..OPENING_TRIES).find_map(|_| player.opening(&mut random))
}

fn is_quiet(position: &Position, best: ChessMove) -> bool {
    let board = position.board();
    *board.checkers() == EMPTY && !moves::is_capture(board, best) && best.get_promotion().is_none()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::rules::pgn::epd::EpdLine;

    const RECIPE: Recipe = Recipe {
        games: 6,
        nodes: 60,
        seed: 3,
        per_game: 5,
        evaluation: Evaluation::Paper,
    };

    fn made(threads: usize, first: u64) -> String {
        let mut text = String::new();
        let mut take = |lines: &str| {
            text += lines;
            Ok(())
        };
        make(&RECIPE, first, threads, &StopRequest::default(), &mut take).expect("samples");
        text
    }

    #[test]
    fn a_seed_makes_the_same_with_any_number_of_threads() {
        let text = made(1, 0);
        assert_eq!(made(3, 0), text);
        let mut per_game = std::collections::BTreeMap::new();
        for line in text.lines() {
            let line = EpdLine::read(line).expect("EPD");
            let result = line.operands("c9").expect("a result");
            assert!(["1-0", "0-1", "1/2-1/2"].contains(&result), "{result}");
            let position = Position::from_fen(&line.fen).expect("a position");
            assert!(*position.board().checkers() == EMPTY);
            *per_game
                .entry(line.operands("id").expect("a name").to_owned())
                .or_insert(0) += 1;
        }
        assert!(
            per_game.len() >= 2 && per_game.values().all(|&count| count <= 5),
            "{per_game:?}"
        );
    }

    #[test]
    fn a_file_that_was_torn_anywhere_is_gone_on_with() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("own.epd");
        let whole = RECIPE.head() + &made(2, 0);
        for cut in [
            0,
            10,
            RECIPE.head().len(),
            whole.len() * 2 / 3,
            whole.len() - 1,
            whole.len(),
        ] {
            fs::write(&path, &whole[..cut]).expect("written");
            let mut file = SampleFile::open(&path, &RECIPE).expect("ours");
            let rest = made(1, file.next);
            file.add(&rest).expect("written");
            assert!(
                SampleFile::open(&path, &RECIPE).is_err(),
                "it is being written"
            );
            assert_eq!(
                fs::read_to_string(&path).expect("there"),
                whole,
                "cut at {cut}"
            );
        }
        // Another recipe's file stays what it is.
        let other = Recipe { seed: 4, ..RECIPE };
        let error = SampleFile::open(&path, &other).err().expect("refused");
        assert!(error.to_string().contains("own.epd"), "{error}");
        assert_eq!(fs::read_to_string(&path).expect("there"), whole);
        assert!(
            SampleFile::open(folder.path(), &RECIPE).is_err(),
            "a folder is no file"
        );
    }
}
