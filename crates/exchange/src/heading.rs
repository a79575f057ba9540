//! What the names of columns say that hold no times.

use crate::response_name::words;

const MOMENT: &[&str] = &["stamp", "timestamp", "date", "datetime"];
/// Names of columns that name experiments, the clearest first.
const EXPERIMENT: &[&str] = &[
    "experiment",
    "kernel",
    "benchmark",
    "bench",
    "function",
    "func",
    "region",
    "routine",
    "name",
    "callpath",
    "algorithm",
    "algo",
    "method",
    "variant",
    "implementation",
    "impl",
    "operation",
    "op",
    "test",
    "testcase",
    "case",
    "command",
    "program",
    "application",
    "app",
    "code",
    "label",
];
const REPETITION: &[&str] = &[
    "rep",
    "repetition",
    "repeat",
    "replicate",
    "run",
    "runid",
    "runno",
    "trial",
    "iteration",
    "repetitionindex",
    "repindex",
    "rerun",
    "attempt",
];
const PROCESSORS: &[&str] = &[
    "p",
    "procs",
    "processes",
    "processors",
    "ranks",
    "threads",
    "nprocs",
    "np",
    "nproc",
    "nranks",
    "nthreads",
    "numprocs",
    "numthreads",
    "numranks",
    "ncpus",
    "cores",
    "ncores",
    "mpiranks",
    "ompthreads",
    "workers",
];

/// The words of a name without anything between them.
fn joined(heading: &str) -> String {
    heading.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// How clearly a name is that of a column of experiments; the smallest is the clearest.
pub(crate) fn experiment_rank(heading: &str) -> Option<usize> {
    let joined = joined(heading);
    EXPERIMENT
        .iter()
        .position(|name| joined == *name || joined.strip_suffix("name") == Some(name) && *name != "name")
}

/// Whether a name is that of a column that counts repetitions.
pub(crate) fn is_repetition(heading: &str) -> bool {
    REPETITION.contains(&joined(heading).as_str())
}

/// Whether a name looks like the number of processors.
pub fn is_processors(heading: &str) -> bool {
    PROCESSORS.contains(&joined(heading).as_str())
}

/// Whether a name, or none, is what tables write above the numbers of their rows.
pub(crate) fn is_row_number(heading: &str) -> bool {
    let trimmed = heading.trim();
    trimmed.is_empty() || trimmed.starts_with("Unnamed: ") || trimmed == "index"
}

/// Whether the name is that of a date or moment.
pub(crate) fn is_moment(heading: &str) -> bool {
    words(heading).iter().any(|word| MOMENT.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_columns_are_known_by_their_names() {
        assert_eq!((experiment_rank("Experiment"), experiment_rank("kernel name")), (Some(0), Some(1)));
        assert_eq!((experiment_rank("N"), experiment_rank("size name")), (None, None));
        assert!(experiment_rank("name") < experiment_rank("variant"));
        assert!(is_repetition("Rep") && is_repetition("run_id") && !is_repetition("iterations"));
        assert!(is_processors("nprocs") && is_processors("num_threads") && !is_processors("N"));
        assert!(is_row_number("") && is_row_number("Unnamed: 0") && !is_row_number("i"));
        assert!(is_moment("Date") && is_moment("start timestamp") && !is_moment("time"));
    }
}
