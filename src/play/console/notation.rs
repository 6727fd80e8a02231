//! Moves and time controls as people type them. `nf3`, `0-0`, `e2-e4`, `E4` and `Nf3` for a
//! capture are as good as what the rules of notation want.

use std::ops::RangeInclusive;
use std::time::Duration;

use chess::{ChessMove, Piece};

use crate::rules::position::moves::is_capture;
use crate::rules::position::{MoveError, Position};
use crate::rules::protocol::xboard::duration::{
    format_minutes, format_seconds, parse_minutes, parse_seconds,
};
use crate::search::time_control::TimeControl;
use crate::util::display::counted;

/// Reads a typed move. Proper notation has its exact meaning; only other text is matched with
/// similar spellings.
///
/// # Errors
/// [`MoveError::Unreadable`] if no reading looks like a move; [`MoveError::Illegal`] also for a
/// capture where there is nothing to capture.
pub fn read(position: &Position, typed: &str) -> Result<ChessMove, MoveError> {
    let mv = read_move(position, typed)?;
    if typed.contains(['x', 'X', ':']) && !is_capture(position.board(), mv) {
        return Err(MoveError::Illegal(typed.to_owned()));
    }
    Ok(mv)
}

fn read_move(position: &Position, typed: &str) -> Result<ChessMove, MoveError> {
    let mut error = match position.parse_move(typed) {
        Ok(mv) => return Ok(mv),
        Err(error) => error,
    };
    if let Some(mv) = meant(position, typed) {
        return Ok(mv);
    }
    // A proper spelling may tell whether the text is a move at all.
    let plain = plain(typed);
    let mut capital = plain.clone();
    if let Some(first) = capital.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    for form in [plain, capital] {
        if let MoveError::Unreadable(_) = error
            && let Err(refusal @ (MoveError::Illegal(_) | MoveError::Ambiguous(_))) =
                position.parse_move(&form)
        {
            error = refusal;
        }
    }
    Err(error)
}

/// Returns the legal moves with the same beginning as the typed text: from the same square,
/// otherwise of the same piece or pawn. For a capture that takes nothing, that is the move without
/// its sign.
pub fn similar(position: &Position, typed: &str) -> Vec<ChessMove> {
    if let Ok(mv) = read_move(position, typed) {
        return vec![mv];
    }
    let plain = plain(typed);
    let moves = position.legal_moves();
    let beginning = |start: &str, spell: &dyn Fn(ChessMove) -> String| -> Vec<ChessMove> {
        let begins = |mv: &ChessMove| !start.is_empty() && spell(*mv).starts_with(start);
        moves.iter().copied().filter(begins).collect()
    };
    let from_square = beginning(plain.get(..2).unwrap_or_default(), &|mv| mv.to_string());
    if !from_square.is_empty() {
        return from_square;
    }
    // A small "b" is a pawn's.
    let first = typed.get(..1).unwrap_or_default();
    let piece = if "BKNOQRknoqr".contains(first) {
        first.to_ascii_uppercase()
    } else {
        first.to_ascii_lowercase()
    };
    beginning(&piece, &|mv| position.san(mv))
}

/// Returns the legal move with a spelling like the typed text: in short or long notation, with or
/// without hyphens, signs for capture, promotion and check, and capital letters.
fn meant(position: &Position, typed: &str) -> Option<ChessMove> {
    let text = plain(typed);
    // "bc4" is a pawn's capture if there is one, else a move of the bishop; "Bc4" never is a
    // pawn's, though "B4" is.
    let second = typed.chars().nth(1);
    let names_the_bishop =
        typed.starts_with('B') && second.is_some_and(|second| !second.is_ascii_digit());
    let mut found = None;
    for mv in position.legal_moves() {
        let piece = position.board().piece_on(mv.get_source())?;
        let fits = plain(&position.san(mv)) == text
            || mv.to_string() == text
            || piece != Piece::Pawn
                && format!("{}{mv}", piece.to_string(chess::Color::Black)) == text;
        match piece {
            _ if !fits => {}
            Piece::Pawn if names_the_bishop => {}
            Piece::Pawn => return Some(mv),
            _ => found = Some(mv),
        }
    }
    found
}

