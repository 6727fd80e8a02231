//! Games as PGN.

use jiff::Timestamp;
use shakmaty::Color;

use super::referee::{OpeningError, Played, Referee};
use super::{GameRecord, Limits, Time};
use crate::score::Score;

/// No line of a PGN in export format is longer than this (PGN standard, 8.2.1).
const LINE_LENGTH: usize = 79;

/// What a tournament knows and a game does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tags {
    pub event: String,
    /// PGN wants `Town, Region COUNTRY`; a computer's name will do.
    pub site: String,
}

/// A game as PGN, an empty line at its end.
///
/// Each move has a comment `{+0.35/12 0.53s}`: score from the mover's point of view, depth, time. What is not known is left out; a mate is
/// `+M3` or `-M3` in moves. The last comment says why the game ended.
pub fn write(record: &GameRecord, tags: &Tags) -> String {
    let game = Replay::new(record);
    let mut pgn = String::new();
    for (name, value) in tag_pairs(record, tags, &game) {
        pgn.push_str(&tag_pair(name, &value));
    }
    pgn.push('\n');
    pgn.push_str(&movetext(&words(record, &game)));
    pgn
}

/// A tag pair as a line; the value may be any text.
pub(crate) fn tag_pair(name: &str, value: &str) -> String {
    let value = value
        .replace(|c: char| c.is_control(), " ")
        .replace('\\', "\\\\")
        .replace('"', "\\\"");
    format!("[{name} \"{value}\"]\n")
}

