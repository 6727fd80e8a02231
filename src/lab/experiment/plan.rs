//! Which experiments fit into some hours, and how several machines share them, by the estimates of the
//! catalogue.

use std::collections::BTreeSet;

use super::{Conditions, Experiment, PREFACE, Scale};
use crate::util::jobs::Part;

/// An experiment that is to be done.
#[derive(Debug)]
pub struct Step {
    pub experiment: Experiment,
    /// What it takes of a core, after those before it; an estimate.
    pub minutes: f64,
    /// Whether it is done before the time is over, if the estimates are right.
    pub fits: bool,
}

/// Minutes of a core that an experiment takes, where some of what is shared is there already.
fn minutes(experiment: &Experiment, conditions: &Conditions, made: &BTreeSet<String>) -> f64 {
    let text = &experiment.text;
    let shared = text.shares.iter().filter(|work| !made.contains(*work)).map(|work| PREFACE.shared[work]);
    let minutes = text.minutes + shared.sum::<f64>();
    match conditions.scale {
        Scale::Quick => minutes.min(1.0),
        Scale::Full if experiment.text.heeds("evolution") => minutes * conditions.share_of_evolutions(),
        Scale::Full => minutes,
    }
}

/// The order in which experiments are done, and which of them fit into so many minutes of a core: the
/// cheapest first, so that most are done. Without a limit all fit, in the order in which they are given.
/// What the finished ones made is not made again.
pub fn plan(
    mut open: Vec<Experiment>,
    finished: &[Experiment],
    conditions: &Conditions,
    limit: Option<f64>,
) -> Vec<Step> {
    let mut made: BTreeSet<String> = finished.iter().flat_map(|one| one.text.shares.clone()).collect();
    let (mut steps, mut sum) = (Vec::new(), 0.0);
    while !open.is_empty() {
        let minutes: Vec<f64> = open.iter().map(|one| minutes(one, conditions, &made)).collect();
        let cheapest = (0..open.len()).min_by(|&one, &other| minutes[one].total_cmp(&minutes[other]));
        let next = limit.and(cheapest).unwrap_or(0);
        let (experiment, minutes) = (open.remove(next), minutes[next]);
        made.extend(experiment.text.shares.iter().cloned());
        sum += minutes;
        steps.push(Step { experiment, minutes, fits: limit.is_none_or(|limit| sum < limit) });
    }
    steps
}

