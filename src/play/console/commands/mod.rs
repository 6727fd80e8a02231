//! The commands of the console: one table of commands, the handling of a line, and the completions
//! for Tab.

mod game;
mod settings;

use strum::VariantNames as _;

use self::settings::spec;
use super::{Activity, Console, name, notation};
use crate::engine::front::Flow;
use crate::engine::{Backend, Settings};
use crate::rules::position::{MoveError, Position};
use crate::util::display::{fill, nearest};
use crate::util::options::OptionKind;

/// A command of the console.
pub struct Command {
    pub name: &'static str,
    /// Other common names of the command.
    aliases: &'static [&'static str],
    arguments: &'static str,
    when: When,
    about: &'static str,
    run: fn(&mut Console, &str),
}

impl Command {
    /// Returns the possible words of its argument. Names of arguments are written in capitals,
    /// words in small letters.
    fn words(&self) -> Vec<&'static str> {
        let words = self.arguments.split([' ', '|', '[', ']']);
        let is_word = |word: &&str| word.starts_with(|c: char| c.is_ascii_lowercase());
        words.filter(is_word).collect()
    }

    /// Returns the name with the arguments.
    fn usage(&self) -> String {
        format!("{} {}", self.name, self.arguments)
            .trim_end()
            .to_owned()
    }
}

/// The times at which a command is obeyed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    /// Any time, even during Kashan's choice of a move: the command leaves the search alone, or
    /// ends the search after a check of its own arguments.
    Always,
    /// Ends a hint or an analysis, but no search for a move.
    Idle,
}

/// Makes a row: name and aliases, arguments, when, meaning, and the method, with or without the
/// text behind the name.
macro_rules! commands {
    ($($name:literal $(or $alias:literal)*, $arguments:literal, $when:ident, $about:literal
        => $method:ident $given:tt;)*) => {
        &[$(Command {
            name: $name,
            aliases: &[$($alias),*],
            arguments: $arguments,
            when: When::$when,
            about: $about,
            run: commands!(@run $method $given),
        }),*]
    };
    (@run $method:ident ()) => { |console, _| console.$method() };
    (@run $method:ident (text)) => { |console, text| console.$method(text) };
}

/// The commands, in the order of `help`.
const COMMANDS: &[Command] = commands![
    "new", "", Always, "start another game" => new_game();
    "resume", "", Idle, "go on with the last game that was played at a terminal" => resume();
    "play" or "side" or "color" or "colour", "white | black | both", Always,
        "choose your side; \"both\" leaves all moves to you" => play(text);
    "switch", "", Always, "change sides with Kashan" => switch();
    "go", "", Idle, "let Kashan move now, and play that side from here on" => go();
    "now" or "stop", "", Always, "make Kashan stop thinking and move, as Control-C does at a terminal" => move_now();
    "undo" or "remove" or "takeback" or "u", "[N]", Always,
        "take back your last move and the answer to it, or N half-moves" => undo(text);
    "hint", "", Idle, "ask Kashan what it would play for you" => hint();
    "moves", "", Idle, "list the legal moves" => list_moves();
    "resign", "", Idle, "give up" => resign();
    "draw", "", Idle, "offer a draw" => offer_draw();
    "board" or "d" or "show" or "print", "", Always, "show the board" => show_board();
    "flip", "", Always, "turn the board round" => flip();
    "pieces", "unicode | letters", Always, "choose how pieces are shown" => choose_pieces(text);
    "fen" or "setboard" or "position", "[FEN]", Always,
        "show the position as FEN, or set it up from one" => fen(text);
    "eval" or "evaluate" or "evaluation", "", Idle,
        "show the static evaluation of the position" => evaluate();
    "analyze" or "analyse", "", Idle, "think about the position until you press Control-C" => analyze();
    "explain", "", Idle, "show what the genetic search sees here" => explain();
    "review", "[FILE.pgn]", Idle,
        "look back at your moves: what they lost, and what was better" => review(text);
    "book" or "bk", "", Idle, "show the opening book's moves" => show_book();
    "pgn", "", Idle, "show the game as PGN" => show_pgn();
    "save", "FILE", Idle, "write the game to a PGN file; one that exists gets it appended" => save(text);
    "level" or "time" or "st", "2s | 5 | 5+3 | 40/5", Idle,
        "2 seconds a move; 5 minutes; 5 minutes and 3 seconds a move; 40 moves in 5 minutes" => level(text);
    "strength" or "elo", "[ELO | max]", Idle,
        "show or choose how well Kashan plays: from 800, or as well as it can" => strength(text);
    "depth" or "sd", "N | off", Idle, "think at most N half-moves deep" => depth(text);
    "backend", "[NAME]", Idle,
        "show or choose the search: genetic, alphabeta, minimax, action" => backend(text);
    "options", "[GROUP]", Idle, "list all options by groups, or those of a group with their values"
        => list_options(text);
    "set" or "option", "NAME [VALUE]", Idle,
        "set an option, or show its value and its range" => set(text);
    "thinking" or "post", "on | off", Always, "show or hide what Kashan is thinking" => thinking(text);
    "xboard", "", Always, "speak the xboard protocol" => speak_xboard();
    "uci", "", Always, "speak the Universal Chess Interface" => speak_uci();
    "help" or "?" or "h", "", Always, "this list" => show_help();
    "quit" or "exit" or "q" or "bye", "", Always, "leave" => quit();
];

