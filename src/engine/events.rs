//! What the search thread says, and what that means to whoever owns the engine.

use super::worker::{SearchId, Told, WorkerEvent};
use super::{Engine, Running, library};
use crate::search::{Remark, SearchReport, Thought};

/// What an event of the search thread means now.
#[derive(Debug)]
pub enum Happened {
    /// A new thinking line of the running search; it is also in [`Running::thought`] or, if it is not the
    /// best one, in [`Running::alternatives`].
    Thought(Box<Thought>),
    /// The genetic search has got further: see [`Running::generation`].
    Generation,
    /// What the library says of the root, in words without a full stop.
    Advice(String),
    /// The running search is over.
    Finished { search: Box<Running>, report: Box<SearchReport> },
    /// Something that the user should know, in words without a full stop.
    Notice(String),
    /// What came of work beside the game; see [`Engine::aside`].
    Said(Box<Told>),
    /// Something of the past: a cancelled search, or a job that is no search. The engine may be less busy
    /// than before.
    Past,
}

impl Engine {
    /// Says what an event of the search thread means now. Every event must come through here.
    pub fn happened(&mut self, event: WorkerEvent) -> Happened {
        if !matches!(event, WorkerEvent::Thought { .. } | WorkerEvent::Remark { .. }) {
            self.unanswered = self.unanswered.saturating_sub(1);
        }
        let happened = match event {
            WorkerEvent::Thought { id, thought } => self.running_as(id).map(|running| {
                running.keep((*thought).clone());
                Happened::Thought(thought)
            }),
            WorkerEvent::Remark { id, remark } => self.remarked(id, remark),
            WorkerEvent::Finished { id, report } => {
                let search = self.running.take_if(|running| running.id == id).map(Box::new);
                search.map(|search| Happened::Finished { search, report })
            }
            WorkerEvent::Said { id, told } => {
                self.aside.take_if(|(wanted, _)| *wanted == id).map(|_| Happened::Said(told))
            }
            WorkerEvent::Done => None,
        };
        happened.unwrap_or(Happened::Past)
    }

    /// A search said something besides its lines.
    fn remarked(&mut self, id: SearchId, remark: Remark) -> Option<Happened> {
        let (hash, threads) = (self.settings.engine.hash, self.settings.engine.threads);
        match remark {
            Remark::ShortOfMemory(given) => {
                let what = format!("The machine has no {hash} megabytes for the search (option Hash)");
                self.warn("Hash", hash, format!("{what}: {given} have to do"))
            }
            Remark::ShortOfThreads(given) => {
                let what = format!("The machine gives the search no {threads} threads (option Threads)");
                self.warn("Threads", threads, format!("{what}, but {given}"))
            }
            Remark::Advice(None) => {
                let what = "Backend action has no library to play from (option LibraryFile)";
                self.warn("LibraryFile", 0, format!("{what}: it searches all moves"))
            }
            Remark::Advice(Some(advice)) => {
                let text = library::words::summary(&advice, &self.running_as(id)?.root);
                self.advice = Some(advice);
                text.map(Happened::Advice)
            }
            Remark::Generation(generation) => {
                self.running_as(id)?.generation = Some(generation);
                Some(Happened::Generation)
            }
        }
    }

    /// The running search, if it has this number.
    fn running_as(&mut self, id: SearchId) -> Option<&mut Running> {
        self.running.as_mut().filter(|running| running.id == id)
    }

    /// Tells what an option's value led to: once for each value, for every searcher that is built reports it
    /// again.
    fn warn(&mut self, option: &'static str, value: i64, text: String) -> Option<Happened> {
        let is_new = self.warned_of.insert(option, value) != Some(value);
        is_new.then_some(Happened::Notice(text))
    }
}
