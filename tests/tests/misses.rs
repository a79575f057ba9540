//! `call run --misses`: what the caches miss, simulated, is counted for each experiment.

use call_grammar::CoefficientId;
use call_model::{Model, Settings};
use call_tests::{Transport, Workshop};
use call_trace::{Experiment, Trace, Unit};

fn experiment<'a>(trace: &'a Trace, name: &str) -> &'a Experiment {
    trace.experiments.iter().find(|experiment| experiment.name == name).unwrap()
}

/// The counts of an experiment, in the order of its rows.
fn counts(trace: &Trace, name: &str, counter: &str) -> Vec<f64> {
    let samples = &experiment(trace, name).samples;
    samples.counters[samples.counter_names.iter().position(|known| known == counter).unwrap()].clone()
}

/// Along columns each access is another line, which is there again in the next column as long as all lines of a column fit: 64 of them
/// into 4 KiB. The matrix fits into 32 KiB up to N = 64. Along rows one of eight accesses misses.
#[test]
fn misses_of_two_loop_orders_have_the_borders_of_the_caches() {
    let workshop = Workshop::new();
    workshop.bring("examples/matrix_init/matrix_init.c");
    workshop.shell("call run --misses --caches 4K/64,32K/512,128K/8 matrix_init.c -- 1 140");
    let trace = workshop.trace("matrix_init.call.0.dat");
    assert_eq!(trace.header.simulated_caches, "L1 4096/64/64, L2 32768/512/64");
    let sizes = experiment(&trace, "columns").samples.column("N").unwrap().to_vec();
    let first = |name: &str| counts(&trace, name, "L1-misses");
    let beyond = |name: &str| counts(&trace, name, "L2-misses");
    // What it takes to ask is among them.
    let accesses = counts(&trace, "columns", "data-accesses");
    let rows = sizes.iter().enumerate().filter(|(_, size)| **size > 32.0);
    for (row, size) in rows {
        let elements = size * size;
        let is_about = |count: f64, wanted: f64| (count - wanted).abs() < 0.05 * wanted + 100.0;
        assert!(is_about(accesses[row], elements + 200.0), "{size}: {accesses:?}");
        assert!(is_about(first("rows")[row], elements / 8.0), "{size}: {:?}", first("rows"));
        let columns = if *size < 60.0 { elements / 8.0 } else { elements };
        // What measures is in the caches as well, its code in the second one.
        let is_border = (50.0..66.0).contains(size);
        assert!(is_border || is_about(first("columns")[row], columns), "{size}: {:?}", first("columns"));
        let missed = if *size < 60.0 { 0.0 } else { elements / 8.0 };
        for name in ["rows", "columns"] {
            assert!(is_border || is_about(beyond(name)[row], missed), "{name}, {size}: {:?}", beyond(name));
        }
    }
    let its_third = workshop.trace("matrix_init.call.1.dat");
    assert_eq!(its_third.header.simulated_caches, "L1 4096/64/64, L3 131072/8/64");
    assert!(counts(&its_third, "rows", "L2-misses").iter().all(|count| count.is_nan()));

    let mut misses = experiment(&trace, "columns").clone();
    misses.respond_with("L1-misses").unwrap();
    assert_eq!(misses.unit, Unit::Other("L1-misses".to_owned()));
    let model = Model::fit(&Settings::default().prepare(&misses)).unwrap();
    let intervals = model.aleph(CoefficientId(2)).unwrap().segments;
    let last = intervals.last().unwrap();
    assert!((50.0..80.0).contains(&last.ranges[0].lower), "{intervals:?}");
    assert!((last.value - 1.0).abs() < 0.02, "{intervals:?}");
}

#[test]
fn levels_of_several_simulations_load_together() {
    let workshop = Workshop::new();
    workshop.bring("examples/matrix_init/matrix_init.c");
    let told = workshop.shell("call run --misses --caches 4K/8,8K/8,16K/8 matrix_init.c -- 1 40 2>&1");
    assert!(!told.contains("is not counted"), "{told}");
    let all = "load matrix_init.call.*.dat";
    let shown = workshop.shell(&format!("llac -e '{all} time=L3-misses as third' -e experiments 2>&1"));
    assert!(shown.contains("not\n  counted in its simulation (L1 4096/8/64, L2 8192/8/64)"), "{shown}");
    let shown = workshop.shell(&format!("llac -e '{all}' -e experiments 2>&1"));
    assert!(shown.contains("L1-miss") && !shown.contains("warning"), "{shown}");
    let shown = workshop.shell(&format!("llac -e '{all} time=time' 2>&1"));
    assert!(shown.contains("its times say nothing"), "{shown}");
}

const OF_EACH: &str = "\
#include <bsp.h>
#pragma cll parallel BSPlib
static char bytes[4][1 << 20];

int main(void)
{
    bsp_begin(bsp_nprocs());
    int pid = bsp_pid(), lines = 1000 * (pid + 1);
    volatile char *own = bytes[pid];
#pragma cll touch touch[0] + touch[1]*lines
    for (int line = 0; line < lines; line++)
        own[64 * line] = 1;
#pragma cll end touch
#pragma cll report all
    bsp_end();
    return 0;
}
";

#[test]
fn processors_count_for_themselves() {
    let workshop = Workshop::new();
    workshop.write("each.c", OF_EACH);
    workshop.shell("call run --misses --caches 4K/8,8K/8 --procs 3:3 each.c");
    let trace = workshop.trace("each.call.0.dat");
    for (count, lines) in counts(&trace, "touch", "L2-misses").iter().zip([1000.0, 2000.0, 3000.0]) {
        assert!((lines..lines + 60.0).contains(count), "{count} misses of {lines} lines");
    }
}

#[test]
fn who_asks_for_what_cannot_be_is_told() {
    let workshop = Workshop::new();
    workshop.write("each.c", OF_EACH);
    let told = |line: &str| workshop.shell(&format!("{line} 2>&1 || true"));
    let wrong = told("call run --misses --caches 4K each.c");
    assert!(wrong.contains("--caches: 1 level is too few: callgrind simulates two"), "{wrong}");
    let wrong = told("call run --caches 4K,8K each.c");
    assert!(wrong.contains("--misses"), "{wrong}");
    workshop.write("threads.c", OF_EACH.replace("BSPlib", "OpenMP"));
    let wrong = told("call run --misses --procs 1:2 threads.c");
    assert!(wrong.contains("callgrind counts all threads together"), "{wrong}");
    // Without a simulation there is nothing to count.
    workshop.write("each.c", OF_EACH.replace("lines\n", "lines counters L1-misses\n"));
    workshop.build("each", Transport::Embedded, "-O2");
    let run = told("CALL_COUNTERS=callgrind CALL_PROCESSORS=1 ./each");
    assert!(run.contains("L1-misses is not counted: callgrind: `call run --misses` compiles"), "{run}");
}
