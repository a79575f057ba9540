//! Supersteps of real runs, evaluated again: C, `call`, cc, a run, the trace, OBSP*.

use call_bsp::obsp::{InOut, Network};
use call_bsp::recording::RecordedRun;
use call_bsp::replay::{NetworkCosts, Scenario};
use call_tests::{Transport, Workshop};

fn built(name: &str, transport: Transport) -> Workshop {
    let workshop = Workshop::new();
    workshop.bring(&format!("tests/programs/{name}.c"));
    workshop.build(name, transport, "-O2");
    workshop
}

fn faster(factor: f64) -> Scenario {
    Scenario { faster: vec![("E".to_owned(), factor)], ..Scenario::default() }
}

fn linear(in_out: InOut) -> Scenario {
    Scenario {
        costs: NetworkCosts::Linear(Network { g_s_per_byte: 1e-9, latency_s: 100e-9 }),
        in_out,
        faster: Vec::new(),
    }
}

/// The counting clock knows what each processor computes, and nothing of the others: OBSP* finds when they meet.
///
/// The ring: 1500, 2500, 3500 ns, so all are at 3500. Before the parts 100: 3600. Processor 0 alone: 700 + 50 + 10, at 4360. The others:
/// 700 and 1400, so at 5000, then 50, and 20 or 30: at 5070 and 5080. In the oblivious ring 0 waits for 2, which is at 5080.
///
/// E twice as fast: 1000, 1500, 2000 ns in the ring, 1500 ns less.
///
/// With g = 1 ns and L = 100 ns: h is 8 + 8 in the ring, at 3616; the barrier of two has no bytes: 3616 + 100 + 1400 + 100 = 5216, and
/// processor 2 is at 5296; h is 16 + 16: 5296 + 132 = 5428. With `max` 8 and 16 bytes: 8 + 16 ns less.
#[test]
fn planted_times_meet() {
    for transport in [Transport::Embedded, Transport::Mpi] {
        if !transport.is_available() {
            continue;
        }
        let workshop = built("replayed", transport);
        workshop.shell(match transport {
            Transport::Embedded => "CALL_CLOCK=counting CALL_PROCESSORS=3 ./replayed",
            _ => "CALL_CLOCK=counting mpirun -n 3 ./replayed",
        });
        let program = RecordedRun::rebuild(&workshop.trace("replayed.call.0.dat").supersteps).unwrap();
        let cases = [
            (Scenario::default(), 5080.0),
            (faster(2.0), 3580.0),
            (linear(InOut::Sum), 5428.0),
            (linear(InOut::Maximum), 5404.0),
        ];
        for (scenario, expected_ns) in cases {
            let total_ns = 1e9 * program.replay(&scenario).unwrap().total_s();
            assert!((total_ns - expected_ns).abs() < 1e-3, "{transport:?} {scenario:?}: {total_ns}");
        }
    }
}

/// A sleep is never shorter than it should be.
#[test]
fn a_run_comes_back_and_gains() {
    let workshop = built("relaxed", Transport::Embedded);
    workshop.shell("CALL_PROCESSORS=2 ./relaxed");
    let trace = workshop.trace("relaxed.call.0.dat");
    let program = RecordedRun::rebuild(&trace.supersteps).unwrap();
    let fidelity = program.fidelity().unwrap();
    assert!(fidelity.largest_s < 1e-8, "{fidelity:?}");
    let total_s = |scenario: &Scenario| program.replay(scenario).unwrap().total_s();
    let as_it_was = total_s(&Scenario::default());
    assert!(program.recorded_s() >= as_it_was && as_it_was >= 0.36);
    assert_eq!(total_s(&faster(1.0)), as_it_was);
    let gain_s = as_it_was - total_s(&faster(6.0));
    // At most what processor 1 saves, and at least nothing.
    let slept_s: f64 = trace.experiments[0].samples.time_s.iter().sum();
    assert!(gain_s > 0.0 && gain_s <= slept_s * 5.0 / 6.0 + 1e-9, "{gain_s}");
    assert!(total_s(&faster(6.0)) >= 0.12, "processor 0 sleeps");

    let shown = workshop.llac(&["load relaxed.call.0.dat", "replay faster E=6"]);
    assert!(shown.contains("E 6 times as fast saves"), "{shown}");
    assert!(shown.contains("bsp_sync relaxed.c:27"), "{shown}");
}
