use std::fmt;

use crate::listed::{excerpt, listed};
use crate::{Place, TimeUnit};

/// What the user should know about how a file was read.
#[derive(Debug, Clone, PartialEq)]
pub enum Note {
    /// Which column, metric or observable was taken as time.
    Time {
        /// Its name in the file.
        column: String,
        /// Its unit.
        unit: TimeUnit,
        /// Whether nothing in the file says so.
        is_assumed: bool,
    },
    /// What was measured is no time, and stands in its place.
    NotATime {
        /// The experiment.
        experiment: String,
        /// What was measured.
        observable: String,
    },
    /// Columns or the like that were left out.
    LeftOut {
        /// Their names in the file.
        names: Vec<String>,
        /// Why.
        reason: Reason,
    },
    /// Rows that were left out.
    Rows {
        /// How many.
        count: usize,
        /// Where the first one stands.
        first: Place,
        /// Why.
        reason: RowReason,
    },
    /// A name that formulas cannot use was changed.
    Renamed {
        /// The name in the file.
        from: String,
        /// The name in the trace.
        to: String,
    },
    /// A column that looks like the number of processors is a variable, and `P` is 1.
    LooksLikeProcessors {
        /// Its name.
        column: String,
    },
    /// The formula of an experiment cannot be used.
    Formula {
        /// The experiment.
        experiment: String,
        /// The formula as the file has it.
        text: String,
        /// Why.
        problem: String,
    },
    /// The file holds fewer rows than it speaks of.
    Missing {
        /// The experiment.
        experiment: String,
        /// Rows that were found.
        found: u64,
        /// Rows that the file announces.
        announced: u64,
    },
}

/// Why a column was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "`Display` says it")]
pub enum Reason {
    Asked,
    Text,
    Repetition,
    OtherTime,
    NoName,
    RowNumber,
    Moment,
    Empty,
    Nested,
    OtherMetric,
    OtherProcessors,
    Failed,
    Aggregate,
    Stray,
}

/// Why a row was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "`Display` says it")]
pub enum RowReason {
    NoTime,
    NegativeTime,
    NoValue,
}

impl fmt::Display for Reason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Reason::Asked => "as was asked",
            Reason::Text => "text: name the column as that of the experiments if it tells them apart",
            Reason::Repetition => "it counts repetitions",
            Reason::OtherTime => "a further time or a statistic of times",
            Reason::NoName => "no name",
            Reason::RowNumber => "the number of the row",
            Reason::Moment => "a date or moment",
            Reason::Empty => "no values",
            Reason::Nested => "an object or a list",
            Reason::OtherMetric => "another metric",
            Reason::OtherProcessors => "another column is that of the processors",
            Reason::Failed => "an error was reported",
            Reason::Aggregate => "made of other results",
            Reason::Stray => "no lines of the trace",
        })
    }
}

impl fmt::Display for RowReason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            RowReason::NoTime => "no finite time",
            RowReason::NegativeTime => "a negative time",
            RowReason::NoValue => "a variable without a finite value",
        })
    }
}

impl fmt::Display for Note {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::Time { column, unit, is_assumed: false } => {
                write!(out, "the times are `{}`, in {unit}", excerpt(column))
            }
            Note::Time { column, unit, is_assumed: true } => {
                write!(out, "the times are `{}`, taken as {unit} since no unit stands there", excerpt(column))
            }
            Note::NotATime { experiment, observable } => write!(
                out,
                "experiment `{}` has no times: `{}` stands in their place, so read its unit for seconds",
                excerpt(experiment),
                excerpt(observable)
            ),
            Note::LeftOut { names, reason } => write!(out, "left out: {} ({reason})", listed(names)),
            Note::Rows { count, first, reason } => {
                let rows = if *count == 1 { "row" } else { "rows" };
                write!(out, "left out: {count} {rows}, the first at {first} ({reason})")
            }
            Note::Renamed { from, to } => write!(out, "`{}` is called `{}` here", excerpt(from), excerpt(to)),
            Note::LooksLikeProcessors { column } => write!(
                out,
                "`{column}` is a variable and P is 1: call the column `P`, or name it as that of the processors, if it says \
                 how many measured"
            ),
            Note::Formula { experiment, text, problem } => write!(
                out,
                "the formula `{}` of experiment `{}` is left out: {problem}",
                excerpt(text),
                excerpt(experiment)
            ),
            Note::Missing { experiment, found, announced } => write!(
                out,
                "experiment `{}` has {found} rows, and the file speaks of {announced}: it was cut",
                excerpt(experiment)
            ),
        }
    }
}
