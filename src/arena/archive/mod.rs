//! Games played elsewhere, or long ago: results from PGN files.
//!
//! Files are read as a stream, so their size does not matter. Every game not counted is named with
//! file, game and line.

mod played;

use std::collections::BTreeSet;
use std::fmt;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use serde::Serialize;

use super::Verdict;
use super::statistics::Results;
use crate::rules::pgn::{PgnGame, Reader, Rules};
use crate::util::input;
use played::{Pairing, PlayedGame};

/// The reason for not counting a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind", content = "reason")]
pub enum Skipped {
    /// Its result is `*`.
    Unfinished,
    /// Something is wrong with its text.
    Broken(String),
}

/// A game not counted, and its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    pub file: PathBuf,
    /// The number of the game, from 1; 0 for the file as a whole.
    pub game: u32,
    /// The line where the game begins, from 1.
    pub line: u64,
    #[serde(flatten)]
    pub what: Skipped,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        if self.game > 0 {
            write!(f, ", game {} (line {})", self.game, self.line)?;
        }
        match &self.what {
            Skipped::Unfinished => write!(f, ": unfinished"),
            Skipped::Broken(reason) => write!(f, ": {reason}"),
        }
    }
}

/// The games of PGN files.
#[derive(Clone, Debug, Default)]
pub struct Archive {
    /// The finished games, pairs marked.
    pub results: Results,
    /// The number of games found, those not counted included.
    pub games: u32,
    /// The games not counted, in the order of the files.
    pub problems: Vec<Problem>,
    /// The games counted with a word that cannot be read, in the order of the files.
    pub unread: Vec<Problem>,
    /// The number of further games left out as copies of others.
    pub duplicates: u32,
    /// Fingerprints of the counted games.
    seen: BTreeSet<u64>,
    /// The number of pairs so far, to give each file's pairs numbers of their own.
    pairs: u32,
}

impl Archive {
    /// Adds the games of a PGN file.
    ///
    /// # Errors
    /// Fails if the file cannot be opened or read. Unreadable games are [`Archive::problems`].
    pub fn add_file(&mut self, path: &Path, watch: &dyn Fn()) -> anyhow::Result<()> {
        let unreadable = |cause| anyhow!("cannot read {}: {cause}", path.display());
        let source = input::open(path).map_err(unreadable)?;
        self.add(path, source, watch).map_err(unreadable)
    }

    /// Adds the games of a PGN text, named `path` in problems; `watch` is called at each game.
    pub fn add(&mut self, path: &Path, source: impl BufRead, watch: &dyn Fn()) -> io::Result<()> {
        let mut games = Reader::new(source);
        let mut pairing = Pairing::new(self.pairs);
        let problem = |game, line, what| Problem {
            file: path.to_path_buf(),
            game,
            line,
            what,
        };
        let mut number = 0;
        while let Some(text) = games.next_game()? {
            number = text.number;
            watch();
            let counted = match PgnGame::read(&text, &Rules::default()) {
                Ok(game) => self.count(game, &mut pairing),
                Err(fault) => Err(Skipped::Broken(fault.to_string())),
            };
            match counted {
                Ok(None) => {}
                Ok(Some(word)) => {
                    let unread = problem(number, text.line, Skipped::Broken(word));
                    self.unread.push(unread);
                }
                Err(skipped) => self.problems.push(problem(number, text.line, skipped)),
            }
        }
        if number == 0 {
            let nothing = Skipped::Broken("no games in it".to_owned());
            self.problems.push(problem(0, 0, nothing));
        }
        self.pairs = pairing.used;
        self.games += number;
        Ok(())
    }

