use call_machine::quicker_levels;

use super::{CommandArguments, FIRST, Subcommand};
use crate::{CommandOutcome, Error, Session, remarks};

pub const USE: Subcommand = Subcommand { name: "use", usage: "machine use [NAME]", run };

fn run(session: &mut Session, arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
    arguments.at_most(FIRST + 1, USE.usage)?;
    let Some(word) = arguments.words().get(FIRST) else {
        return Ok(CommandOutcome::line(match session.state().data().machine() {
            Some(machine) => format!("measured on {}", machine.name),
            None => "it was not said on which machine the samples were measured".to_owned(),
        }));
    };
    let machine = session.machine(word, &word.text)?;
    let name = machine.name.clone();
    let doubts = quicker_levels(&machine);
    let changed = session.state().data().with_machine(machine)?;
    session.change().set_data(changed);
    let set = session.state().current();
    let mut outcome = CommandOutcome::line(format!("the samples of `{set}` were measured on {name}"));
    remarks::tell(&mut outcome, doubts);
    Ok(outcome)
}
