//! `call prog.c`: the translator's command line. Files, environment and exit status live here, everything else in the library.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line program speaks on its standard streams"
)]

mod preprocess;
mod runtime_directory;
mod write;

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use call_compiler::{Request, headers_with_directives, macro_names, render, translate};
use clap::{Parser, Subcommand};

/// Translates C programs annotated with `#pragma cll` directives.
///
/// For each FILE NAME.c it writes NAME.call.c (the same program with measurements), NAME.call.h and NAME.call.sh (runs it for each
/// number of processors) beside it. Compile with `cc $(call cflags) NAME.call.c $(call libs) -o NAME`.
///
/// The environment variable CC names the compiler whose preprocessor is used (default: cc).
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// Annotated C programs
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Flags for the preprocessor, such as -I and -D
    #[arg(last = true, value_name = "FLAGS")]
    flags: Vec<String>,
}

#[derive(Subcommand)]
enum Command {
    /// Print the compiler flags that instrumented programs need
    Cflags {
        /// For programs that are started with mpirun
        #[arg(long)]
        mpi: bool,
        /// Flags of your own: they are printed, too, and recorded in the traces
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "FLAGS")]
        flags: Vec<String>,
    },
    /// Print the sources and libraries that instrumented programs are linked with
    Libs {
        /// For programs that are started with mpirun
        #[arg(long)]
        mpi: bool,
    },
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let result = match arguments.command {
        Some(Command::Cflags { mpi: _, flags }) => cflags(&flags),
        Some(Command::Libs { mpi }) => libs(mpi),
        None => return translate_all(&arguments.files, &arguments.flags),
    };
    match result {
        Ok(line) => {
            println!("{line}");
            ExitCode::SUCCESS
        }
        Err(message) => fail(&message),
    }
}

fn fail(message: &str) -> ExitCode {
    eprintln!("call: {message}");
    ExitCode::from(2)
}

fn cflags(flags: &[String]) -> Result<String, String> {
    let runtime = runtime_directory::prepare()?;
    let mut words = flags.to_vec();
    words.push(format!("-I{}", runtime.join("include").display()));
    if !flags.is_empty() {
        words.push(format!("-DCLL_FLAGS={}", recordable(&flags.join(","))));
    }
    Ok(words.join(" "))
}

/// The runtime turns its macro into a string; quotes, parentheses and blanks inside would break it or the command line.
fn recordable(flags: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "-+=,._/:@%".contains(character);
    flags.chars().map(|character| if is_plain(character) { character } else { '_' }).collect()
}

fn libs(mpi: bool) -> Result<String, String> {
    let runtime = runtime_directory::prepare()?;
    let source = if mpi { call_runtime::MPI_SOURCE } else { call_runtime::EMBEDDED_SOURCE };
    Ok(format!("{} -lm -pthread", runtime.join(source).display()))
}

fn translate_all(files: &[PathBuf], flags: &[String]) -> ExitCode {
    let include = match runtime_directory::prepare() {
        Ok(runtime) => runtime.join("include"),
        Err(message) => return fail(&message),
    };
    let failed = files.iter().filter(|file| !translate_file(file, &include, flags)).count();
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::from(2) }
}

/// Translates one file and tells what happened; whether it went well.
fn translate_file(file: &Path, include: &Path, flags: &[String]) -> bool {
    match translate_or_tell(file, include, flags) {
        Ok(summary) => {
            eprintln!("{summary}");
            true
        }
        Err(message) => {
            eprintln!("{}", message.trim_end());
            false
        }
    }
}

fn translate_or_tell(file: &Path, include: &Path, flags: &[String]) -> Result<String, String> {
    let path = file.display().to_string();
    if path.ends_with(".call.c") {
        return Err(format!("call: {path} is an output of call: translate the program it was made from"));
    }
    let source = std::fs::read(file).map_err(|error| format!("call: cannot read {path}: {error}"))?;
    let preprocessed =
        preprocess::preprocess(file, include, flags).map_err(|message| format!("call: {message}"))?;
    let macros = || preprocess::macros(file, include, flags).map_or_else(|_| Default::default(), |text| macro_names(&text));
    let mut request = Request { macros: &macros, ..Request::new(&path, &source, &preprocessed) };
    for header in headers_with_directives(&path, &source, &preprocessed) {
        let text = std::fs::read(&header).map_err(|error| format!("call: cannot read {header}: {error}"))?;
        request.headers.push((header, text));
    }
    let sources = request.sources();
    let colour = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let translation = translate(&request).map_err(|diagnostics| {
        let count = diagnostics.len();
        let messages: Vec<String> =
            diagnostics.iter().map(|diagnostic| render(diagnostic, &sources, colour)).collect();
        let plural = if count == 1 { "" } else { "s" };
        format!("{}\ncall: {path}: {count} message{plural}, nothing written", messages.join("\n"))
    })?;
    for warning in &translation.warnings {
        eprintln!("{}", render(warning, &sources, colour));
    }
    let beside = |ending: &str| file.with_file_name(format!("{}.call.{ending}", request.name));
    write::all(&[
        write::File { path: beside("c"), contents: &translation.c, executable: false },
        write::File { path: beside("h"), contents: translation.header.as_bytes(), executable: false },
        write::File { path: beside("sh"), contents: translation.script.as_bytes(), executable: true },
    ])
    .map_err(|message| format!("call: {message}"))?;
    let experiments = match translation.experiments.len() {
        1 => format!("experiment {}", translation.experiments[0]),
        count => format!("{count} experiments"),
    };
    let stem = file.with_file_name(format!("{}.call", request.name));
    Ok(format!("call: {path}: {experiments}, wrote {}.{{c,h,sh}}", stem.display()))
}
