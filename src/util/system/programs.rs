//! Programs of the user, and the folder for their data.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, io, thread};

use crate::util::files;

/// Finds a program: a path from the folder `here`, or a name in one of the folders of `path`. On
/// Windows the endings of programs go without saying.
pub fn find_program(name: &Path, path: &OsStr, here: &Path) -> Option<PathBuf> {
    let is_name =
        name.components().count() == 1 && !name.as_os_str().to_string_lossy().contains(['/', '\\']);
    let folders = if is_name {
        env::split_paths(path).collect()
    } else {
        vec![PathBuf::new()]
    };
    let endings = if cfg!(windows) {
        &["", ".exe", ".com", ".bat", ".cmd"][..]
    } else {
        &[""]
    };
    for folder in folders {
        for ending in endings {
            let file = files::beside(&here.join(folder.join(name)), ending);
            if is_program(&file) {
                return Some(file);
            }
        }
    }
    None
}

/// Returns true if a program of this name is on the PATH.
pub fn has_program(name: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    find_program(Path::new(name), &path, Path::new("")).is_some()
}

/// Returns true for an executable file. On Windows its ending decides.
fn is_program(file: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let metadata = file.metadata();
        metadata.is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0)
    }
    #[cfg(not(unix))]
    {
        file.is_file() && file.extension().is_some()
    }
}

/// The user's folder for the data of programs: `%APPDATA%` of Windows, elsewhere `XDG_DATA_HOME` or
/// `~/.local/share`. `None` if the user has no home.
pub fn data_folder() -> Option<PathBuf> {
    let [variable, usual] = if cfg!(windows) {
        ["APPDATA", "AppData/Roaming"]
    } else {
        ["XDG_DATA_HOME", ".local/share"]
    };
    let named = PathBuf::from(env::var_os(variable).unwrap_or_default());
    // The specification of these variables has relative paths ignored.
    if named.is_absolute() {
        return Some(named);
    }
    Some(env::home_dir()?.join(usual))
}

/// Shows a page in the user's browser, if there is one.
///
/// # Errors
/// The system has no program for it. The program's output goes nowhere.
pub fn open_in_browser(address: &str) -> io::Result<()> {
    let mut command = if cfg!(windows) {
        let mut command = Command::new("rundll32");
        command.arg("url.dll,FileProtocolHandler");
        command
    } else if cfg!(target_os = "macos") {
        Command::new("open")
    } else {
        Command::new("xdg-open")
    };
    command
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut child = command.spawn()?;
    // Somebody has to hear that it ended.
    thread::Builder::new()
        .name("browser".to_owned())
        .spawn(move || child.wait())?;
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn only_what_can_be_executed_is_a_program() {
        let folder = tempfile::tempdir().expect("a folder");
        let here = folder.path();
        fs::create_dir(here.join("bin")).expect("a folder");
        let file = here.join("bin/engine");
        fs::write(&file, "#!/bin/sh\n").expect("written");
        let path = env::join_paths([here.join("nowhere"), here.join("bin")]).expect("a path");
        let find = |name: &str| find_program(Path::new(name), &path, here);
        assert_eq!(find("engine"), None, "it cannot be executed");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("set");
        assert_eq!(find("engine"), Some(file.clone()));
        assert_eq!(find("bin/engine"), Some(file.clone()));
        assert_eq!(find(file.to_str().expect("UTF-8")), Some(file));
        assert_eq!(
            ["./engine", "nowhere/engine", "other", "bin"].map(find),
            [const { None }; 4]
        );
    }
}
