use std::fmt;

use call_grammar::{counted, excerpt, quoted};
use call_trace::Unit;

use crate::left_out::{LeftOutReason, RowReason};
use crate::not_summed::NotSummed;
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
    /// The column `run` tells runs apart.
    ColumnOfRuns {
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
            Note::ColumnOfRuns { count } => write!(out, "`run` tells {} apart", counted(*count, "run")),
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
