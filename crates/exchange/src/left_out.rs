//! Why parts of a file are not read.

use std::fmt;

/// Why a column was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "`Display` says it")]
pub enum LeftOutReason {
    Asked,
    Text,
    Repetition,
    Statistic,
    Result,
    OtherTime,
    NoName,
    RowNumber,
    Moment,
    Interval,
    Empty,
    Nested,
    OtherMetric,
    OtherMetricOnly,
    OtherProcessors,
    NotEverywhere,
    Failed,
    Aggregate,
    Lacking,
    Stray,
    NoSum,
}

/// Why a row was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "`Display` says it")]
pub enum RowReason {
    NoTime,
    NegativeTime,
    NoResponse,
    NegativeResponse,
    NoValue,
    Failed,
}

impl fmt::Display for LeftOutReason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            LeftOutReason::Asked => "as was asked",
            LeftOutReason::Text => "text: name the column as that of the experiments if it tells them apart",
            LeftOutReason::Repetition => "it counts repetitions",
            LeftOutReason::Statistic => "statistics of the repetitions: `time=NAME` reads one of them",
            LeftOutReason::Result => "results: `time=NAME` reads one, `metric=NAME,NAME` several, and `keep=NAME` makes a variable of it",
            LeftOutReason::OtherTime => "a further time or a statistic of times",
            LeftOutReason::NoName => "no name",
            LeftOutReason::RowNumber => "the number of the row",
            LeftOutReason::Moment => "a date or moment",
            LeftOutReason::Interval => "an interval of months, days and milliseconds, which is not read: write it in seconds",
            LeftOutReason::Empty => "no values",
            LeftOutReason::Nested => "an object or a list",
            LeftOutReason::OtherMetric => "another metric",
            LeftOutReason::OtherMetricOnly => "only other metrics were measured there",
            LeftOutReason::OtherProcessors => "another column is that of the processors",
            LeftOutReason::NotEverywhere => "some points lack them, and so they do all that led to them",
            LeftOutReason::Failed => "an error was reported",
            LeftOutReason::Aggregate => "made of other results",
            LeftOutReason::Lacking => "it lacks what was asked for",
            LeftOutReason::Stray => "no lines of the trace",
            LeftOutReason::NoSum => "call paths have several rows, and means, shares and inclusive values do not add up",
        })
    }
}

impl fmt::Display for RowReason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            RowReason::NoTime => "no finite time",
            RowReason::NegativeTime => "a negative time",
            RowReason::NoResponse => "no finite response",
            RowReason::NegativeResponse => "a negative response",
            RowReason::NoValue => "a variable without a finite value",
            RowReason::Failed => "a program that failed, by its exit code",
        })
    }
}
