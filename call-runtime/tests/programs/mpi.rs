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

/// Cases of mpi_misuse in which the run goes on: its end of the place and what is told there how often, the numbers of processors of the rows.
const GOES_ON: &[(&str, &str, usize, [usize; 2])] = &[
    (
        "use-before-init",
        ": use: MPI has not been started, so P is 1: it must stand behind MPI_Init",
        1,
        [4, 8],
    ),
    (
        "sync-before-init",
        ": sync: MPI has not been started, so P is 1: it must stand behind MPI_Init",
        1,
        [4, 8],
    ),
    ("no-communicator", ": sync: it is not measured: the communicator is MPI_COMM_NULL", 2, [0, 8]),
    ("not-in-it", ": use: it is not measured: the communicator is MPI_COMM_NULL", 2, [0, 8]),
    ("between", "it is not measured: an intercommunicator joins two groups", 4, [0, 8]),
    ("sync-after-finalize", ": sync: MPI has ended, so P is 1: it must stand before MPI_Finalize", 1, [0, 8]),
    ("use-after-finalize", ": use: MPI has ended, so P is 1: it must stand before MPI_Finalize", 1, [0, 8]),
];

/// Those in which no report is possible: all else is done, and the run ends with status 2.
const ENDS_IN_FAILURE: &[(&str, &str)] = &[
    ("report-before-init", ": report: MPI has not been started: the report must stand behind MPI_Init"),
    ("report-after-finalize", ": report: MPI has ended: the report must stand before MPI_Finalize"),
    ("report-between", ": report: an intercommunicator joins two groups"),
];

fn rows_by_processors(run: &Run) -> [usize; 2] {
    let trace = run.trace("mpi_misuse.call.0.dat");
    ["1", "2"].map(|wanted| trace.rows.iter().filter(|row| row[2] == wanted).count())
}

#[test]
fn misuse_of_communicators_is_told_and_the_run_goes_on() {
    for flavour in available(&WITH_MPI) {
        // SMPI has no intercommunicators, and its processors are threads that tell what they have seen together.
        let is_simulated = flavour == Flavour::Smpi;
        for (case, message, times, rows) in GOES_ON {
            if is_simulated && (*case == "between" || case.ends_with("finalize")) {
                continue;
            }
            let run = Run::of(flavour, "mpi_misuse").on(2).with(case);
            let outcome = run.succeed();
            let told = outcome.stderr.matches(message).count();
            assert!(if is_simulated { told >= 1 } else { told == *times }, "{flavour:?} {case}: {outcome:?}");
            assert!(outcome.stderr.contains("mpi_misuse.c:"), "{outcome:?}");
            assert_eq!(rows_by_processors(&run), *rows, "{flavour:?} {case}");
        }
        for (case, message) in ENDS_IN_FAILURE {
            if !is_simulated {
                let run = Run::of(flavour, "mpi_misuse").on(2).with(case);
                run.fail(2, message);
                assert_eq!(rows_by_processors(&run), [0, 8], "{flavour:?} {case}");
            }
        }
        let message = "end f: no measurement of experiment f (lines 3-9) is open";
        Run::of(flavour, "mpi_misuse").on(2).with("one-fails").fail(2, message);
        let mpmd = Run::of(flavour, "mpmd").on(2);
        mpmd.fail(2, "call: report: processor 1 has other experiments than processor 0");
    }
}
