//! Times as the protocol writes them: seconds with a fraction, and `MIN` or `MIN:SEC`.

use std::time::Duration;

/// Seconds as a decimal number at the start of `text`, with a point, or with a comma as programs
/// write it in some languages; the rest is ignored, as the protocol asks. `None` if there is no
/// number or a negative one.
pub fn parse_seconds(text: &str) -> Option<Duration> {
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != '.' && c != ',')
        .unwrap_or(text.len());
    let seconds: f64 = text[..end].replace(',', ".").parse().ok()?;
    // A number too big for the type is as good as for ever.
    Some(Duration::from_secs_f64(seconds.min(MOST_SECONDS as f64)))
}

/// About three hundred years: no sum with it overflows.
const MOST_SECONDS: u64 = 10_000_000_000;

/// `MIN`, `MIN:SEC`, `:SEC` or minutes with decimals, the rest ignored.
pub fn parse_minutes(text: &str) -> Option<Duration> {
    let (minutes, rest) = text.split_at(
        text.find(|c: char| !c.is_ascii_digit())
            .unwrap_or(text.len()),
    );
    if rest.starts_with(['.', ',']) {
        return Some(
            parse_seconds(text)?
                .saturating_mul(60)
                .min(Duration::from_secs(MOST_SECONDS)),
        );
    }
    let seconds = rest.strip_prefix(':').and_then(parse_seconds);
    if minutes.is_empty() {
        return seconds;
    }
    let minutes: u64 = minutes
        .parse()
        .unwrap_or(MOST_SECONDS)
        .min(MOST_SECONDS / 60);
    Some(Duration::from_secs(minutes * 60) + seconds.unwrap_or_default())
}

/// Seconds with as many decimals as they need.
pub fn format_seconds(time: Duration) -> String {
    time.as_secs_f64().to_string()
}

/// `MIN`, or `MIN:SEC` where seconds are left.
pub fn format_minutes(time: Duration) -> String {
    let minutes = time.as_secs() / 60;
    let rest = time - Duration::from_secs(minutes * 60);
    if rest.is_zero() {
        minutes.to_string()
    } else {
        // Two digits before the point: "0:05", not "0:5".
        let pad = if rest.as_secs() < 10 { "0" } else { "" };
        format!("{minutes}:{pad}{}", format_seconds(rest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_may_have_a_fraction() {
        let seconds = |text| parse_seconds(text).map(|time| time.as_nanos());
        let read = [12_000_000_000, 100_000_000, 250_000_000, 123_456_789].map(Some);
        assert_eq!(["12", "0.1", ".25", "0.1234567891"].map(seconds), read);
        assert_eq!(seconds("0,1"), Some(100_000_000));
        assert_eq!(["-1", "soon", "1.2.3"].map(parse_seconds), [None; 3]);
        assert!(parse_seconds("99999999999999999999999999").is_some());
    }

    #[test]
    fn minutes_may_have_seconds_and_what_follows_is_ignored() {
        let seconds = |text| parse_minutes(text).map(|time| time.as_secs());
        assert_eq!(
            ["5", "0:05", "1:30", "25+5", "2:x"].map(seconds),
            [300, 5, 90, 1500, 120].map(Some)
        );
        assert_eq!(
            ["1.5", "0.5", "2.75 0", "1.", "2,5", ".5", ":30"].map(seconds),
            [90, 30, 165, 60, 150, 30, 30].map(Some)
        );
        let milliseconds = |text| parse_minutes(text).map(|time| time.as_millis());
        assert_eq!(
            ["0:00.5", "0:0.25", ".005", ":00,5"].map(milliseconds),
            [500, 250, 300, 500].map(Some)
        );
        assert_eq!(["", ":", "soon", "-1"].map(parse_minutes), [None; 4]);
    }

    #[test]
    fn what_is_written_is_read_back() {
        for milliseconds in [0, 1, 100, 1500, 5000, 59_999, 60_000, 61_250, 3_600_000] {
            let time = Duration::from_millis(milliseconds);
            assert_eq!(parse_seconds(&format_seconds(time)), Some(time));
            assert_eq!(parse_minutes(&format_minutes(time)), Some(time));
        }
        assert_eq!(
            [5, 300].map(|seconds| format_minutes(Duration::from_secs(seconds))),
            ["0:05", "5"]
        );
        assert_eq!(format_seconds(Duration::from_millis(100)), "0.1");
    }
}
