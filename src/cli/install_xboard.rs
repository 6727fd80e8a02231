//! `kashan install-xboard`: Kashan in the engine list of xboard.
//!
//! xboard knows an engine by a line of its setting `firstChessProgramNames`, or by a file of the plugin
//! folders, from which it makes such a line when it starts. The user's settings are arguments of its command
//! line in a file. We add one that adds our line to whatever list there is: when xboard ends, it writes the
//! list with our line, and forgets the argument.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, ensure};
use clap::Args;

use super::print;
use crate::util::files;

/// Put Kashan into the engine list of xboard, or print the line for WinBoard's.
///
/// Without --system it is for you alone: lines are added to ~/.xboardrc. What is there already stays as it
/// is. Close xboard first: it writes its settings when it ends.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Take out what this command put in, and nothing else.
    #[arg(long)]
    undo: bool,
    /// For everybody on this machine: write kashan.eng into this folder, which xboard reads when it starts.
    #[arg(long, value_name = "FOLDER", num_args = 0..=1, require_equals = true,
        default_missing_value = "/usr/local/share/games/plugins/xboard")]
    system: Option<PathBuf>,
    /// Print the line for the engine list of WinBoard, and change nothing; on Windows it is always so.
    #[arg(long, conflicts_with_all = ["undo", "system"])]
    winboard: bool,
}

/// How our line in the list begins, which no other line does: a name, then arguments.
const OUR_NAME: &[u8] = b"\"Kashan, genetic search\" -fcp ";

/// Does it, and says what was done.
///
/// # Errors
/// The program's path cannot be written into settings, or files cannot be read or written.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let program = env::current_exe().context("the system does not say where this program is")?;
    let said = if arguments.winboard || env::consts::OS == "windows" {
        for_winboard(&program)?
    } else if let Some(folder) = &arguments.system {
        for_everybody(&folder.join("kashan.eng"), &program, arguments.undo)?
    } else {
        let home = etcetera::home_dir().context("there is no home folder for the settings of xboard")?;
        for_the_user(&home.join(".xboardrc"), &program, arguments.undo)?
    };
    print(&format!("{said}\n"))
}

/// The program's path as it can stand in settings, in which these characters end a value.
fn written(program: &Path) -> anyhow::Result<&str> {
    let path = program.to_str().filter(|path| !path.contains(['"', '\'', '{', '}', '\n', '\r', ';']));
    let path = path.with_context(|| format!("xboard cannot have a program called {}", program.display()))?;
    // xboard keeps it in a buffer of 1,024 bytes.
    ensure!(path.len() < 1000, "the path of this program is too long for xboard: {path}");
    Ok(path)
}

/// The command as arguments of xboard, which cuts it at spaces; quotation marks leave an empty argument
/// behind. A folder may have spaces, if xboard goes there first.
fn command(program: &Path) -> anyhow::Result<String> {
    let path = written(program)?;
    if !path.contains(' ') {
        return Ok(path.to_owned());
    }
    let (folder, name) = path.rsplit_once('/').unwrap_or((".", path));
    ensure!(!name.contains(' '), "xboard cannot start a program whose name has spaces: {path}");
    Ok(format!("./{name} -fd \"{folder}\""))
}

fn for_winboard(program: &Path) -> anyhow::Result<String> {
    let folder = written(program.parent().unwrap_or(Path::new("")))?;
    let name = program.file_name().map(Path::new).unwrap_or(program);
    let name = written(name)?;
    Ok(format!(
        "In WinBoard choose \"Engine > Edit Engine List...\" and add this line:\n\n\
         \"Kashan, genetic search\" -fcp \"{name}\" -fd \"{folder}\""
    ))
}

