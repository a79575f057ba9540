//! Where the artefacts of a compilation stand: in a folder that belongs to one source and one output.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::{env, fs, path};

use tempfile::TempDir;

/// The folder of a compilation.
pub enum Artefacts {
    /// It stays for the next compilation of the same.
    Kept(PathBuf),
    /// Of an output such as `/dev/null`; removed at the end.
    Temporary(TempDir),
}

fn build_folder() -> Option<PathBuf> {
    let folder = env::var_os("CALL_BUILD").filter(|folder| !folder.is_empty())?;
    path::absolute(folder).ok()
}

/// `.call` in a folder; where that is another user's, who could change what is compiled, one with the number of this user. None if that
/// is another's, too.
fn own_folder(parent: &Path) -> Option<PathBuf> {
    let user = rustix::process::geteuid().as_raw();
    let is_own = |folder: &PathBuf| fs::symlink_metadata(folder).map_or(true, |known| known.uid() == user);
    [parent.join(".call"), parent.join(format!(".call.{user}"))].into_iter().find(is_own)
}

impl Artefacts {
    /// The folder of what is made of a source for an output, below `CALL_BUILD` or beside the output; none for outputs that
    /// are no files, and where there is no folder of one's own.
    pub fn place(output: &Path, source: &Path) -> Option<PathBuf> {
        let (output, source) = (path::absolute(output).ok()?, path::absolute(source).ok()?);
        let parent = output.parent()?;
        if parent == Path::new("/dev") {
            return None;
        }
        let base = build_folder().or_else(|| own_folder(parent))?;
        let mut hasher = DefaultHasher::new();
        (&output, &source).hash(&mut hasher);
        let name = output.file_name()?.to_string_lossy();
        Some(base.join(format!("{name}-{:016x}", hasher.finish())))
    }

    /// The batch script of a program, and the program as seen from the script's folder: in `.call` beside the program, else in
    /// `CALL_BUILD`, where programs of one name differ by what follows it.
    pub fn script(program: &Path) -> Option<(PathBuf, String)> {
        let program = path::absolute(program).ok()?;
        let name = program.file_name()?.to_string_lossy();
        if let Some(folder) = build_folder() {
            let mut hasher = DefaultHasher::new();
            program.hash(&mut hasher);
            let script = folder.join(format!("{name}-{:016x}.call.sh", hasher.finish()));
            return Some((script, program.display().to_string()));
        }
        Some((own_folder(program.parent()?)?.join(format!("{name}.call.sh")), format!("../{name}")))
    }

    /// Makes the folder; none where the compiler cannot write its output either.
    pub fn make(output: &Path, source: &Path) -> Result<Option<Artefacts>, String> {
        let Some(mut folder) = Artefacts::place(output, source) else {
            let made = tempfile::Builder::new().prefix("call-cc-").tempdir();
            let unable = |error| format!("cannot make a temporary folder: {error} (set TMPDIR)");
            return made.map(|folder| Some(Artefacts::Temporary(folder))).map_err(unable);
        };
        let beside = output.parent().filter(|parent| !parent.as_os_str().is_empty());
        if beside.is_some_and(|parent| !parent.is_dir()) {
            return Ok(None);
        }
        let mut made = fs::create_dir_all(&folder);
        // Another user may have made `.call` meanwhile.
        let other = Artefacts::place(output, source).filter(|other| made.is_err() && *other != folder);
        if let Some(other) = other {
            made = fs::create_dir_all(&other);
            folder = other;
        }
        made.map_err(|error| {
            format!("cannot make {}: {error} (CALL_BUILD names another folder)", folder.display())
        })?;
        Ok(Some(Artefacts::Kept(folder)))
    }

    fn path(&self) -> &Path {
        match self {
            Artefacts::Kept(folder) => folder,
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
