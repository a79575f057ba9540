//! Model programs of a session, and the costs that its experiments and machines give them.

mod costs;
mod remarks;

use call_bsp::obsp::{InOut, TaskError};
use call_bsp::program::{Instance, Program, ProgramError};

use crate::Error;
use crate::session::State;
pub use costs::{ExperimentCosts, Place};

/// A model program with its text, which errors show.
#[derive(Debug, PartialEq)]
pub struct LoadedProgram {
    path: String,
    text: String,
    pub program: Program,
}

impl LoadedProgram {
    /// Parses a file.
    pub fn parse(path: &str, text: String) -> Result<LoadedProgram, Error> {
        // What some editors put before a text.
        let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
        match Program::parse(&text) {
            Ok(program) => Ok(LoadedProgram { path: path.to_owned(), text, program }),
            Err(error) => Err(described(path, &text, &error)),
        }
    }

    /// The file that it is from.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The program with its arguments on a number of processors.
    pub fn instance(
        &self,
        arguments: &[(String, f64)],
        processors: u32,
        costs: &ExperimentCosts,
        in_out: InOut,
    ) -> Result<Instance, Error> {
        let instance = self.program.instance(arguments, processors, costs, in_out);
        instance.map_err(|error| described(&self.path, &self.text, &error))
    }

    /// Why a task of the program has no times, with the statement that it is about.
    pub fn without_times(&self, error: &TaskError) -> Error {
        let message = error.to_string();
        let TaskError::Time { centre, .. } = error else { return Error::new(message) };
        let span = self.program.centres()[*centre].span;
        described(&self.path, &self.text, &ProgramError { span, message, help: None })
    }
}

impl State {
    /// The names of programs that mean experiments, so that the programs cannot be asked for.
    pub(crate) fn hidden_programs(&self) -> Vec<String> {
        let is_experiment = |name: &str| self.data().experiments().iter().any(|known| known.name == name);
        let names = self.programs().map(|loaded| loaded.program.name());
        names.filter(|name| is_experiment(name)).map(str::to_owned).collect()
    }
}

/// Longer lines are shown in part.
const WIDEST: usize = 120;

/// An error in a file: its place, the line underlined, the cure.
fn described(path: &str, text: &str, error: &ProgramError) -> Error {
    let start = error.span.start.min(text.len());
    let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let line = text[line_start..].lines().next().unwrap_or("");
    let number = text[..start].matches('\n').count() + 1;
    let end = error.span.end.clamp(start, line_start + line.len().max(start - line_start));
    let before = text[line_start..start].chars().count();
    let left_out = before.saturating_sub(WIDEST / 2);
    let sign = if left_out > 0 { "…" } else { "" };
    let shown = line.chars().skip(left_out).map(|c| if c.is_control() { ' ' } else { c });
    let shown: String = sign.chars().chain(shown).take(WIDEST).collect();
    let before = sign.chars().count() + before - left_out;
    let width = text[start..end].chars().count().min(WIDEST - before).max(1);
    let excerpt = format!("  | {shown}\n  | {}{}", " ".repeat(before), "^".repeat(width));
    let described = Error::new(format!("{path}:{number}: {}\n{excerpt}", error.message));
    match &error.help {
        Some(help) => described.help(help),
        None => described,
    }
}
