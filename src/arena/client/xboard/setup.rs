//! Game set-up in the xboard protocol: the limits of the engine, and the old ways to give a
//! position.

use std::time::Duration;

use shakmaty::{CastlingSide, Chess, Color, File, Move, Position, Role, Square};

use super::reach;
use crate::arena::client::driver::Outbox;
use crate::arena::{EngineLimits, Time};
use crate::rules::protocol::xboard::Command;

/// The time of an engine without a clock: longer than any arena waits for a move, and small enough
/// for every engine's arithmetic.
pub const AGES: Duration = Duration::from_secs(10 * 3600);

/// Limits in the words of the protocol.
///
/// * Whole seconds a move are `st`. A fraction is not: HoiChess ends itself at `st 0.2`, Sjeng
///   reads 0 and thinks for five seconds. xboard has a form for engines without `st`, one move a
///   session: `level 1 0:01 0`. Its seconds are rounded up to whole ones, and `time`, in
///   centiseconds, gives the true time before every move.
/// * The base of a game is rounded in the same way; increments have had fractions for long, in
///   xboard too.
/// * A time decided by the opponent is told in the same way, with its minimum, and [`session`]
///   repeats the command when the time becomes longer.
/// * Nodes are `nps N` and `st 1`: N of them are a second, and the engine has a second. This is
///   exact, but only for engines with the feature.
/// * Without a clock there are hours, so depth decides.
pub fn time_commands(limits: &EngineLimits, nps: bool) -> Result<Vec<Command>, String> {
    let mut commands = match (limits.nodes, limits.time) {
        (Some(nodes), _) if nps => {
            vec![
                Command::NodesPerSecond(nodes),
                Command::TimePerMove(Duration::from_secs(1)),
            ]
        }
        (Some(_), _) => {
            return Err(
                "an xboard engine without the feature nps has no means to count nodes".to_owned(),
            );
        }
        (None, Some(Time::PerMove(time))) if time.subsec_nanos() == 0 => {
            vec![Command::TimePerMove(time)]
        }
        (None, Some(Time::PerMove(time) | Time::Matched(time))) => vec![session(time)],
        (
            None,
            Some(Time::Clock {
                moves,
                base,
                increment,
            }),
        ) => {
            vec![level(moves.unwrap_or(0), base, increment)]
        }
        (None, None) => vec![level(0, AGES, Duration::ZERO)],
    };
    commands.extend(limits.depth.map(Command::Depth));
    Ok(commands)
}

/// A time for each move, as the base of a session of one move.
pub fn session(time: Duration) -> Command {
    level(1, time, Duration::ZERO)
}

/// The seconds of the base are rounded up, and at least one.
fn level(moves: u32, base: Duration, increment: Duration) -> Command {
    let seconds = base.as_secs() + u64::from(base.subsec_nanos() > 0);
    Command::Level {
        moves,
        base: Duration::from_secs(seconds.max(1)),
        increment,
    }
}

/// The way to give a position to an engine without `setboard`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OldWay {
    Edit,
    /// These moves from the start of the game.
    Moves(Vec<Move>),
}

impl OldWay {
    /// Finds out how a position is given. `edit` comes first: an engine counts the moves that it is
    /// told for its sessions.
    ///
    /// # Errors
    /// There is no way; the text says what `edit` cannot say.
    pub fn to(start: &Chess, limits: &EngineLimits) -> Result<OldWay, String> {
        let Some(unsaid) = unsaid_by_edit(start) else {
            return Ok(OldWay::Edit);
        };
        let has_sessions = matches!(limits.time, Some(Time::Clock { moves: Some(_), .. }));
        let line = if has_sessions {
            None
        } else {
            reach::line_to(start)
        };
        line.map(OldWay::Moves)
            .ok_or_else(|| format!("it has no setboard, and edit cannot say {unsaid}"))
    }
}

/// The part of a position that [`edit`] cannot say; `None` if it says all. An engine assumes the
/// right to castle wherever king and rook are at home, no capture in passing, and clocks at zero.
pub fn unsaid_by_edit(position: &Chess) -> Option<String> {
    for color in [Color::White, Color::Black] {
        for side in CastlingSide::ALL {
            let rank = color.backrank();
            let stands = |file, role: Role| {
                position.board().piece_at(Square::from_coords(file, rank)) == Some(role.of(color))
            };
            let corner = match side {
                CastlingSide::KingSide => File::H,
                CastlingSide::QueenSide => File::A,
            };
            let is_assumed = stands(File::E, Role::King) && stands(corner, Role::Rook);
            if is_assumed && !position.castles().has(color, side) {
                return Some(format!(
                    "that {color} may not castle on the {} side",
                    wing(side)
                ));
            }
        }
    }
    if let Some(square) = position.legal_ep_square() {
        return Some(format!("that a pawn may be taken in passing on {square}"));
    }
    match position.halfmoves() {
        0 => None,
        count => Some(format!(
            "that {count} half-moves count for the fifty-move rule"
        )),
    }
}

