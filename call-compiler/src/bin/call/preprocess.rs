use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::compile_commands::Compile;
use crate::{programs, standard_input};

/// Runs the user's preprocessor on a file, keeping line markers in its output.
pub fn preprocess(compile: &Compile, include: &Path) -> Result<Vec<u8>, String> {
    run(&["-E"], compile, include)
}

/// The same of another text in the place of the file's.
pub fn preprocess_text(compile: &Compile, source: &[u8], include: &Path) -> Result<Vec<u8>, String> {
    let folder = compile.path().parent().filter(|folder| !folder.as_os_str().is_empty()).map(Path::to_owned);
    let folder = folder.unwrap_or_else(|| Path::new(".").to_owned());
    let mut flags = compile.flags.clone();
    // Headers that stand beside the file.
    flags
        .extend(["-iquote".to_owned(), std::path::absolute(&folder).unwrap_or(folder).display().to_string()]);
    let compile = Compile { file: standard_input::NAME.into(), flags, ..compile.clone() };
    run_on(&["-E"], &compile, include, Some(source))
}

/// The definitions of the macros that exist at the end of a file.
pub fn macros(compile: &Compile, include: &Path) -> Result<Vec<u8>, String> {
    run(&["-E", "-dM"], compile, include)
}

/// The compiler that the environment names, else that of the system. It may carry flags: `gcc -m32`.
pub fn compiler_of_environment() -> Vec<String> {
    let named = std::env::var("CC").unwrap_or_default();
    let mut words: Vec<String> = named.split_whitespace().map(str::to_owned).collect();
    // What stands behind `call cc` in a build is told to it, and need not be there.
    if words.first().is_some_and(|word| {
        matches!(&*programs::name(word), "call" | "call-cc" | "call-mpicc" | "call-oshcc")
    }) {
        words.clear();
    }
    if words.is_empty() { vec!["cc".to_owned()] } else { words }
}

fn run(mode: &[&str], compile: &Compile, include: &Path) -> Result<Vec<u8>, String> {
    run_on(mode, compile, include, None)
}

/// Runs the preprocessor on a file, or on a text that stands for it.
fn run_on(mode: &[&str], compile: &Compile, include: &Path, text: Option<&[u8]>) -> Result<Vec<u8>, String> {
    let Some((program, words)) = compile.compiler.split_first() else {
        return Err(format!("no compiler is named for {}", compile.file.display()));
    };
    let mut command = Command::new(program);
    if !compile.directory.as_os_str().is_empty() {
        command.current_dir(&compile.directory);
    }
    // The runtime's headers come last, so that they hide nobody's.
    command.args(words).args(mode).args(&compile.flags).arg("-idirafter").arg(include);
    let output = if standard_input::is(&compile.file) {
        command.args(["-x", "c"]).arg(&compile.file).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = match text {
            Some(text) => standard_input::start_with(&mut command, text.to_vec()),
            None => standard_input::start(&mut command),
        };
        child.and_then(Child::wait_with_output)
    } else {
        command.arg(&compile.file).output()
    };
    let output = output.map_err(|error| {
        format!("cannot run the C compiler `{program}`: {error} (set CC to name another)")
    })?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let messages = String::from_utf8_lossy(&output.stderr);
    Err(format!(
        "`{} {}` refuses {} (flags for it go behind `--`, those of `call run` into --flags, and CC names another compiler, such as mpicc):\n{}",
        compile.compiler.join(" "),
        mode.join(" "),
        compile.file.display(),
        messages.trim_end()
    ))
}
