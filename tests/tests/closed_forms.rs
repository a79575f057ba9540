//! Waiting of MPI programs in simulated time in which messages and clocks take none: closed forms, exact.

use crate::waits::{built, recorded_by};
use call_tests::answer::{number, rows};
use call_tests::{Transport, Workshop};
use serde_json::Value;

/// But for the rounding of sums.
fn equal(found: f64, expected: f64) -> bool {
    (found - expected).abs() < 1e-12
}

/// Program, processors, kind of wait, call, seconds that all wait together.
const KNOWN: [(&str, u32, &str, &str, f64); 15] = [
    // W P (P - 1) / 2
    ("chain", 5, "late sender", "MPI_Recv", 1.0),
    // Rounds × excess × pairs
    ("late_senders", 5, "late sender", "MPI_Wait", 0.6),
    ("late_receiver", 2, "late receiver", "MPI_Ssend", 0.3),
    ("late_probe", 2, "late sender", "MPI_Probe", 0.2),
    // Excess × (P - 1)
    ("late_broadcast", 4, "late broadcast", "MPI_Bcast", 0.9),
    ("early_reduce", 4, "early reduce", "MPI_Reduce", 0.2),
    // Until it is allowed: excess × (P - 1); until the last access is complete
    ("late_post", 4, "late post", "MPI_Win_start", 0.9),
    ("early_wait", 4, "early wait", "MPI_Win_wait", 0.2),
    // Who comes later, until the other one gives the lock back.
    ("locked", 2, "lock contention", "MPI_Win_lock", 0.2),
    // In each half one waits for the other; then half of all for the other half.
    ("imbalance", 4, "wait at barrier", "MPI_Barrier", 0.2),
    ("imbalance", 4, "wait at N×N", "MPI_Allreduce", 0.4),
    // Excess × (P - 1)
    ("unbalanced", 5, "wait at N×N", "MPI_Allreduce", 0.4),
    // Each of P in turn, twice
    ("stragglers", 4, "wait at barrier", "MPI_Barrier", 2.4),
    // Delay × rounds
    ("wave", 6, "late sender", "MPI_Recv", 0.4),
    // B3 + C3 - A2
    ("carried", 3, "late sender", "MPI_Recv", 0.7),
];

/// The name of a trace of a run in which messages, and reading a clock, take no time.
fn recorded_exactly(workshop: &Workshop, processors: u32, program: &str) -> String {
    let launcher = Transport::Smpi.launcher().replace("%P", &processors.to_string());
    let launcher = launcher.replace("cluster.xml", "free.xml");
    recorded_by(workshop, &format!("{launcher} --cfg=smpi/wtime:0"), program)
}

