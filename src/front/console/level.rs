//! Time controls as people write them.

use std::time::Duration;

use crate::display::counted;
use crate::protocol::xboard::duration::{format_minutes, format_seconds, parse_minutes, parse_seconds};
use crate::search::time_control::TimeControl;

/// Nobody plays longer for anything; what is longer is a mistake of typing.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 3600);

/// Reads `2s` (a move), `5` (minutes for the game), `5+3` (and seconds a move), `40/5` (moves in minutes);
/// minutes may be `MIN:SEC`. No time at all is no level, nor is more than a year.
pub fn parse(text: &str) -> Option<TimeControl> {
    let control = read(text)?;
    let time = match control {
        TimeControl::Fixed { per_move } => per_move,
        TimeControl::Incremental { base, increment } | TimeControl::Conventional { base, increment, .. } => {
            base.saturating_add(increment)
        }
    };
    (!time.is_zero() && time <= LONGEST).then_some(control)
}

fn read(text: &str) -> Option<TimeControl> {
    if let Some(seconds) = text.strip_suffix('s') {
        return Some(TimeControl::Fixed { per_move: whole(seconds, parse_seconds)? });
    }
    if let Some((moves, base)) = text.split_once('/') {
        let (base, increment) = base_and_increment(base)?;
        return Some(TimeControl::Conventional {
            moves: moves.parse().ok().filter(|&moves| moves > 0)?,
            base,
            increment,
        });
    }
    let (base, increment) = base_and_increment(text)?;
    Some(TimeControl::Incremental { base, increment })
}

fn base_and_increment(text: &str) -> Option<(Duration, Duration)> {
    match text.split_once('+') {
        Some((base, increment)) => Some((whole(base, parse_minutes)?, whole(increment, parse_seconds)?)),
        None => Some((whole(text, parse_minutes)?, Duration::ZERO)),
    }
}

/// The protocol ignores what follows a number; a person who types it meant something.
fn whole(text: &str, parse: fn(&str) -> Option<Duration>) -> Option<Duration> {
    let is_number = !text.is_empty() && text.chars().all(|c| c.is_ascii_digit() || c == '.' || c == ':');
    is_number.then(|| parse(text))?
}

/// A time control in words.
pub fn describe(control: TimeControl) -> String {
    let minutes = |time: Duration| counted(format_minutes(time), "minute");
    let seconds = |time: Duration| counted(format_seconds(time), "second");
    let plus = |increment: Duration| match increment.is_zero() {
        true => String::new(),
        false => format!(" and {} a move", seconds(increment)),
    };
    match control {
        TimeControl::Fixed { per_move } => format!("{} a move", seconds(per_move)),
        TimeControl::Incremental { base, increment } => {
            format!("{} for the game{}", minutes(base), plus(increment))
        }
        TimeControl::Conventional { moves, base, increment } => {
            format!("{} in {}{}", counted(moves, "move"), minutes(base), plus(increment))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENDLESS: &str = "99999999999999999999";

    #[test]
    fn what_people_write() {
        for (text, words) in [
            ("2s", "2 seconds a move"),
            ("1s", "1 second a move"),
            ("1/1", "1 move in 1 minute"),
            ("2+1", "2 minutes for the game and 1 second a move"),
            ("0.5s", "0.5 seconds a move"),
            ("5", "5 minutes for the game"),
            ("1+3", "1 minute for the game and 3 seconds a move"),
            ("0:30+0.1", "0:30 minutes for the game and 0.1 seconds a move"),
            ("40/5", "40 moves in 5 minutes"),
        ] {
            assert_eq!(parse(text).map(describe).as_deref(), Some(words), "{text}");
        }
        for text in
            ["", "s", "fast", "5+", "0/5", "x/5", "5 minutes", "5m", "0", "0s", "40/0", "0+0", ENDLESS]
        {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