    /// Counts a game. Returns a word of its text that cannot be read, if there is one.
    fn count(&mut self, pgn: PgnGame, pairing: &mut Pairing) -> Result<Option<String>, Skipped> {
        let game = PlayedGame::of(&pgn).map_err(Skipped::Broken)?;
        if game.white == game.black {
            let reason = format!("\"{}\" plays against itself", game.white);
            return Err(Skipped::Broken(reason));
        }
        if game.verdict == Verdict::Unfinished {
            return Err(Skipped::Unfinished);
        }
        if let Some(fingerprint) = game.fingerprint
            && !self.seen.insert(fingerprint)
        {
            self.duplicates += 1;
        } else {
            let pair = Some(pairing.number(&game));
            self.results
                .add(&game.white, &game.black, game.verdict, pair);
        }
        Ok(pgn.unread)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::arena::statistics::{MatchScore, Pentanomial};

    fn read(pgn: impl AsRef<[u8]>) -> Archive {
        let mut archive = Archive::default();
        archive
            .add(Path::new("games.pgn"), Cursor::new(pgn), &|| ())
            .expect("a cursor can be read");
        archive
    }

    fn game(
        white: &str,
        black: &str,
        round: &str,
        more: &str,
        moves: &str,
        result: &str,
    ) -> String {
        let players = format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n");
        format!("[Event \"T\"]\n[Round \"{round}\"]\n{players}{more}\n{moves} {result}\n\n")
    }

    fn reasons(archive: &Archive) -> Vec<String> {
        archive.problems.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn what_no_name_is_as_long_as_is_not_repeated() {
        let long = "x".repeat(5_000_000);
        for (pgn, reason) in [
            (
                game(&long, "B", "1", "", "1. e4 e5", "1-0"),
                "what is in the White tag is too long for a name",
            ),
            (game("A", "B", "1", "", "1. e4 e5", &long), "is no result"),
        ] {
            let reasons = reasons(&read(&pgn)).concat();
            assert!(
                reasons.contains(reason) && reasons.len() < 300,
                "{} bytes",
                reasons.len()
            );
        }
    }

    #[test]
    fn what_cannot_be_counted_is_named_with_its_place() {
        let pgn = [
            game("A", "B", "1", "", "1. e4 e5", "1-0"),
            game("A", "B", "2", "", "1. e4 Ke5", "1-0"),
            game("A", "B", "3", "", "1. e4", "*"),
            game("?", "B", "4", "", "1. e4", "1-0"),
            game("A", "A", "5", "", "1. e4", "1-0"),
            game("A", "B", "6", "", "1. e4", "2-0"),
            game("A", "B", "7", "", "1. f3 e5 2. g4 Qh4#", "1-0"),
            "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 0-1\n\n".to_owned(),
            "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3\n\n".to_owned(),
            game("A", "B", "10", "", "1. d4 d5", "0-1"),
        ];
        let archive = read(pgn.concat());
        assert_eq!(archive.games, 10);
        assert_eq!(archive.results.games().len(), 2);
        let expected = [
            "games.pgn, game 2 (line 9): move 1... Ke5 is not legal",
            "games.pgn, game 3 (line 17): unfinished",
            "games.pgn, game 4 (line 25): the White tag names nobody: [White \"?\"]",
            "games.pgn, game 5 (line 33): \"A\" plays against itself",
            "games.pgn, game 6 (line 41): \"2-0\" in the Result tag is no result",
            "games.pgn, game 7 (line 49): White is mated, but the result is 1-0",
            "games.pgn, game 8 (line 57): the Result tag says 1-0, the end of the moves 0-1",
            "games.pgn, game 9 (line 63): no result after 3 half-moves: cut off?",
        ];
        assert_eq!(reasons(&archive), expected);
    }

    #[test]
    fn files_without_games_and_games_without_players_are_problems() {
        for (text, reason) in [
            ("", "games.pgn: no games in it"),
            ("\n\n \n", "games.pgn: no games in it"),
            (
                "hello\n",
                "games.pgn, game 1 (line 1): neither tags nor moves of chess: this is no PGN",
            ),
        ] {
            assert_eq!(reasons(&read(text)), [reason]);
        }
        // No tags, tags behind the moves, a tag without quotation marks.
        for pgn in [
            "1. e4 e5 1-0\n",
            "1. e4 1-0 [White \"A\"] [Black \"B\"]\n",
            "[White A]\n\n1. e4 1-0\n",
        ] {
            let reason = &reasons(&read(pgn))[0];
            let expected =
                "(line 1): who played is not known: there is no [White \"Name\"] before the moves";
            assert!(reason.ends_with(expected), "{reason}");
        }
    }

    #[test]
    fn a_file_that_is_not_there_is_named() {
        let error = Archive::default()
            .add_file(Path::new("no/such.pgn"), &|| ())
            .expect_err("not there");
        assert!(error.to_string().contains("such.pgn"), "{error}");
        // The text has the cause, which would be printed twice.
        assert_eq!(error.chain().len(), 1);
    }

    const FEN: &str = "[FEN \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\"]\n";

    /// The pairs and singles of A against B.
    fn outcomes(pgn: &[String]) -> (Pentanomial, MatchScore) {
        let archive = read(pgn.concat());
        assert_eq!(reasons(&archive), [""; 0]);
        let a = archive.results.index_of("A");
        let b = archive.results.index_of("B");
        let encounter = archive
            .results
            .encounter(a.expect("A played"), b.expect("B played"));
        (encounter.outcomes.pairs, encounter.outcomes.singles)
    }

    #[test]
    fn pairs_are_told_by_rounds_by_positions_and_by_moves() {
        let none = MatchScore::default();
        // Halves of a round, whatever the moves.
        let games = [
            game("A", "B", "1.1", "", "1. e4", "1-0"),
            game("A", "B", "2.1", "", "1. d4", "1-0"),
            game("B", "A", "2.2", "", "1. c4", "1-0"),
            game("B", "A", "1.2", "", "1. e4 e5", "1/2-1/2"),
        ];
        assert_eq!(outcomes(&games), (Pentanomial([0, 0, 1, 1, 0]), none));
        // The same position set up.
        let games = [
            game("A", "B", "1", FEN, "1... e5", "1-0"),
            game("B", "A", "2", FEN, "1... c5", "0-1"),
        ];
        assert_eq!(outcomes(&games), (Pentanomial([0, 0, 0, 0, 1]), none));
        // The same moves, in the order of the likeness.
        let games = [
            game("A", "B", "-", "", "1. e4 e5 2. Nf3 Nc6 3. Bb5", "1-0"),
            game("A", "B", "-", "", "1. e4 e5 2. Nf3 Nc6 3. Bc4", "0-1"),
            game("B", "A", "-", "", "1. e4 e5 2. Nf3 Nc6 3. Bb5", "0-1"),
            game("B", "A", "-", "", "1. e4 e5 2. Nf3 Nc6 3. Bc4", "1-0"),
        ];
        assert_eq!(outcomes(&games), (Pentanomial([1, 0, 0, 0, 1]), none));
    }

    #[test]
    fn other_games_are_no_pairs() {
        let moves = "1. e4 e5 2. Nf3 Nc6";
        for second in [
            // The same colours; another opening; a round far off; another start; another event.
            game("A", "B", "2", "", moves, "1-0"),
            game("B", "A", "2", "", "1. e4 e5 2. Nf3 Nf6", "1-0"),
            game("B", "A", "9", "", moves, "1-0"),
            game("B", "A", "2", FEN, "1... e5 2. Nf3 Nc6", "1-0"),
            game("B", "A", "2", "", moves, "1-0").replace("\"T\"", "\"U\""),
        ] {
            let (pairs, singles) = outcomes(&[game("A", "B", "1", "", moves, "1-0"), second]);
            assert_eq!((pairs.pairs(), singles.games()), (0, 2));
        }
    }

    proptest::proptest! {
        /// A PGN with one byte changed is counted, or named; never lost.
        #[test]
        fn every_game_is_counted_or_named(at in 0usize..400, byte in proptest::prelude::any::<u8>()) {
            let games = [
                game("A", "B", "1", "", "1. e4 e5 {good} 2. Nf3", "1-0"),
                game("B", "A", "2", "", "1. e4 e5 (1... c5) 2. Nf3", "1/2-1/2"),
                game("A", "B", "3", "", "1. d4 d5", "0-1"),
            ];
            let mut bytes = games.concat().into_bytes();
            let at = at % bytes.len();
            bytes[at] = byte;
            let archive = read(bytes);
            proptest::prop_assert_eq!(archive.problems.len() + archive.results.games().len(), archive.games as usize);
            proptest::prop_assert!(archive.games > 0);
        }
    }
}
