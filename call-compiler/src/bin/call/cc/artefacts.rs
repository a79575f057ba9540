//! Where the artefacts of a compilation stand: in a folder that belongs to one source and one output.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::MetadataExt;
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
            Some(base) => Artefacts::Kept(base.join(&name)),
            None => Artefacts::Beside(own_folder(beside).join(&name)),
        };
        let unable = |folder: &Path, error: io::Error| {
            format!("cannot make {}: {error} (CALL_BUILD names another folder)", folder.display())
        };
        let Err(error) = create(made.path()) else { return Ok(Some(made)) };
        // Another user may have made `.call` meanwhile.
        let other = own_folder(beside).join(name);
        if matches!(made, Artefacts::Kept(_)) || other == made.path() {
            return Err(unable(made.path(), error));
        }
        create(&other).map_err(|error| unable(&other, error))?;
        Ok(Some(Artefacts::Beside(other)))
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

/// `.call` in a folder; where that is another user's, who could change what is compiled, one with the number of this user.
fn own_folder(parent: &Path) -> PathBuf {
    let user = rustix::process::geteuid().as_raw();
    let folder = parent.join(".call");
    let is_own = fs::symlink_metadata(&folder).map_or(true, |known| known.uid() == user);
    if is_own { folder } else { parent.join(format!(".call.{user}")) }
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
