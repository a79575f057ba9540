//! Writes files so that an error leaves no half-written one behind.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

pub struct File {
    pub path: PathBuf,
    pub contents: Vec<u8>,
    pub executable: bool,
}

/// Writes those files whose contents on disk differ, so that `make` builds nothing anew for nothing; whether there were any.
pub fn changed(mut files: Vec<File>) -> Result<bool, String> {
    files.retain(|file| fs::read(&file.path).ok().as_ref() != Some(&file.contents));
    all(&files).map(|()| !files.is_empty())
}

/// Writes all files, or none: each goes to a temporary name first, and gets its own name when all are complete.
fn all(files: &[File]) -> Result<(), String> {
    let temporary = |path: &Path| {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}.tmp", std::process::id()));
        path.with_file_name(name)
    };
    let result = files.iter().try_for_each(|file| {
        write(file, &temporary(&file.path))
            .map_err(|error| format!("cannot write {}: {error}", file.path.display()))
    });
    let result = result.and_then(|()| {
        files.iter().try_for_each(|file| {
            fs::rename(temporary(&file.path), &file.path)
                .map_err(|error| format!("cannot write {}: {error}", file.path.display()))
        })
    });
    if result.is_err() {
        for file in files {
            // It may not exist; the first error is the one to tell.
            let _ = fs::remove_file(temporary(&file.path));
        }
    }
    result
}

fn write(file: &File, to: &Path) -> io::Result<()> {
    fs::write(to, &file.contents)?;
    if file.executable {
        let mut permissions = fs::metadata(to)?.permissions();
        permissions.set_mode(permissions.mode() | 0o111);
        fs::set_permissions(to, permissions)?;
    }
    Ok(())
}

/// Writes a file that nobody has made before.
pub fn new(path: &Path, contents: &[u8]) -> io::Result<()> {
    fs::File::create_new(path)?.write_all(contents)
}
