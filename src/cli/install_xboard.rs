//! `kashan install-xboard`: the line for Kashan in the engine list of xboard or WinBoard.

use std::env;
use std::path::Path;

use anyhow::{Context as _, ensure};
use clap::Args;

use super::print;

/// Print the line for Kashan in the engine list of xboard or WinBoard.
#[derive(Debug, Args)]
pub struct Arguments {}

/// Prints the line, and its place.
///
/// # Errors
/// The program's path cannot be written into settings.
pub fn run(_: &Arguments) -> anyhow::Result<()> {
    let program = env::current_exe().context("the system does not say where this program is")?;
    let line = line(&program)?;
    print(&format!(
        "In xboard or WinBoard choose \"Engine > Edit Engine List...\" and add this line:\n\n{line}\n"
    ))
}

/// The line of the list: a name, then arguments. xboard cuts a command at spaces, and quotation
/// marks leave an empty argument behind; but a folder may have spaces, if xboard goes there first.
fn line(program: &Path) -> anyhow::Result<String> {
    let folder = written(program.parent().unwrap_or(Path::new("")))?;
    let name = written(program.file_name().map_or(program, Path::new))?;
    ensure!(
        !name.contains(' '),
        "xboard cannot start a program whose name has spaces: {name}"
    );
    // Windows looks into the folder by itself.
    let here = if env::consts::OS == "windows" {
        ""
    } else {
        "./"
    };
    Ok(format!(
        "\"Kashan, genetic search\" -fcp {here}{name} -fd \"{folder}\""
    ))
}

/// Returns a path as text for settings, in which these characters end a value.
fn written(path: &Path) -> anyhow::Result<&str> {
    let text = path
        .to_str()
        .filter(|path| !path.contains(['"', '\'', '{', '}', '\n', '\r', ';']));
    let text =
        text.with_context(|| format!("xboard cannot have a program called {}", path.display()))?;
    // xboard keeps it in a buffer of 1,024 bytes.
    ensure!(
        text.len() < 1000,
        "the path of this program is too long for xboard: {text}"
    );
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_written_so_that_xboard_reads_them() {
        let said = line(Path::new("/my chess/kashan")).expect("a path");
        assert!(
            said.starts_with("\"Kashan, genetic search\" -fcp "),
            "{said}"
        );
        assert!(said.ends_with("kashan -fd \"/my chess\""), "{said}");
        assert!(line(Path::new("/opt/my kashan")).is_err());
        for path in ["/a{b/kashan", "/a'b/kashan", "/a\nb/kashan"] {
            let error = line(Path::new(path)).expect_err(path).to_string();
            assert!(error.contains("cannot have"), "{error}");
        }
    }
}
