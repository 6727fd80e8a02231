//! Conversations, written down as they are held: what the test says, what is answered, and what is
//! so in between.
//!
//! ```text
//! # A comment.
//! > force; usermove $reply    The test says these lines. `$reply` stands for what was heard before.
//! < offer draw; move *        The next lines that come are like these. `*` stands for any text.
//! < Hint: $reply              The same; from here on `$reply` stands for the word that came in its place.
//! << move *                   The same, and then all is done and nothing else was said. Alone: nothing was.
//! .. pong 7                   A line like this comes, whatever comes before it.
//! > ping 7 << pong 7          Both in one line: what is said, and what is answered, with any of these signs;
//!                             what is said has none of them between blanks.
//! skip info *                 From here on lines like this may come at any time.
//! quiet 150                   Nothing is said for so many milliseconds.
//! never resigns               Up to here no line had this in it.
//! answers to e7e5 d7d5        To each of these moves comes one move, and nothing else.
//! ends                        The conversation is over, in peace.
//! position is * b *           A fact: here the board, as FEN. What facts there are, the speaker knows.
//! thought is 1 to 1.5         A fact that is a number from one to another.
//! searcher waits              Any other line is an order that the speaker knows.
//! ```
//!
//! Every line that comes has to be expected, in its order, or to be one that may be skipped. What
//! was said and not waited for when a script ends is an error too. `dialogue!` makes a test of a
//! script, or of a script with several meanings of its words.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// A test that holds a script with whoever the function gives; with words and `for`, one time for
/// each meaning of the words.
#[allow(unused_macros)]
macro_rules! dialogue {
    ($speaker:ident: $name:ident $script:literal) => {
        #[test]
        fn $name() {
            $speaker().holds($script);
        }
    };
    ($speaker:ident: $name:ident($($word:ident),+) $script:literal for [$($meaning:expr),+ $(,)?]) => {
        #[test]
        #[allow(unused_parens)]
        fn $name() {
            for ($($word),+) in [$($meaning),+] {
                let mut speaker = $speaker();
                $(speaker.call(stringify!($word), $word);)+
                speaker.holds($script);
            }
        }
    };
}

/// Much longer than anything takes on a busy machine; only a failing test waits for it.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// The language of a program: how one learns in it that everything is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    Xboard,
    Uci,
    /// Text for people: a line is found by a part of it, and a command makes what was printed
    /// before old.
    Console,
}

impl Dialect {
    /// A question, and its answer when everything before it is done.
    fn rest(self, number: usize) -> (String, String) {
        match self {
            Dialect::Xboard => (format!("ping {number}"), format!("pong {number}")),
            Dialect::Uci => ("isready".to_owned(), "readyok".to_owned()),
            Dialect::Console => panic!("nobody can ask the console whether it is done"),
        }
    }

    fn introduction(self) -> &'static str {
        match self {
            Dialect::Xboard => {
                "> xboard; protover 2 .. feature done=1
                 > accepted done; option OwnBook=0; new <<"
            }
            Dialect::Uci => {
                "> uci .. uciok
                 > setoption name OwnBook value false; ucinewgame <<
                 skip info depth *"
            }
            Dialect::Console => "> set OwnBook 0",
        }
    }
}

/// The first position of a game.
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Facts kept from script to script of a conversation.
#[derive(Default)]
pub struct Notes {
    words: BTreeMap<String, String>,
    skipped: Vec<String>,
    /// Everything that was said, by both sides.
    log: String,
    rests: usize,
}

/// Somebody who can be talked to.
pub trait Speaker {
    fn dialect(&self) -> Dialect;

    fn notes(&mut self) -> &mut Notes;

    fn say(&mut self, line: &str);

    /// The next line, if one comes in time.
    fn hear(&mut self, patience: Duration) -> Option<String>;

    /// Returns true if the conversation ends, after a while.
    fn has_ended(&mut self) -> bool;

    fn fact(&mut self, _name: &str) -> Option<String> {
        None
    }

    /// Obeys an order, if it is one.
    fn obey(&mut self, _order: &[&str]) -> bool {
        false
    }

    /// After the first words of its language, the book off, everything quiet. `$start` is where a
    /// game starts; in UCI thoughts may come at any time.
    fn introduced(mut self) -> Self
    where
        Self: Sized,
    {
        let introduction = self.dialect().introduction();
        self.call("start", START).holds(introduction);
        // It is long, and nobody wants to read it when a test fails.
        self.notes().log.clear();
        self
    }

    /// Gives a word its meaning in the scripts that follow.
    fn call(&mut self, name: &str, meaning: &str) -> &mut Self {
        self.notes()
            .words
            .insert(name.to_owned(), meaning.to_owned());
        self
    }

