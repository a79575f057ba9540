//! `call run --events`: a program of MPI without a directive, whose trace llac loads.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test that meets None has failed; one that is skipped has to say so"
)]

use std::process::Command;

use call_tests::{Transport, Workshop};
use call_trace::EventKind;

#[test]
fn programs_without_directives_are_recorded() {
    if !Transport::Mpi.is_available() {
        return;
    }
    let workshop = Workshop::new();
    workshop.write(
        "hello.c",
        "#include <mpi.h>\nint main(int argc, char **argv)\n{\n    MPI_Init(&argc, &argv);\n    MPI_Barrier(MPI_COMM_WORLD);\n\
         \x20   MPI_Finalize();\n    return 0;\n}\n",
    );
    workshop.shell(&format!(
        "CC={} call run --events --launcher '{}' --procs 2:2 hello.c",
        Transport::Mpi.compiler(),
        Transport::Mpi.launcher()
    ));
    // Without a word it is started as what it is.
    let told = workshop.shell("call run --events hello.c --procs 2:2 2>&1");
    assert!(told.contains("next: llac waits hello.call.1.dat"), "{told}");
    // Messages have no profile, and no directive would give them one.
    let refused =
        words(&workshop.shell("llac page hello.call.0.dat hello.call.1.dat into x.html 2>&1 || true"));
    assert!(refused.contains("hello.call.0.dat recorded messages and no supersteps"), "{refused}");
    assert!(refused.contains("`waits compare BEFORE AFTER`"), "{refused}");
    assert_eq!(workshop.trace("hello.call.1.dat").events.len(), 2);
    let trace = call_trace::read(&std::fs::read(workshop.path().join("hello.call.0.dat")).unwrap()).unwrap();
    assert_eq!(trace.events.len(), 2);
    for its in &trace.events {
        let calls: Vec<&str> = its.regions.iter().map(|region| region.call.as_str()).collect();
        assert_eq!(calls, ["MPI_Init", "MPI_Barrier", "MPI_Finalize"]);
        assert_eq!(its.events.len(), 9);
        assert!(its.has_common_clock && its.events.iter().is_sorted_by_key(|event| event.at_ns));
    }
}

/// Lines and functions of its calls; `receive` is called from two places.
const PLACES: &str = r#"#include <mpi.h>
#include <unistd.h>
static int token, rank;
static __attribute__((noinline)) void receive(int tag)
{
    MPI_Recv(&token, 1, MPI_INT,
             0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    token++;
}
static __attribute__((noinline)) void exchange(void)
{
    if (rank == 0) {
        usleep(900000); /* the other one has to be there first, on a busy computer, too */
        MPI_Send(&token, 1, MPI_INT, 1, 5, MPI_COMM_WORLD); MPI_Send(&token, 1, MPI_INT, 1, 6, MPI_COMM_WORLD);
    } else {
        receive(5);
        receive(6);
    }
    token++;
}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    exchange();
    MPI_Finalize();
    return token == 0;
}
"#;

