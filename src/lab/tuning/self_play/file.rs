//! The file of games during writing.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};

use super::blocks::{BLOCK_HEAD, Block, Blocks, GAMES, Totals, head_of, text_of};
use super::{GameRecord, Recipe};
use crate::util::files;
use crate::util::jobs::journal::{differences, listed};

/// A file of games, open for adding.
pub struct GameFile {
    file: File,
    path: PathBuf,
    /// The totals of the file and of games waiting to be written.
    pub totals: Totals,
    /// Bytes at the end outside a whole block, cut off at the opening.
    pub torn: u64,
    /// The unfinished block, and its beginning in the file.
    block: Block,
    block_start: u64,
}

impl GameFile {
    /// Begins a file, or goes on with one of the same recipe.
    ///
    /// # Errors
    /// The file has other content, is damaged, is being written by another program, or cannot be
    /// read or written.
    pub fn open(path: &Path, recipe: &Recipe) -> anyhow::Result<GameFile> {
        let shown = path.display();
        let mut file =
            files::open(path).with_context(|| format!("cannot read and write {shown}"))?;
        // The lock goes with the process, however it ends.
        let is_ours = files::lock(&file).with_context(|| format!("cannot lock {shown}"))?;
        ensure!(is_ours, "{shown}: another run is writing it");
        let head = head_of(recipe);
        let size = file.metadata()?.len();
        let mut begin = Vec::new();
        (&file).take(head.len() as u64).read_to_end(&mut begin)?;
        let mut block_start = head.len() as u64;
        let mut totals = Totals::default();
        let mut block = Block::default();
        let mut end = block_start;
        if size < head.len() as u64 && head.starts_with(&begin) {
            file.set_len(0)?;
            file.seek(SeekFrom::Start(0))?;
            file.write_all(&head)
                .with_context(|| format!("cannot write {shown}"))?;
        } else {
            let mut blocks = Blocks::open(path)?;
            ensure!(
                begin == head,
                "{shown} is of other games, and stays as it is: {}",
                listed(&differences(&blocks.recipe, &text_of(recipe)))
            );
            while let Some(next) = blocks.next_block()? {
                ensure!(
                    block.games == 0 || block.games == GAMES,
                    "{shown}: a block in the middle is not full"
                );
                block_start = end;
                end = blocks.at;
                totals.add(&next);
                block = next;
            }
            file.set_len(end)
                .with_context(|| format!("cannot write {shown}"))?;
        }
        if block.games == GAMES {
            block = Block::default();
            block_start = end;
        }
        let torn = size.saturating_sub(end);
        Ok(GameFile {
            file,
            path: path.to_owned(),
            totals,
            torn,
            block,
            block_start,
        })
    }

    /// Adds a game, to be written with the others of its block.
    ///
    /// # Errors
    /// The errors of [`GameFile::flush`].
    pub fn add(&mut self, game: &GameRecord) -> anyhow::Result<()> {
        let positions = u32::try_from(game.moves.len())?;
        game.write(&mut self.block.bytes);
        self.block.games += 1;
        self.block.positions += positions;
        self.totals.games += 1;
        self.totals.positions += u64::from(positions);
        if self.block.games == GAMES {
            self.flush()?;
            self.block_start += BLOCK_HEAD as u64 + self.block.bytes.len() as u64;
            self.block = Block::default();
        }
        Ok(())
    }

