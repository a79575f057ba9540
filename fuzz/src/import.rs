//! Any bytes as a file of any tool: read or refused, and what is read is written so that it can be read again.

use std::sync::Once;

use call_exchange::ReadOptions;
use call_trace::Experiment;

/// Where the libraries of Parquet and Arrow panic, `call_exchange` makes an error of it: that is no failure, which any other panic is.
fn let_readers_panic() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let fail = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            let is_reader = |place: &std::panic::Location| {
                ["/parquet-", "/arrow-"].iter().any(|reader| place.file().contains(reader))
            };
            if !panic.location().is_some_and(is_reader) {
                fail(panic);
            }
        }));
    });
}

pub fn run(bytes: &[u8]) {
    let_readers_panic();
    let Ok(imported) = call_exchange::read("x.csv", bytes, &ReadOptions::default()) else { return };
    let experiments = &imported.trace.experiments;
    let samples: Vec<&Experiment> = experiments.iter().collect();
    for text in [call_exchange::write_csv(&samples), call_exchange::write_json_lines(&samples)] {
        let _ = call_exchange::read("x.csv", text.as_bytes(), &ReadOptions::default());
    }
    let _ = call_exchange::write_extra_p_json_lines(&samples);
    for experiment in samples {
        let _ = call_exchange::write_extra_p_text(&[experiment]);
    }
}
