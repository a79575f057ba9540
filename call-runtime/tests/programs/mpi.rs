//! Communicators as machines.

use super::available;
use crate::support::{Flavour, Run, WITH_MPI};

/// Processes with the same parity make a part.
fn check_communicators(run: &Run, processes: usize, count: usize, transport: &str) {
    let outcome = run.succeed();
    assert!(outcome.stdout.contains("communicators ok\n"), "{outcome:?}");
    let parts = processes.min(2);
    let part_size = |rank: usize| (processes + 1 - rank % 2) / 2;
    for name in &run.trace_names()[..parts] {
        let part = run.trace(name);
        let first: usize = part.rows[0][3].parse().expect("a rank");
        let size = part_size(first);
        assert_eq!(part.value("processors"), Some(size.to_string().as_str()));
        let wanted: Vec<String> =
            (0..size).map(|at| format!("part {at} {size} {} 0 0.000000000", first + 2 * at)).collect();
        assert_eq!(part.rows.iter().map(|row| row.join(" ")).collect::<Vec<_>>(), wanted);
    }
    let trace = run.trace(&format!("communicators.call.{parts}.dat"));
    assert_eq!(trace.value("kind"), Some("MPI"));
    assert_eq!(trace.value("transport"), Some(transport));
    assert_eq!(trace.value("processors"), Some(processes.to_string().as_str()));
    let mut rows = trace.rows.iter().map(|row| row.join(" "));
    for processor in 0..processes {
        let rank = processes - 1 - processor;
        let mut expect = |wanted: String| assert_eq!(rows.next(), Some(wanted), "{run:?}");
        for _ in 0..3 {
            expect(format!("before {processor} 1 nan nan 0.000000000"));
        }
        let whole = |k: usize| {
            let time_ns = 1000 * k + rank;
            format!("whole {processor} {processes} {rank} {k} 0.{time_ns:09}")
        };
        (0..count).for_each(|k| expect(whole(k)));
        expect(format!("part {processor} {} {rank} 1 0.000000000", part_size(rank)));
        expect(whole(0));
    }
    assert_eq!(rows.next(), None);
    assert!(run.trace(&format!("communicators.call.{}.dat", parts + 1)).rows.is_empty());
}

#[test]
fn communicators_are_machines() {
    for flavour in available(&WITH_MPI) {
        for (processes, count) in [(1, 5), (2, 20_000), (3, 1), (7, 300)] {
            let run = Run::of(flavour, "communicators").counting().on(processes).with(count);
            check_communicators(&run, processes, count, flavour.transport());
        }
    }
    if Flavour::Smpi.is_available() {
        let run = Run::of(Flavour::Smpi, "communicators").counting().on(64).with(3);
        check_communicators(&run, 64, 3, "SMPI");
        // By the simulated clock, which stands still before MPI_Init.
        let run = Run::of(Flavour::Smpi, "communicators").on(3).with(1);
        run.succeed();
        assert_eq!(run.trace("communicators.call.2.dat").value("clock"), Some("MPI_Wtime"));
    }
}

#[test]
fn the_library_is_named() {
    let begins = [(Flavour::Mpi, "Open MPI v"), (Flavour::Mpich, "MPICH Version: ")];
    for (flavour, begin) in begins {
        if flavour.is_available() {
            let run = Run::of(flavour, "communicators").on(1).with(1);
            run.succeed();
            let trace = run.trace("communicators.call.1.dat");
            let library = trace.value("mpi").expect("it says its name");
            assert!(library.starts_with(begin), "{library}");
            let planted = Run::of(flavour, "mpi_library");
            planted.succeed();
            let wanted = format!("{:x<127}", "Planted MPI [31m 5.1, of ");
            assert_eq!(planted.trace("mpi_library.call.0.dat").value("mpi"), Some(wanted.as_str()));
        }
    }
}

#[test]
fn misuse_of_communicators_is_told() {
    let cases = [
        ("use-before-init", "use: MPI has not been started: the call must stand after MPI_Init"),
        ("sync-before-init", "sync: MPI has not been started: the call must stand after MPI_Init"),
        ("report-before-init", "report: MPI has not been started: the call must stand after MPI_Init"),
        ("no-communicator", "sync: the communicator is MPI_COMM_NULL"),
        ("between", "report: an intercommunicator joins two groups"),
        ("one-fails", "end f: no measurement of experiment f (lines 3-9) is open"),
        ("report-after-finalize", "report: MPI has ended: the call must stand before MPI_Finalize"),
        ("sync-after-finalize", "sync: MPI has ended: the call must stand before MPI_Finalize"),
    ];
    for flavour in available(&WITH_MPI) {
        for (case, message) in cases {
            // SMPI has no intercommunicators.
            if flavour != Flavour::Smpi || case != "between" {
                Run::of(flavour, "mpi_misuse").on(2).with(case).fail(2, message);
            }
        }
        let mpmd = Run::of(flavour, "mpmd").on(2);
        mpmd.fail(2, "call: report: processor 1 has other experiments than processor 0");
    }
}