/// Returns letters and digits only, all of them small; castling in proper notation.
fn plain(text: &str) -> String {
    let text = text.replace(['-', 'x', 'X', ':', '=', '+', '#', '!', '?'], "");
    let text = text.to_ascii_lowercase();
    match text.as_str() {
        "00" | "oo" => "O-O".to_owned(),
        "000" | "ooo" => "O-O-O".to_owned(),
        _ => text,
    }
}

/// The plausible times of a level; a time beyond is a typing mistake.
const LEVELS: RangeInclusive<Duration> =
    Duration::from_millis(10)..=Duration::from_secs(365 * 24 * 3600);

/// Reads `2s` (a move), `5` (minutes for the game), `5+3` (and seconds a move), `40/5` (moves in
/// minutes); minutes may be `MIN:SEC` or have decimals. Less than 0.01 s is no level, nor is more
/// than a year.
pub fn level(text: &str) -> Option<TimeControl> {
    within_reason(time_control(text)?)
}

fn within_reason(control: TimeControl) -> Option<TimeControl> {
    let time = match control {
        TimeControl::Fixed { per_move } => per_move,
        TimeControl::Incremental { base, increment }
        | TimeControl::Conventional {
            base, increment, ..
        } => base.saturating_add(increment),
    };
    LEVELS.contains(&time).then_some(control)
}

fn time_control(text: &str) -> Option<TimeControl> {
    match text.strip_suffix('s') {
        Some(seconds) => Some(TimeControl::Fixed {
            per_move: whole(seconds, parse_seconds)?,
        }),
        None => of_base(text, parse_minutes),
    }
}

fn of_base(text: &str, parse_base: fn(&str) -> Option<Duration>) -> Option<TimeControl> {
    let (moves, time) = match text.split_once('/') {
        Some((moves, time)) => (moves.parse().ok().filter(|&moves| moves > 0)?, time),
        None => (0, text),
    };
    let (base, increment) = match time.split_once('+') {
        Some((base, increment)) => (whole(base, parse_base)?, whole(increment, parse_seconds)?),
        None => (whole(time, parse_base)?, Duration::ZERO),
    };
    Some(TimeControl::new(moves, base, increment))
}

/// Returns a time control as in PGN's tag, in seconds: `300+3`, `40/300`, and `1/3` for three
/// seconds a move.
pub fn tag(control: TimeControl) -> String {
    let plus = match control.increment() {
        Duration::ZERO => String::new(),
        increment => format!("+{}", format_seconds(increment)),
    };
    match control {
        TimeControl::Fixed { per_move } => format!("1/{}", format_seconds(per_move)),
        TimeControl::Incremental { base, .. } => format_seconds(base) + &plus,
        // One move of a session is not a fixed time.
        TimeControl::Conventional { moves: 1, base, .. } if plus.is_empty() => {
            format!("1/{}+0", format_seconds(base))
        }
        TimeControl::Conventional { moves, base, .. } => {
            format!("{moves}/{}{plus}", format_seconds(base))
        }
    }
}

/// Reads the output of [`tag`], with its one session, and the `*3` of earlier versions for three
/// seconds a move.
pub fn tagged(text: &str) -> Option<TimeControl> {
    if text.contains(':') {
        return None;
    }
    let per_move = text
        .strip_prefix("1/")
        .filter(|time| !time.contains('+'))
        .or(text.strip_prefix('*'));
    within_reason(match per_move {
        Some(seconds) => TimeControl::Fixed {
            per_move: whole(seconds, parse_seconds)?,
        },
        None => of_base(text, parse_seconds)?,
    })
}

/// Parses a time with nothing behind it. The protocol ignores text behind a number; a person's
/// typing has a meaning.
fn whole(text: &str, parse: fn(&str) -> Option<Duration>) -> Option<Duration> {
    if text.is_empty() || text.contains(|c: char| !c.is_ascii_digit() && c != '.' && c != ':') {
        return None;
    }
    parse(text)
}