fn wing(side: CastlingSide) -> &'static str {
    match side {
        CastlingSide::KingSide => "king's",
        CastlingSide::QueenSide => "queen's",
    }
}

/// Sets up a position in edit mode, for engines without `setboard`, on a board that has just had
/// `new` and `force`.
///
/// The protocol has no word for castling rights, the en-passant square and the clocks: an engine
/// assumes the right to castle wherever king and rook are at home. The side to move follows from
/// the moves made before, so a move of White's puts Black on move, as in xboard.
pub fn edit(position: &Chess, usermove: bool, out: &mut Outbox) {
    if position.turn() == Color::Black {
        out.say(if usermove { "usermove a2a3" } else { "a2a3" });
    }
    out.say(Command::Edit);
    out.say("#");
    for color in [Color::White, Color::Black] {
        if color == Color::Black {
            out.say("c");
        }
        for square in position.board().by_color(color) {
            let role = position
                .board()
                .role_at(square)
                .expect("a piece stands there");
            out.say(format_args!("{}{square}", role.upper_char()));
        }
    }
    out.say(".");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commands(limits: &str, nps: bool) -> String {
        let join = |all: Vec<Command>| {
            all.iter()
                .map(Command::to_string)
                .collect::<Vec<_>>()
                .join("; ")
        };
        time_commands(&limits.parse().expect("limits"), nps).map_or_else(|reason| reason, join)
    }

    #[test]
    fn what_edit_cannot_say_is_told_by_moves_or_refused() {
        let way = |fen: &str, limits: &str| {
            let start = crate::rules::position::notation::read_fen(fen).expect(fen);
            match OldWay::to(&start, &limits.parse().expect("limits")) {
                Ok(OldWay::Edit) => "edit".to_owned(),
                Ok(OldWay::Moves(moves)) => moves.len().to_string(),
                Err(reason) => reason,
            }
        };
        let en_passant = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3";
        for (fen, limits, expected) in [
            ("4k3/8/8/8/8/8/5PPP/4K2R w K - 0 1", "60", "edit"),
            (
                "3rk3/8/8/8/8/8/5PPP/4K2R w - - 0 1",
                "60",
                "that white may not castle on the king's side",
            ),
            (
                "r3k3/8/8/8/8/8/8/4K3 b - - 0 1",
                "60",
                "that black may not castle on the queen's side",
            ),
            (
                "4k3/8/8/8/3pP3/8/5P2/4K3 b - e3 0 1",
                "60",
                "taken in passing on e3",
            ),
            (
                "4k3/8/8/8/8/8/5P2/4K3 b - - 3 9",
                "60",
                "3 half-moves count",
            ),
            (
                "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 2 2",
                "60",
                "2",
            ),
            (en_passant, "depth=3", "4"),
            // The engine would count these moves for its session.
            (en_passant, "40/60", "taken in passing on f6"),
        ] {
            let way = way(fen, limits);
            assert!(
                way == expected || way.ends_with(expected) || way.contains(expected),
                "{fen}: {way}"
            );
        }
    }

    #[test]
    fn times_are_told_so_that_every_engine_can_read_them() {
        for (limits, said) in [
            ("300", "level 0 5 0"),
            ("60+0.6", "level 0 1 0.6"),
            ("40/90", "level 40 1:30 0"),
            ("0.5+0.1", "level 0 0:01 0.1"),
            ("0+1", "level 0 0:01 1"),
            ("5/move", "st 5"),
            ("0.2/move", "level 1 0:01 0"),
            ("1.5/move", "level 1 0:02 0"),
            ("matched/0.01", "level 1 0:01 0"),
            ("matched/2,depth=7", "level 1 0:02 0; sd 7"),
            ("depth=7", "level 0 600 0; sd 7"),
            ("10+0.1,depth=7", "level 0 0:10 0.1; sd 7"),
        ] {
            assert_eq!(commands(limits, false), said, "{limits}");
        }
        assert_eq!(commands("nodes=5000", true), "nps 5000; st 1");
        assert!(commands("nodes=5000", false).contains("no means to count nodes"));
    }
}
