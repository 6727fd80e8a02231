//! What the user types.

use std::io::Write;

use chess::{ChessMove, Color};

use super::record::make_room;
use super::words::{self, WORDS, fill};
use super::{Activity, Console, Face, level, name, notation, opposite};
use crate::engine::{Game, Settings, strength_options};
use crate::front::Flow;
use crate::options::{OptionKind, OptionSpec, parse_check};
use crate::position::{MoveError, Position};
use crate::search::{Clock, Limits};

impl<W: Write> Console<W> {
    /// Does what a line says.
    pub(super) fn typed(&mut self, line: &str) -> Flow {
        if self.activity == Activity::Analysis {
            // Any line ends an analysis; an empty one does nothing else.
            self.cancel();
        }
        let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        if first.is_empty() {
            return Flow::Continue;
        }
        if first.len() <= 3 && rest.is_empty() && !first.starts_with('0') && first.parse::<usize>().is_ok() {
            self.move_by_number(first);
            return Flow::Continue;
        }
        // "b4" is a move and "d" is a command: commands first, for no command looks like a move.
        let Some(command) = words::find(first) else {
            self.move_or_nonsense(line);
            return Flow::Continue;
        };
        // These leave a search alone, or end it themselves once they know that what follows them makes sense.
        let goes_beside_a_search = matches!(
            command,
            "now"
                | "quit"
                | "xboard"
                | "uci"
                | "help"
                | "board"
                | "threats"
                | "new"
                | "undo"
                | "play"
                | "switch"
                | "fen"
                | "tui"
                | "lines"
                | "flip"
                | "pieces"
                | "thinking"
        );
        if !goes_beside_a_search {
            if self.activity == Activity::Move {
                self.say("Kashan is thinking; \"now\" makes it move.");
                return Flow::Continue;
            }
            self.cancel();
        }
        match (command, rest) {
            ("quit", _) => {
                self.say_what_is_kept();
                return Flow::Quit;
            }
            ("resume", _) => self.resume(),
            ("xboard", _) => return Flow::Xboard,
            ("uci", _) => return Flow::Uci,
            ("tui", _) => match self.face {
                Face::Live(_) => return Flow::FullScreen,
                Face::Screen { .. } => self.say("This is the whole screen; \"lines\" leaves it."),
                Face::Plain => self.say("This terminal cannot show it."),
            },
            ("lines", _) => match self.face {
                Face::Screen { .. } => return Flow::Lines,
                _ => self.say("These are lines; \"tui\" plays on the whole screen."),
            },
            ("help", _) => {
                let help = words::help(self.columns());
                self.print(&(help + "\n"));
            }
            ("new", _) => self.new_game(),
            ("play", side) => self.play(side),
            ("switch", _) => self.switch(),
            ("go", _) => {
                self.kashan = Some(self.engine.game.side_to_move());
                self.answer();
            }
            ("now", _) => match self.activity {
                Activity::Idle => self.say("Kashan is not thinking; \"go\" makes it move for you."),
                _ => self.engine.stop(),
            },
            ("undo", count) => self.undo(count),
            ("hint", _) => self.hint(),
            ("moves", _) => self.list_moves(),
            ("resign", _) => self.resign(),
            ("draw", _) => self.offer_draw(),
            ("board", _) => self.show_board(),
            ("flip", _) => {
                self.flipped = !self.flipped;
                self.show_board();
            }
            ("pieces", text) => match text.parse() {
                Ok(pieces) => {
                    self.look.pieces = pieces;
                    self.show_board();
                }
                Err(_) => self.say("Type \"pieces unicode\" or \"pieces letters\"."),
            },
            ("fen", "") => {
                let fen = self.engine.position().to_fen();
                self.say(fen);
            }
            ("fen", fen) => self.set_up(fen),
            ("eval", _) => {
                let score = self.engine.static_evaluation();
                self.say(format!(
                    "{score} (pawns, positive is good for White; mates and exchanges are not looked at)"
                ));
            }
            ("threats", _) => self.show_threats(),
            ("analyze", _) => self.analyze(),
            ("review", path) => self.review(path),
            ("explain", path) => self.explain(path),
            ("book", _) => self.show_book(),
            ("pgn", _) => {
                let pgn = self.pgn().to_string();
                self.print(&pgn);
            }
            ("save", "") => self.say("Save to which file? For example: save game.pgn"),
            ("save", path) => match make_room(path).and_then(|()| self.save(path)) {
                Ok(()) => self.say(format!("The game is in {path}.")),
                Err(error) => self.say(format!("Cannot write {path}: {error}.")),
            },
            ("level", "") => {
                let level = level::describe(self.clocks.control());
                self.say(format!("The level is {level}."));
            }
            ("level", text) => self.set_level(text),
            ("depth", text) => self.set_depth(text),
            ("strength", text) => self.set_strength(text),
            ("backend", "") => {
                let backend = self.engine.settings().get("Backend").unwrap_or_default();
                self.say(format!("The backend is {backend}."));
            }
            ("backend", name) => self.set_option("Backend", name),
            ("options", _) => self.list_options(),
            ("set", text) => self.set(text),
            ("thinking", text) => match parse_check(text) {
                Some(show) => {
                    self.show_thinking = show;
                    self.say(if show { "Thinking is shown." } else { "Thinking is hidden." });
                }
                None => self.say("Type \"thinking on\" or \"thinking off\"."),
            },
            (other, _) => self.say(format!("\"{other}\" is not ready.")),
        }
        Flow::Continue
    }

