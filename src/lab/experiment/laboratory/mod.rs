//! The laboratory of the experiments: its conditions, the journals of finished work, and the
//! progress.

mod played_match;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::Conditions;
use super::report::get;
use crate::arena::suite::blunders::run::{self, JudgeEvent};
use crate::arena::suite::blunders::{Bench, Case, Finding, Terms};
use crate::arena::{EngineLimits, EngineSpec, Protocol, check_engines};
use crate::lab::tuning::Stopped;
use crate::util::files;
use crate::util::jobs::journal::Numbered;
use crate::util::jobs::{StopRequest, fingerprint, queue};
use crate::util::system;

pub use played_match::{Match, PlayedMatch, alphabeta_with, elo_in_words, ours, stockfish};
use played_match::{PAPERS_EVALUATION, uci};

/// Hears how experiments go on.
pub trait Watcher: Sync {
    /// Tells a person something important.
    fn note(&self, text: &str);

    /// Reports the progress of a piece of work: `done` of `total` games or positions.
    fn progress(&self, work: &str, done: usize, total: usize);
}

/// See the [module](self).
pub struct Laboratory {
    pub conditions: Conditions,
    /// The folder of the journals.
    journals: PathBuf,
    /// The stop request for engines, even while they think.
    pub stop: StopRequest,
    watcher: Box<dyn Watcher>,
}

/// The file beside the journals with the programs that worked with them.
const COMMITS: &str = "commits.txt";

impl Laboratory {
    /// Makes a laboratory with its journals in a folder, which need not exist yet. Work that was
    /// journalled there under the same conditions is not done again.
    pub fn new(
        conditions: Conditions,
        journals: &Path,
        stop: StopRequest,
        watcher: Box<dyn Watcher>,
    ) -> Laboratory {
        Laboratory {
            conditions,
            journals: journals.to_path_buf(),
            stop,
            watcher,
        }
    }

    /// Returns the commits of the programs that worked with these journals, oldest first; the
    /// present program's is added if new. Games of other programs stay unchanged.
    pub fn commits(&self) -> anyhow::Result<Vec<String>> {
        let known = get(self.folder()?, COMMITS)?.unwrap_or_default();
        let mut commits: Vec<String> = known.lines().map(str::to_owned).collect();
        let own = env!("KASHAN_COMMIT").to_owned();
        if !commits.contains(&own) {
            commits.push(own);
            self.keep(COMMITS, &(commits.join("\n") + "\n"))?;
        }
        Ok(commits)
    }

    /// Writes a file beside the journals, for an engine to read, and returns its path.
    pub fn keep(&self, name: &str, text: &str) -> anyhow::Result<PathBuf> {
        let path = self.place(name)?;
        files::replace(&path, text.as_bytes())
            .with_context(|| format!("cannot write {}", path.display()))?;
        Ok(path)
    }

    /// Returns the path for a file of this name beside the journals.
    ///
    /// # Errors
    /// There is no such folder, and it cannot be made.
    pub fn place(&self, name: &str) -> anyhow::Result<PathBuf> {
        Ok(std::path::absolute(self.folder()?.join(name))?)
    }

    fn folder(&self) -> anyhow::Result<&Path> {
        std::fs::create_dir_all(&self.journals)
            .with_context(|| format!("cannot make the folder {}", self.journals.display()))?;
        Ok(&self.journals)
    }

    /// Returns the journal of a piece of work. Other settings are other work: they have another
    /// file, and no finished work is lost.
    fn journal(&self, work: &str, settings: &impl Serialize) -> anyhow::Result<PathBuf> {
        let name = format!("{work}-{:016x}.journal", fingerprint(settings));
        Ok(self.folder()?.join(name))
    }
}

/// Work on many items, one result for each, none done twice.
impl Laboratory {
    /// Returns the results of `each` for the items 0 to `count - 1`, several at the same time;
    /// items in the journal are not done again.
    ///
    /// `work` names the journal; `settings` are all values that results depend on besides the
    /// item's number.
    ///
    /// # Errors
    /// [`Stopped`]; the first error of `each`, which stops the laboratory's other work too; a
    /// journal that cannot be read or written.
    pub fn each<T: Serialize + DeserializeOwned + Send>(
        &self,
        work: &str,
        settings: &Value,
        count: usize,
        each: impl Fn(usize) -> anyhow::Result<T> + Sync,
    ) -> anyhow::Result<Vec<T>> {
        let path = self.journal(work, settings)?;
        let mut results =
            Numbered::open(Some(&path), settings, count, |torn| self.watcher.note(torn))?;
        let missing = results.missing();
        let mut done = count - missing.len();
        self.watcher.progress(work, done, count);
        let worker = |item| Ok(Some((item, each(item)?)));
        let take = |(item, result)| {
            results.add(item, result)?;
            done += 1;
            self.watcher.progress(work, done, count);
            Ok(())
        };
        let threads = self.conditions.concurrency;
        queue::each(missing, threads, |_| Ok(worker), &self.stop, take)?;
        let results = results.results.into_iter();
        results
            .map(|result| result.ok_or_else(|| Stopped.into()))
            .collect()
    }
}

