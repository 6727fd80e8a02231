//! `kashan perft` and `kashan eval` as developers start them, and the source as they read it.

use std::fs;
use std::path::Path;

use crate::common::programs::{Place, files_below};

#[test]
fn perft_counts_leaves_and_divides_them() {
    let place = Place::new();
    assert!(place.prints("perft startpos 4").starts_with("197281 leaves at depth 4"));
    // The suite's third position: 14 moves, 191 leaves at depth 2.
    let fen = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
    let text = place.prints(&format!("perft '{fen}' 2 --divide"));
    let parts = text.lines().filter_map(|line| line.split_once(": "));
    let counts: Vec<u64> = parts.map(|(_, count)| count.parse().expect("a count")).collect();
    assert_eq!((counts.len(), counts.iter().sum::<u64>()), (14, 191), "{text}");
    assert!(text.contains("191 leaves"), "{text}");
    assert!(place.prints(&format!("perft '{fen}' 0 --divide")).starts_with("1 leaf "));
}

#[test]
fn eval_shows_its_terms_with_the_board() {
    let place = Place::new();
    let text = place.prints("eval startpos --evaluation paper");
    assert!(text.contains("8  r n b q k b n r"), "{text}");
    assert!(text.lines().any(|line| line.starts_with("total") && line.contains("+0 ")), "{text}");
    for (evaluation, material) in [("paper", "+325"), ("winglet", "+300")] {
        let fen = "4k3/8/8/8/8/8/4P3/2B1K3 w - - 0 1";
        let text = place.prints(&format!("eval '{fen}' --evaluation {evaluation}"));
        let line = text.lines().find(|line| line.starts_with("bishop ")).expect("a bishop");
        assert_eq!(line.split_whitespace().nth(1), Some(material));
    }
}

#[test]
fn what_cannot_be_read_is_named() {
    Place::new().refuses(
        "perft nonsense 3 | nonsense
         perft startpos nonsense | nonsense
         eval nonsense | nonsense
         eval startpos --evaluation nonsense | nonsense
         eval '7k/5KQ1/8/8/8/8/8/8 b - - 0 1' | White mates",
    );
}

/// Comments are wrapped where `rustfmt.toml` ends lines of code; rustfmt itself leaves comments alone.
/// Drawings may be wider.
#[test]
fn comments_are_as_wide_as_the_code() {
    let settings = include_str!("../../rustfmt.toml");
    let width = settings.lines().find_map(|line| line.strip_prefix("max_width = "));
    let width: usize = width.and_then(|width| width.parse().ok()).expect("a width");
    let files = ["src", "tests", "benches"].map(|folder| files_below(folder, "rs")).concat();
    assert!(files.len() > 200, "{} files", files.len());
    for path in files {
        let text = fs::read_to_string(&path).expect("text");
        for (number, line) in (1..).zip(text.lines()) {
            let is_comment = line.trim_start().starts_with("//") && !line.contains('─');
            let wide = line.chars().count() > width;
            assert!(!is_comment || !wide, "{}:{number}: {line}", path.display());
        }
    }
}

/// What differs between systems is in one room, where it is said what the others do. Tests may need a system.
#[test]
fn one_room_asks_for_the_system() {
    let systems = ["unix", "windows", "target_os", "target_family"];
    for path in files_below("src", "rs").into_iter().filter(|path| !path.ends_with("tests.rs")) {
        let text = fs::read_to_string(&path).expect("text");
        let lines: Vec<&str> = text.lines().collect();
        let tests = lines.iter().position(|line| *line == "#[cfg(test)]").unwrap_or(lines.len());
        let asks = |line: &&str| line.contains("cfg") && systems.iter().any(|system| line.contains(system));
        let found = lines[..tests].iter().find(|line| asks(line));
        let is_the_room = path.starts_with("src/system") || path == Path::new("src/system.rs");
        assert!(found.is_none() || is_the_room, "{}: {found:?}", path.display());
    }
}
