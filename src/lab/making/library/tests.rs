use std::fs;
use std::path::{Path, PathBuf};

use chess::{ChessMove, Color};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt as _, SeedableRng as _};

use super::*;
use crate::engine::library::{Action, Filter, GameId, Library, OwnCase, Retain, Similarity};
use crate::rules::position::Position;
use crate::util::input::tests::gzip;

fn book() -> Vec<PathBuf> {
    crate::rules::pgn::files(&[Path::new(env!("CARGO_MANIFEST_DIR")).join("book/openings")])
        .expect("the lines of the book")
}

fn recipe(inputs: &[impl AsRef<Path>], output: &Path) -> Recipe {
    let inputs = inputs.iter().map(|path| path.as_ref().to_owned()).collect();
    Recipe {
        inputs,
        output: output.to_owned(),
        min_elo: 0,
        strict: false,
    }
}

/// Builds, and returns the omissions.
fn built(recipe: &Recipe) -> Vec<String> {
    let mut left_out = Vec::new();
    let mut tell = |event: BuildEvent<'_>| {
        if let BuildEvent::LeftOut(game) = event
            && game.reason != Reason::Rating
        {
            left_out.push(game.to_string());
        }
    };
    build(recipe, &StopRequest::default(), &mut tell).expect("it can be built");
    left_out
}

/// Checks that the build fails with an error of all these parts.
#[track_caller]
fn fails(recipe: &Recipe, parts: &[&str]) {
    let error =
        build(recipe, &StopRequest::default(), &mut |_| ()).expect_err("it cannot be built");
    let error = format!("{error:#}");
    assert!(parts.iter().all(|part| error.contains(part)), "{error}");
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        fs::write(self.path(name), text).expect("written");
        self.path(name)
    }

    fn build(&self, inputs: &[PathBuf], name: &str) -> Library {
        let output = self.path(name);
        built(&recipe(inputs, &output));
        Library::open(&output).expect("a library")
    }

    /// A library of games.
    fn library(&self, pgn: &str) -> Library {
        self.build(&[self.file("of.pgn", pgn)], "of.klib")
    }
}

/// Moves from the start, each with the position before it.
fn line(moves: &str) -> Vec<(Position, ChessMove)> {
    let mut position = Position::default();
    let step = |text: &str| {
        let before = position.clone();
        let mv = position.parse_move(text).expect("legal");
        position.play(mv).expect("legal");
        (before, mv)
    };
    moves.split(' ').map(step).collect()
}

/// The last position of a line, and its last move.
fn played(moves: &str) -> (Position, Action) {
    let (mut position, mv) = line(moves).pop().expect("a move");
    let action = Action::of(position.board(), mv);
    position.play(mv).expect("legal");
    (position, action)
}

#[test]
fn the_same_games_give_the_same_bytes() {
    let folder = Folder::new();
    let mut files = Vec::new();
    for number in 0..2 {
        let output = folder.path(&format!("{number}.klib"));
        assert_eq!(built(&recipe(&book(), &output)), Vec::<String>::new());
        files.push(fs::read(&output).expect("a library"));
    }
    assert!(files[0] == files[1]);
    let library = Library::open(&folder.path("0.klib")).expect("undamaged");
    // What `kashan book build` says of the same lines: 681 games.
    assert_eq!(library.contents().games.len(), 681);
    let cases: usize = library.actions().map(|(_, cases)| cases).sum();
    assert_eq!(library.contents().moves.len(), cases + 681);
    // A library of that library is the same one.
    let again = folder.path("again.klib");
    built(&recipe(&[folder.path("1.klib")], &again));
    assert!(fs::read(&again).expect("a library") == files[0]);
}

