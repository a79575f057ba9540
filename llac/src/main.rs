//! `llac`: the session's front doors. Arguments, files, terminal and exit status live here, everything else in the library.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line program speaks on its standard streams"
)]

mod files;
mod repl;
mod script;
mod style;

use std::io::{IsTerminal, Read};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use llac::Session;

use crate::files::Folder;
use crate::style::Painter;

/// Fits the complexity formulas of CALL's traces, finds the intervals where their constants hold, and predicts.
///
/// Without arguments it reads commands from the terminal (`help` lists them) or, if there is none, from standard input.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// Run this command; may be repeated
    #[arg(short = 'e', value_name = "COMMAND")]
    commands: Vec<String>,
    /// Run the commands in these files
    #[arg(value_name = "SCRIPT")]
    scripts: Vec<PathBuf>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut session = Session::new(Box::new(Folder));
    let painter = Painter::for_standard_output();
    for path in &arguments.scripts {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) => return fail(&format!("llac: cannot read {}: {error}", path.display())),
        };
        match script::run(&mut session, &text, &path.display().to_string(), painter) {
            Ok(true) => return ExitCode::SUCCESS,
            Ok(false) => {}
            Err(message) => return fail(&message),
        }
    }
    for command in &arguments.commands {
        match script::run(&mut session, command, "-e", painter) {
            Ok(true) => return ExitCode::SUCCESS,
            Ok(false) => {}
            Err(message) => return fail(&message),
        }
    }
    if !arguments.scripts.is_empty() || !arguments.commands.is_empty() {
        return ExitCode::SUCCESS;
    }
    if std::io::stdin().is_terminal() {
        return match repl::run(session, painter) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => fail(&format!("llac: {error}")),
        };
    }
    let mut text = String::new();
    if let Err(error) = std::io::stdin().read_to_string(&mut text) {
        return fail(&format!("llac: cannot read standard input: {error}"));
    }
    match script::run(&mut session, &text, "standard input", painter) {
        Ok(_) => ExitCode::SUCCESS,
        Err(message) => fail(&message),
    }
}

fn fail(message: &str) -> ExitCode {
    eprintln!("{}", message.trim_end());
    ExitCode::from(2)
}
