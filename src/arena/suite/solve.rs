//! Engines solving positions, several at once.

use std::path::Path;

use anyhow::bail;
use serde_json::{Value, json};

use super::{Analyst, Fault, Judgement, Problem, Question, ThinkError, Thinking};
use crate::arena::{EngineLimits, EngineSpec, files_of};
use crate::util::jobs::journal::Numbered;
use crate::util::jobs::{StopRequest, StopSignal, fingerprint, queue};

/// The number of problems after which an engine, never ready and without any answer, is given up.
const ENOUGH: usize = 3;

/// An engine's attempt at a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    pub thinking: Thinking,
    pub judgement: Judgement,
}

/// An attempt, or why there is no answer.
pub type Attempted = Result<Attempt, ThinkError>;

/// The attempts of one engine, by problem; `None` for those not reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempts {
    /// The engine's name.
    pub engine: String,
    pub attempts: Vec<Option<Attempted>>,
}

/// An event during the solving of a suite.
#[derive(Debug)]
pub enum SolveEvent<'e> {
    /// Something to tell.
    Note(&'e str),
    /// An attempt of the journal; these come first.
    Known(&'e Attempted),
    /// The number of attempts in the journal; new ones follow.
    Begins { done: usize },
    /// An attempt was made, and is in the journal if kept.
    Attempted {
        engine: &'e EngineSpec,
        problem: &'e Problem,
        attempted: &'e Attempted,
    },
}

/// A suite, its engines and their limits.
#[derive(Clone, Debug)]
pub struct SuiteRun<'a> {
    pub problems: &'a [Problem],
    pub engines: &'a [EngineSpec],
    /// For each problem, where an engine has no limits of its own.
    pub limits: EngineLimits,
    /// The number of engines thinking at the same time; 0 is taken for 1.
    pub concurrency: usize,
}

/// A job's entry in a journal: the engine's thinking, the source of the judgement, or the reason
/// for no answer.
type Kept = Result<Thinking, ThinkError>;

