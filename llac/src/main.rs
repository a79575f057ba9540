//! `llac`: the session's front doors. Arguments, files, terminal and exit status live here, everything else in the library.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line program speaks on its standard streams"
)]

mod door;
mod files;
mod interrupt;
mod one_shot;
mod probe;
mod repl;
mod script;
mod style;

use std::io::{IsTerminal, Read};
use std::process::ExitCode;

use clap::Parser;
use llac::Session;

use crate::door::{Door, Format};
use crate::files::Folder;

/// Fits complexity formulas to measured times, finds the intervals where their constants hold, and predicts.
///
/// Without arguments it reads commands from the terminal (`help` lists them) or, if there is none, from standard input.
#[derive(Parser)]
#[command(version, after_help = AFTER_HELP)]
struct Arguments {
    /// Run this command; may be repeated
    #[arg(short = 'e', value_name = "COMMAND")]
    commands: Vec<String>,
    /// How results are written: as text for people, as CSV, as one JSON object, or as a JSON object for each command as soon as it
    /// has run
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Scripts to run; or one command with its files and arguments
    #[arg(value_name = "SCRIPT | COMMAND", trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

const AFTER_HELP: &str = "\
One command, its files first:
  llac fit timings.csv 'a[0] + a[1]*N*log(N)'
  llac predict fft.call.*.dat f N=1048576 P=1:32:2
  llac predict fft.call.*.dat fft.obsp N=1048576 P=1:32:2
  llac plot fft.call.*.dat f N picture.svg";

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut session = Session::new(Box::new(Folder));
    let mut door = Door::new(arguments.format);
    match run(&arguments, &mut session, &mut door) {
        Ok(()) => door.close(),
        Err(message) => {
            eprintln!("{}", message.trim_end());
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments, session: &mut Session, door: &mut Door) -> Result<(), String> {
    if let Some(words) = probe::arguments(&arguments.words) {
        return probe::run(words, session, door);
    }
    if let Some(lines) = one_shot::lines(&arguments.words) {
        for command in &arguments.commands {
            if script::run(session, command, "-e", door)? {
                return Ok(());
            }
        }
        return one_shot::run(session, &lines?, door);
    }
    for path in &arguments.words {
        let text =
            std::fs::read_to_string(path).map_err(|error| format!("llac: cannot read {path}: {error}"))?;
        if script::run(session, &text, path, door)? {
            return Ok(());
        }
    }
    for command in &arguments.commands {
        if script::run(session, command, "-e", door)? {
            return Ok(());
        }
    }
    if !arguments.words.is_empty() || !arguments.commands.is_empty() {
        return Ok(());
    }
    if door.format() == Format::Jsonl {
        return script::answer(session, door);
    }
    if std::io::stdin().is_terminal() {
        return repl::run(session.clone()).map_err(|error| format!("llac: {error}"));
    }
    let mut text = String::new();
    std::io::stdin()
        .read_to_string(&mut text)
        .map_err(|error| format!("llac: cannot read standard input: {error}"))?;
    script::run(session, &text, "standard input", door).map(drop)
}
