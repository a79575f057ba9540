use std::collections::{BTreeMap, BTreeSet};

use call_model::{Forecaster, MachineText, ModelFile, RunFacts, RunFit};
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
    let model = forecaster.model();
    // What runs differ by is known of several only; a run without usable samples says nothing.
    let fit = |run: u32| {
        let prepared = (runs.len() > 1).then(|| model.settings().prepare(&experiment.of_run(run)))?;
        model.fit_run(&prepared).ok()
    };
    let described = |run: &u32| Some(facts(found.runs().get(*run as usize)?, fit(*run)));
    ModelFile {
        forecaster: forecaster.clone(),
        definitions: found.set().lets(),
        machine: found
            .set()
            .machine()
            .map(|machine| MachineText { name: machine.name.clone(), file: machine.to_toml() }),
        measured_columns: measured.cloned().collect::<BTreeSet<_>>().into_iter().collect(),
        runs: runs.iter().filter_map(described).collect(),
        call: env!("CARGO_PKG_VERSION").to_owned(),
    }
}

/// What is known of a run.
pub fn facts(run: &Run, fit: Option<RunFit>) -> RunFacts {
    // What other tools measured has no header.
    let facts = match run.header.program.is_empty() {
        true => BTreeMap::new(),
        false => run_facts::of_header(&run.header)
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value))
            .collect(),
    };
    RunFacts { files: run.files.clone(), facts, fit }
}
