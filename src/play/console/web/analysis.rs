//! Analysis on the page: the user moves both sides, and the search of the position on show runs on.
//! The game waits meanwhile, and comes back at the end.

use std::collections::BTreeMap;
use std::time::Duration;

use chess::Color;

use super::Web;
use crate::engine::Game;
use crate::play::console::keep::Keeper;
use crate::play::console::{Activity, Ending};
use crate::rules::score::Score;
use crate::search::{Clock, Limits};

/// The time without a request of a page after which an analysis pauses.
const PATIENCE: Duration = Duration::from_secs(10);

/// A running analysis, with the game to go back to.
pub(super) struct Analysis {
    /// The half-moves before the position on show.
    pub ply: usize,
    game: Game,
    kashan: Option<Color>,
    ending: Option<Ending>,
    written: Option<String>,
    is_mixed: bool,
    scores: BTreeMap<usize, Score>,
    /// The keeper of the game: nothing is kept of an analysis.
    keeper: Option<Keeper>,
    /// True if the search waits, because no page has asked for a while.
    is_asleep: bool,
}

impl Analysis {
    /// Returns the number of half-moves that the board shares with the game.
    pub fn common(&self, other: &Game) -> usize {
        let pairs = self.game.moves().iter().zip(other.moves());
        pairs.take_while(|(ours, theirs)| ours == theirs).count()
    }

    /// Returns true if the board shows moves that are not the game's.
    pub fn varies(&self, other: &Game) -> bool {
        self.game.moves() != other.moves()
    }
}

impl Web {
    /// Begins an analysis of the position after `ply` half-moves; one that runs already goes back
    /// to the game.
    pub(super) fn begin_analysis(&mut self, ply: usize) {
        self.end_analysis();
        let console = &mut self.console;
        console.cancel();
        self.analysis = Some(Analysis {
            ply: ply.min(console.engine.game.moves().len()),
            game: console.engine.game.clone(),
            kashan: console.kashan.take(),
            ending: console.ending.take(),
            written: console.written.clone(),
            is_mixed: console.is_mixed,
            scores: console.scores.clone(),
            keeper: console.keeper.take(),
            is_asleep: false,
        });
    }

    /// Puts the game back on the board; nothing if there is no analysis.
    pub(super) fn end_analysis(&mut self) {
        let Some(analysis) = self.analysis.take() else {
            return;
        };
        let console = &mut self.console;
        console.cancel();
        console.engine.game = analysis.game;
        console.kashan = analysis.kashan;
        console.ending = analysis.ending;
        console.written = analysis.written;
        console.is_mixed = analysis.is_mixed;
        console.keeper = analysis.keeper;
        console.scores = analysis.scores;
        console.hinted = None;
        if let Some(told) = &console.reviewed {
            console.scores.extend(&told.values);
        }
    }

    /// Prepares a move after `ply` half-moves: later ones make room.
    pub(super) fn vary(&mut self, ply: usize) {
        let console = &mut self.console;
        console.cancel();
        while console.engine.game.moves().len() > ply {
            console.engine.game.undo();
        }
        console.scores.split_off(&(ply + 1));
        console.ending = None;
    }

    /// Searches the position on show, in an analysis.
    pub(super) fn analyse(&mut self) {
        let Some(analysis) = &mut self.analysis else {
            return;
        };
        analysis.is_asleep = false;
        let engine = &mut self.console.engine;
        analysis.ply = analysis.ply.min(engine.game.moves().len());
        let position = engine.game.position_before(analysis.ply);
        let Some(position) = position.filter(|position| !position.legal_moves().is_empty()) else {
            return self.console.cancel();
        };
        let limits = Limits {
            infinite: true,
            lines: self.lines,
            ..Limits::default()
        };
        engine.search(position.clone(), limits, Clock::unlimited());
        self.console.activity = Activity::Analysis;
    }

    /// A page asks: an analysis that waited for one goes on.
    pub(super) fn is_asked(&mut self) {
        self.asked = std::time::Instant::now();
        if let Some(Analysis {
            is_asleep: true, ..
        }) = self.analysis
        {
            self.analyse();
        }
    }

    /// Lets an analysis wait while no page asks.
    pub(super) fn rest_if_forsaken(&mut self) {
        if self.console.activity == Activity::Analysis
            && self.asked.elapsed() > PATIENCE
            && let Some(analysis) = &mut self.analysis
        {
            analysis.is_asleep = true;
            self.console.cancel();
        }
    }

    /// Lets the user play the side to move after `ply` half-moves, against Kashan.
    pub(super) fn play_from(&mut self, ply: usize) {
        if let Some(analysis) = self.analysis.take() {
            self.console.keeper = analysis.keeper;
        }
        self.vary(ply);
        let console = &mut self.console;
        let side = console.engine.game.side_to_move();
        console.leave_the_kept_game();
        console.forget_the_game();
        console.kashan = Some(!side);
        console.is_mixed = ply > 0;
        console.clocks.start(side);
        console.keep();
    }
}
