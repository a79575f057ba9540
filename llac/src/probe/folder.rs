use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// Where the probe is built and run.
pub enum ProbeFolder {
    /// A folder of the user.
    Named(PathBuf),
    /// Removed at the end.
    Temporary(TempDir),
}

impl ProbeFolder {
    /// A folder of the user, made if it is not there.
    pub fn named(path: &Path) -> Result<ProbeFolder, String> {
        std::fs::create_dir_all(path).map_err(|error| cannot_make(path, &error))?;
        Ok(ProbeFolder::Named(path.to_owned()))
    }

    /// A new folder that is removed at the end. Nobody else can write to it, for what lies in it is compiled and run.
    pub fn temporary(parent: &Path) -> Result<ProbeFolder, String> {
        let mut named = tempfile::Builder::new();
        let made = named.prefix("llac-probe-").permissions(Permissions::from_mode(0o700)).tempdir_in(parent);
        made.map(ProbeFolder::Temporary).map_err(|error| cannot_make(&parent.join("llac-probe-…"), &error))
    }

    pub fn path(&self) -> &Path {
        match self {
            ProbeFolder::Named(path) => path,
            ProbeFolder::Temporary(folder) => folder.path(),
        }
    }

    /// The traces of runs that were finished, in the order of their numbers.
    pub fn traces(&self) -> Result<Vec<PathBuf>, String> {
        let fail = |error| format!("llac: cannot read the folder {}: {error}", self.path().display());
        let mut found = Vec::new();
        for entry in std::fs::read_dir(self.path()).map_err(fail)? {
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
        for entry in std::fs::read_dir(self.path()).into_iter().flatten().flatten() {
            if is_trace(&entry.path()) && is_unfinished(&entry.path()) {
                // The run may be over and have removed it.
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }
}

fn cannot_make(path: &Path, error: &std::io::Error) -> String {
    format!("llac: cannot make the folder {}: {error}", path.display())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_is_there_is_not_taken() {
        let parent = tempfile::tempdir().unwrap();
        let first = ProbeFolder::temporary(parent.path()).unwrap();
        let second = ProbeFolder::temporary(parent.path()).unwrap();
        assert_ne!(first.path(), second.path());
        assert_eq!(std::fs::metadata(second.path()).unwrap().permissions().mode() & 0o777, 0o700);
        drop((first, second));
        assert_eq!(std::fs::read_dir(parent.path()).unwrap().count(), 0);
    }
}