/// The judge of moves.
#[derive(Clone, Debug)]
pub struct Reference {
    pub spec: EngineSpec,
    /// The limits of each of its searches: nodes, never time.
    pub limits: EngineLimits,
    /// The engine's own name.
    pub name: String,
}

impl Reference {
    /// `Stockfish 17 with nodes=500000 for each search`
    pub fn in_words(&self) -> String {
        format!("{} with {} for each search", self.name, self.limits)
    }
}

/// Moves judged by a stronger engine.
impl Laboratory {
    /// Returns the judge of moves, with so many nodes for each search: the user's engine, else
    /// `stockfish` from the PATH, else our own alpha-beta search.
    pub fn reference(&self, nodes: u64) -> anyhow::Result<Reference> {
        let spec = match &self.conditions.reference {
            Some(spec) => EngineSpec {
                protocol: Some(Protocol::Uci),
                ..spec.clone()
            },
            // With more threads the same search is not the same twice.
            None if system::has_program("stockfish") => {
                uci("stockfish", "stockfish", &[("Threads", "1")])
            }
            None => uci(
                "alphabeta",
                "kashan:alphabeta",
                &[("OwnBook", "false"), PAPERS_EVALUATION],
            ),
        };
        let checked = check_engines(std::slice::from_ref(&spec), self.stop.signal())?;
        let own_name = checked[0].own_name.clone();
        Ok(Reference {
            name: own_name.unwrap_or_else(|| spec.name.clone()),
            spec,
            limits: EngineLimits::of_nodes(nodes),
        })
    }

    /// Judges the move of an engine in each case.
    ///
    /// # Errors
    /// [`Stopped`]; engines that do not start, a reference that fails; unreadable or unwritable
    /// journals.
    pub fn judge(
        &self,
        work: &str,
        engine: EngineSpec,
        limits: EngineLimits,
        reference: &Reference,
        cases: &[Case],
    ) -> anyhow::Result<Vec<Option<Finding>>> {
        let terms = Terms {
            engine: Some(engine),
            limits,
            reference: reference.spec.clone(),
            reference_limits: reference.limits,
        };
        let journal = self.journal(work, &terms.settings(cases))?;
        let mut done = 0;
        let mut observer = |event: JudgeEvent<'_>| {
            match event {
                JudgeEvent::Note(text) => self.watcher.note(text),
                JudgeEvent::Begins { done: before } => done = before,
                JudgeEvent::Found { .. } => done += 1,
            }
            self.watcher.progress(work, done, cases.len());
        };
        let findings = run::run(
            &terms,
            cases,
            Some(&journal),
            self.conditions.concurrency,
            &|| Bench::start(&terms, self.stop.signal()),
            &self.stop,
            &mut observer,
        )?;
        ensure!(findings.iter().all(Option::is_some), Stopped);
        Ok(findings)
    }
}

/// A watcher without any effect.
#[cfg(test)]
impl Watcher for () {
    fn note(&self, _: &str) {}
    fn progress(&self, _: &str, _: usize, _: usize) {}
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use serde_json::json;

    use super::*;

    #[test]
    fn nothing_is_done_twice_and_other_settings_are_other_work() {
        let folder = tempfile::tempdir().expect("a folder");
        let conditions = Conditions {
            concurrency: 3,
            ..Conditions::default()
        };
        let laboratory = |stop: &StopRequest| {
            Laboratory::new(
                conditions.clone(),
                folder.path(),
                stop.clone(),
                Box::new(()),
            )
        };
        let first = laboratory(&StopRequest::default());
        let calls = AtomicUsize::new(0);
        let square = |item: usize| {
            calls.fetch_add(1, Ordering::Relaxed);
            anyhow::ensure!(item != 7 || calls.load(Ordering::Relaxed) > 20, "item 7");
            Ok(item * item)
        };
        let settings = json!({"of": 1});
        let error = first
            .each("squares", &settings, 10, square)
            .expect_err("item 7 fails");
        assert_eq!(error.to_string(), "item 7");
        // The same command given again.
        let stop = StopRequest::default();
        let laboratory = laboratory(&stop);
        calls.store(100, Ordering::Relaxed);
        let squares = laboratory
            .each("squares", &settings, 10, square)
            .expect("squares");
        assert_eq!(squares, (0..10).map(|item| item * item).collect::<Vec<_>>());
        assert!(calls.load(Ordering::Relaxed) < 110, "some were known");
        calls.store(100, Ordering::Relaxed);
        laboratory
            .each("squares", &settings, 10, square)
            .expect("squares");
        assert_eq!(calls.load(Ordering::Relaxed), 100);
        laboratory
            .each("squares", &json!({"of": 2}), 10, square)
            .expect("squares");
        assert_eq!(calls.load(Ordering::Relaxed), 110);
        stop.say();
        laboratory
            .each("squares", &settings, 10, square)
            .expect("nothing is left to do");
        let stopped = laboratory
            .each("more", &settings, 10, square)
            .expect_err("stopped");
        assert!(stopped.is::<Stopped>());
    }
}