    /// Holds the conversation that the script describes. Nothing more may have come at its end.
    #[track_caller]
    fn holds(&mut self, script: &str) -> &mut Self {
        for (at, line) in script.lines().chain(["quiet 0"]).map(str::trim).enumerate() {
            if let Err(problem) = step(self, line) {
                let log = &self.notes().log;
                let cut = log.char_indices().rev().nth(4000).map_or(0, |(at, _)| at);
                let place = match script.lines().nth(at) {
                    Some(_) => format!("line {} of the script, `{line}`", at + 1),
                    None => "the end of the script".to_owned(),
                };
                panic!("{place}: {problem}\nWhat was said:\n{}", &log[cut..]);
            }
        }
        self
    }

    /// The lines until all requests are done.
    fn rests(&mut self) -> Vec<String> {
        self.notes().rests += 1;
        let (question, answer) = self.dialect().rest(self.notes().rests + 1000);
        self.say(&question);
        let mut lines = self.hears(&answer);
        lines.pop();
        lines
    }

    /// The lines up to the first that is like the pattern, with it.
    #[track_caller]
    fn hears(&mut self, pattern: &str) -> Vec<String> {
        let deadline = Instant::now() + PATIENCE;
        let mut lines: Vec<String> = Vec::new();
        while !lines.last().is_some_and(|line| fits(pattern, line)) {
            match self.hear(deadline.saturating_duration_since(Instant::now())) {
                Some(line) => lines.push(line),
                None => panic!("`{pattern}` did not come; there was {lines:#?}"),
            }
        }
        lines
    }
}

fn step<S: Speaker + ?Sized>(speaker: &mut S, line: &str) -> Result<(), String> {
    let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
    match (verb, rest) {
        ("" | "#", _) => Ok(()),
        (">", _) => {
            if speaker.dialect() == Dialect::Console {
                while speaker.hear(Duration::ZERO).is_some() {}
            }
            let (said, answer) = said_and_answer(rest);
            let said = with_words(said, &speaker.notes().words);
            said.split("; ").for_each(|line| say(speaker, line));
            step(speaker, answer)
        }
        ("<", _) => parts(rest).try_for_each(|pattern| expect(speaker, pattern, false)),
        ("..", _) => expect(speaker, rest, true),
        ("skip", _) => {
            speaker.notes().skipped.push(rest.to_owned());
            Ok(())
        }
        ("<<", _) => {
            parts(rest).try_for_each(|pattern| expect(speaker, pattern, false))?;
            speaker.notes().rests += 1;
            let (question, answer) = speaker.dialect().rest(speaker.notes().rests + 1000);
            say(speaker, &question);
            expect(speaker, &answer, false)
        }
        ("quiet", milliseconds) => {
            let time = milliseconds
                .parse()
                .map_err(|_| "quiet for how many milliseconds?")?;
            nothing_comes(speaker, Duration::from_millis(time))
        }
        ("never", part) => {
            while hear(speaker, Duration::ZERO).is_some() {}
            let is_there = speaker.notes().log.contains(part);
            (!is_there).then_some(()).ok_or("it was said".to_owned())
        }
        ("ends", "") => speaker
            .has_ended()
            .then_some(())
            .ok_or("it goes on".to_owned()),
        ("answers", moves) => moves.split(' ').skip(1).try_for_each(|mv| {
            say(speaker, &format!("usermove {mv}"));
            expect(speaker, "move *", false)
        }),
        _ => {
            let line = with_words(line, &speaker.notes().words);
            line.split("; ")
                .try_for_each(|part| fact_or_order(speaker, part))
        }
    }
}

/// The line to say, and the line of the script behind it.
fn said_and_answer(rest: &str) -> (&str, &str) {
    let padded = format!("{rest} ");
    let at = [" < ", " << ", " .. "]
        .into_iter()
        .filter_map(|sign| padded.find(sign))
        .min();
    let (said, answer) = rest.split_at(at.unwrap_or(rest.len()));
    (said, answer.trim_start())
}

fn fact_or_order<S: Speaker + ?Sized>(speaker: &mut S, line: &str) -> Result<(), String> {
    if let Some((name, wanted)) = line.split_once(" is ") {
        let fact = speaker
            .fact(name)
            .ok_or(format!("no fact is called {name}"))?;
        return is_so(&fact, wanted)
            .then_some(())
            .ok_or(format!("{name} is {fact}"));
    }
    let is_done = speaker.obey(&line.split(' ').collect::<Vec<_>>());
    is_done
        .then_some(())
        .ok_or("nobody knows what this means".to_owned())
}

fn parts(patterns: &str) -> impl Iterator<Item = &str> {
    patterns.split("; ").filter(|pattern| !pattern.is_empty())
}

fn say<S: Speaker + ?Sized>(speaker: &mut S, line: &str) {
    let _ = writeln!(speaker.notes().log, "  > {line}");
    speaker.say(line);
}

fn hear<S: Speaker + ?Sized>(speaker: &mut S, patience: Duration) -> Option<String> {
    let line = speaker.hear(patience)?;
    let _ = writeln!(speaker.notes().log, "  < {line}");
    Some(line)
}

