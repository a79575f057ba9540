//! Any bytes as a trace.

use call_trace::{Folding, Joining};

pub fn run(bytes: &[u8]) {
    if let Ok(trace) = call_trace::read(bytes) {
        for experiment in &trace.experiments {
            experiment.condense(Joining::Maximum, Folding::Median);
        }
    }
}
