//! Threads of OpenMP as processors. A parallel region begins as a broadcast of the main thread, for which the others have waited since the
//! region before; its barriers and its end are barriers of the team.

use call_trace::ProcessorEvents;

/// How the events of each thread begin.
const START: &str = "omp_start";
/// Where a region begins, and where it ends.
pub(crate) const PARALLEL: &str = "omp_parallel";
pub(crate) const PARALLEL_END: &str = "omp_end_parallel";
/// Where the recording of all threads ends.
const END: &str = "omp_end";

/// What they do together, and where they may wait for each other, by the names that the runtime gives it.
const CALLS: &[&str] = &[
    START,
    PARALLEL,
    "omp_barrier",
    "omp_implicit_barrier",
    PARALLEL_END,
    END,
    "omp_inner_parallel",
    "omp_taskwait",
    "omp_taskgroup",
    "omp_critical",
    "omp_atomic",
    "omp_ordered",
    "omp_set_lock",
];

pub(crate) fn is_of_threads(call: &str) -> bool {
    CALLS.contains(&call)
}

/// Whether the recorded processors are threads of an OpenMP program.
pub fn are_threads(recorded: &[ProcessorEvents]) -> bool {
    recorded.iter().any(|its| its.regions.iter().any(|region| region.call == START))
}

/// Whether this call is the end of their recording, which may have no place in the program.
pub fn is_end_of_threads(call: &str) -> bool {
    call == END
}
