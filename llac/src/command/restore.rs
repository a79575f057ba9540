use super::{Command, CommandArguments};
use crate::data::SampleChange;
use crate::{CommandOutcome, Completion, Error, Session};

pub const RESTORE: Command = Command {
    name: "restore",
    usage: "restore [EXPERIMENT…]",
    summary: "bring dropped samples back",
    details: "Brings back what `drop` left out, of these experiments or of all.",
    completions: &[Completion::Experiment],
    run,
    ..Command::PLAIN
};

fn run(session: &mut Session, arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
    let mut dropped = 0;
    for found in session.experiments_or_all(arguments)? {
        // An experiment before may be of the same set.
        let found = session.find(&found.name).unwrap_or(found);
        let name = &found.experiment().name;
        let is_gone =
            |step: &SampleChange| matches!(step, SampleChange::Drop { experiment, .. } if experiment == name);
        let counts = found.set().steps().filter(|step| is_gone(step)).map(|step| match step {
            SampleChange::Drop { numbers, .. } => numbers.len(),
            _ => 0,
        });
        let count: usize = counts.sum();
        if count > 0 {
            let changed = found.set().without_steps(is_gone)?;
            session.change().set_data_of(&found, changed);
        }
        dropped += count;
    }
    if dropped == 0 {
        return Ok(CommandOutcome::line("nothing was dropped"));
    }
    let are = if dropped == 1 { "sample is" } else { "samples are" };
    Ok(CommandOutcome::line(format!("{dropped} dropped {are} back")))
}
