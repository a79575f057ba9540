//! Where the artefacts of a compilation stand: in a folder that belongs to one source and one output.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::{env, fs, io, path};

use tempfile::TempDir;

use crate::runtime_directory;

/// The folder of a compilation, for as long as this lives.
pub enum Artefacts {
    /// Below `CALL_BUILD`, where it stays for people and for the next compilation of the same.
    Kept(PathBuf),
    /// In `.call` beside the output. Its name is the same each time, as caches of compilers and reproducible builds want it.
    Beside(PathBuf),
    /// Of an output such as `/dev/null`, or where both folders beside the output are of others.
    Temporary(TempDir),
}

impl Artefacts {
    /// The folder of what is made of a source for an output; none where the compiler cannot write its output either.
    pub fn make(output: &Path, source: &Path) -> Result<Option<Artefacts>, String> {
        let beside =
            output.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if beside == Path::new("/dev") {
            return temporary().map(Some);
        }
        if !beside.is_dir() {
            return Ok(None);
        }
        let Some(name) = name(output, source) else { return Ok(None) };
        let unable = |folder: &Path, error: io::Error| {
            format!("cannot make {}: {error} (CALL_BUILD names another folder)", folder.display())
        };
        if let Some(base) = folder_of_all() {
            let folder = base.join(&name);
            create(&folder).map_err(|error| unable(&folder, error))?;
            return Ok(Some(Artefacts::Kept(folder)));
        }
        // Another user may have made the first, or make it just now.
        let user = rustix::process::geteuid().as_raw();
        for base in [beside.join(".call"), beside.join(format!(".call.{user}"))] {
            if is_others(&base) {
                continue;
            }
            let folder = base.join(&name);
            match create(&folder) {
                Err(error) if !is_others(&base) => return Err(unable(&folder, error)),
                Ok(()) if !is_others(&base) => return Ok(Some(Artefacts::Beside(folder))),
                _ => {}
            }
        }
        temporary().map(Some)
    }

    /// Removes what was kept of a source that has no directives any more.
    pub fn forget(output: &Path, source: &Path) {
        if let (Some(base), Some(name)) = (folder_of_all(), name(output, source)) {
            // Most often nothing is there.
            let _ = fs::remove_dir_all(base.join(name));
        }
    }

    /// Where the batch script of a program is kept.
    pub fn script(program: &Path) -> Option<PathBuf> {
        let program = path::absolute(program).ok()?;
        let mut hasher = DefaultHasher::new();
        program.hash(&mut hasher);
        let name = program.file_name()?.to_string_lossy();
        Some(folder_of_all()?.join(format!("{name}-{:016x}.call.sh", hasher.finish())))
    }

    fn path(&self) -> &Path {
        match self {
            Artefacts::Kept(folder) | Artefacts::Beside(folder) => folder,
            Artefacts::Temporary(folder) => folder.path(),
        }
    }

    /// Its path without symbolic links: what stands there names the user's headers.
    pub fn folder(&self) -> Result<PathBuf, String> {
        let folder = self.path();
        folder.canonicalize().map_err(|error| format!("cannot use {}: {error}", folder.display()))
    }

    /// Removes what an earlier compilation left, such as copies of headers that are not included any more.
    pub fn remove_others(&self, files: &[PathBuf]) {
        for entry in fs::read_dir(self.path()).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let is_of_now = files.iter().any(|file| file.file_name() == Some(&name));
            // A temporary file is one that another compilation writes at this moment.
            if !is_of_now && !name.to_string_lossy().starts_with(".tmp") {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

impl Drop for Artefacts {
    fn drop(&mut self) {
        if let Artefacts::Beside(folder) = self {
            // `.call` stays while other compilations have folders in it.
            let _ = fs::remove_dir_all(&*folder);
            let _ = folder.parent().map(fs::remove_dir);
        }
    }
}

fn folder_of_all() -> Option<PathBuf> {
    let folder = env::var_os("CALL_BUILD").filter(|folder| !folder.is_empty())?;
    path::absolute(folder).ok()
}

fn temporary() -> Result<Artefacts, String> {
    let made = runtime_directory::temporary_in(&env::temp_dir());
    made.map(Artefacts::Temporary)
        .map_err(|error| format!("cannot make a temporary folder: {error} (set TMPDIR)"))
}

/// Whether somebody else may change what is compiled from a folder; not if it is not there.
fn is_others(folder: &Path) -> bool {
    fs::symlink_metadata(folder).is_ok_and(|known| {
        !known.is_dir() || known.uid() != rustix::process::geteuid().as_raw() || known.mode() & 0o002 != 0
    })
}

/// A name that no other source and no other output has.
fn name(output: &Path, source: &Path) -> Option<String> {
    let mut hasher = DefaultHasher::new();
    (path::absolute(output).ok()?, path::absolute(source).ok()?).hash(&mut hasher);
    Some(format!("{}-{:016x}", output.file_name()?.to_string_lossy(), hasher.finish()))
}

/// Another compilation may remove `.call` before the folder is in it.
fn create(folder: &Path) -> io::Result<()> {
    let mut made = runtime_directory::make(folder);
    for _ in 0..100 {
        match &made {
            Err(error) if error.kind() == io::ErrorKind::NotFound => made = runtime_directory::make(folder),
            _ => break,
        }
    }
    made
}
