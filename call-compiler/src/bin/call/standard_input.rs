//! A source that comes from standard input, which several runs of the compiler read.

use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

/// How compilers name it on their command lines.
pub const NAME: &str = "-";
/// How they name it in their messages.
pub const SHOWN: &str = "<stdin>";

pub fn is(file: &Path) -> bool {
    file == Path::new(NAME)
}

/// All of it, read at the first call.
pub fn read() -> io::Result<&'static [u8]> {
    static TEXT: OnceLock<Vec<u8>> = OnceLock::new();
    if let Some(text) = TEXT.get() {
        return Ok(text);
    }
    let mut text = Vec::new();
    io::stdin().read_to_end(&mut text)?;
    Ok(TEXT.get_or_init(|| text))
}

/// Starts a command that reads it.
pub fn start(command: &mut Command) -> io::Result<Child> {
    start_with(command, read()?)
}

/// Starts a command that reads a text.
pub fn start_with(command: &mut Command, text: impl AsRef<[u8]> + Send + 'static) -> io::Result<Child> {
    let mut child = command.stdin(Stdio::piped()).spawn()?;
    if let Some(mut pipe) = child.stdin.take() {
        // A command that does not read all of it says why, and its output is read meanwhile.
        std::thread::spawn(move || pipe.write_all(text.as_ref()));
    }
    Ok(child)
}