/// A time control in words.
pub fn describe_level(control: TimeControl) -> String {
    let minutes = |time: Duration| counted(format_minutes(time), "minute");
    let seconds = |time: Duration| counted(format_seconds(time), "second");
    let plus = match control.increment() {
        Duration::ZERO => String::new(),
        increment => format!(" and {} a move", seconds(increment)),
    };
    match control {
        TimeControl::Fixed { per_move } => format!("{} a move", seconds(per_move)),
        TimeControl::Incremental { base, .. } => {
            format!("{} for the game{plus}", minutes(base))
        }
        TimeControl::Conventional { moves, base, .. } => {
            format!("{} in {}{plus}", counted(moves, "move"), minutes(base))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(fen: &str, typed: &str) -> String {
        let position = Position::from_fen(fen).unwrap();
        match read(&position, typed) {
            Ok(mv) => position.san(mv),
            Err(error) => error.to_string(),
        }
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const CASTLING: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    /// A pawn on b3 can take on c4, where the bishop of f1 can take too.
    const PAWN_AND_BISHOP: &str = "4k3/8/8/8/2p5/1P6/8/4KB2 w - - 0 1";

    #[test]
    fn a_capture_takes_something() {
        for typed in ["Nxf3", "e2xe4", "e2:e4"] {
            let refusal = format!("\"{typed}\" is not legal here");
            assert_eq!(reading(START, typed), refusal);
        }
        assert_eq!(reading(PAWN_AND_BISHOP, "b3xc4"), "bxc4");
        assert_eq!(reading(PAWN_AND_BISHOP, "Bc4"), "Bxc4");
    }

    #[test]
    fn careless_notation_is_understood() {
        let promotes = "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1";
        for (fen, typed, san) in [
            (START, "nf3 NF3 Ng1-f3", "Nf3"),
            (START, "E4 e2-e4 E2E4", "e4"),
            (START, "b4 B4", "b4"),
            (CASTLING, "0-0", "O-O"),
            (CASTLING, "o-o-o", "O-O-O"),
            (CASTLING, "ra8 Ra8", "Rxa8+"),
            (promotes, "e8=q", "e8=Q"),
            (promotes, "E7-E8N", "e8=N+"),
        ] {
            typed
                .split(' ')
                .for_each(|typed| assert_eq!(reading(fen, typed), san, "{typed}"));
        }
    }

    #[test]
    fn a_small_b_is_the_pawn_if_there_is_one() {
        assert_eq!(
            ["bc4", "Bc4"].map(|typed| reading(PAWN_AND_BISHOP, typed)),
            ["bxc4", "Bxc4"]
        );
        assert_eq!(reading("4k3/8/8/8/8/1P6/8/4KB2 w - - 0 1", "bc4"), "Bc4");
        assert!(
            reading("4k3/8/8/8/2p5/1P6/8/4K3 w - - 0 1", "Bc4").contains("not legal"),
            "no bishop"
        );
    }

    #[test]
    fn what_is_no_move_is_told_from_what_is_not_legal() {
        for typed in ["e2-e5", "nf6", "0-0", "KE2", "Qh5"] {
            assert!(reading(START, typed).contains("not legal"), "{typed}");
        }
        assert!(
            reading("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "nd2").contains("more than one"),
            "knight"
        );
        for typed in ["Nf9", "hlep", "", "-", "é4", "e", "00000"] {
            assert!(reading(START, typed).contains("is not a move"), "{typed}");
        }
    }

    #[test]
    fn moves_that_begin_alike() {
        let similar = |fen: &str, typed: &str| {
            let position = Position::from_fen(fen).unwrap();
            let mut moves: Vec<String> = similar(&position, typed)
                .into_iter()
                .map(|mv| position.san(mv))
                .collect();
            moves.sort();
            moves.join(" ")
        };
        let knights = "Na3 Nc3 Nf3 Nh3";
        let found = ["Nf9", "nd2", "e2e5", "E5", "Ke2", "é"].map(|typed| similar(START, typed));
        assert_eq!(found, [knights, knights, "e3 e4", "e3 e4", "", ""]);
        assert_eq!(similar(CASTLING, "Ke3"), "Kd1 Kd2 Ke2 Kf1 Kf2");
    }

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
            (
                "0:30+0.1",
                "0:30 minutes for the game and 0.1 seconds a move",
            ),
            ("40/5", "40 moves in 5 minutes"),
        ] {
            let control = level(text);
            assert_eq!(
                control.map(describe_level).as_deref(),
                Some(words),
                "{text}"
            );
            assert_eq!(
                control.map(tag).and_then(|tag| tagged(&tag)),
                control,
                "{text}"
            );
        }
        for text in [
            "",
            "s",
            "fast",
            "5+",
            "0/5",
            "x/5",
            "5 minutes",
            "5m",
            "0",
            "0.009s",
            "40/0",
            "0+0",
            ENDLESS,
        ] {
            assert_eq!(level(text), None, "{text}");
        }
    }
}