/// Lines of terminals have ends.
fn words(told: &str) -> String {
    told.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What the sections say of their places: position and call stack.
fn places(workshop: &Workshop, trace: &str) -> Vec<Vec<String>> {
    let told = |site: &call_trace::CallSite| {
        let position = site.position.as_ref().map(|its| format!("{}:{}", its.file, its.line));
        format!("{} {} in {}", site.call, position.unwrap_or("?".into()), site.call_stack.join(" < "))
    };
    workshop.trace(trace).events.iter().map(|its| its.regions.iter().map(told).collect()).collect()
}

#[test]
fn calls_have_their_lines() {
    for transport in [Transport::Mpi, Transport::Mpich, Transport::Smpi] {
        if !transport.is_available() {
            continue;
        }
        // The compiler's own choice of everything; without what walks of the stack like; other tables.
        let others = ["-O2 -fomit-frame-pointer -fpie -pie", "-O0 -gdwarf-4", "-O1 -no-pie -gdwarf-3"];
        let others = others.iter().filter(|_| transport == Transport::Mpi);
        for flags in others.chain([&""]) {
            let workshop = Workshop::new();
            workshop.bring("examples/fft/cluster.xml");
            workshop.write("hosts", (0..32).map(|host| format!("n-{host}.x\n")).collect::<String>());
            workshop.write("places.c", PLACES);
            workshop.shell(&format!(
                "CC={} call run --events --launcher '{}' --procs 2:2 --flags='{flags}' places.c",
                transport.compiler(),
                transport.launcher()
            ));
            let trace = workshop.traces().pop().unwrap();
            let mut expected = vec![vec![
                "MPI_Init places.c:23 in main",
                "MPI_Send places.c:14 in exchange < main",
                "MPI_Finalize places.c:26 in main",
            ]];
            expected.push(vec![
                expected[0][0],
                "MPI_Recv places.c:6 in receive < exchange < main",
                expected[0][2],
            ]);
            assert_eq!(places(&workshop, &trace), expected, "{transport:?} {flags}");
            let told = workshop.shell(&format!("llac waits {trace} 2>&1"));
            let site = "1 wait at MPI_Recv places.c:6 in receive < exchange < main (late sender)";
            assert!(words(&told).contains(site), "{told}");
            assert!(!told.contains("compile the program with -g"), "{told}");
        }
    }
}

/// What the compiler was told to leave out is not known, and said.
#[test]
fn lines_that_are_not_there_are_told() {
    if !Transport::Mpi.is_available() {
        return;
    }
    for flags in ["-g0", "-g -gz"] {
        let workshop = Workshop::new();
        workshop.write("places.c", PLACES);
        workshop.shell(&format!(
            "CC={} call run --events --launcher '{}' --procs 2:2 --flags='{flags}' places.c",
            Transport::Mpi.compiler(),
            Transport::Mpi.launcher()
        ));
        let found = places(&workshop, "places.call.0.dat");
        assert_eq!(found[1][1], "MPI_Recv ? in receive < exchange < main", "{flags}");
        let told = workshop.shell("llac waits places.call.0.dat 2>&1");
        assert!(
            words(&told).contains("where processors wait are not known: compile the program with -g"),
            "{told}"
        );
    }
}

/// SimGrid tells that all wait for each other, and ends with status 0.
#[test]
fn a_run_without_a_trace_is_an_error() {
    let transport = Transport::Smpi;
    if !transport.is_available() {
        return;
    }
    let workshop = Workshop::new();
    workshop.bring("examples/fft/cluster.xml");
    workshop.write("hosts", (0..32).map(|host| format!("n-{host}.x\n")).collect::<String>());
    // With two processors each waits for a message that nobody sends; one alone goes on.
    workshop.write(
        "stuck.c",
        "#include <mpi.h>\nint main(int argc, char **argv)\n{\n    int size, token;\n    MPI_Init(&argc, &argv);\n\
         \x20   MPI_Comm_size(MPI_COMM_WORLD, &size);\n\
         \x20   if (size > 1)\n        MPI_Recv(&token, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n\
         \x20   MPI_Finalize();\n    return 0;\n}\n",
    );
    for (range, expected) in [
        ("2:2", "call: stuck wrote no trace: does it come to its MPI_Finalize?"),
        ("1:2", "call: stuck wrote 1 trace in 2 runs: do all come to their ends?"),
    ] {
        let command = format!(
            "CC={} call run --events --launcher '{}' --procs {range} stuck.c",
            transport.compiler(),
            transport.launcher()
        );
        let output = workshop.command("sh").args(["-c", &command]).output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{told}");
        assert!(told.contains(expected), "{told}");
    }
}

/// What a run has recorded until it crashes is read by llac, and `call run` says how.
#[test]
fn what_crashed_runs_have_left_is_told() {
    let transport = Transport::Mpi;
    if !transport.is_available() {
        return;
    }
    let workshop = Workshop::new();
    workshop.write(
        "crash.c",
        "#include <mpi.h>\n#include <stdlib.h>\nint main(int argc, char **argv)\n{\n    int rank;\n    MPI_Init(&argc, &argv);\n\
         \x20   MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n    for (int round = 0; round < 100; round++)\n\
         \x20       MPI_Barrier(MPI_COMM_WORLD);\n    if (rank == 1)\n        abort();\n\
         \x20   MPI_Barrier(MPI_COMM_WORLD);\n    MPI_Finalize();\n    return 0;\n}\n",
    );
    let command = format!(
        "CC={} CALL_SAVE=1e-9 call run --events --launcher '{}' --procs 2:2 crash.c",
        transport.compiler(),
        transport.launcher()
    );
    let output = workshop.command("sh").args(["-c", &command]).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).replace("\n  ", " ");
    assert_eq!(output.status.code(), Some(2), "{told}");
    let read = told.split("call: what was recorded until then is read by: ").nth(1);
    let read = read.and_then(|rest| rest.lines().next()).unwrap_or_else(|| panic!("{told}"));
    assert!(read.starts_with("llac waits crash.call.unfinished."), "{told}");
    assert!(workshop.shell(read).contains("2 processors"), "{read}");
}

