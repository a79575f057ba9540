//! Where the artefacts of a compilation stand: in a folder that belongs to one source and one output.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::{env, fs, io, path};

use tempfile::TempDir;

/// The folder of a compilation, for as long as this lives.
pub enum Artefacts {
    /// Below `CALL_BUILD`, where it stays for people and for the next compilation of the same.
    Kept(PathBuf),
    /// In `.call` beside the output. Its name is the same each time, as caches of compilers and reproducible builds want it.
    Beside(PathBuf),
    /// Of an output such as `/dev/null`.
    Temporary(TempDir),
}

impl Artefacts {
    /// The folder of what is made of a source for an output; none where the compiler cannot write its output either.
    pub fn make(output: &Path, source: &Path) -> Result<Option<Artefacts>, String> {
        let beside =
            output.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if beside == Path::new("/dev") {
            let made = tempfile::Builder::new().prefix("call-cc-").tempdir();
            let unable = |error| format!("cannot make a temporary folder: {error} (set TMPDIR)");
            return made.map(|folder| Some(Artefacts::Temporary(folder))).map_err(unable);
        }
        if !beside.is_dir() {
            return Ok(None);
        }
        let Some(name) = name(output, source) else { return Ok(None) };
        let made = match folder_of_all() {
            Some(base) => Artefacts::Kept(base.join(name)),
            None => Artefacts::Beside(beside.join(".call").join(name)),
        };
        let folder = made.path();
        create(folder).map_err(|error| {
            format!("cannot make {}: {error} (CALL_BUILD names another folder)", folder.display())
        })?;
        Ok(Some(made))
    }

    /// Removes what was kept of a source that has no directives any more.
    pub fn forget(output: &Path, source: &Path) {
        if let (Some(base), Some(name)) = (folder_of_all(), name(output, source)) {
            // Most often nothing is there.
            let _ = fs::remove_dir_all(base.join(name));
        }
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
    env::var_os("CALL_BUILD").filter(|folder| !folder.is_empty()).map(PathBuf::from)
}

/// A name that no other source and no other output has.
fn name(output: &Path, source: &Path) -> Option<String> {
    let mut hasher = DefaultHasher::new();
    (path::absolute(output).ok()?, path::absolute(source).ok()?).hash(&mut hasher);
    Some(format!("{}-{:016x}", output.file_name()?.to_string_lossy(), hasher.finish()))
}

/// Another compilation may remove `.call` before the folder is in it.
fn create(folder: &Path) -> io::Result<()> {
    let mut made = fs::create_dir_all(folder);
    for _ in 0..100 {
        match &made {
            Err(error) if error.kind() == io::ErrorKind::NotFound => made = fs::create_dir_all(folder),
            _ => break,
        }
    }
    made
}