/// Writes or removes the file of the plugin folder.
fn for_everybody(file: &Path, program: &Path, undo: bool) -> anyhow::Result<String> {
    let shown = file.display();
    let there = read(file)?;
    let is_ours = there.as_ref().is_none_or(|text| {
        let mut lines = text.split(|&byte| byte == b'\n');
        let names = lines.nth(1).unwrap_or_default();
        // The path may have been another one, or have nothing of our name in it.
        names.windows(6).any(|word| word == b"kashan")
            || Some(names) == written(program).ok().map(str::as_bytes)
    });
    ensure!(is_ours, "{shown} is not of this program; it is left as it is");
    if undo {
        if there.is_none() {
            return Ok(format!("There is no {shown}: nothing to take out."));
        }
        fs::remove_file(file).with_context(|| format!("cannot remove {shown}"))?;
        return Ok(format!(
            "Removed {shown}. Who has started xboard in the meantime has Kashan in a list of his own, where \"Engine > \
             Edit Engine List...\" takes it out."
        ));
    }
    let path = written(program)?;
    ensure!(!path.contains(' '), "{shown} cannot name a path with spaces: {path}");
    // Three lines: version of the format, command, variants.
    let text = format!("plugin spec 0.0\n{path}\nchess\n").into_bytes();
    if there.as_ref() == Some(&text) {
        return Ok(format!("{shown} is there already."));
    }
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    files::replace(file, &text).with_context(|| format!("cannot write {shown}"))?;
    Ok(format!(
        "Wrote {shown}. Every xboard that is started from now on has {path} in \"Engine > Load New 1st Engine...\"."
    ))
}

/// Puts our line into the user's settings, or takes it out.
fn for_the_user(file: &Path, program: &Path, undo: bool) -> anyhow::Result<String> {
    let shown = file.display();
    let there = read(file)?.unwrap_or_default();
    let others = without_ours(&there);
    let had_it = others != there;
    if undo {
        if !had_it {
            return Ok(format!("Kashan is not in {shown}: nothing to take out."));
        }
        // The settings that this command made have no other time.
        if others.is_empty() && saved(file) == UNIX_EPOCH {
            fs::remove_file(file).with_context(|| format!("cannot remove {shown}"))?;
        } else {
            rewrite(file, &others)?;
        }
        return Ok(format!("Took Kashan out of the engine list in {shown}; everything else is as it was."));
    }
    let line = [OUR_NAME, command(program)?.as_bytes()].concat();
    // A longer path that begins like ours is another program.
    let ends = |rest: &[u8]| rest.first().is_none_or(|byte| b"\r\n}".contains(byte));
    let mut places = (0..there.len()).filter(|&at| there[at..].starts_with(&line));
    if places.any(|at| ends(&there[at + line.len()..])) {
        return Ok(format!("Kashan is in the engine list in {shown} already."));
    }
    // The end stays as it is: where the last line had none, ours has none.
    let (before, after) = match others.last() {
        None | Some(b'\n') => ("", "\n"),
        Some(_) => ("\n", ""),
    };
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let added = format!("{before}{DATE}{now}\n{INSTALL}");
    rewrite(file, &[&others, added.as_bytes(), &line, b"}", after.as_bytes()].concat())?;
    Ok(format!(
        "Added Kashan to the engine list in {shown}. In xboard it is in \"Engine > Load New 1st Engine...\"; \"kashan \
         install-xboard --undo\" takes it out. Close xboard first if it is running: it writes its settings when it ends."
    ))
}

/// Replaces the settings and leaves their time as it was: xboard takes up plugins that are newer than that,
/// and all of them if there were no settings.
fn rewrite(file: &Path, content: &[u8]) -> anyhow::Result<()> {
    let is_read_only = fs::metadata(file).is_ok_and(|there| there.permissions().readonly());
    ensure!(!is_read_only, "{} is read-only; it is left as it is", file.display());
    let saved = saved(file);
    let written = files::replace(file, content)
        .and_then(|()| fs::OpenOptions::new().write(true).open(file)?.set_modified(saved));
    written.with_context(|| format!("cannot write {}", file.display()))
}