/// Words as the lines of a movetext section, an empty line at its end.
pub(crate) fn movetext(words: &[String]) -> String {
    let mut text = String::new();
    let mut column = 0;
    for word in words {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > LINE_LENGTH {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += length;
    }
    text.push_str("\n\n");
    text
}

/// The record's moves, made once more: for their notation, and to be sure of them.
struct Replay {
    fen: Option<String>,
    first: Color,
    number: u32,
    played: Vec<Played>,
    opening: usize,
}

impl Replay {
    /// A record can come from a journal, where anything may stand: the game is cut before the first move that is none.
    fn new(record: &GameRecord) -> Replay {
        let mut opening = record.opening.clone();
        let mut referee = loop {
            match Referee::new(&opening) {
                Ok(referee) => break referee,
                Err(OpeningError::Move { number, .. }) => opening.moves.truncate(number - 1),
                Err(OpeningError::Fen { .. }) => opening = super::Opening::default(),
            }
        };
        if opening == record.opening {
            for mv in &record.moves {
                match referee.read_move(&mv.uci) {
                    Ok(mv) => referee.play(mv),
                    Err(_) => break,
                }
            }
        }
        let start = referee.start();
        Replay {
            fen: referee.start_fen(),
            first: shakmaty::Position::turn(start),
            number: shakmaty::Position::fullmoves(start).get(),
            played: referee.moves().to_vec(),
            opening: referee.opening_length(),
        }
    }
}

fn tag_pairs(record: &GameRecord, tags: &Tags, game: &Replay) -> Vec<(&'static str, String)> {
    let date = i64::try_from(record.started)
        .ok()
        .and_then(|seconds| Timestamp::from_second(seconds).ok());
    let dated = |format: &str| date.map(|date| date.strftime(format).to_string());
    let or_unknown = |text: &str| {
        if text.trim().is_empty() {
            "?".to_owned()
        } else {
            text.to_owned()
        }
    };
    let day = dated("%Y.%m.%d").unwrap_or_else(|| "????.??.??".to_owned());
    let mut pairs = vec![
        ("Event", or_unknown(&tags.event)),
        ("Site", or_unknown(&tags.site)),
        ("Date", day.clone()),
        ("Round", or_unknown(&record.round)),
        ("White", or_unknown(&record.white)),
        ("Black", or_unknown(&record.black)),
        ("Result", record.result.verdict.to_string()),
    ];
    if let Some(fen) = &game.fen {
        pairs.push(("SetUp", "1".to_owned()));
        pairs.push(("FEN", fen.clone()));
    }
    if let Some(name) = &record.opening.name {
        pairs.push(("Opening", name.clone()));
    }
    if let Some(time) = dated("%H:%M:%S") {
        pairs.push(("UTCDate", day));
        pairs.push(("UTCTime", time));
    }
    let [white, black] = record.limits.each_ref().map(|limits| time_control(limits));
    if white == black {
        pairs.push(("TimeControl", white));
    } else {
        // The standard has one field for both; these two are what other programs write.
        pairs.push(("WhiteTimeControl", white));
        pairs.push(("BlackTimeControl", black));
    }
    // Depth, nodes and the opponent's time have no place in a time control.
    let more = |limits: &str| (limits.contains('=') || limits.contains("matched")).then(|| limits.to_owned());
    pairs.extend(more(&record.limits[0]).map(|text| ("WhiteLimits", text)));
    pairs.extend(more(&record.limits[1]).map(|text| ("BlackLimits", text)));
    pairs.push(("Termination", record.result.reason.termination().to_owned()));
    pairs.push(("PlyCount", game.played.len().to_string()));
    pairs
}

/// The tag's value (PGN standard, 9.6.1): `40/9000`, `300+2`, `*5` for a time a move, `-` without time, `?` for what is no time control.
fn time_control(limits: &str) -> String {
    match limits.parse::<Limits>() {
        Ok(Limits {
            time: Some(Time::PerMove(time)),
            ..
        }) => format!("*{}", time.as_secs_f64()),
        // The standard has no word for what the opponent decides.
        Ok(Limits {
            time: Some(Time::Matched(_)),
            ..
        }) => "?".to_owned(),
        Ok(Limits { time: None, .. }) => "-".to_owned(),
        Ok(limits) => Limits {
            depth: None,
            nodes: None,
            ..limits
        }
        .to_string(),
        Err(_) => "?".to_owned(),
    }
}

/// The words of the move text, comments cut into words too.
fn words(record: &GameRecord, game: &Replay) -> Vec<String> {
    let mut words = Vec::new();
    let mut number = game.number;
    let mut side = game.first;
    let mut after_comment = false;
    for (ply, played) in game.played.iter().enumerate() {
        if side == Color::White {
            words.push(format!("{number}."));
        } else if ply == 0 || after_comment {
            words.push(format!("{number}..."));
        }
        words.push(played.san.clone());
        let said = ply
            .checked_sub(game.opening)
            .and_then(|index| record.moves.get(index));
        after_comment = said.is_some();
        if let Some(said) = said {
            words.extend(comment(&move_comment(said)));
        }
        number += u32::from(side == Color::Black);
        side = !side;
    }
    words.extend(comment(&record.result.detail));
    words.push(record.result.verdict.to_string());
    words
}

/// `+0.35/12 0.53s`
fn move_comment(said: &super::MoveRecord) -> String {
    let score = said.score.map(|score| match Score(score).mate_distance() {
        Some(plies) if plies > 0 => format!("+M{}", (plies + 1) / 2),
        Some(plies) => format!("-M{}", (1 - plies) / 2),
        None => Score(score).to_string(),
    });
    let depth = said.depth.map(|depth| depth.to_string());
    let thought = match (score, depth) {
        (Some(score), Some(depth)) => format!("{score}/{depth} "),
        (Some(score), None) => format!("{score} "),
        (None, _) => String::new(),
    };
    let milliseconds = said.time;
    format!("{thought}{}.{:03}s", milliseconds / 1000, milliseconds % 1000)
}

/// A comment in words, which may stand on different lines. There is no way to write a closing brace in it.
pub(crate) fn comment(text: &str) -> Vec<String> {
    let text = text.replace(|c: char| c == '{' || c == '}' || c.is_control(), " ");
    enclosed(text.split_whitespace().map(str::to_owned).collect(), '{', '}')
}

/// Words between brackets, which touch the first and the last of them. Without words there is nothing to enclose.
pub(crate) fn enclosed(mut words: Vec<String>, open: char, close: char) -> Vec<String> {
    if let Some(first) = words.first_mut() {
        first.insert(0, open);
    }
    if let Some(last) = words.last_mut() {
        last.push(close);
    }
    words
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;
    use std::ops::ControlFlow;

    use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Visitor};
    use shakmaty::{CastlingMode, Chess, Position, fen::Fen};

    use super::*;
    use crate::arena::{GameResult, MoveRecord, Opening, Reason, Verdict};

    fn said(uci: &str, score: Option<i32>) -> MoveRecord {
        MoveRecord {
            uci: uci.to_owned(),
            time: 1530,
            clock: Some(60_000),
            score,
            depth: score.map(|_| 12),
            nodes: None,
        }
    }

    fn record(opening: Opening, moves: Vec<MoveRecord>) -> GameRecord {
        GameRecord {
            number: 3,
            round: "2.1".to_owned(),
            pair: 2,
            white: "A \"good\" engine".to_owned(),
            black: "B\\C".to_owned(),
            opening,
            moves,
            result: GameResult {
                verdict: Verdict::WhiteWins,
                reason: Reason::FalseClaim,
                detail: "B claims 0-1 (Black {mates}\nand more), which is not so".to_owned(),
            },
            limits: ["60+0.6".to_owned(), "60+0.6".to_owned()],
            started: 1_700_000_000,
        }
    }

    fn tags() -> Tags {
        Tags {
            event: "Test".to_owned(),
            site: String::new(),
        }
    }

    /// Tags, moves in coordinates, comments.
    #[derive(Debug, Default)]
    struct Read {
        tags: Vec<(String, String)>,
        moves: Vec<String>,
        comments: Vec<String>,
        position: Chess,
    }

    struct ReadBack;

    impl Visitor for ReadBack {
        type Tags = Read;
        type Movetext = Read;
        type Output = Read;

        fn begin_tags(&mut self) -> ControlFlow<Read, Read> {
            ControlFlow::Continue(Read::default())
        }
        fn tag(&mut self, read: &mut Read, name: &[u8], value: RawTag<'_>) -> ControlFlow<Read> {
            let name = String::from_utf8_lossy(name).into_owned();
            let value = value.decode_utf8_lossy().into_owned();
            if name == "FEN" {
                let fen: Fen = value.parse().expect("a FEN");
                read.position = fen.into_position(CastlingMode::Standard).expect("a position");
            }
            read.tags.push((name, value));
            ControlFlow::Continue(())
        }
        fn begin_movetext(&mut self, read: Read) -> ControlFlow<Read, Read> {
            ControlFlow::Continue(read)
        }
        fn san(&mut self, read: &mut Read, san: SanPlus) -> ControlFlow<Read> {
            let mv = san.san.to_move(&read.position).expect("a legal move");
            read.moves.push(mv.to_uci(CastlingMode::Standard).to_string());
            read.position.play_unchecked(mv);
            ControlFlow::Continue(())
        }
        fn comment(&mut self, read: &mut Read, comment: RawComment<'_>) -> ControlFlow<Read> {
            let text = String::from_utf8_lossy(comment.as_bytes()).replace('\n', " ");
            read.comments.push(text);
            ControlFlow::Continue(())
        }
        fn end_game(&mut self, read: Read) -> Read {
            read
        }
    }

    fn read(pgn: &str) -> Read {
        let mut reader = Reader::new(Cursor::new(pgn));
        let game = reader.read_game(&mut ReadBack).expect("it can be read");
        assert!(
            reader.read_game(&mut ReadBack).expect("it can be read").is_none(),
            "{pgn}"
        );
        game.expect("there is a game")
    }

    fn tag(read: &Read, name: &str) -> Option<String> {
        let found = read.tags.iter().find(|(tag, _)| tag == name);
        found.map(|(_, value)| value.clone())
    }

    #[test]
    fn a_game_is_read_back_as_it_was() {
        let opening = Opening {
            moves: vec!["e2e4".to_owned(), "e7e5".to_owned()],
            ..Opening::default()
        };
        let moves = vec![
            said("g1f3", Some(35)),
            said("b8c6", None),
            said("f1c4", Some(31_997)),
            said("g8f6", Some(-31_996)),
            said("e1g1", Some(-5)),
        ];
        let text = write(&record(opening, moves), &tags());
        let read = read(&text);
        assert_eq!(
            read.moves,
            ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6", "e1g1"]
        );
        assert_eq!(
            read.comments,
            [
                "+0.35/12 1.530s",
                "1.530s",
                "+M2/12 1.530s",
                "-M2/12 1.530s",
                "-0.05/12 1.530s",
                "B claims 0-1 (Black mates and more), which is not so"
            ]
        );
        let names: Vec<&str> = read.tags.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(
            names[..7],
            ["Event", "Site", "Date", "Round", "White", "Black", "Result"]
        );
        for (name, value) in [
            ("Site", "?"),
            ("Date", "2023.11.14"),
            ("Round", "2.1"),
            ("Result", "1-0"),
            ("UTCTime", "22:13:20"),
            ("TimeControl", "60+0.6"),
            ("Termination", "rules infraction"),
            ("PlyCount", "7"),
        ] {
            assert_eq!(tag(&read, name).as_deref(), Some(value), "{name}");
        }
        assert!(
            text.contains("[White \"A \\\"good\\\" engine\"]\n[Black \"B\\\\C\"]\n"),
            "{text}"
        );
        assert!(text.ends_with(" 1-0\n\n"));
        assert!(text.lines().all(|line| line.len() < 80), "{text}");
    }

    #[test]
    fn a_game_from_a_position_says_so_and_may_begin_with_black() {
        let fen = "4k3/8/8/8/8/8/4p3/K7 b - - 0 30";
        let opening = Opening {
            fen: Some(fen.to_owned()),
            moves: Vec::new(),
            name: Some("Promotion".to_owned()),
        };
        let mut record = record(opening, vec![said("e2e1q", None), said("a1b2", None)]);
        record.limits = ["40/60".to_owned(), "0.5/move,depth=9".to_owned()];
        let text = write(&record, &tags());
        assert!(
            text.contains(&format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n")),
            "{text}"
        );
        assert!(
            text.contains("\n30... e1=Q+ {1.530s} 31. Kb2 {1.530s} {B claims"),
            "{text}"
        );
        let read = read(&text);
        assert_eq!(read.moves, ["e2e1q", "a1b2"]);
        assert_eq!(tag(&read, "TimeControl"), None);
        assert_eq!(tag(&read, "WhiteTimeControl").as_deref(), Some("40/60"));
        assert_eq!(tag(&read, "BlackTimeControl").as_deref(), Some("*0.5"));
        assert_eq!(tag(&read, "BlackLimits").as_deref(), Some("0.5/move,depth=9"));
        record.limits = ["matched/0.01".to_owned(), "5+0.05".to_owned()];
        let matched = self::read(&write(&record, &tags()));
        for (name, value) in [
            ("WhiteTimeControl", "?"),
            ("WhiteLimits", "matched/0.01"),
            ("BlackTimeControl", "5+0.05"),
        ] {
            assert_eq!(tag(&matched, name).as_deref(), Some(value), "{name}");
        }
        assert_eq!(
            (tag(&read, "WhiteLimits"), tag(&read, "Opening")),
            (None, Some("Promotion".to_owned()))
        );
    }

    #[test]
    fn what_a_journal_may_hold_is_written_as_far_as_it_is_a_game() {
        let broken = Opening {
            moves: vec!["e2e4".to_owned(), "e2e4".to_owned()],
            ..Opening::default()
        };
        assert_eq!(
            read(&write(&record(broken, vec![said("e7e5", None)]), &tags())).moves,
            ["e2e4"]
        );
        let no_fen = Opening {
            fen: Some("no".to_owned()),
            ..Opening::default()
        };
        assert!(
            read(&write(&record(no_fen, Vec::new()), &tags()))
                .moves
                .is_empty()
        );
        let moves = vec![said("e2e4", None), said("x", None), said("e7e5", None)];
        assert_eq!(
            read(&write(&record(Opening::default(), moves), &tags())).moves,
            ["e2e4"]
        );
        let mut odd = record(Opening::default(), Vec::new());
        odd.started = u64::MAX;
        odd.limits[0] = "soon".to_owned();
        let read = read(&write(&odd, &tags()));
        assert_eq!(tag(&read, "Date").as_deref(), Some("????.??.??"));
        assert_eq!(tag(&read, "WhiteTimeControl").as_deref(), Some("?"));
    }
}
