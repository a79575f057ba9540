//! `llac`: the session's front doors. Arguments, files, terminal and exit status live here, everything else in the library.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command line program speaks on its standard streams"
)]

mod arguments;
mod circumstances;
mod door;
mod files;
mod interrupt;
mod negative;
mod one_shot;
mod page_server;
mod probe;
mod repl;
mod script;
mod style;
mod typed;
mod write;

use std::io::{ErrorKind, IsTerminal, Read};
use std::path::PathBuf;
use std::process::ExitCode;

use call_grammar::suggest;
use clap::ArgMatches;
use clap_complete::Shell;
use llac::Session;

use crate::arguments::{Purpose, id};
use crate::door::{Door, OutputFormat, tell_error, write};
use crate::files::Folder;
use crate::one_shot::ShellRequest;

fn main() -> ExitCode {
    say_nothing_of_damaged_files();
    let matches = arguments::command(Purpose::Shell)
        .try_get_matches_from(negative::marked(std::env::args_os()))
        .unwrap_or_else(|error| wrong(&error));
    let format = levels(&matches).filter_map(|level| level.get_one(id::FORMAT)).last();
    let mut door = Door::new(format.copied().unwrap_or(OutputFormat::Text));
    match run(&matches, &mut door) {
        Ok(()) => door.close(),
        Err(message) => {
            tell_error(&message);
            ExitCode::from(2)
        }
    }
}

/// Says what is wrong with the command line, or what was asked for of it, and ends.
fn wrong(error: &clap::Error) -> ! {
    let text = error.to_string();
    let unmarked = negative::unmarked(&text);
    if unmarked == text {
        error.exit();
    }
    eprint!("{unmarked}");
    std::process::exit(error.exit_code());
}

/// What the libraries that panic at some damaged bytes of Parquet and Arrow are called; `call_exchange` makes an error of it: that is what there is to
/// say.
const READERS: [&str; 2] = ["/parquet-", "/arrow-"];

fn say_nothing_of_damaged_files() {
    let tell = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let is_reader =
            panic.location().is_some_and(|place| READERS.iter().any(|reader| place.file().contains(reader)));
        if !is_reader {
            tell(panic);
        }
    }));
}

/// What was given before the subcommand, behind it, and behind that of `machine`.
fn levels(matches: &ArgMatches) -> impl Iterator<Item = &ArgMatches> {
    std::iter::successors(Some(matches), |level| Some(level.subcommand()?.1))
        .filter(|level| level.try_contains_id(id::COMMANDS).is_ok())
}

/// All values of an argument, in their order; none if there is no such argument.
fn values(matches: &ArgMatches, id: &str) -> Vec<String> {
    matches
        .try_get_many(id)
        .ok()
        .flatten()
        .map(|values| values.map(|value: &String| negative::unmarked(value)).collect())
        .unwrap_or_default()
}

fn run(matches: &ArgMatches, door: &mut Door) -> Result<(), String> {
    let mut session = Session::new(Box::new(Folder));
    let scripts = values(matches, id::SCRIPTS);
    if let (Some(script), Some((command, _))) = (scripts.first(), matches.subcommand()) {
        return Err(format!(
            "llac: error: the script {script} stands before the command `{command}`\n{COMMAND_FIRST}"
        ));
    }
    for path in &scripts {
        if one_shot::is_table(path) {
            return Err(format!("llac: error: {path} is no script, but has samples\n{COMMAND_FIRST}"));
        }
        let text = std::fs::read_to_string(path).map_err(|error| unreadable(path, &error))?;
        if script::run(&mut session, &text, |line| format!("{path}:{line}"), door)? {
            return Ok(());
        }
    }
    let commands: Vec<String> = levels(matches).flat_map(|level| values(level, id::COMMANDS)).collect();
    for (index, command) in commands.iter().enumerate() {
        let place = |line: usize| match command.trim_end().contains('\n') {
            true => format!("-e {}, line {line}", index + 1),
            false => format!("-e {}", index + 1),
        };
        if script::run(&mut session, command, place, door)? {
            return Ok(());
        }
    }
    match matches.subcommand() {
        Some((name, given)) => subcommand(name, given, &mut session, door),
        None if scripts.is_empty() && commands.is_empty() => standard_input(session, door),
        None => Ok(()),
    }
}

fn subcommand(name: &str, given: &ArgMatches, session: &mut Session, door: &mut Door) -> Result<(), String> {
    let mut words = values(given, id::WORDS);
    if given.try_get_one(id::EDIT).ok().flatten() == Some(&true) {
        words.push("edit".to_owned());
    }
    if let Some((_, probe)) = given.subcommand() {
        return probe::run(probe, session, door);
    }
    if name == "help" && help(&words)? {
        return Ok(());
    }
    if let Some(shell) = given.try_get_one::<Shell>(id::SHELL).ok().flatten() {
        return write(arguments::completions(*shell).as_bytes()).map(drop);
    }
    if let Some(directory) = given.try_get_one::<PathBuf>(id::DIRECTORY).ok().flatten() {
        return clap_mangen::generate_to(arguments::command(Purpose::Manual), directory)
            .map_err(|error| format!("llac: error: cannot write to {}: {error}", directory.display()));
    }
    let data = [values(given, id::DATA), values(given, id::FILES)].concat();
    match Session::command(name) {
        Some(command) => ShellRequest::new(command, &words, &data).run(session, door),
        None => Ok(()),
    }
}

/// Prints what `--help` behind these words prints; whether they are words of the command line.
fn help(words: &[String]) -> Result<bool, String> {
    let mut command = arguments::command(Purpose::Shell);
    command.build();
    let mut found = &mut command;
    for word in words {
        let Some(subcommand) = found.find_subcommand_mut(word) else { return Ok(false) };
        found = subcommand;
    }
    // A reader that has seen enough is no error.
    drop(found.print_long_help());
    Ok(true)
}

/// Commands from the terminal or, if there is none, from standard input.
fn standard_input(mut session: Session, door: &mut Door) -> Result<(), String> {
    if door.format() == OutputFormat::Jsonl {
        return script::answer(&mut session, door);
    }
    if std::io::stdin().is_terminal() {
        return repl::run(session).map_err(|error| format!("llac: {error}"));
    }
    let mut text = String::new();
    std::io::stdin()
        .read_to_string(&mut text)
        .map_err(|error| format!("llac: error: cannot read standard input: {error}"))?;
    script::run(&mut session, &text, |line| format!("standard input:{line}"), door).map(drop)
}

const COMMAND_FIRST: &str =
    "help: a command stands first: `llac COMMAND FILE…`, or behind a script `-e COMMAND`";

/// Why a script cannot be run; a word that is no path may be a command that is misspelt.
fn unreadable(path: &str, error: &std::io::Error) -> String {
    if error.kind() != ErrorKind::NotFound {
        return format!("llac: error: cannot read {path}: {error}");
    }
    if path.contains(['.', '/']) {
        return format!("llac: error: cannot read {path}: no such file");
    }
    let cure = match suggest(path, Session::commands()) {
        Some(command) if command == path => COMMAND_FIRST.to_owned(),
        Some(command) => format!("help: did you mean `llac {command}`?"),
        None => "help: `llac help` lists the commands".to_owned(),
    };
    format!("llac: error: there is neither a command nor a script `{path}`\n{cure}")
}
