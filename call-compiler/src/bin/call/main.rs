//! `call prog.c`: the translator's command line. Files, environment and exit status live here, everything else in the library.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line program speaks on its standard streams"
)]

mod arguments;
mod batch;
mod caches;
mod cc;
mod compile_commands;
mod explain;
mod job;
mod json;
mod misses;
mod mpi_compiler;
mod preprocess;
mod programs;
mod propose;
mod run;
mod runtime_directory;
mod runtime_library;
mod standard_input;
mod until_sure;
mod write;

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use call_grammar::printable;
use clap::CommandFactory;
use clap_complete::Shell;
use rayon::prelude::*;

use crate::arguments::{Arguments, ColourChoice, CompilerCommand, TranslationArguments};
use crate::compile_commands::Compile;
use crate::job::{Job, JobOutcome, TranslationOutput};

fn main() -> ExitCode {
    let arguments = Arguments::read();
    let result = match arguments.command {
        Some(CompilerCommand::Cflags { mpi: _, fortran, flags }) => cflags(fortran, &flags),
        Some(CompilerCommand::Libs { mpi }) => libs(mpi),
        Some(CompilerCommand::Explain { code }) => explain::explain(code.as_deref()),
        Some(CompilerCommand::Completions { shell }) => Ok(completions(shell)),
        Some(CompilerCommand::Manual { directory }) => {
            let written = clap_mangen::generate_to(Arguments::command(), &directory);
            let cannot = |error| fail(&format!("cannot write to {}: {error}", directory.display()));
            return written.map_or_else(cannot, |()| ExitCode::SUCCESS);
        }
        Some(CompilerCommand::Run(run)) => return run::run(&run).unwrap_or_else(|message| fail(&message)),
        Some(CompilerCommand::Propose(propose)) => {
            return propose::propose(&propose).unwrap_or_else(|message| fail(&message));
        }
        Some(CompilerCommand::Cc { words }) => {
            return cc::compile(&words).unwrap_or_else(|message| fail(&message));
        }
        Some(CompilerCommand::Script { if_any, program }) => {
            let otherwise = if if_any { batch::Otherwise::Nothing } else { batch::Otherwise::Error };
            return batch::beside(&program, otherwise)
                .map_or_else(|message| fail(&message), |()| ExitCode::SUCCESS);
        }
        None => return translate(&arguments.translation).unwrap_or_else(|message| fail(&message)),
    };
    match result {
        Ok(text) => {
            print(format!("{text}\n").as_bytes());
            ExitCode::SUCCESS
        }
        Err(message) => fail(&message),
    }
}

/// Says what belongs on standard error.
fn tell(messages: &str) {
    eprint!("{messages}");
}

/// A line of ours, or several. Names in it may be anything.
fn said(message: &str) -> String {
    format!("call: {}\n", printable(message))
}

fn fail(message: &str) -> ExitCode {
    tell(&said(message));
    ExitCode::from(2)
}

/// A reader that has seen enough is no error.
fn print(bytes: &[u8]) {
    let _ = std::io::stdout().write_all(bytes);
}

/// What a shell needs to complete words. In that of zsh, subcommands would stand behind all FILEs.
fn completions(shell: Shell) -> String {
    let all = Arguments::command();
    let options = all.get_arguments().filter(|argument| !argument.is_positional());
    let mut command = clap::Command::new("call").args(options).subcommands(all.get_subcommands());
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut command, "call", &mut text);
    let files = "'call commands' commands \"$@\"";
    String::from_utf8_lossy(&text).replace(files, &format!("{files}; _files"))
}

