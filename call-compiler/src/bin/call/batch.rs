//! Batch scripts on disk: where the ones of compiled programs come from, and that nobody's edits are lost.

use std::path::{Path, PathBuf};
use std::{fs, io};

use call_compiler::{BatchPart, batch_parts, batch_script, is_unedited};

use crate::write;

/// The script as a file to be written. Where somebody edited the one that is there, what to say instead.
pub fn file(path: PathBuf, text: &str) -> Result<write::OutputFile, String> {
    // Also where it cannot be read, or is not text.
    let stays = match fs::read(&path) {
        Ok(known) => !known.is_empty() && !is_unedited(&String::from_utf8_lossy(&known)),
        Err(error) => error.kind() != io::ErrorKind::NotFound,
    };
    if stays {
        return Err(format!(
            "{} was edited, or is of an older call: it stays; remove it to have it written anew",
            path.display()
        ));
    }
    Ok(write::OutputFile { path, contents: text.as_bytes().to_vec(), executable: true })
}

/// The parts of a compiled program, none if it is none of ours.
pub fn parts(program: &Path) -> Vec<BatchPart> {
    let is_file = fs::metadata(program).is_ok_and(|known| known.is_file());
    if is_file {
        fs::read(program).map(|compiled| batch_parts(&compiled)).unwrap_or_default()
    } else {
        Vec::new()
    }
}

/// Writes the script of a program that its folder knows as `named`.
pub fn write(program: &Path, named: &str, script: PathBuf, parts: &[BatchPart]) -> Result<(), String> {
    let name = program.file_name().unwrap_or_default().to_string_lossy();
    match file(script, &batch_script(&name, named, parts)) {
        Ok(script) => write::changed(vec![script]).map(drop),
        Err(message) => {
            crate::tell(&crate::said(&message));
            Ok(())
        }
    }
}

/// `call script PROGRAM`: writes the script beside the program; of one without translated files only if that is wanted.
pub fn beside(program: &Path, otherwise: Otherwise) -> Result<(), String> {
    let parts = parts(program);
    match otherwise {
        Otherwise::Nothing if parts.is_empty() => return Ok(()),
        Otherwise::Error if parts.is_empty() => {
            return Err(format!("{} is no program with files that this call translated", program.display()));
        }
        _ => {}
    }
    let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
    write(program, &name, program.with_file_name(format!("{name}.call.sh")), &parts)
}

/// What to do for programs that carry nothing for scripts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Otherwise {
    Nothing,
    Error,
    /// A script that runs it.
    Script,
}
