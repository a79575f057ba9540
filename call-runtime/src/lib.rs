//! The C runtime of CALL, embedded so that the translator can hand it out.
//!
//! The user compiles one file, [`EMBEDDED_SOURCE`] or [`MPI_SOURCE`], which includes all others, with `include/` on the
//! include path. The files are to be written out with their paths.

/// A file of the runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuntimeFile {
    /// Relative to the directory of the runtime, with `/` between the parts.
    pub path: &'static str,
    pub text: &'static str,
}

/// The file to compile for sequential and OpenMP programs, and for BSP programs on one computer.
pub const EMBEDDED_SOURCE: &str = "call-runtime.c";

/// The file to compile for MPI programs and for BSP programs over MPI, or SMPI.
pub const MPI_SOURCE: &str = "call-runtime-mpi.c";

/// The file to compile to a shared object that finds out where programs spend their time.
pub const HOT_SOURCE: &str = "call-runtime-hot.c";

/// The module of Fortran programs, which is compiled before them.
pub const FORTRAN_MODULE: &str = "include/call.F90";

macro_rules! file {
    ($path:literal) => {
        RuntimeFile { path: $path, text: include_str!(concat!("../", $path)) }
    };
}

/// All files that a program needs.
pub const FILES: &[RuntimeFile] = &[
    file!("call-runtime-hot.c"),
    file!("call-runtime-mpi.c"),
    file!("call-runtime.c"),
    file!("include/bsp.h"),
    file!("include/bsp_level1.h"),
    file!("include/call.F90"),
    file!("include/call.h"),
    file!("include/call.hpp"),
    file!("include/call_compiler.h"),
    file!("include/pub.h"),
    file!("src/base/clock.c"),
    file!("src/base/clock.h"),
    file!("src/base/clock_tsc.c"),
    file!("src/base/clock_tsc.h"),
    file!("src/base/fail.c"),
    file!("src/base/fail.h"),
    file!("src/base/file.c"),
    file!("src/base/file.h"),
    file!("src/base/host.c"),
    file!("src/base/host.h"),
    file!("src/base/shared.c"),
    file!("src/base/shared.h"),
    file!("src/base/table.c"),
    file!("src/base/table.h"),
    file!("src/base/thread.h"),
    file!("src/base/waiting.c"),
    file!("src/base/waiting.h"),
    file!("src/bsp/arena.c"),
    file!("src/bsp/arena.h"),
    file!("src/bsp/arrivals.c"),
    file!("src/bsp/arrivals.h"),
    file!("src/bsp/call_sites.c"),
    file!("src/bsp/call_sites.h"),
    file!("src/bsp/deadlock.c"),
    file!("src/bsp/deadlock.h"),
    file!("src/bsp/embedded.c"),
    file!("src/bsp/exchange.c"),
    file!("src/bsp/exchange.h"),
    file!("src/bsp/inbox.c"),
    file!("src/bsp/inbox.h"),
    file!("src/bsp/inside_experiments.c"),
    file!("src/bsp/inside_experiments.h"),
    file!("src/bsp/known_stacks.c"),
    file!("src/bsp/known_stacks.h"),
    file!("src/bsp/line_names.c"),
    file!("src/bsp/line_names.h"),
    file!("src/bsp/line_tables.c"),
    file!("src/bsp/line_tables.h"),
    file!("src/bsp/loaded_objects.c"),
    file!("src/bsp/loaded_objects.h"),
    file!("src/bsp/machine.c"),
    file!("src/bsp/machine.h"),
    file!("src/bsp/machine_stack.c"),
    file!("src/bsp/machine_stack.h"),
    file!("src/bsp/memory.c"),
    file!("src/bsp/memory.h"),
    file!("src/bsp/mpi.c"),
    file!("src/bsp/mpi_clock_origin.c"),
    file!("src/bsp/mpi_clock_origin.h"),
    file!("src/bsp/mpi_library.c"),
    file!("src/bsp/mpi_library.h"),
    file!("src/bsp/mpi_operations.c"),
    file!("src/bsp/mpi_operations.h"),
    file!("src/bsp/program_position.c"),
    file!("src/bsp/program_position.h"),
    file!("src/bsp/read_positions.c"),
    file!("src/bsp/read_positions.h"),
    file!("src/bsp/registrations.c"),
    file!("src/bsp/registrations.h"),
    file!("src/bsp/source_lines.c"),
    file!("src/bsp/source_lines.h"),
    file!("src/bsp/superstep_records.c"),
    file!("src/bsp/superstep_records.h"),
    file!("src/bsp/superstep_saving.c"),
    file!("src/bsp/superstep_saving.h"),
    file!("src/bsp/supersteps.c"),
    file!("src/bsp/supersteps.h"),
    file!("src/bsp/supervisor.c"),
    file!("src/bsp/supervisor.h"),
    file!("src/bsp/symbols.c"),
    file!("src/bsp/symbols.h"),
    file!("src/bsp/transport.h"),
    file!("src/bsp/unexpected.c"),
    file!("src/bsp/unexpected.h"),
    file!("src/bsp/virtual_turns.c"),
    file!("src/bsp/virtual_turns.h"),
    file!("src/bsplib/bsplib.c"),
    file!("src/bsplib/bsplib.h"),
    file!("src/bsplib/bsplib_between.c"),
    file!("src/bsplib/bsplib_between.h"),
    file!("src/bsplib/bsplib_dialect.c"),
    file!("src/bsplib/bsplib_end.h"),
    file!("src/bsplib/bsplib_level1.c"),
    file!("src/bsplib/bsplib_memory.c"),
    file!("src/bsplib/bsplib_messages.c"),
    file!("src/counters/counters.c"),
    file!("src/counters/counters.h"),
    file!("src/counters/counters_callgrind.c"),
    file!("src/counters/counters_callgrind.h"),
    file!("src/counters/counters_papi.c"),
    file!("src/counters/counters_papi.h"),
    file!("src/counters/counters_perf.c"),
    file!("src/counters/counters_perf.h"),
    file!("src/counters/counters_usage.c"),
    file!("src/counters/counters_usage.h"),
    file!("src/events/event_blocks.c"),
    file!("src/events/event_blocks.h"),
    file!("src/events/event_closing.c"),
    file!("src/events/event_closing.h"),
    file!("src/events/event_definitions.c"),
    file!("src/events/event_definitions.h"),
    file!("src/events/event_saving.c"),
    file!("src/events/event_saving.h"),
    file!("src/events/mpi_access_functions.h"),
    file!("src/events/mpi_collective_events.c"),
    file!("src/events/mpi_collective_events.h"),
    file!("src/events/mpi_collective_functions.h"),
    file!("src/events/mpi_collectives.c"),
    file!("src/events/mpi_counts.h"),
    file!("src/events/mpi_message_functions.h"),
    file!("src/events/mpi_neighbour_functions.h"),
    file!("src/events/mpi_clocks.c"),
    file!("src/events/mpi_clocks.h"),
    file!("src/events/mpi_communicators.c"),
    file!("src/events/mpi_communicators.h"),
    file!("src/events/mpi_completions.c"),
    file!("src/events/mpi_fortran.c"),
    file!("src/events/mpi_fortran.h"),
    file!("src/events/mpi_fortran_collectives.c"),
    file!("src/events/mpi_fortran_completions.c"),
    file!("src/events/mpi_fortran_messages.c"),
    file!("src/events/mpi_fortran_unrecorded.c"),
    file!("src/events/mpi_fortran_windows.c"),
    file!("src/events/mpi_makers.c"),
    file!("src/events/mpi_messages.c"),
    file!("src/events/mpi_neighbours.c"),
    file!("src/events/mpi_one_sided.c"),
    file!("src/events/mpi_signals.c"),
    file!("src/events/mpi_signals.h"),
    file!("src/events/mpi_window_epochs.c"),
    file!("src/events/mpi_recording.c"),
    file!("src/events/mpi_recording.h"),
    file!("src/events/mpi_requests.c"),
    file!("src/events/mpi_requests.h"),
    file!("src/events/mpi_wrapper.h"),
    file!("src/events/openmp_threads.c"),
    file!("src/events/openmp_threads.h"),
    file!("src/events/openmp_tool.c"),
    file!("src/events/openmp_tool.h"),
    file!("src/kinds/bsp_backend.c"),
    file!("src/kinds/declared.c"),
    file!("src/kinds/events_report.c"),
    file!("src/kinds/kinds.c"),
    file!("src/kinds/kinds.h"),
    file!("src/kinds/mpi_backend.c"),
    file!("src/kinds/libgomp_regions.c"),
    file!("src/kinds/libgomp_regions.h"),
    file!("src/kinds/openmp_backend.c"),
    file!("src/kinds/profile.c"),
    file!("src/measuring/cost.c"),
    file!("src/measuring/cost.h"),
    file!("src/measuring/forks.c"),
    file!("src/measuring/forks.h"),
    file!("src/measuring/measurement.c"),
    file!("src/measuring/measurement.h"),
    file!("src/measuring/regions.c"),
    file!("src/measuring/regions.h"),
    file!("src/measuring/room.c"),
    file!("src/measuring/room.h"),
    file!("src/measuring/thinning.c"),
    file!("src/measuring/thinning.h"),
    file!("src/program/backend.c"),
    file!("src/program/backend.h"),
    file!("src/program/openmp_there.h"),
    file!("src/program/units.c"),
    file!("src/program/units.h"),
    file!("src/pub/pub.c"),
    file!("src/pub/pub_collectives.c"),
    file!("src/pub/pub_end.h"),
    file!("src/pub/pub_inside.h"),
    file!("src/pub/pub_transfers.c"),
    file!("src/pub/pub_subsets.c"),
    file!("src/pub/pub_virtual.c"),
    file!("src/recording/left_open.c"),
    file!("src/recording/left_open.h"),
    file!("src/recording/recorder.c"),
    file!("src/recording/recorder.h"),
    file!("src/reporting/collection.c"),
    file!("src/reporting/collection.h"),
    file!("src/reporting/gather.c"),
    file!("src/reporting/gather.h"),
    file!("src/reporting/report.c"),
    file!("src/reporting/report.h"),
    file!("src/reporting/row_source.c"),
    file!("src/reporting/row_source.h"),
    file!("src/saving/block.c"),
    file!("src/saving/block.h"),
    file!("src/saving/layout.c"),
    file!("src/saving/layout.h"),
    file!("src/saving/own_p.c"),
    file!("src/saving/own_p.h"),
    file!("src/saving/saving.c"),
    file!("src/saving/saving.h"),
    file!("src/saving/spill_file.c"),
    file!("src/saving/spill_file.h"),
    file!("src/saving/summaries.c"),
    file!("src/saving/summaries.h"),
    file!("src/saving/trace.c"),
    file!("src/saving/trace.h"),
    file!("src/saving/writer.c"),
    file!("src/saving/writer.h"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    /// Adds the C files below `directory`, and those that other languages include, without the tests and benches, which programs do not need.
    fn add_c_files(root: &Path, directory: &Path, found: &mut BTreeSet<String>) {
        for entry in fs::read_dir(directory).expect("the directory of the runtime can be read") {
            let path = entry.expect("a directory entry can be read").path();
            let relative =
                path.strip_prefix(root).expect("entries are below the root").to_string_lossy().into_owned();
            if path.is_dir() {
                if relative != "tests" && relative != "bench" {
                    add_c_files(root, &path, found);
                }
            } else if path
                .extension()
                .is_some_and(|its| ["c", "h", "hpp", "F90"].iter().any(|known| its == *known))
            {
                found.insert(relative);
            }
        }
    }

    #[test]
    fn every_c_file_is_embedded() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut on_disk = BTreeSet::new();
        add_c_files(root, root, &mut on_disk);
        let embedded: BTreeSet<String> = FILES.iter().map(|file| file.path.to_owned()).collect();
        assert_eq!(
            on_disk, embedded,
            "change the list FILES in call-runtime/src/lib.rs so that it names the files on disk"
        );
        assert_eq!(embedded.len(), FILES.len(), "a file stands twice in FILES");
    }

    #[test]
    fn the_sources_to_compile_are_among_the_files() {
        for source in [EMBEDDED_SOURCE, MPI_SOURCE, FORTRAN_MODULE] {
            assert!(FILES.iter().any(|file| file.path == source), "{source}");
        }
    }

    #[test]
    fn every_include_of_a_file_is_embedded() {
        for file in FILES {
            let directory = Path::new(file.path).parent().expect("a file has a directory");
            for line in file.text.lines().filter_map(|line| line.strip_prefix("#include \"")) {
                let target = line.trim_end_matches('"');
                let mut parts: Vec<&str> = directory.iter().filter_map(|part| part.to_str()).collect();
                for part in target.split('/') {
                    if part == ".." {
                        parts.pop();
                    } else {
                        parts.push(part);
                    }
                }
                let path = parts.join("/");
                assert!(FILES.iter().any(|file| file.path == path), "{} includes {target}", file.path);
            }
        }
    }
}
