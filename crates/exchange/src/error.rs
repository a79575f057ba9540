use call_grammar::{counted, excerpt, quoted};
use call_trace::Unit;

use crate::{PlaceInText, RowReason};

/// Why a file cannot be read.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum Error {
    #[error("the file is empty")]
    Empty,
    #[error(transparent)]
    Trace(#[from] call_trace::Error),
    #[error("this is {what}")]
    NotText { what: &'static str, cure: &'static str },

    // tables, also of JSON lines
    #[error("{place}: there is no header line: the first line has numbers only")]
    NoHeader { place: PlaceInText },
    #[error("{place}: no rows follow the header line")]
    HeaderOnly { place: PlaceInText },
    #[error("{place}: columns {first} and {second} are both called `{name}`")]
    DuplicateColumn { place: PlaceInText, name: String, first: usize, second: usize },
    #[error("{place}: expected {expected} fields as in the header line, found {found}")]
    FieldCount { place: PlaceInText, expected: usize, found: usize },
    #[error("{place}: {problem}: the file was cut")]
    Cut { place: PlaceInText, problem: String },
    #[error("{place}, column `{column}`: expected a number, found `{text}`")]
    Number { place: PlaceInText, column: String, text: String },
    #[error("{place}, column `{column}`: expected a unit of time such as `ms`, found `{text}`")]
    Unit { place: PlaceInText, column: String, text: String },
    #[error(
        "{place}, column `{column}`: expected {expected}, as in the rows of `{experiment}` before, found {found}"
    )]
    OtherUnit { place: PlaceInText, column: String, experiment: String, expected: Unit, found: Unit },
    #[error("column `{column}` holds times with units, which cannot be {unit}")]
    UnitOfTimes { column: String, unit: Unit },
    #[error(
        "{place}, column `{column}`: `{text}` is {} or {}, and nothing in the file says which",
        numbers[0],
        numbers[1]
    )]
    Ambiguous { place: PlaceInText, column: String, text: String, numbers: [f64; 2] },
    #[error("no column looks like a time; the columns are {}", quoted(columns))]
    NoTimeColumn { columns: Vec<String>, cure: String },
    #[error("column `{}`: `{}` is no unit of time that is read", excerpt(column), excerpt(text))]
    HeadingUnit { column: String, text: String },
    #[error("column `{column}` holds intervals of months, days and milliseconds, which are not read")]
    Interval { column: String },
    #[error("{} all look like the time", quoted(columns))]
    SeveralTimeColumns { columns: Vec<String> },
    #[error("there is no column `{name}`; the columns are {}", quoted(columns))]
    UnknownColumn { name: String, columns: Vec<String> },
    #[error(
        "column `{name}` cannot be the {role}: it holds {found}, as `{text}`; the columns are {}",
        quoted(columns)
    )]
    WrongKind { name: String, role: &'static str, found: &'static str, text: String, columns: Vec<String> },
    #[error("none of the {rows} rows can be used; the first one, at {first}, has {reason}")]
    NoSamples { rows: usize, first: PlaceInText, reason: RowReason },
    #[error("{place}: the objects have too different keys")]
    Scattered { place: PlaceInText },

    #[error("{place}: more than {most} parameters")]
    Parameters { place: PlaceInText, most: usize },

    // JSON and XML
    #[error("{place}: {problem}")]
    Json { place: PlaceInText, problem: String },
    #[error("{place}: expected an object, found {found}")]
    NotAnObject { place: PlaceInText, found: &'static str },
    #[error("this JSON is of no kind that can be read; its keys are {}", quoted(keys))]
    UnknownJson { keys: Vec<String> },
    #[error("{place}: {problem}")]
    Xml { place: PlaceInText, problem: String },
    #[error(
        "this XML is of no kind that can be read: expected the root `cll_data` of CALL 1.0, found `{root}`"
    )]
    UnknownXml { root: String },
    #[error("{at}: expected {expected}, found {found}")]
    Shape { at: String, expected: &'static str, found: String },

    // packed and binary files
    #[error("{problem}")]
    Packed { problem: String },
    #[error("{place}: {problem}")]
    Binary { place: PlaceInText, problem: String },
    #[error("{}, the first at {first}, were never computed", counted(*cells, "formula"))]
    NeverComputed { cells: usize, first: String },
    #[error("there is no sheet `{name}`; the sheets are {}", quoted(sheets))]
    UnknownSheet { name: String, sheets: Vec<String> },
    #[error("this is no Excel workbook, and has no sheet `{name}`")]
    NoSheets { name: String },
    #[error("`{option}=` says nothing about {what}")]
    UnusedOption { option: &'static str, what: &'static str, cure: &'static str },
    #[error("`{entry}` in it: {error}")]
    Inside { entry: String, error: Box<Error> },

    #[error("the name of the folder `{folder}` holds no values of parameters")]
    NoParametersInName { folder: String },
    #[error("folder `{folder}` has the parameters {}, others have {}", quoted(found), quoted(expected))]
    OtherParameters { folder: String, expected: Vec<String>, found: Vec<String> },
    #[error("there are more than {most} values")]
    TooManyValues { most: usize },

    // CALL 1.0
    #[error("the trace of CALL 1.0 has no experiments")]
    NoExperiments,
    #[error("{place}: `{key}` belongs to an experiment")]
    OutsideExperiment { place: PlaceInText, key: String },
    #[error("{place}: expected {expected} as value of `{key}`, found `{text}`")]
    KeyValue { place: PlaceInText, key: String, expected: &'static str, text: String },
    #[error(
        "experiment `{experiment}` has no column with what was measured; its columns are {}",
        quoted(columns)
    )]
    NoObservable { experiment: String, columns: Vec<String> },
    #[error("experiment `{experiment}` stands there twice with other columns")]
    OtherColumns { experiment: String },

    // Extra-P
    #[error("{place}: expected one of PARAMETER, POINTS, REGION, METRIC and DATA, found `{word}`")]
    ExtraPWord { place: PlaceInText, word: String },
    #[error(
        "{place}: expected points of {parameters} values, as many as there are lines PARAMETER, found `{text}`"
    )]
    ExtraPPoint { place: PlaceInText, parameters: usize, text: String },
    #[error("{place}: {word} must stand behind PARAMETER")]
    ExtraPParameters { place: PlaceInText, word: &'static str },
    #[error("{place}: there are {points} points, and this is a further line DATA")]
    ExtraPData { place: PlaceInText, points: usize },
    #[error("{place}: region `{region}` ends with {found} lines DATA, and there are {points} points")]
    ExtraPMissingData { place: PlaceInText, region: String, found: usize, points: usize },
    #[error("there are no lines DATA")]
    ExtraPNoData,

    #[error(
        "of `{experiment}` more or less than the repetitions themselves was kept, such as their mean: they do not add up along call paths"
    )]
    NoRepetitions { experiment: String },
    // results of benchmarks
    #[error("there are no results in the list `{list}`")]
    NoResults { list: &'static str },
}

