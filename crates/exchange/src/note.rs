use std::fmt;

use call_grammar::{counted, excerpt, quoted};
use call_trace::Unit;

use crate::{DecimalSign, PlaceInText};

/// What the user should know about how a file was read.
#[derive(Debug, Clone, PartialEq)]
pub enum Note {
    /// Which column, metric or observable was taken as the response.
    Response {
        /// Its name in the file.
        column: String,
        /// Its unit there; times are in seconds then.
        unit: Unit,
        /// Whether nothing in the file says so.
        is_assumed: bool,
    },
    /// A field can be two numbers, and nothing in the file says which.
    Ambiguous {
        /// Where it stands.
        place: PlaceInText,
        /// Its column.
        column: String,
        /// The field.
        text: String,
        /// As what it was read, with a decimal point, and what it is with a decimal comma.
        numbers: [f64; 2],
    },
    /// Fields of a column can be minutes and seconds, as they were read, or hours and minutes, and nothing in the file says which.
    AmbiguousClock {
        /// Where the first one stands.
        place: PlaceInText,
        /// Its column.
        column: String,
        /// The field.
        text: String,
    },
    /// One of several sheets was read.
    Sheet {
        /// Its name.
        name: String,
        /// Those that hold something, too.
        others: Vec<String>,
    },
    /// Columns of a wide table became rows.
    Wide {
        /// Their names in the file.
        columns: Vec<String>,
        /// The variable whose values their names are; of repetitions none.
        variable: Option<String>,
        /// Whether nothing in the file says so.
        is_assumed: bool,
    },
    /// Text columns tell experiments apart, by their values and not by their names.
    Experiments {
        /// Their names in the file.
        columns: Vec<String>,
    },
    /// Columns or the like that were left out.
    LeftOut {
        /// Their names in the file.
        names: Vec<String>,
        /// Why.
        reason: LeftOutReason,
    },
    /// Rows that were left out.
    Rows {
        /// How many.
        count: usize,
        /// Where the first one stands.
        first: PlaceInText,
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
    /// So were more names than are told one by one, or that look alike.
    RenamedFurther {
        /// How many.
        count: usize,
    },
    /// A short name would stand for several things, so they have longer ones.
    Longer {
        /// The short name.
        short: String,
        /// The longer ones.
        names: Vec<String>,
        /// What a file before calls by the short name, if one does.
        before: Option<String>,
    },
    /// A name is written otherwise in another file of the data set, and both are one here.
    SameName {
        /// The name in this file.
        name: String,
        /// How the other file writes it.
        other: String,
    },
    /// A column that looks like the number of the processor that measured is a variable.
    LooksLikeProcessor {
        /// Its name.
        column: String,
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
    /// A file of several runs is read as one.
    Runs {
        /// How many.
        count: usize,
    },
    /// Values of call paths became inclusive.
    Inclusive {
        /// Those with calls below.
        names: Vec<String>,
        /// Whether nothing says that the file has exclusive values.
        is_assumed: bool,
    },
    /// A call path has no inclusive values at some points.
    NoSum {
        /// The call path.
        name: String,
        /// At how many points of single processors.
        missing: usize,
        /// Of how many.
        of: usize,
        /// The first one, as `N=10`, and its processor.
        point: String,
        /// The processor there.
        processor: u32,
        /// The call path that has too few values there.
        lacking: String,
        /// So many further call paths lack some, too.
        others: usize,
    },
    /// Values of a metric stay as they are: they do not add up along call paths.
    NotSummed {
        /// Its name in the file.
        metric: String,
        /// Why.
        reason: NotSummed,
    },
    /// The file has no medians, and its means are read.
    NoMedian,
    /// Values that stand apart in the file are one here, their sum.
    Summed {
        /// The metrics.
        metrics: Vec<String>,
        /// The counters or columns that they were summed over; none if over nodes of one call path.
        over: Vec<String>,
    },
    /// The values of a metric are inclusive by its name, and stay so.
    InclusiveInFile {
        /// Its name in the file.
        metric: String,
    },
    /// A counter that was asked for is in other experiments only.
    NotCounted {
        /// Its name.
        counter: String,
        /// Those that respond as without the question.
        experiments: Vec<String>,
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

/// Why values are not added up along call paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "`Display` says it")]
pub enum NotSummed {
    Inclusive,
    Extreme,
}

impl NotSummed {
    /// What the name of a metric says.
    pub(crate) fn of(metric: &str) -> Option<NotSummed> {
        let lower = metric.to_lowercase();
        let has =
            |wanted: &[&str]| lower.split(|c: char| !c.is_alphanumeric()).any(|word| wanted.contains(&word));
        match () {
            () if lower.contains("(i)") || has(&["inclusive", "incl", "inc"]) => Some(NotSummed::Inclusive),
            () if has(&["min", "max", "minimum", "maximum", "least", "most", "largest", "smallest"]) => {
                Some(NotSummed::Extreme)
            }
            () => None,
        }
    }
}

impl fmt::Display for NotSummed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            NotSummed::Inclusive => "by their name they are inclusive in the file",
            NotSummed::Extreme => "the extreme of a call is no sum of those below it",
        })
    }
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

impl fmt::Display for Note {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::Response { column, unit, is_assumed } => {
                let what = if unit.is_time() { "the times are" } else { "the response is" };
                let column = excerpt(column);
                match is_assumed {
                    false => write!(out, "{what} `{column}`, in {unit}"),
                    true => write!(out, "{what} `{column}`, taken as {unit} since no unit stands there"),
                }
            }
            Note::Ambiguous { place, column, text, numbers: [number, other] } => write!(
                out,
                "{place}, column `{}`: `{}` is read as {number}; if it is {other}, say `decimal={}`",
                excerpt(column),
                excerpt(text),
                DecimalSign::Comma.symbol()
            ),
            Note::AmbiguousClock { place, column, text } => write!(
                out,
                "{place}, column `{column}`: `{text}` is read as minutes and seconds; if it is hours and minutes, name the column `{column} (h:mm)` or \
                 say `unit=h`",
                column = excerpt(column)
            ),
            Note::Sheet { name, others } => write!(
                out,
                "sheet `{}` is read; `sheet=NAME` reads another one: {}",
                excerpt(name),
                quoted(others)
            ),
            Note::Wide { columns, variable: None, .. } => {
                write!(out, "the columns {} are repetitions, each a row", quoted(columns))
            }
            Note::Wide { columns, variable: Some(variable), is_assumed } => {
                write!(out, "the columns {} are values of `{variable}`, each a row", quoted(columns))?;
                if *is_assumed {
                    out.write_str(
                        ": call them `run 1`, `run 2` if they are repetitions, or `NAME=1`, `NAME=2`",
                    )
                } else {
                    Ok(())
                }
            }
            Note::Experiments { columns } => write!(
                out,
                "experiments are told apart by {}: `without={}` puts them together",
                quoted(columns),
                columns.join(",")
            ),
            Note::LeftOut { names, reason } => write!(out, "left out: {} ({reason})", quoted(names)),
            Note::Rows { count, first, reason } => {
                write!(out, "left out: {}, the first at {first} ({reason})", counted(*count, "row"))
            }
            Note::Renamed { from, to } => write!(out, "`{}` is called `{}` here", excerpt(from), excerpt(to)),
            Note::RenamedFurther { count } => {
                write!(
                    out,
                    "{} changed like those",
                    if *count == 1 {
                        "1 further name is".to_owned()
                    } else {
                        format!("{count} further names are")
                    }
                )
            }
            Note::Longer { short, names, before: None } => {
                write!(
                    out,
                    "`{}` would be more than one: told apart by longer names, {}",
                    excerpt(short),
                    quoted(names)
                )
            }
            Note::Longer { short, names, before: Some(before) } => write!(
                out,
                "`{}` is `{}` of a file before: told apart from it by longer names, {}",
                excerpt(short),
                excerpt(before),
                quoted(names)
            ),
            Note::SameName { name, other } => write!(
                out,
                "`{}` is taken for what another file calls `{}`: rename one of them if they are two",
                excerpt(name),
                excerpt(other)
            ),
            Note::LooksLikeProcessors { column } => write!(
                out,
                "`{column}` is a variable and P is 1: call the column `P`, or name it as that of the processors, if it says \
                 how many measured"
            ),
            Note::LooksLikeProcessor { column } => write!(
                out,
                "`{}` is a variable: call the column `processor` if it says which of P processors measured; it does not run from 0 to P - 1 \
                 at each point",
                excerpt(column)
            ),
            Note::Formula { experiment, text, problem } => write!(
                out,
                "the formula `{}` of experiment `{}` is left out: {problem}",
                excerpt(text),
                excerpt(experiment)
            ),
            Note::Runs { count } => write!(out, "the samples of {count} runs are read as those of one"),
            Note::Inclusive { names, .. } if names.is_empty() => {
                write!(out, "no values became inclusive: there are no calls below others that add up")
            }
            Note::Inclusive { names, is_assumed } => {
                let assumed = if *is_assumed { ", which the file is taken to have without them" } else { "" };
                write!(
                    out,
                    "inclusive: the values of calls below are added to those of {}{assumed}",
                    quoted(names)
                )
            }
            Note::NoSum { name, missing, of, point, processor, lacking, others } => {
                write!(
                    out,
                    "`{name}` has no inclusive values at {missing} of {of} points of single processors, the first at {point} of \
                     processor {processor}: `{lacking}` has too few values there"
                )?;
                if *others > 0 {
                    write!(out, "; so it is with {}", counted(*others, "further call path"))
                } else {
                    Ok(())
                }
            }
            Note::NotSummed { metric, reason } => {
                write!(out, "the values of `{}` stay as they are: {reason}", excerpt(metric))
            }
            Note::NoMedian => write!(out, "the file has no medians: the times are its means"),
            Note::Summed { metrics, over } if over.is_empty() => {
                write!(out, "the values of {} are sums over the nodes of each call path", quoted(metrics))
            }
            Note::Summed { metrics, over } => {
                write!(out, "the values of {} are sums over {}", quoted(metrics), quoted(over))
            }
            Note::InclusiveInFile { metric } => write!(
                out,
                "the values of `{}` are inclusive by its name: a call path has what is below it, too",
                excerpt(metric)
            ),
            Note::NotCounted { counter, experiments } => {
                write!(out, "`{counter}` was not counted in {}, read as without it", quoted(experiments))
            }
            Note::Missing { experiment, found, announced } => write!(
                out,
                "experiment `{}` has {found} rows, and the file speaks of {announced}: it was cut",
                excerpt(experiment)
            ),
        }
    }
}