/// Waits for a line like the pattern, after `anything` or only after what may be skipped.
fn expect<S: Speaker + ?Sized>(
    speaker: &mut S,
    pattern: &str,
    anything: bool,
) -> Result<(), String> {
    let is_part = speaker.dialect() == Dialect::Console;
    let pattern = if is_part {
        format!("*{pattern}*")
    } else {
        pattern.to_owned()
    };
    let deadline = Instant::now() + PATIENCE;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let line = hear(speaker, left).ok_or("nothing came in time")?;
        let notes = speaker.notes();
        let mut words = notes.words.clone();
        if matches(&pattern, &line, &mut words) {
            notes.words = words;
            return Ok(());
        }
        if !(anything || is_part || is_skipped(notes, &line)) {
            return Err(format!("this came instead: {line}"));
        }
    }
}

/// Nothing is said for a while but what may be skipped.
fn nothing_comes<S: Speaker + ?Sized>(speaker: &mut S, time: Duration) -> Result<(), String> {
    let deadline = Instant::now() + time;
    while let Some(line) = hear(speaker, deadline.saturating_duration_since(Instant::now())) {
        if !(speaker.dialect() == Dialect::Console || is_skipped(speaker.notes(), &line)) {
            return Err(format!("this was said: {line}"));
        }
    }
    Ok(())
}

fn is_skipped(notes: &Notes, line: &str) -> bool {
    notes.skipped.iter().any(|pattern| fits(pattern, line))
}

/// A value like a pattern, or a number from one to another.
fn is_so(fact: &str, wanted: &str) -> bool {
    let range = wanted
        .split_once(" to ")
        .and_then(|(low, high)| Some(low.parse().ok()?..=high.parse().ok()?));
    match (range, fact.parse::<f64>()) {
        (Some(range), Ok(number)) => range.contains(&number),
        _ => fits(wanted, fact),
    }
}

/// The line with the meaning of each word that has one.
fn with_words(line: &str, words: &BTreeMap<String, String>) -> String {
    // The longest names first: $move is in $moves.
    words
        .iter()
        .rev()
        .fold(line.to_owned(), |line, (name, meaning)| {
            line.replace(&format!("${name}"), meaning)
        })
}

/// Returns true if a whole line fits a pattern, in which `*` stands for any text.
pub fn fits(pattern: &str, line: &str) -> bool {
    matches(pattern, line, &mut BTreeMap::new())
}

/// The same, with words: a known one stands for its meaning, a new one learns it.
fn matches(pattern: &str, line: &str, words: &mut BTreeMap<String, String>) -> bool {
    let pattern = with_words(pattern, words);
    let Some(at) = pattern.find(['*', '$']) else {
        return pattern == line;
    };
    let (Some(line), rest) = (line.strip_prefix(&pattern[..at]), &pattern[at + 1..]) else {
        return false;
    };
    if pattern[at..].starts_with('*') {
        let mut ends = line.char_indices().map(|(end, _)| end).chain([line.len()]);
        return ends.any(|end| matches(rest, &line[end..], words));
    }
    let (name, rest) = rest.split_at(
        rest.find(|c: char| !c.is_ascii_lowercase())
            .unwrap_or(rest.len()),
    );
    let (word, line) = line.split_at(line.find(' ').unwrap_or(line.len()));
    words.insert(name.to_owned(), word.to_owned());
    !word.is_empty() && matches(rest, line, words)
}

#[test]
fn patterns_find_what_is_like_them_and_scripts_are_understood() {
    let known = |pattern, line| {
        let mut words = BTreeMap::from([("known".to_owned(), "e2e4".to_owned())]);
        matches(pattern, line, &mut words).then(|| words.remove("new"))
    };
    assert_eq!(known("move *", "move e2e4"), Some(None));
    assert_eq!(known("move *", "moves"), None);
    assert_eq!(known("move $known", "move e2e4"), Some(None));
    assert_eq!(known("move $known", "move d2d4"), None);
    assert_eq!(
        known("bestmove $new*", "bestmove d2d4 ponder e7e5"),
        Some(Some("d2d4".to_owned()))
    );
    assert_eq!(
        known("* ponder $new", "bestmove d2d4 ponder e7e5"),
        Some(Some("e7e5".to_owned()))
    );
    assert_eq!(known("bestmove $new", "bestmove d2d4 ponder e7e5"), None);
    let lines = ["ping 7 << pong 7", "new <<", "hint .. H*", "value <empty>"].map(said_and_answer);
    assert_eq!(
        lines,
        [
            ("ping 7", "<< pong 7"),
            ("new", "<<"),
            ("hint", ".. H*"),
            ("value <empty>", "")
        ]
    );
    assert!(is_so("0.7", "0.5 to 1") && !is_so("1.1", "0.5 to 1") && is_so("a to b", "a to b"));
}
