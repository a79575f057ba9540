use std::path::{Path, PathBuf};

/// Where the probe is built and run.
pub struct Folder {
    path: PathBuf,
    is_temporary: bool,
}

impl Folder {
    /// A folder of the user, made if it is not there.
    pub fn named(path: &Path) -> Result<Folder, String> {
        Folder::made(path.to_owned(), false)
    }

    /// A new folder that is removed at the end.
    pub fn temporary(parent: &Path) -> Result<Folder, String> {
        Folder::made(parent.join(format!("llac-probe-{}", std::process::id())), true)
    }

    fn made(path: PathBuf, is_temporary: bool) -> Result<Folder, String> {
        std::fs::create_dir_all(&path)
            .map_err(|error| format!("llac: cannot make the folder {}: {error}", path.display()))?;
        Ok(Folder { path, is_temporary })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The traces of runs that were finished, in the order of their numbers.
    pub fn traces(&self) -> Result<Vec<PathBuf>, String> {
        let fail = |error| format!("llac: cannot read the folder {}: {error}", self.path.display());
        let mut found = Vec::new();
        for entry in std::fs::read_dir(&self.path).map_err(fail)? {
            let path = entry.map_err(fail)?.path();
            if is_trace(&path) && !is_unfinished(&path) {
                found.push(path);
            }
        }
        found.sort_by_key(|path| (path.as_os_str().len(), path.clone()));
        Ok(found)
    }

    /// What an interrupted run leaves behind.
    pub fn remove_unfinished(&self) {
        for entry in std::fs::read_dir(&self.path).into_iter().flatten().flatten() {
            if is_trace(&entry.path()) && is_unfinished(&entry.path()) {
                // The run may be over and have removed it.
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if self.is_temporary {
            // What stays behind does no harm.
            let _ = std::fs::remove_dir_all(&self.path);
        }
    }
}

fn name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

fn is_trace(path: &Path) -> bool {
    name(path).starts_with("probe.call.") && name(path).ends_with(".dat")
}

fn is_unfinished(path: &Path) -> bool {
    name(path).starts_with("probe.call.unfinished.")
}
