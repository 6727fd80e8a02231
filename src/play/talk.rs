//! A conversation from its beginning: with a person at a terminal, else with a program; and the
//! loop over everything that can happen: a line of input, an event of the search, a signal.

use std::io::{self, IsTerminal, Write as _};

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use super::Console;
use super::console::{Look, Pieces, Setup, keep, web};
use super::terminal::{self, Keyboard, read_lines};
use crate::engine::Engine;
use crate::engine::front::{Event, Flow, Front, UciFront, XboardFront};
use crate::rules::protocol::{uci, xboard};
use crate::util::display::is_one_of;
use crate::util::system::{self, Signal, TerminalMode};

/// The user's choices for the start.
#[derive(Clone, Copy, Debug, Default)]
pub struct Start<'s> {
    /// The last game goes on.
    pub resume: bool,
    /// Play in the browser...
    pub web: bool,
    /// ... opened by the user.
    pub no_open: bool,
    /// Options to set first, by their names.
    pub options: &'s [(String, String)],
    /// True if a pipe carries a person's commands instead of a protocol.
    pub in_lines: bool,
    pub setup: Setup<'s>,
    /// True if the protocols declare all options, not only the options for players.
    pub all_options: bool,
}

/// Talks on standard input and output until a command to quit, the end of input, or a signal: with
/// a person at a terminal, otherwise in the protocol of the first line.
///
/// # Errors
/// The system gives no threads, or the task needs a missing terminal.
pub fn talk(mut start: Start<'_>) -> io::Result<()> {
    if start.resume && !start.web && !io::stdin().is_terminal() {
        return Err(io::Error::other("--resume needs a terminal to play at"));
    }
    let (sender, events) = channel();
    // Before any other thread is started, because threads inherit which signals they leave alone.
    let signals = sender.clone();
    if let Err(error) =
        system::on_signals(move |signal| signals.send(Event::Signal(signal)).is_ok())
    {
        log::warn!("signals will not be heeded: {error}");
    }
    let search_events = sender.clone();
    let mut engine = Engine::new(Box::new(move |event| {
        search_events.send(Event::Search(event)).is_ok()
    }))?;
    let is_given = |option: &str| {
        let mut options = start.options.iter();
        options.any(|(name, _)| name.eq_ignore_ascii_case(option))
    };
    let has_strength = is_given("UCI_LimitStrength") || is_given("UCI_Elo");
    let usual_seed = engine.settings().engine.seed;
    let has_own_seed = (io::stdin().is_terminal() || start.web) && !is_given("Seed");
    start.setup.has_strength = has_strength;
    if has_own_seed {
        // For a person every game is another one; programs get the same again unless they ask.
        engine.set_option("Seed", "0").map_err(io::Error::other)?;
    }
    for (name, value) in start.options {
        engine.set_option(name, value).map_err(io::Error::other)?;
    }
    if start.web {
        return web::serve(engine, start, sender, &events);
    }
    let is_pipe = !io::stdin().is_terminal();
    let (flow, engine, first_lines, input_ended) = if is_pipe && !start.in_lines {
        listen(sender)?;
        let (flow, line) = listen_for_the_protocol(&events);
        (flow, engine, vec![line], false)
    } else {
        let mut console = console(engine).with_setup(start.setup);
        let flow = if terminal::can_edit() {
            at_the_keyboard(&mut console, start, sender, &events)?
        } else {
            listen(sender)?;
            greet(&mut console, start);
            console.is_pipe = is_pipe;
            converse(&mut console, &events)
        };
        let mut first_lines = vec![if flow == Flow::Uci { "uci" } else { "xboard" }.to_owned()];
        first_lines.extend(console.waiting.drain(..));
        let input_ended = console.input_ended;
        console.engine.cancel();
        let mut engine = console.engine;
        engine.follows_generations = false;
        if has_own_seed {
            engine
                .set_option("Seed", &usual_seed.to_string())
                .map_err(io::Error::other)?;
        }
        (flow, engine, first_lines, input_ended)
    };
    let mut front: Box<dyn Front> = match flow {
        Flow::Xboard => Box::new(XboardFront::new(engine, io::stdout(), start.all_options)),
        Flow::Uci => Box::new(UciFront::new(engine, io::stdout(), start.all_options)),
        _ => return Ok(()),
    };
    for line in first_lines {
        if front.line(&line) != Flow::Continue {
            return Ok(());
        }
    }
    if !input_ended || front.end_of_input() == Flow::Continue {
        converse(front.as_mut(), &events);
    }
    Ok(())
}

