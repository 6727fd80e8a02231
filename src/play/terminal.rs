//! Standard input, and the terminal that the user sits at: what it can show, its keys one by one, and how it
//! is left as it was found. Windows' console is driven by the same crate, in the same words.

use std::io::{self, BufRead, IsTerminal};
use std::sync::mpsc::{Sender, channel};
use std::{env, thread};

use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{self, DisableMouseCapture, EnableMouseCapture};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode, size,
};

use crate::engine::front::Event;

/// Whether lines can be edited and the cursor moved: a terminal on both sides that is not a dumb one.
pub fn can_edit() -> bool {
    let is_dumb = env::var("TERM").is_ok_and(|terminal| terminal == "dumb");
    !is_dumb && io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Columns, or what every terminal once had if the system does not know.
pub fn columns() -> u16 {
    size().ok().map(|(columns, _)| columns).filter(|&columns| columns > 0).unwrap_or(80)
}

/// Whether chess pieces can be shown: the locale is of UTF-8, and the terminal is not the system's own
/// console, whose font has none. Windows has no such locale; its newer terminal, which sets a variable, has
/// the pieces.
pub fn shows_unicode() -> bool {
    shows_unicode_in(|name| env::var(name).ok())
}

fn shows_unicode_in(variable: impl Fn(&str) -> Option<String>) -> bool {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty());
    // The first that is set decides.
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set);
    let is_utf8 = locale.is_some_and(|locale| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    });
    (is_utf8 && set("TERM").as_deref() != Some("linux")) || set("WT_SESSION").is_some()
}

/// Reads standard input line by line to its end.
pub(super) fn read_lines(sender: &Sender<Event>) {
    for line in io::stdin().lock().split(b'\n') {
        let line = match line {
            // Not everything that comes need be UTF-8; the protocol's words are.
            Ok(bytes) => String::from_utf8_lossy(&bytes).trim_end_matches('\r').to_owned(),
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

/// What the thread is to read next.
enum Wanted {
    Key,
    /// Lines, from here on: the conversation is one between programs now.
    Lines,
}

/// The thread that reads the terminal. It reads a key only when the one before it has been dealt with, so
/// that the terminal can be handed over at any time.
pub struct Keyboard(Sender<Wanted>);

impl Keyboard {
    /// Starts the thread.
    pub fn listen(events: Sender<Event>) -> io::Result<Keyboard> {
        let (sender, wanted) = channel();
        thread::Builder::new().name("keyboard".to_owned()).spawn(move || {
            while let Ok(wanted) = wanted.recv() {
                let event = match wanted {
                    Wanted::Lines => return read_lines(&events),
                    Wanted::Key => event::read().map(Event::Terminal).unwrap_or_else(|error| {
                        log::warn!("cannot read the keyboard: {error}");
                        Event::EndOfInput
                    }),
                };
                if events.send(event).is_err() {
                    return;
                }
            }
        })?;
        Ok(Keyboard(sender))
    }

    /// Asks for the next key. The thread that would give it ends only with the program.
    pub fn next(&self) {
        let _ = self.0.send(Wanted::Key);
    }

    /// Asks for lines instead.
    pub fn lines(self) {
        let _ = self.0.send(Wanted::Lines);
    }
}

/// While this lives, keys come one by one and nothing is echoed.
pub struct Raw(());

impl Raw {
    /// # Errors
    /// If the terminal cannot be set so.
    pub fn new() -> io::Result<Raw> {
        // Windows' console heeds no orders to the cursor until one has gone through the crate.
        execute!(io::stdout(), Show)?;
        enable_raw_mode().map(Raw)
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        let _ = disable_raw_mode();
    }
}

/// While this lives, the program has the whole screen and the mouse; then there is again what was there
/// before. A panic gives the screen back before it says what it has to say.
pub struct WholeScreen(Raw);

impl WholeScreen {
    /// # Errors
    /// If the terminal cannot be set so.
    pub fn new() -> io::Result<WholeScreen> {
        let screen = WholeScreen(Raw::new()?);
        execute!(io::stdout(), EnterAlternateScreen, EnableMouseCapture)?;
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            // What other threads do wrong is dealt with by those who wait for them, and would spoil the
            // picture.
            if thread::current().name() == Some("main") {
                leave();
                hook(panic);
            }
        }));
        Ok(screen)
    }
}

impl Drop for WholeScreen {
    fn drop(&mut self) {
        leave();
        if !thread::panicking() {
            drop(std::panic::take_hook());
        }
    }
}

fn leave() {
    let _ = execute!(io::stdout(), DisableMouseCapture, LeaveAlternateScreen, Show);
    let _ = disable_raw_mode();
}

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
                variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
            };
            assert_eq!(shows_unicode_in(value), shown, "{variables:?}");
        }
    }
}