fn cflags(fortran: bool, flags: &[String]) -> Result<String, String> {
    let runtime = runtime_directory::prepare()?;
    let mut words = flags.to_vec();
    words.push(format!("-I{}", runtime.join("include").display()));
    if !flags.is_empty() {
        words.push(format!("-DCLL_FLAGS={}", recordable(&flags.join(","))));
    }
    if fortran {
        words.push(runtime.join(call_runtime::FORTRAN_MODULE).display().to_string());
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
    Ok(format!("{} -lm -pthread", runtime.join(runtime_library::source(mpi)).display()))
}

fn translate(arguments: &TranslationArguments) -> Result<ExitCode, String> {
    let include = runtime_directory::prepare()?.join("include");
    let compiles = compiles(arguments)?;
    if compiles.len() > 1 && arguments.output.is_some() {
        return Err("--output takes one FILE; without it the outputs of each stand beside it".to_owned());
    }
    let reads_input = arguments.files.iter().any(|file| standard_input::is(file));
    if reads_input && compiles.len() > 1 {
        return Err("a program from standard input (-) is translated alone".to_owned());
    }
    let wanted = match arguments {
        TranslationArguments { stdout: true, .. } => TranslationOutput::Stdout,
        TranslationArguments { emit: Some(_), .. } => TranslationOutput::Json,
        TranslationArguments { check: true, .. } => TranslationOutput::Check,
        // It has no place beside which files could stand.
        TranslationArguments { output: None, .. } if reads_input => TranslationOutput::Stdout,
        TranslationArguments { output, .. } => TranslationOutput::Files(output.clone()),
    };
    let colour = match arguments.color {
        ColourChoice::Always => true,
        ColourChoice::Never => false,
        ColourChoice::Auto => std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
    };
    let run = |compile: &Compile| {
        let (wanted, quiet) = (wanted.clone(), arguments.quiet);
        Job { compile, include: &include, wanted, script: true, quiet, colour, counters: &[] }.run()
    };
    // Threads cost more than one small file.
    let outcomes: Vec<JobOutcome> = if compiles.len() == 1 {
        compiles.iter().map(run).collect()
    } else {
        let jobs = arguments.jobs.unwrap_or(0);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build();
        let pool = pool.map_err(|error| format!("cannot start threads: {error}"))?;
        pool.install(|| compiles.par_iter().map(run).collect())
    };
    for outcome in &outcomes {
        print(&outcome.output);
        tell(&outcome.messages);
    }
    Ok(if outcomes.iter().any(|outcome| outcome.has_errors) {
        ExitCode::from(2)
    } else if arguments.deny_warnings && outcomes.iter().any(|outcome| outcome.has_warnings) {
        ExitCode::from(1)
    } else {
        ExitCode::SUCCESS
    })
}

/// The files to translate with the compilers and flags that they are compiled with.
fn compiles(arguments: &TranslationArguments) -> Result<Vec<Compile>, String> {
    if arguments.files.is_empty() && arguments.compile_commands.is_none() {
        return Err("no FILE is named (try --help)".to_owned());
    }
    let own_flags = compile_commands::for_preprocessor(&arguments.flags, None);
    let Some(json) = &arguments.compile_commands else {
        let compile = |file: &PathBuf| Compile::of_environment(file, own_flags.clone());
        return Ok(arguments.files.iter().map(compile).collect());
    };
    let mut known = compile_commands::read(json)?;
    for compile in &mut known {
        compile.flags.extend(own_flags.iter().cloned());
    }
    if arguments.files.is_empty() {
        known.retain(has_directives);
        return if known.is_empty() {
            Err(format!("no file of {} has a `#pragma cll` directive", json.display()))
        } else {
            Ok(known)
        };
    }
    let same = |left: &PathBuf, right: &PathBuf| match (left.canonicalize(), right.canonicalize()) {
        (Ok(left), Ok(right)) => left == right,
        _ => false,
    };
    let find = |file: &PathBuf| {
        let found = known.iter().find(|compile| same(&compile.path(), file));
        found.cloned().ok_or_else(|| format!("{} is not in {}", file.display(), json.display()))
    };
    arguments.files.iter().map(find).collect()
}

fn has_directives(compile: &Compile) -> bool {
    let is_output = compile.file.to_string_lossy().ends_with(".call.c");
    !is_output && mentions(&compile.path(), "cll")
}

/// Whether a text stands somewhere in a file.
fn mentions(file: &Path, what: &str) -> bool {
    std::fs::read(file).is_ok_and(|text| memchr::memmem::find(&text, what.as_bytes()).is_some())
}
