//! `machine`: what machines are known, what they cost, and which one was measured.

mod compare;
mod list;
mod probe;
mod select;
mod show;

use call_grammar::suggest;

use super::{Command, CommandArguments, LineClauses};
use crate::error::code;
use crate::{CommandOutcome, Completion, Error, Session};

/// What `machine WORD` does. The arguments are those of the whole command; those of the word start at [`FIRST`].
struct Subcommand {
    name: &'static str,
    usage: &'static str,
    run: fn(&mut Session, &CommandArguments) -> Result<CommandOutcome, Error>,
}

/// Position of the first argument behind the word.
const FIRST: usize = 1;

const SUBCOMMANDS: &[Subcommand] = &[list::LIST, show::SHOW, compare::COMPARE, select::USE, probe::PROBE];

pub const MACHINE: Command = Command {
    name: "machine",
    usage: "machine list | show NAME | compare NAME NAME… | use [NAME] | probe",
    summary: "list, compare and choose machines",
    details: "A machine is a file of numbers: rate s, g and L of the BSP model for numbers of processors, costs of operations, \
        memory and messages, each with its source. Published ones come along; your own are the .toml files of \
        $CALL_MACHINES, else $XDG_CONFIG_HOME/call/machines, else ~/.config/call/machines, and hide others of the \
        same name. The path of a .toml file stands for a name as well. `machine use NAME` says on which machine the \
        samples of the current data set were measured: formulas with the variables g (s/byte) and L (s) get their \
        values at each sample's P from it, and `predict … on OTHER` has what it carries times from. `machine probe` measures a machine; it is a command of the shell.",
    completions: &[Completion::MachineCommand, Completion::Machine],
    clauses: LineClauses::Own,
    loads_files: false,
    run,
    ..Command::OF_SAMPLES
};

fn run(session: &mut Session, arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
    if arguments.condition().is_some() {
        return Err(Error::new(code::NOT_APPLICABLE, "`where` chooses samples, and machines have none")
            .help("leave it out"));
    }
    let word = arguments.required(0, "what to do", MACHINE.usage)?;
    let Some(subcommand) = SUBCOMMANDS.iter().find(|subcommand| subcommand.name == word.text) else {
        return Err(word
            .error(code::UNKNOWN_COMMAND, format!("`machine {}` is unknown", word.text))
            .suggesting(suggest(&word.text, names()), format!("usage: {}", MACHINE.usage)));
    };
    (subcommand.run)(session, arguments)
}

/// The words that may stand behind `machine`.
pub fn names() -> impl Iterator<Item = &'static str> {
    SUBCOMMANDS.iter().map(|subcommand| subcommand.name)
}