#[test]
fn what_is_looked_up_is_what_was_played_and_is_legal_here() {
    let folder = Folder::new();
    let library = folder.build(&book(), "book.klib");
    // Once more, by hand: all pairs, and all moves of the position after 1. e4 c5.
    let (sicilian, c5) = played("e4 c5");
    let [mut pairs, mut answers, mut knights] = [0_usize, 0, 0];
    for path in book() {
        let mut games =
            crate::rules::pgn::Reader::new(crate::util::input::open(&path).expect("a file"));
        while let Some(text) = games.next_game().expect("text") {
            let game =
                crate::rules::pgn::PgnGame::read(&text, &crate::rules::pgn::Rules::default())
                    .expect("a game");
            let moves: Vec<String> = game.moves.iter().map(|mv| mv.mv.to_string()).collect();
            for (index, pair) in moves.windows(2).enumerate() {
                // "c5" of White is another action than "c5" of Black: their mirror images differ.
                let same = [["c2-c4", "c3-c4"], ["c7-c5", "c6-c5"]][index % 2];
                pairs += usize::from(same.contains(&pair[0].as_str()));
            }
            if moves.starts_with(&["e2-e4".to_owned(), "c7-c5".to_owned()]) && moves.len() > 2 {
                answers += 1;
                knights += usize::from(moves[2] == "Ng1-f3");
            }
        }
    }
    assert!(
        pairs > 50 && answers > 20 && knights > 10,
        "{pairs} {answers} {knights}"
    );
    let every = Filter {
        similarity: Similarity::Placement,
        degree: 0,
    };
    let found = library.similar(sicilian.board(), c5, &every);
    let all = library.case_count(c5);
    assert_eq!([found.len(), all], [pairs; 2]);
    let knight = sicilian.parse_move("Nf3").expect("legal");
    // The same board has similarity 1, by both measures, and its answers are those of the games.
    for similarity in [Similarity::Placement, Similarity::Tokens] {
        let filter = Filter {
            similarity,
            degree: 100,
        };
        let same = library.similar(sicilian.board(), c5, &filter);
        assert_eq!(same.len(), answers);
        assert_eq!(
            same.iter()
                .filter(|found| found.moves.as_slice() == [knight])
                .count(),
            knights
        );
    }
    // Every case goes on as its game did: its reaction first, then what can be played on its board.
    for found in library.similar(sicilian.board(), c5, &Filter::default()) {
        let case = found.case;
        let mut there = Position::from_fen(&case.planes.fen(case.actor)).expect("a position");
        let line = library.continuation(&case, !case.actor, 6);
        assert_eq!(line[0], case.reaction.chess_move(case.actor));
        line.into_iter()
            .for_each(|mv| there.play(mv).expect("legal"));
    }
    // Whatever is found is legal here, for both colours, and the same for the mirrored board.
    let mut random = Xoshiro256PlusPlus::seed_from_u64(11);
    let mut position = Position::default();
    let mut retrieved = [0; 2];
    for ply in 0..400 {
        let legal = position.legal_moves();
        if legal.is_empty() || ply % 50 == 0 {
            position = Position::default();
            continue;
        }
        let mv = legal[random.random_range(0..legal.len())];
        let action = Action::of(position.board(), mv);
        position.play(mv).expect("legal");
        let filter = Filter {
            similarity: Similarity::Tokens,
            degree: 30,
        };
        for found in library.similar(position.board(), action, &filter) {
            assert!(found.moves.iter().all(|&mv| position.is_legal(mv)));
            let actions = found
                .moves
                .iter()
                .map(|&mv| Action::of(position.board(), mv));
            assert!(actions.eq(found.moves.iter().map(|_| found.case.reaction_action())));
            retrieved[usize::from(position.side_to_move() == Color::Black)] += found.moves.len();
        }
    }
    assert!(retrieved.iter().all(|&count| count > 100), "{retrieved:?}");
}

#[test]
fn colours_are_alike() {
    let folder = Folder::new();
    // Black's Sicilian, and White's English with a move less: 1. c4 e5 2. g3 is no mirror of
    // anything here.
    let library = folder.library("1. a3 e5 2. c4 Nf6 1-0\n\n1. e4 c5 2. Nf3 d6 0-1\n");
    let (position, action) = played("e4 c5");
    let found = library.similar(position.board(), action, &Filter::default());
    // In the first game White acted so, on a board that is the mirror of this one but for a pawn.
    let whose: Vec<_> = found
        .iter()
        .map(|found| (found.case.actor, found.case.game))
        .collect();
    assert_eq!(
        whose,
        [
            (Color::White, GameId::Library(0)),
            (Color::Black, GameId::Library(1))
        ]
    );
    assert!(found[0].similarity < 1.0 && found[1].similarity == 1.0);
    let knight = ChessMove::new(chess::Square::G1, chess::Square::F3, None);
    for found in &found {
        assert_eq!(found.moves.as_slice(), [knight]);
        assert_eq!(
            library.continuation(&found.case, Color::White, 9)[0],
            knight
        );
    }
    assert_eq!(library.game(found[1].case.game).to_string(), "a game, 0-1");
}

