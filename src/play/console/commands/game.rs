//! Commands about the game on the board.

use chess::Color;

use crate::engine::Game;
use crate::play::console::{Activity, Console, Face, keep, name, opposite};
use crate::rules::position::Position;
use crate::search::{Clock, Limits};
use crate::util::display::counted;

/// The most nodes for a hint.
const NODES_FOR_A_HINT: u64 = 200_000;

impl Console {
    pub fn new_game(&mut self) {
        self.engine.new_game();
        self.name_the_opponent();
        self.start_over();
    }

    /// Says which side the user has, and how strong Kashan is. The page shows both beside the
    /// board.
    fn name_the_opponent(&mut self) {
        if let Some(kashan) = self.kashan
            && !matches!(self.face, Face::Page { .. })
        {
            let strength = match self.engine.settings().limited_to() {
                Some(elo) => format!("at {elo} Elo"),
                None => "as well as it can".to_owned(),
            };
            let side = name(!kashan);
            self.say(format!("You are {side}; Kashan plays {strength}."));
        }
    }

    /// Another position or game is on the board.
    fn start_over(&mut self) {
        self.leave_the_kept_game();
        self.forget_the_game();
        self.answer();
    }

    /// Drops everything known of the game before.
    pub fn forget_the_game(&mut self) {
        self.cancel();
        self.clocks.new_game();
        self.scores.clear();
        self.reviewed = None;
        self.hinted = None;
        self.players = None;
        self.written = None;
        self.is_mixed = false;
        self.begun = keep::today();
        self.own_scores = Default::default();
        self.notice_end();
    }

    pub fn play(&mut self, side: &str) {
        let Some(kashan) = opposite(side) else {
            return self.say("Type \"play white\", \"play black\" or \"play both\".");
        };
        self.cancel();
        self.take_side(kashan);
        self.answer();
    }

    pub fn switch(&mut self) {
        self.cancel();
        self.take_side(Some(self.user()));
        self.answer();
    }

    pub fn go(&mut self) {
        if self.says_that_it_is_over() {
            return;
        }
        self.take_side(Some(self.engine.game.side_to_move()));
        self.answer();
    }

    /// The user's side; the one to move if the user plays both.
    fn user(&self) -> Color {
        match self.kashan {
            Some(side) => !side,
            None => self.engine.game.side_to_move(),
        }
    }

    /// Kashan plays this side from now on.
    fn take_side(&mut self, kashan: Option<Color>) {
        self.is_mixed |= self.kashan != kashan && !self.engine.game.moves().is_empty();
        self.kashan = kashan;
    }

    pub fn move_now(&mut self) {
        if self.activity == Activity::Idle {
            self.advise("Kashan is not thinking.", "\"go\" makes it move for you.");
        }
        self.engine.stop();
    }

    pub fn undo(&mut self, count: &str) {
        // Back to the user's last own turn: two half-moves, or one while Kashan is thinking or at
        // the end of a game that the user ended.
        let usual = match self.kashan {
            Some(side) if side != self.engine.game.side_to_move() => 2,
            _ => 1,
        };
        let count = match count {
            // Kashan's first move alone can be taken back, too.
            "" => usual.min(self.engine.game.moves().len().max(1)),
            text => match text.parse() {
                Ok(count) if count > 0 => count,
                _ => return self.say(format!("\"{text}\" is not a number of half-moves.")),
            },
        };
        let played = self.engine.game.moves().len();
        if played == 0 {
            return self.say("There is nothing to take back.");
        }
        if count > played {
            let most = counted(played, "half-move");
            return self.say(format!("No more than {most} can be taken back."));
        }
        self.cancel();
        for _ in 0..count {
            self.engine.game.undo();
            self.clocks.taken_back(self.engine.game.side_to_move());
        }
        self.changes_the_game();
        self.is_mixed &= !self.engine.game.moves().is_empty();
        self.own_scores = Default::default();
        self.scores.split_off(&(self.engine.game.moves().len() + 1));
        self.reviewed = None;
        self.notice_end();
        self.keep();
        if self.kashan == Some(self.engine.game.side_to_move()) {
            self.show_board();
            self.says_that_it_is_kashans_turn();
        } else {
            self.answer();
        }
    }

