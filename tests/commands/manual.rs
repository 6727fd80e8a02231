//! `kashan help` and `kashan install-xboard` as users start them.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::common::programs::{self, prints, refuses};

#[test]
fn help_lists_topics_shows_one_and_guesses() {
    let here = Path::new(".");
    let text = prints(here, &["help"]);
    assert!(text.contains("tournament") && text.contains("Rate the players"), "{text}");
    let text = prints(here, &["help", "Elo"]);
    assert!(text.contains("kashan rate games.pgn") && !text.contains('\u{1b}'), "{text}");
    assert!(text.lines().all(|line| line.starts_with("    ") || line.chars().count() <= 80), "{text}");
    assert!(prints(here, &["help", "options"]).contains("MinMaxDepth (3; 1 to"));
    assert!(prints(here, &["help", "book", "build"]).contains("--max-plies"));
    refuses(here, &["help", "turnament"], "did you mean tournament?");
}

#[test]
fn who_reads_only_the_beginning_hears_no_complaint() {
    for arguments in ["help match", "experiment list", "explain --nodes 300"] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = printing_to(writer, arguments);
        assert!(output.status.success() && output.stderr.is_empty(), "{}", programs::text(&output));
    }
}

/// What cannot be written is not lost in silence, also where all of it waits for the end of a line.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error() {
    for arguments in ["help match", "experiment list", "explain --nodes 300"] {
        let full = fs::File::options().write(true).open("/dev/full").expect("a device of Linux");
        let output = printing_to(full, arguments);
        let said = programs::text(&output);
        assert!(!output.status.success() && said.contains("cannot write the result"), "{said}");
    }
}

fn printing_to(out: impl Into<Stdio>, arguments: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kashan"));
    command.args(arguments.split(' ')).stdout(out).output().expect("it runs")
}

#[cfg(unix)]
#[test]
fn xboard_gets_a_line_in_the_settings_of_whoever_asks() {
    let home = tempfile::tempdir().expect("a folder");
    let settings = home.path().join(".xboardrc");
    let install = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kashan"));
        let output =
            command.arg("install-xboard").args(arguments).env("HOME", home.path()).output().expect("it runs");
        assert!(output.status.success(), "{}", programs::text(&output));
        programs::text(&output)
    };
    assert!(install(&["--winboard"]).contains("-fcp \"kashan\""));
    assert!(!settings.exists());
    assert!(install(&[]).contains("Added Kashan"));
    let once = fs::read_to_string(&settings).expect("there");
    assert!(once.contains(&format!("-fcp {}}}", env!("CARGO_BIN_EXE_kashan"))), "{once}");
    assert!(install(&[]).contains("already"));
    assert_eq!(fs::read_to_string(&settings).expect("there"), once);
    assert!(install(&["--undo"]).contains("Took Kashan out"));
    assert!(!settings.exists(), "it was not there before");

    let folder = format!("--system={}", home.path().display());
    assert!(install(&[&folder]).contains("kashan.eng"));
    let text = fs::read_to_string(home.path().join("kashan.eng")).expect("there");
    assert_eq!(text.lines().next(), Some("plugin spec 0.0"));
    install(&[&folder, "--undo"]);
    assert!(!home.path().join("kashan.eng").exists());
}

#[test]
fn what_the_readme_links_to_is_there() {
    for (file, folder) in [("README.md", "."), ("benches/README.md", "benches")] {
        let text = fs::read_to_string(file).expect(file);
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
        for target in targets.filter(|target| !target.contains("://") && !target.is_empty()) {
            assert!(Path::new(folder).join(target).exists(), "{file}: {target}");
        }
    }
}
