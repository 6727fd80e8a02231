//! Files that are there as a whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Replaces a file in one step: whoever reads it, and whenever the program is killed, there is the old
/// content or the new. A link stays a link, to a new file, also where there was none; what is no file (a
/// device, a pipe) is written to.
///
/// # Errors
/// What the file system says; the old content is untouched then.
pub fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let target = match fs::canonicalize(path) {
        Ok(target) if target.is_file() => target,
        Ok(_) => return fs::OpenOptions::new().write(true).open(path)?.write_all(content),
        // It is not there yet, or what it is a link to is not.
        Err(_) => match fs::read_link(path) {
            Ok(link) => folder_of(path).join(link),
            Err(_) => path.to_path_buf(),
        },
    };
    // Made like any new file: those that tempfile makes itself can be read by their owner only.
    let mut file = tempfile::Builder::new()
        .prefix(".kashan-")
        .suffix(".part")
        .make_in(folder_of(&target), |path| File::create_new(path))?;
    file.write_all(content)?;
    // Whoever could not read the old file cannot read the new one.
    if let Ok(old) = fs::metadata(&target) {
        file.as_file().set_permissions(old.permissions())?;
    }
    file.as_file().sync_all()?;
    file.persist(&target)?;
    Ok(())
}

fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// The path with something added to its whole name: `games.pgn` and `.part` give `games.pgn.part`.
pub fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_replaced_and_nothing_is_left_beside_them() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("report.md");
        for content in ["one", "another"] {
            replace(&path, content.as_bytes()).expect("written");
            assert_eq!(fs::read_to_string(&path).expect("there"), content);
        }
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
        assert!(replace(folder.path(), b"text").is_err(), "a folder is no file");
    }

    #[cfg(unix)]
    #[test]
    fn what_is_private_stays_private() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("settings");
        fs::write(&path, "old").expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("set");
        replace(&path, b"new").expect("written");
        assert_eq!(fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o600);
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_links_and_pipes_pipes() {
        use std::os::unix::fs::symlink;
        use std::os::unix::net::UnixListener;
        let folder = tempfile::tempdir().expect("a folder");
        let [file, link, socket] = ["file", "link", "socket"].map(|name| folder.path().join(name));
        fs::write(&file, "old").expect("written");
        symlink(&file, &link).expect("linked");
        replace(&link, b"new").expect("written");
        assert_eq!(fs::read_to_string(&file).expect("there"), "new");
        assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
        // From the link's own folder, and to a file that is not there.
        fs::remove_file(&link).expect("there");
        fs::remove_file(&file).expect("there");
        symlink("file", &link).expect("linked");
        replace(&link, b"newer").expect("written");
        assert_eq!(fs::read_to_string(&file).expect("there"), "newer");
        assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
        // A socket cannot be written like a file: that is an error, and it is still there.
        let _listener = UnixListener::bind(&socket).expect("bound");
        assert!(replace(&socket, b"text").is_err());
        assert!(!socket.metadata().expect("there").is_file());
    }
}
