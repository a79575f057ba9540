//! Several threads in each process of MPI.

use super::available;
use crate::support::{Flavour, Run, Trace, WITH_MPI_AND_OPENMP, nanoseconds};

/// Processes with the same parity make a part.
fn part_size(processes: usize, rank: usize) -> usize {
    (processes + 1 - rank % 2) / 2
}

/// Columns 0 … 4, sorted; times are checked elsewhere.
fn sorted_rows(trace: &Trace) -> Vec<String> {
    let mut rows: Vec<String> = trace.rows.iter().map(|row| row[..5].join(" ")).collect();
    rows.sort();
    rows
}

fn check_threads(flavour: Flavour, processes: usize, count: usize) {
    let run = Run::of(flavour, "mpi_threads").counting().on(processes).with(count);
    let outcome = run.succeed();
    assert!(!outcome.stderr.contains("ThreadSanitizer"), "{outcome:?}");
    if outcome.stdout == "no MPI_THREAD_MULTIPLE\n" {
        eprintln!("skipped: {flavour:?} without MPI_THREAD_MULTIPLE");
        return;
    }
    let trace = run.trace("mpi_threads.call.0.dat");
    let mut wanted = Vec::new();
    for rank in 0..processes {
        for thread in 0..4 {
            for k in 0..count {
                let size = match (thread, k % 2) {
                    (0, 0) | (3, _) => processes,
                    (1, _) => part_size(processes, rank),
                    _ => 1,
                };
                wanted.push(format!("f {rank} {size} {thread} {k}"));
            }
        }
        wanted.push(format!("heir {rank} 1 nan nan"));
    }
    wanted.sort();
    assert_eq!(sorted_rows(&trace), wanted);
    for row in trace.rows.iter().filter(|row| row[0] == "f") {
        let number = |at: usize| row[at].parse::<u64>().expect("a number");
        assert_eq!(nanoseconds(&row[5]), 1000 * number(4) + number(3));
    }
}

#[test]
fn threads_on_different_communicators_do_not_disturb_each_other() {
    for flavour in available(&[Flavour::Mpi, Flavour::Mpich, Flavour::MpiThreads]) {
        for (processes, count) in [(1, 20), (2, 200), (3, 20)] {
            check_threads(flavour, processes, count);
        }
    }
}

#[test]
fn teams_of_threads_measure_for_their_process() {
    for flavour in available(&WITH_MPI_AND_OPENMP) {
        for (processes, count) in [(1, 10), (2, 200), (3, 20)] {
            let run = Run::of(flavour, "mpi_openmp").counting().on(processes).with(count);
            run.succeed();
            let (mut first, mut second) = (Vec::new(), Vec::new());
            for rank in 0..processes {
                let size = part_size(processes, rank);
                first.push(format!("outside {rank} {processes} nan nan"));
                for thread in 0..3 {
                    first.push(format!("part {rank} {size} {thread} 7"));
                    second.push(format!("inside {rank} {size} {thread} {count}"));
                    second.extend((0..count).map(|k| format!("inside {rank} {processes} {thread} {k}")));
                }
            }
            first.sort();
            second.sort();
            let trace = run.trace("mpi_openmp.call.0.dat");
            assert_eq!(trace.value("processors"), Some(processes.to_string().as_str()));
            assert_eq!(sorted_rows(&trace), first);
            assert_eq!(sorted_rows(&run.trace("mpi_openmp.call.1.dat")), second);
        }
    }
}
