//! Archives of OTF2: what a run recorded goes out and comes back the same; what EZTrace records is read.

use call_tests::{Transport, Workshop, is_there};
use call_trace::{CollectiveOperation, CommunicatorName, EventKind};
use serde_json::Value;

const WORLD: CommunicatorName = CommunicatorName { maker: 0, number: 0 };

/// The tables of an answer, without the name of the trace.
fn tables(answer: &str) -> Vec<Value> {
    let answer: Value = serde_json::from_str(answer).unwrap();
    let results = answer["results"].as_array().unwrap();
    let tables = results.iter().flat_map(|result| result["tables"].as_array().unwrap());
    let rows: Vec<Value> = tables.flat_map(|table| table["rows"].as_array().unwrap().clone()).collect();
    let without_name = |mut row: Value| {
        row.as_object_mut().unwrap().remove("trace");
        row
    };
    rows.into_iter().map(without_name).collect()
}

#[test]
fn what_is_exported_waits_as_before() {
    let transport = Transport::Smpi;
    if !transport.is_available() {
        return;
    }
    let workshop = Workshop::new();
    workshop.bring("tests/programs/waits.c");
    workshop.bring("examples/fft/cluster.xml");
    workshop.write("hosts", (0..32).map(|host| format!("n-{host}.x\n")).collect::<String>());
    workshop.shell("smpicc $(call cflags --mpi -O1) waits.c $(call libs --mpi) -o waits");
    for (program, processors) in
        [("chain", "5"), ("late_senders", "4"), ("imbalance", "4"), ("early_reduce", "4")]
    {
        let launcher = transport.launcher().replace("%P", processors);
        workshop
            .shell(&format!("CALL_EVENTS=1 {launcher} --cfg=smpi/simulate-computation:no ./waits {program}"));
        let name = workshop.traces().pop().unwrap();
        let told = workshop.shell(&format!("llac waits {name} to {program}.otf2 2>&1"));
        assert_eq!(told, format!("wrote {program}.otf2\n"));
        let printed = workshop.shell(&format!("otf2-print {program}.otf2 2>&1 > printed"));
        assert_eq!(printed, "", "{program}");
        let (before, after) = (
            workshop.shell(&format!("llac --format json waits {name}")),
            workshop.shell(&format!("llac --format json waits {program}.otf2")),
        );
        let before = tables(&before);
        assert!(before.len() > 5, "{before:?}");
        assert_eq!(tables(&after), before, "{program}");
        std::fs::remove_file(workshop.path().join(name)).unwrap();
    }
    let loaded = workshop.shell("llac load chain.otf2");
    assert_eq!(loaded, "1 file read; no experiments: ask `waits`\n");
    let again = workshop.command("llac").args(["waits", "chain.otf2", "to", "chain.otf2"]).output().unwrap();
    assert_eq!(again.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&again.stderr).contains("an archive replaces nothing"));
}

/// A program that puts, gets, locks, probes and does what MPI has besides.
#[test]
fn windows_and_probes_wait_as_before() {
    for transport in [Transport::Mpi, Transport::Mpich] {
        if !transport.is_available() {
            continue;
        }
        let workshop = Workshop::new();
        workshop.bring("call-runtime/tests/programs/events_further.c");
        let compiler = transport.compiler();
        workshop.shell(&format!(
            "{compiler} $(call cflags --mpi -O1) events_further.c $(call libs --mpi) -o further"
        ));
        let launcher = transport.launcher().replace("%P", "3");
        workshop.shell(&format!("CALL_EVENTS=1 {launcher} ./further"));
        let name = workshop.traces().pop().unwrap();
        let told = workshop.shell(&format!("llac waits {name} to recorded.otf2 2>&1"));
        assert!(told.ends_with("wrote recorded.otf2\n") && !told.contains("left out"), "{told}");
        assert_eq!(workshop.shell("otf2-print recorded.otf2 2>&1 > printed"), "");
        let printed = std::fs::read_to_string(workshop.path().join("printed")).unwrap();
        for record in ["RMA_PUT", "RMA_GET", "RMA_GROUP_SYNC", "RMA_ACQUIRE_LOCK", "probed message"] {
            assert!(printed.contains(record), "{record}");
        }
        let before = tables(&workshop.shell(&format!("llac --format json waits {name}")));
        assert!(before.len() > 5, "{before:?}");
        assert_eq!(tables(&workshop.shell("llac --format json waits recorded.otf2")), before);
    }
}

