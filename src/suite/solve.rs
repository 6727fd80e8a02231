//! Engines that solve positions, several at once.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crossbeam_channel::{Sender, unbounded};

use super::{Analyst, Fault, Goal, Judgement, SuitePosition, Task, ThinkError, Thinking};
use crate::arena::client::ClientError;
use crate::arena::{EngineSpec, Limits, StopSignal};

/// An engine that has never answered, and was not ready for so many problems one after the other, will not be for the others.
const ENOUGH: usize = 3;

/// A position and what is to be found in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub position: SuitePosition,
    pub goal: Goal,
}

/// What an engine made of a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    pub thinking: Thinking,
    pub judgement: Judgement,
}

/// An attempt, or why there is no answer.
pub type Outcome = Result<Attempt, ThinkError>;

/// All attempts of one engine, by problem; `None` for those that it did not come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempts {
    /// The engine's name.
    pub engine: String,
    pub attempts: Vec<Option<Outcome>>,
}

/// A suite, and who solves it how.
#[derive(Clone, Debug)]
pub struct Contest<'a> {
    pub problems: &'a [Problem],
    pub engines: &'a [EngineSpec],
    /// For each problem, where an engine has no limits of its own.
    pub limits: Limits,
    /// How many engines think at the same time; 0 is taken for 1.
    pub concurrency: usize,
}

/// One of the jobs is done.
#[derive(Debug)]
struct Done {
    engine: usize,
    problem: usize,
    result: Outcome,
}

impl Contest<'_> {
    /// Every engine solves every problem, one engine after the other, so that those that wait take no memory.
    ///
    /// `observe` is called after each attempt. If `stop` is given, the rest is left out. An engine that fails at a problem goes on with the next.
    ///
    /// # Errors
    /// An engine that cannot be started, or cannot think under the limits at all: the text names it.
    pub fn run(
        &self,
        stop: &StopSignal,
        observe: &mut dyn FnMut(&EngineSpec, &Problem, &Outcome),
    ) -> Result<Vec<Attempts>, ClientError> {
        let mut all: Vec<Attempts> = self
            .engines
            .iter()
            .map(|engine| self.nothing_yet(engine))
            .collect();
        let jobs = AtomicUsize::new(0);
        // How often it was not ready; `None` once it has answered.
        let mut unready: Vec<Option<usize>> = vec![Some(0); self.engines.len()];
        // Whatever ends the contest ends it for all: the user, or an engine that is of no use.
        let end = StopSignal::new();
        let (sender, results) = unbounded();
        let mut useless = None;
        thread::scope(|scope| {
            for _ in 0..self.concurrency.clamp(1, self.jobs().max(1)) {
                let sender = sender.clone();
                let (jobs, end) = (&jobs, &end);
                scope.spawn(move || self.work(jobs, end, &sender));
            }
            drop(sender);
            loop {
                let done: Done = crossbeam_channel::select! {
                    recv(results) -> done => match done {
                        Ok(done) => done,
                        // Nobody works any more.
                        Err(_) => break,
                    },
                    recv(stop.receiver()) -> _ => {
                        end.stop();
                        break;
                    }
                };
                match (&done.result, &mut unready[done.engine]) {
                    (Err(error), _) if error.fault == Fault::Stopped => continue,
                    (Err(error), Some(times)) if matches!(error.fault, Fault::Unready(_)) => {
                        *times += 1;
                        if *times >= ENOUGH.min(self.problems.len()) {
                            useless = Some(ClientError::Failed(error.to_string()));
                            end.stop();
                            break;
                        }
                    }
                    (Err(_), _) => {}
                    (Ok(_), times) => *times = None,
                }
                observe(
                    &self.engines[done.engine],
                    &self.problems[done.problem],
                    &done.result,
                );
                all[done.engine].attempts[done.problem] = Some(done.result);
            }
        });
        useless.map_or(Ok(all), Err)
    }

    fn jobs(&self) -> usize {
        self.engines.len() * self.problems.len()
    }

    fn nothing_yet(&self, engine: &EngineSpec) -> Attempts {
        Attempts {
            engine: engine.name.clone(),
            attempts: vec![None; self.problems.len()],
        }
    }

    /// Takes one job after the other.
    fn work(&self, jobs: &AtomicUsize, end: &StopSignal, results: &Sender<Done>) {
        let mut seat: Option<(usize, Analyst)> = None;
        while !end.is_stopped() {
            let job = jobs.fetch_add(1, Ordering::Relaxed);
            if job >= self.jobs() {
                return;
            }
            let (engine, problem) = (job / self.problems.len(), job % self.problems.len());
            if seat.as_ref().is_some_and(|(seated, _)| *seated != engine) {
                seat = None;
            }
            let result = self.attempt(&mut seat, engine, problem, end);
            let done = Done {
                engine,
                problem,
                result,
            };
            if results.send(done).is_err() {
                return;
            }
        }
    }

    fn attempt(
        &self,
        seat: &mut Option<(usize, Analyst)>,
        engine: usize,
        problem: usize,
        end: &StopSignal,
    ) -> Outcome {
        let (spec, problem) = (&self.engines[engine], &self.problems[problem]);
        if seat.is_none() {
            let analyst = Analyst::start(spec, self.limits, end).map_err(|error| ThinkError {
                engine: spec.name.clone(),
                position: problem.position.fen.clone(),
                fault: Fault::unready(&spec.name, error),
            })?;
            *seat = Some((engine, analyst));
        }
        let (_, analyst) = seat.as_mut().expect("somebody was seated just now");
        let thinking = analyst.think(&Task::new(&problem.position.fen))?;
        let judgement = problem.goal.judge(&thinking);
        Ok(Attempt { thinking, judgement })
    }
}

