//! What can be typed at the console, and help for what was meant.

/// A command with its arguments and its meaning.
pub struct Word {
    pub name: &'static str,
    pub arguments: &'static str,
    pub about: &'static str,
}

const fn word(name: &'static str, arguments: &'static str, about: &'static str) -> Word {
    Word { name, arguments, about }
}

/// Everything that `help` lists, in its order.
pub const WORDS: &[Word] = &[
    word("new", "", "start another game"),
    word("resume", "", "go on with the last game that was played at a terminal"),
    word("play", "white | black | both", "choose your side; \"both\" leaves all moves to you"),
    word("switch", "", "change sides with Kashan"),
    word("go", "", "let Kashan move now, and play that side from here on"),
    word("now", "", "make Kashan stop thinking and move"),
    word("undo", "[N]", "take back your last move and the answer to it, or N half-moves"),
    word("hint", "", "ask Kashan what it would play for you"),
    word("moves", "", "list the legal moves with numbers; typing a number plays that move"),
    word("resign", "", "give up"),
    word("draw", "", "offer a draw"),
    word("board", "", "show the board"),
    word("flip", "", "turn the board round"),
    word("pieces", "unicode | letters", "choose how pieces are shown"),
    word("fen", "[FEN]", "show the position as FEN, or set it up from one"),
    word("eval", "", "show the static evaluation of the position"),
    word("threats", "", "mark the men that are attacked and defended, and say by whom"),
    word("analyze", "", "think about the position until you press Enter"),
    word(
        "explain",
        "[FILE.html | FILE.dot]",
        "show what the genetic search sees here, as text, as a web page, or for Graphviz",
    ),
    word("review", "[FILE.pgn]", "look back at your moves: what they lost, and what was better"),
    word("book", "", "show the opening book's moves"),
    word("pgn", "", "show the game as PGN"),
    word("save", "FILE", "write the game to a PGN file; one that exists gets it appended"),
    word(
        "level",
        "2s | 5 | 5+3 | 40/5",
        "2 seconds a move; 5 minutes; 5 minutes and 3 seconds a move; 40 moves in 5 minutes",
    ),
    word("strength", "[ELO | max]", "show or choose how well Kashan plays: from 800, or as well as it can"),
    word("depth", "N | off", "think at most N half-moves deep"),
    word("backend", "[NAME]", "show or choose the search: genetic, alphabeta, minimax, action"),
    word("options", "", "list all options with their values"),
    word("set", "NAME [VALUE]", "set an option, or show its value and its range"),
    word("thinking", "on | off", "show or hide what Kashan is thinking"),
    word("tui", "", "play on the whole screen, with the mouse and the search at work"),
    word("lines", "", "leave the whole screen"),
    word("xboard", "", "speak the xboard protocol"),
    word("uci", "", "speak the Universal Chess Interface"),
    word("help", "", "this list"),
    word("quit", "", "leave"),
];

/// What else people type.
const ALIASES: &[(&str, &str)] = &[
    ("exit", "quit"),
    ("q", "quit"),
    ("bye", "quit"),
    ("?", "help"),
    ("h", "help"),
    ("side", "play"),
    ("color", "play"),
    ("colour", "play"),
    ("d", "board"),
    ("show", "board"),
    ("print", "board"),
    ("setboard", "fen"),
    ("position", "fen"),
    ("remove", "undo"),
    ("takeback", "undo"),
    ("u", "undo"),
    ("time", "level"),
    ("st", "level"),
    ("sd", "depth"),
    ("elo", "strength"),
    ("option", "set"),
    ("evaluate", "eval"),
    ("evaluation", "eval"),
    ("threat", "threats"),
    ("attacks", "threats"),
    ("analyse", "analyze"),
    ("bk", "book"),
    ("stop", "now"),
    ("post", "thinking"),
    ("screen", "tui"),
    ("fullscreen", "tui"),
];

/// The command that `typed` names, in any case.
pub fn find(typed: &str) -> Option<&'static str> {
    let typed = typed.to_ascii_lowercase();
    let name = ALIASES.iter().find(|(alias, _)| *alias == typed).map_or(typed.as_str(), |(_, name)| name);
    WORDS.iter().map(|word| word.name).find(|&known| known == name)
}

/// The known word that is nearest to `typed`, if it is near enough for a slip of the finger.
pub fn nearest<'a>(typed: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let typed = typed.to_ascii_lowercase();
    let distance = |word: &str| strsim::osa_distance(&typed, &word.to_ascii_lowercase());
    known
        .map(|word| (distance(word), word))
        .min()
        .filter(|&(distance, word)| distance <= 1 + word.len() / 5 && distance < word.len())
        .map(|(_, word)| word)
}

/// In fewer columns a meaning stands below its command.
const ROOM_FOR_TWO_COLUMNS: usize = 70;

/// The list of commands, wrapped to so many columns if they are known.
pub fn help(columns: Option<usize>) -> String {
    let names = WORDS.iter().map(|word| usage(word).len()).max().unwrap_or(0);
    let intro = "Type a move: e4, Nf3, O-O, exd8=Q, or e2e4, e7e8q. Or a command:";
    let mut text = fill(intro, columns, "", "") + "\n\n";
    for word in WORDS {
        let below = " ".repeat(if columns.is_some_and(|columns| columns < ROOM_FOR_TWO_COLUMNS) {
            text.push_str(&(fill(&usage(word), columns, "  ", "    ") + "\n"));
            6
        } else {
            names + 4
        });
        let start = match below.len() {
            6 => below.clone(),
            _ => format!("  {:names$}  ", usage(word)),
        };
        text.push_str(&(fill(word.about, columns, &start, &below) + "\n"));
    }
    text
}

/// Wraps a text between words if the width is known, its first line and the others indented each in its own
/// way.
pub fn fill(text: &str, columns: Option<usize>, first: &str, others: &str) -> String {
    let Some(columns) = columns else {
        return format!("{first}{text}");
    };
    // Names of files and moves are no words that a hyphen divides.
    let options = textwrap::Options::new(columns).word_splitter(textwrap::WordSplitter::NoHyphenation);
    textwrap::fill(text, options.initial_indent(first).subsequent_indent(others))
}

/// A command with its arguments.
pub fn usage(word: &Word) -> String {
    format!("{} {}", word.name, word.arguments).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_alias_leads_to_a_command() {
        for (alias, name) in ALIASES {
            assert_eq!(find(alias), Some(*name));
            assert!(WORDS.iter().all(|word| word.name != *alias), "{alias} is a command itself");
        }
        assert_eq!(find("NEW"), Some("new"));
        assert_eq!(find("nothing"), None);
    }

    #[test]
    fn help_fits_into_the_terminal() {
        for columns in [40, 49, 79, 139] {
            let text = help(Some(columns));
            let longest = text.lines().map(str::len).max().unwrap_or(0);
            assert!(longest <= columns, "{longest} in {columns}");
            let words: Vec<&str> = text.split_whitespace().collect();
            assert_eq!(words, help(None).split_whitespace().collect::<Vec<_>>(), "no word is torn or lost");
        }
        assert!(help(None).contains("\n  undo [N]  "));
    }

    #[test]
    fn slips_of_the_finger_are_understood() {
        let names = || WORDS.iter().map(|word| word.name);
        assert_eq!(nearest("unod", names()), Some("undo"));
        assert_eq!(nearest("optoins", names()), Some("options"));
        assert_eq!(nearest("bacend", names()), Some("backend"));
        assert_eq!(nearest("xyzzy", names()), None);
    }
}
