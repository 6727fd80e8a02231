//! What happens at the console: lines, keys, events of the search, signals.

use ratatui::crossterm::event::{Event as TerminalEvent, KeyEventKind};

use super::editor::Pressed;
use super::{Activity, Console, Face, commands};
use crate::engine::{Happened, WorkerEvent};
use crate::front::{Flow, Front};

impl Console {
    /// Control-C came, and there was a line to drop: nothing else is meant, this time.
    pub(super) fn line_was_dropped(&mut self) {
        self.interrupted = true;
        self.say("Control-C once more leaves.");
    }

    /// Shows what can stand in the place of the last word, if there is a choice.
    pub(super) fn complete(&mut self) {
        let candidates = self.candidates(self.editor.text());
        if let Some(choice) = self.editor.complete(candidates) {
            self.say(choice.join("  "));
        }
    }

    fn obey(&mut self, line: &str) -> Flow {
        self.interrupted = false;
        let flow = self.typed(line.trim());
        if flow != Flow::Continue {
            return flow;
        }
        self.prompt();
        self.output.flow()
    }

    /// Obeys the lines that wait, unless they have to wait for Kashan.
    fn go_on(&mut self) -> Flow {
        let chooses = |activity| matches!(activity, Activity::Move | Activity::Hint | Activity::Review);
        while !(self.is_pipe && chooses(self.activity)) {
            let Some(line) = self.waiting.pop_front() else {
                if self.input_ended {
                    self.farewell();
                    return Flow::Quit;
                }
                break;
            };
            let flow = self.obey(&line);
            if flow != Flow::Continue {
                return flow;
            }
        }
        self.output.flow()
    }
}

impl Front for Console {
    fn line(&mut self, line: &str) -> Flow {
        let is_hurried = commands::find(line.trim()).is_some_and(|command| command.name == "now");
        if !self.is_pipe || is_hurried && self.waiting.is_empty() {
            return self.obey(line);
        }
        self.waiting.push_back(line.to_owned());
        self.go_on()
    }

    fn search_event(&mut self, event: WorkerEvent) -> Flow {
        let happened = self.engine.happened(event);
        if let (Face::Screen { .. }, Some(running)) = (&self.face, self.engine.running())
            && running.has_news()
        {
            self.seen = Some(running.clone());
        }
        match happened {
            Happened::Thought(thought) => self.think_aloud(&thought),
            Happened::Finished { search, report } => {
                self.finished(&search, &report);
                self.prompt();
            }
            Happened::Notice(text) => self.say(format!("{text}.")),
            Happened::Said(told) => {
                self.activity = Activity::Idle;
                self.looked_back(*told);
                self.prompt();
            }
            Happened::Generation => self.think_further(),
            Happened::Advice(text) => self.think_of_others(&text),
            Happened::Past => {}
        }
        match self.output.flow() {
            Flow::Continue => self.go_on(),
            ended => ended,
        }
    }

    fn end_of_input(&mut self) -> Flow {
        self.input_ended = true;
        self.go_on()
    }

    /// Once it ends what is going on: Kashan moves now, an analysis is over, a line that was begun is
    /// dropped. Twice in a row it leaves.
    fn interrupt(&mut self) -> Flow {
        if std::mem::replace(&mut self.interrupted, true) {
            self.farewell();
            return Flow::Quit;
        }
        if matches!(self.face, Face::Plain) {
            self.print("\n");
        }
        match self.activity {
            Activity::Move | Activity::Hint => self.engine.stop(),
            Activity::Analysis | Activity::Review => self.cancel(),
            Activity::Idle => {}
        }
        self.say("Control-C once more leaves.");
        self.prompt();
        self.output.flow()
    }

    fn terminal(&mut self, event: TerminalEvent) -> Flow {
        match event {
            TerminalEvent::Key(key) if key.kind != KeyEventKind::Release => {
                let was_empty = self.editor.is_empty();
                match self.editor.key(key) {
                    Pressed::Line(line) => {
                        if let Face::Live(live) = &self.face {
                            let echo = format!("{}{line}\n", live.prompt);
                            self.print(&echo);
                        }
                        return self.line(&line);
                    }
                    Pressed::Interrupt if was_empty => return self.interrupt(),
                    Pressed::Interrupt => self.line_was_dropped(),
                    Pressed::End => {
                        self.farewell();
                        return Flow::Quit;
                    }
                    Pressed::Suspend => return Flow::Suspend,
                    Pressed::Clear => self.output.print("\x1b[2J\x1b[H"),
                    Pressed::Complete => self.complete(),
                    Pressed::Edit => self.interrupted = false,
                }
            }
            TerminalEvent::Resize(columns, _) => {
                if let Face::Live(live) = &mut self.face {
                    live.columns = columns;
                }
            }
            _ => {}
        }
        self.print("");
        self.output.flow()
    }

    // The shell's prompt begins a line of its own.
    fn farewell(&mut self) {
        if matches!(self.face, Face::Plain) {
            self.print("\n");
        }
        self.say_what_is_kept();
    }
}
