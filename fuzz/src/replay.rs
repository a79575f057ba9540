//! Any bytes as a trace whose supersteps are evaluated again: rebuilt or refused, as they were and otherwise.

use call_bsp::obsp::{InOut, Network};
use call_bsp::recording::RecordedRun;
use call_bsp::replay::{NetworkCosts, Scenario, changes, processor_changes, waits};

const NETWORK: Network = Network { g_s_per_byte: 1e-9, latency_s: 1e-5 };

pub fn run(bytes: &[u8]) {
    let Ok(trace) = call_trace::read(bytes) else { return };
    let program = match RecordedRun::rebuild(&trace.supersteps) {
        Ok(program) => program,
        Err(error) => return drop(error.to_string()),
    };
    let _ = program.fidelity();
    let fitted = program.fit_network(InOut::Maximum);
    let faster: Vec<(String, f64)> = program
        .experiments()
        .iter()
        .flat_map(|names| names.iter().take(1))
        .map(|name| (name.clone(), 4.0))
        .collect();
    let costs = fitted.map_or(NetworkCosts::Linear(NETWORK), |fitted| fitted.costs());
    let Ok(mut before) = program.replay(&Scenario::default()) else { return };
    let rounding = 1.0 + 1e-9;
    assert!(before.total_s() <= before.bsp_cost_s() * rounding, "{} s", before.total_s());
    let Ok(mut after) = program.replay(&Scenario { costs, faster, in_out: InOut::Maximum }) else { return };
    for replay in [&mut before, &mut after] {
        waits(&program, replay);
        assert!(
            replay.chain().iter().map(|share| share.computing_s + share.communicating_s).sum::<f64>()
                <= replay.total_s() * rounding
        );
    }
    changes(&program, &before, &after);
    processor_changes(&before, &after);
}
