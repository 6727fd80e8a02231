use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use chess::{Board, ChessMove, Color};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt as _, SeedableRng as _};
use shakmaty::{KnownOutcome, Outcome};

use super::similarity::Measure;
use super::*;
use crate::rules::position::Position;
use crate::util::files::tests::in_a_folder;

/// The paper's figures: Pasman - Adams, London 1984, after 21. hxg6, and after the answers that it
/// looks at.
const FIGURES: [&str; 5] = [
    "2rqr1k1/p4p1p/1p2pbP1/5n2/3PRB2/P1PQ1N2/5PP1/2R3K1 b - - 0 21",
    "2rqr1k1/p4p2/1p2pbp1/5n2/3PRB2/P1PQ1N2/5PP1/2R3K1 b - - 0 22",
    "2rqr1k1/p6p/1p2pbp1/5n2/3PRB2/P1PQ1N2/5PP1/2R3K1 b - - 0 22",
    "2r1r1k1/p2q1p1p/1p2pbP1/5n2/3PRB2/P1PQ1N2/5PP1/2R3K1 b - - 1 22",
    "2rqr1k1/p6p/1p2pbp1/5n2/3PRB1N/P1PQ4/5PP1/2R3K1 b - - 1 22",
];

fn board(fen: &str) -> Board {
    *Position::from_fen(fen).expect("a position").board()
}

/// Positions of random games.
fn random_positions(count: usize) -> impl Iterator<Item = Position> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    let starts = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ];
    let position = |fen: &str| Position::from_fen(fen).expect("a position");
    let mut at = position(starts[0]);
    (0..count).map(move |index| {
        let legal = at.legal_moves();
        match legal.len() {
            0 => at = position(starts[index % starts.len()]),
            _ if index % 60 == 0 => at = position(starts[index / 60 % starts.len()]),
            length => at
                .play(legal[random.random_range(0..length)])
                .expect("legal"),
        }
        // An en-passant square is there only where the capture is legal.
        position(&at.to_fen())
    })
}

/// The board as it is for the other side: ranks and colours change.
fn mirrored(position: &Position) -> Board {
    let fen = position.to_fen();
    let words: Vec<&str> = fen.split(' ').collect();
    let swap = |c: char| {
        if c.is_lowercase() {
            c.to_ascii_uppercase()
        } else {
            c.to_ascii_lowercase()
        }
    };
    let ranks: Vec<String> = words[0]
        .split('/')
        .rev()
        .map(|rank| rank.chars().map(swap).collect())
        .collect();
    let turn = if words[1] == "w" { "b" } else { "w" };
    let rights: String = words[2].chars().map(swap).collect();
    let passed = words[3]
        .replace('3', "x")
        .replace('6', "3")
        .replace('x', "6");
    board(&format!("{} {turn} {rights} {passed} 0 1", ranks.join("/")))
}

#[test]
fn an_action_is_its_notation_without_marks() {
    let mut seen = BTreeMap::new();
    for position in random_positions(300) {
        let board = position.board();
        let side = position.side_to_move();
        let other = mirrored(&position);
        for mv in position.legal_moves() {
            let action = Action::of(board, mv);
            let san = position.san(mv);
            assert_eq!(
                Action::parse(&san, side).ok(),
                Some(action),
                "{san} on {board}"
            );
            let shown = action.san(side).to_string();
            assert_eq!(
                Action::parse(&shown, side).ok(),
                Some(action),
                "{shown} for {san}"
            );
            // One notation for each action, whatever the disambiguation.
            let as_white = action.san(Color::White).to_string();
            assert_eq!(seen.entry(action).or_insert(as_white.clone()), &as_white);
            let mirrored = SmallMove::of(mv, Color::White).chess_move(Color::Black);
            assert_eq!(Action::of(&other, mirrored), action, "{san} on {board}");
        }
    }
    assert!(seen.len() > 300, "{}", seen.len());
    let parse = |text: &str| Action::parse(text, Color::White);
    let shown = |text| parse(text).expect(text).san(Color::White).to_string();
    let shown = ["hxg6", "Nbd7+", "R1xe4", "e8=Q#", "O-O-O", "Kg1!"].map(shown);
    assert_eq!(shown, ["hxg6", "Nd7", "Rxe4", "e8=Q", "O-O-O", "Kg1"]);
    for text in ["", "xg6", "hello", "e9", "\u{e9}"] {
        let error = parse(text).expect_err(text).to_string();
        assert!(error.contains("no move in algebraic notation"), "{error}");
    }
}

#[test]
fn boards_survive_the_way_through_planes() {
    for position in random_positions(600) {
        let board = position.board();
        let planes = Planes::of(board);
        assert_eq!(planes, Planes::of(&mirrored(&position)), "{board}");
        let back = Position::from_fen(&planes.fen(!position.side_to_move())).expect("a position");
        assert_eq!(back.board(), board);
    }
}

