//! A profile of planted computation and h, at every number of processors and on every transport.
#![allow(clippy::unwrap_used, reason = "a test that meets None has failed")]

use call_bsp::recording::RecordedRun;
use call_profile::{Profile, Quantity};
use call_tests::{Transport, Workshop};

fn sums(profile: &Profile, quantity: Quantity) -> [f64; 4] {
    let total = profile.total();
    let its = total.of(quantity);
    [its.maximum, its.largest_processor(), its.average, its.minimum]
}

/// As tests/programs/planted_profile.c says, in nanoseconds and bytes.
fn planted(p: usize) -> ([f64; 4], [f64; 4]) {
    let computing = |s: usize| (0..3).map(move |k| (1000 * ((s + k) % p + 1)) as f64);
    let largest = (0..p).map(|s| computing(s).sum()).fold(0.0, f64::max);
    let average = 3.0 * 1000.0 * (p + 1) as f64 / 2.0;
    // Processor 0 gets what the last one sends, the others send more than they get.
    let h: Vec<f64> = (0..p).map(|s| if s == 0 { 8.0 * p as f64 } else { 8.0 * (s + 1) as f64 }).collect();
    let least = h.iter().copied().fold(f64::INFINITY, f64::min);
    let h_of_three =
        [8.0 * p as f64, 8.0 * p as f64, h.iter().sum::<f64>() / p as f64, least].map(|its| 3.0 * its);
    ([3000.0 * p as f64, largest, average, 3000.0], if p == 1 { [0.0; 4] } else { h_of_three })
}

fn assert_close(found: [f64; 4], expected: [f64; 4], what: &str) {
    let is_close = found.iter().zip(expected).all(|(left, right)| (left - right).abs() < 1e-6);
    assert!(is_close, "{what}: {found:?}, planted {expected:?}");
}

#[test]
fn planted_costs_come_back() {
    for transport in [Transport::Embedded, Transport::Smpi, Transport::Mpi] {
        if !transport.is_available() {
            continue;
        }
        let workshop = Workshop::new();
        workshop.bring("tests/programs/planted_profile.c");
        workshop.bring("examples/fft/cluster.xml");
        workshop.write("hosts", (0..32).map(|host| format!("n-{host}.x\n")).collect::<String>());
        let (compiler, mpi) =
            (transport.compiler(), if transport == Transport::Embedded { "" } else { "--mpi" });
        workshop.shell(&format!(
            "{compiler} $(call cflags {mpi} -O1) planted_profile.c $(call libs {mpi}) -o planted_profile"
        ));
        for p in 1..=16 {
            let launcher = transport.launcher().replace("%P", &p.to_string());
            workshop.shell(&format!(
                "CALL_PROFILE=1 CALL_CLOCK=counting CALL_PROCESSORS={p} {launcher} ./planted_profile"
            ));
            let name = workshop.traces().pop().unwrap();
            let trace = workshop.trace(&name);
            std::fs::remove_file(workshop.path().join(name)).unwrap();
            let profile = Profile::of_runs(&[RecordedRun::rebuild(&trace.supersteps).unwrap()]).unwrap();
            let (computing_ns, h) = planted(p);
            let found = sums(&profile, Quantity::Computation).map(|its| 1e9 * its);
            assert_close(found, computing_ns, &format!("{transport:?}, P = {p}, computation"));
            assert_close(sums(&profile, Quantity::H), h, &format!("{transport:?}, P = {p}, h"));
            assert_close(sums(&profile, Quantity::Waiting), [0.0; 4], "nobody waits by this clock");
            assert_eq!(profile.total().synchronisations, 3);
        }
    }
}
