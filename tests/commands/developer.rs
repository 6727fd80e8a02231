//! `kashan eval` as developers start it, and the source as they read it.

use std::fs;
use std::path::Path;

use crate::common::programs::{TestFolder, files_below};

#[test]
fn eval_shows_its_terms_with_the_board() {
    let place = TestFolder::new();
    let text = place.prints("eval startpos --evaluation paper");
    assert!(text.contains("8  r n b q k b n r"), "{text}");
    assert!(
        text.lines()
            .any(|line| line.starts_with("total") && line.contains("+0 ")),
        "{text}"
    );
    for (evaluation, material) in [("paper", "+325"), ("winglet", "+300")] {
        let fen = "4k3/8/8/8/8/8/4P3/2B1K3 w - - 0 1";
        let text = place.prints(&format!("eval '{fen}' --evaluation {evaluation}"));
        let line = text
            .lines()
            .find(|line| line.starts_with("bishop "))
            .expect("a bishop");
        assert_eq!(line.split_whitespace().nth(1), Some(material));
    }
}

#[test]
fn what_cannot_be_read_is_named() {
    let place = TestFolder::new();
    place.refuses("eval nonsense", &["nonsense"]);
    place.refuses("eval startpos --evaluation nonsense", &["nonsense"]);
    place.refuses("eval '7k/5KQ1/8/8/8/8/8/8 b - - 0 1'", &["White mates"]);
}

/// The width of the formatter's defaults.
const WIDTH: usize = 100;

/// Comments are as wide as code; rustfmt itself leaves comments alone. Drawings
/// and tables may be wider.
#[test]
fn comments_are_as_wide_as_the_code() {
    let files = ["src", "tests", "benches"]
        .map(|folder| files_below(folder, "rs"))
        .concat();
    assert!(files.len() > 200, "{} files", files.len());
    for path in files {
        let text = fs::read_to_string(&path).expect("text");
        for (number, line) in (1..).zip(text.lines()) {
            let text = line.trim_start();
            let is_drawing = ["─", "   ", "//! | "]
                .iter()
                .any(|sign| text.contains(sign));
            let is_comment = text.starts_with("//") && !is_drawing;
            let wide = line.chars().count() > WIDTH;
            assert!(!is_comment || !wide, "{}:{number}: {line}", path.display());
        }
    }
}

/// The words that no doc comment opens with. It opens with a noun or a verb.
const ODD_OPENINGS: [&str; 20] = [
    "What", "Whether", "How", "Where", "Who", "Whose", "Whoever", "Which", "Why", "Of", "As", "So",
    "By", "That", "From", "In", "All", "Else", "Nobody", "Nor",
];

/// Returns the sign of a doc comment, `///` or `//!`, with the text behind it.
fn doc_comment(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start();
    let (sign, text) = line.split_at_checked(3)?;
    let is_doc = sign == "//!" || sign == "///" && !text.starts_with('/');
    is_doc.then_some((sign, text))
}

/// Returns the first lines of doc comments that open with one of [`ODD_OPENINGS`], each with its
/// number.
fn odd_openings(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut sign_before = None;
    for (number, line) in (1..).zip(text.lines()) {
        let comment = doc_comment(line);
        let sign = comment.map(|(sign, _)| sign);
        if let Some((_, text)) = comment
            && sign != sign_before
        {
            let word = text.trim_start().split(|c: char| !c.is_alphabetic()).next();
            if word.is_some_and(|word| ODD_OPENINGS.contains(&word)) {
                found.push((number, line.trim()));
            }
        }
        sign_before = sign;
    }
    found
}

#[test]
fn an_odd_opening_is_found() {
    let odd =
        "//! Of modules.\n\n/// What is odd.\nfn f() {}\n    /// Whether it is.\n    g: bool,\n";
    let lines: Vec<usize> = odd_openings(odd).iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [1, 3, 5]);
    // Not the second line of a comment, no other word with the same letters, and no plain comment.
    let plain = "/// A reason,\n/// whatever it is.\n/// What is more.\n/// So.\nfn f() {}\n\
        /// Asks.\n// What is plain.\n//// What is a rule.\n///\nfn g() {}\n";
    assert!(odd_openings(plain).is_empty());
}

