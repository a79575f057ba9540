//! Where the artefacts of a compilation stand: in a folder that belongs to one source and one output.

use std::fs::{self, DirBuilder};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::ErrorKind;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::{env, path};

/// The folder of a compilation.
pub struct Artefacts {
    folder: PathBuf,
    is_temporary: bool,
}

impl Artefacts {
    /// The folder of what is made of a source for an output, below `CALL_BUILD` or beside the output; none for outputs that
    /// are no files.
    pub fn place(output: &Path, source: &Path) -> Option<PathBuf> {
        let (output, source) = (path::absolute(output).ok()?, path::absolute(source).ok()?);
        let parent = output.parent()?;
        if parent == Path::new("/dev") {
            return None;
        }
        let base = match env::var_os("CALL_BUILD").filter(|folder| !folder.is_empty()) {
            Some(folder) => path::absolute(folder).ok()?,
            None => parent.join(".call"),
        };
        let mut hasher = DefaultHasher::new();
        (&output, &source).hash(&mut hasher);
        let name = output.file_name()?.to_string_lossy();
        Some(base.join(format!("{name}-{:016x}", hasher.finish())))
    }

    /// Makes the folder; none where the compiler cannot write its output either.
    pub fn make(output: &Path, place: Option<PathBuf>) -> Result<Option<Artefacts>, String> {
        let Some(folder) = place else { return temporary().map(Some) };
        let beside = output.parent().filter(|parent| !parent.as_os_str().is_empty());
        if beside.is_some_and(|parent| !parent.is_dir()) {
            return Ok(None);
        }
        fs::create_dir_all(&folder).map_err(|error| {
            format!("cannot make {}: {error} (CALL_BUILD names another folder)", folder.display())
        })?;
        Ok(Some(Artefacts { folder, is_temporary: false }))
    }

    /// Its path without symbolic links: what stands there names the user's headers.
    pub fn folder(&self) -> Result<PathBuf, String> {
        self.folder.canonicalize().map_err(|error| format!("cannot use {}: {error}", self.folder.display()))
    }

    /// Removes what an earlier compilation left, such as copies of headers that are not included any more.
    pub fn remove_others(&self, files: &[PathBuf]) {
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let is_of_now = files.iter().any(|file| file.file_name() == Some(&name));
            // A temporary file is one that another compilation writes at this moment.
            if !is_of_now && !name.to_string_lossy().ends_with(".tmp") {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

impl Drop for Artefacts {
    fn drop(&mut self) {
        if self.is_temporary {
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

/// A folder that nobody else has, for an output such as `/dev/null`.
fn temporary() -> Result<Artefacts, String> {
    for number in 0.. {
        let folder = env::temp_dir().join(format!("call-cc-{}-{number}", std::process::id()));
        match DirBuilder::new().mode(0o700).create(&folder) {
            Ok(()) => return Ok(Artefacts { folder, is_temporary: true }),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(format!("cannot make {}: {error} (set TMPDIR)", folder.display())),
        }
    }
    Err("there is no name left for a temporary folder".to_owned())
}
