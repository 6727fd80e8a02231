//! Build script: tells the program its commit, for reports. Git is not needed.

use std::fs;
use std::process::Command;

/// Cargo's note in a package about its origin.
const MADE_FROM: &str = ".cargo_vcs_info.json";

fn main() {
    let commit = packaged()
        .or_else(checked_out)
        .unwrap_or_else(|| "unknown".to_owned());
    println!("cargo:rustc-env=KASHAN_COMMIT={commit}");
    for path in ["src", "Cargo.toml", "Cargo.lock"] {
        println!("cargo:rerun-if-changed={path}");
    }
    // Where a commit leaves its trace; also in work trees, where .git is a file.
    if let Some(path) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo:rerun-if-changed={path}");
    }
}

/// The commit of a package.
fn packaged() -> Option<String> {
    let info = fs::read_to_string(MADE_FROM).ok()?;
    let (_, rest) = info.split_once("\"sha1\": \"")?;
    rest.get(..12).map(str::to_owned)
}

/// The commit of the repository with this folder at its top; a repository around it is another's.
fn checked_out() -> Option<String> {
    git(&["rev-parse", "--show-prefix"]).filter(String::is_empty)?;
    let commit = git(&["rev-parse", "--short=12", "HEAD"])?;
    let changed = git(&[
        "status",
        "--porcelain",
        "--",
        "src",
        "Cargo.toml",
        "Cargo.lock",
    ])?;
    Some(if changed.is_empty() {
        commit
    } else {
        format!("{commit} with changes")
    })
}

/// The output of git; `None` without git, or outside of a repository.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