#[test]
fn waits_are_those_of_the_closed_forms() {
    let transport = Transport::Smpi;
    if !transport.is_available() {
        return;
    }
    let workshop = built();
    let cluster = workshop.read("cluster.xml");
    let free = cluster.replace("bw=\"10Gbps\" lat=\"2us\"", "bw=\"1e18Bps\" lat=\"0\"");
    assert_ne!(free, cluster);
    workshop.write("free.xml", free);
    for (program, processors, kind, call, expected_s) in KNOWN {
        let name = recorded_exactly(&workshop, processors, program);
        let answer = workshop.shell(&format!("llac --format json waits {name}"));
        workshop.llac(&[&format!("load {name}"), "page into waits.html"]);
        let page = workshop.read("waits.html");
        assert!(
            page.contains("\"waits\":{") && page.contains(call) && !page.contains("id=\"graph\""),
            "{program}"
        );
        std::fs::remove_file(workshop.path().join(name)).unwrap();
        let answer: Value = serde_json::from_str(&answer).unwrap();
        let waits = rows(&answer, "waits");
        let is_meant = |row: &&Value| row["kind"] == kind && row["site"].as_str().unwrap().starts_with(call);
        let found = waits.iter().find(is_meant);
        let found_s = found.unwrap_or_else(|| panic!("{program}: {answer}"))["waiting_s"].as_f64().unwrap();
        assert!(equal(found_s, expected_s), "{program}, {call}: {found_s} s, not {expected_s} s");
        // Causes add up to the waits.
        let waited_s: f64 = waits.iter().map(|row| row["waiting_s"].as_f64().unwrap()).sum();
        let causes = rows(&answer, "causes");
        let causes_s: f64 = causes.iter().map(|row| row["time_s"].as_f64().unwrap()).sum();
        assert!(equal(waited_s, causes_s), "{program}: {waited_s} s of waits, {causes_s} s of causes");
        let efficiency = &rows(&answer, "efficiency")[0];
        let is_part = |part: &str, expected: f64| equal(number(efficiency, part), expected);
        let count = f64::from(processors);
        match program {
            "chain" => check_chain(&answer, count),
            "unbalanced" => {
                // Of p one takes twice as long: (p + 1) / 2 p.
                let load_balance = (count + 1.0) / (2.0 * count);
                assert!(
                    is_part("load_balance", load_balance) && is_part("parallel", load_balance),
                    "{efficiency}"
                );
            }
            // All are as busy, so all of it is serialisation.
            "stragglers" => {
                assert!(is_part("load_balance", 1.0) && is_part("serialisation", 0.75), "{efficiency}");
            }
            "wave" => {
                // All that wait, also at the end, wait for the one delay.
                let sum_s = |is_meant: &dyn Fn(&str) -> bool| -> f64 {
                    let meant = causes.iter().filter(|row| is_meant(row["cause"].as_str().unwrap()));
                    meant.map(|row| number(row, "time_s")).sum()
                };
                assert!(equal(sum_s(&|cause| cause == "before MPI_Barrier"), waited_s), "{causes:?}");
                assert!(equal(waited_s, 0.5) && equal(sum_s(&|cause| cause != "before MPI_Barrier"), 0.0));
            }
            "carried" => {
                let of_a =
                    causes.iter().filter(|row| row["call_stack"].as_str().unwrap().starts_with("part_a"));
                let of_a: Vec<(&str, &str, f64)> = of_a
                    .map(|row| {
                        (
                            row["whose"].as_str().unwrap(),
                            row["cause"].as_str().unwrap(),
                            number(row, "time_s"),
                        )
                    })
                    .collect();
                let expected = [
                    ("other", "before MPI_Send below part_c", 0.6),
                    ("other", "before MPI_Send below part_b3", 0.3),
                    ("waiting", "before MPI_Recv below part_a", -0.2),
                ];
                assert_eq!(of_a.len(), 3, "{of_a:?}");
                for (found, expected) in of_a.iter().zip(expected) {
                    let is_same =
                        (found.0, found.1) == (expected.0, expected.1) && equal(found.2, expected.2);
                    assert!(is_same, "{found:?}, not {expected:?}");
                }
            }
            _ => {}
        }
    }
}

/// Each works when the one before has: 1 / P, all of it serialisation.
fn check_chain(answer: &Value, processors: f64) {
    let efficiency = &rows(answer, "efficiency")[0];
    let parallel = number(efficiency, "parallel");
    assert!(
        equal(parallel, 1.0 / processors) && equal(parallel, number(efficiency, "serialisation")),
        "{efficiency}"
    );
    let talp = &rows(answer, "talp")[0];
    assert_eq!(talp["numMpiRanks"], processors);
    let found = |key: &str| number(talp, key);
    assert!(equal(1e-9 * found("elapsedTime"), 0.5) && equal(1e-9 * found("usefulTime"), 0.5), "{talp}");
    assert!(equal(found("mpiLoadBalance") * found("mpiCommunicationEfficiency"), parallel), "{talp}");
    // Each receives W after the one before, which had received itself: W (P - 1) are direct.
    let states = rows(answer, "wait_states");
    let at_receive = states.iter().find(|row| row["site"].as_str().unwrap().starts_with("MPI_Recv")).unwrap();
    for (part, expected_s) in [("direct_s", 0.4), ("indirect_s", 0.6)] {
        assert!(equal(number(at_receive, part), expected_s), "{part}: {at_receive}");
    }
}
