use std::sync::Arc;

use call_grammar::Span;
use call_model::{Failure, SourcePlace};

use super::{CostModel, Instance, Program, ProgramError};
use crate::obsp::{InOut, TaskError};

/// A model program with its text, which errors show.
#[derive(Debug, PartialEq)]
pub struct ProgramFile {
    path: String,
    text: Arc<str>,
    program: Program,
}

impl ProgramFile {
    /// Parses the text of a file.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn parse(path: &str, text: &str) -> Result<ProgramFile, Failure> {
        // What some editors put before a text.
        let text: Arc<str> = Arc::from(text.strip_prefix('\u{feff}').unwrap_or(text));
        match Program::parse(&text) {
            Ok(program) => Ok(ProgramFile { path: path.to_owned(), text, program }),
            Err(error) => Err(failure(path, &text, error)),
        }
    }

    /// The file that it is from.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The program with its arguments on a number of processors.
    pub(super) fn instance(
        &self,
        arguments: &[(String, f64)],
        processors: u32,
        costs: &dyn CostModel,
        in_out: InOut,
    ) -> Result<Instance, Failure> {
        let instance = self.program.instance(arguments, processors, costs, in_out);
        instance.map_err(|error| failure(&self.path, &self.text, error))
    }

    /// Why a task of the program has no times, with the statement that it is about.
    pub(super) fn without_times(&self, error: &TaskError) -> Failure {
        let message = error.to_string();
        let TaskError::Time { centre, .. } = error else { return Failure::new(message) };
        let span: Span = self.program.centres()[*centre].span;
        failure(&self.path, &self.text, ProgramError { span, message, help: None })
    }
}

fn failure(path: &str, text: &Arc<str>, error: ProgramError) -> Failure {
    let ProgramError { span, message, help } = error;
    Failure {
        message,
        help,
        place: Some(SourcePlace { path: path.to_owned(), text: Arc::clone(text), span }),
    }
}
