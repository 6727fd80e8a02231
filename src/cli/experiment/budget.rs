//! The hours that `kashan experiment` may take, and what is said of them.

use std::fmt::Write as _;
use std::thread;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;

use crate::lab::experiment::plan::Step;
use crate::lab::experiment::{Conditions, Experiment, Watcher as _};
use crate::util::display::{Format, Table, counted};
use crate::util::jobs::StopRequest;

/// More hours are more than a year.
const MOST_HOURS: f64 = 10_000.0;

/// As the command line has them.
pub fn hours(text: &str) -> Result<f64, String> {
    let hours = text.parse().ok().filter(|hours| (0.0..=MOST_HOURS).contains(hours));
    hours.ok_or_else(|| format!("hours are meant, from 0 to {MOST_HOURS}: 8, 0.5"))
}

/// The hours that were given.
pub struct Budget {
    hours: f64,
    cores: f64,
    end: Instant,
}

impl Budget {
    /// They begin now. At their end the user's wish to stop is said, as if by Control-C.
    pub fn begin(hours: f64, conditions: &Conditions, stop: &StopRequest, bar: &ProgressBar) -> Budget {
        let time = Duration::from_secs_f64(3600.0 * hours);
        let end = Instant::now() + time;
        let (stop, bar) = (stop.clone(), bar.clone());
        thread::spawn(move || {
            thread::sleep(time);
            // Said twice it would break games off; and in no time nothing runs.
            if !stop.is_said() && !time.is_zero() {
                bar.note("the hours are over; stopping after what is running");
                stop.say();
            }
        });
        Budget { hours, cores: conditions.concurrency as f64, end }
    }

    /// Minutes of a core, of all cores together.
    pub fn minutes(&self) -> f64 {
        60.0 * self.hours * self.cores
    }

    pub fn is_over(&self) -> bool {
        self.end <= Instant::now()
    }

    /// Whether there is time left for so many minutes of a core.
    pub fn has(&self, minutes: f64) -> bool {
        let left = self.end.saturating_duration_since(Instant::now());
        !self.is_over() && 60.0 * minutes <= left.as_secs_f64() * self.cores
    }

    /// What was not done, as the report says it; nothing if nothing was left out. The first one may have been
    /// begun.
    pub fn left_out(&self, steps: &[Step], is_begun: bool) -> String {
        let words = steps.iter().enumerate().map(|(index, Step { experiment, minutes, .. })| {
            let begun = if is_begun && index == 0 { "begun; " } else { "" };
            format!("{} ({begun}{})", experiment.id, in_words(*minutes))
        });
        match steps {
            [] => String::new(),
            _ => format!(
                "Not done in the time that was given (`--hours {}`; estimates are of a core): {}. The same command goes on.",
                self.hours,
                words.collect::<Vec<_>>().join(", ")
            ),
        }
    }
}

/// What is going to be done, and what is not.
pub fn table(
    finished: &[Experiment],
    steps: &[Step],
    budget: Option<&Budget>,
    conditions: &Conditions,
) -> String {
    let mut table = Table::headed(" | Experiment | Minutes | ");
    for experiment in finished {
        table.row([experiment.id, &experiment.text.title, "", "finished"]);
    }
    for Step { experiment, minutes, fits } in steps {
        let fate = match fits {
            true => "planned".to_owned(),
            false => format!("left out: does not fit into {} h", budget.map_or(0.0, |budget| budget.hours)),
        };
        table.row([experiment.id, &experiment.text.title, &format!("{minutes:.0}"), &fate]);
    }
    let mut text = table.render(Format::Terminal);
    let planned = || steps.iter().filter(|step| step.fits);
    let minutes = planned().fold(0.0, |sum, step| sum + step.minutes);
    let _ = write!(text, "{} planned: {}", counted(planned().count(), "experiment"), in_words(minutes));
    if let Some(budget) = budget {
        let _ = write!(text, " of {}", in_words(budget.minutes()));
    }
    text.push_str(" of a core, by estimates; what was begun before takes less.");
    if conditions.games.is_some() || conditions.nodes.is_some() || conditions.limits.is_some() {
        text.push_str(
            " They are of the experiments' own games and limits, whatever --games, --nodes and --tc say.",
        );
    }
    text
}

/// `35 minutes`, `2.4 hours`
fn in_words(minutes: f64) -> String {
    match minutes < 100.0 {
        true => counted(format_args!("{minutes:.0}"), "minute"),
        false => format!("{:.1} hours", minutes / 60.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_are_read_and_others_refused() {
        assert_eq!((hours("8"), hours("0.5"), hours("0")), (Ok(8.0), Ok(0.5), Ok(0.0)));
        for text in ["", "-1", "NaN", "inf", "10001", "8h"] {
            assert!(hours(text).is_err_and(|error| error.contains("hours")), "{text}");
        }
    }

    #[test]
    fn durations_in_words() {
        let words = [0.2, 1.0, 35.4, 99.0, 100.0, 528.0].map(in_words);
        assert_eq!(words, ["0 minutes", "1 minute", "35 minutes", "99 minutes", "1.7 hours", "8.8 hours"]);
    }
}
