//! The options of `kashan match` and `kashan tournament` for all their games.

use std::path::PathBuf;

use clap::Args;
use serde::de::DeserializeOwned;

use crate::arena::EngineLimits;
use crate::arena::config::Config;
use crate::arena::openings::Order;
use crate::arena::statistics::{EloModel, Sprt};
use crate::arena::types::{DrawRule, WinRule};
use crate::cli::common::{self, ForEngine};

/// The options that a tournament file has, too. Options of the command line override the file.
#[derive(Clone, Debug, Args)]
pub struct Rules {
    /// Time control of all engines, in seconds: 60+0.6, 40/60, 0.3/move, depth=5, nodes=20000, or
    /// several with commas between [default: 10+0.1]
    #[arg(long, value_name = "LIMITS")]
    tc: Option<EngineLimits>,
    /// Number of games between each two engines, even [default: 20 of a match, with --sprt 40000 at
    /// most; of a tournament 2]
    #[arg(long, value_name = "N")]
    pub games: Option<u32>,
    /// Openings: EPD or FEN lists, .pgn games [default: our own]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Half-moves to play from games [default: 8]
    #[arg(long, value_name = "N")]
    plies: Option<usize>,
    /// Begin with this opening, counted from 1 in the order of play.
    #[arg(long, value_name = "N")]
    opening_start: Option<usize>,
    /// Take openings in the order of the file, not at random.
    #[arg(long)]
    in_order: bool,
    /// Check all positions of a list of openings before the first game (otherwise, each is checked
    /// when it is used), stop if openings of games cannot be played, and fail at the end if an
    /// engine's thinking lines were wrong.
    #[arg(long)]
    strict: bool,
    /// Seed of the choice of openings [default: 1]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// An option of all engines, or with 1: or 2: in front of one engine; can be repeated.
    #[arg(long = "option", value_name = "[N:]NAME=VALUE", value_parser = common::option_for_engine)]
    options: Vec<ForEngine>,
    /// Whatever else a tournament file can say of an engine, for all or for one: name=NAME
    /// [default: the engine's own], limits=LIMITS, protocol=uci [default: found out], startup=LINE,
    /// directory=FOLDER, restart=true, stall=SECONDS, arguments=WORD; can be repeated.
    #[arg(long = "each", value_name = "[N:]KEY=VALUE", value_parser = common::option_for_engine)]
    pub settings: Vec<ForEngine>,
    /// The game is a draw when from a move on both engines say so: from_move=40,moves=8,score=10
    /// (score in centipawns).
    #[arg(long, value_name = "RULE", value_parser = draw_rule)]
    draw: Option<DrawRule>,
    /// The game is won when both engines say so: moves=4,score=700
    #[arg(long, value_name = "RULE", value_parser = win_rule)]
    win: Option<WinRule>,
    /// The game is a draw after so many moves of each side, those of the opening included.
    #[arg(long, value_name = "N")]
    max_moves: Option<u32>,
    /// The game is over where Syzygy endgame tables in this folder (or several, a colon between
    /// them, on Windows a semicolon) are certain of the result: a win within the rest of the fifty
    /// moves, and any draw. A win too late for the fifty-move rule is a draw.
    #[arg(long, value_name = "FOLDERS")]
    tablebases: Option<String>,
    /// Stop after so many games lost by a crash, a stall or an engine that does not start.
    #[arg(long, value_name = "N")]
    stop_after_crashes: Option<u32>,
    #[command(flatten)]
    pub test: Test,
    /// The number of games at the same time [default: 1]
    #[arg(long, value_name = "N")]
    concurrency: Option<usize>,
    /// Milliseconds that a clock may be below zero before the flag falls [default: 50]
    #[arg(long, value_name = "MS")]
    margin: Option<u64>,
    /// Add the games to this file.
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Keep a journal here: the same command continues from the journal, also with more --games.
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
}

