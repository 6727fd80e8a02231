//! Tournament files: everything about a tournament in TOML, with a default for nearly everything.
//!
//! ```
//! use kashan::arena::config::Config;
//!
//! let config = Config::parse(
//!     r#"
//!     name = "Small tournament"
//!     schedule = "round-robin"   # match, gauntlet, round-robin
//!     rounds = 4                 # how often each pair of games is played
//!     limits = "5+0.05"          # also 40/60, 0.3/move, matched/0.01, depth=5, nodes=20000
//!     seed = 7
//!     concurrency = 2            # games at the same time
//!
//!     [openings]                 # our own lines if no file is named
//!     plies = 8
//!     order = "random"           # or sequential
//!     start = 1                  # the first opening that is used
//!     strict = true              # all positions of a list are checked, also those that are not used
//!
//!     [output]
//!     pgn = "games.pgn"
//!
//!     [adjudication]
//!     max_moves = 200
//!     draw = { from_move = 40, moves = 8, score = 10 }
//!     win = { moves = 4, score = 700 }
//!     ## tablebases = "/usr/share/syzygy"   # the game is over where tables are certain of its result
//!
//!     [[engines]]
//!     command = "kashan:genetic"
//!     options = { Hash = 32, OwnBook = false }
//!
//!     [[engines]]
//!     name = "HoiChess"
//!     command = "hoichess"
//!     arguments = ["--xboard"]
//!     startup = ["book close"]
//!     limits = "10+0.1"
//!
//!     [[engines]]
//!     command = "fairymax"
//!     "#,
//! )?;
//! assert_eq!(config.tournament()?.games(), 24);
//! # Ok::<(), anyhow::Error>(())
//! ```

use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Error, anyhow, bail, ensure};
use serde::Deserialize;

use super::openings::OpeningSource;
use super::schedule::{Kind, Pairing, Schedule};
use super::spec::specs;
use super::statistics::Sprt;
use super::types::Adjudication;
use super::{EngineLimits, EngineSpec};
use crate::rules::tablebase::Tablebase;
use crate::util::jobs::Part;
use crate::util::{files, input};

/// The default limits of an engine.
const DEFAULT_LIMITS: &str = "10+0.1";

/// The default rounds, so the most, of a match with a sequential test.
const SPRT_ROUNDS: u32 = 20_000;

/// A tournament as described by its file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// The `Event` tag.
    pub name: String,
    /// The `Site` tag.
    pub site: String,
    /// The seed of all chance: the choice of openings.
    pub seed: u64,
    /// A match if there are two engines, else a round robin.
    pub schedule: Option<Kind>,
    /// The number of engines running a gauntlet; they come first.
    pub challengers: usize,
    /// The number of game pairs of each pairing.
    pub rounds: Option<u32>,
    /// Instead of rounds: how many games each two engines play. An even number.
    pub games: Option<u32>,
    /// The tournament fails, after its end, if an engine's thinking lines were wrong.
    pub strict: bool,
    /// The limits of engines without their own.
    pub limits: EngineLimits,
    /// Milliseconds below zero allowed to a clock before the flag falls.
    pub margin: u64,
    /// The number of games played at the same time.
    pub concurrency: usize,
    /// Stop when so many games were lost by a crash, a stall or an engine failing to start.
    pub stop_after_crashes: Option<u32>,
    pub openings: OpeningSource,
    pub adjudication: Adjudication,
    /// Ends a match between two engines as soon as decided.
    pub sprt: Option<Sprt>,
    /// The game pairs of this machine, if not all.
    #[serde(skip)]
    pub part: Option<Part>,
    pub output: OutputFiles,
    pub engines: Vec<EngineSpec>,
}

/// Files for the results.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OutputFiles {
    /// The source for continuing the tournament; without a journal this is impossible.
    pub journal: Option<PathBuf>,
    /// True if the moves of all games are kept in memory.
    #[serde(skip)]
    pub keep_moves: bool,
    /// The games are added to this file.
    pub pgn: Option<PathBuf>,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            name: "Kashan tournament".to_owned(),
            site: "?".to_owned(),
            seed: 1,
            schedule: None,
            challengers: 1,
            rounds: None,
            games: None,
            strict: false,
            limits: DEFAULT_LIMITS
                .parse()
                .expect("the default is a time control"),
            margin: 50,
            concurrency: 1,
            stop_after_crashes: None,
            openings: OpeningSource::default(),
            adjudication: Adjudication::default(),
            sprt: None,
            part: None,
            output: OutputFiles::default(),
            engines: Vec::new(),
        }
    }
}

impl Config {
    /// Reads a tournament from text. Paths stay as they are.
    ///
    /// # Errors
    /// Fails on text other than TOML, an unknown key, or a misfitting value; the text shows the
    /// line.
    pub fn parse(text: &str) -> anyhow::Result<Config> {
        Ok(toml::from_str(text)?)
    }

    /// Reads a tournament file. Relative paths start from its folder; unnamed journal and PGN stand
    /// beside the file.
    ///
    /// # Errors
    /// Fails on an unreadable file, and as [`Config::parse`]; the text names the file.
    pub fn load(path: &Path) -> anyhow::Result<Config> {
        let text = input::read(path)
            .and_then(|bytes| String::from_utf8(bytes).map_err(io::Error::other))
            .map_err(|cause| anyhow!("cannot read tournament file {}: {cause}", path.display()))?;
        let mut config: Config =
            toml::from_str(&text).map_err(|cause| anyhow!("{}: {cause}", path.display()))?;
        // Absolute, so that it is the same tournament wherever it is started from.
        let absolute = std::path::absolute(path).unwrap_or(path.to_path_buf());
        config.start_from(absolute.parent().unwrap_or(Path::new("")));
        let bare = path.with_extension("");
        let OutputFiles { journal, pgn, .. } = &mut config.output;
        journal.get_or_insert(files::beside(&bare, ".journal"));
        pgn.get_or_insert(files::beside(&bare, ".pgn"));
        Ok(config)
    }