/// Strips a shell's quotation marks from a file name or a value.
pub fn unquoted(text: &str) -> &str {
    let opened = text.strip_prefix('"').unwrap_or_default();
    opened.strip_suffix('"').unwrap_or(text).trim()
}

/// Returns the command named by `typed`, in any case.
pub fn find(typed: &str) -> Option<&'static Command> {
    let typed = typed.to_ascii_lowercase();
    let is_called =
        |command: &&Command| command.name == typed || command.aliases.contains(&typed.as_str());
    COMMANDS.iter().find(is_called)
}

impl Console {
    /// Carries out a line.
    pub(super) fn typed(&mut self, line: &str) -> Flow {
        if self.activity == Activity::Analysis {
            // Any line ends an analysis; an empty one does nothing else.
            self.cancel();
        }
        let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match find(first) {
            _ if first.is_empty() => {}
            Some(command) if command.arguments.is_empty() && !rest.is_empty() => self.say(format!(
                "\"{}\" stands alone: \"{rest}\" is too much.",
                command.name
            )),
            // "b4" is a move and "d" is a command: commands first, for no command looks like a
            // move.
            None => self.move_or_nonsense(line),
            Some(command) if command.when == When::Always => (command.run)(self, rest),
            Some(_) if self.says_that_it_thinks() => {}
            Some(command) => {
                self.cancel();
                (command.run)(self, rest);
            }
        }
        std::mem::replace(&mut self.flow, Flow::Continue)
    }

    /// Says so if Kashan is choosing a move.
    fn says_that_it_thinks(&mut self) -> bool {
        let thinks = self.activity == Activity::Move;
        if thinks {
            self.say("Kashan is thinking; \"now\" or Control-C makes it move.");
        }
        thinks
    }

    fn move_or_nonsense(&mut self, line: &str) {
        if notation::is_castling(line) {
            return self.castle(line);
        }
        let reading = notation::read(self.engine.position(), line);
        if let Err(MoveError::Unreadable(_)) = reading {
            let first = line.split_whitespace().next().unwrap_or(line);
            let help = match nearest(first, COMMANDS.iter().map(|command| command.name)) {
                Some(near) => Some(format!("Did you mean \"{near}\"?")),
                // "Nf9" was to be a move, "hlep" was not.
                None if line.contains(|c: char| c.is_ascii_digit()) => self.similar(line),
                None => None,
            };
            let help = help.as_deref().unwrap_or("Type help for a list.");
            self.say(format!(
                "\"{line}\" is neither a move nor a command. {help}"
            ));
        } else if !self.says_that_it_thinks() {
            self.cancel();
            self.user_move(reading, line);
        }
    }

    /// Castles where only one side is legal; otherwise asks for the side.
    fn castle(&mut self, line: &str) {
        if self.says_that_it_thinks() {
            return;
        }
        let castlings = notation::castlings(self.engine.position());
        match castlings[..] {
            [] => {
                let side = name(self.engine.game.side_to_move());
                self.say(format!("{side} cannot castle now."));
            }
            [only] => {
                self.cancel();
                self.user_move(Ok(only), line);
            }
            _ => self.say("To which side? Type \"castle kingside\" or \"castle queenside\"."),
        }
    }

    fn show_help(&mut self) {
        self.print(&(help(self.columns()) + "\n"));
    }

    fn speak_xboard(&mut self) {
        self.flow = Flow::Xboard;
    }

    fn speak_uci(&mut self) {
        self.flow = Flow::Uci;
    }

    fn quit(&mut self) {
        self.say_what_is_kept();
        self.flow = Flow::Quit;
    }
}

