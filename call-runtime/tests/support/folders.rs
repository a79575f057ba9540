//! Where the programs of the tests are and come to be.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub(super) fn build_directory() -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("runtime-programs");
    fs::create_dir_all(&directory).expect("the directory for test programs can be made");
    directory
}

/// An empty directory that no other test uses.
pub fn empty_directory() -> PathBuf {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let name = format!("run-{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
    let directory = build_directory().join(name);
    fs::create_dir_all(&directory).expect("the directory for a run can be made");
    directory
}