/// More processors than cores are left out where nothing else is asked for; then the script and `call run` know the same option.
#[test]
fn processors_beyond_the_cores_are_asked_for() {
    let workshop = Workshop::new();
    workshop.write(
        "two.c",
        "#include <bsp.h>\nint main(void)\n{\n    bsp_begin(bsp_nprocs());\n    bsp_sync();\n    bsp_end();\n    return 0;\n}\n",
    );
    workshop.shell("printf '#!/bin/sh\\necho 1\\n' >getconf && chmod +x getconf");
    let one = "PATH=$PWD:$PATH call run --profile two.c --procs 2:2";
    let output = workshop.command("sh").args(["-c", one]).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{told}");
    let expected = "P = 2 left out: above 1 cores times mean nothing (--oversubscribe runs them all the same); nothing was run";
    assert!(told.contains(expected) && !told.contains("wrote no trace"), "{told}");
    let told = workshop.shell(&format!("{one} --oversubscribe 2>&1"));
    assert!(told.contains("next: llac profile two.call.0.dat"), "{told}");
}

/// It stops with a number where something has come that was not sent, or Fortran is not given what it asked for.
const FORTRAN: &str = "\
program p
  use mpi
  implicit none
  integer :: ierr, rank, ranks, token(4), req(2), st(MPI_STATUS_SIZE, 2), one(MPI_STATUS_SIZE), idx, ring, half, i
  logical :: flag
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  token = rank
  if (rank == 0) then
     call MPI_Send(token, 1, MPI_INTEGER, 1, 7, MPI_COMM_WORLD, ierr)
  else if (rank == 1) then
     call MPI_Recv(token, 1, MPI_INTEGER, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, one, ierr)
     if (one(MPI_SOURCE) /= 0 .or. one(MPI_TAG) /= 7) stop 1
  end if
  do i = 1, 2
     call MPI_Irecv(token(3), 1, MPI_INTEGER, mod(rank + ranks - 1, ranks), 8, MPI_COMM_WORLD, req(1), ierr)
     call MPI_Isend(rank, 1, MPI_INTEGER, mod(rank + 1, ranks), 8, MPI_COMM_WORLD, req(2), ierr)
     if (i == 1) then
        call MPI_Waitall(2, req, MPI_STATUSES_IGNORE, ierr)
     else
        call MPI_Waitany(1, req(1:1), idx, one, ierr)
        if (idx /= 1 .or. one(MPI_TAG) /= 8) stop 2
        flag = .false.
        do while (.not. flag)
           call MPI_Test(req(2), flag, MPI_STATUS_IGNORE, ierr)
        end do
     end if
     if (req(1) /= MPI_REQUEST_NULL .or. req(2) /= MPI_REQUEST_NULL) stop 3
     if (token(3) /= mod(rank + ranks - 1, ranks)) stop 4
  end do
  token = 1
  call MPI_Allreduce(MPI_IN_PLACE, token, 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  if (any(token /= ranks)) stop 5
  call MPI_Comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, half, ierr)
  call MPI_Bcast(token, 4, MPI_INTEGER, 0, half, ierr)
  call MPI_Comm_free(half, ierr)
  if (half /= MPI_COMM_NULL) stop 6
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
end program
";

/// Those that are there.
fn fortran_compilers() -> Vec<(Transport, &'static str)> {
    let is_there = |name: &&str| Command::new(name).arg("--version").output().is_ok();
    let mut found = Vec::new();
    for (transport, names) in
        [(Transport::Mpi, ["mpif90.openmpi", "mpif90"]), (Transport::Mpich, ["mpif90.mpich", "mpif90.mpich"])]
    {
        match names.into_iter().find(is_there) {
            Some(compiler) if transport.is_available() => found.push((transport, compiler)),
            Some(_) => (),
            None => eprintln!("skipped: {}", names[0]),
        }
    }
    found
}