/// What an engine did in all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    pub solved: usize,
    /// Problems with an answer, right or wrong.
    pub answered: usize,
    /// Problems at which it failed.
    pub failed: usize,
    /// Points, and the most there were; both of answered and failed problems. `None` if no problem has points.
    pub points: Option<[u32; 2]>,
    /// Seconds that it thought, in all.
    pub seconds: f64,
    /// Mean seconds to a solution, of those solved.
    pub seconds_to_solution: Option<f64>,
    /// Mean nodes to a solution, of those solved whose nodes were said.
    pub nodes_to_solution: Option<f64>,
}

impl Attempts {
    /// The sums. `problems` are those that were attempted, in the same order.
    pub fn summary(&self, problems: &[Problem]) -> Summary {
        let mut summary = Summary::default();
        let (mut seconds, mut nodes) = (Vec::new(), Vec::new());
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
    use std::path::Path;
    use std::time::Duration;

    use super::*;
    use crate::suite::PositionList;

    /// Problems as a list has them.
    fn problems(text: &str) -> Vec<Problem> {
        let mut list = PositionList::default();
        list.add(Path::new("test.epd"), text.as_bytes());
        let all = list.positions.into_iter();
        all.map(|position| Problem {
            goal: Goal::of(&position).expect("a goal"),
            position,
        })
        .collect()
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    #[test]
    fn failures_have_no_points_and_what_was_not_tried_does_not_count() {
        let one = format!("{START} c7 \"e4 d4\"; c8 \"10 4\";\n");
        let problems = problems(&one.repeat(4));
        let attempt = |best: &str, problem: usize| {
            let thinking = Thinking {
                best: best.to_owned(),
                san: best.to_owned(),
                lines: Vec::new(),
                time: Duration::from_secs(2),
            };
            let judgement = problems[problem].goal.judge(&thinking);
            Some(Ok(Attempt { thinking, judgement }))
        };
        let error = ThinkError {
            engine: "A".to_owned(),
            position: START.to_owned(),
            fault: Fault::Flood,
        };
        let attempts = Attempts {
            engine: "A".to_owned(),
            attempts: vec![attempt("e2e4", 0), attempt("d2d4", 1), Some(Err(error)), None],
        };
        let summary = attempts.summary(&problems);
        assert_eq!((summary.solved, summary.answered, summary.failed), (1, 2, 1));
        assert_eq!(summary.points, Some([14, 30]));
        assert_eq!((summary.seconds, summary.seconds_to_solution), (4.0, Some(2.0)));
        assert_eq!(summary.nodes_to_solution, None);
    }

    #[test]
    fn an_engine_that_cannot_be_started_ends_it() {
        let problems = problems(&format!("{START} bm e4;\n").repeat(30));
        let engines = [EngineSpec::new("Nobody", "./no-such-engine")];
        let contest = Contest {
            problems: &problems,
            engines: &engines,
            limits: "depth=1".parse().expect("limits"),
            concurrency: 2,
        };
        let mut attempts = 0;
        let error = contest
            .run(&StopSignal::new(), &mut |_, _, result| {
                assert!(result.is_err());
                attempts += 1;
            })
            .expect_err("there is no such engine");
        assert_eq!(attempts, ENOUGH - 1, "the others are not even tried");
        assert!(error.to_string().contains("no-such-engine"), "{error}");
    }
}