impl Error {
    /// The same of a file that is in another one.
    pub(crate) fn inside(self, entry: &str) -> Error {
        Error::Inside { entry: excerpt(entry), error: Box::new(self) }
    }

    /// Stable name of the cause, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Error::Empty => "empty-file",
            Error::Trace(error) => error.code(),
            Error::NotText { .. } => "not-text",
            Error::NoHeader { .. } => "no-header",
            Error::HeaderOnly { .. } => "header-only",
            Error::DuplicateColumn { .. } => "duplicate-column",
            Error::FieldCount { .. } => "field-count",
            Error::Cut { .. } => "cut-file",
            Error::Number { .. } => "not-a-number",
            Error::Unit { .. } => "not-a-unit",
            Error::OtherUnit { .. } => "other-unit",
            Error::UnitOfTimes { .. } => "unit-of-times",
            Error::Ambiguous { .. } => "ambiguous-number",
            Error::NoTimeColumn { .. } => "no-time-column",
            Error::HeadingUnit { .. } => "unknown-unit",
            Error::Interval { .. } => "interval",
            Error::SeveralTimeColumns { .. } => "several-time-columns",
            Error::UnknownColumn { .. } => "unknown-column",
            Error::WrongKind { .. } => "wrong-kind-of-column",
            Error::NoSamples { .. } => "no-usable-rows",
            Error::Scattered { .. } => "scattered-keys",
            Error::Parameters { .. } => "too-many-parameters",
            Error::Json { .. } => "wrong-json",
            Error::NotAnObject { .. } => "not-an-object",
            Error::UnknownJson { .. } => "unknown-json",
            Error::Xml { .. } => "wrong-xml",
            Error::UnknownXml { .. } => "unknown-xml",
            Error::Shape { .. } => "wrong-shape",
            Error::Packed { .. } => "wrong-archive",
            Error::Binary { .. } => "wrong-binary",
            Error::NeverComputed { .. } => "never-computed",
            Error::UnknownSheet { .. } => "unknown-sheet",
            Error::NoSheets { .. } => "no-sheets",
            Error::UnusedOption { .. } => "unused-option",
            Error::Inside { error, .. } => error.code(),
            Error::NoParametersInName { .. } => "no-parameters-in-name",
            Error::OtherParameters { .. } => "other-parameters",
            Error::TooManyValues { .. } => "too-many-values",
            Error::NoExperiments => "no-experiments",
            Error::OutsideExperiment { .. } => "outside-experiment",
            Error::KeyValue { .. } => "wrong-key-value",
            Error::NoObservable { .. } => "no-observable",
            Error::OtherColumns { .. } => "other-columns",
            Error::ExtraPWord { .. } => "extra-p-word",
            Error::ExtraPPoint { .. } => "extra-p-point",
            Error::ExtraPParameters { .. } => "extra-p-parameters",
            Error::ExtraPData { .. } => "extra-p-data",
            Error::ExtraPMissingData { .. } => "extra-p-missing-data",
            Error::ExtraPNoData => "extra-p-no-data",
            Error::NoRepetitions { .. } => "no-repetitions",
            Error::NoResults { .. } => "no-results",
        }
    }

    /// What to do.
    pub fn cure(&self) -> Option<&str> {
        Some(match self {
            Error::Empty => "it should hold a trace, or a table with a header line",
            Error::Trace(error) => return error.cure(),
            Error::NotText { cure, .. } => cure,
            Error::NoHeader { .. } => "write one above it that names the columns, as `N time_s`",
            Error::HeaderOnly { .. } => "measure something",
            Error::DuplicateColumn { .. } => "rename one",
            Error::FieldCount { expected, found, .. } if *found == expected + 1 => {
                "mend the line, or quote fields with blanks and numbers with commas: `\"1,000\"`"
            }
            Error::FieldCount { .. } => "mend the line, or quote fields with blanks",
            Error::Number { .. } => "mend the field, or leave the column out",
            Error::UnitOfTimes { .. } => "leave the unit out",
            Error::Ambiguous { .. } => "say `decimal=,` if a comma stands before decimals, else `decimal=.`",
            Error::NoTimeColumn { cure, .. } => cure,
            Error::HeadingUnit { .. } => {
                "convert the values to s, ms, us or ns, or say what they are in, as `unit=ms`"
            }
            Error::Interval { .. } => "write it in seconds, in DuckDB as `epoch(NAME)`",
            Error::SeveralTimeColumns { .. } => "name the time column",
            Error::NoSamples { .. } => "measure again, or leave columns out",
            Error::Scattered { .. } => "give all the same ones",
            Error::Parameters { .. } => "leave out those that do not vary",
            Error::Json { .. } => "mend the JSON there",
            Error::NotAnObject { .. } => "write one object a line, as `{\"N\": 8, \"time_s\": 0.5}`",
            Error::UnknownJson { .. } => {
                "give one of the formats that `help load` lists, or an object a line"
            }
            Error::Xml { .. } => "mend the XML there",
            Error::Cut { .. } => "copy it again, or let its tool write it again",
            Error::Packed { .. } | Error::Binary { .. } => {
                "it is damaged or was cut: copy it again, or let its tool write it again"
            }
            Error::NeverComputed { .. } => {
                "their values are not in the file: open it in a spreadsheet program, which computes them, and save it"
            }
            Error::UnknownSheet { .. } => "name one of them, as `sheet=NAME`",
            Error::UnusedOption { cure, .. } => cure,
            Error::NoSheets { .. } => "leave `sheet=` out, or load it apart",
            Error::Inside { error, .. } => return error.cure(),
            Error::NoParametersInName { .. } => {
                "call it as `NAME.p4.n1000.r1`: names with values, then the number of the repetition"
            }
            Error::OtherParameters { .. } => "all folders of a set need the same ones, in the same order",
            Error::TooManyValues { .. } => {
                "choose one metric, as `metric=time`, or load fewer profiles at once"
            }
            Error::NoExperiments => "run the program again, and see that it reaches its report",
            Error::OutsideExperiment { .. } => "a line `EXPERIMENT: NAME` must stand before it",
            Error::OtherColumns { .. } => "keep each in a file of its own",
            Error::ExtraPData { .. } => "take it out, or add its point",
            Error::ExtraPMissingData { .. } => "write `DATA nan` for a point that was not measured",
            Error::ExtraPNoData => "write one for each point",
            Error::NoRepetitions { .. } => {
                "leave `values=inclusive` out, or give a file with all repetitions"
            }
            Error::NoResults { .. } => "run the benchmark again",
            _ => return None,
        })
    }
}

