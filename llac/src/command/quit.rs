use super::{Command, CommandArguments};
use crate::{CommandOutcome, Error, Session};

pub const QUIT: Command = Command {
    name: "quit",
    usage: "quit",
    summary: "leave",
    details: "The end of the input leaves, too.",
    run,
    ..Command::PLAIN
};

pub const EXIT: Command = Command { name: "exit", usage: "exit", details: "As `quit`.", ..QUIT };

fn run(_: &mut Session, arguments: &CommandArguments) -> Result<CommandOutcome, Error> {
    arguments.at_most(0, "quit")?;
    Ok(CommandOutcome { quit: true, ..CommandOutcome::default() })
}