/// When settings were written; the beginning of time if there are none.
fn saved(file: &Path) -> SystemTime {
    fs::metadata(file).and_then(|there| there.modified()).unwrap_or(UNIX_EPOCH)
}

/// xboard adds a line to its list if this date is later than that of its settings.
const DATE: &str = "-date ";
const INSTALL: &str = "-installEngine {";

/// Settings without our line: as the argument that we add, with the date before it, or in the list as xboard
/// writes it. They may be in any encoding.
fn without_ours(settings: &[u8]) -> Vec<u8> {
    let mut kept: Vec<&[u8]> = Vec::new();
    for line in settings.split_inclusive(|&byte| byte == b'\n') {
        if line.strip_prefix(INSTALL.as_bytes()).is_some_and(|line| line.starts_with(OUR_NAME)) {
            kept.pop_if(|before| before.starts_with(DATE.as_bytes()));
            if let (Some(before), false) = (kept.last_mut(), line.ends_with(b"\n")) {
                *before = before.strip_suffix(b"\n").unwrap_or(before);
            }
        } else if line.starts_with(OUR_NAME) {
            // The last line of a list may hold its end.
            kept.extend(line.iter().position(|&byte| byte == b'}').map(|end| &line[end..]));
        } else {
            kept.push(line);
            // The first line of a list.
            let first =
                line.windows(OUR_NAME.len() + 1).position(|part| part[0] == b'{' && &part[1..] == OUR_NAME);
            if let Some(start) = first {
                kept.pop();
                kept.push(&line[..=start]);
                kept.extend(line.iter().position(|&byte| byte == b'}').map(|end| &line[end..]));
            }
        }
    }
    kept.concat()
}

