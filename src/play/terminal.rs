//! Standard input, and the user's terminal: its abilities, and its lines.

use std::io::{self, BufRead, IsTerminal};
use std::path::PathBuf;
use std::sync::mpsc::{Sender, channel};
use std::{env, fs, thread};

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::Validator;
use rustyline::{Config, Editor, Helper};

use super::console;
use crate::engine::front::Event;
use crate::rules::position::Position;
use crate::util::display;

/// Returns true if lines can be edited: input and output are terminals, and not dumb ones.
pub fn can_edit() -> bool {
    let is_dumb = env::var("TERM").is_ok_and(|terminal| terminal == "dumb");
    !is_dumb && io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Returns the columns of the terminal, or the traditional 80 if the system does not know.
pub fn columns() -> u16 {
    display::columns().unwrap_or(80).try_into().unwrap_or(80)
}

/// Returns true if the terminal can show chess pieces: the locale is of UTF-8, and the terminal is
/// not the system's own console, whose font has none. Windows has no such locale; its newer
/// terminal, known by a variable, has the pieces.
pub fn shows_unicode() -> bool {
    shows_unicode_in(|name| env::var(name).ok())
}

fn shows_unicode_in(variable: impl Fn(&str) -> Option<String>) -> bool {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty());
    // The first that is set decides.
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set);
    let locale = locale.unwrap_or_default().to_ascii_lowercase();
    let is_utf8 = locale.contains("utf-8") || locale.contains("utf8");
    (is_utf8 && set("TERM").as_deref() != Some("linux")) || set("WT_SESSION").is_some()
}

/// Reads standard input line by line to its end.
pub(super) fn read_lines(sender: &Sender<Event>) {
    for line in io::stdin().lock().split(b'\n') {
        let line = match line {
            // Not everything that comes need be UTF-8; the protocol's words are.
            Ok(bytes) => String::from_utf8_lossy(&bytes)
                .trim_end_matches('\r')
                .to_owned(),
            Err(error) => {
                log::warn!("cannot read standard input: {error}");
                break;
            }
        };
        if sender.send(Event::Line(line)).is_err() {
            return;
        }
    }
    let _ = sender.send(Event::EndOfInput);
}

/// The next task of the reader thread.
#[allow(
    clippy::large_enum_variant,
    reason = "there is one for each line that a person types"
)]
enum Wanted {
    /// Read a line, edited behind a prompt. Tab completes the words that make sense in the
    /// position.
    Line { prompt: String, position: Position },
    /// Lines, from here on: the conversation is one between programs now.
    Lines,
}

/// The thread that reads the terminal, one line for each request. Between two lines the terminal is
/// in its original mode: typed keys wait then, and Control-C is a signal.
pub struct Keyboard(Sender<Wanted>);

impl Keyboard {
    /// Starts the thread. The lines of earlier days are in `history`, which gets those to come.
    ///
    /// # Errors
    /// The system gives no thread, or the terminal is none.
    pub fn listen(events: Sender<Event>, history: Option<PathBuf>) -> io::Result<Keyboard> {
        let mut editor = LineEditor::new(history).map_err(io::Error::other)?;
        let (sender, wanted) = channel();
        let read = move || {
            while let Ok(wanted) = wanted.recv() {
                let event = match wanted {
                    Wanted::Lines => return read_lines(&events),
                    Wanted::Line { prompt, position } => editor.read(&prompt, position),
                };
                if events.send(event).is_err() {
                    return;
                }
            }
        };
        thread::Builder::new()
            .name("keyboard".to_owned())
            .spawn(read)?;
        Ok(Keyboard(sender))
    }

    /// Asks for the next line. The reader thread ends only with the program.
    pub fn ask(&self, prompt: String, position: Position) {
        let _ = self.0.send(Wanted::Line { prompt, position });
    }

    /// Asks for lines of a program from here on.
    pub fn lines(self) {
        let _ = self.0.send(Wanted::Lines);
    }
}

/// A line editor with a history.
struct LineEditor {
    editor: Editor<Words, FileHistory>,
    history: Option<PathBuf>,
}

impl LineEditor {
    fn new(history: Option<PathBuf>) -> rustyline::Result<LineEditor> {
        let config = Config::builder()
            .max_history_size(MOST_KEPT)?
            .history_ignore_dups(true)?
            .build();
        let mut editor = Editor::with_history(config.clone(), FileHistory::with_config(&config))?;
        // A pipe of that name would hold everybody up.
        let history = history.filter(|file| file.is_file() || !file.exists());
        if let Some(file) = history.as_ref().filter(|file| file.exists())
            && let Err(error) = editor.load_history(file)
        {
            log::debug!("the history in {} cannot be read: {error}", file.display());
        }
        Ok(LineEditor { editor, history })
    }

    fn read(&mut self, prompt: &str, position: Position) -> Event {
        self.editor.set_helper(Some(Words { position }));
        match self.editor.readline(prompt) {
            Ok(line) => {
                self.keep(&line);
                Event::Line(line)
            }
            Err(ReadlineError::Interrupted) => Event::Interrupted,
            Err(ReadlineError::Eof) => Event::EndOfInput,
            Err(error) => {
                log::warn!("cannot read the keyboard: {error}");
                Event::EndOfInput
            }
        }
    }

    fn keep(&mut self, line: &str) {
        if line.trim().is_empty() || !matches!(self.editor.add_history_entry(line), Ok(true)) {
            return;
        }
        let Some(file) = &self.history else {
            return;
        };
        if let Some(folder) = file.parent() {
            // If there is none, the history says so.
            let _ = fs::create_dir_all(folder);
        }
        if let Err(error) = self.editor.append_history(file) {
            log::debug!("the history cannot be kept in {}: {error}", file.display());
        }
    }
}

/// The number of history lines kept from one day to the next.
const MOST_KEPT: usize = 500;

/// The words for completion with Tab.
struct Words {
    position: Position,
}

impl Completer for Words {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        cursor: usize,
        _: &rustyline::Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let before = &line[..cursor];
        let mut candidates = console::candidates(&self.position, before);
        if let [only] = candidates.as_mut_slice() {
            only.push(' ');
        }
        Ok((console::last_word(before), candidates))
    }
}

impl Helper for Words {}
impl Highlighter for Words {}
impl Hinter for Words {
    type Hint = String;
}
impl Validator for Words {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_shown_where_the_locale_has_them() {
        for (variables, shown) in [
            (&[("LANG", "de_DE.UTF-8")][..], true),
            (&[("LANG", "en_US.utf8"), ("LC_ALL", "")], true),
            (&[("LANG", "de_DE.UTF-8"), ("LC_ALL", "C")], false),
            (&[("LC_CTYPE", "C.UTF-8"), ("LANG", "C")], true),
            (&[("LANG", "de_DE.UTF-8"), ("TERM", "linux")], false),
            (&[("WT_SESSION", "a number")], true),
            (&[], false),
        ] {
            let value = |name: &str| {
                variables
                    .iter()
                    .find(|(known, _)| *known == name)
                    .map(|(_, value)| (*value).to_owned())
            };
            assert_eq!(shows_unicode_in(value), shown, "{variables:?}");
        }
    }
}
