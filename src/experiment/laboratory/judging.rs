//! Moves judged by a stronger engine, as experiments need it.

use super::{Laboratory, Stopped};
use crate::arena::{EngineSpec, Limits, Protocol, check_engines};
use crate::suite::blunders::run::{self, Event};
use crate::suite::blunders::{Bench, Case, Finding, Terms};

/// Who judges moves.
#[derive(Clone, Debug)]
pub struct Reference {
    pub spec: EngineSpec,
    /// Of each of its searches: nodes, never time.
    pub limits: Limits,
    /// What it calls itself.
    pub name: String,
}

impl Laboratory<'_> {
    /// Who judges moves here, with so many nodes for each search: the engine that the user named, else `stockfish` from the PATH, else our own
    /// alpha-beta search.
    ///
    /// # Errors
    /// The engine cannot be started.
    pub fn reference(&self, nodes: u64) -> anyhow::Result<Reference> {
        let mut spec = match &self.conditions.reference {
            Some(spec) => spec.clone(),
            None if which::which("stockfish").is_ok() => {
                let mut spec = EngineSpec::new("stockfish", "stockfish");
                // With more the same search is not the same twice.
                spec.options.push(("Threads".to_owned(), "1".to_owned()));
                spec
            }
            None => {
                let mut spec = EngineSpec::new("alphabeta", "kashan:alphabeta");
                spec.options.push(("OwnBook".to_owned(), "false".to_owned()));
                spec
            }
        };
        spec.protocol = Some(Protocol::Uci);
        let reports = check_engines(std::slice::from_ref(&spec), self.stop.signal())?;
        let own_name = reports.into_iter().next().and_then(|report| report.own_name);
        Ok(Reference {
            name: own_name.unwrap_or_else(|| spec.name.clone()),
            spec,
            limits: Limits::of_nodes(nodes),
        })
    }

    /// What the moves of the terms' engine cost in each case, or what is left to be judged of them.
    ///
    /// # Errors
    /// [`Stopped`]; engines that cannot be started, a reference that fails; journals that cannot be read or written.
    pub fn judge(&self, work: &str, terms: &Terms, cases: &[Case]) -> anyhow::Result<Vec<Finding>> {
        let journal = self.journal(work, &terms.settings(cases))?;
        let signal = self.stop.signal();
        let mut done = 0;
        let mut observer = |event: Event<'_>| {
            match event {
                Event::Note(text) => self.note(text),
                Event::Begins { done: before } => done = before,
                Event::Found { .. } => done += 1,
            }
            self.watcher.progress(work, done, cases.len());
        };
        let findings = run::run(
            terms,
            cases,
            Some(&journal),
            self.conditions.concurrency,
            &|| Bench::start(terms, signal),
            &self.stop,
            &mut observer,
        )?;
        findings
            .into_iter()
            .map(|finding| finding.ok_or_else(|| Stopped.into()))
            .collect()
    }
}
