use std::io::Write as _;

use tempfile::NamedTempFile;

use super::*;
use crate::rules::position::Position;
use crate::util::input::tests::gzip;

fn file(ending: &str, content: impl AsRef<[u8]>) -> NamedTempFile {
    let mut file = tempfile::Builder::new()
        .suffix(ending)
        .tempfile()
        .expect("a file");
    file.write_all(content.as_ref()).expect("written");
    file
}

fn source(file: &NamedTempFile) -> OpeningSource {
    let file = Some(file.path().to_path_buf());
    OpeningSource {
        file,
        order: Order::Sequential,
        ..OpeningSource::default()
    }
}

/// Checks that an opening can be played, and the game is not over afterwards.
fn check(opening: &Opening) {
    let start = opening
        .fen
        .as_ref()
        .map(|fen| Position::from_fen(fen).expect(fen));
    let mut position = start.unwrap_or_default();
    for text in &opening.moves {
        position
            .play(position.parse_move(text).expect(text))
            .expect("legal");
    }
    assert_eq!(position.outcome(), None);
}

/// The only opening asked for.
fn one(source: &OpeningSource) -> Opening {
    source.chosen(1, 1).expect("an opening").remove(0)
}

fn error(ending: &str, content: impl AsRef<[u8]>) -> String {
    let file = file(ending, content);
    let error = source(&file).chosen(1, 4).expect_err("refused").to_string();
    assert!(
        error.contains(&file.path().display().to_string()),
        "{error}"
    );
    error
}

#[test]
fn positions_of_every_spelling_are_read() {
    let text = "\u{feff}# a comment\r\n\r\n\
        rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\r\n\
        4k3/8/8/8/8/8/4P3/4K3 w - -\n\
        4k3/8/8/8/8/8/4P3/4K3 b - - bm e4; id \"a name; with ; semicolons\";\n\
        4k3/8/8/8/8/8/4P3/4K3 w -;\n\
        4k3/8/8/8/8/8/4P3/4K3 b - - 7\n\
        4k3/8/8/8/8/8/4P3/4K3 b - - 0 1; bm e4;\n\
        4k3/8/8/8/8/8/4P3/4K3  w  - - 3 9 c0 \"?\"; id bare;\n\
        rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    let openings = source(&file(".epd", text)).chosen(1, 9).expect("positions");
    let fens: Vec<&str> = openings
        .iter()
        .map(|opening| opening.fen.as_deref().unwrap_or("start"))
        .collect();
    let first = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    let rests = [
        "w - - 0 1",
        "b - - 0 1",
        "w - - 0 1",
        "b - - 7 1",
        "b - - 0 1",
        "w - - 3 9",
    ];
    let pawn = rests.map(|rest| format!("4k3/8/8/8/8/8/4P3/4K3 {rest}"));
    // From the beginning again in the end.
    assert_eq!(fens[0], first);
    assert_eq!(fens[1..7], pawn);
    assert_eq!(fens[7..], ["start", first]);
    let names: Vec<Option<&str>> = openings
        .iter()
        .map(|opening| opening.name.as_deref())
        .collect();
    assert_eq!(
        names[1..7],
        [
            None,
            Some("a name; with ; semicolons"),
            None,
            None,
            None,
            Some("bare")
        ]
    );
    openings.iter().for_each(check);
}

#[test]
fn bad_positions_are_named_with_their_line() {
    let good = "4k3/8/8/8/8/8/4P3/4K3 w - -\n";
    for (bad, reason) in [
        ("nonsense", "nonsense"),
        ("4k3/8/8/8/8/8/4P3/8 w - -", "illegal position"),
        ("4k3/8/8/8/8/8/4P3/4K3 w", "three at least"),
        (
            "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 4k3/8/8/8/8/8/4P3/4K3 b - - 0 1",
            "a second position",
        ),
        (
            "4k3/8/8/8/8/8/4P3/4K3 w - - 1) bm e4;",
            "\"1)\" is no operation",
        ),
        ("4k3/8/8/8/8/8/8/4K3 w - -", "over"),
        ("R5k1/5ppp/8/8/8/8/8/4K3 b - -", "White mates"),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - id \"open", "quotation mark"),
    ] {
        let error = error(".epd", format!("{good}\n{bad}\n{good}"));
        assert!(
            error.contains("line 3") && error.contains(reason),
            "{bad}: {error}"
        );
    }
    assert!(error(".epd", b"4k3/8/8/8/8/8/4P3/4K3 w - -\n\xff\n").contains("line 2"));
    assert!(error(".epd", "# nothing\n\n").contains("no openings"));
}

