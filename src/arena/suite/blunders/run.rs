//! Many cases, several at once, none twice.

use std::path::Path;

use anyhow::Context as _;
use serde_json::{Value, json};

use super::case::{Case, fingerprint};
use super::judge::{Finding, Thinker, judge};
use crate::arena::client::require_uci;
use crate::arena::suite::Analyst;
use crate::arena::{EngineLimits, EngineSpec, files_of};
use crate::util::jobs::journal::Numbered;
use crate::util::jobs::{StopRequest, StopSignal, queue};

/// The engine under test, the reference, and their limits.
#[derive(Clone, Debug)]
pub struct Terms {
    /// `None` if only moves of games are judged.
    pub engine: Option<EngineSpec>,
    /// The engine's limits for each position.
    pub limits: EngineLimits,
    pub reference: EngineSpec,
    /// The limits of each of the reference's searches.
    pub reference_limits: EngineLimits,
}

impl Terms {
    /// Every setting with an effect on findings.
    pub fn settings(&self, cases: &[Case]) -> Value {
        let mut settings = json!({
            "work": "blunders",
            "engine": self.engine,
            "limits": self.engine.as_ref().map(|_| self.limits),
            "reference": self.reference,
            "reference_limits": self.reference_limits,
            "positions": fingerprint(cases),
        });
        if let Some(files) = files_of(&self.engine) {
            settings["files"] = files;
        }
        // It may be called as the engine is.
        if let Some(files) = files_of([&self.reference]) {
            settings["reference_files"] = files;
        }
        settings
    }
}

/// The thinkers of one thread: the engine under test, if any, and the reference.
pub struct Bench {
    pub player: Option<Box<dyn Thinker>>,
    pub reference: Box<dyn Thinker>,
}

impl Bench {
    /// Starts the engines named by the terms.
    pub fn start(terms: &Terms, stop: &StopSignal) -> anyhow::Result<Bench> {
        let mut player: Option<Box<dyn Thinker>> = None;
        if let Some(engine) = &terms.engine {
            player = Some(Box::new(Analyst::start(engine, terms.limits, stop)?));
        }
        require_uci(&terms.reference, stop)?;
        let reference = Analyst::start(&terms.reference, terms.reference_limits, stop)?;
        Ok(Bench {
            player,
            reference: Box::new(reference),
        })
    }
}

