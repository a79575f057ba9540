use super::{CommandArguments, Subcommand};
use crate::error::code;
use crate::{CommandOutcome, Error, Session};

/// It starts processes, which a session does not: `llac machine probe` is for the shell.
pub const PROBE: Subcommand = Subcommand { name: "probe", usage: "machine probe", run };

fn run(_: &mut Session, _: &CommandArguments) -> Result<CommandOutcome, Error> {
    Err(Error::new(
        code::NOT_APPLICABLE,
        "`machine probe` measures a machine, which takes a while: it is a command of the shell",
    )
    .help("type `llac machine probe` there; `llac machine probe --help` tells more"))
}