/// Why samples cannot be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum WriteError {
    #[error(
        "Extra-P reads text with at most 4 parameters, and experiment `{experiment}` has {}",
        quoted(parameters)
    )]
    Parameters { experiment: String, parameters: Vec<String> },
    #[error("Extra-P wants at least one parameter, and nothing varies in experiment `{experiment}`")]
    NoParameters { experiment: String },
    #[error("experiment `{experiment}` has no samples that can be written")]
    NoSamples { experiment: String },
    #[error(
        "experiment `{experiment}` was measured at other points than those before it, and text input of Extra-P has one list of points"
    )]
    OtherPoints { experiment: String },
    #[error("experiment `{experiment}` has no {}, which others have", quoted(missing))]
    OtherVariables { experiment: String, missing: Vec<String> },
}

impl WriteError {
    /// Stable name of the cause, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            WriteError::Parameters { .. } => "too-many-parameters",
            WriteError::NoParameters { .. } => "no-parameters",
            WriteError::NoSamples { .. } => "nothing-to-write",
            WriteError::OtherPoints { .. } => "other-points",
            WriteError::OtherVariables { .. } => "other-variables",
        }
    }

    /// What to do.
    pub fn cure(&self) -> Option<&str> {
        Some(match self {
            WriteError::Parameters { .. } => "write JSON lines",
            WriteError::NoParameters { .. } => "measure at other points",
            WriteError::NoSamples { .. } => "values must be finite",
            WriteError::OtherPoints { .. } => "write JSON lines, or name one experiment",
            WriteError::OtherVariables { .. } => "write a file for those of the same variables",
        })
    }
}
