//! What a compiler is, whatever it is called.

use std::process::{Command, Stdio};
use std::{env, fs};

/// Includes what an MPI library says of itself.
const ASKS_MPI: &str = "printf '#include <mpi.h>\\n' | \"$@\" -E -x c -";

/// Whether programs of this compiler are programs of MPI: it finds `mpi.h` and links `MPI_Init`. `CALL_MPI`, `yes` or `no`, decides.
pub fn is_mpi(compiler: &[String]) -> bool {
    if let Ok(said) = env::var("CALL_MPI") {
        return said == "yes";
    }
    let source = "printf '#include <mpi.h>\\nint main(void) { return MPI_Init(0, 0); }\\n' | \"$@\" -x c - -x none -o /dev/null";
    crate::runtime_library::is_mpi(compiler.last().map_or("", String::as_str))
        || ask(ASKS_MPI, compiler).is_some() && ask(source, compiler).is_some()
}

/// The program behind the name, its version and target, and the headers of its MPI.
pub fn identity(compiler: &[String]) -> Vec<Option<Vec<u8>>> {
    let found = compiler.iter().map(|word| {
        let path = ask("command -v \"$1\"", std::slice::from_ref(word))?;
        let path = fs::canonicalize(String::from_utf8(path).ok()?.trim_end()).ok()?;
        Some(path.into_os_string().into_encoded_bytes())
    });
    let questions = ["\"$@\" --version", "\"$@\" -dumpmachine", ASKS_MPI];
    found.chain(questions.map(|question| ask(question, compiler))).collect()
}

/// What a command of the shell says of the compiler `"$@"`; nothing if it fails.
fn ask(script: &str, compiler: &[String]) -> Option<Vec<u8>> {
    let mut command = Command::new("sh");
    command.args(["-c", script, "sh"]).args(compiler).stdin(Stdio::null());
    let output = command.output().ok()?;
    output.status.success().then_some(output.stdout)
}