    fn move_or_nonsense(&mut self, line: &str) {
        let reading = notation::read(self.engine.position(), line);
        match (&reading, self.activity) {
            (Err(MoveError::Unreadable(_)), _) => {
                let first = line.split_whitespace().next().unwrap_or(line);
                let near = words::nearest(first, WORDS.iter().map(|word| word.name));
                // "Nf9" was to be a move, "hlep" was not.
                let similar = match line.chars().any(|c| c.is_ascii_digit()) {
                    true => self.similar(line),
                    false => None,
                };
                let help = match (near, similar) {
                    (Some(near), _) => format!("Did you mean \"{near}\"?"),
                    (None, Some(similar)) => similar,
                    (None, None) => "Type help for a list.".to_owned(),
                };
                self.say(format!("\"{line}\" is neither a move nor a command. {help}"));
            }
            (_, Activity::Move) => self.say("Kashan is thinking; \"now\" makes it move."),
            _ => {
                self.cancel();
                self.user_move(reading, line);
            }
        }
    }

    fn new_game(&mut self) {
        self.engine.new_game();
        self.start_over();
    }

    /// Another position or game is on the board.
    fn start_over(&mut self) {
        self.cancel();
        if let Some(keeper) = &mut self.keeper {
            keeper.own = None;
        }
        self.clocks.new_game();
        self.scores.clear();
        self.judge = Default::default();
        self.notice_end();
        self.answer();
    }

    fn play(&mut self, side: &str) {
        let Some(kashan) = opposite(side) else {
            return self.say("Type \"play white\", \"play black\" or \"play both\".");
        };
        self.kashan = kashan;
        self.cancel();
        self.answer();
    }

    fn switch(&mut self) {
        self.cancel();
        self.kashan = Some(match self.kashan {
            Some(side) => !side,
            None => self.engine.game.side_to_move(),
        });
        self.answer();
    }

    fn undo(&mut self, count: &str) {
        // Back to the user's last own turn: two half-moves, or one while Kashan is thinking or at the end of
        // a game that the user ended.
        let usual = match self.kashan {
            Some(side) if side != self.engine.game.side_to_move() => 2,
            _ => 1,
        };
        let count = match count {
            "" => usual,
            text => match text.parse() {
                Ok(count) if count > 0 => count,
                _ => return self.say(format!("\"{text}\" is not a number of half-moves.")),
            },
        };
        let played = self.engine.game.moves().len();
        if count > played {
            return self.say(match played {
                0 => "There is nothing to take back.".to_owned(),
                1 => "Only one half-move was played; \"undo 1\" takes it back.".to_owned(),
                _ => format!("Only {played} half-moves were played."),
            });
        }
        self.cancel();
        for _ in 0..count {
            self.engine.game.undo();
            self.clocks.taken_back(self.engine.game.side_to_move());
        }
        self.judge = Default::default();
        self.scores.split_off(&(self.engine.game.moves().len() + 1));
        self.notice_end();
        self.keep();
        if self.kashan == Some(self.engine.game.side_to_move()) {
            self.show_board();
            self.say("It is Kashan's turn; \"go\" lets it move.");
        } else {
            self.answer();
        }
    }