/// Returns the byte index of the last word of a line.
pub fn last_word(line: &str) -> usize {
    line.rfind(is_between_words).map_or(0, |blank| blank + 1)
}

fn is_between_words(letter: char) -> bool {
    letter.is_whitespace() || letter == '='
}

/// Returns all sensible words with the same beginning as the last word of the line.
pub fn candidates(position: &Position, line: &str) -> Vec<String> {
    let (before, begun) = line.split_at(last_word(line));
    let before = before.replace(is_between_words, " ");
    let mut before = before.split_whitespace();
    let Some(first) = before.next() else {
        return first_words(position, begun);
    };
    let Some(command) = find(first) else {
        return Vec::new();
    };
    let all = match (command.name, before.next(), before.next()) {
        ("set", None, _) => Settings::table().iter().map(|spec| spec.name).collect(),
        ("set", Some(option), None) => values(option),
        ("backend", None, _) => Backend::VARIANTS.to_vec(),
        ("options", None, _) => {
            let groups = Settings::table_by_groups().into_iter();
            groups.map(|(name, _)| name).collect()
        }
        (_, None, _) => command.words(),
        _ => vec![],
    };
    let mut words = Vec::new();
    for word in all {
        if let Some(start) = word.get(..begun.len())
            && start.eq_ignore_ascii_case(begun)
        {
            words.push(word.to_owned());
        }
    }
    words
}

/// Moves as they are written, commands, and moves by their squares once one is named.
fn first_words(position: &Position, begun: &str) -> Vec<String> {
    let moves = position.legal_moves();
    let mut words: Vec<String> = moves.iter().map(|&mv| position.san(mv)).collect();
    if !begun.is_empty() {
        words.extend(COMMANDS.iter().map(|command| command.name.to_owned()));
    }
    if begun.len() >= 2 {
        words.extend(moves.iter().map(ToString::to_string));
    }
    words.retain(|word| word.starts_with(begun));
    words.sort();
    words.dedup();
    words
}

/// Returns the values of an option with a few words for values.
pub fn values(option: &str) -> Vec<&'static str> {
    match spec(option).map(|spec| spec.kind) {
        Some(OptionKind::Combo { choices, .. }) => choices.to_vec(),
        Some(OptionKind::Check { .. }) => vec!["0", "1"],
        _ => vec![],
    }
}

/// The least number of columns for meanings beside their commands; otherwise they stand below.
const ROOM_FOR_TWO_COLUMNS: usize = 70;

/// The list of commands, wrapped to so many columns if they are known.
pub fn help(columns: Option<usize>) -> String {
    let usages = COMMANDS.iter().map(Command::usage);
    let names = usages.map(|usage| usage.len()).max().unwrap_or(0);
    let is_narrow = columns.is_some_and(|columns| columns < ROOM_FOR_TWO_COLUMNS);
    let intro = "Type a move: e4, Nf3, O-O, exd8=Q, or e2e4, e7e8q. Or a command:";
    let mut text = fill(intro, columns, "", "") + "\n\n";
    for command in COMMANDS {
        let usage = command.usage();
        let (start, indent) = if is_narrow {
            (fill(&usage, columns, "  ", "    ") + "\n      ", 6)
        } else {
            (format!("  {usage:names$}  "), names + 4)
        };
        let indent = " ".repeat(indent);
        let mut about = command.about.to_owned();
        if !command.aliases.is_empty() {
            about += &format!(" (or {})", command.aliases.join(", "));
        }
        let about = fill(&about, columns, &indent, &indent);
        text += &format!("{start}{}\n", about.trim_start());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_means_one_command() {
        let words = COMMANDS
            .iter()
            .flat_map(|command| command.aliases.iter().chain([&command.name]));
        for word in words {
            let is_it =
                |command: &&Command| command.name == *word || command.aliases.contains(word);
            assert_eq!(COMMANDS.iter().filter(is_it).count(), 1, "{word}");
        }
        assert_eq!(find("NEW").map(|command| command.name), Some("new"));
        assert!(find("nothing").is_none());
    }

    #[test]
    fn help_says_the_same_at_every_width() {
        let words = |columns| {
            help(columns)
                .split_whitespace()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        for columns in [40, 49, 79, 139] {
            assert_eq!(words(Some(columns)), words(None), "no word is torn or lost");
        }
        let help = help(None);
        assert!(help.contains("\n  undo [N]  ") && help.contains("board (or d, show, print)"));
    }
}
