use std::collections::{BTreeMap, BTreeSet};

use call_model::{Error, Forecaster, MachineText, Model, ModelFile, RunFacts};
use call_trace::{Experiment, Run};

use super::run_facts;
use crate::found::SessionExperiment;

/// What model files call the name of an experiment as it was written, where that is otherwise.
const KERNEL: &str = "kernel";

/// How the name of the experiment of a model was written, where that is otherwise.
pub fn original_of(model: &ModelFile) -> Option<&str> {
    model.runs.iter().find_map(|run| run.facts.get(KERNEL)).map(String::as_str)
}

/// The model of an experiment as a file.
pub fn file_of(found: &SessionExperiment, forecaster: &Forecaster) -> ModelFile {
    let experiment = found.experiment();
    let samples = [&experiment.samples, &experiment.summaries.points];
    let measured =
        samples[0].names.iter().chain(&samples[1].names).filter(|name| found.was_loaded_with(name));
    let original = found.set().names().original_of(&experiment.name);
    let rounds = rounds(forecaster.model(), experiment, found.runs());
    // What runs differ by is known of several only.
    let mut runs: Vec<RunFacts> = match rounds.runs.len() > 1 {
        true => rounds.runs,
        false => {
            let runs = numbers(experiment);
            let of_number = |run: &u32| Some(facts(found.runs().get(*run as usize)?));
            runs.iter().filter_map(of_number).collect()
        }
    };
    for run in &mut runs {
        run.facts.extend(original.clone().map(|original| (KERNEL.to_owned(), original)));
    }
    ModelFile {
        forecaster: forecaster.clone(),
        response: experiment.observable.clone(),
        definitions: found.set().lets(),
        machine: found
            .set()
            .machine()
            .map(|machine| MachineText { name: machine.name.clone(), file: machine.to_toml() }),
        measured_columns: measured.cloned().collect::<BTreeSet<_>>().into_iter().collect(),
        runs,
        call: env!("CARGO_PKG_VERSION").to_owned(),
    }
}

/// Runs with what each makes of the constants of a model.
pub struct FittedRuns {
    pub runs: Vec<RunFacts>,
    /// Of how many runs the first one is; 1 unless runs of different points were put together.
    pub together: usize,
    /// Those that cannot be fitted.
    pub left_out: Vec<(String, Error)>,
}

/// Fits a model to each run. Where no run alone determines all constants, as each is of one size or one number of processors, runs of different points are
/// put together: the first of each, the second of each, and so on.
pub fn rounds(model: &Model, experiment: &Experiment, runs: &[Run]) -> FittedRuns {
    let fit = |numbers: &[u32]| model.fit_run(&model.settings().prepare(&experiment.of_runs(numbers)));
    let (mut alone, mut left_out) = (Vec::new(), Vec::new());
    let known =
        numbers(experiment).into_iter().filter_map(|number| Some((number, runs.get(number as usize)?)));
    for (number, run) in known {
        match fit(&[number]) {
            Ok(fit) => alone.push((number, run, fit)),
            Err(error) => left_out.push((run.label().to_owned(), error)),
        }
    }
    if alone.iter().any(|(_, _, fit)| fit.undetermined.is_empty()) {
        let with_fit = alone.into_iter().map(|(_, run, fit)| RunFacts { fit: Some(fit), ..facts(run) });
        return FittedRuns { runs: with_fit.collect(), together: 1, left_out };
    }
    let mut seen: BTreeMap<Option<u64>, usize> = BTreeMap::new();
    let mut rounds: BTreeMap<usize, Vec<(u32, &Run)>> = BTreeMap::new();
    for (number, run, fit) in &alone {
        let times = seen.entry(fit.design).or_default();
        rounds.entry(*times).or_default().push((*number, run));
        *times += 1;
    }
    let together = rounds.values().next().map_or(1, Vec::len);
    let mut found = Vec::new();
    for members in rounds.into_values() {
        let numbers: Vec<u32> = members.iter().map(|(number, _)| *number).collect();
        let files = members.iter().flat_map(|(_, run)| run.files.clone()).collect();
        match fit(&numbers) {
            Ok(fit) => found.push(RunFacts { files, fit: Some(fit), ..facts(members[0].1) }),
            Err(error) => left_out.push((members[0].1.label().to_owned(), error)),
        }
    }
    FittedRuns { runs: found, together, left_out }
}

/// The numbers of the runs that an experiment has samples of.
pub fn numbers(experiment: &Experiment) -> BTreeSet<u32> {
    let samples = [&experiment.samples, &experiment.summaries.points];
    samples.iter().flat_map(|samples| samples.run.iter().copied()).collect()
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
    RunFacts { files: run.files.clone(), facts, fit: None }
}
