//! Where the runtime's C files stand on disk, so that compilers can read them: a folder of the user, written on first use.

use std::env;
use std::fs::{self, Permissions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The folder with the runtime of exactly this version, written if it is not there.
pub fn prepare() -> Result<PathBuf, String> {
    let directory = base()?.join(format!("call-{}-{:016x}", env!("CARGO_PKG_VERSION"), fingerprint()));
    if directory.to_string_lossy().contains(char::is_whitespace) {
        return Err(format!(
            "the folder {} has a blank in its name, which `$(call cflags)` cannot pass on: set CALL_RUNTIME_DIR to another",
            directory.display()
        ));
    }
    if !is_complete(&directory) {
        write(&directory).map_err(|error| {
            format!("cannot write the runtime to {}: {error} (set CALL_RUNTIME_DIR)", directory.display())
        })?;
    }
    Ok(directory)
}

fn base() -> Result<PathBuf, String> {
    let folder = |variable: &str| env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from);
    let found = folder("CALL_RUNTIME_DIR")
        .or_else(|| folder("XDG_CACHE_HOME").map(|cache| cache.join("call")))
        .or_else(|| folder("HOME").map(|home| home.join(".cache/call")))
        .ok_or("there is no HOME to keep the runtime in: set CALL_RUNTIME_DIR to a folder")?;
    // The paths are handed to compilers that run elsewhere.
    std::path::absolute(&found).map_err(|error| format!("cannot use {}: {error}", found.display()))
}

fn fingerprint() -> u64 {
    let mut hasher = DefaultHasher::new();
    for file in call_runtime::FILES {
        (file.path, file.text).hash(&mut hasher);
    }
    hasher.finish()
}

fn is_complete(directory: &Path) -> bool {
    // The folder's name is made of the contents, and it gets its name when all of them are there.
    call_runtime::FILES.iter().all(|file| {
        fs::metadata(directory.join(file.path)).is_ok_and(|known| known.len() == file.text.len() as u64)
    })
}

/// Writes into a folder beside it and renames: two translators started at once do not meet half a runtime.
fn write(directory: &Path) -> std::io::Result<()> {
    let base = directory.parent().unwrap_or(directory);
    fs::create_dir_all(base)?;
    // Other users may read it as far as their masks allow.
    let temporary = tempfile::Builder::new().permissions(Permissions::from_mode(0o777)).tempdir_in(base)?;
    for file in call_runtime::FILES {
        let path = temporary.path().join(file.path);
        fs::create_dir_all(path.parent().unwrap_or(temporary.path()))?;
        fs::write(path, file.text)?;
    }
    match fs::rename(temporary.path(), directory) {
        // Somebody else was quicker, or an incomplete folder is in the way.
        Err(_) if is_complete(directory) => Ok(()),
        Err(_) => {
            fs::remove_dir_all(directory)?;
            fs::rename(temporary.path(), directory)
        }
        Ok(()) => Ok(()),
    }
}
