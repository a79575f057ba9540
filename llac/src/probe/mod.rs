//! `llac machine probe`: measures a machine with the annotated program in `llac/probe`. It starts processes and writes files, so it is a
//! command of the program, not of the session.

mod arguments;
mod build;
mod destination;
mod folder;
mod interruption;
mod output;
mod progress;
mod running;
mod traces;

use std::path::{Path, PathBuf};
use std::process::Command;

use call_machine::name_of_host;
use clap::{ArgMatches, FromArgMatches};
use llac::Session;

use crate::door::Door;
use crate::script;
pub use arguments::ProbeArguments;
use arguments::ProbeTask;
use build::Tools;
use destination::Destination;
use folder::ProbeFolder;
use interruption::Interruption;
use progress::Plan;

/// What `call` and the C compiler take for the probe on a computer of the year 2022.
const COMPILING_S: f64 = 6.0;

/// Does it.
///
/// # Errors
/// What is missing or went wrong. Nothing is half-written then.
pub fn run(given: &ArgMatches, session: &mut Session, door: &mut Door) -> Result<(), String> {
    let arguments = ProbeArguments::from_arg_matches(given).map_err(|error| error.to_string())?;
    match arguments.task()? {
        ProbeTask::Prepare { directory } => prepare(&arguments, &directory),
        ProbeTask::FromTraces { traces, name, into } => {
            let destination = |name: &str| Destination::of(name, into.as_deref(), arguments.replace);
            let known = name.as_deref().map(destination).transpose()?;
            let measured = traces::machine(&traces, name.as_deref())?;
            let destination = known.map_or_else(|| destination(&measured.machine.name), Ok)?;
            finish(&measured, &destination, session, door)
        }
        ProbeTask::Measure { name, into } => {
            let name = name.unwrap_or_else(name_of_this_computer);
            let destination = Destination::of(&name, into.as_deref(), arguments.replace)?;
            let measured = measure(&arguments, &name)?;
            finish(&measured, &destination, session, door)
        }
    }
}

/// As `uname` tells it.
fn name_of_this_computer() -> String {
    let output = Command::new("uname").arg("-n").output();
    let host = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    name_of_host(&host.unwrap_or_default())
}

/// The program and the script that runs it, for a computer on which this program does not run.
fn prepare(arguments: &ProbeArguments, directory: &Path) -> Result<(), String> {
    let tools = Tools::find(arguments)?;
    let folder = ProbeFolder::named(directory)?;
    tools.translate(folder.path(), &Interruption::listen()?)?;
    let processors = arguments.processors()?;
    eprintln!("llac: wrote probe.c and probe.call.{{c,h,sh}} to {}", directory.display());
    eprintln!("llac: there, compile and run it:");
    eprintln!("  {}", tools.compile_line());
    eprintln!("  {}", running::line(arguments, &processors));
    eprintln!("llac: then: llac machine probe --from {}/probe.call.*.dat NAME", directory.display());
    Ok(())
}

fn measure(arguments: &ProbeArguments, name: &str) -> Result<traces::ProbedMachine, String> {
    let interruption = Interruption::listen()?;
    let tools = Tools::find(arguments)?;
    let processors = arguments.processors()?;
    let folder = arguments.folder()?;
    let mut plan = Plan::new(&processors, arguments.repeat(), arguments.quick);
    eprintln!(
        "llac: probing {} processors: about {:.0} s",
        running::list(&processors, ", "),
        COMPILING_S + plan.seconds()
    );
    tools.translate(folder.path(), &interruption)?;
    tools.compile(folder.path(), &interruption)?;
    let before = folder.traces()?;
    let result = running::run(arguments, &processors, &folder, &mut plan, &interruption, &tools);
    if let Err(message) = result {
        folder.remove_unfinished();
        return Err(message);
    }
    let new: Vec<PathBuf> = folder.traces()?.into_iter().filter(|trace| !before.contains(trace)).collect();
    traces::machine(&new, Some(name))
}

/// Writes the machine file and shows the machine.
fn finish(
    measured: &traces::ProbedMachine,
    destination: &Destination,
    session: &mut Session,
    door: &mut Door,
) -> Result<(), String> {
    eprint!("{}", measured.repeatability);
    destination.write(&measured.machine)?;
    script::run(session, &format!("machine show \"{}\"", destination.shown()), |_| "llac".to_owned(), door)
        .map(drop)
}