/// The sequential test of two engines.
#[derive(Clone, Debug, Args)]
pub struct Test {
    /// Test whether the first of two players is ELO0 or ELO1 stronger; a match stops at the
    /// decision.
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true)]
    sprt: Option<Vec<f64>>,
    /// The Elo of --sprt: normalized (a test's length does not depend on the draws) or logistic
    /// (the Elo of rating lists).
    #[arg(long, value_name = "MODEL", default_value_t, requires = "sprt")]
    elo_model: EloModel,
    /// Probability that --sprt finds ELO1 though ELO0 is true.
    #[arg(long, value_name = "P", default_value_t = 0.05, requires = "sprt")]
    alpha: f64,
    /// Probability that --sprt finds ELO0 though ELO1 is true.
    #[arg(long, value_name = "P", default_value_t = 0.05, requires = "sprt")]
    beta: f64,
}

impl Test {
    /// Returns the test, if the options ask for one.
    ///
    /// # Errors
    /// Differences or probabilities that allow no test.
    pub fn sprt(&self) -> anyhow::Result<Option<Sprt>> {
        let Some([elo0, elo1]) = self.sprt.as_deref() else {
            return Ok(None);
        };
        Sprt::new(*elo0, *elo1, self.alpha, self.beta, self.elo_model).map(Some)
    }
}

impl Rules {
    /// Puts all given options into a match or tournament of engines.
    ///
    /// # Errors
    /// A senseless sequential test, options for a missing engine.
    pub fn apply(self, config: &mut Config) -> anyhow::Result<()> {
        /// The setting may be an option itself.
        fn set<S: From<T>, T>(setting: &mut S, given: Option<T>) {
            if let Some(given) = given {
                *setting = given.into();
            }
        }
        if self.games.is_some() {
            config.games = self.games;
            config.rounds = None;
        }
        set(&mut config.sprt, self.test.sprt()?);
        set(&mut config.limits, self.tc);
        set(&mut config.seed, self.seed);
        set(&mut config.margin, self.margin);
        set(&mut config.concurrency, self.concurrency);
        config.strict |= self.strict;
        set(&mut config.stop_after_crashes, self.stop_after_crashes);
        let adjudication = &mut config.adjudication;
        set(&mut adjudication.draw, self.draw);
        set(&mut adjudication.win, self.win);
        set(&mut adjudication.max_moves, self.max_moves);
        set(&mut adjudication.tablebases, self.tablebases);
        let openings = &mut config.openings;
        set(&mut openings.file, self.openings);
        set(&mut openings.plies, self.plies);
        set(&mut openings.start, self.opening_start);
        if self.in_order {
            openings.order = Order::Sequential;
        }
        openings.strict |= self.strict;
        set(&mut config.output.journal, self.journal);
        set(&mut config.output.pgn, self.pgn);
        common::check_numbers(&self.options, "engine", config.engines.len())?;
        for (engine, number) in config.engines.iter_mut().zip(1..) {
            engine
                .options
                .extend(common::for_number(&self.options, number));
        }
        Ok(())
    }
}

fn draw_rule(text: &str) -> Result<DrawRule, String> {
    inline_table(text, "from_move=40,moves=8,score=10")
}

fn win_rule(text: &str) -> Result<WinRule, String> {
    inline_table(text, "moves=4,score=700")
}

/// Parses values like in a tournament file, without the braces.
///
/// # Errors
/// No table, an unknown or missing key, or a value that does not fit; the text has the example.
fn inline_table<T: DeserializeOwned>(text: &str, example: &str) -> Result<T, String> {
    let written = format!("it is written as {example}");
    let Ok(table) = format!("{{{text}}}").parse::<toml::Value>() else {
        return Err(written);
    };
    T::deserialize(table).map_err(|error| format!("{}; {written}", error.message()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_written_as_in_a_tournament_file() {
        assert_eq!(
            win_rule("moves=4, score=700"),
            Ok(WinRule {
                moves: 4,
                score: 700
            })
        );
        for (text, reason) in [
            ("moves=4,score=x", "it is written as moves=4,score=700"),
            ("moves=4", "missing field `score`; it is written as"),
            ("}{", "it is written as"),
            ("3", "it is written as"),
        ] {
            let error = win_rule(text).expect_err(text);
            assert!(error.contains(reason), "{text}: {error}");
        }
        let error = draw_rule("40,8,10").expect_err("no table");
        assert_eq!(error, "it is written as from_move=40,moves=8,score=10");
    }
}