/// What one of several machines does: the dearest experiment goes first, each to the machine that then has
/// the least to do. The same experiments under the same conditions are always dealt in the same way.
pub fn deal(chosen: Vec<Experiment>, part: Part, conditions: &Conditions) -> Vec<Experiment> {
    #[derive(Clone, Default)]
    struct Machine {
        minutes: f64,
        made: BTreeSet<String>,
        ids: BTreeSet<&'static str>,
    }
    let alone = |experiment: &Experiment| minutes(experiment, conditions, &BTreeSet::new());
    let mut dearest: Vec<&Experiment> = chosen.iter().collect();
    dearest.sort_by(|one, other| alone(other).total_cmp(&alone(one)));
    let mut machines = vec![Machine::default(); part.all().count()];
    for experiment in dearest {
        let after = |machine: &Machine| machine.minutes + minutes(experiment, conditions, &machine.made);
        let least = machines.iter_mut().min_by(|one, other| after(one).total_cmp(&after(other)));
        let machine = least.expect("there is a part at least");
        machine.minutes = after(machine);
        machine.made.extend(experiment.text.shares.iter().cloned());
        machine.ids.insert(experiment.id);
    }
    let own: BTreeSet<&str> = machines
        .iter()
        .enumerate()
        .filter(|(index, _)| part.has(*index))
        .flat_map(|(_, one)| one.ids.clone())
        .collect();
    chosen.into_iter().filter(|experiment| own.contains(experiment.id)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::experiment::catalogue;

    fn chosen(ids: &[&str]) -> Vec<Experiment> {
        catalogue().into_iter().filter(|one| ids.contains(&one.id)).collect()
    }

    #[test]
    fn all_but_arithmetic_has_an_estimate_and_what_is_shared_is_shared() {
        let mut free = catalogue();
        free.retain(|one| one.text.minutes == 0.0 && one.text.shares.is_empty());
        assert!(free.iter().map(|one| one.id).eq(["C6", "T1", "A5", "A6", "M1"]), "{free:?}");
        for work in PREFACE.shared.keys() {
            let users = catalogue().iter().filter(|one| one.text.shares.contains(work)).count();
            assert!(users > 1, "{work} is of {users}");
        }
    }

    #[test]
    fn the_cheapest_come_first_and_what_is_shared_is_counted_once() {
        let conditions = Conditions::default();
        let ids = ["C2", "C9", "C12", "T3", "T4", "T9"];
        let steps = plan(chosen(&ids), &[], &conditions, Some(400.0));
        let order = |steps: &[Step]| steps.iter().map(|step| step.experiment.id).collect::<Vec<_>>();
        assert_eq!(order(&steps)[..2], ["C2", "C9"]);
        let alone = |id: &str| minutes(&chosen(&[id])[0], &conditions, &BTreeSet::new());
        let sum: f64 = steps.iter().map(|step| step.minutes).sum();
        let apart: f64 = ids.iter().map(|id| alone(id)).sum();
        let paper = PREFACE.shared["paper"];
        assert!((apart - sum - 2.0 * paper).abs() < 1e-9, "{apart} {sum}");
        assert!(steps[0].fits && steps[1].fits && !steps[5].fits, "{steps:?}");
        // What is finished has made what it shares; without a limit the order stays.
        let steps = plan(chosen(&["T9", "C2"]), &chosen(&["T2"]), &conditions, None);
        assert_eq!(order(&steps), ["C2", "T9"]);
        assert_eq!((steps[1].minutes, steps[1].fits), (alone("T9") - paper, true));
        assert!(plan(chosen(&["C6"]), &[], &conditions, Some(0.0)).iter().all(|step| !step.fits));
    }

    #[test]
    fn a_smaller_evolution_takes_less_and_a_quick_run_a_minute() {
        let of = |id: &str, conditions: &Conditions| plan(chosen(&[id]), &[], conditions, None)[0].minutes;
        let full = Conditions::default();
        let half = Conditions { seeds: Some(10), ..full.clone() };
        let small = Conditions { evolution: "22,25,48".parse().ok(), ..full.clone() };
        assert!((of("T9", &half) / of("T9", &full) - 0.5).abs() < 1e-9);
        assert!((of("T9", &small) / of("T9", &full) - 0.25).abs() < 1e-9);
        assert_eq!(of("C9", &half), of("C9", &full));
        assert_eq!(of("T9", &Conditions { scale: Scale::Quick, ..full }), 1.0);
    }

    #[test]
    fn parts_have_every_experiment_once_and_are_balanced() {
        let conditions = Conditions::default();
        for of in [1, 2, 3, 8, 100] {
            let first: Part = format!("1/{of}").parse().expect("a part");
            let parts: Vec<Vec<Experiment>> =
                first.all().map(|part| deal(catalogue(), part, &conditions)).collect();
            let ids: BTreeSet<&str> = parts.iter().flatten().map(|one| one.id).collect();
            assert_eq!([ids.len(), parts.iter().flatten().count()], [catalogue().len(); 2], "{of} parts");
            let steps = parts.into_iter().map(|part| plan(part, &[], &conditions, None));
            let minutes: Vec<f64> = steps.map(|all| all.iter().map(|step| step.minutes).sum()).collect();
            let most = minutes.iter().copied().fold(0.0, f64::max);
            let alone = |one: &Experiment| super::minutes(one, &conditions, &BTreeSet::new());
            let dearest = catalogue().iter().map(alone).fold(0.0, f64::max);
            let mean = minutes.iter().sum::<f64>() / f64::from(of);
            assert!(most <= mean + dearest, "{of} parts: {minutes:?}");
            assert!(of != 8 || most < 1.6 * mean, "{minutes:?}");
        }
    }
}
