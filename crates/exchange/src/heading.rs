//! What the names of columns say that hold no times.

use crate::quantity::{bracket, words};

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
    "jobid",
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

/// Names of the processor that measured.
const PROCESSOR: &[&str] = &[
    "rank",
    "mpirank",
    "worldrank",
    "rankid",
    "pe",
    "tid",
    "thread",
    "threadid",
    "process",
    "procid",
    "processid",
];

const REMARK: &[&str] = &[
    "comment",
    "comments",
    "note",
    "notes",
    "remark",
    "remarks",
    "description",
    "status",
    "state",
    "message",
    "uuid",
];
/// Last words of names of results.
const RESULT: &[&str] = &[
    "mflops",
    "gflops",
    "tflops",
    "energy",
    "joule",
    "joules",
    "power",
    "watt",
    "watts",
    "bandwidth",
    "throughput",
    "speedup",
    "efficiency",
    "cycles",
    "instructions",
    "misses",
    "hits",
    "faults",
    "rss",
    "ipc",
    "cpi",
];
/// Words of results that may be sizes.
const AMOUNT: &[&str] = &["flop", "flops", "byte", "bytes", "memory", "mem"];
/// What may stand beside those.
const MODIFIER: &[&str] = &[
    "total",
    "sum",
    "count",
    "moved",
    "read",
    "written",
    "transferred",
    "loaded",
    "stored",
    "sent",
    "received",
    "dram",
    "peak",
    "max",
    "used",
    "usage",
    "resident",
    "allocated",
    "footprint",
    "consumption",
];
/// Units behind names of results.
const SYMBOL: &[&str] = &[
    "j", "kj", "mj", "w", "kw", "wh", "kwh", "b", "kb", "mb", "gb", "kib", "mib", "gib", "joules", "watts",
    "percent", "pct",
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

/// Whether a name looks like that of the processor that measured.
pub(crate) fn is_processor(heading: &str) -> bool {
    PROCESSOR.contains(&joined(heading).as_str())
}

/// Whether a name is that of the code with which a program ended, 0 if all went well.
pub(crate) fn is_exit_code(heading: &str) -> bool {
    matches!(joined(heading).as_str(), "exitcode" | "exitstatus" | "returncode" | "exitcodes")
}

/// Whether a name, or none, is what tables write above the numbers of their rows.
pub(crate) fn is_row_number(heading: &str) -> bool {
    let trimmed = heading.trim();
    trimmed.is_empty() || trimmed.starts_with("Unnamed: ") || trimmed == "index"
}

/// Whether a name may be that of the numbers of the rows, if they are such.
pub(crate) fn may_be_row_number(heading: &str) -> bool {
    const NUMBERS: [&str; 12] = [
        "id",
        "no",
        "nr",
        "row",
        "rowid",
        "rownumber",
        "seq",
        "serial",
        "record",
        "entry",
        "observation",
        "sample",
    ];
    NUMBERS.contains(&joined(heading).as_str())
}

/// Whether the name is that of a date or moment.
pub(crate) fn is_moment(heading: &str) -> bool {
    words(heading).iter().any(|word| MOMENT.contains(&word.as_str()))
}

/// Whether the name is that of what somebody remarked.
pub(crate) fn is_remark(heading: &str) -> bool {
    words(heading).iter().any(|word| REMARK.contains(&word.as_str()))
}

/// What a column holds whose name speaks of something that is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ResultKind {
    /// A result and nothing else: `energy (J)`, `GFLOPS`, `speedup`.
    Result,
    /// A result or a size: `bytes`, `flops`.
    Amount,
}

/// What a name says of results that are no times. `power_cap` and `message_bytes` are none.
pub(crate) fn result_kind(heading: &str) -> Option<ResultKind> {
    let base = bracket(heading.trim()).filter(|(base, _)| !base.is_empty());
    let is_rate = |name: &str| name.to_lowercase().ends_with("/s");
    let name = base.map_or(heading.trim(), |(base, _)| base);
    let mut words = words(name);
    if heading.starts_with("PAPI_") || is_rate(name) || base.is_some_and(|(_, unit)| is_rate(unit)) {
        return Some(ResultKind::Result);
    }
    if words.len() > 1 && words.last().is_some_and(|word| SYMBOL.contains(&word.as_str())) {
        words.pop();
    }
    let is_in = |word: &String, list: &[&str]| list.contains(&word.as_str());
    let is_per_second = words.len() > 2
        && words[words.len() - 2] == "per"
        && matches!(words[words.len() - 1].as_str(), "s" | "sec" | "second");
    let is_amount = |word: &String| is_in(word, AMOUNT);
    let last = words.last()?;
    if is_per_second || is_in(last, RESULT) || words.join("").ends_with("speedup") {
        Some(ResultKind::Result)
    } else if is_amount(last)
        && words.iter().rev().nth(1).is_some_and(|word| matches!(word.as_str(), "k" | "m" | "g" | "t"))
    {
        // `GFlops`.
        Some(ResultKind::Result)
    } else if words.iter().any(is_amount) && words.iter().all(|word| is_amount(word) || is_in(word, MODIFIER))
    {
        let is_memory = words.iter().any(|word| matches!(word.as_str(), "memory" | "mem"));
        Some(if is_memory { ResultKind::Result } else { ResultKind::Amount })
    } else {
        None
    }
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
        assert!(is_processor("MPI_rank") && is_processor("pe") && !is_processor("ranks"));
        assert!(is_exit_code("exit_code") && is_exit_code("Exit Status") && !is_exit_code("code"));
        assert!(is_processors("nprocs") && is_processors("num_threads") && !is_processors("N"));
        assert!(is_row_number("") && is_row_number("Unnamed: 0") && !is_row_number("i"));
        assert!(is_moment("Date") && is_moment("start timestamp") && !is_moment("time"));
    }

    #[test]
    fn results_are_no_variables() {
        for result in [
            "energy (J)",
            "memory (MB)",
            "peak_memory_mb",
            "mem_used",
            "energy_J",
            "GFLOPS",
            "GFlops",
            "GFLOP/s",
            "power_w",
            "memory_bandwidth",
            "rate (GB/s)",
            "speed-up",
            "speedup",
            "cache-misses",
            "bytes_per_second",
            "PAPI_L1_DCM",
            "max_rss_kb",
            "avg_power",
        ] {
            assert_eq!(result_kind(result), Some(ResultKind::Result), "{result}");
        }
        for amount in ["bytes", "flops", "total_bytes"] {
            assert_eq!(result_kind(amount), Some(ResultKind::Amount), "{amount}");
        }
        for none in [
            "N",
            "message_bytes",
            "power_cap",
            "size (bytes)",
            "size_mb",
            "iterations",
            "",
            "memory_nodes",
            "per",
        ] {
            assert_eq!(result_kind(none), None, "{none}");
        }
    }
}