#[test]
fn placement_is_that_of_the_figures() {
    let planes = FIGURES.map(|fen| Planes::of(&board(fen)));
    let mut measure = Measure::new(Similarity::Placement, planes[0], 0);
    for (figure, (twice_common, pieces)) in (1..).zip([(42, 45), (42, 45), (44, 46), (40, 45)]) {
        let measured = measure.of(planes[figure]).expect("any degree");
        assert_eq!(
            measured,
            twice_common as f32 / pieces as f32,
            "figure {}",
            figure + 2
        );
    }
    // A degree that is met exactly passes.
    let passes = |degree| {
        Measure::new(Similarity::Placement, planes[0], degree)
            .of(planes[1])
            .is_some()
    };
    assert!(passes(93) && !passes(94));
}

/// Whatever rights the pieces of either board have: they are the same pieces without.
#[test]
fn placement_counts_pieces_on_the_same_squares() {
    let boards: Vec<Planes> = random_positions(120)
        .map(|position| Planes::of(position.board()))
        .collect();
    let pieces = |planes: Planes| {
        (0..64)
            .filter(move |&square| planes.piece_on(square).is_some())
            .count()
    };
    for (one, other) in boards
        .iter()
        .flat_map(|one| boards.iter().map(move |other| (*one, *other)))
    {
        let piece = |square| {
            one.piece_on(square)
                .filter(|&piece| other.piece_on(square) == Some(piece))
        };
        let common = (0..64).filter_map(piece).count();
        let all = pieces(one) + pieces(other);
        let expected = (2 * common) as f32 / all as f32;
        for degree in [0, 40, 80, 100] {
            let passes = 200 * common >= degree as usize * all;
            let measured = Measure::new(Similarity::Placement, one, degree).of(other);
            assert_eq!(
                measured,
                passes.then_some(expected),
                "{common} of {all}, degree {degree}"
            );
        }
    }
}

#[test]
fn tokens_are_pieces_reach_and_contact() {
    let planes = |fen: &str| Planes::of(&board(fen));
    let measure = |ours: &str| Measure::new(Similarity::Tokens, planes(ours), 0);
    let measured = |ours: &str, theirs: &str| measure(ours).of(planes(theirs)).expect("passes");
    // Two kings in their corners: 1 for standing, 57/64 for each of three squares. Moved by one,
    // the kings share two of the squares.
    let [one, other] = [
        "7k/8/8/8/8/8/8/K7 b - - 0 1",
        "7k/8/8/8/8/8/8/1K6 b - - 0 1",
    ];
    assert!((measured(one, one) - 1.0).abs() < 1e-6);
    let step = (57.0_f64 / 64.0).powi(2);
    let own = 1.0 + 3.0 * step;
    let moved = 1.0 + 5.0 * step;
    let expected = (own + 2.0 * step) / ((2.0 * own) * (own + moved)).sqrt();
    assert!((f64::from(measured(one, other)) - expected).abs() < 1e-6);
    // A rook's squares lose 7/64 by each step: 57, 50, 43, 36, 29, 22, 15.
    let rook = "7k/8/8/8/8/8/8/R6K b - - 0 1";
    let reach = |steps: std::ops::RangeInclusive<u32>| -> f64 {
        steps
            .map(|step| (f64::from(64 - 7 * step) / 64.0).powi(2))
            .sum()
    };
    // It defends its king, which leaves it six squares of the rank. Kings have three squares each.
    let kings = 2.0 * own;
    let others = 1.0 + reach(1..=7) + reach(1..=6) + 1.0;
    let alone = "7k/8/8/8/8/8/8/7K b - - 0 1";
    assert!(
        (f64::from(measured(rook, alone)) - kings / (kings * (kings + others)).sqrt()).abs() < 1e-6
    );
    for pair in FIGURES.windows(2) {
        let similarity = measured(pair[0], pair[1]);
        assert!((0.5..1.0).contains(&similarity) && similarity == measured(pair[1], pair[0]));
    }
}

/// The opponent's move and ours, in a game from the start, as Black or not or both.
fn retain(path: &Path, moves: &str, as_black: &[bool], result: Outcome) -> anyhow::Result<()> {
    let retain = Retain::default();
    let mut position = Position::default();
    let mut before: Option<(Board, ChessMove)> = None;
    for (ply, text) in (0..).zip(moves.split(' ')) {
        let mv = position.parse_move(text).expect("legal");
        if let Some((before, action)) = &before
            && as_black.contains(&(ply % 2 == 1))
        {
            let case = OwnCase {
                before,
                full_move: (ply - 1) / 2 + 1,
                action: *action,
                reaction: mv,
            };
            retain.add(path, &case)?;
        }
        before = Some((*position.board(), mv));
        position.play(mv).expect("legal");
    }
    retain.result(path, result)?;
    Ok(())
}

/// The numbers of own cases and of their games.
fn counts(path: &Path) -> (usize, usize) {
    let own = retain::read(path).expect("ours");
    let cases = own.games.iter().map(|game| game.plies / 2);
    (cases.map(usize::from).sum(), own.games.len())
}