    /// Writes the block in its present state. Later games write the block again.
    ///
    /// # Errors
    /// The file cannot be written, or was removed.
    pub fn flush(&mut self) -> anyhow::Result<()> {
        if self.block.games == 0 {
            return Ok(());
        }
        let bytes = self.block.to_bytes();
        let write = || -> io::Result<()> {
            files::still_at(&self.path, &self.file)?;
            (&self.file).seek(SeekFrom::Start(self.block_start))?;
            (&self.file).write_all(&bytes)
        };
        write().with_context(|| format!("cannot write {}", self.path.display()))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::blocks::number_at;
    use super::super::{FAIR, NetworkUsed, OPENING, Player, WEAK_MOVES, play};
    use super::*;
    use crate::eval::Evaluation;
    use crate::util::files::tests::in_a_folder;
    use crate::util::jobs::StopRequest;

    const RECIPE: Recipe = Recipe {
        nodes: 20,
        seed: 3,
        evaluation: Evaluation::Network,
        network: None,
        weak_openings: 0,
        part: None,
    };
    const COUNT: u64 = 70;

    fn add(file: &mut GameFile, games: u64, threads: usize) {
        let first = file.totals.games;
        let take = &mut |game: &GameRecord| file.add(game);
        play(
            &RECIPE,
            first..games,
            threads,
            &StopRequest::default(),
            take,
        )
        .expect("games");
        file.flush().expect("written");
    }

    fn games(path: &Path) -> Vec<GameRecord> {
        let mut blocks = Blocks::open(path).expect("a file of games");
        let mut games = Vec::new();
        while let Some(block) = blocks.next_games().expect("whole") {
            games.extend(block);
        }
        games
    }

    fn error(result: anyhow::Result<impl Sized>) -> String {
        format!("{:#}", result.err().expect("refused"))
    }

    #[test]
    fn a_file_that_was_torn_anywhere_is_gone_on_with() {
        let (_folder, path) = in_a_folder("games");
        let mut file = GameFile::open(&path, &RECIPE).expect("new");
        add(&mut file, COUNT, 2);
        assert!(error(GameFile::open(&path, &RECIPE)).contains("another run is writing it"));
        let totals = file.totals;
        drop(file);
        let whole = fs::read(&path).expect("there");
        let head = head_of(&RECIPE).len();
        let second = head + BLOCK_HEAD + number_at(&whole, head) as usize;
        assert!(second < whole.len(), "two blocks");
        for cut in [
            0,
            7,
            head,
            head + 9,
            second - 1,
            second,
            second + 5,
            whole.len() - 1,
            whole.len(),
        ] {
            fs::write(&path, &whole[..cut]).expect("written");
            if cut >= head {
                assert!(
                    games(&path).len() as u64 <= COUNT,
                    "a reader takes what is whole"
                );
            }
            let mut file = GameFile::open(&path, &RECIPE).expect("ours");
            let expected = if cut < second {
                0
            } else if cut < whole.len() {
                64
            } else {
                COUNT
            };
            assert_eq!(file.totals.games, expected, "cut at {cut}");
            add(&mut file, COUNT, 1);
            assert_eq!(file.totals, totals);
            drop(file);
            assert_eq!(fs::read(&path).expect("there"), whole, "cut at {cut}");
        }
        assert_eq!(
            Blocks::open(&path).expect("ours").count().expect("whole"),
            totals
        );
        // Further games make the file that would have been made at once.
        let mut file = GameFile::open(&path, &RECIPE).expect("ours");
        add(&mut file, COUNT + 3, 1);
        assert_eq!(games(&path).len() as u64, COUNT + 3);
    }

    #[test]
    fn every_game_can_be_played_again_by_itself() {
        let (_folder, path) = in_a_folder("games");
        let mut file = GameFile::open(&path, &RECIPE).expect("new");
        add(&mut file, 12, 1);
        let games = games(&path);
        let mut player = Player::new(&RECIPE).expect("a player");
        for (number, game) in games.iter().enumerate().rev() {
            assert_eq!(&player.game(number as u64), game, "game {number}");
            // From the opening on alone.
            let again = player.play_out(game.opening.clone(), FAIR);
            let again = again.expect("it was fair");
            assert_eq!(&again, game, "game {number}");
            assert!((6..=9).contains(&game.opening.len()));
        }
        assert!(games.iter().any(|game| game.winner.is_some()));
        let part = Recipe {
            part: "2/3".parse().ok(),
            ..RECIPE
        };
        assert_eq!([0, 1].map(|index| part.number(index)), [1, 4]);
    }

    #[test]
    fn openings_go_on_weakly_in_some_games() {
        let games = |weak_openings| {
            let recipe = Recipe {
                weak_openings,
                ..RECIPE
            };
            let mut player = Player::new(&recipe).expect("a player");
            (0..30)
                .map(|number| player.game(number))
                .collect::<Vec<_>>()
        };
        let longest = |games: &[GameRecord]| {
            let lengths = games.iter().map(|game| game.opening.len());
            lengths.max().expect("games")
        };
        assert!(longest(&games(0)) <= OPENING.1);
        let weak = games(100);
        assert_eq!(weak, games(100));
        assert!((40..=OPENING.1 + WEAK_MOVES).contains(&longest(&weak)));
        let leads = weak.iter().map(|game| game.moves[0].1.0.abs());
        assert!(leads.filter(|&lead| lead > FAIR).count() > 2);
        let some = games(50);
        let long = some.iter().filter(|game| game.opening.len() > OPENING.1);
        assert!((8..=22).contains(&long.count()));
    }

    #[test]
    fn a_network_plays_games_of_its_own_and_is_named_by_its_checksum() {
        let (_folder, path) = in_a_folder("network.nn");
        fs::write(&path, crate::eval::network::tests::by_chance().to_bytes()).expect("written");
        let network = NetworkUsed::of(path.clone()).expect("there");
        let recipe = Recipe {
            network: Some(network.clone()),
            ..RECIPE
        };
        let own = Player::new(&recipe).expect("a player").game(0);
        assert_ne!(own, Player::new(&RECIPE).expect("a player").game(0));
        let head = String::from_utf8_lossy(&head_of(&recipe)).into_owned();
        assert!(
            head.contains(&format!("{:08x}", network.checksum)),
            "{head}"
        );
        assert!(error(NetworkUsed::of(path.with_extension("none"))).contains("cannot read"));
    }

    #[test]
    fn garbage_and_games_of_others_are_refused_and_stay() {
        let (_folder, path) = in_a_folder("games");
        let mut file = GameFile::open(&path, &RECIPE).expect("new");
        add(&mut file, COUNT, 1);
        drop(file);
        let whole = fs::read(&path).expect("there");
        let head = head_of(&RECIPE).len();
        let refused = |content: &[u8], recipe: &Recipe, why: &str| {
            fs::write(&path, content).expect("written");
            let error = error(GameFile::open(&path, recipe));
            assert!(error.contains(why) && error.contains("games"), "{error}");
            assert_eq!(fs::read(&path).expect("there"), content);
        };
        refused(
            b"something else, and long enough to be a head, which it is not",
            &RECIPE,
            "is no file of games",
        );
        refused(&whole, &Recipe { seed: 4, ..RECIPE }, "is of other games");
        for (at, why) in [
            (8, "version"),
            (12, "its head"),
            (25, "its head"),
            (head + 40, "at byte"),
        ] {
            let mut bad = whole.clone();
            bad[at] ^= 0x55;
            refused(&bad, &RECIPE, why);
            assert!(Blocks::open(&path).and_then(Blocks::count).is_err(), "{at}");
        }
        assert!(GameFile::open(path.parent().expect("a folder"), &RECIPE).is_err());
    }
}
