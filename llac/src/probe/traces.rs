use std::fmt::{Display, Write};
use std::path::PathBuf;

use call_machine::{Machine, Probed};
use call_trace::Dataset;

/// A quiet computer repeats its numbers to a few percent.
const MOST_PERCENT: f64 = 10.0;

/// A machine and what is told beside it.
pub struct ProbedMachine {
    pub machine: Machine,
    pub repeatability: String,
}

/// Reads traces and makes a machine of them.
pub fn machine(paths: &[PathBuf], name: Option<&str>) -> Result<ProbedMachine, String> {
    let mut runs = Dataset::new();
    for path in paths {
        let shown = path.display();
        let bytes = std::fs::read(path).map_err(|error| format!("llac: cannot read {shown}: {error}"))?;
        let trace =
            call_trace::read(&bytes).map_err(|error| failed(&format!("{shown}: {error}"), error.cure()))?;
        if trace.completeness != call_trace::Completeness::Complete {
            eprintln!("llac: {shown} is not complete: what it has is used");
        }
        runs.add(&shown.to_string(), trace).map_err(|error| failed(&error, error.cure()))?;
    }
    let probed = Machine::from_probe(name, &runs).map_err(|error| failed(&error, error.cure()))?;
    Ok(ProbedMachine { repeatability: repeatability(&probed), machine: probed.machine })
}

/// What is told of an error, with its cure.
pub fn failed(error: &dyn Display, cure: Option<&str>) -> String {
    let cure = cure.map_or(String::new(), |cure| format!(": {cure}"));
    format!("llac: {error}{cure}")
}

fn repeatability(probed: &Probed) -> String {
    let mut text = String::new();
    if let Some(worst) = probed.repeatability.worst() {
        // Writing to a text cannot fail.
        let _ = writeln!(
            text,
            "llac: two halves of the rounds are apart by {:.1} % at most ({})",
            worst.apart_percent, worst.what
        );
        if worst.apart_percent > MOST_PERCENT {
            text.push_str("llac: the computer did other things meanwhile, or shares what was measured: repeat it when it is idle\n");
        }
        if probed.machine.provenance.is_unrepeatable() {
            text.push_str(
                "llac: do not predict with these numbers: they are farther apart than they are large\n",
            );
        }
    }
    text
}
