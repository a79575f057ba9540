//! `call run --events`: a program of MPI without a directive, whose trace llac loads.
#![allow(clippy::unwrap_used, reason = "a test that meets None has failed")]

use call_tests::{Transport, Workshop};

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
    assert_eq!(workshop.trace("hello.call.1.dat").events.len(), 2);
    let trace = call_trace::read(&std::fs::read(workshop.path().join("hello.call.0.dat")).unwrap()).unwrap();
    assert_eq!(trace.events.len(), 2);
    for its in &trace.events {
        let calls: Vec<&str> = its.regions.iter().map(|region| region.call.as_str()).collect();
        assert_eq!(calls, ["MPI_Init", "MPI_Barrier", "MPI_Finalize"]);
        assert_eq!(its.events.len(), 9);
        assert!(its.has_common_clock && its.events.is_sorted_by_key(|event| event.at_ns));
    }
}
