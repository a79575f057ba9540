//! Any bytes as a trace.
#![no_main]

use call_trace::{Folding, Joining};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(trace) = call_trace::read(bytes) {
        for experiment in &trace.experiments {
            experiment.condense(Joining::Maximum, Folding::Median);
        }
    }
});
