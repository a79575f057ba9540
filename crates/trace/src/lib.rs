//! Reads the traces that instrumented programs write (`call-runtime/FORMAT.md`).
//!
//! [`read`] turns the bytes of one file, and [`TraceReader`] those of one that is too long to be in memory, into a [`Trace`]: a [`Header`] and, for each [`Experiment`], its [`Samples`] in
//! columns. A [`Dataset`] gathers the traces of several runs; [`Samples::join`] makes one sample of those that the
//! processors of a run took of the same thing, and [`Samples::fold`] one of repetitions.
//!
//! ```
//! use call_trace::{Dataset, Joining};
//!
//! let text = "# call-trace 1\n# program: fft\n# processors: 2\n# experiment: f\n# formula: f[0] + f[1]*N\n# variables: N\n\
//!     experiment processor P N time_s\nf 0 2 1024 0.000123456\nf 1 2 1024 0.000123500\n# end rows=2\n";
//! let mut dataset = Dataset::default();
//! dataset.add("fft.call.0.dat", call_trace::read(text.as_bytes())?)?;
//!
//! let samples = dataset.experiments[0].samples.join(Joining::Maximum);
//! assert_eq!(samples.column("N"), Some([1024.0].as_slice()));
//! assert_eq!((samples.time_s[0], samples.processor[0]), (0.0001235, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Rows are text or binary; both give the same values. Of a file whose end is missing everything is read but the row that
//! was cut, and [`Trace::completeness`] says so. The crate takes bytes and returns values; it opens no file. Numbers are
//! read exactly as [`str::parse`] reads them, only faster.
#![warn(missing_docs)]
#![warn(clippy::disallowed_methods)]

mod event_encoding;
mod event_list;
mod events;
mod experiment;
mod response;
mod same_places;
mod samples;
mod source_counts;
mod source_line;
mod summaries;
mod supersteps;
mod trace;
mod unit;

mod folding;
mod joining;
mod point;
mod processor_events;
mod spread;

mod content;
mod dataset;
mod merge_error;
mod run;
mod run_means;

// From bytes to a trace:
mod clock_reading;
mod collection;
mod compensated;
mod condenser;
mod error;
mod field;
mod lines;
mod number;
mod reader;
mod summing;
mod v1;
mod whole_report;

pub use collection::Limits;
pub use dataset::{Dataset, FormulaChange};
pub use error::{BlockProblem, Error, EventProblem, FilePlace};
pub use event_list::{EventIter, EventList};
pub use events::{
    Collective, CollectiveOperation, EpochStep, Event, EventKind, Message, RemoteAccess, WindowEpoch,
};
pub use experiment::{Experiment, Gathered, Mismatch, SummedUp};
pub use folding::{Folding, Repetitions};
pub use joining::Joining;
pub use merge_error::MergeError;
pub use processor_events::{Awaited, Communicator, CommunicatorName, ProcessorEvents};
pub use reader::{TraceReader, read};
pub use response::{NoResponse, WALL_TIME};
pub use run::Run;
pub use run_means::RunMeans;
pub use same_places::{SamePlace, VisitedPlace, same_places};
pub use samples::Samples;
pub use source_counts::{ArrayAccess, CountQuality, LoopAround, SourceCounts, SourceStatement, SourceTerm};
pub use source_line::{LineRange, SourceLine};
pub use spread::Spreads;
pub use summaries::Summaries;
pub use supersteps::{
    BspMachine, CallSite, ContiguousProcessors, ExperimentTime, ProcessorSupersteps, SourcePosition,
    Superstep, SuperstepEnd,
};
pub use trace::{Completeness, Condensation, Header, OtherP, Trace};
pub use unit::Unit;
