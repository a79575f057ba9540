//! The transform of the paper through the whole chain: right results on every transport, and traces that load.

use call_tests::{Transport, Workshop};

/// Runs the instrumented transform (it checks its results against the definition and fails if they are wrong) and its traces.
fn check(transport: Transport, processors: &[usize]) {
    if !transport.is_available() {
        return;
    }
    let workshop = Workshop::new();
    workshop.bring("examples/fft/fft.c");
    workshop.build("fft", transport, "-O2");
    for (number, count) in processors.iter().enumerate() {
        let shown = workshop.run("fft", transport, *count, "");
        assert_eq!(shown.lines().count(), 8, "{shown}");
        let trace = workshop.trace(&format!("fft.call.{number}.dat"));
        assert_eq!(trace.header.processors as usize, *count);
        let rows = |name: &str| {
            let found = trace.experiments.iter().find(|experiment| experiment.name == name);
            found.map_or(0, |experiment| experiment.samples.len())
        };
        // Ten transforms of eight sizes; on P processors log2 P levels of exchange, then a sequential transform.
        let levels = count.trailing_zeros() as usize;
        assert_eq!(rows("f"), 80 * count);
        assert_eq!(rows("G"), 80 * count);
        for name in ["A", "B", "C", "D", "E", "F"] {
            assert_eq!(rows(name), 80 * count * levels, "{name} on {count} processors");
        }
    }
    let all = workshop.llac(&["load fft.call.*.dat", "fit f", "predict f N=2097152 P=32"]);
    assert!(all.contains("f(P=32, N=2097152) = ") || all.contains("f(N=2097152, P=32) = "), "{all}");
}

#[test]
fn embedded() {
    check(Transport::Embedded, &[1, 2, 4, 8]);
}

#[test]
fn mpi() {
    check(Transport::Mpi, &[1, 4]);
}

#[test]
fn mpich() {
    check(Transport::Mpich, &[2]);
}

#[test]
fn simulated() {
    check(Transport::Smpi, &[1, 4, 16]);
}

/// Without `call` the pragmas are ignored and the program runs all the same.
#[test]
fn the_source_runs_without_call() {
    let workshop = Workshop::new();
    workshop.bring("examples/fft/fft.c");
    workshop.shell("cc -O2 -Wall -Wextra -Wno-unknown-pragmas $(call cflags) fft.c $(call libs) -o fft");
    for processors in [1, 4] {
        let shown = workshop.run("fft", Transport::Embedded, processors, "4096");
        assert!(shown.starts_with(&format!("N = 4096, P = {processors}")), "{shown}");
    }
    assert!(workshop.traces().is_empty());
}
