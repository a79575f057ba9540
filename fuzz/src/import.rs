//! Any bytes as a file of any tool: read or refused, and what is read is written so that it can be read again.

use call_exchange::ReadOptions;
use call_trace::Experiment;

pub fn run(bytes: &[u8]) {
    let Ok(imported) = call_exchange::read("x.csv", bytes, &ReadOptions::default()) else { return };
    let experiments = &imported.trace.experiments;
    let samples: Vec<&Experiment> = experiments.iter().collect();
    for text in [call_exchange::write_csv(&samples), call_exchange::write_json_lines(&samples)] {
        let _ = call_exchange::read("x.csv", text.as_bytes(), &ReadOptions::default());
    }
    let _ = call_exchange::write_extra_p_json_lines(&samples);
    for experiment in samples {
        let _ = call_exchange::write_extra_p_text(experiment);
    }
}
