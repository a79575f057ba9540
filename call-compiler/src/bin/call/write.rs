//! Writes files so that an error leaves no half-written one behind.

use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

pub struct OutputFile {
    pub path: PathBuf,
    pub contents: Vec<u8>,
    pub executable: bool,
}

/// Writes those files whose contents on disk differ, so that `make` builds nothing anew for nothing; whether there were any.
pub fn changed(mut files: Vec<OutputFile>) -> Result<bool, String> {
    files.retain(|file| is_stream(&file.path) || fs::read(&file.path).ok().as_ref() != Some(&file.contents));
    all(&files).map(|()| !files.is_empty())
}

/// Writes all files, or none: each goes to a temporary name first, and gets its own name when all are complete.
fn all(files: &[OutputFile]) -> Result<(), String> {
    let failed = |file: &OutputFile, error| format!("cannot write {}: {error}", file.path.display());
    let complete = |file| Complete::of(file).map_err(|error| failed(file, error));
    let complete: Vec<Complete> = files.iter().map(complete).collect::<Result<_, _>>()?;
    files.iter().zip(complete).try_for_each(|(file, its)| its.name(file).map_err(|error| failed(file, error)))
}

/// A file that is written as far as nobody sees it.
enum Complete {
    /// The file that is to get the name of the target.
    Beside { file: NamedTempFile, target: PathBuf },
    /// A pipe or a device, which has no contents to be replaced.
    Stream,
}

impl Complete {
    /// A link goes on leading to its file, which keeps its mode.
    fn of(file: &OutputFile) -> io::Result<Complete> {
        let known = match fs::metadata(&file.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            known => Some(known?.permissions().mode()),
        };
        if is_stream(&file.path) {
            return Ok(Complete::Stream);
        }
        let target = behind_links(&file.path);
        let folder =
            target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let executable = if file.executable { 0o111 } else { 0 };
        // The file is made with this mode, less what the user's mask forbids.
        let mode = Permissions::from_mode(0o666 | executable);
        let mut temporary = tempfile::Builder::new().permissions(mode).tempfile_in(folder)?;
        temporary.write_all(&file.contents)?;
        if let Some(known) = known {
            temporary.as_file().set_permissions(Permissions::from_mode(known | executable))?;
        }
        Ok(Complete::Beside { file: temporary, target })
    }

    fn name(self, file: &OutputFile) -> io::Result<()> {
        match self {
            Complete::Beside { file, target } => file.persist(target).map_err(|error| error.error).map(drop),
            Complete::Stream => OpenOptions::new().append(true).open(&file.path)?.write_all(&file.contents),
        }
    }
}

/// `/dev/stdout` is a file if it is led into one, which may hold more already.
fn is_stream(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|known| {
        !(known.is_file() || known.is_dir()) || path.starts_with("/dev") || path.starts_with("/proc")
    })
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
    fn all_files_are_written_or_none_and_links_and_modes_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let file =
            |name: &str, executable| OutputFile { path: at(name), contents: b"1".to_vec(), executable };
        let mode = |name: &str| fs::metadata(at(name)).unwrap().permissions().mode() & 0o777;
        fs::write(at("plain"), "").unwrap();
        symlink("plain", at("link")).unwrap();
        symlink("later", at("dangling")).unwrap();
        let new = mode("plain");
        assert!(all(&[file("script", true), file("none/file", false)]).is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);

        fs::set_permissions(at("plain"), Permissions::from_mode(0o640)).unwrap();
        let null = OutputFile { path: "/dev/null".into(), ..file("null", false) };
        let files =
            vec![file("script", true), file("new", false), file("link", false), file("dangling", false)];
        assert_eq!(changed(files.into_iter().chain([null]).collect()), Ok(true));
        assert_eq!(changed(vec![file("script", true), file("link", false)]), Ok(false));
        assert_eq!(["new", "later", "plain"].map(mode), [new, new, 0o640]);
        assert_eq!(mode("script"), new | ((new & 0o444) >> 2));
        assert!(fs::symlink_metadata(at("link")).unwrap().is_symlink());
        assert_eq!(fs::read(at("plain")).unwrap(), b"1");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 6);
    }

    /// A shell that reads a script, or a build that reads a source, goes on reading what it opened.
    #[test]
    fn what_was_there_is_replaced_and_never_written_into() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("plain"), "before").unwrap();
        fs::hard_link(at("plain"), at("opened")).unwrap();
        let file = OutputFile { path: at("plain"), contents: b"after".to_vec(), executable: false };
        assert_eq!(changed(vec![file]), Ok(true));
        assert_eq!(["plain", "opened"].map(|name| fs::read(at(name)).unwrap()), [&b"after"[..], b"before"]);
    }
}
