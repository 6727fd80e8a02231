//! Games that the tables end, by the commands as users start them.

use std::fs;
use std::path::Path;

use crate::common::programs::kashan;
use crate::{QUEEN, ROOK, folder};

/// White wins by taking the knight; and the same for Black.
const OPENINGS: &str = "7k/8/8/3n4/8/8/3R4/K7 w - - hmvc 9;\n7K/8/8/3N4/8/8/3r4/k7 b - - hmvc 9;\n";

/// A match of two pairs in a folder that has the tables; what it says.
fn play(folder: &Path, more: &[&str]) -> (bool, String, String) {
    fs::write(folder.join("openings.epd"), OPENINGS).expect("written");
    let mut arguments: Vec<&str> =
        "match kashan:alphabeta kashan:alphabeta --tc depth=3 --in-order".split(' ').collect();
    for (option, usual) in [("--openings", "openings.epd"), ("--games", "4")] {
        if !more.contains(&option) {
            arguments.extend([option, usual]);
        }
    }
    arguments.extend(more);
    kashan(folder, &arguments)
}

#[test]
fn a_game_ends_where_the_tables_are_certain() {
    let folder = folder(&[QUEEN, ROOK]);
    let more = ["--tablebases", ".", "--pgn", "g.pgn", "--journal", "g.journal"];
    let (succeeded, _, errors) = play(folder.path(), &more);
    assert!(succeeded, "{errors}");
    let pgn = fs::read_to_string(folder.path().join("g.pgn")).expect("games");
    let count = |text: &str| pgn.matches(text).count();
    assert_eq!(count("[Termination \"adjudication\"]"), 4, "{pgn}");
    assert_eq!(count("[PlyCount \"1\"]"), 4, "{pgn}");
    assert_eq!((count("[Result \"1-0\"]"), count("[Result \"0-1\"]")), (2, 2), "{pgn}");
    let words = pgn.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(words.matches("{the endgame tables say that white wins}").count(), 2, "{pgn}");
    let journal = fs::read_to_string(folder.path().join("g.journal")).expect("a journal");
    assert_eq!(journal.matches("\"reason\":\"tablebase-adjudication\"").count(), 4, "{journal}");
    // The journal is of these tables, wherever they are, and of no others.
    let elsewhere = crate::folder(&[QUEEN, ROOK]);
    let elsewhere = elsewhere.path().display().to_string();
    let (succeeded, _, errors) = play(folder.path(), &["--tablebases", &elsewhere, "--journal", "g.journal"]);
    assert!(succeeded, "{errors}");
    let (succeeded, _, errors) = play(folder.path(), &["--journal", "g.journal"]);
    let change = "tablebases: was 2 WDL and 2 DTZ tables of up to 3 men, is nothing";
    assert!(!succeeded && errors.contains(change), "{errors}");
}

#[test]
fn a_tournament_file_names_them_from_its_own_folder() {
    let folder = folder(&[ROOK]);
    fs::create_dir(folder.path().join("sub")).expect("a folder");
    fs::write(folder.path().join("sub/openings.epd"), OPENINGS).expect("written");
    let engine = "[[engines]]\ncommand = \"kashan:alphabeta\"\n";
    let text = format!(
        "limits = \"depth=2\"\nrounds = 1\n[openings]\nfile = \"openings.epd\"\n\
         [adjudication]\ntablebases = \"..\"\n{engine}{engine}"
    );
    fs::write(folder.path().join("sub/t.toml"), text).expect("written");
    let (succeeded, _, errors) = kashan(folder.path(), &["tournament", "sub/t.toml"]);
    assert!(succeeded, "{errors}");
    let journal = fs::read_to_string(folder.path().join("sub/t.journal")).expect("a journal");
    assert_eq!(journal.matches("tablebase-adjudication").count(), 2, "{journal}");
    // The command line has the last word.
    let arguments = ["tournament", "sub/t.toml", "--tablebases", "/nowhere"];
    let (succeeded, _, errors) = kashan(folder.path(), &arguments);
    assert!(!succeeded && errors.contains("/nowhere"), "{errors}");
}

/// Without the tables of distances, a win counts right after a capture, and not in the middle of the fifty
/// moves.
#[test]
fn without_distances_the_fifty_moves_must_begin_anew() {
    let folder = folder(&[ROOK]);
    fs::write(folder.path().join("rook.epd"), "7k/8/8/8/8/8/3R4/K7 w - - hmvc 5;\n").expect("written");
    for (has_distances, openings, limited) in
        [(true, "rook.epd", 0), (false, "rook.epd", 2), (false, "openings.epd", 0)]
    {
        if !has_distances {
            let _ = fs::remove_file(folder.path().join("KRvK.rtbz"));
        }
        let more =
            ["--openings", openings, "--tablebases", ".", "--max-moves", "1", "--games", "2", "--json"];
        let (succeeded, output, errors) = play(folder.path(), &more);
        assert!(succeeded, "{errors}");
        assert_eq!(output.matches("\"move-limit\"").count(), limited, "{openings}: {output}");
        assert_eq!(output.matches("\"tablebase-adjudication\"").count(), 2 - limited, "{openings}: {output}");
    }
}

#[test]
fn tables_that_are_none_end_it_before_the_first_game() {
    let folder = folder(&[ROOK]);
    let table = folder.path().join("KRvK.rtbw");
    let bytes = fs::read(&table).expect("a table");
    fs::write(&table, &bytes[..bytes.len() / 3]).expect("written");
    for (folders, named) in [(".", "KRvK.rtbw is damaged"), ("/nowhere", "/nowhere"), ("", "no folder")]
        .into_iter()
        .chain(cfg!(unix).then_some(("/nowhere::.", "has no name")))
    {
        let (succeeded, output, errors) =
            play(folder.path(), &["--tablebases", folders, "--pgn", "g.pgn", "--journal", "g.journal"]);
        assert!(!succeeded && errors.contains(named), "{errors}");
        assert!(output.is_empty() && !folder.path().join("g.journal").exists(), "{output}");
    }
}