    /// Returns true, with a message, if it is Kashan's turn.
    pub fn says_that_it_is_kashans_turn(&mut self) -> bool {
        let is_so = self.kashan == Some(self.engine.game.side_to_move());
        if is_so {
            self.advise("It is Kashan's turn.", "\"go\" lets it move.");
        }
        is_so
    }

    /// Says so if there is no legal move.
    fn says_that_nothing_is_legal(&mut self) -> bool {
        let is_so = self.engine.position().legal_moves().is_empty();
        if is_so {
            self.say("There is no legal move.");
        }
        is_so
    }

    pub fn hint(&mut self) {
        if self.says_that_nothing_is_legal() {
            return;
        }
        match self.engine.book_move() {
            Some(mv) => {
                let san = self.engine.position().san(mv);
                self.hinted = Some(mv);
                self.say(format!("The book plays {san}."));
            }
            None => self.search(
                Limits::of_nodes(NODES_FOR_A_HINT),
                Clock::unlimited(),
                Activity::Hint,
            ),
        }
    }

    pub fn list_moves(&mut self) {
        if self.says_that_nothing_is_legal() {
            return;
        }
        let position = self.engine.position();
        let legal = position.legal_moves();
        let mut moves: Vec<String> = legal.iter().map(|&mv| position.san(mv)).collect();
        moves.sort();
        let count = counted(moves.len(), "legal move");
        self.say(format!("{count}: {}", moves.join(" ")));
    }

    pub fn resign(&mut self) {
        if !self.says_that_it_is_over() {
            self.resigns(self.user());
        }
    }

    pub fn offer_draw(&mut self) {
        if self.says_that_it_is_over() {
            return;
        }
        let options = &self.engine.settings().engine;
        if self
            .kashan
            .is_none_or(|side| self.own_scores.accepts_draw(side, options))
        {
            self.end("1/2-1/2", "Draw agreed".to_owned());
        } else {
            self.say("Kashan plays on.");
        }
    }

    pub fn flip(&mut self) {
        self.flipped = !self.flipped;
        self.show_board();
    }

    /// Shows the position, or sets another one up.
    pub fn fen(&mut self, fen: &str) {
        if fen.is_empty() {
            return self.say(self.engine.position().to_fen());
        }
        match Position::from_fen(fen) {
            Ok(position) => self.set_up(position),
            Err(error) => self.say(format!("{error}.")),
        }
    }

    /// Sets a position up. The user plays the side to move there; "go" gives it to Kashan.
    pub fn set_up(&mut self, position: Position) {
        self.cancel();
        self.engine.game = Game::new(position);
        self.kashan = self.kashan.map(|_| !self.engine.game.side_to_move());
        self.start_over();
    }

    pub fn evaluate(&mut self) {
        let score = self.engine.static_evaluation();
        self.say(format!(
            "{score} (pawns, positive is good for White; mates and exchanges are not looked at)"
        ));
    }

    pub fn analyze(&mut self) {
        if self.says_that_nothing_is_legal() {
            return;
        }
        let key = match self.face {
            Face::Terminal(_) => "Control-C",
            _ => "Enter",
        };
        self.say(format!("Press {key} to stop."));
        let limits = Limits {
            infinite: true,
            lines: self.engine.lines(),
            ..Limits::default()
        };
        self.search(limits, Clock::unlimited(), Activity::Analysis);
    }

    pub fn show_book(&mut self) {
        let position = self.engine.position();
        let mut moves = Vec::new();
        for entry in self.engine.book_moves() {
            moves.push(format!("{} ({})", position.san(entry.mv), entry.weight));
        }
        if moves.is_empty() {
            return self.say("The book has no move here.");
        }
        let moves = moves.join(", ");
        self.say(format!("Book moves and their weights: {moves}"));
    }
}
