//! Reads what other tools measured into traces, and writes samples as other tools read them.
//!
//! [`read`] takes the bytes of a file and sees from its content what it is: a trace of this project or of CALL 1.0 (text, XML,
//! JSON), a table with a header line, JSON lines, what Extra-P reads (its inputs and experiments, profiles of Cube), profiles of
//! Caliper, results of several benchmark tools, Parquet and Arrow; [`FileSet`] reads folders. It returns a [`call_trace::Trace`] whose experiments may have no formulas, and [`Note`]s that say what was taken
//! as response, in which unit, and what was left out. [`ReadOptions`] say what a file does not.
//!
//! ```
//! use call_exchange::{ReadOptions, read};
//!
//! let text = "kernel,n,time (ms)\nsort,1000,1.25\nsort,2000,2.75\nscan,1000,0.5\n";
//! let imported = read("timings.csv", text.as_bytes(), &ReadOptions::default())?;
//!
//! let sort = &imported.trace.experiments[0];
//! assert_eq!((sort.name.as_str(), sort.samples.time_s.as_slice()), ("sort", [0.00125, 0.00275].as_slice()));
//! assert_eq!(sort.samples.column("n"), Some([1000.0, 2000.0].as_slice()));
//! assert_eq!(imported.notes[0].to_string(), "the times are `time (ms)`, in milliseconds");
//! # Ok::<(), call_exchange::Error>(())
//! ```
//!
//! In a table, the column with the times is found by its name; the response may be something else, in any unit, which
//! [`call_trace::Experiment::unit`] says. A column of text names the experiments, and all other columns of
//! numbers are variables, but for repetitions, moments, further times and statistics of times. `P` is the number of
//! processors, 1 where no column is called so. The crate takes bytes and returns values; it opens no file.
#![warn(missing_docs)]
#![warn(clippy::disallowed_methods)]

mod bytes;
mod error;
mod import;
mod inclusive;
mod left_out;
mod name;
mod not_summed;
mod note;
mod of_files;
mod original_names;
mod packed;
mod percentile;
mod place;
mod read;
mod renamed;
mod set;
mod short_names;
mod write;

// From columns to experiments:
mod benchmarks;
mod clock;
mod column;
mod heading;
mod measurements;
mod metrics;
mod number;
mod response_name;
mod roles;

// One module for each format:
mod caliper;
mod call_one;
mod columnar;
mod criterion;
mod cube;
mod extra_p;
mod google_benchmark;
mod hyperfine;
mod jmh;
mod json;
mod json_lines;
mod likwid;
mod nsys;
mod open_metrics;
mod pytest_benchmark;
mod quantity;
mod spreadsheet;
mod table;

pub use columnar::{ColumnarSamples, SampledRun, is_own_table, write_parquet};
pub use error::{Error, WriteError};
pub use heading::is_processors;
pub use import::{FileFormat, Imported, OF_TABLES, ReadOptions};
pub use left_out::{LeftOutReason, RowReason};
pub use not_summed::NotSummed;
pub use note::Note;
pub use number::DecimalSign;
pub use of_files::{OfFiles, grouped, grouped_notes};
pub use open_metrics::write_open_metrics;
pub use original_names::OriginalNames;
pub use place::PlaceInText;
pub use read::read;
pub use set::FileSet;
pub use write::{write_csv, write_extra_p_json_lines, write_extra_p_text, write_json_lines};