/// Castling rights of Chess960 are refused, not taken away.
#[test]
fn chess960_is_refused_by_name() {
    for fen in [
        "nrqkrbbn/pppppppp/8/8/8/8/PPPPPPPP/NRQKRBBN w EBeb - 0 1",
        "1k2r3/8/8/8/8/8/8/1K2R3 w Ee - 0 1",
        "4k1r1/8/8/8/8/8/8/4K1R1 w K - 0 1",
        "3k3r/8/8/8/8/8/8/4K2R w Kk - 0 1",
    ] {
        assert!(error(".epd", fen).contains("Chess960"), "{fen}");
        assert!(
            error(".pgn", format!("[FEN \"{fen}\"]\n\n*\n")).contains("Chess960"),
            "{fen}"
        );
    }
}

#[test]
fn lines_are_quoted_as_they_are_and_not_at_length() {
    let binary: Vec<u8> = (0..5_000).map(|byte| (byte % 251) as u8 | 0x80).collect();
    let error = error(".epd", binary);
    assert!(
        error.chars().count() < 400 && !error.contains(char::is_control),
        "{error}"
    );
}

#[test]
fn compressed_files_are_read() {
    assert!(
        one(&source(&file(
            ".epd.gz",
            gzip(b"4k3/8/8/8/8/8/4P3/4K3 w - -\n")
        )))
        .fen
        .is_some()
    );
    assert_eq!(
        one(&source(&file(".pgn.gz", gzip(b"1. e4 e5 *\n")))).moves,
        ["e2e4", "e7e5"]
    );
    let cut = gzip("1. e4 e5 *\n\n".repeat(99).as_bytes());
    assert!(error(".pgn.gz", &cut[..40]).contains("gzip data is damaged or cut off"));
}

/// Lines are checked at their use, and all of them on request.
#[test]
fn lines_that_are_not_used_are_checked_on_request() {
    let list = file(".epd", "4k3/8/8/8/8/8/4P3/4K3 w - -\n\nnonsense\n");
    let source = source(&list);
    one(&source);
    assert!(source.chosen(1, 2).is_err());
    let error = OpeningSource {
        strict: true,
        ..source
    }
    .chosen(1, 1)
    .expect_err("refused")
    .to_string();
    assert!(error.contains("line 3"), "{error}");
}

#[test]
fn games_are_cut_and_what_begins_alike_is_there_once() {
    let text = "[Event \"?\"]\n[Opening \"Ruy Lopez\"]\n\n1. e4 e5 2. Nf3 (2. f4 exf4) Nc6 3. Bb5 a6 {x} *\n\n\
        1. e4 e5 2. Nf3 Nc6 3. Bc4 Kxh9 1-0\n\n\
        [FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 1\"]\n\n1... Kd7 *\n";
    let file = file(".pgn", text);
    let source = OpeningSource {
        plies: 4,
        ..source(&file)
    };
    let openings = source.chosen(1, 2).expect("openings");
    assert_eq!(openings[0].moves, ["e2e4", "e7e5", "g1f3", "b8c6"]);
    assert_eq!(openings[0].name.as_deref(), Some("Ruy Lopez"));
    assert_eq!(
        openings[1].fen.as_deref(),
        Some("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1")
    );
    assert_eq!(openings[1].moves, ["e8d7"]);
    assert_eq!(
        source.chosen(1, 3).expect("openings")[2],
        openings[0],
        "all over again"
    );
}

