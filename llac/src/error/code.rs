//! Stable names of the mistakes in commands, one for each kind. Errors of libraries have codes of their own.

/// A file that cannot be read, or is not there.
pub const CANNOT_READ: &str = "cannot-read";
/// A file that cannot be written.
pub const CANNOT_WRITE: &str = "cannot-write";
/// A value, or what gives it, stands twice.
pub const GIVEN_TWICE: &str = "given-twice";
/// Something else in a file than what it is called outside.
pub const NAMES_DIFFER: &str = "names-differ";
/// A name that something else has already.
pub const NAME_TAKEN: &str = "name-taken";
/// Nothing that was measured or asked gives the answer.
pub const NO_ANSWER: &str = "no-answer";
/// A machine without g and L.
pub const NO_BSP_TABLE: &str = "no-bsp-table";
/// An experiment without a formula.
pub const NO_FORMULA: &str = "no-formula";
/// It was not said on which machine the times were measured.
pub const NO_MACHINE: &str = "no-machine";
/// A page that cannot be opened where llac runs.
pub const NO_PAGE: &str = "no-page";
/// A formula or a program has no finite time at a point.
pub const NO_PREDICTION: &str = "no-prediction";
/// There are no samples, or none are left.
pub const NO_SAMPLES: &str = "no-samples";
/// A result without a table.
pub const NO_TABLE: &str = "no-table";
/// What cannot be a name.
pub const NOT_A_NAME: &str = "not-a-name";
/// A word or a question that means nothing for what it is asked of.
pub const NOT_APPLICABLE: &str = "not-applicable";
/// A file that is no UTF-8 text.
pub const NOT_TEXT: &str = "not-text";
/// A command that needs samples, programs or traces before any are loaded.
pub const NOTHING_LOADED: &str = "nothing-loaded";
/// An empty picture.
pub const NOTHING_TO_DRAW: &str = "nothing-to-draw";
/// No change to take back or do again.
pub const NOTHING_TO_UNDO: &str = "nothing-to-undo";
/// Values that a question needs are not given.
pub const MISSING_VALUE: &str = "missing-value";
/// A word that a command needs is not given.
pub const MISSING_WORD: &str = "missing-word";
/// A quote without its end.
pub const OPEN_QUOTE: &str = "open-quote";
/// A mistake in a model program.
pub const PROGRAM: &str = "program";
/// A question about one of several recorded runs.
pub const SEVERAL_RUNS: &str = "several-runs";
/// More than is computed, drawn or read.
pub const TOO_LARGE: &str = "too-large";
/// A word too many, or in the wrong place.
pub const UNEXPECTED_WORD: &str = "unexpected-word";
/// Responses in units that cannot be joined or compared.
pub const UNITS_DIFFER: &str = "units-differ";
pub const UNKNOWN_COMMAND: &str = "unknown-command";
pub const UNKNOWN_CONSTANT: &str = "unknown-constant";
pub const UNKNOWN_DATA_SET: &str = "unknown-data-set";
pub const UNKNOWN_EXPERIMENT: &str = "unknown-experiment";
/// An ending of a file that stands for no format.
pub const UNKNOWN_FORMAT: &str = "unknown-format";
/// Lines in which an experiment has no statements.
pub const UNKNOWN_LINE: &str = "unknown-line";
pub const UNKNOWN_MACHINE: &str = "unknown-machine";
/// No part of a profile.
pub const UNKNOWN_NODE: &str = "unknown-node";
/// What terms can be scaled by, which the machine files do not have.
pub const UNKNOWN_RESOURCE: &str = "unknown-resource";
pub const UNKNOWN_SETTING: &str = "unknown-setting";
/// No call that something waits in, or no step of a run.
pub const UNKNOWN_SITE: &str = "unknown-site";
pub const UNKNOWN_VARIABLE: &str = "unknown-variable";
/// A value of another kind than what is expected, or outside of what it can be.
pub const WRONG_VALUE: &str = "wrong-value";
