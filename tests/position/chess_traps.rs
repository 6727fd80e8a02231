//! Each trap of the `chess` crate that architecture and play have to step around, through our own interface.

use chess::{Color, Square};
use kashan::position::notation::{Castling, read_fen};
use kashan::position::{FenError, MoveError, Outcome, Position, key, moves};

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{error}"))
}

/// The position after `moves` (coordinates or SAN) from `fen`.
fn after(fen: &str, moves: &str) -> Position {
    let mut position = position(fen);
    for text in moves.split_whitespace() {
        let mv = position.parse_move(text).unwrap_or_else(|error| panic!("{fen}: {error}"));
        position.play(mv).unwrap_or_else(|error| panic!("{fen}: {error}"));
    }
    position
}

fn from_start(moves: &str) -> Position {
    after("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", moves)
}

// Trap 1: `Board`'s `Display` writes the wrong en-passant square and "0 1" for the clocks.

#[test]
fn fen_out_has_the_target_square_and_both_clocks() {
    let game = from_start("e4 Nf6 e5 d5");
    assert_eq!(game.to_fen(), "rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3");
    let game = from_start("Nf3 Nf6 Rg1 Rg8");
    assert_eq!(game.to_fen(), "rnbqkbr1/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKBR1 w Qq - 4 3");
    assert_eq!(from_start("e4").to_fen(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    // Reads itself back, clocks included.
    let again = position(&game.to_fen());
    assert_eq!((again.to_fen(), again.key()), (game.to_fen(), game.key()));
    assert_eq!((again.halfmove_clock(), again.fullmove_number()), (4, 3));
}

// Trap 2: `Board::en_passant` is the pawn's square.

#[test]
fn the_en_passant_target_is_behind_the_pawn() {
    let white = from_start("e4 Nf6 e5 d5");
    assert_eq!(key::en_passant_target(white.board()), Some(Square::D6));
    let black = from_start("a3 e5 a4 e4 d4");
    assert_eq!(key::en_passant_target(black.board()), Some(Square::D3));
    assert_eq!(key::en_passant_target(from_start("e4").board()), None, "nobody could take");
}

// Trap 3: `ChessMove::from_san` fails on promotions, en passant and castling with check.

#[test]
fn san_in_and_out() {
    for (fen, coordinates, san) in [
        ("3r3k/4P3/8/8/8/8/8/K7 w - - 0 1", "e7d8q", "exd8=Q+"),
        ("7k/4P3/8/8/8/8/8/K7 w - - 0 1", "e7e8n", "e8=N"),
        ("8/4P3/8/8/8/6K1/8/7k w - - 0 1", "e7e8r", "e8=R"),
        ("5k2/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"),
        ("3k4/8/8/3pP3/8/8/8/3RK3 w - d6 0 1", "e5d6", "exd6"),
        ("4k3/8/8/3pP3/8/8/8/4RK2 w - d6 0 1", "e5d6", "exd6+"),
        ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"),
        ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "O-O-O+"),
        ("8/8/8/8/8/8/1R6/R3K1k1 w Q - 0 1", "e1c1", "O-O-O#"),
        ("4k3/8/8/8/8/N7/8/N3K3 w - - 0 1", "a1c2", "N1c2"),
        ("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "a1d1", "Rad1"),
    ] {
        let position = position(fen);
        let mv = position.parse_move(coordinates).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(position.san(mv), san, "{fen}");
        for spelling in [san.to_owned(), san.trim_end_matches(['+', '#']).to_owned(), format!("{san}!?")] {
            assert_eq!(position.parse_move(&spelling), Ok(mv), "{spelling} on {fen}");
        }
    }
}

#[test]
fn a_line_in_san_stops_before_what_is_not_legal() {
    let start = Position::default();
    let line = ["e2e4", "e7e5", "g1f3", "f8f1", "b1c3"].map(|text| {
        chess::ChessMove::new(
            text[0..2].parse().expect("a square"),
            text[2..4].parse().expect("a square"),
            None,
        )
    });
    assert_eq!(start.san_line(&line), ["e4", "e5", "Nf3"]);
}

// Trap 4: a mask of enemy pieces misses en passant.

#[test]
fn en_passant_is_a_capture() {
    let game = from_start("e4 a6 e5 d5");
    let en_passant = game.parse_move("exd6").expect("legal");
    assert!(moves::captures_and_promotions(game.board()).contains(&en_passant));
    assert!(moves::is_capture(game.board(), en_passant) && moves::is_en_passant(game.board(), en_passant));
    assert!(moves::is_irreversible(game.board(), en_passant));
    assert!(!moves::is_quiet(game.board(), &mut chess::MoveGen::new_legal(game.board())));
    // The same squares without the right to do so.
    let late = from_start("e4 d6 e5 d5 h3 h6");
    assert!(late.parse_move("exd6").is_err());
    assert!(moves::is_quiet(late.board(), &mut chess::MoveGen::new_legal(late.board())));
    // A piece that goes to the target square takes nothing.
    let knight = after("4k3/3p4/8/2N1P3/8/8/8/4K3 b - - 0 1", "d7d5 c5a4 e8e7 a4c5 e7e8");
    assert_eq!(key::en_passant_target(knight.board()), None);
    let beside = after("4k3/3p4/8/4P3/4N3/8/8/4K3 b - - 0 1", "d7d5");
    let knight_move = beside.parse_move("Nd6+").expect("legal");
    assert!(!moves::is_en_passant(beside.board(), knight_move));
    assert!(!moves::captures_and_promotions(beside.board()).contains(&knight_move));
}

// Trap 6: the hash keeps an en-passant file that nobody can use.

#[test]
fn an_impossible_en_passant_capture_hides_no_repetition() {
    // After d2d4 the pawn on e4 stands ready, but is pinned to its king on a4 by the rook: the position with
    // White's knight back is the same.
    let fen = "6n1/8/8/8/k3p2R/8/3P4/3K2N1 w - - 0 1";
    let mut game = after(fen, "d2d4");
    assert!(key::en_passant_target(game.board()).is_some(), "the crate keeps the file");
    assert!(game.parse_move("exd3").is_err(), "illegal: opens the rank");
    let key = game.key();
    for text in ["g8f6", "g1f3", "f6g8", "f3g1", "g8f6", "g1f3", "f6g8", "f3g1"] {
        let mv = game.parse_move(text).expect("legal");
        game.play(mv).expect("legal");
    }
    assert_eq!((game.key(), game.repetitions(), game.outcome()), (key, 3, Some(Outcome::Repetition)));
}

#[test]
fn a_possible_en_passant_capture_makes_another_position() {
    let mut game = after("4k1n1/8/8/8/4p3/8/3P4/4K1N1 w - - 0 1", "d2d4");
    let key = game.key();
    for text in ["g8f6", "g1f3", "f6g8", "f3g1"] {
        let mv = game.parse_move(text).expect("legal");
        game.play(mv).expect("legal");
    }
    assert_ne!(game.key(), key);
    assert_eq!(game.repetitions(), 1);
}

#[test]
fn polyglot_keys_keep_what_repetition_keys_drop() {
    // Made with python-chess: black pawn beside, pinned along the rank, and no black pawn at all.
    let pinned = position("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1");
    assert_eq!(pinned.polyglot_key(), 0xecba_303c_d610_b817);
    assert_eq!(after("8/8/8/8/k3p2Q/8/3P4/3K4 w - - 0 1", "d4").polyglot_key(), 0xecba_303c_d610_b817);
    assert_eq!(position("8/8/8/8/k2P3Q/8/8/3K4 b - d3 0 1").polyglot_key(), 0x4488_de1f_8819_b209);
    assert_eq!(pinned.key(), position("8/8/8/8/k2Pp2Q/8/8/3K4 b - - 0 1").key());
    assert_eq!(pinned.to_fen(), "8/8/8/8/k2Pp2Q/8/8/3K4 b - - 0 1");
}

/// The test keys of the format's description.
#[test]
fn polyglot_keys_as_published() {
    for (moves, fen, key) in [
        ("", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0x463b_9618_1691_fc9c),
        ("e2e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", 0x823c_9b50_fd11_4196),
        ("e2e4 d7d5", "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2", 0x0756_b944_61c5_0fb0),
        (
            "e2e4 d7d5 e4e5",
            "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2",
            0x662f_afb9_65db_29d4,
        ),
        (
            "e2e4 d7d5 e4e5 f7f5",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            0x22a4_8b5a_8e47_ff78,
        ),
        (
            "e2e4 d7d5 e4e5 f7f5 e1e2",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 0 3",
            0x652a_607c_a3f2_42c1,
        ),
        (
            "e2e4 d7d5 e4e5 f7f5 e1e2 e8f7",
            "rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 0 4",
            0x00fd_d303_c946_bdd9,
        ),
        (
            "a2a4 b7b5 h2h4 b5b4 c2c4",
            "rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3",
            0x3c81_23ea_7b06_7637,
        ),
        (
            "a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3",
            "rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4",
            0x5c3f_9b82_9b27_9560,
        ),
    ] {
        assert_eq!(from_start(moves).polyglot_key(), key, "{moves}");
        assert_eq!(position(fen).polyglot_key(), key, "{fen}");
    }
}

// Trap 7: `make_move` panics from an empty square and does not check the rest.

#[test]
fn illegal_moves_are_refused_and_change_nothing() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
        "2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1",
    ] {
        let before = position(fen);
        let legal = before.legal_moves();
        let mut legal_found = 0;
        for from in chess::ALL_SQUARES {
            for to in chess::ALL_SQUARES {
                for promotion in [None].into_iter().chain(chess::ALL_PIECES.map(Some)) {
                    let mv = chess::ChessMove::new(from, to, promotion);
                    let mut game = before.clone();
                    let played = game.play(mv);
                    assert_eq!(played.is_ok(), legal.contains(&mv), "{mv} on {fen}");
                    legal_found += usize::from(played.is_ok());
                    if played.is_err() {
                        assert_eq!(game.to_fen(), before.to_fen());
                        assert_eq!(game.keys(), before.keys());
                    }
                }
            }
        }
        assert_eq!(legal_found, legal.len());
    }
}