#[test]
fn games_that_are_left_out_are_named() {
    let folder = Folder::new();
    let names = "[White \"Adams, M.\"]\n[Black \"B\"]\n[WhiteElo \"2600\"]\n[BlackElo \"2500\"]\n[Date \"1984.??.??\"]\n";
    let pgn = [
        &format!("{names}\n1. e4 e5 2. Nf3 1-0\n"),
        "[White \"broken\"]\n\n1. e4 e5 2. Ke3 1-0\n",
        "[Variant \"Atomic\"]\n\n1. e4 e5 1-0\n",
        "[White \"nobody\"]\n\n1-0\n",
        // The same game, as another collection writes it.
        &format!("{}\n1.e4 e5 2.Nf3 1-0\n", names.replace("Adams, M.", "Adams,M")),
        "[White \"A\"]\n[Black \"B\"]\n[Result \"1/2-1/2\"]\n[WhiteElo \"2700\"]\n[BlackElo \"2399\"]\n\n1. d4 d5 *\n",
    ]
    .join("\n");
    let games = folder.file("games.pgn", &pgn);
    let [all, strong, strict] =
        ["all.klib", "strong.klib", "strict.klib"].map(|name| folder.path(name));
    let left_out = built(&recipe(&[&games], &all));
    let expected = [
        ", game 2 (line 9): move 2. Ke3 is not legal",
        ", game 3 (line 13): the rules of \"Atomic\" are not known here",
        ", game 4 (line 17): it has no moves",
        ", game 5 (line 21): the same players and moves came before",
    ];
    assert_eq!(
        left_out,
        expected.map(|text| format!("{}{text}", games.display()))
    );
    let library = Library::open(&all).expect("a library");
    let info = |number| library.game(GameId::Library(number)).to_string();
    assert_eq!(info(0), "Adams, M. (2600) - B (2500), 1984, 1-0");
    // What stands behind the moves says nothing: the tag does.
    assert_eq!(info(1), "A (2700) - B (2399), 1/2-1/2");
    // Ratings are what was asked for, and no fault.
    let left_out = built(&Recipe {
        min_elo: 2400,
        ..recipe(&[&games], &strong)
    });
    assert_eq!(left_out.len(), 4);
    let strong = Library::open(&strong).expect("a library");
    assert_eq!(strong.contents().games.len(), 1);
    fails(
        &Recipe {
            strict: true,
            ..recipe(&[&games], &strict)
        },
        &["games.pgn, game 2 (line 9)"],
    );
    assert!(!strict.exists());
}

#[test]
fn a_stopped_build_writes_nothing() {
    let folder = Folder::new();
    let output = folder.path("games.klib");
    let stop = StopRequest::default();
    stop.say();
    let recipe = recipe(&book(), &output);
    let error = build(&recipe, &stop, &mut |_| ())
        .expect_err("stopped")
        .to_string();
    assert!(
        error.contains("no library was written") && !output.exists(),
        "{error}"
    );
}

#[test]
fn nothing_is_lost_to_an_output() {
    let folder = Folder::new();
    let games = folder.file("games.pgn", "1. e4 e5 *\n");
    fails(&recipe(&[&games], &games), &["is read by this command"]);
    let output = folder.file("notes", "mine");
    fails(&recipe(&[&games], &output), &["move this one away"]);
    assert_eq!(fs::read(&output).expect("there"), b"mine");
    let none = folder.path("none.pgn");
    fails(
        &recipe(&[&none], &folder.path("new.klib")),
        &["cannot read", "none.pgn"],
    );
    fails(
        &recipe(
            &[folder.file("empty.pgn", "\n")],
            &folder.path("of-nothing.klib"),
        ),
        &["no game"],
    );
    let torn = folder.path("torn.pgn.gz");
    fs::write(&torn, &gzip(b"1. c4 c5 *\n")[..20]).expect("written");
    fails(
        &recipe(&[torn], &folder.path("new.klib")),
        &["cannot read", "torn.pgn.gz"],
    );
    fs::write(&none, "1. e4 e5 *\n").expect("written");
    built(&recipe(&[none], &folder.path("new.klib")));
}