/// The file's content, if there is such a file.
fn read(file: &Path) -> anyhow::Result<Option<Vec<u8>>> {
    files::content(file).with_context(|| format!("cannot read {}", file.display()))
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::time::Duration;

    use super::*;
    use crate::util::files::tests::in_a_folder;

    /// Settings as xboard writes them, in an encoding of their own.
    const SETTINGS: &[u8] = b"-saveDate 1795314333\n-userName {J\xf6rg}\n-firstChessProgramNames {fairymax\n\
        \"Crafty\" -fcp crafty\n}\n-size 49\n";
    const OURS: &[u8] = b"\"Kashan, genetic search\" -fcp /opt/kashan\n";

    #[test]
    fn only_our_line_is_taken_out_wherever_xboard_put_it() {
        for mark in ["fairymax", "\"Crafty", "}\n-size"] {
            let at = SETTINGS.windows(mark.len()).position(|part| part == mark.as_bytes()).expect(mark);
            let settings = [&SETTINGS[..at], OURS, &SETTINGS[at..]].concat();
            assert_ne!(settings, SETTINGS);
            assert_eq!(without_ours(&settings), SETTINGS, "{mark}");
        }
        for ours in [OURS, OURS.trim_ascii_end()] {
            let alone = [b"-firstChessProgramNames {", ours, b"}\n"].concat();
            assert_eq!(without_ours(&alone), b"-firstChessProgramNames {}\n");
        }
        assert_eq!(without_ours(SETTINGS), SETTINGS);
        // A line that somebody made himself, and a date that is not ours.
        let others = b"-date 5\n\"Kashan\" -fcp kashan\n";
        assert_eq!(without_ours(others), others);
    }

    #[test]
    fn settings_get_one_line_however_often_and_lose_it_again() {
        let (_folder, file) = in_a_folder(".xboardrc");
        let program = Path::new("/opt/kashan");
        let long_ago = UNIX_EPOCH + Duration::from_secs(1_000_000_000);
        for there in [None, Some(SETTINGS), Some(&b"-size 49"[..]), Some(b"")] {
            let _ = fs::remove_file(&file);
            if let Some(content) = there {
                fs::write(&file, content).expect("written");
                let opened = File::options().write(true).open(&file);
                opened.and_then(|file| file.set_modified(long_ago)).expect("set");
            }
            let undone = for_the_user(&file, program, true).expect("nothing to do");
            assert!(undone.contains("nothing to take out") && file.exists() == there.is_some(), "{undone}");
            for text in ["Added", "already"] {
                let said = for_the_user(&file, program, false).expect("installed");
                assert!(said.contains(text), "{said}");
            }
            // Another place: the old line goes, also if it begins like the new one.
            for place in ["/opt/new/kashan-old", "/opt/new/kashan"] {
                let said = for_the_user(&file, Path::new(place), false).expect("installed");
                assert!(said.contains("Added"), "{said}");
            }
            let text = fs::read(&file).expect("there");
            assert_eq!(text.windows(OUR_NAME.len()).filter(|part| *part == OUR_NAME).count(), 1);
            let time = fs::metadata(&file).and_then(|file| file.modified()).expect("a time");
            assert_eq!(time, if there.is_some() { long_ago } else { UNIX_EPOCH });
            assert!(for_the_user(&file, program, true).expect("undone").contains("Took"));
            assert_eq!(fs::read(&file).ok().as_deref(), there, "as it was, to the last byte");
        }
    }

    #[test]
    fn settings_that_may_not_be_written_stay_as_they_are() {
        let (_folder, file) = in_a_folder(".xboardrc");
        fs::write(&file, SETTINGS).expect("written");
        let mut permissions = fs::metadata(&file).expect("there").permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&file, permissions).expect("set");
        let error = for_the_user(&file, Path::new("/opt/kashan"), false).expect_err("refused").to_string();
        assert!(error.contains("read-only"), "{error}");
        assert_eq!(fs::read(&file).expect("there"), SETTINGS);
    }

    #[cfg(unix)]
    #[test]
    fn settings_that_are_no_file_hold_nobody_up() {
        let (_folder, pipe) = in_a_folder(".xboardrc");
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
        for undo in [false, true] {
            let error = for_the_user(&pipe, Path::new("/opt/kashan"), undo).expect_err("refused");
            assert!(format!("{error:#}").contains("no regular file"), "{error:#}");
        }
    }

    #[test]
    fn the_file_for_everybody_is_as_xboard_reads_it() {
        let (_folder, file) = in_a_folder("games/plugins/xboard/kashan.eng");
        for text in ["Wrote", "already"] {
            assert!(for_everybody(&file, Path::new("/opt/kashan"), false).expect("written").contains(text));
        }
        assert_eq!(fs::read_to_string(&file).expect("there"), "plugin spec 0.0\n/opt/kashan\nchess\n");
        for text in ["Removed", "nothing to take out"] {
            assert!(for_everybody(&file, Path::new("/opt/kashan"), true).expect("gone").contains(text));
        }
        fs::write(&file, "plugin spec 0.0\nfairymax\nchess\n").expect("written");
        for undo in [false, true] {
            assert!(for_everybody(&file, Path::new("/opt/kashan"), undo).is_err(), "not ours");
        }
    }

    #[test]
    fn paths_are_written_so_that_xboard_reads_them() {
        assert_eq!(command(Path::new("/opt/kashan")).expect("a path"), "/opt/kashan");
        assert_eq!(command(Path::new("/my chess/kashan")).expect("a path"), r#"./kashan -fd "/my chess""#);
        assert!(command(Path::new("/opt/my kashan")).is_err());
        let file = Path::new("/nowhere/kashan.eng");
        assert!(for_everybody(file, Path::new("/my chess/kashan"), false).is_err());
        for path in ["/a{b/kashan", "/a'b/kashan", "/a\nb/kashan"] {
            let error = command(Path::new(path)).expect_err(path).to_string();
            assert!(error.contains("cannot have"), "{error}");
        }
        let line = for_winboard(Path::new("/chess programs/kashan")).expect("a path");
        assert!(line.ends_with(r#""Kashan, genetic search" -fcp "kashan" -fd "/chess programs""#), "{line}");
    }
}