#[test]
fn bad_games_are_named_with_their_line() {
    for (bad, reason) in [
        ("1. e4 e5 2. Ke3 *", "move 2"),
        ("1. e4 e5 2. Sf3 Nc6 *", "\"Sf3\" at move 2"),
        ("1. e4 e5 2. Nf3 Nc6x *", "\"Nc6x\" at move 2"),
        ("1. f3 e5 2. g4 Qh4# 0-1", "over"),
        ("[FEN \"rubbish\"]\n\n1. e4 *", "rubbish"),
        ("[Event \"?\"]\n\n*", "no moves"),
    ] {
        let file = file(
            ".pgn",
            format!("[Event \"good\"]\n\n1. e4 e5 *\n\n{bad}\n\n1. d4 *\n"),
        );
        let mut faults = Vec::new();
        let chosen = source(&file)
            .choose(1, 4, &mut faults)
            .expect("two are left");
        assert_eq!(
            chosen
                .iter()
                .filter(|opening| opening.moves[0] == "d2d4")
                .count(),
            2
        );
        let strict = OpeningSource {
            strict: true,
            ..source(&file)
        };
        let error = strict.chosen(1, 4).expect_err("refused").to_string();
        assert_eq!(faults, std::slice::from_ref(&error));
        assert!(
            ["line 5", "game 2", reason]
                .iter()
                .all(|part| error.contains(part)),
            "{bad}: {error}"
        );
    }
    assert!(error(".pgn", "").contains("no openings"));
    assert!(error(".pgn", "this is not a game at all").contains("line 1"));
}

#[test]
fn our_own_openings_come_by_seed_and_each_once_before_any_twice() {
    let own = OpeningSource::default();
    let all = built_in(8).expect("our own lines");
    assert!(all.len() > 200, "{}", all.len());
    assert!(
        all.iter()
            .all(|opening| opening.moves.len() == 8 && opening.name.is_some())
    );
    all.iter().for_each(check);
    let chosen = own.chosen(3, 2 * all.len()).expect("openings");
    let first: BTreeSet<_> = chosen[..all.len()]
        .iter()
        .map(|opening| opening.moves.clone())
        .collect();
    assert_eq!(first.len(), all.len());
    assert_eq!(chosen, own.chosen(3, 2 * all.len()).expect("openings"));
    assert_eq!(
        chosen[..5],
        own.chosen(3, 5).expect("openings"),
        "more games begin like fewer"
    );
    assert_ne!(chosen[..5], own.chosen(4, 5).expect("openings"));
    assert!(
        one(&OpeningSource {
            plies: 0,
            ..own.clone()
        })
        .moves
        .is_empty()
    );
    for start in [0, all.len() + 1] {
        let beyond = OpeningSource {
            start,
            ..own.clone()
        };
        assert!(
            beyond
                .chosen(3, 1)
                .expect_err("refused")
                .to_string()
                .contains("start is")
        );
    }
    // The order for a seed is part of what a tournament file means: it must not change with a new
    // version of anything.
    let first = own.chosen(1, 2).expect("openings").remove(0);
    assert_eq!(
        first.moves.join(" "),
        "d2d4 g8f6 c2c4 e7e6 g2g3 d7d5 g1f3 f8b4"
    );
}

#[test]
fn formats_are_told_from_the_ending() {
    let of = |name: &str| OpeningSource {
        file: Some(PathBuf::from(name)),
        ..OpeningSource::default()
    };
    assert!(error(".bin", [0; 16]).contains("a Polyglot book is no list of openings"));
    let error = of("no/such/file.epd").chosen(1, 1).expect_err("not there");
    assert!(error.to_string().contains("file.epd"), "{error}");
    // The text has the cause, which would be printed twice.
    assert_eq!(error.chain().len(), 1);
}

impl OpeningSource {
    /// The first openings; their faults do not matter.
    fn chosen(&self, seed: u64, count: usize) -> anyhow::Result<Vec<Opening>> {
        self.choose(seed, count, &mut Vec::new())
    }
}
