use std::fs::DirBuilder;
use std::io::ErrorKind;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

/// Where the probe is built and run.
pub struct ProbeFolder {
    path: PathBuf,
    is_temporary: bool,
}

/// Others may have made folders of the names that are tried first.
const MOST_NAMES: u32 = 1000;

impl ProbeFolder {
    /// A folder of the user, made if it is not there.
    pub fn named(path: &Path) -> Result<ProbeFolder, String> {
        std::fs::create_dir_all(path).map_err(|error| cannot_make(path, &error))?;
        Ok(ProbeFolder { path: path.to_owned(), is_temporary: false })
    }

    /// A new folder that is removed at the end. Nobody else can write to it, for what lies in it is compiled and run.
    pub fn temporary(parent: &Path) -> Result<ProbeFolder, String> {
        let mut path = parent.to_owned();
        for number in 0..MOST_NAMES {
            path = parent.join(format!("llac-probe-{}-{number}", std::process::id()));
            match DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => return Ok(ProbeFolder { path, is_temporary: true }),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(cannot_make(&path, &error)),
            }
        }
        Err(cannot_make(&path, &ErrorKind::AlreadyExists.into()))
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

impl Drop for ProbeFolder {
    fn drop(&mut self) {
        if self.is_temporary {
            // What stays behind does no harm.
            let _ = std::fs::remove_dir_all(&self.path);
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
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_folder_that_is_there_is_not_taken() {
        let parent = std::env::temp_dir().join(format!("llac-folder-{}", std::process::id()));
        std::fs::create_dir_all(&parent).unwrap();
        let first = ProbeFolder::temporary(&parent).unwrap();
        let second = ProbeFolder::temporary(&parent).unwrap();
        assert_ne!(first.path(), second.path());
        assert_eq!(std::fs::metadata(second.path()).unwrap().permissions().mode() & 0o777, 0o700);
        drop((first, second));
        assert_eq!(std::fs::read_dir(&parent).unwrap().count(), 0);
        std::fs::remove_dir(&parent).unwrap();
    }
}
