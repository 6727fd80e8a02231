//! Dates and times of day in UTC, as PGN and logs write them.

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A moment of the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Utc {
    pub year: u64,
    pub month: u8,
    pub day: u8,
    /// Since midnight.
    time: Duration,
}

impl Utc {
    /// The moment that the system's clock shows; 1970 if it stands before that.
    pub fn now() -> Utc {
        Utc::since_1970(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default())
    }

    /// The moment so long after the beginning of 1970.
    pub fn since_1970(duration: Duration) -> Utc {
        const DAY: u64 = 24 * 60 * 60;
        let seconds = duration.as_secs();
        // Years begin in March here, so that the day of a leap year is the last. Four hundred years have as many
        // days as any other four hundred. From Howard Hinnant, "chrono-compatible low-level date algorithms".
        let days = seconds / DAY + 719_468;
        let era = days / 146_097;
        let of_era = days % 146_097;
        let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let from_march = (5 * of_year + 2) / 153;
        let day = of_year - (153 * from_march + 2) / 5 + 1;
        let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
        let year = 400 * era + year_of_era + u64::from(month <= 2);
        let time = duration - Duration::from_secs(seconds / DAY * DAY);
        Utc { year, month: month as u8, day: day as u8, time }
    }

    /// `2026.11.29`
    pub fn date(&self) -> String {
        format!("{:04}.{:02}.{:02}", self.year, self.month, self.day)
    }

    /// `08:15:00`
    pub fn time_of_day(&self) -> String {
        let seconds = self.time.as_secs();
        format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
    }
}

/// `2026-11-29T08:15:00.000Z`
impl fmt::Display for Utc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let date = self.date().replace('.', "-");
        write!(f, "{date}T{}.{:03}Z", self.time_of_day(), self.time.subsec_millis())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> String {
        Utc::since_1970(Duration::from_secs(seconds)).to_string()
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400, "2000-02-29T00:00:00.000Z"),
            (1_000_000_000, "2001-09-09T01:46:40.000Z"),
            (1_709_251_199, "2024-02-29T23:59:59.000Z"),
            (1_709_251_200, "2024-03-01T00:00:00.000Z"),
            (1_767_225_599, "2025-12-31T23:59:59.000Z"),
            (4_107_542_400, "2100-03-01T00:00:00.000Z"),
        ] {
            assert_eq!(at(seconds), expected);
        }
        let moment = Utc::since_1970(Duration::from_millis(1_796_000_000_123));
        assert!(moment.to_string().ends_with(".123Z"));
        assert_eq!(format!("{} {}", moment.date(), moment.time_of_day()).len(), 19);
    }
}
