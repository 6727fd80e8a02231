//! Our alpha-beta search, in the parts it has here: both sides of games, and a look at positions.

use chess::ChessMove;

use crate::engine::backend;
use crate::engine::settings::{Backend, Settings};
use crate::options::Choice as _;
use crate::position::Position;
use crate::score::Score;
use crate::search::{Clock, Limits, Searcher};

/// Plays and looks, by numbers of nodes.
pub struct Player {
    searcher: Box<dyn Searcher>,
}

impl Player {
    /// With a hash table of so many megabytes, which decides what is found as well.
    ///
    /// # Errors
    /// The table's size is none that the option takes.
    pub fn new(megabytes: u32) -> anyhow::Result<Player> {
        let mut settings = Settings::default();
        settings.set("Backend", Backend::AlphaBeta.name())?;
        settings.set("Hash", &megabytes.to_string())?;
        Ok(Player {
            searcher: backend::build(&settings),
        })
    }

    /// Forgets everything.
    pub fn new_game(&mut self) {
        self.searcher.new_game();
    }

    /// The move, and its value from the side to move; no move if none is legal. What was learned before helps.
    pub fn search(&mut self, position: &Position, nodes: u64) -> (Option<ChessMove>, Score) {
        self.ask(position, nodes, None)
    }

    /// The same without anything learned before: the same position has the same answer.
    pub fn look(&mut self, position: &Position, nodes: u64) -> (Option<ChessMove>, Score) {
        self.new_game();
        self.ask(position, nodes, None)
    }

    /// The value of the best move besides `mv`, seen as by [`Player::look`].
    pub fn look_besides(&mut self, position: &Position, nodes: u64, mv: ChessMove) -> Score {
        self.new_game();
        self.ask(position, nodes, Some(mv)).1
    }

    fn ask(
        &mut self,
        position: &Position,
        nodes: u64,
        excluded: Option<ChessMove>,
    ) -> (Option<ChessMove>, Score) {
        let limits = Limits {
            nodes: Some(nodes),
            excluded: excluded.into_iter().collect(),
            ..Limits::default()
        };
        let report = self
            .searcher
            .search(position, &limits, &Clock::unlimited(), &mut ());
        (report.best_move(), report.score)
    }
}
