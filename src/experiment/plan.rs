//! Which experiments fit into some hours, and how several machines share them, by the estimates of the
//! catalogue.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::{CATALOGUE, Conditions, Experiment, Scale};
use crate::jobs::Part;

/// An experiment that is to be done.
#[derive(Debug)]
pub struct Step {
    pub experiment: Experiment,
    /// What it takes of a core, after those before it; an estimate.
    pub minutes: f64,
    /// Whether it is done before the time is over, if the estimates are right.
    pub fits: bool,
}

/// What experiments take.
struct Estimates<'c> {
    conditions: &'c Conditions,
    /// Minutes of a core of work that several experiments need.
    shared: BTreeMap<String, f64>,
}

impl Estimates<'_> {
    fn under(conditions: &Conditions) -> Estimates<'_> {
        #[derive(Deserialize)]
        struct Shared {
            shared: BTreeMap<String, f64>,
        }
        let Shared { shared } = toml::from_str(CATALOGUE).expect("the catalogue is TOML");
        Estimates { conditions, shared }
    }

    /// Minutes of a core, where some of what is shared is there already.
    fn minutes(&self, experiment: &Experiment, made: &BTreeSet<String>) -> f64 {
        let text = &experiment.text;
        let shared = text.shares.iter().filter(|work| !made.contains(*work)).map(|work| self.shared[work]);
        let minutes = text.minutes + shared.sum::<f64>();
        match self.conditions.scale {
            Scale::Quick => minutes.min(1.0),
            Scale::Full if experiment.has_evolutions() => minutes * self.conditions.share_of_evolutions(),
            Scale::Full => minutes,
        }
    }
}

/// The order in which experiments are done, and which of them fit into so many minutes of a core: the cheapest
/// first, so that most are done. Without a limit all fit, in the order in which they are given. What the
/// finished ones made is not made again.
pub fn plan(
    mut open: Vec<Experiment>,
    finished: &[Experiment],
    conditions: &Conditions,
    limit: Option<f64>,
) -> Vec<Step> {
    let estimates = Estimates::under(conditions);
    let mut made: BTreeSet<String> = finished.iter().flat_map(|one| one.text.shares.clone()).collect();
    let (mut steps, mut sum) = (Vec::new(), 0.0);
    while !open.is_empty() {
        let minutes: Vec<f64> = open.iter().map(|one| estimates.minutes(one, &made)).collect();
        let next = match limit {
            Some(_) => (0..open.len()).min_by(|&one, &other| minutes[one].total_cmp(&minutes[other])),
            None => None,
        };
        let next = next.unwrap_or(0);
        let (experiment, minutes) = (open.remove(next), minutes[next]);
        made.extend(experiment.text.shares.iter().cloned());
        sum += minutes;
        steps.push(Step { experiment, minutes, fits: limit.is_none_or(|limit| sum <= limit) });
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
    let estimates = Estimates::under(conditions);
    let alone = |experiment: &Experiment| estimates.minutes(experiment, &BTreeSet::new());
    let mut dearest: Vec<&Experiment> = chosen.iter().collect();
    dearest.sort_by(|one, other| alone(other).total_cmp(&alone(one)));
    let mut machines = vec![Machine::default(); part.all().count()];
    for experiment in dearest {
        let after = |machine: &Machine| machine.minutes + estimates.minutes(experiment, &machine.made);
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