/// Four processes in a chain, recorded by EZTrace: its own name of the anchor, numbers with gaps, definitions that stand twice and late.
#[test]
fn archives_of_eztrace() {
    if !Transport::Mpi.is_available() {
        return;
    }
    assert!(is_there("eztrace"), "scripts/install-test-tools.sh installs eztrace");
    let workshop = Workshop::new();
    workshop.write(
        "chain.c",
        "#include <mpi.h>\n#include <time.h>\nint main(int argc, char **argv)\n{\n    struct timespec tenth = {0, 100000000};\n\
         \x20   int rank, size, x = 0;\n    MPI_Init(&argc, &argv);\n    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n\
         \x20   MPI_Comm_size(MPI_COMM_WORLD, &size);\n    MPI_Comm half;\n\
         \x20   MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);\n    nanosleep(&tenth, 0);\n\
         \x20   if (rank > 0)\n        MPI_Recv(&x, 1, MPI_INT, rank - 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n\
         \x20   nanosleep(&tenth, 0);\n    if (rank < size - 1)\n        MPI_Send(&x, 1, MPI_INT, rank + 1, 5, MPI_COMM_WORLD);\n\
         \x20   MPI_Bcast(&x, 1, MPI_INT, 1, half);\n    MPI_Barrier(MPI_COMM_WORLD);\n    MPI_Finalize();\n    return 0;\n}\n",
    );
    workshop.shell(&format!("{} chain.c -o chain", Transport::Mpi.compiler()));
    let launcher = Transport::Mpi.launcher().replace("%P", "4");
    let library = if launcher.contains("openmpi") { "openmpi" } else { "mpich" };
    workshop.shell(&format!("{launcher} eztrace -t {library} ./chain 2>&1"));
    let archive = "chain_trace/eztrace_log.otf2";
    let told = workshop.shell(&format!("llac waits {archive} by processor 2>/dev/null"));
    assert!(told.starts_with(&format!("{archive}: 4 processors, ")), "{told}");
    // How long each waits hangs on clocks that start with their processes.
    let read = call_otf2::read(&workshop.path().join(archive)).unwrap();
    for (rank, its) in (0..).zip(&read.trace.events) {
        assert_eq!(its.processor, rank);
        let all = its.communicators.iter().filter(|communicator| communicator.name == WORLD);
        assert_eq!(all.map(|communicator| &communicator.processors).collect::<Vec<_>>(), [&[0, 1, 2, 3]]);
        let received = its.events.iter().filter_map(|event| match event.kind {
            EventKind::Receive { message } => Some((message.partner, message.tag, message.bytes)),
            _ => None,
        });
        let expected = rank.checked_sub(1).map(|sender| (sender, 5, 4));
        assert_eq!(received.collect::<Vec<_>>(), Vec::from_iter(expected));
        let together = its.events.iter().filter_map(|event| match event.kind {
            EventKind::Collective { collective } => Some((collective.operation, collective.root)),
            _ => None,
        });
        // Root is the second one of those with even, or odd, numbers.
        let broadcast = (CollectiveOperation::Broadcast, Some(2 + rank % 2));
        assert_eq!(together.collect::<Vec<_>>(), [broadcast, (CollectiveOperation::Barrier, None)]);
    }
    // No compiler adds what the archive of another tool has not.
    let told = workshop.shell(&format!("llac waits {archive} 2>&1"));
    let words = told.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("where processors wait are not known: the archive has none"), "{told}");
    let answer = tables(&workshop.shell(&format!("llac --format json waits {archive} 2>/dev/null")));
    // What was read is written, and read again.
    workshop.shell(&format!("llac waits {archive} to again.otf2 2>/dev/null"));
    assert_eq!(workshop.shell("otf2-print again.otf2 2>&1 > printed"), "");
    let again = tables(&workshop.shell("llac --format json waits again.otf2 2>/dev/null"));
    assert_eq!(again, answer);
    // A process whose events are gone is told.
    let events = workshop.path().join("chain_trace/eztrace_log/536870911.evt");
    std::fs::remove_file(events).unwrap();
    let told = workshop.shell(&format!("llac waits {archive} 2>&1"));
    assert!(told.contains("processor 1 has no events"), "{told}");
}
