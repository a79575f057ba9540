use call_trace::Trace;

use crate::{Format, Note};

/// What was read from a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Imported {
    /// The format that the file was seen to have.
    pub format: Format,
    /// The experiments with their samples; they may have no formulas.
    pub trace: Trace,
    /// What the user should know.
    pub notes: Vec<Note>,
}
