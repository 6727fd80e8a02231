//! Games that the tables end, by the commands as users start them.

use std::fs;

use crate::common::programs::{TestFolder, has_all};
use crate::{QUEEN, ROOK, folder, made};

/// White wins by taking the knight; and the same for Black.
const OPENINGS: &str = "7k/8/8/3n4/8/8/3R4/K7 w - - hmvc 9;\n7K/8/8/3N4/8/8/3r4/k7 b - - hmvc 9;\n";

/// A folder with these tables and the openings.
fn place(endgames: &[&str]) -> TestFolder {
    let place = folder(endgames);
    place.write("openings.epd", OPENINGS);
    place
}

const MATCH: &str = "match kashan:alphabeta kashan:alphabeta --tc depth=3 --in-order";
/// Options of a match of two pairs.
const FOUR: &str = "--openings openings.epd --games 4";

#[test]
fn a_game_ends_where_the_tables_are_certain() {
    let place = place(&[QUEEN, ROOK]);
    let line = format!("{MATCH} {FOUR} --journal g.journal");
    place.prints(&format!("{line} --tablebases . --pgn g.pgn"));
    let pgn = place.read("g.pgn");
    let words = pgn.split_whitespace().collect::<Vec<_>>().join(" ");
    for (text, count) in [
        ("[Termination \"adjudication\"]", 4),
        ("[PlyCount \"1\"]", 4),
        ("[Result \"1-0\"]", 2),
        ("[Result \"0-1\"]", 2),
        ("{the endgame tables say that white wins}", 2),
    ] {
        assert_eq!(words.matches(text).count(), count, "{text}: {pgn}");
    }
    let journal = place.read("g.journal");
    assert_eq!(
        journal
            .matches("\"reason\":\"tablebase-adjudication\"")
            .count(),
        4,
        "{journal}"
    );
    // The journal is of these tables, wherever they are, and of no others.
    let elsewhere = folder(&[QUEEN, ROOK]);
    place.prints(&format!(
        "{line} --tablebases '{}'",
        elsewhere.path().display()
    ));
    let change = "tablebases: was 2 WDL and 2 DTZ tables of up to 3 pieces, is nothing";
    has_all(&place.fails(&line), &[change]);
}

#[test]
fn a_tournament_file_names_them_from_its_own_folder() {
    let place = place(&[ROOK]);
    fs::create_dir(place.file("sub")).expect("a folder");
    let engine = "[[engines]]\ncommand = \"kashan:alphabeta\"\n";
    let text = format!(
        "limits = \"depth=2\"\nrounds = 1\n[openings]\nfile = \"../openings.epd\"\n\
         [adjudication]\ntablebases = \"..\"\n{engine}{engine}"
    );
    place.write("sub/t.toml", text);
    place.prints("tournament sub/t.toml");
    let journal = place.read("sub/t.journal");
    assert_eq!(
        journal.matches("tablebase-adjudication").count(),
        2,
        "{journal}"
    );
    // The command line has the last word.
    has_all(
        &place.fails("tournament sub/t.toml --tablebases /nowhere"),
        &["/nowhere"],
    );
}

/// Without the tables of distances, a win counts right after a capture, and not in the middle of
/// the fifty moves.
#[test]
fn without_distances_the_fifty_moves_must_begin_anew() {
    let place = place(&[ROOK]);
    place.write("rook.epd", "7k/8/8/8/8/8/3R4/K7 w - - hmvc 5;\n");
    for (has_distances, openings, limited) in [
        (true, "rook.epd", 0),
        (false, "rook.epd", 2),
        (false, "openings.epd", 0),
    ] {
        if !has_distances {
            let _ = fs::remove_file(place.file("KRvK.rtbz"));
        }
        let _ = fs::remove_file(place.file("journal"));
        place.prints(&format!(
            "{MATCH} --openings {openings} --tablebases . --max-moves 1 --games 2 --journal journal"
        ));
        let output = place.read("journal");
        assert_eq!(
            output.matches("\"move-limit\"").count(),
            limited,
            "{openings}: {output}"
        );
        assert_eq!(
            output.matches("\"tablebase-adjudication\"").count(),
            2 - limited,
            "{openings}: {output}"
        );
    }
}

#[test]
fn tables_that_are_none_end_it_before_the_first_game() {
    let place = place(&[ROOK]);
    let bytes = made("KRvK.rtbw");
    place.write("KRvK.rtbw", &bytes[..bytes.len() / 3]);
    let line = format!("{MATCH} {FOUR} --pgn g.pgn --journal g.journal --tablebases");
    let refused = [
        (".", "KRvK.rtbw is damaged"),
        ("/nowhere", "/nowhere"),
        ("", "no folder"),
    ];
    let of_unix = cfg!(unix).then_some(("/nowhere::.", "has no name"));
    for (folders, named) in refused.into_iter().chain(of_unix) {
        place.refuses(&format!("{line} '{folders}'"), &[named]);
        assert!(!place.file("g.journal").exists());
    }
}
