//! Where the runtime's C files stand on disk, so that compilers can read them: a folder of the user, written on first use.

use std::env;
use std::fs::{self, Metadata, Permissions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, Mode, OFlags};
use tempfile::TempDir;
use xdg::BaseDirectories;

/// The folder with the runtime of exactly this version, written if it is not there.
pub fn prepare() -> Result<PathBuf, String> {
    let (base, is_named) = base()?;
    let directory = base.join(format!("call-{}-{:016x}", env!("CARGO_PKG_VERSION"), fingerprint()));
    if directory.to_string_lossy().contains(char::is_whitespace) {
        return Err(format!(
            "the folder {} has a blank in its name, which `$(call cflags)` cannot pass on: set CALL_RUNTIME_DIR to another",
            directory.display()
        ));
    }
    if !is_named {
        trust_all(&base, &directory)?;
    }
    if !is_complete(&directory) {
        write(&directory).map_err(|error| {
            format!("cannot write the runtime to {}: {error} (set CALL_RUNTIME_DIR)", directory.display())
        })?;
        // What stands there now may be of somebody else who was quicker.
        if !is_named {
            trust_all(&base, &directory)?;
        }
    }
    Ok(directory)
}

/// The folder for the runtimes of all versions, and whether `CALL_RUNTIME_DIR` names it.
fn base() -> Result<(PathBuf, bool), String> {
    let named = env::var_os("CALL_RUNTIME_DIR").filter(|value| !value.is_empty()).map(PathBuf::from);
    let is_named = named.is_some();
    let found = named
        .or_else(|| Some(BaseDirectories::new().get_cache_home()?.join("call")))
        .ok_or("there is no HOME to keep the runtime in: set CALL_RUNTIME_DIR to a folder")?;
    // The paths are handed to compilers that run elsewhere.
    let found =
        std::path::absolute(&found).map_err(|error| format!("cannot use {}: {error}", found.display()))?;
    Ok((found, is_named))
}

/// What stands there becomes a part of programs: it has to be of this user or of root, and nobody else may change it.
fn trust_all(base: &Path, directory: &Path) -> Result<(), String> {
    // Nobody else may rename what stands in the base, which a sticky one sees to. It may be a link to another disk.
    trust(base, fs::metadata(base), |known| known.mode() & 0o1002 == 0o002)?;
    for folder in [directory, &directory.join("lib")] {
        let is_open = |known: &Metadata| known.is_symlink() || known.mode() & 0o002 != 0;
        trust(folder, fs::symlink_metadata(folder), is_open)?;
    }
    Ok(())
}

/// What is not there is trusted: it will be made.
fn trust(
    folder: &Path,
    known: io::Result<Metadata>,
    is_open: impl Fn(&Metadata) -> bool,
) -> Result<(), String> {
    let Ok(known) = known else { return Ok(()) };
    let wrong = if known.uid() != 0 && known.uid() != rustix::process::geteuid().as_raw() {
        "belongs to another user"
    } else if is_open(&known) {
        "is one that others may write to"
    } else {
        return Ok(());
    };
    Err(format!(
        "the folder {} {wrong}, so the runtime is not taken from it: remove it, or set CALL_RUNTIME_DIR to a folder of yours",
        folder.display()
    ))
}

/// Makes a folder, and those on the way to it, that others cannot write to, whatever the user's mask says.
pub fn make(folder: &Path) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o775).create(folder)
}

/// Waits until nobody else holds the lock of this name; held until it is dropped. `None` where nothing can be locked, as in the folder of another
/// user: then all may go on at once, each to a file of its own.
pub fn turn(path: &Path) -> Option<OwnedFd> {
    let flags = OFlags::CREATE | OFlags::RDWR | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let lock = rustix::fs::open(path, flags, Mode::RUSR | Mode::WUSR).ok()?;
    rustix::fs::flock(&lock, FlockOperation::LockExclusive).ok()?;
    Some(lock)
}

/// A new folder that is removed at the end. Nobody else can write to it, whatever the user's mask says: what lies in it is compiled.
pub fn temporary_in(parent: &Path) -> io::Result<TempDir> {
    tempfile::Builder::new().prefix("call-cc-").permissions(Permissions::from_mode(0o700)).tempdir_in(parent)
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
fn write(directory: &Path) -> io::Result<()> {
    let base = directory.parent().unwrap_or(directory);
    make(base)?;
    // Other users may read it as far as their masks allow.
    let temporary = tempfile::Builder::new().permissions(Permissions::from_mode(0o775)).tempdir_in(base)?;
    for file in call_runtime::FILES {
        let path = temporary.path().join(file.path);
        make(path.parent().unwrap_or(temporary.path()))?;
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