/// The functions of Open MPI for Fortran do not come by those for C.
#[test]
fn programs_in_fortran_are_recorded() {
    for (transport, compiler) in fortran_compilers() {
        let workshop = Workshop::new();
        workshop.write("ring.f90", FORTRAN);
        let c = transport.compiler();
        workshop.shell(&format!("{compiler} -g -O0 ring.f90 $(CC={c} call libs --mpi) -o ring"));
        let launcher = transport.launcher().replace("%P", "3");
        workshop.shell(&format!("{launcher} ./ring"));
        assert_eq!(workshop.traces(), Vec::<String>::new());
        workshop.shell(&format!("CALL_EVENTS=1 {launcher} ./ring"));
        let places = places(&workshop, "ring.call.0.dat");
        let calls: Vec<&str> = places[0].iter().map(|place| place.split(' ').next().unwrap()).collect();
        let expected = "Init Send Irecv Isend Waitall Waitany Test Allreduce Comm_split Bcast Comm_free Barrier Finalize";
        let expected: Vec<String> = expected.split(' ').map(|call| format!("MPI_{call}")).collect();
        assert_eq!(calls, expected, "{compiler}");
        // Calls without an argument of their own stand in other lines for gfortran where functions have several interfaces.
        for (call, line) in [(1, 11), (2, 17), (3, 18), (4, 20), (5, 22), (7, 33), (8, 35), (9, 36), (11, 39)]
        {
            let place = format!("{} ring.f90:{line} in MAIN__ < main", expected[call]);
            assert_eq!(places[0][call], place, "{compiler}");
        }
        let trace = workshop.trace("ring.call.0.dat");
        let receive = trace.events[1].events.iter().find_map(|event| match event.kind {
            EventKind::Receive { message } => Some((message.partner, message.tag, message.bytes)),
            _ => None,
        });
        assert_eq!(receive, Some((0, 7, 4)), "{compiler}");
        // Each message is received, each request completed, each operation done by all.
        let told = workshop.shell("llac waits ring.call.0.dat 2>&1");
        assert!(!told.contains("processor 1: ") && told.contains("MPI_Comm_split"), "{told}");
    }
}

/// Those of `use mpi_f08` are again others, with MPICH as well: a program does with either module the same, and is recorded alike.
#[test]
fn both_modules_of_fortran_are_recorded_alike() {
    for (transport, compiler) in fortran_compilers() {
        let launcher = transport.launcher().replace("%P", "4");
        let mut of_modules = Vec::new();
        for flag in ["-UWITH_F08", "-DWITH_F08"] {
            let workshop = Workshop::new();
            workshop.bring("tests/programs/halo.F90");
            let c = transport.compiler();
            workshop.shell(&format!("{compiler} -g -O0 {flag} halo.F90 $(CC={c} call libs --mpi) -o halo"));
            workshop.shell(&format!("{compiler} -g -O0 {flag} halo.F90 -o alone"));
            let alone = workshop.shell(&format!("{launcher} ./alone"));
            assert!(alone.contains("total ") && alone.contains("found "), "{alone}");
            assert_eq!(workshop.shell(&format!("{launcher} ./halo")), alone, "{compiler} {flag}");
            let told = workshop.shell(&format!("CALL_EVENTS=1 {launcher} ./halo 2>&1"));
            assert!(alone.lines().all(|line| told.contains(line)), "{compiler} {flag}: {told}");
            assert!(!told.contains("not recorded"), "{compiler} {flag}: {told}");
            let name = workshop.traces().pop().unwrap();
            let told = workshop.shell(&format!("llac waits {name} 2>&1"));
            assert!(!told.contains("processor 1: "), "{told}");
            // Without the lines, which are those of the conversion of an argument where only one module has that.
            let tell = |its: &call_trace::ProcessorEvents, kind: EventKind| match kind {
                EventKind::Enter { region } => {
                    let site = &its.regions[region as usize];
                    format!("{} in {}", site.call, site.call_stack.join(" < "))
                }
                kind => format!("{kind:?}"),
            };
            let trace = workshop.trace(&name);
            let events = |its: &call_trace::ProcessorEvents| -> Vec<String> {
                its.events.iter().map(|event| tell(its, event.kind)).collect()
            };
            let of_processors: Vec<Vec<String>> = trace.events.iter().map(events).collect();
            let calls: Vec<&String> = of_processors[0].iter().filter(|its| its.starts_with("MPI_")).collect();
            assert_eq!(calls.len(), 57, "{calls:?}");
            assert!(calls.iter().all(|its| its.ends_with(" in MAIN__ < main")), "{calls:?}");
            of_modules.push(of_processors);
        }
        assert_eq!(of_modules[0], of_modules[1], "{compiler}");
    }
}
