use std::path::Path;
use std::process::Command;

use crate::compile_commands::Compile;

/// Runs the user's preprocessor on a file, keeping line markers in its output.
pub fn preprocess(compile: &Compile, include: &Path) -> Result<Vec<u8>, String> {
    run(&["-E"], compile, include)
}

/// The definitions of the macros that exist at the end of a file.
pub fn macros(compile: &Compile, include: &Path) -> Result<Vec<u8>, String> {
    run(&["-E", "-dM"], compile, include)
}

/// The compiler of the system.
pub fn default_compiler() -> String {
    "cc".to_owned()
}

/// The compiler that the environment names. It may carry flags: `gcc -m32`.
pub fn compiler_of_environment() -> Vec<String> {
    let named = std::env::var("CC").unwrap_or_default();
    let words: Vec<String> = named.split_whitespace().map(str::to_owned).collect();
    if words.is_empty() { vec![default_compiler()] } else { words }
}

/// The same for `call cc`, whose own name `make CC="call cc"` puts into the environment: what stands behind it.
pub fn compiler_behind_us() -> Vec<String> {
    let mut words = compiler_of_environment();
    let name = |word: &String| Path::new(word).file_name().unwrap_or_default().to_string_lossy().into_owned();
    if let Some(at) = words.iter().position(|word| name(word) == "call" || name(word).starts_with("call-")) {
        let own = if name(&words[at]) == "call" { 2 } else { 1 };
        words.drain(..(at + own).min(words.len()));
    }
    if words.is_empty() { vec![default_compiler()] } else { words }
}

fn run(mode: &[&str], compile: &Compile, include: &Path) -> Result<Vec<u8>, String> {
    let Some((program, words)) = compile.compiler.split_first() else {
        return Err(format!("no compiler is named for {}", compile.file.display()));
    };
    let mut command = Command::new(program);
    if !compile.directory.as_os_str().is_empty() {
        command.current_dir(&compile.directory);
    }
    // The runtime's headers come last, so that they hide nobody's.
    command.args(words).args(mode).args(&compile.flags).arg("-idirafter").arg(include).arg(&compile.file);
    let output = command.output().map_err(|error| {
        format!("cannot run the C compiler `{program}`: {error} (set CC to name another)")
    })?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let messages = String::from_utf8_lossy(&output.stderr);
    Err(format!(
        "`{} {}` refuses {} (flags for it go behind `--`, and CC names another compiler, such as mpicc):\n{}",
        compile.compiler.join(" "),
        mode.join(" "),
        compile.file.display(),
        messages.trim_end()
    ))
}
