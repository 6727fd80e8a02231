//! Traps of the `chess` crate that architecture and play have to step around, through our own
//! interface. Those that every game meets (1: what `Board` writes as FEN, 2 and 4: en passant, 6:
//! its hash, and the draws of 9) are found by comparison with two other libraries, in `rules.rs`.

use chess::{ChessMove, Color, Square};
use kashan::rules::position::{MoveError, Outcome, Position};

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{error}"))
}

/// The position after `moves` (coordinates or SAN) from `fen`.
fn after(fen: &str, moves: &str) -> Position {
    let mut position = position(fen);
    for text in moves.split_whitespace() {
        let mv = position
            .parse_move(text)
            .unwrap_or_else(|error| panic!("{fen}: {error}"));
        position
            .play(mv)
            .unwrap_or_else(|error| panic!("{fen}: {error}"));
    }
    position
}

// Trap 3: `ChessMove::from_san` fails on promotions, en passant and castling with check.

#[test]
fn a_line_in_san_stops_before_what_is_not_legal() {
    let start = Position::default();
    let line = ["e2e4", "e7e5", "g1f3", "f8f1", "b1c3"]
        .map(|text| text.parse::<ChessMove>().expect("moves"));
    assert_eq!(start.san_line(&line), ["e4", "e5", "Nf3"]);
}

/// The test keys of the format's description.
#[test]
fn polyglot_keys_as_published() {
    for (moves, key) in [
        ("", 0x463b_9618_1691_fc9c),
        ("e2e4", 0x823c_9b50_fd11_4196),
        ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
        ("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4),
        ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
        ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1),
        ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fd_d303_c946_bdd9),
        ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
        ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f_9b82_9b27_9560),
    ] {
        let position = after(
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            moves,
        );
        assert_eq!(position.polyglot_key(), key, "{moves}");
    }
}

// Trap 7: `make_move` panics from an empty square and does not check the rest.

#[test]
fn illegal_moves_are_refused_and_change_nothing() {
    let before = Position::default();
    let mut game = before.clone();
    for (from, to) in [
        (Square::E4, Square::E5),
        (Square::E2, Square::E5),
        (Square::E7, Square::E5),
    ] {
        assert!(
            game.play(ChessMove::new(from, to, None)).is_err(),
            "{from}{to}"
        );
        assert_eq!(
            (game.to_fen(), game.keys()),
            (before.to_fen(), before.keys())
        );
    }
}

#[test]
fn move_text_is_refused_with_its_reason() {
    let start = Position::default();
    for text in [
        "", "+", "e", "e9e4", "i2i4", "hello", "Nf9", "e2e4x", "e7e8k", "日本", "Pé4", "\0",
    ] {
        assert_eq!(
            start.parse_move(text),
            Err(MoveError::Unreadable(text.into())),
            "{text}"
        );
    }
    for text in ["e2e5", "e5e6", "e7e5", "e2e4q", "Ke2", "O-O", "--"] {
        assert_eq!(
            start.parse_move(text),
            Err(MoveError::Illegal(text.into())),
            "{text}"
        );
    }
    let rooks = position("4k3/8/8/8/8/8/4K3/R6R w - - 0 1");
    assert_eq!(
        rooks.parse_move("Rd1"),
        Err(MoveError::Ambiguous("Rd1".into()))
    );
    assert!(
        position("7k/4P3/8/8/8/8/8/K7 w - - 0 1")
            .parse_move("e7e8Q")
            .is_ok(),
        "WinBoard may shout"
    );
}

// Trap 8: the FEN reader accepts nonsense and rejects double spaces.

#[test]
fn nonsense_is_no_position() {
    for (fen, what) in [
        (
            "4k3/ppppppppp/8/8/8/8/8/4K3 w - - 0 1",
            "nine pawns on a rank",
        ),
        ("4k2p/8/8/8/8/8/8/4K3 w - - 0 1", "a pawn on rank 8"),
        ("4k3/8/8/8/8/8/8/4K2P w - - 0 1", "a pawn on rank 1"),
        ("4k3/8/8/8/8/8/8/2K1K3 w - - 0 1", "two white kings"),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", "no white king"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "nobody"),
        (
            "4k3/8/8/8/8/8/8/4RK2 w - - 0 1",
            "the side not to move in check",
        ),
        ("4k3/4K3/8/8/8/8/8/8 w - - 0 1", "kings side by side"),
        (
            "rnbqkbnr/pppppppp/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "sixteen pawns",
        ),
    ] {
        let error = Position::from_fen(fen).expect_err(what);
        assert!(error.to_string().contains(fen), "{what}: {error}");
    }
    for fen in [
        "",
        "hello",
        "4k3/8/8/8/8/8/4K3 w",
        "4k3/8/8/8/8/8/8/4K4 w",
        "4k3/8/8/8/8/8/8/4K3 x",
        "日本",
    ] {
        let error = Position::from_fen(fen).expect_err(fen).to_string();
        assert!(error.starts_with("cannot read FEN"), "{error}");
    }
    let error = Position::from_fen("4k2p/8/8/8/8/8/8/4K3 w - - 0 1").expect_err("a pawn");
    assert!(error.to_string().starts_with("illegal position"), "{error}");
}

