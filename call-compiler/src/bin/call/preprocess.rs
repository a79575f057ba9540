use std::path::Path;
use std::process::Command;

/// Runs the user's preprocessor on a file, keeping line markers in its output.
pub fn preprocess(file: &Path, include: &Path, flags: &[String]) -> Result<Vec<u8>, String> {
    run(&["-E"], file, include, flags)
}

/// The definitions of the macros that exist at the end of a file.
pub fn macros(file: &Path, include: &Path, flags: &[String]) -> Result<Vec<u8>, String> {
    run(&["-E", "-dM"], file, include, flags)
}

fn run(mode: &[&str], file: &Path, include: &Path, flags: &[String]) -> Result<Vec<u8>, String> {
    let compiler =
        std::env::var("CC").ok().filter(|value| !value.trim().is_empty()).unwrap_or("cc".to_owned());
    // CC may carry flags: `gcc -m32`.
    let mut words = compiler.split_whitespace();
    let program = words.next().unwrap_or("cc");
    let output = Command::new(program)
        .args(words)
        .args(mode)
        .args(flags)
        .arg("-I")
        .arg(include)
        .arg(file)
        .output()
        .map_err(|error| {
            format!("cannot run the C compiler `{program}`: {error} (set CC to name another)")
        })?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let messages = String::from_utf8_lossy(&output.stderr);
    Err(format!(
        "`{compiler} -E` refuses {} (flags for it go behind `--`):\n{}",
        file.display(),
        messages.trim_end()
    ))
}