    fn hint(&mut self) {
        if self.engine.position().legal_moves().is_empty() {
            return self.say("There is no legal move.");
        }
        match self.engine.book_move() {
            Some(mv) => {
                let san = self.engine.position().san(mv);
                self.say(format!("The book plays {san}."));
            }
            None => self.search_hint(),
        }
    }

    fn list_moves(&mut self) {
        let position = self.engine.position();
        let mut moves: Vec<(String, ChessMove)> =
            position.legal_moves().iter().map(|&mv| (position.san(mv), mv)).collect();
        moves.sort();
        if moves.is_empty() {
            return self.say("There is no legal move.");
        }
        let count = level::counted(moves.len().to_string(), "legal move");
        // The blank between a number and its move is none where a line may end.
        let list: Vec<String> =
            moves.iter().enumerate().map(|(index, (san, _))| format!("{}\u{a0}{san}", index + 1)).collect();
        let text = fill(&format!("{count}: {}", list.join("  ")), self.columns(), "", "    ");
        self.listed = Some((position.to_fen(), moves.into_iter().map(|(_, mv)| mv).collect()));
        self.print(&(text.replace('\u{a0}', " ") + "\n"));
    }

    /// A number of the list of moves, which has to be of this position.
    fn move_by_number(&mut self, typed: &str) {
        if self.activity == Activity::Move {
            return self.say("Kashan is thinking; \"now\" makes it move.");
        }
        let Some((_, moves)) =
            self.listed.as_ref().filter(|(fen, _)| *fen == self.engine.position().to_fen())
        else {
            return self
                .say(format!("\"{typed}\" is no move of a list: \"moves\" numbers what is legal here."));
        };
        let index = typed.parse::<usize>().unwrap_or(0).wrapping_sub(1);
        match moves.get(index).copied() {
            Some(mv) => {
                self.cancel();
                self.user_move(Ok(mv), typed);
            }
            None => self.say(format!("The list ends with {}.", moves.len())),
        }
    }

    fn resign(&mut self) {
        if self.says_that_it_is_over() {
            return;
        }
        let user = match self.kashan {
            Some(side) => !side,
            None => self.engine.game.side_to_move(),
        };
        let result = if user == Color::White { "0-1" } else { "1-0" };
        self.end(result, format!("{} resigns", name(user)));
    }

    fn offer_draw(&mut self) {
        if self.says_that_it_is_over() {
            return;
        }
        let options = &self.engine.settings().engine;
        if self.kashan.is_none_or(|side| self.judge.accepts_draw(side, options)) {
            self.end("1/2-1/2", "Draw agreed".to_owned());
        } else {
            self.say("Kashan plays on.");
        }
    }

    fn set_up(&mut self, fen: &str) {
        match Position::from_fen(fen) {
            Ok(position) => {
                self.cancel();
                self.engine.game = Game::new(position);
                // The user plays the side to move there; "go" gives it to Kashan.
                self.kashan = self.kashan.map(|_| !self.engine.game.side_to_move());
                self.start_over();
            }
            Err(error) => self.say(format!("{error}.")),
        }
    }

    fn analyze(&mut self) {
        if self.engine.position().legal_moves().is_empty() {
            return self.say("There is no legal move.");
        }
        self.say("Press Enter to stop.");
        let limits = Limits { infinite: true, lines: self.engine.lines(), ..Limits::default() };
        self.search(limits, Clock::unlimited(), Activity::Analysis);
    }

    fn show_book(&mut self) {
        let position = self.engine.position();
        let moves: Vec<String> = self
            .engine
            .book_moves()
            .iter()
            .map(|entry| format!("{} ({})", position.san(entry.mv), entry.weight))
            .collect();
        self.say(match moves.is_empty() {
            true => "The book has no move here.".to_owned(),
            false => format!("Book moves and their weights: {}", moves.join(", ")),
        });
    }

    fn set_level(&mut self, text: &str) {
        match level::parse(text) {
            Some(control) => {
                self.clocks.set_control(control);
                self.say(format!("The level is {}.", level::describe(control)));
            }
            None => self.say(format!(
                "\"{text}\" is no level. Examples: 2s (a move), 5 (minutes), 5+3 (and seconds a move), 40/5 (moves in minutes)."
            )),
        }
    }