#[test]
fn own_cases_outlive_torn_ends() {
    let (folder, path) = in_a_folder("gm.klib.own");
    assert_eq!(counts(&path), (0, 0), "nothing yet");
    retain(
        &path,
        "e4 c5 Nf3 d6 d4 cxd4",
        &[true],
        Outcome::Known(KnownOutcome::Draw),
    )
    .expect("written");
    let one = fs::read(&path).expect("written");
    let own = retain::read(&path).expect("ours");
    assert_eq!(counts(&path), (3, 1));
    assert_eq!(own.games[0].result, Some(KnownOutcome::Draw));
    assert_eq!(own.name(own.games[0].black), "Kashan");
    assert!(own.games[0].year > 2000);
    // Wherever it is torn, what was whole is kept, and the next line stands where it belongs.
    let ends: Vec<usize> = (0..one.len()).filter(|&at| one[at] == b'\n').collect();
    let cuts = ends.iter().flat_map(|&end| [end - 20, end, end + 1]);
    for cut in [0, 5].into_iter().chain(cuts) {
        fs::write(&path, &one[..cut]).expect("written");
        let left = ends.iter().filter(|&&end| end < cut).count().min(3);
        assert_eq!(counts(&path).0, left, "cut at {cut}");
        retain(&path, "d4 d5 c4 e6", &[true], Outcome::Unknown).expect("written");
        assert_eq!(counts(&path).0, left + 2, "cut at {cut}");
    }
    // What a machine that failed left as zeros at the end is dropped, too; damage before the end is
    // named.
    fs::write(&path, [one.as_slice(), &[0; 200]].concat()).expect("written");
    assert_eq!(counts(&path).0, 3);
    retain(&path, "d4 d5", &[true], Outcome::Unknown).expect("written");
    assert_eq!(counts(&path).0, 4);
    for (from, to) in [("e2e4", "e2e5"), ("\"fen\"", "fen"), (" w KQkq", " w")] {
        let damaged = String::from_utf8_lossy(&one).replacen(from, to, 1);
        fs::write(&path, damaged).expect("written");
        let error = retain::read(&path).expect_err("damaged").to_string();
        assert!(
            error.contains("gm.klib.own are damaged in line 1;"),
            "{error}"
        );
    }
    // Nobody's other file is touched.
    fs::write(&path, "my own notes").expect("written");
    let error = retain(&path, "e4 e5", &[true], Outcome::Unknown)
        .expect_err("not ours")
        .to_string();
    assert!(error.contains("gm.klib.own"), "{error}");
    retain(folder.path(), "e4 e5", &[true], Outcome::Unknown).expect_err("a folder is no file");
    assert_eq!(fs::read(&path).expect("there"), b"my own notes");
}

#[test]
fn two_engines_can_keep_the_same_file() {
    let (_folder, path) = in_a_folder("own");
    std::thread::scope(|scope| {
        for as_black in [true, false] {
            let path = &path;
            scope.spawn(move || {
                for _ in 0..20 {
                    retain(path, "e4 e5 Nf3 Nc6 Bb5", &[as_black], Outcome::Unknown)
                        .expect("written");
                }
            });
        }
    });
    assert_eq!(counts(&path), (80, 40));
    let own = retain::read(&path).expect("ours");
    assert!(own.games.iter().all(|game| game.plies == 4));
}

#[test]
fn both_sides_of_one_game_are_two_games() {
    let (_folder, path) = in_a_folder("own");
    retain(
        &path,
        "e4 c5 Nf3 d6 d4",
        &[true, false],
        Outcome::Known(KnownOutcome::Draw),
    )
    .expect("written");
    let own = retain::read(&path).expect("ours");
    let games = own
        .games
        .iter()
        .map(|game| (own.name(game.white), game.plies, game.result));
    let drawn = Some(KnownOutcome::Draw);
    assert_eq!(
        games.collect::<Vec<_>>(),
        [("", 4, drawn), ("Kashan", 4, drawn)]
    );
}

/// A position may be set up with any number of moves; where moves are missing another game begins.
#[test]
fn own_cases_have_their_number_in_games_of_any_length() {
    let (_folder, path) = in_a_folder("own");
    let retain = Retain::default();
    let add = |position: &Position, full_move, moves: [&str; 2]| {
        let mut after = position.clone();
        let [action, reaction] = moves.map(|text| {
            let mv = after.parse_move(text).expect("legal");
            after.play(mv).expect("legal");
            mv
        });
        let before = position.board();
        let case = OwnCase {
            before,
            full_move,
            action,
            reaction,
        };
        retain.add(&path, &case).expect("written");
        after
    };
    let start = Position::default();
    add(&start, 1, ["e4", "d5"]);
    let later = add(&start, 512, ["e4", "e5"]);
    add(&later, 513, ["Nf3", "Nc6"]);
    add(&start, 100_000, ["d4", "d5"]);
    let own = retain::read(&path).expect("ours");
    let games = own.games.iter().map(|game| {
        let first = own.first_position(game).expect("a position");
        (first.fullmove_number(), game.plies)
    });
    assert_eq!(games.collect::<Vec<_>>(), [(1, 2), (512, 4), (100_000, 2)]);
}