/// Something that is to be reported of a file, or of several.
#[derive(Debug, Clone, PartialEq)]
pub struct OfFiles<T> {
    /// The names of the files, in their order; at least one.
    pub files: Vec<String>,
    /// What is to be reported of each.
    pub reported: T,
}

impl<T: fmt::Display> fmt::Display for OfFiles<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// Of so many files, the names are reported.
        const FEW: usize = 3;
        match self.files.len() {
            ..=FEW => write!(out, "{}", self.files.join(", "))?,
            many => write!(out, "{many} files")?,
        }
        write!(out, ": {}", self.reported)
    }
}

/// Puts together what is the same of several files. They stand in the order in which they came up first.
pub fn grouped<T: PartialEq>(reported: impl IntoIterator<Item = (String, T)>) -> Vec<OfFiles<T>> {
    let mut groups: Vec<OfFiles<T>> = Vec::new();
    for (file, reported) in reported {
        match groups.iter_mut().find(|group| group.reported == reported) {
            Some(group) => group.files.push(file),
            None => groups.push(OfFiles { files: vec![file], reported }),
        }
    }
    groups
}

/// The notes of several files, each reported once. Notes that differ only in where something stands and how often are one: of rows that
/// were left out it says how many there are in all, and where the first one of the first file stands.
pub fn grouped_notes(notes: impl IntoIterator<Item = (String, Note)>) -> Vec<OfFiles<Note>> {
    let mut groups: Vec<OfFiles<Note>> = Vec::new();
    for (file, note) in notes {
        if let Some(group) =
            groups.iter_mut().find_map(|group| group.reported.takes(&note).then_some(&mut group.files))
        {
            group.push(file);
        } else {
            groups.push(OfFiles { files: vec![file], reported: note });
        }
    }
    groups
}