    /// `strength ELO | max`. Without a value, shows it.
    fn set_strength(&mut self, text: &str) {
        let options = if text.is_empty() { Vec::new() } else { strength_options(text) };
        let mut set = options.iter().map(|(name, value)| self.engine.set_option(name, value));
        if let Some(error) = set.find_map(Result::err) {
            return self.say(format!("{error}. Type a rating, or \"strength max\"."));
        }
        drop(set);
        self.say(match self.engine.settings().limited_to() {
            Some(elo) => format!("Kashan plays at {elo} Elo."),
            None => "Kashan plays as well as it can; \"strength 1400\" lets it play at 1400 Elo.".to_owned(),
        });
    }

    fn set_depth(&mut self, text: &str) {
        self.depth_limit = match text.parse() {
            Ok(depth) if depth > 0 => Some(depth),
            _ if text == "off" => None,
            _ => return self.say("Type \"depth N\" with a number from 1, or \"depth off\"."),
        };
        self.say(match self.depth_limit {
            Some(depth) => {
                let depth = level::counted(depth.to_string(), "half-move");
                format!("Kashan thinks at most {depth} deep.")
            }
            None => "The depth is not limited.".to_owned(),
        });
    }

    fn list_options(&mut self) {
        let mut text = String::new();
        for spec in Settings::table() {
            let value = self.engine.settings().get(spec.name).unwrap_or_default();
            let about = fill(spec.about.trim(), self.columns(), "      ", "      ");
            let head = format!("{} = {value}  ({})", spec.name, range(&spec));
            let head = fill(&head, self.columns(), "  ", "      ");
            text.push_str(&format!("{head}\n{about}\n"));
        }
        self.print(&text);
    }

    /// `set NAME VALUE`, with or without an equals sign. Without a value, shows the option.
    fn set(&mut self, text: &str) {
        match text.split_once(|c: char| c == '=' || c.is_whitespace()) {
            Some((name, value)) => self.set_option(name.trim(), value.trim().trim_start_matches('=').trim()),
            None if !text.is_empty() => self.show_option(text),
            None => self.say("Type \"set NAME VALUE\"; \"options\" lists the names."),
        }
    }

    fn show_option(&mut self, name: &str) {
        let table = Settings::table();
        let Some(spec) = table.iter().find(|spec| spec.name.eq_ignore_ascii_case(name)) else {
            let near = words::nearest(name, table.iter().map(|spec| spec.name));
            let help = near.map_or_else(
                || "\"options\" lists the names.".to_owned(),
                |near| format!("Did you mean {near}?"),
            );
            return self.say(format!("No option is called \"{name}\". {help}"));
        };
        let shown = |value: String| if value.is_empty() { "empty".to_owned() } else { value };
        let value = shown(self.engine.settings().get(spec.name).unwrap_or_default());
        let default = shown(spec.default_text());
        self.say(format!("{} is {value} ({}; {default} by default).", spec.name, range(spec)));
        self.say(spec.about.trim());
    }

    fn set_option(&mut self, name: &str, value: &str) {
        match self.engine.set_option(name, value) {
            Ok(()) => {
                let value = self.engine.settings().get(name).unwrap_or_default();
                self.say(format!("{name} is {value}."));
                if name.eq_ignore_ascii_case("SyzygyPath")
                    && let Some(tables) = self.engine.tables()
                {
                    self.say(format!("It has {tables}."));
                }
            }
            Err(error) => {
                let table = Settings::table();
                let near = words::nearest(name, table.iter().map(|spec| spec.name));
                let known = table.iter().any(|spec| spec.name.eq_ignore_ascii_case(name));
                self.say(match near {
                    Some(near) if !known => format!("{error}. Did you mean {near}?"),
                    _ => format!("{error}."),
                });
            }
        }
    }
}

/// What an option can be set to.
fn range(spec: &OptionSpec) -> String {
    match &spec.kind {
        OptionKind::Check { .. } => "0 or 1".to_owned(),
        OptionKind::Spin { min, max, .. } => format!("{min} to {max}"),
        OptionKind::Combo { choices, .. } => choices.join(", "),
        OptionKind::Text { .. } => "text".to_owned(),
        OptionKind::File { .. } => "a file".to_owned(),
        OptionKind::Path { .. } => "a folder".to_owned(),
    }
}
