//! Any bytes as a trace with events or supersteps whose waits are explained or refused: replays, savings, delays and chains answer.

use call_waiting::{State, StepChange, Waits};

pub fn run(bytes: &[u8]) {
    let Ok(trace) = call_trace::read(bytes) else { return };
    for waits in [Waits::of_events(&trace.events), Waits::of_supersteps(&trace.supersteps)] {
        match waits {
            Ok(waits) => explain(&waits),
            Err(error) => drop((error.to_string(), error.cure())),
        }
    }
}

fn explain(waits: &Waits) {
    let _ = waits.replay(&StepChange::new());
    let faster = StepChange::new().faster(0, State::Computing, 2.0).at_most_mean(0);
    waits.replayed_run_time_ns(&faster);
    waits.parts(3);
    waits.savings(3);
    waits.calls();
    waits.delays();
    waits.chain(None);
    (0..waits.sites.len().min(5)).for_each(|site| drop(waits.chain(Some(site))));
}
