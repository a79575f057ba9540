use super::{Arguments, Command};
use crate::{Completion, Error, Outcome, Session};

pub struct Quit;

impl Command for Quit {
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

    fn run(&self, _: &mut Session, arguments: &Arguments) -> Result<Outcome, Error> {
        arguments.at_most(0, self.usage())?;
        Ok(Outcome { quit: true, ..Outcome::default() })
    }
}