#[test]
fn move_text_is_refused_with_its_reason() {
    let start = Position::default();
    let unreadable = |text: &str| assert_eq!(start.parse_move(text), Err(MoveError::Unreadable(text.into())));
    for text in ["", "+", "e", "e9e4", "i2i4", "hello", "Nf9", "e2e4x", "e7e8k", "日本", "Pé4", "\0"] {
        unreadable(text);
    }
    for text in ["e2e5", "e5e6", "e7e5", "e2e4q", "Ke2", "O-O", "--"] {
        assert_eq!(start.parse_move(text), Err(MoveError::Illegal(text.into())), "{text}");
    }
    let rooks = position("4k3/8/8/8/8/8/4K3/R6R w - - 0 1");
    assert_eq!(rooks.parse_move("Rd1"), Err(MoveError::Ambiguous("Rd1".into())));
    assert!(position("7k/4P3/8/8/8/8/8/K7 w - - 0 1").parse_move("e7e8Q").is_ok(), "WinBoard may shout");
}

// Trap 8: the FEN reader accepts nonsense and rejects double spaces.

#[test]
fn nonsense_is_no_position() {
    for (fen, what) in [
        ("4k3/ppppppppp/8/8/8/8/8/4K3 w - - 0 1", "nine pawns on a rank"),
        ("4k2p/8/8/8/8/8/8/4K3 w - - 0 1", "a pawn on rank 8"),
        ("4k3/8/8/8/8/8/8/4K2P w - - 0 1", "a pawn on rank 1"),
        ("4k3/8/8/8/8/8/8/2K1K3 w - - 0 1", "two white kings"),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", "no white king"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "nobody"),
        ("4k3/8/8/8/8/8/8/4RK2 w - - 0 1", "the side not to move in check"),
        ("4k3/4K3/8/8/8/8/8/8 w - - 0 1", "kings side by side"),
        ("rnbqkbnr/pppppppp/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "sixteen pawns"),
    ] {
        let error = Position::from_fen(fen).expect_err(what);
        assert!(error.to_string().contains(fen), "{what}: {error}");
    }
    for fen in [
        "",
        "hello",
        "4k3/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K4 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 x - - 0 1",
        "日本",
    ] {
        assert!(matches!(Position::from_fen(fen), Err(FenError::Syntax { .. })), "{fen}");
    }
    assert!(matches!(Position::from_fen("4k2p/8/8/8/8/8/8/4K3 w - - 0 1"), Err(FenError::Illegal { .. })));
}

/// Without these castling rights it would be another position; rights that nobody can have are merely
/// dropped, unless they name their rook.
#[test]
fn castling_of_chess960_is_refused_by_name() {
    for fen in [
        "nrqkrbbn/pppppppp/8/8/8/8/PPPPPPPP/NRQKRBBN w EBeb - 0 1",
        "4k3/8/8/8/8/8/8/4K1R1 w K - 0 1",
        "3k3r/8/8/8/8/8/8/4K2R w Kk - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1RBQKBNR w KBkq - 0 1",
    ] {
        let error = Position::from_fen(fen).expect_err(fen);
        assert!(matches!(error, FenError::Chess960 { .. }) && error.to_string().contains(fen), "{error}");
    }
    for (fen, right) in [
        ("rnbqkbn1/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1", 'h'),
        ("1rk4r/pppppppp/8/8/8/8/PPPPPPPP/1RK4R w AHah - 0 1", 'A'),
        ("rnbqkbnr/pppppppp/8/8/8/K7/PPPPPPPP/RNBQ1BNR w A - 0 1", 'A'),
    ] {
        for castling in [Castling::Standard, Castling::Chess960] {
            let error = read_fen(fen, castling).expect_err(fen).to_string();
            assert!(
                error.contains(&format!("castling right '{right}'")) || error.contains("Chess960"),
                "{error}"
            );
        }
        assert!(matches!(read_fen(fen, Castling::Chess960), Err(FenError::NoRook { .. })), "{fen}");
    }
    for (fen, rights) in [
        ("4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", "-"),
        ("4k2r/8/8/8/8/8/8/4K2R w KQkq - 0 1", "Kk"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1", "KQkq"),
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
    assert_eq!(position("4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1").to_fen(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    assert_eq!(position("4k3/8/8/8/8/8/8/4K2R w K -").to_fen(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    assert_eq!(position("4k3/8/8/8/8/8/8/4K2R w").to_fen(), "4k3/8/8/8/8/8/8/4K2R w - - 0 1");
}

// Trap 9: `status()` knows no draw rule.

#[test]
fn outcomes_by_rule() {
    assert_eq!(Position::default().outcome(), None);
    let mate = from_start("f3 e5 g4 Qh4#");
    assert_eq!(mate.outcome(), Some(Outcome::Checkmate { winner: Color::Black }));
    assert_eq!(position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").outcome(), Some(Outcome::Stalemate));
    let shuffle = "Nf3 Nf6 Ng1 Ng8";
    assert_eq!(from_start(shuffle).outcome(), None);
    let third = from_start(&format!("{shuffle} {shuffle}"));
    assert_eq!((third.outcome(), third.repetitions()), (Some(Outcome::Repetition), 3));
    // The rights to castle belong to the position.
    let rook = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let round = "Rh2 Ke7 Rh1 Ke8";
    assert_eq!(
        after(rook, &format!("{round} {round}")).outcome(),
        None,
        "the first time was another position"
    );
    assert_eq!(after(rook, &format!("{round} {round} Rh2")).outcome(), Some(Outcome::Repetition));

    let almost = "4k3/8/8/8/8/8/4P3/4K2R w K - 99 80";
    assert_eq!(position(almost).outcome(), None);
    assert_eq!(after(almost, "Rh2").outcome(), Some(Outcome::FiftyMoves));
    assert_eq!(after(almost, "e4").outcome(), None);
    assert_eq!(
        after("7k/8/6K1/8/8/8/8/R7 w - - 99 80", "Ra8").outcome(),
        Some(Outcome::Checkmate { winner: Color::White }),
        "mate comes first"
    );
    for (fen, dead) in [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", true),
        ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", true),
        ("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", true),
        ("2b1k3/8/8/8/8/8/8/4KB2 w - - 0 1", true), // c8 and f1: both on light squares
        ("4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", false), // f8 is dark
        ("4kn2/8/8/8/8/8/8/4KN2 w - - 0 1", false),
        ("4k3/8/8/8/8/8/8/3NKN2 w - - 0 1", false),
        ("4kb2/8/8/8/8/8/8/4KN2 w - - 0 1", false),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", false),
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", false),
    ] {
        assert_eq!(position(fen).outcome() == Some(Outcome::InsufficientMaterial), dead, "{fen}");
    }
}

#[test]
fn results_and_reasons() {
    assert_eq!(Outcome::Checkmate { winner: Color::White }.result(), "1-0");
    assert_eq!(Outcome::Checkmate { winner: Color::Black }.result(), "0-1");
    assert_eq!(Outcome::Stalemate.result(), "1/2-1/2");
    assert_eq!(Outcome::Repetition.reason(), "Draw by repetition");
}