/// An event during the judging of cases.
#[derive(Debug)]
pub enum JudgeEvent<'e> {
    /// Something to tell.
    Note(&'e str),
    /// The number of cases judged before, from the journal.
    Begins { done: usize },
    /// A case was judged, and is in the journal.
    Found { finding: &'e Finding },
}

/// Judges all cases missing in the journal, `concurrency` at the same time; `None` if `stop` came
/// first.
///
/// # Errors
/// Fails on engines that cannot be started, a failing reference, and a journal of something else or
/// one that cannot be written. Earlier judgements are in the journal.
pub fn run(
    terms: &Terms,
    cases: &[Case],
    journal: Option<&Path>,
    concurrency: usize,
    benches: &(dyn Fn() -> anyhow::Result<Bench> + Sync),
    stop: &StopRequest,
    observer: &mut dyn FnMut(JudgeEvent<'_>),
) -> anyhow::Result<Vec<Option<Finding>>> {
    let settings = terms.settings(cases);
    let note = |torn: &str| observer(JudgeEvent::Note(torn));
    let mut findings = Numbered::open(journal, &settings, cases.len(), note)?;
    let missing = findings.missing();
    let done = cases.len() - missing.len();
    observer(JudgeEvent::Begins { done });
    let make_worker = |_| {
        let mut bench = benches()?;
        Ok(move |index: usize| {
            let case = &cases[index];
            let finding = judge(case, bench.player.as_deref_mut(), &mut *bench.reference)
                .with_context(|| format!("no judgement of {}", case.name))?;
            Ok(Some((index, finding)))
        })
    };
    queue::each(
        missing,
        concurrency,
        make_worker,
        stop,
        |(index, finding)| {
            observer(JudgeEvent::Found {
                finding: findings.add(index, finding)?,
            });
            Ok(())
        },
    )?;
    Ok(findings.results)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use anyhow::bail;

    use super::*;
    use crate::arena::suite::{Fault, Question, ThinkError, Thinking, tests};
    use crate::rules::score::Score;
    use crate::util::files::tests::in_a_folder;

    fn cases() -> Vec<Case> {
        tests::cases("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n")
    }

    fn terms(nodes: u64) -> Terms {
        let (reference, reference_limits) = (
            EngineSpec::new("oracle", "oracle"),
            EngineLimits::of_nodes(nodes),
        );
        Terms {
            engine: None,
            limits: EngineLimits::default(),
            reference,
            reference_limits,
        }
    }

    /// A reference with the played moves of these cases as its best.
    struct Echo(Vec<Case>);

    impl Thinker for Echo {
        fn think(&mut self, question: &Question) -> Result<Thinking, ThinkError> {
            let error = tests::failed("oracle", Fault::Died("it knows nothing".to_owned()));
            let case = self
                .0
                .iter()
                .find(|case| case.question == *question)
                .ok_or(error)?;
            let best = case.played.as_deref().expect("the move of a game");
            Ok(tests::thinking(best, &[tests::told(Score(20), "")]))
        }
    }

    fn knowing(cases: Vec<Case>) -> anyhow::Result<Bench> {
        Ok(Bench {
            player: None,
            reference: Box::new(Echo(cases)),
        })
    }

    fn judge_all(
        journal: &Path,
        stop_after: usize,
        threads: usize,
    ) -> (usize, Vec<Option<Finding>>) {
        let stop = StopRequest::default();
        let found = AtomicUsize::new(0);
        let bench = || knowing(cases());
        let findings = run(
            &terms(5),
            &cases(),
            Some(journal),
            threads,
            &bench,
            &stop,
            &mut |event| {
                if let JudgeEvent::Found { .. } = event
                    && found.fetch_add(1, Ordering::Relaxed) + 1 == stop_after
                {
                    stop.now();
                }
            },
        );
        (found.into_inner(), findings.expect("judged"))
    }

    #[test]
    fn what_was_judged_is_not_judged_again() {
        let (_folder, path) = in_a_folder("b.journal");
        let (first, findings) = judge_all(&path, 2, 1);
        assert!(
            first >= 2 && findings.iter().flatten().count() == first,
            "{first}"
        );
        // The line that was being written when the power failed.
        let text = fs::read_to_string(&path).expect("a journal");
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        fs::write(&path, format!("{}{}{}", lines[0], lines[1], &lines[2][..9])).expect("written");
        let (rest, findings) = judge_all(&path, usize::MAX, 2);
        assert_eq!(rest, cases().len() - 1);
        assert!(findings.iter().all(Option::is_some), "{findings:?}");
        let (nothing, again) = judge_all(&path, usize::MAX, 2);
        assert_eq!((nothing, again), (0, findings));
    }

    #[test]
    fn a_journal_of_something_else_is_refused() {
        let (_folder, path) = in_a_folder("b.journal");
        judge_all(&path, usize::MAX, 1);
        let bench = || -> anyhow::Result<Bench> { bail!("nobody is to be started") };
        let try_with = |terms: &Terms, cases: &[Case]| {
            let error = run(
                terms,
                cases,
                Some(&path),
                1,
                &bench,
                &StopRequest::default(),
                &mut |_| {},
            );
            format!("{:#}", error.expect_err("refused"))
        };
        let changed = try_with(&terms(6), &cases());
        assert!(
            changed.contains("reference_limits") && changed.contains("nodes=6"),
            "{changed}"
        );
        let fewer = try_with(&terms(5), &cases()[1..]);
        assert!(fewer.contains("positions"), "{fewer}");
    }

    #[test]
    fn a_stop_while_engines_start_is_no_error() {
        let (_folder, path) = in_a_folder("b.journal");
        let (first, _) = judge_all(&path, 2, 1);
        let stop = StopRequest::default();
        let bench = || -> anyhow::Result<Bench> {
            stop.now();
            bail!("it ended before it was ready")
        };
        let findings = run(
            &terms(5),
            &cases(),
            Some(&path),
            2,
            &bench,
            &stop,
            &mut |_| {},
        );
        assert_eq!(
            findings
                .expect("what was judged before")
                .iter()
                .flatten()
                .count(),
            first
        );
    }

    #[test]
    fn a_reference_that_fails_ends_the_check() {
        let bench = || knowing(Vec::new());
        let error = run(
            &terms(5),
            &cases(),
            None,
            2,
            &bench,
            &StopRequest::default(),
            &mut |_| {},
        );
        let text = format!("{:#}", error.expect_err("it has no answer"));
        assert!(
            text.contains("no judgement of 1:") && text.contains("oracle"),
            "{text}"
        );
        let none = || -> anyhow::Result<Bench> { bail!("there is no program") };
        let error = run(
            &terms(5),
            &cases(),
            None,
            2,
            &none,
            &StopRequest::default(),
            &mut |_| {},
        );
        assert!(
            error
                .expect_err("not started")
                .to_string()
                .contains("no program")
        );
    }
}