impl SuiteRun<'_> {
    /// Lets every engine solve every problem, one engine after the other, so waiting engines take
    /// no memory. Problems in the journal, if there is one, are not solved again. The journal keeps
    /// nothing of an engine that was not ready, ended or was silent: the next time it may answer.
    ///
    /// After `stop` the rest is left out. An engine failing at a problem goes on with the next.
    ///
    /// # Errors
    /// Fails if an engine cannot be started, or cannot think under the limits at all: the text
    /// names the engine. Fails on a journal of something else, or one that cannot be read or
    /// written.
    pub fn run(
        &self,
        journal: Option<&Path>,
        stop: &StopSignal,
        observe: &mut dyn FnMut(SolveEvent<'_>),
    ) -> anyhow::Result<Vec<Attempts>> {
        let mut all = Vec::new();
        for engine in self.engines {
            all.push(Attempts {
                engine: engine.name.clone(),
                attempts: vec![None; self.problems.len()],
            });
        }
        // How often an engine was not ready; `None` once it has answered.
        let mut unready: Vec<Option<usize>> = vec![Some(0); self.engines.len()];
        let mut add = |job: usize, kept: Kept| -> anyhow::Result<Attempted> {
            let (engine, problem) = self.job(job);
            match (&kept, &mut unready[engine]) {
                (Err(error), Some(times)) if matches!(error.fault, Fault::Unready(_)) => {
                    *times += 1;
                    if *times >= ENOUGH.min(self.problems.len()) {
                        bail!("{error}");
                    }
                }
                (Err(_), _) => {}
                (Ok(_), times) => *times = None,
            }
            let goal = &self.problems[problem].goal;
            let outcome = kept.map(|thinking| Attempt {
                judgement: goal.judge(&thinking),
                thinking,
            });
            all[engine].attempts[problem] = Some(outcome.clone());
            Ok(outcome)
        };
        let jobs = self.engines.len() * self.problems.len();
        let note = |torn: &str| observe(SolveEvent::Note(torn));
        let mut journal = Numbered::<Kept>::open(journal, &self.settings(), jobs, note)?;
        for (job, kept) in journal.results.iter().enumerate() {
            if let Some(kept) = kept {
                observe(SolveEvent::Known(&add(job, kept.clone())?));
            }
        }
        let missing = journal.missing();
        let done = jobs - missing.len();
        observe(SolveEvent::Begins { done });
        let make_worker = |_| {
            let mut seat = None;
            Ok(move |job: usize| {
                let kept = self.think(&mut seat, job, stop);
                let is_stopped = matches!(&kept, Err(error) if error.fault == Fault::Stopped);
                Ok((!is_stopped).then_some((job, kept)))
            })
        };
        queue::each(
            missing,
            self.concurrency,
            make_worker,
            &StopRequest::from(stop),
            |(job, kept)| {
                let may_pass = match &kept {
                    Ok(_) => false,
                    // The same engine may have an answer to the same problem another time.
                    Err(error) => matches!(
                        error.fault,
                        Fault::Unready(_) | Fault::Died(_) | Fault::Silent(_)
                    ),
                };
                if !may_pass {
                    journal.add(job, kept.clone())?;
                }
                let attempted = &add(job, kept)?;
                let (engine, problem) = self.job(job);
                observe(SolveEvent::Attempted {
                    engine: &self.engines[engine],
                    problem: &self.problems[problem],
                    attempted,
                });
                Ok(())
            },
        )?;
        Ok(all)
    }

    /// Every setting with an effect on attempts. Goals may change: answers are judged anew.
    fn settings(&self) -> Value {
        let mut positions = Vec::new();
        for problem in self.problems {
            positions.push(&problem.position.fen);
        }
        let mut settings = json!({
            "work": "solve",
            "engines": self.engines,
            "limits": self.limits,
            "positions": { "count": positions.len(), "checksum": format!("{:016x}", fingerprint(&positions)) },
        });
        if let Some(files) = files_of(self.engines) {
            settings["files"] = files;
        }
        settings
    }

    /// Engine and problem of a job.
    fn job(&self, number: usize) -> (usize, usize) {
        (number / self.problems.len(), number % self.problems.len())
    }

    /// Does a job with the engine in the seat, or, if another one sits there, with a new process.
    fn think(&self, seat: &mut Option<(usize, Analyst)>, job: usize, stop: &StopSignal) -> Kept {
        let (engine, problem) = self.job(job);
        let spec = &self.engines[engine];
        let fen = &self.problems[problem].position.fen;
        let (_, analyst) = match seat {
            Some(seated) if seated.0 == engine => seated,
            _ => {
                // Ends first: two engines may not have enough memory.
                *seat = None;
                match Analyst::start(spec, self.limits, stop) {
                    Ok(analyst) => seat.insert((engine, analyst)),
                    Err(error) => {
                        let fault = Fault::unready(&spec.name, error);
                        return Err(ThinkError::new(&spec.name, fen, fault));
                    }
                }
            }
        };
        analyst.think(&Question::new(fen))
    }
}

/// An engine's totals.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    pub solved: usize,
    /// Problems with an answer, right or wrong.
    pub answered: usize,
    /// The number of problems with a failure of the engine.
    pub failed: usize,
    /// Points, and the most there were; both of answered and failed problems. `None` if no problem
    /// has points.
    pub points: Option<[u32; 2]>,
    /// The engine's thinking time in seconds, in all.
    pub seconds: f64,
    /// Mean seconds to a solution, of those solved.
    pub seconds_to_solution: Option<f64>,
    /// Mean nodes to a solution, of those solved with reported nodes.
    pub nodes_to_solution: Option<f64>,
}

impl Attempts {
    /// The sums. `problems` are the attempted ones, in the same order.
    pub fn summary(&self, problems: &[Problem]) -> Summary {
        let mut summary = Summary::default();
        let mut seconds = Vec::new();
        let mut nodes = Vec::new();
        for (attempt, problem) in self.attempts.iter().zip(problems) {
            let points = match attempt {
                None => continue,
                Some(Err(_)) => {
                    summary.failed += 1;
                    problem.goal.most_points().map(|most| [0, most])
                }
                Some(Ok(attempt)) => {
                    summary.answered += 1;
                    summary.seconds += attempt.thinking.time.as_secs_f64();
                    if let Some(found) = attempt.judgement.solved {
                        summary.solved += 1;
                        seconds.push(found.at.as_secs_f64());
                        nodes.extend(found.nodes.map(|nodes| nodes as f64));
                    }
                    attempt.judgement.points
                }
            };
            if let Some([own, most]) = points {
                let [all_own, all] = summary.points.unwrap_or_default();
                summary.points = Some([all_own + own, all + most]);
            }
        }
        summary.seconds_to_solution = mean(&seconds);
        summary.nodes_to_solution = mean(&nodes);
        summary
    }
}

