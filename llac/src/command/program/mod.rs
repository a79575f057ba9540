//! Model programs: loading them, and what they are asked.

mod details;
mod picture;

use std::sync::Arc;

use call_bsp::program::ProgramFile;
use call_report::{Column, Table};

use super::{Command, CommandArguments};
use crate::error::code;
use crate::{CommandOutcome, Completion, Error, Markup, Message, Session};
pub use details::details;
pub use picture::{diagram, setting};

pub const PROGRAM: Command = Command {
    name: "program",
    usage: "program [FILE…]",
    summary: "load model programs, or list them",
    details: "A model program says what a parallel program does in its supersteps, with experiments as costs: `compute`, `send`, \
        `exchange`, `partition`, … (docs/programs.md). `predict PROGRAM N=… P=…` evaluates it by OBSP*, and `compare` shows it \
        beside the fit of the experiment that it `predicts`. A program replaces the one of the same name until `undo`.",
    completions: &[Completion::File],
    run,
    ..Command::PLAIN
};

fn run(session: &mut Session, arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
    let mut loaded = Vec::new();
    for word in arguments.words() {
        for path in session.files(word)? {
            let cannot_read =
                |reason: String| word.error(code::CANNOT_READ, format!("cannot read {path}: {reason}"));
            let bytes = session.workspace.read(&path).map_err(|error| cannot_read(error.to_string()))?;
            let text = String::from_utf8(bytes).map_err(|_| cannot_read("it is no text".to_owned()))?;
            let program = ProgramFile::parse(&path, &text)?;
            let name = program.program().name();
            if session.find(name).is_some() {
                let message = format!("{path}: `{name}` is the name of an experiment, and means that");
                return Err(word.error(code::NAME_TAKEN, message).help(format!(
                        "give the program another name, and say what it predicts: `program {name}_model(…) predicts {name}`"
                    )));
            }
            if session.state().model(name).is_some() {
                let message = format!("{path}: `{name}` is the name of a model from a file");
                let help = format!("give the program another name: `program {name}_model(…)`");
                return Err(word.error(code::NAME_TAKEN, message).help(help));
            }
            loaded.push(Arc::new(program));
        }
    }
    if loaded.is_empty() {
        loaded = session.state().programs().cloned().collect();
        if loaded.is_empty() {
            return Err(
                Error::new(code::NOTHING_LOADED, "there is no program").help("load one: `program FILE`")
            );
        }
    } else {
        loaded.iter().for_each(|program| session.change().add_program(Arc::clone(program)));
    }
    let mut outcome = CommandOutcome::of(table(session, &loaded));
    let has_experiments = !session.state().data().experiments().is_empty();
    for program in loaded.iter().map(|loaded| loaded.program()).filter(|_| has_experiments) {
        outcome.warnings.extend(program.predicts().filter(|name| session.find(name).is_none()).map(|name| {
            let text = format!(
                "`{}` predicts `{name}`, but there is no such experiment to compare it with",
                program.name()
            );
            Message::new("predicts-nothing", text)
        }));
    }
    Ok(outcome)
}

fn table(session: &Session, programs: &[Arc<ProgramFile>]) -> Markup {
    let columns = ["program", "variables", "predicts", "experiments", "file"].map(Column::code);
    let mut table = Table::new(columns).named("programs");
    let is_known = |name: &str| session.find(name).is_some() || session.state().model(name).is_some();
    for loaded in programs {
        let program = loaded.program();
        let experiments: Vec<&str> = program.names().into_iter().filter(|name| is_known(name)).collect();
        table.row([
            program.name().to_owned(),
            [program.parameters(), &["P".to_owned()]].concat().join(" "),
            program.predicts().unwrap_or("").to_owned(),
            experiments.join(" "),
            loaded.path().to_owned(),
        ]);
    }
    let mut markup = Markup::new();
    markup.table(table);
    markup
}