#[cfg(unix)]
#[test]
fn links_and_pipes_are_refused_and_stay() {
    let folder = Folder::new();
    let link = folder.path("link.klib");
    std::os::unix::fs::symlink("elsewhere", &link).expect("linked");
    fails(
        &recipe(&[folder.file("games.pgn", "1. e4 e5 *\n")], &link),
        &["link.klib: it is a link"],
    );
    assert!(link.is_symlink());
    // Nobody ever writes there, and nobody waits for it.
    let library = folder.library("1. e4 e5 *\n");
    for name in ["pipe", "of.klib.own"] {
        nix::unistd::mkfifo(&folder.path(name), nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
    }
    assert!(!crate::engine::library::retain::is_own(
        &folder.path("pipe")
    ));
    for path in [&folder.path("pipe"), library.path()] {
        let error = Library::open(path).expect_err("a pipe").to_string();
        assert!(error.contains("no regular file"), "{error}");
    }
}

#[test]
fn damaged_cut_and_foreign_files_are_named_and_refused() {
    let folder = Folder::new();
    let library = folder.library("1. e4 e5 2. Nf3 Nc6 1-0\n\n1. e4 e5 2. Nc3 Nf6 0-1\n");
    let bytes = fs::read(library.path()).expect("a library");
    let path = folder.path("bad.klib");
    let refused = |bytes: &[u8], why: &str| {
        fs::write(&path, bytes).expect("written");
        let error = Library::open(&path)
            .err()
            .unwrap_or_else(|| panic!("{why}"))
            .to_string();
        assert!(error.contains("bad.klib") && error.contains(why), "{error}");
    };
    refused(b"", "there is no game in it");
    refused(
        b"KASHANLB",
        "\"KASHANLB\" at move 1 is neither a move nor a result",
    );
    refused(
        b"1. e4 e5 *\n\n1. e4 Ke5 *\n",
        "game 2 (line 3): move 1... Ke5 is not legal",
    );
    for cut in [12, 40, bytes.len() - 1] {
        refused(&bytes[..cut], "gzip");
    }
    for at in [bytes.len() - 20, bytes.len() - 5] {
        let mut bytes = bytes.clone();
        bytes[at] ^= 0x10;
        refused(&bytes, "bad.klib");
    }
}

/// Games as they are make a library, too.
#[test]
fn any_file_of_whole_games_is_a_library() {
    let folder = Folder::new();
    let pgn = "1. e4 e5 2. Nf3 Nc6 1-0\n\n1. e4 e5 2. Nc3 Nf6 0-1\n";
    let built = folder.library(pgn);
    let plain = Library::open(&folder.path("of.pgn")).expect("games");
    assert_eq!(plain.contents().to_pgn(), built.contents().to_pgn());
    assert!(plain.actions().eq(built.actions()));
}

#[test]
fn own_cases_are_found_and_merged() {
    let folder = Folder::new();
    let library = folder.library("1. e4 c5 2. Nf3 d6 1-0\n");
    let own = library.own_path().expect("beside it").to_path_buf();
    // A game of ours with Black, from a book's fourth half-move on.
    let retain = Retain::default();
    let moves = line("e4 c5 d4 cxd4 Nf3 e5 Nxe5 Qa5");
    for ply in [3_usize, 5, 7] {
        let (before, action) = &moves[ply - 1];
        let case = OwnCase {
            before: before.board(),
            full_move: before.fullmove_number(),
            action: *action,
            reaction: moves[ply].1,
        };
        retain.add(&own, &case).expect("written");
    }
    let unknown = shakmaty::Outcome::Unknown;
    retain.result(&own, unknown).expect("written");
    library.refresh().expect("ours");
    assert_eq!(library.own_counts(), (3, 1));
    let (there, action) = played("e4 c5 d4");
    let all = Filter {
        degree: 0,
        ..Filter::default()
    };
    let found = library.similar(there.board(), action, &all);
    let own_case = found.last().expect("one").case;
    assert_eq!((found.len(), own_case.game), (1, GameId::Own(0)));
    assert_eq!(library.case_count(action), 1);
    let expected: Vec<ChessMove> = moves[3..].iter().map(|(_, mv)| *mv).collect();
    assert_eq!(library.continuation(&own_case, Color::Black, 9), expected);
    let game = library.game(own_case.game).to_string();
    assert!(game.starts_with("? - Kashan, 20"), "{game}");
    assert_eq!(library.move_number(&own_case), 2);
    let merged = folder.build(&[library.path().to_path_buf(), own], "new.klib");
    assert_eq!(
        (merged.contents().games.len(), merged.own_counts()),
        (2, (0, 0))
    );
    let found = merged.similar(there.board(), action, &all);
    assert_eq!(found.len(), 1);
    assert_eq!(
        merged.continuation(&found[0].case, Color::Black, 9),
        expected
    );
    assert_eq!(found[0].case.planes, own_case.planes);
}
