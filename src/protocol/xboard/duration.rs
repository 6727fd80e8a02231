//! Times as the protocol writes them: seconds with a fraction, and `MIN` or `MIN:SEC`.

use std::time::Duration;

/// Seconds as a decimal number at the start of `text`; what follows the number is ignored, as the protocol
/// asks. `None` if there is no number or it is negative.
pub fn parse_seconds(text: &str) -> Option<Duration> {
    let (whole, rest) = split_digits(text);
    let (fraction, _) = match rest.strip_prefix('.') {
        Some(rest) => split_digits(rest),
        None => ("", rest),
    };
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    // A number too big for the type is as good as for ever.
    let seconds = if whole.is_empty() { 0 } else { whole.parse().unwrap_or(MOST_SECONDS).min(MOST_SECONDS) };
    let nanoseconds = fraction
        .bytes()
        .chain(std::iter::repeat(b'0'))
        .take(9)
        .fold(0, |sum, digit| sum * 10 + u32::from(digit - b'0'));
    Some(Duration::new(seconds, nanoseconds))
}

/// About three hundred years: nothing that is added to it overflows.
const MOST_SECONDS: u64 = 10_000_000_000;

/// `MIN` or `MIN:SEC`, anything after it ignored.
pub fn parse_minutes(text: &str) -> Option<Duration> {
    let (minutes, rest) = split_digits(text);
    if minutes.is_empty() {
        return None;
    }
    let minutes: u64 = minutes.parse().unwrap_or(MOST_SECONDS).min(MOST_SECONDS / 60);
    let seconds = rest.strip_prefix(':').and_then(parse_seconds).unwrap_or_default();
    Some(Duration::from_secs(minutes * 60) + seconds)
}

/// Seconds with as many decimals as they need.
pub fn format_seconds(time: Duration) -> String {
    let fraction = format!("{:09}", time.subsec_nanos());
    match fraction.trim_end_matches('0') {
        "" => time.as_secs().to_string(),
        fraction => format!("{}.{fraction}", time.as_secs()),
    }
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

fn split_digits(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text.split_at(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_may_have_a_fraction() {
        assert_eq!(parse_seconds("12"), Some(Duration::from_secs(12)));
        assert_eq!(parse_seconds("0.1"), Some(Duration::from_millis(100)));
        assert_eq!(parse_seconds(".25"), Some(Duration::from_millis(250)));
        assert_eq!(parse_seconds("0.1234567899"), Some(Duration::from_nanos(123_456_789)));
        assert_eq!(parse_seconds("-1"), None);
        assert_eq!(parse_seconds("soon"), None);
        assert!(parse_seconds("99999999999999999999999999").is_some());
    }

    #[test]
    fn minutes_may_have_seconds_and_what_follows_is_ignored() {
        assert_eq!(parse_minutes("5"), Some(Duration::from_secs(300)));
        assert_eq!(parse_minutes("0:05"), Some(Duration::from_secs(5)));
        assert_eq!(parse_minutes("1:30"), Some(Duration::from_secs(90)));
        assert_eq!(parse_minutes("25+5"), Some(Duration::from_secs(1500)));
        assert_eq!(parse_minutes("2:x"), Some(Duration::from_secs(120)));
        assert_eq!(parse_minutes(":30"), None);
    }

    #[test]
    fn what_is_written_is_read_back() {
        for milliseconds in [0, 1, 100, 1500, 5000, 59_999, 60_000, 61_250, 3_600_000] {
            let time = Duration::from_millis(milliseconds);
            assert_eq!(parse_seconds(&format_seconds(time)), Some(time));
            assert_eq!(parse_minutes(&format_minutes(time)), Some(time));
        }
        assert_eq!(format_minutes(Duration::from_secs(5)), "0:05");
        assert_eq!(format_minutes(Duration::from_secs(300)), "5");
        assert_eq!(format_seconds(Duration::from_millis(100)), "0.1");
    }
}
