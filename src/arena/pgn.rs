//! Games as PGN.

use jiff::Timestamp;
use shakmaty::Position as _;

use super::referee::{OpeningError, Referee};
use super::{EngineLimits, GameRecord, Time};
use crate::rules::pgn::{Movetext, tag_pair};
use crate::rules::score::Score;

/// Writes the games of a tournament.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Writer {
    pub event: String,
    /// PGN wants `Town, Region COUNTRY`; a computer's name will do.
    pub site: String,
}

impl Writer {
    /// A game as PGN, an empty line at its end.
    ///
    /// Moves of the opening are marked `{book}`, those of engines have a comment. The last comment
    /// says why the game ended.
    pub fn write(&self, record: &GameRecord) -> String {
        let game = replayed(record);
        tag_pairs(record, self, &game) + "\n" + &movetext(record, &game)
    }
}

/// Replays a record, for the notation of its moves, and to be sure of them. Journals may hold
/// anything: the game is cut before the first impossible move.
fn replayed(record: &GameRecord) -> Referee {
    let mut opening = record.opening.clone();
    let mut referee = loop {
        match Referee::new(&opening) {
            Ok(referee) => break referee,
            Err(OpeningError::Move { number, .. }) => opening.moves.truncate(number - 1),
            Err(OpeningError::Fen(_)) => opening = super::Opening::default(),
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
    referee
}

/// The tags. Programs play (PGN standard, 9.1.5). A program's own name is added if different: it
/// tells the version of an engine under another name.
fn tag_pairs(record: &GameRecord, writer: &Writer, game: &Referee) -> String {
    // A journal may say anything.
    let begun = Timestamp::from_second(i64::try_from(record.started).unwrap_or(i64::MAX));
    let (day, time) = match begun {
        Ok(begun) => (
            begun.strftime("%Y.%m.%d").to_string(),
            begun.strftime("%H:%M:%S").to_string(),
        ),
        Err(_) => ("????.??.??".to_owned(), String::new()),
    };
    let fen = game.start_fen();
    let [white_limits, black_limits] = &record.limits;
    let white = time_control(white_limits);
    let black = time_control(black_limits);
    let is_same = white == black;
    let [white_program, black_program] = record.own_names.each_ref().map(Option::as_deref);
    // Tags without a value are left out.
    let tags = [
        ("Event", or_unknown(&writer.event)),
        ("Site", or_unknown(&writer.site)),
        ("Date", &day),
        ("Round", or_unknown(&record.round)),
        ("White", or_unknown(&record.white)),
        ("Black", or_unknown(&record.black)),
        ("Result", &record.result.verdict.to_string()),
        ("SetUp", only("1", fen.is_some())),
        ("FEN", fen.as_deref().unwrap_or_default()),
        (
            "Opening",
            record.opening.name.as_deref().unwrap_or_default(),
        ),
        ("WhiteType", "program"),
        ("BlackType", "program"),
        (
            "WhiteProgram",
            only(
                white_program.unwrap_or_default(),
                white_program != Some(&record.white),
            ),
        ),
        (
            "BlackProgram",
            only(
                black_program.unwrap_or_default(),
                black_program != Some(&record.black),
            ),
        ),
        ("UTCDate", only(&day, !time.is_empty())),
        ("UTCTime", &time),
        ("TimeControl", only(&white, is_same)),
        // The standard has one field for both; these two are what other programs write.
        ("WhiteTimeControl", only(&white, !is_same)),
        ("BlackTimeControl", only(&black, !is_same)),
        ("WhiteLimits", only(white_limits, is_more(white_limits))),
        ("BlackLimits", only(black_limits, is_more(black_limits))),
        ("Termination", record.result.reason.termination()),
        ("PlyCount", &game.moves().len().to_string()),
    ];
    let mut text = String::new();
    for (name, value) in tags {
        if !value.is_empty() {
            text += &tag_pair(name, value);
        }
    }
    text
}

fn or_unknown(text: &str) -> &str {
    if text.trim().is_empty() { "?" } else { text }
}

/// A text under a condition; otherwise nothing.
fn only(text: &str, is_wanted: bool) -> &str {
    if is_wanted { text } else { "" }
}

/// Returns true for depth, nodes, the opponent's time and a time that is not carried over: they
/// have no place in a time control.
fn is_more(limits: &str) -> bool {
    limits.contains('=') || limits.contains("matched") || limits.contains("/move")
}

/// The tag's value (PGN standard, 9.6.1): `40/9000`, `300+2`, `1/5` for a time a move (`*5` would
/// be a sandclock), `-` without time, `?` for what is no time control.
fn time_control(limits: &str) -> String {
    let Ok(EngineLimits { time, .. }) = limits.parse() else {
        return "?".to_owned();
    };
    match time {
        Some(Time::PerMove(time)) => format!("1/{}", time.as_secs_f64()),
        // The standard has no word for what the opponent decides.
        Some(Time::Matched(_)) => "?".to_owned(),
        Some(Time::Clock { .. }) => EngineLimits {
            time,
            ..EngineLimits::default()
        }
        .to_string(),
        None => "-".to_owned(),
    }
}

fn movetext(record: &GameRecord, game: &Referee) -> String {
    let start = game.start();
    let opening = game.opening_length();
    let mut text = Movetext::new(start.fullmoves().get(), start.turn());
    for (ply, played) in game.moves().iter().enumerate() {
        text.mv(&played.san);
        match record.moves.get(ply.wrapping_sub(opening)) {
            Some(said) => text.comment(&move_comment(said)),
            None => text.comment("book"),
        }
    }
    text.comment(&record.result.detail);
    text.finish(&record.result.verdict.to_string())
}

/// `+0.35/12 0.530s`: score from the mover's point of view, depth, time. Unknown parts are left
/// out; a mate is `+M3` or `-M3` in moves.
fn move_comment(said: &super::MoveRecord) -> String {
    let mut text = String::new();
    if let Some(score) = said.score.map(Score) {
        text = match score.mate_moves() {
            Some(moves @ 1..) => format!("+M{moves}"),
            Some(moves) => format!("-M{}", -moves),
            None => score.to_string(),
        };
        if let Some(depth) = said.depth {
            text += &format!("/{depth}");
        }
        text.push(' ');
    }
    text + &format!("{}.{:03}s", said.time / 1000, said.time % 1000)
}

#[cfg(test)]
mod tests {
    use shakmaty::CastlingMode;

    use super::*;
    use crate::arena::{GameResult, MoveRecord, Opening, Reason, Verdict};
    use crate::rules::pgn::{PgnGame, Reader, Rules, Strict};

    fn said(uci: &str, score: Option<i32>) -> MoveRecord {
        let uci = uci.to_owned();
        let depth = score.map(|_| 12);
        MoveRecord {
            uci,
            time: 1530,
            clock: Some(60_000),
            score,
            depth,
            ..MoveRecord::default()
        }
    }

    fn record(opening: Opening, moves: Vec<MoveRecord>) -> GameRecord {
        let detail = "B claims 0-1 (Black {mates}\nand more), which is not so".to_owned();
        GameRecord {
            round: "2.1".to_owned(),
            white: "A \"good\" engine".to_owned(),
            black: "B\\C".to_owned(),
            opening,
            moves,
            result: GameResult {
                verdict: Verdict::WhiteWins,
                reason: Reason::FalseClaim,
                detail,
            },
            limits: ["60+0.6".to_owned(), "60+0.6".to_owned()],
            started: 1_700_000_000,
            ..GameRecord::default()
        }
    }

    fn write(record: &GameRecord) -> String {
        let writer = Writer {
            event: "Test".to_owned(),
            ..Writer::default()
        };
        writer.write(record)
    }

    fn read(pgn: &str) -> PgnGame {
        let mut reader = Reader::new(pgn.as_bytes());
        let text = reader
            .next_game()
            .expect("memory")
            .expect("there is a game");
        assert!(reader.next_game().expect("memory").is_none(), "{pgn}");
        PgnGame::read(
            &text,
            &Rules {
                strict: Strict::All,
                ..Rules::default()
            },
        )
        .expect("a game")
    }

    fn moves(game: &PgnGame) -> Vec<String> {
        game.moves
            .iter()
            .map(|mv| mv.mv.to_uci(CastlingMode::Standard).to_string())
            .collect()
    }

    fn comments(game: &PgnGame) -> Vec<&str> {
        game.moves
            .iter()
            .flat_map(|mv| &mv.comments)
            .map(String::as_str)
            .collect()
    }

    /// Checks a game's tags and values; those with `none` must be missing.
    #[track_caller]
    fn has_tags(game: &PgnGame, expected: &str) {
        for tag in expected.split(", ") {
            let (name, value) = tag.split_once(": ").expect(tag);
            assert_eq!(
                game.tags.get(name),
                (value != "none").then_some(value),
                "{name}"
            );
        }
    }

    #[test]
    fn a_game_is_read_back_as_it_was() {
        let opening = Opening {
            moves: vec!["e2e4".to_owned(), "e7e5".to_owned()],
            ..Opening::default()
        };
        let scores = [Some(35), None, Some(31_997), Some(-31_996), Some(-5)];
        let moves = ["g1f3", "b8c6", "f1c4", "g8f6", "e1g1"]
            .into_iter()
            .zip(scores);
        let moves = moves.map(|(uci, score)| said(uci, score)).collect();
        let text = write(&record(opening, moves));
        let read = read(&text);
        assert_eq!(
            self::moves(&read).join(" "),
            "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 e1g1"
        );
        let expected = "book; book; +0.35/12 1.530s; 1.530s; +M2/12 1.530s; -M2/12 1.530s; -0.05/12 1.530s; \
                        B claims 0-1 (Black mates and more), which is not so";
        assert_eq!(comments(&read).join("; "), expected);
        let names: Vec<&str> = read.tags.0.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(
            names[..7],
            ["Event", "Site", "Date", "Round", "White", "Black", "Result"]
        );
        let tags = "Site: ?, Date: 2023.11.14, Round: 2.1, Result: 1-0, UTCTime: 22:13:20, TimeControl: 60+0.6, \
                    Termination: rules infraction, PlyCount: 7";
        has_tags(&read, tags);
        assert!(
            text.contains("[White \"A \\\"good\\\" engine\"]\n[Black \"B\\\\C\"]\n"),
            "{text}"
        );
        assert!(text.ends_with(" 1-0\n\n"));
        assert!(text.lines().all(|line| line.len() < 80), "{text}");
    }

    #[test]
    fn openings_and_programs_are_named() {
        let opening = Opening {
            moves: vec!["e2e4".to_owned(), "c7c5".to_owned()],
            ..Opening::default()
        };
        let moves = vec![said("g1f3", Some(35)), said("d7d6", None)];
        let mut record = record(opening, moves);
        record.own_names = [Some("Good 1.2".to_owned()), Some(record.black.clone())];
        let full = read(&write(&record));
        let programs = "WhiteType: program, WhiteProgram: Good 1.2, BlackProgram: none";
        has_tags(&full, &format!("Opening: none, {programs}"));
        record.opening.name = Some("My favourite".to_owned());
        has_tags(&read(&write(&record)), "Opening: My favourite");
    }

    #[test]
    fn a_game_from_a_position_says_so_and_may_begin_with_black() {
        let fen = "4k3/8/8/8/8/8/4p3/K7 b - - 0 30";
        let name = Some("Promotion".to_owned());
        let opening = Opening {
            fen: Some(fen.to_owned()),
            moves: Vec::new(),
            name,
        };
        let mut record = record(opening, vec![said("e2e1q", None), said("a1b2", None)]);
        record.limits = ["40/60".to_owned(), "0.5/move,depth=9".to_owned()];
        let text = write(&record);
        assert!(
            text.contains(&format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n")),
            "{text}"
        );
        assert!(
            text.contains("\n30... e1=Q+ {1.530s} 31. Kb2 {1.530s} {B claims"),
            "{text}"
        );
        let read = read(&text);
        assert_eq!(moves(&read), ["e2e1q", "a1b2"]);
        let white = "TimeControl: none, WhiteTimeControl: 40/60, WhiteLimits: none";
        let black = "BlackTimeControl: 1/0.5, BlackLimits: 0.5/move,depth=9";
        has_tags(&read, &format!("{white}, {black}, Opening: Promotion"));
        record.limits = ["matched/0.01".to_owned(), "5+0.05".to_owned()];
        let tags = "WhiteTimeControl: ?, WhiteLimits: matched/0.01, BlackTimeControl: 5+0.05";
        has_tags(&self::read(&write(&record)), tags);
    }

    #[test]
    fn what_a_journal_may_hold_is_written_as_far_as_it_is_a_game() {
        let written = |opening, moves| self::moves(&read(&write(&record(opening, moves))));
        let broken = Opening {
            moves: vec!["e2e4".to_owned(), "e2e4".to_owned()],
            ..Opening::default()
        };
        assert_eq!(written(broken, vec![said("e7e5", None)]), ["e2e4"]);
        assert!(
            written(
                Opening {
                    fen: Some("no".to_owned()),
                    ..Opening::default()
                },
                Vec::new()
            )
            .is_empty()
        );
        let moves = ["e2e4", "x", "e7e5"].map(|uci| said(uci, None)).to_vec();
        assert_eq!(written(Opening::default(), moves), ["e2e4"]);
        let mut odd = record(Opening::default(), Vec::new());
        odd.started = u64::MAX;
        odd.limits[0] = "soon".to_owned();
        has_tags(&read(&write(&odd)), "Date: ????.??.??, WhiteTimeControl: ?");
    }
}
