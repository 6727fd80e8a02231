//! Moves judged by a stronger engine, as experiments need it.

use anyhow::ensure;

use super::contest::{PAPERS_EVALUATION, uci};
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

impl Reference {
    /// `Stockfish 17 with nodes=500000 for each search`
    pub fn in_words(&self) -> String {
        format!("{} with {} for each search", self.name, self.limits)
    }
}

impl Laboratory<'_> {
    /// Who judges moves here, with so many nodes for each search: the engine that the user named, else
    /// `stockfish` from the PATH, else our own alpha-beta search.
    pub fn reference(&self, nodes: u64) -> anyhow::Result<Reference> {
        let spec = match &self.conditions.reference {
            Some(spec) => EngineSpec { protocol: Some(Protocol::Uci), ..spec.clone() },
            // With more threads the same search is not the same twice.
            None if which::which("stockfish").is_ok() => uci("stockfish", "stockfish", &[("Threads", "1")]),
            None => uci("alphabeta", "kashan:alphabeta", &[("OwnBook", "false"), PAPERS_EVALUATION]),
        };
        let reports = check_engines(std::slice::from_ref(&spec), self.stop.signal())?;
        let own_name = reports.into_iter().next().and_then(|report| report.own_name);
        Ok(Reference {
            name: own_name.unwrap_or_else(|| spec.name.clone()),
            spec,
            limits: Limits::of_nodes(nodes),
        })
    }

    /// Judges the move of an engine in each case.
    ///
    /// # Errors
    /// [`Stopped`]; engines that cannot be started, a reference that fails; journals that cannot be read or
    /// written.
    pub fn judge(
        &self,
        work: &str,
        engine: EngineSpec,
        limits: Limits,
        reference: &Reference,
        cases: &[Case],
    ) -> anyhow::Result<Vec<Option<Finding>>> {
        let terms = Terms {
            engine: Some(engine),
            limits,
            reference: reference.spec.clone(),
            reference_limits: reference.limits,
            part: None,
        };
        let journal = self.journal(work, &terms.settings(cases))?;
        let mut done = 0;
        let mut observer = |event: Event<'_>| {
            match event {
                Event::Note(text) => self.note(text),
                Event::Begins { done: before } => done = before,
                Event::Found { .. } => done += 1,
            }
            self.watcher.progress(work, done, cases.len());
        };
        let threads = self.conditions.concurrency;
        let benches = || Bench::start(&terms, self.stop.signal());
        let findings = run::run(&terms, cases, Some(&journal), threads, &benches, &self.stop, &mut observer)?;
        ensure!(findings.iter().all(Option::is_some), Stopped);
        Ok(findings)
    }
}