#[test]
fn numbers_of_a_fen_are_refused_where_they_could_not_be_kept() {
    for (numbers, named) in [
        ("10001 1", "10001 half-moves"),
        ("0 1000001", "move 1000001"),
        ("4000000000 4000000000", "4000000000 half-moves"),
    ] {
        let fen = format!("4k3/8/8/8/8/8/8/4K2R w - - {numbers}");
        let error = Position::from_fen(&fen).expect_err(&fen).to_string();
        assert!(error.contains(named) && error.contains(&fen), "{error}");
    }
    let fen = "4k3/8/8/8/8/8/8/4K2R w - - 10000 1000000";
    assert_eq!(Position::from_fen(fen).expect("the largest").to_fen(), fen);
}

/// Without these castling rights it would be another position; rights that nobody can have are
/// merely dropped, unless they name their rook.
#[test]
fn castling_of_chess960_is_refused_by_name() {
    for fen in [
        "nrqkrbbn/pppppppp/8/8/8/8/PPPPPPPP/NRQKRBBN w EBeb - 0 1",
        "4k3/8/8/8/8/8/8/4K1R1 w K - 0 1",
        "3k3r/8/8/8/8/8/8/4K2R w Kk - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1RBQKBNR w KBkq - 0 1",
    ] {
        let error = Position::from_fen(fen).expect_err(fen).to_string();
        assert!(
            error.contains("is of Chess960") && error.contains(fen),
            "{error}"
        );
    }
    for (fen, right) in [
        (
            "rnbqkbn1/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
            'h',
        ),
        ("1rk4r/pppppppp/8/8/8/8/PPPPPPPP/1RK4R w AHah - 0 1", 'A'),
        (
            "rnbqkbnr/pppppppp/8/8/8/K7/PPPPPPPP/RNBQ1BNR w A - 0 1",
            'A',
        ),
    ] {
        let reasons = ["Chess960", &format!("castling right '{right}'")];
        let error = Position::from_fen(fen).expect_err(fen).to_string();
        assert!(
            reasons.iter().any(|reason| error.contains(*reason)),
            "{error}"
        );
    }
    for (fen, rights) in [
        ("4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", "-"),
        ("4k2r/8/8/8/8/8/8/4K2R w KQkq - 0 1", "Kk"),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
            "KQkq",
        ),
    ] {
        let position = Position::from_fen(fen).expect(fen);
        assert_eq!(position.to_fen().split(' ').nth(2), Some(rights), "{fen}");
    }
}

#[test]
fn sloppy_fen_is_understood() {
    let expected = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 5 9";
    for fen in [
        "  r3k2r/8/8/8/8/8/8/R3K2R  w   KQkq -  5 9 ",
        "r3k2r/8/8/8/8/8/8/R3K2R\tw KQkq - 5 9\r\n",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq e6 5 9",
    ] {
        assert_eq!(position(fen).to_fen(), expected, "{fen}");
    }
    assert_eq!(
        position("4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1").to_fen(),
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    );
    assert_eq!(
        position("4k3/8/8/8/8/8/8/4K2R w K -").to_fen(),
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    );
    assert_eq!(
        position("4k3/8/8/8/8/8/8/4K2R w").to_fen(),
        "4k3/8/8/8/8/8/8/4K2R w - - 0 1"
    );
}

// Trap 9: `status()` knows no draw rule.

#[test]
fn mate_comes_before_the_fifty_move_rule() {
    let mate = after("7k/8/6K1/8/8/8/8/R7 w - - 99 80", "Ra8");
    assert_eq!(
        mate.outcome(),
        Some(Outcome::Checkmate {
            winner: Color::White
        })
    );
}

#[test]
fn results_and_reasons() {
    let [white, black] = [Color::White, Color::Black].map(|winner| Outcome::Checkmate { winner });
    assert_eq!(
        [white, black, Outcome::Stalemate].map(Outcome::result),
        ["1-0", "0-1", "1/2-1/2"]
    );
    assert_eq!(Outcome::Repetition.reason(), "Draw by repetition");
}