impl Note {
    /// Whether the note of another file says the same; then this one says it of both.
    fn takes(&mut self, other: &Note) -> bool {
        match (self, other) {
            (
                Note::Rows { count, reason, .. },
                Note::Rows { count: other_count, reason: other_reason, .. },
            ) if reason == other_reason => {
                *count += other_count;
                true
            }
            (this, other) => this == other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_of_many_files_are_told_once() {
        let time = || Note::Response { column: "t".to_owned(), unit: Unit::Milliseconds, is_assumed: false };
        let rows =
            |count, line| Note::Rows { count, first: PlaceInText::Line(line), reason: RowReason::NoTime };
        let notes = (0..64).flat_map(|number: u64| {
            let file = || format!("{number}.csv");
            [(file(), time()), (file(), rows(2, number))]
        });
        let text = |notes: Vec<OfFiles<Note>>| notes.iter().map(ToString::to_string).collect::<Vec<_>>();
        let mut reported = text(grouped_notes(notes));
        assert_eq!(
            reported,
            [
                "64 files: the times are `t`, in milliseconds",
                "64 files: left out: 128 rows, the first at line 0 (no finite time)"
            ]
        );
        let others = Note::Rows { count: 1, first: PlaceInText::Line(9), reason: RowReason::NoValue };
        reported = text(grouped_notes(
            [("a", time()), ("b", others), ("c", time())].map(|(a, b)| (a.to_owned(), b)),
        ));
        assert_eq!(
            reported,
            [
                "a, c: the times are `t`, in milliseconds",
                "b: left out: 1 row, the first at line 9 (a variable without a finite value)"
            ]
        );
    }
}
