//! Reports of many processors.

use std::fs;

use super::available;
use crate::support::{Flavour, Run};

/// Numbers of processors around those where the tree of a report changes.
#[test]
fn trees_of_all_shapes() {
    for flavour in available(&[Flavour::Smpi]) {
        for processors in [1, 2, 3, 4, 6, 7, 8, 9, 31, 33, 100] {
            check_order(&Run::of(flavour, "scale").counting().on(processors).with(40), processors, 40);
        }
    }
}

fn check_order(run: &Run, processors: usize, samples: usize) {
    run.succeed();
    let trace = run.trace("scale.call.0.dat");
    assert_eq!(trace.rows.len(), processors * samples);
    for (index, row) in trace.rows.iter().enumerate() {
        let (processor, k) = ((index / samples).to_string(), index % samples);
        let time = format!("0.{k:09}");
        assert_eq!(row[..], ["f", &processor, &processors.to_string(), &k.to_string(), &time], "row {index}");
    }
}

/// The rows are counted by the number of bytes that blocks of them have.
#[test]
fn a_thousand_processors() {
    let (processors, samples) = (1024, 2_000);
    for flavour in available(&[Flavour::Smpi]) {
        let run = Run::of(flavour, "scale")
            .counting()
            .on(processors)
            .with(samples)
            .variable("CALL_TRACE", "binary");
        let outcome = run.succeed();
        assert!(outcome.stderr.contains("(2048000 rows, "), "{outcome:?}");
        assert_eq!(run.trace_names(), ["scale.call.0.dat"]);
        let path = run.directory().join("scale.call.0.dat");
        let bytes = fs::read(path).expect("the trace can be read");
        assert!(bytes.ends_with(b"# end rows=2048000\n"));
        assert!(bytes.len() > processors * samples * 28, "{} bytes", bytes.len());
    }
}
