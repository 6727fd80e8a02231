use super::*;

/// A temporary folder, and the path of a file in this folder. The folder lives as long as the
/// first value.
pub fn in_a_folder(name: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    (folder, path)
}

#[test]
fn files_are_replaced_and_nothing_is_left_beside_them() {
    let (folder, path) = in_a_folder("report.md");
    for content in ["one", "another"] {
        replace(&path, content.as_bytes()).expect("written");
        assert_eq!(fs::read_to_string(&path).expect("there"), content);
    }
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    assert!(
        replace(folder.path(), b"text").is_err(),
        "a folder is no file"
    );
}

#[test]
fn a_file_that_was_changed_has_another_mark() {
    let (folder, path) = in_a_folder("file");
    let mark = || mark(&path).expect("read");
    assert_eq!(mark(), None);
    fs::write(&path, "one").expect("written");
    let first = mark();
    fs::write(&path, "two").expect("written");
    assert_ne!(first, mark());
    assert_eq!(super::mark(folder.path()).expect("a folder"), None);
}

#[cfg(unix)]
#[test]
fn what_is_private_stays_private() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    let (_folder, path) = in_a_folder("settings");
    fs::write(&path, "old").expect("written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("set");
    // Only an administrator may give it away.
    let is_given = std::os::unix::fs::chown(&path, Some(1234), Some(1234)).is_ok();
    replace(&path, b"new").expect("written");
    let metadata = fs::metadata(&path).expect("there");
    assert_eq!(metadata.permissions().mode() & 0o777, 0o600);
    assert!(!is_given || (metadata.uid(), metadata.gid()) == (1234, 1234));
}

#[cfg(unix)]
#[test]
fn links_stay_links_and_pipes_pipes() {
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;
    let folder = tempfile::tempdir().expect("a folder");
    let [file, far, near, chain, socket] =
        ["file", "far", "near", "chain", "socket"].map(|name| folder.path().join(name));
    // To any place, into the link's own folder, and to a link; first the file is not there.
    symlink(&file, &far).expect("linked");
    symlink("file", &near).expect("linked");
    symlink("near", &chain).expect("linked");
    for link in [&far, &near, &chain] {
        for content in ["new", "newer"] {
            replace(link, content.as_bytes()).expect("written");
            assert_eq!(fs::read_to_string(&file).expect("there"), content);
            assert!([&far, &near, &chain].iter().all(|link| link.is_symlink()));
        }
        fs::remove_file(&file).expect("there");
    }
    // Links that lead nowhere stay, too.
    let [own, there, back] = ["own", "there", "back"].map(|name| folder.path().join(name));
    for (link, to) in [(&own, "own"), (&there, "back"), (&back, "there")] {
        symlink(to, link).expect("linked");
    }
    for link in [&own, &there] {
        for error in [
            OutputFile::with_own_rules(link)
                .write(b"text")
                .expect_err("endless")
                .to_string(),
            replace(link, b"text").expect_err("endless").to_string(),
        ] {
            assert!(
                error.ends_with("it is a link that leads to itself"),
                "{error}"
            );
        }
        assert!(link.is_symlink());
    }
    // A socket cannot be written like a file: that is an error, and it is still there.
    let _listener = UnixListener::bind(&socket).expect("bound");
    assert!(replace(&socket, b"text").is_err());
    assert!(!socket.metadata().expect("there").is_file());
}

#[test]
fn a_lock_that_is_held_for_a_moment_is_waited_for() {
    let (_folder, path) = in_a_folder("journal");
    let held = File::create(&path).unwrap();
    let ours = File::open(&path).unwrap();
    held.try_lock().unwrap();
    assert!(!lock(&ours).unwrap());
    let holder = thread::spawn(move || {
        thread::sleep(MOMENT / 10);
        drop(held);
    });
    assert!(lock(&ours).unwrap(), "it was free in time");
    holder.join().unwrap();
}