#[test]
fn doc_comments_open_with_a_noun_or_a_verb() {
    let mut odd = Vec::new();
    let files = ["src", "tests", "benches"]
        .into_iter()
        .flat_map(|folder| files_below(folder, "rs"));
    for path in files {
        let text = fs::read_to_string(&path).expect("text");
        for (number, line) in odd_openings(&text) {
            odd.push(format!("{}:{number}: {line}", path.display()));
        }
    }
    assert!(odd.is_empty(), "{}:\n{}", odd.len(), odd.join("\n"));
}

/// Differences between systems are in one module, beside the ways of the others. Tests may need a
/// system.
#[test]
fn one_room_asks_for_the_system() {
    let systems = ["unix", "windows", "target_os", "target_family"];
    for path in files_below("src", "rs")
        .into_iter()
        .filter(|path| !path.ends_with("tests.rs"))
    {
        let text = fs::read_to_string(&path).expect("text");
        let lines: Vec<&str> = text.lines().collect();
        let tests = lines
            .iter()
            .position(|line| *line == "#[cfg(test)]")
            .unwrap_or(lines.len());
        let asks = |line: &&str| {
            line.contains("cfg") && systems.iter().any(|system| line.contains(system))
        };
        let found = lines[..tests].iter().find(|line| asks(line));
        let is_the_room =
            path.starts_with("src/util/system") || path == Path::new("src/util/system.rs");
        assert!(
            found.is_none() || is_the_room,
            "{}: {found:?}",
            path.display()
        );
    }
}

/// The folders of `src`, from the bottom to the top, each with the folders that it may import.
const LAYERS: [(&str, &[&str]); 9] = [
    ("util", &[]),
    ("rules", &["util"]),
    ("eval", &["rules", "util"]),
    ("search", &["eval", "rules", "util"]),
    ("engine", &["search", "eval", "rules", "util"]),
    ("arena", &["rules", "util"]),
    (
        "play",
        &["engine", "arena", "search", "eval", "rules", "util"],
    ),
    (
        "lab",
        &["engine", "arena", "search", "eval", "rules", "util"],
    ),
    (
        "cli",
        &[
            "play", "lab", "engine", "arena", "search", "eval", "rules", "util",
        ],
    ),
];

/// Returns the folders of `src` that a text of Rust names behind `crate::`, comments left out.
fn imports(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
    {
        for behind in line.split("crate::").skip(1) {
            let name: String = behind
                .chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect();
            // A group would hide what it imports; macros stand at the top of the crate.
            assert!(!behind.starts_with('{'), "a group at the top: {line}");
            if name != "options" && name != "choice" && !name.is_empty() {
                found.push(name);
            }
        }
    }
    found
}

/// Returns the first import that goes up or to the side.
fn import_against_the_layers(folder: &str, text: &str) -> Option<String> {
    let layer = LAYERS.iter().find(|(name, _)| *name == folder);
    let (_, below) = layer.unwrap_or_else(|| panic!("src/{folder} is no layer"));
    imports(text)
        .into_iter()
        .find(|name| name != folder && !below.contains(&name.as_str()))
}

#[test]
fn imports_go_down_only() {
    let mut imports_seen = 0;
    for path in files_below("src", "rs") {
        let text = fs::read_to_string(&path).expect("text");
        let Some(folder) = path.iter().nth(1).and_then(|name| name.to_str()) else {
            continue;
        };
        if folder.ends_with(".rs") {
            continue;
        }
        imports_seen += imports(&text).len();
        let found = import_against_the_layers(folder, &text);
        assert_eq!(found, None, "{} imports it", path.display());
    }
    assert!(imports_seen > 500, "{imports_seen}");
    let up = "use crate::rules::score::Score;\nuse crate::engine::Engine;\n";
    assert_eq!(
        import_against_the_layers("search", up),
        Some("engine".to_owned())
    );
    let across = "fn f(game: &crate::engine::Game) {}\n";
    assert_eq!(
        import_against_the_layers("arena", across),
        Some("engine".to_owned())
    );
}
