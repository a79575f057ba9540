use super::{Arguments, Command};
use crate::{CommandOutcome, Completion, Error, Session};

pub struct QuitCommand;

impl Command for QuitCommand {
    fn name(&self) -> &'static str {
        "quit"
    }

    fn usage(&self) -> &'static str {
        "quit"
    }

    fn summary(&self) -> &'static str {
        "leave"
    }

    fn details(&self) -> &'static str {
        "The end of the input leaves, too."
    }

    fn completions(&self) -> &'static [Completion] {
        &[]
    }

    fn run(&self, _: &mut Session, arguments: &Arguments) -> Result<CommandOutcome, Error> {
        arguments.at_most(0, self.usage())?;
        Ok(CommandOutcome { quit: true, ..CommandOutcome::default() })
    }
}
