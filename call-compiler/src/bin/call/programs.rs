//! Programs as the shell finds them.

use std::env;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The file that a word means as a program.
pub fn find(word: &str) -> Option<PathBuf> {
    let is_program = |path: &PathBuf| {
        path.metadata().is_ok_and(|known| known.is_file() && known.permissions().mode() & 0o111 != 0)
    };
    if word.contains('/') {
        return Some(PathBuf::from(word)).filter(is_program);
    }
    let paths = env::var_os("PATH")?;
    env::split_paths(&paths).map(|folder| folder.join(word)).find(is_program)
}

/// The last part of the path of a program.
pub fn name(program: &str) -> String {
    Path::new(program).file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Whether a command ends well; it gives no output.
pub fn succeeds(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}
