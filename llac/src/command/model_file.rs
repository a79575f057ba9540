use std::collections::{BTreeMap, BTreeSet};

use call_model::{Forecaster, MachineText, ModelFile, RunFacts};
use call_trace::Run;

use super::run_facts;
use crate::found::FoundExperiment;

/// The model of an experiment as a file.
pub fn file_of(found: &FoundExperiment, forecaster: &Forecaster) -> ModelFile {
    let experiment = found.experiment();
    let samples = [&experiment.samples, &experiment.summaries.points];
    let measured =
        samples[0].names.iter().chain(&samples[1].names).filter(|name| found.was_loaded_with(name));
    let runs: BTreeSet<u32> = samples.iter().flat_map(|samples| samples.run.iter().copied()).collect();
    ModelFile {
        forecaster: forecaster.clone(),
        definitions: found.set().lets(),
        machine: found
            .set()
            .machine()
            .map(|machine| MachineText { name: machine.name.clone(), file: machine.to_toml() }),
        measured_columns: measured.cloned().collect::<BTreeSet<_>>().into_iter().collect(),
        runs: runs.into_iter().filter_map(|run| found.runs().get(run as usize)).map(facts).collect(),
        call: env!("CARGO_PKG_VERSION").to_owned(),
    }
}

fn facts(run: &Run) -> RunFacts {
    // What other tools measured has no header.
    let facts = match run.header.program.is_empty() {
        true => BTreeMap::new(),
        false => run_facts::of_header(&run.header)
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value))
            .collect(),
    };
    RunFacts { files: run.files.clone(), facts }
}