    fn start_from(&mut self, folder: &Path) {
        let output = &mut self.output;
        let paths = [&mut output.journal, &mut output.pgn];
        for path in paths.into_iter().chain([&mut self.openings.file]).flatten() {
            *path = folder.join(&*path);
        }
        if let Some(folders) = &mut self.adjudication.tablebases {
            let mut paths: Vec<PathBuf> = std::env::split_paths(folders).collect();
            for path in &mut paths {
                if !path.as_os_str().is_empty() {
                    *path = folder.join(&*path);
                }
            }
            // A folder with the separator in its name cannot be one of several; nor was it before.
            if let Ok(joined) = std::env::join_paths(paths) {
                *folders = joined.to_string_lossy().into_owned();
            }
        }
        for engine in &mut self.engines {
            engine.start_from(folder);
        }
    }

    /// The engines with their names, made up if the file has none.
    ///
    /// # Errors
    /// Fails on two engines with the same name in the file.
    pub fn specs(&self) -> anyhow::Result<Vec<EngineSpec>> {
        specs(&self.engines).map_err(Error::msg)
    }

    /// The kind of tournament.
    pub fn kind(&self) -> Kind {
        self.schedule.unwrap_or(match self.engines.len() {
            2 => Kind::Match,
            _ => Kind::RoundRobin,
        })
    }

    /// The schedule of the tournament, checked.
    ///
    /// # Errors
    /// Fails on nonsense in any setting, explained in words.
    pub fn checked_schedule(&self) -> anyhow::Result<Schedule> {
        let kind = self.kind();
        let count = self.engines.len();
        match kind {
            Kind::Match if count != 2 => bail!("a match has two engines, not {count}"),
            _ if count < 2 => bail!("a tournament has at least two engines, not {count}"),
            Kind::Gauntlet if !(1..count).contains(&self.challengers) => {
                let most = count - 1;
                let given = self.challengers;
                bail!("of {count} engines 1 to {most} can be challengers, not {given}")
            }
            _ if self.sprt.is_some() && count != 2 => {
                bail!("sprt compares two engines, here are {count}")
            }
            _ if self.part.is_some() && self.sprt.is_some() => bail!(
                "sprt asks after every game what all games say, and a part knows its own only: play the parts \
                 without it, and test what they say together (kashan help machines)"
            ),
            _ => {}
        }

        ensure!(
            self.concurrency != 0,
            "concurrency = 0: no game would ever be played"
        );
        ensure!(
            self.stop_after_crashes != Some(0),
            "stop_after_crashes = 0: the first crash is the first that can end it"
        );
        self.adjudication.check().map_err(Error::msg)?;
        let mut schedule = Schedule {
            kind,
            engines: count,
            rounds: 1,
            challengers: self.challengers,
        };
        self.check_matched(&schedule)?;
        schedule.rounds = self.rounds_of(kind)?;
        let pairs = schedule.pairs();
        ensure!(
            pairs <= MAX_PAIRS,
            "{pairs} game pairs are more than {MAX_PAIRS}"
        );
        Ok(schedule)
    }

    /// The endgame tables for adjudication.
    pub fn tables(&self) -> anyhow::Result<Option<Tablebase>> {
        let Some(folders) = &self.adjudication.tablebases else {
            return Ok(None);
        };
        let mut names = std::env::split_paths(folders);
        ensure!(
            folders.is_empty() || names.all(|folder| !folder.as_os_str().is_empty()),
            "one of the folders of endgame tables in \"{folders}\" has no name"
        );
        Tablebase::open(folders).map(Some)
    }

    /// Checks matched times: such an engine needs an opponent with time of its own.
    fn check_matched(&self, schedule: &Schedule) -> anyhow::Result<()> {
        let specs = self.specs()?;
        for Pairing { engines, .. } in schedule.pairings() {
            let [first, second] = engines.map(|engine| &specs[engine]);
            let limits = first.limits.unwrap_or(self.limits);
            if limits.are_matched() && second.limits.unwrap_or(self.limits).are_matched() {
                bail!(
                    "{} and {}: both have the time that the other takes ({limits}), so nobody has any",
                    first.name,
                    second.name
                );
            }
        }
        Ok(())
    }

    fn rounds_of(&self, kind: Kind) -> anyhow::Result<u32> {
        let rounds = match (self.rounds, self.games) {
            (Some(_), Some(_)) => bail!("rounds and games: only one of them can be given"),
            (None, Some(games)) if games % 2 == 1 => bail!(
                "games = {games}: every opening is played with both colours, so the number has to be even"
            ),
            (None, Some(games)) => games / 2,
            (Some(rounds), None) => rounds,
            (None, None) => match kind {
                _ if self.sprt.is_some() => SPRT_ROUNDS,
                Kind::Match => 10,
                Kind::RoundRobin | Kind::Gauntlet => 1,
            },
        };
        ensure!(rounds > 0, "no games at all are asked for");
        Ok(rounds)
    }
}

/// The most game pairs: so the numbers of games, and the record of their openings, fit easily.
const MAX_PAIRS: usize = 1_000_000;

#[cfg(test)]
mod tests;
