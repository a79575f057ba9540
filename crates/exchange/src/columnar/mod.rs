//! Files of columns: Parquet and Arrow, tables that DuckDB, polars, pandas and Spark read and write.
//!
//! [`write_parquet`] gives a row for each sample and for each summary, with the columns that [`write_csv`](crate::write_csv) has, `run`, and the sums of
//! summaries. What no column can say (formulas, units, runs and what their traces say of them) stands in the key `call-trace` of the file, which
//! other tools keep when they make Arrow of it. A file without this key is a table as any other.

mod arrow;
mod own;
mod parquet;
mod read;
mod sampled_run;
mod values;
mod write;

pub use own::ColumnarSamples;
pub use read::is_own_table;
pub use sampled_run::SampledRun;
pub use write::write_parquet;

pub(crate) use read::{format_of, read};

/// The key of a file of ours.
const KEY: &str = "call-trace";
/// The version of what stands behind it; a reader refuses later ones.
const SCHEMA_VERSION: u64 = 1;

const EXPERIMENT: &str = "experiment";
const RUN: &str = "run";
const TIME: &str = "time_s";
/// Of summaries; other rows have none.
const SUMS: [&str; 4] = ["sum", "sum_of_squares", "least", "most"];
/// Before variables that are called as one of our columns.
const VARIABLE: &str = "variable:";
