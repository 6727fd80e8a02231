//! Playing from a library of actions: what front ends and people are told, and what is kept.

use std::path::Path;

use kashan::engine::library::Library;
use kashan::lab::making::library::{Recipe, build};
use kashan::util::jobs::StopRequest;
use tempfile::TempDir;

use crate::common::dialogue::Speaker;
use crate::common::rig::{Terminal, Uci, Xboard};

/// Answers to 1. e4, and their numbers.
const GAMES: &str = r#"
[White "Pasman"]
[Black "Adams, Michael"]
[Date "1984.05.01"]
[Result "0-1"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 0-1

[White "Short, Nigel"]
[Black "Adams, Michael"]
[Date "1990.01.01"]
[Result "1/2-1/2"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 1/2-1/2

[White "Somebody"]
[Black "Basman, Michael"]
[Date "1980.01.01"]
[Result "1-0"]

1. e4 a6 2. d4 h6 1-0
"#;

fn library(folder: &TempDir, games: &str) -> String {
    let input = folder.path().join("games.pgn");
    std::fs::write(&input, games).unwrap();
    let recipe = Recipe {
        inputs: vec![input],
        output: folder.path().join("games.klib"),
        min_elo: 0,
        strict: true,
    };
    build(&recipe, &StopRequest::default(), &mut |_| ()).unwrap();
    recipe.output.to_str().unwrap().to_owned()
}

/// A console in which every move is from a library, and what that says is not searched.
fn console(library: &str) -> Terminal {
    let mut console = Terminal::real();
    console.call("library", library);
    console.holds("> set OwnBook 0; backend action; set ActionDepth 1");
    console
}

/// Own cases, and the games that they are from.
fn own_counts(library: &str) -> (usize, usize) {
    Library::open(Path::new(library)).unwrap().own_counts()
}

#[test]
fn the_console_says_whose_move_it_plays() {
    let folder = TempDir::new().unwrap();
    console(&library(&folder, GAMES)).holds(
        "> e4
         # From the library that is built in.
         < cases fit, with
         < Kashan plays 1... *(as * % similar,
         > new; set LibraryFile=
         > e4 < no library to play from (option LibraryFile); Kashan plays 1...
         > new; set LibraryFile $library; set SimilarityDegree 100
         > e4
         # White's answers to 1... e5 are of the same action, in other positions.
         < e4: 3 of 5 cases fit, with e5 (2), a6 (1)
         < 100 % similar
         > set LibraryFile no/such.klib < no/such.klib
         > set LibraryFile < games.klib
         > new; h4 < the library has no answer to h4",
    );
}

#[test]
fn lines_of_the_opening_book_are_called_by_their_names() {
    let folder = TempDir::new().unwrap();
    let line = "[Event \"Kashan opening book\"]\n[White \"Open Game\"]\n[Black \"Main line\"]\n\n1. e4 e5 *\n";
    console(&library(&folder, line)).holds(
        "> set LibraryFile $library
         > e4
         < Kashan plays 1... e5 (as the book does in Open Game: Main line, 100 % similar, 1 of 1 cases;",
    );
}

#[test]
fn the_console_says_who_answered_so_how_similar_and_why_another_move_is_played() {
    let folder = TempDir::new().unwrap();
    let one =
        "[White \"Pasman\"]\n[Black \"Adams, Michael\"]\n[Date \"1984.05.01\"]\n\n1. e4 e5 0-1\n";
    console(&library(&folder, one)).holds(
        "> set LibraryFile $library
         > e4 < Kashan plays 1... e5 (as Adams did against Pasman in 1984, 100 % similar, 1 of 1 cases;
         > fen rnbqkbnr/pppppppp/8/8/8/7P/PPPPPPP1/RNBQKBNR w KQkq - 0 1
         > e4 < Kashan plays 1... e5 (as Adams did against Pasman in 1984, 9
         > set SimilarityDegree 100
         > fen rnbqkbnr/pppppppp/8/8/8/7P/PPPPPPP1/RNBQKBNR w KQkq - 0 1
         > e4 < none of 1 answers to e4 fits here",
    );
}

#[test]
fn uci_is_told_in_a_line_of_information_and_a_bad_library_changes_nothing() {
    let folder = TempDir::new().unwrap();
    let good = library(&folder, GAMES);
    let bad = folder.path().join("bad.klib");
    let mut bytes = std::fs::read(&good).unwrap();
    bytes.truncate(bytes.len() - 9);
    std::fs::write(&bad, bytes).unwrap();
    let mut uci = Uci::real().introduced();
    uci.call("good", &good)
        .call("bad", bad.to_str().unwrap())
        .holds(
            "> setoption name Backend value action
         > setoption name LibraryFile value $good
         > setoption name SimilarityDegree value 100 <<
         > setoption name LibraryFile value $bad << info string *bad.klib*
         > position startpos moves e2e4; go depth 1
         < info string e4: 3 of 5 cases fit, with e5 (2), a6 (1)
         .. info string e5: as * did against *, 100 % similar, 2 of 3 cases
         .. bestmove e7e5*
         # Before the first move nothing can have been answered.
         > position startpos; go depth 1 < bestmove *",
        );
}

#[test]
fn xboard_is_told_in_parentheses_and_own_moves_become_cases_with_the_result() {
    let folder = TempDir::new().unwrap();
    let file = library(&folder, GAMES);
    let mut xboard = Xboard::real().introduced();
    xboard.call("library", &file).holds(
        "> option Backend=action; option Retain=1
         > option SimilarityDegree=100; option LibraryFile=$library; new; post; sd 1
         > usermove e2e4 < 0 0 0 0 *(e4: 3 of 5 cases fit, with e5 (2), a6 (1))
         .. 1 *e5 (as * did against *, 100 % similar, 2 of 3 cases)
         < move e7e5
         > usermove d2d4 .. move *",
    );
    // Even if it were killed now.
    assert_eq!(own_counts(&file), (2, 1));
    xboard.holds(
        "> result 1-0 {Black resigns}; new; usermove e2e4
         # The own case is found from now on.
         < 0 0 0 0 *(e4: 4 of 6 cases *
         .. move *
         > option Retain=0; new; usermove e2e4 .. move *",
    );
    assert_eq!(own_counts(&file), (3, 2));
    let library = Library::open(Path::new(&file)).unwrap();
    let game = library.game(kashan::engine::library::GameId::Own(0));
    assert_eq!(game.result().to_string(), "1-0");
    assert!(game.is_own);
}

/// The players of the four papers, each by one option, and nothing of a library where there is
/// none. The values of the first line are those of each player's own evaluation, which no other
/// player would say.
#[test]
fn xboard_plays_as_each_paper_by_one_option() {
    let folder = TempDir::new().unwrap();
    let file = library(&folder, GAMES);
    for (option, seconds, first, says) in [
        (
            "ActionPreset=paper",
            "60",
            "0 0 0 0 *(e4: * of * cases fit, with e5 (*",
            "4 *(as * did against *, * % similar, * of 5 cases)",
        ),
        ("AlphaBetaPreset=factors", "60", "1 484 *Nf6*", "4 *"),
        ("MinMaxPreset=threats", "60", "1 60 *Nf6*", "4 *"),
        ("Preset=letter", "1", "2 -35 *d5 Nc3*", "* *"),
    ] {
        let mut xboard = Xboard::real().introduced();
        xboard
            .call("library", &file)
            .call("option", option)
            .call("first", first)
            .call("says", says);
        xboard.call("seconds", seconds).holds(
            "> option LibraryFile=$library; option $option; new; post; st $seconds
             > usermove e2e4 .. $first
             .. $says
             .. move *",
        );
        // The paper's player keeps its move as a case.
        assert_eq!(own_counts(&file).0, 1, "{option}");
    }
}

#[test]
fn a_file_of_own_cases_that_cannot_be_written_is_said_once_and_the_game_goes_on() {
    let folder = TempDir::new().unwrap();
    let file = library(&folder, GAMES);
    let mut xboard = Xboard::real().introduced();
    xboard.call("library", &file);
    xboard.holds(
        "> option Backend=action; option LibraryFile=$library; option Retain=1; new; sd 1 <<",
    );
    std::fs::create_dir(format!("{file}.own")).unwrap();
    xboard.holds(
        "> usermove e2e4 < move *; telluser *games.klib.own*
         > usermove d2d4 < move *",
    );
}