fn mean(numbers: &[f64]) -> Option<f64> {
    (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / numbers.len() as f64)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::arena::suite::tests::{START, failed, problems, thinking};

    fn suite_run<'c>(
        problems: &'c [Problem],
        engines: &'c [EngineSpec],
        concurrency: usize,
    ) -> SuiteRun<'c> {
        SuiteRun {
            problems,
            engines,
            limits: "depth=1".parse().expect("limits"),
            concurrency,
        }
    }

    #[test]
    fn failures_have_no_points_and_what_was_not_tried_does_not_count() {
        let problems = problems(&format!("{START} c7 \"e4 d4\"; c8 \"10 4\";\n").repeat(4));
        let attempt = |best: &str, problem: usize| {
            let thinking = Thinking {
                time: Duration::from_secs(2),
                ..thinking(best, &[])
            };
            Some(Ok(Attempt {
                judgement: problems[problem].goal.judge(&thinking),
                thinking,
            }))
        };
        let failed = Some(Err(failed("A", Fault::Flood)));
        let attempts = vec![attempt("e2e4", 0), attempt("d2d4", 1), failed, None];
        let summary = Attempts {
            engine: "A".to_owned(),
            attempts,
        }
        .summary(&problems);
        assert_eq!(
            (summary.solved, summary.answered, summary.failed),
            (1, 2, 1)
        );
        assert_eq!(summary.points, Some([14, 30]));
        assert_eq!(
            (summary.seconds, summary.seconds_to_solution),
            (4.0, Some(2.0))
        );
        assert_eq!(summary.nodes_to_solution, None);
    }

    #[cfg(unix)]
    #[test]
    fn answers_are_kept_and_crashes_tried_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let [journal, flag] = ["s.journal", "flag"].map(|name| folder.path().join(name));
        let problems = problems(&format!("{START} bm e4;\n").repeat(3));
        let mut engine = EngineSpec::new("Moody", "sh");
        let script = "while read word rest; do case $word in uci) echo uciok;; isready) echo readyok;; \
                      go) [ -e \"$0\" ] && echo bestmove e2e4 || exit 3;; quit) exit;; esac; done";
        engine.arguments = ["-c", script, &flag.display().to_string()]
            .map(str::to_owned)
            .to_vec();
        engine.protocol = Some(crate::arena::Protocol::Uci);
        let engines = [engine];
        let suite_run = suite_run(&problems, &engines, 1);
        let run = || {
            let mut known = 0;
            let mut begun = None;
            let mut new = Vec::new();
            let mut notes = 0;
            let all = suite_run.run(
                Some(&journal),
                &StopSignal::default(),
                &mut |event| match event {
                    SolveEvent::Note(_) => notes += 1,
                    SolveEvent::Known(_) => known += 1,
                    SolveEvent::Begins { done } => begun = Some(done),
                    SolveEvent::Attempted { attempted, .. } => new.push(attempted.is_ok()),
                },
            );
            let all = all.expect("the engine starts").remove(0).attempts;
            assert_eq!(begun, Some(known));
            assert!(all.iter().all(Option::is_some));
            (known, new, notes)
        };
        assert_eq!(run(), (0, vec![false; 3], 0));
        std::fs::write(&flag, "").expect("written");
        assert_eq!(run(), (0, vec![true; 3], 0));
        assert_eq!(run(), (3, vec![], 0));
        let text = std::fs::read_to_string(&journal).expect("a journal");
        std::fs::write(&journal, &text[..text.len() - 9]).expect("written");
        assert_eq!(run(), (2, vec![true], 1));
    }

    #[test]
    fn an_engine_that_cannot_be_started_ends_it() {
        let problems = problems(&format!("{START} bm e4;\n").repeat(30));
        let engines = [EngineSpec::new("Nobody", "./no-such-engine")];
        let mut attempts = 0;
        let result =
            suite_run(&problems, &engines, 2).run(None, &StopSignal::default(), &mut |event| {
                if let SolveEvent::Attempted { attempted, .. } = event {
                    assert!(attempted.is_err());
                    attempts += 1;
                }
            });
        let error = result.expect_err("there is no such engine");
        assert_eq!(attempts, ENOUGH - 1, "the others are not even tried");
        assert!(error.to_string().contains("no-such-engine"), "{error}");
    }
}
