//! Writes files so that an error, as of a full disk, leaves no half-written one behind.

use std::fs::{self, Metadata, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Gives a file these contents, whole or not at all. A link goes on leading to its file, which keeps its mode; pipes and devices
/// just get the bytes.
pub fn whole(path: &Path, contents: &[u8]) -> io::Result<()> {
    let known = match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        known => Some(known?),
    };
    if known.as_ref().is_some_and(|known| is_stream(path, known)) {
        return OpenOptions::new().append(true).open(path)?.write_all(contents);
    }
    let target = behind_links(path);
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // The file is made with this mode, less what the user's mask forbids.
    let mut temporary =
        tempfile::Builder::new().permissions(Permissions::from_mode(0o666)).tempfile_in(folder)?;
    temporary.write_all(contents)?;
    if let Some(known) = known {
        temporary.as_file().set_permissions(known.permissions())?;
    }
    temporary.persist(&target).map_err(|error| error.error).map(drop)
}

/// Writes a new file, whole or not at all; its folder is made if there is none. Readers never see a part of it, and of several writers
/// of one name, on whatever computers, one succeeds.
pub fn new(path: &Path, contents: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    // Hidden until it has its name; with the mode of any new file.
    let mut temporary =
        tempfile::Builder::new().permissions(Permissions::from_mode(0o666)).tempfile_in(folder)?;
    temporary.write_all(contents)?;
    // The name must not outlive a power failure without the contents.
    temporary.as_file().sync_all()?;
    temporary.persist_noclobber(path).map_err(|error| error.error).map(drop)
}

/// What has no contents to be replaced. `/dev/stdout` is a file if it is led into one, which may hold more already.
fn is_stream(path: &Path, known: &Metadata) -> bool {
    !(known.is_file() || known.is_dir()) || path.starts_with("/dev") || path.starts_with("/proc")
}

/// What links lead to, which need not be there. They do not go round, as the system has followed them.
fn behind_links(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    while let Ok(next) = fs::read_link(&path) {
        path = path.parent().unwrap_or(Path::new("")).join(next);
    }
    path
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_and_modes_are_kept_and_failures_leave_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let mode = |name: &str| fs::metadata(at(name)).unwrap().permissions().mode() & 0o777;
        fs::write(at("plain"), "").unwrap();
        whole(&at("new"), b"1").unwrap();
        assert_eq!(mode("new"), mode("plain"), "as any new file");

        fs::set_permissions(at("plain"), Permissions::from_mode(0o640)).unwrap();
        symlink("plain", at("link")).unwrap();
        symlink("later", at("dangling")).unwrap();
        whole(&at("link"), b"2").unwrap();
        whole(&at("dangling"), b"3").unwrap();
        assert_eq!((fs::read(at("plain")).unwrap(), mode("plain")), (b"2".to_vec(), 0o640));
        assert_eq!(fs::read(at("later")).unwrap(), b"3");
        assert!(fs::symlink_metadata(at("link")).unwrap().is_symlink());

        symlink("round", at("round")).unwrap();
        fs::create_dir(at("folder")).unwrap();
        for name in ["round", "folder", "none/file"] {
            assert!(whole(&at(name), b"4").is_err(), "{name}");
        }
        let count = fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(count, 7, "plain, new, link, dangling, later, round, folder");
    }

    #[test]
    fn a_new_file_takes_no_other_ones_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b/c");
        new(&path, b"1").unwrap();
        assert_eq!(new(&path, b"2").unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).unwrap(), b"1");
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }

    /// A program that reads the old contents goes on reading them.
    #[test]
    fn what_was_there_is_replaced_and_never_written_into() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("plain"), "before").unwrap();
        fs::hard_link(at("plain"), at("opened")).unwrap();
        whole(&at("plain"), b"after").unwrap();
        assert_eq!(["plain", "opened"].map(|name| fs::read(at(name)).unwrap()), [&b"after"[..], b"before"]);
    }

    #[test]
    fn pipes_and_devices_get_the_bytes() {
        whole(Path::new("/dev/null"), b"1").unwrap();
        let (mut reader, writer) = io::pipe().unwrap();
        use std::os::fd::AsRawFd;
        whole(Path::new(&format!("/proc/self/fd/{}", writer.as_raw_fd())), b"piped").unwrap();
        drop(writer);
        assert_eq!(io::read_to_string(&mut reader).unwrap(), "piped");
    }
}