/// Makes a console fit for the terminal.
fn console(engine: Engine) -> Console {
    let colors = console::colors_enabled();
    // Scripts do not take the place of games that somebody played.
    let game = keep::usual_file().filter(|_| io::stdin().is_terminal());
    let mut console = Console::new(engine, io::stdout(), colors);
    if terminal::can_edit() {
        let pieces = if terminal::shows_unicode() {
            Pieces::Unicode
        } else {
            Pieces::Letters
        };
        console = console.at_a_terminal(terminal::columns(), Look { colors, pieces });
    }
    match game {
        Some(game) => console.keep_in(game),
        None => console,
    }
}

fn greet(console: &mut Console, start: Start<'_>) {
    if start.resume {
        console.greet_again();
    } else {
        console.greet();
    }
}

/// Feeds the console with edited lines, one at a time and only while the console does not think.
fn at_the_keyboard(
    console: &mut Console,
    start: Start<'_>,
    sender: Sender<Event>,
    events: &Receiver<Event>,
) -> io::Result<Flow> {
    let _mode = TerminalMode::remember();
    // Typed lines are kept beside the game.
    let history = keep::usual_file().map(|game| game.with_file_name("history"));
    let keyboard = Keyboard::listen(sender, history)?;
    greet(console, start);
    let mut is_asked = false;
    loop {
        if console.is_idle() && !is_asked {
            keyboard.ask(console.prompt_text(), console.engine.position().clone());
            is_asked = true;
        }
        let Ok(event) = events.recv() else {
            return Ok(Flow::Quit);
        };
        // A signal may come from elsewhere, while the editor goes on.
        let is_answer = matches!(
            event,
            Event::Line(_) | Event::Interrupted | Event::EndOfInput
        );
        is_asked = is_asked && !is_answer;
        console.resize(terminal::columns());
        match handle(console, event) {
            Flow::Continue => {}
            Flow::Quit => return Ok(Flow::Quit),
            flow => {
                keyboard.lines();
                return Ok(flow);
            }
        }
    }
}

/// Feeds a conversation to its end, and returns the manner of its end.
pub fn converse(front: &mut dyn Front, events: &Receiver<Event>) -> Flow {
    while let Ok(event) = events.recv() {
        let flow = handle(front, event);
        if flow != Flow::Continue {
            return flow;
        }
    }
    Flow::Quit
}

/// Hands one event to a conversation.
fn handle(front: &mut dyn Front, event: Event) -> Flow {
    match event {
        Event::Line(line) => front.line(&line),
        Event::Search(event) => front.search_event(event),
        Event::Interrupted | Event::Signal(Signal::Interrupt) => front.interrupt(),
        Event::EndOfInput => front.end_of_input(),
        Event::Signal(Signal::Terminate) => {
            front.farewell();
            Flow::Quit
        }
    }
}

/// Waits for the first command; returns its protocol, and the line. Other lines decide nothing;
/// xboard's answer to such lines harms no other program.
fn listen_for_the_protocol(events: &Receiver<Event>) -> (Flow, String) {
    while let Ok(event) = events.recv() {
        match event {
            Event::Line(line) => {
                // Some programs begin with a byte order mark.
                let line = line.trim_start_matches('\u{feff}').trim();
                match protocol_of(line) {
                    Ok(flow) => return (flow, line.to_owned()),
                    Err(_) if line.is_empty() => {}
                    Err(refusal) => {
                        if writeln!(io::stdout(), "{refusal}").is_err() {
                            // Nobody reads any more.
                            break;
                        }
                    }
                }
            }
            // Nothing has been asked for.
            Event::Search(_) => {}
            Event::EndOfInput | Event::Interrupted | Event::Signal(_) => break,
        }
    }
    (Flow::Quit, String::new())
}

/// Returns the protocol of a first line: UCI for a command that only UCI programs send, otherwise
/// xboard, whose conversations begin with any command.
///
/// # Errors
/// The line is no command; the text is xboard's answer.
fn protocol_of(line: &str) -> Result<Flow, String> {
    let first = line.split_whitespace().next().unwrap_or_default();
    let is_uci = is_one_of("uci isready ucinewgame setoption position debug", first);
    if is_uci && line.parse::<uci::Command>().is_ok() {
        return Ok(Flow::Uci);
    }
    line.parse::<xboard::Command>()?;
    Ok(Flow::Xboard)
}

/// Starts the reader thread of standard input.
fn listen(sender: Sender<Event>) -> io::Result<()> {
    thread::Builder::new()
        .name("input".to_owned())
        .spawn(move || read_lines(&sender))?;
    Ok(())
}
